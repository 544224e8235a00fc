/** Tests of copies whose base URL has another origin. */
import { assertEquals, assertRejects, assertStrictEquals, describe, it } from "#test";
import type { ClientOptions } from "../../mod.ts";
import { ApiKeyAuth, BearerAuth } from "../../src/auth/mod.ts";
import { HttpSession } from "../../src/http/mod.ts";
import { APIClient } from "../../src/client/client.ts";
import { SessionStateError } from "../../src/errors/session_state_error.ts";
import { etagCache } from "../../src/middleware/mod.ts";
import { describeGenerations } from "../support/generations.ts";
import { scripted } from "../support/scripted.ts";

const url = "https://api.example.com/v1";
const other = "https://eu.example.com/v1";

/** Returns a response that sets a cookie. */
const withCookie = () => new Response("{}", { headers: { "set-cookie": "id=abc" } });

describeGenerations("a copy with a base URL of another origin", ({ Session }) => {
  const start = (options: object = {}) => {
    const fetch = scripted(withCookie);
    const session = new Session({ url, fetch, logger: null, ...options });
    const copyTo = (to: string, changes: object = {}) =>
      session.withOptions({ url: to, baseUrl: to, ...changes } as object);
    const sent = (index: number) => {
      const { url, init: { headers } } = fetch.calls[index]!;
      const { "user-agent": _, ...others } = headers;
      return { url, headers: { ...others } };
    };
    return { session, fetch, copyTo, sent };
  };

  it("takes no credentials, headers, cookies and parameters along", async () => {
    const { session, copyTo, sent } = start({
      auth: new BearerAuth("t-1"),
      headers: { "x-key": "k-1" },
      params: { key: "k-2" },
    });
    await session.get("x");
    await session.get("x");
    const copy = copyTo(other);
    await copy.get("x");
    await copy.get(`${url}/x`);
    assertEquals(sent(1), {
      url: `${url}/x?key=k-2`,
      headers: { authorization: "Bearer t-1", cookie: "id=abc", "x-key": "k-1" },
    });
    assertEquals(sent(2), { url: `${other}/x`, headers: {} });
    assertEquals(sent(3), { url: `${url}/x`, headers: {} });
  });

  it("has those that it is given", async () => {
    const { session, copyTo, sent } = start({ auth: new BearerAuth("t-1") });
    await session.get("x");
    const auth = new ApiKeyAuth("k-9");
    await copyTo(other, { auth, headers: { "x-a": "1" }, params: { b: 2 } }).get("x");
    assertEquals(sent(1), { url: `${other}/x?b=2`, headers: { "x-a": "1", "x-api-key": "k-9" } });
  });

  it("keeps the other options", async () => {
    const fetch = scripted(503, withCookie);
    const { copyTo } = start({ retries: 1, backoff: 0, convJson: true, fetch });
    assertEquals<unknown>(await copyTo(other).get("x"), {});
    assertEquals(fetch.calls.map(({ url }) => url), [`${other}/x`, `${other}/x`]);
  });

  it("logs in and out by itself, and outlives the original", async () => {
    const steps: string[] = [];
    class Vault extends Session {
      protected override _authenticate(): void {
        steps.push("in");
      }
      protected override _deauthenticate(): void {
        steps.push("out");
      }
    }
    const fetch = scripted(withCookie);
    const vault = new Vault({ url, fetch });
    await vault.get("x");
    const copy = vault.withOptions({ url: other, baseUrl: other } as object);
    await copy.get("x");
    await vault.close();
    await copy.get("x");
    await copy.close();
    assertEquals(steps, ["in", "in", "out", "out"]);
    await assertRejects(() => copy.get("x"), SessionStateError);
  });

  it("does not use an HTTP session that was passed to the original", async () => {
    const http = new HttpSession({ fetch: scripted(withCookie), auth: new BearerAuth("t-1") });
    const { copyTo, fetch } = start({ session: http });
    const copy = copyTo(other);
    await copy.get("x");
    assertEquals([copy.httpSession === http, fetch.calls.length], [false, 1]);
  });

  it("has no cached response of the original", async () => {
    const tagged = () => new Response("{}", { headers: { etag: '"v1"' } });
    const fetch = scripted(tagged);
    const { session, copyTo } = start({ middleware: [etagCache()], convJson: true, fetch });
    await session.get("x");
    const copy = copyTo(other);
    await copy.get("x");
    await copy.get(`${url}/x`);
    const conditions = fetch.calls.map(({ init }) => init.headers["if-none-match"]);
    assertEquals(conditions, [undefined, undefined, undefined]);
  });

  it("shares the HTTP session if only the path differs", () => {
    const { session, copyTo } = start();
    assertStrictEquals(copyTo("https://api.example.com/v2").httpSession, session.httpSession);
  });
});

describe("a copy whose constructor chooses another origin", () => {
  it("takes no credentials along either", async () => {
    interface Options extends ClientOptions {
      readonly region?: "us" | "eu";
    }
    class Shop extends APIClient {
      static override readonly optionNames: readonly string[] = ["region"];

      constructor(options: Options = {}) {
        super({ ...options, baseUrl: `https://${options.region ?? "us"}.example.com` });
      }
      override withOptions(changes: Options): this {
        return super.withOptions(changes);
      }
      read(): Promise<unknown> {
        return this._get("/x", { convJson: true });
      }
    }
    const fetch = scripted(() => Response.json({}));
    const shop = new Shop({ fetch, auth: new BearerAuth("t-1") });
    await shop.read();
    await shop.withOptions({ region: "eu" }).read();
    const sent = fetch.calls.map(({ url, init }) => [url, init.headers["authorization"]]);
    assertEquals(sent, [["https://us.example.com/x", "Bearer t-1"], [
      "https://eu.example.com/x",
      undefined,
    ]]);
  });

  it("takes no option with credentials along, which the class and its ancestors declare", () => {
    interface Options extends ClientOptions {
      readonly token?: string | undefined;
      readonly key?: string | undefined;
      readonly tenant?: string | undefined;
    }
    class Base extends APIClient {
      static override readonly baseUrl: string = url;
      static override readonly errorOnUnexpectedInput: boolean = true;
      static override readonly credentialOptions: readonly string[] = ["token"];
    }
    class Shop extends Base {
      static override readonly credentialOptions: readonly string[] = ["key"];
      static override readonly optionNames: readonly string[] = ["tenant"];
      readonly own: unknown;

      constructor(options: Options) {
        super(options);
        const { token, key, tenant } = options;
        this.own = { token, key, tenant };
      }
      override withOptions(changes: Options): this {
        return super.withOptions(changes);
      }
    }
    const shop = new Shop({ token: "t", key: "k", tenant: "north" });
    const none = { token: undefined, key: undefined, tenant: "north" };
    assertEquals(shop.withOptions({ baseUrl: other }).own, none);
    assertEquals(shop.withOptions({ baseUrl: other, key: "k2" }).own, { ...none, key: "k2" });
    assertEquals(shop.withOptions({ retries: 0 }).own, { token: "t", key: "k", tenant: "north" });
  });
});
