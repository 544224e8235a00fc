/** Tests options of sessions that share an HTTP session, and changes of them in `_buildSession`. */
import { assertEquals, assertRejects, assertStrictEquals, assertThrows, describe, it } from "#test";
import {
  APIError,
  APISession,
  type HeadersInput,
  type RequestOptions,
  type RetryOptions,
  type SessionOptions,
  UnexpectedValueError,
} from "../../mod.ts";
import type { Auth } from "../../src/auth/mod.ts";
import { HttpSession, type Transport } from "../../src/http/mod.ts";
import { redirectTo } from "../support/exchanging.ts";
import { describeGenerations } from "../support/generations.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { scripted, type ScriptedTransport } from "../support/scripted.ts";

const url = "https://a.example";

/** Returns the headers of each request. */
const headersOf = ({ calls }: ScriptedTransport) => calls.map(({ init }) => init.headers);
const agentsOf = (transport: ScriptedTransport) =>
  headersOf(transport).map((headers) => /\(([^;)]*)/.exec(headers["user-agent"] ?? "")?.[1]);

describeGenerations("sessions that share an HTTP session", ({ Session }) => {
  class One extends Session {
    static override readonly url: string = url;
    static override readonly vendor: string = "one";
  }
  class Two extends One {
    static override readonly vendor: string = "two";
  }

  // contract: agent-1
  it("each send their own User-Agent", async () => {
    const fetch = scripted(200);
    const session = new HttpSession({ fetch, headers: { "User-Agent": "other (nobody)" } });
    const one = new One({ session });
    const two = new Two({ session });
    for (const each of [one, two, one]) await each.get("x");
    assertEquals(agentsOf(fetch), ["one", "two", "one"]);
    assertEquals(session.headers.get("user-agent"), "other (nobody)");
  });

  it("each send their own User-Agent, even if one created the HTTP session", async () => {
    const fetch = scripted(200);
    const one = new One({ fetch });
    const two = new Two({ session: one.httpSession });
    const three = new Two({ session: one.httpSession, headers: { "User-Agent": "mine (three)" } });
    for (const each of [one, two, three, two.withOptions({ vendor: "heir" }), one]) {
      await each.get("x");
    }
    await two.get("x", { vendor: "call" });
    await two.get("x", { headers: { "user-agent": null } });
    assertEquals(agentsOf(fetch), ["one", "two", "three", "heir", "one", "call", undefined]);
  });

  // contract: req-5-verify
  it("each have their own sslVerify", async () => {
    const logger = recordingLogger();
    const adapters = { "https://": scripted(200) };
    const shared = new HttpSession({ adapters });
    const verified = () => logger.json("debug").at(-1)!["verify"] === undefined;
    const ask = async (session: InstanceType<typeof One>, options: RequestOptions = {}) => {
      await session.get("x", options);
      return verified();
    };
    const first = new One({ session: shared, logger });
    assertEquals(await ask(first), true);
    const careless = new One({ session: shared, logger, sslVerify: false });
    const second = new One({ session: shared, logger });
    const strict = new One({ session: shared, logger, sslVerify: true });
    assertEquals(
      [await ask(careless), await ask(first), await ask(second), await ask(strict)],
      [false, true, true, true],
    );
    assertEquals(await ask(careless.withOptions({ retries: 0 })), false);
    assertEquals(await ask(careless, { verify: true }), true);
    assertEquals(shared.sslVerify, true);
    // An HTTP session that does not verify keeps that by default.
    const open = new HttpSession({ adapters, sslVerify: false });
    assertEquals(await ask(new One({ session: open, logger })), false);
    assertEquals(await ask(new One({ session: open, logger, sslVerify: true })), true);
    assertEquals(open.sslVerify, false);
  });

  it("do not change the verification of an attempt that has begun", async () => {
    const seen: (boolean | undefined)[] = [];
    const answers = [redirectTo("/y"), new Response("{}"), new Response("{}")];
    class Watched extends HttpSession {
      override transportFor(_url: string, verify?: boolean): Transport {
        seen.push(verify);
        return () => {
          this.sslVerify = false;
          return Promise.resolve(answers.shift()!);
        };
      }
    }
    const session = new Watched();
    const one = new One({ session, followRedirects: true });
    await one.get("x");
    await one.get("x");
    assertEquals(seen, [true, true, false]);
  });

  it("apply sslVerify of their class to an HTTP session that was passed in, and to derived sessions", async () => {
    class Careless extends One {
      static override readonly sslVerify: boolean = false;
    }
    const logger = recordingLogger();
    const shared = new HttpSession({ adapters: { "https://": scripted(200) } });
    const careless = new Careless({ session: shared, logger });
    for (const each of [careless, careless.withOptions({}), new Careless({ session: shared })]) {
      await each.get("x", { logger });
    }
    await careless.withOptions({ sslVerify: true }).get("x");
    const verified = logger.json("debug").map(({ verify }) => verify);
    assertEquals([verified, shared.sslVerify], [[false, false, false, undefined], true]);
  });

  it("refuse sslVerify with a custom fetch, and do not change the HTTP session", () => {
    const shared = new HttpSession({ fetch: scripted(200) });
    const session = new One({ session: shared, sslVerify: false });
    assertThrows(() => session.httpSession, UnexpectedValueError, "sslVerify");
    assertEquals(shared.sslVerify, true);
  });
});

