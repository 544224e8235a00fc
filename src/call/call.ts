/** A call: its request, its state while it is made, and the format of its result. */
import type { APIError } from "../errors/api_error.ts";
import type { AbortScope } from "../http/abort.ts";
import type { CredentialPolicy } from "../http/credentials.ts";
import type { HttpCall } from "../http/send.ts";
import type { HeaderFields, HeaderOverrides } from "../http/headers.ts";
import type { IncomingResponse } from "../http/incoming_response.ts";
import type { Path } from "../http/url.ts";
import type { Logger } from "../log/logger.ts";
import type { BodyFormat } from "../models/model_class.ts";
import type { RequestOptions } from "../options/request_options.ts";
import type { Settings } from "../options/settings.ts";
import type { Params } from "../content/params.ts";
import type { RetryBudget } from "./retry/budget.ts";

/**
 * The HTTP methods that are accepted in any case, and sent in upper case (RFC 9110 §9, RFC 5789).
 *
 * @category Requests
 */
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD" | "OPTIONS";

/** The methods that the contract names. */
export const contractMethods: readonly Method[] = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"];

/** All methods that are accepted in any case. */
export const methods: readonly Method[] = [...contractMethods, "OPTIONS"];

/** A call whose request is ready for its attempts: checked, joined and serialised. */
export interface Call extends HttpCall {
  /** The path, as the caller passed it. */
  readonly path: string;
  /** The URL with the query of its path, but without the parameters. */
  readonly urlWithoutParams: string;
  /** The query parameters, with those of the session. */
  readonly params: Params | object | undefined;
  /** The signals that abort the call: those of the call and of the session. */
  readonly signals: readonly AbortSignal[];
  /** Reads and converts the response. */
  readonly format: Format;
  /** The settings of the session, or the call's own. */
  readonly settings: Settings;
  /** The request options. */
  readonly options: RequestOptions;
}

/** A call that is being made. */
export interface RunningCall {
  /** The request of the next attempt, or of the last one. */
  readonly call: Call;
  /** The format of the result: that of the request, unless the caller takes the raw response. */
  readonly format: Format;
  /** The number of retries so far. */
  readonly retries: number;
  /** Aborts the call, and has its deadline; undefined if nothing can abort it. */
  readonly scope: AbortScope | undefined;
  /** The budget for retries, if there is one. */
  readonly budget: RetryBudget | undefined;
  /** The logger of the call. */
  readonly logger: Logger;
  /** Awaits work that cannot be aborted. If the call is aborted, this rejects at once. */
  waitFor<T>(work: Promise<T>): Promise<T>;
  /**
   * Repeats the request of a call that has returned its stream, as after a failed attempt, and returns
   * the unread response.
   *
   * @param error The error in the stream
   * @param signal Aborts the request, in addition to the signals of the call
   * @throws The error of the last attempt, if no other one is left
   */
  repeatAfter(error: APIError, signal: AbortSignal): Promise<Response>;
  /** Makes another call to the same path, with these options. */
  callAgain(options: RequestOptions): Promise<unknown>;
}

/** A body that has been read. */
export type ReadBody = Uint8Array<ArrayBuffer> | string;

/** A response with a success status. Its body has been read if a hook or the format needs it. */
export interface BufferedResponse {
  /** The response. */
  readonly response: Response;
  /** The body; undefined if it has not been read. */
  readonly body: ReadBody | undefined;
}

/**
 * The conversion of a response with a success status to the result of a call (rule 10). The result
 * options choose one, see `src/call/formats/`.
 */
export interface Format {
  /** Headers that ask the server for the format. Those of the call replace them. */
  readonly headers?: HeaderOverrides;
  /** Headers that ask for the format, if neither the session nor the call has its own. */
  readonly defaultHeaders?: HeaderFields;
  /** The format of all bodies, also of errors. Default: that of their content type */
  readonly bodyFormat?: BodyFormat | undefined;
  /** True if the body is never read inside the attempt, also to look for an error in it. */
  readonly isUnread?: true;

  /**
   * Reads the body as far as the conversion needs it. This happens inside the attempt, so that a
   * body that breaks off is retried.
   */
  receive(incoming: IncomingResponse, call: Call): BufferedResponse | Promise<BufferedResponse>;

  /** Converts the response, after the hook `_respErrorCheck`. Returns the result or a promise of it. */
  convert(received: BufferedResponse, run: RunningCall): unknown;
}

/**
 * The key of the {@linkcode CallContext} in the request options. The context passes every override
 * of `_req` that passes its options on, and is not logged.
 */
export const CALL_CONTEXT: unique symbol = Symbol("restwright.context");

/** Connects a call with the promise that its caller has. */
export interface CallContext {
  /** True for the requests of the login, which do not wait for it. */
  readonly isLogin?: boolean;
  /** True for the requests of a login: their bodies contain passwords or tokens. */
  readonly hasSecretBody?: boolean;
  /**
   * The path of the first page, if the URL is a link that the server sent. The headers and credentials
   * of the call go there only if they would also follow a redirect from that page.
   */
  readonly linkedFrom?: Path | undefined;
  /** True if the page with the link came from a server that does not get credentials. */
  readonly withoutCredentials?: boolean | undefined;
  /** True if the option `absoluteUrls` does not apply, because the URL is an option of the SDK. */
  readonly isAnyUrl?: boolean;
  /** Receives the response as soon as its headers are there. Set by `asResponse`. */
  takeResponse?: (response: Response) => void;
  /** The response of the call, once it has succeeded. */
  received?: ReceivedResponse | undefined;
}

/** The response of a call, and the request that it belongs to. */
export interface ReceivedResponse extends BufferedResponse {
  /** The URL of the request. */
  readonly url: string;
  /** The origins that get credentials. */
  readonly trust: CredentialPolicy;
  /** True if the response was requested without credentials: by a link, or after a redirect. */
  readonly isDiverted: boolean | undefined;
  /** The logger of the call. */
  readonly logger: Logger;
}

/** Request options with the context of their call. */
export interface OptionsWithContext extends RequestOptions {
  /** The context. */
  readonly [CALL_CONTEXT]?: CallContext;
}

/** Returns the request options without the context, for a hook. */
export function withoutContext(options: OptionsWithContext): RequestOptions {
  const { [CALL_CONTEXT]: _, ...visible } = options;
  return visible;
}
