import {
  assert,
  assertEquals,
  assertInstanceOf,
  assertRejects,
  assertStrictEquals,
  it,
} from "#test";
import {
  APIEndpoint,
  type APIPromise,
  type APISession,
  type LoginRequests,
  NotFoundError,
  type Path,
  type RequestOptions,
  type SessionOptions,
  TransportError,
  ValidationError,
} from "../../mod.ts";
import { isBox, unbox } from "../../src/box/mod.ts";
import { ServiceUnavailableError, SessionStateError } from "../../src/entries/errors.ts";
import type { StandardSchema } from "../../src/models/mod.ts";
import process from "node:process";
import { describeGenerations } from "../support/generations.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { type Answer, refusedConnection, scripted } from "../support/scripted.ts";
import { turn } from "../support/until.ts";

const url = "https://api.example.com";

/** A schema that accepts an object with a number `a`, and returns that number. */
const numberA: StandardSchema<unknown, number> = {
  "~standard": {
    version: 1,
    vendor: "test",
    validate: (value) => {
      const a: unknown = (value as { a?: unknown } | null)?.a;
      return typeof a === "number" ? { value: a } : { issues: [{ message: "no a", path: ["a"] }] };
    },
  },
};

function answer(body: string | null, init: ResponseInit = {}): () => Response {
  const headers = { "content-type": "application/json", "x-total": "9" };
  return () => new Response(body, { headers, ...init });
}

/** Collects the unhandled rejections while `run` runs, and for three turns after it. */
async function unhandled(run: () => Promise<unknown>): Promise<unknown[]> {
  const found: unknown[] = [];
  const keep = (reason: unknown) => void found.push(reason);
  process.on("unhandledRejection", keep);
  try {
    await run();
    for (let turns = 0; turns < 3; turns++) await turn();
  } finally {
    process.off("unhandledRejection", keep);
  }
  return found;
}

