/** Finds the URL template of a call, for the names of spans and for the metric. */
import { isFullUri, type Path, withoutFragment } from "../http/url.ts";
import { ContextKey } from "../options/middleware.ts";
import { withoutQuery } from "./attributes.ts";

/**
 * The template of the URL of a call, with the path of the base URL and names for its values. It is
 * used as it is, instead of the one of the `path` tag.
 *
 * @example
 * ```ts
 * import { path, type RequestOptions } from "@restwright/restwright";
 * import { RequestContext } from "@restwright/restwright/middleware";
 * import { urlTemplate } from "@restwright/restwright/telemetry";
 *
 * const context = new RequestContext().set(urlTemplate, "/v1/users/{id}");
 * const options: RequestOptions = { context }; // for session.get(path`users/${7}`, options)
 * console.log(options.context?.get(urlTemplate)); // /v1/users/{id}
 * ```
 *
 * @category Telemetry
 */
export const urlTemplate: ContextKey<string> = new ContextKey("urlTemplate");

/**
 * Returns the template of a URL, as a path from its root.
 *
 * @param url The URL
 * @param path The path of the call, which may be a full URL
 * @param template The template of the path
 * @returns The template with the path of the base URL; undefined if the URL is not that of the path,
 * because a middleware has changed it
 */
export function templateOfUrl(url: string, path: Path, template: string): string | undefined {
  const target = pathOf(url);
  const given = String(path);
  const isFull = isFullUri(given);
  const relative = isFull ? pathOf(given) : `/${withoutQuery(given).replace(/^\/+/, "")}`;
  const start = target.length - relative.length;
  if (!target.endsWith(relative) || isFull && start > 0) return undefined;
  const end = isFull ? withoutOrigin(template) : `/${template.replace(/^\/+/, "")}`;
  return target.slice(0, start) + withoutFragment(end);
}

/** Returns the path of a URL as it is written. */
function pathOf(url: string): string {
  return withoutQuery(withoutOrigin(url));
}

function withoutOrigin(url: string): string {
  return url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, "");
}
