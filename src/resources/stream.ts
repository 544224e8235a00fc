/** The stream that a call with `stream: true` returns. */
import { streamChunks } from "../base/stream_chunks.ts";
import type { ReadyItems } from "../streams/batches.ts";

/**
 * The items of a response, which are read while it arrives. Leaving a loop ends the response.
 *
 * @example
 * ```ts
 * import { ResourceClient, type Stream } from "@restwright/restwright/resources";
 *
 * const events = 'data: {"text":"Hel"}\n\ndata: {"text":"lo"}\n\ndata: [DONE]\n\n';
 * const fetch = () =>
 *   Promise.resolve(new Response(events, { headers: { "content-type": "text/event-stream" } }));
 * const client = new ResourceClient({ baseURL: "https://api.example.com", fetch });
 *
 * const stream = await client.post<Stream<{ text: string }>>("/chat", {
 *   body: { stream: true },
 *   stream: true,
 * });
 * let text = "";
 * for await (const chunk of stream) text += chunk.text;
 * console.log(text); // Hello
 * ```
 *
 * @category Resources
 */
export class Stream<Item> implements AsyncIterable<Item> {
  /** Aborts the response. */
  readonly controller: AbortController;
  readonly #items: AsyncIterable<Item>;

  /**
   * Builds a stream.
   *
   * @param items The items, which are read once
   * @param controller Aborts the response
   */
  constructor(items: AsyncIterable<Item>, controller: AbortController = new AbortController()) {
    this.#items = items;
    this.controller = controller;
  }

  /**
   * Returns the stream of a body that {@linkcode Stream.toReadableStream} has written: each line is an
   * item as JSON.
   *
   * @param body The body
   * @param controller Aborts the body
   */
  static fromReadableStream<Item>(
    body: ReadableStream<Uint8Array>,
    controller: AbortController = new AbortController(),
  ): Stream<Item> {
    return new Stream(linesOf<Item>(body), controller);
  }

  /** The name of the class. Frameworks such as Vue wrap objects without one in a `Proxy`. */
  get [Symbol.toStringTag](): string {
    return "Stream";
  }

  /** Returns an iterator over the items. Its `return` aborts the response at once. */
  [Symbol.asyncIterator](): AsyncIterableIterator<Item, void, undefined> & AsyncDisposable {
    return new StreamItems(this.#items[Symbol.asyncIterator](), this.controller);
  }

  /** Returns two streams with the same items. Items that only one of them has read are kept. */
  tee(): [Stream<Item>, Stream<Item>] {
    const source = this[Symbol.asyncIterator]();
    const queues: [Promise<IteratorResult<Item, void>>[], Promise<IteratorResult<Item, void>>[]] = [
      [],
      [],
    ];
    const branch = (index: 0 | 1): Stream<Item> => {
      const items = {
        [Symbol.asyncIterator]: (): AsyncIterator<Item, void, undefined> => ({
          next: () => {
            if (queues[index].length === 0) {
              const next = source.next();
              queues[0].push(next);
              queues[1].push(next);
            }
            return queues[index].shift()!;
          },
        }),
      };
      return new Stream(items, this.controller);
    };
    return [branch(0), branch(1)];
  }

  /** Returns the items as a body: each one is a line of JSON. */
  toReadableStream(): ReadableStream<Uint8Array> {
    const items = this[Symbol.asyncIterator]();
    const encoder = new TextEncoder();
    return new ReadableStream({
      async pull(controller) {
        const { value, done } = await items.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(`${JSON.stringify(value)}\n`));
      },
      async cancel() {
        await items.return?.();
      },
    });
  }
}

/** Iterates over the items of a stream. An async generator would take three promises for each. */
class StreamItems<Item> implements AsyncIterableIterator<Item, void, undefined>, AsyncDisposable {
  readonly #items: AsyncIterator<Item> & Partial<ReadyItems<Item>>;
  readonly #controller: AbortController;
  #isOver = false;

  /**
   * @param items The items
   * @param controller Aborts the response, unless all items have been read
   */
  constructor(items: AsyncIterator<Item>, controller: AbortController) {
    this.#items = items;
    this.#controller = controller;
  }

  next(): Promise<IteratorResult<Item, void>> {
    const ready = this.#isOver ? undefined : this.#items.nextReady?.();
    return ready === undefined ? this.#wait() : Promise.resolve(ready);
  }

  async return(): Promise<IteratorResult<Item, void>> {
    const isFirst = !this.#isOver;
    this.#end();
    if (isFirst) await this.#items.return?.();
    return { done: true, value: undefined };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async #wait(): Promise<IteratorResult<Item, void>> {
    try {
      const result = this.#isOver ? undefined : await this.#items.next();
      if (result?.done === false) return result;
      this.#isOver = true;
      return { done: true, value: undefined };
    } catch (error) {
      this.#end();
      throw error;
    }
  }

  #end(): void {
    if (!this.#isOver) this.#controller.abort();
    this.#isOver = true;
  }
}

async function* linesOf<Item>(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<Item, void, undefined> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of streamChunks(body)) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop()!;
    for (const line of lines) if (line.trim() !== "") yield JSON.parse(line);
  }
  if (rest.trim() !== "") yield JSON.parse(rest);
}
