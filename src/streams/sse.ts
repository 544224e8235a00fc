/** The stream format for server-sent events: parses them, and reconnects if it is asked to. */
import { createParser, type EventSourceMessage } from "eventsource-parser";
import {
  type Check,
  check,
  checkedFlag,
  checkedOptions,
  checkedTexts,
  isPromise,
} from "../base/checks.ts";
import { mediaTypeOf } from "../base/media_type.ts";
import { messageText, quotedText } from "../errors/message_text.ts";
import { TransportError } from "../errors/transport_error.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { checkedModel, type ModelOutput, type ResponseModel } from "../content/decode.ts";
import type { ItemStream, StreamCall, StreamFormat } from "../content/stream_format.ts";
import type { ItemBatch } from "./batches.ts";
import { type ItemDecoder, itemDecoder, modelAndOptions } from "./decode_item.ts";
import { itemStream, maxItemLengthOf, type StreamOptions, StreamSource } from "./item_stream.ts";

/**
 * An event of a stream of server-sent events.
 *
 * @typeParam T The data: text, JSON, or the output of a model
 * @typeParam N The type of the event, if only some types are read
 *
 * @category Streams
 */
export interface ServerSentEvent<T = string, N extends string = string> {
  /** The type; `message` if the server names none. */
  readonly event: N;
  /** The data. Several lines of data are joined by line feeds. */
  readonly data: T;
  /** The last id that the server has sent, with this event or before; empty if it has sent none. */
  readonly id: string;
  /** The time before a reconnection in seconds, if the server has sent it since the last event. */
  readonly retry: number | undefined;
}

/**
 * One of several events, by its type: in a `switch` over `event`, the data has the type of that event.
 *
 * @typeParam E The types of the data, by the type of the event
 *
 * @example
 * ```ts
 * import type { EventOf } from "@restwright/restwright/streams";
 *
 * type Progress = EventOf<{ step: { done: number }; note: { text: string } }>;
 * function show(progress: Progress): string {
 *   return progress.event === "step" ? `${progress.data.done} %` : progress.data.text;
 * }
 * console.log(show({ event: "step", data: { done: 50 }, id: "", retry: undefined })); // 50 %
 * ```
 *
 * @category Streams
 */
export type EventOf<E extends object> = {
  [N in keyof E & string]: ServerSentEvent<E[N], N>;
}[keyof E & string];

/**
 * Options of {@linkcode sse}.
 *
 * @category Streams
 */
export interface SseOptions extends StreamOptions {
  /**
   * True if data is JSON, which is parsed but not checked. Pass its type as `sse<Chunk>({ json: true })`.
   * With a model, leave it out.
   *
   * @default {false}
   */
  readonly json?: boolean | undefined;
  /**
   * The types of the events that are delivered; others are skipped. A list of types, or models for their
   * data by type. Default: all events
   *
   * @example `{ events: { delta: Delta, done: Done } }`
   */
  readonly events?: readonly string[] | Readonly<Record<string, ResponseModel>> | undefined;
  /**
   * The type of events that report an error, such as `error`. The option `errorFrom` chooses the error by
   * the event's data; without it, an `APIError` is thrown. Before the first event, a retryable error
   * repeats the call. Default: none
   */
  readonly errorEvent?: string | undefined;
  /**
   * The event that ends the stream: its data, such as `[DONE]`, or an object. The event is not delivered,
   * and its data is not decoded. Default: none
   */
  readonly until?: string | {
    /** Its data, such as `[DONE]`. Default: any data */
    readonly data?: string | undefined;
    /** Its type, such as `message_stop`. Default: any type */
    readonly event?: string | undefined;
    /**
     * True if a stream that ends without this event throws a `TransportError` of the kind "reset": it was
     * cut off. False if it may end without it. The blank line after the event may be missing.
     *
     * @default {false}
     */
    readonly required?: boolean | undefined;
  } | undefined;
  /**
   * The content types that are read as events, beside `text/event-stream`: a list of types without
   * parameters, such as `["text/plain"]`, or `any`. For servers and proxies that send another type. A body
   * that has no events, such as a page of HTML, is then a stream without events: with `until`, set
   * `required`. Default: none
   */
  readonly contentTypes?: "any" | readonly string[] | undefined;
  /**
   * Reconnects when the connection ends or breaks, with the header `Last-Event-ID`. The call is made
   * again, after the time that the server has sent (`retry`), up to `maxRetryAfter`, or else 3 seconds,
   * but at least 0.5 seconds. Each connection without an event doubles the time, up to a minute; an event
   * ends that. A 204, an error status, or a request that fails after its retries ends the stream.
   *
   * @default {false}
   */
  readonly reconnect?: boolean | undefined;
}

