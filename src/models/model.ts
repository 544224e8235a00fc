/** The class `Model`, which model classes with declared properties extend. */
import { checkedOptions } from "../base/checks.ts";
import type { XmlReadOptions } from "../xml/reader.ts";
import type { XmlSource } from "../xml/source.ts";
import { decodeBody, decodeJson, encodeBody, readJson } from "./body.ts";
import type { FieldMap } from "./field.ts";
import { EMPTY, instantiateEmpty, populate } from "./instance.ts";
import { type JsonWriteOptions, jsonWriteOptions, writeJson } from "./json_text.ts";
import { jsonReadOptions, JsonWalker, type WriteOptions, writeOptions } from "./json_walker.ts";
import {
  type ModelBodies,
  modelBrand,
  type ModelClass,
  type RenameRule,
  type UnknownPolicy,
} from "./model_class.ts";
import { MAX_DEPTH, rulesOf } from "./plan.ts";
import { streamXmlBatches, xmlReader } from "./xml/lazy.ts";
import type { XmlStreamOptions } from "./xml/target.ts";

/**
 * The values that an instance is created from: the properties that have a field.
 *
 * @typeParam T The class
 * @typeParam F Its fields
 *
 * @category Models
 */
export type Values<T, F> =
  & { readonly [K in keyof T & keyof F as undefined extends T[K] ? never : K]: T[K] }
  & { readonly [K in keyof T & keyof F as undefined extends T[K] ? K : never]?: T[K] };

/**
 * The base class of models: classes that describe a document once for JSON and for XML.
 *
 * In this form, a class declares each property and its field. It can be exported on JSR, and may
 * refer to itself. Write `declare`, because the toolkit sets the properties. `model(…)` is the short
 * form with inferred types.
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
 *
 * @category Models
 */
export class Model {
  /** The mark of a model, for all copies of the toolkit, and the functions that convert bodies. */
  static readonly [modelBrand]: ModelBodies = {
    decode: decodeBody,
    decodeJson,
    streamXml: streamXmlBatches,
    encode: encodeBody,
  };
  /**
   * The name of the element in XML. Without a tag, an instance has the name of the field that it
   * belongs to, and cannot be the root of a document.
   */
  static readonly tag: string = "";
  /** The fields, by the names of the properties. */
  static readonly fields: FieldMap = {};
  /** The namespace of the element, and of the elements of fields. Default: none */
  static readonly namespace: string = "";
  /**
   * Set to `true` to read documents that leave the namespace out, as some compatible services do:
   * elements without a namespace are then in the model's namespace.
   *
   * @default {false}
   */
  static readonly assumeNamespace: boolean = false;
  /**
   * The rule that derives names in documents from names of properties, in both formats. The options
   * `name`, `tag` and `json` of a field override it. Default: names are used as they are
   */
  static readonly rename: RenameRule | undefined = undefined;
  /**
   * Set to `"ignore"` to skip what the model does not declare, to `"refuse"` to report it as an
   * issue, or to `"keep"` to write it back (see `unknownContentOf`).
   *
   * @default {"ignore"}
   */
  static readonly unknown: UnknownPolicy = "ignore";
  /**
   * Set to `"strict"` to require that child elements are in the order of the fields.
   *
   * @default {"any"}
   */
  static readonly order: "any" | "strict" = "any";
  /**
   * Set to `"skip"` to ignore a document type declaration in XML instead of rejecting it. This also
   * applies to responses. The option of `fromXml` and `streamXml` overrides it.
   *
   * @default {"refuse"}
   */
  static readonly doctype: "refuse" | "skip" = "refuse";
  /**
   * The maximum depth of nested elements, or of objects and arrays in JSON. This also applies to
   * responses. The option of `fromJson`, `fromXml` and `streamXml` overrides it. Null for no limit.
   *
   * @default {500}
   */
  static readonly maxDepth: number | null = MAX_DEPTH;
  /** Prefixes and their namespaces, for XML that is written. Default: none */
  static readonly prefixes: Readonly<Record<string, string>> = {};
  /**
   * Checks an instance after it was read and before it is written. Returns the error message, or
   * undefined if the instance is valid. Default: none
   */
  static readonly check: ((instance: never) => string | undefined) | undefined = undefined;

