/** Tests of the sizes of bundles. */
import { readFileSync } from "node:fs";
import { assert, assertEquals, describe, it } from "#test";
import { sourceRoot } from "../../../support/contract_page.ts";
import { sizedPrograms } from "../../../../scripts/npm/sizes/programs.ts";
import { SIZE_CHART, sizeChart } from "../../../../scripts/npm/sizes/size_chart.ts";
import { sizeLine } from "../../../../scripts/npm/sizes/size_judge.ts";

describe("the size of a bundle", () => {
  const program = { name: "a client", size: 8000 };
  const line = (gzipped: number) =>
    sizeLine(program, { gzipped, minified: 21_000 }).trim().replace(/ +/g, " ");

  it("is printed with its growth since it was written down", () => {
    assertEquals(line(7600), "a client 7.6 kB gzipped (-5.0 %), 21.0 kB minified");
    assertEquals(line(8000), "a client 8.0 kB gzipped (+0.0 %), 21.0 kB minified");
  });

  it("is printed with a warning from 3 % on", () => {
    assertEquals(line(8239).includes("WARNING"), false);
    assertEquals(
      line(8240),
      "a client 8.2 kB gzipped (+3.0 %), 21.0 kB minified: WARNING: it has grown",
    );
  });

  it("is drawn in the chart for each program, as the script draws it now", () => {
    const drawn = readFileSync(new URL(SIZE_CHART, sourceRoot()), "utf8");
    const again = "draw it again: deno run -A scripts/npm/sizes/size_chart.ts";
    assertEquals(drawn, sizeChart(), again);
    for (const { name, size } of sizedPrograms) {
      const [, figure] = drawn.split(`>${name}</text>`)[1]?.match(/>([^<>]*)<\/text>/) ?? [];
      assertEquals(figure, `${(size / 1000).toFixed(1)} kB`, name);
    }
  });

  it("is known for each program, and each uses a client", () => {
    assert(sizedPrograms.length >= 3);
    for (const { code, size } of sizedPrograms) assert(size > 30_000 && code.includes("APIClient"));
  });
});
