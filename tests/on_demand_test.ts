import { assert, assertEquals, assertRejects, describe, it } from "#test";
import { onDemand } from "../src/on_demand.ts";

describe("a module on demand", () => {
  it("is there without a wait once it has been loaded", async () => {
    let loads = 0;
    const demand = onDemand(() => Promise.resolve({ answer: ++loads }));
    assertEquals(demand.loaded, undefined);

    assertEquals((demand.loaded ?? await demand.load()).answer, 1);
    assert(demand.loaded !== undefined);
    assertEquals((demand.loaded ?? await demand.load()).answer, 1);
  });

  it("is the same module where two ask for it at once", async () => {
    const demand = onDemand(() => import("../src/clock.ts"));
    const [one, other] = await Promise.all([demand.load(), demand.load()]);

    assert(one === other && one === demand.loaded);
  });

  it("that could not be loaded is asked for again", async () => {
    let isOnline = false;
    const load = () =>
      isOnline ? Promise.resolve("here") : Promise.reject(new TypeError("offline"));
    const demand = onDemand(load);

    await assertRejects(() => demand.load(), TypeError, "offline");
    assertEquals(demand.loaded, undefined);
    isOnline = true;
    assertEquals(await demand.load(), "here");
  });
});
