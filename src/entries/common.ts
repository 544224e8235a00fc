/**
 * The exports that sessions and clients have in common: part of the entry points `.`, `./session`
 * and `./client`.
 *
 * The root entry has at most 120 names (`tests/entries/root_exports_test.ts`). A name belongs here if
 * programs write it, or if it is the type of an option or of a public member. Types that only other
 * types need, and that another entry point exports, stay out:
 *
 * - `errors` has every error and the types of their details. The root has the errors that guides
 *   name, and the classes for the statuses that most APIs send; `mod.ts` lists them.
 * - `box` has the types that `Box` is made of.
 * - `models` has the types of model classes and of Standard Schema.
 *
 * `deno doc --lint` fails if no entry point exports a type that a public declaration refers to.
 *
 * @module
 */

export { ClientBase } from "../client/client_base.ts";
export { type AnyClient, type AnyEndpoint, RequestBase } from "../client/request_base.ts";
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
export type { NotSpreadable } from "../base/not_spreadable.ts";
export type { FailedAttempt } from "../call/retry_hooks.ts";
export type { AuthOption } from "../options/auth_option.ts";
export type { OptionChanges, ResultOptions, ServiceOptions } from "../options/client_options.ts";
export type {
  CallMiddleware,
  CallOptions,
  FetchOptions,
  MiddlewareCall,
  RequestOptions,
  RetryOptions,
} from "../options/request_options.ts";
export type { SharedOptions } from "../options/shared_options.ts";
export { isErrorWith, type ModelOutput, type ResponseModel } from "../content/decode.ts";
export type { Method } from "../call/call.ts";
export { commonSecretFields } from "../call/redact.ts";
export type { Path } from "../http/url.ts";
export { type Box, type BoxAttrs, type BoxValue, isBox, toBox, unbox } from "../box/mod.ts";
export { APIError } from "../errors/api_error.ts";
export { RestwrightError } from "../errors/base_error.ts";
export type { ErrorMap } from "../errors/by_status.ts";
export type { ErrorFunction } from "../errors/error_function.ts";
export type { Generation } from "../options/generation.ts";
export type { Auth, AuthChanges, AuthInput, AuthRequest, AuthSend } from "../http/auth.ts";
export { type HeadersInput, mergeHeaders } from "../http/headers.ts";
export type { CookieStore } from "../http/cookie_store.ts";
export { HttpSession, type HttpSessionOptions } from "../http/http_session.ts";
export type { SessionHeaders } from "../http/headers.ts";
export type { BodyStream } from "../http/request_body.ts";
export type { Authorities, ClientCertificate } from "../http/transport/certificates.ts";
export type { Proxies, ProxyMapping } from "../http/transport/proxies.ts";
export type { ConnectionOptions } from "../http/transport/port.ts";
export type { Transport, TransportInit } from "../http/transport.ts";
export {
  APIIterator,
  AsyncAPIIterator,
  type IteratorOptions,
  type PagePosition,
} from "../iterator/iterator.ts";
export * from "../log/mod.ts";
export type { BodyFormat } from "../models/model_class.ts";
export { path } from "../content/path.ts";
export type { Login } from "../client/lifecycle.ts";
export type { BaseOptions } from "../options/resolve.ts";
export type { StandardSchema } from "../base/standard_schema.ts";
export type {
  APIPromise,
  Boxed,
  Declared,
  FlagOption,
  OptionsWithJson,
  OptionsWithoutFlags,
  OptionsWithoutModel,
  PathlessMethod,
  RequestMethod,
  Result,
  ResultFlag,
  Results,
  TypedResponse,
} from "../client/request_method.ts";
