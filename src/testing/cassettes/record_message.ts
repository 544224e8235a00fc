/**
 * Converts requests and responses to their recorded form, and copies bodies while they are sent.
 */
import { mediaTypeOf } from "../../base/media_type.ts";
import { joined } from "../../http/incoming_response.ts";
import { chunksOf, type FetchBody } from "../../http/request_body.ts";
import { responseLike, withBodyError } from "../../http/response.ts";
import type { TransportInit } from "../../http/transport.ts";
import { recordedBody } from "./body_format.ts";
import type { RecordedHeaders, RecordedRequest, RecordedResponse } from "./cassette_data.ts";
import { decodeContent } from "./content_coding.ts";

/** Headers of one connection or of one machine, which are not recorded. */
const leftOut: ReadonlySet<string> = new Set([
  "alt-svc",
  "connection",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Headers of requests that differ from run to run, and are not recorded either. */
const leftOutOfRequests: ReadonlySet<string> = new Set([
  "content-encoding",
  "content-length",
  "host",
  "user-agent",
]);

/** The parts of a message to record. */
export interface MessageParts {
  /** The names and values of the headers. A name may be repeated. */
  readonly headers: Iterable<readonly [string, string]>;
  /** The body as it was sent. */
  readonly bytes: Uint8Array;
  /** True if fetch may have decoded the body already. */
  readonly isFetched: boolean;
}

/** Returns the recorded form of a request. */
export async function recordedRequest(
  method: string,
  url: string,
  { headers, bytes, isFetched }: MessageParts,
): Promise<RecordedRequest> {
  const all = groupedHeaders(headers);
  const content = await decodeContent(bytes, textOf(all["content-encoding"]), isFetched);
  const type = textOf(all["content-type"]);
  const fields = Object.entries(all).filter(([name]) => !leftOutOfRequests.has(name));
  const body = recordedBody(content, type);
  const shown = Object.fromEntries(fields);
  // The boundary of a form is a new one each time.
  if (body.parts !== undefined) shown["content-type"] = "multipart/form-data";
  return { method, url: url.replace(/#[^]*/, ""), headers: shown, ...body };
}

/** Returns the recorded form of a response. Its body is decoded. */
export async function recordedResponse(
  { status, statusText, url }: Pick<RecordedResponse, "status" | "statusText" | "url">,
  { headers, bytes, isFetched }: MessageParts,
): Promise<RecordedResponse> {
  const { "content-encoding": coding, ...all } = groupedHeaders(headers);
  const content = await decodeContent(bytes, textOf(coding), isFetched);
  const isEmpty = bytes.length === 0;
  const isExact = Object.keys(all).some((name) => /digest$|^content-md5$/.test(name));
  const fields = Object.entries(all).filter(([name]) => name !== "date" || hasDate(all))
    // The length of an encoded body is not that of the recorded one.
    .filter(([name]) => name !== "content-length" || coding === undefined || isEmpty)
    .map((
      [name, value],
    ) => [name, name === "content-length" && !isEmpty ? length(content) : value]);
  return {
    status,
    ...(statusText && { statusText }),
    ...(url !== undefined && { url }),
    headers: {
      ...Object.fromEntries(fields),
      // The length and the coding describe the body of a GET.
      ...(isEmpty && coding !== undefined && { "content-encoding": coding }),
    },
    ...recordedBody(content, textOf(all["content-type"]), isExact),
  };
}

/**
 * Returns the headers of text that another tool has decoded, and that is recorded in UTF-8. The content
 * type, or else an XML declaration, may name the charset that it had.
 */
export function utf8Headers(
  headers: readonly [string, string][],
  text: string,
): [string, string][] {
  // ASCII is the same in all charsets of the web except UTF-16, which is hardly used.
  const isSame = /^\p{ASCII}*$/u.test(text);
  return headers.map(([name, value]) => {
    if (isSame || name.toLowerCase() !== "content-type") return [name, value];
    const named = value.replace(/(;\s*charset\s*=\s*)(?:"[^"]*"|[^;\s]*)/i, "$1utf-8");
    const isUnnamed = !/;\s*charset\s*=/i.test(value) && /^\s*<\?xml[^>]*\sencoding/.test(text);
    return [name, isUnnamed ? `${value}; charset=utf-8` : named];
  });
}

function length(bytes: Uint8Array): string {
  return String(bytes.length);
}

/** Reports if a header other than `date` has a date, or an age that is relative to it. */
function hasDate({ date: _, ...headers }: RecordedHeaders): boolean {
  return Object.values(headers).flat().some((value) =>
    /\b\d\d (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:/.test(value)
  );
}

function groupedHeaders(
  headers: Iterable<readonly [string, string]>,
): Record<string, string | string[]> {
  const grouped: Record<string, string | string[]> = {};
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    if (leftOut.has(key)) continue;
    const known = grouped[key];
    // Cookies are a list, so that one more does not change the others.
    if (known === undefined) grouped[key] = key === "set-cookie" ? [value] : value;
    else grouped[key] = [known, value].flat();
  }
  return grouped;
}

function textOf(value: string | readonly string[] | undefined): string | undefined {
  return value === undefined || typeof value === "string" ? value : value.join(", ");
}

/** A body that is sent and recorded. */
export interface CopiedBody {
  /** The body to send. */
  readonly body: FetchBody | undefined;
  /** The content type that fetch adds; undefined if the headers have one. */
  readonly type: string | undefined;
  /** Returns the bytes that were sent. */
  bytes(): Promise<Uint8Array>;
}

/** Returns a body to send, which can be read as well. A stream is copied while it is sent. */
export function copiedBody({ body, headers }: TransportInit): CopiedBody {
  if (body === undefined || body === null) {
    return { body: undefined, type: undefined, bytes: () => Promise.resolve(new Uint8Array()) };
  }
  if (body instanceof ReadableStream) {
    const chunks: Uint8Array[] = [];
    const copied = copyStream(body, (chunk) => void chunks.push(chunk));
    return { body: copied, type: undefined, bytes: () => Promise.resolve(joined(chunks)) };
  }
  // Copied, because a form has another boundary each time.
  const copy = new Response(body as BodyInit);
  const isForm = body instanceof FormData;
  // Runtimes differ in the type of a plain string.
  const type = typeof body === "string" ? undefined : copy.headers.get("content-type");
  return {
    body,
    type: headers["content-type"] === undefined || isForm ? type ?? undefined : undefined,
    bytes: async () => new Uint8Array(await copy.arrayBuffer()),
  };
}

/** A response whose body is recorded while it is read. */
export interface CopiedResponse {
  /** The response for the caller. */
  readonly response: Response;
  /** Reads the rest of the body if nobody has begun to read it. Otherwise it is cancelled. */
  finish(): Promise<void>;
  /** The part of the body that was read; undefined if reading it has failed. */
  bytes(): Uint8Array | undefined;
}

/** Returns a response whose body is recorded while it is read. */
export function copiedResponse(response: Response): CopiedResponse {
  const chunks: Uint8Array[] = [];
  const bytes = () => joined(chunks);
  const { body } = response;
  if (body === null) return { response, finish: () => Promise.resolve(), bytes };
  const failure: { reason?: { readonly error: unknown } } = {};
  let state: "unread" | "reading" | "done" = "unread";
  const reader = body.getReader();
  const copy = new ReadableStream<Uint8Array>({
    async pull(controller) {
      state = "reading";
      try {
        const { done, value } = await reader.read();
        if (done) {
          state = "done";
          return controller.close();
        }
        chunks.push(value.slice());
        controller.enqueue(value);
      } catch (error) {
        state = "done";
        failure.reason = { error };
        throw error;
      }
    },
    async cancel(reason) {
      state = "done";
      await reader.cancel(reason);
    },
  }, { highWaterMark: 0 });
  const { essence } = mediaTypeOf(response.headers.get("content-type"));
  const isEndless = essence === "text/event-stream";
  return {
    response: withBodyError(responseLike(response, copy), failure),
    async finish() {
      if (state === "done") return;
      const isUnread = state === "unread" && !isEndless;
      state = "done";
      try {
        while (isUnread) {
          const { done, value } = await reader.read();
          if (done) return;
          chunks.push(value.slice());
        }
        reader.cancel().catch(() => {});
      } catch (error) {
        failure.reason = { error };
      }
    },
    bytes: () => failure.reason === undefined ? bytes() : undefined,
  };
}

/** Returns a stream that reports the chunks of another one. */
function copyStream(
  stream: ReadableStream<Uint8Array>,
  onChunk: (chunk: Uint8Array) => void,
): ReadableStream<Uint8Array> {
  const chunks = chunksOf(stream);
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) return controller.close();
      onChunk(value.slice());
      controller.enqueue(value);
    },
    async cancel(reason) {
      await chunks.return?.(reason);
    },
  }, { highWaterMark: 0 });
}
