import type { APIPromise } from "./api_promise.ts";
import type { Box, BoxAttrs, BoxValue } from "./box/mod.ts";
import type { RequestOptions } from "./options/types.ts";
import type { ModelOutput, ResponseModel } from "./request/decode.ts";
import type { Path } from "./http/url.ts";

/** Whether a response is converted, as a class declares it; undefined where it does not say. */
export type ResultFlag = boolean | undefined;

/** What a class declares about its calls' results. */
export interface ResultDefaults {
  /** Whether JSON becomes a box. */
  readonly _box: ResultFlag;
  /** How a box behaves. */
  readonly _boxAttrs: BoxAttrs | undefined;
  /** Whether the body is parsed from JSON. */
  readonly _convJson: ResultFlag;
}

/** The results of a caller that stands on its own: raw responses, where nothing says otherwise. */
export interface RawResults {
  /** Not declared. */
  readonly _box: undefined;
  /** Not declared. */
  readonly _boxAttrs: undefined;
  /** Not declared. */
  readonly _convJson: undefined;
}

/**
 * What JSON of the type T is when it is boxed. Where nothing is known of it, it may also be the
 * response itself, since one that is not JSON stays what it is.
 */
export type Boxed<T, A extends BoxAttrs> = unknown extends T ? BoxValue<A> | Response : Box<T, A>;

/** What a call gives, by its flags `box` and `convJson`; either, where a flag is just a boolean. */
export type CallResult<T, A extends BoxAttrs, B extends boolean, J extends boolean> = B extends true
  ? Boxed<T, A>
  : J extends true ? T
  : Response;

/** A flag that a session declares; one that it does not is false. */
export type DeclaredFlag<F extends ResultFlag> = [F] extends [boolean] ? F : false;

/** The attributes of the boxes of a session. */
export type AttrsOf<S extends ResultDefaults> = S["_boxAttrs"] extends BoxAttrs ? S["_boxAttrs"]
  : BoxAttrs;

/** The attributes that a caller declares; where it does not, those of its session. */
export type OwnAttrs<A extends BoxAttrs, S extends ResultDefaults> = BoxAttrs extends A ? AttrsOf<S>
  : A;

/** The result where `box` is neither a keyword nor declared by the caller itself. */
export type CallResultOf<T, S extends ResultDefaults, J extends boolean> = CallResult<
  T,
  AttrsOf<S>,
  DeclaredFlag<S["_box"]>,
  J
>;

/**
 * Keywords without a `responseModel`, and with a flag for each of `box` and `convJson`; undefined
 * stands for none.
 */
export type ResultRequestOptions<B extends ResultFlag, J extends ResultFlag> =
  & RequestOptions
  & { readonly responseModel?: undefined }
  & (undefined extends B ? { readonly box?: B } : { readonly box: B })
  & (undefined extends J ? { readonly convJson?: J } : { readonly convJson: J });

/**
 * Keywords with a `responseModel` of the type M. Not an intersection: one of `ResponseModel` and a
 * type of arktype is too deep for the compiler (TS2589).
 */
export interface ModelRequestOptions<M extends ResponseModel>
  extends Omit<RequestOptions, "responseModel"> {
  /** What the body is decoded to. */
  readonly responseModel: M;
}

/** The path of a call, which has to be given. */
export type GivenPath = [path: Path];

/** The path of a call to an endpoint; without one it goes to the endpoint's own path. */
export type OptionalPath = [path?: Path];

