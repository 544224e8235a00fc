import { after, assert, assertEquals, before, describe, it } from "#test";
import { APIClient } from "../../../mod.ts";
import { ClientCredentialsAuth } from "../../../src/auth/oauth/mod.ts";
import { silentLogger } from "../../../src/testing/mod.ts";
import {
  json,
  type LiveClient,
  type LiveSdk,
  type Received,
  startLiveSdk,
} from "../support/live_sdk.ts";

const responses = { 200: { content: { "application/json": { schema: { type: "object" } } } } };
const scopes = { read: "Read" };
const tokenUrl = "https://login.example.com/token";
const authorizationUrl = "https://login.example.com/authorize";

/** The security of each operation, by its name. */
const security = {
  stated: undefined,
  open: [],
  basic: [{ login: [] }],
  bearer: [{ token: [] }],
  inHeader: [{ headerKey: [] }],
  inQuery: [{ query_key: [] }],
  inCookie: [{ cookieKey: [] }],
  byFlow: [{ oauth: ["read"] }],
  byOpenId: [{ openId: ["read"] }],
  both: [{ login: [], headerKey: [] }],
  either: [{ query_key: [], cookieKey: [] }, { token: [] }],
  maybe: [{ token: [] }, {}],
} as const;

const document = {
  security: [{ token: [] }],
  paths: Object.fromEntries(
    Object.entries(security).map(([name, security]) => [`/${name}`, {
      get: { tags: ["calls"], operationId: name, security, responses },
    }]),
  ),
  components: {
    securitySchemes: {
      login: { type: "http", scheme: "basic" },
      token: { type: "http", scheme: "Bearer" },
      headerKey: { type: "apiKey", in: "header", name: "X-Key" },
      query_key: { type: "apiKey", in: "query", name: "api_key" },
      cookieKey: { type: "apiKey", in: "cookie", name: "key" },
      oauth: {
        type: "oauth2",
        flows: {
          implicit: { authorizationUrl, scopes },
          password: { tokenUrl, scopes },
          clientCredentials: { tokenUrl, scopes },
          authorizationCode: { authorizationUrl, tokenUrl, scopes },
        },
      },
      openId: {
        type: "openIdConnect",
        openIdConnectUrl: "https://login.example.com/.well-known/openid-configuration",
      },
    },
  },
};

const all = {
  login: ["ada", "countess"],
  token: "t-1",
  headerKey: "h-1",
  queryKey: "q&1",
  cookieKey: "c-1",
  oauth: "o-1",
  openId: () => Promise.resolve("i-1"),
};

/** Returns all credentials that a request has. */
function credentialsOf({ url, headers }: Received): Readonly<Record<string, string>> {
  const found = {
    authorization: headers["authorization"],
    key: headers["x-key"],
    query: url.split("?")[1],
    cookie: headers["cookie"],
  };
  return Object.fromEntries(
    Object.entries(found).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

const basic = "Basic YWRhOmNvdW50ZXNz";
const expected: Readonly<Record<keyof typeof security, Readonly<Record<string, string>>>> = {
  stated: { authorization: "Bearer t-1" },
  open: {},
  basic: { authorization: basic },
  bearer: { authorization: "Bearer t-1" },
  inHeader: { key: "h-1" },
  inQuery: { query: "api_key=q%261" },
  inCookie: { cookie: "key=c-1" },
  byFlow: { authorization: "Bearer o-1" },
  byOpenId: { authorization: "Bearer i-1" },
  both: { authorization: basic, key: "h-1" },
  either: { query: "api_key=q%261", cookie: "key=c-1" },
  maybe: { authorization: "Bearer t-1" },
};

describe("the security of a generated client", () => {
  let sdk: LiveSdk;
  before(async () => {
    sdk = await startLiveSdk(
      document,
      {},
      ({ url }, response) =>
        json(response, 200, url === "/token" ? { access_token: "o-2", token_type: "bearer" } : {}),
    );
  });
  after(async () => {
    await sdk?.stop();
  });

  /** Calls an operation, and returns the credentials of its request. */
  async function sent(client: LiveClient, name: string): Promise<object> {
    await client["calls"]![name]!();
    const request = sdk.requests.at(-1)!;
    assert(request.url.startsWith(`/${name}`), request.url);
    return credentialsOf(request);
  }

  /** Returns the error of a call that sends nothing. */
  async function refused(client: LiveClient, name: string): Promise<string> {
    const before = sdk.requests.length;
    const error = await client["calls"]![name]!().catch((error: unknown) => error);
    assertEquals(sdk.requests.length, before);
    assert(error instanceof Error, `${name} was not refused`);
    return error.message;
  }

  for (const [name, credentials] of Object.entries(expected)) {
    const count = Object.keys(credentials).length;
    it(`sends ${count === 0 ? "nothing" : JSON.stringify(credentials)} for ${name}`, async () => {
      assertEquals(await sent(sdk.client({ ...all, logger: silentLogger }), name), credentials);
    });
  }

  it("takes the alternative whose schemes have values", async () => {
    const client = (options: object) => sdk.client({ ...options, logger: silentLogger });
    assertEquals(await sent(client({ token: "t", queryKey: "q" }), "either"), {
      authorization: "Bearer t",
    });
    assertEquals(await sent(client({ queryKey: "q" }), "maybe"), {});
  });

  it("refuses a call without credentials by the names of its schemes", async () => {
    const client = sdk.client({ headerKey: "h-1", logger: silentLogger });
    const wanted = {
      stated: "token",
      bearer: "token",
      basic: "login",
      inQuery: "queryKey",
      inCookie: "cookieKey",
      byFlow: "oauth",
      byOpenId: "openId",
      both: "login and headerKey",
      either: "queryKey and cookieKey, or token",
    };
    for (const [name, names] of Object.entries(wanted)) {
      const message = await refused(client, name);
      assert(message.includes(`requires credentials for ${names},`), message);
    }
    assertEquals(await sent(client, "open"), {});
  });

  it("takes a scheme that gets the token of a flow", async () => {
    const sender = new APIClient({ baseUrl: sdk.url, logger: silentLogger });
    const oauth = new ClientCredentialsAuth(sender, {
      tokenUrl: "/token",
      clientId: "id",
      clientSecret: "secret",
      scope: "read",
    });
    const client = sdk.client({ oauth, logger: silentLogger });
    assertEquals(await sent(client, "byFlow"), { authorization: "Bearer o-2" });
    assertEquals(sdk.requests.at(-2)!.url, "/token");
  });

  it("changes with the options of a copy, and stays with its origin", async () => {
    const client = sdk.client({ ...all, logger: silentLogger });
    const copy = client.withOptions({ token: "t-2", headerKey: "h-2" });
    assertEquals(await sent(copy, "stated"), { authorization: "Bearer t-2" });
    assertEquals(await sent(copy, "both"), { authorization: basic, key: "h-2" });
    assertEquals(await sent(client, "stated"), { authorization: "Bearer t-1" });
    assertEquals(await sent(client.withOptions({ retries: 0 }), "both"), {
      ...{ authorization: basic, key: "h-1" },
    });
    const elsewhere = client.withOptions({ baseUrl: sdk.url.replace("127.0.0.1", "localhost") });
    for (const name of ["stated", "both", "inCookie", "inQuery"]) await refused(elsewhere, name);
  });
});
