import type { BoxAttrs } from "./box/mod.ts";
import { checkedTexts } from "./checks.ts";
import type { CallSettings, EngineOptions } from "./engine/engine_options.ts";
import { settingChecks } from "./engine/setting_checks.ts";
import { UnexpectedValueError } from "./errors/unexpected_value_error.ts";
import type { Generation } from "./generation.ts";
import { HttpSession } from "./http/http_session.ts";
import type { HeadersInput } from "./http/headers.ts";
import type { OverrideOptions } from "./http/overrides.ts";
import type { ConnectionOptions } from "./http/transport/port.ts";
import type { Transport } from "./http/transport.ts";
import type { Logger } from "./log/logger.ts";
import type { ResultFlag } from "./request_method.ts";

/**
 * The options of a session or client of either generation: each goes before the class's static of
 * the same name.
 *
 * What lies beneath (`auth`, `headers`, `cookies`, `fetch`, `adapters`) becomes that of its HTTP
 * session. One that is passed in as `session` is not written to: then it is laid over it, for the
 * calls of this session or client alone.
 */
export interface ServiceOptions extends EngineOptions, OverrideOptions, ConnectionOptions {
  /**
   * Headers of every request. To an origin that is not trusted only harmless ones such as `Accept`
   * are sent, and those in `static crossOriginHeaders`. Default: none
   *
   * @example `{ headers: { "X-API-Key": key } }`
   */
  readonly headers?: HeadersInput | undefined;
  /**
   * Carries the requests below `adapterPath` in place of fetch. Default: none
   *
   * @example `{ adapter: () => Promise.resolve(Response.json({ ok: true })) }`
   */
  readonly adapter?: Transport | undefined;
  /**
   * The URL prefix that the adapter is mounted at. Default: the base URL, a slash and the base path
   *
   * @example `{ adapter, adapterPath: "https://" }`
   */
  readonly adapterPath?: string | undefined;
  /** The HTTP session to use in place of a new one; it is not closed with this session. */
  readonly session?: HttpSession | undefined;
  /** Where records go. Default: the logger named `<libName>.<class name>` */
  readonly logger?: Logger | undefined;
}

/**
 * What becomes of the responses of a session or client that is used as it is; an SDK's own class declares it
 * by its fields. An option goes before the field.
 *
 * @typeParam B Whether JSON becomes a box, as a constant
 * @typeParam J Whether bodies are parsed from JSON, as a constant
 * @typeParam A How a box behaves, as constants
 */
export interface ResultOptions<
  B extends ResultFlag,
  J extends ResultFlag,
  A extends BoxAttrs | undefined,
> {
  /** Whether JSON becomes a box. Default: as `_box` says, which is false */
  readonly box?: B | undefined;
  /** How a box behaves. Default: as `_boxAttrs` says, which is empty */
  readonly boxAttrs?: A | undefined;
  /** Whether bodies are parsed from JSON. Default: as `_convJson` says, which is false */
  readonly convJson?: J | undefined;
}

/** What options there are beside the settings. */
const others = [
  "adapter",
  "adapterPath",
  "adapters",
  "auth",
  "box",
  "boxAttrs",
  "ca",
  "cert",
  "clock",
  "convJson",
  "cookies",
  "fetch",
  "fetchOptions",
  "headers",
  "logger",
  "params",
  "proxies",
  "session",
  "signal",
  "sslVerify",
  "trustedOrigins",
] as const satisfies readonly OtherOption[];

type OtherOption = Exclude<
  keyof (ServiceOptions & ResultOptions<ResultFlag, ResultFlag, BoxAttrs>),
  keyof CallSettings
>;

/** The options that are not in the list: the type below keeps it whole. */
type Missing = Exclude<OtherOption, typeof others[number]>;

/** The names of all options that both generations have. */
const optionNames: [Missing] extends [never] ? readonly string[] : Missing = [
  ...Object.keys(settingChecks),
  ...others,
];

/**
 * Refuses options that neither the toolkit nor the class declares (contract, Errors, rule 6).
 *
 * @param options What was given to the constructor
 * @param service The class, whose `optionNames` count with those of its ancestors
 * @param generation Its generation, which has names beside the common ones
 * @throws {UnexpectedValueError} Lists the options that are left over
 */
export function rejectUnknownOptions(
  options: object,
  service: object,
  { ownOptions }: Generation,
): void {
  const known = new Set([...optionNames, ...ownOptions, ...declaredNames(service)]);
  const leftovers = Object.keys(options).filter((name) => !known.has(name));
  if (leftovers.length === 0) return;
  throw new UnexpectedValueError(leftovers.join(", "), `one of ${[...known].sort().join(", ")}`);
}

/** The option names that a class and its ancestors declare. */
function declaredNames(service: object): string[] {
  if (!("optionNames" in service)) return [];
  const own = checkedTexts("optionNames", service.optionNames);
  return [...own, ...declaredNames(Object.getPrototypeOf(service))];
}

/**
 * Checks an HTTP session.
 *
 * @param option What to call it in the error
 * @param expected What is expected, as a noun phrase
 * @param session What was given
 */
export function checkedSession(option: string, expected: string, session: unknown): HttpSession {
  if (session instanceof HttpSession) return session;
  throw new UnexpectedValueError(option, expected, session);
}
