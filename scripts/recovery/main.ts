/**
 * `deno task recovery`: simulates 1,000 clients of a server that fails for 30 s, with the real code of
 * retries and a simulated clock. Writes the figures to `docs/benchmarks/recovery.json`, the picture to
 * `docs/benchmarks/recovery.svg`, and the table to `docs/retries.md`. It takes a minute.
 */
import { readFile, writeFile } from "node:fs/promises";
import { recoveryChart, recoveryTable, type StrategyFigures, withTable } from "./report.ts";
import { REFUSAL, simulate, strategies } from "./simulation.ts";
import { ROOT } from "../shared/source_files.ts";

const figures: StrategyFigures[] = [];
for (const strategy of strategies) {
  const cheap = await simulate(strategy);
  const { seconds } = await simulate(strategy, REFUSAL);
  figures.push({ cheap, expensiveSeconds: seconds });
  console.log(`${strategy.name}: ${cheap.seconds} s, or ${seconds} s with expensive refusals`);
}
const page = `${ROOT}/docs/retries.md`;
await writeFile(`${ROOT}/docs/benchmarks/recovery.json`, `${JSON.stringify(figures)}\n`);
await writeFile(`${ROOT}/docs/benchmarks/recovery.svg`, recoveryChart(figures));
await writeFile(page, withTable(await readFile(page, "utf8"), recoveryTable(figures)));