describeGenerations("the promise of a call", ({ Session }) => {
  function start(
    answers: readonly Answer[],
    SessionClass: new (options: SessionOptions) => APISession = Session,
    options: SessionOptions = {},
  ) {
    const fetch = scripted(...answers);
    const log = recordingLogger();
    const api = new SessionClass({
      url,
      fetch,
      clock: fakeClock({ autoAdvance: true }),
      logger: log,
      ...options,
    });
    return { api, fetch, log };
  }

  it("is an ordinary promise", async () => {
    const { api } = start([answer("[1]")]);
    const call: APIPromise<unknown> = api.get("x", { convJson: true });
    assertInstanceOf(call, Promise);
    assertStrictEquals(await call.then((value) => (value as number[])[0]), 1);
    assertEquals(await Promise.all([call, call.catch(() => 0), call.finally(() => {})]), [
      [1],
      [1],
      [1],
    ]);
    assertEquals(await Promise.race([call]), [1]);
    assertStrictEquals(Promise.resolve(call), call);
    assertEquals(typeof call.withResponse, "function");
  });

  it("map: converts the result, and keeps withResponse", async () => {
    const { api } = start([answer('{"items":[1,2]}'), answer('{"items":[3]}')]);
    const items = (page: { items: number[] }) => page.items;
    const call: APIPromise<number> = api.get<{ items: number[] }>("x", { convJson: true })
      .map(items)
      .map((all) => Promise.resolve(all.length));
    const { data, response } = await call.withResponse();
    assertEquals([data, response.headers.get("x-total")], [2, "9"]);
    assertEquals(await response.json(), { items: [1, 2] });
    assertEquals(await api.get<{ items: number[] }>("x", { convJson: true }).map(items), [3]);
  });

  it("map: rejects if the call fails or the conversion throws", async () => {
    const { api } = start([404, answer("{}")]);
    await assertRejects(() => api.get("x").map(() => 1), NotFoundError);
    const fail = () => {
      throw new RangeError("no items");
    };
    await assertRejects(() => api.get("x").map(fail).withResponse(), RangeError, "no items");
  });

  it("withResponse: returns the transport's raw response, unread, as data and as response", async () => {
    const own = new Response("hello");
    const { api } = start([() => own]);
    const { data, response } = await api.get("x").withResponse();
    assertStrictEquals(data, own);
    assertStrictEquals(response, own);
    assertEquals([own.bodyUsed, await response.text()], [false, "hello"]);
  });

  it("withResponse: returns parsed JSON, and a response whose body can be read again", async () => {
    const { api } = start([answer('{"a":"€"}', { status: 201 })]);
    const call = api.get("x", { convJson: true });
    const { data, response } = await call.withResponse();
    assertEquals<unknown>(data, { a: "€" });
    assertEquals([response.status, response.bodyUsed], [201, false]);
    assertEquals(await response.json(), { a: "€" });
    const again = await call.withResponse();
    assertStrictEquals(again.data, data);
    assertEquals(await again.response.text(), '{"a":"€"}');
    assertStrictEquals(await call, data);
  });

  it("withResponse: returns a box and the response", async () => {
    const { api } = start([answer('{"a":1}')]);
    const { data, response } = await api.get("x", { box: true }).withResponse();
    assert(isBox(data));
    assertEquals(unbox(data), { a: 1 });
    assertEquals([response.headers.get("x-total"), await response.json()], ["9", { a: 1 }]);
  });

  it("withResponse: returns the response as data if a box is requested and the body is not JSON", async () => {
    const { api } = start([answer("a,b", { headers: { "content-type": "text/csv" } })]);
    const { data, response } = await api.get("x", { box: true }).withResponse();
    assertStrictEquals<unknown>(data, response);
    assertEquals(await response.text(), "a,b");
  });

  it("withResponse: returns the result of a model, for one object and for a list", async () => {
    const { api } = start([answer('{"a":7}'), answer('[{"a":1},{"a":2}]')]);
    const one = await api.get("x", { responseModel: numberA }).withResponse();
    assertEquals([one.data, await one.response.json()], [7, { a: 7 }]);
    const many = await api.get("x", { responseModel: [numberA] }).withResponse();
    assertEquals(many.data, [1, 2]);
    assertEquals(many.response.headers.get("x-total"), "9");
  });

  const empties: readonly (readonly [string, Answer])[] = [
    ["204", 204],
    ["an empty body", answer("")],
    ["no body", answer(null)],
  ];
  for (const [empty, own] of empties) {
    it(`withResponse: returns null and the empty response: ${empty}`, async () => {
      const { api } = start([own]);
      for (const options of [{ convJson: true }, { box: true }] as RequestOptions[]) {
        const { data, response } = await api.get("x", options).withResponse();
        assertStrictEquals<unknown>(data, null);
        assertInstanceOf(response, Response);
        assertEquals(await response.text(), "");
      }
    });
  }

  it("withResponse: works for HEAD, with and without a conversion", async () => {
    const { api } = start([answer(null)]);
    const converted = await api.head("x", { convJson: true }).withResponse();
    assertStrictEquals<unknown>(converted.data, null);
    assertEquals(converted.response.headers.get("x-total"), "9");
    const { data, response } = await api.head("x").withResponse();
    assertStrictEquals(data, response);
  });

  it("withResponse: keeps url and redirected of the response", async () => {
    const moved = new Response(null, { status: 302, headers: { location: "/y" } });
    const { api } = start([moved, answer("[1]")], Session, { followRedirects: true });
    const { response } = await api.get("x", { convJson: true }).withResponse();
    assertEquals([response.url, response.redirected], [`${url}/y`, true]);
    assertEquals(await response.text(), "[1]");
  });

  it("withResponse: returns the response of the attempt that succeeded", async () => {
    const { api } = start([503, refusedConnection(), answer("[1]", { status: 202 })]);
    const { response } = await api.get("x", { convJson: true }).withResponse();
    assertEquals(response.status, 202);
    assertEquals(await response.text(), "[1]");
  });

  it("withResponse: returns the response that the hook _respErrorCheck returned", async () => {
    class Unwrapping extends Session {
      protected override async _respErrorCheck(response: Response): Promise<Response> {
        const { data } = await response.json() as { data: unknown };
        return Response.json(data, { status: 203 });
      }
    }
    const { api } = start([answer('{"data":{"a":1}}')], Unwrapping);
    const parsed = await api.get("x", { convJson: true }).withResponse();
    assertEquals<unknown>(parsed.data, { a: 1 });
    assertEquals([parsed.response.status, await parsed.response.json()], [203, { a: 1 }]);
    const raw = await api.get("x").withResponse();
    assertStrictEquals(raw.data, raw.response);
    assertEquals([raw.response.status, await raw.response.json()], [203, { a: 1 }]);
  });

  it("hides from hooks and the log what it stores for withResponse", async () => {
    const seen: RequestOptions[] = [];
    class Seeing extends Session {
      protected override _respErrorCheck(response: Response, options: RequestOptions): Response {
        seen.push(options);
        return response;
      }
      protected override _retryRequest(_: Response, __: number, options: RequestOptions) {
        seen.push(options);
        return undefined;
      }
    }
    const { api } = start([503, answer("[1]")], Seeing);
    await api.get("x", { params: { a: 1 } });
    for (const options of seen) assertEquals(Reflect.ownKeys(options), ["params"]);
    assertEquals(seen.length, 2);
  });

  it("does not modify the caller's request options, and accepts frozen ones", async () => {
    const options = Object.freeze({ convJson: true as const });
    const { api } = start([answer("[1]")]);
    await api.get("x", options).withResponse();
    assertEquals(Reflect.ownKeys(options), ["convJson"]);
  });

  it("has its own response, even if concurrent calls share one options object", async () => {
    const { api } = start([answer("[1]"), answer("[2]"), answer("[3]")]);
    const options = { convJson: true } as const;
    const calls = ["a", "b", "c"].map((path) => api.get(path, options).withResponse());
    for (const { data, response } of await Promise.all(calls)) {
      assertEquals(await response.json(), data);
    }
  });

  it("withResponse: waits for the login, like the call itself", async () => {
    class Slow extends Session {
      protected override async _authenticate(): Promise<void> {
        await Promise.resolve();
      }
    }
    const { api } = start([answer("[1]")], Slow);
    const { data, response } = await api.get("x", { convJson: true }).withResponse();
    assertEquals([data, await response.json()], [[1], [1]]);
  });

  it("is returned by the request methods of a login, as their type declares", async () => {
    let total: string | null = null;
    class Sdk extends Session {
      protected override async _authenticate(
        _: SessionOptions,
        login: LoginRequests,
      ): Promise<void> {
        const { data, response } = await login.post("x", { convJson: true }).withResponse();
        assertEquals(await response.json(), data);
        total = response.headers.get("x-total");
      }
    }
    const { api } = start([answer("[1]")], Sdk);
    await api.ready;
    assertEquals(total, "9");
  });

  it("withResponse: works for an endpoint, with the flags of its class", async () => {
    class Books extends APIEndpoint<APISession> {
      override readonly _convJson = true;
      list(): APIPromise<number[]> {
        return this._get<number[]>();
      }
    }
    const { api } = start([answer("[1]")]);
    const { data, response } = await new Books(api).list().withResponse();
    assertEquals([data, await response.json()], [[1], [1]]);
  });
});

