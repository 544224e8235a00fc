/**
 * Detects the runtime, its version and its system, and finds built-in modules without an import.
 */

/** The runtime of the program, as the User-Agent header names it. */
export interface Runtime {
  /** `Deno`, `Bun`, `Node`, `Browser`, or the name that a worker runtime uses for itself. */
  readonly name: string;
  /** major.minor.patch; 0.0.0 if the runtime does not report it. */
  readonly version: string;
  /**
   * The operating system, such as `linux`, `darwin` or `win32`; `unknown` if it is not reported.
   */
  readonly system: string;
  /** The architecture, such as `x64` or `arm64`; `unknown` if it is not reported. */
  readonly architecture: string;
}

/** The globals that identify a runtime. Each exists in some runtimes only. */
interface RuntimeGlobals {
  readonly Deno?: { readonly version?: { readonly deno?: string } };
  readonly Bun?: { readonly version?: string };
  readonly process?: {
    readonly platform?: string;
    readonly arch?: string;
    readonly versions?: { readonly node?: string };
    readonly getBuiltinModule?: (name: string) => unknown;
  };
  readonly navigator?: { readonly userAgent?: string };
}

/**
 * Detects the runtime from its globals. Deno and Bun go first, because both also report a Node
 * version.
 */
export function detectRuntime(
  { Deno, Bun, process, navigator }: RuntimeGlobals = globalThis as RuntimeGlobals,
): Runtime {
  // The user agent of a worker runtime is one product token, that of a browser has several parts
  // (RFC 9110 §10.1.5).
  const token = /^([\w.+-]+)(?:\/(\S+))?$/.exec(navigator?.userAgent ?? "")?.slice(1);
  // Cloudflare Workers also have a `process` with a Node version. The token of Node itself is
  // Node.js.
  const isNode = token === undefined || token[0] === "Node.js";
  const versions = {
    Deno: Deno?.version?.deno,
    Bun: Bun?.version,
    Node: isNode ? process?.versions?.node : undefined,
  };
  const known = Object.entries(versions).find(([, version]) => version !== undefined);
  const [name, version = ""] = known ?? token ?? ["Browser"];
  return {
    name: name!,
    version: /^\d+\.\d+\.\d+/.exec(version)?.[0] ?? "0.0.0",
    system: process?.platform ?? "unknown",
    architecture: process?.arch ?? "unknown",
  };
}

/**
 * Returns a built-in module of the runtime; undefined if there is no module of this name.
 *
 * The module is not imported, so that bundlers for browsers do not try to resolve it. The caller
 * declares the type of the parts that it uses.
 */
export function builtinModule<M>(name: `node:${string}`): M | undefined {
  const { process } = globalThis as RuntimeGlobals;
  return process?.getBuiltinModule?.(name) as M | undefined;
}
