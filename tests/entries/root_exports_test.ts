/** Checks that pages name the exports, and the categories of the root entry. */
import { readFileSync } from "node:fs";
import { assert, assertEquals, describe, it } from "#test";
import { sourceRoot } from "../support/contract_page.ts";
import { docPages } from "../support/documents.ts";
import { exportedNames, INTERNAL } from "../../scripts/shared/pages/exported_names.ts";

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
const { exports }: { exports: Record<string, string> } = JSON.parse(
  readFileSync(new URL("deno.json", root), "utf8"),
);

describe("the pages", () => {
  it("name each export that is not internal, as code", () => {
    // The review names each export, and explains none.
    const paths = ["README.md", ...docPages().filter((path) => !path.endsWith("/api_review.md"))];
    const text = paths.map((path) => readFileSync(new URL(path, root), "utf8")).join("\n");
    const code = text.match(/^ *```[^]*?^ *```|`[^`\n]+`/gm) ?? [];
    const named = new Set(code.join(" ").match(/\w+/g));
    assert(named.size > 1000, `${named.size} names`);

    const missing = Object.entries(exports).flatMap(([entry, path]) =>
      [...exportedNames(root, path.replace("./", ""))]
        .filter(([name, category]) => category !== INTERNAL && !named.has(name))
        .map(([name]) => `${entry} ${name}`)
    );
    assertEquals(missing, []);
  });
});

describe("the root entry", () => {
  it("shares only the errors of every day with another entry point", () => {
    const homes = Object.entries(exports).flatMap(([entry, path]) =>
      [...exportedNames(root, path.replace("./", "")).keys()].map((name) => ({ name, entry }))
    );
    const shared = homes.filter(({ name, entry }) =>
      homes.some((other) => other.name === name && other.entry !== entry)
    );
    const others = shared.filter(({ name, entry }) =>
      !(name.endsWith("Error") && [".", "./errors"].includes(entry))
    );

    assertEquals(others, []);
  });

  it("uses ten categories", () => {
    const known = [...CATEGORIES, INTERNAL];
    const others = [...exportedNames(root, "mod.ts")]
      .filter(([, category]) => category && !known.includes(category));

    assertEquals(others, []);
  });
});
