/** The format of the option `convJson`: JSON. */
import { DecodeError, type DecodeErrorDetails } from "../../errors/decode_error.ts";
import { messageText, requestText } from "../../errors/message_text.ts";
import { textWithCharset } from "../../http/incoming_response.ts";
import { responseLike } from "../../http/response.ts";
import type { Call, Format, ReadBody } from "../call.ts";
import { redactorOf } from "../redact.ts";
import { requestIdOf } from "../response_error.ts";

/** Parses the body as JSON; null if it is empty. */
export const parsedFormat: Format = {
  defaultHeaders: { accept: "application/json" },
  receive: (incoming) => incoming.readText(),
  convert: ({ response, body }, { call }) => parseJson(response, body!, call),
};

/**
 * Parses a body as JSON; null if it is empty, or only a byte-order mark.
 *
 * @throws {DecodeError} If it is not JSON
 */
export function parseJson(response: Response, body: ReadBody, call: Call): unknown {
  const text = textWithCharset(body, response);
  if (text === "") return null;
  try {
    return JSON.parse(text);
  } catch (error) {
    const type = response.headers.get("content-type");
    const shownType = type === null ? "no content type" : messageText(redactorOf(call)(type));
    // The message of the parser contains a part of the body.
    const message = (error as SyntaxError).message.replace(/["'`][^]*["'`]/, "…");
    throw new DecodeError(
      `${subjectOf(call)} is not JSON (status ${response.status}, ${shownType}); ` +
        "error.body has the text",
      { ...detailsOf(response, body, call), cause: new SyntaxError(message) },
    );
  }
}

/** Returns the subject of an error of a body. */
export function subjectOf({ summary }: Call): string {
  return `the response to ${requestText(summary)}`;
}

/** Returns the details of an error of a body. */
export function detailsOf(response: Response, read: ReadBody, call: Call): DecodeErrorDetails {
  return {
    response: responseLike(response, read),
    body: textWithCharset(read, response),
    request: call.summary,
    requestId: requestIdOf(response, call.settings),
  };
}
