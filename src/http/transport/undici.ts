/** Loads the npm package undici, and refuses a version that does not fit Node's fetch. */
import { UnsupportedOptionError } from "../../errors/unsupported_option_error.ts";
import { builtinModule } from "../../base/runtime.ts";
import type { Connected, Socket, TlsOptions } from "./node_builtins.ts";
import type { Dispatcher } from "./node_dispatcher.ts";

/** A dispatcher that holds connections. */
export interface Connections extends Dispatcher {
  /** Closes idle connections at once, and the others when their requests are done. */
  close(): Promise<void>;
}

/** The destination of a connection that undici opens. */
interface ConnectRequest {
  readonly hostname: string;
  readonly port: string;
  readonly protocol: string;
}

type Connector = (
  request: ConnectRequest & { readonly httpSocket?: Socket },
  connected: Connected,
) => unknown;

/** The parts of the npm package undici that are used. */
export interface Undici {
  readonly Agent: new (options: { readonly connect: TlsOptions | Connector }) => Connections;
  readonly Pool: new (
    origin: string,
    options: { readonly connect: TlsOptions },
  ) => Connections;
  /** Adapts a dispatcher to the fetch of Node up to 25. Exists from version 8, which needs it. */
  readonly Dispatcher1Wrapper?: new (dispatcher: Dispatcher) => Dispatcher;
  buildConnector(options: TlsOptions): Connector;
}

/**
 * The name of the package. It is not a literal, so that bundlers do not follow the import. Comments
 * at the import have the same purpose.
 */
const UNDICI: string = "undici";

/** The command that error messages recommend. Another package may need another version. */
const REMEDY = "npm install undici@8";

/**
 * Loads undici.
 *
 * @param option The option that needs undici
 * @param name The package's name
 * @throws {UnsupportedOptionError} If it is not installed, cannot be loaded, or has a version that
 * does not work with this version of Node
 */
export async function loadUndici(option: string, name: string = UNDICI): Promise<Undici> {
  const version = installedVersion(name);
  const fault = version === undefined ? undefined : misfit(version);
  if (fault !== undefined) throw new UnsupportedOptionError(option, `${fault}: run ${REMEDY}`);
  try {
    return await import(/* webpackIgnore: true */ /* @vite-ignore */ name);
  } catch (error) {
    const reason = version === undefined
      ? "on Node the option needs the npm package undici"
      : `this version of Node cannot load the installed undici ${version}`;
    throw new UnsupportedOptionError(option, `${reason}: run ${REMEDY}`, error);
  }
}

/** The oldest major version that works with the fetch of each supported version of Node. */
const OLDEST = 7;

/** Describes why a version of the package cannot be used; undefined if it can. */
export function misfit(version: string): string | undefined {
  return Number.parseInt(version) < OLDEST
    ? `the installed undici ${version} is too old`
    : undefined;
}

/** Returns the version of a package that is installed beside the toolkit; undefined for none. */
function installedVersion(name: string): string | undefined {
  type Require = (path: string) => { readonly version?: string };
  const modules = builtinModule<{ createRequire(from: string): Require }>("node:module");
  try {
    return modules?.createRequire(import.meta.url)(`${name}/package.json`).version;
  } catch {
    return undefined;
  }
}