describeGenerations("withResponse of a call that fails", ({ Session }) => {
  function start(answers: readonly Answer[]) {
    const quiet = {
      clock: fakeClock({ autoAdvance: true }),
      logger: recordingLogger(),
      retries: 0,
    };
    return new Session({ url, fetch: scripted(...answers), ...quiet });
  }

  it("rejects with the same error object as the call", async () => {
    const call = start([404]).get("x");
    const error = await assertRejects(() => call.withResponse(), NotFoundError);
    assertStrictEquals(await assertRejects(() => call, NotFoundError), error);
    assertStrictEquals(await assertRejects(() => call.withResponse(), NotFoundError), error);
  });

  const failures:
    readonly (readonly [string, Answer, RequestOptions, abstract new (...args: never) => Error])[] =
      [
        ["an error status", 503, {}, ServiceUnavailableError],
        ["no response", refusedConnection(), {}, TransportError],
        [
          "a body that is not what the model expects",
          answer("{}"),
          { responseModel: numberA },
          ValidationError as never,
        ],
      ];
  for (const [what, reply, options, errorClass] of failures) {
    it(`leaves no unhandled rejection if only withResponse is awaited: ${what}`, async () => {
      const found = await unhandled(() =>
        assertRejects(
          () => start([reply]).get("x", options).withResponse(),
          errorClass as typeof Error,
        )
      );
      assertEquals(found, []);
    });
  }

  it("leaves no unhandled rejection if only the call is awaited", async () => {
    const found = await unhandled(() => assertRejects(() => start([404]).get("x"), NotFoundError));
    assertEquals(found, []);
  });

  it("rejects instead of throwing if a path or a request option is invalid", async () => {
    const found = await unhandled(async () => {
      const api = start([200]);
      await assertRejects(() => api.get(undefined as never).withResponse(), Error, "path");
      await assertRejects(() => api.get("x", { retries: -1 }).withResponse(), Error, "retries");
    });
    assertEquals(found, []);
  });

  it("rejects if the session is closed", async () => {
    const api = start([200]);
    await api.close();
    await assertRejects(() => api.get("x").withResponse(), SessionStateError, "closed");
  });
});

