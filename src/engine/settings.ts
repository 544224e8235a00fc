import {
  type Check,
  checkedClock,
  checkedHeaderNames,
  checkedSignal,
  checkedText,
  checkedTexts,
} from "../checks.ts";
import { type Clock, systemClock } from "../clock.ts";
import type { ErrorMap } from "../errors/by_status.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { splitUrl } from "../http/full_url.ts";
import type { HeaderOverrides } from "../http/headers.ts";
import type { Overrides } from "../http/overrides.ts";
import { type CredentialPolicy, credentialPolicy } from "../http/credential_policy.ts";
import type { Logger } from "../log/logger.ts";
import type { CallSettings, EngineDefaults, EngineOptions } from "./engine_options.ts";
import { checkedErrorMap, settingChecks } from "./setting_checks.ts";
import { type Params, paramsOver } from "./params.ts";
import { barePath, escapesBase, joinPath, withoutSlashes } from "./url.ts";
import type { UserAgentParts } from "./user_agent.ts";

/**
 * What one engine works by, checked; a call has its own where its keywords say otherwise.
 *
 * Of the options that are settings, null and undefined are for none; but a `timeout` of null takes
 * that of the HTTP session away, and undefined leaves it.
 */
export interface EngineSettings extends Settings {
  /** The base URL, without credentials and without a slash at its end. */
  readonly base: string;
  /** The base URL with the base path, without a slash at its end. */
  readonly prefix: string;
  /** The Authorization that the base URL's credentials make, if it has any. */
  readonly credentials: string | undefined;
  /** The base map with the session's entries laid over it. */
  readonly errorMap: ErrorMap;
  /** To whom credentials go. */
  readonly trust: CredentialPolicy;
  /** Query parameters of every request to whom credentials go. */
  readonly params: Params | object | undefined;
  /** Ends every call. */
  readonly signal: AbortSignal | undefined;
  /** Paths that are not logged, bare. */
  readonly restrictedPaths: readonly string[];
  /** What time is measured by. */
  readonly clock: Clock;
  /** Mapped statuses that are retried as well. Default: none */
  readonly retryOn?: readonly number[];
  /** Whether paths are put below the base path. Default: true */
  readonly useBase?: boolean;
  /** Whether TLS is verified. Default: as the HTTP session has it */
  readonly verify?: boolean | undefined;
  /** Headers over those of the HTTP session, which go where those go. Default: none */
  readonly headersFor?: (settings: UserAgentParts) => HeaderOverrides | undefined;
  /** Options that override those of the HTTP session. Default: none */
  readonly overrides?: Overrides | undefined;
  /** Where the records go. Default: to the session's logger */
  readonly logger?: Logger;
}

/** The options that are settings, each of them there. */
type Settings =
  & Required<CallSettings>
  & {
    readonly [K in "retries" | "backoff" | "maxRedirects"]: number;
  }
  & { readonly redactFields: readonly string[] }
  & { readonly [K in "redactValue" | keyof UserAgentParts]: string }
  & { readonly [K in "followRedirects"]: boolean };

/** Where the paths of a face begin. */
export interface BaseAddress {
  /** The base URL. */
  readonly url: unknown;
  /** What the option that gives the base URL is called. */
  readonly generation: { readonly baseUrl: string };
  /** The path between the base URL and the paths, or empty. */
  readonly basePath: string;
}

/**
 * Checks what an engine works by.
 *
 * @param options The options; what is undefined is taken from the class
 * @param defaults The class's own
 * @param address Where the paths begin
 * @throws {UnexpectedValueError} Names the first option that is not what was expected
 */
export function resolveSettings(
  options: EngineOptions,
  defaults: EngineDefaults,
  { url, basePath, generation: { baseUrl: option } }: BaseAddress,
): EngineSettings {
  const split = splitUrl(url, option);
  if (/[?#]/.test(split.url)) {
    throw new UnexpectedValueError(option, "a URL without a query or a fragment", url);
  }
  const base = withoutSlashes(split.url);
  const { trustedOrigins = defaults.trustedOrigins, clock = defaults.clock } = options;
  const checks = Object.entries(settingChecks) as [keyof CallSettings, Check<unknown>][];
  const settings = Object.fromEntries(checks.map(([name, check]) => {
    const { [name]: value = defaults[name] } = options;
    return [name, check(name, value)];
  })) as unknown as Settings;
  return {
    base,
    prefix: withoutSlashes(joinPath(base, basePath)),
    credentials: split.authorization,
    ...settings,
    // What is hidden is added to, never taken away.
    redactFields: [...defaults.redactFields ?? [], ...settings.redactFields],
    timeout: options.timeout === null ? null : settings.timeout ?? undefined,
    trust: credentialPolicy(
      base,
      checkedTexts("trustedOrigins", trustedOrigins ?? []).map(checkedOrigin),
      checkedHeaderNames("crossOriginHeaders", defaults.crossOriginHeaders),
    ),
    // A copy: the caller's may change.
    params: paramsOver(undefined, options.params),
    signal: checkedSignal("signal", options.signal),
    errorMap: {
      ...checkedErrorMap("baseErrorMap", defaults.baseErrorMap),
      ...checkedErrorMap("errorMap", defaults.errorMap),
    },
    restrictedPaths: checkedTexts("restrictedPaths", defaults.restrictedPaths).map(barePath),
    clock: checkedClock("clock", clock) ?? systemClock,
  };
}

/** An origin and nothing more: a path would be taken for a limit that it is not. */
function checkedOrigin(origin: string, index: number): string {
  const option = `trustedOrigins[${index}]`;
  const { url, authorization } = splitUrl(origin, option);
  if (authorization === undefined && url === `${new URL(url).origin}/`) return url;
  const expected = "an origin, scheme and host, without credentials and path";
  throw new UnexpectedValueError(option, expected, origin);
}

/** Checks a base path, which the first generation alone has. */
export function checkedBasePath(basePath: unknown): string {
  const text = checkedText("basePath", basePath);
  if (!/[?#]/.test(text) && !escapesBase(withoutSlashes(text))) return text;
  const expected = "a path without a query or fragment that does not climb by dot segments";
  throw new UnexpectedValueError("basePath", expected, basePath);
}
