// What the pipeline of requests asks of models. It leads to no XML: a model brings its own.

import { withPart } from "../on_demand.ts";
import { type BodyFormat, isModelClass, modelBrand, type ModelClass } from "./model_class.ts";

/** What the body of a response becomes: an instance of a model, or a list of them. */
export type ModelTarget = ModelClass<object> | readonly [ModelClass<object>];

/** What a target gives. */
export type Decoded<M> = M extends ModelClass<infer T> ? T
  : M extends readonly [ModelClass<infer T>] ? T[]
  : never;

/** Whether a value is a model class, or one in an array. */
export function isModelTarget(value: unknown): value is ModelTarget {
  return isModelClass(Array.isArray(value) && value.length === 1 ? value[0] : value);
}

/**
 * Decodes the body of a response: by its content type, or by a format where that lies.
 *
 * @param target The model, or the model in an array
 * @param body The body
 * @param contentType The content type; empty where there is none
 * @param format What the body is, whatever the content type says
 * @throws {ModelError} Where it is neither JSON nor XML, or does not fit: with every issue
 * @throws {XmlError} Where it is XML that is not well-formed, or not what is allowed
 */
export async function decodeTarget<M extends ModelTarget>(
  target: M,
  body: string | Uint8Array,
  contentType: string,
  format?: BodyFormat,
): Promise<Decoded<M>> {
  const isList = Array.isArray(target);
  const model = (isList ? target[0] : target) as ModelClass<object>;
  return await model[modelBrand].decode(model, isList, body, contentType, format) as Decoded<M>;
}

/** An instance of a model, of this copy of the toolkit or of another. */
export interface ModelInstance {
  /** Writes it as a text of JSON. */
  toJson(): string;
  /** What `JSON.stringify` writes. */
  toJSON(): Record<string, unknown>;
}

/** Whether a value is an instance of a model. */
export function isModelInstance(value: unknown): value is ModelInstance {
  return typeof value === "object" && value !== null && isModelClass(value.constructor);
}

/** The body that an instance is sent as, and its content type. */
export interface EncodedBody {
  readonly content: string;
  readonly type: string;
}

/**
 * An instance as a body of XML that is to be sent; a promise where what writes it is loaded first.
 *
 * @throws {ModelError} Where a value is not what its field says: with every issue
 */
export function encodeInstance(instance: ModelInstance): EncodedBody | Promise<EncodedBody> {
  const { encode } = (instance.constructor as ModelClass<object>)[modelBrand];
  return withPart(encode(instance), (content) => ({ content, type: "application/xml" }));
}
