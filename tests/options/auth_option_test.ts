import process from "node:process";
import { inspect } from "node:util";
import { afterEach, assert, assertEquals, assertThrows, describe, it } from "#test";
import {
  APIClient,
  APISession,
  type ClientOptions,
  type OptionChanges,
  type SessionOptions,
  UnexpectedValueError,
} from "../../mod.ts";
import { ApiKeyAuth, type AuthOption, BearerAuth } from "../../src/auth/mod.ts";
import { HttpSession } from "../../src/http/mod.ts";
import { type MockTransport, mockTransport } from "../../src/testing/mod.ts";

const ENV = "RESTWRIGHT_TEST_KEY";
const authOption: AuthOption = { name: "apiKey", scheme: (key) => new BearerAuth(key) };

interface OwnOptions {
  readonly apiKey?: string | undefined;
  readonly authOption?: AuthOption;
}

class ShopSession extends APISession {
  static override readonly url: string = "https://api.example.com";
  static override readonly errorOnUnexpectedInput: boolean = true;
  static override readonly authOption: AuthOption = authOption;

  constructor(options: SessionOptions & OwnOptions) {
    super(options);
  }
  override withOptions(changes: OptionChanges & Pick<OwnOptions, "apiKey">): this {
    return super.withOptions(changes);
  }
}

class ShopClient extends APIClient {
  static override readonly baseUrl: string = "https://api.example.com";
  static override readonly errorOnUnexpectedInput: boolean = true;
  static override readonly authOption: AuthOption = authOption;

  constructor(options: ClientOptions & OwnOptions) {
    super(options);
  }
  override withOptions(changes: OptionChanges & Pick<OwnOptions, "apiKey">): this {
    return super.withOptions(changes);
  }
  get(path: string): Promise<unknown> {
    return this._get(path);
  }
}

/** Returns the credentials of the requests so far. */
function keysOf({ calls }: MockTransport): string[] {
  return calls.map(({ headers }) => headers["authorization"]?.replace("Bearer ", "") ?? "none");
}

