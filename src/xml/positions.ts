/** A line and a column, both counted from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A chunk of the text, and where it begins. */
interface Chunk {
  readonly text: string;
  readonly offset: number;
  readonly line: number;
  /** Where its first line began, perhaps in an earlier chunk. */
  readonly lineStart: number;
}

/**
 * Lines and columns of a text that comes in chunks, found when they are asked for: a document that
 * comes whole and without a fault is never searched for its line breaks.
 */
export class Positions {
  #chunks: Chunk[] = [];

  /** Where the text ends so far. */
  get end(): number {
    const last = this.#chunks.at(-1);
    return last === undefined ? 0 : last.offset + last.text.length;
  }

  /** Takes the next chunk in. */
  add(text: string): void {
    const last = this.#chunks.at(-1);
    const lines = last === undefined ? { line: 1, lineStart: 0 } : count(last, last.text.length);
    this.#chunks.push({ text, offset: this.end, ...lines });
  }

  /** Lets go of all chunks but the last: nothing before it will be asked for. */
  forget(): void {
    this.#chunks = this.#chunks.slice(-1);
  }

  /** The place of an offset; where its chunk is gone, the nearest that is kept. */
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

/** The line at an index of a chunk, and where it starts. */
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
