import { isPlain } from "../checks.ts";
import { quotedText } from "../errors/message_text.ts";
import { describedAs, UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import type { Field, FieldMap } from "./field.ts";
import type { ModelClass, UnknownPolicy } from "./model_class.ts";
import { memoize } from "./memoize.ts";
import { listOf, type Shape } from "./value_type.ts";

/** One field, with all that follows from its declaration but for XML. */
export interface PlanField {
  /** The name of the property. */
  readonly name: string;
  /** What errors call it. */
  readonly at: string;
  /** Its name in JSON. */
  readonly json: string;
  /** Whether objects have that name without being given it. */
  readonly isInherited: boolean;
  /** The shape of all of its value: an array where elements repeat. */
  readonly shape: Shape;
  readonly isOptional: boolean;
  /** Makes the value where it is absent; undefined where it cannot be. */
  readonly fallback: (() => unknown) | undefined;
  /** As it was declared. */
  readonly field: Field<unknown>;
}

/** A model, with all that follows from its declaration but for XML. */
export interface Plan {
  readonly model: ModelClass<object>;
  readonly fields: readonly PlanField[];
  readonly unknown: UnknownPolicy;
  /** The names in JSON. */
  readonly jsonNames: ReadonlySet<string>;
}

/**
 * The plan of a model, made once.
 *
 * @throws {UnexpectedValueError} Where its declaration is not what was expected
 */
export const planOf: (model: ModelClass<object>) => Plan = /* @__PURE__ */ memoize(made);

/** Names that a field cannot have: the class has them. */
const reserved: readonly string[] = ["constructor", "__proto__", "toJson", "toJSON"];

function made(model: ModelClass<object>): Plan {
  const { unknown } = model;
  if (unknown !== "ignore" && unknown !== "refuse" && unknown !== "keep") {
    throw new UnexpectedValueError(
      `${model.name}.unknown`,
      '"ignore", "refuse" or "keep"',
      unknown,
    );
  }
  const jsonNames = new Set<string>();
  const fields = Object.entries(model.fields as FieldMap).map(([name, field]): PlanField => {
    const at = `${model.name}.fields.${name}`;
    if (reserved.includes(name)) {
      throw new UnexpectedValueError(
        at,
        "renamed, because every model has a member of this name",
        describedAs(`called "${name}"`),
      );
    }
    if (typeof field?.options !== "object" || typeof field.shape !== "object") {
      throw new UnexpectedValueError(at, "created with attr, element, elements or text", field);
    }
    const isList = field.place === "elements";
    const { json = name, optional, default: value = isList ? [] : undefined } = field.options;
    if (jsonNames.has(json)) {
      throw new UnexpectedValueError(
        `${at}.json`,
        "a name that no other field has",
        describedAs(quotedText(json)),
      );
    }
    jsonNames.add(json);
    const fallback = typeof value === "function" ? value as () => unknown : () => copyOf(value);
    return {
      name,
      at,
      json,
      isInherited: json in Object.prototype,
      shape: isList ? listOf(field.shape) : field.shape,
      isOptional: optional === true,
      fallback: value === undefined ? undefined : fallback,
      field,
    };
  });
  return { model, fields, unknown, jsonNames };
}

/** An array or a plain object that no other instance has, be it in others; all else as it is. */
function copyOf(value: unknown): unknown {
  if (!isPlain(value)) return value;
  if (Array.isArray(value)) return value.map(copyOf);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, copyOf(each)]));
}
