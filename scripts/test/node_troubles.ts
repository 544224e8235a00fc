/**
 * A reporter for Node's test runner: the failures that make it exit with 1, and that neither its JUnit
 * report nor its number of failed tests shows. These are hooks and bodies of groups that throw, and
 * errors after the end of the test that caused them.
 *
 * `--test-reporter=./scripts/test/node_troubles.ts --test-reporter-destination=FILE` writes a line of
 * JSON for each.
 */
import type { Trouble } from "./junit.ts";

/** The parts of the runner's events that are read here. */
interface RunnerEvent {
  readonly type: string;
  readonly data: {
    readonly name?: string;
    readonly file?: string;
    /** The text of a diagnostic. */
    readonly message?: string;
    readonly details?: {
      /** `suite` for a group of tests. */
      readonly type?: string;
      readonly error?: Error & { readonly failureType?: string };
    };
    /** True in the summary if the runner will exit with 0. */
    readonly success?: boolean;
  };
}

/** The runner's diagnostic about an error that it cannot assign to a running test. */
const LATE_ERROR = "asynchronous activity after the test ended";

/** The failures and the outcome that Node reported besides tests. */
export interface NodeReport {
  readonly troubles: readonly Trouble[];
  /** True if the runner itself exits with 0. Undefined if it did not reach its end. */
  readonly isSuccess?: boolean;
}

/** Yields the lines of the report. */
export default async function* report(
  events: AsyncIterable<RunnerEvent>,
): AsyncGenerator<string, void, undefined> {
  for await (const { type, data } of events) {
    const text = troubleOf(type, data);
    if (text !== undefined) yield `${JSON.stringify({ text })}\n`;
    // With processes for each file, there is a summary for each, too.
    if (type === "test:summary" && data.file === undefined) {
      yield `${JSON.stringify({ isSuccess: data.success })}\n`;
    }
  }
}

function troubleOf(
  type: string,
  { name, message = "", details }: RunnerEvent["data"],
): string | undefined {
  if (type === "test:diagnostic") return message.includes(LATE_ERROR) ? message : undefined;
  if (type !== "test:fail" || details?.type !== "suite") return undefined;
  const { error } = details;
  // A group whose tests failed has no failure of its own.
  if (error === undefined || error.failureType === "subtestsFailed") return undefined;
  const { cause } = error;
  const reason = cause instanceof Error ? `: ${cause.stack ?? cause.message}` : "";
  return `the group "${name}" failed outside of its tests: ${error.message}${reason}`;
}

/** Reads a report. */
export function readNodeReport(text: string): NodeReport {
  const lines = text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line)) as (
    | Trouble
    | { readonly isSuccess: boolean }
  )[];
  const troubles = lines.filter((line) => "text" in line);
  const summary = lines.find((line) => "isSuccess" in line);
  return { troubles, ...summary };
}
