import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
  describe,
  it,
} from "#test";
import {
  APIEndpoint,
  type APISession,
  DeadlineExceededError,
  type LoginRequests,
  type RequestOptions,
  type SessionOptions,
  UnexpectedValueError,
} from "../../mod.ts";
import { ServiceUnavailableError, SessionStateError } from "../../src/entries/errors.ts";
import {
  type CallMiddleware,
  ContextKey,
  type Middleware,
  type MiddlewareCall,
  RequestContext,
} from "../../src/middleware/mod.ts";
import type { StandardSchema } from "../../src/models/mod.ts";
import { describeGenerations } from "../support/generations.ts";
import type { Answer } from "../support/scripted.ts";
import { startSession } from "../support/start_session.ts";

function start(
  answers: readonly Answer[],
  callMiddleware: readonly CallMiddleware[],
  options: SessionOptions = {},
  Session?: new (options: SessionOptions) => APISession,
) {
  return startSession(answers, { callMiddleware, ...options }, Session);
}

function wrong<T>(value: unknown): T {
  return value as T;
}

describeGenerations("middleware around a call", ({ Session }) => {
  it("surrounds all attempts and the conversion of the response", async () => {
    const seen: unknown[] = [];
    const timing: CallMiddleware = async (call, next) => {
      seen.push([call.method, call.path, call.options.convJson]);
      const result = await next(call);
      seen.push(result);
      return result;
    };
    const { session, transport } = start(
      [503, 503, () => Response.json([1])],
      [timing],
      {},
      Session,
    );
    assertEquals(await session.get("x", { convJson: true }), [1]);
    assertEquals([seen, transport.calls.length], [[["GET", "x", true], [1]], 3]);
  });

  it("runs in the order class, client; copies inherit it and can add to it", async () => {
    const seen: string[] = [];
    const noting = (name: string): CallMiddleware => (call, next) => {
      seen.push(name);
      return next(call);
    };
    class Noted extends Session {
      static override readonly callMiddleware: readonly CallMiddleware[] = [noting("class")];
    }
    const { session } = start([200], [noting("one"), noting("two")], {}, Noted);
    await session.withOptions({ callMiddleware: [noting("copy")] }).get("x");
    assertEquals(seen.splice(0), ["class", "one", "two", "copy"]);
    await session.get("x");
    assertEquals(seen, ["class", "one", "two"]);
  });

  it("shares the context with the middleware of the attempts", async () => {
    const id = new ContextKey<string>("id");
    const seen: (string | undefined)[] = [];
    const setting: CallMiddleware = async ({ context, ...call }, next) => {
      const result = await next({ ...call, context: context.set(id, "c-1") });
      seen.push(context.get(id));
      return result;
    };
    const reading: Middleware = (request, next) => {
      seen.push(request.context.get(id));
      request.context.set(id, "c-2");
      return next(request);
    };
    const { session } = start([200], [setting], { middleware: [reading] }, Session);
    await session.get("x");
    const context = new RequestContext();
    await session.get("x", { context });
    assertEquals(seen, ["c-1", "c-2", "c-1", "c-2"]);
    assertEquals(context.get(id), "c-2");
    const error = await assertRejects(
      () => session.get("x", { context: wrong(5) }),
      UnexpectedValueError,
    );
    assertEquals(error.option, "context");
  });

  it("can change method, path and options", async () => {
    const changing: CallMiddleware = (call, next) => {
      call.method = "post";
      call.path = "y";
      call.options = { ...call.options, json: { a: 1 }, headers: { "x-call": "1" } };
      return next(call);
    };
    const { session, transport } = start([() => Response.json(7)], [changing], {}, Session);
    const { data, response } = await session.get("x", { convJson: true }).withResponse();
    assertEquals([data, response.status], [7, 200]);
    const { url, init } = transport.calls[0]!;
    assertEquals([init.method, url, init.headers["x-call"]], [
      "POST",
      "https://api.example.com/v1/y",
      "1",
    ]);
  });

  it("sees the full path of an endpoint", async () => {
    class Books extends APIEndpoint<APISession> {
      protected override readonly _path = "books";
      one = () => this._get("1");
    }
    const paths: MiddlewareCall["path"][] = [];
    const { session } = start([200], [(call, next) => {
      paths.push(call.path);
      return next(call);
    }]);
    await new Books(session).one();
    assertEquals(paths, ["books/1"]);
  });

  it("can return a result itself; withResponse() then has no response", async () => {
    const cached: CallMiddleware = () => Promise.resolve([7]);
    const { session, transport } = start([200], [cached], {}, Session);
    assertEquals(await session.get("x", { convJson: true }), [7]);
    const error = await assertRejects(
      () => session.get("x", { convJson: true }).withResponse(),
      SessionStateError,
    );
    assertStringIncludes(error.message, "callMiddleware must call next()");
    assertEquals(transport.calls, []);
  });

  it("an error of the call passes it, and its own error ends the call unchanged", async () => {
    const seen: unknown[] = [];
    const watching: CallMiddleware = (call, next) =>
      next(call).catch((error: unknown) => {
        seen.push(error);
        throw error;
      });
    const failed = start([503], [watching], {}, Session);
    const error = await assertRejects(() => failed.session.get("x"), ServiceUnavailableError);
    assertEquals([seen, error.retries], [[error], 3]);
    const mistake = new TypeError("fetch failed");
    const own = start(
      [200],
      [() => {
        throw mistake;
      }],
      {},
      Session,
    );
    assert(await own.session.get("x").catch((error: unknown) => error) === mistake);
    assertEquals(own.clock.waits, []);
  });

  it("surrounds the requests of the login, and calls that wait for it", async () => {
    class Vault extends Session {
      protected override async _authenticate(
        _options: unknown,
        login: LoginRequests,
      ): Promise<void> {
        await login.post("login");
      }
    }
    const seen: unknown[] = [];
    const { session } = start(
      [200],
      [(call, next) => {
        seen.push(call.path);
        return next(call);
      }],
      {},
      Vault,
    );
    await Promise.all([session.get("books"), session.get("films")]);
    assertEquals(seen.toSorted(), ["books", "films", "login"]);
    await session.close();
  });

  it("the deadline counts from next()", async () => {
    const never: Middleware = () => new Promise(() => {});
    const { session } = start(
      [200],
      [(call, next) => next(call)],
      { middleware: [never] },
      Session,
    );
    await assertRejects(() => session.get("x", { deadline: 5 }), DeadlineExceededError);
  });

  it("an option that is not valid rejects the call", async () => {
    const spoiling: CallMiddleware = (call, next) =>
      next({ ...call, options: wrong<RequestOptions>({ retrys: 1 }) });
    const { session, transport } = start([200], [spoiling], {}, Session);
    const error = await assertRejects(() => session.get("x"), UnexpectedValueError);
    assertEquals([error.option, transport.calls], ["retrys", []]);
  });

  const mistakes: readonly (readonly [string, CallMiddleware, expected: RegExp])[] = [
    [
      "returns nothing",
      wrong(() => {}),
      /must be a function that returns the result of next\(\), or another one, but is .*, which returned undefined$/,
    ],
    ["forgets to return the result", async (call, next) => {
      await next(call);
    }, /which returned undefined$/],
    ["calls next twice", async (call, next) => {
      await next(call);
      return await next(call);
    }, /which called it twice$/],
    ["calls next twice and hides the error", async (call, next) => {
      const result = await next(call);
      await next(call).catch(() => {});
      return result;
    }, /which called it twice$/],
    [
      "passes nothing to next",
      wrong((_: unknown, next: () => unknown) => next()),
      /passed undefined$/,
    ],
  ];
  for (const [title, middleware, expected] of mistakes) {
    it(`one that ${title} ends the call with an UnexpectedValueError`, async () => {
      const { session } = start([200], [(call, next) => next(call), middleware], {}, Session);
      const error = await assertRejects(() => session.get("x"), UnexpectedValueError);
      assertEquals(error.option, "callMiddleware[1]");
      assertMatch(error.message, expected);
    });
  }
});

describe("a call whose result is undefined", () => {
  it("is not a mistake of the middleware", async () => {
    const nothing: StandardSchema<unknown, undefined> = {
      "~standard": { version: 1, vendor: "test", validate: () => ({ value: undefined }) },
    };
    const { session } = start([() => Response.json(1)], [(call, next) => next(call)]);
    assertEquals(await session.get("x", { responseModel: nothing }), undefined);
  });
});
