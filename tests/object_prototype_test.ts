import { assertEquals, describe, it } from "#test";
import { deepObject } from "../src/content/styles/mod.ts";
import { element, integer, model, string } from "../src/models/mod.ts";
import { ndjson } from "../src/streams/mod.ts";
import { mockTransport } from "../src/testing/mod.ts";
import { path } from "../mod.ts";
import { describeGenerations } from "./support/generations.ts";

class Book extends model("book", { id: element(integer), title: element(string) }) {}

/** Runs a function while `Object.prototype` has enumerable members, as some old libraries add. */
async function withMembers<T>(members: Readonly<Record<string, unknown>>, run: () => Promise<T>) {
  for (const [name, value] of Object.entries(members)) {
    Object.defineProperty(Object.prototype, name, { value, enumerable: true, configurable: true });
  }
  try {
    return await run();
  } finally {
    for (const name of Object.keys(members)) Reflect.deleteProperty(Object.prototype, name);
  }
}

describe("the members that the test adds", () => {
  it("are seen by a loop over an object without names, and are gone afterwards", async () => {
    const namesOf = () => {
      const names: string[] = [];
      // deno-lint-ignore guard-for-in -- the members are inherited
      for (const name in {}) names.push(name);
      return Promise.resolve(names);
    };
    assertEquals(await withMembers({ added: 1 }, namesOf), ["added"]);
    assertEquals(await namesOf(), []);
  });
});

describeGenerations("enumerable members of Object.prototype", ({ Session }) => {
  /** Makes calls of many kinds, and returns what was sent and received. */
  async function results(): Promise<unknown> {
    const lines = new Response('{"id":1,"title":"a"}\n', {
      headers: { "content-type": "application/x-ndjson" },
    });
    const book = { id: 1, title: "Indigo" };
    const fetch = mockTransport({
      "GET /json": book,
      "GET /lines": lines,
      "POST /books": 204,
      "GET /missing": 404,
    });
    const session = new Session({
      url: "https://a.example",
      fetch,
      logger: null,
      retries: 0,
      headers: { "X-A": "1" },
      params: { key: "k" },
      errorMap: {},
      fetchOptions: {},
    });
    const found = [
      await session.get("json", { convJson: true, params: { f: deepObject({ by: { min: 1 } }) } }),
      JSON.stringify(await session.get("json", { box: true, headers: { "X-B": "2" } })),
      await session.get("json", { responseModel: Book }),
      await Array.fromAsync(session.get("lines", { format: ndjson(Book) })),
      await session.get("missing").then(() => "found", (error: Error) => error.name),
    ];
    const options = { params: { f: { by: "x" } }, paramsStyle: { objects: "brackets" } } as const;
    const json = { list: [null, {}], inner: { a: 1 } };
    await session.withOptions({ timeout: 9 }).post(path`/books`, { ...options, json });
    await session.post("books", { data: { a: 1, tags: ["b"] } });
    await session.post("books", { files: { f: ["a.txt", "text"] }, data: { a: 1 } });
    const sent = fetch.calls.map(({ method, url, headers, text }) =>
      [method, url, { ...headers }, text?.replaceAll(/-{2,}\S*/g, "--boundary")]
        .map((each) => JSON.stringify(each)?.replace(/(boundary=)[^"]*/, "$1"))
    );
    return [found.map((each) => JSON.stringify(each)), sent];
  }

  for (
    const [what, members] of [
      ["a function", { extend() {} }],
      ["a string", { added: "text" }],
      ["an object", { added: { inner: 1 } }],
    ] as const
  ) {
    it(`do not change a call: ${what}`, async () => {
      const usual = await results();
      assertEquals(await withMembers(members, results), usual);
    });
  }
});
