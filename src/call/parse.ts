/** Converts a response to the result of its call: JSON, a box, a model, or the response itself. */
import { checkedBoxAttrs } from "../box/box_attrs.ts";
import type { BoxAttrs } from "../box/mod.ts";
import { boxer } from "../box/to_box.ts";
import { checkedFlag } from "../base/checks.ts";
import { isBranded } from "../errors/base_error.ts";
import { DecodeError, type DecodeErrorDetails } from "../errors/decode_error.ts";
import { messageText, requestText } from "../errors/message_text.ts";
import { ModelError } from "../errors/model_error.ts";
import { SessionStateError } from "../errors/session_state_error.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { ValidationError } from "../errors/validation_error.ts";
import { IncomingResponse, textOf } from "../http/incoming_response.ts";
import { LazyResponse } from "../http/lazy_response.ts";
import { toTransportError } from "../http/transport_failure.ts";
import { type BodyFailure, responseLike, withBodyError } from "../http/response.ts";
import type { BodyFormat } from "../models/model_class.ts";
import type { RequestOptions } from "../options/request_options.ts";
import {
  type BufferedResponse,
  type Call,
  type CallContext,
  type ResponseParser,
  withoutContext,
} from "./call.ts";
import {
  checkedModel,
  decodeByModel,
  type Decoded,
  isSchema,
  type ResponseModel,
} from "../content/decode.ts";
import { redactorOf } from "./redact.ts";
import { requestIdOf } from "./retry.ts";

/** How responses are converted if the request options do not say it. */
export interface ConversionDefaults {
  /** True if JSON is converted to a box. */
  readonly box: boolean | undefined;
  /** The settings of boxes. */
  readonly boxAttrs: BoxAttrs | undefined;
  /** True if the body is parsed as JSON. */
  readonly convJson: boolean | undefined;
}

/**
 * Returns the parser for a response: `responseModel` goes before `box`, and `box` before `convJson`.
 *
 * @throws {UnexpectedValueError} If one of these options is not valid
 */
export function parserFor(options: RequestOptions, defaults: ConversionDefaults): ResponseParser {
  const { box = defaults.box, convJson = defaults.convJson, responseFormat, stream } = options;
  if (stream !== undefined) {
    if (options.responseModel === undefined) return rawParser;
    const expected = "left out if stream is passed; pass the model to the stream format";
    throw new UnexpectedValueError("responseModel", expected, options.responseModel);
  }
  const fallback = convJson !== undefined && checkedFlag("convJson", convJson) ? json : rawParser;
  const isBox = box !== undefined && checkedFlag("box", box);
  if (options.boxAttrs !== undefined) checkedBoxAttrs(options.boxAttrs);
  if (options.responseModel !== undefined) {
    const model = checkedModel("responseModel", options.responseModel);
    return modelParser(model!, responseFormat);
  }
  if (!isBox) return fallback;
  const { boxAttrs = defaults.boxAttrs } = options;
  // A copy: the caller may change theirs before the response arrives.
  const attrs = boxAttrs === undefined ? undefined : { ...checkedBoxAttrs(boxAttrs) };
  return boxParser(attrs, json, fallback);
}

/** Looks at a response with a success status (rule 9). */
export type ResponseCheck = (
  response: Response,
  options: RequestOptions,
) => Response | Promise<Response>;

/**
 * Passes a response to the hook `_respErrorCheck` (rule 9), then converts it (rule 10). The result is a
 * promise only if one of them waits.
 *
 * @param received The response
 * @param call The call
 * @param respErrorCheck The hook, if the SDK has one
 * @param context Receives the response for `withResponse` and `asResponse`
 * @param retries The number of retries so far
 */
export function parseResponse(
  received: BufferedResponse,
  call: Call,
  respErrorCheck: ResponseCheck | undefined,
  context: CallContext | undefined,
  retries: number,
): unknown {
  if (respErrorCheck !== undefined) {
    return checkResponse(received, call, respErrorCheck, context, retries)
      .then((checked) => parseResponse(checked, call, undefined, context, retries));
  }
  const { response, body } = received;
  if (context?.takeResponse !== undefined && body === undefined) {
    context.takeResponse(response);
    throw new SessionStateError(
      "asResponse() has taken the response: use its result instead of the promise of the call",
    );
  }
  const converted = body === undefined ? response : call.parser.convert(response, body, call);
  if (context !== undefined) {
    // The box of a body that is not JSON is the response itself.
    const isResponse = converted instanceof Response;
    context.response = isResponse ? converted : response;
    context.body = isResponse ? undefined : body;
    context.url = call.url;
    context.trust = call.settings.trust;
    context.isDiverted = call.isDiverted;
  }
  return converted;
}

/**
 * Calls the hook `_respErrorCheck`, and returns the response that it returned.
 *
 * If the toolkit has not read the body, the hook gets a response whose body is read only if the hook
 * reads it. So a hook does not end streaming.
 */
async function checkResponse(
  { response, body }: BufferedResponse,
  call: Call,
  respErrorCheck: ResponseCheck,
  context: CallContext | undefined,
  retries: number,
): Promise<BufferedResponse> {
  const explain = (error: unknown) => toTransportError(error, { request: call.summary, retries });
  const lazy = body === undefined ? new LazyResponse(response, explain) : undefined;
  const checked = lazy?.response ?? responseLike(response, body!);
  let result: unknown;
  try {
    result = await respErrorCheck(checked, withoutContext(call.options));
    if (!(result instanceof Response)) {
      throw new UnexpectedValueError("_respErrorCheck", "a hook that returns a Response", result);
    }
  } catch (error) {
    lazy?.discard();
    throw error;
  }
  // The hook may have read the response that it got.
  if (result === checked) return { response: lazy?.toResponse() ?? response, body };
  lazy?.discard();
  const parser = context?.takeResponse === undefined ? call.parser : rawParser;
  return await parser.receive(new IncomingResponse(result, undefined, call), call);
}

