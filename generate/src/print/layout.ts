/** Code that is laid out: on one line if it fits there, otherwise on several. */

import { objectKey, quoted } from "./literals.ts";
import { WIDTH } from "./comments.ts";

/** Code that may take several lines. */
export type Layout = string | Group | Choice;

/** A conditional expression. */
export interface Choice {
  /** The condition, and the text before it, such as the key of a property. */
  readonly open: string;
  /** The value if the condition is true. */
  readonly yes: string;
  /** The value if it is false. */
  readonly no: string;
}

/** A list in brackets: an object, or a call with its arguments. */
export interface Group {
  /** The text before the items, with the bracket: `{`, `this._get(`. */
  readonly open: string;
  /** The items, without commas. */
  readonly items: readonly Layout[];
  /** The bracket after the items, and the text after it. */
  readonly close: string;
  /** True for an object literal or a pattern, which has spaces inside of its braces. */
  readonly isObject: boolean;
  /** True if no comma may follow the last item: the rest of a pattern. */
  readonly hasRest?: boolean;
}

/** Returns the layout of an object literal, after the text that comes before it. */
export function object(items: readonly Layout[], before = "", after = ""): Layout {
  return items.length === 0
    ? `${before}{}${after}`
    : { open: `${before}{`, items, close: `}${after}`, isObject: true };
}

/** Returns the layout of a pattern that takes an object apart. The rest, if any, is its last item. */
export function pattern(items: readonly Layout[], rest?: string): Layout {
  const all = rest === undefined ? items : [...items, `...${rest}`];
  return { open: "{", items: all, close: "}", isObject: true, hasRest: rest !== undefined };
}

/** Returns the layout of a call. */
export function call(callee: string, items: readonly Layout[], after = ""): Layout {
  return { open: `${callee}(`, items, close: `)${after}`, isObject: false };
}

/** Returns a property of an object literal: `{ path }` if the key is the name of the value. */
export function property(key: string, value: Layout): Layout {
  if (typeof value !== "string") return { ...value, open: `${key}: ${value.open}` };
  return key === value && /^\w+$/.test(key) ? key : `${key}: ${value}`;
}

/**
 * Returns code, on one line if it fits.
 *
 * @param indent The number of spaces before the first line
 * @param used The number of columns that are taken before the code and after it
 */
export function render(layout: Layout, indent: number, used: number = indent): string {
  const line = flat(layout);
  const fits = used + line.length <= WIDTH && !line.includes("\n");
  if (typeof layout === "string" || fits) return line;
  if ("yes" in layout) {
    const pad = " ".repeat(indent + 2);
    return `${layout.open}\n${pad}? ${layout.yes}\n${pad}: ${layout.no}`;
  }
  const { open, items, close } = layout;
  const last = items.at(-1);
  const isCall = open.endsWith("(") || items.length === 1;
  if (isCall && !layout.isObject && typeof last === "object" && "items" in last && last.isObject) {
    const before = [...items.slice(0, -1).map(flat), ""].join(", ");
    if (used + open.length + before.length + last.open.length <= WIDTH) {
      return `${open}${before}${broken(last, indent)}${close}`;
    }
  }
  return broken(layout, indent);
}

function broken({ open, items, close, hasRest = false }: Group, indent: number): string {
  const pad = " ".repeat(indent + 2);
  const lines = items.map((item, index) => {
    const comma = hasRest && index === items.length - 1 ? "" : ",";
    return `${pad}${render(item, indent + 2, indent + 3)}${comma}\n`;
  });
  return `${open}\n${lines.join("")}${" ".repeat(indent)}${close}`;
}

/** Returns code on one line. */
export function flat(layout: Layout): string {
  if (typeof layout === "string") return layout;
  if ("yes" in layout) return `${layout.open} ? ${layout.yes} : ${layout.no}`;
  const { open, items, close, isObject } = layout;
  const inner = items.map(flat).join(", ");
  return isObject ? `${open} ${inner} ${close}` : `${open}${inner}${close}`;
}

export function listOf(texts: readonly string[]): Layout {
  return { open: "[", items: texts.map(quoted), close: "]", isObject: false };
}

/** Returns a property in the pattern of a destructuring. */
export function pick(key: string, variable: string): string {
  if (key === variable) return key;
  // Bun 1.4 turns a key with line breaks into a template, unless the key is computed.
  return /^[\w$.-]+$/.test(key)
    ? `${objectKey(key)}: ${variable}`
    : `[${quoted(key)}]: ${variable}`;
}

export function statement(start: string, layout: Layout, end: string, indent = 4): string {
  const pad = " ".repeat(indent);
  return `${pad}${start}${render(layout, indent, indent + start.length + end.length)}${end}\n`;
}
