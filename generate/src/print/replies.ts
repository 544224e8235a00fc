/** Prints the replies of a mock transport. */

import type { Pair } from "../model/mod.ts";
import { call, type Layout, object } from "./layout.ts";
import { quoted } from "./literals.ts";
import { before, member } from "./samples.ts";

/** Returns a reply with JSON. */
export function jsonReply(value: Layout, status: number, headers: readonly Pair[] = []): Layout {
  const init = [
    ...status === 200 ? [] : [`status: ${status}`],
    ...headers.length === 0 ? [] : [headersLayout(headers)],
  ];
  return call("Response.json", [value, ...init.length === 0 ? [] : [object(init)]]);
}

/** Returns a reply with a body that is not JSON. */
export function replyWith(body: string, status: number, headers: readonly Pair[]): Layout {
  const init = [...status === 200 ? [] : [`status: ${status}`], headersLayout(headers)];
  return call("new Response", [body, object(init)]);
}

function headersLayout(headers: readonly Pair[]): Layout {
  return before("headers: ", object(headers.map(([name, value]) => member(name, quoted(value)))));
}
