import type { EngineDefaults } from "../../src/engine/engine_options.ts";
import type { ConversionDefaults } from "../../src/engine/response_parsers.ts";
import { baseErrorMap } from "../../src/errors/by_status.ts";

/** The defaults of a session class that overrides none of them. */
export const defaults: EngineDefaults = {
  retries: 3,
  backoff: 1,
  maxRetryAfter: null,
  timeout: null,
  deadline: null,
  followRedirects: true,
  maxRedirects: 30,
  redactFields: [],
  redactValue: "REDACTED",
  vendor: "unknown",
  product: "unknown",
  build: "unknown",
  trustedOrigins: [],
  crossOriginHeaders: [],
  errorMap: {},
  baseErrorMap,
  restrictedPaths: [],
};

/** The conversion defaults of a session that sets none. */
export const nothingUsual: ConversionDefaults = {
  box: undefined,
  boxAttrs: undefined,
  convJson: undefined,
};
