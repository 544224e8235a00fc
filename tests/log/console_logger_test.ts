import { assertEquals, assertThrows, describe, it } from "#test";
import { consoleLogger } from "../../src/log/console_logger.ts";
import { isLevelEnabled, type Logger, logLevels } from "../../src/log/logger.ts";
import { UnexpectedValueError } from "../../src/errors/unexpected_value_error.ts";

/** Returns the lines that reach the console while a function runs. */
function written(run: () => void): string[] {
  const lines: string[] = [];
  const original = { ...console };
  for (const level of logLevels) {
    console[level] = (...args: unknown[]) => void lines.push([level, ...args].join(" "));
  }
  try {
    run();
  } finally {
    for (const level of logLevels) console[level] = original[level];
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
    it(`writes records of the level ${level} and above, and reports these levels as enabled`, () => {
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

  it("has methods that can be called without the object", () => {
    const { error } = consoleLogger();
    assertEquals(written(() => error("hello")), ["error hello"]);
  });

  for (const level of ["verbose", "", "WARN", "constructor", null, 7]) {
    it(`refuses an unknown level: ${level === "" ? "an empty string" : level}`, () => {
      const error = assertThrows(
        () => consoleLogger({ level: level as never }),
        UnexpectedValueError,
      );
      assertEquals(error.option, "level");
    });
  }
});

describe("asking a logger if a level is enabled", () => {
  it("returns true if the logger does not have the method", () => {
    for (const level of logLevels) assertEquals(isLevelEnabled(console, level), true);
  });

  it("calls the method of the logger, with the logger as this", () => {
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
