import { decodeByModel } from "./decode_by_model.ts";
import type { ErrorData, StatusFailure } from "./failure.ts";
import type { PreparedRequest } from "./request.ts";
import { checkedModel, type ResponseModel } from "./response_model.ts";

/**
 * What the body of an error response says, by the model of its error class or else by that of the
 * call; undefined where there is no model, or the body does not match it.
 *
 * A body that is not what was expected must not hide the error that it came with, nor must a schema
 * that stumbles over it.
 */
export async function errorData(
  { errorClass, body: { text, bytes, response } }: StatusFailure,
  { settings, conversion }: PreparedRequest,
): Promise<ErrorData | undefined> {
  const own: unknown = errorClass.errorModel;
  const model: ResponseModel | undefined = own === undefined
    ? settings.errorModel
    : checkedModel(`${errorClass.name}.errorModel`, own);
  if (model === undefined) return undefined;
  try {
    const decoded = await decodeByModel(model, {
      content: bytes,
      contentType: response.headers.get("content-type") ?? "",
      format: conversion.kind === "model" ? conversion.format : undefined,
      json: () => text === "" ? null : JSON.parse(text),
    });
    return decoded.kind === "value" ? { value: decoded.value, model } : undefined;
  } catch {
    return undefined;
  }
}
