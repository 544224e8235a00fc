/** The types `anyOf` and `openEnum`: a value of the first of several types that accepts it. */
import { isPlain } from "../base/checks.ts";
import { quotedText } from "../errors/message_text.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { hasPlainInstances, isInstance, modelFor } from "./instance.ts";
import { rawNumber } from "./issues.ts";
import { isModelInstance, type ModelClass } from "./model_class.ts";
import { planOf } from "./plan.ts";
import { type LiteralValue, oneOf, string } from "./scalars.ts";
import {
  isObject,
  type JsonShape,
  type JsonWalk,
  type ModelShape,
  modelsOf,
  type RecordShape,
  type ScalarShape,
  type Shape,
  shapeOf,
  type TypeInput,
  type UnionShape,
  type ValueType,
} from "./value_type.ts";

/**
 * The type of a value of one of several types.
 *
 * @internal
 */
export type AnyOfValue<M extends readonly TypeInput<unknown>[]> = {
  [K in keyof M]: M[K] extends ModelClass<infer T> ? T
    : M[K] extends () => ModelClass<infer T> ? T
    : M[K] extends ValueType<infer T> ? T
    : never;
}[number];

/**
 * A value of one of several types.
 *
 * In JSON it is read by the first type that accepts the value, constraints included. In XML it is
 * read by the first type that accepts the text, but types that accept any text, such as `string`,
 * are tried last.
 *
 * A scalar is refused when it is written if it would be read back as another value: in XML the string
 * `"5"` beside `integer`. Declare `string` after types whose values are strings in JSON, such as
 * `date`. Otherwise no JSON value reaches them.
 *
 * A type that is not scalar, such as a model, accepts an object or array by its members, without
 * looking deeper: the required ones are there, and each is of the right kind. If several types accept
 * an object, the one that declares the most of its members reads it. If only one type has objects, it
 * reads every object, so that issues have the path of the wrong member. An instance of a model is
 * written by its class. XML has no form for such a value.
 *
 * @example
 * ```ts
 * import { anyOf, attr, integer, model, string } from "@restwright/restwright/models";
 *
 * class Item extends model("item", { id: attr(anyOf(string, integer)) }) {}
 * console.log(typeof Item.fromJson({ id: 7 }).id); // number
 * console.log(typeof (await Item.fromXml('<item id="a7"/>')).id); // string
 * ```
 *
 * @example A model, or only its id
 * ```ts
 * import { anyOf, element, model, string } from "@restwright/restwright/models";
 *
 * class Customer extends model("customer", { id: element(string), name: element(string) }) {}
 * class Invoice extends model("invoice", { customer: element(anyOf(string, Customer)) }) {}
 *
 * const { customer } = Invoice.fromJson({ customer: { id: "c1", name: "Ada" } });
 * console.log(customer instanceof Customer ? customer.name : customer); // Ada
 * console.log(Invoice.fromJson({ customer: "c1" }).customer); // c1
 * ```
 *
 * @param types The types. Put `nullable` around the union, not into it
 * @throws {UnexpectedValueError} If a type is `nullable`
 *
 * @category Value types
 */
export function anyOf<
  const M extends readonly [TypeInput<unknown>, TypeInput<unknown>, ...TypeInput<unknown>[]],
>(...types: M): ValueType<AnyOfValue<M>> {
  const shapes = types.map(plainShape);
  const scalars = shapes.filter((shape) => shape.kind === "scalar");
  const others = shapes.filter((shape) => shape.kind !== "scalar");
  if (others.length === 0) return { shape: anyScalar(scalars) };
  // JSON never has the same value for a scalar and for a type that is none, except `json`.
  return { shape: anyShape(scalars.length === 0 ? others : [anyScalar(scalars), ...others]) };
}

/**
 * A string, of which some values are known. Editors suggest the known values; any other string is
 * accepted, too. Use it for a list of values to which a server may add.
 *
 * In XML, white space around a known value is removed, as for `oneOf`; any other string is read as
 * it is.
 *
 * @example
 * ```ts
 * import { element, model, openEnum } from "@restwright/restwright/models";
 *
 * class Order extends model("order", { state: element(openEnum("open", "paid")) }) {}
 * console.log(Order.fromJson({ state: "refunded" }).state); // refunded
 * ```
 *
 * @param known The known values
 * @throws {UnexpectedValueError} If a known value is given twice, or is not a string
 *
 * @category Value types
 */
export function openEnum<const T extends readonly [string, ...string[]]>(
  ...known: T
): ValueType<T[number] | (string & Record<never, never>)> {
  const closed = oneOf(...known as readonly string[] as [LiteralValue, ...LiteralValue[]]);
  const { shape } = anyOf(closed, string);
  return { shape: { ...shape, expected: `a string such as ${closed.shape.expected}` } };
}

function plainShape(type: TypeInput<unknown>, index: number): Shape {
  const shape = shapeOf(type, `types[${index}]`);
  if (shape.kind !== "nullable") return shape;
  const expected = "a type without nullable (for a value or null, put nullable around anyOf)";
  throw new UnexpectedValueError(`types[${index}]`, expected, type);
}

