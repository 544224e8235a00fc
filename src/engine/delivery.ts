import { DecodeError } from "../errors/decode_error.ts";
import type { RequestSummary } from "../errors/request_summary.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import type { Arrival } from "../http/arrival.ts";
import { responseLike } from "../http/response.ts";
import type { Face } from "./face.ts";
import { type PreparedRequest, summaryOf } from "./request.ts";

/** A response with a success status, its body read as far as the toolkit has to. */
export interface Received {
  /** The response. */
  readonly response: Response;
  /** Its body, where a hook or a conversion needs it. */
  readonly body: Uint8Array<ArrayBuffer> | string | undefined;
}

/**
 * Reads the body where a hook or a conversion needs it.
 *
 * It is read within the attempt, so that a body that breaks off is retried like any failure of the
 * transport.
 */
export async function receive(
  arrival: Arrival,
  request: PreparedRequest,
  face: Face,
): Promise<Received> {
  const { response } = arrival;
  if (face.respErrorCheck !== undefined) return { response, body: await arrival.bytes() };
  if (request.convJson) return { response, body: await arrival.text() };
  return { response: arrival.handOver(), body: undefined };
}

/** Hands a received response to the hook (rule 9), then formats it (rule 10). */
export async function deliver(
  { response, body }: Received,
  request: PreparedRequest,
  face: Face,
): Promise<unknown> {
  if (body === undefined) return response;
  if (typeof body === "string") return parseJson(body, response, request);
  const given = responseLike(response, body);
  const checked: unknown = await face.respErrorCheck?.(given, request.options);
  if (!(checked instanceof Response)) {
    throw new UnexpectedValueError("_respErrorCheck", "a hook that returns a Response", checked);
  }
  // The hook may have read the response that it was given; the caller gets one that is unread.
  const result = checked === given ? responseLike(response, body) : checked;
  return request.convJson ? parseJson(await result.text(), result, request) : result;
}

function parseJson(text: string, response: Response, request: PreparedRequest): unknown {
  if (text === "") return null;
  try {
    return JSON.parse(text);
  } catch (cause) {
    const summary = summaryOf(request);
    throw new DecodeError(notJson(response, summary), {
      response: responseLike(response, text),
      body: text,
      request: summary,
      cause: withoutExcerpt(cause),
    });
  }
}

/** The parser's error without the excerpt of the body that engines put into its message. */
function withoutExcerpt(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  return new SyntaxError(error.message.replace(/["'`][^]*["'`]/, "…"));
}

function notJson(response: Response, { method, url }: RequestSummary): string {
  const type = response.headers.get("content-type") ?? "no content type";
  return `the response to ${method} ${url} is not JSON (status ${response.status}, ${type}); ` +
    `error.body has the text`;
}
