import { readFileSync } from "node:fs";
import { assert, assertEquals, assertRejects, assertThrows, describe, it } from "#test";
import { APIClient, APISession, UnexpectedValueError } from "../../mod.ts";
import { firstGeneration, secondGeneration } from "../../src/options/generation.ts";
import { type Definition, definitions, type Level } from "../../src/options/definitions.ts";
import { OPTIONS_PAGE, withOptionTables } from "../../scripts/options/options_page.ts";
import { sourceRoot } from "../support/contract_page.ts";

/** A row of a table: its cells by the heads of their columns. */
type Row = Readonly<Record<string, string>>;

/** Returns the rows of the page's tables whose first column has this head, by their first cells. */
function rowsBelow(head: string): Map<string, Row> {
  const rows = new Map<string, Row>();
  for (const table of page.match(/^\|[^]*?\|$(?!\n\|)/gm) ?? []) {
    const [heads = [], , ...lines] = table.split("\n").map(cellsOf);
    if (heads[0] !== head) continue;
    for (const cells of lines) {
      const name = cells[0]!.replaceAll("`", "");
      assert(!rows.has(name), `a second row of ${name}`);
      rows.set(
        name,
        Object.fromEntries(heads.map((column, index) => [column, cells[index] ?? ""])),
      );
    }
  }
  assert(rows.size > 0, `a table of ${head}s`);
  return rows;
}

function cellsOf(line: string): string[] {
  return line.split("|").slice(1, -1).map((cell) => cell.trim());
}

/** Returns the places where an option can be set, according to its row. */
function levelsOf(row: Row): Level[] {
  return levels.filter((level) => {
    const cell = row[columns[level]];
    assert(cell === "yes" || cell === "", `yes or nothing below ${columns[level]}: ${cell}`);
    return cell === "yes";
  });
}

/** Returns the names of the options that can be set at a level, according to the page. */
function namesAt(level: Level): string[] {
  return [...options].filter(([, row]) => levelsOf(row).includes(level)).map(([name]) => name);
}

/** Returns the names that an error lists as expected. */
function namesIn(error: Error): string[] {
  return error.message.replace(/^.*expected one of /, "").split(", ");
}

/** Returns the statics of a class and its ancestors, without functions and names of the language. */
function staticsOf(service: object): string[] {
  const names: string[] = [];
  for (let made = service; made !== Function.prototype; made = Object.getPrototypeOf(made)) {
    names.push(...Object.getOwnPropertyNames(made));
  }
  const own = ["open", "defineMethods", "length", "name", "prototype", "arguments", "caller"];
  return [...new Set(names)].filter((name) => !own.includes(name));
}

class StrictClient extends APIClient {
  static override readonly errorOnUnexpectedInput: boolean = true;
}
class StrictSession extends APISession {
  static override readonly errorOnUnexpectedInput: boolean = true;
}

const levels: readonly Level[] = ["class", "client", "call"];
const columns: Readonly<Record<Level, string>> = {
  class: "static",
  client: "option",
  call: "request option",
};
const page = readFileSync(new URL(OPTIONS_PAGE, sourceRoot()), "utf8");
const options = rowsBelow("name");
const statics = rowsBelow("static");
/** The options for the base URL. They are not in the table of options. */
const ofOneGeneration = [...firstGeneration.ownOptions, ...secondGeneration.ownOptions];

describe("the page on options", () => {
  it("has a row for every option of the table of options, and no other", () => {
    const names = [...Object.keys(definitions), ...ofOneGeneration];

    assertEquals([...options.keys()].sort(), names.sort());
  });

  it("shows where each option can be set", () => {
    for (const [name, { levels }] of Object.entries<Definition>(definitions)) {
      assertEquals(levelsOf(options.get(name)!), levels, name);
    }
    for (const name of ofOneGeneration) {
      assertEquals(levelsOf(options.get(name)!), ["class", "client"], name);
    }
  });

  it("has every option of both generations, and no other", () => {
    const known = [StrictClient, StrictSession].flatMap((service) =>
      namesIn(assertThrows(() => new service({ nope: 1 } as object), UnexpectedValueError))
    );

    assertEquals(namesAt("client").sort(), [...new Set(known)].sort());
  });

  it("has every request option, and no other", async () => {
    const session = new APISession({ url: "https://api.example.com" });
    const error = await assertRejects(
      () => session.get("a", { nope: 1 } as object),
      UnexpectedValueError,
    );

    assertEquals(namesAt("call").sort(), namesIn(error).sort());
  });

  it("has every static, and no other", () => {
    const known = [APIClient, APISession].flatMap(staticsOf);

    assertEquals([...namesAt("class"), ...statics.keys()].sort(), [...new Set(known)].sort());
  });

  it("has the defaults of the classes", () => {
    for (const [name, row] of [...options, ...statics]) {
      const isStatic = statics.has(name) || levelsOf(row).includes("class");
      const code = /^`([^{}]*)`/.exec(row["default"] ?? "")?.[1]?.replaceAll("_", "");
      if (!isStatic || code === undefined) continue;
      const of = (service: object) => JSON.stringify(Reflect.get(service, name));
      assertEquals([of(APIClient), of(APISession)], [code, code], name);
    }
    assertEquals(
      options.get("followRedirects")?.["default"],
      "true for `APISession`, false for `APIClient`",
    );
    assertEquals([APISession.followRedirects, APIClient.followRedirects], [true, false]);
    assertEquals(
      options.get("maxRetryAfter")?.["default"],
      "null for `APISession`, 3600 for `APIClient`",
    );
    assertEquals([APISession.maxRetryAfter, APIClient.maxRetryAfter], [null, 3600]);
  });

  it("has the tables that `deno task options` writes", async () => {
    assertEquals(await withOptionTables(sourceRoot(), page), page);
  });
});

describe("the table of options", () => {
  for (const service of [APISession, APIClient]) {
    it(`has the level class for each option that is a static, and for no other: ${service.name}`, () => {
      const known = staticsOf(service);

      for (const [name, { levels }] of Object.entries(definitions)) {
        assertEquals(known.includes(name), levels.includes("class"), name);
      }
    });
  }
});
