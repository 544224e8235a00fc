/** Defines what sessions, clients and endpoints share: their request methods, and types for any of them. */
import type { BoxAttrs } from "../box/mod.ts";
import { hasMethods, isPlain } from "../base/checks.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import type { HttpSession } from "../http/http_session.ts";
import { keepsCallCredentials } from "../http/credentials.ts";
import type { Path } from "../http/url.ts";
import { checkedCallOptions } from "../options/settings.ts";
import type { RequestOptions } from "../options/request_options.ts";
import type { PagePromise } from "../paging/page_promise.ts";
import type {
  ItemModelPageOptions,
  ItemOf,
  ModelPageOptions,
  PageOptions,
  PagingRule,
} from "../paging/paging_rule.ts";
import type { ItemModel } from "../paging/item_model.ts";
import type { PollCall, PollOptions } from "../polling/poll_rule.ts";
import {
  CALL_CONTEXT,
  type CallContext,
  type Method,
  type OptionsWithContext,
} from "../call/call.ts";
import type { ModelOutput, ResponseModel } from "../content/decode.ts";
import { isStreamFormat } from "../content/response_format.ts";
import { type APIPromise, callPromise } from "../call/api_promise.ts";

/**
 * The request options that concern the URL of a call.
 *
 * @category Requests
 */
export type UrlOptions = Pick<RequestOptions, "params" | "paramsStyle" | "useBase">;

/**
 * The base class of everything that sends requests: sessions, clients and endpoints.
 *
 * Its fields say how responses are converted if the request options do not. A class declares them
 * `readonly`, so that its calls have the right types: `override readonly _convJson = true`.
 *
 * @category Types
 */
export abstract class RequestBase {
  /** True if JSON is converted to a box. */
  abstract readonly _box: boolean | undefined;
  /** The settings of boxes. */
  abstract readonly _boxAttrs: BoxAttrs | undefined;
  /** True if the body is parsed as JSON. */
  abstract readonly _convJson: boolean | undefined;

  /**
   * Sends a request. All request methods call `_req`, so that an override handles every request.
   *
   * @param method The HTTP method. GET, POST, PUT, PATCH, DELETE, HEAD and OPTIONS can be in any
   * case; any other method is sent as passed
   * @param path The path below the base URL, or a full URL
   * @param options The request options
   * @returns The response, or the converted body
   */
  protected abstract _req(method: string, path: Path, options?: RequestOptions): Promise<unknown>;

  /**
   * Returns the full URL that a call would have, and sends nothing: for links, and for URLs that are
   * signed. Without a path, it is the base URL, or that of the endpoint. Credentials are never in it.
   *
   * @param path The path below the base URL or the endpoint's path, or a full URL
   * @param options The options of a call that concern its URL
   * @throws {UnexpectedValueError} If a call with this path and these options would throw it
   *
   * @example
   * ```ts
   * import { APIClient, path } from "@restwright/restwright";
   *
   * class Files extends APIClient {
   *   static override readonly baseUrl: string = "https://files.example.com/v1";
   *
   *   link(name: string): string {
   *     return this._urlOf(path`/files/${name}`, { params: { download: true } });
   *   }
   * }
   * console.log(new Files().link("a b")); // https://files.example.com/v1/files/a%20b?download=true
   * ```
   */
  protected abstract _urlOf(path?: Path, options?: UrlOptions): string;

