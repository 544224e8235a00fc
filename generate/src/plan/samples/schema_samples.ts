/** Sample values for schemas: the examples of the document, or else values that its limits allow. */

import type { Node, Source } from "../../read/source.ts";
import { valueAt } from "../../read/fields.ts";
import { Patterns } from "./patterns.ts";
import { isRecord } from "../types/mod.ts";

/** The depth at which a schema that requires itself ends. */
const MAX_DEPTH = 12;

/** The most schemas inside of each other, with those that add no depth: the parts of an object. */
const MAX_NESTED = 200;

/** The most values in a sample. */
const MAX_VALUES = 10_000;

/** The most items of a list, and the most characters of a text, whatever the document requires. */
const [MAX_ITEMS, MAX_TEXT] = [100, 1000];

/** The place of a value. */
export interface SamplePlace {
  /** True in a form with files, in which a binary value is a file. */
  readonly hasFiles?: boolean;
  /** The number of the alternative of each `oneOf` and `anyOf`. Default: 0 */
  readonly variant?: number;
  /** The direction in which the value goes. Default: request */
  readonly direction?: "request" | "response";
  /** The depth from which optional properties are left out. Default: 2 */
  readonly optionalDepth?: number;
}

type Json = Readonly<Record<string, unknown>>;

/** Returns the example of a parameter or of a media type; undefined if it has none. */
export function exampleOf(node: Node | undefined): unknown {
  const example = valueAt(node, "example");
  if (example !== undefined) return example;
  const examples = valueAt(node, "examples");
  const [first] = isRecord(examples) ? Object.values(examples) : [];
  return isRecord(first) ? first["value"] : undefined;
}

/** Returns a value that a request or response can have for a schema; undefined if there is none. */
export function sampleOf(
  source: Source,
  schema: Node | undefined,
  place: SamplePlace = {},
): unknown {
  return new SchemaSampler(source, place).sample(schema, 0);
}

/** The patterns of documents, of which each takes its time once. */
const patternsOf = new WeakMap<Source, Patterns>();

/** Makes a sample. Schemas that refer to others several times make it large, but not slow. */
class SchemaSampler {
  readonly #source: Source;
  readonly #place: SamplePlace;
  readonly #patterns: Patterns;
  /** The samples by the place of the schema and the depth; undefined while one is made. */
  readonly #known = new Map<string, unknown>();
  /** The number of values in objects and lists. */
  readonly #sizes = new WeakMap<object, number>();
  /** The number of schemas around the current one. */
  #nested = 0;

