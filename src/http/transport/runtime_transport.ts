/** Loads the transport of the current runtime, and refuses options that it does not support. */
import {
  unsupportedInBrowser,
  UnsupportedOptionError,
} from "../../errors/unsupported_option_error.ts";
import { foreignOption } from "../transport.ts";
import type { OpenTransport, Route, RuntimeTransport } from "./route.ts";
import { lazyImport } from "../../base/lazy_import.ts";
import { detectRuntime } from "../../base/runtime.ts";

/** The transports by runtime. Each is loaded when it is first used. */
const openers: Readonly<Record<string, () => OpenTransport | Promise<OpenTransport>>> = {
  Deno: lazyImport(async () => (await import("./deno.ts")).openDenoTransport),
  Node: lazyImport(async () => (await import("./node.ts")).openNodeTransport),
  Bun: lazyImport(async () => (await import("./bun.ts")).openBunTransport),
};

const nodeHttp = lazyImport(() => import("./node_http.ts"));

/** Opens the transport of the current runtime. */
export async function openTransport(route: Route): Promise<RuntimeTransport> {
  const open = openers[detectRuntime().name];
  if (open === undefined) throw new TypeError("this runtime has no transport besides fetch");
  return (await open())(route);
}

/** Opens a transport on `node:http`, for methods that fetch does not send as they are written. */
export async function openNodeHttp(route: Route): Promise<RuntimeTransport> {
  const { openBuiltinTransport } = await nodeHttp();
  const { carry, close } = openBuiltinTransport(route);
  return {
    async carry(url, init) {
      const option = foreignOption(init);
      if (option === undefined) return await carry(url, init);
      const reason =
        `this runtime sends ${init.method} with node:http, which ignores the option; ` +
        "leave it out, or use an adapter";
      throw new UnsupportedOptionError(`fetchOptions.${option}`, reason);
    },
    close,
  };
}

/**
 * Reports if the runtime has transports in addition to fetch.
 *
 * @param name The runtime's name
 */
export function hasTransports(name: string = detectRuntime().name): boolean {
  return Object.hasOwn(openers, name);
}

/**
 * Rejects an option that the runtime does not support.
 *
 * @param option The option
 * @param name The runtime's name
 * @throws {UnsupportedOptionError} In browsers and workers
 */
export function checkRuntime(option: string, name: string = detectRuntime().name): void {
  if (!hasTransports(name)) throw unsupportedInBrowser(option);
}