  /**
   * Reads a list that the API sends in pages. No request is sent before the result is awaited or
   * iterated: `await` returns the first page, `for await` all items.
   *
   * The rules for `next` are in the entry point `paging`. The other request options apply to each page.
   *
   * @param path The path below the base URL or the endpoint's path, by default that path itself
   * @param options The request options, `next`, and the place of the items
   * @returns The promise of the first page, which is also the list
   * @throws {UnexpectedValueError} If `next` or another option of the list is not valid
   *
   * @example
   * ```ts
   * import { APISession } from "@restwright/restwright";
   * import { linkHeader, type PagePromise } from "@restwright/restwright/paging";
   *
   * class Tracker extends APISession {
   *   issues(): PagePromise<{ id: number }> {
   *     return this._pages<{ id: number }>("issues", { next: linkHeader() });
   *   }
   * }
   *
   * const fetch = () => Promise.resolve(Response.json([{ id: 1 }]));
   * const tracker = new Tracker({ url: "https://api.example.com", fetch });
   * for await (const { id } of tracker.issues()) console.log(id); // 1
   * ```
   */
  protected _pages<
    const M extends ResponseModel = never,
    const F extends string | undefined = undefined,
    T = unknown,
    B = never,
  >(
    path: Path,
    options: ModelPageOptions<M, B, F, T>,
  ): PagePromise<ItemOf<ModelOutput<M> | B, F, T>, ModelOutput<M> | B>;
  /** Reads a list with a model or a format for the bodies, from the path of the endpoint. */
  protected _pages<
    const M extends ResponseModel = never,
    const F extends string | undefined = undefined,
    T = unknown,
    B = never,
  >(
    options: ModelPageOptions<M, B, F, T>,
  ): PagePromise<ItemOf<ModelOutput<M> | B, F, T>, ModelOutput<M> | B>;
  /** Reads a list with a model for each item. */
  protected _pages<const M extends ItemModel, B = unknown>(
    path: Path,
    options: ItemModelPageOptions<M, B>,
  ): PagePromise<ModelOutput<M>, B>;
  /** Reads a list with a model for each item, from the path of the endpoint. */
  protected _pages<const M extends ItemModel, B = unknown>(
    options: ItemModelPageOptions<M, B>,
  ): PagePromise<ModelOutput<M>, B>;
  /** Reads a list from the path of the endpoint. The type of the items is not checked. */
  protected _pages<T = unknown, B = unknown>(options: PageOptions<T, B>): PagePromise<T, B>;
  /** Reads a list. The type of the items is not checked. */
  protected _pages<T = unknown, B = unknown>(
    path: Path,
    options: PageOptions<T, B>,
  ): PagePromise<T, B>;
  protected _pages(
    ...args: [path: Path, options: PageOptions] | [options: PageOptions]
  ): PagePromise<unknown> {
    const [path, options] = args.length === 1 ? ["", args[0]] as const : args;
    const rule: PagingRule | undefined = options?.next;
    if (!hasMethods(rule, ["start"])) {
      const expected = "a rule of the entry point `paging`, such as linkHeader()";
      throw new UnexpectedValueError("next", expected, rule);
    }
    return rule!.start(
      async (target, pageOptions, link) => {
        const context: CallContext = {
          linkedFrom: link && path,
          withoutCredentials: link?.withoutCredentials,
        };
        const sent: OptionsWithContext = { ...pageOptions, [CALL_CONTEXT]: context };
        const method = sent.json === undefined ? "GET" : "POST";
        const call = callPromise(this._req(method, target, sent), context);
        const { data, response } = await call.withResponse();
        const { url = "", trust, isDiverted = link?.withoutCredentials, logger } =
          context.received ?? {};
        const keepsCredentials = (next: string) =>
          trust !== undefined && !isDiverted &&
          keepsCallCredentials(trust, response.url || url, next);
        return { body: data, response, url, keepsCredentials, logger };
      },
      path,
      options,
    );
  }

  /**
   * Repeats a call until its result is final, as for an export that the server prepares. The first call
   * is made at once. Between two calls, it waits as long as the server's Retry-After says, or else as
   * long as the rule says.
   *
   * The rules for `interval` are in the entry point `polling`. The errors of a call are thrown as usual.
   * Within a call, failed attempts are retried.
   *
   * @typeParam T The type of the result
   * @typeParam D The type of a final result, if `until` narrows it
   * @param call Makes a call with a request method
   * @param options `until`, which decides if a result is final, `interval` and the limits
   * @returns The final result
   * @throws {PollTimeoutError} If the deadline has passed, or if the next call would be too late
   * @throws {UnexpectedValueError} If an option is not valid, or if `call` returns something else than
   * what a request method returns. Also rejects with the error of a call, of `until` or of the signal
   *
   * @example
   * ```ts
   * import { APIClient } from "@restwright/restwright";
   * import { every } from "@restwright/restwright/polling";
   * import { fakeClock, mockTransport, replies } from "@restwright/restwright/testing";
   *
   * interface Job {
   *   readonly state: "running" | "done";
   * }
   * class Jobs extends APIClient {
   *   static override readonly baseUrl: string = "https://api.example.com";
   *
   *   finished(id: number): Promise<Job> {
   *     return this._poll(
   *       ({ signal }) => this._get<Job>(`/jobs/${id}`, { signal, convJson: true }),
   *       { until: (job) => job.state === "done", interval: every(2), deadline: 600 },
   *     );
   *   }
   * }
   *
   * const clock = fakeClock({ autoAdvance: true }); // not in your program
   * const fetch = mockTransport({ "GET /jobs/7": replies({ state: "running" }, { state: "done" }) });
   * console.log((await new Jobs({ fetch, clock }).finished(7)).state); // done
   * ```
   */
  protected abstract _poll<T, D extends T = T>(
    call: (state: PollCall) => Pick<APIPromise<T>, "withResponse">,
    options: PollOptions<T, D>,
  ): Promise<D>;

