import { readFileSync } from "node:fs";
import { assert, assertEquals, describe, it } from "#test";
import { sourceRoot } from "../support/contract_page.ts";
import { modulesBelow } from "../support/import_graph.ts";

const root = sourceRoot();
const modules = ["src/", "generate/src/"].flatMap((folder) => modulesBelow(root, folder));

/** A declaration that is not inside of another. */
const declaration =
  /^(?:export |declare |abstract |async )*(?:function|class|interface|type|const|let|enum)\b/gm;

/** Returns the fault of the comment at the beginning of a file; undefined if it has none. */
function openingFault(source: string): string | undefined {
  const [whole, comment] = /^(?:#!.*\n)?\/\*\*([^]*?)\*\//.exec(source) ?? [];
  if (whole === undefined) return "begins without a doc comment";
  const lines = comment!.split("\n").map((line) => line.replace(/^ *\* ?/, "").trim());
  const tag = lines.findIndex((line) => line.startsWith("@"));
  const words = lines.slice(0, tag === -1 ? lines.length : tag).join("\n")
    .replace(/^```[^]*?^```$/gm, "").trim();
  if (words === "") return "begins with a tag, not with a sentence";
  if (!words.endsWith(".")) return "begins with a comment that does not end in a full stop";
  const isOfFile = lines.includes("@module") ||
    /^\n(?:\n|import\b|export (?:\*|(?:type )?\{))/.test(source.slice(whole.length));
  const count = source.match(declaration)?.length ?? 0;
  return isOfFile || count === 1 ? undefined : "begins with the comment of its first declaration";
}

describe("the files of the sources", () => {
  it("begin with a sentence that says what is in them", () => {
    const faults = modules.flatMap((path) => {
      const fault = openingFault(readFileSync(new URL(path, root), "utf8"));
      return fault === undefined ? [] : [`${path} ${fault}`];
    });

    assert(modules.length > 150, `${modules.length} modules`);
    assertEquals(faults, []);
  });

  it("are reported if the sentence is missing, or is that of a declaration", () => {
    const none = undefined;
    const ofDeclaration = "begins with the comment of its first declaration";
    const cases: readonly (readonly [source: string, fault: string | undefined])[] = [
      ['/** Builds a call. */\nimport "./a.ts";\n', none],
      ['/** Builds a call. */\nexport * from "./a.ts";\n', none],
      [
        "/**\n * Builds a call\n * in steps.\n */\n\n/** A call */\nexport interface Call {}\n",
        none,
      ],
      ["/** Returns 1. */\nexport function one(): number {\n  return 1;\n}\n", none],
      [
        "#!/usr/bin/env node\n/**\n * A command:\n * ```sh\n * x\n * ```\n * Short.\n *\n * @module\n */\n",
        none,
      ],
      ['import "./a.ts";\n', "begins without a doc comment"],
      ["// Builds a call.\n", "begins without a doc comment"],
      ["/**\n * @module\n */\n", "begins with a tag, not with a sentence"],
      ["/** Calls */\nimport {};\n", "begins with a comment that does not end in a full stop"],
      ["/** One. */\nexport const one = 1;\n\nconst two = 2;\n", ofDeclaration],
    ];

    assertEquals(cases.map(([source]) => openingFault(source)), cases.map(([, fault]) => fault));
  });
});
