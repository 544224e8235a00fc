/**
 * The table of options: the check of each option, the places where it can be set, and its merging.
 */
import { isOfCopy } from "../base/foreign_objects.ts";
import {
  type Check,
  check,
  checkedBound,
  checkedCount,
  checkedFlag,
  checkedFunction,
  checkedHeaderText,
  checkedLogger,
  checkedStatuses,
  checkedText,
  checkedTexts,
  checkedWaitLimit,
  isToken,
  limitCheck,
  listCheck,
} from "../base/checks.ts";
import { APIError } from "../errors/api_error.ts";
import type { ErrorMap } from "../errors/status_errors.ts";
import type { ErrorFrom } from "../errors/error_from.ts";
import { quotedText } from "../errors/message_text.ts";
import { describedAs, UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { checkedAuth } from "../http/auth.ts";
import { checkedCookies, mergeCookies } from "../http/cookie_storage.ts";
import { checkedHeaderName } from "../http/headers.ts";
import { type AdapterLookup, checkedAdapters, checkedFetchOptions } from "../http/transport.ts";
import { RequestContext } from "./middleware.ts";
import { checkedParamsStyle } from "../content/params.ts";
import { isResultFormat } from "../content/response_format.ts";
import type { ClassOptions, ClientBaseOptions, ResultOptions } from "./client_options.ts";
import type { RequestOptions } from "./request_options.ts";

/** A row of the table of options. */
export interface Definition {
  /** The places where the option can be set: a static of the class, a client, a call. */
  readonly levels: readonly Level[];
  /**
   * Checks the value and returns the setting of the same name. Without a check, the option is not a
   * setting: the code that uses it reads it from the options and checks it.
   */
  readonly check?: Check<unknown>;
  /**
   * Merges the setting over that of the level below. Default: it replaces it. `headers`, `params` and
   * `signal` are not settings; the code that uses them merges them.
   */
  readonly merge?: (above: never, below: never) => unknown;
  /** True if the option is passed to fetch as it is. */
  readonly isForFetch?: true;
  /** True if the option is the body of the request. */
  readonly isBody?: true;
  /** True if the option is a part of the request. A retry hook removes it by leaving it out. */
  readonly isContent?: true;
  /** True if a number is a time in seconds. */
  readonly isSeconds?: true;
  /**
   * The effect of `withOptions` on the option of the original. By default, the copy keeps it. An
   * option that is set on the shared HTTP session is not set again. A fixed one cannot be changed.
   */
  readonly derived?: "not set again" | "fixed";
}

/** A place where an option can be set. */
export type Level = "class" | "client" | "call";

/** The options of the constructor that both generations have. */
type OfConstructor = ClientBaseOptions & ResultOptions;

/** The names of all options that both generations have. */
export type OptionName = keyof OfConstructor | keyof RequestOptions;

/** The places where an option can be set, by the types that have it. */
type LevelsOf<Name> = readonly [
  ...(Name extends keyof ClassOptions ? ["class"] : []),
  ...(Name extends keyof OfConstructor ? ["client"] : []),
  ...(Name extends keyof RequestOptions ? ["call"] : []),
];

const classAndUp = ["class", "client", "call"] as const;
const clientAndUp = ["client", "call"] as const;
const notForCalls = ["class", "client"] as const;
const clientOnly = ["client"] as const;
const callOnly = ["call"] as const;

const forFetch = { levels: callOnly, isForFetch: true, isContent: true } as const;
const body = { levels: callOnly, isBody: true, isContent: true } as const;

const checkedFunctions = listCheck(
  "a list of functions",
  check("a function", (value) => typeof value === "function"),
);

const checkedMethods = listCheck(
  'a list of HTTP methods such as ["GET", "PUT"], or null for all',
  check("an HTTP method such as GET", isToken),
);

/**
 * The table of options. The checks of unknown options, the merging of levels, `withOptions` and the
 * page on options follow from it. A static also needs its default in `ClientBase`. The compiler
 * checks that each option has a row, and that its levels are those of the types that have it.
 */
export const definitions: {
  readonly [Name in OptionName]: Definition & { readonly levels: LevelsOf<Name> };
} = {
  // Attempts, time and middleware
  retries: { levels: classAndUp, check: checkedCount },
  backoff: {
    levels: classAndUp,
    check: check(
      "a number of seconds of at least 0, or a function that returns one",
      (value) => typeof value === "function" || Number.isFinite(value) && (value as number) >= 0,
    ),
    isSeconds: true,
  },
  maxBackoff: { levels: classAndUp, check: checkedWaitLimit, isSeconds: true },
  jitter: {
    levels: classAndUp,
    check: check(
      '"none", "full" or "equal"',
      (value) => value === "none" || value === "full" || value === "equal",
    ),
  },
  retryMethods: {
    levels: classAndUp,
    check: (option, value) => value === null ? null : checkedMethods(option, value),
  },
  idempotencyHeader: {
    levels: classAndUp,
    check: (option, name) =>
      name === null ? null : checkedHeaderName(option, name as string).toLowerCase(),
  },
  runtimeRetries: {
    levels: classAndUp,
    check: check(
      '"idempotent" or "any"',
      (value) => value === "idempotent" || value === "any",
    ),
  },
  retryBudget: { levels: classAndUp, check: checkedFlag },
  maxRetryAfter: { levels: classAndUp, check: checkedWaitLimit, isSeconds: true },
  finalWait: {
    levels: classAndUp,
    check: check(
      "true or false, or left out for a wait after transport errors only",
      (value) => value === undefined || typeof value === "boolean",
    ),
  },
  timeout: { levels: classAndUp, check: checkedBound, isSeconds: true },
  deadline: { levels: classAndUp, check: checkedBound, isSeconds: true },
  followRedirects: { levels: classAndUp, check: checkedFlag },
  maxRedirects: {
    levels: classAndUp,
    check: limitCheck("a whole number of at least 0", isCount),
  },
  retryOn: { levels: callOnly, check: checkedStatuses },
  okStatuses: { levels: callOnly, check: checkedStatuses },
  signal: { levels: clientAndUp },
  clock: { levels: clientOnly },
  middleware: { levels: classAndUp, check: checkedFunctions, merge: appendList },
  callMiddleware: { levels: notForCalls, check: checkedFunctions, merge: appendList },
  context: {
    levels: callOnly,
    check: check(
      "a RequestContext",
      (value) =>
        value instanceof RequestContext || isOfCopy(value, "RequestContext", ["get", "set"]),
    ),
  },
  // Errors and logs
  errorMap: { levels: classAndUp, check: checkedErrorMap, merge: mergeMappings },
  errorFrom: { levels: classAndUp, check: checkedFunction, merge: askFirst },
  errorsInSuccess: { levels: classAndUp, check: checkedFlag },
  errorFunc: { levels: classAndUp, check: checkedFunction },
  requestIdHeader: {
    levels: classAndUp,
    check: check(
      "the name of a header, or null",
      (name) => name === undefined || name === null || isToken(name),
    ),
  },
  // Every level hides more, never less.
  redactFields: { levels: classAndUp, check: checkedTexts, merge: appendList },
  redactValue: { levels: classAndUp, check: checkedText },
  logger: { levels: classAndUp, check: checkedLogger },
  // The request
  useBase: { levels: callOnly, check: checkedFlag },
  params: { levels: clientAndUp, isContent: true },
  paramsStyle: { levels: classAndUp, check: checkedParamsStyle },
  headers: { levels: clientAndUp, isContent: true, derived: "not set again" },
  vendor: { levels: classAndUp, check: checkedHeaderText },
  product: { levels: classAndUp, check: checkedHeaderText },
  build: { levels: classAndUp, check: checkedHeaderText },
  json: body,
  xml: body,
  data: body,
  files: body,
  content: body,
  // The response
  maxResponseBytes: {
    levels: classAndUp,
    check: limitCheck("a whole number of bytes of at least 0", isCount),
  },
  responseModel: { levels: callOnly },
  format: {
    levels: callOnly,
    check: check(
      "a format such as textFormat or sse(), or an object with a method read or stream",
      isResultFormat,
    ),
  },
  box: { levels: clientAndUp },
  boxAttrs: { levels: clientAndUp },
  convJson: { levels: clientAndUp },
  // HTTP
  auth: { levels: clientAndUp, check: checkedAuth, derived: "not set again" },
  cookies: {
    levels: clientAndUp,
    check: checkedCookies,
    merge: mergeCookies,
    derived: "not set again",
  },
  fetch: { levels: clientAndUp, check: checkedFunction, derived: "not set again" },
  adapters: {
    levels: clientAndUp,
    check: checkedAdapters,
    merge: mergeLookups,
    derived: "not set again",
  },
  fetchOptions: {
    levels: clientAndUp,
    check: checkedFetchOptions,
    merge: mergeMappings,
    derived: "not set again",
  },
  verify: { levels: callOnly, check: checkedFlag },
  adapter: { levels: notForCalls, derived: "not set again" },
  adapterPath: { levels: notForCalls },
  session: { levels: clientOnly, derived: "not set again" },
  trustedOrigins: { levels: notForCalls },
  absoluteUrls: {
    levels: notForCalls,
    check: check('"any" or "trusted"', (value) => value === "any" || value === "trusted"),
  },
  proxies: { levels: notForCalls, derived: "fixed" },
  cert: { levels: notForCalls, derived: "fixed" },
  ca: { levels: notForCalls, derived: "fixed" },
  sslVerify: { levels: notForCalls },
  cache: forFetch,
  credentials: forFetch,
  integrity: forFetch,
  keepalive: forFetch,
  mode: forFetch,
  priority: forFetch,
  referrer: forFetch,
  referrerPolicy: forFetch,
};

/** Returns the names of the options of a level. */
export function optionNames(level: Level): string[] {
  return Object.entries(definitions)
    .filter(([, { levels }]) => levels.includes(level))
    .map(([name]) => name);
}

function isCount(value: number): boolean {
  return Number.isInteger(value) && value >= 0;
}

function mergeMappings(above: object, below: object | undefined): object {
  return { ...below, ...above };
}

function appendList(above: readonly unknown[], below: readonly unknown[]): readonly unknown[] {
  return [...below, ...above];
}

function mergeLookups(above: AdapterLookup, below: AdapterLookup | undefined): AdapterLookup {
  return (url) => above(url) ?? below?.(url);
}

function askFirst(above: ErrorFrom, below: ErrorFrom | undefined): ErrorFrom {
  if (below === undefined) return above;
  const ask: ErrorFrom = async (response, details) =>
    await above(response, details) ?? await below(response, details);
  return Object.assign(ask, { model: above.model ?? below.model });
}

/** Checks a mapping from statuses to error classes. */
export function checkedErrorMap(option: string, map: unknown): ErrorMap {
  if (typeof map !== "object" || map === null || map instanceof Map) {
    throw new UnexpectedValueError(option, "a mapping from statuses to error classes", map);
  }
  for (const [status, value] of Object.entries(map)) {
    if (!/^\d+$/.test(status)) {
      const actual = describedAs(`under ${quotedText(status)}`);
      throw new UnexpectedValueError(`${option}.${status}`, "under a status, such as 404", actual);
    }
    if (isErrorClass(value)) continue;
    throw new UnexpectedValueError(`${option}.${status}`, "a class that extends APIError", value);
  }
  return map as ErrorMap;
}

/** Reports if a value is a class of errors of responses, from any copy of the toolkit. */
function isErrorClass(value: unknown): boolean {
  return typeof value === "function" && value.prototype instanceof APIError;
}
