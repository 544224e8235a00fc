/** Comments from the descriptions, defaults and examples of schemas. */

import type { Node } from "../../read/source.ts";
import { isRecord } from "./schema_index.ts";
import type { Comment } from "../../model/mod.ts";
import { deprecationText } from "../../read/deprecation.ts";

/** The maximum length of a default or an example in a comment. */
const MAX_VALUE = 72;

/** Formats that a reader of the type wants to know. */
const formats: ReadonlySet<string> = new Set(
  ["byte", "date", "date-time", "duration", "time"],
);

/** Returns the comment of a schema: its description, and tags such as `@deprecated`. */
export function commentOf(schema: Node): Comment {
  const { value } = schema;
  if (!isRecord(value)) return { text: "", tags: [] };
  const text = textOf(value.description) || textOf(value.title);
  const tags: (readonly [string, string])[] = [];
  const type = value.type;
  const format = isRecord(value.items) ? undefined : value.format;
  if (type !== undefined && typeof format === "string" && formats.has(format)) {
    tags.push(["format", format]);
  } else if (value.contentEncoding === "base64") tags.push(["format", "byte"]);
  const fallback = valueText(value.default);
  if (fallback !== undefined) tags.push(["default", fallback]);
  const example = exampleOf(value);
  if (example !== undefined) tags.push(["example", example]);
  if (isRecord(value.externalDocs)) {
    const { url, description } = value.externalDocs;
    if (typeof url === "string") tags.push(["see", `${url} ${textOf(description)}`.trim()]);
  }
  if (value.deprecated === true) tags.push(["deprecated", deprecationText(value)]);
  return { text, tags };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value.trim() : "";
}

/** Returns the first example, if it is a scalar: others are long, and say less than the type. */
function exampleOf(
  { example, examples, const: constant, enum: values }: Readonly<Record<string, unknown>>,
): string | undefined {
  if (constant !== undefined || values !== undefined) return undefined;
  const first = example ?? (Array.isArray(examples) ? examples[0] : undefined);
  return typeof first === "object" || first === "" ? undefined : valueText(first);
}

/** Returns a value as JSON, if it is not too long. */
function valueText(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const text = JSON.stringify(value) as string | undefined;
  return text !== undefined && text.length <= MAX_VALUE ? text : undefined;
}
