import type { BoxAttrs } from "../box/mod.ts";
import type { HeadersInput } from "../http/headers.ts";
import type { OverrideOptions } from "../http/overrides.ts";
import type { Logger } from "../log/logger.ts";
import type { BodyOptions } from "./body.ts";
import type { BodyFormat } from "../models/model_class.ts";
import type { Params } from "./params.ts";
import type { ResponseModel } from "./response_model.ts";
import type { CallOnlySettings } from "./engine_options.ts";

/**
 * Options that are passed to fetch as they are, where the runtime knows them; of what the program's
 * own types of fetch leave out (those of Node 22 know no `cache`) there is none.
 */
export type FetchOptions =
  & Pick<
    RequestInit,
    Extract<
      keyof RequestInit,
      "cache" | "credentials" | "integrity" | "keepalive" | "mode" | "referrer" | "referrerPolicy"
    >
  >
  & {
    /** How soon browsers send the request, beside others of its kind. */
    readonly priority?: "high" | "low" | "auto" | undefined;
  };

/** The keywords of one request. */
export interface RequestOptions
  extends BodyOptions, FetchOptions, OverrideOptions, CallOnlySettings {
  /**
   * Query parameters, added to those of the path: any object with such values will do, so that a
   * query can be typed by an interface.
   *
   * @example `{ params: { tag: ["a", "b"], page: 2, draft: false } }`
   */
  readonly params?: Params | object | undefined;
  /**
   * Headers of this request, laid over the session's; null takes one away. They go to the URL of
   * the request; a redirect to an origin that is not trusted drops all but harmless ones.
   *
   * @example `{ headers: { "If-Match": etag } }`
   */
  readonly headers?: HeadersInput | undefined;
  /**
   * Statuses of the error map that are retried beside those whose class is retryable.
   * Default: none
   *
   * @example `{ retryOn: [409, 500] }`
   */
  readonly retryOn?: readonly number[] | undefined;
  /**
   * Whether the session's base path is put between the base URL and the path.
   *
   * @default {true}
   */
  readonly useBase?: boolean | undefined;
  /**
   * What the body is decoded to, on every success status: a model class, a schema of any library
   * that has the Standard Schema interface, or either in a list of one for a list. Models read JSON
   * or XML, by the content type; schemas read JSON, and null for an empty body. It goes before `box`
   * and `convJson`. Default: none
   *
   * @example `this._get("/users", { responseModel: [User] })`
   */
  readonly responseModel?: ResponseModel | undefined;
  /** What a model class takes the body for, where the content type lies. Default: what that says */
  readonly responseFormat?: BodyFormat | undefined;
  /**
   * Whether JSON becomes a {@linkcode Box}: a response with the content type `application/json`
   * gives a box of what is in it, an empty body gives null, and any other response is what
   * `convJson` makes of it. It goes before `convJson`. Default: that of the endpoint or session
   *
   * @example `const user = await session.get<User>("users/7", { box: true })`
   */
  readonly box?: boolean | undefined;
  /**
   * How the box behaves, in place of the attributes that the endpoint or session has. Default:
   * these
   *
   * @example `{ box: true, boxAttrs: { frozen: true, camelCase: true } }`
   */
  readonly boxAttrs?: BoxAttrs | undefined;
  /**
   * Whether the body is parsed from JSON, whatever its content type; an empty body gives null.
   * Default: that of the endpoint or session
   *
   * @example `const users = await session.get<User[]>("users", { convJson: true })`
   */
  readonly convJson?: boolean | undefined;
  /**
   * Seconds without data after which an attempt counts as stalled and is retried, until the last
   * byte of the body; null for none. Default: the session's
   *
   * @example `{ timeout: 30 }`
   */
  readonly timeout?: number | null | undefined;
  /**
   * Seconds that the call with all its attempts and waits may take, until it returns; null for
   * none. Default: the session's
   *
   * @example `{ deadline: 120 }`
   */
  readonly deadline?: number | null | undefined;
  /**
   * Whether TLS is verified; false lets anybody in between read and change what is sent. Not in
   * browsers. Default: as `sslVerify` of the session says
   */
  readonly verify?: boolean | undefined;
  /**
   * Whether redirects are followed; where they are not, a 3xx raises an `APIError`. Default: the
   * session's
   */
  readonly followRedirects?: boolean | undefined;
  /** The most redirects that are followed for one attempt. Default: the session's */
  readonly maxRedirects?: number | undefined;
  /** Where the records of this call go. Default: the session's logger */
  readonly logger?: Logger | undefined;
  /**
   * Aborts the call at once: an attempt, a wait, or a body that is read. The call fails with the
   * signal's reason, and is not retried.
   *
   * @example `{ signal: AbortSignal.timeout(5_000) }`
   */
  readonly signal?: AbortSignal | undefined;
}

/** The keywords of a request as `_retryRequest` gets them: a copy. */
export interface RetryOptions extends RequestOptions {
  /** The headers as a mapping, whatever the caller gave; their names are in lower case. */
  readonly headers?: Readonly<Record<string, string | null>> | undefined;
}
