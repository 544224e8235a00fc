/** Tests of the comparison of the packages that both builders write. */
import { assertEquals, describe, it } from "#test";
import { buildDifferences } from "../../../scripts/npm/build_differences.ts";
import type { PackedFile } from "../../../scripts/shared/package/contents.ts";

const REWRITE = `var __rewriteRelativeImportExtension = (this && this.x) || function (path) {
    return path;
};
`;

/** Files with all expected differences. */
const byDnt: readonly PackedFile[] = [
  { path: "esm/a.js", text: "export const a = 1;\n" },
  { path: "esm/a.d.ts", text: 'export * from "./b.js";\n' },
  { path: "esm/src/http/transport/undici.js", text: "await import(name);\n" },
  { path: "esm/src/b.js", text: "/** A file. */\n/** A value. */\nexport const b = 1;\n" },
  { path: "esm/src/c.d.ts", text: '/**\n * A file.\n */\nimport "./b.js";\n' },
  { path: "node/a.js", text: "/** A file. */\nexport const a = 1;\n" },
];

const byCompiler: readonly PackedFile[] = [
  { path: "esm/a.js", text: "export const a = 1;\n" },
  { path: "esm/a.d.ts", text: 'export * from "./b.ts";\n' },
  {
    path: "esm/src/http/transport/undici.js",
    text: `${REWRITE}await import(__rewriteRelativeImportExtension(name));\n`,
  },
  { path: "esm/src/b.js", text: "/** A value. */\nexport const b = 1;\n" },
  { path: "esm/src/c.d.ts", text: 'import "./b.js";\n' },
  { path: "node/a.js", text: "export const a = 1;\n" },
];

/** Returns the compiler's files with one of them replaced. */
function compiledWith(path: string, text: string | undefined): PackedFile[] {
  const others = byCompiler.filter((file) => file.path !== path);
  return text === undefined ? others : [...others, { path, text }];
}

describe("the packages of the two builders", () => {
  it("may differ in the expected ways", () => {
    assertEquals(buildDifferences(byDnt, byCompiler), []);
  });

  it("must have the same files", () => {
    assertEquals(buildDifferences(byDnt, compiledWith("esm/a.js", undefined)), [
      "only dnt writes esm/a.js",
    ]);
    assertEquals(buildDifferences(byDnt, compiledWith("esm/c.js", "")), [
      "only the TypeScript compiler writes esm/c.js",
    ]);
  });

  it("must not differ in another way, which is shown", () => {
    assertEquals(buildDifferences(byDnt, compiledWith("esm/a.js", "export const a = 2;\n")), [
      "esm/a.js differs\n  line 1 by dnt: export const a = 1;\n" +
      "  by the compiler: export const a = 2;",
    ]);
    assertEquals(buildDifferences(byDnt, compiledWith("esm/a.d.ts", 'export * from "./c.ts";\n')), [
      'esm/a.d.ts differs\n  line 1 by dnt: export * from "./b.js";\n' +
      '  by the compiler: export * from "./c.js";',
    ]);
  });

  it("must have the same comments of declarations and of entry points", () => {
    const withoutComment = compiledWith("esm/src/b.js", "export const b = 1;\n");
    assertEquals(buildDifferences(byDnt, withoutComment).length, 1);

    const entry = { path: "esm/mod.d.ts", text: "/**\n * @module\n */\nexport {};\n" };
    const bare = { ...entry, text: "export {};\n" };
    assertEquals(buildDifferences([...byDnt, entry], [...byCompiler, bare]).length, 1);
  });

  it("must have each expected difference, so that the list stays short", () => {
    const [line = ""] = buildDifferences(byDnt, [
      ...compiledWith("esm/a.d.ts", byDnt[1]!.text),
    ]);
    assertEquals(line.startsWith("no file like /\\.d\\.ts$/ differs any more"), true);
  });
});
