/** Formats the results of the tests. */
import { firstLines, lastLines, seconds, section } from "../shared/report.ts";
import type { Trouble } from "./junit.ts";
import type { RuntimeName } from "../shared/runtimes.ts";
import { countsOf, type RuntimeResult } from "./runtime_results.ts";

const LABELS: Readonly<Record<RuntimeName, string>> = {
  deno: "Deno",
  node22: "Node",
  node24: "Node",
  node26: "Node",
  bun: "Bun",
};

/** Formats the line of the check that every runtime ran the same tests. */
export function agreementLine(same: boolean): string {
  return `  ${"the same tests on each runtime".padEnd(34)} ${same ? "passed" : "FAILED"}`;
}

/** Formats the line of a runtime. */
export function runtimeLine(result: RuntimeResult): string {
  const { passed, failed, skipped } = countsOf(result);
  const columns = [
    title(result).padEnd(16),
    `${passed} passed`.padStart(12),
    `${failed} ${failed > 0 ? "FAILED" : "failed"}`.padStart(10),
    `${skipped} skipped`.padStart(11),
    seconds(result.seconds),
  ];
  return `  ${columns.join(" ")}`;
}

/**
 * Formats the failed tests, each with the runtimes on which it failed. A test that fails in the
 * same way on several runtimes appears once.
 */
export function failedTests(results: readonly RuntimeResult[]): string[] {
  const byFailure = new Map<string, { name: string; detail: string; on: RuntimeName[] }>();
  for (const result of results) {
    for (const { name, outcome, detail } of result.tests) {
      if (outcome !== "failed") continue;
      const key = `${name}\n${gist(detail)}`;
      const known = byFailure.get(key);
      if (known === undefined) byFailure.set(key, { name, detail, on: [result.name] });
      else if (!known.on.includes(result.name)) known.on.push(result.name);
    }
  }
  return [...byFailure.values()].map(({ name, detail, on }) =>
    section(`${name}\n    failed on ${on.join(", ")}`, firstLines(withoutInternals(detail), 40))
  );
}

/**
 * Formats the failures outside of the tests, with the end of the runner's output if it explains
 * them. The same failures on several runtimes appear once.
 */
export function troubleDetails(results: readonly RuntimeResult[]): string[] {
  const byTexts = new Map<string, { on: string[]; troubles: readonly Trouble[] }>();
  for (const result of results) {
    const { troubles } = result;
    if (troubles.length === 0) continue;
    const texts = troubles.map(({ text }) => `* ${text}`).join("\n");
    const known = byTexts.get(texts);
    if (known === undefined) byTexts.set(texts, { on: [title(result)], troubles });
    else if (!known.on.includes(title(result))) known.on.push(title(result));
  }
  return [...byTexts].map(([texts, { on, troubles }]) => {
    const outputs = new Set(troubles.flatMap(({ output }) => output ?? []));
    const ends = [...outputs].map((output) =>
      `\n\nThe end of its output on ${on[0]}:\n${lastLines(output, 60)}`
    );
    return section(on.join(", "), texts + ends.join(""));
  });
}

/** Formats the names of tests that not all runtimes have. */
export function differenceDetails(differences: readonly string[]): string {
  return section("the runtimes did not run the same tests", firstLines(differences.join("\n"), 40));
}

/**
 * Formats the number of skipped tests for each reason, such as a server that is not installed. With
 * `verbose`, their names follow.
 */
export function leftOutLines(
  byReason: ReadonlyMap<string, readonly string[]>,
  verbose: boolean,
): string[] {
  const lines = [...byReason].flatMap(([reason, names]) => [
    `  ${names.length} ${names.length === 1 ? "test" : "tests"} left out: ${reason}`,
    ...(verbose ? names.map((name) => `    ${name.replace(/ \[left out: .+\]$/, "")}`) : []),
  ]);
  if (lines.length > 0 && !verbose) lines.push("  --verbose lists the tests that were left out");
  return lines;
}

function title({ name, version }: RuntimeResult): string {
  return version === "missing" ? `${name} missing` : `${LABELS[name]} ${version}`;
}

/** Returns the first line of a failure, without the class of the error that runners add to it. */
function gist(detail: string): string {
  return (detail.split("\n")[0] ?? "").replace(/^.*?: /, "");
}

/** Removes the stack frames of the runner and of the runtime's own modules. */
function withoutInternals(detail: string): string {
  return detail.split("\n")
    .filter((line) => !/^\s+at .*(\(|\s)(node|ext|native|internal):/.test(line))
    .join("\n");
}
