import type { BoxAttrs } from "./box/mod.ts";
import type { Face } from "./engine/face.ts";
import { ServiceHooks } from "./hooks.ts";
import type { ResultOptions } from "./service_options.ts";
import type { ResultFlag } from "./verb.ts";

/**
 * What the engine asks of a session or client. Its fields and hooks are read at each request: an SDK
 * may set them late.
 *
 * @param service The session or client
 * @param options What its options say of its results, before its fields
 */
export function faceOf(
  service: ServiceHooks,
  options: ResultOptions<ResultFlag, ResultFlag, BoxAttrs | undefined>,
): Face {
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
    get respErrorCheck() {
      return overridden(service, service["_respErrorCheck"], own["_respErrorCheck"]);
    },
    get retryRequest() {
      return overridden(service, service["_retryRequest"], own["_retryRequest"]);
    },
  };
}

/** A hook of a session; undefined where it is the toolkit's own. */
function overridden<H extends (...args: never[]) => unknown>(
  service: object,
  hook: H,
  own: H,
): H | undefined {
  return hook === own ? undefined : hook.bind(service) as H;
}