/**
 * A verb of a session or an endpoint: sends a request with the HTTP method of its name.
 *
 * What it gives is decided by `responseModel`, then by `box`, then by `convJson`: for each of the
 * last two by the keyword, where there is none by what the class of the caller declares, then by
 * the session of an endpoint. A model gives what it decodes, a box has the type `Box<T>`, parsed JSON the type `T`, and else it is the raw `Response`. `T` is
 * what the API is known to answer; it includes null where the body may be empty. An `unknown` T,
 * the default, says nothing of it.
 *
 * @typeParam S The session that is asked where the caller does not say
 * @typeParam P Whether the path may be left out
 *
 * @throws {APIError} The class of the status, where it is no success
 * @throws {TransportError} Where no whole response came and the attempts ran out
 * @throws {DecodeError} Where the body is to be JSON and is not
 * @throws {UnexpectedValueError} Where a keyword is not what was expected; nothing was sent
 *
 * @example What a call gives
 * ```ts
 * import { APISession } from "@restwright/restwright";
 *
 * interface User {
 *   readonly id: number;
 * }
 * class Directory extends APISession {
 *   static override readonly url: string = "https://directory.example.com";
 *   override readonly _convJson = true as const;
 * }
 * const directory = new Directory({ adapter: () => Promise.resolve(Response.json({ id: 7 })) });
 * const user: User = await directory.get<User>("users/7");
 * const response: Response = await directory.get("users/7", { convJson: false });
 * console.log(user.id, response.status); // 7 200
 * await response.body?.cancel();
 * ```
 */
export interface RequestMethod<
  S extends ResultDefaults = RawResults,
  P extends GivenPath | OptionalPath = GivenPath,
