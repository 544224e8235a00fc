/**
 * The options of sessions and clients, and those that are statics of their classes or changed
 * later.
 */
import type { BoxAttrs } from "../box/mod.ts";
import type { Clock } from "../base/clock.ts";
import type { HttpSession } from "../http/http_session.ts";
import type { Transport } from "../http/transport.ts";
import type { ConnectionOptions } from "../http/transport/port.ts";
import type { CallMiddleware } from "./request_options.ts";
import type { SharedOptions } from "./shared_options.ts";

/**
 * The options of a session or client of either generation. Each takes precedence over the class's
 * static of the same name.
 *
 * `auth`, `headers`, `cookies`, `fetch` and `adapters` are set on its HTTP session. An HTTP session
 * that is passed as `session` is not changed: then they apply to the calls of this session or client.
 *
 * @category Sessions and clients
 */
export interface ClientBaseOptions extends SharedOptions, ConnectionOptions {
  /**
   * Sends the requests below `adapterPath` instead of fetch. Default: none
   *
   * @example `{ adapter: () => Promise.resolve(Response.json({ ok: true })) }`
   */
  readonly adapter?: Transport | undefined;
  /**
   * The URL prefix of the adapter. Default: the base URL, a slash and the base path
   *
   * @example `{ adapter, adapterPath: "https://" }`
   */
  readonly adapterPath?: string | undefined;
  /**
   * The HTTP session to use instead of a new one. It is not closed with this session. `adapter`,
   * `proxies`, `cert` and `ca` are set on it. Default: a new one
   */
  readonly session?: HttpSession | undefined;
  /**
   * Other origins that get the session's headers and its `auth`. The base URL's own origin always
   * gets them. They never go from https to http. Default: none
   *
   * @example `{ trustedOrigins: ["https://eu.api.example.com"] }`
   */
  readonly trustedOrigins?: readonly string[] | undefined;
  /**
   * The full URLs that a call can have instead of a path: "any", or "trusted" for those of the base
   * URL's origin and of `trustedOrigins`. Set "trusted" if paths contain values from outside, which
   * must not choose the host.
   *
   * @default {"any"}
   */
  readonly absoluteUrls?: "any" | "trusted" | undefined;
  /**
   * Functions around each whole call, with all its attempts, the first one outermost. Those of a
   * session run inside those of its class. Default: none
   *
   * @example `{ callMiddleware: [async (call, next) => await next(call)] }`
   */
  readonly callMiddleware?: readonly CallMiddleware[] | undefined;
  /** Measures waits, timeouts and deadlines. Default: the runtime's own clock */
  readonly clock?: Clock | undefined;
}

/** The options that belong to one session or client, and are not statics of a class. */
type OfOneClient =
  | "signal"
  | "clock"
  | "params"
  | "headers"
  | "auth"
  | "cookies"
  | "fetch"
  | "adapters"
  | "fetchOptions"
  | "session";

/** The statics that are undefined by default. */
type Optional =
  | "finalWait"
  | "errorFrom"
  | "errorFunc"
  | "logger"
  | "adapter"
  | "adapterPath"
  | "proxies"
  | "cert"
  | "ca";

/** The options that are statics of a class, too, and their types there. */
export type ClassOptions<Options = ClientBaseOptions> = {
  readonly [K in keyof Options as Exclude<K, OfOneClient>]-?: K extends Optional ? Options[K]
    : Exclude<Options[K], undefined>;
};

/**
 * The options that `withOptions` can change. Those for the result of calls are not among them,
 * because their types come from the class.
 *
 * @category Sessions and clients
 */
export interface OptionChanges
  extends Omit<ClientBaseOptions, "session" | "clock" | "proxies" | "cert" | "ca"> {
  /** The base URL of an `APIClient`. With another origin, the copy shares nothing. */
  readonly baseUrl?: string | undefined;
}

/**
 * How a session or client converts responses. An option takes precedence over the field of the class.
 *
 * The types of the results follow from the fields of the class. They follow from these options only for
 * `APISession` and `APIClient` themselves, and for a class that passes its type parameters on.
 *
 * @typeParam B The type of `box`, as a constant; undefined accepts every value
 * @typeParam J The type of `convJson`, as a constant; undefined accepts every value
 * @typeParam A The type of `boxAttrs`, as constants; undefined accepts every value
 *
 * @category Sessions and clients
 */
export interface ResultOptions<
  B extends boolean | undefined = undefined,
  J extends boolean | undefined = undefined,
  A extends BoxAttrs | undefined = undefined,
> {
  /**
   * True if JSON is converted to a box; it takes precedence over `convJson`. Default: the field `_box`,
   * which is false
   */
  readonly box?: B | (B extends undefined ? boolean : never) | undefined;
  /** The settings of boxes. Default: the field `_boxAttrs`, which is empty */
  readonly boxAttrs?: A | (A extends undefined ? BoxAttrs : never) | undefined;
  /** True if bodies are parsed as JSON. Default: the field `_convJson`, which is false */
  readonly convJson?: J | (J extends undefined ? boolean : never) | undefined;
}