  /**
   * Creates an instance. `of` does the same with typed values.
   *
   * @throws {ModelError} If a value without a default is missing
   */
  constructor(values: object) {
    if (values !== EMPTY) populate(new.target as ModelClass<object>, this, values);
  }

  /**
   * Creates an instance. The values of fields that are models are instances of these.
   *
   * @param values The values by the names of the properties
   * @throws {ModelError} If a value without a default is missing
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
   * @param json The text, its bytes, or the parsed value
   * @param options `maxDepth` is the maximum depth of nested objects and arrays; null for no limit.
   * Default: the `maxDepth` of the model, which is 500 unless you change it
   * @throws {ModelError} With all issues, if the input is not JSON or does not match
   */
  static fromJson<T extends Model>(
    this: ModelClass<T>,
    json: unknown,
    options: { readonly maxDepth?: number | null | undefined } = {},
  ): T {
    const { maxDepth } = checkedOptions(options, jsonReadOptions);
    return readJson(rulesOf(this), json, maxDepth) as T;
  }

  /**
   * Reads an instance from an XML document.
   *
   * It returns a promise, because the source may be a stream.
   *
   * @param xml The text, its bytes, chunks of either, or a response
   * @param options The limits, and the charset of bytes
   * @throws {XmlError} If the input is not well-formed XML, or not allowed by the limits
   * @throws {ModelError} With all issues, if the document does not match
   */
  static async fromXml<T extends Model>(
    this: ModelClass<T>,
    xml: XmlSource,
    options: XmlReadOptions = {},
  ): Promise<T> {
    const { readXmlDocument } = await xmlReader();
    return await readXmlDocument(rulesOf(this), xml, options) as T;
  }

  /**
   * Reads the instances in a large XML document one by one, each as soon as its element ends. Other
   * content is skipped. The memory in use does not grow with the document.
   *
   * @example
   * ```ts
   * import { element, model, string } from "@restwright/restwright/models";
   *
   * class Item extends model("item", { title: element(string) }) {}
   * const response = new Response("<rss><channel><item><title>One</title></item></channel></rss>");
   * for await (const item of Item.streamXml(response, { at: "rss/channel/item" })) {
   *   console.log(item.title); // One
   * }
   * ```
   *
   * @param xml The text, its bytes, chunks of either, or a response
   * @param options The place of the elements, and the limits
   * @throws {XmlError} If the input is not well-formed XML, or not allowed by the limits
   * @throws {ModelError} With all issues of the first element that does not match; also if the root
   * is not that of `at`
   * @throws {UnexpectedValueError} If `at` is not a path of names
   */
  static async *streamXml<T extends Model>(
    this: ModelClass<T>,
    xml: XmlSource,
    options: XmlStreamOptions = {},
  ): AsyncGenerator<T, void, undefined> {
    for await (const batch of streamXmlBatches(this, xml, options)) {
      // Delegating to the batch would take more promises for each instance.
      for (const each of batch) yield each;
    }
  }

  /**
   * Writes the instance as JSON text.
   *
   * @param options The indentation, and the part to write
   * @throws {ModelError} With all issues, if a value does not match its field
   */
  toJsonString(options: JsonWriteOptions = {}): string {
    const { omitDefaults, only } = checkedOptions(options, jsonWriteOptions);
    return writeJson(this.constructor.name, this.toJSON({ omitDefaults, only }), options);
  }

  /**
   * Returns the value that `JSON.stringify` writes: objects and arrays, with the names in JSON.
   *
   * @param options The part to write. `JSON.stringify` passes a string, which is ignored
   * @throws {ModelError} With all issues, if a value does not match its field
   */
  toJSON(options?: WriteOptions | string): Record<string, unknown> {
    const { name, shape } = rulesOf(this.constructor as ModelClass<object>);
    const part = typeof options === "object" ? checkedOptions(options, writeOptions) : undefined;
    return JsonWalker.write(name, shape, this, part) as Record<string, unknown>;
  }
}
