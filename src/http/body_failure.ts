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
export function tellingFailure(response: Response, failure: BodyFailure): Response {
  const define = (name: string, value: unknown): void => {
    Object.defineProperty(response, name, { value, configurable: true });
  };
  for (const name of wholeReaders) {
    const read: (() => Promise<unknown>) | undefined = response[name];
    if (read === undefined) continue;
    define(name, async () => {
      try {
        return await read.call(response);
      } catch (error) {
        throw failure.reason === undefined ? error : failure.reason.error;
      }
    });
  }
  const { clone } = response;
  define("clone", () => tellingFailure(clone.call(response), failure));
  return response;
}
