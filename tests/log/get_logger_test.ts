import { getLogger } from "#log";
import { afterEach, assertEquals, describe, it } from "#test";
import { APISession, TransportError } from "../../mod.ts";
import { isLevelEnabled, logLevels } from "../../src/log/logger.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { isJsrEdition } from "../support/edition.ts";
import { scripted } from "../support/scripted.ts";
import { setUpStdLog, type StdLoggers } from "../support/std_log.ts";

/** Returns the lines that reach the console while a function runs. */
async function written(run: () => unknown): Promise<string[]> {
  const lines: string[] = [];
  const original = { ...console };
  for (const level of logLevels) {
    console[level] = (...args: unknown[]) => void lines.push([level, ...args].join(" "));
  }
  try {
    await run();
  } finally {
    for (const level of logLevels) console[level] = original[level];
  }
  return lines;
}

describe("the logger of a name, in both editions", () => {
  it("writes warnings and errors to the console if the program has set up nothing", async () => {
    const logger = getLogger("restwright-test.Plain");
    assertEquals(
      await written(() => logLevels.forEach((level) => logger[level](`a ${level} record`))),
      [
        "warn restwright-test.Plain: a warn record",
        "error restwright-test.Plain: a error record",
      ],
    );
  });

  it("reports which levels are written, so that no other record is built", () => {
    const logger = getLogger("restwright-test.Levels");
    const enabled = logLevels.filter((level) => isLevelEnabled(logger, level));
    assertEquals(enabled, ["warn", "error"]);
  });

  // contract: life-2
  it("is created by a session with the names of the library and the class", async () => {
    class Loom extends APISession {
      static override readonly url: string = "https://a.example";
      static override readonly libName: string = "loom-sdk";
    }
    const loom = new Loom({
      adapter: scripted(new TransportError("no"), 200),
      clock: fakeClock({ autoAdvance: true }),
    });
    const lines = await written(() => loom.get("x"));
    assertEquals(lines.map((line) => line.replace(/\{.*/, "")), [
      "error loom-sdk.Loom: ",
      "warn loom-sdk.Loom: ",
    ]);
  });
});

describe("the logger of a name that is set up in @std/log, if the edition has it", () => {
  const name = "restwright-test.SetUp";
  const toConsole = [`warn ${name}: a warn record`, `error ${name}: a error record`];
  const enabled = ["warn", "error"];
  const table: readonly {
    readonly what: string;
    readonly loggers: StdLoggers;
    readonly console: readonly string[];
    readonly handled?: readonly string[];
    readonly enabled: readonly string[];
  }[] = [
    {
      what: "writes only to its handler if it has one",
      loggers: { [name]: { level: "WARN", handlers: ["recording"] } },
      console: [],
      handled: ["WARN a warn record", "ERROR a error record"],
      enabled,
    },
    {
      what: "writes to its handler from INFO on if it has no level",
      loggers: { [name]: { handlers: ["recording"] } },
      console: [],
      handled: ["INFO a info record", "WARN a warn record", "ERROR a error record"],
      enabled: ["info", ...enabled],
    },
    {
      what: "is silent with an empty list of handlers",
      loggers: { [name]: { level: "DEBUG", handlers: [] } },
      console: [],
      enabled: [],
    },
    {
      what: "is silent with an empty list of handlers and without a level",
      loggers: { [name]: { handlers: [] } },
      console: [],
      enabled: [],
    },
    {
      what: "is silent without handlers and without a level",
      loggers: { [name]: {} },
      console: [],
      enabled: [],
    },
    {
      what: "writes to the console if only a part of its name is set up",
      loggers: { "restwright-test": { level: "DEBUG", handlers: ["recording"] } },
      console: toConsole,
      enabled,
    },
  ];

  afterEach(async () => {
    await setUpStdLog({});
  });

  for (const { what, loggers, console, handled = [], enabled: levels } of table) {
    it(what, async () => {
      const logger = getLogger(name);
      const records = await setUpStdLog(loggers);

      const lines = await written(() =>
        logLevels.forEach((level) => logger[level](`a ${level} record`))
      );

      // The npm edition always writes to the console.
      assertEquals(lines, [...(isJsrEdition ? console : toConsole)]);
      assertEquals(records, [...(isJsrEdition ? handled : [])]);
      assertEquals(
        logLevels.filter((level) => isLevelEnabled(logger, level)),
        [...(isJsrEdition ? levels : enabled)] as typeof logLevels,
      );
    });
  }
});
