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

/** A dispatcher that does what another does, for as long as it takes. */
export function unlimited(dispatcher: Dispatcher): Dispatcher {
  return {
    dispatch: (request, handler) => dispatcher.dispatch({ ...request, ...noLimits }, handler),
  };
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
