/**
 * The tests in a JUnit file, with the same full names whichever runner wrote it.
 *
 * Deno writes each step with its full name, containers among them; Node and Bun nest suites, Bun
 * with a suite for each file around them.
 */
import { SaxesParser } from "saxes";

/** One test, without the groups around it. */
export interface LeafTest {
  /** `outer > inner > test`. */
  name: string;
  outcome: "passed" | "failed" | "skipped";
  /** Why it failed, or why it was left out, as far as that is known. */
  detail: string;
}

/** A failure that is no single test's: a hook, a file that crashed, a runner that was ended. */
export interface Trouble {
  text: string;
  /** Whether what the runner printed says more about it. */
  seeOutput: boolean;
}

/** What a runner reported. */
export interface JunitReport {
  tests: LeafTest[];
  troubles: Trouble[];
}

/** A testcase as it stands in the file, below the names of its suites. */
interface Testcase {
  path: string[];
  outcome: LeafTest["outcome"];
  message: string;
  text: string;
}

const SEPARATOR = " > ";

/** Reads a JUnit file written by one of the runners. */
export function readJunit(xml: string, kind: "deno" | "node" | "bun"): JunitReport {
  const { testcases, comments } = parse(xml);
  switch (kind) {
    case "deno":
      return withoutContainers(testcases);
    case "node":
      return withoutFiles(testcases, comments);
    case "bun":
      // The outermost suite is the file.
      return { tests: testcases.map((test) => leaf(test, test.path.slice(1))), troubles: [] };
  }
}

/** The reason in the name of a test that was left out by the `#test` port. */
export function reasonInName(name: string): string | undefined {
  return /\[left out: (.+)\]$/.exec(name)?.[1];
}

function parse(xml: string): { testcases: Testcase[]; comments: string[] } {
  const testcases: Testcase[] = [];
  const comments: string[] = [];
  const suites: string[] = [];
  let current: Testcase | undefined;
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw new Error(`The JUnit file is not well-formed: ${error.message}`);
  });
  parser.on("opentag", ({ name, attributes }) => {
    if (name === "testsuite") suites.push(attributes["name"] ?? "");
    else if (name === "testcase") {
      const path = [...suites, attributes["name"] ?? ""];
      current = { path, outcome: "passed", message: "", text: "" };
      testcases.push(current);
    } else if (current !== undefined && (name === "failure" || name === "error")) {
      current.outcome = "failed";
      current.message = attributes["message"] ?? "";
    } else if (current !== undefined && name === "skipped") {
      current.outcome = "skipped";
    }
  });
  parser.on("text", (text) => {
    if (current?.outcome === "failed") current.text += text;
  });
  parser.on("closetag", ({ name }) => {
    if (name === "testsuite") suites.pop();
    else if (name === "testcase") current = undefined;
  });
  parser.on("comment", (text) => comments.push(text.trim()));
  parser.write(xml).close();
  return { testcases, comments };
}

function leaf(test: Testcase, path: readonly string[]): LeafTest {
  const name = path.join(SEPARATOR);
  const detail = test.outcome === "skipped"
    ? reasonInName(name) ?? ""
    : (test.text.trim() || test.message.trim());
  return { name, outcome: test.outcome, detail };
}

/**
 * Deno: a container is a name that others begin with. It fails with its steps, which says nothing
 * new, or on its own, which is a hook that failed.
 */
function withoutContainers(testcases: readonly Testcase[]): JunitReport {
  const tests = testcases.map((test) => leaf(test, test.path.slice(1)));
  const containers = new Set<string>();
  for (const { name } of tests) {
    const parts = name.split(SEPARATOR);
    for (let end = 1; end < parts.length; end++) {
      containers.add(parts.slice(0, end).join(SEPARATOR));
    }
  }
  const isContainer = ({ name }: LeafTest): boolean => containers.has(name);
  return {
    tests: tests.filter((test) => !isContainer(test)),
    troubles: tests
      .filter((test) => isContainer(test) && test.outcome === "failed")
      .filter((test) => !/^\d+ test steps? failed/.test(test.detail))
      .map((test) => ({ text: `${test.name}: ${test.detail}`, seeOutput: false })),
  };
}

/**
 * Node: a file that has no tests or that crashed is a testcase with the file's path for a name.
 * Node 22 and 24 escape a double quote twice.
 */
function withoutFiles(testcases: readonly Testcase[], comments: readonly string[]): JunitReport {
  const report: JunitReport = { tests: [], troubles: [] };
  for (const test of testcases) {
    const path = test.path.map((name) => name.replaceAll("&quot;", '"'));
    const name = path.at(-1) ?? "";
    if (path.length === 1 && /_test\.ts$/.test(name)) {
      const file = name.replace(/^.*?(tests\/.*)$/, "$1");
      report.troubles.push(
        test.outcome === "failed"
          ? { text: `${file} did not get to its end`, seeOutput: true }
          : { text: `${file} has no tests`, seeOutput: false },
      );
    } else {
      report.tests.push(leaf(test, path));
    }
  }
  // Node does not fail a test for what it does after its end, as Bun does.
  report.troubles.push(
    ...comments.filter((text) => text.includes("asynchronous activity after the test ended"))
      .map((text) => ({ text, seeOutput: false })),
  );
  return report;
}
