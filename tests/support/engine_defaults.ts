import type { EngineDefaults } from "../../src/engine/engine_options.ts";
import type { ConversionDefaults } from "../../src/engine/response_parsers.ts";
import { baseErrorMap } from "../../src/errors/by_status.ts";

/** What a class of sessions has where its author sets nothing. */
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

/** What holds for a call whose session says nothing of results. */
export const nothingUsual: ConversionDefaults = {
  box: undefined,
  boxAttrs: undefined,
  convJson: undefined,
};
