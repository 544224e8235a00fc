/**
 * Traces and metrics with OpenTelemetry: CLIENT spans, W3C trace context, and the duration of requests,
 * by the semantic conventions for HTTP clients. It requires the package `@opentelemetry/api`.
 *
 * @example
 * ```ts
 * import { APIClient } from "@restwright/restwright";
 * import { telemetry } from "@restwright/restwright/telemetry";
 *
 * class Library extends APIClient {
 *   static override readonly baseUrl: string = "https://api.example.com";
 *   static override readonly callMiddleware = [telemetry()];
 *
 *   books(): Promise<string[]> {
 *     return this._get("/books", { convJson: true });
 *   }
 * }
 *
 * const fetch = () => Promise.resolve(Response.json(["Indigo"]));
 * console.log((await new Library({ fetch }).books())[0]); // Indigo
 * ```
 *
 * @module
 */

export type { TelemetryOptions } from "./options.ts";
export { telemetry } from "./telemetry.ts";
export { urlTemplate } from "./template.ts";
