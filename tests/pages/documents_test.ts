import { readdirSync, readFileSync } from "node:fs";
import { after, assert, assertEquals, before, describe, it } from "#test";
import { type LibraryApi, startLibraryApi } from "../../examples/library_api.ts";
import { sourceRoot } from "../support/contract_page.ts";
import { codeBlocks, docPages, runBlock } from "../support/documents.ts";
import { type Redis, redisMissing, startRedis } from "../support/redis.ts";

/** The documents with code. It runs unchanged, against the example API. */
const documents: readonly string[] = [
  ...["README.md", ...docPages()],
].filter((path) => codeBlocks(path).length > 0);

/** The Redis of the documents. */
const REDIS = "redis://localhost:6379";

/** The SDK that the page on the generator imports, and its address. */
const sdk = "examples/generated/library/mod.ts";
const examples = { [`"../${sdk}"`]: JSON.stringify(new URL(sdk, sourceRoot()).href) };

for (const document of documents) {
  describe(`the code in ${document}`, () => {
    let api: LibraryApi;
    let redis: Redis | undefined;
    const blocks = codeBlocks(document);
    const usesRedis = blocks.some(({ code }) => code.includes(REDIS));
    before(async () => {
      api = await startLibraryApi();
      if (usesRedis && redisMissing() === undefined) redis = await startRedis();
    });
    after(async () => {
      await api.stop();
      await redis?.stop();
    });

    for (const [index, block] of blocks.entries()) {
      it(
        `${block.heading}, block ${index + 1}: runs, and prints what its comments show`,
        async () => {
          const printed = await runBlock(block, {
            "https://library.example.com": api.url,
            ...examples,
            ...(redis !== undefined && { [REDIS]: redis.url }),
          });
          assert(block.prints.length > 0, "the block shows nothing");
          assertEquals(printed, block.prints);
        },
        { ignore: block.code.includes(REDIS) ? redisMissing() : undefined },
      );
    }
  });
}

describe("the test file in docs/testing.md", () => {
  it("has tests that pass", async () => {
    const page = readFileSync(new URL("docs/testing.md", sourceRoot()), "utf8");
    const code = /^```typescript\n(import [^]*?"node:test"[^]*?)^```$/m.exec(page)?.[1];
    assert(code !== undefined, "the page has no test file");

    // A test runner cannot run inside of a test, so this runs each test and prints its name.
    const printed = await runBlock({ heading: "", code, prints: [] }, {
      'import { test } from "node:test";':
        "const test = async (name, run) => (await run(), console.log(name));",
      '\ntest("': '\nawait test("',
    });

    assertEquals(printed, [...code.matchAll(/^test\("(.*?)",/gm)].map(([, name]) => name));
    assert(printed.length > 2);
  });
});

describe("the clients in docs/models_xml.md", () => {
  /** Returns code without its first comment, imports, exports and line breaks. */
  const essence = (code: string) =>
    code.replace(/^\/\*\*[^]*?\*\/\n/, "").replace(/^import [^;]*;$/gm, "")
      .replace(/^export /gm, "").replace(/[\s,]+/g, " ").trim();
  const shown = codeBlocks("docs/models_xml.md").map(({ code }) => essence(code));

  for (const name of ["atom_client", "soap_client"]) {
    it(`are the same as in examples/${name}.ts`, () => {
      const code = essence(readFileSync(new URL(`examples/${name}.ts`, sourceRoot()), "utf8"));
      assert(code.length > 1000);
      assert(shown.some((block) => block.startsWith(code)), `${name}.ts has changed`);
    });
  }
});

describe("the clients to read in docs/clients.md", () => {
  const lines = (path: string) =>
    readFileSync(new URL(path, sourceRoot()), "utf8").split("\n").length - 1;
  const page = readFileSync(new URL("docs/clients.md", sourceRoot()), "utf8");
  const rows = [...page.matchAll(/^\| \[`(.*?)`\]\(\.\.\/examples\/.*?\).* (\d+) +\|$/gm)];

  for (const [, name = "", shown] of rows) {
    it(`has the number of lines of ${name}, without its server`, () => {
      const files = name.endsWith("/")
        ? readdirSync(new URL(`examples/${name}`, sourceRoot())).filter((file) => file !== "api.ts")
          .map((file) => name + file)
        : [name];
      const count = files.reduce((sum, file) => sum + lines(`examples/${file}`), 0);
      assertEquals(Number(shown), count);
    });
  }

  it("include the client of a language model", () => {
    assert(rows.some(([, name]) => name === "language_model/"));
  });
});
