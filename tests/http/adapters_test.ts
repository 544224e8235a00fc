import { assert, assertEquals, assertThrows, describe, it } from "#test";
import { UnexpectedValueError } from "../../src/errors/unexpected_value_error.ts";
import { Adapters } from "../../src/http/adapters.ts";
import type { Transport } from "../../src/http/transport.ts";
import { APISession, type SessionOptions } from "../../mod.ts";
import { scripted } from "../support/scripted.ts";

function transport(): Transport {
  return () => Promise.resolve(new Response());
}

describe("which adapter carries a URL", () => {
  const cases: readonly (readonly [string, string, boolean])[] = [
    ["https://a.example/v1", "https://a.example/v1", true],
    ["https://a.example/v1", "https://a.example/v1/", true],
    ["https://a.example/v1", "https://a.example/v1/x", true],
    ["https://a.example/v1", "https://a.example/v1?q=1", true],
    ["https://a.example/v1", "https://a.example/v1#top", true],
    ["https://a.example/v1", "https://a.example/v10", false],
    ["https://a.example/v1", "https://a.example/v1.1/x", false],
    ["https://a.example/v1", "https://a.example/", false],
    ["https://a.example/v1", "http://a.example/v1/x", false],
    ["https://a.example/v1", "https://a.example:8443/v1/x", false],
    ["https://a.example/v1/", "https://a.example/v1/x", true],
    ["https://a.example/v1/", "https://a.example/v1", false],
    ["https://a.example", "https://a.example/x", true],
    ["https://a.example", "https://a.example/", true],
    ["https://a.example", "https://a.example.evil.example/x", false],
    ["https://a.example", "https://a.example:8443/x", false],
    ["https://a.example", "https://a.examples/x", false],
    ["https://a.example/", "https://a.example/x", true],
    ["HTTPS://A.Example/v1", "https://a.example/v1/x", true],
    ["https://a.example:443/v1", "https://a.example/v1/x", true],
    ["https://u:p@a.example/v1", "https://a.example/v1/x", true],
    ["https://a.example/V1", "https://a.example/v1/x", false],
    ["https://", "https://a.example/x", true],
    ["https://", "http://a.example/x", false],
    ["HTTP://", "http://a.example/x", true],
  ];
  for (const [prefix, url, carries] of cases) {
    it(`mounted at ${prefix} it ${carries ? "carries" : "does not carry"} ${url}`, () => {
      const adapters = new Adapters();
      const mounted = transport();
      adapters.mount(prefix, mounted);
      assert(adapters.find(url) === (carries ? mounted : undefined));
    });
  }

  // contract: attr-8
  it("the longest prefix wins, in whatever order they were mounted", () => {
    const prefixes = [
      "https://",
      "https://a.example",
      "https://a.example/v1",
      "https://a.example/v1/x",
    ];
    for (const order of [prefixes, [...prefixes].reverse()]) {
      const adapters = new Adapters();
      const mounted = new Map(order.map((prefix) => [prefix, transport()] as const));
      for (const [prefix, each] of mounted) adapters.mount(prefix, each);
      const winner = (url: string) =>
        prefixes.find((prefix) => mounted.get(prefix) === adapters.find(url));
      assertEquals(winner("https://a.example/v1/x/y"), "https://a.example/v1/x");
      assertEquals(winner("https://a.example/v1/y"), "https://a.example/v1");
      assertEquals(winner("https://a.example/v2"), "https://a.example");
      assertEquals(winner("https://b.example/v1/x"), "https://");
      assertEquals(adapters.find("http://a.example/v1/x"), undefined);
    }
  });

  it("one mounted on the same prefix gives way", () => {
    const adapters = new Adapters();
    const [first, second] = [transport(), transport()];
    adapters.mount("https://a.example/v1", first);
    adapters.mount("HTTPS://A.EXAMPLE/v1", second);
    assert(adapters.find("https://a.example/v1/x") === second);
  });

  it("where none is mounted there is none", () => {
    assertEquals(new Adapters().find("https://a.example/"), undefined);
  });

  for (
    const prefix of ["", "https", "/v1", "a.example", "ftp://a.example", "ftp://", "https://?"]
  ) {
    it(`a prefix that is neither a full URL nor a scheme is refused: '${prefix}'`, () => {
      const error = assertThrows(
        () => new Adapters().mount(prefix, transport()),
        UnexpectedValueError,
      );
      assertEquals(error.option, "adapterPath");
    });
  }
});

describe("the adapter of a session", () => {
  const cases: readonly (readonly [string, SessionOptions, string, string])[] = [
    ["the base URL and a slash", { url: "https://a.example/v1" }, "x", "https://a.example/v1/x"],
    [
      "a base URL with a slash at its end",
      { url: "https://a.example/v1/" },
      "x",
      "https://a.example/v1/x",
    ],
    [
      "the base URL, a slash and the base path",
      { url: "https://a.example", basePath: "v1" },
      "x",
      "https://a.example/v1/x",
    ],
    [
      "a base path with slashes around it",
      { url: "https://a.example", basePath: "/v1/" },
      "/x",
      "https://a.example/v1/x",
    ],
    [
      "the prefix that is given",
      { url: "https://a.example/v1", adapterPath: "https://" },
      "https://b.example/x",
      "https://b.example/x",
    ],
  ];
  for (const [what, options, path, url] of cases) {
    // contract: attr-9
    it(`adapter_path: ${what}`, async () => {
      const adapter = scripted(200);
      await new APISession({ ...options, adapter }).get(path);
      assertEquals(adapter.calls.map((call) => call.url), [url]);
    });
  }
});
