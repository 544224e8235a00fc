/** Declares the fields of a model: an attribute, a child element, a list of them, or the text. */
import { checkedOptions } from "../base/checks.ts";
import { type Shape, shapeOf, type TypeInput, withoutNullable } from "./value_type.ts";

/**
 * A field of a model: its type, and its place in JSON and XML.
 *
 * @typeParam T The type of the property
 * @typeParam L True if the property may be left out when an instance is created
 *
 * @category Fields
 */
export interface Field<out T, out L extends boolean = boolean> {
  /** The type of the property, for the compiler only. */
  readonly "~value"?: () => T;
  /** True if the property may be left out, for the compiler only. */
  readonly "~leftOut"?: () => L;
  /** The place in XML. */
  readonly place: FieldPlace;
  /** The shape of the value, or of each value if the element repeats. */
  readonly shape: Shape;
  /** The other options. */
  readonly options: FieldOptions & {
    readonly optional?: boolean;
    readonly default?: unknown;
    readonly emptyAsAbsent?: boolean | undefined;
  };
}

/**
 * The place of a field in XML: an attribute, a child, children that repeat, the text, or all children
 * that no other field declares.
 *
 * @internal
 */
export type FieldPlace = "attr" | "element" | "elements" | "text" | "rest";

/**
 * Fields by the names of their properties.
 *
 * @category Fields
 */
export type FieldMap = Readonly<Record<string, Field<unknown>>>;

/**
 * Options of every field.
 *
 * @category Fields
 */
export interface FieldOptions {
  /**
   * The name in both formats. Default: the property's name, changed by the `rename` rule of the
   * model
   *
   * @example `element(string, { name: "first_name" })` for `firstName`
   */
  readonly name?: string | undefined;
  /**
   * The name in XML. Default: the tag of the model that is the value, or else `name`
   *
   * @example `elements(string, { tag: "item" })` for `items` in `<item>a</item><item>b</item>`
   */
  readonly tag?: string | undefined;
  /** The name in JSON. Default: `name` */
  readonly json?: string | undefined;
  /**
   * The elements around the field in XML, outermost first, separated by slashes. In JSON there are
   * none. They are not written if there is nothing in them.
   *
   * A name is in the namespace of the model. Write a name of another namespace as `{uri}name`, and
   * one without a namespace as `{}name`.
   *
   * @example `elements(Item, { within: "page/items" })` for `<page><items><item/></items></page>`
   */
  readonly within?: string | undefined;
  /**
   * The namespace in XML, as a URI. Default: that of the model that is the value, or else that of the
   * model that the field belongs to. By default, attributes have none.
   */
  readonly namespace?: string | undefined;
}

/**
 * Options of a field that may be absent. Its value is then undefined.
 *
 * @category Fields
 */
export interface OptionalFieldOptions extends FieldOptions {
  /** Set to `true` if the field may be absent. Default: false */
  readonly optional: true;
  /** Set to `true` to read an empty text as absent, as in `<KeyCount/>`. Default: false */
  readonly emptyAsAbsent?: boolean | undefined;
}

/**
 * Options of a field with a default value.
 *
 * @category Fields
 */
export interface DefaultFieldOptions<T> extends FieldOptions {
  /**
   * The value of an absent field. Arrays and plain objects are copied for each instance. For other
   * objects that can change, pass a function. It is called for each instance.
   *
   * @example `attr(string, { default: "all" })`, `elements(date, { default: () => [new Date()] })`
   */
  readonly default: T | (() => T);
  /** Set to `true` to read an empty text as absent, as in `<KeyCount/>`. Default: false */
  readonly emptyAsAbsent?: boolean | undefined;
}

/**
 * Declares an attribute. In JSON, it is a member of the object.
 *
 * @example
 * ```ts
 * import { attr, integer, model } from "@restwright/restwright/models";
 *
 * class Page extends model("page", { size: attr(integer, { tag: "page-size", default: 20 }) }) {}
 * console.log((await Page.fromXml('<page page-size="50"/>')).size); // 50
 * console.log(Page.fromJson({}).size); // 20
 * ```
 *
 * @param type The type of the value
 * @param options The names, the namespace, and the default
 *
 * @category Fields
 */
export function attr<T>(
  type: TypeInput<T>,
  options: OptionalFieldOptions,
): Field<T | undefined, true>;
/** Declares an attribute with a default value. */
export function attr<T>(
  type: TypeInput<T>,
  options: DefaultFieldOptions<NoInfer<T>>,
): Field<T, true>;
/** Declares a required attribute. */
export function attr<T>(type: TypeInput<T>, options?: FieldOptions): Field<T, false>;
export function attr<T>(type: TypeInput<T>, options: FieldOptions = {}): Field<T> {
  return fieldOf("attr", type, options);
}

