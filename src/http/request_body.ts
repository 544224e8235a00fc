/**
 * The body of a request as it is sent: opens it for each attempt, and decides if it can be
 * repeated.
 */
import { isUint8Array } from "../base/bytes.ts";
import { hasMethods } from "../base/checks.ts";
import type { HeaderOverrides } from "./headers.ts";
import { streamChunks } from "../base/stream_chunks.ts";
import { UnsupportedOptionError } from "../errors/unsupported_option_error.ts";
import type { StreamSupport } from "./stream_support.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";

/**
 * A raw body that can be sent once. Its chunks are bytes.
 *
 * @category Requests
 */
export type BodyStream = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** A body for fetch. The web calls it `BodyInit`, which the types of Node do not have. */
export type FetchBody = NonNullable<RequestInit["body"]>;

/** The body of a request, ready to be sent. */
export type RequestBody =
  | { readonly kind: "none" }
  | { readonly kind: "whole"; readonly content: FetchBody; readonly type?: string }
  | { readonly kind: "once"; readonly content: BodyStream }
  | {
    readonly kind: "opened";
    readonly open: () => BodyStream;
    readonly type?: string | undefined;
    /** The content type if neither the client nor the call has one. Default: none */
    readonly usualType?: string | undefined;
    /** Returns the whole content, for a browser that cannot send a stream. Default: none */
    readonly toBlob?: (() => Blob) | undefined;
  };

/** A request without a body. */
export const noBody: RequestBody = { kind: "none" };

/** The body of one attempt. It can be opened several times, for redirects and challenges. */
export interface UploadBody {
  /** The error of the caller's stream, or of the function that opens it. */
  readonly failure: { readonly error: unknown } | undefined;
  /** True if a body that can be a stream was opened as a Blob. */
  readonly isWhole: boolean;
  /**
   * Returns the body for fetch.
   *
   * @param support If it can be a stream. Default: "yes"
   */
  open(support?: StreamSupport): FetchBody | undefined;
}

/** Returns the body of one attempt. */
export function uploadBodyOf(body: RequestBody): UploadBody {
  if (body.kind === "once") return new UploadStream(() => body.content);
  if (body.kind === "opened") return new UploadStream(body.open, body.toBlob);
  const open = () => body.kind === "whole" ? body.content : undefined;
  return { failure: undefined, isWhole: false, open };
}

/**
 * Returns the content type that a body has by itself; null for a form, whose type fetch sets together
 * with the boundary; undefined for none.
 */
function typeOf(body: RequestBody): string | null | undefined {
  if (body.kind === "none" || body.kind === "once") return undefined;
  if (body.type !== undefined || body.kind === "opened") return body.type;
  if (body.content instanceof FormData) return null;
  return body.content instanceof Blob ? body.content.type || undefined : undefined;
}

/**
 * Returns the headers of a call with the content type that its body has by itself, if any. It replaces
 * the default of the client, which is a layer below. A type that the call states replaces both, except
 * that of a form without the boundary, which only the body knows. If the call states a media range, the
 * type of the body is sent if it is in the range.
 *
 * @param headers The headers of the call. Null removes the header of the client
 * @param body The body
 */
export function withTypeOf(body: RequestBody, headers: HeaderOverrides): HeaderOverrides {
  const type = typeOf(body);
  const stated = headers["content-type"];
  const range = typeof stated === "string" ? mediaRange.exec(stated) : null;
  if (range !== null && body.kind !== "none") {
    const inRange = type === null ? null : typeInRange(range, type ?? usualTypeOf(body));
    return { ...headers, "content-type": inRange };
  }
  if (type === undefined) return headers;
  if (stated === undefined) return { ...headers, "content-type": type };
  const isForm = type === null || formType.test(type);
  const isIncomplete = isForm && stated !== null && formType.test(stated) &&
    !/;\s*boundary=/i.test(stated);
  return isIncomplete ? { ...headers, "content-type": type } : headers;
}

/** Returns the type with which fetch sends a body that has none. */
function usualTypeOf(body: RequestBody): string | undefined {
  if (body.kind === "opened") return body.usualType;
  const isText = body.kind === "whole" && typeof body.content === "string";
  return isText ? "text/plain;charset=UTF-8" : undefined;
}

