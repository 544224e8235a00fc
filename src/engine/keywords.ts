import { type Check, checkedFlag, checkedLogger, checkedStatuses } from "../checks.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import type { RequestOptions } from "./request_options.ts";
import { checkedErrorMap, settingChecks } from "./setting_checks.ts";
import type { EngineSettings } from "./settings.ts";

/**
 * Every keyword: the check of one that is a setting; else whether it goes to fetch, is of the body,
 * or is read where it is used. The type keeps the list whole.
 */
const keywords: Readonly<Record<keyof RequestOptions, Check<unknown> | "fetch" | "content" | "">> =
  {
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
    referrer: "fetch",
    referrerPolicy: "fetch",
    content: "content",
    data: "content",
    files: "content",
    headers: "content",
    json: "content",
    params: "content",
    xml: "content",
    adapters: "",
    auth: "",
    box: "",
    boxAttrs: "",
    build: "",
    convJson: "",
    cookies: "",
    fetch: "",
    product: "",
    redactFields: "",
    redactValue: "",
    responseFormat: "",
    responseModel: "",
    signal: "",
    vendor: "",
  };

/** The names of all keywords. */
export const keywordNames: readonly string[] = Object.keys(keywords);

/** Whether a keyword says what is sent, and not how it is sent, shown or answered. */
export function isAboutContent(keyword: string): boolean {
  const kind = kindOf(keyword);
  return kind === "fetch" || kind === "content";
}

/** The keywords of a call, as far as they are plain values. */
export interface ReadKeywords {
  /** What fetch is given as it is; undefined where there is nothing. */
  readonly fetchOptions: RequestInit | undefined;
  /** What the call works by. */
  readonly settings: EngineSettings;
}

/**
 * Reads the keywords of a call: what goes to fetch, and what the call says otherwise than the session.
 *
 * @param options The keywords
 * @param settings What the session says
 * @throws {UnexpectedValueError} Where one of them is not known, or not what was expected
 */
export function readKeywords(options: RequestOptions, settings: EngineSettings): ReadKeywords {
  let fetchOptions: Record<string, unknown> | undefined;
  let own: Record<string, unknown> | undefined;
  for (const keyword in options) {
    const kind = kindOf(keyword);
    if (kind === undefined) {
      const expected = `one of ${Array.from(keywordNames).sort().join(", ")}`;
      throw new UnexpectedValueError(keyword, expected);
    }
    const value = options[keyword as keyof RequestOptions];
    if (value === undefined) continue;
    if (kind === "fetch") (fetchOptions ??= {})[keyword] = value;
    else if (typeof kind === "function") (own ??= {})[keyword] = kind(keyword, value);
  }
  if (own === undefined) return { fetchOptions, settings };
  const { errorMap } = options;
  if (errorMap !== undefined) own["errorMap"] = { ...settings.errorMap, ...errorMap };
  return { fetchOptions, settings: { ...settings, ...own } };
}

function kindOf(keyword: string): Check<unknown> | "fetch" | "content" | "" | undefined {
  return Object.hasOwn(keywords, keyword) ? keywords[keyword as keyof RequestOptions] : undefined;
}