/** The event that ends a stream. */
type StreamEnd = Exclude<SseOptions["until"], string | undefined>;

const EVENT_STREAM = "text/event-stream";

/** The end of a line, and the blank line that ends an event. */
const blankLine: Uint8Array = Uint8Array.of(10, 10);

/** The length of the longest name of a field, which the parser counts with a line in pieces. */
const LONGEST_NAME = "event: ".length;

/** The wait before a reconnection in seconds, if the server sends none. */
const RECONNECT_WAIT = 3;

/** The shortest wait before a reconnection in seconds, as in Firefox. */
const SHORTEST_WAIT = 0.5;

/** The longest wait before a reconnection in seconds, unless the server may ask for a longer one. */
const LONGEST_WAIT = 60;

/** The longest wait that a server can ask for, in seconds: a day. */
const LONGEST_RETRY = 86_400;

/**
 * Reads server-sent events (the HTML standard, section 9.2.6). The data of an event is text.
 *
 * The response must have status 200 and the content type `text/event-stream`, or one of the option
 * `contentTypes`; otherwise the call rejects with a `DecodeError`. A 204 is a stream without events.
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
 * for await (const { event, data } of session.get("events", { format: sse() })) {
 *   console.log(event, data); // tick 1
 * }
 * ```
 *
 * @param options The events, the end, errors, reconnections, and the limit for an event
 * @throws {UnexpectedValueError} If an option is not valid
 *
 * @category Streams
 */
export function sse(
  options?: SseOptions & { readonly json?: false | undefined; readonly events?: undefined },
): StreamFormat<ItemStream<ServerSentEvent>>;
/**
 * Reads server-sent events whose data is JSON. A `DecodeError` is thrown if data is not JSON.
 *
 * @typeParam T The data. It is not checked: pass a model to check it
 * @param options The events, the end, errors, reconnections, and the limit for an event
 * @throws {UnexpectedValueError} If an option is not valid
 */
export function sse<T = unknown>(
  options: SseOptions & { readonly json: true; readonly events?: undefined },
): StreamFormat<ItemStream<ServerSentEvent<T>>>;
/**
 * Reads the server-sent events of some types, whose data is JSON, as a union.
 *
 * @typeParam E The types of the data, by the type of the event. They are not checked: pass models to
 * check them
 * @param options The events, the end, errors, reconnections, and the limit for an event
 * @throws {UnexpectedValueError} If an option is not valid
 */
export function sse<E extends object>(
  options: SseOptions & { readonly json: true; readonly events: readonly (keyof E & string)[] },
): StreamFormat<ItemStream<EventOf<E>>>;
/**
 * Reads the server-sent events of some types. The data is text.
 *
 * @typeParam N The types
 * @param options The events, the end, errors, reconnections, and the limit for an event
 * @throws {UnexpectedValueError} If an option is not valid
 */
export function sse<const N extends string>(
  options: SseOptions & { readonly json?: false | undefined; readonly events: readonly N[] },
): StreamFormat<ItemStream<ServerSentEvent<string, N>>>;
/**
 * Reads the server-sent events of some types as a union, and decodes the data of each with its model.
 *
 * @typeParam E The models, by the type of the event
 * @param options The events, the end, errors, reconnections, and the limit for an event
 * @throws {UnexpectedValueError} If an option is not valid
 */
export function sse<const E extends Readonly<Record<string, ResponseModel>>>(
  options: SseOptions & { readonly json?: undefined; readonly events: E },
): StreamFormat<ItemStream<EventOf<{ readonly [N in keyof E]: ModelOutput<E[N]> }>>>;
/**
 * Reads server-sent events whose data is JSON, and decodes it.
 *
 * A `DecodeError` is thrown if data is not JSON, and a `ValidationError` if it does not match the model.
 *
 * @param model A model class, a Standard Schema, or either in an array
 * @param options The end, errors, reconnections, and the limit for an event
 * @throws {UnexpectedValueError} If an option is not valid
 */
