import { assertEquals, assertThrows, describe, it } from "#test";
import { consoleLogger } from "../../src/log/console_logger.ts";
import { isLevelEnabled, type Logger, logLevels } from "../../src/log/logger.ts";
import { UnexpectedValueError } from "../../src/errors/unexpected_value_error.ts";

/** What reaches the console while a function runs. */
function written(run: () => void): string[] {
  const lines: string[] = [];
  const own = { ...console };
  for (const level of logLevels) {
    console[level] = (...args: unknown[]) => void lines.push([level, ...args].join(" "));
  }
  try {
    run();
  } finally {
    for (const level of logLevels) console[level] = own[level];
  }
  return lines;
}

function writeAll(logger: Logger): void {
  for (const level of logLevels) logger[level](`a ${level} record`);
}

describe("a logger over the console", () => {
  it("writes warnings and errors by default, to the methods of their names", () => {
    const logger = consoleLogger();
    assertEquals(written(() => writeAll(logger)), [
      "warn a warn record",
      "error a error record",
    ]);
  });

  for (const [index, level] of logLevels.entries()) {
    it(`of the level ${level} writes it and what is more urgent, and says so`, () => {
      const logger = consoleLogger({ level });
      const enabled = logLevels.slice(index);
      assertEquals(
        written(() => writeAll(logger)),
        enabled.map((each) => `${each} a ${each} record`),
      );
      assertEquals(logLevels.filter((each) => isLevelEnabled(logger, each)), enabled);
    });
  }

  it("puts its name before each record", () => {
    const logger = consoleLogger({ name: "sdk.Users", level: "info" });
    assertEquals(written(() => logger.info("hello")), ["info sdk.Users: hello"]);
  });

  it("its methods can be called on their own", () => {
    const { error } = consoleLogger();
    assertEquals(written(() => error("hello")), ["error hello"]);
  });

  for (const level of ["verbose", "", "WARN", "constructor", null, 7]) {
    it(`refuses a level that is none of the four: ${level === "" ? "an empty text" : level}`, () => {
      const error = assertThrows(
        () => consoleLogger({ level: level as never }),
        UnexpectedValueError,
      );
      assertEquals(error.option, "level");
    });
  }
});

describe("whether a level is enabled", () => {
  it("a logger that does not tell gets every record", () => {
    for (const level of logLevels) assertEquals(isLevelEnabled(console, level), true);
  });

  it("a logger that tells is asked, as its own method", () => {
    const logger: Logger & { least: string } = {
      ...consoleLogger(),
      least: "error",
      isLevelEnabled(level) {
        return level === this.least;
      },
    };
    assertEquals(logLevels.filter((level) => isLevelEnabled(logger, level)), ["error"]);
  });
});
