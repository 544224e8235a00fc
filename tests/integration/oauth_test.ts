/** Runs the OAuth schemes against oauth2-mock-server, which shares no code with the toolkit. */
import {
  after,
  assert,
  assertEquals,
  assertRejects,
  before,
  beforeEach,
  describe,
  it,
} from "#test";
import {
  Events,
  type MutableResponse,
  type MutableToken,
  OAuth2Server,
  type TokenRequestIncomingMessage,
} from "oauth2-mock-server";
import { APISession } from "../../mod.ts";
import {
  ClientCredentialsAuth,
  OAuthError,
  type OAuthToken,
  RefreshTokenAuth,
} from "../../src/auth/oauth/mod.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { drained } from "../support/drained.ts";
import { startServer, type TestServer } from "../support/server.ts";

/** A token request as the server parsed it. */
interface Parsed {
  readonly authorization: string | undefined;
  readonly form: object;
}

describe("OAuth against oauth2-mock-server", () => {
  const server = new OAuth2Server();
  let api: TestServer;
  let tokenUrl: string;
  /** The token requests of a test. */
  let parsed: Parsed[] = [];
  /** The scopes of the tokens that the API accepts, by token. */
  const issued = new Map<string, unknown>();

  before(async () => {
    await server.issuer.keys.generate("ES256");
    await server.start(0, "127.0.0.1");
    tokenUrl = `http://127.0.0.1:${server.address().port}/token`;
    server.service.on(Events.BeforeTokenSigning, ({ payload }: MutableToken) => {
      payload["jti"] = crypto.randomUUID(); // tokens of the same second differ
    });
    server.service.on(
      Events.BeforeResponse,
      ({ body }: MutableResponse, { headers, body: form }: TokenRequestIncomingMessage) => {
        parsed.push({ authorization: headers.authorization, form: { ...form } });
        if (body !== "") issued.set(String(body["access_token"]), body["scope"]);
      },
    );
    api = await startServer((request, response) => {
      const token = request.headers.authorization?.replace(/^Bearer /, "") ?? "";
      response.writeHead(issued.has(token) ? 200 : 401, { "content-type": "application/json" });
      response.end(JSON.stringify({ scope: issued.get(token), header: headerOf(token) }));
    });
  });

  after(async () => {
    await api.stop();
    await server.stop();
  });

  beforeEach(() => {
    parsed = [];
    issued.clear();
  });

  function session(): APISession {
    const logger = recordingLogger({ level: "info" });
    return new APISession({ url: api.url, retries: 0, finalWait: false, logger });
  }

  function withCredentials(authMethod: "client_secret_basic" | "client_secret_post"): APISession {
    const created = session();
    const client = { tokenUrl, clientId: "reports", clientSecret: "s3cret", authMethod };
    created.httpSession.auth = new ClientCredentialsAuth(created, { ...client, scope: "read" });
    return created;
  }

  it("gets a signed token for client credentials in the header, and renews a revoked one", async () => {
    const reports = withCredentials("client_secret_basic");
    const answer = await reports.get("orders", { convJson: true });
    await drained(reports.get("orders"));
    issued.clear();
    const again = await reports.get("orders", { convJson: true });

    const expected = { scope: "read", header: { alg: "ES256" } };
    assertEquals([answer, again], [expected, expected]);
    const form = { grant_type: "client_credentials", scope: "read" };
    const authorization = `Basic ${btoa("reports:s3cret")}`;
    assertEquals(parsed, [{ authorization, form }, { authorization, form }]);
    await reports.close();
  });

  it("gets one token for concurrent requests, with client credentials in the body", async () => {
    const reports = withCredentials("client_secret_post");
    await Promise.all([1, 2, 3].map((id) => reports.get(`orders/${id}`, { convJson: true })));

    assertEquals(parsed, [{
      authorization: undefined,
      form: {
        grant_type: "client_credentials",
        scope: "read",
        client_id: "reports",
        client_secret: "s3cret",
      },
    }]);
    await reports.close();
  });

  it("exchanges refresh tokens, each of which the server replaces", async () => {
    const desktop = session();
    const saved: OAuthToken[] = [];
    desktop.httpSession.auth = new RefreshTokenAuth(desktop, {
      tokenUrl,
      clientId: "desktop",
      refreshToken: "r-0",
      store: { load: () => saved.at(-1), save: (token) => saved.push(token) },
    });
    await desktop.get("me", { convJson: true });
    issued.clear();
    await desktop.get("me", { convJson: true });

    const sent = parsed.map(({ form }) => Reflect.get(form, "refresh_token"));
    assertEquals(sent, ["r-0", saved[0]?.refreshToken]);
    assert(saved.length === 2 && saved[1]?.refreshToken !== saved[0]?.refreshToken);
    assert(saved.every(({ expiresAt = 0 }) => expiresAt > Date.now()));
    await desktop.close();
  });

  it("throws an OAuthError if the server refuses a token, and asks again", async () => {
    server.service.once(Events.BeforeResponse, (response: MutableResponse) => {
      response.statusCode = 401;
      response.body = { error: "invalid_client", error_description: "Unknown client" };
    });
    const reports = withCredentials("client_secret_basic");
    const error = await assertRejects(() => reports.get("orders"), OAuthError);
    await reports.get("orders", { convJson: true });

    assertEquals([error.error, error.errorDescription, error.status], [
      "invalid_client",
      "Unknown client",
      401,
    ]);
    await reports.close();
  });

  it("throws an OAuthError if the token endpoint is another page of the server", async () => {
    const wrong = session();
    const client = { clientId: "reports", clientSecret: "s3cret" };
    const url = tokenUrl.replace(/token$/, "nothing");
    wrong.httpSession.auth = new ClientCredentialsAuth(wrong, { ...client, tokenUrl: url });
    const error = await assertRejects(() => wrong.get("orders"), OAuthError, "tokenUrl");
    assertEquals(error.status, 404);
    await wrong.close();
  });
});

/** Returns the algorithm in the header of a JWT; undefined for any other text. */
function headerOf(token: string): object | undefined {
  const [header, , signature] = token.split(".");
  if (signature === undefined) return undefined;
  return { alg: JSON.parse(atob(header!)).alg };
}
