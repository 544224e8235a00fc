import { detectRuntime } from "../../runtime.ts";
import type { OpenTransport, Route, RuntimeTransport } from "./route.ts";
import { notByTheProgram } from "./not_by_the_program.ts";

/** The runtimes that have a transport; each is loaded when it is used. */
const openers: Readonly<Record<string, () => Promise<OpenTransport>>> = {
  Deno: async () => (await import("./deno.ts")).openDenoTransport,
  Node: async () => (await import("./node.ts")).openNodeTransport,
  Bun: async () => (await import("./bun.ts")).openBunTransport,
};

/** Opens the transport of the runtime that the program runs in. */
export async function openTransport(route: Route): Promise<RuntimeTransport> {
  const open = openers[detectRuntime().name];
  if (open === undefined) throw new TypeError("the runtime was to be checked before");
  return (await open())(route);
}

/**
 * Refuses an option where the runtime decides by itself.
 *
 * @param option The option
 * @param name The runtime's name
 * @throws {UnsupportedOptionError} In browsers and workers
 */
export function checkRuntime(option: string, name: string = detectRuntime().name): void {
  if (!Object.hasOwn(openers, name)) throw notByTheProgram(option);
}
