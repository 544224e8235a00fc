// The answers that the contenders get, as a function in the place of fetch and as a server.

import { USER } from "./user.ts";

const headers = { "content-type": "application/json" };
const user = JSON.stringify(USER);
const missing = JSON.stringify({ message: "not found" });
const unavailable = { ...headers, "retry-after-ms": "0" };

/** Returns a function that answers like the server, without a network. `/flaky` fails in turn. */
export function stubFetch(): typeof globalThis.fetch {
  let flaky = 0;
  return (input) => {
    const url = typeof input === "string" ? input : "url" in input ? input.url : input.href;
    if (url.endsWith("/missing")) {
      return Promise.resolve(new Response(missing, { status: 404, headers }));
    }
    if (url.endsWith("/flaky") && flaky++ % 2 === 0) {
      return Promise.resolve(
        new Response("{}", { status: 503, headers: unavailable }),
      );
    }
    return Promise.resolve(new Response(user, { headers }));
  };
}
