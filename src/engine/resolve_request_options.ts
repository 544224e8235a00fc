import { type Check, checkedFlag, checkedLogger, checkedStatuses } from "../checks.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import type { RequestOptions } from "./request_options.ts";
import { checkedErrorMap, settingChecks } from "./setting_checks.ts";
import type { EngineSettings } from "./settings.ts";

/** Where a keyword goes that is no setting; `own` is read where it is used. */
type Kind = "fetch" | "body" | "content" | "overrides" | "own";

/** Every keyword: the check of one that is a setting; else its kind. The type keeps the list whole. */
const definitions: Readonly<Record<keyof RequestOptions, Check<unknown> | Kind>> = {
  ...settingChecks,
  errorMap: checkedErrorMap,
  logger: checkedLogger,
  retryOn: checkedStatuses,
  useBase: checkedFlag,
  verify: checkedFlag,
  cache: "fetch",
  credentials: "fetch",
  integrity: "fetch",
  keepalive: "fetch",
  mode: "fetch",
  priority: "fetch",
  referrer: "fetch",
  referrerPolicy: "fetch",
  content: "body",
  data: "body",
  files: "body",
  headers: "content",
  json: "content",
  params: "content",
  xml: "body",
  adapters: "overrides",
  auth: "overrides",
  box: "own",
  boxAttrs: "own",
  convJson: "own",
  cookies: "overrides",
  fetch: "overrides",
  fetchOptions: "overrides",
  responseFormat: "own",
  responseModel: "own",
  signal: "own",
};

/** The keywords of a call, as far as they are plain values. */
export interface ResolvedRequestOptions {
  /** What the call works by. */
  readonly settings: EngineSettings;
  /** The rest, by kind; a kind of which there are none is left out. */
  readonly kinds: { readonly [K in Kind]?: object };
}

/**
 * Reads the keywords of a call: what goes to fetch, and what the call says otherwise than the session.
 *
 * @param options The keywords
 * @param settings What the session says
 * @throws {UnexpectedValueError} Where one of them is not known, or not what was expected
 */
export function resolveRequestOptions(
  options: RequestOptions,
  settings: EngineSettings,
): ResolvedRequestOptions {
  const kinds: { [K in Kind]?: Record<string, unknown> } = {};
  let own: Record<string, unknown> | undefined;
  for (const keyword in options) {
    const kind = kindOf(keyword);
    const value = options[keyword as keyof RequestOptions];
    if (value === undefined) continue;
    if (typeof kind === "string") (kinds[kind] ??= {})[keyword] = value;
    else (own ??= {})[keyword] = kind(keyword, value);
  }
  return {
    settings: own === undefined ? settings : {
      ...settings,
      ...own,
      errorMap: { ...settings.errorMap, ...options.errorMap },
      // A call hides more than the session does, never less.
      redactFields: [...settings.redactFields, ...options.redactFields ?? []],
    },
    kinds,
  };
}

/**
 * The kind of a keyword, or its check.
 *
 * @throws {UnexpectedValueError} Where it is not known
 */
export function kindOf(keyword: string): Check<unknown> | Kind {
  if (Object.hasOwn(definitions, keyword)) return definitions[keyword as keyof RequestOptions];
  throw new UnexpectedValueError(keyword, `one of ${Object.keys(definitions).sort().join(", ")}`);
}
