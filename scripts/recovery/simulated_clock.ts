/** A clock for simulations with many timers, which moves as fast as the program can follow. */
import { setImmediate } from "node:timers";
import type { Clock } from "../../src/base/clock.ts";

interface Timer {
  readonly due: number;
  readonly number: number;
  readonly run: () => void;
  isCancelled: boolean;
}

/** A clock that begins at 0. Timers are kept in a heap, because a simulation has thousands. */
export class SimulatedClock implements Clock {
  readonly #heap: Timer[] = [];
  #now = 0;
  #count = 0;

  now(): number {
    return this.#now;
  }

  after(seconds: number, run: () => void): () => void {
    const due = this.#now + seconds * 1000;
    const timer: Timer = { due, number: this.#count++, run, isCancelled: false };
    this.#push(timer);
    return () => timer.isCancelled = true;
  }

  /** Returns a promise that is resolved after some time. */
  wait(seconds: number): Promise<void> {
    return new Promise((resolve) => void this.after(seconds, resolve));
  }

  /** Runs the timers in order, until a condition is true or no timer is left. */
  async run(isOver: () => boolean): Promise<void> {
    for (;;) {
      // Promises and streams have to settle before the next timer runs.
      await new Promise<void>((resolve) => void setImmediate(resolve));
      const first = this.#pop();
      if (first === undefined || isOver()) return;
      this.#now = first.due;
      for (
        let timer: Timer | undefined = first;
        timer !== undefined;
        timer = this.#heap[0]?.due === first.due ? this.#pop() : undefined
      ) {
        if (!timer.isCancelled) timer.run();
      }
    }
  }

  #isBefore(one: number, other: number): boolean {
    const [first, second] = [this.#heap[one]!, this.#heap[other]!];
    return first.due < second.due || first.due === second.due && first.number < second.number;
  }

  #swap(one: number, other: number): void {
    const heap = this.#heap;
    [heap[one], heap[other]] = [heap[other]!, heap[one]!];
  }

  #push(timer: Timer): void {
    this.#heap.push(timer);
    for (let at = this.#heap.length - 1; at > 0;) {
      const parent = (at - 1) >> 1;
      if (!this.#isBefore(at, parent)) break;
      this.#swap(at, parent);
      at = parent;
    }
  }

  #pop(): Timer | undefined {
    const heap = this.#heap;
    if (heap.length === 0) return undefined;
    this.#swap(0, heap.length - 1);
    const first = heap.pop();
    for (let at = 0;;) {
      const left = 2 * at + 1;
      const children = [left, left + 1].filter((child) => child < heap.length);
      const least = children.reduce(
        (best, child) => this.#isBefore(child, best) ? child : best,
        at,
      );
      if (least === at) return first;
      this.#swap(at, least);
      at = least;
    }
  }
}