/** Returns the response itself. */
export const rawParser: ResponseParser = {
  receive: (incoming) => ({ response: incoming.toResponse(), body: undefined }),
  convert: responseLike,
};

/** Parses the body as JSON; null if it is empty. */
const json: ResponseParser = {
  receive: async (incoming) => ({ response: incoming.response, body: await incoming.text() }),
  convert: parseJson,
};

/** A body that has been read. */
type ReadBody = Uint8Array<ArrayBuffer> | string;

/**
 * Parses a body as JSON; null if it is empty, or only a byte-order mark.
 *
 * @throws {DecodeError} If it is not JSON
 */
function parseJson(response: Response, body: ReadBody, call: Call): unknown {
  const text = typeof body === "string" ? body : textOf(body);
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
      { ...detailsOf(response, text, call), cause: new SyntaxError(message) },
    );
  }
}

/** Returns the subject of an error of a body. */
function subjectOf({ summary }: Call): string {
  return `the response to ${requestText(summary)}`;
}

/** Returns the details of an error of a body. */
export function detailsOf(response: Response, read: ReadBody, call: Call): DecodeErrorDetails {
  const body = textOf(read);
  return {
    response: responseLike(response, body),
    body,
    request: call.summary,
    requestId: requestIdOf(response, call.settings),
  };
}

/**
 * Decodes the body with a model.
 *
 * @throws {UnexpectedValueError} If the format is not valid
 */
function modelParser(model: ResponseModel, format: BodyFormat | undefined): ResponseParser {
  if (format !== undefined && format !== "json" && format !== "xml") {
    throw new UnexpectedValueError("responseFormat", '"json" or "xml"', format);
  }
  return {
    // XML can name its encoding itself. A schema decodes JSON, and text is faster to read.
    receive: isSchema(model)
      ? json.receive
      : async (incoming) => ({ response: incoming.response, body: await incoming.bytes() }),
    async convert(response, body, call) {
      const json = () => parseJson(response, body, call);
      let decoded: Decoded;
      try {
        decoded = await decodeByModel(model, { content: body, response, format, json });
      } catch (error) {
        if (!(error instanceof ModelError || isXmlError(error))) throw error;
        if (error.cause instanceof SyntaxError) json();
        throw new DecodeError(`${subjectOf(call)} cannot be read: ${error.message}`, {
          ...detailsOf(response, body, call),
          cause: error,
        });
      }
      if (decoded.issues === undefined) return decoded.value;
      const details = { ...detailsOf(response, body, call), issues: decoded.issues };
      throw new ValidationError(subjectOf(call), details);
    },
  };
}

/** Reports if an error is an XmlError, by its brand: the class is only loaded with the parser. */
export function isXmlError(error: unknown): error is Error {
  return error instanceof Error && isBranded(error.constructor, "XmlError");
}

/**
 * Converts JSON to a box; null if the body is empty.
 *
 * @param attrs The settings of boxes
 * @param json Parses JSON
 * @param fallback Parses a body whose content type is not JSON
 */
export function boxParser(
  attrs: BoxAttrs | undefined,
  json: ResponseParser,
  fallback: ResponseParser,
): ResponseParser {
  const box = boxer(attrs);
  return {
    async receive(incoming, call) {
      const { response } = incoming;
      if (fallback === json || isBoxed(response, call)) return await json.receive(incoming, call);
      const result = hasLength(response)
        ? incoming.toResponse()
        : await unlessEmpty(incoming.toResponse());
      return result === undefined ? { response, body: "" } : { response: result, body: undefined };
    },
    convert(response, body, call) {
      if (body.length === 0) return null;
      return isBoxed(response, call)
        ? box(json.convert(response, body, call))
        : fallback.convert(response, body, call);
    },
  };
}

/**
 * Reports if a response is converted to a box: its content type is JSON, with any parameters
 * (RFC 9110 §8.3.1), or it is the response to a HEAD, which has no body and becomes null.
 */
function isBoxed({ headers }: Response, { method }: Call): boolean {
  const type = headers.get("content-type") ?? "";
  return method === "HEAD" || /^\s*application\/json\s*(?:;|$)/i.test(type);
}

/** Reports if the headers show that there is a body: with a length that no encoding changes. */
function hasLength({ headers, body }: Response): boolean {
  return body !== null && !headers.has("content-encoding") &&
    Number(headers.get("content-length")) > 0;
}

/** Returns a response for the caller; undefined if its body is empty. */
async function unlessEmpty(response: Response): Promise<Response | undefined> {
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = response.body?.getReader();
  if (reader === undefined) return undefined;
  let first = await reader.read();
  while (first.value?.length === 0) first = await reader.read();
  if (first.done) return undefined;
  const firstChunk = first.value;
  const failure: BodyFailure = {};
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(firstChunk),
    async pull(controller) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        failure.reason = { error };
        throw error;
      });
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  }, { highWaterMark: 0 });
  return withBodyError(responseLike(response, body), failure);
}
