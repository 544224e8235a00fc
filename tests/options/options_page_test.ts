import { readFileSync } from "node:fs";
import { assert, assertEquals, assertRejects, assertThrows, describe, it } from "#test";
import { APIClient, APISession, UnexpectedValueError } from "../../mod.ts";
import { sourceRoot } from "../support/contract_page.ts";

/** The rows of a table of docs/options.md, cell by cell, by the name in its first cell. */
function rowsBelow(head: string): Map<string, readonly string[]> {
  const page = readFileSync(new URL("docs/options.md", sourceRoot()), "utf8");
  const lines = page.split("\n");
  const start = lines.findIndex((line) => line.startsWith(`| ${head} `));
  assert(start >= 0, `a table of ${head}s`);
  const rows = new Map<string, readonly string[]>();
  for (const line of lines.slice(start + 2)) {
    if (!line.startsWith("|")) break;
    const [name = "", ...cells] = line.split("|").slice(1, -1).map((cell) => cell.trim());
    rows.set(name.replaceAll("`", ""), cells);
  }
  return rows;
}

/** The names that an error lists as what it expected. */
function namesIn(error: Error): string[] {
  return error.message.replace(/^.*expected one of /, "").split(", ");
}

/** The statics of a class and its ancestors, functions and names of the language left out. */
function staticsOf(service: object): string[] {
  const names: string[] = [];
  for (let made = service; made !== Function.prototype; made = Object.getPrototypeOf(made)) {
    names.push(...Object.getOwnPropertyNames(made));
  }
  const given = Object.fromEntries(names.map((name) => [name, Reflect.get(service, name)]));
  const own = ["open", "defineMethods", "length", "name", "prototype", "arguments", "caller"];
  return Object.keys(given).filter((name) => !own.includes(name));
}

class StrictClient extends APIClient {
  static override readonly errorOnUnexpectedInput: boolean = true;
}
class StrictSession extends APISession {
  static override readonly errorOnUnexpectedInput: boolean = true;
}

const options = rowsBelow("option");
const statics = rowsBelow("static");
const keywords = rowsBelow("keyword");
const fetchKeywords = [
  ...["cache", "credentials", "integrity", "keepalive", "mode", "priority"],
  ...["referrer", "referrerPolicy"],
];

describe("the page on options", () => {
  it("has a row for every option of both generations, and no other", () => {
    const known = [StrictClient, StrictSession].flatMap((service) =>
      namesIn(assertThrows(() => new service({ nope: 1 } as object), UnexpectedValueError))
    );

    assertEquals([...options.keys()].sort(), [...new Set(known)].sort());
  });

  it("has a row for every keyword, and says which options are keywords", async () => {
    const session = new APISession({ url: "https://api.example.com" });
    const error = await assertRejects(
      () => session.get("a", { nope: 1 } as object),
      UnexpectedValueError,
    );

    const shared = [...options].filter(([, [, call]]) => call === "yes").map(([name]) => name);
    const told = [...shared, ...keywords.keys(), ...fetchKeywords];
    assertEquals(told.sort(), namesIn(error).sort());
  });

  it("has every static, and says which options are statics", () => {
    const shared = [...options].filter(([, [by]]) => by === "static").map(([name]) => name);
    const known = [APIClient, APISession].flatMap(staticsOf);

    assertEquals([...shared, ...statics.keys()].sort(), [...new Set(known)].sort());
  });

  it("gives the defaults that the classes have", () => {
    for (const [name, [by, , , said = ""]] of options) {
      if (by !== "static") continue;
      const of = (service: object) => String(Reflect.get(service, name));
      const isPlain = /^(?:\d+|true|false|null|unknown|x-request-id)$/.test(said);
      if (isPlain) assertEquals([of(APIClient), of(APISession)], [said, said], name);
    }
    assertEquals(options.get("followRedirects")?.[3], "1: true, 2: false");
    assertEquals([APISession.followRedirects, APIClient.followRedirects], [true, false]);
  });
});
