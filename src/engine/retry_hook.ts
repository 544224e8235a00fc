import { isPlain } from "../checks.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { checkedHeaders } from "../http/headers.ts";
import type { RetryHook } from "./client_hooks.ts";
import { kindOf } from "./resolve_request_options.ts";
import type { RequestOptions, RetryOptions } from "./request_options.ts";

/**
 * Asks the hook for the keywords of the next attempts (rule 8).
 *
 * @param hook The hook
 * @param response The response that led to the retry
 * @param retries The number of the retry that follows
 * @param options The keywords so far
 * @returns The keywords; undefined where they stay as they are
 */
export async function optionsFromHook(
  hook: RetryHook,
  response: Response,
  retries: number,
  options: RequestOptions,
): Promise<RequestOptions | undefined> {
  const returned: unknown = await hook(response, retries, hookOptions(options));
  if (returned === undefined) return undefined;
  if (typeof returned === "object" && returned !== null) return nextOptions(options, returned);
  const expected = "a hook that returns the keywords for the next attempt, or undefined";
  throw new UnexpectedValueError("_retryRequest", expected, returned);
}

/** What the hook is given: a copy, with the headers as a mapping, so that one more is easily added. */
function hookOptions(options: RequestOptions): RetryOptions {
  const { headers, ...others } = copyOptions(options);
  return headers === undefined ? others : { ...others, headers: { ...checkedHeaders(headers) } };
}

/** Of these kinds is what says what is sent, and not how it is sent, shown or answered. */
const kindsOfContent: readonly unknown[] = ["fetch", "body", "content"];

/**
 * The keywords for the next attempts: what a hook returned, and of what it left out the keywords
 * that shape the request or how it is shown (a retry goes to the same place, and logs no more).
 */
export function nextOptions(before: RequestOptions, returned: RequestOptions): RequestOptions {
  const held = Object.entries(before).filter(([keyword]) =>
    !kindsOfContent.includes(kindOf(keyword)) &&
    returned[keyword as keyof RequestOptions] === undefined
  );
  return { ...returned, ...Object.fromEntries(held) };
}

/**
 * A copy that a hook may change: plain objects and arrays are copied through, so that the caller's
 * stay what they are; bodies, headers and other objects of a class are the same.
 */
export function copyOptions(options: RequestOptions): RequestOptions {
  return copyPlain(options, new Map()) as RequestOptions;
}

function copyPlain(value: unknown, copies: Map<object, unknown>): unknown {
  // A schema is no plain data, though valibot's are plain objects: it is known by its identity.
  if (!isPlain(value) || "~standard" in value) return value;
  const known = copies.get(value);
  if (known !== undefined) return known;
  const copy: Record<string, unknown> = Array.isArray(value) ? [...value] : Object.setPrototypeOf(
    Object.fromEntries(Object.entries(value)),
    Object.getPrototypeOf(value),
  );
  copies.set(value, copy);
  for (const [key, each] of Object.entries(copy)) copy[key] = copyPlain(each, copies);
  return copy;
}
