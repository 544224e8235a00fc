/**
 * The exports that sessions and clients have in common: part of the entry points `.`, `./session`
 * and `./client`.
 *
 * A name belongs here if programs write it, or if the reference needs it to describe an option or a
 * public member. Types that another entry point exports, and that few programs write, stay out:
 *
 * - `errors` has every error and the types of their details. The root has the errors that guides
 *   name, and the classes for the statuses that most APIs send; `mod.ts` lists them.
 * - `auth` has the options of schemes.
 * - `box` has the types that `Box` is made of.
 * - `models` has the types of model classes and of Standard Schema.
 *
 * Types that only the compiler needs have the tag `@internal`, and the reference leaves them out. Most
 * are not exported. Those that TypeScript writes into the declarations of an SDK are, such as
 * `RequestMethod`: `scripts/npm/consumer/inferred.ts` is an SDK that needs them.
 *
 * `deno doc --lint` fails if a public declaration refers to a type that no entry point exports and that
 * is not internal.
 *
 * @module
 */

export { ClientBase } from "../client/client_base.ts";
export { type AnyClient, RequestBase, type UrlOptions } from "../client/request_base.ts";
export { type Clock, systemClock } from "../base/clock.ts";
export { APIEndpoint } from "../client/endpoint.ts";
export { readEnv } from "../base/environment.ts";
export type { BodyOptions, Content, FileInput } from "../content/body.ts";
export {
  ContextKey,
  type Middleware,
  type MiddlewareRequest,
  RequestContext,
} from "../options/middleware.ts";
export { mergeParams, type Params, type ParamsStyle, type ParamValue } from "../content/params.ts";
export type { ParameterPlace, StyledValue } from "../base/styled_value.ts";
export type { NotSpreadable } from "../base/not_spreadable.ts";
export type { FailedAttempt } from "../call/retry/hooks.ts";
export type { AuthOption } from "../options/auth_option.ts";
export type { ClientBaseOptions, OptionChanges, ResultOptions } from "../options/client_options.ts";
export type {
  CallMiddleware,
  CallOptions,
  FetchOptions,
  MiddlewareCall,
  RequestOptions,
  RetryOptions,
} from "../options/request_options.ts";
export type { SharedOptions } from "../options/shared_options.ts";
export {
  bytesFormat,
  type ResponseFormat,
  textFormat,
  voidFormat,
} from "../content/response_format.ts";
export { isErrorWith, type ModelOutput, type ResponseModel } from "../content/decode.ts";
export type { Method } from "../call/call.ts";
export { commonSecretFields } from "../call/redact.ts";
export type { Path } from "../http/url.ts";
export {
  type Box,
  type BoxAttrs,
  type BoxValue,
  isBox,
  toBox,
  unbox,
  type UnknownBox,
} from "../box/mod.ts";
export { APIError, type APIErrorClass, isErrorStatus } from "../errors/api_error.ts";
export { RestwrightError } from "../errors/base_error.ts";
export type { ErrorMap } from "../errors/by_status.ts";
export type { ErrorFrom, ErrorFromDetails } from "../errors/error_from.ts";
export type { ErrorFunction, ErrorFunctionDetails } from "../errors/error_function.ts";
export type { RequestSummary } from "../errors/message_text.ts";
export type { Auth, AuthChanges, AuthInput, AuthRequest, AuthSend } from "../http/auth.ts";
export { type HeadersInput, mergeHeaders } from "../http/headers.ts";
export type { CookieStorage } from "../http/cookie_storage.ts";
export { HttpSession, type HttpSessionOptions } from "../http/http_session.ts";
export { discardBody } from "../http/response.ts";
export type { SessionHeaders } from "../http/headers.ts";
export type { BodyStream } from "../http/request_body.ts";
export type { CertificateAuthorities, ClientCertificate } from "../http/transport/certificates.ts";
export type { Proxies, ProxyMapping } from "../http/transport/proxies.ts";
export type { ConnectionOptions } from "../http/transport/port.ts";
export type { Transport, TransportInit } from "../http/transport.ts";
export {
  APIIterator,
  AsyncAPIIterator,
  type IteratorOptions,
  type PagePosition,
} from "../paging/iterator/iterator.ts";
export * from "../log/mod.ts";
export type { PagePromise } from "../paging/page_promise.ts";
export type { PageOptions } from "../paging/paging_rule.ts";
export type { BodyFormat } from "../models/model_class.ts";
export { path } from "../content/path.ts";
export type { ItemStream, StreamFormat } from "../content/stream_format.ts";
export type { LoginRequests } from "../client/lifecycle.ts";
export type { StandardSchema } from "../base/standard_schema.ts";
export type {
  APIPromise,
  Boxed,
  PathlessMethod,
  RequestMethod,
  Result,
  ResultFlag,
  Results,
  StreamPromise,
  TypedResponse,
} from "../call/request_method.ts";
