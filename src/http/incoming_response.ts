/** Reads the body of a response within its limits, or hands the response to the caller. */
import { readerOf } from "#transport";
import { type Clock, systemClock } from "../base/clock.ts";
import { mediaTypeOf } from "../base/media_type.ts";
import type { RequestSummary } from "../errors/message_text.ts";
import { ResponseTooLargeError } from "../errors/response_too_large_error.ts";
import type { ChunkReader, Idle, IdleTimer } from "./idle_timer.ts";
import { isFromNetwork, responseLike } from "./response.ts";

/** The part of an abort scope that concerns the reading of a body. */
export interface BodyScope extends Idle {
  /** The reason why the attempt has ended: the call has been aborted, or there was no data. */
  readonly ended: { readonly reason: unknown } | undefined;
  /** The timer of the attempt, if it has an idle timeout. */
  readonly idleTimer: IdleTimer | undefined;
  /** Seconds that the call may take; undefined for no limit. */
  readonly deadline: number | undefined;
  /** Begins to read a body. */
  startReading(reader: ChunkReader): void;
  /** Ends the attempt, or the reading of its body. */
  release(): void;
  /** Returns a response for the caller to read. Its body fails when the call is aborted. */
  toResponse(response: Response): Response;
}

/** The most bytes of an error's body that are kept: 1 MiB. */
export const ERROR_BODY_LIMIT = 2 ** 20;

/** The most seconds to wait for an error's body, if the call has neither a timeout nor a deadline. */
export const ERROR_BODY_SECONDS = 30;

/** The seconds of them that the runtime's own clock measures. */
const FIRST_SECONDS = 1;

/**
 * A response with its body.
 *
 * @typeParam B The type of the body
 */
export interface ReadResponse<B> {
  /** The response. */
  readonly response: Response;
  /** The body. */
  readonly body: B;
}

/** The body of an error response, at most 1 MiB of it. */
export interface ErrorBody {
  /** The text, decoded with the charset of the content type. */
  readonly text: string;
  /** The bytes, because a format such as XML can name its encoding itself. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** A response like the original one, with a body that can be read again. */
  readonly response: Response;
}

/** The default limit for the bodies that the toolkit reads, in bytes: 256 MiB. */
export const DEFAULT_MAX_RESPONSE_BYTES: number = 2 ** 28;

/** The call of a response, as far as reading its body needs it. */
export interface BodyLimit {
  /** The settings. */
  readonly settings: { readonly maxResponseBytes: number | null; readonly clock: Clock };
  /** The request for errors. */
  readonly summary: RequestSummary;
}

/**
 * A response whose headers have arrived. The toolkit reads its body, or hands the response to the
 * caller: one of them, once.
 *
 * The toolkit reads the chunks directly. A response for the caller needs a new body if the call can
 * be aborted, which costs four times as much.
 */
export class IncomingResponse {
  /** The response as the transport returned it. */
  readonly response: Response;
  readonly #scope: BodyScope | undefined;
  readonly #call: BodyLimit | undefined;
  /** The limit in bytes. */
  readonly #limit: number;
  /** The reader of the body while it is read. */
  #reader: ChunkReader | undefined;

  /**
   * @param response The response as the transport returned it
   * @param scope Aborts the call, if anything can
   * @param call The call with the limit for the body. Default: no limit
   */
  constructor(response: Response, scope: BodyScope | undefined, call?: BodyLimit) {
    this.response = response;
    this.#scope = scope;
    this.#call = call;
    this.#limit = call?.settings.maxResponseBytes ?? Infinity;
  }

  /** Returns the response for the caller. */
  toResponse(): Response {
    return this.#scope?.toResponse(this.response) ?? this.response;
  }

