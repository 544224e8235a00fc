/** The URLs of an API whose calls go to several servers, by the base URL of the client. */
import { checkedOptions } from "../base/checks.ts";
import { pathWatch } from "../content/path.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { splitUrl } from "../http/url.ts";

/**
 * The servers of an API beside the base URL.
 *
 * @typeParam Name The names of the servers
 *
 * @category Sessions and clients
 */
export interface ServerList<Name extends string> {
  /** The base URL of the client. */
  readonly baseUrl: string;
  /** The base URL by default. Default: there is none, each client needs one */
  readonly defaultUrl?: string | undefined;
  /** The URLs of the servers by their names. */
  readonly servers: Readonly<Record<Name, string>>;
}

/**
 * The URLs of servers that some calls of a client have instead of the base URL.
 *
 * With another base URL than the default, no call goes to a default URL. If the server has the origin
 * of the default base URL, it moves with the base URL: the path of the server stays, and follows the
 * prefix of the base URL, which is its path without that of the default. A server with another origin
 * needs a URL of its own then.
 *
 * @typeParam Name The names of the servers
 *
 * @example
 * ```ts
 * import { path, ServerUrls } from "@restwright/restwright";
 *
 * const urls = new ServerUrls({
 *   baseUrl: "http://localhost:4010/mock/v1",
 *   defaultUrl: "https://api.example.com/v1",
 *   servers: { v2: "https://api.example.com/v2", uploads: "https://uploads.example.com" },
 * }, { uploads: "http://localhost:4011" });
 * console.log(urls.urlOf("v2", path`/lamps/${7}`)); // http://localhost:4010/mock/v2/lamps/7
 * console.log(urls.urlOf("uploads", "/files")); // http://localhost:4011/files
 * ```
 *
 * @category Sessions and clients
 */
export class ServerUrls<const Name extends string = string> {
  readonly #list: ServerList<Name>;
  /** The URLs without a slash at the end. A server that needs a URL of its own is not among them. */
  readonly #urls = new Map<string, string>();

  /**
   * Builds the URLs.
   *
   * @param list The servers, and the base URL of the client
   * @param own The URLs that the caller of the client sets, by the name of the server. Default: none
   * @throws {UnexpectedValueError} If a name is not known, or a URL of the caller is not valid
   */
  constructor(
    list: ServerList<Name>,
    own?: Readonly<Partial<Record<Name, string | undefined>>>,
  ) {
    this.#list = list;
    const all: Readonly<Record<string, string | undefined>> = own === undefined ? {} : own;
    checkedOptions(all, Object.keys(list.servers), "servers.");
    for (const [name, url] of Object.entries<string>(list.servers)) {
      const given = Object.hasOwn(all, name) ? all[name] : undefined;
      const found = given === undefined ? movedUrl(url, list) : checkedServer(name, given);
      if (found !== undefined) this.#urls.set(name, found);
    }
  }

  /** The origins of the servers, for `trustedOrigins`. */
  get origins(): string[] {
    return [...new Set(Array.from(this.#urls.values(), (url) => new URL(url).origin))];
  }

  /**
   * Returns the full URL of a path.
   *
   * @param name The name of the server
   * @param path The path below the URL of the server
   * @throws {UnexpectedValueError} If the server needs a URL of its own
   */
  urlOf(name: Name, path: string): string {
    const server = this.#urls.get(name);
    if (server === undefined) {
      const expected =
        "set if the base URL is not the default, because this call has a server of its own (by " +
        `default ${this.#list.servers[name]})`;
      throw new UnexpectedValueError(`servers.${name}`, expected, undefined);
    }
    const url = joined(server, path);
    pathWatch.onJoin?.(url, server, path, joined);
    return url;
  }
}

function joined(server: string, path: string): string {
  return `${server}${/^[/?#]|^$/.test(path) ? "" : "/"}${path}`;
}

/** Returns the URL of a server by the base URL; undefined if it needs one of its own. */
function movedUrl(
  url: string,
  { baseUrl, defaultUrl }: Pick<ServerList<string>, "baseUrl" | "defaultUrl">,
): string | undefined {
  const [base, normal, server] = [baseUrl, defaultUrl ?? "", url].map((each) => URL.parse(each));
  // The client reports a base URL that is not valid.
  if (!base || !normal || !server) return undefined;
  const [path, normalPath] = [pathOf(base), pathOf(normal)];
  if (base.origin === normal.origin && path === normalPath) {
    return `${server.origin}${pathOf(server)}`;
  }
  if (server.origin !== normal.origin) return undefined;
  const prefix = path.endsWith(normalPath) ? path.slice(0, path.length - normalPath.length) : path;
  return `${base.origin}${prefix}${pathOf(server)}`;
}

function pathOf({ pathname }: URL): string {
  return pathname.replace(/(?<!\/)\/+$/, "");
}

function checkedServer(name: string, given: unknown): string {
  const option = `servers.${name}`;
  const { url, authorization } = splitUrl(given, option);
  if (!/[?#]/.test(url) && authorization === undefined) return url.replace(/(?<!\/)\/+$/, "");
  const expected = "a URL without credentials, a query or a fragment";
  throw new UnexpectedValueError(option, expected, given);
}
