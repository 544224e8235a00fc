import { builtinModule } from "../../runtime.ts";

/** What Node's fetch takes as `dispatcher`. */
export interface Dispatcher {
  dispatch(request: DispatchedRequest, handler: unknown): boolean;
}

/** A request on its way from fetch to a connection. */
export interface DispatchedRequest {
  readonly origin: string | URL;
  readonly path: string;
  /** A mapping, pairs, or name, value, name, value: by version. */
  readonly headers: Readonly<Record<string, string>> | readonly (string | readonly string[])[];
}

/** The first number of the version of undici that Node has built in; 0 where there is none. */
export const builtinUndici: number = Number.parseInt(
  builtinModule<{ versions: { undici?: string } }>("node:process")?.versions.undici ?? "0",
);
