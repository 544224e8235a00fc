import type { IdleTimeout } from "./idle_timeout.ts";

/**
 * A response whose headers have arrived: its body is either read here or handed over, once.
 *
 * The toolkit's own reading takes the chunks as they come; only a response that the caller reads
 * has to be rebuilt around a watched body, which costs four times as much.
 */
export class IncomingResponse {
  /** The response as it came from the transport. */
  readonly response: Response;
  readonly #watch: IdleTimeout | undefined;

  /**
   * @param response The response as it came from the transport
   * @param watch What ends the exchange from outside, where anything can
   */
  constructor(response: Response, watch: IdleTimeout | undefined) {
    this.response = response;
    this.#watch = watch;
  }

  /** The response for the caller to read. */
  toResponse(): Response {
    return this.#watch?.toResponse(this.response) ?? this.response;
  }

  /** Reads the body as text in UTF-8. */
  async text(): Promise<string> {
    return this.#watch === undefined ? await this.response.text() : textOf(await this.bytes());
  }

  /** Reads the body, whole. */
  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    if (this.#watch === undefined) return new Uint8Array(await this.response.arrayBuffer());
    const chunks: Uint8Array[] = [];
    await this.read(Infinity, chunks);
    return joined(chunks);
  }

  /**
   * Reads the body chunk by chunk; what is beyond the limit is cancelled, so that its socket is
   * free.
   *
   * @param limit How many bytes are enough
   * @param chunks Takes the chunks, as far as they come; the last one may go beyond the limit
   */
  async read(limit: number, chunks: Uint8Array[]): Promise<void> {
    const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = this.response.body
      ?.getReader();
    try {
      for (let length = 0; reader !== undefined && length < limit;) {
        const next = () => reader.read();
        const { done, value } = await (this.#watch?.wait(next) ?? next());
        if (done) return;
        length += value.length;
        chunks.push(value);
      }
    } finally {
      this.#watch?.release();
      reader?.cancel().catch(() => {});
    }
  }
}

/** Chunks as one. */
export function joined(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

/** A body as text, in UTF-8. */
export function textOf(body: Uint8Array<ArrayBuffer> | string): string {
  return typeof body === "string" ? body : new TextDecoder().decode(body);
}
