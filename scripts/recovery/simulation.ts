/** Simulates the clients of a server that fails and comes back, with the real code of retries. */
import { APIClient, type APIPromise, type ClientOptions } from "../../mod.ts";
import { randomNumbers } from "../../tests/support/soak/random_numbers.ts";
import { SimulatedClock } from "./simulated_clock.ts";

/** The clients, each of which has one call to make when the server fails. */
export const CLIENTS = 1000;
/** The processes that the clients are in. Those of one process share an HTTP session. */
export const PROCESSES = 10;
/** The seconds for which the server fails. */
export const OUTAGE = 30;
/** The requests that the server answers in a second, and the most that wait for that. */
export const CAPACITY = 100;
/** The seconds after which the program makes a call again that has failed with all its retries. */
export const AGAIN = 10;
/** The part of an answer's time that a refusal takes, in the simulation with expensive refusals. */
export const REFUSAL = 0.2;
/** The most seconds that are simulated. */
const END = 600;

/** A way to retry. */
export interface Strategy {
  readonly name: string;
  readonly options: ClientOptions;
}

/** The strategies, in the order of the figures. */
export const strategies: readonly Strategy[] = [
  { name: "fixed waits of 1 s, for ever", options: { retries: 1e6, backoff: () => 1 } },
  { name: "the defaults", options: {} },
  { name: 'jitter: "full"', options: { jitter: "full" } },
  { name: "retryBudget", options: { retryBudget: true } },
  { name: "jitter and retryBudget", options: { jitter: "full", retryBudget: true } },
  {
    name: "more retries",
    options: { jitter: "full", retries: 8, backoff: (retry) => 2 ** (retry - 1), maxBackoff: 16 },
  },
];

/** The figures of a strategy. */
export interface Recovery {
  readonly name: string;
  /** Seconds from the return of the server until each client has succeeded. */
  readonly seconds: number;
  /** The most requests in one second after the return. */
  readonly peak: number;
  /** The requests without success, during the outage and after it. */
  readonly wasted: number;
  /** The calls that failed with all their retries. */
  readonly failedCalls: number;
  /** The requests in each second from the beginning of the outage. */
  readonly load: readonly number[];
}

class Client extends APIClient {
  static override readonly baseUrl: string = "https://api.example.com";
  work(): APIPromise<unknown> {
    return this._get("/work", { convJson: true });
  }
}

/** The seed of the figures in the docs. */
const SEED = 34;

/**
 * Runs a strategy. The same seed gives the same figures on all runtimes.
 *
 * @param refusal The part of an answer's time that a refusal takes. Default: none
 * @param seed The seed of the random numbers
 */
export async function simulate(
  { name, options }: Strategy,
  refusal = 0,
  seed: number = SEED,
): Promise<Recovery> {
  const clock = new SimulatedClock();
  const random = randomNumbers(seed);
  const { random: runtimeRandom } = Math;
  // The code of retries takes its jitter from here.
  Math.random = random;
  const load: number[] = [];
  let waiting = 0;
  let wasted = 0;
  let failedCalls = 0;
  let succeeded = 0;
  let lastSuccess = 0;
  /** The time when the server has answered all requests that wait. */
  let busyUntil = 0;

  const fetch = async (): Promise<Response> => {
    await clock.wait(0.01 + 0.04 * random());
    const now = clock.now() / 1000;
    const second = Math.floor(now);
    load[second] = (load[second] ?? 0) + 1;
    if (now < OUTAGE || waiting >= CAPACITY) {
      wasted++;
      if (now >= OUTAGE) busyUntil = Math.max(busyUntil, now) + refusal / CAPACITY;
      return new Response(null, { status: 503 });
    }
    waiting++;
    busyUntil = Math.max(busyUntil, now) + 1 / CAPACITY;
    await clock.wait(busyUntil - now);
    waiting--;
    return Response.json({});
  };

  const work = async (client: Client): Promise<void> => {
    for (;;) {
      try {
        await client.work();
        succeeded++;
        lastSuccess = clock.now() / 1000;
        return;
      } catch {
        failedCalls++;
        await clock.wait(AGAIN);
      }
    }
  };

  try {
    for (let number = 0; number < PROCESSES; number++) {
      const client = new Client({ ...options, fetch, clock, logger: null });
      for (let each = 0; each < CLIENTS / PROCESSES; each++) void work(client);
    }
    await clock.run(() => succeeded === CLIENTS || clock.now() > END * 1000);
  } finally {
    Math.random = runtimeRandom;
  }
  const seconds = Array.from(load, (each) => each ?? 0);
  return {
    name,
    seconds: succeeded === CLIENTS ? Math.round(lastSuccess - OUTAGE) : Infinity,
    peak: Math.max(...seconds.slice(OUTAGE)),
    wasted,
    failedCalls,
    load: seconds,
  };
}
