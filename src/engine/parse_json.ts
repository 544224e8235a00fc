import { DecodeError, type DecodeErrorDetails } from "../errors/decode_error.ts";
import { messageText } from "../errors/message_text.ts";
import { requestText } from "../errors/request_summary.ts";
import { textOf } from "../http/incoming_response.ts";
import { responseLike } from "../http/response.ts";
import type { PreparedRequest } from "./prepared_request.ts";
import { requestIdOf } from "./request_id.ts";

/** A body that has been read. */
type ReadBody = Uint8Array<ArrayBuffer> | string;

/**
 * Parses a body from JSON; null where it is empty, or a byte-order mark alone.
 *
 * @throws {DecodeError} Where it is none
 */
export function parseJson(response: Response, body: ReadBody, request: PreparedRequest): unknown {
  const text = textOf(body);
  if (text === "") return null;
  try {
    return JSON.parse(text);
  } catch (error) {
    const type = messageText(response.headers.get("content-type") ?? "no content type");
    // Engines put an excerpt of the body into the message of the parser's error.
    const message = (error as SyntaxError).message.replace(/["'`][^]*["'`]/, "…");
    throw new DecodeError(
      `${subjectOf(request)} is not JSON (status ${response.status}, ${type}); ` +
        "error.body has the text",
      { ...detailsOf(response, text, request), cause: new SyntaxError(message) },
    );
  }
}

/** What the error of a body is about that is not what was expected. */
export function subjectOf({ summary }: PreparedRequest): string {
  return `the response to ${requestText(summary)}`;
}

/** What such an error is made of. */
export function detailsOf(
  response: Response,
  given: ReadBody,
  request: PreparedRequest,
): DecodeErrorDetails {
  const body = textOf(given);
  return {
    response: responseLike(response, body),
    body,
    request: request.summary,
    requestId: requestIdOf(response, request.settings),
  };
}
