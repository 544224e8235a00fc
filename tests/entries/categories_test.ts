/** Checks that every export of every entry point has one of the reference's categories. */
import { readFileSync } from "node:fs";
import { assert, assertEquals, describe, it } from "#test";
import { sourceRoot } from "../support/contract_page.ts";
import { exportedNames, INTERNAL } from "../../scripts/shared/pages/exported_names.ts";

const CATEGORIES: readonly string[] = [
  "Authentication",
  "Cassettes",
  "Endpoints",
  "Errors",
  "Fields",
  "Files",
  "HTTP",
  "Middleware",
  "Models",
  "Paging",
  "Polling",
  "Requests",
  "Resources",
  "Webhooks",
  "Responses",
  "Sessions and clients",
  "Streams",
  "Styles",
  "Telemetry",
  "Test doubles",
  "Types",
  "Value types",
  "XML",
];

const root = sourceRoot();
const { exports }: { exports: Record<string, string> } = JSON.parse(
  readFileSync(new URL("deno.json", root), "utf8"),
);
const entries = Object.entries(exports).map(([entry, path]) => ({
  entry,
  names: [...exportedNames(root, path.replace("./", ""))]
    .filter(([, category]) => category !== INTERNAL),
}));

describe("the categories of the reference", () => {
  for (const { entry, names } of entries) {
    it(`include every export of the entry point ${entry}`, () => {
      assert(names.length > 0 || entry === "./cli", "the entry point exports nothing");
      const others = names.filter(([, category]) => !CATEGORIES.includes(category ?? ""));
      assertEquals(others, []);
    });
  }

  it("are all in use", () => {
    const used = new Set(entries.flatMap(({ names }) => names.map(([, category]) => category)));
    assertEquals(CATEGORIES.filter((category) => !used.has(category)), []);
  });
});
