import { assert, assertEquals, assertRejects, describe, it } from "#test";
import { UnsupportedOptionError } from "../../../mod.ts";
import { loadUndici, misfit } from "../../../src/http/transport/undici.ts";

describe("a version of undici", () => {
  const rows: readonly (readonly [version: string, builtin: number, fits: boolean])[] = [
    ["5.29.0", 6, false],
    ["6.29.1", 6, true],
    ["6.29.1", 7, true],
    ["6.29.1", 8, false],
    ["7.30.2", 6, true],
    ["7.30.2", 7, true],
    ["7.30.2", 8, true],
    ["8.12.4", 6, true],
    ["8.12.4", 7, true],
    ["8.12.4", 8, true],
    ["9.0.0", 8, true],
  ];
  for (const [version, builtin, fits] of rows) {
    it(`${version} ${fits ? "works" : "does not work"} with a Node that has undici ${builtin}`, () => {
      const fault = misfit(version, builtin);
      assertEquals(fault === undefined, fits);
      assert(fits || fault?.includes(`undici ${version}`), fault);
    });
  }

  it("that does not work with Node is named in an error, with the option and what to install", async () => {
    // Another package stands in for undici. Its version is below 6.
    const error = await assertRejects(() => loadUndici("proxies", "zod"), UnsupportedOptionError);
    assertEquals([error.option, error.cause], ["proxies", undefined]);
    assert(
      /^"proxies" is not supported here: the installed undici 4\.\S+ is too old .*: run npm install undici@8$/
        .test(
          error.message,
        ),
      error.message,
    );
  });
});
