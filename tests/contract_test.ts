import { readFileSync } from "node:fs";
import { assert, assertEquals, describe, it } from "#test";
import { baseErrorMap } from "../mod.ts";
import {
  hasTest,
  missingFiles,
  missingTests,
  proofs,
  readFrom,
  repeatedIds,
  ruleRows,
  sourceRoot,
  unprovenRows,
} from "./support/contract_page.ts";

const root = sourceRoot();
const page = readFileSync(new URL("docs/contract.md", root), "utf8");

describe("docs/contract.md", () => {
  it("has rows, and proofs for them", () => {
    assert(ruleRows(page).length > 200, `${ruleRows(page).length} rows`);
    assert(proofs(page).length > 100, `${proofs(page).length} proofs`);
  });

  it("every id is unique", () => {
    assertEquals(repeatedIds(page), []);
  });

  it("every row is open, or has code and a test", () => {
    assertEquals(unprovenRows(page), []);
  });

  it("every linked file exists", () => {
    assertEquals(missingFiles(page, readFrom(root)), []);
  });

  it("every test that is named exists in the linked file", () => {
    assertEquals(missingTests(page, readFrom(root)), []);
  });

  it("has the base error map, status by status", () => {
    const rows = ruleRows(page).filter(({ id }) => id.startsWith("status-"));
    assertEquals(
      rows.map(({ id, cells }) => [id, ...cells]),
      Object.entries(baseErrorMap).map(([status, { name, retryable }]) => [
        `status-${status}`,
        `\`${name}\``,
        retryable ? "yes" : "no",
      ]),
    );
  });
});

describe("the check of docs/contract.md", () => {
  const files: Readonly<Record<string, string | undefined>> = {
    "../src/a.ts": "",
    "../tests/a_test.ts": `
describe("a group", () => {
  describe("inside", () => {
    it("holds", () => {});
  });
  it("holds again", () => {});
  for (const status of [1, 2]) {
    it(\`\${status} holds\`, () => {});
  }
});
describe("rows", () => {
  const rows = [["one", 1], ["two", 2]];
  for (const [what] of rows) it(what, () => {});
  for (const [what] of rows) {
    it(what, () => {});
  }
});
`,
  };
  const read = (target: string) => files[target];
  const proof = "- `a-1`: [a.ts](../src/a.ts); [a_test.ts](../tests/a_test.ts)\n" +
    "  `a group > inside > holds`\n";
  const row = "| `a-1` | what holds | done |\n";

  it("finds nothing wrong with a page that is right", () => {
    const right = `${row}| \`a-2\` | what is to come | open |\n\n${proof}`;
    assertEquals(repeatedIds(right), []);
    assertEquals(unprovenRows(right), []);
    assertEquals(missingFiles(right, read), []);
    assertEquals(missingTests(right, read), []);
  });

  it("finds an id that stands twice", () => {
    assertEquals(repeatedIds(row + row), ["a-1"]);
  });

  it("finds a row that is done without code and test, and an open one with them", () => {
    assertEquals(unprovenRows(row), ["a-1 is done without code", "a-1 is done without a test"]);
    assertEquals(unprovenRows(row.replace("done", "open") + proof), [
      "a-1 is open and has a proof",
    ]);
    assertEquals(unprovenRows(row.replace("done", "soon") + proof), [
      "a-1 is neither done nor open",
    ]);
    assertEquals(unprovenRows(row + proof.replace("  `a group > inside > holds`\n", "")), [
      "a-1 is done without a test",
      "a-1: ../tests/a_test.ts is linked without a test's name",
    ]);
  });

  it("finds a proof without a row, and takes one that is for many", () => {
    assertEquals(unprovenRows(proof), ["a-1 has a proof and no row"]);
    assertEquals(unprovenRows(row + proof.replace("a-1", "a-*")), []);
    assertEquals(unprovenRows(row + proof.replace("`a-1`", "`a-1`, `a-2`")), [
      "a-2 has a proof and no row",
    ]);
  });

  it("finds a file that is not there", () => {
    assertEquals(missingFiles(proof.replace("a.ts)", "b.ts)"), read), ["../src/b.ts"]);
  });

  it("finds a test that is not there, or in another group", () => {
    for (const other of ["a group > holds", "holds", "a group > inside > held", "rows > holds"]) {
      const wrong = proof.replace("a group > inside > holds", other);
      assertEquals(missingTests(wrong, read), [
        `a-1: ../tests/a_test.ts has no test named ${other}`,
      ]);
    }
  });

  it("knows a test by its pattern, or by its row of a table", () => {
    const source = files["../tests/a_test.ts"]!;
    for (const name of ["a group > holds again", "a group > ${status} holds", "rows > two"]) {
      assert(hasTest(source, name), name);
    }
    for (const name of ["a group > 1 holds", "a group > two", "rows > three"]) {
      assert(!hasTest(source, name), name);
    }
  });
});
