/** Tests of clients whose calls use different schemes, and of API keys in cookies. */
import {
  assert,
  assertEquals,
  assertRejects,
  assertStrictEquals,
  assertThrows,
  describe,
  it,
} from "#test";
import { APIClient, type CallOptions } from "../../mod.ts";
import {
  ApiKeyAuth,
  type Auth,
  type AuthInput,
  AuthSchemes,
  BearerAuth,
} from "../../src/auth/mod.ts";
import { UnexpectedValueError } from "../../src/errors/unexpected_value_error.ts";
import { scripted } from "../support/scripted.ts";

const baseUrl = "https://api.example.com";

class Client extends APIClient {
  static override readonly baseUrl: string = baseUrl;

  read(options: CallOptions = {}, path = "/x"): Promise<Response> {
    return this._get(path, options);
  }
}

type Names = "token" | "key" | "query" | "cookie" | "none";

/** Starts a client with schemes of all kinds; `none` has no value. */
function start() {
  const schemes = new AuthSchemes<Names>({
    token: new BearerAuth("t-1"),
    key: new ApiKeyAuth("k-1"),
    query: new ApiKeyAuth("q-1", { query: "api_key" }),
    cookie: new ApiKeyAuth("c-1", { cookie: "sid" }),
    none: undefined,
  });
  const fetch = scripted(200);
  const client = new Client({ fetch, auth: schemes });
  const sent = async (...alternatives: readonly (readonly Names[])[]) => {
    await client.read({ auth: schemes.use(...alternatives) });
    const { url, init: { headers: { "user-agent": _, ...headers } } } = fetch.calls.at(-1)!;
    return [url.slice(baseUrl.length), { ...headers }];
  };
  return { schemes, client, fetch, sent };
}

