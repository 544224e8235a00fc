/** Copies the repository template in `examples/template/` into the generator, which is installed without it. */
import { readFileSync, writeFileSync } from "node:fs";

/** The files of the template that `init` fills. The others are an SDK by hand. */
const FILES: readonly string[] = [
  ".github/workflows/publish.yml",
  ".github/workflows/test.yml",
  ".gitignore",
  "LICENSE",
  "README.md",
  "deno.json",
  "package.json",
  "tests/version_test.ts",
  "tsconfig.json",
];

/** The module in which the generator has them. */
export const TEMPLATE_MODULE: URL = new URL("../../src/init/template_files.ts", import.meta.url);

/** Returns the text of the module. */
export function templateModule(): string {
  const entries = FILES.map((path) => {
    const text = readFileSync(
      new URL(`../../../examples/template/${path}`, import.meta.url),
      "utf8",
    );
    const lines = text.split("\n").map((line) => `    ${JSON.stringify(line)},\n`).join("");
    return `  [${JSON.stringify(path)}, [\n${lines}  ].join("\\n")],\n`;
  });
  return "/** The files of `examples/template/` that `init` fills: a copy, which a test compares. */\n" +
    "// deno-fmt-ignore-file\n\n" +
    "/** The texts by their paths. */\n" +
    `export const TEMPLATE_FILES: ReadonlyMap<string, string> = new Map([\n${
      entries.join("")
    }]);\n`;
}

if (import.meta.main) writeFileSync(TEMPLATE_MODULE, templateModule());
