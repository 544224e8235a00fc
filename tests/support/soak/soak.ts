import process from "node:process";
import { type Clock, systemClock } from "../../../src/base/clock.ts";
import { garbageCollector } from "../garbage.ts";
import { turn } from "../until.ts";
import type { Ledger } from "./ledger.ts";
import { faultOf, type Kind, kinds, type Outcome, SoakClient } from "./soak_client.ts";

/** The number of calls in flight. */
const IN_FLIGHT = 64;

/** Counts of everything that is alive while no call is in flight. */
export interface Residue {
  /** Bytes on the heap after garbage was collected. */
  readonly heap: number;
  /** Listeners at the signal that all calls share. */
  readonly listeners: number;
  /** Timers of the toolkit that have been set, and have neither run nor been cancelled. */
  readonly timers: number;
  /** Open connections at the server. */
  readonly connections: number;
}

/** Counts of calls. */
export interface SoakCounts {
  /** Calls by kind. */
  readonly calls: Record<Kind, number>;
  /** Requests at the server. */
  requests: number;
  /** Faults that the server injected. */
  faults: number;
  /** Calls that failed with a typed error because of faults. */
  failed: number;
}

/** Makes calls of all kinds, and compares each end with the ledger of the server. */
export class Soak {
  /** The counts so far. */
  readonly counts: SoakCounts = {
    calls: Object.fromEntries(kinds.map((kind) => [kind, 0])) as Record<Kind, number>,
    requests: 0,
    faults: 0,
    failed: 0,
  };
  /** The first wrong ends of calls. */
  readonly wrong: string[] = [];
  readonly #url: string;
  readonly #client: SoakClient;
  readonly #listeners: () => number;
  readonly #clock: CountingClock = new CountingClock();
  #number = 0;
  #connections = 0;

  /**
   * @param url The URL of the server
   * @param timeout Seconds without data before an attempt fails; undefined if the server is never silent
   */
  constructor(url: string, timeout?: number) {
    const { signal } = new AbortController();
    this.#url = url;
    this.#listeners = countedListeners(signal);
    const options = { baseUrl: url, clock: this.#clock, ...(timeout !== undefined && { timeout }) };
    this.#client = new SoakClient(options, signal);
  }

  /** Makes a number of calls with 64 in flight, waits for all of them, and checks each of them. */
  async round(count: number): Promise<void> {
    const outcomes: Outcome[] = [];
    let left = count;
    const work = async (): Promise<void> => {
      while (left-- > 0) {
        const number = this.#number++;
        const kind = kinds[number % kinds.length]!;
        let error: unknown;
        try {
          await this.#client.make(kind, number);
        } catch (thrown) {
          error = thrown;
        }
        outcomes.push({ kind, number, error });
      }
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, work));
    const response = await fetch(`${this.#url}/ledger`);
    const ledger = await response.json() as Ledger;
    this.#connections = ledger.connections;
    for (const { requests, faults } of Object.values(ledger.calls)) {
      this.counts.requests += requests;
      this.counts.faults += faults;
    }
    for (const outcome of outcomes) {
      this.counts.calls[outcome.kind]++;
      if (outcome.error !== undefined) this.counts.failed++;
      const wrong = faultOf(outcome, ledger.calls[outcome.number]);
      if (wrong !== undefined && this.wrong.length < 20) this.wrong.push(wrong);
    }
  }

  /** Collects garbage, and counts what is alive. */
  async residue(): Promise<Residue> {
    const collect = garbageCollector();
    for (let count = 0; count < 4; count++) {
      collect();
      // Finalizers and closed connections need turns of the event loop.
      await turn();
    }
    return {
      heap: process.memoryUsage().heapUsed,
      listeners: this.#listeners(),
      timers: this.#clock.count,
      connections: this.#connections,
    };
  }

  /** Closes the client. */
  async close(): Promise<void> {
    await this.#client.close();
  }
}

/** Returns a function that counts the listeners of a signal. */
function countedListeners(signal: AbortSignal): () => number {
  const listeners = new Set<unknown>();
  const { addEventListener: add, removeEventListener: remove } = signal;
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    listeners.add(args[1]);
    add.apply(signal, args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    listeners.delete(args[1]);
    remove.apply(signal, args);
  };
  return () => listeners.size;
}

/** A clock that counts the timers that are set. */
class CountingClock implements Clock {
  /** The timers that have neither run nor been cancelled. */
  count = 0;

  now(): number {
    return systemClock.now();
  }

  after(seconds: number, run: () => void): () => void {
    let isPending = true;
    const end = (): void => {
      if (isPending) this.count--;
      isPending = false;
    };
    this.count++;
    const cancel = systemClock.after(seconds, () => {
      end();
      run();
    });
    return () => {
      end();
      cancel();
    };
  }
}
