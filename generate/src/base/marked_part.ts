/** The part of a user's file that the generator writes, between two comments. */

import { isOwnFile } from "./first_line.ts";

/** The beginnings of the two comments, which stay the same in all versions. */
const [BEGIN, END] = [
  "<!-- begin: written by @restwright/generate",
  "<!-- end: written by @restwright/generate",
];

/** The line before the part, and the one after it. */
const BEGIN_LINE = `${BEGIN}. Do not edit this part: write before or after it. -->`;
const END_LINE = `${END} -->`;

/** A file in which the part has no place, or several. */
export class MarkError extends Error {
  /** The name of the class. */
  override readonly name = "MarkError";
  /** The lines to write into the file; empty if none is missing. */
  readonly lines: readonly string[];

  constructor(message: string, lines: readonly string[] = []) {
    super(message);
    this.lines = lines;
  }
}

/** Returns Markdown that the formatter of Deno leaves as it is. */
export function unformatted(text: string): string {
  return `<!-- deno-fmt-ignore-start -->\n\n${text.trim()}\n\n<!-- deno-fmt-ignore-end -->`;
}

/** Returns a part of a file with the two comments around it. */
export function markedPart(text: string): string {
  return `${BEGIN_LINE}\n${unformatted(text)}\n${END_LINE}`;
}

/** Reports if a generated text is a part of a user's file, between the two comments. */
export function hasMarkedPart(text: string): boolean {
  // A text of the document may have the comments, too: in a file that is the generator's as a whole.
  return !isOwnFile(text) && text.includes(BEGIN) && text.includes(END);
}

/**
 * Returns a user's file with the part of another text. Everything outside of the two comments stays.
 *
 * @param file The name of the file in messages
 * @param text The user's text
 * @param written A text with the new part
 * @throws {MarkError} If one of the comments is missing, is there twice, or is in the wrong place
 */
export function withMarkedPart(file: string, text: string, written: string): string {
  const place = placeOf(file, text);
  const part = placeOf(file, written);
  return text.slice(0, place.start) + written.slice(part.start, part.end) + text.slice(place.end);
}

/** Returns the place of the part, with its comments. */
function placeOf(file: string, text: string): { readonly start: number; readonly end: number } {
  const begins = placesOf(text, BEGIN);
  const ends = placesOf(text, END);
  const [start] = begins;
  const [last] = ends;
  if (start === undefined || last === undefined) {
    const missing = start === undefined && last === undefined
      ? "has no place for the generated sections"
      : `has no line that begins with ${start === undefined ? BEGIN : END}`;
    throw new MarkError(
      `${file} ${missing}; write these two lines where the sections should be:`,
      [BEGIN_LINE, END_LINE],
    );
  }
  if (begins.length > 1 || ends.length > 1) {
    const doubled = begins.length > 1 ? BEGIN : END;
    throw new MarkError(`${file} has several lines that begin with ${doubled}; keep one of them`);
  }
  if (last < start) throw new MarkError(`${file} has the line of the end before that of the begin`);
  const lineEnd = text.indexOf("-->", last);
  if (lineEnd === -1) throw new MarkError(`${file} has a comment without -->: ${END}`);
  return { start, end: lineEnd + "-->".length };
}

/** Returns the places of a comment at the beginnings of lines. */
function placesOf(text: string, mark: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + 1)) {
    if (at === 0 || text[at - 1] === "\n") found.push(at);
  }
  return found;
}
