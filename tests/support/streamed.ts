import { APISession, type SessionOptions } from "../../mod.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { silentLogger } from "../../src/testing/mod.ts";
import type { StreamFormat } from "../../src/streams/mod.ts";

/** A chunk of a body: text, or bytes. */
export type Chunk = string | Uint8Array;

/** A body that yields its chunks on demand, and counts them. */
export interface CountedBody {
  readonly body: ReadableStream<Uint8Array>;
  /** The chunks that were asked for, and true if the rest was cancelled. */
  readonly seen: { pulls: number; isCancelled: boolean };
}

/**
 * Creates a body.
 *
 * @param chunks Its chunks
 * @param end Its end: it is closed, fails with this error, or stays open
 */
export function countedBody(
  chunks: Iterable<Chunk>,
  end: "close" | "stay" | Error = "close",
): CountedBody {
  const seen = { pulls: 0, isCancelled: false };
  const all = chunks[Symbol.iterator]();
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      seen.pulls++;
      const { done, value } = all.next();
      if (!done) return controller.enqueue(bytesOf(value));
      if (end === "close") return controller.close();
      if (end !== "stay") return controller.error(end);
      return new Promise<void>(() => {});
    },
    cancel: () => void (seen.isCancelled = true),
  }, { highWaterMark: 0 });
  return { body, seen };
}

/** Returns a text as bytes. */
export function bytesOf(chunk: Chunk): Uint8Array {
  return typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk;
}

/** Returns the bytes of a text one by one. */
export function byBytes(text: Chunk): Uint8Array[] {
  return Array.from(bytesOf(text), (byte) => Uint8Array.of(byte));
}

/** Returns a text as one chunk, byte by byte, and in two chunks for each place to split it. */
export function splits(text: Chunk): Uint8Array[][] {
  const bytes = bytesOf(text);
  const halves = Array.from(bytes, (_, index) => [bytes.slice(0, index), bytes.slice(index)]);
  return [[bytes], byBytes(bytes), ...halves];
}

/** Creates a session that does not wait, with responses from a function. */
export function sessionOf(
  respond: (url: string, headers: Headers) => Response | Promise<Response>,
  options: SessionOptions = {},
): APISession {
  return new APISession({
    url: "https://api.example.com",
    fetch: async (url, { headers }) => await respond(url, new Headers(headers)),
    clock: fakeClock({ autoAdvance: true }),
    logger: silentLogger,
    retries: 0,
    finalWait: false,
    ...options,
  });
}

/** Returns the response to a request with a stream. */
export function responseOf(
  chunks: Iterable<Chunk>,
  type = "text/event-stream",
  end: "close" | "stay" | Error = "close",
): Response {
  return new Response(countedBody(chunks, end).body, { headers: { "content-type": type } });
}

/** The items that were read, and the error after them. */
export interface ReadItems<T> {
  readonly items: T[];
  readonly error: unknown;
}

/** Reads all items of a stream. */
export async function readAll<T>(stream: AsyncIterable<T>): Promise<ReadItems<T>> {
  const items: T[] = [];
  try {
    for await (const item of stream) items.push(item);
  } catch (error) {
    return { items, error };
  }
  return { items, error: undefined };
}

/** Reads all items of a body in a format. */
export async function itemsOf<T>(
  format: StreamFormat<AsyncIterable<T>>,
  chunks: Iterable<Chunk>,
  type?: string,
): Promise<ReadItems<T>> {
  const session = sessionOf(() => responseOf(chunks, type));
  return await readAll(await session.get("x", { format }));
}
