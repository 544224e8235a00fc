/** The store of the cache in memory: keeps the responses that were used last. */
import type { CachedResponse, CacheStore } from "./cached_response.ts";

/** A store that keeps the responses that were used last, up to a number and a size. */
export class MemoryStore implements CacheStore {
  readonly #entries = new Map<
    string,
    { readonly response: CachedResponse; readonly size: number }
  >();
  readonly #maxEntries: number;
  readonly #maxBytes: number;
  #bytes = 0;

  /**
   * @param maxEntries The most responses
   * @param maxBytes The most bytes of all responses
   */
  constructor(maxEntries: number, maxBytes: number) {
    this.#maxEntries = maxEntries;
    this.#maxBytes = maxBytes;
  }

  /** Returns a response, and marks it as used. */
  get(key: string): CachedResponse | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.response;
  }

  /** Stores a response, and drops those that were used least recently if there is no room. */
  set(key: string, response: CachedResponse): void {
    this.#drop(key);
    const size = sizeOf(key, response);
    if (size > this.#maxBytes) return;
    this.#entries.set(key, { response, size });
    this.#bytes += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#maxEntries && this.#bytes <= this.#maxBytes) break;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#bytes -= this.#entries.get(key)?.size ?? 0;
    this.#entries.delete(key);
  }
}

/** Returns the size of a response in bytes, with its key and headers. */
function sizeOf(key: string, { headers, body }: CachedResponse): number {
  return headers.reduce((size, [name, value]) => size + name.length + value.length, 0) +
    key.length + body.length;
}
