import { assert, assertEquals, describe, it } from "#test";
import { firstGeneration } from "../../src/options/generation.ts";
import type { SessionOptions } from "../../mod.ts";
import { resolveCall } from "../../src/options/settings.ts";
import type { Params } from "../../src/content/params.ts";
import { redactedJson, redactedUrl, type Redaction, redactionOf } from "../../src/call/redact.ts";
import type { RequestOptions } from "../../src/options/request_options.ts";
import { resolveSettings } from "../../src/options/resolve.ts";
import { commonSecretFields } from "../../src/call/redact.ts";
import { APISession } from "../../src/client/session.ts";
import { defaults } from "../support/class_defaults.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { describeGenerations } from "../support/generations.ts";
import { assertLinearTime } from "../support/linear_time.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { scripted } from "../support/scripted.ts";

function hiding(...fields: string[]): Redaction {
  return { fields: new Set(fields), restricted: false, value: "REDACTED" };
}

/** Returns the logged copy of a value, parsed again. */
function shown(value: unknown, redaction: Redaction): unknown {
  return JSON.parse(redactedJson(value, redaction));
}

class Login {
  readonly user = "ada";
  readonly #password = "hunter2";
  toJSON(): Record<string, unknown> {
    return { user: this.user, password: this.#password };
  }
}

class Account {
  readonly password = "x";
  readonly owner = "ada";
}

const cyclicSafe = { a: 1 };

describe("the logged copy of a value", () => {
  const cases: readonly (readonly [string, unknown, Redaction, unknown])[] = [
    ["a key at the top", { password: "x", user: "ada" }, hiding("password"), {
      password: "REDACTED",
      user: "ada",
    }],
    ["a key in a nested object", { a: { b: { password: "x", c: 1 } } }, hiding("password"), {
      a: { b: { password: "REDACTED", c: 1 } },
    }],
    ["a key of the objects of an array", [{ pin: 1 }, { pin: 2, b: 3 }], hiding("pin"), [
      { pin: "REDACTED" },
      { pin: "REDACTED", b: 3 },
    ]],
    ["a key in arrays of arrays", { a: [[{ pin: 1 }], [[{ pin: 2 }]]] }, hiding("pin"), {
      a: [[{ pin: "REDACTED" }], [[{ pin: "REDACTED" }]]],
    }],
    ["several keys", { pin: 1, token: 2, c: { pin: 3 } }, hiding("pin", "token"), {
      pin: "REDACTED",
      token: "REDACTED",
      c: { pin: "REDACTED" },
    }],
    ["a value that is an object", { token: { id: 1, key: "x" } }, hiding("token"), {
      token: "REDACTED",
    }],
    ["a value that is an array", { tokens: ["x", "y"] }, hiding("tokens"), { tokens: "REDACTED" }],
    [
      "a value that is null, false, zero or empty",
      [{ a: null }, { a: false }, { a: 0 }, { a: "" }],
      hiding("a"),
      [{ a: "REDACTED" }, { a: "REDACTED" }, { a: "REDACTED" }, { a: "REDACTED" }],
    ],
    ["the result of toJSON", { login: new Login() }, hiding("password"), {
      login: { user: "ada", password: "REDACTED" },
    }],
    ["a value that has a toJSON", { when: new Date(0), b: new Date(0) }, hiding("when"), {
      when: "REDACTED",
      b: "1970-01-01T00:00:00.000Z",
    }],
    ["a field of an object of a class", [new Account()], hiding("password"), [
      { password: "REDACTED", owner: "ada" },
    ]],
    ["an object that occurs twice", { a: cyclicSafe, b: cyclicSafe }, hiding("b"), {
      a: { a: 1 },
      b: "REDACTED",
    }],
    [
      "keys in any case, but only as a whole",
      { Pin: 1, pins: 2, pi: 3, PIN: 4, a: { pIn: 5 } },
      hiding("pin"),
      { Pin: "REDACTED", pins: 2, pi: 3, PIN: "REDACTED", a: { pIn: "REDACTED" } },
    ],
    [
      "keys with and without an underscore are different ones",
      { api_key: 1, apiKey: 2, "api-key": 3 },
      hiding("api_key"),
      { api_key: "REDACTED", apiKey: 2, "api-key": 3 },
    ],
    [
      "a part of the name of a form field",
      { "user[PIN]": 1, "pin[]": 2, "a[0][pin]": 3, "pin[a]": 4, "a[b]": 5, "a[pins]": 6 },
      hiding("pin"),
      {
        "user[PIN]": "REDACTED",
        "pin[]": "REDACTED",
        "a[0][pin]": "REDACTED",
        "pin[a]": "REDACTED",
        "a[b]": 5,
        "a[pins]": 6,
      },
    ],
    [
      "a form field by its whole name",
      { "user[pin]": 1, "pin": 2 },
      hiding("user[pin]"),
      { "user[pin]": "REDACTED", "pin": 2 },
    ],
    ["no string that only contains the key", { text: "pin=1", list: ["pin"] }, hiding("pin"), {
      text: "pin=1",
      list: ["pin"],
    }],
    ["no element of an array by its index", ["a", "b"], hiding("0", "1"), ["a", "b"]],
    ["a key that is a number", { 0: "x", 1: "y" }, hiding("0"), { 0: "REDACTED", 1: "y" }],
    ["a scalar stays", "text", hiding("pin"), "text"],
    ["null stays", null, hiding("pin"), null],
    ["undefined is an empty mapping", undefined, hiding("pin"), {}],
    ["nothing if no key is named", { password: "x" }, hiding(), { password: "x" }],
  ];
  for (const [what, value, redaction, expected] of cases) {
    // contract: keyword-4, decision-10, fault-2
    it(`rule 6: redact_fields replaces values of the matching keys: ${what}`, () => {
      const before = JSON.stringify(value);
      assertEquals(shown(value, redaction), expected);
      assertEquals(JSON.stringify(value), before, "the caller's object is untouched");
    });
  }

  // contract: keyword-5
  it("rule 6: redactValue replaces the value, even if JSON has to escape it", () => {
    const redaction = { ...hiding("pin"), value: '"***"\n' };
    assertEquals(shown({ a: [{ pin: 1 }] }, redaction), { a: [{ pin: '"***"\n' }] });
    assertEquals(shown({ pin: 1 }, { ...redaction, value: "" }), { pin: "" });
  });

  // contract: req-6-restricted
  it("rule 6: on a restricted path redactValue replaces the whole value", () => {
    const redaction = { fields: new Set<string>(), restricted: true, value: "***" };
    for (const value of [{ a: 1 }, [1], "text", null, undefined]) {
      assertEquals(shown(value, redaction), "***");
    }
  });

  it("a key named __proto__ is redacted like any other", () => {
    const value: unknown = JSON.parse('{"a":{"__proto__":{"pin":1}},"pin":2}');
    assertEquals(
      redactedJson(value, hiding("__proto__")),
      '{"a":{"__proto__":"REDACTED"},"pin":2}',
    );
    assertEquals(
      redactedJson(value, hiding("pin")),
      '{"a":{"__proto__":{"pin":"REDACTED"}},"pin":"REDACTED"}',
    );
  });

  // contract: decision-10
  it("a frozen object is redacted too", () => {
    const value = Object.freeze({ deep: Object.freeze([Object.freeze({ pin: 1 })]) });
    assertEquals(shown(value, hiding("pin")), { deep: [{ pin: "REDACTED" }] });
  });
});

describe("the logged copy of a URL", () => {
  const base = "https://api.example.com/x";
  const cases: readonly (readonly [string, string, Redaction, string])[] = [
    ["no query", "", hiding("token"), ""],
    ["the value of a matching key", "?token=abc", hiding("token"), "?token=REDACTED"],
    ["a key between others", "?a=1&token=abc&b=2", hiding("token"), "?a=1&token=REDACTED&b=2"],
    ["a key that repeats", "?t=1&t=2", hiding("t"), "?t=REDACTED&t=REDACTED"],
    ["an empty value", "?t=", hiding("t"), "?t=REDACTED"],
    ["a value with an equals sign", "?t=a=b", hiding("t"), "?t=REDACTED"],
    ["an encoded key", "?access%5Ftoken=x", hiding("access_token"), "?access%5Ftoken=REDACTED"],
    ["a key with a space as plus", "?my+key=x", hiding("my key"), "?my+key=REDACTED"],
    ["a key with an encoded space", "?my%20key=x", hiding("my key"), "?my%20key=REDACTED"],
    ["a key beyond ASCII", "?schl%C3%BCssel=x", hiding("schlüssel"), "?schl%C3%BCssel=REDACTED"],
    ["a key with a broken escape", "?a%zz=1&t=2", hiding("a%zz"), "?a%zz=REDACTED&t=2"],
    ["an empty key", "?=x", hiding(""), "?=REDACTED"],
    ["the fragment is left out", "?t=1#t=2", hiding("t"), "?t=REDACTED"],
    ["a value with a question mark", "?t=a?t=b", hiding("t"), "?t=REDACTED"],
    ["a key without a value", "?t&u=1", hiding("t"), "?t&u=1"],
    ["empty pairs", "?&&t=1&", hiding("t"), "?&&t=REDACTED&"],
    ["no key that only begins with the name", "?tokens=1", hiding("token"), "?tokens=1"],
    [
      "a key in another case",
      "?Token=1&TOKEN=2",
      hiding("token"),
      "?Token=REDACTED&TOKEN=REDACTED",
    ],
    ["a form field", "?user[pin]=1&a=2", hiding("pin"), "?user[pin]=REDACTED&a=2"],
    ["a form field of a list", "?pin[]=1&pin[]=2", hiding("pin"), "?pin[]=REDACTED&pin[]=REDACTED"],
    ["a form field far inside", "?a[0][pin][b]=1", hiding("pin"), "?a[0][pin][b]=REDACTED"],
    ["an encoded form field", "?a%5BPin%5d=1", hiding("pin"), "?a%5BPin%5d=REDACTED"],
    ["a name with dots", "?user.Pin=1&a=2", hiding("pin"), "?user.Pin=REDACTED&a=2"],
    ["a comma list", "?pin=1,2&a=2", hiding("pin"), "?pin=REDACTED&a=2"],
    [
      "a form field without an end",
      "?a[pin=1&[pin=2",
      hiding("pin"),
      "?a[pin=REDACTED&[pin=REDACTED",
    ],
    ["no form field for its empty brackets", "?a[]=1", hiding(""), "?a[]=1"],
    ["no form field that only begins with the name", "?a[pins]=1", hiding("pin"), "?a[pins]=1"],
    ["nothing if no key is named", "?token=1", hiding(), "?token=1"],
  ];
  for (const [what, query, redaction, expected] of cases) {
    // contract: decision-10, decision-27
    it(`the query of the URL is redacted: ${what}`, () => {
      assertEquals(redactedUrl(base + query, redaction), base + expected);
    });
  }

  it("the redact value is encoded, so that the URL stays valid", () => {
    const redaction = { ...hiding("t"), value: "*** & #?" };
    assertEquals(redactedUrl(`${base}?t=1&u=2`, redaction), `${base}?t=***+%26+%23%3F&u=2`);
  });

  it("takes linear time, even for a query that is not made of pairs", () => {
    assertLinearTime((length) => {
      const url = `https://a.example/x?${"?".repeat(length)}`;
      assertEquals(redactedUrl(url, hiding()), url);
    });
    for (const part of ["[", "a[", "[]", "&[", "."]) {
      assertLinearTime((length) => {
        const name = part.repeat(length);
        const url = `https://a.example/x?${name}=1`;
        assertEquals(redactedUrl(url, hiding("pin")), url);
        assertEquals(shown({ [name]: 1 }, hiding("pin")), { [name]: 1 });
      });
    }
  });

  // contract: decision-27
  it("the whole query of a restricted path is hidden, and its fragment too", () => {
    const redaction = { fields: new Set(["a"]), restricted: true, value: "***" };
    assertEquals(redactedUrl(`${base}?a=1&pin=2#pin=3`, redaction), `${base}?***`);
    assertEquals(redactedUrl(base, redaction), base);
  });
});

describe("the values of a request that the log hides", () => {
  const settings = resolveSettings({}, defaults, {
    url: "https://a.example",
    generation: firstGeneration,
    basePath: "",
  });
  const of = (options: RequestOptions) => {
    const { settings: own } = resolveCall(options, settings);
    const urlWithoutParams = "https://a.example/x?pin=1";
    const redaction = redactionOf({ path: "x", urlWithoutParams, settings: own });
    return { redaction, url: redactedUrl("https://a.example/x?pin=1#top", redaction) };
  };

  it("are none if no field is named", () => {
    for (const options of [{}, { redactFields: [] }]) {
      const { redaction, url } = of(options);
      assertEquals([redaction, url], [hiding(), "https://a.example/x?pin=1"]);
    }
  });

  it("are the fields that are named", () => {
    const { redaction, url } = of({ redactFields: ["pin"] });
    assertEquals([[...redaction.fields], url], [["pin"], "https://a.example/x?pin=REDACTED"]);
  });

  it("are the fields that are named in another case", () => {
    const { redaction, url } = of({ redactFields: ["Pin", "API_Key"] });
    assertEquals([...redaction.fields], ["pin", "api_key"]);
    assertEquals(url, "https://a.example/x?pin=REDACTED");
  });

  // contract: keyword-4
  it("are the fields of the session and of the call", async () => {
    class Vault extends APISession {
      static override readonly redactFields: readonly string[] = ["pin"];
      static override readonly redactValue: string = "***";
    }
    const log = recordingLogger();
    const session = new Vault({ url: "https://a.example", adapter: scripted(200), logger: log });
    const shown = async (options: RequestOptions) => {
      await session.post("x", { params: { pin: 1, key: 2 }, json: { pin: 3, key: 4 }, ...options });
      const { params, body } = log.json("debug").at(-1)!;
      return [params, body];
    };
    const usual = [{ pin: "***", key: 2 }, { pin: "***", key: 4 }];
    const both = { pin: "***", key: "***" };
    assertEquals(await shown({}), usual);
    assertEquals(await shown({ redactFields: ["key"] }), [both, both]);
    assertEquals(await shown({ redactFields: [] }), usual);
  });

  it("are the fields of the class, the session, the derived session and the call", async () => {
    class Vault extends APISession {
      static override readonly redactFields: readonly string[] = ["a"];
    }
    const log = recordingLogger();
    const named = ["b"];
    const options = { url: "https://a.example", adapter: scripted(200), logger: log };
    const session = new Vault({ ...options, redactFields: named });
    named.length = 0; // later changes of the caller's list have no effect
    const derived = session.withOptions({ redactFields: ["c"] }).withOptions({ retries: 0 });
    const json = { a: 1, b: 1, c: 1, d: 1, e: 1 };
    await session.post("x", { json });
    await derived.post("x", { json, redactFields: ["d"] });
    const hidden = (names: string) =>
      Object.fromEntries(
        Object.keys(json).map((key) => [key, names.includes(key) ? "REDACTED" : 1]),
      );
    assertEquals(log.json("debug").map(({ body }) => body), [hidden("ab"), hidden("abcd")]);
  });

  it("are the fields of the session in its own params, in records and errors", async () => {
    const log = recordingLogger();
    const session = new APISession({
      url: "https://a.example",
      adapter: scripted(503),
      logger: log,
      backoff: 0,
      retries: 1,
      params: { api_key: "s3cret" },
      redactFields: ["api_key"],
      redactValue: "hidden",
    });
    const error = await session.get("x").catch(String);
    assertEquals(`${error} ${log.messages().join("\n")}`.includes("s3cret"), false);
    assert(`${error}`.includes("api_key=hidden"));
  });
});

describe("redaction in the records of a session", () => {
  const secrets = ["hunter2", "t0ken"];
  const paramsForms: readonly (readonly [string, Params])[] = [
    ["a mapping", { token: "t0ken", page: 1 }],
    ["a mapping with a list", { token: ["t0ken", "hunter2"], page: 1 }],
    ["pairs", [["token", "t0ken"], ["token", "hunter2"], ["page", 1]]],
    ["URLSearchParams", new URLSearchParams("token=t0ken&token=hunter2&page=1")],
  ];

  for (const [form, params] of paramsForms) {
    // contract: req-6-redact
    it(`params as ${form} are redacted in the log of every attempt, and sent unchanged`, async () => {
      const log = recordingLogger();
      const transport = scripted(503, 200);
      const session = new APISession({
        url: "https://api.example.com",
        adapter: transport,
        logger: log,
        backoff: 0,
      });
      const json = { user: { password: "hunter2", token: ["t0ken"] } };
      const before = JSON.stringify([json, String(params), params]);
      await session.post("x?token=t0ken", {
        params,
        json,
        redactFields: ["token", "password"],
        redactValue: "***",
      });
      assertEquals(JSON.stringify([json, String(params), params]), before);
      for (const record of log.json("debug")) {
        assertEquals(record, {
          method: "POST",
          url: "https://api.example.com/x?token=***",
          params: form === "a mapping" || form === "a mapping with a list"
            ? { token: "***", page: 1 }
            : { token: "***", page: form === "pairs" ? 1 : "1" },
          body: { user: { password: "***", token: "***" } },
        });
      }
      assertEquals(log.messages("debug").length, 2);
      for (const secret of secrets) {
        assert(!log.messages().join("\n").includes(secret), log.messages().join("\n"));
      }
      for (const { url, init } of transport.calls) {
        assert(url.startsWith("https://api.example.com/x?token=t0ken&token=t0ken"), url);
        assertEquals(init.body, JSON.stringify(json));
      }
    });
  }
});

describe("commonSecretFields", () => {
  it("hides the usual secrets in records and errors, besides the fields of the class", async () => {
    class Bank extends APISession {
      static override readonly redactFields: readonly string[] = [...commonSecretFields, "pin"];
    }
    const log = recordingLogger();
    const adapter = scripted(404);
    const session = new Bank({ url: "https://a.example", adapter, logger: log });
    const secret = "s3cret";
    const names = ["password", "PWD", "apiKey", "api_key", "client_secret", "Authorization", "pin"];
    const json = Object.fromEntries(names.map((name) => [name, secret]));
    const params = { "user[password]": secret, "tokens[0][accessToken]": secret, page: 1 };
    const error = await session.post("x", { json, params }).catch(String);
    assert(
      !`${error} ${log.messages().join("\n")}`.includes(secret),
      `${error} ${log.messages().join("\n")}`,
    );
    assertEquals(log.json("debug")[0]?.["params"], {
      "user[password]": "REDACTED",
      "tokens[0][accessToken]": "REDACTED",
      page: 1,
    });
    assert(`${adapter.calls[0]?.init.body}`.includes(secret));
  });

  it("has each name once, and is frozen", () => {
    const names = commonSecretFields.map((name) => name.toLowerCase());
    assertEquals([...new Set(names)], names);
    assert(Object.isFrozen(commonSecretFields));
  });
});

describeGenerations("the log of a session or client", ({ Session }) => {
  function start(options: SessionOptions = {}) {
    const log = recordingLogger();
    const defaults = {
      url: "https://a.example",
      logger: log,
      clock: fakeClock({ autoAdvance: true }),
      retries: 1,
    };
    return { session: new Session({ ...defaults, ...options }), log };
  }

  it("shows a bigint in params as a string", async () => {
    const { session, log } = start({ adapter: scripted(200) });
    await session.get("x", { params: { id: 12345678901234567890n } });
    assertEquals(log.json("debug")[0]?.["params"], { id: "12345678901234567890" });
  });

  it("shows a bigint in redacted params as a string", async () => {
    const { session, log } = start({ adapter: scripted(200) });
    await session.get("x", { params: { id: 1n, t: 1 }, redactFields: ["t"] });
    assertEquals(log.json("debug")[0]?.["params"], { id: "1", t: "REDACTED" });
  });

  it("replaces the part of a redact value that a URL cannot hold", async () => {
    const { session, log } = start({ adapter: scripted(200) });
    await session.get("x?pin=1", { redactFields: ["pin"], redactValue: "\ud800" });
    assertEquals(log.json("debug")[0]?.["url"], "https://a.example/x?pin=%EF%BF%BD");
  });

  it("hides the body for a restricted path in every spelling", async () => {
    class Vault extends Session {
      static override readonly url: string = "https://a.example/v1";
      static override readonly restrictedPaths: readonly string[] = ["auth/login"];
    }
    const spellings = [
      ...["auth/./login", "x/../auth/login", "auth/log%69n", "auth\\login"],
      ...["auth//login", "Auth/Login", "//AUTH//%4Cogin/", "https://a.example/v1//auth/LOGIN"],
    ];
    for (const path of spellings) {
      const log = recordingLogger();
      await new Vault({ adapter: scripted(200), logger: log }).post(path, {
        json: { pin: "t0ken" },
      });
      assert(!log.messages().join("\n").includes("t0ken"), `${path}: ${log.messages().join("\n")}`);
    }
  });

  it("hides the fragment of a restricted path", async () => {
    class Vault extends Session {
      static override readonly url: string = "https://a.example/v1";
      static override readonly restrictedPaths: readonly string[] = ["login"];
    }
    const log = recordingLogger();
    await new Vault({ adapter: scripted(200), logger: log }).get("login#token=t0ken");
    assert(!log.messages().join("\n").includes("t0ken"), log.messages().join("\n"));
  });

  it("shows the body that is sent, even if the caller changes it during the call", async () => {
    const json = { a: 1, pin: 2 };
    const { session, log } = start({
      adapter: scripted(() => {
        json.a = 99;
        return new Response(null, { status: 503 });
      }, 200),
    });
    await session.post("x", { json, redactFields: ["pin"] });
    assertEquals(log.json("debug").map(({ body }) => body), [
      { a: 1, pin: "REDACTED" },
      { a: 1, pin: "REDACTED" },
    ]);
  });
});
