import { builtinModule } from "../../runtime.ts";

// What is used of Node's built-in modules, which Deno has as well.

/** Something that tells of events. */
export interface Emitter {
  /** Listens. */
  on(event: string, listen: (...args: never[]) => void): unknown;
  /** Listens for the next one. */
  once(event: string, listen: (...args: never[]) => void): unknown;
  /** No longer listens. */
  removeListener(event: string, listen: (...args: never[]) => void): unknown;
}

/** A connection, secure or not. */
export interface Socket extends Emitter {
  /** Puts bytes back that belong to what follows. */
  unshift(bytes: Uint8Array): void;
  /** Ends it at once. */
  destroy(error?: Error): void;
  /** Milliseconds of silence after which it says `timeout`; 0 for none. */
  setTimeout(milliseconds: number): unknown;
  /** Gathers what is written, until `uncork`. */
  cork(): void;
  uncork(): void;
}

/** A message that comes in. */
export interface IncomingMessage extends Emitter, AsyncIterable<Uint8Array> {
  readonly statusCode: number;
  readonly statusMessage: string;
  /** Name, value, name, value. */
  readonly rawHeaders: readonly string[];
  destroy(error?: Error): void;
}

/** A request that goes out. */
export interface OutgoingRequest extends Emitter {
  /** The method, which can be set until the headers are written. */
  method: string;
  /** False where it is better to wait for `drain`. */
  write(chunk: Uint8Array): boolean;
  end(): void;
  destroy(error?: Error): void;
}

/** How TLS is spoken. */
export interface TlsOptions {
  readonly ca?: readonly string[];
  readonly cert?: string;
  readonly key?: string;
  readonly rejectUnauthorized?: boolean;
  readonly servername?: string;
  readonly secureContext?: unknown;
}

/** What a request is sent by. */
export interface RequestOptions extends TlsOptions {
  readonly host: string;
  readonly port: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** False makes a connection of its own. */
  readonly agent: Agent | false;
  /** Milliseconds. */
  readonly timeout?: number;
}

/** Keeps connections. */
export interface Agent {
  /** Those that nobody uses, by where they lead. */
  readonly freeSockets: Readonly<Record<string, readonly Socket[] | undefined>>;
  /** How many that nobody uses are kept. */
  maxFreeSockets: number;
}

/** Says that a connection is there, or why not. */
export type Connected = (error: unknown, socket?: Socket) => void;

/** What an agent is asked to connect to. */
export interface ConnectOptions {
  readonly host: string;
  readonly port: number | string;
}

/** The class of agents; the connection is made by a method that can be overridden. */
export interface AgentClass {
  new (options: { readonly keepAlive: boolean } & TlsOptions): Agent & {
    createConnection(options: ConnectOptions, connected: Connected): Socket | undefined;
  };
}

/** `node:http` and `node:https`. */
export interface HttpModule {
  readonly Agent: AgentClass;
  request(
    options: RequestOptions,
    answer?: (response: IncomingMessage) => void,
  ): OutgoingRequest;
}

/** `node:tls`. */
export interface TlsModule {
  /** The authorities that Node brings along. */
  readonly rootCertificates: readonly string[];
  /** Those, and what the environment adds; in newer versions. */
  getCACertificates?(): readonly string[];
  createSecureContext(options: TlsOptions): unknown;
  connect(options: TlsOptions & { readonly socket: Socket; readonly host: string }): Socket;
}

/** `node:http` or `node:https`, by the protocol of a URL. */
export function httpModule(protocol: string): HttpModule {
  return builtin(protocol === "https:" ? "node:https" : "node:http");
}

/** `node:tls`. */
export function tlsModule(): TlsModule {
  return builtin("node:tls");
}

/** The authorities of the runtime with others beside them; undefined where there are no others. */
export function withRoots(ca: readonly string[]): readonly string[] | undefined {
  if (ca.length === 0) return undefined;
  const tls = tlsModule();
  return [...tls.getCACertificates?.() ?? tls.rootCertificates, ...ca];
}

/** The name for SNI, which is none for an address (RFC 6066 §3). */
export function serverName(hostname: string): string {
  return /^[\d.]+$|:/.test(hostname) ? "" : hostname;
}

/** The host of a URL as connections want it: an IPv6 address without its brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "");
}

function builtin<M>(name: `node:${string}`): M {
  const found = builtinModule<M>(name);
  if (found === undefined) throw new TypeError(`the runtime has no ${name}`);
  return found;
}
