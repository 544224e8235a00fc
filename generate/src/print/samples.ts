/** Prints samples as code. */

import type { Sample } from "../model/mod.ts";
import { wireOf } from "../algebra/samples.ts";
import { flat, type Layout, object } from "./layout.ts";
import { literal, objectKey, quoted } from "./literals.ts";

/** Returns a sample as an expression of its type. */
export function sampleLayout(sample: Sample): Layout {
  if (typeof sample !== "object" || sample === null) return literal(sample);
  switch (sample.kind) {
    case "date":
      return `new Date(${quoted(sample.text)})`;
    case "bigint":
      return `${sample.value}n`;
    case "file":
      return `new File([${quoted(sample.text)}], "sample.txt")`;
    case "model":
      return before(`${sample.name}.fromJson(`, jsonLayout(wireOf(sample.json)), ")");
    case "list":
      return list(sample.items.map(sampleLayout));
    case "object":
      return object(sample.members.map(([name, value]) => member(name, sampleLayout(value))));
  }
}

/** Returns a value of JSON as an expression. */
export function jsonLayout(value: unknown): Layout {
  if (Array.isArray(value)) return list(value.map(jsonLayout));
  if (typeof value === "object" && value !== null) {
    return object(Object.entries(value).map(([name, each]) => member(name, jsonLayout(each))));
  }
  return literal(value as string | number | boolean | null);
}

/** Returns the layout of an array. */
export function list(items: readonly Layout[]): Layout {
  return items.length === 0 ? "[]" : { open: "[", items, close: "]", isObject: false };
}

/** Returns a member of an object with its key, because `{ true }` would be a syntax error. */
export function member(name: string, value: Layout): Layout {
  return before(`${objectKey(name)}: `, value);
}

/** Returns a layout with texts around it. */
export function before(start: string, layout: Layout, end = ""): Layout {
  if (typeof layout === "string") return start + layout + end;
  if ("yes" in layout) return start + flat(layout) + end;
  return { ...layout, open: start + layout.open, close: layout.close + end };
}
