/** Compiles the tests, examples and README of an SDK against a client, and runs its tests. */
import { relative } from "node:path";
import { readFile } from "node:fs/promises";
import { runNode } from "./child.ts";
import { type Project, textOf, type Tools } from "./project.ts";
import { TrialError } from "./trial_error.ts";
import { type Side, TRIAL_FOLDER, type Workspace } from "./workspace.ts";

/** An error of the compiler. */
export interface TypeProblem {
  /** The file, relative to the repository. */
  readonly file: string;
  readonly line: number;
  /** The code and the message: `TS2554: Expected 1-2 arguments, but got 0.` */
  readonly message: string;
}

/** The result of a test. */
export interface TestOutcome {
  readonly file: string;
  readonly name: string;
  readonly status: "passed" | "failed" | "skipped";
  /** The first message of a failure. */
  readonly message: string;
}

/** The results of a client. */
export interface Outcome {
  readonly problems: readonly TypeProblem[];
  readonly tests: readonly TestOutcome[];
  /** The files whose tests could not be run, with the reason. */
  readonly unloaded: readonly { readonly file: string; readonly message: string }[];
}

/** An error in the output of the compiler. */
const PROBLEM = /^(.+?)\((\d+),\d+\): error (TS\d+: .*)$/;

/**
 * Compiles the tests, examples and programs of the README.
 *
 * @throws {TrialError} If the compiler does not run
 */
export async function compile(
  { folder }: Project,
  { tsc }: Tools,
  workspace: Workspace,
  side: Side,
): Promise<TypeProblem[]> {
  const args = [tsc, "-p", workspace.tsconfig(side), "--pretty", "false"];
  const { code, output } = await runNode(args, { folder });
  if (code !== 0 && !/error TS\d+/.test(output)) {
    throw new TrialError(`the compiler of the SDK did not run:\n${output.slice(-2000)}`);
  }
  const wrong = configurationErrors(output);
  if (wrong.length > 0) {
    throw new TrialError(`the compiler of the SDK cannot be used:\n${wrong.join("\n")}`);
  }
  return problemsIn(output);
}

/** Returns the errors in the output of the compiler that are of its settings, and not of a file of code. */
export function configurationErrors(output: string): string[] {
  return output.split("\n").filter((line) =>
    /^(?:error TS\d|[^(]*\.json\(\d+,\d+\): error TS\d)/.test(line)
  );
}

/** Returns the errors in the output of the compiler, without those of the SDK and its packages. */
export function problemsIn(output: string): TypeProblem[] {
  return output.split("\n").flatMap((text): TypeProblem[] => {
    const [, file, line, message] = PROBLEM.exec(text.trimEnd()) ?? [];
    if (file === undefined) return [];
    const isOfSdk = /^(?:\.\.\/)*(?:src|node_modules)\//.test(file);
    return isOfSdk ? [] : [{ file, line: Number(line), message: message! }];
  });
}

/** Reports if a file is of the generated client. */
export function isOfClient(file: string): boolean {
  return file.startsWith(`${TRIAL_FOLDER}/generated/`);
}

/** The results of jest that are read. */
interface JestResults {
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/**
 * Runs the tests. A file that does not load is listed, and the others run.
 *
 * @param url The URL of the mock server
 * @throws {TrialError} If the test runner does not run
 */
export async function runTests(
  { folder }: Project,
  { jest }: Tools,
  workspace: Workspace,
  side: Side,
  url: string,
): Promise<Pick<Outcome, "tests" | "unloaded">> {
  const results = workspace.jestResult(side);
  const args = [
    ...[jest, "--config", workspace.jestConfig(side), "--json", "--outputFile", results],
    ...["--silent", "--forceExit", "--testTimeout=30000"],
  ];
  const env = { TEST_API_BASE_URL: url, FORCE_COLOR: "0", NODE_NO_WARNINGS: "1" };
  const { output } = await runNode(args, { folder, env });
  const text = await textOf(results);
  if (text === undefined) {
    throw new TrialError(`the test runner of the SDK did not run:\n${output.slice(-2000)}`);
  }
  return testsIn(text, folder);
}

/** Returns the results of tests in the file of the test runner. */
export function testsIn(text: string, folder: string): Pick<Outcome, "tests" | "unloaded"> {
  const { testResults } = JSON.parse(text) as JestResults;
  const nameOf = (path: string) => relative(folder, path).replaceAll("\\", "/");
  return {
    tests: testResults.flatMap(({ name, assertionResults }) =>
      assertionResults.map(({ fullName, status, failureMessages }): TestOutcome => ({
        file: nameOf(name),
        name: fullName,
        status: status === "passed" || status === "failed" ? status : "skipped",
        message: failureMessages[0] ?? "",
      }))
    ),
    unloaded: testResults.filter(({ assertionResults, message }) =>
      assertionResults.length === 0 && message !== ""
    ).map(({ name, message }) => ({ file: nameOf(name), message: reasonIn(message) })),
  };
}

/** Returns the line of a message in which the reason stands, without colours. */
function reasonIn(message: string): string {
  // deno-lint-ignore no-control-regex -- colours begin with this character
  const lines = message.replace(/\u001b\[[\d;]*m/g, "").split("\n").map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("●"));
  const reason = lines.find((line) => /^(?:Could not locate|Cannot find|\w*Error:)/.test(line));
  return (reason ?? lines[0] ?? "").replace(/ mapped as:$/, "").slice(0, 300);
}

/** Counts the calls of methods of the client in tests. */
export async function countCalls(
  { folder }: Project,
  files: readonly string[],
): Promise<number> {
  const texts = await Promise.all(files.map((file) => readFile(`${folder}/${file}`, "utf8")));
  return texts.reduce(
    (sum, text) => sum + (text.match(/\bclient(?:\s*\.\w+)+\(/g)?.length ?? 0),
    0,
  );
}

/** Returns the name of a program in a README, or of a file. */
export function shownFile(file: string): string {
  const line = /(?:^|\/)readme\/line_(\d+)\.ts$/.exec(file)?.[1];
  return line === undefined ? file.replaceAll("\\", "/") : `README.md:${line}`;
}
