/** Doc comments from texts of the document: harmless, wrapped, and with their Markdown intact. */

import type { Comment } from "../model/mod.ts";
import { escapeOf } from "./literals.ts";

/** The maximum number of columns of a line. */
export const WIDTH = 100;

/** Stands for the space in a link, at which no line ends. In texts of documents, it is an escape. */
const GAP = "\0";

/**
 * Returns a doc comment with a line break at its end; an empty string if there is nothing in it.
 *
 * @param comment The text and the tags
 * @param indent The number of spaces before each line
 */
export function printComment({ text, tags, example }: Comment, indent: number): string {
  const pad = " ".repeat(indent);
  const width = WIDTH - indent - " * ".length;
  const lines = wrapMarkdown(harmless(text), width);
  if (lines.length > 0 && (tags.length > 0 || example !== undefined)) lines.push("");
  for (const [tag, content, link] of tags) {
    const linked = link === undefined ? "" : ` {@link${GAP}${link}}`;
    lines.push(...tagLines(tag, (harmless(content) + linked).trimStart(), width));
  }
  if (example !== undefined) lines.push("@example", "```ts", ...exampleLines(example), "```");
  if (lines.length === 0) return "";
  if (lines.length === 1 && lines[0]!.length <= width - "* */".length) {
    return `${pad}/** ${lines[0]} */\n`;
  }
  const body = lines.map((line) => line === "" ? `${pad} *` : `${pad} * ${line}`);
  return `${pad}/**\n${body.join("\n")}\n${pad} */\n`;
}

/** Returns the lines of code that was printed here: its literals have all other escapes already. */
function exampleLines(code: string): string[] {
  return code.trimEnd().replaceAll("*/", "*\\/").replaceAll("{@", "{\\@").split("\n");
}

/** Characters that end a comment, are not shown as they are, or are written in one form. */
const special = /\*\/|\{@|[\r\t]|(?![\n\u200c\u200d])[\p{Cc}\p{Cf}\u2028\u2029\p{Cs}]/u;

/**
 * Returns a text that cannot end a comment, and whose characters can all be seen.
 *
 * The backslash in `*\/` is not shown by Markdown.
 */
function harmless(text: string): string {
  if (!special.test(text)) return text;
  return text.replace(/\r\n?/g, "\n").replaceAll("\t", "    ").replaceAll("*/", "*\\/")
    // The joiners are part of emoji and of words in some scripts.
    .replace(/(?![\n\u200c\u200d])[\p{Cc}\p{Cf}\u2028\u2029\p{Cs}]/gu, escapeOf)
    .replaceAll("{@", "{\\@");
}

/** Returns a line on which `@` at the beginning does not begin a tag. */
function withoutTag(line: string): string {
  return line.replace(/^(\s*)@/, "$1\\@");
}

function tagLines(tag: string, content: string, width: number): string[] {
  const [first = "", ...rest] = wrapMarkdown(content, width - tag.length - 2)
    .map((line) => withoutTag(line).replaceAll(GAP, " "));
  return [`@${tag} ${first}`.trimEnd(), ...rest.map((line) => line === "" ? "" : `  ${line}`)];
}

/** The beginning of a list item, with the spaces before it. */
const listItem = /^\s*(?:[-*+]|\d{1,9}[.)])\s+/;

/** Lines that stay as they are: headings, tables, quotes, rules, link definitions, indented code. */
const fixedLine = /^(?: {4,}\S| {0,3}(?:#{1,6}\s|\||>|<|\[[^\]]*\]:|(?:[-*_]\s*){3,}$|={3,}\s*$))/;

/** Wraps the paragraphs and list items of a Markdown text. */
export function wrapMarkdown(text: string, width: number): string[] {
  const lines: string[] = [];
  let paragraph: { words: string[]; first: string; rest: string } | undefined;
  let fence: string | undefined;
  const flush = (): void => {
    if (paragraph === undefined) return;
    lines.push(...wrapWords(paragraph.words, paragraph.first, paragraph.rest, width));
    paragraph = undefined;
  };
  for (const line of text.split("\n").map((each) => each.trimEnd())) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== undefined || mark !== undefined) {
      flush();
      lines.push(withoutTag(line));
      if (fence === undefined) fence = mark;
      else if (mark !== undefined && mark.startsWith(fence)) fence = undefined;
      continue;
    }
    const item = listItem.exec(line)?.[0];
    const quote = /^ {0,3}> ?(?=\S)/.exec(line)?.[0];
    // Four spaces are code, except in a list or inside of a paragraph.
    const isFixed = fixedLine.test(line) && !(item === undefined && paragraph !== undefined &&
      line.startsWith("    "));
    if (line.trim() === "") {
      flush();
      lines.push("");
    } else if (quote !== undefined) {
      flush();
      const words = line.slice(quote.length).split(/\s+/);
      lines.push(...wrapWords(words, quote, quote, width));
    } else if (item !== undefined && !/^(?:[-*_]\s*){3,}$/.test(line.trim())) {
      flush();
      const rest = " ".repeat(item.length);
      paragraph = { words: line.slice(item.length).split(/\s+/), first: item, rest };
    } else if (isFixed) {
      flush();
      lines.push(withoutTag(line));
    } else {
      const indent = /^ */.exec(line)![0];
      paragraph ??= { words: [], first: indent, rest: indent };
      paragraph.words.push(...line.trim().split(/\s+/));
    }
  }
  flush();
  // An open fence would take in the tags after it.
  if (fence !== undefined) lines.push(fence);
  return withoutBlanks(lines);
}

function wrapWords(words: readonly string[], first: string, rest: string, width: number): string[] {
  const lines: string[] = [];
  let line = first;
  let isEmpty = true;
  for (const word of words) {
    if (word === "") continue;
    if (!isEmpty && line.length + 1 + word.length > width && !beginsBlock(word)) {
      lines.push(withoutTag(line));
      line = rest + word;
    } else {
      line += isEmpty ? word : ` ${word}`;
    }
    isEmpty = false;
  }
  lines.push(withoutTag(line));
  return lines;
}

/** Reports if a word would begin something else if it came first on its line: a list or a heading. */
function beginsBlock(word: string): boolean {
  return /^(?:[-*+>]|#{1,6}|\d{1,9}[.)]|={3,}|-{3,}|\|.*)$/.test(word) || /^(?:```|~~~)/.test(word);
}

/** Removes blank lines at both ends, and all but one between others. Code is kept as it is. */
function withoutBlanks(lines: readonly string[]): string[] {
  const kept: string[] = [];
  let fence: string | undefined;
  for (const line of lines) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined) {
      if (fence === undefined) fence = mark;
      else if (mark.startsWith(fence)) fence = undefined;
    }
    if (line === "" && fence === undefined && (kept.length === 0 || kept.at(-1) === "")) continue;
    kept.push(line);
  }
  while (kept.at(-1) === "") kept.pop();
  return kept;
}
