/** The task of a process of the tests with many processes, and the events that it prints. */

/** The task of a process. */
export interface WorkerTask {
  readonly id: string;
  /** The URL of the API and the token server. */
  readonly api: string;
  /** The place of the token. */
  readonly place: { readonly url: string; readonly key: string } | { readonly folder: string };
  /** The calls to make. */
  readonly calls: number;
  /** The calls at a time. */
  readonly concurrency: number;
  /** Milliseconds between two calls. */
  readonly pause: number;
  /** Seconds. */
  readonly lockLifetime: number;
  /** True to use the store without its lock and its versions. */
  readonly isAlone?: boolean;
}

/** The result of a process. */
export interface WorkerResult {
  /** The calls that succeeded. */
  readonly calls: number;
  /** The calls that failed, except those for which a new login is needed. */
  readonly errors: readonly string[];
  /** The calls that failed because a new login is needed. */
  readonly refused: number;
  /** The longest call in seconds. */
  readonly longest: number;
}

/** A line that a process prints. */
export type WorkerEvent =
  | { readonly event: "ready" | "login required" }
  | { readonly event: "end" } & WorkerResult;
