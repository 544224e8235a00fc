/** Prepares the declaration of a model once for reading and writing JSON, and checks it. */
import { checkedLimit, isPlain } from "../base/checks.ts";
import { quotedText } from "../errors/message_text.ts";
import { describedAs, UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import type { Field, FieldMap } from "./field.ts";
import type { ModelClass, UnknownPolicy } from "./model_class.ts";
import { renamer } from "./rename.ts";
import { listOf, modelsIn, type Shape, shapeOf, withoutNullable } from "./value_type.ts";

/** A field, with everything that follows from its declaration for JSON. */
export interface PlanField {
  /** The name of the property. */
  readonly name: string;
  /** The name of the field in errors about the declaration. */
  readonly at: string;
  /** The name in JSON. */
  readonly json: string;
  /** The name in XML, if the value has no tag of its own. */
  readonly xmlName: string;
  /** True if every object inherits a member of the JSON name. */
  readonly isInherited: boolean;
  /** The shape of the whole value: an array if the element repeats. */
  readonly shape: Shape;
  readonly isOptional: boolean;
  /** Creates the value of an absent field; undefined if the field has no default. */
  readonly fallback: (() => unknown) | undefined;
  /** True if an empty text counts as absent. */
  readonly emptyAsAbsent: boolean;
  /** The declaration. */
  readonly field: Field<unknown>;
}

/** A model, with everything that follows from its declaration for JSON. */
export interface Plan {
  readonly model: ModelClass<object>;
  readonly fields: readonly PlanField[];
  /** The fields that are a member of the object in JSON: all but `rest`. */
  readonly members: readonly PlanField[];
  /** The field of all other members. */
  readonly rest: PlanField | undefined;
  readonly unknown: UnknownPolicy;
  /** The names in JSON. */
  readonly jsonNames: ReadonlySet<string>;
}

/**
 * Returns the plan of a model. It is built once.
 *
 * @throws {UnexpectedValueError} If the declaration is invalid
 */
export const planOf: (model: ModelClass<object>) => Plan = /* @__PURE__ */ memoize(createPlan);

/** Names that a field cannot have, because every model has such members. */
const reserved: readonly string[] = ["constructor", "__proto__", "toJsonString", "toJSON"];

function createPlan(model: ModelClass<object>): Plan {
  const { unknown, maxDepth, check, name: modelName } = model;
  if (unknown !== "ignore" && unknown !== "refuse" && unknown !== "keep") {
    throw new UnexpectedValueError(`${modelName}.unknown`, '"ignore", "refuse" or "keep"', unknown);
  }
  if (check !== undefined && typeof check !== "function") {
    throw new UnexpectedValueError(`${modelName}.check`, "a function", check);
  }
  const rename = renamer(`${modelName}.rename`, model.rename);
  const jsonNames = new Set<string>();
  const fields = Object.entries(model.fields as FieldMap).map(([name, field]) => {
    const planned = planField(`${modelName}.fields.${name}`, name, field, rename);
    if (field.place === "rest") return planned;
    if (jsonNames.has(planned.json)) {
      throw new UnexpectedValueError(
        `${planned.at}.json`,
        "a name that no other field has",
        describedAs(quotedText(planned.json)),
      );
    }
    jsonNames.add(planned.json);
    return planned;
  });
  checkedLimit(`${modelName}.maxDepth`, maxDepth);
  const [rest, second] = fields.filter(({ field }) => field.place === "rest");
  if (second !== undefined) {
    const expected = "the only field that is created with rest()";
    throw new UnexpectedValueError(second.at, expected, describedAs("the second one"));
  }
  if (rest !== undefined && unknown === "keep") {
    const expected = `"ignore" or "refuse" beside ${rest.name}, because rest() keeps other members`;
    throw new UnexpectedValueError(`${modelName}.unknown`, expected, unknown);
  }
  const members = rest === undefined ? fields : fields.filter((field) => field !== rest);
  return { model, fields, members, rest, unknown, jsonNames };
}

function planField(
  at: string,
  name: string,
  field: Field<unknown>,
  rename: (property: string) => string,
): PlanField {
  if (reserved.includes(name)) {
    throw new UnexpectedValueError(
      at,
      "renamed, because every model has a member of this name",
      describedAs(`called "${name}"`),
    );
  }
  if (typeof field?.options !== "object" || typeof field.shape !== "object") {
    throw new UnexpectedValueError(
      at,
      "created with attr, element, elements, text or rest, as in element(string)",
      field,
    );
  }
  const isList = field.place === "elements";
  const { options } = field;
  const empty = isList ? [] : field.place === "rest" ? {} : undefined;
  const { optional, emptyAsAbsent = false, default: value = empty } = options;
  const isOptional = optional === true;
  if (emptyAsAbsent && (isList || !isOptional && value === undefined)) {
    const expected = "combined with optional or default, on a field that does not repeat";
    throw new UnexpectedValueError(`${at}.emptyAsAbsent`, expected, emptyAsAbsent);
  }
  const { kind } = withoutNullable(field.shape);
  if (emptyAsAbsent && kind !== "scalar" && kind !== "list") {
    const expected = "left out, because the value is not a text in XML";
    throw new UnexpectedValueError(`${at}.emptyAsAbsent`, expected, emptyAsAbsent);
  }
  const json = options.json ?? options.name ?? rename(name);
  if (typeof json !== "string") throw new UnexpectedValueError(`${at}.json`, "a string", json);
  return {
    name,
    at,
    json,
    xmlName: options.tag ?? options.name ?? rename(name),
    isInherited: json in Object.prototype,
    shape: isList ? listOf(field.shape) : field.shape,
    isOptional,
    fallback: value === undefined
      ? undefined
      : typeof value === "function"
      ? value as () => unknown
      : () => copyOf(value),
    emptyAsAbsent,
    field,
  };
}

/** Copies arrays and plain objects at any depth. Returns other values as they are. */
function copyOf(value: unknown): unknown {
  if (!isPlain(value)) return value;
  if (Array.isArray(value)) return value.map(copyOf);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, copyOf(each)]));
}

