import {
  after,
  assert,
  assertEquals,
  assertRejects,
  assertThrows,
  before,
  describe,
  it,
} from "#test";
import * as toolkit from "../mod.ts";
import * as auth from "../src/auth/mod.ts";
import * as errors from "../src/errors/mod.ts";
import * as http from "../src/http/mod.ts";
import * as middleware from "../src/options/middleware.ts";
import * as iterators from "../src/paging/iterator/iterator.ts";
import * as oauth from "../src/auth/oauth/mod.ts";
import * as webhooks from "../src/webhooks/mod.ts";
import { CookieJar } from "../src/http/cookies/mod.ts";
import { shownOf } from "./support/shown.ts";
import { type Certificates, makeCertificates } from "./support/certificates.ts";
import { fakeClock } from "../src/testing/fake_clock.ts";
import { mockTransport } from "../src/testing/mock_transport.ts";
import { type RecordingLogger, recordingLogger } from "../src/testing/recording_logger.ts";
import { tlsMissing } from "./support/tls_peers.ts";

const {
  APIClient,
  APIEndpoint,
  APISession,
  RestwrightError,
  TransportError,
} = toolkit;
const { ApiKeyAuth, AuthSchemes, BasicAuth, BearerAuth } = auth;
const { APIIterator, AsyncAPIIterator } = iterators;
const { HttpSession } = http;

/** Secrets that must never be shown. Each is too long to occur by chance. */
const secrets = {
  urlPassword: "url-pass-7d1f",
  proxyPassword: "proxy-pass-2b9c",
  authPassword: "auth-pass-5e0a",
  token: "token-8c4d",
  apiKey: "api-key-3f6b",
  cookie: "cookie-1a2e",
  header: "header-9b7d",
  optionHeader: "own-header-6c5f",
  bodyField: "body-field-4d3a",
  echo: "echoed-0e8b",
};

