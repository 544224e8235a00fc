import { readFileSync } from "node:fs";
import { assert, assertEquals, describe, it } from "#test";
import { baseErrorMap } from "../../src/entries/errors.ts";
import {
  allRuleComments,
  commentTroubles,
  missingFiles,
  readFrom,
  repeatedIds,
  rowTroubles,
  ruleComments,
  ruleRows,
  sourceRoot,
} from "../support/contract_page.ts";

const root = sourceRoot();
const page = readFileSync(new URL("docs/project/contract.md", root), "utf8");
const comments = allRuleComments(root);

describe("docs/project/contract.md", () => {
  it("has rules, and tests that name them", () => {
    assert(ruleRows(page).length > 200, `${ruleRows(page).length} rules`);
    assert(comments.length > 300, `${comments.length} comments`);
  });

  it("every id is unique", () => {
    assertEquals(repeatedIds(page), []);
  });

  it("every rule is named by a test if it is done, and by none if it is open", () => {
    assertEquals(rowTroubles(page, comments), []);
  });

  it("every comment with rules is above a test, and names rules of the page", () => {
    assertEquals(commentTroubles(page, comments), []);
  });

  it("every linked file exists", () => {
    assertEquals(missingFiles(page, readFrom(root)), []);
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

describe("the check of docs/project/contract.md", () => {
  const row = "| `a-1` | Something holds. | done |\n";
  // In two parts, so that the check does not take the samples below for comments of this file.
  const mark = "//" + " contract:";
  const commentsOf = (source: string) => ruleComments("a_test.ts", source);
  const namesRow = commentsOf(`${mark} a-1\nit("holds", () => {});\n`);

  it("finds nothing wrong if the rules that are done have tests", () => {
    const right = `${row}| \`a-2\` | Something is planned. | open |\n`;
    assertEquals(repeatedIds(right), []);
    assertEquals(rowTroubles(right, namesRow), []);
    assertEquals(commentTroubles(right, namesRow), []);
  });

  it("finds an id that two rows have", () => {
    assertEquals(repeatedIds(row + row), ["a-1"]);
  });

  it("finds a rule that is done and has no test", () => {
    assertEquals(rowTroubles(row, []), ["a-1 is done, and no test names it"]);
  });

  it("finds a rule that is open and has a test", () => {
    assertEquals(rowTroubles(row.replace("done", "open"), namesRow), [
      "a-1 is open, and a_test.ts:1 names it",
    ]);
  });

  it("finds a rule with an unknown status", () => {
    assertEquals(rowTroubles(row.replace("done", "soon"), namesRow), [
      "a-1 is neither done nor open",
    ]);
  });

  it("finds a comment that names a rule which the page does not have", () => {
    assertEquals(commentTroubles("", namesRow), [
      "a_test.ts:1 names a-1, which the page does not have",
    ]);
    assertEquals(commentTroubles(row, commentsOf(`${mark}\nit("holds", () => {});\n`)), [
      "a_test.ts:1 names , which the page does not have",
    ]);
  });

  it("finds a comment that names a rule twice", () => {
    const comments = commentsOf(`${mark} a-1\n${mark} a-1\nit("holds", () => {});\n`);
    assertEquals(commentTroubles(row, comments), ["a_test.ts:1 names a-1 twice"]);
  });

  it("accepts an id with an asterisk for all rules with that beginning", () => {
    const comments = commentsOf(`${mark} a-*\nit("holds", () => {});\n`);
    const rows = row + row.replace("a-1", "a-2");
    assertEquals(rowTroubles(rows, comments), []);
    assertEquals(commentTroubles(rows, comments), []);
    assertEquals(rowTroubles(row.replace("a-1", "b-1"), comments), [
      "b-1 is done, and no test names it",
    ]);
  });

  it("reads comments in adjacent lines as one, in front of a test or a group", () => {
    for (const call of ["it(", "test(", "describe(", "describeGenerations("]) {
      assertEquals(commentsOf(`\n  ${mark} a-1, a-2\n  ${mark} a-3\n  ${call}"x", () => {});\n`), [
        { place: "a_test.ts:2", ids: ["a-1", "a-2", "a-3"], isAboveTest: true },
      ]);
    }
  });

  it("finds a comment that is not directly above a test", () => {
    const sources = [
      `${mark} a-1\n\nit("holds", () => {});\n`,
      `${mark} a-1\nconst a = 1;\n`,
      `${mark} a-1\n`,
      `it("holds", () => {}); ${mark} a-1\n`,
    ];
    for (const source of sources) {
      assertEquals(commentTroubles(row, commentsOf(source)), [
        "a_test.ts:1 is not directly above a test or a group",
      ]);
    }
  });

  it("finds a linked file that does not exist", () => {
    const links = "[a](../src/a.ts), [b](../src/b.ts#b), [c](https://c.example), [d](#d)";
    const read = (target: string) => target === "../src/a.ts" ? "" : undefined;
    assertEquals(missingFiles(links, read), ["../src/b.ts"]);
  });
});
