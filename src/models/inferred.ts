/** The function `model`, which creates a model class and infers its types from the fields. */
import { checkedOptions } from "../base/checks.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import type { Field, FieldMap } from "./field.ts";
import { Model } from "./model.ts";
import {
  isModelClass,
  type ModelClass,
  type RenameRule,
  type UnknownPolicy,
} from "./model_class.ts";

/**
 * Options of a model.
 *
 * @typeParam P The properties of the instances
 *
 * @category Models
 */
export interface ModelOptions<P = Record<string, unknown>> {
  /** The namespace of the element, and of the elements of fields. Default: none */
  readonly namespace?: string | undefined;
  /**
   * Set to `true` to read documents that leave the namespace out, as some compatible services do:
   * elements without a namespace are then in the model's namespace.
   *
   * @default {false}
   */
  readonly assumeNamespace?: boolean | undefined;
  /**
   * The rule that derives names in documents from names of properties, in both formats. The options
   * `name`, `tag` and `json` of a field override it. Default: names are used as they are
   *
   * @example `{ rename: "PascalCase" }` for `keyCount` in `<KeyCount>` and `{"KeyCount":0}`
   */
  readonly rename?: RenameRule | undefined;
  /**
   * Set to `"ignore"` to skip what the model does not declare, to `"refuse"` to report it as an
   * issue, or to `"keep"` to write it back (see `unknownContentOf`).
   *
   * @default {"ignore"}
   */
  readonly unknown?: UnknownPolicy | undefined;
  /**
   * Set to `"strict"` to require that child elements are in the order of the fields.
   *
   * @default {"any"}
   */
  readonly order?: "any" | "strict" | undefined;
  /**
   * Set to `"skip"` to ignore a document type declaration in XML instead of rejecting it. This also
   * applies to responses. The option of `fromXml` and `streamXml` overrides it.
   *
   * @default {"refuse"}
   */
  readonly doctype?: "refuse" | "skip" | undefined;
  /**
   * The maximum depth of nested elements, or of objects and arrays in JSON. This also applies to
   * responses. The option of `fromJson`, `fromXml` and `streamXml` overrides it. Null for no limit.
   *
   * @default {500}
   */
  readonly maxDepth?: number | null | undefined;
  /**
   * Prefixes and their namespaces, for XML that is written. Without a prefix, the model's own
   * namespace is the default namespace, and others get `ns1` and so on. The prefixes of the models
   * of fields count, too.
   *
   * @example `{ prefixes: { dc: "http://purl.org/dc/elements/1.1/" } }`
   */
  readonly prefixes?: Readonly<Record<string, string>> | undefined;
  /**
   * Checks an instance after it was read and before it is written. Returns the error message, or
   * undefined if the instance is valid. Default: none
   *
   * @example `{ check: ({ from, to }) => from > to ? "from must not be after to" : undefined }`
   */
  readonly check?: ((instance: P) => string | undefined) | undefined;
}

/** The names of the options. */
const modelOptions: readonly string[] = [
  "assumeNamespace",
  "check",
  "doctype",
  "extends",
  "maxDepth",
  "namespace",
  "order",
  "prefixes",
  "rename",
  "unknown",
];

/**
 * The properties that fields declare.
 *
 * @internal
 */
export type PropertiesOf<F extends FieldMap> = {
  readonly [K in keyof F]: F[K] extends Field<infer T> ? T : never;
};

/**
 * The values that an instance is created from. Those with a default may be left out.
 *
 * @internal
 */
export type InputOf<F extends FieldMap> =
  & { readonly [K in keyof F as F[K] extends Field<unknown, true> ? never : K]: ValueOf<F[K]> }
  & { readonly [K in keyof F as F[K] extends Field<unknown, true> ? K : never]?: ValueOf<F[K]> };

/**
 * The type of the property that a field declares.
 *
 * @internal
 */
export type ValueOf<F> = F extends Field<infer T> ? T : never;

/**
 * The class that {@linkcode model} returns. Derive your class from it.
 *
 * @internal
 */
export type InferredModel<F extends FieldMap> =
  & Omit<typeof Model, "prototype" | "fields" | "of">
  & {
    /** Creates an instance from values by the names of the properties. */
    new (values: InputOf<F>): Model & PropertiesOf<F>;
    /** The fields. */
    readonly fields: F;
    /** Creates an instance from values by the names of the properties. */
    of<T extends Model>(
      this: ModelClass<T>,
      values: InputOf<F>,
    ): T;
  };

/**
 * A class that {@linkcode model} can extend.
 *
 * @internal
 */
