import type { Clock } from "../../../mod.ts";
import { fakeClock } from "../../../src/testing/fake_clock.ts";

/** Seconds without data after which an attempt of the matrix fails. */
export const TIMEOUT = 10;

/** Seconds that a call of the matrix may take. */
export const DEADLINE = 120;

/** A clock that stands still, and knows what a call waits for. */
export class CallClock implements Clock {
  /** The waits between attempts so far, in seconds. */
  readonly waits: number[] = [];
  /** The wait between two attempts that has begun; undefined if there is none. */
  wait: number | undefined;
  /** Runs when a wait between two attempts begins. It may also end within the same `advance`. */
  onWait: () => void = () => {};
  /** The number of times that the call began to wait for data. */
  reads = 0;
  /** The same for the current attempt. The first is for the headers. */
  readsOfAttempt = 0;
  readonly #fake = fakeClock();
  #reading = 0;

  /** True if the call waits for data, and has a timeout. */
  get isReading(): boolean {
    return this.#reading > 0;
  }

  /** The number of timers that are running. */
  get pending(): number {
    return this.#fake.pending;
  }

  now(): number {
    return this.#fake.now();
  }

  after(seconds: number, run: () => void): () => void {
    if (seconds === TIMEOUT) {
      this.#reading++;
      this.reads++;
      this.readsOfAttempt++;
    } else if (seconds !== DEADLINE) {
      this.waits.push(seconds);
      this.wait = seconds;
      this.readsOfAttempt = 0;
      this.onWait();
    }
    let isOver = false;
    const end = () => {
      if (isOver) return;
      isOver = true;
      if (seconds === TIMEOUT) this.#reading--;
      else if (seconds !== DEADLINE) this.wait = undefined;
    };
    const cancel = this.#fake.after(seconds, () => {
      end();
      run();
    });
    return () => {
      end();
      cancel();
    };
  }

  /** Moves the clock forward. */
  advance(seconds: number): Promise<void> {
    return this.#fake.advance(seconds);
  }
}
