/** Checks that the migration pages name only exports that exist, and each that an SDK knew by another name. */
import { readFileSync } from "node:fs";
import { assert, assertEquals, describe, it } from "#test";
import { APIClient, APIEndpoint, APISession } from "../../mod.ts";
import { HttpSession } from "../../src/http/mod.ts";
import { APIIterator, PagePromise } from "../../src/paging/mod.ts";
import { AbstractPage, APIResource, ResourceClient, Stream } from "../../src/resources/mod.ts";
import { exportedNames } from "../../scripts/shared/pages/exported_names.ts";
import { sourceRoot } from "../support/contract_page.ts";

const root = sourceRoot();
const read = (path: string) => readFileSync(new URL(path, root), "utf8");
const { exports }: { exports: Record<string, string> } = JSON.parse(read("deno.json"));
const namesOf = (entry: string) => [...exportedNames(root, exports[entry]!.slice(2)).keys()];

/** The names that a program can write: exports, and the members of the classes that it extends. */
const known = new Set([
  ...Object.keys(exports).flatMap(namesOf),
  ...[APIClient, APISession, APIEndpoint, APIIterator, HttpSession, PagePromise, AbstractPage]
    .flatMap(membersOf),
  ...[APIResource, ResourceClient, Stream, Response, AbortController].flatMap(membersOf),
]);

/** Names in the columns on the toolkit that are of other things, by their page. */
const others: Readonly<Record<string, readonly string[]>> = {
  axios: [],
  restfly: [
    ...["Client", "Directory", "MyIterator", "Outer", "User", "Users"], // an SDK
    "_getPage", // abstract
    "BoxKeyError",
  ],
  stainless: ["CursorPage", "CursorPage2"],
};

/** The heads of the columns on the toolkit. */
const ours =
  /^(?:here|restwright|in the toolkit|exported by .*|.*`APIClient`|the new sdk|in the new one)$/i;

function membersOf(type: abstract new (...args: never[]) => unknown): string[] {
  const names: string[] = [];
  for (let each: object | null = type; each !== null; each = Object.getPrototypeOf(each)) {
    names.push(...Object.getOwnPropertyNames(each));
  }
  for (
    let each: object | null = type.prototype;
    each !== null;
    each = Object.getPrototypeOf(each)
  ) {
    names.push(...Object.getOwnPropertyNames(each));
  }
  return names;
}

/** Yields the code in the columns on the toolkit of a page's tables. */
function* codeOf(text: string): Generator<string> {
  let heads: string[] = [];
  let isTable = false;
  for (const line of text.split("\n")) {
    const cells = line.startsWith("|")
      ? line.split(/(?<!\\)\|/).slice(1, -1).map((cell) => cell.trim())
      : [];
    if (cells.length === 0) isTable = false;
    else if (!isTable) [heads, isTable] = [cells, true];
    else {
      for (const [index, cell] of cells.entries()) {
        if (!ours.test(heads[index] ?? "")) continue;
        for (const [, code] of cell.matchAll(/`([^`]+)`/g)) yield code!;
      }
    }
  }
}

/** Returns the names of classes and types in a piece of code, and those of called functions. */
function namesIn(code: string): string[] {
  const withoutTexts = code.replace(/"[^"]*"/g, '""');
  return [
    ...withoutTexts.matchAll(/(?<![\w.'#/@-])([A-Z]\w*[a-z]\w*)(?![\w'-])/g),
    ...withoutTexts.matchAll(/(?<![\w.])(\w+)\(/g),
  ].map(([, name]) => name!);
}

describe("the migration pages", () => {
  for (const [page, allowed] of Object.entries(others)) {
    it(`name only exports that exist: from ${page}`, () => {
      const names = [...codeOf(read(`docs/migration_${page}.md`))].flatMap(namesIn);
      assert(names.length > 20, `${names.length} names`);

      const unknown = names.filter((name) => !known.has(name) && !(name in globalThis));
      assertEquals([...new Set(unknown)].sort(), [...allowed].sort());
    });
  }

  it("name each class and type of Stainless's SDKs that has another name here", () => {
    const text = read("docs/migration_stainless.md");
    const [, byHand = ""] = text.split(/^## By hand$/m);

    const own = namesOf("./resources").filter((name) =>
      /^Resource/.test(name) && !/^Resource(?:Client|ClientOptions|Call)$/.test(name)
    );
    assert(own.length > 5, `${own.length} names`);
    assertEquals(own.filter((name) => !byHand.includes(`\`${name}\``)), []);
  });

  it("name all errors of Stainless's SDKs", () => {
    const text = read("docs/migration_stainless.md");
    const [, byHand = ""] = text.split(/^## By hand$/m);

    const errors = namesOf("./resources").filter((name) => /Error$/.test(name));
    assert(errors.length > 10, `${errors.length} names`);
    assertEquals(errors.filter((name) => !byHand.includes(`\`${name}\``)), []);
  });
});
