/**
 * What both generations have in common, and what their options and results are made of: part of the
 * entry points `.`, `./session` and `./client`.
 *
 * @module
 */

export type { APIPromise, DataWithResponse } from "../api_promise.ts";
export { ClientBase, RequestBase } from "../request_base.ts";
export { type Clock, systemClock } from "../clock.ts";
export { APIEndpoint } from "../endpoint.ts";
export type { BodyOptions, Content, FileInput } from "../request/body.ts";
export type { Params, ParamValue } from "../request/params.ts";
export type {
  FetchOptions,
  OptionChanges,
  RequestOptions,
  ResultOptions,
  RetryOptions,
  ServiceOptions,
  SharedOptions,
} from "../options/types.ts";
export type { ModelOutput, ResponseModel, SingleModel, SingleOutput } from "../request/decode.ts";
export type { Method } from "../request/call.ts";
export { commonSecretFields } from "../request/redact.ts";
export type { Path } from "../http/url.ts";
export * from "../box/mod.ts";
export { isErrorWith } from "../error_with.ts";
export * from "../errors/api_error.ts";
export { RestwrightError } from "../errors/base_error.ts";
export type { ErrorMap } from "../errors/by_status.ts";
export type { RequestSummary } from "../errors/request_summary.ts";
export type { Generation } from "../generation.ts";
export type { Auth, AuthChanges, AuthInput, AuthRequest, AuthSend } from "../http/auth.ts";
export type { HeadersInput } from "../http/headers.ts";
export type { CookieStore } from "../http/cookies.ts";
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
} from "../iterator.ts";
export * from "../log/mod.ts";
export type {
  BodyDecoder,
  BodyEncoder,
  BodyFormat,
  ModelBodies,
  modelBrand,
  ModelClass,
  UnknownPolicy,
} from "../models/model_class.ts";
export type { ModelInstance } from "../models/model_instance.ts";
export { path } from "../path.ts";
export { ServiceHooks } from "../hooks.ts";
export type { Login } from "../login.ts";
export { APIService, type Declared, type Opened } from "../service.ts";
export type { BaseOptions } from "../options/resolve.ts";
export { ServiceStatics } from "../service_statics.ts";
export * from "../standard_schema.ts";
export type {
  AttrsOf,
  Boxed,
  CallResult,
  CallResultOf,
  DeclaredFlag,
  GivenPath,
  ModelRequestOptions,
  OptionalPath,
  OwnAttrs,
  RawResults,
  RequestMethod,
  ResultDefaults,
  ResultFlag,
  ResultRequestOptions,
} from "../request_method.ts";