  constructor(source: Source, place: SamplePlace) {
    this.#source = source;
    this.#place = place;
    this.#patterns = patternsOf.get(source) ?? new Patterns();
    patternsOf.set(source, this.#patterns);
  }

  /** Returns a value for a schema; undefined if there is none, or if it is too large. */
  sample(schema: Node | undefined, depth: number): unknown {
    const node = schema && this.#source.resolve(schema);
    if (node === undefined || !isRecord(node.value) || depth > MAX_DEPTH) return undefined;
    const key = `${depth} ${node.file} ${node.pointer}`;
    if (this.#known.has(key)) return this.#known.get(key);
    this.#known.set(key, undefined); // a schema that extends itself has no value
    if (this.#nested >= MAX_NESTED) return undefined;
    this.#nested++;
    const sample = this.#valueOf(node, node.value, depth);
    this.#nested--;
    const size = this.#sizeOf(sample);
    if (size > MAX_VALUES) return undefined;
    this.#known.set(key, sample);
    return sample;
  }

  #valueOf(node: Node, own: Json, depth: number): unknown {
    const hasFiles = this.#place.hasFiles === true;
    if (hasFiles && isFile(own)) return new File(["a file"], "file.txt", { type: "text/plain" });
    const stated = statedValue(own, this.#patterns);
    // An example of an object cannot have files.
    if (stated !== undefined && (!hasFiles || typeof stated !== "object")) return stated;
    const bases = this.#parts(node, "allOf").map((each) => this.sample(each, depth));
    const chosen = this.#alternative(node, depth);
    const type = typeOf(own);
    if (type === "object" || [chosen, ...bases].some(isRecord)) {
      return Object.assign(
        // A property can have the name `__proto__`.
        Object.create(null),
        ...bases.filter(isRecord),
        this.#object(node, depth),
        isRecord(chosen) ? chosen : {},
      );
    }
    const inherited = chosen ?? bases.find((value) => value !== undefined);
    if (inherited !== undefined) return inherited;
    return type === "array" ? this.#list(node, own, depth) : this.#scalar(type, own);
  }

  /** Returns a value of the first alternative that has one; null if there is no other. */
  #alternative(node: Node, depth: number): unknown {
    const alternatives = [...this.#parts(node, "oneOf"), ...this.#parts(node, "anyOf")];
    let chosen: unknown;
    for (const each of rotated(alternatives, this.#place.variant ?? 0)) {
      chosen = this.sample(each, depth + 1);
      if (chosen !== undefined && chosen !== null) break;
    }
    return chosen;
  }

  #list(node: Node, { minItems, maxItems }: Json, depth: number): unknown[] {
    const items = this.sample(this.#source.child(node, "items"), depth + 1);
    if (items === undefined) return [];
    // A server cannot tell a list of one part from a part.
    const usual = this.#place.hasFiles === true ? 2 : 1;
    const least = Math.max(usual, Number(minItems ?? 0));
    const count = Math.min(least, Number(maxItems ?? MAX_ITEMS), MAX_ITEMS);
    return Array.from({ length: count }, () => items);
  }

  #scalar(type: string | undefined, own: Json): unknown {
    switch (type) {
      case "string":
        return stringSample(own, this.#patterns);
      case "integer":
      case "number":
        return numberSample(own, type === "integer" ? 1 : 0.5);
      case "boolean":
        return true;
      case "null":
        return null;
      default:
        return "sample";
    }
  }

  #object(node: Node, depth: number): Record<string, unknown> {
    const { required } = node.value as Json;
    const { direction = "request", optionalDepth = 2 } = this.#place;
    const leftOut = direction === "request" ? "readOnly" : "writeOnly";
    const sample: Record<string, unknown> = Object.create(null);
    const properties = this.#source.child(node, "properties");
    if (properties === undefined) return sample;
    for (const [name, child] of this.#source.children(properties)) {
      const isRequired = Array.isArray(required) && required.includes(name);
      const found = this.#source.resolve(child)?.value;
      if (isRecord(found) && (found[leftOut] === true || found["deprecated"] === true)) {
        if (!isRequired || found[leftOut] === true) continue;
      }
      if (!isRequired && depth >= optionalDepth) continue;
      const value = this.sample(child, depth + 1);
      if (value !== undefined && (isRequired || value !== null)) sample[name] = value;
    }
    return sample;
  }

  #parts(node: Node, key: string): Node[] {
    const list = this.#source.child(node, key);
    return list === undefined ? [] : [...this.#source.children(list)].map(([, child]) => child);
  }

  #sizeOf(value: unknown): number {
    if (typeof value !== "object" || value === null) return 1;
    let size = this.#sizes.get(value);
    if (size === undefined) {
      size = Object.values(value).reduce((sum: number, each) => sum + this.#sizeOf(each), 1);
      this.#sizes.set(value, size);
    }
    return size;
  }
}

/** Returns a list that begins with another one of its elements. */
function rotated<T>(list: readonly T[], start: number): T[] {
  const first = list.length === 0 ? 0 : start % list.length;
  return [...list.slice(first), ...list.slice(0, first)];
}

/** Returns a value that a schema states itself. */
function statedValue(schema: Json, patterns: Patterns): unknown {
  const { example, examples, default: fallback, enum: values } = schema;
  if ("const" in schema) return schema["const"];
  const shown = [...Array.isArray(examples) ? examples : [], example];
  const valid = shown.find((each) => each !== undefined && isAllowed(schema, each, patterns));
  if (valid !== undefined) return valid;
  if (Array.isArray(values)) return values.find((value) => value !== null);
  return fallback ?? undefined;
}

/** Reports if an example has the format that its schema states, which those of documents may not have. */
function isAllowed(
  { format, pattern, type }: Json,
  value: unknown,
  patterns: Patterns,
): boolean {
  if (value === null) return false;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isRecord(value);
  if (typeof value !== "string") return type !== "string";
  if (format === "uuid") return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value);
  if (format === "date-time") return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(value);
  return typeof pattern !== "string" || patterns.first(pattern, [value]) !== undefined;
}

function typeOf({ type, properties, items, required }: Json): string | undefined {
  if (typeof type === "string") return type;
  if (Array.isArray(type)) return type.find((each) => each !== "null") ?? "null";
  if (properties !== undefined || required !== undefined) return "object";
  return items === undefined ? undefined : "array";
}

function isFile({ type, format, contentMediaType, contentEncoding }: Json): boolean {
  return format === "binary" ||
    type === "string" && contentMediaType !== undefined && contentEncoding === undefined;
}

/** Texts in the formats that validators know. */
const formats: Readonly<Record<string, string>> = {
  "date-time": "2026-11-20T10:00:00Z",
  date: "2026-11-20",
  time: "10:00:00Z",
  duration: "P1D",
  email: "ada@example.com",
  hostname: "example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  uri: "https://example.com/a",
  url: "https://example.com/a",
  "uri-reference": "/a",
  uuid: "3fa85f64-5717-4562-b3fc-2c963f66afa6",
  byte: "YQ==",
};

/** Texts that match most patterns of documents. */
const candidates = [
  "sample",
  "1",
  "a1",
  "A",
  "2026-11-20",
  "en-US",
  "abcdef0123456789",
  "+15550100",
];

function stringSample(
  { format, pattern, minLength = 0, maxLength = MAX_TEXT }: Json,
  patterns: Patterns,
): string {
  const known = typeof format === "string" ? formats[format] : undefined;
  if (known !== undefined) return known;
  if (typeof pattern === "string") {
    const found = patterns.first(pattern, candidates);
    if (found !== undefined) return found;
  }
  return "sample".padEnd(Math.min(Number(minLength), MAX_TEXT), "x").slice(0, Number(maxLength));
}

function numberSample(schema: Json, usual: number): number {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const step = typeof multipleOf === "number" ? multipleOf : usual;
  const least = typeof exclusiveMinimum === "number" ? exclusiveMinimum + step : minimum;
  const most = typeof exclusiveMaximum === "number" ? exclusiveMaximum - step : maximum;
  if (typeof least === "number") return least;
  return typeof most === "number" && most < step ? most : step;
}
