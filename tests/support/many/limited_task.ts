/** The task of a process with a limit that it shares, and the events that it prints. */

/** The task of a process. */
export interface LimitedTask {
  /** The URL of Redis. */
  readonly redis: string;
  /** The calls without a limit, by which the test measures the machine. */
  readonly warmUp: number;
  readonly calls: number;
  /** The limit in each window. */
  readonly points: number;
}

/** A line that a process prints. After `ready` and `warm`, it waits for the length of the windows. */
export type LimitedEvent =
  | { readonly event: "ready" | "warm" }
  | {
    readonly event: "end";
    /** The requests that it sent. */
    readonly requests: number;
    /** The points that it got: each is a number from 1 to the limit, which a window gives once. */
    readonly points: readonly number[];
  };
