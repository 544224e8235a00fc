/**
 * Reads the tests in a JUnit file. A test has the same full name on each runner.
 *
 * Deno writes each step with its full name, and also the containers of steps. Node and Bun nest
 * suites; Bun adds an outer suite for the file that it runs.
 */
import { SaxesParser } from "saxes";
import { nodeReportIn } from "./node_junit.ts";

/** A single test, not a group of tests. */
export interface LeafTest {
  /** The full name: `outer > inner > test`. */
  name: string;
  outcome: "passed" | "failed" | "skipped";
  /** The reason why it failed or was skipped; empty if it passed or the reason is unknown. */
  detail: string;
}

/** A failure outside of the tests: of a hook, a file that crashed, a runner that was ended. */
export interface Trouble {
  text: string;
  /** The runner's output, if it explains the failure. */
  output?: string;
}

/** The content of a JUnit file. */
export interface JunitReport {
  tests: readonly LeafTest[];
  troubles: readonly Trouble[];
  /** True if Node's runner itself exits with 0. Other runners do not report it. */
  isSuccess?: boolean | undefined;
}

/** A `<testcase>` element. `path` has the names of its suites, and its own name at the end. */
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
      return {
        // Node 22 and 24 escape double quotes twice.
        tests: testcases.map((test) =>
          leaf(test, test.path.map((name) => name.replaceAll("&quot;", '"')))
        ),
        ...nodeReportIn(comments),
      };
    case "bun":
      // Drops the outermost suite, which is the group of files.
      return { tests: testcases.map((test) => leaf(test, test.path.slice(1))), troubles: [] };
  }
}

/** Returns the reason that the `#test` port appends to the name of a test that it skips. */
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
 * Removes containers from Deno's report. A container is a test whose name is the start of other
 * tests' names. It fails if one of its steps fails, which is ignored, or if a hook fails, which is
 * reported.
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
      .map((test) => ({ text: `${test.name}: ${test.detail}` })),
  };
}
