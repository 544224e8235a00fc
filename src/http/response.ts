/** Recognises, copies and discards responses, and changes the errors of their bodies. */
import { isHeaderText, isToken } from "../base/checks.ts";
import { describeValue } from "../errors/unexpected_value_error.ts";
import type { FetchBody } from "./request_body.ts";

/** Statuses whose response has no body (Fetch Standard, "null body status"). */
const bodiless: ReadonlySet<number> = new Set([101, 103, 204, 205, 304]);

/** The statuses of redirects (RFC 9110 §15.4). */
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Reports if a response is a redirect. */
export function isRedirect({ status, headers }: Response): boolean {
  return redirects.has(status) && (headers.get("location") ?? "") !== "";
}

/**
 * Returns a copy of a response with another body. It keeps `url`, `redirected` and `type`.
 *
 * It also keeps a status outside 200 to 599 and a reason phrase beyond Latin-1. Some servers send
 * them, but the constructor of `Response` refuses them. Headers with a name that it refuses are left
 * out.
 */
export function responseLike(
  original: Pick<Response, "status" | "statusText" | "headers" | "url" | "redirected" | "type">,
  body: FetchBody | null,
): Response {
  const { status, statusText, headers, url, redirected, type } = original;
  const isRegular = status >= 200 && status <= 599;
  const content = bodiless.has(status) ? null : body;
  const init = {
    status: isRegular ? status : 200,
    statusText: isHeaderText(statusText) ? statusText : "",
  };
  let response: Response;
  try {
    response = new Response(content, { ...init, headers });
  } catch {
    // Node 22 accepts "Name : value" from a server, and "name " as the name.
    const valid = [...headers].filter(([name]) => isToken(name));
    response = new Response(content, { ...init, headers: valid });
  }
  const ok = isRegular && response.ok;
  const properties = { status, statusText, ok, url, redirected, type };
  // Most copies of a program's own response differ in none. Setting all of them takes 2 µs on Node.
  const changed = Object.entries(properties)
    .filter(([name, value]) => response[name as keyof typeof properties] !== value);
  return changed.length === 0 ? response : withProperties(response, Object.fromEntries(changed));
}

/** Sets properties of a response, and of its clones, that its constructor cannot set. */
export function withProperties(response: Response, properties: Record<string, unknown>): Response {
  const clone = response.clone.bind(response);
  const all = { ...properties, clone: () => withProperties(clone(), properties) };
  for (const [name, value] of Object.entries(all)) {
    Object.defineProperty(response, name, { value, configurable: true });
  }
  return response;
}

/** Reports if a value is a response. That of an adapter may be from another realm. */
export function isResponse(response: unknown): response is Response {
  return response instanceof Response || responseFault(response) === undefined;
}

/** The getters of a response. They ignore the properties that a wrapper has set. */
let getters: { readonly type: () => string; readonly url: () => string } | undefined;

/**
 * Reports if the runtime's fetch has created a response. Any other one, which the program has created,
 * has the type `default` and no URL.
 *
 * On Bun, all responses have that type. On Node and Deno, reading the URL first would take 4 to 6 µs.
 */
export function isFromNetwork(response: Response): boolean {
  try {
    getters ??= { type: getterOf("type"), url: getterOf("url") };
    return getters.type.call(response) !== "default" || getters.url.call(response) !== "";
  } catch {
    return false; // an object of another class, or a proxy
  }
}

function getterOf(name: "type" | "url"): () => string {
  return Object.getOwnPropertyDescriptor(Response.prototype, name)!.get!;
}

/**
 * Returns a description of a value that is not a complete response; undefined if it is one.
 *
 * Packages such as node-fetch have a `Response` of their own, whose body is a stream of Node.
 */
export function responseFault(value: unknown): string | undefined {
  const { status, headers, body } = Object(value) as Partial<Response>;
  if (typeof status !== "number" || typeof headers?.get !== "function") return describeValue(value);
  if (body !== null && typeof body?.getReader !== "function") {
    return `a response whose body is ${describeValue(body)} and not a ReadableStream. ` +
      "Leave the option out, or pass the fetch of the runtime or of the package undici";
  }
  if (headers.getSetCookie === undefined && headers.get("set-cookie") !== null) {
    return "a response with cookies, whose headers have no method getSetCookie";
  }
  return undefined;
}

/**
 * Cancels the body of a response that nobody reads, so that its connection is free for other
 * requests. The status and the headers stay.
 *
 * It does not wait. `await response.body?.cancel()` would wait, if the response was cloned, until
 * somebody reads or cancels the clone, too. A call that does so may never end, because mock servers
 * and logs often clone responses without reading the clone (Streams Standard, `tee()`).
 *
 * @param response A response whose body is unread. If it has no body, nothing happens
 *
 * @example Authentication that answers a challenge
 * ```ts
 * import type { Auth } from "@restwright/restwright/auth";
 * import { discardBody } from "@restwright/restwright/http";
 *
 * const onDemand: Auth = {
 *   async authenticate(_request, send) {
 *     const response = await send();
 *     if (response.status !== 401) return response;
 *     discardBody(response);
 *     return await send({ headers: { authorization: "Token abc" } });
 *   },
 * };
 * console.log(typeof onDemand.authenticate); // function
 * ```
 *
 * @category Requests
 */
export function discardBody(response: Response): void {
  response.body?.cancel().catch(() => {});
}

/** The error of a body that is a stream of the toolkit. */
export interface BodyFailure {
  reason?: { readonly error: unknown };
}

/** The methods that read a whole body. Not every runtime has all of them. */
const wholeReaders = ["arrayBuffer", "blob", "bytes", "formData", "json", "text"] as const;

/**
 * Makes the methods that read a whole body, also those of clones, reject with the error of its stream.
 *
 * Chromium and Firefox replace that error by their own ("Failed to fetch", "The operation was
 * aborted").
 *
 * @param response A response whose body is a stream of the toolkit
 * @param failure Has the error of that stream
 * @returns The response itself
 */
export function withBodyError(response: Response, failure: BodyFailure): Response {
  return mapBodyError(
    response,
    (error) => failure.reason === undefined ? error : failure.reason.error,
  );
}

/**
 * Changes the error with which the methods that read a whole body, also those of clones, reject.
 *
 * @param response The response
 * @param change Returns the error to throw
 * @returns The response itself
 */
export function mapBodyError(
  response: Response,
  change: (error: unknown) => unknown,
): Response {
  const readers = wholeReaders.filter((name) => name in response).map((name) => {
    const read: () => Promise<unknown> = response[name];
    // A clone has them too.
    return [name, async function (this: Response): Promise<unknown> {
      try {
        return await read.call(this);
      } catch (error) {
        throw change(error);
      }
    }];
  });
  return withProperties(response, Object.fromEntries(readers));
}
