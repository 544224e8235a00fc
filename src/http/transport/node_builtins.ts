/** The types of `node:http` and `node:tls` that are used, and access to these modules. */
import { builtinModule } from "../../base/runtime.ts";

// The parts of Node's built-in modules that the transports use. Deno has these modules as well.

/** An event emitter. */
export interface Emitter {
  /** Adds a listener. */
  on(event: string, listen: (...args: never[]) => void): unknown;
  /** Adds a listener for the next event only. */
  once(event: string, listen: (...args: never[]) => void): unknown;
  /** Removes a listener. */
  removeListener(event: string, listen: (...args: never[]) => void): unknown;
}

/** A connection, with or without TLS. */
export interface Socket extends Emitter {
  /** Puts bytes back into the stream, so that they are read again. */
  unshift(bytes: Uint8Array): void;
  /** Closes the connection at once. */
  destroy(error?: Error): void;
  /** Sets the idle time in milliseconds after which the socket emits `timeout`; 0 for none. */
  setTimeout(milliseconds: number): unknown;
  /** Buffers all writes until `uncork`. */
  cork(): void;
  uncork(): void;
}

/** An incoming message. */
export interface IncomingMessage extends Emitter, AsyncIterable<Uint8Array> {
  readonly statusCode: number;
  readonly statusMessage: string;
  /** Header fields as a flat list: name, value, name, value. */
  readonly rawHeaders: readonly string[];
  destroy(error?: Error): void;
}

/** An outgoing request. */
export interface OutgoingRequest extends Emitter {
  /** The method. It can be changed until the headers are written. */
  method: string;
  /** Writes a chunk. Returns false if the caller should wait for `drain`. */
  write(chunk: Uint8Array): boolean;
  end(): void;
  destroy(error?: Error): void;
}

/** Options of a TLS connection. */
export interface TlsOptions {
  readonly ca?: readonly string[];
  readonly cert?: string;
  readonly key?: string;
  readonly rejectUnauthorized?: boolean;
  readonly servername?: string;
  readonly secureContext?: unknown;
}

/** Options of a request. */
export interface RequestOptions extends TlsOptions {
  readonly host: string;
  readonly port: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The agent; false opens a connection for this request only. */
  readonly agent: Agent | false;
  /** The idle timeout in milliseconds. */
  readonly timeout?: number;
}

/** A pool of connections. */
export interface Agent {
  /** Idle connections, by destination. */
  readonly freeSockets: Readonly<Record<string, readonly Socket[] | undefined>>;
  /** The maximum number of idle connections for each destination. */
  maxFreeSockets: number;
}

/** A callback that receives a new connection, or the error. */
export type Connected = (error: unknown, socket?: Socket) => void;

/** The destination of a connection that an agent opens. */
export interface ConnectOptions {
  readonly host: string;
  readonly port: number | string;
}

/** The class of agents. A subclass can override the method that opens connections. */
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
  /** The root certificates that Node includes. */
  readonly rootCertificates: readonly string[];
  /** Returns these and the ones that the environment adds. Only in newer versions. */
  getCACertificates?(): readonly string[];
  createSecureContext(options: TlsOptions): unknown;
  connect(options: TlsOptions & { readonly socket: Socket; readonly host: string }): Socket;
}

/** Returns `node:http` or `node:https`, by the protocol of a URL. */
export function httpModule(protocol: string): HttpModule {
  return builtin(protocol === "https:" ? "node:https" : "node:http");
}

/** Returns `node:tls`. */
export function tlsModule(): TlsModule {
  return builtin("node:tls");
}

/** Returns the root certificates of the runtime plus others; undefined if there are no others. */
export function withRoots(ca: readonly string[]): readonly string[] | undefined {
  if (ca.length === 0) return undefined;
  const tls = tlsModule();
  return [...tls.getCACertificates?.() ?? tls.rootCertificates, ...ca];
}

/** Returns the server name for SNI; empty for an IP address (RFC 6066 §3). */
export function serverName(hostname: string): string {
  return /^[\d.]+$|:/.test(hostname) ? "" : hostname;
}

/** Returns the host of a URL as sockets expect it: an IPv6 address without its brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "");
}

function builtin<M>(name: `node:${string}`): M {
  const found = builtinModule<M>(name);
  if (found === undefined) throw new TypeError(`the runtime has no ${name}`);
  return found;
}
