import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import type { XmlReadOptions } from "../xml/reader.ts";
import type { XmlSource } from "../xml/source.ts";
import { decodeBody, encodeBody } from "./body.ts";
import type { FieldMap } from "./field.ts";
import { BLANK, instantiateEmpty, populate } from "./instance.ts";
import { type JsonReadOptions, JsonWalker } from "./json_walker.ts";
import {
  type ModelBodies,
  modelBrand,
  type ModelClass,
  type UnknownPolicy,
} from "./model_class.ts";
import { parseJson } from "./parse_json.ts";
import { streamXml, xmlReading } from "./xml_reading.ts";

/** Which elements of a document are instances. */
export interface XmlStreamOptions extends XmlReadOptions {
  /**
   * The names from the root to the elements, without prefixes. Default: elements of the model's own
   * name, wherever they are
   *
   * @example `Item.streamXml(body, { at: "rss/channel/item" })`
   */
  readonly at?: string | undefined;
}

/** How JSON is written. */
export interface JsonWriteOptions {
  /**
   * What each level is indented with; true for two blanks.
   *
   * @default {false}
   */
  readonly indent?: boolean | string | undefined;
}

/**
 * The values that an instance is made of: the properties that have a field.
 *
 * @typeParam T The class
 * @typeParam F Its fields
 */
export type Values<T, F> =
  & { readonly [K in keyof T & keyof F as undefined extends T[K] ? never : K]: T[K] }
  & { readonly [K in keyof T & keyof F as undefined extends T[K] ? K : never]?: T[K] };

/**
 * What models derive from: a class with one descriptor for JSON and for XML.
 *
 * This form declares each property and its field, can be exported on JSR, and may refer to itself.
 * `declare` leaves the property to the toolkit. `model(…)` is the short form, whose types are
 * inferred.
 *
 * @example
 * ```ts
 * import { attr, elements, type Fields, Model, string } from "@restwright/restwright/models";
 *
 * export class Chapter extends Model {
 *   declare readonly title: string;
 *   declare readonly sections: Chapter[];
 *   static override readonly tag: string = "chapter";
 *   static override readonly fields: Fields<Chapter> = {
 *     title: attr(string),
 *     sections: elements(() => Chapter, { json: "parts" }),
 *   };
 *
 *   count(): number {
 *     return this.sections.reduce((sum, each) => sum + each.count(), 1);
 *   }
 * }
 *
 * const one = Chapter.fromJson('{"title":"One","parts":[{"title":"A","parts":[]}]}');
 * console.log(one.count()); // 2
 * ```
 */
export class Model {
  /** Marks it as a model class, for every copy of the toolkit, and reads and writes bodies. */
  static readonly [modelBrand]: ModelBodies = { decode: decodeBody, encode: encodeBody };
  /** The name of its element in XML. */
  static readonly tag: string = "";
  /** Its fields, by the names of its properties. */
  static readonly fields: FieldMap = {};
  /** The namespace of its element, and of its fields' elements. Default: none */
  static readonly namespace: string = "";
  /**
   * What becomes of names in a document that it does not have: they are ignored, refused with an
   * error, or kept (see `unknownContentOf`) and written back.
   *
   * @default {"ignore"}
   */
  static readonly unknown: UnknownPolicy = "ignore";
  /**
   * Whether the children of its element may come in any order, or in that of its fields alone.
   *
   * @default {"any"}
   */
  static readonly order: "any" | "strict" = "any";
  /**
   * Whether a document type declaration in XML that is read is refused, as it should be of
   * strangers, or passed over. It holds for responses, too; `fromXml` and `streamXml` have an option
   * of the same name, which goes before.
   *
   * @default {"refuse"}
   */
  static readonly doctype: "refuse" | "skip" = "refuse";
  /** Prefixes and the namespaces that they stand for in XML that is written. Default: none */
  static readonly prefixes: Readonly<Record<string, string>> = {};

