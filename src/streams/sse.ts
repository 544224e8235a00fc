/** The stream format for server-sent events: parses them, and reconnects if it is asked to. */
import { createParser, type EventSourceMessage } from "eventsource-parser";
import { check, checkedFlag, isHeaderText } from "../base/checks.ts";
import { messageText } from "../errors/message_text.ts";
import { TransportError } from "../errors/transport_error.ts";
import type { ModelOutput, ResponseModel } from "../content/decode.ts";
import type { ItemStream, StreamCall, StreamFormat } from "../content/stream_format.ts";
import { itemDecoder, modelAndOptions } from "./decode_item.ts";
import { itemStream, maxItemLengthOf, type StreamOptions, StreamSource } from "./item_stream.ts";

/**
 * An event of a stream of server-sent events.
 *
 * @typeParam T The data: text, or the output of a model
 *
 * @category Streams
 */
export interface ServerSentEvent<T = string> {
  /** The type; `message` if the server names none. */
  readonly event: string;
  /** The data. Several lines of data are joined by line feeds. */
  readonly data: T;
  /** The last id that the server has sent, with this event or before; empty if it has sent none. */
  readonly id: string;
  /** The time before a reconnection in seconds, if the server has sent it since the last event. */
  readonly retry: number | undefined;
}

/**
 * Options of {@linkcode sse}.
 *
 * @category Streams
 */
export interface SseOptions extends StreamOptions {
  /**
   * The data of the event that ends the stream, such as `[DONE]`. The event itself is not delivered,
   * and its data is not decoded. Default: none
   */
  readonly until?: string | undefined;
  /**
   * Reconnects when the connection ends or breaks, with the header `Last-Event-ID`. The call is made
   * again, after the time that the server has sent (`retry`) or 3 seconds, but at least 0.5 seconds.
   * Each connection without an event doubles the time, up to a minute; an event ends that. A 204, an
   * error status, or a request that fails after its retries ends the stream.
   *
   * @default {false}
   */
  readonly reconnect?: boolean | undefined;
}

/** The length of the longest name of a field, which the parser counts with a line in pieces. */
const LONGEST_NAME = "event: ".length;

/** The wait before a reconnection in seconds, if the server sends none. */
const RECONNECT_WAIT = 3;

/** The shortest wait before a reconnection in seconds, as in Firefox. */
const SHORTEST_WAIT = 0.5;

/** The longest wait before a reconnection in seconds, unless the server has sent a longer one. */
const LONGEST_WAIT = 60;

/** The longest wait that a server can ask for, in seconds: a day. */
const LONGEST_RETRY = 86_400;

/**
 * Reads server-sent events (the HTML standard, section 9.2.6). The data of an event is text.
 *
 * The response must have status 200 and the content type `text/event-stream`; otherwise the call
 * rejects with a `DecodeError`. A 204 is a stream without events.
 *
 * While you iterate, these are thrown: `ItemTooLargeError` if an event is too long, and
 * `TransportError` if the connection breaks.
 *
 * @example
 * ```ts
 * import { APISession } from "@restwright/restwright";
 * import { sse } from "@restwright/restwright/streams";
 *
 * const headers = { "content-type": "text/event-stream" };
 * const adapter = () => Promise.resolve(new Response("event: tick\ndata: 1\n\n", { headers }));
 * const session = new APISession({ url: "https://api.example.com", adapter });
 * for await (const { event, data } of session.get("events", { stream: sse() })) {
 *   console.log(event, data); // tick 1
 * }
 * ```
 *
 * @param options The end, reconnections, and the limit for an event
 * @throws {UnexpectedValueError} If an option is not valid
 *
 * @category Streams
 */
export function sse(options?: SseOptions): StreamFormat<ItemStream<ServerSentEvent>>;
/**
 * Reads server-sent events whose data is JSON, and decodes it.
 *
 * A `DecodeError` is thrown if data is not JSON, and a `ValidationError` if it does not match the model.
 *
 * @param model A model class, a Standard Schema, or either in an array
 * @param options The end, reconnections, and the limit for an event
 * @throws {UnexpectedValueError} If an option is not valid
 */
export function sse<const M extends ResponseModel>(
  model: M,
  options?: SseOptions,
): StreamFormat<ItemStream<ServerSentEvent<ModelOutput<M>>>>;
export function sse(
  first?: ResponseModel | SseOptions,
  second?: SseOptions,
): StreamFormat<ItemStream<ServerSentEvent<unknown>>> {
  const { model, options } = modelAndOptions(first, second);
  const { until, reconnect = false } = options;
  const settings: SseSettings = {
    limit: maxItemLengthOf(options, ["reconnect", "until"]),
    until: check("a string or undefined", isTextOrUndefined)<string | undefined>("until", until),
    isReconnecting: checkedFlag("reconnect", reconnect),
  };
  const decode = model && itemDecoder(model);
  return {
    accept: "text/event-stream",
    read(response, call) {
      const source = new StreamSource(response, call);
      refuseOthers(source);
      const events = readEvents(source, call, settings);
      return itemStream(
        decode === undefined ? events : decoded(events, decode, source),
        source,
      );
    },
  };
}

