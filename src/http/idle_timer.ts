/** The interfaces that measure how long a body is silent, and a timer for one attempt. */
import type { Clock } from "../base/clock.ts";

/** An attempt that is ended if there is no data for its timeout. */
export interface Idle {
  /** Called after the timeout. */
  onIdle(): void;
  /** The place among the attempts that share a timer. Only the timer uses it. */
  idlePlace?: IdlePlace | undefined;
}

/** The place of an attempt among those that share a timer, in the order in which they began to wait. */
export interface IdlePlace {
  /** The attempt. */
  readonly waiting: Idle;
  /** The timer that measures it; undefined while it does not wait. */
  timer: IdleTimer | undefined;
  /** The number of the check that began its wait. */
  since: number;
  /** The place before this one. */
  before: IdlePlace | undefined;
  /** The place after this one. */
  after: IdlePlace | undefined;
}

/** Measures how long attempts wait for data. */
export interface IdleTimer {
  /** Begins to measure. */
  start(waiting: Idle): void;
  /** Stops measuring; it does nothing if nothing is measured. */
  stop(waiting: Idle): void;
}

/** A timer for one attempt, for clocks whose timers keep the program alive, and for browsers. */
export class OwnIdleTimer implements IdleTimer {
  readonly #timeout: number;
  readonly #clock: Clock;
  #cancel: (() => void) | undefined;

  constructor(timeout: number, clock: Clock) {
    this.#timeout = timeout;
    this.#clock = clock;
  }

  start(waiting: Idle): void {
    this.#cancel = this.#clock.after(this.#timeout, () => waiting.onIdle());
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}

/** Reads the chunks of a body. */
export interface ChunkReader {
  /** Returns the next chunk; `done` at the end. */
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  /** Cancels the body. A pending read returns `done`. */
  cancel(reason?: unknown): Promise<void>;
}
