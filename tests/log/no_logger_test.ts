import { assertEquals, it } from "#test";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { describeGenerations } from "../support/generations.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { scripted } from "../support/scripted.ts";

describeGenerations("a logger of null", ({ Session }) => {
  const url = "https://api.example.com";

  it("writes no record, not even to the console", async () => {
    const { warn, error } = console;
    const records: unknown[] = [];
    console.warn = console.error = (...args: unknown[]) => void records.push(args);
    try {
      const adapter = scripted(503, new TypeError("fetch failed"), 200);
      const session = new Session({
        url,
        adapter,
        clock: fakeClock({ autoAdvance: true }),
        logger: null,
      });
      assertEquals((await session.get("x")).status, 200);
    } finally {
      Object.assign(console, { warn, error });
    }
    assertEquals(records, []);
  });

  it("turns the session's logger off for one call", async () => {
    const log = recordingLogger();
    const session = new Session({ url, adapter: scripted(200, 200), logger: log });
    await session.get("x", { logger: null });
    assertEquals(log.messages().join("\n"), "");
    await session.get("x");
    assertEquals(log.messages("debug").length, 1);
  });
});
