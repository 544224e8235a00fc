/** The exports of this room: every error, and the map of error classes by status. */
export { APIError, type APIErrorClass, type APIErrorDetails, isErrorStatus } from "./api_error.ts";
export { RestwrightError } from "./base_error.ts";
export * from "./status_errors.ts";
export * from "./deadline_exceeded_error.ts";
export * from "./decode_error.ts";
export type { ErrorFrom, ErrorFromDetails } from "./error_from.ts";
export {
  defaultErrorFunction,
  type ErrorFunction,
  type ErrorFunctionDetails,
} from "./error_function.ts";
export * from "./item_too_large_error.ts";
export { ModelError, type ModelIssue } from "./model_error.ts";
export * from "./paging_error.ts";
export * from "./poll_timeout_error.ts";
export * from "./redirect_error.ts";
export type { RequestSummary } from "./message_text.ts";
export * from "./response_too_large_error.ts";
export * from "./session_state_error.ts";
export { TransportError, type TransportErrorDetails } from "./transport_error.ts";
export { UnexpectedValueError } from "./unexpected_value_error.ts";
export { UnsupportedOptionError } from "./unsupported_option_error.ts";
export { ValidationError, type ValidationIssue } from "./validation_error.ts";
export { XmlError } from "./xml_error.ts";
