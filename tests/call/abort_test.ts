import { assertEquals, assertRejects, describe, it } from "#test";
import { DeadlineExceededError, type RequestOptions } from "../../mod.ts";
import { describeGenerations } from "../support/generations.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { scripted } from "../support/scripted.ts";
import { until } from "../support/until.ts";

const url = "https://vault.example.com";
const never = () => new Promise<never>(() => {});

describeGenerations("a call that waits for a hook", ({ Session }) => {
  class Slow extends Session {
    static override readonly url: string = url;
    static override readonly backoff: number = 0;
    begun = false;
  }
  class SlowCheck extends Slow {
    protected override _respErrorCheck(): Promise<Response> {
      this.begun = true;
      return never();
    }
  }
  class SlowRetry extends Slow {
    protected override _retryRequest(): Promise<RequestOptions> {
      this.begun = true;
      return never();
    }
  }

  for (
    const [hook, Hooked, status] of [
      ["_respErrorCheck", SlowCheck, 200],
      ["_retryRequest", SlowRetry, 503],
    ] as const
  ) {
    it(`is aborted by a signal while ${hook} runs`, async () => {
      const controller = new AbortController();
      const session = new Hooked({ adapter: scripted(status) });
      const call = session.get("a", { signal: controller.signal, convJson: true });
      const refused = assertRejects(() => call, Error, "enough");
      await until(() => session.begun);
      controller.abort(new Error("enough"));
      await refused;
      await session.close();
    });

    it(`is aborted at its deadline while ${hook} runs`, async () => {
      const clock = fakeClock();
      const session = new Hooked({ adapter: scripted(status), clock });
      const refused = assertRejects(() => session.get("a", { deadline: 3 }), DeadlineExceededError);
      await until(() => session.begun);
      await clock.advance(3);
      await refused;
      assertEquals(clock.pending, 0);
      await session.close();
    });
  }

  it("is aborted while the hook reads a body that never ends, which is cancelled", async () => {
    class Reading extends Slow {
      protected override async _respErrorCheck(response: Response): Promise<Response> {
        this.begun = true;
        await response.text();
        return response;
      }
    }
    let cancelled = 0;
    const body = new ReadableStream<Uint8Array>({
      start: (stream) => stream.enqueue(new TextEncoder().encode("a")),
      cancel: () => void cancelled++,
    });
    const controller = new AbortController();
    const session = new Reading({ adapter: scripted(() => new Response(body)) });
    const response = session.get("a", { signal: controller.signal });
    const refused = assertRejects(() => response, Error, "enough");
    await until(() => session.begun);
    controller.abort(new Error("enough"));
    await refused;
    await until(() => cancelled === 1);
    await session.close();
  });
});

describe("a signal that many calls share", () => {
  it("has one listener, which is removed after the calls", async () => {
    const { APISession } = await import("../../mod.ts");
    const { signal } = new AbortController();
    let most = 0;
    let active = 0;
    const { addEventListener, removeEventListener } = signal;
    signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
      most = Math.max(most, ++active);
      addEventListener.apply(signal, args);
    };
    signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
      active--;
      removeEventListener.apply(signal, args);
    };
    const adapter = () => Promise.resolve(Response.json(1));
    const session = new APISession({ url, adapter });
    const calls = Array.from({ length: 20 }, () => session.get("a", { signal, convJson: true }));
    assertEquals(await Promise.all(calls), Array.from({ length: 20 }, () => 1));
    assertEquals([most, active], [1, 0]);
  });
});
