/** Checks assignments to the fields of clients with resources. */
import {
  assert,
  assertEquals,
  assertRejects,
  assertStrictEquals,
  assertThrows,
  describe,
  it,
} from "#test";
import { UnexpectedValueError } from "../../mod.ts";
import { SessionStateError } from "../../src/errors/session_state_error.ts";
import { ApiKeyAuth, AuthSchemes, BearerAuth } from "../../src/auth/mod.ts";
import {
  APIResource,
  ResourceClient,
  type ResourceClientOptions,
  type ResourcePromise,
} from "../../src/resources/mod.ts";
import { recordingLogger, silentLogger } from "../../src/testing/mod.ts";
import { scripted } from "../support/scripted.ts";

interface ShopOptions extends ResourceClientOptions {
  apiKey?: string | null | undefined;
  teamID?: string | undefined;
}

class Lamps extends APIResource<Shop> {
  list(): ResourcePromise<unknown> {
    return this._call("GET", "/lamps", undefined, { auth: this._client.authSchemes.use(["key"]) });
  }
}

class Shop extends ResourceClient {
  static override readonly baseUrl: string = "https://shop.example.com/v1";
  declare apiKey: string | null | undefined;
  declare teamID: string | undefined;
  readonly lamps: Lamps = new Lamps(this);

  constructor(options: ShopOptions = {}) {
    const { apiKey = "from-env", teamID } = options;
    const authSchemes = new AuthSchemes({
      key: apiKey == null ? undefined : new BearerAuth(apiKey),
      team: teamID === undefined ? undefined : new ApiKeyAuth(teamID),
    });
    super(
      options,
      { auth: authSchemes.use(["key"]), headers: { "X-Team": teamID } },
      { fields: { apiKey, teamID }, schemes: authSchemes },
    );
  }
}

function start(options: ShopOptions = {}) {
  const fetch = scripted(() => Response.json({}));
  const shop = new Shop({ fetch, logger: silentLogger, maxRetries: 0, ...options });
  const header = (name: string) => fetch.calls.at(-1)!.init.headers[name];
  return { fetch, shop, header, url: () => fetch.calls.at(-1)!.url };
}

