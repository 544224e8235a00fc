import { type Shape, shapeOf, type TypeInput } from "./value_type.ts";

/**
 * One field of a model: its value, and where it stands in JSON and in XML.
 *
 * @typeParam T What the property is in TypeScript
 * @typeParam L Whether it may be left out where an instance is made
 */
export interface Field<out T, out L extends boolean = boolean> {
  /** What its values are, for the compiler alone. */
  readonly "~value"?: () => T;
  /** Whether it may be left out, for the compiler alone. */
  readonly "~leftOut"?: () => L;
  /** Where it stands in XML. */
  readonly place: FieldPlace;
  /** How its value, or each of its values, is read and written. */
  readonly shape: Shape;
  /** What else was said of it. */
  readonly options: FieldOptions & { readonly optional?: boolean; readonly default?: unknown };
}

/** Where a field stands in XML: an attribute, a child, children that repeat, or the text. */
export type FieldPlace = "attr" | "element" | "elements" | "text";

/** Fields by the names of their properties. */
export type FieldMap = Readonly<Record<string, Field<unknown>>>;

/** What can be said of every field. */
export interface FieldOptions {
  /**
   * Its name in XML. Default: the tag of the model, where its value is one; else the property's name
   *
   * @example `elements(string, { tag: "item" })` for `items` in `<item>a</item><item>b</item>`
   */
  readonly tag?: string | undefined;
  /**
   * Its name in JSON. Default: the property's name
   *
   * @example `element(string, { json: "first_name" })` for `firstName`
   */
  readonly json?: string | undefined;
  /**
   * The elements around it in XML, from the outside in; JSON knows nothing of them. Where there is
   * no value, they are not written.
   *
   * @example `elements(Item, { within: "page/items" })` for `<page><items><item/></items></page>`
   */
  readonly within?: string | undefined;
  /**
   * Its namespace in XML, as a URI. Default: that of the model that is its value; else that of the
   * model that it is a field of. Attributes are in none.
   */
  readonly namespace?: string | undefined;
}

/** Options of a field that may be absent; its value is then undefined. */
export interface OptionalFieldOptions extends FieldOptions {
  /** Whether it may be absent. Default: false */
  readonly optional: true;
}

/** Options of a field that has a value where it is absent. */
export interface DefaultFieldOptions<T> extends FieldOptions {
  /**
   * The value where it is absent. Arrays and plain objects are copied for each instance; for what
   * else can change, give a function, which is called for each.
   *
   * @example `attr(string, { default: "all" })`, `elements(date, { default: () => [new Date()] })`
   */
  readonly default: T | (() => T);
}

/**
 * An attribute, or in JSON a member of the object.
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
 * @param type What its value is
 * @param options Names, namespace, and what holds where it is absent
 */
export function attr<T>(
  type: TypeInput<T>,
  options: OptionalFieldOptions,
): Field<T | undefined, true>;
/** An attribute that has a value where it is absent. */
export function attr<T>(
  type: TypeInput<T>,
  options: DefaultFieldOptions<NoInfer<T>>,
): Field<T, true>;
/** An attribute that must be there. */
export function attr<T>(type: TypeInput<T>, options?: FieldOptions): Field<T, false>;
export function attr<T>(type: TypeInput<T>, options: FieldOptions = {}): Field<T> {
  return { place: "attr", shape: shapeOf(type), options };
}

/**
 * A child element, or in JSON a member of the object.
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
 * @param type What its value is
 * @param options Names, namespace, what is around it, and what holds where it is absent
 */
export function element<T>(
  type: TypeInput<T>,
  options: OptionalFieldOptions,
): Field<T | undefined, true>;
/** A child element that has a value where it is absent. */
export function element<T>(
  type: TypeInput<T>,
  options: DefaultFieldOptions<NoInfer<T>>,
): Field<T, true>;
/** A child element that must be there. */
export function element<T>(type: TypeInput<T>, options?: FieldOptions): Field<T, false>;
export function element<T>(type: TypeInput<T>, options: FieldOptions = {}): Field<T> {
  return { place: "element", shape: shapeOf(type), options };
}

/**
 * A child element that repeats, or in JSON an array: always an array. Where there is none it is the
 * default, else empty; in XML, where an array that is empty has no element, both are one.
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
 * @param type What each of its values is
 * @param options Names, namespace, what is around them, and what holds where there is none
 */
export function elements<T>(
  type: TypeInput<T>,
  options: FieldOptions | DefaultFieldOptions<NoInfer<T>[]> = {},
): Field<T[], true> {
  return { place: "elements", shape: shapeOf(type), options };
}

/**
 * The text of the element itself, around comments and children, CDATA sections included; in JSON a
 * member of the object.
 *
 * @example
 * ```ts
 * import { attr, model, string, text } from "@restwright/restwright/models";
 *
 * class Link extends model("a", { href: attr(string), label: text(string) }) {}
 * console.log((await Link.fromXml('<a href="/x">R&amp;<![CDATA[D]]></a>')).label); // R&D
 * ```
 *
 * @param type What its value is
 * @param options Names, and what holds where there is no text
 */
export function text<T>(
  type: TypeInput<T>,
  options: OptionalFieldOptions,
): Field<T | undefined, true>;
/** The text of the element itself that has a value where it is absent. */
export function text<T>(
  type: TypeInput<T>,
  options: DefaultFieldOptions<NoInfer<T>>,
): Field<T, true>;
/** The text of the element itself that must be there. */
export function text<T>(type: TypeInput<T>, options?: FieldOptions): Field<T, false>;
export function text<T>(type: TypeInput<T>, options: FieldOptions = {}): Field<T> {
  return { place: "text", shape: shapeOf(type), options };
}

/** The names of a class's properties that are no methods. */
export type DataKeys<T> = {
  [K in keyof T]-?: T[K] extends (...args: never[]) => unknown ? never : K;
}[keyof T];

/**
 * The fields of a class that declares its properties: each of them has a field of its type.
 *
 * @typeParam T The class
 * @typeParam Except The names of getters, which are no fields
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
 */
export type Fields<T, Except extends keyof T = never> = {
  readonly [K in Exclude<DataKeys<T>, Except>]: Field<T[K]>;
};
