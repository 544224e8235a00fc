import {
  type Check,
  checkedBound,
  checkedCount,
  checkedFlag,
  checkedFunction,
  checkedSeconds,
  isToken,
} from "../checks.ts";
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
  finalWait: checkedFlag,
  timeout: checkedBound,
  deadline: checkedBound,
  followRedirects: checkedFlag,
  maxRedirects: checkedCount,
  errorFunc: checkedFunction,
  errorModel: (option, model) => model === undefined ? model : checkedModel(option, model),
  requestIdHeader(option, name) {
    if (name === undefined || name === null || isToken(name)) return name;
    throw new UnexpectedValueError(option, "the name of a header, or null", name);
  },
};

/** Checks a map from statuses to error classes. */
export function checkedErrorMap(option: string, map: unknown): ErrorMap {
  if (typeof map !== "object" || map === null) {
    throw new UnexpectedValueError(option, "a mapping from statuses to error classes", map);
  }
  for (const [status, made] of Object.entries(map)) {
    if (/^\d+$/.test(status) && typeof made === "function") continue;
    throw new UnexpectedValueError(`${option}.${status}`, "an error class, under a status", made);
  }
  return map as ErrorMap;
}
