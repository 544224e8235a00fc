import { assertEquals, assertMatch, assertRejects, describe, it } from "#test";
import type { Problem } from "../../src/base/problems.ts";
import { readArguments } from "../../src/write/arguments.ts";
import { UsageError } from "../../src/write/outputs.ts";
import {
  counted,
  leftOutLines,
  problemLine,
  shown,
  summaryLine,
} from "../../src/write/terminal.ts";

describe("a line for a terminal", () => {
  it("has escapes for characters that control it", () => {
    assertEquals(
      shown("a\x1b[31m\r\n\u202e\u2028\u200b\x9b\ud800é日😀"),
      [
        ..."a|\\u001b|[31m|\\u000d|\\u000a|\\u202e|\\u2028|\\u200b|\\u009b|\\ud800|é日😀".split(
          "|",
        ),
      ].join(""),
    );
  });

  it("of a problem has its place, its message and what was done", () => {
    const problem: Problem = {
      kind: "operation",
      ...{ file: "a.yaml", line: 3, column: 5, pointer: "#/paths/~1a\x07" },
      ...{ message: "it is wrong", action: "left out" },
    };
    assertEquals(problemLine(problem), "a.yaml:3:5 #/paths/~1a\\u0007: it is wrong (left out)");
  });

  it("of operations without a method, and of types without a schema, name them all", () => {
    assertEquals(leftOutLines("api.md", { leftOut: [], missingTypes: [] }), []);
    assertEquals(
      leftOutLines("api.md", { leftOut: ["GET /a\x07", "POST /b"], missingTypes: ["Pet"] }),
      [
        "api.md: no methods are made of operations that it does not name: GET /a\\u0007, POST /b",
        "api.md: types whose schemas were not found: Pet",
      ],
    );
  });

  it("of a summary has operations, types, files and problems by kind", () => {
    const report = {
      ...{ version: "3.1.0", operations: 1223, types: 1, files: 12, tests: 0 },
      ...{
        lists: [],
        wholeLists: [],
        ignored: [],
        leftOut: [],
        missingTypes: [],
        problems: [],
        problemsByKind: {},
      },
    };
    assertEquals(
      summaryLine(report, { written: 3, unchanged: 9, deleted: 1 }, false),
      "1,223 operations, 1 type, 12 files (3 written, 1 deleted, 9 unchanged), no problems",
    );
    assertEquals(
      summaryLine(report, { written: 3, unchanged: 9, deleted: 0 }, true),
      "1,223 operations, 1 type, 12 files (3 to be written, 9 unchanged), no problems",
    );
    assertEquals(counted(1_234_567, "file"), "1,234,567 files");
  });
});

describe("the arguments", () => {
  /** Returns the arguments of the one SDK. */
  const read = async (args: readonly string[]) => (await readArguments(args))?.[0];

  it("have a document, a folder and options", async () => {
    const options = await read([
      ...["--out", "o", "api.yaml", "--name=A", "--open-enums", "--models", "xml", "--check"],
    ]);
    assertEquals([options?.document, options?.out], ["api.yaml", "o"]);
    assertEquals(
      { ...options?.values },
      { out: "o", name: "A", "open-enums": true, models: "xml", check: true },
    );
    assertEquals((await read(["-", "--out", "o"]))?.document, "-");
    assertEquals(await readArguments(["--help"]), undefined);
    assertEquals(await readArguments(["-h", "--out", "o"]), undefined);
    const windows = await read(["C:\\api.yaml", "--out", "o"]);
    assertEquals(windows?.document, "C:\\api.yaml");
  });

  it("are refused with a message of one line", async () => {
    const cases: readonly (readonly [args: readonly string[], message: RegExp])[] = [
      [[], /^the document is missing: name it, or write it into restwright\.json$/],
      [["a.yaml"], /^--out FOLDER is missing$/],
      [["a.yaml", "--out"], /--out/],
      [["a.yaml", "b.yaml", "--out", "o"], /^there must be one document, not 2$/],
      [["a.yaml", "--out", "o", "--nme", "x"], /--nme/],
      [["a.yaml", "--out", "o", "--dates=1"], /--dates/],
      [["a.yaml", "--out", "o", "--models", "json"], /^--models must be xml, not json$/],
      [["https://example.com/a.yaml", "--out", "o"], /must be a file, not a URL/],
    ];
    for (const [args, message] of cases) {
      const error = await assertRejects(() => readArguments(args), UsageError);
      assertMatch(error.message, message);
      assertEquals(error.message.split("\n").length, 1);
    }
  });
});
