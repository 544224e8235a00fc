import { readFileSync } from "node:fs";
import { assertEquals, describe, it } from "#test";
import { ROOT } from "../../scripts/shared/source_files.ts";
import { differenceRows } from "../support/faults/difference_table.ts";
import { allCases, allFaults } from "../support/faults/matrix.ts";

const page = readFileSync(`${ROOT}/docs/project/reliability.md`, "utf8");

/** Returns the cells of the table below a heading. */
function tableBelow(heading: string): string[][] {
  const [, section = ""] = page.split(`## ${heading}\n`);
  return section.split("\n## ")[0]!.split("\n").filter((line) => line.startsWith("| "))
    .map((line) => line.slice(1, -1).split("|").map((cell) => cell.trim()))
    .slice(2);
}

describe("docs/project/reliability.md", () => {
  it("has each fault that ends differently on some runtimes", () => {
    assertEquals(tableBelow("Where runtimes differ"), differenceRows());
  });

  it("has the numbers of faults and cases", () => {
    const [direct, nginx, squid] = (["direct", "nginx", "squid"] as const)
      .map((route) => allCases(allFaults, [route]).length);
    const text = page.replace(/\s+/g, " ");
    const cases = `${direct} cases directly, ${nginx} through nginx and ${squid} through squid`;
    assertEquals(text.includes(cases), true);
    assertEquals(page.includes(`${allFaults.length} faults`), true);
  });
});
