import { UnsupportedOptionError } from "../../errors/unsupported_option_error.ts";
import { builtinModule } from "../../runtime.ts";
import type { Connected, Socket, TlsOptions } from "./node_builtins.ts";
import { builtinUndici, type Dispatcher } from "./node_dispatcher.ts";

/** A dispatcher that has connections. */
export interface Connections extends Dispatcher {
  /** Closes what is idle, and the rest when it is done. */
  close(): Promise<void>;
}

/** Where undici is asked to connect to. */
interface ConnectRequest {
  readonly hostname: string;
  readonly port: string;
  readonly protocol: string;
}

type Connector = (
  request: ConnectRequest & { readonly httpSocket?: Socket },
  connected: Connected,
) => unknown;

/** What is used of the npm package undici. */
export interface Undici {
  readonly Agent: new (options: { readonly connect: TlsOptions | Connector }) => Connections;
  readonly Pool: new (
    origin: string,
    options: { readonly connect: TlsOptions },
  ) => Connections;
  /** Takes what the fetch of Node up to 25 gives; from version 8 on, which needs it. */
  readonly Dispatcher1Wrapper?: new (dispatcher: Dispatcher) => Dispatcher;
  buildConnector(options: TlsOptions): Connector;
}

/** Not a literal, so that bundlers do not follow it; where it is imported, a comment asks the same. */
const UNDICI: string = "undici";

/** What to do, where another version may be needed elsewhere. */
const REMEDY = "npm install undici@8";

/**
 * Loads undici.
 *
 * @param option The option that takes it
 * @param name The package's name
 * @throws {UnsupportedOptionError} Where it is not installed, or in a version that does not go with
 * this version of Node
 */
export async function loadUndici(option: string, name: string = UNDICI): Promise<Undici> {
  const version = installedVersion(name);
  const fault = version === undefined ? undefined : misfit(version, builtinUndici);
  if (fault !== undefined) throw new UnsupportedOptionError(option, `${fault}: ${REMEDY}`);
  try {
    return await import(/* webpackIgnore: true */ /* @vite-ignore */ name);
  } catch (error) {
    const reason = version === undefined
      ? "on Node it needs the npm package undici"
      : `undici ${version}, which is installed, cannot be loaded by this version of Node`;
    throw new UnsupportedOptionError(option, `${reason}: ${REMEDY}`, error);
  }
}

/**
 * Tells what is wrong with a version of the package; undefined where it goes with Node's fetch.
 *
 * @param version The version
 * @param builtin The first number of the version that Node has built in
 */
export function misfit(version: string, builtin: number): string | undefined {
  const installed = Number.parseInt(version);
  // Fetch speaks to its dispatcher in another way since version 8; 7 understands both.
  const oldest = builtin < 8 ? 6 : 7;
  return installed < oldest
    ? `undici ${version}, which is installed, is too old for this version of Node`
    : undefined;
}

/** The version of a package that is installed beside the toolkit; undefined where none is found. */
function installedVersion(name: string): string | undefined {
  type Require = (path: string) => { readonly version?: string };
  const modules = builtinModule<{ createRequire(from: string): Require }>("node:module");
  try {
    return modules?.createRequire(import.meta.url)(`${name}/package.json`).version;
  } catch {
    return undefined;
  }
}