/** Returns the shape of a value of one of several scalar types. */
function anyScalar(shapes: readonly ScalarShape[]): ScalarShape {
  const inXml = [
    ...shapes.filter(({ takesAnyText }) => !takesAnyText),
    ...shapes.filter(({ takesAnyText }) => takesAnyText),
  ];
  const fromText = (text: string) => read(inXml, (shape) => shape.fromText(text));
  const fromJson = (json: unknown, walk: JsonWalk) =>
    read(shapes, (shape) => shape.fromJson(json, walk));
  return {
    kind: "scalar",
    expected: expectedOf(shapes),
    fromText: (text) => fromText(text)?.value,
    fromJson: (json, walk) => fromJson(json, walk)?.value,
    toText: (value) => write(inXml, value, (shape) => shape.toText(value), fromText),
    toJson: (value, walk) =>
      write(
        shapes,
        value,
        (shape) => shape.toJson(value, walk),
        (json) => fromJson(json, walk),
      ),
    get choices() {
      return shapes.every(({ choices }) => choices !== undefined)
        ? shapes.flatMap(({ choices }) => choices!)
        : undefined;
    },
    takesAnyText: shapes.some(({ takesAnyText }) => takesAnyText),
  };
}

/** Returns the shape of a value of one of several types, of which at most the first is scalar. */
function anyShape(shapes: readonly Shape[]): JsonShape {
  return {
    kind: "json",
    types: shapes,
    get expected() {
      return expectedOf(shapes);
    },
    fromJson: (json, walk) => {
      const shape = select(shapes, json, false);
      return shape && walk.value(shape, json);
    },
    toJson: (value, walk) => {
      const { constructor } = Object(value) as { constructor?: unknown };
      // An instance is also one of the models that its class derives from.
      const shape = shapes.find((each) => modelsOf(each).some((model) => model === constructor)) ??
        select(shapes, value, true);
      return shape && walk.value(shape, value);
    },
  };
}

function expectedOf(shapes: readonly Shape[]): string {
  return shapes.map(({ expected }) => expected).join(" or ");
}

/**
 * Returns the shape of a value. If only one shape has objects, or arrays, it is that one, so that its
 * issues are reported. Otherwise it is the one that the value fits. If there are several, it is the
 * one that declares the most of the members, or else the first.
 *
 * The choice does not depend on values deep inside. Otherwise nested values of several types would
 * take exponential time.
 */
function select(shapes: readonly Shape[], given: unknown, isWriting: boolean): Shape | undefined {
  if (isPlain(given)) {
    const [one, ...others] = shapes.filter((shape) =>
      shape.kind === "json" && shape.members === undefined && shape.places === undefined ||
      shape.kind !== "scalar" && isArrayShape(shape) === Array.isArray(given)
    );
    if (others.length === 0) return one;
  }
  const fitting = shapes.filter((shape) => fits(shape, given, isWriting, false));
  if (fitting.length > 1 && isObject(given)) {
    const counts = fitting.map((shape) => declaredCount(shape, given, isWriting));
    return fitting[counts.indexOf(Math.max(...counts))];
  }
  return fitting[0];
}

/** Returns the number of members of an object that a shape declares. */
function declaredCount(
  shape: Shape,
  given: Readonly<Record<string, unknown>>,
  isWriting: boolean,
): number {
  if (shape.kind === "json" && shape.members !== undefined) {
    return [...shape.members.keys()].filter((name) => Object.hasOwn(given, name)).length;
  }
  if (shape.kind !== "model" && shape.kind !== "union") return 0;
  const model = shape.kind === "model"
    ? shape.model()
    : isWriting
    ? modelFor(given, shape.models())!
    : shape.select(given)!;
  // In a union by tag, the tag is the only member.
  if (!isWriting && shape.kind === "union" && shape.by === undefined) return 1;
  const { members } = planOf(model);
  return members.filter(({ name, json }) => Object.hasOwn(given, isWriting ? name : json)).length;
}

/**
 * Reports if a value fits a shape: if it is of the right kind, and so are its members.
 *
 * @param shape The shape
 * @param value The value, or the JSON that is read
 * @param isWriting True for a value, false for JSON
 * @param isMember True to look at the value only, and not at its members
 */
function fits(shape: Shape, value: unknown, isWriting: boolean, isMember: boolean): boolean {
  const number = rawNumber(value);
  const given = number === undefined ? value : Number(number);
  const fitsAll = (inner: Shape, members: readonly unknown[]) =>
    isMember || members.every((each) => fits(inner, each, isWriting, true));
  switch (shape.kind) {
    case "scalar":
      return fitsScalar(shape, given, isWriting);
    case "nullable":
      return given === null || fits(shape.inner, given, isWriting, isMember);
    case "json":
      if (shape.places !== undefined) return fitsPlaces(shape, given, isWriting, isMember);
      if (shape.members !== undefined) {
        const { required = [] } = shape;
        if (!isMember && !required.every((name) => has(given, name))) return false;
        return isObject(given) && (isMember || fitsMembers(shape.members, given, isWriting));
      }
      return shape.types.length === 0
        ? given !== undefined
        : shape.types.some((type) => fits(type, given, isWriting, isMember));
    case "list":
      return Array.isArray(given) && fitsAll(shape.inner, given);
    case "record":
      return isObject(given) && !isModelInstance(given) &&
        fitsAll(shape.inner, Object.values(given));
    case "union":
      return isWriting
        ? modelFor(given, shape.models()) !== undefined
        : isObject(given) && (isMember || fitsUnion(shape, given));
    case "model":
      return fitsModel(shape, given, isWriting, isMember);
  }
}

