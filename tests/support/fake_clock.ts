import type { Clock } from "../../src/clock.ts";
import { until } from "./until.ts";

interface Timer {
  readonly due: number;
  readonly run: () => void;
}

/**
 * A clock that a test moves, or that jumps from timer to timer by itself.
 *
 * A clock that jumps moves to the earliest timer as soon as nothing else is left to do. This suits
 * adapters that answer from memory.
 */
export class FakeClock implements Clock {
  /** Every requested wait in seconds, in order. */
  readonly waits: number[] = [];
  readonly #timers: Set<Timer> = new Set();
  readonly #jumps: boolean;
  #time: number;

  constructor({ jumps = true, start = Date.UTC(2026, 0, 1) } = {}) {
    this.#jumps = jumps;
    this.#time = start;
  }

  /** The number of running timers. */
  get pending(): number {
    return this.#timers.size;
  }

  now(): number {
    return this.#time;
  }

  after(seconds: number, run: () => void): () => void {
    this.waits.push(seconds);
    const timer = { due: this.#time + seconds * 1000, run };
    this.#timers.add(timer);
    const jump = this.#jumps ? setTimeout(() => this.#jump(), 0) : undefined;
    return () => {
      // A timer that has run leaves its jump to the others.
      if (this.#timers.delete(timer)) clearTimeout(jump);
    };
  }

  /** Moves the clock forward, and runs the timers that become due. */
  advance(seconds: number): void {
    const end = this.#time + seconds * 1000;
    for (let next = this.#earliest(); next !== undefined && next.due <= end;) {
      this.#run(next);
      next = this.#earliest();
    }
    this.#time = end;
  }

  /** Moves the clock by 20 seconds at a time until a promise settles that only time can settle. */
  async passUntil(ended: Promise<unknown>): Promise<void> {
    let hasEnded = false;
    ended.catch(() => {}).then(() => hasEnded = true);
    await until(() => {
      this.advance(20);
      return hasEnded;
    });
  }

  #jump(): void {
    const next = this.#earliest();
    if (next !== undefined) this.#run(next);
  }

  #earliest(): Timer | undefined {
    return [...this.#timers].sort((one, other) => one.due - other.due)[0];
  }

  #run(timer: Timer): void {
    this.#timers.delete(timer);
    this.#time = Math.max(this.#time, timer.due);
    timer.run();
  }
}
