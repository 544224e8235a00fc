import type { Fault, Outcome, RuntimeName } from "./fault.ts";
import { allFaults } from "./matrix.ts";

/** Returns an outcome in the words of the documentation. */
function wordsFor({ result, retry, needs }: Outcome): string {
  if (result === "whole") return "accepted";
  if (needs === "timeout") return "never ends without `timeout`";
  if (typeof result === "object" && "raw" in result) {
    return result.raw === "wrong text" ? "wrong text" : "`ResponseTooLargeError`";
  }
  return retry === "connection" ? "`TransportError`" : "`APIError`";
}

const runtimes: readonly RuntimeName[] = ["Deno", "Node 22", "Node", "Bun"];

function outcomesOf({ except = {}, outcome }: Fault): string[] {
  return runtimes.map((name) =>
    wordsFor(except[name] ?? (name === "Node 22" ? except.Node : undefined) ?? outcome)
  );
}

/**
 * Returns the rows of the table of differences: a fault, and its outcome on each runtime. Differences
 * that only concern the response to a HEAD are left out.
 */
export function differenceRows(): string[][] {
  return allFaults.map((fault) => [fault.name, ...outcomesOf(fault)])
    .filter(([, ...outcomes]) => new Set(outcomes).size > 1);
}
