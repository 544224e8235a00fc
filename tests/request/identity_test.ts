import { assert, assertEquals, assertNotEquals, describe, it } from "#test";
import {
  APISession,
  BearerAuth,
  HttpSession,
  type Middleware,
  type RequestOptions,
  type SessionOptions,
} from "../../mod.ts";
import { CookieJar } from "../../src/cookies/mod.ts";
import { mockTransport } from "../../src/testing/mod.ts";

const url = "https://api.example.com";

/** Creates options for a session, and a list of the identities of its requests. */
function watched(): { options: SessionOptions; identities: (object | undefined)[] } {
  const identities: (object | undefined)[] = [];
  const watch: Middleware = (request, next) => {
    identities.push(request.identity);
    return next(request);
  };
  const adapter = mockTransport({ "GET /a": 204 });
  return { options: { url, adapter, middleware: [watch] }, identities };
}

/** Reports if two calls of a session have the same identity; undefined if one has none. */
async function isSame(one: RequestOptions, other: RequestOptions): Promise<boolean | undefined> {
  const { options, identities } = watched();
  const session = new APISession(options);
  await session.get("a", one);
  await session.get("a", other);
  const [first, second] = identities;
  if (first === undefined || second === undefined) return undefined;
  return first === second;
}

describe("the identity of a request", () => {
  const auth = new BearerAuth("t-1");
  const cases: readonly (readonly [string, RequestOptions, RequestOptions, boolean | undefined])[] =
    [
      ["the same for two calls of a session", {}, {}, true],
      [
        "the same for other params and headers",
        { params: { a: 1 } },
        { headers: { a: "b" } },
        true,
      ],
      ["the same for another timeout", {}, { timeout: 5 }, true],
      ["the same for the same scheme", { auth }, { auth }, true],
      ["another one for another scheme", { auth }, { auth: new BearerAuth("t-1") }, false],
      ["another one for a call with a scheme", {}, { auth }, false],
      ["another one for a call without credentials", {}, { auth: null }, false],
      ["another one for named cookies", {}, { cookies: { theme: "dark" } }, false],
      ["another one for unverified TLS", {}, { verify: false }, false],
      ["another one without redirects", {}, { followRedirects: false }, false],
      [
        "undefined for a call with its own cookie store",
        {},
        { cookies: new CookieJar() },
        undefined,
      ],
      ["undefined for a call without cookies", {}, { cookies: null }, undefined],
      ["undefined for a call with options of fetch", {}, { cache: "no-store" }, undefined],
    ];
  for (const [name, one, other, expected] of cases) {
    it(`is ${name}`, async () => {
      assertEquals(await isSame(one, other), expected);
    });
  }

  it("is another one for another session, also one of the same class and options", async () => {
    const { options, identities } = watched();
    await new APISession(options).get("a");
    await new APISession(options).get("a");
    assert(identities[0] !== undefined && identities[0] !== identities[1]);
  });

  it("is the same for a copy of a session, unless the copy has other credentials", async () => {
    const { options, identities } = watched();
    const session = new APISession(options);
    const copies = [
      session,
      session.withOptions({ timeout: 5 }),
      session.withOptions({ headers: { authorization: "Bearer t-2" } }),
      session.withOptions({ auth: new BearerAuth("t-3") }),
    ];
    for (const copy of copies) await copy.get("a");
    assert(identities[0] === identities[1]);
    assertEquals(new Set(identities).size, 3);
  });

  it("is another one if the scheme of the session or the credentials of its URL differ", async () => {
    const { options, identities } = watched();
    const session = new HttpSession();
    await new APISession({ ...options, session }).get("a");
    await new APISession({ ...options, session, url: "https://ada:x@api.example.com" }).get("a");
    session.auth = new BearerAuth("t-4");
    await new APISession({ ...options, session }).get("a");
    assertEquals(new Set(identities).size, 3);
  });

  it("has no properties, because the settings contain secrets", async () => {
    const { options, identities } = watched();
    await new APISession({ ...options, auth: ["ada", "countess"] }).get("a");
    assertEquals(Reflect.ownKeys(identities[0]!), []);
    assert(Object.isFrozen(identities[0]));
    assertNotEquals(identities[0], undefined);
  });
});
