/** Documents with random faults: values that are missing, wrong, renamed, repeated or in other places. */
import { randomNumbers } from "../../../tests/support/soak/random_numbers.ts";
import { ODD_NAMES } from "./hostile_document.ts";

/** A place in a document: an object or a list, a key in it, and the pointer of the value. */
export interface Place {
  readonly parent: Record<string, unknown>;
  readonly key: string;
  readonly pointer: string;
}

/** Lists all places of a document, each before those inside of it. */
export function placesIn(value: unknown, pointer: string = "#"): Place[] {
  if (typeof value !== "object" || value === null) return [];
  const parent = value as Record<string, unknown>;
  return Object.keys(parent).flatMap((key) => {
    const place = `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    return [{ parent, key, pointer: place }, ...placesIn(parent[key], place)];
  });
}

/** The most changes of one document. */
const MAX_CHANGES = 4;

/** The most characters of a document after its changes, so that copies of copies stay small. */
const MAX_CHARACTERS = 400_000;

/**
 * Returns a document with one to four random changes, as JSON. The same document and seed give the same
 * text.
 *
 * @param document The parsed document, which stays as it is
 * @param seed A whole number
 */
export function mutated(document: unknown, seed: number): string {
  const draw = new Draw(structuredClone(document), randomNumbers(seed));
  let text = JSON.stringify(draw.root);
  for (let left = 1 + draw.below(MAX_CHANGES); left > 0; left--) {
    draw.of(CHANGES)(draw);
    const next = JSON.stringify(draw.root);
    if (next.length > MAX_CHARACTERS) break;
    text = next;
  }
  return text;
}

/** A document that is being changed, and random choices in it. */
class Draw {
  readonly root: unknown;
  readonly #random: () => number;

  constructor(root: unknown, random: () => number) {
    this.root = root;
    this.#random = random;
  }

  /** Returns a whole number from 0, below a limit. */
  below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }

  /** Returns a place whose value fits; any place if none does. The version is not among them. */
  place(fits: (value: unknown) => boolean = () => true): Place {
    const all = placesIn(this.root).filter(({ pointer }) =>
      !/^#\/(?:openapi|swagger)$/.test(pointer)
    );
    const fitting = all.filter(({ parent, key }) => fits(parent[key]));
    return this.of(fitting.length > 0 ? fitting : all);
  }

  /** Returns a copy of any value of the document. */
  value(): unknown {
    const { parent, key } = this.place();
    return structuredClone(parent[key]);
  }

  /** Returns a reference: mostly to a named schema, else to any place or to none. */
  reference(): { $ref: string } {
    const schemas = placesIn(this.root).map(({ pointer }) => pointer)
      .filter((pointer) => /^#\/(?:components\/schemas|definitions)\/[^/]+$/.test(pointer));
    const kind = this.below(10);
    const pointer = kind < 7 && schemas.length > 0
      ? this.of(schemas)
      : kind < 9
      ? this.place().pointer
      : this.of(["#", "#/", "", "other.yaml#/A", "#node", "#/components/schemas/Missing"]);
    return { $ref: pointer };
  }
}

/** Writes a value, also under a key such as `__proto__`. */
function put(holder: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(holder, key, {
    value,
    ...{ writable: true, enumerable: true, configurable: true },
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Gives a value of an object another key, which stays where it was among the others. */
function rename({ parent, key }: Place, name: string): void {
  if (Array.isArray(parent)) return;
  const entries = Object.entries(parent);
  for (const [each] of entries) delete parent[each];
  for (const [each, value] of entries) put(parent, each === key ? name : each, value);
}

/** Names that are odd, and names that others differ from in case alone. */
function oddName(draw: Draw, name: string): string {
  const capital = name.slice(0, 1).toUpperCase() + name.slice(1);
  const others = [name.toUpperCase(), name.toLowerCase(), capital, `${name}_`, `${name} 2`, "Date"];
  return draw.of([...ODD_NAMES, ...others, "Document", "Model", "request", "signal", "default"]);
}

/** Values of all types, and parts of documents at places that they do not belong to. */
const VALUES: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1.5, 1e21, "", "text", "#", "date-time", [], {}, [[]], [{}], [
    null,
  ]],
  ...[{ a: {} }, { "": {} }, { type: ["object", {}] }, { $ref: 1 }, ["a", "a"], { get: {} }],
];

const changes: readonly ((draw: Draw) => void)[] = [
  /** Removes a value. */
  (draw) => {
    const { parent, key } = draw.place();
    if (Array.isArray(parent)) parent.splice(Number(key), 1);
    else delete parent[key];
  },
  /** Replaces a value by one of another kind. */
  (draw) => {
    const { parent, key } = draw.place();
    put(parent, key, structuredClone(draw.of(VALUES)));
  },
  /** Repeats a value, under a similar name. */
  (draw) => {
    const { parent, key } = draw.place();
    const copy = structuredClone(parent[key]);
    if (Array.isArray(parent)) parent.push(copy);
    else put(parent, oddName(draw, key), copy);
  },
  /** Renames a key. */
  (draw) => {
    const place = draw.place();
    rename(place, oddName(draw, place.key));
  },
  /** Renames what a text names, such as a tag. */
  (draw) => {
    const { parent, key } = draw.place((value) => typeof value === "string");
    put(parent, key, oddName(draw, String(parent[key])));
  },
  /** Swaps two values. */
  (draw) => {
    const [one, other] = [draw.place(), draw.place()];
    const [left, right] = [one.parent[one.key], other.parent[other.key]].map((each) =>
      structuredClone(each)
    );
    put(one.parent, one.key, right);
    put(other.parent, other.key, left);
  },
  /** Writes a value to another place. */
  (draw) => {
    const { parent, key } = draw.place();
    put(parent, key, draw.value());
  },
  /** Lets a reference name something else. */
  (draw) => {
    const { parent, key } = draw.place((value) => isObject(value) && "$ref" in value);
    put(parent, key, draw.reference());
  },
  /** Replaces an object by a reference, mostly to a schema, and sometimes to what is around it. */
  (draw) => {
    const { parent, key, pointer } = draw.place(isObject);
    const around = pointer.split("/").slice(0, -1 - draw.below(4)).join("/");
    put(parent, key, draw.below(2) === 0 ? draw.reference() : { $ref: around });
  },
  /** Writes a keyword into any object. */
  (draw) => {
    const { parent, key } = draw.place(isObject);
    const object = parent[key];
    if (!isObject(object)) return;
    const [name, ...values] = draw.of(KEYWORDS);
    const value = draw.of(values);
    put(object, name, typeof value === "function" ? value(draw) : structuredClone(value));
  },
];

/** The changes, with those more often that find most. */
const CHANGES = [...changes, ...changes.slice(-3), ...changes.slice(-1), ...changes.slice(-1)];

type Keyword = readonly [name: string, ...values: (object | string | number | boolean | null)[]];

const reference = (draw: Draw) => draw.reference();
const references = (draw: Draw) => [draw.reference(), draw.reference()];
const content = (draw: Draw) => ({
  [draw.of(["application/json", "text/event-stream", "multipart/form-data", "application/xml"])]: {
    schema: draw.reference(),
  },
});

/** Keywords with values, which are also right at some places. */
const KEYWORDS: readonly Keyword[] = [
  ["nullable", true],
  ["readOnly", true],
  ["writeOnly", true],
  ["deprecated", true],
  ["required", true, ["name", "id"], ["toString", "__proto__"], []],
  [
    ...["type", "string", "integer", "array", "object", "null", "file"] as const,
    ...[["string", "null"], ["object", "array"], []],
  ],
  ["format", "date-time", "date", "int64", "binary", "byte"],
  ["enum", ["a", 1, null], [true, false], [{}], []],
  ["const", "x", 1, null, { a: [1] }],
  ["default", {}, "x", null],
  ["allOf", references, [{}], [{ required: ["name"] }]],
  [
    "oneOf",
    references,
    (draw: Draw) => [draw.reference(), { type: "string", format: "date-time" }],
  ],
  ["anyOf", references, [{ type: "null" }, { type: "integer", format: "int64" }, {
    type: "number",
  }]],
  [
    "discriminator",
    { propertyName: "name" },
    "type",
    (draw: Draw) => ({ propertyName: "type", mapping: { a: draw.reference().$ref, b: "Pet" } }),
  ],
  ["additionalProperties", false, true, reference, { type: "string", format: "date-time" }],
  ["patternProperties", (draw: Draw) => ({ "^a": draw.reference() })],
  ["properties", (draw: Draw) => ({ name: draw.reference() }), { toString: { type: "string" } }],
  ["items", reference, references, false, {}],
  ["prefixItems", references],
  ["not", {}, true],
  ["maxItems", 1],
  ["$dynamicRef", "#node", "#item"],
  ["$dynamicAnchor", "node", "item"],
  ["$anchor", "node"],
  ["$id", "https://example.com/a"],
  ["$ref", (draw: Draw) => draw.reference().$ref],
  ["$defs", (draw: Draw) => ({ item: { $dynamicAnchor: "item", ...draw.reference() } })],
  ["xml", { name: "a", attribute: true }, { wrapped: true, namespace: "urn:a", prefix: "a" }],
  ["example", {}, "x"],
  ["examples", { a: { value: 1 } }, [1]],
  ["in", "query", "path", "header", "cookie", "querystring", "body", "formData"],
  ["name", "then", "constructor", "Content-Length", "a[]"],
  ["style", "form", "simple", "deepObject", "matrix", "label", "spaceDelimited", "pipeDelimited"],
  ["explode", true, false],
  ["allowReserved", true],
  ["schema", reference],
  ["content", content],
  ["requestBody", (draw: Draw) => ({ content: content(draw) }), reference],
  ["responses", (draw: Draw) => ({ 200: { description: "", content: content(draw) } })],
  ["parameters", (draw: Draw) => [{ name: "id", in: "query", schema: draw.reference() }]],
  ["security", [{}], [{ missing: [] }], []],
  ["servers", [{ url: "/" }], [{ url: "{a}" }], []],
  ["tags", ["__proto__"], ["client"], []],
  ["operationId", "list", "constructor", "get"],
  ["encoding", { name: { contentType: "application/json" } }],
  ["headers", (draw: Draw) => ({ Link: { schema: draw.reference() } })],
  ["itemSchema", reference],
  ["additionalOperations", { COPY: {} }],
  ["callbacks", { a: { "{$url}": { post: {} } } }],
  ["contentMediaType", "image/png", "application/json"],
  ["contentEncoding", "base64"],
  ["x-extensible-enum", ["a"]],
  ["consumes", ["multipart/form-data"]],
  ["produces", ["application/xml"]],
  ["collectionFormat", "multi", "pipes"],
];
