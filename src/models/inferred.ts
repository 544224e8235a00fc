import type { Field, FieldMap } from "./field.ts";
import { Model } from "./model.ts";
import type { ModelClass, UnknownPolicy } from "./model_class.ts";

/** What can be said of a model beside its fields. */
export interface ModelOptions {
  /** The namespace of its element, and of its fields' elements. Default: none */
  readonly namespace?: string | undefined;
  /**
   * What becomes of names in a document that it does not have: they are ignored, refused with an
   * error, or kept (see `unknownContentOf`) and written back.
   *
   * @default {"ignore"}
   */
  readonly unknown?: UnknownPolicy | undefined;
  /**
   * Whether the children of its element may come in any order, or in that of its fields alone.
   *
   * @default {"any"}
   */
  readonly order?: "any" | "strict" | undefined;
  /**
   * Whether a document type declaration in XML that is read is refused, or passed over: for responses
   * of servers that send one. `fromXml` and `streamXml` have an option of the same name.
   *
   * @default {"refuse"}
   */
  readonly doctype?: "refuse" | "skip" | undefined;
  /**
   * Prefixes and the namespaces that they stand for in XML that is written. The model's own
   * namespace is the default one where it has none here; others get `ns1` and so on.
   *
   * @example `{ prefixes: { dc: "http://purl.org/dc/elements/1.1/" } }`
   */
  readonly prefixes?: Readonly<Record<string, string>> | undefined;
}

/** The properties that fields make. */
export type PropertiesOf<F extends FieldMap> = {
  readonly [K in keyof F]: F[K] extends Field<infer T> ? T : never;
};

/** The values that an instance is made of: those with a default may be left out. */
export type InputOf<F extends FieldMap> =
  & { readonly [K in keyof F as F[K] extends Field<unknown, true> ? never : K]: ValueOf<F[K]> }
  & { readonly [K in keyof F as F[K] extends Field<unknown, true> ? K : never]?: ValueOf<F[K]> };

/** The type of the property that a field makes. */
export type ValueOf<F> = F extends Field<infer T> ? T : never;

/** The class that {@linkcode model} makes, to be derived from. */
export type InferredModel<F extends FieldMap> =
  & Omit<typeof Model, "prototype" | "fields" | "of">
  & {
    /** Makes an instance of values by the names of the properties. */
    new (values: InputOf<F>): Model & PropertiesOf<F>;
    /** Its fields. */
    readonly fields: F;
    /** Makes an instance of values by the names of the properties. */
    of<T extends Model>(
      this: ModelClass<T>,
      values: InputOf<F>,
    ): T;
  };

/**
 * Makes a model, to be derived from: its properties have the types of its fields.
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
 * console.log(slide.toJson()); // {"title":"One","items":[],"kind":"tech"}
 * ```
 *
 * @param tag The name of its element in XML
 * @param fields Its fields, by the names of its properties
 * @param options Its namespace, and what is allowed
 */
export function model<F extends FieldMap>(
  tag: string,
  fields: F,
  options?: ModelOptions,
): InferredModel<F> {
  const made = class extends Model {};
  // The name is for messages, where the class is used as it is; what is left out is inherited.
  for (const [name, value] of Object.entries({ ...options, name: tag, tag, fields })) {
    if (value !== undefined) Object.defineProperty(made, name, { value, configurable: true });
  }
  return made as unknown as InferredModel<F>;
}
