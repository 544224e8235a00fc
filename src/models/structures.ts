import { type MutableRecord, setOwn } from "./instance.ts";
import {
  isObject,
  type JsonWay,
  listOf,
  shapeOf,
  type TypeInput,
  type ValueType,
} from "./value_type.ts";

/**
 * A value or null: null in JSON, `xsi:nil="true"` in XML. An attribute that is null is not there.
 *
 * @example
 * ```ts
 * import { element, model, nullable, string } from "@restwright/restwright/models";
 *
 * class User extends model("user", { nick: element(nullable(string)) }) {}
 * console.log(User.fromJson({ nick: null }).nick); // null
 * ```
 */
export function nullable<T>(type: TypeInput<T>): ValueType<T | null> {
  const inner = shapeOf(type);
  return {
    shape: {
      kind: "nullable",
      inner,
      get expected() {
        return `${inner.expected} or null`;
      },
      fromJson: (json, walk) => json === null ? null : inner.fromJson(json, walk),
      toJson: (value, walk) => value === null ? null : inner.toJson(value, walk),
    },
  };
}

/**
 * An array: in JSON an array, in XML one text with blanks between the values (`xs:list`), so that it
 * is for scalars there. Elements that repeat are `elements`.
 *
 * @example
 * ```ts
 * import { attr, list, model, number } from "@restwright/restwright/models";
 *
 * class Box extends model("box", { corners: attr(list(number)) }) {}
 * console.log((await Box.fromXml('<box corners="1 2 3 4"/>')).corners.length); // 4
 * ```
 */
export function list<T>(type: TypeInput<T>): ValueType<T[]> {
  return { shape: listOf(shapeOf(type)) };
}

/**
 * Values under any names: in JSON an object, in XML an element whose children have any names.
 *
 * @example
 * ```ts
 * import { element, model, record, string } from "@restwright/restwright/models";
 *
 * class Project extends model("project", { properties: element(record(string)) }) {}
 * const xml = "<project><properties><a.b>1</a.b></properties></project>";
 * console.log((await Project.fromXml(xml)).properties["a.b"]); // 1
 * ```
 */
export function record<T>(type: TypeInput<T>): ValueType<Record<string, T>> {
  const inner = shapeOf(type);
  const json: JsonWay = (given, walk) => {
    if (!isObject(given)) return undefined;
    const values: MutableRecord = {};
    for (const [name, value] of Object.entries(given)) {
      setOwn(values, name, walk.within(name, inner, value));
    }
    return values;
  };
  return { shape: { kind: "record", inner, expected: "an object", fromJson: json, toJson: json } };
}
