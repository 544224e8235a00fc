import type { ClassDefaults } from "../../src/options/resolve.ts";
import type { SharedOptions } from "../../src/options/shared_options.ts";
import type { ParamsStyle } from "../../src/request/params.ts";
import type { ConversionDefaults } from "../../src/request/parse.ts";
import { baseErrorMap, type ErrorMap } from "../../src/errors/by_status.ts";

/** The defaults of a session class that overrides none of them. */
export const defaults: ClassDefaults & SharedOptions & {
  readonly errorMap: ErrorMap;
  readonly absoluteUrls: "any";
  readonly callMiddleware: readonly [];
  readonly paramsStyle: ParamsStyle;
} = {
  libName: "test-sdk",
  libVersion: "1.2.3",
  retries: 3,
  backoff: 1,
  maxBackoff: null,
  jitter: "none",
  retryMethods: null,
  idempotencyHeader: null,
  runtimeRetries: "idempotent",
  retryBudget: false,
  middleware: [],
  callMiddleware: [],
  maxRetryAfter: null,
  timeout: null,
  deadline: null,
  maxResponseBytes: 2 ** 28,
  followRedirects: true,
  maxRedirects: 30,
  redactFields: [],
  paramsStyle: {},
  redactValue: "REDACTED",
  vendor: "unknown",
  product: "unknown",
  build: "unknown",
  trustedOrigins: [],
  absoluteUrls: "any",
  crossOriginHeaders: [],
  errorMap: {},
  baseErrorMap,
  restrictedPaths: [],
};

/** The conversion defaults of a session that sets none. */
export const noConversion: ConversionDefaults = {
  box: undefined,
  boxAttrs: undefined,
  convJson: undefined,
};