export interface ExtensibleModel {
  /** Creates an instance. */
  new (values: never): Model;
  /** The fields. */
  readonly fields: FieldMap;
}

/**
 * The class that {@linkcode model} returns if it extends another model.
 *
 * @internal
 */
export type ExtendedModel<F extends FieldMap, B extends ExtensibleModel> =
  & Omit<B, "prototype" | "fields" | "of">
  & {
    /** Creates an instance from values by the names of the properties. */
    new (values: InputOf<AllFields<F, B>>): InstanceType<B> & PropertiesOf<F>;
    /** The fields, with those of the extended model. */
    readonly fields: AllFields<F, B>;
    /** Creates an instance from values by the names of the properties. */
    of<T extends Model>(
      this: ModelClass<T>,
      values: InputOf<AllFields<F, B>>,
    ): T;
  };

/**
 * The fields of a model with those of the model that it extends.
 *
 * @internal
 */
export type AllFields<F extends FieldMap, B extends ExtensibleModel> =
  & Omit<B["fields"], keyof F>
  & F;

/**
 * The fields that replace inherited ones: an instance is also one of the extended model, so that each
 * of its properties must have the type that it has there.
 *
 * @internal
 */
export type ReplacedFields<F extends FieldMap, B extends ExtensibleModel> = {
  readonly [K in keyof F & keyof InstanceType<B>]: Field<InstanceType<B>[K]>;
};

/**
 * Returns a model class with inferred types. Derive your class from it.
 *
 * @example
 * ```ts
 * import { attr, element, elements, model, string } from "@restwright/restwright/models";
 *
 * class Slide extends model("slide", {
 *   title: element(string),
 *   items: elements(string, { tag: "item" }),
 *   kind: attr(string, { tag: "type", default: "all" }),
 * }) {
 *   empty(): boolean {
 *     return this.items.length === 0;
 *   }
 * }
 *
 * const slide = await Slide.fromXml('<slide type="tech"><title>One</title></slide>');
 * console.log(slide.title, slide.kind, slide.empty()); // One tech true
 * console.log(slide.toJsonString()); // {"title":"One","items":[],"kind":"tech"}
 * ```
 *
 * @param tag The name of the element in XML
 * @param fields The fields, by the names of the properties
 * @param options The other options
 *
 * @category Models
 */
export function model<const F extends FieldMap>(
  tag: string,
  fields: F,
  options?: ModelOptions<PropertiesOf<F>> & { readonly extends?: undefined },
): InferredModel<F>;
/**
 * Returns a model class that extends another: it has its fields, methods and options as well. The
 * inherited fields come first.
 *
 * @example
 * ```ts
 * import { attr, element, integer, model, string } from "@restwright/restwright/models";
 *
 * class Person extends model("person", { id: attr(integer), name: element(string) }) {
 *   label(): string {
 *     return `${this.name} (${this.id})`;
 *   }
 * }
 * class Author extends model("author", { books: element(integer) }, { extends: Person }) {}
 *
 * const ada = Author.of({ id: 1, name: "Ada", books: 2 });
 * console.log(ada.label(), ada.books, ada instanceof Person); // Ada (1) 2 true
 * ```
 *
 * @param tag The name of the element in XML
 * @param fields The additional fields. A field of the same name replaces the inherited one; its values
 * must also be values of the inherited one
 * @param options The other options, and the model to extend
 */
export function model<const F extends FieldMap, B extends ExtensibleModel>(
  tag: string,
  fields: F & ReplacedFields<F, B>,
  options: ModelOptions<PropertiesOf<F> & InstanceType<B>> & { readonly extends: B },
): ExtendedModel<F, B>;
export function model(
  tag: string,
  fields: FieldMap,
  options: ModelOptions<never> & { readonly extends?: ExtensibleModel | undefined } = {},
): unknown {
  const { extends: base = Model as unknown as typeof Model, check, ...rest } = checkedOptions(
    options,
    modelOptions,
  );
  if (!isModelClass(base)) throw new UnexpectedValueError("extends", "a model class", base);
  const created = class extends (base as typeof Model) {};
  const inherited = (base as typeof Model).check;
  const statics = {
    ...rest,
    tag,
    fields: { ...base.fields, ...fields },
    check: check && inherited ? (instance: never) => inherited(instance) ?? check(instance) : check,
    // The name is for messages, if the class is used without deriving from it.
    name: tag,
  };
  for (const [name, value] of Object.entries(statics)) {
    // An option that is left out is inherited.
    if (value !== undefined) Object.defineProperty(created, name, { value, configurable: true });
  }
  return created;
}