  /**
   * Reads the body: as text if it is UTF-8, and as bytes if its content type names another charset, so
   * that a copy of the response has the same bytes.
   *
   * @throws {ResponseTooLargeError} If the body is longer than the limit
   */
  async readText(): Promise<ReadResponse<string | Uint8Array<ArrayBuffer>>> {
    const { response } = this;
    if (mediaTypeOf(response.headers.get("content-type")).encoding !== "utf-8") {
      return await this.readBytes();
    }
    if (this.#scope === undefined && this.#needsNoCount()) {
      return { response, body: await response.text() };
    }
    const chunks: Uint8Array[] = [];
    if (await this.read(this.#limit + 1, chunks) > this.#limit) this.#refuse();
    return {
      response,
      body: utf8Decoder().decode(chunks.length === 1 ? chunks[0] : joined(chunks)),
    };
  }

  /**
   * Reads the body.
   *
   * @throws {ResponseTooLargeError} If the body is longer than the limit
   */
  async readBytes(): Promise<ReadResponse<Uint8Array<ArrayBuffer>>> {
    const { response } = this;
    if (this.#scope === undefined && this.#needsNoCount()) {
      return { response, body: new Uint8Array(await response.arrayBuffer()) };
    }
    const chunks: Uint8Array[] = [];
    if (await this.read(this.#limit + 1, chunks) > this.#limit) this.#refuse();
    return { response, body: joined(chunks) };
  }

  #refuse(): never {
    throw new ResponseTooLargeError(this.#limit, this.response.status, this.#call?.summary);
  }

  /**
   * Reports if the body can be read in one step, which is faster, but cannot stop at the limit. HTTP
   * ends the body of a network response at its Content-Length, unless the body is sent in chunks (RFC
   * 9112 §6.3). In any other response, the header is only a claim, and the body may be a stream.
   */
  #needsNoCount(): boolean {
    const limit = this.#limit;
    if (limit === Infinity) return true;
    const { headers } = this.response; // on Bun, reading the property takes time
    const length = headers.get("content-length");
    return length !== null && Number(length) <= limit && !headers.has("content-encoding") &&
      !headers.has("transfer-encoding") && isFromNetwork(this.response);
  }

  /**
   * Reads the body of an error. If it breaks off, or does not end in time, the part that arrived is
   * returned.
   */
  async errorBody(): Promise<ErrorBody> {
    const { response } = this;
    const chunks: Uint8Array[] = [];
    // The status is the error to throw.
    const reading = this.read(ERROR_BODY_LIMIT, chunks).then(ignore, ignore);
    const isLimited = this.#scope?.idleTimer !== undefined || this.#scope?.deadline !== undefined;
    if (response.body === null || isLimited) await reading;
    else await this.#endInTime(reading);
    const all = joined(chunks);
    const bytes = all.length > ERROR_BODY_LIMIT ? all.subarray(0, ERROR_BODY_LIMIT) : all;
    const text = textWithCharset(bytes, response);
    return { text, bytes, response: responseLike(response, bytes) };
  }

  /** Waits until the body has been read, and cancels it after {@linkcode ERROR_BODY_SECONDS}. */
  async #endInTime(reading: Promise<void>): Promise<void> {
    const { clock } = this.#call?.settings ?? { clock: systemClock };
    const end = () => void this.#reader?.cancel().catch(ignore);
    // So the clock of a test has no timer for a body that arrives, however slow the machine is.
    let stop = systemClock.after(FIRST_SECONDS, () => {
      stop = clock.after(ERROR_BODY_SECONDS - FIRST_SECONDS, end);
    });
    await reading;
    stop();
  }

  /**
   * Reads the body, and cancels what is beyond the limit, so that the connection is free.
   *
   * @param limit The number of bytes after which reading stops
   * @param chunks Receives the chunks, also those before an error. The last one may go beyond the
   * limit
   * @returns The number of bytes that were read
   */
  async read(limit: number, chunks: Uint8Array[]): Promise<number> {
    const { response } = this;
    const scope = this.#scope;
    let length = 0;
    if (response.body === null) {
      scope?.release();
      return length;
    }
    const reader = this.#reader = readerOf(response, response.body);
    scope?.startReading(reader);
    let isDone = false;
    try {
      // Without a method for each chunk, which would cost 1 µs on Bun.
      while (length < limit) {
        if (scope?.ended) break;
        scope?.idleTimer?.start(scope);
        const { done, value } = await reader.read();
        scope?.idleTimer?.stop(scope);
        isDone = done;
        if (done) break;
        length += value!.length;
        chunks.push(value!);
      }
    } catch (error) {
      throw scope?.ended ? scope.ended.reason : error;
    } finally {
      scope?.idleTimer?.stop(scope);
      scope?.release();
      if (!isDone) reader.cancel().catch(() => {});
    }
    if (scope?.ended) throw scope.ended.reason;
    return length;
  }
}

function ignore(): void {}

/** Returns the chunks as one array. */
export function joined(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

let utf8: TextDecoder | undefined;

/** Returns the decoder of UTF-8, which an import cannot create in every test environment. */
function utf8Decoder(): TextDecoder {
  return utf8 ??= new TextDecoder();
}

/** Returns the body of a response as text, decoded with the charset of its content type. */
export function textWithCharset(
  body: Uint8Array<ArrayBuffer> | string,
  { headers }: Response,
): string {
  if (typeof body === "string") return body;
  const { encoding } = mediaTypeOf(headers.get("content-type"));
  return (encoding === "utf-8" ? utf8Decoder() : new TextDecoder(encoding)).decode(body);
}
