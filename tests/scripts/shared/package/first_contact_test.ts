import { readFileSync } from "node:fs";
import { assertEquals, assertThrows, describe, it } from "#test";
import { exampleFile, installCommands } from "../../../../scripts/shared/package/first_contact.ts";
import { sourceRoot } from "../../../support/contract_page.ts";
import { docPages } from "../../../support/documents.ts";

const readme = readFileSync(new URL("README.md", sourceRoot()), "utf8");

describe("the section Install of the README", () => {
  it("has two commands for each runtime, with one name of the package", () => {
    assertEquals(installCommands(readme), [
      {
        runtime: "Deno",
        install: "deno add jsr:@restwright/restwright",
        run: "deno run example.mts",
      },
      {
        runtime: "Node",
        install: "npm install @restwright/restwright",
        run: "node example.mts",
      },
      { runtime: "Bun", install: "bun add @restwright/restwright", run: "bun example.mts" },
    ]);
  });

  it("names the file of the example", () => {
    assertEquals(exampleFile(readme), "example.mts");
    assertThrows(() => exampleFile("# Kit"), Error, "does not name the file");
  });

  it("names no other package than the code imports", () => {
    const { name } = JSON.parse(readFileSync(new URL("deno.json", sourceRoot()), "utf8")) as {
      name: string;
    };
    const named = [...readme.matchAll(/(?:npm (?:install|i)|bun add) (@?[\w/-]+)/g)].map(
      ([, installed]) => installed,
    );
    const imported = [...readme.matchAll(/from "(@?[^/"]+(?:\/[^/"]+)?)[^"]*"/g)].map(
      ([, module]) => module,
    );
    assertEquals([...new Set([...named, ...imported])], [name]);
    const npm = JSON.parse(readFileSync(new URL("package.json", sourceRoot()), "utf8"));
    assertEquals(npm.name, name);
  });

  it("is repeated on no other page under another name", () => {
    const named = docPages().flatMap((page) =>
      [
        ...readFileSync(new URL(page, sourceRoot()), "utf8").matchAll(
          /(?:npm (?:install|i)|bun add|deno add) (\S*restwright\S*)/g,
        ),
      ].map(([, installed]) => installed!.replace(/^jsr:/, ""))
    );
    assertEquals([...new Set(named)], ["@restwright/restwright"]);
  });
});