interface SseSettings {
  readonly limit: number;
  readonly until: string | undefined;
  readonly isReconnecting: boolean;
}

function isTextOrUndefined(value: unknown): boolean {
  return value === undefined || typeof value === "string";
}

/** Ends a response that has no events: the status is not 200, or the content type is another. */
function refuseOthers(source: StreamSource): void {
  const { status, headers } = source.response;
  const type = headers.get("content-type") ?? "";
  const isEvents = /^\s*text\/event-stream\s*(?:;|$)/i.test(type);
  if (status === 200 && isEvents) return;
  source.cancel();
  if (status === 204) return;
  const shown = type === "" ? "no content type" : messageText(type);
  throw source.decodeError(
    `${source.wholeSubject} is not a stream of events: expected status 200 and text/event-stream, ` +
      `but it has status ${status} and ${shown}`,
  );
}

/** Decodes the data of each event. */
async function* decoded(
  events: AsyncGenerator<ServerSentEvent, void, undefined>,
  decode: ReturnType<typeof itemDecoder>,
  source: StreamSource,
): AsyncGenerator<ServerSentEvent<unknown>, void, undefined> {
  for await (const event of events) {
    yield { ...event, data: await decode(event.data, source) };
  }
}

async function* readEvents(
  source: StreamSource,
  call: StreamCall,
  { limit, until, isReconnecting }: SseSettings,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const parser = new EventParser(limit);
  /** The connections without an event since the last event. */
  let idle = 0;
  try {
    while (!source.isCancelled) {
      parser.start();
      idle++;
      for (let chunk; (chunk = await readUnlessBroken(source, isReconnecting)) !== undefined;) {
        for (const event of parser.push(chunk)) {
          if (source.isCancelled || event.data === until) return;
          idle = 0;
          yield event;
          source.count++;
        }
        if (parser.isTooLong) throw source.tooLarge(limit);
      }
      if (!isReconnecting || source.isCancelled) return;
      await call.wait(reconnectWait(parser.retry, idle));
      if (source.isCancelled) return;
      const { sentId } = parser;
      source.open(await call.reopen(sentId === "" ? {} : { "Last-Event-ID": sentId }));
      refuseOthers(source);
    }
  } finally {
    source.cancel();
  }
}

/** Reads the next chunk. If the stream reconnects, a connection that breaks is an end. */
async function readUnlessBroken(
  source: StreamSource,
  isReconnecting: boolean,
): Promise<Uint8Array | undefined> {
  try {
    return await source.read();
  } catch (error) {
    if (isReconnecting && error instanceof TransportError) return undefined;
    throw error;
  }
}

/** Returns the wait before a reconnection, after some connections without an event. */
function reconnectWait(retry: number, idle: number): number {
  const wait = Math.max(retry, SHORTEST_WAIT);
  return Math.max(wait, Math.min(wait * 2 ** idle, LONGEST_WAIT));
}

/** Returns text whose characters are the bytes of its UTF-8, as a header sends it. */
function byteText(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
}

/** Parses the events of several connections. */
class EventParser {
  /** The last id. */
  id = "";
  /**
   * The last id that a header can carry, as the bytes of its UTF-8. Control characters are valid in an
   * id, but not in a header (RFC 9110 §5.5).
   */
  sentId = "";
  /** The wait before a reconnection, in seconds. */
  retry = RECONNECT_WAIT;
  /** True if an event after those of the last chunk is too long. */
  isTooLong = false;
  readonly #limit: number;
  #decoder: TextDecoder | undefined;
  #parser: ReturnType<typeof createParser> | undefined;
  #events: ServerSentEvent[] = [];
  /** The wait that the server has sent since the last event. */
  #newRetry: number | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Begins a connection. */
  start(): void {
    this.#newRetry = undefined;
    // The parser removes the byte order mark. If both did, a second one would be removed, too.
    this.#decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    this.#parser = createParser({
      onEvent: (event) => this.#add(event),
      onId: (id) => {
        this.id = id;
        const bytes = byteText(id);
        if (isHeaderText(bytes)) this.sentId = bytes;
      },
      onRetry: (milliseconds) => {
        this.retry = this.#newRetry = Math.min(milliseconds / 1000, LONGEST_RETRY);
      },
      ...(this.#limit < Infinity && { maxBufferSize: this.#limit + LONGEST_NAME }),
    });
  }

  /** Returns the events that end in the next chunk. Check `isTooLong` after them. */
  push(chunk: Uint8Array): readonly ServerSentEvent[] {
    this.#events = [];
    try {
      this.#parser!.feed(this.#decoder!.decode(chunk, { stream: true }));
      // Throws if the buffer is full. The parser's `onError` would report it, too, but then each line
      // that is not a field creates an error: that takes 20 times as long.
      this.#parser!.feed("");
    } catch {
      this.isTooLong = true;
    }
    return this.#events;
  }

  #add({ event = "message", data }: EventSourceMessage): void {
    // The parser does not count exactly, and not at all if an event ends in its first chunk.
    this.isTooLong ||= data.length > this.#limit;
    if (this.isTooLong) return;
    this.#events.push({ event, data, id: this.id, retry: this.#newRetry });
    this.#newRetry = undefined;
  }
}
