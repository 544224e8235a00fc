import { assertEquals, assertStrictEquals, describe, it } from "#test";
import {
  APIClient,
  APIEndpoint,
  APISession,
  type SessionOptions,
  type UnexpectedValueError,
} from "../../mod.ts";
import { APIIterator } from "../../src/paging/mod.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";

type Sleep = (seconds: number, options?: { readonly signal?: AbortSignal }) => Promise<void>;

class Api extends APISession {
  readonly jobs: Jobs = new Jobs(this);
  sleep(...args: Parameters<Sleep>): Promise<void> {
    return this._sleep(...args);
  }
}
class Client extends APIClient {
  sleep(...args: Parameters<Sleep>): Promise<void> {
    return this._sleep(...args);
  }
}
class Jobs extends APIEndpoint<Api> {
  readonly parts: Parts = new Parts(this);
  sleep(...args: Parameters<Sleep>): Promise<void> {
    return this._sleep(...args);
  }
}
class Parts extends APIEndpoint<Api, Jobs> {
  sleep(...args: Parameters<Sleep>): Promise<void> {
    return this._sleep(...args);
  }
}
class Items extends APIIterator<number> {
  sleep(...args: Parameters<Sleep>): Promise<void> {
    return this._sleep(...args);
  }
  protected override _getPage(): Promise<void> {
    this.page = [];
    return Promise.resolve();
  }
}

/** Returns everything that can wait, with the same clock. */
function sleepers(options: SessionOptions = {}) {
  const clock = fakeClock();
  const api = new Api({ url: "https://api.example.com", clock, ...options });
  const client = new Client({ baseUrl: "https://api.example.com", clock, ...options });
  const all = {
    "a session": api,
    "a client": client,
    "an endpoint": api.jobs,
    "an endpoint in another one": api.jobs.parts,
    "an iterator of a session": new Items({ api }),
    "an iterator of an endpoint": new Items({ client: api.jobs }),
  } satisfies Record<string, { sleep: Sleep }>;
  return { clock, all };
}

const reason = new Error("the user has left");

for (const name of Object.keys(sleepers().all) as (keyof ReturnType<typeof sleepers>["all"])[]) {
  describe(`_sleep of ${name}`, () => {
    it("waits by the clock of the session", async () => {
      const { clock, all } = sleepers();
      let isOver = false;
      const sleeping = all[name].sleep(3).then(() => isOver = true);
      await clock.advance(2.9);
      assertEquals([isOver, clock.waits], [false, [3]]);
      await clock.advance(0.1);
      await sleeping;
      await all[name].sleep(0);
      assertEquals([isOver, clock.pending], [true, 0]);
    });

    it("rejects with the reason of the signal", async () => {
      const { clock, all } = sleepers();
      const controller = new AbortController();
      const { signal } = controller;
      const sleeping = all[name].sleep(3, { signal }).catch((error: unknown) => error);
      controller.abort(reason);
      assertStrictEquals(await sleeping, reason);
      const again = await all[name].sleep(0, { signal }).catch((error: unknown) => error);
      assertStrictEquals(again, reason);
      assertEquals(clock.pending, 0);
    });

    it("rejects with the reason of the session's signal", async () => {
      const controller = new AbortController();
      const { clock, all } = sleepers({ signal: controller.signal });
      const sleeping = all[name].sleep(3).catch((error: unknown) => error);
      controller.abort(reason);
      assertStrictEquals(await sleeping, reason);
      assertEquals(clock.pending, 0);
    });

    it("rejects seconds and signals that are not valid", async () => {
      const { all } = sleepers();
      for (const [seconds, signal] of [[-1], [NaN], ["1"], [1, {}]] as const) {
        const sleeping = all[name].sleep(seconds as never, { signal: signal as never });
        const error = await sleeping.catch((each: unknown) => each);
        const option = (error as UnexpectedValueError).option;
        assertEquals(option, signal === undefined ? "seconds" : "signal");
      }
    });
  });
}

describe("_sleep of an iterator of any other object", () => {
  it("waits by the runtime's clock", async () => {
    const items = new Items({ client: {} });
    await items.sleep(0);
    const aborted = items.sleep(1000, { signal: AbortSignal.abort(reason) });
    assertStrictEquals(await aborted.catch((error: unknown) => error), reason);
  });
});
