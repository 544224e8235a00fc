import { after, assertEquals, before, describe, it } from "#test";
import { systemClock } from "../../mod.ts";
import { testedGenerations } from "../support/generations.ts";

/** The classes and functions of the web that a plain call does without. */
const watched = ["AbortController", "Request", "Headers", "Response", "ReadableStream"] as const;

describe("a call without a timeout and a signal", () => {
  const created: string[] = [];
  const originals = new Map<string, unknown>();
  const { clone } = Response.prototype;

  before(() => {
    for (const name of watched) {
      originals.set(name, globalThis[name]);
      Reflect.set(
        globalThis,
        name,
        new Proxy(globalThis[name], {
          construct(target, args, newTarget) {
            created.push(name);
            return Reflect.construct(target, args, newTarget);
          },
        }),
      );
    }
    Response.prototype.clone = function (this: Response) {
      created.push("clone");
      return clone.call(this);
    };
  });
  after(() => {
    for (const [name, original] of originals) Reflect.set(globalThis, name, original);
    Response.prototype.clone = clone;
  });

  const clock = {
    now: () => systemClock.now(),
    after(seconds: number, run: () => void) {
      created.push("timer");
      return systemClock.after(seconds, run);
    },
  };

  it("is watched by counters that work", async () => {
    created.length = 0;
    new AbortController();
    new Request("http://localhost/");
    assertEquals(new Headers().has("accept"), false);
    await new Response(new ReadableStream({ start: (controller) => controller.close() })).clone()
      .text();
    assertEquals([...watched, "clone"].filter((name) => !created.includes(name)), []);
  });

  for (const { Session, mark } of testedGenerations) {
    it(`creates none of them, nor a timer${mark}`, async () => {
      const responses = Array.from({ length: 4 }, () => Response.json({ id: 7 }));
      const fetch = () => Promise.resolve(responses.shift()!);
      const session = new Session({ url: "https://api.example.com", fetch, clock, logger: null });
      await session.get("warm", { convJson: true });
      created.length = 0;
      await session.get("users/7", { convJson: true });
      await session.post("users", { json: { name: "Ada" }, params: { page: 2 }, convJson: true });
      await (await session.get("users/7")).text();
      assertEquals(created, []);
    });
  }
});
