import { DecodeError, type DecodeErrorDetails } from "../errors/decode_error.ts";
import type { RequestSummary } from "../errors/request_summary.ts";
import { ModelError } from "../errors/model_error.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { ValidationError } from "../errors/validation_error.ts";
import { XmlError } from "../errors/xml_error.ts";
import type { Arrival } from "../http/arrival.ts";
import { responseLike } from "../http/response.ts";
import { type Conversion, saysJson } from "./conversion.ts";
import { decodeByModel } from "./decode_by_model.ts";
import type { Face, ResponseCheck } from "./face.ts";
import { requestIdOf } from "./failure.ts";
import { type PreparedRequest, summaryOf } from "./request.ts";
import type { Decoded } from "./response_model.ts";
import { type Trace, withoutTrace } from "./trace.ts";

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
    case "model":
      return { response, body: await arrival.bytes() };
    case "raw or null": {
      const given = hasLength(response) ? arrival.handOver() : await arrival.handOverUnlessEmpty();
      return given === undefined ? { response, body: "" } : { response: given, body: undefined };
    }
    case "raw":
      return { response: arrival.handOver(), body: undefined };
  }
}

/** Hands a received response to the hook (rule 9), then formats it (rule 10). */
export async function deliver(
  received: Received,
  request: PreparedRequest,
  face: Face,
  trace?: Trace,
): Promise<unknown> {
  const { response, body } = face.respErrorCheck === undefined
    ? received
    : await checked(received, request, face.respErrorCheck);
  if (body === undefined) {
    if (trace !== undefined) trace.response = response;
    return response;
  }
  const { conversion } = request;
  const value = conversion.kind === "model"
    ? await modelled(conversion, response, body, request)
    : formatted(response, body, request);
  if (trace !== undefined) {
    const isResponse = value instanceof Response;
    trace.response = isResponse ? value : response;
    trace.body = isResponse ? undefined : body;
  }
  return value;
}

/** What the hook makes of a received response. */
async function checked(
  received: Received,
  request: PreparedRequest,
  respErrorCheck: ResponseCheck,
): Promise<Received> {
  const { response, body } = received;
  if (body === undefined) return received;
  const given = responseLike(response, body);
  const result: unknown = await respErrorCheck(given, withoutTrace(request.options));
  if (!(result instanceof Response)) {
    throw new UnexpectedValueError("_respErrorCheck", "a hook that returns a Response", result);
  }
  // The hook may have read the response that it was given.
  if (result === given) return received;
  if (request.conversion.kind === "raw") return { response: result, body: undefined };
  return { response: result, body: new Uint8Array(await result.arrayBuffer()) };
}

/** What a response becomes, by the request and, for a box, by its content type. */
function formatOf(
  response: Response,
  { conversion, method }: PreparedRequest,
): "raw" | "raw or null" | "json" | "model" | "box" {
  if (conversion.kind !== "box") return conversion.kind;
  if (saysJson(response) || method === "HEAD") return "box";
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
    case "json":
      return parseJson(textOf(body), response, request);
    case "box": {
      const value = parseJson(textOf(body), response, request);
      return conversion.kind === "box" ? conversion.box(value) : value;
    }
    default:
      return responseLike(response, body);
  }
}

/** What the model of a call makes of a body. */
async function modelled(
  { model, format }: Extract<Conversion, { kind: "model" }>,
  response: Response,
  body: Uint8Array<ArrayBuffer> | string,
  request: PreparedRequest,
): Promise<unknown> {
  const { method, url } = summaryOf(request);
  const subject = `the response to ${method} ${url}`;
  const details = () => detailsOf(response, textOf(body), request);
  let decoded: Decoded;
  try {
    decoded = await decodeByModel(model, {
      content: body,
      contentType: response.headers.get("content-type") ?? "",
      format,
      json: () => parseJson(textOf(body), response, request),
    });
  } catch (error) {
    if (!(error instanceof XmlError || error instanceof ModelError)) throw error;
    if (error.cause instanceof SyntaxError) parseJson(textOf(body), response, request);
    throw new DecodeError(`${subject} cannot be read: ${error.message}`, {
      ...details(),
      cause: error,
    });
  }
  if (decoded.kind === "value") return decoded.value;
  throw new ValidationError(subject, { ...details(), issues: decoded.issues });
}

/** Whether the headers tell that there is a body: a length that counts what fetch will give. */
function hasLength({ headers, body }: Response): boolean {
  return body !== null && !headers.has("content-encoding") &&
    Number(headers.get("content-length")) > 0;
}

function textOf(body: Uint8Array<ArrayBuffer> | string): string {
  return typeof body === "string" ? body : new TextDecoder().decode(body);
}

function parseJson(text: string, response: Response, request: PreparedRequest): unknown {
  if (text === "") return null; // no body, or a byte-order mark alone
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new DecodeError(notJson(response, summaryOf(request)), {
      ...detailsOf(response, text, request),
      cause: withoutExcerpt(cause),
    });
  }
}

function detailsOf(response: Response, body: string, request: PreparedRequest): DecodeErrorDetails {
  return {
    response: responseLike(response, body),
    body,
    request: summaryOf(request),
    requestId: requestIdOf(response, request.settings),
  };
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
