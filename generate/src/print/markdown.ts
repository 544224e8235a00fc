/** Markdown: code, tables, links, and texts of the document that cannot change what is around them. */

import { escapeOf } from "./literals.ts";
import { WIDTH, wrapMarkdown } from "./comments.ts";

/** Returns a text as code. It may have backticks. */
export function code(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  const fence = "`".repeat(Math.max(0, ...runs.map(({ length }) => length)) + 1);
  const space = text.startsWith("`") || text.endsWith("`") ? " " : "";
  return `${fence}${space}${text.replace(/\s+/g, " ")}${space}${fence}`;
}

/** Returns a block of code. */
export function codeBlock(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
}

/** Returns a table whose columns are as wide as their longest cells. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [head, ...rows].map((row) => row.map((each) => each.replaceAll("|", "\\|")));
  const widths = head.map((_, column) => Math.max(3, ...cells.map((row) => row[column]!.length)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(" | ")} |`;
  const [first, ...others] = cells;
  return [line(first!), line(widths.map((width) => "-".repeat(width))), ...others.map(line)]
    .join("\n");
}

/**
 * Returns a text of the document in lines: its headings become bold, so that the page keeps its own, and
 * HTML is shown as it is written.
 */
export function documentText(text: string): string {
  const visible = text.replace(/\r\n?/g, "\n").replaceAll("\t", "    ")
    // The joiners are part of emoji and of words in some scripts.
    .replace(/(?![\n\u200c\u200d])[\p{Cc}\p{Cf}\u2028\u2029\p{Cs}]/gu, escapeOf);
  let fence: string | undefined;
  const lines = visible.split("\n").map((line) => {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined) {
      if (fence === undefined) fence = mark;
      else if (mark.startsWith(fence)) fence = undefined;
      return line;
    }
    if (fence !== undefined) return line;
    const heading = /^ {0,3}#{1,6}\s(.*)$/.exec(line)?.[1];
    if (heading !== undefined) {
      const title = withoutClosingMarks(heading.trim()).replaceAll("*", "");
      return title === "" ? "" : `**${withoutHtml(title)}**`;
    }
    // An underline would make a heading of the line before it.
    if (/^ {0,3}(?:=+|-+)\s*$/.test(line)) return "";
    return withoutHtml(line);
  });
  return wrapMarkdown(lines.join("\n"), WIDTH).join("\n");
}

/** Returns the text of a heading without the `##` that may close it. */
function withoutClosingMarks(text: string): string {
  let end = text.length;
  while (text[end - 1] === "#") end--;
  return end === 0 || text[end - 1] === " " ? text.slice(0, end).trimEnd() : text;
}

/** Returns a line in which only code has `<` as it is: tags and comments are shown, not read. */
function withoutHtml(line: string): string {
  // Texts with the runs of backticks between them. Code ends at a run that is as long as its first.
  const parts = line.split(/(`+)/);
  const lastPlaces = new Map(parts.map((part, index) => [part, index]));
  let end = -1;
  return parts.map((part, index) => {
    if (index <= end) return part;
    if (index % 2 === 0) return visibleTags(part);
    const isEscaped = parts[index - 1]!.endsWith("\\");
    if (!isEscaped && lastPlaces.get(part)! > index) end = parts.indexOf(part, index + 1);
    return part;
  }).join("");
}

/** Returns a text without code in which only links have `<` as it is. */
function visibleTags(text: string): string {
  return text.split(/(<https?:[^<>\s]*>)/).map((part, index) =>
    index % 2 === 1 ? part : part.replace(/<(?=[a-zA-Z/!?])/g, "&lt;")
  ).join("");
}

/** Returns the first sentence or line of a text of the document, on one line. */
export function firstLine(text: string): string {
  const [paragraph = ""] = text.trim().split(/\n\s*\n/);
  const line = withoutHtml(paragraph.replace(/^#+\s+/, "").replace(/\s+/g, " ").trim());
  const sentence = /^.*?[.!?](?=\s[A-Z])/.exec(line)?.[0] ?? line;
  return sentence.length > 200 ? `${sentence.slice(0, 197).replace(/[\\`]$/, "")}…` : sentence;
}

/** Returns prose in lines of the usual width. */
export function prose(text: string): string {
  return wrapMarkdown(text, WIDTH).join("\n");
}

/**
 * Returns the anchors of headings, as GitHub and most others make them: in lower case, with hyphens for
 * spaces, without punctuation, and with a number if another heading has the same one.
 */
export class Anchors {
  readonly #taken = new Map<string, number>();

  /** Returns the anchor of the next heading. */
  add(heading: string): string {
    const plain = heading.toLowerCase().replace(/[^\p{L}\p{N}\p{Pc}\s-]/gu, "").replace(/\s/g, "-");
    const count = this.#taken.get(plain) ?? 0;
    this.#taken.set(plain, count + 1);
    if (count === 0) return plain;
    const numbered = `${plain}-${count}`;
    this.#taken.set(numbered, 1);
    return numbered;
  }
}