export function sse<const M extends ResponseModel>(
  model: M,
  options?: SseOptions & { readonly json?: undefined; readonly events?: undefined },
): StreamFormat<ItemStream<ServerSentEvent<ModelOutput<M>>>>;
/**
 * Reads server-sent events with options that are known only at run time.
 *
 * @param options The events, the end, errors, reconnections, and the limit for an event
 * @throws {UnexpectedValueError} If an option is not valid
 */
export function sse(options: SseOptions): StreamFormat<ItemStream<ServerSentEvent<unknown>>>;
export function sse(
  first?: ResponseModel | SseOptions,
  second?: SseOptions,
): StreamFormat<ItemStream<ServerSentEvent<unknown>>> {
  const { model, options } = modelAndOptions(first, second);
  const settings = settingsOf(model, options);
  return {
    accept: EVENT_STREAM,
    stream(response, call) {
      const source = new StreamSource(response, call);
      try {
        refuseOthers(source, settings);
      } catch (error) {
        source.cancel();
        throw error;
      }
      return itemStream(readEvents(source, call, settings), source);
    },
  };
}

/** The checked options. */
interface SseSettings {
  readonly limit: number;
  readonly until: StreamEnd | undefined;
  /** The content types that are accepted; undefined for all. */
  readonly contentTypes: ReadonlySet<string> | undefined;
  readonly isReconnecting: boolean;
  readonly errorEvent: string | undefined;
  /** The types of the events that are delivered. Default: all */
  readonly types: ReadonlySet<string> | undefined;
  /** Returns the decoder of an event's data; undefined if it is text. */
  readonly decoderOf: ((type: string) => ItemDecoder | undefined) | undefined;
}

function settingsOf(model: ResponseModel | undefined, options: Partial<SseOptions>): SseSettings {
  const names = ["contentTypes", "errorEvent", "events", "json", "reconnect", "until"];
  const limit = maxItemLengthOf(options, names);
  const { until, contentTypes = [], reconnect = false, errorEvent } = options;
  return {
    limit,
    until: until === undefined ? undefined : checkedEnd(until),
    contentTypes: contentTypes === "any" ? undefined : typesOf(contentTypes),
    isReconnecting: checkedFlag("reconnect", reconnect),
    errorEvent: checkedTextOrUndefined("errorEvent", errorEvent),
    ...decodingOf(model, options),
  };
}

/** Returns the content types that are read as events. */
function typesOf(contentTypes: readonly string[]): ReadonlySet<string> {
  if (!Array.isArray(contentTypes)) {
    const expected = '"any", or a list of content types';
    throw new UnexpectedValueError("contentTypes", expected, contentTypes);
  }
  const types = checkedTexts("contentTypes", contentTypes).map((each, index) => {
    const { essence } = mediaTypeOf(each);
    if (essence === each.toLowerCase() && essence !== "") return essence;
    const expected = 'a content type without parameters, such as "text/plain"';
    throw new UnexpectedValueError(`contentTypes[${index}]`, expected, each);
  });
  return new Set([EVENT_STREAM, ...types]);
}

/** Checks the options that decide which events are delivered, and how their data is decoded. */
function decodingOf(
  model: ResponseModel | undefined,
  { events, json }: Partial<SseOptions>,
): Pick<SseSettings, "types" | "decoderOf"> {
  if (model !== undefined && events !== undefined) {
    const expected = "left out if a model is passed, which is for the data of all events";
    throw new UnexpectedValueError("events", expected, events);
  }
  const hasModels = events !== undefined && !Array.isArray(events);
  if (json !== undefined && (model !== undefined || hasModels)) {
    throw new UnexpectedValueError("json", "left out if there is a model, which reads JSON", json);
  }
  if (hasModels) {
    const decoders = decodersOf(events as Readonly<Record<string, ResponseModel>>);
    return { types: new Set(decoders.keys()), decoderOf: (type) => decoders.get(type) };
  }
  const types = events && new Set(checkedTexts("events", events));
  const isText = model === undefined && !checkedFlag("json", json ?? false);
  const decode = isText ? undefined : itemDecoder(model);
  return { types, decoderOf: decode && (() => decode) };
}

