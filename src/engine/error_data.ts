import type { ErrorBody } from "../http/error_body.ts";
import { decodeByModel } from "./decode_by_model.ts";
import type { PreparedRequest } from "./prepared_request.ts";
import type { ResponseModel } from "./response_model.ts";

/**
 * Decodes the body of an error response.
 *
 * @param body The body
 * @param model The model, of its error class or else of the call
 * @param request The request
 * @returns What the model made of it; undefined where the body does not match
 * @throws What decoding it throws
 */
export async function decodeError(
  { text, bytes, response }: ErrorBody,
  model: ResponseModel,
  { options }: PreparedRequest,
): Promise<{ readonly value: unknown } | undefined> {
  const decoded = await decodeByModel(model, {
    content: bytes,
    response,
    format: options.responseModel === undefined ? undefined : options.responseFormat,
    json: () => text === "" ? null : JSON.parse(text),
  });
  return decoded.issues === undefined ? decoded : undefined;
}
