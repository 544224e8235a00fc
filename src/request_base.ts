import type { BoxAttrs } from "./box/mod.ts";
import type { Method } from "./request/call.ts";
import type { RequestOptions } from "./options/types.ts";
import type { Path } from "./http/url.ts";
import type { Generation } from "./generation.ts";
import type { HttpSession } from "./http/http_session.ts";
import type { Logger } from "./log/logger.ts";
import { withResponse } from "./api_promise.ts";
import type { ResultFlag } from "./request_method.ts";

/**
 * What makes calls: a session, a client, or an endpoint of one.
 *
 * The fields say what becomes of the responses where the keywords of a request do not. A class
 * declares them `readonly`, so that its calls have the types of what they give:
 * `override readonly _convJson = true`.
 *
 * @category Types
 */
export abstract class RequestBase {
  /** Whether JSON becomes a box. */
  abstract readonly _box: ResultFlag;
  /** How a box behaves. */
  abstract readonly _boxAttrs: BoxAttrs | undefined;
  /** Whether the body is parsed from JSON. */
  abstract readonly _convJson: ResultFlag;

  /**
   * Sends a request: every verb goes through here, and so an override sees every call.
   *
   * @param method The HTTP method: GET, POST, PUT, PATCH, DELETE, HEAD and OPTIONS in any case, any
   * other as it is to be sent
   * @param path The path below the base, or a full URI
   * @param options The keywords of this request
   * @returns The response, or what it is converted to
   */
  protected abstract _req(method: string, path: Path, options?: RequestOptions): Promise<unknown>;

  /**
   * Gives a class its verbs: one for each HTTP method, called by a prefix and its name in lower case.
   *
   * They are declared as fields of the type {@linkcode RequestMethod}, which says once for all of them what
   * a call gives.
   *
   * @param prefix Stands before the names
   * @param methods The HTTP methods
   * @param usualPath What stands for a path that is left out. Default: none, it has to be given
   */
  protected static defineMethods(
    prefix: string,
    methods: readonly Method[],
    usualPath?: Path,
  ): void {
    for (const method of methods) {
      Object.defineProperty(this.prototype, prefix + method.toLowerCase(), {
        value(
          this: RequestBase,
          ...given: [path?: Path, options?: RequestOptions]
        ): Promise<unknown> {
          const path = given.length === 0 ? usualPath : given[0];
          // An undefined path is refused below.
          return withResponse((options) => this._req(method, path as Path, options), given[1]);
        },
        configurable: true,
        writable: true,
      });
    }
  }
}

/**
 * What endpoints and iterators belong to: a session or a client.
 *
 * @category Types
 */
export abstract class ClientBase extends RequestBase {
  /** Where records go. */
  protected abstract readonly _log: Logger;
  /** Which generation of the interface it is of. */
  protected abstract readonly _generation: Generation;
}

/**
 * Any session or client, whatever its results are.
 *
 * @category Types
 */
export interface AnyClient {
  /** The result flags. Only the compiler sees this property. */
  readonly "~results": {
    /** The flag `box`. */
    readonly box: boolean;
    /** The flag `convJson`. */
    readonly convJson: boolean;
    /** The settings of boxes. */
    readonly boxAttrs: BoxAttrs;
  };
  /** The HTTP session, with default headers, authentication, cookies and transports. */
  readonly session: HttpSession;
  /** Settles when the session or client has logged in, or when that failed. */
  readonly ready: Promise<void>;
  /** Logs out and closes the HTTP session. */
  close(): Promise<void>;
}
