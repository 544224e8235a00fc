/** Checks that the body of a login, with its password, does not follow a redirect elsewhere. */
import { assert, assertEquals, assertRejects, it } from "#test";
import type { LoginRequests, SessionOptions } from "../../mod.ts";
import { SessionTokenAuth } from "../../src/auth/mod.ts";
import { RedirectError } from "../../src/entries/errors.ts";
import type { Transport } from "../../src/http/mod.ts";
import { redirectTo } from "../support/exchanging.ts";
import { describeGenerations, type SessionClass } from "../support/generations.ts";
import { shownOf } from "../support/shown.ts";

const json = { username: "ada", password: "countess-1815" };

/** A server for every origin. It redirects the requests to `/session`, and accepts all others. */
class Servers {
  /** The requests: method, URL and body. */
  readonly seen: string[] = [];
  readonly options: SessionOptions;

  constructor(status: number, location: string) {
    const fetch: Transport = (url, { method, body }) => {
      this.seen.push([method, url, ...body === undefined ? [] : [String(body)]].join(" "));
      const isMoved = url === "https://api.example.com/session";
      return Promise.resolve(isMoved ? redirectTo(location, status) : new Response("{}"));
    };
    this.options = {
      url: "https://api.example.com",
      fetch,
      logger: null,
      followRedirects: true,
      trustedOrigins: ["https://eu.example.com"],
    };
  }
}

type Send = (api: LoginRequests) => Promise<unknown>;

/** The request methods of logins. Each entry makes a session send a request with its own. */
const handles: Readonly<
  Record<string, (Session: SessionClass, options: SessionOptions, send: Send) => Promise<unknown>>
> = {
  "_authenticate": async (Session, options, send) => {
    class Vault extends Session {
      protected override async _authenticate(
        _: SessionOptions,
        login: LoginRequests,
      ): Promise<void> {
        await send(login);
      }
    }
    await (await Vault.open(options)).close();
  },
  "the login of SessionTokenAuth": async (Session, options, send) => {
    const vault = new Session(options);
    vault.httpSession.auth = new SessionTokenAuth(vault, {
      login: (api) => send(api).then(() => "t-1"),
    });
    await vault.get("a");
    await vault.close();
  },
  "the logout of SessionTokenAuth": async (Session, options, send) => {
    const vault = new Session(options);
    vault.httpSession.auth = new SessionTokenAuth(vault, {
      login: () => Promise.resolve("t-1"),
      logout: send,
    });
    await vault.get("a");
    await vault.close();
  },
};

/** Each redirect that asks for the body again. */
const repeating = [
  ["post", 307],
  ["post", 308],
  ["put", 301],
  ["patch", 302],
  ["delete", 307],
] as const;

describeGenerations("the body of a login", ({ Session }) => {
  for (const [name, use] of Object.entries(handles)) {
    for (const [method, status] of repeating) {
      for (
        const [where, location] of [
          ["another origin", "https://evil.example.com/session"],
          ["another port", "https://api.example.com:8443/session"],
          ["its own host over http", "http://api.example.com/session"],
        ] as const
      ) {
        it(`of ${name} does not follow a ${status} after ${method} to ${where}`, async () => {
          const { seen, options } = new Servers(status, location);
          const send: Send = (api) => api[method]("session", { json });
          const error = await assertRejects(() => use(Session, options, send), RedirectError);
          assertEquals(error.status, status);
          assert(error.message.includes("trustedOrigins"), error.message);
          assert(!error.message.includes(location), error.message);
          assert(!shownOf(error).includes(json.password));
          assertEquals(seen.filter((each) => each.includes(location)), []);
        });
      }
    }

    it(`of ${name} follows a redirect within its origin, and to an origin of trustedOrigins`, async () => {
      for (const target of ["https://api.example.com/v2", "https://eu.example.com/v2"]) {
        const { seen, options } = new Servers(307, target);
        await use(Session, options, (api) => api.post("session", { json }));
        assert(seen.includes(`POST ${target} ${JSON.stringify(json)}`), seen.join("\n"));
      }
    });

    it(`of ${name} is left out if the redirect asks for a GET, which is followed`, async () => {
      const target = "https://evil.example.com/done";
      for (const [method, status] of [["post", 303], ["post", 302], ["put", 303]] as const) {
        const { seen, options } = new Servers(status, target);
        await use(Session, options, (api) => api[method]("session", { json }));
        assert(seen.includes(`GET ${target}`), seen.join("\n"));
      }
    });

    it(`of ${name} does not exist in a GET, whose redirects are followed`, async () => {
      const target = "https://evil.example.com/session";
      const { seen, options } = new Servers(308, target);
      await use(Session, options, (api) => api.get("session"));
      assert(seen.includes(`GET ${target}`), seen.join("\n"));
    });
  }

  it("is protected, but that of any other request follows a 307 as the standard says", async () => {
    const target = "https://other.example.com/session";
    const { seen, options } = new Servers(307, target);
    await new Session(options).post("session", { json });
    assertEquals(seen.at(-1), `POST ${target} ${JSON.stringify(json)}`);
  });
});
