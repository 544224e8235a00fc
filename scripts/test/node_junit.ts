/**
 * A reporter for Node's test runner: Node's JUnit report, and after it a comment for each failure that
 * it leaves out although the runner exits with 1. These are hooks and bodies of groups that throw, and
 * errors after the end of the test that caused them.
 */

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
    /** In the summary: true if the runner itself exits with 0. */
    readonly success?: boolean;
  };
}

/** The failures outside of tests, and the outcome. */
export interface NodeReport {
  readonly troubles: readonly { readonly text: string }[];
  /** True if the runner itself exits with 0. Undefined if it did not reach its end. */
  readonly isSuccess?: boolean | undefined;
}

/** The beginning of the comment that has the report as JSON. */
const MARK = "besides tests: ";

/** The runner's diagnostic about an error that it cannot assign to a running test. */
const LATE_ERROR = "asynchronous activity after the test ended";

/** Yields the parts of the file. */
export default async function* report(
  events: AsyncIterable<RunnerEvent>,
): AsyncGenerator<string, void, undefined> {
  // Bun does not have the module, but reads the files that the reporter writes.
  const { junit } = await import("node:test/reporters");
  const troubles: { text: string }[] = [];
  let isSuccess: boolean | undefined;
  async function* watched(): AsyncGenerator<RunnerEvent, void, undefined> {
    for await (const event of events) {
      const text = troubleOf(event);
      if (text !== undefined) troubles.push({ text });
      if (event.type === "test:summary") isSuccess = event.data.success;
      yield event;
    }
  }
  yield* junit(watched() as Parameters<typeof junit>[0]);
  // A comment must not contain two hyphens in a row. In JSON, they are in strings alone.
  const json = JSON.stringify({ troubles, isSuccess } satisfies NodeReport);
  yield `<!-- ${MARK}${json.replaceAll("-", "\\u002d")} -->\n`;
}

function troubleOf({ type, data }: RunnerEvent): string | undefined {
  const { name, message = "", details } = data;
  if (type === "test:diagnostic") return message.includes(LATE_ERROR) ? message : undefined;
  if (type !== "test:fail" || details?.type !== "suite") return undefined;
  const { error } = details;
  // A group whose tests failed has no failure of its own.
  if (error === undefined || error.failureType === "subtestsFailed") return undefined;
  const { cause } = error;
  const reason = cause instanceof Error ? `: ${cause.stack ?? cause.message}` : "";
  return `the group "${name}" failed outside of its tests: ${error.message}${reason}`;
}

/** Reads the report from the comments of the file. */
export function nodeReportIn(comments: readonly string[]): NodeReport {
  const own = comments.find((text) => text.startsWith(MARK));
  return own === undefined ? { troubles: [] } : JSON.parse(own.slice(MARK.length));
}
