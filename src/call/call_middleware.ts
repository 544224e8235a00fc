/** Runs middleware around a whole call, with all its attempts. */
import { checkedCallOptions, mergeSetting } from "../options/settings.ts";
import type { CallInput } from "./build.ts";
import { type Caller, makeCall } from "./call_run.ts";
import { RequestContext } from "../options/middleware.ts";
import { compose } from "./run_middleware.ts";

/** Makes a call through the middleware around it. The parameters are those of `makeCall`. */
export function makeCallThroughMiddleware(
  caller: Caller,
  { method, path, options, context: callContext }: CallInput,
  login: Promise<void> | undefined,
): Promise<unknown> {
  const context = mergeSetting(
    "context",
    checkedCallOptions(options).context,
    new RequestContext(),
  );
  let isUndefined = false;
  return compose(
    {
      option: "callMiddleware",
      expected: "a function that returns the result of next(), or another one",
      // A model may convert a body to undefined.
      isOutput: (value): value is unknown => value !== undefined || isUndefined,
    },
    caller.settings.callMiddleware,
    async ({ method, path, options }) => {
      const own = { ...checkedCallOptions(options), context };
      const input = { method, path, options: own, context: callContext };
      const result = await makeCall(caller, input, login);
      isUndefined = result === undefined;
      return result;
    },
    { method, path, options, context },
  );
}
