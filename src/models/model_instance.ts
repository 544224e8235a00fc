// What the pipeline of requests asks of instances. It leads to no XML: a model brings its own.

import { withPart } from "../on_demand.ts";
import { isModelClass, modelBrand, type ModelClass } from "./model_class.ts";

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
