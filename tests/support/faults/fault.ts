import type { APIErrorClass } from "../../../src/errors/mod.ts";

/** The kinds of calls, by what they return. */
export const kinds = ["raw", "json", "model", "stream"] as const;

/** A kind of call. */
export type Kind = typeof kinds[number];

/** A runtime on which the tests run. "Node" stands for all versions, unless one has its own row. */
export type RuntimeName = "Deno" | "Node" | "Node 22" | "Bun";

/** Bytes of a response: text in Latin-1, or bytes. */
export type Bytes = string | Uint8Array;

/** How a server ends a faulty response. */
export type Ending =
  /** It leaves the connection open for the next request. */
  | "keep"
  /** It closes the connection. */
  | "close"
  /** It resets the connection. */
  | "reset"
  /** It stays silent, and leaves the connection open. */
  | "silence"
  /** It sends these bytes again and again, as fast as they are read. */
  | { readonly flood: Bytes }
  /** It sends these bytes again and again, every 6 seconds. */
  | { readonly trickle: Bytes };

/** A behaviour of a server, and the end of a call that meets it. */
export interface Fault {
  /** The end of a sentence that begins with "a server that". */
  readonly name: string;
  /** When the server acts. Default: "asked", when it has read a request */
  readonly at?: "connected" | "reading" | "asked";
  /** True if the connection has already served another request. */
  readonly isKeptAlive?: boolean;
  /** Returns the bytes that the server sends: at once, or a list with 6 seconds between the parts. */
  readonly send?: (body: string) => Bytes | readonly Bytes[];
  /** The end of its response. Default: "close" */
  readonly then?: Ending;
  /** How a call ends. */
  readonly outcome: Outcome;
  /** How it ends on some runtimes, because their fetch differs. */
  readonly except?: Readonly<Partial<Record<RuntimeName, Outcome>>>;
  /** The runtimes whose fetch sends the request of a method again by itself. */
  readonly resent?: Readonly<Partial<Record<RuntimeName, readonly string[]>>>;
  /** How it ends through nginx; null if it is not tested. Default: see `outcomeOf` */
  readonly nginx?: Outcome | null;
  /** How it ends through squid; null if it is not tested. Default: see `outcomeOf` */
  readonly squid?: Outcome | null;
}

/** How a call ends that meets a fault. */
export interface Outcome {
  /** The result for each kind of call, or one for all. */
  readonly result: Result | Readonly<Record<Kind, Result>>;
  /**
   * The part of the response in which the fault shows. A fault of the framing or the body does not
   * concern the response to a HEAD, and a fault of the body concerns raw responses and streams only
   * after their call.
   */
  readonly part: "head" | "framing" | "body";
  /**
   * How the contract retries it: as a lost connection, as a status, or as a status with Retry-After,
   * in seconds. Default: it does not
   */
  readonly retry?: "connection" | "status" | number;
  /** The limit without which the call would never end. Default: none */
  readonly needs?: "timeout" | "deadline";
  /** True if the client has to close the connection. */
  readonly closes?: boolean;
}

/** The result of a call. */
export type Result =
  /** The body, converted if the call converts it. */
  | "whole"
  /** A success without a body. */
  | "empty"
  /** A text that is not the body. */
  | "wrong text"
  /** A part of the body, until the caller leaves it. */
  | "left"
  | ExpectedError;

/** The error that a call or its body rejects with. */
export interface ExpectedError {
  readonly error: abstract new (...parameters: never[]) => Error;
  /** The kinds of a `TransportError`. */
  readonly kinds?: readonly string[];
}

/** Returns the error of a status. */
export function statusError(error: APIErrorClass): ExpectedError {
  return { error: error as unknown as ExpectedError["error"] };
}
