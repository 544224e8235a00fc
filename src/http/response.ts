import { isHeaderText } from "../checks.ts";
import { detectRuntime } from "../runtime.ts";

/** Statuses whose response has no body (Fetch Standard, "null body status"). */
const bodiless: ReadonlySet<number> = new Set([101, 103, 204, 205, 304]);

/**
 * A response like another with a body of its own; it keeps `url`, `redirected` and `type`.
 *
 * A status outside 200 to 599 and a reason phrase beyond Latin-1, both of which servers send and
 * the constructor refuses, are kept as well.
 */
export function responseLike(original: Response, body: BodyInit | null): Response {
  const { status, statusText, headers, url, redirected, type } = original;
  const isRegular = status >= 200 && status <= 599;
  const response = new Response(bodiless.has(status) ? null : body, {
    status: isRegular ? status : 200,
    statusText: isHeaderText(statusText) ? statusText : "",
    headers,
  });
  const ok = isRegular && response.ok;
  return withProperties(response, { status, statusText, ok, url, redirected, type });
}

/** Gives a response properties that its constructor cannot, and its clones too. */
export function withProperties(response: Response, properties: Record<string, unknown>): Response {
  const clone = response.clone.bind(response);
  const all = { ...properties, clone: () => withProperties(clone(), properties) };
  for (const [name, value] of Object.entries(all)) {
    Object.defineProperty(response, name, { value, configurable: true });
  }
  return response;
}

/** Frees the socket of a response that nobody reads. */
export function discard(response: Response): void {
  response.body?.cancel().catch(() => {});
}

/** Reads the chunks of a body. */
export interface ChunkReader {
  /** Returns the next chunk; `done` at the end. */
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  /** Cancels the body. A pending read returns `done`. */
  cancel(reason?: unknown): Promise<void>;
}

/** Returns a reader of a body, which is the fastest one on each runtime. */
export function chunkReader(
  response: Response,
  body: ReadableStream<Uint8Array>,
): ChunkReader {
  if (isDeno && response.url !== "") {
    try {
      return new SmallBufferReader(body.getReader({ mode: "byob" }));
    } catch {
      // Another stream than that of Deno's fetch.
    }
  }
  return body.getReader();
}

const isDeno = detectRuntime().name === "Deno";

/**
 * Reads the body of a response of Deno's fetch, at first into 4 KiB.
 *
 * Deno's default reader allocates 64 KiB for each chunk, which costs 50 to 105 µs (Deno 2.9.6):
 * with it, a call with a timeout took twice as long as one without.
 */
class SmallBufferReader implements ChunkReader {
  readonly #reader: ReadableStreamBYOBReader;
  #size = 4096;

  constructor(reader: ReadableStreamBYOBReader) {
    this.#reader = reader;
  }

  async read(): Promise<{ done: boolean; value: Uint8Array | undefined }> {
    const { done, value } = await this.#reader.read(new Uint8Array(this.#size));
    if (value?.length === this.#size) this.#size = Math.min(this.#size * 4, 65536);
    return { done, value };
  }

  cancel(reason?: unknown): Promise<void> {
    return this.#reader.cancel(reason);
  }
}

/** Why the stream of a body failed, once it has. */
export interface BodyFailure {
  reason?: { readonly error: unknown };
}

/** The methods that read a body whole; not every runtime has all of them. */
const wholeReaders = ["arrayBuffer", "blob", "bytes", "formData", "json", "text"] as const;

/**
 * Has a response say why its body failed to whoever reads it whole, and its clones too.
 *
 * Chromium and Firefox put an error of their own ("Failed to fetch", "The operation was aborted")
 * in the place of what the stream of a body failed with.
 *
 * @param response A response whose body is a stream of ours
 * @param failure Where that stream says why it failed
 * @returns The response itself
 */
export function withBodyError(response: Response, failure: BodyFailure): Response {
  const readers = wholeReaders.filter((name) => name in response).map((name) => {
    const read: () => Promise<unknown> = response[name];
    // A clone has them too.
    return [name, async function (this: Response): Promise<unknown> {
      try {
        return await read.call(this);
      } catch (error) {
        throw failure.reason === undefined ? error : failure.reason.error;
      }
    }];
  });
  return withProperties(response, Object.fromEntries(readers));
}
