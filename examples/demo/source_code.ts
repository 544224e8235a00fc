// The demo shows the code that it runs. This reads it from the files in examples/.

import { readFile } from "node:fs/promises";

/** Some lines of a file. */
export interface SourceCode {
  /** The path, relative to the folder examples. */
  readonly path: string;
  /** The number of the first line, from 1. */
  readonly line: number;
  /** The lines, without the indentation of the first one. */
  readonly lines: readonly string[];
}

/**
 * Reads the body of a function, up to its `return`.
 *
 * @param path The path, relative to the folder examples
 * @param name The name of the function, which is declared with `function`
 * @throws {Error} If the file does not have the function
 */
export async function bodyOf(path: string, name: string): Promise<SourceCode> {
  const all = await linesOf(path);
  const start = all.findIndex((line) => line.includes(`function ${name}(`));
  const open = all.findIndex((line, index) => index >= start && line.endsWith(" {"));
  const end = all.findIndex((line, index) => index > open && /^(?:\}| {2}return\b)/.test(line));
  if (start < 0 || open < 0 || end < 0) throw new Error(`examples/${path} has no function ${name}`);
  return dedented(path, open + 1, all.slice(open + 1, end));
}

/**
 * Reads the line that contains a text.
 *
 * @param path The path, relative to the folder examples
 * @param text A text that only one line of the file contains
 * @throws {Error} If no line contains it, or several
 */
export async function lineWith(path: string, text: string): Promise<SourceCode> {
  const all = await linesOf(path);
  const found = all.flatMap((line, index) => line.includes(text) ? [index] : []);
  const [index] = found;
  if (index === undefined || found.length > 1) {
    throw new Error(`${found.length} lines of examples/${path} contain ${JSON.stringify(text)}`);
  }
  return dedented(path, index, all.slice(index, index + 1));
}

/** Returns the result of reading; undefined if the runtime does not permit the program to read. */
export async function unlessDenied<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    const { name, code } = error as { readonly name?: string; readonly code?: string };
    if (name === "NotCapable" || code === "ERR_ACCESS_DENIED") return undefined;
    throw error;
  }
}

async function linesOf(path: string): Promise<string[]> {
  const text = await readFile(new URL(`../${path}`, import.meta.url), "utf8");
  return text.split(/\r?\n/);
}

function dedented(path: string, index: number, lines: readonly string[]): SourceCode {
  const indent = /^ */.exec(lines[0] ?? "")![0].length;
  return { path, line: index + 1, lines: lines.map((line) => line.slice(indent)) };
}