/**
 * Returns the type of a body if it is in a media range (RFC 9110 §12.5.1), such as `image/*` or
 * `application/*+json`. Otherwise nothing is known about the body but that it is bytes.
 */
function typeInRange(
  [, start = "", end = ""]: readonly string[],
  type: string | undefined,
): string {
  const essence = (type ?? "").split(";")[0]!.trim().toLowerCase();
  const isInRange = type !== undefined && essence.includes("/") &&
    (start === "" || essence.startsWith(`${start.toLowerCase()}/`)) &&
    essence.endsWith(end.toLowerCase());
  return isInRange ? type : "application/octet-stream";
}

/** A media range, with what is before the slash and after the star. A star of a parameter is none. */
const mediaRange = /^\s*(?:\*|([^\s*;/]+))\/\*([^\s;]*)/;

const formType = /^multipart\/form-data\s*(?:;|$)/i;

/** Reports if a body can be sent again. */
export function isReplayable(body: RequestBody): boolean {
  return body.kind !== "once";
}

/** The accepted types of raw content, for errors. */
export const contentKinds =
  "a string, bytes, a Blob, a stream that is not being read, or a function that opens a stream";

/** Reports if a value is a stream of the web, also that of a package. */
function isReadableStream(content: unknown): content is ReadableStream<Uint8Array> {
  return content instanceof ReadableStream || hasMethods(content, ["cancel", "getReader"]);
}

/** Reports if a value is a stream that nobody reads yet. */
export function isUnlockedStream(content: unknown): content is BodyStream {
  if (isReadableStream(content)) return !content.locked;
  return typeof content === "object" && content !== null && Symbol.asyncIterator in content;
}

/**
 * A body of chunks. It remembers the error of the caller's stream, because fetch rejects with it in
 * ways that look like a failed connection.
 */
class UploadStream implements UploadBody {
  failure: UploadBody["failure"];
  isWhole = false;
  readonly #open: () => unknown;
  readonly #toBlob: (() => Blob) | undefined;

  constructor(open: () => unknown, toBlob?: () => Blob) {
    this.#open = open;
    this.#toBlob = toBlob;
  }

  open(support: StreamSupport = "yes"): FetchBody {
    let chunks: AsyncIterator<Uint8Array>;
    try {
      const blob = support === "yes" ? undefined : this.#blob();
      if (blob !== undefined) return blob;
      if (support === "no") {
        const reason = "this browser cannot send streams; pass text, bytes or a Blob";
        throw new UnsupportedOptionError("content", reason);
      }
      chunks = chunksOf(this.#open());
    } catch (error) {
      this.failure = { error };
      throw error;
    }
    let isCancelled = false;
    return new ReadableStream({
      pull: async (controller) => {
        try {
          const { done, value } = await chunks.next();
          // Fetch cancels the body of a connection that has failed, also while a chunk is read.
          if (isCancelled) return;
          if (done) controller.close();
          else controller.enqueue(ownChunk(value));
        } catch (error) {
          if (!isCancelled) this.failure = { error };
          throw error;
        }
      },
      async cancel(reason) {
        isCancelled = true;
        await chunks.return?.(reason);
      },
    });
  }

  /** Returns the whole content; undefined if it cannot be a Blob, as a form with files on disk. */
  #blob(): Blob | undefined {
    try {
      const blob = this.#toBlob?.();
      this.isWhole ||= blob !== undefined;
      return blob;
    } catch (error) {
      if (error instanceof UnexpectedValueError) return undefined;
      throw error;
    }
  }
}

/**
 * Returns a copy of a chunk, because fetch holds it while the next one is read, and the stream may use
 * its buffer again. Fetch refuses anything else than bytes.
 */
function ownChunk(chunk: Uint8Array): Uint8Array {
  return isUint8Array(chunk) ? new Uint8Array(chunk) : chunk;
}

/**
 * Returns the chunks of a stream.
 *
 * @param content The stream
 * @param option The name of the option in the error
 * @throws {UnexpectedValueError} If it is not a stream, or somebody reads it
 */
export function chunksOf(content: unknown, option = "content"): AsyncIterator<Uint8Array> {
  if (!isUnlockedStream(content)) throw new UnexpectedValueError(option, contentKinds, content);
  // The lock stays, so that a function which returns the same stream for the next attempt is refused.
  return isReadableStream(content) ? streamChunks(content, true) : content[Symbol.asyncIterator]();
}
