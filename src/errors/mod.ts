/**
 * Every error that the toolkit throws, and the map of error classes by status.
 *
 * @example
 * ```ts
 * import { APIError, NotFoundError } from "@restwright/restwright/errors";
 * import { APISession } from "@restwright/restwright/session";
 *
 * const adapter = () => Promise.resolve(new Response("nothing here", { status: 404 }));
 * const api = new APISession({ url: "https://api.example.com", adapter });
 * const error = await api.get("users/7").catch((reason: unknown) => reason);
 * console.log(error instanceof NotFoundError); // true
 * console.log(error instanceof APIError && error.status); // 404
 * ```
 *
 * @module
 */

export { APIError, type APIErrorClass, type APIErrorDetails } from "./api_error.ts";
export { RestwrightError } from "./base_error.ts";
export * from "./by_status.ts";
export * from "./deadline_exceeded_error.ts";
export * from "./decode_error.ts";
export {
  defaultErrorFunction,
  type ErrorFunction,
  type ErrorFunctionDetails,
} from "./error_function.ts";
export * from "./item_too_large_error.ts";
export { type IssueCode, ModelError, type ModelIssue } from "./model_error.ts";
export * from "./paging_error.ts";
export * from "./poll_timeout_error.ts";
export * from "./redirect_error.ts";
export type { RequestSummary } from "./message_text.ts";
export * from "./response_too_large_error.ts";
export * from "./session_state_error.ts";
export * from "./transport_error.ts";
export { UnexpectedValueError } from "./unexpected_value_error.ts";
export { UnsupportedOptionError } from "./unsupported_option_error.ts";
export { ValidationError, type ValidationIssue } from "./validation_error.ts";
export { XmlError } from "./xml_error.ts";
