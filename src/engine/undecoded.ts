import { DecodeError, type DecodeErrorDetails } from "../errors/decode_error.ts";
import { responseLike } from "../http/response.ts";
import { requestIdOf } from "./failure.ts";
import type { PreparedRequest } from "./prepared_request.ts";

/** The error of a body that is no JSON. */
export function notJson(
  cause: unknown,
  text: string,
  response: Response,
  request: PreparedRequest,
): DecodeError {
  const type = response.headers.get("content-type") ?? "no content type";
  return new DecodeError(
    `${subjectOf(request)} is not JSON (status ${response.status}, ${type}); ` +
      "error.body has the text",
    { ...detailsOf(response, text, request), cause: withoutExcerpt(cause) },
  );
}

/** What such an error is about. */
export function subjectOf({ summary: { method, url } }: PreparedRequest): string {
  return `the response to ${method} ${url}`;
}

/** What such an error is made of. */
export function detailsOf(
  response: Response,
  body: string,
  request: PreparedRequest,
): DecodeErrorDetails {
  return {
    response: responseLike(response, body),
    body,
    request: request.summary,
    requestId: requestIdOf(response, request.settings),
  };
}

/** The parser's error without the excerpt of the body that engines put into its message. */
function withoutExcerpt(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  return new SyntaxError(error.message.replace(/["'`][^]*["'`]/, "…"));
}
