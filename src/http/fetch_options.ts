import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { checkedHeaders } from "./headers.ts";

/** What the toolkit itself gives each transport. */
const givenOptions = ["body", "duplex", "headers", "method", "redirect", "signal"];

/** Returns the first option that only fetch knows; undefined if there is none. */
export function foreignOption(init: object): string | undefined {
  return Object.entries(init)
    .find(([name, value]) => value !== undefined && !givenOptions.includes(name))?.[0];
}

/**
 * Checks what else a transport is given, and copies it: what is in it stays as it is.
 *
 * @throws {UnexpectedValueError} Where it is no mapping, or has what the toolkit gives
 */
export function checkedFetchOptions(options: unknown): object | undefined {
  if (options === undefined) return undefined;
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw new UnexpectedValueError("fetchOptions", "a mapping", options);
  }
  // Bun sends the headers of an http proxy beside those of the request.
  const proxyHeaders = "proxy" in options && Object(options.proxy).headers;
  if (proxyHeaders) checkedHeaders(proxyHeaders, "fetchOptions.proxy.headers");
  const name = givenOptions.find((given) => given in options);
  if (name === undefined) return { ...options };
  throw new UnexpectedValueError(
    `fetchOptions.${name}`,
    "left out: the toolkit gives it by other options",
    Reflect.get(options, name),
  );
}
