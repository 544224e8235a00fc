import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { encodeParams, type Params } from "./params.ts";

/** A raw body that can be sent once: its chunks are bytes. */
export type BodyStream = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

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

/** The body of a request, ready to be sent. */
export type PreparedBody =
  | { readonly kind: "none" }
  | { readonly kind: "whole"; readonly content: BodyInit; readonly type?: string }
  | { readonly kind: "once"; readonly content: ReadableStream<Uint8Array> }
  | { readonly kind: "opened"; readonly open: () => BodyStream };

const none: PreparedBody = { kind: "none" };

/**
 * Serialises the body of a request, once for all its attempts.
 *
 * @param options The keywords that make it
 * @param method The request's method, in upper case
 * @throws {UnexpectedValueError} Where more than one keyword is given, the method takes no body, or
 * the value cannot be serialised
 */
export function prepareBody(options: BodyOptions, method: string): PreparedBody {
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

function prepareJson(json: unknown): PreparedBody {
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

function prepareData(data: Params | FormData): PreparedBody {
  // fetch writes the content type of FormData, since it chooses the boundary.
  if (data instanceof FormData) return { kind: "whole", content: data };
  const content = encodeParams(data, "data");
  return { kind: "whole", content, type: "application/x-www-form-urlencoded;charset=UTF-8" };
}

function prepareContent(content: unknown): PreparedBody {
  if (typeof content === "function") return { kind: "opened", open: content as () => BodyStream };
  if (isWhole(content)) return { kind: "whole", content };
  return { kind: "once", content: toStream(content, "content") };
}

function isWhole(content: unknown): content is string | ArrayBuffer | Blob {
  return typeof content === "string" || content instanceof ArrayBuffer ||
    ArrayBuffer.isView(content) || content instanceof Blob;
}

/** The body for one attempt. */
export function openBody(body: PreparedBody): BodyInit | undefined {
  switch (body.kind) {
    case "none":
      return undefined;
    case "opened":
      return toStream(body.open(), "content");
    default:
      return body.content;
  }
}

function toStream(content: unknown, option: string): ReadableStream<Uint8Array> {
  if (content instanceof ReadableStream) {
    if (!content.locked) return content;
  } else if (isAsyncIterable(content)) {
    return streamOf(content);
  }
  throw new UnexpectedValueError(
    option,
    "a text, bytes, a Blob, a stream that nobody reads yet, or a function that opens one",
    content,
  );
}

function isAsyncIterable(content: unknown): content is AsyncIterable<Uint8Array> {
  return typeof content === "object" && content !== null && Symbol.asyncIterator in content;
}

/** `ReadableStream.from`, which not every browser has. */
function streamOf(chunks: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel(reason) {
      await iterator.return?.(reason);
    },
  });
}
