// What the pipeline of requests asks of instances. It leads to no XML: a model brings its own.

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
 * Writes an instance as a body of XML.
 *
 * @throws {ModelError} If a value does not fit its field: with every issue
 */
export async function encodeInstance(instance: ModelInstance): Promise<EncodedBody> {
  const { encode } = (instance.constructor as ModelClass<object>)[modelBrand];
  return { content: await encode(instance), type: "application/xml" };
}
