import { assertEquals, describe, it } from "#test";
import { APISession, type FailedAttempt, type SessionOptions } from "../../mod.ts";
import {
  type CallMiddleware,
  ContextKey,
  type Middleware,
  RequestContext,
} from "../../src/middleware/mod.ts";

type Backoff = (retry: number) => number;

// The compiler checks the types in this file. The tests only make these checks part of a run.

type Same<A, B> = (<X>() => X extends A ? 1 : 2) extends (<X>() => X extends B ? 1 : 2) ? true
  : false;

/** Compiles only if the value has exactly the type. */
function typed<Expected>(): <Actual>(value: Actual, same: Same<Actual, Expected>) => void {
  return () => {};
}

/** Is never called: only its types are checked. */
function compileOnly(_check: () => void): void {}

describe("the types of the values of a call", () => {
  it("come from the key", () => {
    const maxAge = new ContextKey<number>("maxAge");
    const user = new ContextKey<{ readonly name: string }>("user");
    const context = new RequestContext().set(maxAge, 60).set(user, { name: "Ada" });
    typed<number | undefined>()(context.get(maxAge), true);
    typed<{ readonly name: string } | undefined>()(context.get(user), true);
    assertEquals([context.get(maxAge), context.get(user)?.name], [60, "Ada"]);
    compileOnly(() => {
      const age: number | undefined = context.get(maxAge);
      // @ts-expect-error: not a number
      context.set(maxAge, "60");
      // @ts-expect-error: it may be undefined
      context.set(maxAge, age);
      // @ts-expect-error: a key is required
      context.get("maxAge");
      // @ts-expect-error: a context is read-only in a request
      const replacing: Middleware = (request) => request.context = new RequestContext();
      void replacing;
    });
  });
});

describe("the types of middleware", () => {
  it("require a response of a middleware, and any result of a call middleware", () => {
    const middleware: Middleware = (request, next) => {
      typed<number>()(request.attempt, true);
      typed<Record<string, string | null>>()(request.headers, true);
      return next(request);
    };
    const callMiddleware: CallMiddleware = (call, next) => next(call);
    const options: SessionOptions = {
      middleware: [middleware],
      callMiddleware: [callMiddleware, () => Promise.resolve(7)],
    };
    assertEquals(options.middleware?.length, 1);
    compileOnly(() => {
      // @ts-expect-error: it returns nothing
      const forgetful: Middleware = async (request, next) => {
        await next(request);
      };
      // @ts-expect-error: the request is missing
      const careless: Middleware = (_request, next) => next();
      // @ts-expect-error: around a call, not a request
      const session = new APISession({ url: "https://a.example" }).get("x", { callMiddleware: [] });
      void [forgetful, careless, session];
    });
  });
});

describe("the types of the retry policy", () => {
  it("let a class override the defaults and the hooks", () => {
    class Shop extends APISession {
      static override readonly url: string = "https://api.example.com";
      static override readonly backoff: Backoff = (retry) => 2 ** retry;
      static override readonly jitter = "full";
      static override readonly retryMethods: readonly string[] = ["GET"];
      static override readonly middleware: readonly Middleware[] = [];

      protected override _shouldRetry({ error, response }: FailedAttempt): boolean | undefined {
        if ("body" in error) typed<string>()(error.body, true);
        return response?.status === 403 ? true : undefined;
      }

      protected override async _retryWait({ attempt }: FailedAttempt): Promise<number> {
        return await Promise.resolve(attempt);
      }
    }
    const shop = new Shop({ backoff: 1, jitter: "none", retryMethods: null });
    assertEquals(shop instanceof APISession, true);
    compileOnly(() => {
      // @ts-expect-error: a function is synchronous
      new Shop({ backoff: () => Promise.resolve(1) });
      // @ts-expect-error: not a kind of jitter
      new Shop({ jitter: "some" });
    });
  });
});
