/** Indents quoted text as YAML requires, because Python's parser accepts fewer spaces. */
import { Lexer } from "yaml";

/** The mark of the lexer before a scalar without quotes. */
const PLAIN = "\x1f";

/** The marks of the lexer that do not belong to the text: a scalar, a document, and an early end. */
const marks: readonly string[] = [PLAIN, "\x02", "\x18"];

/**
 * Indents the lines of quoted text as far as YAML requires: more than the key (YAML 1.2 §7.3).
 * Python's parser accepts fewer spaces, and some programs that format YAML write them so. The value
 * is the same, because spaces at the start of such a line do not belong to it.
 *
 * @param text The text of a YAML document
 */
export function indentQuotedLines(text: string): string {
  let [result, copied] = ["", 0];
  for (let found = next(text, 0, 0); found !== undefined;) {
    const { start, end, depth } = found;
    const indent = " ".repeat(start - text.lastIndexOf("\n", start) - 1);
    const lines = text.slice(start, end).replace(/\n(?=[^\r\n])/g, `\n${indent}`);
    result += text.slice(copied, start) + lines;
    copied = end;
    found = next(text, end, depth);
  }
  return result + text.slice(copied);
}

/** Quoted text. */
interface QuotedText {
  readonly start: number;
  readonly end: number;
  /** The number of brackets around it. */
  readonly depth: number;
}

/**
 * Finds the next quoted text with several lines.
 *
 * @param text The text of the document
 * @param from The end of the quoted text before it, or the start of the document
 * @param depth The number of open brackets there
 */
function next(text: string, from: number, depth: number): QuotedText | undefined {
  let [position, before] = [from - depth, ""];
  const rest = "[".repeat(depth) + text.slice(from);
  depth = 0;
  for (const token of new Lexer().lex(rest)) {
    if (!marks.includes(token)) {
      if (before !== PLAIN) {
        const end = /^["']/.test(token) ? endOfQuoted(text, position) : 0;
        // The lexer ends it early if a line has too few spaces, so that a new one has to continue.
        if (text.slice(position, end).includes("\n")) return { start: position, end, depth };
        if (token === "[" || token === "{") depth++;
        if (token === "]" || token === "}") depth--;
      }
      position += token.length;
    }
    before = token;
  }
  return undefined;
}

/** Returns the index after the closing quote; 0 if there is none. */
function endOfQuoted(text: string, start: number): number {
  const quote = text.charAt(start);
  const pattern = quote === "'" ? /''?/g : /\\[^]|"/g;
  pattern.lastIndex = start + 1;
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    if (found[0] === quote) return pattern.lastIndex;
  }
  return 0;
}
