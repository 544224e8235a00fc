/** The reader for documents whose root is not a model: a union, a list, or any other type. */
import { checkedOptions } from "../base/checks.ts";
import type { XmlReadOptions } from "../xml/reader.ts";
import type { XmlSource } from "../xml/source.ts";
import { decodeBody, decodeJson, encodeBody, readJson } from "./body.ts";
import { hasPlainInstances } from "./instance.ts";
import { type JsonWriteOptions, jsonWriteOptions, writeJson } from "./json_text.ts";
import { jsonReadOptions, JsonWalker, type WriteOptions } from "./json_walker.ts";
import { type BodyModel, modelBrand } from "./model_class.ts";
import { documentRules } from "./plan.ts";
import { modelsOf, type Shape, shapeOf, type TypeInput } from "./value_type.ts";
import { xmlReader } from "./xml/lazy.ts";

/**
 * A document whose root is not a model.
 *
 * @typeParam T The type of the document
 *
 * @category Models
 */
export interface Document<T> extends BodyModel<T> {
  /** The shape of the document. */
  readonly shape: Shape;
  /** Reads the document from JSON, like {@linkcode Model.fromJson}. */
  fromJson(json: unknown, options?: { readonly maxDepth?: number | null | undefined }): T;
  /**
   * Reads the document from XML, like {@linkcode Model.fromXml}.
   *
   * @throws {UnexpectedValueError} If its type is not a model, a union, or a list of one of these
   */
  fromXml(xml: XmlSource, options?: XmlReadOptions): Promise<T>;
  /** Writes the document as JSON text, like {@linkcode Model.toJsonString}. */
  toJsonString(value: T, options?: JsonWriteOptions): string;
  /**
   * Returns the value that `JSON.stringify` writes, for the request option `json`: objects and arrays,
   * with the names in JSON.
   *
   * @param value The document
   * @param options The part to write
   * @throws {ModelError} With all issues, if a value does not match its type
   */
  toJsonValue(value: T, options?: WriteOptions): unknown;
}

/**
 * Returns a reader for documents whose root is not a model: a union, a list, a record, or any other
 * type. It is also a `responseModel`, and the model of errors.
 *
 * In XML, only a model, a union, or a list of one of these can be a document. The elements of a list
 * are the children of the root that have the name of the model, and the root has any other name.
 * `toXml(books, { root: "books" })` writes a list.
 *
 * @example
 * ```ts
 * import { document, element, model, string, union } from "@restwright/restwright/models";
 *
 * class Result extends model("result", { id: element(string) }) {}
 * class Fault extends model("fault", { reason: element(string) }) {}
 * const Reply = document(union([Result, Fault]));
 *
 * const reply = await Reply.fromXml("<fault><reason>closed</reason></fault>");
 * console.log(reply instanceof Fault ? reply.reason : reply.id); // closed
 * ```
 *
 * @example Only in JSON
 * ```ts
 * import { document, integer, record } from "@restwright/restwright/models";
 *
 * const Counts = document(record(integer));
 * console.log(Counts.fromJson('{"indigo":3}').indigo); // 3
 * ```
 *
 * @param type The type of the root
 *
 * @category Models
 */
export function document<T>(type: TypeInput<T>): Document<T> {
  const shape = shapeOf(type);
  const write = (value: T, options?: WriteOptions) =>
    JsonWalker.write(nameOf(shape), shape, value, options);
  return {
    get name() {
      return nameOf(shape);
    },
    shape,
    [modelBrand]: { decode: decodeBody, decodeJson, encode: encodeBody },
    fromJson(json, options = {}) {
      const { maxDepth } = checkedOptions(options, jsonReadOptions);
      return readJson(documentRules(nameOf(shape), shape), json, maxDepth) as T;
    },
    fromXml: async (xml, options = {}) => {
      const { readXmlDocument } = await xmlReader();
      return await readXmlDocument(documentRules(nameOf(shape), shape), xml, options) as T;
    },
    toJsonString(value, options = {}) {
      const { omitDefaults, only } = checkedOptions(options, jsonWriteOptions);
      return writeJson(nameOf(shape), write(value, { omitDefaults, only }), options);
    },
    toJsonValue: write,
  };
}

/** Returns the name of a document, for errors. */
function nameOf(shape: Shape): string {
  const isList = shape.kind === "list";
  const models = modelsOf(isList ? shape.inner : shape);
  if (models.length > 0 && !models.every(hasPlainInstances)) {
    const names = models.map((model) => model.name).join(" or ");
    return isList ? `A list of ${names}` : names;
  }
  return shape.expected.replace(/^[a-z]/, (letter) => letter.toUpperCase());
}
