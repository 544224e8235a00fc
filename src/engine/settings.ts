import { type Clock, systemClock } from "../clock.ts";
import type { ErrorFunction } from "../errors/api_error.ts";
import type { ErrorMap } from "../errors/by_status.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { basicCredentials, splitUrl } from "../http/full_url.ts";
import { Trust } from "../http/trust.ts";
import {
  checkedBound,
  checkedClock,
  checkedCount,
  checkedFlag,
  checkedFunction,
  checkedSeconds,
  checkedSignal,
  checkedText,
  checkedTexts,
} from "../checks.ts";
import { encodeParams, type Params, paramsOver } from "./params.ts";
import { checkedModel, type ResponseModel } from "./response_model.ts";
import type {
  CallKeywords,
  CallSettings,
  EngineDefaults,
  EngineOptions,
} from "./engine_options.ts";
import { barePath, climbs, joinBySlash } from "./url.ts";

/** What one engine works by, checked. */
export interface EngineSettings {
  /** The base URL, without credentials and without a slash at its end. */
  readonly base: string;
  /** The base URL with the base path, without a slash at its end. */
  readonly prefix: string;
  /** The Authorization that the base URL's credentials make, if it has any. */
  readonly credentials: string | undefined;
  /** How often a request is sent again. */
  readonly retries: number;
  /** Seconds, multiplied by the number of the retry. */
  readonly backoff: number;
  /** The longest wait that a Retry-After header can ask for, in seconds. */
  readonly maxRetryAfter: number | undefined;
  /** Whether the last failed attempt is followed by a wait as well. */
  readonly finalWait: boolean;
  /** Seconds without data after which an attempt counts as stalled; null for none, if it is said. */
  readonly timeout: number | null | undefined;
  /** Seconds that a call may take. */
  readonly deadline: number | undefined;
  /** The base map with the session's entries laid over it. */
  readonly errorMap: ErrorMap;
  /** Whether redirects are followed. */
  readonly followRedirects: boolean;
  /** The most redirects that are followed for one attempt. */
  readonly maxRedirects: number;
  /** To whom credentials go. */
  readonly trust: Trust;
  /** Makes the messages of errors. */
  readonly errorFunc: ErrorFunction | undefined;
  /** What the body of an error response is decoded to. */
  readonly errorModel: ResponseModel | undefined;
  /** The response header with the request's id. */
  readonly requestIdHeader: string | undefined;
  /** Query parameters of every request to whom credentials go. */
  readonly params: Params | object | undefined;
  /** Ends every call. */
  readonly signal: AbortSignal | undefined;
  /** Paths that are not logged, bare. */
  readonly restrictedPaths: ReadonlySet<string>;
  /** What time is measured by. */
  readonly clock: Clock;
}

/** Where the paths of a face begin. */
export interface BaseAddress {
  /** The base URL. */
  readonly url: unknown;
  /** What the option that gives the base URL is called. */
  readonly option: string;
  /** The path between the base URL and the paths, or empty. */
  readonly basePath: unknown;
}

/**
 * Checks what an engine works by.
 *
 * @param options The options; what is undefined is taken from the class
 * @param defaults The class's own
 * @param address Where the paths begin
 * @throws {UnexpectedValueError} Names the first option that is not what was expected
 */
export function readSettings(
  options: EngineOptions,
  defaults: EngineDefaults,
  address: BaseAddress,
): EngineSettings {
  const given = <K extends keyof EngineOptions>(key: K): EngineOptions[K] =>
    options[key] === undefined ? defaults[key] : options[key];
  const where = readAddress(address);
  return {
    ...where,
    trust: new Trust({
      base: where.base,
      origins: checkedTexts("trustedOrigins", given("trustedOrigins") ?? [])
        .map(checkedOrigin),
      secretHeaders: checkedTexts("secretHeaders", defaults.secretHeaders),
    }),
    followRedirects: checkedFlag("followRedirects", given("followRedirects")),
    maxRedirects: checkedCount("maxRedirects", given("maxRedirects")),
    ...callSettings({
      retries: given("retries"),
      backoff: given("backoff"),
      maxRetryAfter: given("maxRetryAfter"),
      finalWait: given("finalWait"),
      errorFunc: given("errorFunc"),
      errorModel: given("errorModel"),
      requestIdHeader: given("requestIdHeader"),
    }),
    timeout: options.timeout === null ? null : checkedBound("timeout", given("timeout")),
    deadline: checkedBound("deadline", given("deadline")),
    params: checkedParams(options.params),
    signal: checkedSignal(options.signal),
    errorMap: {
      ...checkedErrorMap("baseErrorMap", defaults.baseErrorMap),
      ...checkedErrorMap("errorMap", defaults.errorMap),
    },
    restrictedPaths: new Set(
      checkedTexts("restrictedPaths", defaults.restrictedPaths).map(barePath),
    ),
    clock: checkedClock("clock", given("clock")) ?? systemClock,
  };
}