for (const Shop of [ShopSession, ShopClient]) {
  describe(`authOption of a ${Shop === ShopSession ? "session" : "client"}`, () => {
    const start = () => mockTransport({ "GET /*": {} });
    /** Returns a class like `Shop` with another `authOption`. */
    const withOption = (changes: Partial<AuthOption>): typeof ShopClient =>
      class extends (Shop as typeof ShopClient) {
        static override readonly authOption: AuthOption = { ...authOption, ...changes };
      };

    afterEach(() => {
      delete process.env[ENV];
    });

    it("makes the option the auth, also if unknown options are rejected", async () => {
      const fetch = start();
      await new Shop({ apiKey: "k-1", fetch }).get("/a");
      assertEquals(keysOf(fetch), ["k-1"]);
      const wrong: object = { apikey: "k-1" };
      const error = assertThrows(() => new Shop({ ...wrong, fetch }), UnexpectedValueError);
      assertEquals(error.option, "apikey");
    });

    it("is respected by withOptions, and by copies of copies", async () => {
      const fetch = start();
      const shop = new Shop({ apiKey: "k-1", fetch });
      const other = shop.withOptions({ apiKey: "k-2" });
      for (
        const each of [
          shop,
          shop.withOptions({ retries: 0 }),
          other,
          other.withOptions({ retries: 0 }),
          other.withOptions({ apiKey: "k-3" }),
          shop,
        ]
      ) await each.get("/a");
      assertEquals(keysOf(fetch), ["k-1", "k-1", "k-2", "k-2", "k-3", "k-1"]);
    });

    it("gives way to auth, in the constructor and in withOptions", async () => {
      const fetch = start();
      const shop = new Shop({ apiKey: "k-1", auth: new BearerAuth("mine"), fetch });
      const without = shop.withOptions({ auth: null });
      for (
        const each of [
          shop,
          shop.withOptions({ retries: 0 }),
          shop.withOptions({ apiKey: "k-2" }),
          without,
          without.withOptions({ retries: 0 }),
          without.withOptions({ apiKey: "k-2" }),
          shop.withOptions({ apiKey: "k-2", auth: new BearerAuth("yours") }),
        ]
      ) await each.get("/a");
      assertEquals(keysOf(fetch), ["mine", "mine", "k-2", "none", "none", "k-2", "yours"]);
    });

    it("applies only to the calls of this client if an HTTP session is passed in", async () => {
      const fetch = start();
      const session = new HttpSession({ fetch, auth: new BearerAuth("shared") });
      await new Shop({ apiKey: "k-1", session }).get("/a");
      await new Shop({ session }).get("/a");
      assertEquals(keysOf(fetch), ["k-1", "shared"]);
    });

    it("can be any scheme, such as a user name and a password", async () => {
      const fetch = start();
      const Basic = withOption({ scheme: (key) => [key, ""] });
      await new Basic({ apiKey: "k-1", fetch }).get("/a");
      assertEquals(keysOf(fetch), [`Basic ${btoa("k-1:")}`]);
    });

    it("reads the environment variable if the option is left out, but not for a copy", async () => {
      const fetch = start();
      const Env = withOption({ env: ENV });
      process.env[ENV] = "k-env";
      const shop = new Env({ fetch });
      const own = new Env({ apiKey: "k-1", fetch });
      const without = new Env({ auth: null, fetch });
      process.env[ENV] = "k-later";
      for (const each of [shop, own, without]) {
        await each.get("/a");
        await each.withOptions({ retries: 0 }).get("/a");
      }
      assertEquals(keysOf(fetch), ["k-env", "k-env", "k-1", "k-1", "none", "none"]);
    });

    it("bad input: a missing option is refused, unless it is optional or there is an auth", async () => {
      const fetch = start();
      const error = assertThrows(() => new Shop({ fetch }), UnexpectedValueError);
      assertEquals(error.message, '"apiKey" must be set, but is undefined');
      const Env = withOption({ env: ENV });
      for (const value of [undefined, "", " "]) {
        if (value !== undefined) process.env[ENV] = value;
        const missing = assertThrows(() => new Env({ fetch }), UnexpectedValueError);
        assertEquals([missing.option, missing.expected], [
          "apiKey",
          `set, as an option or as the environment variable ${ENV}`,
        ]);
        const hint = `--allow-env=${ENV}`;
        assertEquals(missing.message.includes(hint), "Deno" in globalThis);
      }
      await new Env({ auth: null, fetch }).get("/a");
      const Optional = withOption({ env: ENV, optional: true });
      await new Optional({ fetch }).get("/a");
      assertEquals(keysOf(fetch), ["none", "none"]);
    });

    it("bad input: an empty value is refused by the name of the option, and not replaced", () => {
      const fetch = start();
      process.env[ENV] = "k-env";
      const Env = withOption({ env: ENV, optional: true });
      const shop = new Env({ apiKey: "k-1", fetch });
      for (const apiKey of ["", null as never, 7 as never]) {
        for (const use of [() => new Env({ apiKey, fetch }), () => shop.withOptions({ apiKey })]) {
          const error = assertThrows(use, UnexpectedValueError);
          assertEquals([error.option, error.expected], ["apiKey", "a string that is not empty"]);
        }
      }
    });

    it("bad input: an authOption that is not valid is refused", () => {
      const wrong: [Partial<AuthOption>, string][] = [
        [{ name: undefined as never }, "authOption.name"],
        [{ scheme: undefined as never }, "authOption.scheme"],
        [{ scheme: (() => undefined) as never }, "authOption.scheme"],
        [{ scheme: (() => 7) as never }, "auth"],
      ];
      for (const [changes, option] of wrong) {
        const Wrong = withOption(changes);
        const options = option === "authOption.name" ? {} : { apiKey: "k" };
        const error = assertThrows(() => new Wrong(options), UnexpectedValueError);
        assertEquals(error.option, option);
      }
    });

    it("does not show the key in errors and printed clients", async () => {
      const fetch = mockTransport({ "GET /*": 403 });
      const shop = new Shop({ apiKey: "k-secret", fetch });
      const copy = shop.withOptions({ apiKey: "k-secret-2" });
      for (const each of [shop, copy]) {
        const error = await Promise.resolve(each.get("/a")).catch((error: unknown) => error);
        assert(!inspect([each, error], { depth: 9 }).includes("k-secret"));
      }
    });
  });
}

describe("authOption with an ApiKeyAuth", () => {
  it("sends the key as a header or a parameter", async () => {
    const fetch = mockTransport({ "GET /*": {} });
    class Header extends ShopClient {
      static override readonly authOption: AuthOption = {
        name: "apiKey",
        scheme: (key) => new ApiKeyAuth(key, { header: "X-Key" }),
      };
    }
    await new Header({ apiKey: "k-1", fetch }).get("/a");
    assertEquals(fetch.calls[0]?.headers["x-key"], "k-1");
  });
});
