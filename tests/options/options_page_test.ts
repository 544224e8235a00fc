import { readFileSync } from "node:fs";
import { assert, assertEquals, assertRejects, assertThrows, describe, it } from "#test";
import { APIClient, APISession, UnexpectedValueError } from "../../mod.ts";
import { sourceRoot } from "../support/contract_page.ts";

/** Returns the rows of a table of docs/options.md as cells, by the name in the first cell. */
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

/** Returns the names that an error lists as expected. */
function namesIn(error: Error): string[] {
  return error.message.replace(/^.*expected one of /, "").split(", ");
}

/** Returns the names of static properties of a class and its ancestors, without built-in names. */
function staticsOf(service: object): string[] {
  const names: string[] = [];
  for (
    let current = service;
    current !== Function.prototype;
    current = Object.getPrototypeOf(current)
  ) {
    names.push(...Object.getOwnPropertyNames(current));
  }
  const values = Object.fromEntries(names.map((name) => [name, Reflect.get(service, name)]));
  const own = ["open", "defineMethods", "length", "name", "prototype", "arguments", "caller"];
  return Object.keys(values).filter((name) => !own.includes(name));
}

class StrictClient extends APIClient {
  static override readonly errorOnUnexpectedInput: boolean = true;
}
class StrictSession extends APISession {
  static override readonly errorOnUnexpectedInput: boolean = true;
}

const options = rowsBelow("option");
const statics = rowsBelow("static");
const requestOptions = rowsBelow("keyword");
const fetchOptions = [
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

  it("has a row for every request option, and marks the other options that a request accepts", async () => {
    const session = new APISession({ url: "https://api.example.com" });
    const error = await assertRejects(
      () => session.get("a", { nope: 1 } as object),
      UnexpectedValueError,
    );

    const shared = [...options].filter(([, [, call]]) => call === "yes").map(([name]) => name);
    const documented = [...shared, ...requestOptions.keys(), ...fetchOptions];
    assertEquals(documented.sort(), namesIn(error).sort());
  });

  it("has a row for every static property, and marks the options that are static properties", () => {
    const shared = [...options].filter(([, [by]]) => by === "static").map(([name]) => name);
    const known = [APIClient, APISession].flatMap(staticsOf);

    assertEquals([...shared, ...statics.keys()].sort(), [...new Set(known)].sort());
  });

  it("shows the defaults of the classes", () => {
    for (const [name, [by, , , shown = ""]] of options) {
      if (by !== "static") continue;
      const of = (service: object) => String(Reflect.get(service, name));
      const isPlain = /^(?:\d+|true|false|null|unknown|x-request-id)$/.test(shown);
      if (isPlain) assertEquals([of(APIClient), of(APISession)], [shown, shown], name);
    }
    assertEquals(options.get("followRedirects")?.[3], "1: true, 2: false");
    assertEquals([APISession.followRedirects, APIClient.followRedirects], [true, false]);
  });
});
