/** The call in programs that are about its options, or about what is around it. */

import { type GuideContext, pick } from "./context.ts";
import type { Example } from "./examples.ts";

/** Returns a call whose options follow its required arguments at once. */
export function shortCall(context: GuideContext): Example | undefined {
  const isShort = ({ method, test }: Example) => {
    const { arguments: all } = method.signature;
    return (test.outcome.kind === "json" || test.outcome.kind === "void") &&
      all.slice(0, -1).every(({ isRequired, role }) => isRequired && role === "path");
  };
  return pick(context, (each) => each.method.verb === "GET" && isShort(each)) ??
    pick(context, ({ method, test }) => method.verb === "GET" && test.outcome.kind === "json") ??
    context.first;
}
