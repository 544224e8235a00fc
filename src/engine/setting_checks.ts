import {
  type Check,
  check,
  checkedBound,
  checkedCount,
  checkedFlag,
  checkedFunction,
  checkedHeaderText,
  checkedSeconds,
  checkedText,
  checkedTexts,
  isToken,
} from "../checks.ts";
import { APIError } from "../errors/api_error.ts";
import type { ErrorMap } from "../errors/by_status.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import type { CallSettings } from "./engine_options.ts";
import { checkedModel } from "./response_model.ts";

/** A setting as its option may be given: what is checked here is taken as it is. */
type Given<S> = { readonly [K in keyof S]-?: Check<S[K]> };

/** What a session says and a call may say otherwise, with the check of each. */
export const settingChecks: Given<CallSettings> = {
  retries: checkedCount,
  backoff: checkedSeconds,
  maxRetryAfter: checkedBound,
  finalWait: check(
    "true or false, or left out for a wait after transport errors only",
    (value) => value === undefined || typeof value === "boolean",
  ),
  timeout: checkedBound,
  deadline: checkedBound,
  followRedirects: checkedFlag,
  maxRedirects: checkedCount,
  errorFunc: checkedFunction,
  errorModel: checkedModel,
  requestIdHeader: check(
    "the name of a header, or null",
    (name) => name === undefined || name === null || isToken(name),
  ),
  redactFields: checkedTexts,
  redactValue: checkedText,
  vendor: checkedHeaderText,
  product: checkedHeaderText,
  build: checkedHeaderText,
};

/** Checks a map from statuses to error classes. */
export function checkedErrorMap(option: string, map: unknown): ErrorMap {
  if (typeof map !== "object" || map === null || map instanceof Map) {
    throw new UnexpectedValueError(option, "a mapping from statuses to error classes", map);
  }
  for (const [status, made] of Object.entries(map)) {
    if (/^\d+$/.test(status) && isErrorClass(made)) continue;
    throw new UnexpectedValueError(
      `${option}.${status}`,
      "a class derived from APIError, under a status",
      made,
    );
  }
  return map as ErrorMap;
}

/** Whether something is a class of errors that are built from a response; of any copy of the toolkit. */
function isErrorClass(made: unknown): boolean {
  return typeof made === "function" && made.prototype instanceof APIError;
}
