import type { Logger } from "../log/logger.ts";
import type { ConversionDefaults } from "./response_parsers.ts";
import type { RequestOptions, RetryOptions } from "./request_options.ts";

/** What the engine asks of the session or client that it works for, at each request. */
export interface ClientHooks extends ConversionDefaults {
  /** Where records go. */
  readonly logger: Logger;
  /** The hook `_respErrorCheck`; undefined where it is the toolkit's own, which does nothing. */
  readonly respErrorCheck: ResponseCheck | undefined;
  /** The hook `_retryRequest`; undefined where it is the toolkit's own, which changes nothing. */
  readonly retryRequest: RetryHook | undefined;
}

/** Looks at a response with a success status (rule 9). */
export type ResponseCheck = (
  response: Response,
  options: RequestOptions,
) => Response | Promise<Response>;

/** Gives the keywords for the next attempts (rule 8); undefined leaves them as they are. */
export type RetryHook = (
  response: Response,
  retries: number,
  options: RetryOptions,
) => RequestOptions | undefined | Promise<RequestOptions | undefined>;
