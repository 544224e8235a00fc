/**
 * Wraps the dispatcher of Node's fetch: without its time limits, and without some of its faults.
 */
import { builtinModule } from "../../base/runtime.ts";

// Node's fetch aborts an exchange if nothing arrives for 300 seconds. fetch has no option for this
// limit. It is an option of the dispatcher, which manages the connections.

/** A dispatcher, as the `dispatcher` option of Node's fetch takes it. */
export interface Dispatcher {
  dispatch(request: DispatchedRequest, handler: unknown): boolean;
}

/** A request that fetch passes to its dispatcher. */
export interface DispatchedRequest {
  readonly origin: string | URL;
  readonly path: string;
  /** An object, pairs, or a flat list (name, value, name, value), depending on the version. */
  readonly headers: Readonly<Record<string, string>> | readonly (string | readonly string[])[];
}

/** The time limits of a dispatcher, in milliseconds; 0 for none. */
interface Limits {
  readonly headersTimeout?: number | undefined;
  readonly bodyTimeout?: number | undefined;
}

const noLimits: Limits = { headersTimeout: 0, bodyTimeout: 0 };

/** Wraps a dispatcher, so that it has no time limits, and avoids faults of Node's fetch. */
export function unlimited(dispatcher: Dispatcher): Dispatcher {
  return {
    dispatch(request, handler) {
      requireWholeInput(handler);
      if (isResponseHandler(handler)) avoidFaults(handler);
      return dispatcher.dispatch({ ...request, ...noLimits }, handler);
    },
  };
}

/** The methods of the handler that the fetch of Node 22 and 24 passes to its dispatcher. */
interface ResponseHandler {
  /** Receives the headers of a response as a flat list: name, value, name, value. */
  onHeaders(status: number, headers: RawHeaders, ...rest: unknown[]): boolean;
  /** Receives a part of the body. Returns false to pause the connection. */
  onData(chunk: Uint8Array): boolean;
  /** Called at the end of the body. */
  onComplete(...trailers: unknown[]): void;
  /** The body before it is decompressed. It ends with null. */
  readonly body: { push(chunk: null): void } | null;
}

/** A stream of Node, such as one that decompresses. */
interface NodeStream {
  /** The streams to which it is piped. */
  readonly _readableState?: { readonly pipes?: readonly NodeStream[] };
  /** The constant of zlib that is used at the end of the input. */
  _finishFlushFlag?: number;
}

/** A handler that fetch passes to its dispatcher. The name of the method depends on the version. */
interface BodyHandler {
  /** Receives a part of the body. */
  onData?(...args: unknown[]): unknown;
  onResponseData?(...args: unknown[]): unknown;
  /** The body before it is decompressed. */
  readonly body: NodeStream | null;
}

/** The constants of zlib that require the whole input: Z_FINISH and BROTLI_OPERATION_FINISH. */
const wholeInput: Readonly<Record<string, number>> = { Gunzip: 4, BrotliDecompress: 2 };

/**
 * Lets a body in gzip or brotli fail if it ends early, as on Deno and Bun. Node's fetch takes its
 * beginning for the whole. An empty body stays empty.
 */
function requireWholeInput(handler: unknown): void {
  const name = builtinUndici < 8 ? "onData" : "onResponseData";
  const ours: BodyHandler = Object(handler);
  const onData = ours[name];
  if (onData === undefined) return;
  let isFirst = true;
  ours[name] = (...args) => {
    // When the first part arrives, the streams that decompress it exist.
    let stream = isFirst ? nextOf(ours.body) : undefined;
    for (isFirst = false; stream !== undefined; stream = nextOf(stream)) {
      const flag = wholeInput[stream.constructor.name];
      if (flag !== undefined) stream._finishFlushFlag = flag;
    }
    return onData.apply(ours, args);
  };
}

function nextOf(stream: NodeStream | null): NodeStream | undefined {
  return stream?._readableState?.pipes?.[0];
}

type RawHeaders = readonly (Uint8Array | readonly Uint8Array[])[];

/** The number of remaining bytes that are still read if fetch asks for a pause. */
const SMALL_REST = 2 ** 20;

/**
 * Avoids two faults of the fetch of Node 22 and 24, by changes of its handler.
 *
 * If a server closes the connection while fetch pauses it, they end the process with an assertion
 * that cannot be caught (nodejs/undici#5360). A body that is decoded or read slowly is often paused
 * when its last bytes have arrived. So near the end of a body, the handler does not pause. A body
 * without a length ends when the connection closes, so it is never paused. Two cases remain: a
 * chunked body, or a body with more than {@linkcode SMALL_REST} missing bytes, that breaks off during
 * a pause.
 *
 * At the end of a compressed body, Node 22 stops listening to errors of the decompression. If one
 * comes later, reading the body never ends. So fetch does not get to know that end, but the
 * decompression does, whose own end is enough for fetch.
 */