describeGenerations("changes of the options in _buildSession", ({ Session }) => {
  /** Defines a session class whose hook merges changes over its options. */
  const changing = (changes: SessionOptions) =>
    class extends Session {
      static override readonly url: string = url;
      static override readonly vendor: string = "own";
      protected override _buildSession(options: SessionOptions): HttpSession {
        return super._buildSession({ ...options, ...changes });
      }
    };

  // contract: hook-1
  it("apply to headers, auth, the User-Agent, the transport and options of requests", async () => {
    const fetch = scripted(503, 200);
    const Changed = changing({
      fetch,
      headers: { "X-Key": "k" },
      auth: ["ada", "pw"],
      vendor: "changed",
      retries: 1,
      backoff: 0,
    });
    await new Changed({ headers: { "X-Lost": "1" } }).get("x");
    const [headers] = headersOf(fetch);
    assertEquals(fetch.calls.length, 2);
    assertEquals(agentsOf(fetch), ["changed", "changed"]);
    assertEquals(
      [headers!["x-key"], headers!["x-lost"], headers!["authorization"]],
      ["k", undefined, "Basic YWRhOnB3"],
    );
  });

  it("apply to an adapter, and to sslVerify, which the log shows", async () => {
    const adapter = scripted(200);
    const logger = recordingLogger();
    const session = new (changing({ adapter, sslVerify: false, logger }))({ logger });
    await session.get("x");
    assertEquals([adapter.calls.length, logger.json("debug")[0]!["verify"]], [1, false]);
    assertEquals(session.httpSession.sslVerify, false);
  });

  it("apply to an existing HTTP session, with the options merged over it", async () => {
    const fetch = scripted(200);
    const shared = new HttpSession({ fetch, headers: { "X-Shared": "s" } });
    const session = new (changing({ session: shared }))({ headers: { "X-Key": "k" }, vendor: "v" });
    await session.get("x");
    assertStrictEquals(session.httpSession, shared);
    const [headers] = headersOf(fetch);
    assertEquals([headers!["x-shared"], headers!["x-key"], agentsOf(fetch)], ["s", "k", ["v"]]);
  });

  it("apply to a derived session, even if it is used first", async () => {
    const fetch = scripted(503);
    const logger = recordingLogger();
    const Changed = changing({ fetch, retries: 0, finalWait: false, redactFields: ["secret"] });
    const session = new Changed({ logger });
    const heir = session.withOptions({ vendor: "heir" });
    await assertRejects(() => heir.get("x", { params: { secret: "s3" } }), APIError);
    assertEquals(agentsOf(fetch), ["heir"]);
    assertEquals(logger.messages().join("\n").includes("s3"), false);
  });

  it("apply to the logger", async () => {
    const logger = recordingLogger();
    const session = new (changing({ fetch: scripted(200), logger }))();
    await session.get("x");
    assertEquals(logger.messages("debug").length, 1);
  });

  it("are checked like the options of the constructor", async () => {
    const session = new (changing({ retries: -1 }))();
    const error = await assertRejects(() => session.ready, UnexpectedValueError);
    assertEquals(error.option, "retries");
  });

  it("cannot be construct in place: the options are frozen", () => {
    class Changing extends Session {
      static override readonly url: string = url;
      protected override _buildSession(options: SessionOptions): HttpSession {
        Object.assign(options, { retries: 0 });
        return super._buildSession(options);
      }
    }
    assertThrows(() => new Changing().httpSession, TypeError);
  });
});

