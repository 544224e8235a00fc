import { readerOf } from "#transport";
import type { ChunkReader, Idle, IdleTimer } from "./idle_timer.ts";
import { responseLike } from "./response.ts";

/** The part of an abort scope that concerns the reading of a body. */
export interface BodyScope extends Idle {
  /** The reason why the attempt has ended: the call has been aborted, or there was no data. */
  readonly ended: { readonly reason: unknown } | undefined;
  /** The timer of the attempt, if it has an idle timeout. */
  readonly idleTimer: IdleTimer | undefined;
  /** Begins to read a body. */
  startReading(reader: ChunkReader): void;
  /** Ends the attempt, or the reading of its body. */
  release(): void;
  /** Returns a response for the caller to read. Its body fails when the call is aborted. */
  toResponse(response: Response): Response;
}

/** The most bytes of an error's body that are kept: 1 MiB. */
export const ERROR_BODY_LIMIT = 2 ** 20;

/** The body of an error response, at most 1 MiB of it. */
export interface ErrorBody {
  /** The text, decoded with the charset of the content type. */
  readonly text: string;
  /** The bytes, because a format such as XML can name its encoding itself. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** A response like the original one, with a body that can be read again. */
  readonly response: Response;
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

  /**
   * @param response The response as the transport returned it
   * @param scope Aborts the call, if anything can
   */
  constructor(response: Response, scope: BodyScope | undefined) {
    this.response = response;
    this.#scope = scope;
  }

  /** Returns the response for the caller. */
  toResponse(): Response {
    return this.#scope?.toResponse(this.response) ?? this.response;
  }

  /** Reads the body as UTF-8 text. */
  async text(): Promise<string> {
    if (this.#scope === undefined) return await this.response.text();
    const chunks: Uint8Array[] = [];
    await this.read(Infinity, chunks);
    return utf8.decode(chunks.length === 1 ? chunks[0] : joined(chunks));
  }

  /** Reads the body. */
  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    if (this.#scope === undefined) return new Uint8Array(await this.response.arrayBuffer());
    const chunks: Uint8Array[] = [];
    await this.read(Infinity, chunks);
    return joined(chunks);
  }

  /** Reads the body of an error. If it breaks off, the part that arrived is returned. */
  async errorBody(): Promise<ErrorBody> {
    const { response } = this;
    const chunks: Uint8Array[] = [];
    try {
      await this.read(ERROR_BODY_LIMIT, chunks);
    } catch {
      // The status is the error to throw.
    }
    const bytes = joined(chunks).subarray(0, ERROR_BODY_LIMIT);
    const text = decoderFor(response.headers.get("content-type")).decode(bytes);
    return { text, bytes, response: responseLike(response, bytes) };
  }

  /**
   * Reads the body, and cancels what is beyond the limit, so that the connection is free.
   *
   * @param limit The number of bytes after which reading stops
   * @param chunks Receives the chunks, also those before an error. The last one may go beyond the
   * limit
   */
  async read(limit: number, chunks: Uint8Array[]): Promise<void> {
    const { response } = this;
    const scope = this.#scope;
    if (response.body === null) return scope?.release();
    const reader = readerOf(response, response.body);
    scope?.startReading(reader);
    let isDone = false;
    try {
      // Without a method for each chunk, which would cost 1 µs on Bun.
      for (let length = 0; length < limit;) {
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
  }
}

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

const utf8 = new TextDecoder();

/** Returns a body as text, decoded as UTF-8. */
export function textOf(body: Uint8Array<ArrayBuffer> | string): string {
  return typeof body === "string" ? body : utf8.decode(body);
}

/** Returns a decoder for the charset that a content type names; for UTF-8 if it names none. */
function decoderFor(contentType: string | null): TextDecoder {
  const charset = /;\s*charset="?([^\s;"]+)/i.exec(contentType ?? "")?.[1];
  try {
    return charset === undefined ? utf8 : new TextDecoder(charset);
  } catch {
    return utf8;
  }
}
