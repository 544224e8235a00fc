import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import {
  type BodyStream,
  contentKinds,
  isFreeStream,
  type RequestBody,
} from "../http/request_body.ts";
import { encodeParams, type Params } from "./params.ts";

/** A raw body: text, bytes, a Blob, a stream, or a function that opens a new stream. */
export type Content =
  | string
  | ArrayBuffer
  | ArrayBufferView<ArrayBuffer>
  | Blob
  | BodyStream
  | (() => BodyStream);

/** The keywords that make the body of a request; only one of them can be given. */
export interface BodyOptions {
  /**
   * Sent as JSON with the content type `application/json`, and shown in the log.
   *
   * @example `{ json: { name: "Ada" } }`
   */
  readonly json?: unknown;
  /**
   * Sent as a form: `application/x-www-form-urlencoded`, or `multipart/form-data` for `FormData`.
   *
   * @example `{ data: { user: "ada", tags: ["a", "b"] } }`
   */
  readonly data?: Params | FormData | undefined;
  /**
   * Sent as it is. A stream can be sent once, so that a request with one is not retried; a function
   * that opens a new stream can be called for each attempt.
   *
   * @example `{ content: () => Deno.openSync("big.bin").readable }`
   */
  readonly content?: Content | undefined;
}

const none: RequestBody = { kind: "none" };

/**
 * Serialises the body of a request, once for all its attempts.
 *
 * @param options The keywords that make it
 * @param method The request's method, in upper case
 * @throws {UnexpectedValueError} Where more than one keyword is given, the method takes no body, or
 * the value cannot be serialised
 */
export function prepareBody(options: BodyOptions, method: string): RequestBody {
  const { json, data, content } = options;
  if (json === undefined && data === undefined && content === undefined) return none;
  const given = (["json", "data", "content"] as const).filter((key) => options[key] !== undefined);
  if (given.length > 1) {
    throw new UnexpectedValueError(given.join(", "), "given one at a time", options);
  }
  const option = given[0]!;
  if (method === "GET" || method === "HEAD") {
    throw new UnexpectedValueError(option, `left out of a ${method} request`, options[option]);
  }
  if (json !== undefined) return prepareJson(json);
  return data === undefined ? prepareContent(content) : prepareData(data);
}

function prepareJson(json: unknown): RequestBody {
  let content: string | undefined;
  let cause: unknown;
  try {
    content = JSON.stringify(json);
  } catch (error) {
    cause = error;
  }
  if (content === undefined) {
    const expected = "a value that JSON can hold (no cycle, bigint, function or symbol)";
    throw new UnexpectedValueError("json", expected, json, cause);
  }
  return { kind: "whole", content, type: "application/json" };
}

function prepareData(data: Params | FormData): RequestBody {
  // fetch writes the content type of FormData, since it chooses the boundary.
  if (data instanceof FormData) return { kind: "whole", content: data };
  const content = encodeParams(data, "data");
  return { kind: "whole", content, type: "application/x-www-form-urlencoded;charset=UTF-8" };
}

function prepareContent(content: unknown): RequestBody {
  if (typeof content === "function") return { kind: "opened", open: content as () => BodyStream };
  if (isWhole(content)) return { kind: "whole", content };
  if (isFreeStream(content)) return { kind: "once", content };
  throw new UnexpectedValueError("content", contentKinds, content);
}

function isWhole(content: unknown): content is string | ArrayBuffer | Blob {
  return typeof content === "string" || content instanceof ArrayBuffer ||
    ArrayBuffer.isView(content) || content instanceof Blob;
}
