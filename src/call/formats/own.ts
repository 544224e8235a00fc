/** The format of a `ResponseFormat`: what it makes of the whole body. */
import type { ResponseFormat } from "../../content/response_format.ts";
import { responseLike } from "../../http/response.ts";
import type { Format } from "../call.ts";

/** Returns the format that reads the whole body, and passes it to the caller's own format. */
export function ownFormat(own: ResponseFormat<unknown>): Format {
  const { accept } = own;
  return {
    ...(accept !== undefined && { headers: { accept } }),
    receive: (incoming) => incoming.readBytes(),
    // The caller's code may wait for something that cannot be aborted.
    convert: ({ response, body }, run) =>
      run.waitFor(Promise.resolve(own.read(responseLike(response, body!)))),
  };
}
