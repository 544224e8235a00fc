/**
 * The one walk through all values of a file after parsing: it applies the limits, collects what
 * references need, and brings the keywords of older schemas into the form of OpenAPI 3.1.
 */
import { MAX_DEPTH, MAX_REFERENCES, MAX_REPEATED } from "./limits.ts";
import { pointerOf } from "./pointers.ts";

/** A limit that a document exceeds at a place. */
export interface Excess {
  readonly pointer: string;
  readonly message: string;
}

/** The references, anchors and faults of a file. */
export interface Findings {
  /** The references to other files, without duplicates, in the order of the text. */
  readonly references: Set<string>;
  /** The pointers of `$anchor` and `$dynamicAnchor`. */
  readonly anchors: Map<string, string>;
  /** The names of all `$dynamicAnchor`s. */
  readonly dynamicAnchors: string[];
  /** The pointers of the schemas with `$id`. */
  readonly ids: Map<string, string>;
  readonly excesses: Excess[];
}

/** The state that the walks through all files of a document share. */
export interface Budget {
  /** True if the document is of Swagger 2.0. */
  readonly isSwagger: boolean;
  references: number;
  repeated: number;
}

/** The place of a `$dynamicAnchor` that several schemas have. */
export const SEVERAL = "several";

type Values = Record<string, unknown>;

/**
 * Walks through a value, and changes it in place.
 *
 * @param root The parsed value
 * @param isShared True if an object occurs in it more than once
 * @param budget The version, and what other files have used of the limits
 */
export function prepare(root: unknown, isShared: boolean, budget: Budget): Findings {
  const walk = new Walk(isShared, budget);
  walk.visit(root, 0);
  return walk;
}

class Walk implements Findings {
  readonly references: Set<string> = new Set();
  readonly anchors: Map<string, string> = new Map();
  readonly dynamicAnchors: string[] = [];
  readonly ids: Map<string, string> = new Map();
  readonly excesses: Excess[] = [];
  readonly #path: string[] = [];
  readonly #budget: Budget;
  /** The number of values inside of each object that may occur again. */
  readonly #sizes: Map<object, number> | undefined;

  constructor(isShared: boolean, budget: Budget) {
    this.#sizes = isShared ? new Map() : undefined;
    this.#budget = budget;
  }

  /** Visits a value, and returns the number of values in it. */
  visit(value: unknown, depth: number): number {
    if (typeof value !== "object" || value === null) return 1;
    const isList = Array.isArray(value);
    // A key such as `__proto__` is just a key then.
    if (!isList) Object.setPrototypeOf(value, null);
    const object = value as Values;
    let size = 1;
    for (const key of Object.keys(object)) {
      const child = object[key];
      if (typeof child === "object" && child !== null) {
        this.#path.push(key);
        size += this.#visitChild(object, key, child, depth + 1);
        this.#path.pop();
      } else {
        size++;
        if (typeof child === "string" && key.charCodeAt(0) === DOLLAR) {
          this.#note(object, key, child);
        }
      }
    }
    if (!isList) upgradeSchema(object, this.#budget.isSwagger);
    this.#sizes?.set(object, size);
    return size;
  }

  #visitChild(parent: Values, key: string, child: object, depth: number): number {
    const known = this.#sizes?.get(child);
    if (known !== undefined) {
      this.#budget.repeated += known;
      if (this.#budget.repeated <= MAX_REPEATED) return known;
      return this.#cut(parent, key, `aliases repeat more than ${MAX_REPEATED} values`);
    }
    if (depth > MAX_DEPTH) return this.#cut(parent, key, `it is nested deeper than ${MAX_DEPTH}`);
    const size = this.visit(child, depth);
    if (key === "mapping") this.#noteMapping(child as Values);
    return size;
  }

  /** Replaces a value by an empty one, which is a schema for anything. */
  #cut(parent: Values, key: string, message: string): number {
    parent[key] = Object.create(null);
    this.excesses.push({ pointer: pointerOf(this.#path), message });
    return 1;
  }

  #note(object: Values, key: string, text: string): void {
    switch (key) {
      case "$ref":
        if (++this.#budget.references > MAX_REFERENCES) {
          delete object[key];
          if (this.#budget.references === MAX_REFERENCES + 1) {
            const pointer = pointerOf([...this.#path, key]);
            this.excesses.push({
              pointer,
              message: `this and all following are more than ${MAX_REFERENCES} references`,
            });
          }
        } else if (!text.startsWith("#")) this.references.add(text);
        break;
      case "$anchor":
      case "$dynamicAnchor":
        if (key === "$dynamicAnchor") this.dynamicAnchors.push(text);
        // The meaning of a $dynamicRef then depends on the schema through which it is reached.
        this.anchors.set(
          text,
          key === "$dynamicAnchor" && this.anchors.has(text) ? SEVERAL : pointerOf(this.#path),
        );
        break;
      case "$id":
      case "$self":
        this.ids.set(text.replace(/#$/, ""), pointerOf(this.#path));
    }
  }

  /** Notes the files that a discriminator names. A name without a dot or slash is a component's. */
  #noteMapping(mapping: Values): void {
    for (const target of Object.values(mapping)) {
      if (typeof target === "string" && !target.startsWith("#") && /[./]/.test(target)) {
        this.references.add(target);
      }
    }
  }
}

const DOLLAR = "$".charCodeAt(0);

/**
 * Writes `nullable`, and the discriminator and file type of Swagger 2.0, as OpenAPI 3.1 does.
 *
 * An object that only looks like a schema is an example, which is only shown in comments.
 */
function upgradeSchema(schema: Values, isSwagger: boolean): void {
  if (schema["nullable"] === true || (isSwagger && schema["x-nullable"] === true)) {
    makeNullable(schema);
  }
  if (!isSwagger) return;
  if (schema["type"] === "file") {
    schema["type"] = "string";
    schema["format"] = "binary";
  }
  if (typeof schema["discriminator"] === "string" && isSchema(schema)) {
    schema["discriminator"] = plainObject({ propertyName: schema["discriminator"] });
  }
}

function makeNullable(schema: Values): void {
  const { type, $ref } = schema;
  if (typeof type === "string" || Array.isArray(type)) {
    delete schema["nullable"];
    const types = [type].flat();
    schema["type"] = types.includes("null") ? types : [...types, "null"];
    const { enum: values } = schema;
    if (Array.isArray(values) && !values.includes(null)) schema["enum"] = [...values, null];
    return;
  }
  if (typeof $ref !== "string" && !UNIONS.some((key) => Array.isArray(schema[key]))) return;
  delete schema["nullable"];
  delete schema["x-nullable"];
  const inner = plainObject({});
  // The annotations stay outside, so that comments are found where they were.
  for (const key of ["$ref", "discriminator", ...UNIONS]) {
    if (schema[key] === undefined) continue;
    inner[key] = schema[key];
    delete schema[key];
  }
  schema["anyOf"] = [inner, plainObject({ type: "null" })];
}

const UNIONS: readonly string[] = ["allOf", "anyOf", "oneOf"];

/** Reports if an object with a property `discriminator` is a schema, and no map of properties. */
function isSchema(object: Values): boolean {
  return ["type", "properties", "allOf", "required"].some((key) => object[key] !== undefined);
}

function plainObject(values: Values): Values {
  return Object.assign(Object.create(null), values);
}