describeGenerations("authentication of one call", ({ Session }) => {
  const basic = "Basic dTpw";
  const sent = (transport: ScriptedTransport) =>
    headersOf(transport).map(({ authorization }) => authorization);

  // contract: reading-18
  it("is sent to the URL of the call, even if the session does not trust its origin", async () => {
    const fetch = scripted(200);
    const session = new Session({ url, fetch, auth: ["mine", "mine"] });
    await session.get("https://b.example/x", { auth: ["u", "p"] });
    await session.get("https://b.example/x");
    await session.get("https://b.example/x", { auth: null });
    assertEquals(sent(fetch), [basic, undefined, undefined]);
  });

  it("is not sent to another origin after a redirect", async () => {
    const to = (location: string) => new Response(null, { status: 302, headers: { location } });
    const fetch = scripted(
      to("https://b.example/y"),
      to("https://c.example/z"),
      to("https://b.example/x"),
      200,
    );
    const session = new Session({ url, fetch, followRedirects: true });
    await session.get("https://b.example/x", { auth: ["u", "p"] });
    assertEquals(sent(fetch), [basic, basic, undefined, undefined]);
  });

  it("does not send cookies and secrets of the session", async () => {
    const fetch = scripted(200);
    const session = new Session({ url, fetch, headers: { "X-API-Key": "k" }, cookies: { a: "1" } });
    await session.get("https://b.example/x", { auth: ["u", "p"] });
    const [headers] = headersOf(fetch);
    assertEquals([headers!["x-api-key"], headers!["cookie"]], [undefined, undefined]);
  });

  it("differs from auth of a session, which only trusted origins get, even over a shared HTTP session", async () => {
    const fetch = scripted(200);
    const session = new Session({ url, session: new HttpSession({ fetch }), auth: ["u", "p"] });
    await session.get("https://b.example/x");
    await session.get("x");
    await session.get("https://b.example/x", { cookies: { a: "1" } });
    assertEquals(sent(fetch), [undefined, basic, undefined]);
  });
});

describeGenerations("fetchOptions", ({ Session }) => {
  const dispatcher = { dispatch: () => true };

  // contract: keyword-9
  it("are merged from the session and the call", async () => {
    const fetch = scripted(200);
    const session = new Session({ url, fetch, fetchOptions: { dispatcher, cf: { ttl: 1 } } });
    const next = { revalidate: 5 };
    await session.get("x", { fetchOptions: { next, cf: { ttl: 2 } }, priority: "low" });
    await session.withOptions({ fetchOptions: { tls: true } }).get("x");
    await new Session({ url, session: session.httpSession, fetchOptions: { next } }).get("x");
    const received = fetch.calls.map(({ init }) => {
      const { dispatcher, cf, next, tls, priority } = init as unknown as Record<string, unknown>;
      return { dispatcher, cf, next, tls, priority };
    });
    const none = { cf: undefined, next: undefined, tls: undefined, priority: undefined };
    assertEquals(received, [
      { ...none, dispatcher, cf: { ttl: 2 }, next, priority: "low" },
      { ...none, dispatcher, cf: { ttl: 1 }, tls: true },
      { ...none, dispatcher: undefined, next },
    ]);
    assertStrictEquals(received[0]!.dispatcher, dispatcher);
  });

  it("are copied by the session, so that the caller may change its object", async () => {
    const fetch = scripted(200);
    const fetchOptions: Record<string, unknown> = { cf: 1 };
    const session = new Session({ url, fetch, fetchOptions });
    fetchOptions["cf"] = 2;
    await session.get("x");
    assertEquals(Reflect.get(fetch.calls[0]!.init, "cf"), 1);
  });

  it("have lower precedence than the options of a call", async () => {
    const fetch = scripted(200);
    const session = new Session({ url, fetch, fetchOptions: { priority: "high" } });
    await session.get("x", { priority: "low" });
    await session.get("x");
    const priorities = fetch.calls.map(({ init }) => Reflect.get(init, "priority"));
    assertEquals(priorities, ["low", "high"]);
  });

  it("of a session are checked by the constructor", () => {
    for (const fetchOptions of [{ signal: null }, [], null]) {
      const construct = () => new Session({ url, fetchOptions: fetchOptions as object });
      assertThrows(construct, UnexpectedValueError, "fetchOptions");
    }
  });

  for (const name of ["body", "duplex", "headers", "method", "redirect", "signal"]) {
    it(`must not contain ${name}, which the toolkit sets`, async () => {
      const session = new Session({ url, fetch: scripted(200) });
      const error = await assertRejects(
        () => session.get("x", { fetchOptions: { [name]: undefined } }),
        UnexpectedValueError,
      );
      assertEquals(error.option, `fetchOptions.${name}`);
    });
  }

  for (const wrong of [null, "x", 7, []]) {
    it(`must be a mapping, not ${JSON.stringify(wrong)}`, async () => {
      const session = new Session({ url, fetch: scripted(200) });
      const error = await assertRejects(
        () => session.get("x", { fetchOptions: wrong as never }),
        UnexpectedValueError,
      );
      assertEquals(error.option, "fetchOptions");
    });
  }
});