type CheckedCallSettings = Pick<
  EngineSettings,
  | "retries"
  | "backoff"
  | "maxRetryAfter"
  | "finalWait"
  | "errorFunc"
  | "errorModel"
  | "requestIdHeader"
>;

/** Checks the settings that a call can have of its own, but for the error map. */
function callSettings(given: CallSettings): CheckedCallSettings {
  const { errorModel, requestIdHeader } = given;
  return {
    retries: checkedCount("retries", given.retries),
    backoff: checkedSeconds("backoff", given.backoff),
    maxRetryAfter: checkedBound("maxRetryAfter", given.maxRetryAfter),
    finalWait: checkedFlag("finalWait", given.finalWait),
    errorFunc: checkedFunction("errorFunc", given.errorFunc),
    errorModel: errorModel === undefined ? undefined : checkedModel("errorModel", errorModel),
    requestIdHeader: requestIdHeader === null || requestIdHeader === undefined
      ? undefined
      : checkedName("requestIdHeader", requestIdHeader),
  };
}

const callKeywords = [
  "retries",
  "backoff",
  "maxRetryAfter",
  "finalWait",
  "errorFunc",
  "errorMap",
  "errorModel",
  "requestIdHeader",
] as const satisfies readonly (keyof CallKeywords)[];

/**
 * The settings of one call: the engine's, or a copy where keywords say otherwise.
 *
 * @throws {UnexpectedValueError} Names the first keyword that is not what was expected
 */
export function settingsFor(settings: EngineSettings, keywords: CallKeywords): EngineSettings {
  let isSilent = true;
  // Not `every`: it is asked for each call, and takes twice as long.
  for (const keyword of callKeywords) isSilent &&= keywords[keyword] === undefined;
  if (isSilent) return settings;
  const said = Object.fromEntries(
    callKeywords.filter((keyword) => keywords[keyword] !== undefined)
      .map((keyword) => [keyword, keywords[keyword]]),
  );
  const { errorMap } = settings;
  return {
    ...settings,
    ...callSettings({ ...settings, ...said }),
    errorMap: keywords.errorMap === undefined
      ? errorMap
      : { ...errorMap, ...checkedErrorMap("errorMap", keywords.errorMap) },
  };
}

function checkedParams(params: Params | object | undefined): Params | object | undefined {
  if (params === undefined) return undefined;
  encodeParams(params, "params"); // names what is wrong with them
  return paramsOver({}, params); // a copy: the caller's may change
}

function checkedName(option: string, name: string): string {
  if (typeof name === "string" && /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) return name;
  throw new UnexpectedValueError(option, "the name of a header, or null", name);
}

/** An origin and nothing more: a path would be taken for a limit that it is not. */
function checkedOrigin(origin: string): string {
  const { url, credentials } = splitUrl(origin, "trustedOrigins");
  if (credentials === undefined && url === `${new URL(url).origin}/`) return url;
  const expected = "a list of origins, scheme and host, without credentials and path";
  throw new UnexpectedValueError("trustedOrigins", expected, origin);
}

function readAddress(
  { url, option, basePath }: BaseAddress,
): Pick<EngineSettings, "base" | "prefix" | "credentials"> {
  const split = splitUrl(url, option);
  if (/[?#]/.test(split.url)) {
    throw new UnexpectedValueError(option, "a URL without a query or a fragment", url);
  }
  const base = split.url.replace(/\/+$/, "");
  const path = checkedText("basePath", basePath).replace(/^\/+|\/+$/g, "");
  if (/[?#]/.test(path) || climbs(path)) {
    const expected = "a path without a query or fragment that does not climb by dot segments";
    throw new UnexpectedValueError("basePath", expected, basePath);
  }
  return {
    base,
    prefix: path === "" ? base : joinBySlash(base, path),
    credentials: split.credentials && basicCredentials(split.credentials),
  };
}

function checkedErrorMap(option: string, map: ErrorMap): ErrorMap {
  if (typeof map !== "object" || map === null) {
    throw new UnexpectedValueError(option, "a mapping from statuses to error classes", map);
  }
  for (const [status, made] of Object.entries(map)) {
    if (!/^\d+$/.test(status) || typeof made !== "function") {
      const expected = "an error class, under a status";
      throw new UnexpectedValueError(`${option}.${status}`, expected, made);
    }
  }
  return map;
}