/** Returns the decoders of events by type. */
function decodersOf(
  models: Readonly<Record<string, ResponseModel>>,
): ReadonlyMap<string, ItemDecoder> {
  if (typeof models !== "object" || models === null) {
    throw new UnexpectedValueError("events", "a list of types, or models by type", models);
  }
  return new Map(
    Object.entries(models).map(([type, model]) => {
      const option = `events.${type}`;
      if (model === undefined) throw new UnexpectedValueError(option, "a model", model);
      return [type, itemDecoder(checkedModel(option, model))];
    }),
  );
}

const checkedTextOrUndefined: Check<string | undefined> = check(
  "a string or undefined",
  (value) => value === undefined || typeof value === "string",
);

/** Checks the event that ends a stream. */
function checkedEnd(until: string | StreamEnd): StreamEnd {
  if (typeof until === "string") return { data: until };
  if (typeof until !== "object" || until === null) {
    throw new UnexpectedValueError("until", "a string, or an object with data or event", until);
  }
  const end = checkedOptions(until, ["data", "event", "required"], "until.");
  const data = checkedTextOrUndefined("until.data", end.data);
  const event = checkedTextOrUndefined("until.event", end.event);
  if (data === undefined && event === undefined) {
    throw new UnexpectedValueError("until", "an object with data or event", until);
  }
  return { data, event, required: checkedFlag("until.required", end.required ?? false) };
}

/** Reports if an event is the end of the stream. */
function isEnd({ data, event }: ServerSentEvent, until: StreamEnd): boolean {
  return (until.data === undefined || data === until.data) &&
    (until.event === undefined || event === until.event);
}

/** Returns the end of a stream for an error. */
function endText({ data, event }: StreamEnd): string {
  const parts = [event && `the event ${quotedText(event)}`, data && `the data ${quotedText(data)}`];
  return parts.filter(Boolean).join(" with ");
}

/** Throws if a response has no events: the status is not 200, or the content type is another. */
function refuseOthers(source: StreamSource, { contentTypes }: SseSettings): void {
  const { status, headers } = source.response;
  const type = headers.get("content-type");
  const isEvents = contentTypes === undefined || contentTypes.has(mediaTypeOf(type).essence);
  if (status === 200 && isEvents || status === 204) return;
  const types = contentTypes === undefined ? "" : ` and ${[...contentTypes].join(" or ")}`;
  const shown = type === null || type === "" ? "no content type" : messageText(type);
  const remedy = isEvents ? "" : "; if its body is events, pass the option contentTypes";
  throw source.decodeError(
    `${source.wholeSubject} is not a stream of events: expected status 200${types}, but it ` +
      `has status ${status} and ${shown}${remedy}`,
  );
}

async function* readEvents(
  source: StreamSource,
  call: StreamCall,
  settings: SseSettings,
): AsyncGenerator<ItemBatch<ServerSentEvent<unknown>>, void, undefined> {
  const { limit, until, isReconnecting, errorEvent } = settings;
  const events = new EventItems(source, settings);
  let parser = new EventParser(limit);
  /** The connections without an event since the last event. */
  let idle = 0;
  connection: while (!source.isCancelled) {
    parser.start();
    idle++;
    for (let chunk; (chunk = await readUnlessBroken(source, isReconnecting)) !== undefined;) {
      events.push(parser.push(chunk));
      if (events.unchecked !== undefined) idle = 0;
      yield events;
      for (let event; (event = events.unchecked) !== undefined;) {
        if (until !== undefined && isEnd(event, until)) return;
        const isError = event.event === errorEvent;
        if (await source.isRetried(event.data, isError)) {
          refuseOthers(source, settings);
          parser = new EventParser(limit);
          continue connection;
        }
        events.pass();
        yield events;
      }
      if (parser.isTooLong) throw source.tooLarge(limit);
    }
    const last = until && parser.unfinished();
    if (last !== undefined && isEnd(last, until!)) return;
    // A 204 tells the client not to reconnect.
    if (!isReconnecting || source.isCancelled || source.response.status === 204) break;
    await call.wait(reconnectWait(parser.retry, call.maxRetryAfter, idle));
    if (source.isCancelled) return;
    const id = byteText(parser.sentId);
    source.open(await call.reopen(id === "" ? {} : { "Last-Event-ID": id }));
    refuseOthers(source, settings);
  }
  if (until?.required && !source.isCancelled) throw source.endedEarly(endText(until));
}

