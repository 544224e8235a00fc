/**
 * Every error that the toolkit raises.
 *
 * @module
 */

export * from "./api_error.ts";
export { RestwrightError } from "./base_error.ts";
export * from "./by_status.ts";
export * from "./deadline_exceeded_error.ts";
export * from "./decode_error.ts";
export * from "./model_error.ts";
export * from "./paging_error.ts";
export * from "./redirect_error.ts";
export type { RequestSummary } from "./request_summary.ts";
export * from "./session_state_error.ts";
export * from "./transport_error.ts";
export { UnexpectedValueError } from "./unexpected_value_error.ts";
export { UnsupportedOptionError } from "./unsupported_option_error.ts";
export * from "./validation_error.ts";
export { XmlError, type XmlPlace } from "./xml_error.ts";