describe("an assignment to a field of a client with resources", () => {
  it("changes the key of later calls of resources and of the client itself", async () => {
    const { shop, header } = start();
    await shop.lamps.list();
    assertEquals(header("authorization"), "Bearer from-env");
    shop.apiKey = "k2";
    await shop.lamps.list();
    assertEquals([shop.apiKey, header("authorization")], ["k2", "Bearer k2"]);
    await shop.get("/other");
    assertEquals(header("authorization"), "Bearer k2");
    shop.apiKey = "from-env";
    await shop.get("/other");
    assertEquals(header("authorization"), "Bearer from-env");
  });

  it("changes the base URL, the timeout, the retries and other options", async () => {
    const { shop, fetch, header, url } = start({ teamID: "a" });
    Object.assign(shop, { baseURL: "http://127.0.0.1:9/v2/", teamID: "b", timeout: 2000 });
    shop.maxRetries = 3;
    await shop.lamps.list();
    assertEquals([url(), header("x-team")], ["http://127.0.0.1:9/v2/lamps", "b"]);
    assertEquals([shop.timeout, shop.maxRetries, fetch.calls.length], [2000, 3, 1]);
  });

  it("leads to no warning, and neither do the fields themselves", async () => {
    const logger = recordingLogger();
    const { shop } = start({ logger, logLevel: "warn" });
    await shop.lamps.list();
    shop.timeout = 2000;
    shop.apiKey = "k2";
    await shop.lamps.list();
    assertEquals(
      logger.records.filter(({ message }) => `${message}`.includes("is a field of")),
      [],
    );
  });

  it("is taken along by withOptions, and does not change earlier copies", async () => {
    const { shop, header, url } = start();
    const before = shop.withOptions({ maxRetries: 1 });
    shop.baseURL = "https://new.example.com";
    shop.apiKey = "k2";
    const after = shop.withOptions({ maxRetries: 5 });
    assertEquals([after.baseURL, after.apiKey, after.maxRetries], [
      "https://new.example.com",
      "k2",
      5,
    ]);
    await before.lamps.list();
    assertEquals([url(), header("authorization")], [
      "https://shop.example.com/v1/lamps",
      "Bearer from-env",
    ]);
  });

  it("makes one copy for all calls, which is closed with the client", async () => {
    let made = 0;
    class Counted extends Shop {
      constructor(options: ShopOptions = {}) {
        super(options);
        made++;
      }
    }
    const { fetch } = start();
    const shop = new Counted({ fetch, logger: silentLogger });
    shop.apiKey = "k2";
    await shop.lamps.list();
    await shop.lamps.list();
    assertEquals(made, 2);
    await shop.close();
    const error = await shop.lamps.list().catch((reason: unknown) => reason);
    assert(error instanceof Error && error.name === "SessionStateError", String(error));
  });

  it("throws if the constructor does not pass its options on", async () => {
    class Listed extends ResourceClient {
      static override readonly baseUrl: string = "https://shop.example.com/v1";
      constructor(_name: unknown, options?: ResourceClientOptions) {
        super(options);
      }
    }
    const fetch = scripted(() => Response.json({}));
    const shop = new Listed("a", { fetch, logger: silentLogger });
    await shop.get("/lamps");
    shop.maxRetries = 1;
    await assertRejects(() => shop.get("/lamps"), UnexpectedValueError, "passes all its options");
    assertEquals(fetch.calls.length, 1);
    assertThrows(() => shop.withOptions({ maxRetries: 3 }), UnexpectedValueError);
  });

  it("does not let a closed client send again", async () => {
    const { shop, fetch } = start();
    await shop.lamps.list();
    await shop.close();
    shop.apiKey = "k2";
    await assertRejects(() => shop.get("/lamps"), SessionStateError);
    assertEquals(fetch.calls.length, 1);
  });

  it("closes the copies of earlier assignments, once their calls have ended", async () => {
    const events: string[] = [];
    class Watched extends Shop {
      override close(): Promise<void> {
        events.push(`close ${this.apiKey}`);
        return super.close();
      }
    }
    const slow = Promise.withResolvers<Response>();
    const fetch = scripted(() => slow.promise, () => Response.json({}));
    const shop = new Watched({ fetch, logger: silentLogger });
    shop.apiKey = "k2";
    const first = shop.get("/lamps").then(() => events.push("answer"));
    shop.apiKey = "k3";
    await shop.get("/lamps");
    assertEquals(events, []);
    slow.resolve(Response.json({}));
    await first;
    assertEquals(events, ["close k2", "answer"]);
    shop.apiKey = "k4";
    await shop.get("/lamps");
    assertEquals(events.slice(2), ["close k3"]);
    await shop.close();
    assertEquals(events.slice(3), ["close k4", "close k4"]);
  });

  it("keeps an override of the request method, which runs once for a call", async () => {
    const seen: string[] = [];
    class Watched extends Shop {
      protected override _req(
        ...args: Parameters<ResourceClient["_req"]>
      ): Promise<unknown> {
        seen.push(`${args[0]} ${args[1]}`);
        return super._req(...args);
      }
    }
    const { fetch } = start();
    const shop = new Watched({ fetch, logger: silentLogger });
    shop.apiKey = "k2";
    await shop.get("/a");
    assertEquals(seen, ["GET /a"]);
  });

  it("is possible for options before a client is made of them", () => {
    const options: ShopOptions = {};
    options.baseURL = "https://other.example.com";
    options.apiKey = "k3";
    const shop = new Shop(options);
    assertStrictEquals(shop.baseURL, "https://other.example.com");
    assertStrictEquals(shop.apiKey, "k3");
    assertStrictEquals(new Shop({ baseURL: "" }).baseURL, Shop.baseUrl);
  });
});
