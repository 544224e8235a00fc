/** Checks that each name of the root entry is documented or categorized. */
import { readdirSync, readFileSync } from "node:fs";
import { assert, assertEquals, describe, it } from "#test";
import { sourceRoot } from "../support/contract_page.ts";
import { exportedNames, INTERNAL } from "../../scripts/exported_names.ts";

const CATEGORIES: readonly string[] = [
  "Authentication",
  "Endpoints",
  "Errors",
  "HTTP",
  "Models",
  "Paging",
  "Requests",
  "Responses",
  "Sessions and clients",
  "Types",
];

const root = sourceRoot();
const names = exportedNames(root, "mod.ts");

describe("the root entry", () => {
  it("assigns a category to each name that the documentation does not mention", () => {
    const pages = readdirSync(new URL("docs/", root)).filter((name) => name.endsWith(".md"));
    const paths = ["README.md", ...pages.map((name) => `docs/${name}`)];
    const text = paths.map((path) => readFileSync(new URL(path, root), "utf8")).join();
    const documented = new Set(text.match(/\w+/g));

    assert(names.size > 80, `${names.size} names`);
    const others = [...names].filter(([name, category]) => !category && !documented.has(name));
    assertEquals(others.map(([name]) => name), []);
  });

  it("uses ten categories", () => {
    const known = [...CATEGORIES, INTERNAL];
    const others = [...names].filter(([, category]) => category && !known.includes(category));

    assertEquals(others, []);
  });
});
