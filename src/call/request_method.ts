/** The types of request methods: derive the result of a call from its options and its class. */
import type { Box, BoxAttrs } from "../box/mod.ts";
import type { RequestOptions } from "../options/request_options.ts";
import type { ModelOutput, ResponseModel } from "../content/decode.ts";
import type { ResultFormat } from "../content/response_format.ts";
import type { Path } from "../http/url.ts";
import type { APIPromise, FormatPromise } from "./api_promise.ts";

/**
 * The type of a flag field of a class, or the fallback if the class does not declare it. A field of
 * the type `boolean | undefined` counts as not declared.
 *
 * @internal
 */
export type Declared<F, Fallback> = undefined extends F ? Fallback : NonNullable<F>;

/**
 * A response whose `json()` returns a `T`. The type is not checked.
 *
 * It cannot be an interface, because `json` of Cloudflare's `Response` is generic: no interface with a
 * `json()` of its own can extend it.
 *
 * @category Responses
 */
export type TypedResponse<T> = { json(): Promise<T> } & Response;

/**
 * The result of a request that returns a box. If the type of the JSON is unknown, the result may
 * also be the response, because a response that is not JSON is not boxed.
 *
 * @internal
 */
export type Boxed<T, A extends BoxAttrs> = Box<T, A> | (unknown extends T ? Response : never);

/**
 * The result of a request without a model, by its flags `box` and `convJson`. A flag of the type
 * `boolean` results in a union.
 *
 * @category Types
 */
export type Result<T, B extends boolean, J extends boolean, A extends BoxAttrs> = B extends true
  ? Boxed<T, A>
  : J extends true ? T
  : unknown extends T ? Response
  : TypedResponse<T>;

/**
 * The options of a request whose result neither a model nor a format decides.
 *
 * @internal
 */
export interface OptionsWithoutModel extends RequestOptions {
  /** Not given. */
  readonly responseModel?: undefined;
  /** Not given. */
  readonly format?: undefined;
}

/**
 * The options of a request whose result a model or a format decides.
 *
 * @typeParam M The model
 * @typeParam S The result of the format
 *
 * @internal
 */
export type OptionsWithModel<M, S> =
  & (
    | { readonly responseModel: M; readonly format?: undefined }
    | { readonly format: ResultFormat<S>; readonly responseModel?: undefined }
  )
  & Omit<RequestOptions, "responseModel" | "format">;

// Interfaces: with intersections in their place, the calls of 60 classes take a third more
// instantiations.

/**
 * The options of a request whose result the class decides.
 *
 * @internal
 */
export interface OptionsWithoutFlags extends OptionsWithoutModel {
  /** Not given. */
  readonly box?: undefined;
  /** Not given. */
  readonly convJson?: undefined;
}

/**
 * The options of a request that asks for JSON; the class decides about a box.
 *
 * @internal
 */
export interface OptionsWithJson extends OptionsWithoutModel {
  /** Not given. */
  readonly box?: undefined;
  /** True. */
  readonly convJson: true;
}

/**
 * A flag in the options of a request that must have a value. It can be left out if the class has the
 * value.
 *
 * @typeParam K The name of the flag
 * @typeParam F The flag of the class
 * @typeParam V The value
 *
 * @internal
 */
export type FlagOption<
  K extends "box" | "convJson",
  F extends boolean,
  V extends boolean,
> = [F] extends [V] ? { readonly [P in K]?: V | undefined } : { readonly [P in K]: V };

/**
 * A method that sends a request, such as `get` of a session and `_get` of an endpoint.
 *
 * The result depends on `format` or `responseModel`, then on `box`, then on `convJson`. If the
 * request does not set `box` or `convJson`, the class of the caller decides, then the session of an
 * endpoint. A model returns its output, a box has the type `Box<T>`, parsed JSON has the type `T`, and otherwise the
 * result is the raw response, whose `json()` returns `T`.
 *
 * `T` is the type of the JSON according to the API; it is not checked. Add null if the body may be
 * empty. Without a type argument it is `unknown`.
 *
 * @typeParam B The flag `box` of the caller
 * @typeParam J The flag `convJson` of the caller
 * @typeParam A The settings of the caller's boxes
 *
 * @throws {APIError} The class for the status, if it is not a success
 * @throws {TransportError} If no complete response arrived and no attempt is left
 * @throws {DecodeError} If the body is not the JSON that was expected
 * @throws {UnexpectedValueError} If an option is invalid; nothing was sent
 *
 * @example The results of two calls
 * ```ts
 * import { APISession } from "@restwright/restwright";
 * import { discardBody } from "@restwright/restwright/http";
 *
 * interface User {
 *   readonly id: number;
 * }
 * class Directory extends APISession {
 *   static override readonly url: string = "https://directory.example.com";
 *   override readonly _convJson = true;
 * }
 * const directory = new Directory({ adapter: () => Promise.resolve(Response.json({ id: 7 })) });
 * const user: User = await directory.get<User>("users/7");
 * const response: Response = await directory.get("users/7", { convJson: false });
 * console.log(user.id, response.status); // 7 200
 * discardBody(response);
 * ```
 *
 * @internal
 */
