import { readFileSync } from "node:fs";
import { assert, assertEquals, describe, it } from "#test";
import { Library } from "../../../examples/generated/library/mod.ts";
import {
  recoveryChart,
  recoveryTable,
  type StrategyFigures,
  withTable,
} from "../../../scripts/recovery/report.ts";
import { SimulatedClock } from "../../../scripts/recovery/simulated_clock.ts";
import { simulate, strategies } from "../../../scripts/recovery/simulation.ts";
import { sourceRoot } from "../../support/contract_page.ts";

const read = (path: string) => readFileSync(new URL(path, sourceRoot()), "utf8");
const figures: readonly StrategyFigures[] = JSON.parse(read("docs/benchmarks/recovery.json"));

describe("the figures of a server that recovers", () => {
  // The others take longer, because they send more requests.
  for (const name of ["the defaults", 'jitter: "full"', "more retries"]) {
    it(`are those of the code, for ${name}`, async () => {
      const strategy = strategies.find((each) => each.name === name)!;
      const expected = figures.find(({ cheap }) => cheap.name === name)!.cheap;
      assertEquals(await simulate(strategy), expected);
    });
  }

  it("are in the table and in the picture", () => {
    assertEquals(figures.map(({ cheap }) => cheap.name), strategies.map(({ name }) => name));
    const page = read("docs/retries.md");
    assertEquals(withTable(page, recoveryTable(figures)), page);
    assertEquals(recoveryChart(figures), read("docs/benchmarks/recovery.svg"));
  });

  it("support what the page recommends", () => {
    const [fixed, defaults, jitter, budget, , more] = figures.map(({ cheap }) => cheap);
    assert(jitter!.seconds < defaults!.seconds && jitter!.peak < defaults!.peak / 2);
    assert(more!.seconds < jitter!.seconds && more!.peak < jitter!.peak);
    assert(budget!.wasted < defaults!.wasted && budget!.seconds > defaults!.seconds);
    assert(more!.wasted < fixed!.wasted / 4);
  });
});

describe("the recommended jitter", () => {
  it("is in the template and in generated clients", () => {
    assertEquals(Library.jitter, "full");
    const template = read("examples/template/src/bookshop.ts");
    assert(template.includes('static override readonly jitter = "full";'));
  });
});

describe("a simulated clock", () => {
  it("runs timers in order, those of the same time in the order of their start", async () => {
    const clock = new SimulatedClock();
    const ran: string[] = [];
    for (const [name, seconds] of [["c", 3], ["a", 1], ["b", 1], ["d", 3]] as const) {
      clock.after(seconds, () => ran.push(`${name} ${clock.now()}`));
    }
    clock.after(2, () => ran.push("cancelled"))();
    await clock.run(() => false);
    assertEquals(ran, ["a 1000", "b 1000", "c 3000", "d 3000"]);
  });
});
