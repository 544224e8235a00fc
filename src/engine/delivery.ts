import { DecodeError } from "../errors/decode_error.ts";
import type { RequestSummary } from "../errors/request_summary.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import type { Arrival } from "../http/arrival.ts";
import { responseLike } from "../http/response.ts";
import { saysJson } from "./conversion.ts";
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
  switch (formatOf(response, request)) {
    case "json":
    case "box":
      return { response, body: await arrival.text() };
    case "raw or null":
      // Where its length does not tell that there is a body, it has to be read.
      if (!hasBody(response, request)) return { response, body: await arrival.bytes() };
      return { response: arrival.handOver(), body: undefined };
    case "raw":
      return { response: arrival.handOver(), body: undefined };
  }
}

/** Hands a received response to the hook (rule 9), then formats it (rule 10). */
export async function deliver(
  { response, body }: Received,
  request: PreparedRequest,
  face: Face,
): Promise<unknown> {
  if (body === undefined) return response;
  if (face.respErrorCheck === undefined) return formatted(response, body, request);
  const given = responseLike(response, body as BodyInit);
  const checked: unknown = await face.respErrorCheck(given, request.options);
  if (!(checked instanceof Response)) {
    throw new UnexpectedValueError("_respErrorCheck", "a hook that returns a Response", checked);
  }
  // The hook may have read the response that it was given.
  if (checked === given) return formatted(response, body, request);
  if (request.conversion.kind === "raw") return checked;
  return formatted(checked, new Uint8Array(await checked.arrayBuffer()), request);
}

/** What a response becomes, by the request and, for a box, by its content type. */
function formatOf(
  response: Response,
  { conversion }: PreparedRequest,
): "raw" | "raw or null" | "json" | "box" {
  if (conversion.kind !== "box") return conversion.kind;
  if (saysJson(response)) return "box";
  return conversion.otherwise === "json" ? "json" : "raw or null";
}

/** The value of a response whose body has been read. */
function formatted(
  response: Response,
  body: Uint8Array<ArrayBuffer> | string,
  request: PreparedRequest,
): unknown {
  const { conversion } = request;
  if (conversion.kind !== "raw" && body.length === 0) return null;
  switch (formatOf(response, request)) {
    case "raw":
    case "raw or null":
      return responseLike(response, body);
    case "json":
      return parseJson(textOf(body), response, request);
    case "box": {
      const value = parseJson(textOf(body), response, request);
      return conversion.kind === "box" ? conversion.box(value) : value;
    }
  }
}

/** Whether the headers tell that there is a body: a length that counts what fetch will give. */
function hasBody({ headers, body }: Response, { method }: PreparedRequest): boolean {
  if (body === null || method === "HEAD" || headers.has("content-encoding")) return false;
  return Number(headers.get("content-length")) > 0;
}

function textOf(body: Uint8Array<ArrayBuffer> | string): string {
  return typeof body === "string" ? body : new TextDecoder().decode(body);
}

function parseJson(text: string, response: Response, request: PreparedRequest): unknown {
  if (text === "") return null; // a byte-order mark alone
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