describeGenerations("withResponse with an override of _req", ({ Session }) => {
  type Request = (method: string, path: Path, options: RequestOptions) => Promise<unknown>;

  /** Creates a session that overrides `_req` with `req(next)`; `next` is the toolkit's `_req`. */
  function overridden(req: (next: Request) => Request, answers: readonly Answer[]) {
    class Overridden extends Session {
      protected override _req(method: string, path: Path, options: RequestOptions = {}) {
        return req((...call) => super._req(...call))(method, path, options);
      }
    }
    const quiet = {
      clock: fakeClock({ autoAdvance: true }),
      logger: recordingLogger(),
      retries: 0,
    };
    return new Overridden({ url, fetch: scripted(...answers), ...quiet });
  }
  const json = { convJson: true } as const;

  it("works if the override is async and passes the request options on", async () => {
    const api = overridden((next) => async (method, path, options) => {
      await Promise.resolve();
      return await next(method, path, options);
    }, [answer("[1]")]);
    const { data, response } = await api.get("x", json).withResponse();
    assertEquals([data, await response.json()], [[1], [1]]);
  });

  it("works if the override copies the request options and adds to them", async () => {
    const api = overridden(
      (next) => (method, path, options) => next(method, path, { ...options, params: { a: 1 } }),
      [answer("[1]")],
    );
    const { response } = await api.get("x", json).withResponse();
    assertEquals(await response.json(), [1]);
  });

  it("rejects with an error that names _req if the override drops the options; the call works", async () => {
    const api = overridden(
      (next) => (method, path) => next(method, path, { convJson: true }),
      [answer("[1]")],
    );
    assertEquals<unknown>(await api.get("x", json), [1]);
    const found = await unhandled(() =>
      assertRejects(() => api.get("x", json).withResponse(), SessionStateError, "_req")
    );
    assertEquals(found, []);
  });

  it("returns the response of the last call if the override makes several", async () => {
    const api = overridden((next) => async (method, path, options) => {
      await next("GET", "token", options);
      return await next(method, path, options);
    }, [answer("[0]"), answer("[1]")]);
    const { data, response } = await api.get("x", json).withResponse();
    assertEquals([data, await response.json()], [[1], [1]]);
  });

  it("returns the response of the second call if the override retries after an error", async () => {
    const api = overridden((next) => async (method, path, options) => {
      try {
        return await next(method, path, options);
      } catch {
        return await next(method, "fallback", options);
      }
    }, [404, answer("[1]")]);
    const { data, response } = await api.get("x", json).withResponse();
    assertEquals([data, response.status], [[1], 200]);
    await response.body?.cancel();
  });

  it("returns the result of the override, with the original response", async () => {
    const api = overridden((next) => async (...call) => {
      return { wrapped: await next(...call) };
    }, [answer("[1]")]);
    const { data, response } = await api.get("x", json).withResponse();
    assertEquals<unknown>(data, { wrapped: [1] });
    assertEquals(await response.json(), [1]);
  });

  it("rejects once with the error that the override throws before any request", async () => {
    const api = overridden(() => () => Promise.reject(new Error("not today")), [200]);
    const found = await unhandled(() =>
      assertRejects(() => api.get("x").withResponse(), Error, "not today")
    );
    assertEquals(found, []);
  });

  it("works if the override of an endpoint copies the request options", async () => {
    class Part extends APIEndpoint<APISession> {
      protected override _req(method: string, path: Path, options?: RequestOptions) {
        return super._req(method, path, { ...options, convJson: true });
      }
      read(): APIPromise<unknown> {
        return this._get("x", json);
      }
    }
    const api = new Session({ url, fetch: scripted(answer("[1]")) });
    const { data, response } = await new Part(api).read().withResponse();
    assertEquals([data, await response.json()], [[1], [1]]);
  });
});

describeGenerations("withResponse", ({ Session }) => {
  it("works if _retryRequest returns the options that it got", async () => {
    class Hooked extends Session {
      protected override _retryRequest(_: Response, __: number, options: RequestOptions) {
        return options;
      }
    }
    const fetch = scripted(503, Response.json([1]));
    const api = new Hooked({
      url,
      fetch,
      clock: fakeClock({ autoAdvance: true }),
      logger: recordingLogger(),
    });
    const { data } = await api.get("x", { convJson: true }).withResponse();
    assertEquals<unknown>(data, [1]);
  });

  it("works if an override of _req shares one promise between calls", async () => {
    const shared = new Map<string, Promise<unknown>>();
    class Shared extends Session {
      protected override _req(method: string, path: Path, options?: RequestOptions) {
        const key = `${method} ${path}`;
        const promise = shared.get(key) ?? super._req(method, path, options);
        shared.set(key, promise);
        return promise;
      }
    }
    const api = new Shared({ url, fetch: scripted(Response.json([1])) });
    const [one, other] = [api.get("x", { convJson: true }), api.get("x", { convJson: true })];
    assertEquals<unknown>((await one.withResponse()).data, [1]);
    await other;
  });
});
