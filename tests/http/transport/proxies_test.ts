import { assert, assertEquals, assertThrows, describe, it } from "#test";
import { checkedProxies } from "../../../src/http/transport/proxies.ts";
import { UnexpectedValueError } from "../../../mod.ts";

const PROXY = "http://proxy.example:3128";
const OTHER = "https://other.example";

describe("proxies", () => {
  const tables: readonly (readonly [string, unknown, string | undefined, string | undefined])[] = [
    ["none", undefined, undefined, undefined],
    ["null", null, undefined, undefined],
    ["an empty mapping", {}, undefined, undefined],
    ["one for http", { http: PROXY }, PROXY, undefined],
    ["one for https", { https: PROXY }, undefined, PROXY],
    ["one for all", { all: PROXY }, PROXY, PROXY],
    ["one for all and another for https", { all: PROXY, https: OTHER }, PROXY, OTHER],
    ["one for all and none for http", { all: PROXY, http: null }, undefined, PROXY],
    ["one that is undefined", { all: PROXY, http: undefined }, PROXY, PROXY],
    ["pairs", [["http", PROXY], ["https", OTHER]], PROXY, OTHER],
    ["pairs, of which the last one wins", [["all", PROXY], ["all", OTHER]], OTHER, OTHER],
    [
      "a slash at the end, and letters in upper case",
      { all: "HTTP://Proxy.example:3128/" },
      PROXY,
      PROXY,
    ],
    [
      "the default port",
      { all: "http://proxy.example:80" },
      "http://proxy.example",
      "http://proxy.example",
    ],
  ];
  for (const [what, value, http, https] of tables) {
    // contract: reading-14
    it(`are accepted: ${what}`, () => {
      const table = checkedProxies(value);
      assertEquals([table.http?.origin, table.https?.origin], [http, https]);
    });
  }

  it("can have credentials in their URL, which are decoded", () => {
    const { http } = checkedProxies({ all: "http://ada:p%40ss%3A%20w@proxy.example" });
    assertEquals(http, {
      origin: "http://proxy.example",
      authorization: `Basic ${btoa("ada:p@ss: w")}`,
    });
    const nameOnly = checkedProxies({ all: "http://ada@proxy.example" });
    assertEquals(nameOnly.http?.authorization, `Basic ${btoa("ada:")}`);
  });

  it("share one object if they are the same", () => {
    const { http, https } = checkedProxies([["http", PROXY], ["https", PROXY]]);
    assert(http === https);
  });

  const mistakes: readonly (readonly [string, unknown, string])[] = [
    ["a string", PROXY, "proxies"],
    ["a number", 3128, "proxies"],
    ["a list of strings", ["http", PROXY], "proxies[0]"],
    ["a triple", [["http", PROXY], ["http", PROXY, 1]], "proxies[1]"],
    ["an unknown protocol", { ftp: PROXY }, "proxies"],
    ["a protocol with a colon", { "https:": PROXY }, "proxies"],
    [
      "a URL instead of the protocol",
      [["http://ada:secret@proxy.example", "all"]],
      "proxies[0]",
    ],
    ["a URL without a scheme", { http: "proxy.example:3128" }, "proxies.http"],
    [
      "a URL without a scheme, with credentials",
      { all: "ada:secret@proxy.example" },
      "proxies.all",
    ],
    ["another scheme", { https: "socks5://ada:secret@proxy.example" }, "proxies.https"],
    ["a path", { all: "http://ada:secret@proxy.example/path" }, "proxies.all"],
    ["a query", { all: "http://proxy.example/?secret" }, "proxies.all"],
    ["an empty string", { all: "" }, "proxies.all"],
    ["a number as a URL", { all: 3128 }, "proxies.all"],
    ["no host", { all: "http://" }, "proxies.all"],
  ];
  for (const [what, value, option] of mistakes) {
    it(`are refused: ${what}`, () => {
      const error = assertThrows(() => checkedProxies(value), UnexpectedValueError);
      assertEquals(error.option, option);
      assert(!`${error.stack}${JSON.stringify(error)}`.includes("secret"), error.message);
    });
  }
});
