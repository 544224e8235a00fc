/**
 * Traces and metrics with OpenTelemetry: CLIENT spans, W3C trace context, and the duration of requests,
 * by the semantic conventions for HTTP clients. It requires the package `@opentelemetry/api`.
 *
 * @example
 * ```ts
 * import { APISession } from "@restwright/restwright";
 * import { telemetry } from "@restwright/restwright/telemetry";
 *
 * const session = new APISession({
 *   url: "https://api.example.com",
 *   fetch: () => Promise.resolve(Response.json([])),
 *   callMiddleware: [telemetry()],
 * });
 * console.log(await session.get("books", { convJson: true })); // []
 * ```
 *
 * @module
 */

export type { ContextKey } from "../options/middleware.ts";
export type { CallMiddleware } from "../options/request_options.ts";
export type { OptInAttribute } from "./attributes.ts";
export type { TelemetryOptions } from "./options.ts";
export { telemetry } from "./telemetry.ts";
export { urlTemplate } from "./template.ts";
