import { assert, assertEquals, assertRejects, describe, it } from "#test";
import { UnsupportedOptionError } from "../../../src/entries/errors.ts";
import { loadUndici, misfit } from "../../../src/http/transport/undici.ts";

describe("a version of undici", () => {
  for (const [version, fits] of [["6.29.1", false], ["7.30.2", true], ["8.12.4", true]] as const) {
    it(`${version} ${fits ? "can be used" : "is refused"}`, () => {
      const fault = misfit(version);
      assertEquals(fault === undefined, fits);
      assert(fits || fault?.includes(`undici ${version}`), fault);
    });
  }

  it("that does not work with Node is named in an error, with the option and what to install", async () => {
    // Another package stands in for undici. Its version is below 7.
    const error = await assertRejects(() => loadUndici("proxies", "zod"), UnsupportedOptionError);
    assertEquals([error.option, error.cause], ["proxies", undefined]);
    assert(
      /^"proxies" is not supported here: the installed undici 4\.\S+ is too old: run npm install undici@8$/
        .test(
          error.message,
        ),
      error.message,
    );
  });
});