  /**
   * Waits, by the clock of the session or client. So tests with a fake clock do not wait.
   *
   * @param seconds The seconds, which may be 0
   * @param options A signal that ends the wait
   * @throws {UnexpectedValueError} If an argument is not valid. Also rejects with the reason of the
   * signal, or of the signal of the session or client
   */
  protected abstract _sleep(
    seconds: number,
    options?: { readonly signal?: AbortSignal | null | undefined },
  ): Promise<void>;

  /**
   * Defines request methods on a class: a prefix and the HTTP method in lower case. The class declares
   * them as fields of the type {@linkcode RequestMethod}.
   *
   * @param prefix The beginning of the names
   * @param methods The HTTP methods
   * @param defaultPath The path of a call without one, whose first argument can be the options.
   * Default: none, the path is required
   */
  protected static defineMethods(
    prefix: string,
    methods: readonly Method[],
    defaultPath?: Path,
  ): void {
    for (const method of methods) {
      Object.defineProperty(this.prototype, prefix + method.toLowerCase(), {
        value(
          this: RequestBase,
          ...args: [path?: Path | RequestOptions, options?: RequestOptions]
        ): APIPromise<unknown> {
          const isPathless = defaultPath !== undefined &&
            (args.length === 0 || args.length === 1 && isOptions(args[0]));
          // `_req` throws if the path is undefined or an object.
          const path = (isPathless ? defaultPath : args[0]) as Path;
          const context: CallContext = { received: undefined };
          const given = isPathless ? args[0] as RequestOptions | undefined : args[1];
          // An override of `_req` may spread its options, which makes an object of any value.
          const refusal = refusalOf(given);
          if (refusal !== undefined) return callPromise(refusal, context);
          const options: OptionsWithContext = { ...given, [CALL_CONTEXT]: context };
          const isStream = isStreamFormat(options.format);
          return callPromise(this._req(method, path, options), context, isStream);
        },
        configurable: true,
        writable: true,
      });
    }
  }
}

/** Reports if the first argument of a request method is the options. */
function isOptions(value: unknown): boolean {
  return isPlain(value) && !Array.isArray(value);
}

/** Returns a rejected promise if the options of a call are not an object; else undefined. */
function refusalOf(options: unknown): Promise<never> | undefined {
  try {
    if (options !== undefined) checkedCallOptions(options);
    return undefined;
  } catch (error) {
    return Promise.reject(error);
  }
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
    /** The type of the methods whose path is required. */
    readonly givenPath: unknown;
  };
  /** The HTTP session, with default headers, authentication, cookies and transports. */
  readonly httpSession: HttpSession;
  /** Settles when the session or client has logged in, or when that failed. */
  readonly ready: Promise<void>;
  /** Logs out and closes the HTTP session. */
  close(): Promise<void>;
}

/**
 * Any endpoint of a session or client, whatever its results are.
 *
 * @typeParam S The session or client
 *
 * @internal
 */
export interface AnyEndpoint<S extends AnyClient> {
  /** The result flags. Only the compiler sees this property. */
  readonly "~results": AnyClient["~results"];
  /** The session or client. Only the compiler sees this property. */
  readonly "~api": S;
}