/**
 * Declares a child element. In JSON, it is a member of the object.
 *
 * @example
 * ```ts
 * import { element, model, string } from "@restwright/restwright/models";
 *
 * class User extends model("user", {
 *   firstName: element(string, { tag: "first-name", json: "first_name" }),
 *   nick: element(string, { optional: true }),
 * }) {}
 * console.log(User.fromJson({ first_name: "Ada" }).firstName); // Ada
 * ```
 *
 * @param type The type of the value
 * @param options The names, the namespace, the elements around it, and the default
 *
 * @category Fields
 */
export function element<T>(
  type: TypeInput<T>,
  options: OptionalFieldOptions,
): Field<T | undefined, true>;
/** Declares a child element with a default value. */
export function element<T>(
  type: TypeInput<T>,
  options: DefaultFieldOptions<NoInfer<T>>,
): Field<T, true>;
/** Declares a required child element. */
export function element<T>(type: TypeInput<T>, options?: FieldOptions): Field<T, false>;
export function element<T>(type: TypeInput<T>, options: FieldOptions = {}): Field<T> {
  return fieldOf("element", type, options);
}

/**
 * Declares a child element that repeats. In JSON, it is an array. The value is always an array. If
 * there is no element, it is the default or else empty. XML cannot tell an empty array from an
 * absent one.
 *
 * @example
 * ```ts
 * import { elements, model, string } from "@restwright/restwright/models";
 *
 * class Slide extends model("slide", { items: elements(string, { tag: "item" }) }) {}
 * console.log((await Slide.fromXml("<slide><item>one</item></slide>")).items[0]); // one
 * console.log((await Slide.fromXml("<slide/>")).items.length); // 0
 * ```
 *
 * @param type The type of each value
 * @param options The names, the namespace, the elements around them, and the default
 *
 * @category Fields
 */
export function elements<T>(
  type: TypeInput<T>,
  options: FieldOptions | DefaultFieldOptions<NoInfer<T>[]> = {},
): Field<T[], true> {
  return fieldOf("elements", type, options);
}

/**
 * Declares the text of the element itself, without comments and child elements, and with CDATA
 * sections. In JSON, it is a member of the object.
 *
 * If the field is optional, an empty text is absent. With a default, an empty `string` is a value,
 * but an empty number is absent. Whitespace between child elements does not count.
 *
 * @example
 * ```ts
 * import { attr, model, string, text } from "@restwright/restwright/models";
 *
 * class Link extends model("a", { href: attr(string), label: text(string) }) {}
 * console.log((await Link.fromXml('<a href="/x">R&amp;<![CDATA[D]]></a>')).label); // R&D
 * ```
 *
 * @param type The type of the value
 * @param options The names and the default
 *
 * @category Fields
 */
export function text<T>(
  type: TypeInput<T>,
  options: OptionalFieldOptions,
): Field<T | undefined, true>;
/** Declares the text of the element itself, with a default value. */
export function text<T>(
  type: TypeInput<T>,
  options: DefaultFieldOptions<NoInfer<T>>,
): Field<T, true>;
/** Declares the required text of the element itself. */
export function text<T>(type: TypeInput<T>, options?: FieldOptions): Field<T, false>;
export function text<T>(type: TypeInput<T>, options: FieldOptions = {}): Field<T> {
  return fieldOf("text", type, options);
}

const optionNames: readonly string[] = [
  "default",
  "emptyAsAbsent",
  "json",
  "name",
  "namespace",
  "optional",
  "tag",
  "within",
];

/** Creates a field at a place. */
export function fieldOf(
  place: FieldPlace,
  type: TypeInput<unknown>,
  options: FieldOptions,
): Field<never, never> {
  checkedOptions(options, optionNames);
  const shape = shapeOf(type);
  const plain = withoutNullable(shape);
  // With a tag, the elements of all models have the same name.
  if (plain.kind === "union" && options.tag !== undefined) plain.requireAttribute();
  return { place, shape, options };
}

/**
 * The names of the properties of a class that are not methods.
 *
 * @internal
 */
export type DataKeys<T> = {
  [K in keyof T]-?: T[K] extends (...args: never[]) => unknown ? never : K;
}[keyof T];

/**
 * The fields of a class that declares its properties: one field of the right type for each property.
 * A property that may be undefined needs a field that is optional.
 *
 * @typeParam T The class
 * @typeParam Except The names of properties without a field, such as getters
 *
 * @example
 * ```ts
 * import { attr, elements, type Fields, integer, Model } from "@restwright/restwright/models";
 *
 * class Tree extends Model {
 *   declare readonly id: number;
 *   declare readonly children: Tree[];
 *   static override readonly tag: string = "node";
 *   static override readonly fields: Fields<Tree> = {
 *     id: attr(integer),
 *     children: elements(() => Tree),
 *   };
 * }
 * const tree = await Tree.fromXml('<node id="1"><node id="2"/></node>');
 * console.log(tree.children[0]?.id); // 2
 * ```
 *
 * @category Fields
 */
export type Fields<T, Except extends keyof T = never> = {
  readonly [K in Exclude<DataKeys<T>, Except>]-?: undefined extends T[K] ? Field<T[K], true>
    : Field<T[K]>;
};
