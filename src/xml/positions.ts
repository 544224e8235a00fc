/** Finds the line and column of an offset in a text that arrives in chunks. */

/** A line and a column, both counted from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A chunk of the text, and its position. */
interface Chunk {
  readonly text: string;
  readonly offset: number;
  readonly line: number;
  /** The offset of the start of its first line, which may be in an earlier chunk. */
  readonly lineStart: number;
}

/**
 * The lines and columns of a text that arrives in chunks. The line breaks of a chunk are counted
 * when the next chunk arrives or when a position is requested, so a valid document in one chunk is
 * never searched for them.
 */
export class Positions {
  #chunks: Chunk[] = [];

  /** The offset of the end of the text so far. */
  get end(): number {
    const last = this.#chunks.at(-1);
    return last === undefined ? 0 : last.offset + last.text.length;
  }

  /** Adds the next chunk. */
  add(text: string): void {
    const last = this.#chunks.at(-1);
    const lines = last === undefined ? { line: 1, lineStart: 0 } : count(last, last.text.length);
    this.#chunks.push({ text, offset: this.end, ...lines });
  }

  /** Removes all chunks but the last. Earlier positions are not needed anymore. */
  forget(): void {
    this.#chunks = this.#chunks.slice(-1);
  }

  /**
   * Returns the position of an offset. If its chunk was removed, returns the start of the oldest
   * chunk.
   */
  at(offset: number): Position {
    let index = this.#chunks.length - 1;
    while (index > 0 && this.#chunks[index]!.offset > offset) index--;
    const chunk = this.#chunks[index];
    if (chunk === undefined) return { line: 1, column: 1 };
    const end = Math.min(Math.max(offset - chunk.offset, 0), chunk.text.length);
    const { line, lineStart } = count(chunk, end);
    return { line, column: chunk.offset + end - lineStart + 1 };
  }
}

/** Returns the line at an index of a chunk, and the offset of its start. */
function count(chunk: Chunk, end: number): { line: number; lineStart: number } {
  let { line, lineStart } = chunk;
  let found = chunk.text.indexOf("\n");
  while (found >= 0 && found < end) {
    line++;
    lineStart = chunk.offset + found + 1;
    found = chunk.text.indexOf("\n", found + 1);
  }
  return { line, lineStart };
}
