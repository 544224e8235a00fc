import type { RequestOptions } from "./request_options.ts";

/**
 * The key that carries a {@linkcode Trace} among the keywords from a verb to the engine: through
 * every override of `_req` that passes its keywords on, and past what is logged of them.
 */
export const TRACE: unique symbol = Symbol("restwright.trace");

/** What goes along with a call: where it leaves the response that it ended with. */
export interface Trace {
  /** Whether the call is a part of the login, for which all others wait. */
  isLogin?: boolean;
  /** The response. */
  response: Response | undefined;
  /** Its body, where the toolkit has read it. */
  body: Uint8Array<ArrayBuffer> | string | undefined;
}

/** The trace that came with the keywords. */
export function traceOf(options: RequestOptions): Trace | undefined {
  return (options as { readonly [TRACE]?: Trace })[TRACE];
}

/** The keywords as a hook sees them: without the trace. */
export function withoutTrace(options: RequestOptions): RequestOptions {
  const { [TRACE]: _, ...visible } = options as RequestOptions & { readonly [TRACE]?: Trace };
  return visible;
}
