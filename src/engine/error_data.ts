import type { ErrorBody } from "../http/error_body.ts";
import { onDemand } from "../on_demand.ts";
import type { PreparedRequest } from "./prepared_request.ts";
import { checkedModel, type ResponseModel } from "./response_model.ts";

/** What the body of an error response says. */
export interface ErrorData {
  /** What the model made of it. */
  readonly value: unknown;
  /** The model. */
  readonly model: ResponseModel;
}

const models = onDemand(() => import("./decode_by_model.ts"));

/**
 * What the body of an error response says, by the model of its error class or else by that of the
 * call; undefined where there is no model, or the body does not match it.
 *
 * A body that is not what was expected must not hide the error that it came with, nor must a schema
 * that stumbles over it.
 */
export async function errorData(
  errorClass: { readonly name: string; readonly errorModel?: unknown },
  { text, bytes, response }: ErrorBody,
  { settings, options }: PreparedRequest,
): Promise<ErrorData | undefined> {
  const own = errorClass.errorModel;
  const model = own === undefined
    ? settings.errorModel
    : checkedModel(`${errorClass.name}.errorModel`, own);
  if (model === undefined) return undefined;
  try {
    const { decodeByModel } = await models();
    const decoded = await decodeByModel(model, {
      content: bytes,
      contentType: response.headers.get("content-type") ?? "",
      format: options.responseModel === undefined ? undefined : options.responseFormat,
      json: () => text === "" ? null : JSON.parse(text),
    });
    return decoded.kind === "value" ? { value: decoded.value, model } : undefined;
  } catch {
    return undefined;
  }
}
