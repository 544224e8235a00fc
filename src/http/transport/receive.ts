/** Reads bodies in the fastest way of the runtime, and shares the timers that notice silence. */
import { type Clock, LONGEST_TIMER, systemClock } from "../../base/clock.ts";
import { detectRuntime } from "../../base/runtime.ts";
import {
  type ChunkReader,
  type Idle,
  type IdlePlace,
  type IdleTimer,
  OwnIdleTimer,
} from "../idle_timer.ts";
import { isFromNetwork } from "../response.ts";

// Receiving data on Deno, Node and Bun: the fastest reader, and one idle timer for many attempts.

/** Returns the fastest reader of a body on each runtime. */
export const readerOf: (response: Response, body: ReadableStream<Uint8Array>) => ChunkReader =
  detectRuntime().name === "Deno" ? denoReaderOf : (_response, body) => body.getReader();

function denoReaderOf(response: Response, body: ReadableStream<Uint8Array>): ChunkReader {
  if (isFromNetwork(response)) {
    try {
      // Deno removes the header from the response if it decodes the body.
      const announced = Number(response.headers.get("content-length") ?? NaN);
      return new FittingReader(body.getReader({ mode: "byob" }), announced);
    } catch {
      // Another stream than that of Deno's fetch.
    }
  }
  return body.getReader();
}

/** The largest buffer of Deno, in bytes. */
const LARGEST_BUFFER = 2 ** 16;

/**
 * Reads the body of a response of Deno's fetch into buffers that fit: of the announced length, and then
 * 1 byte for the end. Without a length, they grow.
 *
 * Deno's default reader allocates 64 KiB for each read, which costs 50 to 105 µs (Deno 2.9.6): with it,
 * a call with a timeout took twice as long as one without.
 */
export class FittingReader implements ChunkReader {
  readonly #reader: Pick<ReadableStreamBYOBReader, "read" | "cancel">;
  /** The announced bytes that have not been read; NaN if that is not known. */
  #left: number;
  /** The size of the next buffer if the length is not known. */
  #size = 4096;

  /**
   * @param reader The reader
   * @param announced The announced length in bytes, or NaN
   */
  constructor(reader: Pick<ReadableStreamBYOBReader, "read" | "cancel">, announced: number) {
    this.#reader = reader;
    this.#left = announced;
  }

  async read(): Promise<{ done: boolean; value: Uint8Array | undefined }> {
    const left = this.#left;
    const size = left >= 0 ? Math.min(left, LARGEST_BUFFER) || 1 : this.#size;
    const { done, value } = await this.#reader.read(new Uint8Array(size));
    if (value === undefined) return { done, value };
    this.#count(value.length);
    // The chunks may be kept until the end of the body: a small one must not keep a large buffer.
    return { done, value: value.length * 4 < size ? value.slice() : value };
  }

  #count(length: number): void {
    if (length <= this.#left) this.#left -= length;
    else if (length > 0) {
      // Not known, or the body is longer than announced.
      this.#left = NaN;
      if (length === this.#size) this.#size = Math.min(this.#size * 4, LARGEST_BUFFER);
    }
  }

  cancel(reason?: unknown): Promise<void> {
    return this.#reader.cancel(reason);
  }
}

/** The number of times that a {@linkcode SharedIdleTimer} looks within one timeout. */
const CHECKS = 4;

/** The result of `setInterval`. Fake timers may return a number. */
interface Interval {
  ref?(): void;
  unref?(): void;
}

/** The timers of the system clock, by timeout. */
const sharedTimers = new Map<number, SharedIdleTimer>();

/**
 * One interval for all attempts with the same timeout. It notices silence after 1 to 1.25 timeouts.
 *
 * Starting and cancelling a timer for each attempt costs 2.6 µs on Deno, `ref` and `unref` of a
 * standing one 0.08 µs. The interval does not keep the program alive while no attempt waits. It ends
 * at the first check at which none does, and begins again with the next wait.
 */
class SharedIdleTimer implements IdleTimer {
  readonly #timeout: number;
  /**
   * The attempts that wait, as a linked list: the oldest is the first. A Map would double the time of a
   * call with a timeout on Deno (14 instead of 8 µs, with a stub).
   */
  #first: IdlePlace | undefined;
  #last: IdlePlace | undefined;
  #checks = 0;
  #interval: Interval | undefined;
  /** The function that created the interval. Test frameworks replace it, and stop their intervals. */
  #createdBy: typeof setInterval | undefined;

  constructor(timeout: number) {
    this.#timeout = timeout;
    this.#startInterval();
  }

  start(waiting: Idle): void {
    if (this.#interval === undefined || this.#createdBy !== setInterval) this.#startInterval();
    const place = waiting.idlePlace ??= newPlace(waiting);
    place.timer?.stop(waiting);
    if (this.#first === undefined) this.#interval?.ref?.();
    place.timer = this;
    // The check that is due next comes after less than a quarter of the timeout.
    place.since = this.#checks + 1;
    const last = place.before = this.#last;
    if (last === undefined) this.#first = place;
    else last.after = place;
    this.#last = place;
  }

  stop({ idlePlace: place }: Idle): void {
    if (place?.timer !== this) return;
    const { before, after } = place;
    if (before === undefined) this.#first = after;
    else before.after = after;
    if (after === undefined) this.#last = before;
    else after.before = before;
    place.timer = place.before = place.after = undefined;
    if (this.#first === undefined) this.#interval?.unref?.();
  }

  #startInterval(): void {
    const delay = this.#timeout * 1000 / CHECKS;
    // Fake timers may replace both functions meanwhile, and warn of a timer that is not theirs.
    const clear = clearInterval;
    const end = () => clear(interval as unknown as number);
    const interval = setInterval(() => this.#check(interval, end), delay) as unknown as Interval;
    if (this.#first === undefined) interval.unref?.();
    this.#interval = interval;
    this.#createdBy = setInterval;
    sharedTimers.set(this.#timeout, this);
  }

  #check(interval: Interval, end: () => void): void {
    if (interval === this.#interval && this.#first !== undefined) return this.#countCheck();
    end();
    // Otherwise, another interval has taken over.
    if (interval === this.#interval) {
      this.#interval = undefined;
      if (sharedTimers.get(this.#timeout) === this) sharedTimers.delete(this.#timeout);
    }
  }

  #countCheck(): void {
    const now = ++this.#checks;
    for (let place; (place = this.#first) !== undefined && now - place.since >= CHECKS;) {
      this.stop(place.waiting);
      place.waiting.onIdle();
    }
  }
}

function newPlace(waiting: Idle): IdlePlace {
  return { waiting, timer: undefined, since: 0, before: undefined, after: undefined };
}

/** Returns the timer for a timeout in seconds. */
export function idleTimerFor(timeout: number, clock: Clock): IdleTimer {
  if (clock !== systemClock) return new OwnIdleTimer(timeout, clock);
  const timer = sharedTimers.get(timeout);
  if (timer !== undefined) return timer;
  const isShared = timeout * 1000 / CHECKS <= LONGEST_TIMER && canUnref();
  return isShared ? new SharedIdleTimer(timeout) : new OwnIdleTimer(timeout, clock);
}

/** Reports if timers have `unref`, so that they do not keep the program alive. */
function canUnref(): boolean {
  // Cloudflare Workers tie a timer to the request that created it.
  if (!/^(?:Deno|Node|Bun)$/.test(detectRuntime().name)) return false;
  const timer: unknown = setTimeout(() => {}, 0);
  clearTimeout(timer as number);
  return typeof timer === "object";
}
