import { assertEquals, assertThrows, describe, it } from "#test";
import { APISession, type LogLevel, UnexpectedValueError } from "../../mod.ts";
import { fakeClock, mockTransport, recordingLogger, replies } from "../../src/testing/mod.ts";

describe("a recording logger", () => {
  it("stores the records of a session", async () => {
    const logger = recordingLogger();
    const api = new APISession({
      url: "https://api.example.com",
      fetch: mockTransport({ "GET /a": replies(503, 200) }),
      clock: fakeClock({ autoAdvance: true }),
      logger,
    });
    await api.get("a");
    assertEquals(logger.records.map(({ level }) => level), ["debug", "warn", "debug"]);
    assertEquals(logger.json("warn").map(({ attempt, wait }) => [attempt, wait]), [[1, 1]]);
    assertEquals(logger.json().length, 3);
  });

  it("returns the texts of all records or of one level, and parses those that are JSON", () => {
    const logger = recordingLogger();
    logger.warn("plain text");
    logger.warn('{"a":1}');
    logger.info("[1]");
    assertEquals(logger.messages(), ["plain text", '{"a":1}', "[1]"]);
    assertEquals(logger.messages("warn"), ["plain text", '{"a":1}']);
    assertEquals(logger.messages("error"), []);
    assertEquals([logger.json(), logger.json("info")], [[{ a: 1 }], []]);
  });

  it("records only a level and those above it", () => {
    const logger = recordingLogger({ level: "warn" });
    for (const level of ["debug", "info", "warn", "error"] as const) logger[level](level);
    assertEquals(logger.messages(), ["warn", "error"]);
    assertEquals(logger.isLevelEnabled?.("info"), false);
    const level = "loud" as LogLevel;
    assertThrows(() => recordingLogger({ level }), UnexpectedValueError);
  });
});