describe("secrets", () => {
  const missing = tlsMissing();
  let certificates: Certificates | undefined;

  before(async () => {
    if (missing === undefined) certificates = await makeCertificates();
  });
  after(() => certificates?.remove());

  const keyLine = () => certificates?.client.pem[1].split("\n")[1] ?? "no key at all";
  const proxy = `http://ada:${secrets.proxyPassword}@127.0.0.1:2`;
  const url = `https://ada:${secrets.urlPassword}@api.example.com/v1`;

  class Users extends APIEndpoint<Api> {
    protected override readonly _path: string = "users";
  }

  class Api extends APISession {
    readonly users: Users = new Users(this);
  }

  class Client extends APIClient {}

  class Pages extends APIIterator<number> {
    protected override _getPage(): Promise<void> {
      this.page = [];
      return Promise.resolve();
    }
  }

  class AsyncPages extends AsyncAPIIterator<number> {
    protected override _getPage(): Promise<void> {
      this.page = [];
      return Promise.resolve();
    }
  }

  function connection(): http.ConnectionOptions {
    const created = certificates;
    return {
      proxies: { all: proxy },
      sslVerify: false,
      ...(created === undefined ? {} : { cert: created.client.pem, ca: created.authority.pem[0] }),
    };
  }

  /** Creates a session with a secret in every option that may have one. */
  function sessionOf(
    adapter: http.Transport | undefined,
    logger: RecordingLogger = recordingLogger(),
  ): Api {
    const api = new Api({
      ...connection(),
      url,
      logger,
      retries: 1,
      backoff: 0,
      finalWait: false,
      clock: fakeClock({ autoAdvance: true }),
      ...(adapter === undefined ? {} : { adapter, adapterPath: "https://" }),
    });
    api.httpSession.headers.set("X-API-Key", secrets.apiKey);
    api.httpSession.headers.set("X-Own", secrets.header);
    api.httpSession.auth = new BasicAuth("ada", secrets.authPassword);
    return api;
  }

  const requestOptions = {
    headers: { "X-Own": secrets.optionHeader },
    json: { password: secrets.bodyField },
    params: { token: secrets.token },
    redactFields: ["password", "token"],
  };

  /** Answers that lead to errors of each kind. */
  const answers: readonly (readonly [string, http.Transport])[] = [
    ["an error that repeats what was sent", (address, init) => {
      const body = `${secrets.echo} ${address} ${JSON.stringify(init)}`;
      const headers = { "Set-Cookie": `a=${secrets.cookie}`, "X-Echo": secrets.echo };
      return Promise.resolve(new Response(body, { status: 403, headers }));
    }],
    ["a reason phrase and problem details that repeat what was sent", (_address, init) => {
      const { authorization = "", ...headers } = init.headers as Record<string, string>;
      const sent = [authorization, atob(authorization.slice(6)), init.body];
      const title = `${sent.join(" ")} ${Object.values(headers).join(" ")}`;
      const body = JSON.stringify({ title });
      const type = { "Content-Type": "application/problem+json" };
      const response = new Response(body, { status: 403, statusText: title, headers: type });
      return Promise.resolve(response);
    }],
    ["an error that is retried", () => Promise.resolve(new Response("busy", { status: 503 }))],
    ["a failed connection", (address) => {
      const cause = Object.assign(new Error(`no way to ${address}`), { address });
      return Promise.reject(new TypeError("fetch failed", { cause }));
    }],
    ["a redirect to a URL with a password", () => {
      const location = `ftp://ada:${secrets.urlPassword}@other.example/${secrets.echo}`;
      return Promise.resolve(new Response(null, { status: 302, headers: { location } }));
    }],
    ["a content type that repeats what was sent", (_address, init) => {
      const { authorization, ...headers } = init.headers as Record<string, string>;
      const type = `text/plain; ${authorization}; ${Object.values(headers).join("; ")}`;
      return Promise.resolve(new Response("no JSON", { headers: { "Content-Type": type } }));
    }],
    ["a body that cannot be parsed", () => Promise.resolve(new Response(`<${secrets.echo}>`))],
  ];

  function expectClean(value: unknown, what: string): void {
    const shown = shownOf(value);
    for (const [name, secret] of Object.entries({ ...secrets, key: keyLine() })) {
      assert(!shown.includes(secret), `${what} shows ${name}: ${shown.slice(0, 2000)}`);
    }
    for (const secret of [secrets.urlPassword, secrets.proxyPassword, secrets.authPassword]) {
      assert(!shown.includes(btoa(`ada:${secret}`)), `${what} shows a Basic value`);
    }
  }

  for (const [what, adapter] of answers) {
    it(`are not shown by the error, the log and the session after ${what}`, async () => {
      const logger = recordingLogger();
      const api = sessionOf(adapter, logger);
      const post = () => api.post("users", { ...requestOptions, convJson: true });
      const error = await assertRejects(post, RestwrightError);
      expectClean(error, "the error");
      expectClean(logger.messages().join("\n"), "the log");
      assert(logger.messages("debug").length > 0);
      expectClean(api, "the session");
      await api.close();
    });
  }

  // contract: http-19
  it("are not shown if a proxy is down", async () => {
    const logger = recordingLogger();
    const api = sessionOf(undefined, logger);
    for (const verify of [true, false]) {
      const post = () => api.post("users", { ...requestOptions, verify });
      expectClean(await assertRejects(post, TransportError), "the error");
    }
    expectClean(logger.messages().join("\n"), "the log");
    expectClean(api, "the session");
    expectClean(api.httpSession, "the HTTP session");
    await api.close();
  });

  /** Creates one object of each class, with secrets in it. */
  async function everything(): Promise<object[]> {
    const adapter = () => {
      const headers = { "Set-Cookie": `a=${secrets.cookie}; Path=/` };
      return Promise.resolve(new Response("{}", { headers }));
    };
    const api = sessionOf(adapter);
    await api.post("users", requestOptions);
    await api.close();
    const jar = new CookieJar();
    await jar.keep([`a=${secrets.cookie}; Path=/`], "https://api.example.com/");
    const http = new HttpSession({
      ...connection(),
      headers: { "X-API-Key": secrets.apiKey },
      auth: ["ada", secrets.authPassword],
      cookies: jar,
    });
    const request = { method: "GET", url: "https://api.example.com/v1" };
    const response = new Response(secrets.echo, { status: 500, headers: { "X-E": secrets.echo } });
    const wrong = secrets.echo as unknown as http.Proxies;
    const mistake = await assertRejects(async () => {
      await Promise.resolve();
      new HttpSession({ proxies: wrong });
    });
    assert(mistake instanceof toolkit.UnexpectedValueError);
    const options = { client: api };
    const client = new Client({
      ...connection(),
      headers: { "X-API-Key": secrets.apiKey },
      auth: ["ada", secrets.authPassword],
      cookies: { sid: secrets.cookie },
      params: { token: secrets.token },
      baseUrl: url,
    });
    const login = () => Promise.resolve(secrets.token);
    const tokens = await oauthSchemes();
    const issues = [{ path: ["a"], message: "expected a text" }];
    return [
      ...[client, client.httpSession, client.withOptions({ headers: { "X-Own": secrets.header } })],
      new toolkit.ServerUrls({ baseUrl: url, defaultUrl: url, servers: { v2: url } }),
      new auth.SessionTokenAuth(client, { login }),
      ...tokens,
      ...await webhookObjects(),
      new toolkit.ValidationError("it", { response, request, body: secrets.echo, issues }),
      new errors.ModelError("it cannot be read", { model: "Book", issues: [] }),
      new errors.XmlError("no XML", { line: 1, column: 1, offset: 0, path: "/" }),
      ...[
        api,
        api.httpSession,
        api.httpSession.headers,
        api.users,
        http,
        http.headers,
        jar,
        mistake,
      ],
      ...[new BasicAuth("ada", secrets.authPassword), new BearerAuth(secrets.token)],
      ...[new ApiKeyAuth(secrets.apiKey), new ApiKeyAuth(secrets.apiKey, { query: "key" })],
      new AuthSchemes({ key: new ApiKeyAuth(secrets.apiKey, { cookie: "sid" }) }),
      ...[new Pages(options), new AsyncPages(options)],
      ...Object.values(errors.baseErrorMap).map((errorClass) =>
        new errorClass(response.clone(), { request })
      ),
      new toolkit.APIError(response, { request, body: secrets.echo }),
      new errors.DecodeError("no JSON", { response, request, body: secrets.echo }),
      new TransportError("no connection", { request }),
      new errors.RedirectError("nowhere", 302),
      new toolkit.DeadlineExceededError(1),
      new errors.ResponseTooLargeError(7, 200, request),
      new errors.ItemTooLargeError(7, 0, request),
      new errors.PagingError("the same page", 1),
      new errors.PollTimeoutError("late", { calls: 1, deadline: 9, lastResult: secrets.echo }),
      new errors.SessionStateError("closed"),
      new middleware.ContextKey("token"),
      new middleware.RequestContext().set(new middleware.ContextKey("token"), secrets.token),
      new errors.UnsupportedOptionError("proxies", "not here"),
    ];
  }

  /** Creates the schemes of OAuth with a token, and the error of one whose secret is repeated. */
  /** Returns the schemes of webhooks, and their errors. */
  async function webhookObjects(): Promise<object[]> {
    const standard = new webhooks.StandardWebhooks();
    const plain = new webhooks.HmacWebhooks({ signatureHeader: "X-Sum", encoding: "base64" });
    const errorOf = (scheme: webhooks.WebhookScheme, headers: Record<string, string>) =>
      webhooks.verifyWebhook({ headers, body: secrets.echo }, secrets.token, { scheme })
        .then(assertNever, (error: object) => error);
    return [
      ...[standard, plain],
      await errorOf(standard, { "webhook-id": secrets.header }),
      await errorOf(plain, { "X-Sum": secrets.header }),
      new webhooks.WebhookTimestampError(new Date(0), 5, 1),
      new webhooks.WebhookTooLargeError(1),
    ];
  }

  function assertNever(): object {
    throw new Error("it did not fail");
  }

  async function oauthSchemes(): Promise<object[]> {
    const answers: (() => object)[] = [
      () => ({ access_token: secrets.token, refresh_token: secrets.bodyField }),
      () => ({ access_token: secrets.token, refresh_token: secrets.bodyField }),
      () => Response.json({ error: secrets.authPassword, error_description: secrets.authPassword }),
    ];
    const logger = recordingLogger();
    const fetch = mockTransport({ "POST /token": () => answers.shift()!(), "GET /*": 204 });
    const api = new APISession({ url: "https://api.example.com", fetch, logger });
    const client = { tokenUrl: "token", clientId: "ada", clientSecret: secrets.authPassword };
    const one = new oauth.ClientCredentialsAuth(api, client);
    const other = new oauth.RefreshTokenAuth(api, { ...client, refreshToken: secrets.header });
    const third = new oauth.ClientCredentialsAuth(api, client);
    await api.get("a", { auth: one });
    await api.get("a", { auth: other });
    const error = await assertRejects(() => api.get("a", { auth: third }), oauth.OAuthError);
    expectClean(logger.messages().join("\n"), "the log");
    return [one, other, third, error, new oauth.LoginRequiredError(error)];
  }

  it("are detected by this test if they are shown, at any depth and in any way", () => {
    class Holder {
      readonly #value: string;
      constructor(value: string) {
        this.#value = value;
      }
      toJSON(): string {
        return this.#value;
      }
    }
    const cause = { deep: [{ deeper: new Map([["a", secrets.token]]) }] };
    for (
      const open of [new Error("x", { cause }), cause, new Holder(secrets.token), secrets.token]
    ) {
      assertThrows(() => expectClean(open, "it"), Error, "shows token");
    }
  });

  // contract: http-19
  it("are not shown by any object of the toolkit", async () => {
    for (const each of await everything()) expectClean(each, each.constructor.name);
  });

  it("are searched for in an object of every class that the toolkit exports", async () => {
    const all = await everything();
    const modules = [toolkit, auth, errors, http, iterators, middleware, oauth, webhooks];
    const exports = modules.flatMap((each) => Object.entries<unknown>(each));
    const classes = exports.filter(([name, exported]) =>
      typeof exported === "function" && /^[A-Z]/.test(name)
    ) as unknown as [string, abstract new () => unknown][];
    assert(classes.length > 20, `${classes.length} classes`);
    // A box shows the data of the API, like any parsed JSON.
    const without = classes.filter(([name]) => name !== "Box");
    const unseen = without.filter(([, exported]) => !all.some((each) => each instanceof exported));
    assertEquals(unseen.map(([name]) => name), []);
  });
});
