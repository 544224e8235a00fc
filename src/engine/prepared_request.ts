import type { RequestSummary } from "../errors/request_summary.ts";
import type { IncomingResponse } from "../http/incoming_response.ts";
import type { HeaderOverrides } from "../http/headers.ts";
import type { Overrides } from "../http/overrides.ts";
import type { RequestBody } from "../http/request_body.ts";
import type { Params } from "./params.ts";
import type { RequestOptions } from "./request_options.ts";
import type { EngineSettings } from "./settings.ts";
import type { Path } from "./url.ts";

/** The HTTP methods that are accepted in any case (RFC 9110 §9, RFC 5789), and sent in upper case. */
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD" | "OPTIONS";

/** The methods of the contract's verbs. */
export const contractMethods: readonly Method[] = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"];

/** All of them. */
export const methods: readonly Method[] = [...contractMethods, "OPTIONS"];

/** What a face asks the engine for: one call. */
export interface Call {
  /** The HTTP method, as the caller writes it. */
  readonly method: string;
  /** The path below the base, or a full URI. */
  readonly path: Path;
  /** The keywords. */
  readonly options: RequestOptions;
}

/** A request that is ready for its attempts: checked, joined and serialised. */
export interface PreparedRequest {
  /** The method, as it is sent. */
  readonly method: string;
  /** The path, as it was given. */
  readonly path: string;
  /** The URL with the query of its path, without the parameters. */
  readonly urlWithoutParams: string;
  /** The URL that is sent. */
  readonly url: string;
  /** The headers, to be laid over the session's. */
  readonly headers: HeaderOverrides;
  /** What can end it: the signals of the call and of the session. */
  readonly signals: readonly AbortSignal[];
  /** The body. */
  readonly body: RequestBody;
  /** What errors and records show of it: redacted as the log is, without credentials. */
  readonly summary: RequestSummary;
  /** What becomes of the response. */
  readonly parser: ResponseParser;
  /** What it works by: the engine's settings, or the call's own. */
  readonly settings: EngineSettings;
  /** Its query parameters, with those of the session. */
  readonly params: Params | object | undefined;
  /** What it wants otherwise than the HTTP session has it. */
  readonly overrides: Overrides | undefined;
  /** What else fetch is given. */
  readonly fetchOptions: RequestInit | undefined;
  /** The keywords it was made of. */
  readonly options: RequestOptions;
}

/** A response with a success status, its body read as far as the toolkit has to. */
export interface BufferedResponse {
  /** The response. */
  readonly response: Response;
  /** Its body, where a hook or a conversion needs it. */
  readonly body: Uint8Array<ArrayBuffer> | string | undefined;
}

/** How a response with a success status is read, and what it becomes (rule 10). */
export interface ResponseParser {
  /** Whether it gives the response itself, whatever it is. */
  readonly isRaw?: boolean;

  /**
   * Reads the body as far as it has to.
   *
   * It is read within the attempt, so that a body that breaks off is retried like any failure of the
   * transport.
   */
  receive(
    incoming: IncomingResponse,
    request: PreparedRequest,
  ): BufferedResponse | Promise<BufferedResponse>;

  /** What a response becomes whose body has been read, here or by a hook. */
  convert(
    response: Response,
    body: Uint8Array<ArrayBuffer> | string,
    request: PreparedRequest,
  ): unknown;
}
