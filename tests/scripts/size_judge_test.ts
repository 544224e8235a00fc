/** Tests of the size limits of bundles. */
import { readFileSync } from "node:fs";
import { assert, assertEquals, describe, it } from "#test";
import { sourceRoot } from "../support/contract_page.ts";
import { sizedPrograms } from "../../scripts/tarball/sizes/programs.ts";
import { SIZE_CHART, sizeChart } from "../../scripts/tarball/sizes/size_chart.ts";
import { faultsOfSize, sizeLine } from "../../scripts/tarball/sizes/size_judge.ts";

describe("the size of a bundle", () => {
  const program = { name: "a client", limit: 8000 };

  it("is accepted up to its limit", () => {
    assertEquals(faultsOfSize(program, { gzipped: 8000 }), []);
  });

  it("is a fault above its limit, with the number of extra bytes", () => {
    assertEquals(faultsOfSize(program, { gzipped: 8012 }), [
      "a client: 8012 bytes gzipped, 12 more than the limit",
    ]);
  });

  it("is printed with its limit", () => {
    const line = sizeLine(program, { gzipped: 7650, minified: 21_000 });
    assertEquals(
      line.trim().replace(/ +/g, " "),
      "a client 7.7 kB gzipped of at most 8.0 kB, 21.0 kB minified",
    );
  });

  it("is drawn in the chart for each program, as the script draws it now", () => {
    const drawn = readFileSync(new URL(SIZE_CHART, sourceRoot()), "utf8");
    const again = "draw it again: deno run -A scripts/tarball/sizes/size_chart.ts";
    assertEquals(drawn, sizeChart(), again);
    for (const { name, limit } of sizedPrograms) {
      const [, figure] = drawn.split(`>${name}</text>`)[1]?.match(/>([^<>]*)<\/text>/) ?? [];
      assertEquals(figure, `${(limit / 1000).toFixed(1)} kB`, name);
    }
  });

  it("has a limit for each program, which grows with the features of the program", () => {
    const limits = sizedPrograms.map(({ limit }) => limit);
    assert(limits.length >= 3);
    assertEquals(limits, [...limits].sort((one, other) => one - other));
    for (const { code } of sizedPrograms) assert(code.includes("APIClient"));
  });
});
