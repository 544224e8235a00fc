/** The task of a process with a limit that it shares, and the events that it prints. */

/** The task of a process. */
export interface LimitedTask {
  /** The URL of Redis. */
  readonly redis: string;
  readonly calls: number;
  /** The limit in each window. */
  readonly points: number;
  /** The length of a window in seconds. */
  readonly duration: number;
}

/** A line that a process prints. */
export type LimitedEvent =
  | { readonly event: "ready" }
  | {
    readonly event: "end";
    /** The requests that it sent. */
    readonly requests: number;
    /** The ends of the windows in which the requests were allowed, in milliseconds since 1970. */
    readonly ends: readonly number[];
  };
