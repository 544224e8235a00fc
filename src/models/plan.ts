import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import type { FieldMap, FieldPlace } from "./field.ts";
import type { ModelClass, UnknownPolicy } from "./model_class.ts";
import { expectedOf, type Shape, unwrapped } from "./value_type.ts";
import { isXmlName } from "./xml_name.ts";

/** One field, with all that follows from its declaration. */
export interface PlanField {
  /** The name of the property. */
  readonly name: string;
  readonly place: FieldPlace;
  /** Its shape, without `nullable` around it. */
  readonly shape: Exclude<Shape, { readonly kind: "nullable" }>;
  readonly isNullable: boolean;
  readonly isOptional: boolean;
  /** Makes the value where it is absent; undefined where it cannot be. */
  readonly fallback: (() => unknown) | undefined;
  /** What is expected, for messages. */
  readonly expected: string;
  /** Its name in JSON. */
  readonly json: string;
  /** Whether objects have that name without being given it. */
  readonly isInherited: boolean;
  readonly tag: string | undefined;
  readonly namespace: string | undefined;
  readonly within: readonly string[];
  /** Its place in the order of declaration. */
  readonly index: number;
}

/** A model, with all that follows from its declaration. */
export interface Plan {
  readonly model: ModelClass<object>;
  readonly fields: readonly PlanField[];
  readonly unknown: UnknownPolicy;
  /** The names in JSON. */
  readonly jsonNames: ReadonlySet<string>;
}

const plans = new WeakMap<object, Plan>();

/**
 * The plan of a model, made once.
 *
 * @throws {UnexpectedValueError} Where its declaration is not what was expected
 */
export function planOf(model: ModelClass<object>): Plan {
  let plan = plans.get(model);
  if (plan === undefined) plans.set(model, plan = made(model));
  return plan;
}

/** Names that a field cannot have: the class has them. */
const reserved: ReadonlySet<string> = new Set([
  "constructor",
  "__proto__",
  "toJson",
  "toXml",
  "toJSON",
]);

function made(model: ModelClass<object>): Plan {
  const { unknown, order } = model;
  const option = (name: string) => `${model.name}.${name}`;
  if (!isXmlName(model.tag)) {
    throw new UnexpectedValueError(option("tag"), "a name that XML allows", model.tag);
  }
  if (unknown !== "ignore" && unknown !== "refuse" && unknown !== "keep") {
    throw new UnexpectedValueError(option("unknown"), '"ignore", "refuse" or "keep"', unknown);
  }
  if (order !== "any" && order !== "strict") {
    throw new UnexpectedValueError(option("order"), '"any" or "strict"', order);
  }
  const fields = Object.entries(model.fields as FieldMap).map(([name, field], index): PlanField => {
    const at = option(`fields.${name}`);
    if (reserved.has(name)) {
      throw new UnexpectedValueError(at, "another name: models have this one");
    }
    if (typeof field?.options !== "object" || typeof field.shape !== "object") {
      throw new UnexpectedValueError(at, "made by attr, element, elements or text", field);
    }
    const { place, shape: given, options } = field;
    const { json = name, tag, within, namespace, optional } = options;
    if (tag !== undefined && !isXmlName(tag)) {
      throw new UnexpectedValueError(`${at}.tag`, "a name that XML allows", tag);
    }
    const steps = within === undefined ? [] : within.split("/");
    if (!steps.every(isXmlName)) {
      throw new UnexpectedValueError(
        `${at}.within`,
        'names with slashes between, as "a/b"',
        within,
      );
    }
    const isNullable = given.kind === "nullable";
    const shape = unwrapped(given);
    return {
      name,
      place,
      shape,
      isNullable,
      isOptional: optional === true,
      fallback: fallbackOf(place, options),
      get expected() {
        return expectedOf(given);
      },
      json,
      isInherited: json in Object.prototype,
      tag,
      namespace,
      within: steps,
      index,
    };
  });
  const jsonNames = new Set<string>();
  for (const { name, json } of fields) {
    if (jsonNames.has(json)) {
      throw new UnexpectedValueError(option(`fields.${name}.json`), `not "${json}" a second time`);
    }
    jsonNames.add(json);
  }
  return { model, fields, unknown, jsonNames };
}

function fallbackOf(
  place: FieldPlace,
  options: { readonly default?: unknown },
): (() => unknown) | undefined {
  if (place === "elements") return () => [];
  if (!("default" in options)) return undefined;
  const value = options.default;
  return typeof value === "function" ? value as () => unknown : () => value;
}