> {
  // `this` is how a declared flag is asked for: a conditional type on `this` would stay unresolved
  // within the bodies of classes, where endpoints make all their calls.

  /** Asked for what a model makes of the body. */
  <const M extends ResponseModel>(
    path: Path,
    options: ModelRequestOptions<M>,
  ): APIPromise<ModelOutput<M>>;
  /** Asked for a box with attributes. */
  <T = unknown, const A extends BoxAttrs = BoxAttrs>(
    path: Path,
    options: ResultRequestOptions<true, ResultFlag> & { readonly boxAttrs: A },
  ): APIPromise<Boxed<T, A>>;
  /** Asked for a box. */
  <T = unknown, const A extends BoxAttrs = BoxAttrs>(
    this: { readonly _boxAttrs: A | undefined },
    path: Path,
    options: ResultRequestOptions<true, ResultFlag>,
  ): APIPromise<Boxed<T, OwnAttrs<A, S>>>;
  /** Asked for a box by a login handle, which has no attributes. */
  <T = unknown, const A extends BoxAttrs = BoxAttrs>(
    path: Path,
    options: ResultRequestOptions<true, ResultFlag>,
  ): APIPromise<Boxed<T, A>>;
  /** The class declares boxes. */
  <T = unknown, const A extends BoxAttrs = BoxAttrs>(
    this: { readonly _box: true; readonly _boxAttrs: A | undefined },
    ...args: [...P, options?: ResultRequestOptions<undefined, ResultFlag>]
  ): APIPromise<Boxed<T, OwnAttrs<A, S>>>;
  /** The class declares boxes with attributes, and the call says what the JSON is: not how. */
  <T = unknown>(
    this: { readonly _box: true; readonly _boxAttrs: unknown },
    ...args: [...P, options?: ResultRequestOptions<undefined, ResultFlag>]
  ): APIPromise<Boxed<T, AttrsOf<S>>>;
  /** Asked for no box, but JSON. */
  <T = unknown>(path: Path, options: ResultRequestOptions<false, true>): APIPromise<T>;
  /** Asked for neither. */
  <T = unknown>(path: Path, options: ResultRequestOptions<false, false>): APIPromise<Response>;

  <T = unknown>(
    this: { readonly _convJson: true },
    path: Path,
    options: ResultRequestOptions<false, undefined>,
  ): APIPromise<T>;
  <T = unknown>(
    this: { readonly _convJson: false },
    path: Path,
    options: ResultRequestOptions<false, undefined>,
  ): APIPromise<Response>;
  /** Asked for no box; the class declares JSON or none. */
  <T = unknown>(
    this: { readonly _convJson: boolean },
    path: Path,
    options: ResultRequestOptions<false, undefined>,
  ): APIPromise<CallResult<T, BoxAttrs, false, boolean>>;
  /** Asked for no box; the session says whether JSON. */
  <T = unknown>(
    path: Path,
    options: ResultRequestOptions<false, undefined>,
  ): APIPromise<CallResult<T, BoxAttrs, false, DeclaredFlag<S["_convJson"]>>>;

  // The class declares that there are no boxes, whatever its session does.
  /** Asked for JSON. */
  <T = unknown>(
    this: { readonly _box: false },
    path: Path,
    options: ResultRequestOptions<undefined, true>,
  ): APIPromise<T>;
  /** Asked for no JSON. */
  <T = unknown>(
    this: { readonly _box: false },
    path: Path,
    options: ResultRequestOptions<undefined, false>,
  ): APIPromise<Response>;
  /** The class declares JSON. */
  <T = unknown>(
    this: { readonly _box: false; readonly _convJson: true },
    ...args: [...P, options?: ResultRequestOptions<undefined, undefined>]
  ): APIPromise<T>;
  <T = unknown>(
    this: { readonly _box: false; readonly _convJson: false },
    ...args: [...P, options?: ResultRequestOptions<undefined, undefined>]
  ): APIPromise<Response>;
  <T = unknown>(
    this: { readonly _box: false; readonly _convJson: boolean },
    ...args: [...P, options?: ResultRequestOptions<undefined, undefined>]
  ): APIPromise<T | Response>;
  <T = unknown>(
    this: { readonly _box: false },
    ...args: [...P, options?: ResultRequestOptions<undefined, undefined>]
  ): APIPromise<CallResult<T, BoxAttrs, false, DeclaredFlag<S["_convJson"]>>>;
  /** The class declares boxes or none, to be seen only when it runs. */
  <T = unknown>(
    this: { readonly _box: boolean },
    ...args: [...P, options?: ResultRequestOptions<undefined, ResultFlag>]
  ): APIPromise<CallResult<T, BoxAttrs, boolean, boolean>>;

  // The class does not say whether there are boxes: its session does.
  /** Asked for JSON. */
  <T = unknown>(
    path: Path,
    options: ResultRequestOptions<undefined, true>,
  ): APIPromise<CallResultOf<T, S, true>>;
  /** Asked for no JSON. */
  <T = unknown>(
    path: Path,
    options: ResultRequestOptions<undefined, false>,
  ): APIPromise<CallResultOf<T, S, false>>;
  /** The class declares JSON. */
  <T = unknown>(
    this: { readonly _convJson: true },
    ...args: [...P, options?: ResultRequestOptions<undefined, undefined>]
  ): APIPromise<CallResultOf<T, S, true>>;
  /** The class declares no JSON. */
  <T = unknown>(
    this: { readonly _convJson: false },
    ...args: [...P, options?: ResultRequestOptions<undefined, undefined>]
  ): APIPromise<CallResultOf<T, S, false>>;
  /** The class declares JSON or none, to be seen only when it runs. */
  <T = unknown>(
    this: { readonly _convJson: boolean },
    ...args: [...P, options?: ResultRequestOptions<undefined, undefined>]
  ): APIPromise<CallResultOf<T, S, boolean>>;
  /** The class says nothing, and the keywords neither. */
  <T = unknown>(
    ...args: [...P, options?: ResultRequestOptions<undefined, undefined>]
  ): APIPromise<CallResultOf<T, S, DeclaredFlag<S["_convJson"]>>>;
  /** Keywords that tell only when it runs what they ask for. */
  <T = unknown>(
    ...args: [...P, options?: RequestOptions & { readonly responseModel?: undefined }]
  ): APIPromise<CallResult<T, BoxAttrs, boolean, boolean>>;
  /** Keywords that may have a model among them. */
  <T = unknown>(...args: [...P, options?: RequestOptions]): APIPromise<unknown>;
}
