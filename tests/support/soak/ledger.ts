/** The faults that the server of the soak injects. */
export const faults = ["busy", "too many", "close", "cut", "stall"] as const;

/** A fault: a 503, a 429, no response, half a response, or silence. */
export type Fault = (typeof faults)[number];

/** The server's record of one call. */
export interface CallRecord {
  /** The number of requests with the call's id. */
  requests: number;
  /** The number of requests that the server answered with a fault. */
  faults: number;
  /** The number of times that the server did the work of the call. */
  applied: number;
}

/** The state of the server since the last time that it was asked. */
export interface Ledger {
  /** The calls by their ids. */
  readonly calls: Readonly<Record<string, CallRecord>>;
  /** The open connections, without the one that asks. */
  readonly connections: number;
}

/** The number of records that the NDJSON stream has, and of items that the list has. */
export const RECORDS = 20;

/** The number of items in a page of the list. */
export const PAGE = 8;
