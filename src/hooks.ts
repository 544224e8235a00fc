import { ClientBase } from "./request_base.ts";
import type { RequestOptions, RetryOptions } from "./options/types.ts";
import type { Login } from "./login.ts";
import type { ServiceOptions } from "./options/types.ts";

/**
 * The hooks of a session or client that do nothing where an SDK does not override them.
 *
 * @category Types
 */
export abstract class ServiceHooks extends ClientBase {
  /**
   * Logs in. It runs once, after `_buildSession`: at the first request, at `ready` or `open`, or
   * right after the construction; every other request waits for it.
   *
   * Its own requests go through the login handle, since those of the session wait. The toolkit's
   * own does nothing.
   *
   * @param options The options of the constructor
   * @param login The verbs of the session, for the requests that log in
   */
  protected _authenticate(options: ServiceOptions, login: Login): void | Promise<void> {
    void [options, login];
  }

  /**
   * Logs out. It runs once, when a context is left or by `close`, if the login has not failed. The
   * toolkit's own does nothing.
   *
   * @param options The options of the constructor
   */
  protected _deauthenticate(options: ServiceOptions): void | Promise<void> {
    void options;
  }

  /**
   * Looks at each response with a success status, before it is converted; raises where it tells of
   * an error all the same.
   *
   * An override gets a response of its own to read. What it raises is raised as it is, and not
   * retried. The toolkit's own does nothing.
   *
   * @param response The response
   * @param options The keywords of the request
   * @returns The response that the call goes on with
   */
  protected _respErrorCheck(
    response: Response,
    options: RequestOptions,
  ): Response | Promise<Response> {
    void options;
    return response;
  }

  /**
   * Looks at a response that led to a retry, after the wait and right before the next attempt.
   *
   * It is not called after a transport error, nor where no attempt follows. The toolkit's own
   * changes nothing.
   *
   * @param response The response, readable up to 1 MiB
   * @param retries The number of the retry that follows, from 1
   * @param options A copy of the keywords, with the headers as a mapping
   * @returns The keywords for all later attempts; undefined leaves them as they are
   */
  protected _retryRequest(
    response: Response,
    retries: number,
    options: RetryOptions,
  ): RequestOptions | undefined | Promise<RequestOptions | undefined> {
    void [response, retries];
    return options;
  }
}
