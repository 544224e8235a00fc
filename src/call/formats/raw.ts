/** The format of calls without a conversion: the response itself. */
import { SessionStateError } from "../../errors/session_state_error.ts";
import { responseLike } from "../../http/response.ts";
import type { Format } from "../call.ts";

/** Returns the response itself, with its body unread. */
export const rawFormat: Format = {
  receive: (incoming) => ({ response: incoming.toResponse(), body: undefined }),
  convert: ({ response, body }) => body === undefined ? response : responseLike(response, body),
};

/** Returns the format of `asResponse`: it passes the response to a function, and ends the call. */
export function takenBy(take: (response: Response) => void): Format {
  return {
    isUnread: true,
    receive: rawFormat.receive,
    convert({ response }) {
      take(response);
      throw new SessionStateError(
        "asResponse() has taken the response: use its result instead of the promise of the call",
      );
    },
  };
}
