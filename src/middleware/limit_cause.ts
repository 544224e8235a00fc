/** Keeps the error response that reported a limit, as the cause of the calls that it rejects. */
import { IncomingResponse, joined } from "../http/incoming_response.ts";
import { responseLike } from "../http/response.ts";
import type { Call } from "../call/call.ts";
import { statusFailure } from "../call/retry/failure.ts";
import { classifyStatus } from "../call/retry/statuses.ts";
import { watchBody } from "./watch_body.ts";

/**
 * A response with an error status that reported a limit. The error of a call that the limit rejects
 * has the error of this response as its cause.
 */
export interface LimitCause {
  /**
   * The error that the call of the response throws. It is set when nobody reads the body any more.
   */
  error: Promise<Error | undefined> | undefined;
}

/**
 * Returns a copy of an error response, and builds its error when nobody reads the body any more.
 *
 * @param response The response
 * @param call Its call
 * @param retries The number of retries of the call so far
 * @param onError Called with the error
 */
export function watchError(
  response: Response,
  call: Call,
  retries: number,
  onError: (error: Promise<Error | undefined>) => void,
): Promise<Response> {
  const chunks: Uint8Array[] = [];
  return watchBody(response, {
    onChunk: (chunk) => void chunks.push(chunk.slice()),
    onEnd() {
      const read = responseLike(response, joined(chunks));
      // The function for the message may throw. Its error belongs to the call of the response.
      onError(errorOf(read, call, retries).catch(() => undefined));
    },
  });
}

/** Returns the error that a call throws for a response; undefined if it throws none. */
async function errorOf(
  response: Response,
  call: Call,
  retries: number,
): Promise<Error | undefined> {
  const failed = classifyStatus(response.status, call.settings);
  if (failed === undefined) return undefined;
  const body = await new IncomingResponse(response, undefined).errorBody();
  return (await statusFailure(failed, body, { call, retries })).error;
}