describeGenerations("the options that _retryRequest gets and returns", ({ Session }) => {
  for (
    const [form, headers] of [
      ["a mapping", { "Idempotency-Key": "k1", "X-None": null }],
      ["Headers", new Headers({ "Idempotency-Key": "k1" })],
      ["pairs", [["Idempotency-Key", "k1"]]],
    ] as const
  ) {
    // contract: decision-8
    it(`have the headers as a mapping if the call has ${form}`, async () => {
      class Counting extends Session {
        static override readonly url: string = url;
        static override readonly backoff: number = 0;
        protected override _retryRequest(_: Response, retries: number, options: RetryOptions) {
          return { ...options, headers: { ...options.headers, "x-attempt": String(retries + 1) } };
        }
      }
      const fetch = scripted(503, 503, 200);
      await new Counting({ fetch }).post("x", { json: {}, headers });
      assertEquals(
        headersOf(fetch).map((sent) => [sent["idempotency-key"], sent["x-attempt"]]),
        [["k1", undefined], ["k1", "2"], ["k1", "3"]],
      );
    });
  }

  const spellings: readonly (readonly [string, HeadersInput | undefined])[] = [
    ["no headers", undefined],
    ["the header in lower case", { "x-attempt": "0" }],
    ["the header in another case", { "X-ATTEMPT": "0" }],
    ["the header twice", [["X-Attempt", "0"], ["x-attempt", "00"]]],
  ];
  for (const [what, headers] of spellings) {
    // contract: reading-34
    it(`replace a header regardless of its case if the call has ${what}`, async () => {
      class Counting extends Session {
        static override readonly url: string = url;
        static override readonly backoff: number = 0;
        protected override _retryRequest(_: Response, retries: number, options: RetryOptions) {
          return { ...options, headers: { ...options.headers, "X-Attempt": retries + 1 } };
        }
      }
      const fetch = scripted(503, 503, 503, 200);
      await new Counting({ fetch }).get("x", { headers });
      const sent = headersOf(fetch).slice(1).map((each) => each["x-attempt"]);
      assertEquals(sent, ["2", "3", "4"]);
    });
  }

  it("can change retries and logger", async () => {
    const other = recordingLogger();
    class Changing extends Session {
      static override readonly url: string = url;
      static override readonly backoff: number = 0;
      protected override _retryRequest(_: Response, _retries: number, options: RetryOptions) {
        return { ...options, retries: 1, logger: other };
      }
    }
    const fetch = scripted(503);
    const session = new Changing({ fetch });
    await assertRejects(() => session.get("x"), APIError);
    assertEquals([fetch.calls.length, other.json("debug").length], [2, 1]);
  });
});

describeGenerations("the classes of an error map", ({ Session }) => {
  const wrong: readonly (readonly [string, unknown])[] = [
    ["a Map", new Map([[404, APIError]])],
    ["an arrow function", { 404: () => new Error("no") }],
    ["a class of other errors", { 404: Error }],
  ];
  for (const [what, errorMap] of wrong) {
    it(`must be derived from APIError: ${what} is refused`, async () => {
      const session = new Session({ url, fetch: scripted(404) });
      const options = { errorMap } as RequestOptions;
      await assertRejects(() => session.get("x", options), UnexpectedValueError, "errorMap");
    });
  }

  it("may be APIError itself", async () => {
    const session = new Session({ url, fetch: scripted(404) });
    const error = await assertRejects(() => session.get("x", { errorMap: { 404: APIError } }));
    assertStrictEquals((error as Error).constructor, APIError);
  });
});

describe("a shared HTTP session", () => {
  it("keeps the User-Agent that it has", () => {
    const session = new HttpSession({ headers: { "User-Agent": "mine/1" }, fetch: scripted(200) });
    new APISession({ url: "https://a.example", session });
    assertEquals(session.headers.get("user-agent"), "mine/1");
  });

  it("does not send the credentials of one base URL to another", async () => {
    const fetch = scripted(200);
    const session = new HttpSession({ fetch });
    new APISession({ url: "https://ada:pw@a.example", session });
    const other = new APISession({ url: "https://b.example", session });
    await other.get("x");
    assertEquals(fetch.calls[0]!.init.headers["authorization"], undefined);
  });

  it("is not changed by a constructor that fails", () => {
    const session = new HttpSession();
    assertThrows(() =>
      new APISession({ url: "https://ada:pw@a.example", session, adapter: 7 as never })
    );
    assertEquals([session.headers.names(), session.auth], [[], null]);
  });
});

describeGenerations("adapters and auth of a session over a shared HTTP session", ({ Session }) => {
  it("stay in place if a request has other adapters", async () => {
    const [own, other, fetch] = [scripted(201), scripted(202), scripted(200)];
    const api = new Session({ url, session: new HttpSession({ fetch }), adapters: { [url]: own } });
    const response = await api.get("x", { adapters: { "https://b.example": other } });
    assertEquals(response.status, 201);
  });

  it("include a scheme, which is closed with the session", async () => {
    let closed = 0;
    const auth: Auth = { authenticate: (_, send) => send(), close: () => void closed++ };
    const api = new Session({ url, session: new HttpSession({ fetch: scripted(200) }), auth });
    await api.get("x");
    await api.close();
    assertEquals(closed, 1);
  });
});
