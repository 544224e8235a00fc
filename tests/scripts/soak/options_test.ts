/** Tests of the command line of the soak, and of the runs that write figures. */
import { assert, assertEquals, assertStringIncludes, assertThrows, describe, it } from "#test";
import { isRecorded, readSoakOptions, SOAK_USAGE } from "../../../scripts/soak/options.ts";

describe("readSoakOptions", () => {
  it("runs ten minutes on one runtime of each kind by default", () => {
    assertEquals(readSoakOptions([]), { runtimes: ["node24", "deno", "bun"], minutes: 10 });
  });

  it("takes the runtimes and the minutes", () => {
    assertEquals(readSoakOptions(["--only", "bun,node22", "2"]), {
      runtimes: ["node22", "bun"],
      minutes: 2,
    });
  });

  it("returns nothing if it is asked for help", () => {
    for (const args of [["--help"], ["-h"], ["--only", "bun", "--help"]]) {
      assertEquals(readSoakOptions(args), undefined);
    }
    for (const part of ["--only", "MINUTES", "default: 10"]) {
      assertStringIncludes(SOAK_USAGE, part);
    }
  });

  const wrong: readonly (readonly [args: readonly string[], message: string])[] = [
    [["0"], 'a whole number from 1, not "0"'],
    [["1.5"], 'not "1.5"'],
    [["bun"], 'not "bun"'],
    [["2", "3"], 'unknown argument "3"'],
    [["--only", "node18"], "unknown runtime node18"],
    [["--minutes", "2"], "--minutes"],
  ];
  for (const [args, message] of wrong) {
    it(`throws for ${args.join(" ")}`, () => {
      assertThrows(() => readSoakOptions(args), Error, message);
    });
  }
});

describe("the figures of the soak", () => {
  it("are written by full runs only", () => {
    assert(isRecorded("bun", 10));
    const others = [["bun", 1], ["bun", 20], ["node26", 10]] as const;
    for (const [name, minutes] of others) assert(!isRecorded(name, minutes), `${name} ${minutes}`);
  });
});
