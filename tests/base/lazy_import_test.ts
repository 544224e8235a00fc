import process from "node:process";
import { assert, assertEquals, assertRejects, assertStrictEquals, describe, it } from "#test";
import { lazyImport } from "../../src/base/lazy_import.ts";
import { sourceRoot } from "../support/contract_page.ts";
import { browserModules, importGraph } from "../support/import_graph.ts";
import { turn } from "../support/until.ts";

describe("a lazy import", () => {
  it("returns a promise until the module is loaded, then the module itself", async () => {
    const module = { name: "part" };
    const load = lazyImport(() => Promise.resolve(module));
    const first = load();
    assert(first instanceof Promise);
    assertStrictEquals(await first, module);
    assertStrictEquals(load(), module);
  });

  it("loads the module once, even for concurrent calls", async () => {
    let loads = 0;
    const load = lazyImport(() => Promise.resolve(++loads));
    await Promise.all([load(), load(), load()]);
    assertEquals([loads, load()], [1, 1]);
  });

  it("loads the module again after a failure", async () => {
    let loads = 0;
    const load = lazyImport(() =>
      ++loads === 1 ? Promise.reject(new Error("offline")) : done(loads)
    );
    await assertRejects(async () => await load(), Error, "offline");
    assertEquals(await load(), 2);
    assertEquals(load(), 2);
  });

  it("causes no unhandled rejection if it fails and its result is read later or never", async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => void unhandled.push(reason);
    process.on("unhandledRejection", note);
    try {
      const load = lazyImport(() => Promise.reject(new Error("offline")));
      const loading = load();
      await turn();
      assertEquals(unhandled, []);
      await assertRejects(async () => await loading, Error, "offline");
    } finally {
      process.off("unhandledRejection", note);
    }
  });
});

function done<T>(value: T): Promise<T> {
  return Promise.resolve(value);
}

describe("a program that imports only APIClient", () => {
  const loaded = browserModules(sourceRoot(), ["src/client/client.ts"], "static");
  const later = browserModules(sourceRoot(), ["src/client/client.ts"]);
  const parts: readonly (readonly [string, RegExp])[] = [
    ["XML", /^src\/xml\//],
    ["models", /^src\/models\/(?!model_class|model_instance)/],
    ["Digest", /digest/],
    ["OAuth", /oauth/],
    ["a cookie jar", /^src\/http\/cookies\/(?!none)/],
    ["proxies and certificates", /transport\/(?:routes|proxies|certificates|deno|node|bun)/],
  ];
  for (const [what, pattern] of parts) {
    it(`contains no code for ${what}`, () => {
      assertEquals(loaded.filter((path) => pattern.test(path)), []);
    });
  }

  it("loads the code that follows redirects at the first one, on every runtime", () => {
    const importers = [...importGraph(sourceRoot(), loaded)]
      .filter(([, imports]) => imports.includes("src/http/redirect.ts"));
    assertEquals(importers.map(([path]) => path), ["src/http/follow_redirects.ts"]);
  });

  it("contains all other code, so that a call in a browser loads none", () => {
    assertEquals(later.filter((path) => !loaded.includes(path)), [
      "src/errors/redirect_error.ts",
      "src/http/cookies/none.ts",
      "src/http/form_blob.ts",
      "src/http/form_part.ts",
      "src/http/redirect.ts",
    ]);
  });
});
