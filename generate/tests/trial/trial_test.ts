/** Checks the parts of `try-sdk`: what it reads of a repository and its tools, and what it prints. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { assert, assertEquals, assertRejects, assertThrows, describe, it } from "#test";
import { configurationErrors, type Outcome, problemsIn, testsIn } from "../../src/trial/checks.ts";
import { mockCommand } from "../../src/trial/mock_server.ts";
import { findTools, programsIn, type Project, readProject } from "../../src/trial/project.ts";
import { trialLines } from "../../src/trial/report.ts";
import { TrialError } from "../../src/trial/trial_error.ts";
import { writeWorkspace } from "../../src/trial/workspace.ts";
import { runCommand } from "../../src/write/command.ts";

/** Writes files into a new folder, and deletes it after a function has run. */
async function withFiles(
  files: Readonly<Record<string, string>>,
  use: (folder: string) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "restwright-trial-"));
  try {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const repository = {
  "package.json": '{"name": "@lamps/sdk"}',
  "README.md": "# Lamps\n\n```sh\nnpm i\n```\n\n```ts\nawait client.lamps.list();\n```\n",
  "tests/api-resources/lamps.test.ts": "",
  "tests/index.test.ts": "",
  "examples/a.ts": "",
  "scripts/mock": "#!/usr/bin/env bash\n",
};

const installed = {
  "node_modules/typescript/bin/tsc": "",
  "node_modules/jest/bin/jest.js": "",
  "node_modules/@swc/jest/index.js": "",
  "node_modules/@restwright/restwright/package.json": "{}",
};

describe("the repository of an SDK that is tried", () => {
  it("has tests, examples, the programs of its README and the tools", async () => {
    await withFiles({ ...repository, ...installed }, async (folder) => {
      const project = await readProject(folder);
      assertEquals(
        [project.packageName, project.sources.map((path) => path.replaceAll("\\", "/"))],
        [
          "@lamps/sdk",
          ["tests/api-resources/lamps.test.ts", "tests/index.test.ts", "examples/a.ts"],
        ],
      );
      assertEquals(project.programs, [{ line: 8, text: "await client.lamps.list();" }]);
      const tools = await findTools(folder);
      assert(tools.transform.endsWith(join("@swc", "jest")), tools.transform);
      const files = new Map([["mod.ts", "export {};\n"]]);
      const { folder: trial, tsconfig } = await writeWorkspace(project, {
        ...{ files, document: "{}", tools },
      });
      const { compilerOptions } = JSON.parse(await readFile(tsconfig("generated"), "utf8"));
      assertEquals(compilerOptions.paths, {
        "@lamps/sdk": ["./generated/mod.ts"],
        "@lamps/sdk/*": ["./generated/*"],
      });
      const program = await readFile(join(trial, "readme/line_8.ts"), "utf8");
      assert(program.startsWith('import TriedClient from "@lamps/sdk";'), program);
      assertEquals(await readFile(join(trial, ".gitignore"), "utf8"), "*\n");
    });
  });

  it("is refused if it has no tests, or if its packages are not installed", async () => {
    await withFiles({ "package.json": '{"name": "lamps"}' }, async (folder) => {
      const error = await assertRejects(() => readProject(folder), TrialError);
      assert(error.message.includes("has no tests in tests/api-resources"), error.message);
    });
    await withFiles(repository, async (folder) => {
      const lines: string[] = [];
      const code = await runCommand(["try-sdk", folder], {
        ...{ readInput: () => Promise.resolve(""), print: (line) => void lines.push(line) },
        printError: (line) => void lines.push(line),
      });
      assertEquals(code, 2);
      assert(lines[0]!.startsWith("this runs the code of "), lines[0]);
      assert(lines[1]!.includes("typescript is not in node_modules"), lines[1]);
    });
  });

  it("has programs in the blocks of TypeScript and JavaScript only", () => {
    const text = "```js\na\nb\n```\n```json\nc\n```\n```typescript\nd\n```\n";
    assertEquals(programsIn(text), [{ line: 2, text: "a\nb" }, { line: 9, text: "d" }]);
  });
});

describe("the mock server of an SDK", () => {
  it("is that of its script, with the document and a port of loopback", () => {
    const start = "npm exec --package=@stdy/cli@0.22.1 -- steady";
    const script = `${start} --version\n` +
      `  ${start} --host 0.0.0.0 -p 4010 --validator-query-array-format=comma "$URL"\n`;
    assertEquals(mockCommand(script, "/x/openapi.json", 7), {
      package: "@stdy/cli@0.22.1",
      program: "steady",
      args: [
        ...["--validator-query-array-format=comma", "/x/openapi.json"],
        ...["--host", "127.0.0.1", "-p", "7"],
      ],
    });
    const prism = '  npm exec --package=@stainless-api/prism-cli@5.15.0 -- prism mock "$URL"\n';
    assertEquals(mockCommand(prism, "d.json", 8).args, [
      ...["mock", "d.json", "-h", "127.0.0.1", "-p", "8"],
    ]);
  });

  it("is refused if its script runs anything else", () => {
    const scripts = [
      'node server.js "$URL"',
      'npm exec --package=@stdy/cli@0.22.1 -- steady "$URL"; rm -rf /',
      'npm exec --package=other@1.0.0 -- other "$URL"',
      'npm exec --package=@stdy/cli@0.22.1 -- steady $(date) "$URL"',
    ];
    for (const script of scripts) {
      assertThrows(() => mockCommand(script, "d.json", 7), TrialError, undefined, script);
    }
  });
});

describe("the results of a trial", () => {
  const test = (name: string, isPassed: boolean, message = "") => ({
    ...{ fullName: name, status: isPassed ? "passed" : "failed", failureMessages: [message] },
  });
  const file = (name: string, assertionResults: readonly object[], message = "") => ({
    ...{ name: `/sdk/${name}`, message, assertionResults },
  });
  const resultsOf = (...testResults: readonly object[]) =>
    testsIn(JSON.stringify({ testResults }), "/sdk");

  it("are read from the output of the compiler and of the test runner", () => {
    const output = "tests/a.test.ts(3,5): error TS2554: Expected 1 arguments, but got 0.\n" +
      "src/client.ts(1,1): error TS1: In the client.\n.try-sdk/generated/mod.ts(1,1): error TS1: x\n" +
      ".try-sdk/readme/line_8.ts(1,1): error TS2: In the README.\nFound 4 errors.\n";
    assertEquals(problemsIn(output), [
      { file: "tests/a.test.ts", line: 3, message: "TS2554: Expected 1 arguments, but got 0." },
      { file: ".try-sdk/generated/mod.ts", line: 1, message: "TS1: x" },
      { file: ".try-sdk/readme/line_8.ts", line: 1, message: "TS2: In the README." },
    ]);
    const refused = "error TS5083: Cannot read file 'tsconfig.json'.";
    const wrong = ".try-sdk/tsconfig.generated.json(12,25): error TS6046: Argument";
    assertEquals(configurationErrors(`${output}${refused}\n${wrong}`), [refused, wrong]);
    const broken = "\u001b[1m● Test suite failed to run\u001b[22m\n\n  Configuration error:\n\n" +
      "  Could not locate module @lamps/sdk/core mapped as:\n  /x";
    const { tests, unloaded } = resultsOf(
      file("tests/a.test.ts", [test("a", true), { ...test("b", true), status: "pending" }]),
      file("tests/b.test.ts", [], broken),
    );
    assertEquals(tests.map(({ name, status }) => [name, status]), [
      ["a", "passed"],
      ["b", "skipped"],
    ]);
    const message = "Could not locate module @lamps/sdk/core";
    assertEquals(unloaded, [{ file: "tests/b.test.ts", message }]);
  });

  it("are one table, and what differs in groups", () => {
    const project: Project = {
      ...{ folder: "/sdk", packageName: "lamps", mockScript: undefined },
      sources: ["tests/api-resources/lamps.test.ts", "tests/index.test.ts", "examples/a.ts"],
      programs: [{ line: 8, text: "" }, { line: 20, text: "" }],
    };
    const lamps = "tests/api-resources/lamps.test.ts";
    const at = (place: string, line: number, message: string) => ({ file: place, line, message });
    const original: Outcome = {
      problems: [at(".try-sdk/readme/line_20.ts", 1, "TS1: Both.")],
      ...resultsOf(
        file(lamps, [test("list", true), test("get", true), test("put", true)]),
        file("tests/index.test.ts", [test("x", true)]),
      ),
    };
    const generated: Outcome = {
      problems: [
        ...original.problems,
        at(lamps, 3, "TS2339: Property 'a' does not exist."),
        at(lamps, 4, "TS2339: Property 'b' does not exist."),
      ],
      ...resultsOf(
        file(lamps, [
          test("list", false, "Error: no 7\n\n  > 12 | code\n    at x"),
          test("get", false, "Error: no 8\n    at y"),
          test("put", true),
        ]),
        file("tests/index.test.ts", [], "Cannot find module 'x'"),
      ),
    };
    const counts = { calls: 5, methods: { generated: 2, missing: 1 } };
    const { lines, isAsGood } = trialLines(project, { original, generated }, counts);
    assertEquals([isAsGood, lines], [false, [
      "|                                               | original | generated |",
      "| --------------------------------------------- | -------: | --------: |",
      "| methods                                       |        3 |    2 of 3 |",
      "| type errors in the client itself              |        – |         0 |",
      "| type errors in 5 calls of tests/api-resources |        0 |         2 |",
      "| type errors in other tests                    |        0 |         0 |",
      "| programs of the README that compile           |   1 of 1 |    1 of 1 |",
      "| examples that compile                         |   1 of 1 |    1 of 1 |",
      "| tests/api-resources passed                    |   3 of 3 |    1 of 3 |",
      "| tests/index.test.ts passed                    |   1 of 1 |    0 of 1 |",
      "",
      "type errors that the original does not have:",
      `  2 × TS2339: Property 'a' does not exist. (${lamps}:3)`,
      "",
      "tests that pass with the original only:",
      `  2 × Error: no 7 (${lamps}: list)`,
      "",
      "files with tests that do not load:",
      "  tests/index.test.ts: Cannot find module 'x'",
    ]]);
    assertEquals(trialLines(project, { original, generated: original }, counts).isAsGood, true);
  });
});
