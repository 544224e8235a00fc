/** Sends the requests of resources and of raw methods. */
import { CALL_CONTEXT, type CallContext } from "../call/call.ts";
import type { APIClient } from "../client/client.ts";
import { isStreamFormat } from "../content/response_format.ts";
import { joinedSignal } from "../http/abort.ts";
import { isFullUri, type Path } from "../http/url.ts";
import type { RequestOptions } from "../options/request_options.ts";
import type { PagePromise } from "../paging/page_promise.ts";
import type { PageOptions } from "../paging/paging_rule.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { resourceError } from "./errors.ts";
import { type AbstractPage, type PageClass, pagingOptions, ResourcePagePromise } from "./page.ts";
import { type ResourcePromise, resourcePromise } from "./promise.ts";
import { type ResourceRequestOptions, withGiven } from "./request.ts";

/**
 * The request of a method, in the terms of the toolkit: its query, headers and body, and the format of
 * its result.
 *
 * @category Resources
 */
export interface ResourceCall extends RequestOptions {
  /** The field whose value is the result. Default: the whole body is */
  readonly unwrap?: string | undefined;
  /** The body, once its files are read, as of {@linkcode uploadForm}. Default: none */
  readonly upload?: Promise<Blob> | undefined;
  /**
   * The base URL of this call, if the method has a server of its own. It is not used if the client has
   * another base URL than that of its environment. Default: the base URL of the client
   */
  readonly defaultBaseURL?: string | undefined;
}

/** A client that sends requests of resources. */
export type SendingClient = APIClient & {
  /** The header of idempotency keys; null if the client sends none by itself. */
  readonly idempotencyHeader: string | null;
  /** True if the base URL is not that of the environment. */
  readonly isBaseURLOverridden: boolean;
};

/** Sends a request with the options of its caller. */
export function sendCall<T>(
  client: SendingClient,
  { method, path, given, call }: {
    readonly method: string;
    readonly path: Path;
    readonly given: ResourceRequestOptions | null | undefined;
    readonly call: ResourceCall;
  },
): ResourcePromise<T> {
  const context: CallContext = { received: undefined };
  const { unwrap, upload, defaultBaseURL, ...own } = call;
  const isStream = given?.stream === true || isStreamFormat(call.format);
  const controller = isStream ? new AbortController() : undefined;
  const send = (content?: Blob): Promise<unknown> => {
    const options: RequestOptions = hasFormat(own) ? { ...own } : { ...own, convJson: true };
    if (content !== undefined) Object.assign(options, { content });
    const request = withGiven({ method, path, options }, given, client.idempotencyHeader);
    const { signal } = request.options;
    const all: RequestOptions & { [CALL_CONTEXT]: CallContext } = {
      ...request.options,
      [CALL_CONTEXT]: context,
      ...controller && {
        signal: joinedSignal(signal, controller.signal),
      },
    };
    return client["_req"](request.method, targetOf(client, request.path, defaultBaseURL), all);
  };
  return resourcePromise<T>({
    promise: upload === undefined ? send() : upload.then(send),
    context,
    controller,
    toError: (error) => resourceError(error, given?.signal),
    unwrap: unwrap === undefined ? undefined : (body) => Object(body)[unwrap],
  });
}

/** Returns a path, or its full URL if the method has a server of its own. */
function targetOf(
  { isBaseURLOverridden }: SendingClient,
  path: Path,
  defaultBaseURL: string | undefined,
): Path {
  const isBelowBase = defaultBaseURL === undefined || isBaseURLOverridden || isFullUri(`${path}`);
  return isBelowBase ? path : `${defaultBaseURL}/${`${path}`.replace(/^\/+/, "")}`;
}

/** Reports if a call states the format of its result. */
function hasFormat({ convJson, format, responseModel }: ResourceCall): boolean {
  return convJson !== undefined || format !== undefined ||
    responseModel !== undefined;
}

/** Requests a list with the options of its caller. */
export function sendList<P extends AbstractPage<Item>, Item>(
  client: SendingClient,
  { path, pageClass, given, call }: {
    readonly path: Path;
    readonly pageClass: PageClass<Item, P>;
    readonly given: ResourceRequestOptions | null | undefined;
    readonly call: ResourceCall;
  },
): ResourcePagePromise<P, Item> {
  const { unwrap: _u, upload: _b, defaultBaseURL, ...own } = call;
  const request = withGiven({ method: "", path, options: own }, given, client.idempotencyHeader);
  const method = request.options.json === undefined ? "GET" : "POST";
  if (request.method !== "" && request.method !== method) {
    const expected = `${method}, because lists are requested by GET, or by POST with a JSON body`;
    throw new UnexpectedValueError("method", expected, request.method);
  }
  // Pages are always parsed.
  const { convJson: _, format: _f, ...options } = request.options;
  const all = { ...options, ...pagingOptions(pageClass.paging) } as PageOptions<Item, unknown>;
  const target = targetOf(client, request.path, defaultBaseURL);
  const list: PagePromise<Item> = client["_pages"]<Item, unknown>(target, all);
  return new ResourcePagePromise(list, pageClass);
}