function avoidFaults(handler: ResponseHandler): void {
  const { onHeaders, onData, onComplete } = handler;
  let headers: RawHeaders = [];
  let left: number | undefined;
  let received = 0;
  handler.onHeaders = (status, fields, ...rest) => {
    headers = fields;
    return onHeaders.call(handler, status, fields, ...rest);
  };
  handler.onData = (chunk) => {
    received += chunk.length;
    // Most bodies are never paused, so their headers are not parsed.
    return onData.call(handler, chunk) || (left ??= lengthIn(headers)) - received <= SMALL_REST;
  };
  if (builtinUndici > 6) return;
  handler.onComplete = (...trailers) => {
    // For fetch, an empty body is never an error.
    if (received === 0 || !isEncoded(headers)) onComplete.apply(handler, trailers);
    else handler.body?.push(null);
  };
}

function isResponseHandler(handler: unknown): handler is ResponseHandler {
  const { onHeaders, onData }: Partial<ResponseHandler> = Object(handler);
  return builtinUndici < 8 && typeof onHeaders === "function" && typeof onData === "function";
}

/** Returns the length of a body from its headers: Infinity if it is chunked, 0 if it is unknown. */
function lengthIn(headers: RawHeaders): number {
  let length = 0;
  for (let index = 0; index < headers.length; index += 2) {
    const name = textOf(headers[index]!);
    if (name === "transfer-encoding") return Infinity;
    if (name === "content-length") length = Number(textOf(headers[index + 1]!));
  }
  return length;
}

const ENCODING = "content-encoding";

function isEncoded(headers: RawHeaders): boolean {
  return headers.some((field, index) =>
    index % 2 === 0 && field.length === ENCODING.length && textOf(field) === ENCODING
  );
}

function textOf(field: RawHeaders[number]): string {
  return latin1Text([field].flat()[0]).toLowerCase();
}

let latin1: TextDecoder | undefined;

/** Returns a part of a header as text. */
export function latin1Text(bytes: Uint8Array | undefined): string {
  // Created on use: test environments such as that of Jest for jsdom have no TextDecoder.
  return (latin1 ??= new TextDecoder("latin1")).decode(bytes);
}

/** The major version of undici that is built into Node; 0 if there is none. */
export const builtinUndici: number = Number.parseInt(
  builtinModule<{ versions: { undici?: string } }>("node:process")?.versions.undici ?? "0",
);

/** The dispatcher that was checked last, and its replacement. */
let seen: { readonly dispatcher: unknown; readonly inPlace: Dispatcher | undefined } | undefined;

/**
 * Returns a dispatcher for Node's fetch that has no time limits.
 *
 * @returns undefined if the program has set a global dispatcher for fetch that is not like Node's
 * own or has time limits. That dispatcher then stays in use.
 */
export function unlimitedDispatcher(): Dispatcher | undefined {
  const dispatcher = globalDispatcher();
  if (seen === undefined || seen.dispatcher !== dispatcher) {
    const inPlace = isLikeNodes(dispatcher) ? unlimited(dispatcher) : undefined;
    seen = { dispatcher, inPlace };
  }
  return seen.inPlace;
}

/** The symbols of fetch's global dispatcher: the first up to undici 7, the second from undici 8. */
const places = [
  Symbol.for("undici.globalDispatcher.1"),
  Symbol.for("undici.globalDispatcher.2"),
] as const;

function globalDispatcher(): unknown {
  const place = builtinUndici < 8 ? places[0] : places[1];
  // Node sets the dispatcher when something of fetch is used for the first time.
  if (!(place in globalThis)) Reflect.get(globalThis, "Response");
  return Reflect.get(globalThis, place);
}

/** Reports if a dispatcher is like the ones that Node creates, with no time limits. */
function isLikeNodes(dispatcher: unknown): dispatcher is Dispatcher {
  // undici 8 stores its own dispatcher under the second symbol, and a wrapper of it, for older
  // versions, under the first.
  const isAround = className(dispatcher) === "Dispatcher1Wrapper";
  const within: unknown = isAround ? Reflect.get(globalThis, places[1]) : dispatcher;
  const name = className(within);
  // Node creates an EnvHttpProxyAgent if the environment sets proxies. Its inner agent has the
  // options.
  if (name !== "Agent" && name !== "EnvHttpProxyAgent") return false;
  const agent = name === "Agent" ? within : hiddenIn(within, "no proxy agent");
  const { headersTimeout, bodyTimeout }: Limits = Object(hiddenIn(agent, "options"));
  return headersTimeout === undefined && bodyTimeout === undefined;
}

function className(value: unknown): unknown {
  return Object(value).constructor?.name;
}

/** Returns a value that undici stores under a symbol that it does not export. */
function hiddenIn(value: unknown, name: string): unknown {
  const object: object = Object(value);
  const key = Object.getOwnPropertySymbols(object).find(({ description }) => description === name);
  return key === undefined ? undefined : Reflect.get(object, key);
}