/** The events of a chunk. A batch of them ends before each event that has to be checked. */
class EventItems implements ItemBatch<ServerSentEvent<unknown>> {
  readonly #source: StreamSource;
  readonly #settings: SseSettings;
  #events: readonly ServerSentEvent[] = [];
  #index = 0;
  /** The index of the event that has been checked last. */
  #checked = -1;

  constructor(source: StreamSource, settings: SseSettings) {
    this.#source = source;
    this.#settings = settings;
  }

  /** Continues with the events of the next chunk. */
  push(events: readonly ServerSentEvent[]): void {
    this.#events = events;
    this.#index = 0;
    this.#checked = -1;
  }

  /** The event to check at the end of a batch; undefined if no event of the chunk is left. */
  get unchecked(): ServerSentEvent | undefined {
    return this.#events[this.#index];
  }

  /** Begins the next batch, with the event that has been checked. */
  pass(): void {
    this.#checked = this.#index;
  }

  next(): IteratorResult<ServerSentEvent<unknown> | PromiseLike<ServerSentEvent<unknown>>, void> {
    const { types, decoderOf } = this.#settings;
    for (let event; (event = this.#events[this.#index]) !== undefined; this.#index++) {
      if (this.#index !== this.#checked && this.#mustBeChecked(event)) break;
      if (types !== undefined && !types.has(event.event)) continue;
      this.#index++;
      const decode = decoderOf?.(event.event);
      const item = decode === undefined ? event : withData(event, decode(event.data, this.#source));
      return { done: false, value: item };
    }
    return { done: true, value: undefined };
  }

  /** Reports if an event may end the stream, or be an error. */
  #mustBeChecked(event: ServerSentEvent): boolean {
    const { until, errorEvent } = this.#settings;
    return this.#source.mayHaveErrors || event.event === errorEvent ||
      until !== undefined && isEnd(event, until);
  }
}

/** Returns an event with its decoded data. */
function withData(
  event: ServerSentEvent,
  data: unknown,
): ServerSentEvent<unknown> | PromiseLike<ServerSentEvent<unknown>> {
  if (isPromise(data)) return data.then((decoded) => withData(event, decoded));
  // Spreading the event takes longer.
  return { event: event.event, data, id: event.id, retry: event.retry };
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

/**
 * Returns the wait before a reconnection.
 *
 * @param retry The wait that the server asks for, if it does
 * @param maxRetryAfter The longest one; null for no limit
 * @param idle The number of connections without an event
 */
function reconnectWait(
  retry: number | undefined,
  maxRetryAfter: number | null,
  idle: number,
): number {
  const asked = retry === undefined ? RECONNECT_WAIT : Math.min(retry, maxRetryAfter ?? Infinity);
  const wait = Math.max(asked, SHORTEST_WAIT);
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
   * The last id that a header can carry. Control characters are valid in an id, but not in a header
   * (RFC 9110 §5.5).
   */
  sentId = "";
  /** The wait before a reconnection that the server asks for, in seconds. */
  retry: number | undefined;
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
        if (/^[\t\x20-\x7e\x80-\uffff]*$/.test(id)) this.sentId = id;
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

  /**
   * Returns the event that lacks only its blank line when the connection ends; undefined if there is
   * none. The standard drops it, so its id and its wait have no effect.
   */
  unfinished(): ServerSentEvent | undefined {
    const { id, sentId, retry, isTooLong } = this;
    const [event] = this.push(blankLine);
    Object.assign(this, { id, sentId, retry, isTooLong });
    return event;
  }

  #add({ event = "message", data }: EventSourceMessage): void {
    // The parser does not count exactly, and not at all if an event ends in its first chunk.
    this.isTooLong ||= data.length > this.#limit;
    if (this.isTooLong) return;
    this.#events.push({ event, data, id: this.id, retry: this.#newRetry });
    this.#newRetry = undefined;
  }
}
