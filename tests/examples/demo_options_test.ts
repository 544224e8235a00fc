import process from "node:process";
import { fileURLToPath } from "node:url";
import { assert, assertEquals, assertStringIncludes, assertThrows, describe, it } from "#test";
import { DEMO_USAGE, readDemoOptions, usesColours } from "../../examples/demo/demo_options.ts";
import { runChild } from "../../scripts/shared/child.ts";
import { sourceRoot } from "../support/contract_page.ts";

/** Runs the demo as its own process, with its output in a pipe. */
function runDemo(...args: string[]): ReturnType<typeof runChild> {
  const cwd = fileURLToPath(sourceRoot());
  const own = "Deno" in globalThis ? ["run", "-q", "-A", "--no-check"] : [];
  return runChild(process.execPath, [...own, "examples/demo.ts", ...args], { cwd });
}

describe("the options of the demo", () => {
  it("are --slow, --verbose and --help, and are off by default", () => {
    assertEquals(readDemoOptions([]), { slow: false, verbose: false, help: false });
    assertEquals(readDemoOptions(["--slow", "--verbose"]), {
      slow: true,
      verbose: true,
      help: false,
    });
    assertEquals(readDemoOptions(["--help"]).help, true);
  });

  it("refuse anything else, and list what is known", () => {
    for (const [args, shown] of [[["--fast"], "--fast"], [["--slow", "3"], "3"], [["-v"], "-v"]]) {
      assertThrows(
        () => readDemoOptions(args as string[]),
        Error,
        `unknown option "${shown}"; known: --slow, --verbose, --help`,
      );
    }
  });

  it("are all in the usage text", () => {
    for (const name of ["--slow", "--verbose", "--help"]) assertStringIncludes(DEMO_USAGE, name);
  });

  it("end the demo with code 2 and the usage text if one is unknown", async () => {
    const { code, stdout, output } = await runDemo("--fast");

    assertEquals(code, 2, output);
    assertEquals(stdout, "");
    assertStringIncludes(output, `unknown option "--fast"`);
    assertStringIncludes(output, DEMO_USAGE);
  });

  it("print only the usage text for --help", async () => {
    const { code, stdout, output } = await runDemo("--help");

    assertEquals(code, 0, output);
    assertEquals(stdout.trim(), DEMO_USAGE);
  });
});

describe("the colours of the demo", () => {
  it("need a terminal, and no NO_COLOR", () => {
    const rows: [isTerminal: boolean, noColor: string | undefined, expected: boolean][] = [
      [true, undefined, true],
      [true, "", true],
      [true, "1", false],
      [true, "0", false],
      [false, undefined, false],
      [false, "1", false],
    ];
    for (const [isTerminal, noColor, expected] of rows) {
      assertEquals(usesColours({ isTerminal, noColor }), expected, `${isTerminal}, ${noColor}`);
    }
  });

  it("are left out of a pipe", async () => {
    const { code, stdout, output } = await runDemo();

    assertEquals(code, 0, output);
    assert(stdout.includes("The API is stopped."), output);
    assertEquals(stdout.includes("\x1b"), false);
  });
});
