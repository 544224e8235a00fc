import { after, assert, assertEquals, before, describe, it } from "#test";
import { faultOf, kinds } from "./support/soak/soak_client.ts";
import { type Residue, Soak } from "./support/soak/soak.ts";
import { type SoakServer, spawnSoakServer } from "./support/soak/soak_server.ts";

describe("64 calls of all kinds in flight, with faults in 5 % of the requests", () => {
  let server: SoakServer;
  before(async () => {
    server = await spawnSoakServer();
  });
  after(() => server.stop());

  it("lose no call, and do nothing twice that is not idempotent", async () => {
    const soak = new Soak(server.url);
    const residues: Residue[] = [];
    try {
      for (let round = 0; round < 4; round++) {
        await soak.round(600);
        residues.push(await soak.residue());
      }
    } finally {
      await soak.close();
    }
    assertEquals(soak.wrong, []);
    const { calls, requests, faults, failed } = soak.counts;
    for (const kind of kinds) assertEquals(calls[kind], 200, kind);
    assert(faults > 60, `${faults} faults in ${requests} requests are too few`);
    assert(failed > 0, "no call failed by a fault that is not retried");
    for (const { listeners, timers, connections } of residues) {
      assertEquals({ listeners, timers }, { listeners: 0, timers: 0 });
      assert(connections <= 128, `${connections} connections`);
    }
  });
});

describe("the check of the soak", () => {
  const once = { requests: 1, faults: 0, applied: 1 };
  const error = new RangeError("expected 1, but got 2");
  const rows = [
    ["a POST that was done twice", "POST with a key", undefined, { ...once, applied: 2 }],
    ["a lost POST", "POST without a retry", undefined, { ...once, applied: 0 }],
    ["a wrong result", "JSON", error, once],
    ["an error without a fault", "JSON", new DOMException("lost", "AbortError"), once],
  ] as const;

  for (const [name, kind, error, record] of rows) {
    it(`finds ${name}`, () => {
      assert(faultOf({ kind, number: 1, error }, record)?.startsWith(`call 1 (${kind})`));
    });
  }

  it("accepts a right result", () => {
    assertEquals(faultOf({ kind: "JSON", number: 1, error: undefined }, once), undefined);
  });
});
