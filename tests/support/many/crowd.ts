/** Processes that share a login, and are killed or paused. */
import type { SharedTokenStore } from "../../../src/stores/mod.ts";
import { turn, until } from "../until.ts";
import { TestProcess } from "./child_process.ts";
import type { TokenServer } from "./token_server.ts";
import type { WorkerEvent } from "./worker_task.ts";

/** Seconds. */
export const LOCK_LIFETIME = 3;
export const CALLS_PER_TOKEN = 200;

/** The server and the key of the token. */
export interface Place {
  readonly url: string;
  readonly key: string;
}

export type Worker = TestProcess<WorkerEvent>;

/** Processes that share a login, and lose some of their number. */
export class Crowd {
  readonly server: TokenServer;
  readonly store: SharedTokenStore;
  readonly #place: Place;
  readonly workers = new Map<string, Worker>();
  /** The processes that were killed or paused. */
  readonly victims = new Set<string>();
  /** The numbers of the tokens that the store had, in order. */
  readonly seen: number[] = [];
  #started = 0;
  #isWatching = true;
  readonly #watch: Promise<void>;

  constructor(server: TokenServer, store: SharedTokenStore, place: Place) {
    this.server = server;
    this.store = store;
    this.#place = place;
    this.#watch = this.#watchStore();
  }

  add(): void {
    const id = `${this.#started++}`;
    const worker: Worker = new TestProcess("worker.ts", {
      id,
      api: this.server.url,
      place: this.#place,
      calls: 1e9,
      concurrency: 2,
      pause: 2,
      lockLifetime: LOCK_LIFETIME,
    });
    this.workers.set(id, worker);
  }

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
    await until(() =>
      this.server.left > CALLS_PER_TOKEN / 4 && this.server.left < CALLS_PER_TOKEN / 2
    );
    const [id] = this.workers.keys();
    return this.strike(id!, name);
  }

  /** Kills or pauses a process. */
  strike(id: string, name: "SIGKILL" | "SIGSTOP"): Worker {
    const worker = this.workers.get(id)!;
    this.victims.add(id);
    if (name === "SIGKILL") this.workers.delete(id);
    worker.signal(name);
    return worker;
  }

  /** Waits until the survivors have made some calls with a token that is newer than that of now. */
  async goOn(): Promise<void> {
    const { accepted, current } = this.server;
    await until(() => this.server.accepted > accepted + 50 && this.server.current !== current);
  }

  /** Ends all processes, and returns the survivors' results. */
  async end() {
    this.#isWatching = false;
    await this.#watch;
    const { workers } = this;
    for (const each of workers.values()) each.finish();
    await Promise.all([...workers.values()].map(({ ended }) => ended));
    return [...workers].map(([id, each]) => ({ id, ...each.last("end")! }));
  }

  async #watchStore(): Promise<void> {
    while (this.#isWatching) {
      const number = Number((await this.store.load())?.refreshToken?.split("-").at(-1));
      if (number !== this.seen.at(-1)) this.seen.push(number);
      await turn(1);
    }
  }
}
