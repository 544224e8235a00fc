import { assert, assertEquals, assertRejects, describe, it } from "#test";
import { APIError, APISession, type RequestOptions, type SessionOptions } from "../../mod.ts";
import { ApiKeyAuth, BasicAuth, BearerAuth } from "../../src/auth/mod.ts";
import type { ErrorFunction } from "../../src/entries/errors.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { scripted } from "../support/scripted.ts";

class Api extends APISession {
  static override readonly restrictedPaths: readonly string[] = ["login"];
  static override readonly crossOriginHeaders: readonly string[] = ["X-Api-Version"];
}

interface FailingCall extends RequestOptions {
  readonly path?: string;
}

/** Returns the message of a call whose server answers with this reason phrase and headers. */
async function messageFor(
  statusText: string,
  { path = "x", ...options }: FailingCall = {},
  client: SessionOptions = {},
  headers: HeadersInit = {},
): Promise<string> {
  const status = "location" in headers ? 302 : 400;
  const api = new Api({
    url: "https://a.example",
    adapter: scripted(new Response(null, { status, statusText, headers })),
    retries: 0,
    logger: recordingLogger(),
    ...client,
  });
  const { message } = await assertRejects(() => api.post(path, options), APIError);
  return message;
}

describe("the secrets of a request in a text of the server", () => {
  const redactFields = ["password", "pin"];
  const cases: readonly (readonly [string, string, FailingCall, string])[] = [
    ["a header", "Bad k-1234", { headers: { "X-API-Key": "k-1234" } }, "Bad REDACTED"],
    ["an Authorization header", "Bad Token t-1234", {
      headers: { authorization: "Token t-1234" },
    }, "Bad REDACTED"],
    ["a bearer token", "Bad t-1234", { auth: new BearerAuth("t-1234") }, "Bad REDACTED"],
    ["Basic credentials", `Bad Basic ${btoa("ada:hunter2")}`, {
      auth: ["ada", "hunter2"],
    }, "Bad REDACTED"],
    [
      "a password",
      "Not hunter2, but grün",
      { auth: new BasicAuth("ada", "grün") },
      "Not hunter2, but REDACTED",
    ],
    ["a key in the query", "Bad k-12/34 or k-12%2F34", {
      auth: new ApiKeyAuth("k-12/34", { query: "key" }),
    }, "Bad REDACTED or REDACTED"],
    [
      "cookies",
      "Bad c00kie with d4rk",
      { cookies: { sid: "c00kie", theme: "d4rk" } },
      "Bad REDACTED with REDACTED",
    ],
    ["a redacted parameter", "Bad hunter2 2", {
      params: { password: "hunter2", page: 2 },
      redactFields,
    }, "Bad REDACTED 2"],
    ["a redacted field of JSON, at any depth", "Bad hunter2 1234 true ada", {
      json: [{ user: "ada", Password: { old: ["hunter2"], pin: 1234, isNew: true } }],
      redactFields,
    }, "Bad REDACTED REDACTED true ada"],
    ["a redacted field of a form", "Bad hunter2", {
      data: { "user[password]": "hunter2" },
      redactFields,
    }, "Bad REDACTED"],
    ["a restricted path", "Bad hunter2 for ada1", {
      path: "login?user=ada1",
      json: { password: "hunter2" },
    }, "Bad REDACTED for REDACTED"],
    ["the redact value of the call", "Bad hunter2", {
      params: { password: "hunter2" },
      redactFields,
      redactValue: "$&",
    }, "Bad $&"],
    [
      "in JSON",
      'Bad {"pin":"pa\\"s\\u003cs\\/"} 2',
      { json: { pin: 'pa"s<s/' }, redactFields },
      'Bad {"pin":"REDACTED"} 2',
    ],
    ["in a URL, in upper and lower case", "Bad a%2Fb%2fc%21d", {
      json: { pin: "a/b/c!d" },
      redactFields,
    }, "Bad REDACTED"],
    [
      "in a form",
      "Bad p=a+b%2B%C3%A9c&q",
      { json: { pin: "a b+éc" }, redactFields },
      "Bad p=REDACTED&q",
    ],
    [
      "in HTML",
      "Bad <a&#x3C;b&quot;&#39;&amp;>",
      { json: { pin: "a<b\"'&" }, redactFields },
      "Bad <REDACTED>",
    ],
    [
      "in Base64",
      `Bad ${btoa("a?b>c~")}`,
      { json: { pin: "a?b>c~" }, redactFields },
      "Bad REDACTED",
    ],
    [
      "in Base64 for URLs",
      "Bad YT9iPmN-",
      { json: { pin: "a?b>c~" }, redactFields },
      "Bad REDACTED",
    ],
    ["in UTF-8 that fetch reads as Latin-1", "Bad gr\xc3\xbcn\xe2\x82\xac", {
      json: { pin: "grün€" },
      redactFields,
    }, "Bad REDACTED"],
    [
      "in JSON in a URL",
      "Bad ?a=%22pa%5C%22ss%22",
      { json: { pin: 'pa"ss' }, redactFields },
      "Bad ?a=%22REDACTED%22",
    ],
    ["a secret in another one", "Bad token-more and token", {
      params: { password: ["token", "token-more"] },
      redactFields,
    }, "Bad REDACTED and REDACTED"],
  ];
  for (const [place, text, options, shown] of cases) {
    // contract: fault-8
    it(`are replaced in the message: ${place}`, async () => {
      const message = await messageFor(text, options);
      assert(message.startsWith(`400 ${shown}: POST https://a.example/`), message);
    });
  }

  const others: readonly (readonly [string, string, FailingCall])[] = [
    ["a header that may go to every origin", "No 2026-01-02", {
      headers: { "X-Api-Version": "2026-01-02", "Accept-Language": "No 2026" },
    }],
    ["a value of up to three characters", "Bad 123 on", {
      headers: { "X-A": "123", "X-B": "on" },
      params: { pin: 123 },
      redactFields,
    }],
    ["a field that is not redacted", "Bad hunter2", { json: { password: "hunter2" } }],
    ["a multipart form", "Bad hunter2", {
      files: {},
      data: { password: "hunter2" },
      redactFields,
    }],
    ["a body that is not JSON", "Bad hunter2", {
      content: '{"password":"hunter2"}',
      redactFields,
    }],
    ["a Basic header that is not Base64", "Bad hunter2", {
      headers: { authorization: "Basic *" },
    }],
  ];
  for (const [place, text, options] of others) {
    it(`do not include ${place}`, async () => {
      const message = await messageFor(text, options);
      assert(message.startsWith(`400 ${text}: POST`), message);
    });
  }

  it("include the credentials in the URL of the session", async () => {
    const message = await messageFor("Bad hunter2", {}, { url: "https://ada:hunter2@a.example" });
    assertEquals(message, "400 Bad REDACTED: POST https://a.example/x");
  });

  it("are replaced before the text is shortened", async () => {
    const text = `${"a".repeat(98)}hunter2`;
    const message = await messageFor(text, { auth: ["ada", "hunter2"] });
    assertEquals(message, `400 ${"a".repeat(98)}RE…: POST https://a.example/x`);
  });

  it("are replaced in the target of a redirect, and in the title of problem details", async () => {
    const auth = new BearerAuth("t/1234");
    const target = await messageFor("", { auth }, { followRedirects: false }, {
      location: "/y/t%2F1234?z",
    });
    assertEquals(
      target,
      "302: POST https://a.example/x (a redirect to https://a.example/y/REDACTED?… was not " +
        "followed: pass { followRedirects: true } to follow it)",
    );
    const problem = () =>
      Response.json({ title: "Bad t/1234" }, {
        status: 400,
        headers: { "content-type": "application/problem+json" },
      });
    const titled = await messageFor("", { auth }, { adapter: () => Promise.resolve(problem()) });
    assertEquals(titled, "400: POST https://a.example/x: Bad REDACTED");
  });

  it("are not looked for in the host of a redirect, nor in its path if the call's own URL has them", async () => {
    const headers = { "X-Tenant": "orders", "X-Zone": "eu-1" };
    for (const location of ["https://eu-1.example/orders/8", "//eu-1.example/orders/8"]) {
      const target = await messageFor("", { headers }, {
        url: "https://a.example/orders",
        followRedirects: false,
      }, { location });
      assert(target.includes("a redirect to https://eu-1.example/orders/8 was not"), target);
    }
    const path = await messageFor("", { headers }, {
      url: "https://a.example/orders",
      followRedirects: false,
    }, { location: "/orders/eu-1" });
    assert(path.includes("a redirect to https://a.example/orders/REDACTED was not"), path);
    const answers = scripted(
      new Response(null, { status: 302, headers: { location: "https://eu-1.example/orders/8" } }),
      400,
    );
    const message = await messageFor("", { headers }, {
      url: "https://a.example/orders",
      adapter: answers,
      adapterPath: "https://",
    });
    assert(message.endsWith("(redirected to https://eu-1.example/orders/8)"), message);
  });

  it("are replaced in a URL with a user name and a password", async () => {
    const auth = new BearerAuth("t-1234");
    const explain: ErrorFunction = ({ headers }, { redact }) => redact(headers.get("x-see") ?? "");
    const see = "https://t-1234:t-1234@t-1234.example/t-1234?a=t-1234";
    const message = await messageFor("", { auth }, { errorFunc: explain }, { "x-see": see });
    assertEquals(message, "https://REDACTED:REDACTED@t-1234.example/REDACTED?a=REDACTED");
  });

  it("are replaced before the target of a redirect is parsed, which cuts a secret at ? and #", async () => {
    const options = { json: { pin: "pass?w#rd" }, redactFields };
    const target = await messageFor("", options, { followRedirects: false }, {
      location: "/y/pass?w#rd/z",
    });
    assertEquals(target.includes("https://a.example/y/REDACTED/z was not followed"), true, target);
  });

  it("include those that a redirect to another origin does not get", async () => {
    const answers = scripted(
      new Response(null, { status: 302, headers: { location: "https://b.example/t-1234" } }),
      new Response(null, { status: 400, statusText: "Bad t-1234" }),
    );
    const message = await messageFor("", { auth: new BearerAuth("t-1234") }, {
      adapter: answers,
      adapterPath: "https://",
    });
    assertEquals(
      message,
      "400 Bad REDACTED: POST https://a.example/x (redirected to https://b.example/REDACTED)",
    );
  });

  it("are those of the last attempt", async () => {
    const tokens = ["t-1111", "t-2222"];
    const message = await messageFor("", { auth: new BearerAuth(() => tokens.shift()!) }, {
      adapter: scripted(503, new Response(null, { status: 503, statusText: "Bad t-2222" })),
      retries: 1,
      backoff: 0,
    });
    assertEquals(message, "503 Bad REDACTED: POST https://a.example/x (after 1 retry)");
  });
});
