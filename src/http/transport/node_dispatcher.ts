import { builtinModule } from "../../runtime.ts";

// Node's fetch ends an exchange in which nothing has come for 300 seconds, and there is no option
// of fetch for that: it is told by the dispatcher, which is the part beneath that connects.

/** What Node's fetch takes as `dispatcher`. */
export interface Dispatcher {
  dispatch(request: DispatchedRequest, handler: unknown): boolean;
}

/** A request on its way from fetch to a connection. */
export interface DispatchedRequest {
  readonly origin: string | URL;
  readonly path: string;
  /** A mapping, pairs, or name, value, name, value: by version. */
  readonly headers: Readonly<Record<string, string>> | readonly (string | readonly string[])[];
}

/** The limits of a dispatcher, in milliseconds; 0 for none. */
interface Limits {
  readonly headersTimeout?: number | undefined;
  readonly bodyTimeout?: number | undefined;
}

const noLimits: Limits = { headersTimeout: 0, bodyTimeout: 0 };

/** A dispatcher that does what another does, for as long as it takes, and reads each body to its end. */
export function unlimited(dispatcher: Dispatcher): Dispatcher {
  return {
    dispatch(request, handler) {
      if (isResponseHandler(handler)) readToTheEnd(handler);
      return dispatcher.dispatch({ ...request, ...noLimits }, handler);
    },
  };
}

/** The part of a request that the fetch of Node 22 and 24 gives to its dispatcher. */
interface ResponseHandler {
  /** Receives the headers of a response: name, value, name, value. */
  onHeaders(status: number, headers: RawHeaders, ...rest: unknown[]): boolean;
  /** Receives a part of the body. Returns false to pause the connection. */
  onData(chunk: Uint8Array): boolean;
}

type RawHeaders = readonly (Uint8Array | readonly Uint8Array[])[];

/** Bytes that are still read when fetch asks for a pause. */
const SMALL_REST = 2 ** 20;

/**
 * Makes a handler go on if fetch asks for a pause near the end of a body.
 *
 * If a server closes the connection during a pause, Node 22 and 24 end the process with an assertion
 * that nobody can catch (nodejs/undici#5360). A body that is decoded or read slowly is often paused
 * when its last bytes are there. A body without a length ends where the connection does, so it is
 * never paused. What remains: a body that is cut short by more than {@linkcode SMALL_REST}, or in
 * chunks, during a pause.
 */
function readToTheEnd(handler: ResponseHandler): void {
  const { onHeaders, onData } = handler;
  let headers: RawHeaders = [];
  let left: number | undefined;
  let received = 0;
  handler.onHeaders = (status, fields, ...rest) => {
    headers = fields;
    return onHeaders.call(handler, status, fields, ...rest);
  };
  handler.onData = (chunk) => {
    received += chunk.length;
    // Most bodies are never paused, and do without a look at their headers.
    return onData.call(handler, chunk) || (left ??= lengthIn(headers)) - received <= SMALL_REST;
  };
}

function isResponseHandler(handler: unknown): handler is ResponseHandler {
  const { onHeaders, onData }: Partial<ResponseHandler> = Object(handler);
  return builtinUndici < 8 && typeof onHeaders === "function" && typeof onData === "function";
}

/** Returns the length of a body by its headers: Infinity in chunks, 0 if nothing says. */
function lengthIn(headers: RawHeaders): number {
  const decoder = new TextDecoder("latin1");
  const text = (index: number) => decoder.decode([headers[index]].flat()[0]).toLowerCase();
  let length = 0;
  for (let index = 0; index < headers.length; index += 2) {
    const name = text(index);
    if (name === "transfer-encoding") return Infinity;
    if (name === "content-length") length = Number(text(index + 1));
  }
  return length;
}

/** The first number of the version of undici that Node has built in; 0 where there is none. */
export const builtinUndici: number = Number.parseInt(
  builtinModule<{ versions: { undici?: string } }>("node:process")?.versions.undici ?? "0",
);

/** A dispatcher that was looked at, and what takes its place. */
let seen: { readonly dispatcher: unknown; readonly inPlace: Dispatcher | undefined } | undefined;

/**
 * What Node's fetch is given so that it has no limit that nobody asked for.
 *
 * @returns Undefined where the program has set a dispatcher of its own for all of fetch that is not
 * like Node's, or has limits: then those count
 */
export function unlimitedDispatcher(): Dispatcher | undefined {
  const dispatcher = globalDispatcher();
  if (seen === undefined || seen.dispatcher !== dispatcher) {
    const inPlace = isLikeNodes(dispatcher) ? unlimited(dispatcher) : undefined;
    seen = { dispatcher, inPlace };
  }
  return seen.inPlace;
}

/** Where fetch finds its dispatcher: undici has had one place for it up to version 7, then another. */
const places = [
  Symbol.for("undici.globalDispatcher.1"),
  Symbol.for("undici.globalDispatcher.2"),
] as const;

function globalDispatcher(): unknown {
  const place = builtinUndici < 8 ? places[0] : places[1];
  // It is there as soon as anything of fetch has been used.
  if (!(place in globalThis)) Reflect.get(globalThis, "Response");
  return Reflect.get(globalThis, place);
}

/** Whether a dispatcher is one as Node makes it, with no limits of its own. */
function isLikeNodes(dispatcher: unknown): dispatcher is Dispatcher {
  // Version 8 puts its own into the one place, and for those before it something around it into the
  // other.
  const isAround = className(dispatcher) === "Dispatcher1Wrapper";
  const within: unknown = isAround ? Reflect.get(globalThis, places[1]) : dispatcher;
  const name = className(within);
  // The latter is there for proxies of the environment; it has an agent with the options.
  if (name !== "Agent" && name !== "EnvHttpProxyAgent") return false;
  const agent = name === "Agent" ? within : hiddenIn(within, "no proxy agent");
  const { headersTimeout, bodyTimeout }: Limits = Object(hiddenIn(agent, "options"));
  return headersTimeout === undefined && bodyTimeout === undefined;
}

function className(value: unknown): unknown {
  return Object(value).constructor?.name;
}

/** What undici keeps under a symbol that it does not give away. */
function hiddenIn(value: unknown, name: string): unknown {
  const object: object = Object(value);
  const key = Object.getOwnPropertySymbols(object).find(({ description }) => description === name);
  return key === undefined ? undefined : Reflect.get(object, key);
}
