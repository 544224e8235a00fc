/** What the program runs in, as the User-Agent tells it. */
export interface Runtime {
  /** `Deno`, `Bun`, `Node`, `Browser`, or the name that a worker runtime gives itself. */
  readonly name: string;
  /** major.minor.patch; 0.0.0 where the runtime does not tell. */
  readonly version: string;
  /** The operating system, as in `linux`, `darwin`, `win32`; `unknown` where it is not told. */
  readonly system: string;
  /** The architecture, as in `x64`, `arm64`; `unknown` where it is not told. */
  readonly architecture: string;
}

/** The globals by which runtimes are told apart; each is there in some of them only. */
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

/** Tells the runtime from its globals: Deno and Bun first, since both also speak for Node. */
export function detectRuntime(globals: RuntimeGlobals = globalThis as RuntimeGlobals): Runtime {
  const { Deno, Bun, process, navigator } = globals;
  const system = process?.platform ?? "unknown";
  const architecture = process?.arch ?? "unknown";
  const named = (name: string, version: string | undefined): Runtime => ({
    name,
    version: version?.match(/^\d+\.\d+\.\d+/)?.[0] ?? "0.0.0",
    system,
    architecture,
  });
  if (Deno?.version?.deno !== undefined) return named("Deno", Deno.version.deno);
  if (Bun?.version !== undefined) return named("Bun", Bun.version);
  // A worker runtime calls itself by one product token; a browser by a sentence (RFC 9110 §10.1.5).
  const token = /^([\w.+-]+)(?:\/(\S+))?$/.exec(navigator?.userAgent ?? "");
  // Workers of Cloudflare have a process like Node's, with a version; Node itself has a token too.
  const isNode = token === null || token[1] === "Node.js";
  if (process?.versions?.node !== undefined && isNode) return named("Node", process.versions.node);
  return token === null ? named("Browser", undefined) : named(token[1]!, token[2]);
}

/**
 * A built-in module of the runtime, where it has one of this name.
 *
 * It is not imported, so that bundlers for browsers have nothing to follow. The caller declares
 * what it uses of the module.
 */
export function builtinModule<M>(name: `node:${string}`): M | undefined {
  const { process } = globalThis as RuntimeGlobals;
  return process?.getBuiltinModule?.(name) as M | undefined;
}