export interface RequestMethod<B extends boolean, J extends boolean, A extends BoxAttrs> {
  // One overload for each kind of result. With an explicit type argument, as in `get<Book>(path)`,
  // TypeScript infers no other one, so that a result can depend on an option only by an overload. A
  // new format adds none: it is a value of the option `format`.
  //
  // The most common overload comes first, because it is checked the most often: TypeScript takes
  // the first one that fits. Each names its flags before the other options, so that it fails early.
  //
  // The last one accepts all options. If a call fits none, TypeScript reports the reason why it does
  // not fit the last one. That reason has to be the caller's mistake ("'retires' does not exist in
  // type 'RequestOptions'"), and not a flag that another overload requires.

  /** The class decides. */
  <T = unknown>(
    path: Path,
    options?: OptionsWithoutFlags,
  ): APIPromise<Result<T, B, J, A>>;
  /** This call asks for JSON; the class decides about a box. */
  <T = unknown>(
    path: Path,
    options: OptionsWithJson,
  ): APIPromise<Result<T, B, true, A>>;
  /** A model or a format decides. */
  <S = never, const M extends ResponseModel = never>(
    path: Path,
    options: OptionsWithModel<M, S>,
  ): FormatPromise<ModelOutput<M> | S>;
  /** JSON in no box. */
  <T = unknown>(
    path: Path,
    options: FlagOption<"box", B, false> & FlagOption<"convJson", J, true> & OptionsWithoutModel,
  ): APIPromise<T>;
  /** The response. */
  <T = unknown>(
    path: Path,
    options: FlagOption<"box", B, false> & FlagOption<"convJson", J, false> & OptionsWithoutModel,
  ): APIPromise<Result<T, false, false, A>>;
  /** A box, which this call may set up. */
  <T = unknown, const O extends BoxAttrs = A>(
    path: Path,
    options:
      & FlagOption<"box", B, true>
      & { readonly boxAttrs?: O | undefined }
      & OptionsWithoutModel,
  ): APIPromise<Boxed<T, O>>;
  /** The flags are known only at run time. */
  <T = unknown>(
    path: Path,
    options?: OptionsWithoutModel,
  ): APIPromise<Result<T, boolean, boolean, BoxAttrs>>;
  /** There may be a format among the options. */
  <T = unknown>(path: Path, options?: RequestOptions): APIPromise<unknown>;
}

/**
 * A request method of an endpoint without a path: it sends the request to the path of the endpoint.
 * The results are those of {@linkcode RequestMethod}.
 *
 * The options cannot be undefined, because a first argument of undefined may be a forgotten id.
 *
 * @typeParam B The flag `box` of the caller
 * @typeParam J The flag `convJson` of the caller
 * @typeParam A The settings of the caller's boxes
 *
 * @internal
 */
export interface PathlessMethod<B extends boolean, J extends boolean, A extends BoxAttrs> {
  // In the order of the overloads with a path.

  /** There are no options; the class decides. */
  <T = unknown>(): APIPromise<Result<T, B, J, A>>;
  /** The class decides. */
  <T = unknown>(
    options: OptionsWithoutFlags,
  ): APIPromise<Result<T, B, J, A>>;
  /** This call asks for JSON; the class decides about a box. */
  <T = unknown>(
    options: OptionsWithJson,
  ): APIPromise<Result<T, B, true, A>>;
  /** A model or a format decides. */
  <S = never, const M extends ResponseModel = never>(
    options: OptionsWithModel<M, S>,
  ): FormatPromise<ModelOutput<M> | S>;
  /** JSON in no box. */
  <T = unknown>(
    options: FlagOption<"box", B, false> & FlagOption<"convJson", J, true> & OptionsWithoutModel,
  ): APIPromise<T>;
  /** The response. */
  <T = unknown>(
    options: FlagOption<"box", B, false> & FlagOption<"convJson", J, false> & OptionsWithoutModel,
  ): APIPromise<Result<T, false, false, A>>;
  /** A box, which this call may set up. */
  <T = unknown, const O extends BoxAttrs = A>(
    options:
      & FlagOption<"box", B, true>
      & { readonly boxAttrs?: O | undefined }
      & OptionsWithoutModel,
  ): APIPromise<Boxed<T, O>>;
  /** The flags are known only at run time. */
  <T = unknown>(
    options: OptionsWithoutModel,
  ): APIPromise<Result<T, boolean, boolean, BoxAttrs>>;
  /** There may be a format among the options. */
  <T = unknown>(options: RequestOptions): APIPromise<unknown>;
}

/**
 * The result flags of a class, after fallbacks, and the types of its request methods.
 *
 * A class has them in the property `"~results"`, which only the compiler sees, and declares its
 * methods as `this["~results"]["givenPath"]`. TypeScript resolves such an indexed access through the
 * class, so that the result is known in class bodies and in generic classes too. A conditional type
 * on `this` would stay unresolved there.
 *
 * @internal
 */
export interface Results<B extends boolean, J extends boolean, A extends BoxAttrs> {
  /** The flag `box`. */
  readonly box: B;
  /** The flag `convJson`. */
  readonly convJson: J;
  /** The settings of boxes. */
  readonly boxAttrs: A;
  /** A method whose path is required. */
  readonly givenPath: RequestMethod<B, J, A>;
  /** A method that without a path sends the request to the path of the endpoint. */
  readonly optionalPath: RequestMethod<B, J, A> & PathlessMethod<B, J, A>;
}
