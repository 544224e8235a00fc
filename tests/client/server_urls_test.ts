import { assertEquals, assertThrows, describe, it } from "#test";
import { path, ServerUrls, UnexpectedValueError } from "../../mod.ts";
import { APIClient } from "../../src/client/client.ts";
import type { ClientOptions, OptionChanges } from "../../mod.ts";
import { scripted } from "../support/scripted.ts";

const defaultUrl = "https://api.example.com/v1";
const servers = {
  v2: "https://api.example.com/v2",
  root: "https://api.example.com/",
  uploads: "https://uploads.example.com/files/",
};

function urlsOf(baseUrl: string, own?: Partial<Record<keyof typeof servers, string>>) {
  return new ServerUrls({ baseUrl, defaultUrl, servers }, own);
}

describe("the URLs of servers beside the base URL", () => {
  it("are those of the API if the base URL is the default", () => {
    for (const baseUrl of [defaultUrl, `${defaultUrl}/`, "HTTPS://API.example.com:443/v1"]) {
      const urls = urlsOf(baseUrl);
      assertEquals(urls.urlOf("v2", path`/lamps/${"a/b"}`), `${servers.v2}/lamps/a%2Fb`);
      assertEquals(urls.urlOf("root", "lamps?a=1"), "https://api.example.com/lamps?a=1");
      assertEquals(urls.urlOf("uploads", ""), "https://uploads.example.com/files");
      assertEquals(urls.origins, ["https://api.example.com", "https://uploads.example.com"]);
    }
  });

  const moved: readonly (readonly [baseUrl: string, v2: string, root: string])[] = [
    ["http://localhost:4010", "http://localhost:4010/v2", "http://localhost:4010"],
    ["http://localhost:4010/v1/", "http://localhost:4010/v2", "http://localhost:4010"],
    [
      "https://gate.example/lamps/v1",
      "https://gate.example/lamps/v2",
      "https://gate.example/lamps",
    ],
    ["https://gate.example/mock", "https://gate.example/mock/v2", "https://gate.example/mock"],
    ["https://gate.example/xv1", "https://gate.example/xv1/v2", "https://gate.example/xv1"],
    ["https://api.example.com", "https://api.example.com/v2", "https://api.example.com"],
  ];
  for (const [baseUrl, v2, root] of moved) {
    it(`follow the base URL ${baseUrl} if they have the origin of the default`, () => {
      const urls = urlsOf(baseUrl);
      assertEquals(urls.urlOf("v2", "/a"), `${v2}/a`);
      assertEquals(urls.urlOf("root", "/a"), `${root}/a`);
      assertEquals(urls.origins, [new URL(baseUrl).origin]);
    });
  }

  it("do not have the credentials of the base URL", () => {
    const urls = urlsOf("https://ada:countess@gate.example");
    assertEquals(urls.urlOf("v2", "/a"), "https://gate.example/v2/a");
  });

  it("are required for another origin if the base URL is not the default", () => {
    const call = () => urlsOf("http://localhost:4010").urlOf("uploads", "/a");
    const error = assertThrows(call, UnexpectedValueError);
    assertEquals(error.option, "servers.uploads");
    assertEquals(
      error.message,
      '"servers.uploads" must be set if the base URL is not the default, because this call has a ' +
        "server of its own (by default https://uploads.example.com/files/), but is undefined",
    );
  });

  it("are required if there is no default", () => {
    const urls = new ServerUrls({ baseUrl: defaultUrl, servers });
    for (const name of ["v2", "uploads"] as const) {
      assertThrows(() => urls.urlOf(name, "/a"), UnexpectedValueError);
    }
  });

  it("are those of the caller, with any base URL", () => {
    const own = { uploads: "http://localhost:4011/up/", v2: "http://localhost:4012" };
    for (const baseUrl of [defaultUrl, "http://localhost:4010"]) {
      const urls = urlsOf(baseUrl, own);
      assertEquals(urls.urlOf("uploads", "/a"), "http://localhost:4011/up/a");
      assertEquals(urls.urlOf("v2", "/a"), "http://localhost:4012/a");
    }
  });

  it("of the caller must be full URLs, by known names", () => {
    const mistakes: readonly (readonly [own: unknown, option: string])[] = [
      [{ uploads: "localhost:4011" }, "servers.uploads"],
      [{ uploads: "" }, "servers.uploads"],
      [{ uploads: "http://localhost:4011?a=1" }, "servers.uploads"],
      [{ uploads: "http://ada:countess@localhost:4011" }, "servers.uploads"],
      [{ uploads: 7 }, "servers.uploads"],
      [{ upload: "http://localhost:4011" }, "servers.upload"],
      ["http://localhost:4011", "servers"],
      [null, "servers"],
    ];
    for (const [own, option] of mistakes) {
      const error = assertThrows(() => urlsOf(defaultUrl, own as never), UnexpectedValueError);
      assertEquals(error.option, option);
    }
    assertEquals(urlsOf(defaultUrl, { uploads: undefined } as never).origins.length, 2);
  });
});

describe("the defaults that a class computes for a client", () => {
  interface ShopOptions extends ClientOptions {
    readonly region?: "eu" | "us" | undefined;
  }
  class Shop extends APIClient {
    static override readonly baseUrl: string = "https://eu.example.com";
    static override readonly optionNames: readonly string[] = ["region"];
    constructor(options: ShopOptions = {}) {
      const { region = "eu" } = options;
      const urls = { eu: "https://eu.example.com", us: "https://us.example.com" };
      super(options, { baseUrl: urls[region], trustedOrigins: ["https://files.example.com"] });
    }
    override withOptions(changes: OptionChanges & Pick<ShopOptions, "region">): this {
      return super.withOptions(changes);
    }
    async send(url: string): Promise<void> {
      await this._get(url);
    }
  }
  const start = (options: ShopOptions = {}) => {
    const fetch = scripted(() => new Response());
    const shop = new Shop({ fetch, logger: null, auth: ["ada", "countess"], ...options });
    const sent = () =>
      fetch.calls.map(({ url, init }) => [url, init.headers["authorization"] !== undefined]);
    return { shop, sent };
  };

  it("are computed anew for a copy", async () => {
    const { shop, sent } = start();
    await shop.send("/a");
    await shop.withOptions({ region: "us" }).send("/b");
    await shop.withOptions({ region: "us" }).withOptions({ retries: 0 }).send("/c");
    assertEquals(sent(), [
      ["https://eu.example.com/a", true],
      ["https://us.example.com/b", false],
      ["https://us.example.com/c", false],
    ]);
  });

  it("give way to the options of the caller", async () => {
    const { shop, sent } = start({ baseUrl: "https://gate.example.com", trustedOrigins: [] });
    await shop.withOptions({ region: "us" }).send("/a");
    await shop.send("https://files.example.com/b");
    assertEquals(sent(), [
      ["https://gate.example.com/a", true],
      ["https://files.example.com/b", false],
    ]);
  });

  it("have the origins that get the credentials", async () => {
    const { shop, sent } = start();
    await shop.send("https://files.example.com/b");
    assertEquals(sent(), [["https://files.example.com/b", true]]);
  });

  it("do not fall back to the static base URL", () => {
    const error = assertThrows(() => new Shop({ region: "ue" as "eu" }), UnexpectedValueError);
    assertEquals(error.option, "baseUrl");
  });
});
