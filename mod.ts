/**
 * A toolkit for building API client libraries on web-standard `fetch`.
 *
 * Derive a class from {@linkcode APISession}, declare {@linkcode APIEndpoint} classes, and get
 * retries, typed errors and redacted logs on Deno, Node, Bun and in browsers.
 *
 * @example
 * ```ts
 * import { APISession, NotFoundError } from "@restwright/restwright";
 *
 * const adapter = () => Promise.resolve(new Response("nothing here", { status: 404 }));
 * const session = new APISession({ url: "https://api.example.com/v1", adapter });
 * try {
 *   await session.get("users/7");
 * } catch (error) {
 *   if (!(error instanceof NotFoundError)) throw error;
 *   console.log(error.body); // nothing here
 * }
 * ```
 *
 * @module
 */

export type { APIPromise, DataWithResponse } from "./src/api_promise.ts";
export { Caller, Owner } from "./src/caller.ts";
export { APIClient, type ClientOptions } from "./src/client.ts";
export { type Clock, systemClock } from "./src/clock.ts";
export { APIEndpoint } from "./src/endpoint.ts";
export type { OptionChanges } from "./src/derived_options.ts";
export type { BodyOptions, Content, FileInput } from "./src/engine/body.ts";
export type { Params, ParamValue } from "./src/engine/params.ts";
export type { FetchOptions, RequestOptions } from "./src/engine/request_options.ts";
export type {
  ModelOutput,
  ResponseModel,
  SingleModel,
  SingleOutput,
} from "./src/engine/response_model.ts";
export type { Method } from "./src/engine/request.ts";
export type { CallKeywords, CallSettings, EngineOptions } from "./src/engine/engine_options.ts";
export type { AgentOptions } from "./src/engine/user_agent.ts";
export type { Path } from "./src/engine/url.ts";
export * from "./src/auth/mod.ts";
export * from "./src/box/mod.ts";
export { isErrorWith } from "./src/error_with.ts";
export * from "./src/errors/mod.ts";
export type { Generation } from "./src/generation.ts";
export type { HeadersInput } from "./src/http/headers.ts";
export type { CookieStore } from "./src/http/cookie_store.ts";
export { HttpSession, type HttpSessionOptions } from "./src/http/http_session.ts";
export type { OverlayOptions } from "./src/http/overlay.ts";
export type { SessionHeaders } from "./src/http/session_headers.ts";
export type { BodyStream } from "./src/http/request_body.ts";
export type { Authorities, ClientCertificate } from "./src/http/transport/certificates.ts";
export type { Proxies, ProxyMapping } from "./src/http/transport/proxies.ts";
export type { ConnectionOptions } from "./src/http/transport/routes.ts";
export type { Transport, TransportInit } from "./src/http/transport.ts";
export {
  APIIterator,
  AsyncAPIIterator,
  type IteratorOptions,
  type PagePosition,
} from "./src/iterator.ts";
export * from "./src/log/mod.ts";
export type {
  BodyDecoder,
  BodyFormat,
  modelBrand,
  ModelClass,
  UnknownPolicy,
} from "./src/models/model_class.ts";
export type { ModelInstance } from "./src/models/target.ts";
export { path } from "./src/path.ts";
export type { ResultOptions, ServiceOptions } from "./src/service_options.ts";
export { ServiceHooks } from "./src/hooks.ts";
export type { Login } from "./src/login.ts";
export { APIService, type Declared, type Opened, type ServiceBase } from "./src/service.ts";
export { ServiceStatics } from "./src/service_statics.ts";
export { APISession, type SessionOptions } from "./src/session.ts";
export * from "./src/standard_schema.ts";
export type {
  AttrsOf,
  Boxed,
  CallerResults,
  CallResult,
  CallResultOf,
  DeclaredFlag,
  GivenPath,
  ModelKeywords,
  OptionalPath,
  OwnAttrs,
  RawResults,
  ResultFlag,
  ResultKeywords,
  Verb,
} from "./src/verb.ts";