/** Returns a model, and all models of instances that can be in it. */
export const modelsWithin: (root: ModelClass<object>) => ReadonlySet<ModelClass<object>> =
  /* @__PURE__ */ memoize((root: ModelClass<object>) => {
    const found = new Set([root]);
    // Models that are added are visited, too.
    for (const model of found) {
      for (const { field } of planOf(model).fields) {
        for (const inner of modelsIn(field.shape)) found.add(inner);
      }
    }
    return found;
  });

/** Reports if numbers must be parsed without losing digits, because a model keeps unknown content. */
const keepsUnknown: (root: ModelClass<object>) => { readonly any: boolean } =
  /* @__PURE__ */ memoize((root: ModelClass<object>) => ({
    any: [...modelsWithin(root)].some(({ unknown }) => unknown === "keep"),
  }));

/** The default of `maxDepth`. */
export const MAX_DEPTH = 500;

/** The rules for a whole document. */
export interface DocumentRules {
  /** The name of the model, for errors. */
  readonly name: string;
  /** The shape of the document. */
  readonly shape: Shape;
  /** The default for the maximum depth. */
  readonly maxDepth: number;
  /** True if numbers must be parsed without losing digits. */
  readonly isExact: boolean;
}

/** Returns the rules for a document that is an instance of a model. They are built once. */
export const rulesOf: (model: ModelClass<object>) => DocumentRules = /* @__PURE__ */ memoize(
  (model: ModelClass<object>) => documentRules(model.name, shapeOf(model)),
);

/** Returns the rules for a document of any shape. */
export function documentRules(name: string, shape: Shape): DocumentRules {
  const models = modelsIn(shape);
  return {
    name,
    shape,
    maxDepth: models.length === 0
      ? MAX_DEPTH
      : Math.max(...models.map(({ maxDepth }) => maxDepth ?? Infinity)),
    isExact: models.some((model) => keepsUnknown(model).any),
  };
}

/**
 * Returns a function that computes a value once per key.
 *
 * @param create Computes the value
 * @param known The computed values; by default they are collected together with their keys
 */
export function memoize<K, V extends object>(
  create: (key: K) => V,
  known: { get(key: K): V | undefined; set(key: K, value: V): unknown } = new WeakMap<
    K & object,
    V
  >(),
): (key: K) => V {
  return (key) => {
    let value = known.get(key);
    if (value === undefined) known.set(key, value = create(key));
    return value;
  };
}