describe("several schemes in one client", () => {
  it("send those of the first alternative that has its values", async () => {
    const { sent } = start();
    const key = { "x-api-key": "k-1" };
    const token = { authorization: "Bearer t-1" };
    assertEquals(await sent(["token"]), ["/x", token]);
    assertEquals(await sent(["none"], ["key"]), ["/x", key]);
    assertEquals(await sent(["token", "none"], ["key"], ["token"]), ["/x", key]);
  });

  it("send all schemes of an alternative together", async () => {
    const { sent } = start();
    assertEquals(await sent(["token", "key", "query", "cookie"]), [
      "/x?api_key=q-1",
      { authorization: "Bearer t-1", "x-api-key": "k-1", cookie: "sid=c-1" },
    ]);
    assertEquals((await sent(["query", "token"]))[0], "/x?api_key=q-1");
  });

  it("send nothing with a call that names none, or has an empty alternative", async () => {
    const { client, fetch, sent } = start();
    await client.read();
    assertEquals(fetch.calls[0]!.init.headers["authorization"], undefined);
    assertEquals(await sent(), ["/x", {}]);
    assertEquals(await sent([]), ["/x", {}]);
    assertEquals(await sent(["none"], []), ["/x", {}]);
  });

  it("refuse a call without its schemes before it is sent, with their names", async () => {
    const { client, fetch, schemes } = start();
    const error = await assertRejects(
      () => client.read({ auth: schemes.use(["none"], ["key", "none"]) }),
      UnexpectedValueError,
      "none, or key and none",
    );
    assertEquals([error.option, fetch.calls.length], ["auth", 0]);
  });

  it("do not go to another origin with a redirect", async () => {
    const moved = new Response(null, {
      status: 307,
      headers: { location: "https://evil.example.com/y" },
    });
    const { schemes } = start();
    const fetch = scripted(moved, 200);
    const client = new Client({ fetch, auth: schemes, followRedirects: true });
    await client.read({ auth: schemes.use(["token", "key", "cookie"]) });
    const { "user-agent": _, ...headers } = fetch.calls[1]!.init.headers;
    assertEquals({ ...headers }, {});
  });

  it("pass the changes of the outer scheme to the inner ones, and send a challenge again", async () => {
    const seen: string[] = [];
    const signing: Auth = {
      authenticate({ url, headers }, send) {
        seen.push(`${url} ${headers["authorization"]}`);
        return send({ headers: { "x-signed": "yes" } });
      },
    };
    const renewing: Auth = {
      async authenticate(_request, send) {
        const first = await send({ headers: { authorization: "old" } });
        return first.status === 401 ? await send({ headers: { authorization: "new" } }) : first;
      },
    };
    const schemes = new AuthSchemes({ renewing, signing });
    const fetch = scripted(401, 200);
    await new Client({ fetch }).read({ auth: schemes.use(["renewing", "signing"]) });
    assertEquals(seen, [`${baseUrl}/x old`, `${baseUrl}/x new`]);
    assertEquals(fetch.calls.map(({ init }) => init.headers["authorization"]), ["old", "new"]);
    assertEquals(fetch.calls[1]!.init.headers["x-signed"], "yes");
  });

  it("are closed with the client, all of them, with the first error", async () => {
    const closed: string[] = [];
    const scheme = (name: string, error?: Error): Auth => ({
      authenticate: (_request, send) => send(),
      close() {
        closed.push(name);
        if (error !== undefined) throw error;
      },
    });
    const mistake = new Error("no logout");
    const auth = new AuthSchemes({ a: scheme("a", mistake), b: scheme("b") });
    const client = new Client({ fetch: scripted(200), auth });
    await client.read();
    const error = await client.close().then(() => undefined, (error: unknown) => error);
    assertEquals(closed, ["a", "b"]);
    assertStrictEquals(error, mistake);
  });

  it("are rejected if a name or a scheme is wrong", () => {
    const { schemes } = start();
    assertThrows(() => schemes.use(["tokens" as "token"]), UnexpectedValueError, "token, key");
    const wrong = { a: "k-123" } as unknown as Record<string, AuthInput>;
    const error = assertThrows(() => new AuthSchemes(wrong), UnexpectedValueError);
    assertEquals(error.option, "schemes.a");
    assert(!error.message.includes("k-123"), error.message);
    assertThrows(() => new AuthSchemes(null as never), UnexpectedValueError, "mapping");
  });
});

describe("an API key in a cookie", () => {
  const auth = new ApiKeyAuth("k-1", { cookie: "sid" });

  it("is sent with the cookies of the session and of the call", async () => {
    const fetch = scripted(new Response("", { headers: { "set-cookie": "a=1" } }));
    const client = new Client({ fetch, auth });
    await client.read();
    await client.read({ cookies: { b: "2" } });
    await client.read({ headers: { cookie: "c=3" } });
    await client.read({ headers: { cookie: null } });
    assertEquals(fetch.calls.map(({ init }) => init.headers["cookie"]), [
      "sid=k-1",
      "a=1; b=2; sid=k-1",
      "c=3; sid=k-1",
      "sid=k-1",
    ]);
  });

  it("is hidden in errors that repeat it", async () => {
    const fetch = scripted(() => Response.json({ title: "bad k-12345" }, { status: 403 }));
    const client = new Client({ fetch, auth: new ApiKeyAuth("k-12345", { cookie: "sid" }) });
    const error = await client.read().catch((error: unknown) => error);
    assert(!String(error).includes("k-12345"), String(error));
  });

  it("is refused if a cookie cannot have it, or if there are two places", () => {
    assertThrows(() => new ApiKeyAuth("a;b", { cookie: "sid" }), UnexpectedValueError, "sid");
    assertThrows(() => new ApiKeyAuth("k", { cookie: "a b" }), UnexpectedValueError);
    const both = { query: "key", cookie: "sid" };
    assertThrows(() => new ApiKeyAuth("k", both), UnexpectedValueError, "query");
  });
});
