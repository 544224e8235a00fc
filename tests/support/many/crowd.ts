/** Processes that share a login, and are killed or paused. */
import { Redis } from "ioredis";
import type { SharedTokenStore } from "../../../src/auth/stores/mod.ts";
import { until } from "../until.ts";
import type { TokenServer } from "./token_server.ts";
import type { Worker, WorkerPool } from "./worker_pool.ts";

/**
 * Seconds. A process that is so slow that its lock ends before its token request loses the login, so it
 * is far more than a token request needs.
 */
export const LOCK_LIFETIME = 10;
export const CALLS_PER_TOKEN = 60;

/** The server and the key of the token. */
export interface Place {
  readonly url: string;
  readonly key: string;
}

/** The options of processes. */
export interface CrowdOptions {
  /** Seconds. Default: `LOCK_LIFETIME` */
  readonly lockLifetime?: number | undefined;
}

/** Processes that share a login, and lose some of their number. */
export class Crowd {
  readonly server: TokenServer;
  readonly store: SharedTokenStore;
  readonly #pool: WorkerPool;
  readonly #place: Place;
  readonly #lockLifetime: number;
  readonly workers = new Map<string, Worker>();
  /** The processes that were killed or paused. */
  readonly victims = new Set<string>();
  /** The numbers of the tokens that were written, in order, as Redis reports its commands. */
  readonly written: number[] = [];
  /** The numbers of tokens that somebody tried to write when the store had a newer one. */
  readonly late: number[] = [];
  #started = 0;
  readonly #client: Redis;
  readonly #monitor: Promise<Redis>;

  constructor(
    server: TokenServer,
    store: SharedTokenStore,
    pool: WorkerPool,
    place: Place,
    { lockLifetime = LOCK_LIFETIME }: CrowdOptions = {},
  ) {
    this.server = server;
    this.store = store;
    this.#pool = pool;
    this.#place = place;
    this.#lockLifetime = lockLifetime;
    // Only its copy connects. Anything that Redis does while ioredis begins to watch is an error of ioredis.
    this.#client = new Redis(place.url, { lazyConnect: true });
    this.#monitor = this.#client.monitor();
  }

  add(): void {
    const id = `${this.#started++}`;
    const worker = this.#pool.begin({
      id,
      api: this.server.url,
      place: this.#place,
      calls: 1e9,
      concurrency: 2,
      // Only the calls around an expiry matter. Without a pause, the others would take all cores.
      pause: 30,
      lockLifetime: this.#lockLifetime,
    });
    this.workers.set(id, worker);
  }

  /** Starts the first processes, and waits until they are ready. */
  async begin(count: number): Promise<void> {
    await this.#watch();
    for (let at = 0; at < count; at++) this.add();
    await this.ready();
  }

  /** Waits until all processes are ready. */
  async ready(): Promise<void> {
    await until(() => [...this.workers.values()].every((each) => each.has("ready")));
  }

  /**
   * Waits for the next token request at a point, and sends a signal to its process. A request that has
   * only been received is then not processed.
   */
  async strikeRequest(
    when: "received" | "processed",
    name: "SIGKILL" | "SIGSTOP",
  ): Promise<Worker> {
    const { promise, resolve } = Promise.withResolvers<Worker>();
    this.server.onTokenRequest = (point, id) => {
      if (point !== when) return undefined;
      this.server.onTokenRequest = () => undefined;
      resolve(this.strike(id, name));
      return "drop";
    };
    return await promise;
  }

  /** Kills or pauses one of the processes, while none requests a token. */
  async strikeAny(name: "SIGKILL" | "SIGSTOP"): Promise<Worker> {
    let victim: Worker | undefined;
    this.server.onAccepted = (left) => {
      if (left !== CALLS_PER_TOKEN / 3) return;
      this.server.onAccepted = () => {};
      const [id] = this.workers.keys();
      victim = this.strike(id!, name);
    };
    await until(() => victim !== undefined);
    return victim!;
  }

  /** Kills or pauses a process. */
  strike(id: string, name: "SIGKILL" | "SIGSTOP"): Worker {
    const worker = this.workers.get(id)!;
    this.victims.add(id);
    this.server.gone.add(id);
    if (name === "SIGKILL") this.workers.delete(id);
    worker.signal(name);
    return worker;
  }

  /** Lets a process go on that was paused. */
  resume(worker: Worker): void {
    const [id] = [...this.workers].find(([, each]) => each === worker)!;
    this.server.gone.delete(id);
    worker.signal("SIGCONT");
  }

  /** Waits until the survivors have made some calls with a token that is newer than that of now. */
  async goOn(): Promise<void> {
    const { accepted, current } = this.server;
    await until(() => this.server.accepted > accepted + 20 && this.server.current !== current);
  }

  /** Ends the tasks of all processes, and returns the survivors' results. */
  async end() {
    const { workers } = this;
    for (const each of workers.values()) each.tell("finish");
    await until(() => [...workers.values()].every((each) => each.has("end")));
    return [...workers].map(([id, each]) => ({ id, ...each.last("end")! }));
  }

  /** Gives the processes back. */
  async close(): Promise<void> {
    for (const each of this.workers.values()) this.#pool.release(each);
    (await this.#monitor).disconnect();
    this.#client.disconnect();
  }

  /** Notes each token that is written, and each that comes too late. */
  async #watch(): Promise<void> {
    const { key } = this.#place;
    const monitor = await this.#monitor;
    monitor.on("monitor", (_time: string, [name, ...args]: string[]) => {
      const number = numberOf(args.at(-1)!);
      if (number === undefined) return;
      const isScript = name!.toLowerCase() === "eval" && args[2] === key;
      if (isScript && number <= (this.written.at(-1) ?? 0)) this.late.push(number);
      if (name!.toLowerCase() === "hset" && args[0] === key) this.written.push(number);
    });
  }
}

/** Returns a number for the refresh token in a text: a token of a later login has a higher one. */
function numberOf(token: string): number | undefined {
  const found = /"r-(\d+)-(\d+)"/.exec(token);
  return found === null ? undefined : Number(found[1]) * 1e6 + Number(found[2]);
}
