import { withProperties } from "./response.ts";

/** Why the stream of a body failed, once it has. */
export interface BodyFailure {
  reason?: { readonly error: unknown };
}

/** The methods that read a body whole; not every runtime has all of them. */
const wholeReaders = ["arrayBuffer", "blob", "bytes", "formData", "json", "text"] as const;

/**
 * Has a response say why its body failed to whoever reads it whole, and its clones too.
 *
 * Chromium and Firefox put an error of their own ("Failed to fetch", "The operation was aborted")
 * in the place of what the stream of a body failed with.
 *
 * @param response A response whose body is a stream of ours
 * @param failure Where that stream says why it failed
 * @returns The response itself
 */
export function withBodyError(response: Response, failure: BodyFailure): Response {
  const readers = wholeReaders.filter((name) => name in response).map((name) => {
    const read: () => Promise<unknown> = response[name];
    // A clone has them too.
    return [name, async function (this: Response): Promise<unknown> {
      try {
        return await read.call(this);
      } catch (error) {
        throw failure.reason === undefined ? error : failure.reason.error;
      }
    }];
  });
  return withProperties(response, Object.fromEntries(readers));
}
