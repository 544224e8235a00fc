import type { BoxAttrs } from "./box/mod.ts";
import type { ClientHooks } from "./engine/client_hooks.ts";
import { ServiceHooks } from "./hooks.ts";
import type { ResultOptions } from "./service_options.ts";
import type { ResultFlag } from "./request_method.ts";

/**
 * What the engine asks of a session or client. Its fields and hooks are read at each request: an SDK
 * may set them late.
 *
 * @param service The session or client
 * @param options What its options say of its results, before its fields
 */
export function hooksOf(
  service: ServiceHooks,
  options: ResultOptions<ResultFlag, ResultFlag, BoxAttrs | undefined>,
): ClientHooks {
  const own = ServiceHooks.prototype;
  return {
    get box() {
      return options.box ?? service._box;
    },
    get boxAttrs() {
      return options.boxAttrs ?? service._boxAttrs;
    },
    get convJson() {
      return options.convJson ?? service._convJson;
    },
    get logger() {
      return service["_log"];
    },
    // A hook that is the toolkit's own is none.
    get respErrorCheck() {
      const hook = service["_respErrorCheck"];
      return hook === own["_respErrorCheck"] ? undefined : hook.bind(service);
    },
    get retryRequest() {
      const hook = service["_retryRequest"];
      return hook === own["_retryRequest"] ? undefined : hook.bind(service);
    },
  };
}