  /**
   * Makes an instance of values by the names of the properties; `of` is the same with their types.
   *
   * @throws {ModelError} Where a value is missing that has no default
   */
  constructor(values: object) {
    if (values !== BLANK) populate(new.target as ModelClass<object>, this, values);
  }

  /**
   * Makes an instance.
   *
   * @param values The values by the names of the properties
   * @throws {ModelError} Where a value is missing that has no default
   */
  static of<T extends Model, F extends object>(
    this: ModelClass<T> & { readonly fields: F },
    values: Values<T, F>,
  ): T {
    return populate(this, instantiateEmpty(this), values);
  }

  /**
   * Reads an instance from JSON.
   *
   * @param json The text, its bytes, or what it was parsed to
   * @param options Limits
   * @throws {ModelError} Where it is no JSON, or does not fit: with every issue
   */
  static fromJson<T extends Model>(
    this: ModelClass<T>,
    json: unknown,
    options: JsonReadOptions = {},
  ): T {
    const isText = typeof json === "string" || json instanceof Uint8Array;
    const parsed = isText ? parseJson(this.name, json) : json;
    return new JsonWalker(false, options.maxDepth).root(this, parsed) as T;
  }

  /**
   * Reads an instance from an XML document.
   *
   * It gives a promise since chunks may still be to come: the same events read a document and a
   * stream.
   *
   * @param xml The text, its bytes, or chunks of either as they arrive
   * @param options Limits, and what the content type says of the encoding
   * @throws {XmlError} Where it is no XML, or not what is allowed
   * @throws {ModelError} Where it does not fit: with every issue
   */
  static async fromXml<T extends Model>(
    this: ModelClass<T>,
    xml: XmlSource,
    options: XmlReadOptions = {},
  ): Promise<T> {
    const { decodeXmlWhole } = await xmlReading();
    return (await decodeXmlWhole(this, xml, "root", options))[0]!;
  }

  /**
   * Reads the instances of a large XML document one by one, each as soon as its element closes. What
   * is not asked for is passed over, and the memory that it takes does not grow.
   *
   * @example
   * ```ts
   * import { element, model, string } from "@restwright/restwright/models";
   *
   * class Item extends model("item", { title: element(string) }) {}
   * const body = new Response("<rss><channel><item><title>One</title></item></channel></rss>").body!;
   * for await (const item of Item.streamXml(body, { at: "rss/channel/item" })) {
   *   console.log(item.title); // One
   * }
   * ```
   *
   * @param xml The text, its bytes, or chunks of either as they arrive
   * @param options Where the elements are, and limits
   * @throws {XmlError} Where it is no XML, or not what is allowed
   * @throws {ModelError} At the first that does not fit, with every issue of it
   */
  static streamXml<T extends Model>(
    this: ModelClass<T>,
    xml: XmlSource,
    options: XmlStreamOptions = {},
  ): AsyncGenerator<T, void, undefined> {
    const { at } = options;
    if (at === undefined) return streamXml(this, xml, { kind: "anywhere" }, options);
    const path = typeof at === "string" ? at.replace(/^\//, "").split("/") : [""];
    if (path.includes("")) {
      throw new UnexpectedValueError(
        "at",
        'names separated by slashes, such as "rss/channel/item"',
        at,
      );
    }
    return streamXml(this, xml, { kind: "path", path }, options);
  }

  /**
   * Writes it as a text of JSON.
   *
   * @throws {ModelError} Where a value is not what its field says: with every issue
   */
  toJson(options: JsonWriteOptions = {}): string {
    const { indent } = options;
    return JSON.stringify(this.toJSON(), null, indent === true ? 2 : indent || 0);
  }

  /**
   * What `JSON.stringify` writes: objects and arrays, names as in JSON.
   *
   * @throws {ModelError} Where a value is not what its field says: with every issue
   */
  toJSON(): Record<string, unknown> {
    const model = this.constructor as ModelClass<object>;
    return new JsonWalker(true).root(model, this) as Record<string, unknown>;
  }
}
