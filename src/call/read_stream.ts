/** Reads the response of a call with the option `stream`. */
import { AbortScope, delay } from "../http/abort.ts";
import { checkedHeaders } from "../http/headers.ts";
import { toTransportError } from "../http/transport_failure.ts";
import type { RequestOptions } from "../options/request_options.ts";
import type { Call } from "./call.ts";
import { detailsOf } from "./parse.ts";

/**
 * Reads a response as a stream.
 *
 * @param response The response
 * @param call The call
 * @param attempts The number of retries so far, and a function that makes the call again
 */
export async function readStream(
  response: Response,
  call: Call,
  { retries, send }: {
    readonly retries: number;
    readonly send: (options: RequestOptions) => Promise<unknown>;
  },
): Promise<unknown> {
  const { summary: request, options, settings: { stream, clock }, signals } = call;
  return await stream!.read(response, {
    request,
    toTransportError: (error) =>
      // The reason of an abort may be anything, also an error that looks like a lost connection.
      signals.some(({ aborted, reason }) => aborted && reason === error)
        ? error
        : toTransportError(error, { request, retries }),
    errorDetails: (from, body) => detailsOf(from, body, call),
    reopen: async (headers) => {
      const merged = { ...checkedHeaders(options.headers ?? {}), ...checkedHeaders(headers) };
      const { accept, headers: formatHeaders } = stream!;
      const raw = { accept, headers: formatHeaders, read: (each: Response) => each };
      return await send({ ...options, headers: merged, stream: raw }) as Response;
    },
    async wait(seconds) {
      const scope = new AbortScope(signals, undefined, clock);
      try {
        await delay(seconds, clock, scope);
      } finally {
        scope.settle();
      }
    },
  });
}
