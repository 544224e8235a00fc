/** The headers `X-Stainless-…`, by which the owners of SDKs count runtimes, versions and retries. */
import { detectRuntime, type Runtime } from "../base/runtime.ts";
import type { Middleware } from "../options/middleware.ts";

/** The header with the number of the retry: 0 for the first attempt. */
export const RETRY_COUNT = "x-stainless-retry-count";

/** The header with the timeout of an attempt in seconds. */
export const TIMEOUT = "x-stainless-timeout";

/** The names of runtimes in the header. Others are in lower case. */
const runtimes: Readonly<Record<string, string>> = {
  Browser: "browser:unknown",
  "Cloudflare-Workers": "edge",
};

/** The names of systems in the header. Others are `Other:…`. */
const systems: Readonly<Record<string, string>> = {
  aix: "Other:aix",
  android: "Android",
  darwin: "MacOS",
  freebsd: "FreeBSD",
  ios: "iOS",
  linux: "Linux",
  openbsd: "OpenBSD",
  unknown: "Unknown",
  win32: "Windows",
};

/** The architectures that are sent as they are. Others are `other:…`. */
const architectures: ReadonlySet<string> = new Set(["arm", "arm64", "unknown", "x32", "x64"]);

/**
 * Returns the headers that all requests of a client have.
 *
 * @param client The version of the SDK, and the timeout in seconds
 * @param runtime The runtime. Default: the current one
 */
export function stainlessFields(
  { version, seconds }: { readonly version: string; readonly seconds: number },
  { name, version: runtimeVersion, system, architecture }: Runtime = detectRuntime(),
): Record<string, string> {
  const start = name === "Node" ? "v" : "";
  return {
    [TIMEOUT]: String(Math.trunc(seconds)),
    "x-stainless-lang": "js",
    "x-stainless-package-version": version,
    "x-stainless-os": systems[system] ?? `Other:${system}`,
    "x-stainless-arch": architectures.has(architecture) ? architecture : `other:${architecture}`,
    "x-stainless-runtime": runtimes[name] ?? name.toLowerCase(),
    "x-stainless-runtime-version": name === "Browser" ? "unknown" : start + runtimeVersion,
  };
}

/** Adds the number of the retry, unless the call has the header, or removes it. */
export const countRetries: Middleware = (request, next) => {
  if (!(RETRY_COUNT in request.headers)) {
    request.headers[RETRY_COUNT] = String(request.attempt - 1);
  }
  return next(request);
};
