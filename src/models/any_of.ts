/** The types `anyOf` and `openEnum`: a value of the first of several types that accepts it. */
import { quotedText } from "../errors/message_text.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { type LiteralValue, oneOf, string } from "./scalars.ts";
import type { JsonWalk, ScalarShape, ValueType } from "./value_type.ts";

/**
 * The type of a value of one of several types.
 *
 * @internal
 */
export type AnyOfValue<M extends readonly ValueType<unknown>[]> = {
  [K in keyof M]: M[K] extends ValueType<infer T> ? T : never;
}[number];

/**
 * A value of one of several scalar types.
 *
 * In JSON it is read by the first type that accepts the value, constraints included. In XML it is
 * read by the first type that accepts the text, but types that accept any text, such as `string`,
 * are tried last.
 *
 * A value is refused when it is written if it would be read back as another value: in XML the string
 * `"5"` beside `integer`. Declare `string` after types whose values are strings in JSON, such as
 * `date`. Otherwise no JSON value reaches them.
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
 * @param types The types. Put `nullable` around the union, not into it
 * @throws {UnexpectedValueError} If a type is not scalar, such as `nullable`, `list` or a model
 *
 * @category Value types
 */
export function anyOf<
  const M extends readonly [ValueType<unknown>, ValueType<unknown>, ...ValueType<unknown>[]],
>(...types: M): ValueType<AnyOfValue<M>> {
  const shapes = types.map(scalarShape);
  const inXml = [
    ...shapes.filter(({ takesAnyText }) => !takesAnyText),
    ...shapes.filter(({ takesAnyText }) => takesAnyText),
  ];
  const fromText = (text: string) => read(inXml, (shape) => shape.fromText(text));
  const fromJson = (json: unknown, walk: JsonWalk) =>
    read(shapes, (shape) => shape.fromJson(json, walk));
  return {
    shape: {
      kind: "scalar",
      expected: shapes.map(({ expected }) => expected).join(" or "),
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
    },
  };
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

function scalarShape(type: ValueType<unknown> | undefined, index: number): ScalarShape {
  if (type?.shape?.kind === "scalar") return type.shape;
  const expected = "a scalar type (for a value or null, put nullable around anyOf)";
  throw new UnexpectedValueError(`types[${index}]`, expected, type);
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
