import { getLogger } from "#log";
import { assertEquals, describe, it } from "#test";
import { APISession, TransportError } from "../../mod.ts";
import { isLevelEnabled, logLevels } from "../../src/log/logger.ts";
import { FakeClock } from "../support/fake_clock.ts";
import { scripted } from "../support/scripted.ts";

/** What reaches the console while a function runs. */
async function written(run: () => unknown): Promise<string[]> {
  const lines: string[] = [];
  const own = { ...console };
  for (const level of logLevels) {
    console[level] = (...args: unknown[]) => void lines.push([level, ...args].join(" "));
  }
  try {
    await run();
  } finally {
    for (const level of logLevels) console[level] = own[level];
  }
  return lines;
}

describe("the logger of a name, in either edition", () => {
  it("where the program set nothing up, warnings and errors go to the console", async () => {
    const logger = getLogger("restwright-test.Plain");
    assertEquals(
      await written(() => logLevels.forEach((level) => logger[level](`a ${level} record`))),
      [
        "warn restwright-test.Plain: a warn record",
        "error restwright-test.Plain: a error record",
      ],
    );
  });

  it("tells which levels are written, so that no other record is built", () => {
    const logger = getLogger("restwright-test.Levels");
    const enabled = logLevels.filter((level) => isLevelEnabled(logger, level));
    assertEquals(enabled, ["warn", "error"]);
  });

  it("a logger named after the library and the class is created by a session", async () => {
    class Loom extends APISession {
      static override readonly url: string = "https://a.example";
      static override readonly libName: string = "loom-sdk";
    }
    const loom = new Loom({
      adapter: scripted(new TransportError("no"), 200),
      clock: new FakeClock(),
    });
    const lines = await written(() => loom.get("x"));
    assertEquals(lines.map((line) => line.replace(/\{.*/, "")), [
      "error loom-sdk.Loom: ",
      "warn loom-sdk.Loom: ",
    ]);
  });
});