/** Reports if a value is an array whose members fit their places. */
function fitsPlaces(
  { places = [], rest }: JsonShape,
  given: unknown,
  isWriting: boolean,
  isMember: boolean,
): boolean {
  return Array.isArray(given) && (isMember || given.every((each, index) => {
    const shape = places[index] ?? rest;
    return shape === undefined || fits(shape, each, isWriting, true);
  }));
}

function has(given: unknown, name: string): boolean {
  return isObject(given) && Object.hasOwn(given, name) && given[name] !== undefined;
}

function isArrayShape(shape: Shape): boolean {
  return shape.kind === "list" || shape.kind === "json" && shape.places !== undefined;
}

/** Reports if the members of an object that are converted fit, as far as they are there. */
function fitsMembers(
  members: ReadonlyMap<string, Shape>,
  given: Readonly<Record<string, unknown>>,
  isWriting: boolean,
): boolean {
  for (const [name, shape] of members) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value !== undefined && !fits(shape, value, isWriting, true)) return false;
  }
  return true;
}

function fitsScalar(shape: ScalarShape, given: unknown, isWriting: boolean): boolean {
  const convert = isWriting ? shape.toJson : shape.fromJson;
  // Types of scalars do not use the walk.
  const value = attempt(() => convert(given, undefined as never));
  return value !== undefined && meetsConstraints(shape, isWriting ? given : value);
}

function fitsUnion(shape: UnionShape, given: Readonly<Record<string, unknown>>): boolean {
  const model = shape.select(given);
  return model !== undefined && (shape.by !== undefined || isObject(given[model.tag]));
}

function fitsModel(
  shape: ModelShape,
  given: unknown,
  isWriting: boolean,
  isMember: boolean,
): boolean {
  const model = shape.model();
  if (!isObject(given) || isWriting && !isInstance(given, model)) return false;
  // An instance of a class fits, even if it is invalid: then its issues are reported.
  if (isWriting && !hasPlainInstances(model)) return true;
  if (isModelInstance(given)) return false;
  if (isMember) return true;
  const { fields, members, rest, jsonNames, unknown } = planOf(model);
  for (const field of isWriting ? fields : members) {
    const { name, json, isOptional, fallback, emptyAsAbsent } = field;
    const key = isWriting ? name : json;
    const value = Object.hasOwn(given, key) ? given[key] : undefined;
    const isAbsent = value === undefined || value === "" && emptyAsAbsent && !isWriting;
    const canBeAbsent = isOptional || fallback !== undefined && !isWriting;
    if (!(isAbsent && canBeAbsent) && !fits(field.shape, value, isWriting, true)) return false;
  }
  if (isWriting || rest === undefined && unknown !== "refuse") return true;
  const others = Object.keys(given).filter((name) => !jsonNames.has(name));
  return rest === undefined
    ? others.length === 0
    : others.every((name) => fits((rest.shape as RecordShape).inner, given[name], false, true));
}

/** A value that was read, and the type that read it. */
interface Found {
  readonly shape: ScalarShape;
  readonly value: unknown;
}

/** Returns the value from the first type that accepts it. */
function read(
  shapes: readonly ScalarShape[],
  convert: (shape: ScalarShape) => unknown,
): Found | undefined {
  for (const shape of shapes) {
    const value = attempt(() => convert(shape));
    if (value !== undefined && meetsConstraints(shape, value)) return { shape, value };
  }
  return undefined;
}

/**
 * Returns the JSON value or text from the first type that accepts the value and would read the
 * result back.
 *
 * @throws {TypeError} If another type would read back the result of each type that accepts the value
 */
function write<W>(
  shapes: readonly ScalarShape[],
  value: unknown,
  convert: (shape: ScalarShape) => W | undefined,
  readBack: (written: W) => Found | undefined,
): W | undefined {
  let problem: string | undefined;
  for (const shape of shapes) {
    const written = attempt(() => convert(shape));
    if (written === undefined || !meetsConstraints(shape, value)) continue;
    const found = readBack(written);
    if (found?.shape === shape) return written;
    const type = found?.shape.expected ?? "no value";
    problem ??= `${quotedText(String(written), 40)} would be read back as ${type}`;
  }
  if (problem !== undefined) throw new TypeError(problem);
  return undefined;
}

function meetsConstraints({ check }: ScalarShape, value: unknown): boolean {
  return check === undefined || attempt(() => check(value) ?? true) === true;
}

/** Returns the result of a function, or undefined if it throws: another type may accept the value. */
function attempt<T>(convert: () => T): T | undefined {
  try {
    return convert();
  } catch {
    return undefined;
  }
}
