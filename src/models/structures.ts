/** The types of values with others inside: nullable ones, lists, records, and any JSON value. */
import { isPlain } from "../base/checks.ts";
import { type MutableRecord, setOwn } from "./instance.ts";
import { rawNumber } from "./issues.ts";
import {
  isObject,
  type JsonConversion,
  type JsonWalk,
  listOf,
  shapeOf,
  type TypeInput,
  type ValueType,
} from "./value_type.ts";

/**
 * Returns a type for a value or null: null in JSON, `xsi:nil="true"` in XML. If an attribute or a
 * text is null, it is left out in XML.
 *
 * @example
 * ```ts
 * import { element, model, nullable, string } from "@restwright/restwright/models";
 *
 * class User extends model("user", { nick: element(nullable(string)) }) {}
 * console.log(User.fromJson({ nick: null }).nick); // null
 * ```
 *
 * @category Value types
 */
export function nullable<T>(type: TypeInput<T>): ValueType<T | null> {
  const inner = shapeOf(type);
  const { check } = inner;
  return {
    shape: {
      kind: "nullable",
      inner,
      get expected() {
        return `${inner.expected} or null`;
      },
      fromJson: (json, walk) => json === null ? null : inner.fromJson(json, walk),
      toJson: (value, walk) => value === null ? null : inner.toJson(value, walk),
      check: check && ((value) => value === null ? undefined : check(value)),
    },
  };
}

/**
 * Returns a type for an array: an array in JSON; in XML one text with spaces between the values
 * (`xs:list`), so that only scalars are possible there. For elements that repeat, use `elements`.
 *
 * @example
 * ```ts
 * import { attr, list, model, number } from "@restwright/restwright/models";
 *
 * class Box extends model("box", { corners: attr(list(number)) }) {}
 * console.log((await Box.fromXml('<box corners="1 2 3 4"/>')).corners.length); // 4
 * ```
 *
 * @category Value types
 */
export function list<T>(type: TypeInput<T>): ValueType<T[]> {
  return { shape: listOf(shapeOf(type)) };
}

/**
 * Returns a type for values under any names: an object in JSON, an element whose children have any
 * names in XML.
 *
 * @example
 * ```ts
 * import { element, model, record, string } from "@restwright/restwright/models";
 *
 * class Project extends model("project", { properties: element(record(string)) }) {}
 * const xml = "<project><properties><a.b>1</a.b></properties></project>";
 * console.log((await Project.fromXml(xml)).properties["a.b"]); // 1
 * ```
 *
 * @category Value types
 */
export function record<T>(type: TypeInput<T>): ValueType<Record<string, T>> {
  const inner = shapeOf(type);
  const convert: JsonConversion = (given, walk) => {
    if (!isObject(given)) return undefined;
    const members: MutableRecord = {};
    for (const [name, value] of Object.entries(given)) {
      setOwn(members, name, walk.member(name, inner, value));
    }
    return members;
  };
  return {
    shape: { kind: "record", inner, expected: "an object", fromJson: convert, toJson: convert },
  };
}

/**
 * Any value that JSON has.
 *
 * @category Value types
 */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | JsonValue[]
  | { [name: string]: JsonValue };

/**
 * Any JSON value, null included. It is copied when it is read and when it is written. Objects must be
 * plain ones; their members that are undefined are left out.
 *
 * XML has no form for it: a model with such a field is only for JSON.
 *
 * @example
 * ```ts
 * import { element, json, model, string } from "@restwright/restwright/models";
 *
 * class Event extends model("event", { type: element(string), data: element(json) }) {}
 * const event = Event.fromJson({ type: "paid", data: { amounts: [5, null] } });
 * console.log(JSON.stringify(event.data)); // {"amounts":[5,null]}
 * ```
 *
 * @category Value types
 */
export const json: ValueType<JsonValue> = {
  shape: {
    kind: "json",
    types: [],
    expected: "a JSON value",
    fromJson: convertAny,
    toJson: convertAny,
  },
};

function convertAny(given: unknown, walk: JsonWalk): unknown {
  // A raw number stays one when it is written. The reader has already converted it.
  if (isLeaf(given) || rawNumber(given) !== undefined) return given;
  if (!isPlain(given)) return undefined;
  // The path is only tracked for nested values, which is faster.
  const convert = (key: string | number, value: unknown) =>
    isLeaf(value) ? value : walk.member(key, json.shape, value);
  // `map` would skip the holes of a sparse array.
  if (Array.isArray(given)) return Array.from(given, (value, index) => convert(index, value));
  const members: MutableRecord = {};
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined) setOwn(members, name, convert(name, value));
  }
  return members;
}

/** Reports if a value is a JSON value with nothing inside. */
function isLeaf(value: unknown): boolean {
  return value === null || typeof value === "string" || typeof value === "boolean" ||
    Number.isFinite(value);
}
