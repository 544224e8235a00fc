/** The reader for documents whose root is a union or a list of models. */
import { checkedOptions } from "../base/checks.ts";
import { describedAs, UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import type { XmlReadOptions } from "../xml/reader.ts";
import type { XmlSource } from "../xml/source.ts";
import { decodeBody, encodeBody, readJson } from "./body.ts";
import { type JsonWriteOptions, jsonWriteOptions, writeJson } from "./json_text.ts";
import { type JsonReadOptions, jsonReadOptions, JsonWalker } from "./json_walker.ts";
import { type BodyModel, modelBrand } from "./model_class.ts";
import { documentRules } from "./plan.ts";
import { modelsOf, type Shape, shapeOf, type TypeInput } from "./value_type.ts";
import { xmlReader } from "./xml/lazy.ts";

/**
 * A document whose root is a union or a list.
 *
 * @typeParam T The type of the document
 *
 * @category XML
 */
export interface Document<T> extends BodyModel<T> {
  /** The shape of the document. */
  readonly shape: Shape;
  /** Reads the document from JSON, like {@linkcode Model.fromJson}. */
  fromJson(json: unknown, options?: JsonReadOptions): T;
  /** Reads the document from XML, like {@linkcode Model.fromXml}. */
  fromXml(xml: XmlSource, options?: XmlReadOptions): Promise<T>;
  /** Writes the document as JSON text, like {@linkcode Model.toJsonString}. */
  toJsonString(value: T, options?: JsonWriteOptions): string;
}

/**
 * Returns a reader for documents whose root is a union or a list of models. It is also a
 * `responseModel` and an `errorModel`.
 *
 * In XML, the elements of a list are the children of the root that have the name of the model, and
 * the root has any other name. `toXml(books, { root: "books" })` writes a list.
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
 * @param type A `union(…)`, a `list(…)` of models or unions, or a model
 * @throws {UnexpectedValueError} If the type is another one
 *
 * @category XML
 */
export function document<T extends object>(type: TypeInput<T>): Document<T> {
  const shape = shapeOf(type);
  const item = shape.kind === "list" ? shape.inner : shape;
  if (item.kind !== "model" && item.kind !== "union") {
    const expected = "a model, a union, or a list of one of these";
    throw new UnexpectedValueError("type", expected, describedAs(`a type for ${item.expected}`));
  }
  const name = () => {
    const names = modelsOf(item).map((model) => model.name).join(" or ");
    return shape.kind === "list" ? `A list of ${names}` : names;
  };
  return {
    get name() {
      return name();
    },
    shape,
    [modelBrand]: { decode: decodeBody, encode: encodeBody },
    fromJson(json, options = {}) {
      const { maxDepth } = checkedOptions(options, jsonReadOptions);
      return readJson(documentRules(name(), shape), json, maxDepth) as T;
    },
    fromXml: async (xml, options = {}) => {
      const { readXmlDocument } = await xmlReader();
      return await readXmlDocument(documentRules(name(), shape), xml, options) as T;
    },
    toJsonString(value, options = {}) {
      checkedOptions(options, jsonWriteOptions);
      return writeJson(name(), JsonWalker.write(name(), shape, value, options), options);
    },
  };
}
