/** Tests of the command line of the test script. */
import { assertEquals, assertThrows, describe, it } from "#test";
import { partialRun, readOptions } from "../../../scripts/test/options.ts";
import { RUNTIME_NAMES } from "../../../scripts/shared/runtimes.ts";

describe("readOptions", () => {
  it("runs everything by default", () => {
    const options = readOptions([]);
    assertEquals(options, {
      only: RUNTIME_NAMES,
      checks: true,
      filters: [],
      bothGenerations: false,
      tests: "usual",
      repeat: 1,
      verbose: false,
    });
    assertEquals(partialRun(options), undefined);
  });

  it("limits a run, which partialRun then describes", () => {
    const options = readOptions(["--only", "bun,deno", "errors/", "--no-checks"]);
    const { only, checks, filters } = options;
    assertEquals({ only, checks, filters }, {
      only: ["deno", "bun"],
      checks: false,
      filters: ["errors/"],
    });
    assertEquals(partialRun(options), "only deno, bun; only files with errors/; no checks");
  });

  it("runs all tests on runtimes and files that the user chose, unless --tests limits them", () => {
    assertEquals(readOptions(["--only", "bun"]).tests, "all");
    assertEquals(readOptions(["errors/"]).tests, "all");
    assertEquals(readOptions(["--no-checks", "--generations", "both"]).tests, "usual");
    assertEquals(readOptions(["--tests", "all"]).tests, "all");
    const options = readOptions(["--only", "deno", "--tests", "runtime"]);
    const limits = "only deno; only tests of what depends on the runtime";
    assertEquals([options.tests, partialRun(options)], ["runtime", limits]);
    const wrong = "--tests must be all or runtime, not some";
    assertThrows(() => readOptions(["--tests", "some"]), Error, wrong);
  });

  it("leaves out the checks if the tests run several times", () => {
    const { repeat, checks } = readOptions(["--repeat", "3"]);
    assertEquals([repeat, checks], [3, false]);
    for (const wrong of ["1", "0", "2.5", "many"]) {
      const message = `--repeat must be a whole number from 2, not ${wrong}`;
      assertThrows(() => readOptions(["--repeat", wrong]), Error, message);
    }
  });

  it("accepts one or both generations", () => {
    assertEquals(readOptions(["--generations", "both"]).bothGenerations, true);
    assertEquals(readOptions(["--generations", "one"]).bothGenerations, false);
    assertThrows(() => readOptions(["--generations", "2"]), Error, "must be one or both, not 2");
  });

  it("accepts --verbose, which does not make a run partial", () => {
    const options = readOptions(["--verbose"]);
    assertEquals([options.verbose, partialRun(options)], [true, undefined]);
  });

  it("throws for unknown runtimes and options", () => {
    assertThrows(() => readOptions(["--only", "deno,node18"]), Error, "node18");
    assertThrows(() => readOptions(["--only", ","]), Error, "must name at least one runtime");
    assertThrows(() => readOptions(["--chekcs"]), Error);
  });
});
