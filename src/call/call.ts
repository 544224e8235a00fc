import type { CredentialPolicy } from "../http/credentials.ts";
import type { HttpCall } from "../http/send.ts";
import type { IncomingResponse } from "../http/incoming_response.ts";
import type { Path } from "../http/url.ts";
import type { RequestOptions } from "../options/request_options.ts";
import type { Settings } from "../options/settings.ts";
import type { Params } from "../content/params.ts";

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
  readonly parser: ResponseParser;
  /** The settings of the session, or the call's own. */
  readonly settings: Settings;
  /** The request options. */
  readonly options: RequestOptions;
}

/** A response with a success status. Its body has been read if a hook or a conversion needs it. */
export interface BufferedResponse {
  /** The response. */
  readonly response: Response;
  /** The body; undefined if it has not been read. */
  readonly body: Uint8Array<ArrayBuffer> | string | undefined;
}

/** Reads the body of a response with a success status, and converts it (rule 10). */
export interface ResponseParser {
  /**
   * Reads the body as far as the conversion needs it. This happens inside the attempt, so that a
   * body that breaks off is retried.
   */
  receive(incoming: IncomingResponse, call: Call): BufferedResponse | Promise<BufferedResponse>;

  /** Converts a body that has been read. */
  convert(response: Response, body: Uint8Array<ArrayBuffer> | string, call: Call): unknown;
}

/**
 * The key of the {@linkcode CallContext} in the request options. The context passes every override
 * of `_req` that passes its options on, and is not logged.
 */
export const CALL_CONTEXT: unique symbol = Symbol("restwright.context");

/** Carries the response of a call back to its promise. */
export interface CallContext {
  /** True for the requests of the login, which do not wait for it. */
  isLogin?: boolean;
  /** True for the requests of a login: their bodies contain passwords or tokens. */
  readonly hasSecretBody?: boolean;
  /**
   * The path of the first page, if the URL is a link that the server sent. The headers and credentials
   * of the call go there only if they would also follow a redirect from that page.
   */
  readonly linkedFrom?: Path | undefined;
  /** True if the page with the link came from a server that does not get credentials. */
  readonly withoutCredentials?: boolean | undefined;
  /** The URL of the request. */
  url?: string;
  /** The origins that get credentials. */
  trust?: CredentialPolicy;
  /** True if the response was requested without credentials: by such a link, or after a redirect. */
  isDiverted?: boolean | undefined;
  /** True if the option `absoluteUrls` does not apply, because the URL is an option of the SDK. */
  isAnyUrl?: boolean;
  /** The response. */
  response: Response | undefined;
  /** Receives the response as soon as its headers are there. Set by `asResponse`. */
  takeResponse?: (response: Response) => void;
  /** The body, if the toolkit has read it. */
  body: Uint8Array<ArrayBuffer> | string | undefined;
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
