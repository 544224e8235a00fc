import type { ResponseModel } from "./request/decode.ts";
import type { ErrorFunction } from "./errors/api_error.ts";
import { baseErrorMap, type ErrorMap } from "./errors/by_status.ts";
import { ServiceHooks } from "./hooks.ts";
import type { Authorities, ClientCertificate } from "./http/transport/certificates.ts";
import type { Proxies } from "./http/transport/proxies.ts";
import type { Transport } from "./http/transport.ts";
import { TOOLKIT_NAME, TOOLKIT_VERSION } from "./version.ts";

/**
 * What a class of sessions or clients has by default. A subclass overrides it by
 * `static override readonly`; most can be overridden for one instance by the option of that name.
 *
 * @category Types
 */
export abstract class ServiceStatics extends ServiceHooks {
  /** How often a request is sent again before it fails. Default: 3 */
  static readonly retries: number = 3;
  /** Seconds, multiplied by the retry's number, to wait without a Retry-After. Default: 1 */
  static readonly backoff: number = 1;
  /** The longest wait in seconds that Retry-After can ask for, else the call fails. Default: null */
  static readonly maxRetryAfter: number | null = null;
  /** Makes the wait after the last failed attempt too, or never. Default: after a transport error */
  static readonly finalWait: boolean | undefined;
  /** Seconds without data after which an attempt counts as stalled. Default: null, for none */
  static readonly timeout: number | null = null;
  /** Seconds that a call with all its attempts and waits may take. Default: null, for none */
  static readonly deadline: number | null = null;
  /** Whether redirects are followed. Default: by the generation */
  static readonly followRedirects: boolean = true;
  /** The most redirects that are followed for one attempt. Default: 30 */
  static readonly maxRedirects: number = 30;
  /** Other origins that get the session's credentials. Default: none */
  static readonly trustedOrigins: readonly string[] = [];
  /**
   * Names of headers that also go to origins that are not trusted. Never name one that holds a
   * secret. Default: none beside `Accept`, `Accept-*`, `Cache-Control`, `Content-Encoding`,
   * `Content-Language`, `Content-Type`, `If-Match`, `If-Modified-Since`, `If-None-Match`, `If-Range`,
   * `If-Unmodified-Since`, `Pragma`, `Range` and `User-Agent`
   */
  static readonly crossOriginHeaders: readonly string[] = [];
  /** Proxies by protocol. Not in browsers. Default: none */
  static readonly proxies: Proxies | null | undefined;
  /** The client's certificate and its key, as PEM or as paths. Not in browsers. Default: none */
  static readonly cert: ClientCertificate | null | undefined;
  /** Authorities that are trusted beside the runtime's. Not in browsers. Default: none */
  static readonly ca: Authorities | null | undefined;
  /** Whether TLS is verified. Default: true */
  static readonly sslVerify: boolean = true;
  /** Makes the messages of errors built from a response. Default: the toolkit's own */
  static readonly errorFunc: ErrorFunction | undefined;
  /** The vendor of the integration, for the User-Agent. Default: unknown */
  static readonly vendor: string = "unknown";
  /** The product of the integration, for the User-Agent. Default: unknown */
  static readonly product: string = "unknown";
  /** The build of the integration, for the User-Agent. Default: unknown */
  static readonly build: string = "unknown";
  /** The SDK's name, for the User-Agent and the logger. Default: the toolkit's name */
  static readonly libName: string = TOOLKIT_NAME;
  /** The SDK's version, for the User-Agent. Default: the toolkit's version */
  static readonly libVersion: string = TOOLKIT_VERSION;
  /** Carries the requests below `adapterPath` in place of fetch. Default: none */
  static readonly adapter: Transport | undefined;
  /** The URL prefix of the adapter. Default: the base URL, a slash and the base path */
  static readonly adapterPath: string | undefined;
  /** Paths whose parameters and body are never logged. Default: none */
  static readonly restrictedPaths: readonly string[] = [];
  /**
   * Names of fields whose values are never logged, in parameters, bodies and URLs, whatever their
   * case. `commonSecretFields` is a list to begin with. Default: none
   */
  static readonly redactFields: readonly string[] = [];
  /** What is logged in place of what is hidden. Default: REDACTED */
  static readonly redactValue: string = "REDACTED";
  /** Overrides single entries of the base error map. Default: none */
  static readonly errorMap: ErrorMap = {};
  /** The base error map; overriding it removes all preset entries. Default: the contract's */
  static readonly baseErrorMap: ErrorMap = baseErrorMap;
  /** What the bodies of error responses are decoded to, as `error.data`. Default: none */
  static readonly errorModel: ResponseModel | undefined;
  /** The response header with the request's id; null for none. Default: x-request-id */
  static readonly requestIdHeader: string | null = "x-request-id";
  /** Whether options that nobody declares are refused by the constructor. Default: false */
  static readonly errorOnUnexpectedInput: boolean = false;
  /** Names of the class's own options, which are not left over; subclasses add to them. */
  static readonly optionNames: readonly string[] = [];
}
