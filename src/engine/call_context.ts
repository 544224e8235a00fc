import type { RequestOptions } from "./request_options.ts";

/**
 * The key that carries a {@linkcode CallContext} among the keywords from a verb to the engine: through
 * every override of `_req` that passes its keywords on, and past what is logged of them.
 */
export const CALL_CONTEXT: unique symbol = Symbol("restwright.context");

/** What goes along with a call: where it leaves the response that it ended with. */
export interface CallContext {
  /** Whether the call is a part of the login, for which all others wait. */
  isLogin?: boolean;
  /** The response. */
  response: Response | undefined;
  /** Its body, where the toolkit has read it. */
  body: Uint8Array<ArrayBuffer> | string | undefined;
}

/** The context that came with the keywords. */
export function contextOf(options: RequestOptions): CallContext | undefined {
  return (options as { readonly [CALL_CONTEXT]?: CallContext })[CALL_CONTEXT];
}

/** The keywords as a hook sees them: without the context. */
export function withoutContext(options: RequestOptions): RequestOptions {
  const { [CALL_CONTEXT]: _, ...visible } = options as RequestOptions & {
    readonly [CALL_CONTEXT]?: CallContext;
  };
  return visible;
}
