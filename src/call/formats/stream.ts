/** The format of a `StreamFormat`: what it makes of the unread response. */
import type { StreamFormat } from "../../content/stream_format.ts";
import { AbortScope, delay, joinedSignal } from "../../http/abort.ts";
import { checkedHeaders } from "../../http/headers.ts";
import { toTransportError } from "../../http/transport_failure.ts";
import type { Format, RunningCall } from "../call.ts";
import { ItemErrors } from "../retry/failure.ts";
import { detailsOf } from "./json.ts";
import { rawFormat } from "./raw.ts";

/** Returns the format that reads a response as a stream. */
export function streamed(format: StreamFormat<unknown>): Format {
  const { accept, headers = {} } = format;
  return {
    headers: { ...(accept && { accept }), ...checkedHeaders(headers) },
    isUnread: true,
    receive: rawFormat.receive,
    convert: ({ response }, run) => readStream(format, response, run),
  };
}

async function readStream(
  format: StreamFormat<unknown>,
  response: Response,
  run: RunningCall,
): Promise<unknown> {
  const { call } = run;
  const { summary: request, settings, signals } = call;
  const { clock } = settings;
  const errors = new ItemErrors(run);
  /** Ends the waits and requests for a stream that nobody reads any more. */
  const ending = new AbortController();
  return await format.stream(response, {
    request,
    toTransportError: (error) =>
      // The reason of an abort may be anything, also an error that looks like a lost connection.
      signals.some(({ aborted, reason }) => aborted && reason === error)
        ? error
        : toTransportError(error, { request, retries: run.retries }),
    errorsInItems: settings.errorsInSuccess,
    maxRetryAfter: settings.maxRetryAfter,
    errorOf: (item) => errors.errorOf(item),
    retry: (error) => run.repeatAfter(error, ending.signal),
    errorDetails: (from, body) => detailsOf(from, body, call),
    reopen: async (headers) => {
      const { options } = run.call; // a hook may have changed them before a retry
      const merged = { ...checkedHeaders(options.headers ?? {}), ...checkedHeaders(headers) };
      const { accept, headers: formatHeaders } = format;
      const raw = { accept, headers: formatHeaders, stream: (each: Response) => each };
      const signal = joinedSignal(ending.signal, options.signal);
      const all = { ...options, headers: merged, format: raw, signal };
      return await run.callAgain(all) as Response;
    },
    async wait(seconds) {
      const scope = new AbortScope([...signals, ending.signal], undefined, clock);
      try {
        await delay(seconds, clock, scope);
      } finally {
        scope.settle();
      }
    },
    end: () => ending.abort(),
  });
}
