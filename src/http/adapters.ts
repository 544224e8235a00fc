import { checkedFunction } from "../checks.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { splitUrl } from "./full_url.ts";
import type { Transport } from "./transport.ts";

/** The transports of a session, each mounted on a URL prefix; the longest prefix wins. */
export class Adapters {
  readonly #mounted: { readonly prefix: string; readonly transport: Transport }[] = [];
  readonly #below: Adapters | undefined;

  /** @param below Those that carry what none of these does. Default: none */
  constructor(below?: Adapters) {
    this.#below = below;
  }

  /**
   * Mounts a transport; one that was mounted on the same prefix gives way.
   *
   * A prefix ends at a boundary: `https://host/v1` carries `https://host/v1/x` and not
   * `https://host/v10`; `https://` carries every URL of its scheme.
   *
   * @param prefix The prefix
   * @param transport The transport
   * @param option What to call the prefix in the error
   * @throws {UnexpectedValueError} Where the prefix is neither a full URL nor a scheme
   */
  mount(prefix: string, transport: Transport, option = "adapterPath"): void {
    // URLs are matched as they are sent, which may be the prefix's own spelling or the normal one.
    const prefixes = new Set([normalPrefix(prefix, option), prefix]);
    const kept = this.#mounted.filter(({ prefix }) => !prefixes.has(prefix));
    const added = Array.from(prefixes, (prefix) => ({ prefix, transport }));
    const sorted = [...kept, ...added]
      .sort((one, other) => other.prefix.length - one.prefix.length);
    this.#mounted.splice(0, Infinity, ...sorted);
  }

  /**
   * Mounts several transports.
   *
   * @param transports The transports, each under its prefix
   * @throws {UnexpectedValueError} Where one of them is not what was expected
   */
  mountAll(transports: Readonly<Record<string, Transport>>): void {
    for (const [prefix, transport] of Object.entries(transports)) {
      this.mount(prefix, checkedFunction("adapters", transport ?? null), "adapters");
    }
  }

  /** The transport for a URL, or undefined where none is mounted on a prefix of it. */
  find(url: string): Transport | undefined {
    const own = this.#mounted.find(({ prefix }) => isBelow(url, prefix));
    return own === undefined ? this.#below?.find(url) : own.transport;
  }
}

/** Checks a prefix, as `mount` does. */
export function checkedPrefix(option: string, prefix: unknown): string {
  if (typeof prefix === "string") {
    normalPrefix(prefix, option);
    return prefix;
  }
  throw new UnexpectedValueError(option, "a URL prefix", prefix);
}

/** A prefix in the form of the URLs that are sent: scheme and host in lower case. */
function normalPrefix(prefix: string, option: string): string {
  if (/^https?:\/\/$/i.test(prefix)) return prefix.toLowerCase();
  const { url } = splitUrl(prefix, option);
  return prefix.endsWith("/") ? url : url.replace(/\/$/, "");
}

function isBelow(url: string, prefix: string): boolean {
  if (!url.startsWith(prefix)) return false;
  const next = url.charAt(prefix.length);
  return next === "" || prefix.endsWith("/") || "/?#".includes(next);
}
