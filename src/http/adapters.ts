import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { splitUrl } from "./full_url.ts";
import type { Transport } from "./transport.ts";

/** The transports of a session, each mounted on a URL prefix; the longest prefix wins. */
export class Adapters {
  readonly #mounted = new Map<string, Transport>();

  /**
   * Mounts a transport; one that was mounted on the same prefix gives way.
   *
   * A prefix ends at a boundary: `https://host/v1` carries `https://host/v1/x` and not
   * `https://host/v10`; `https://` carries every URL of its scheme.
   *
   * @param prefix The prefix
   * @param transport The transport
   * @param option What to call both in errors. Default: `adapter`, and `adapterPath` for the prefix
   * @throws {UnexpectedValueError} Where the prefix is neither a full URL nor a scheme
   */
  mount(prefix: string, transport: Transport, option?: string): void {
    if (typeof transport !== "function") {
      throw new UnexpectedValueError(option ?? "adapter", "a function", transport);
    }
    // URLs are matched as they are sent, which may be the prefix's own spelling or the normal one.
    this.#mounted.set(normalPrefix(prefix, option ?? "adapterPath"), transport).set(
      prefix,
      transport,
    );
  }

  /**
   * Mounts several transports.
   *
   * @param transports The transports, each under its prefix
   * @throws {UnexpectedValueError} Where one of them is not what was expected
   */
  mountAll(transports: Readonly<Record<string, Transport>>): void {
    if (typeof transports !== "object" || transports === null) {
      throw new UnexpectedValueError("adapters", "a mapping from URLs to transports", transports);
    }
    for (const [prefix, transport] of Object.entries(transports)) {
      this.mount(prefix, transport, "adapters");
    }
  }

  /** The transport for a URL, or undefined where none is mounted on a prefix of it. */
  find(url: string): Transport | undefined {
    let longest = "";
    for (const prefix of this.#mounted.keys()) {
      // The end of the URL is a boundary too: every text includes the empty one.
      const isBelow = url.startsWith(prefix) &&
        (prefix.endsWith("/") || "/?#".includes(url.charAt(prefix.length)));
      if (isBelow && prefix.length > longest.length) longest = prefix;
    }
    return this.#mounted.get(longest);
  }
}

/** Checks a prefix, as `mount` does. */
export function checkedPrefix(option: string, prefix: string): string {
  normalPrefix(prefix, option);
  return prefix;
}

/** A prefix in the form of the URLs that are sent: scheme and host in lower case. */
function normalPrefix(prefix: string, option: string): string {
  if (typeof prefix === "string" && /^https?:\/\/$/i.test(prefix)) return prefix.toLowerCase();
  const { url } = splitUrl(prefix, option);
  return prefix.endsWith("/") ? url : url.replace(/\/$/, "");
}
