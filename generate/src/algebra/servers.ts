/** The base URL of a client. */

import type { SdkClient, SdkModel } from "../model/mod.ts";

/** Returns the base URL by default; undefined if there is none, or if a variable of it has no value. */
export function defaultUrl({ servers: [server] }: Pick<SdkClient, "servers">): string | undefined {
  return server === undefined || server.url.includes("{") ? undefined : server.url;
}

/** The name of the option with the base URL, which all clients have. */
export function baseUrlOption(form: SdkModel["form"]): string {
  return form === "resources" ? "baseURL" : "baseUrl";
}
