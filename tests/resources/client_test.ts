/** Checks clients with resources: options, raw methods, promises, errors, retries and copies. */
import {
  assert,
  assertEquals,
  assertInstanceOf,
  assertRejects,
  assertStrictEquals,
  assertThrows,
  describe,
  it,
} from "#test";
import {
  APIClient,
  APIError,
  NotFoundError,
  path,
  TransportError,
  UnexpectedValueError,
} from "../../mod.ts";
import { baseErrorMap } from "../../src/errors/status_errors.ts";
import { type ErrorMap, errorsBy } from "../../src/entries/errors.ts";
import type { ErrorFrom } from "../../src/errors/mod.ts";
import {
  APIConnectionError,
  APIConnectionTimeoutError,
  APIResource,
  APIStatusError,
  APIUserAbortError,
  nestedQuery,
  ResourceClient,
  type ResourceClientOptions,
  ResourceError,
  ResourceNotFoundError,
  type ResourcePromise,
  type ResourceRequestOptions,
} from "../../src/resources/mod.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { type Answer, refusedConnection, scripted } from "../support/scripted.ts";
import { shownOf } from "../support/shown.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";

interface Pet {
  readonly name: string;
}

class Pets extends APIResource<Store> {
  retrieve(id: string, options?: ResourceRequestOptions): ResourcePromise<Pet> {
    return this._call("GET", path`/pets/${id}`, options);
  }
  update(id: string, body: Pet, options?: ResourceRequestOptions): ResourcePromise<Pet> {
    return this._call("PUT", path`/pets/${id}`, options, { json: body, unwrap: "data" });
  }
  search(query: object, options?: ResourceRequestOptions): ResourcePromise<Pet> {
    return this._call("GET", "/pets", options, { params: query, headers: { "X-Kind": "search" } });
  }
}

class Store extends ResourceClient {
  static override readonly baseUrl: string = "https://api.example.com/v1";
  readonly pets: Pets = new Pets(this);
}

function start(
  answers: readonly Answer[],
  options: ResourceClientOptions = {},
  Client: typeof Store = Store,
) {
  const clock = fakeClock({ autoAdvance: true });
  const fetch = scripted(...answers);
  return { clock, fetch, store: new Client({ fetch, clock, logger: null as never, ...options }) };
}

/** Returns the waits before retries: without the timeouts of attempts. */
function waitsOf({ waits }: ReturnType<typeof fakeClock>): number[] {
  return waits.filter((wait) => wait !== 600);
}

const rex = () => Response.json({ name: "Rex" }, { headers: { "x-request-id": "r1" } });

describe("a client with resources", () => {
  it("translates its options to those of the toolkit", async () => {
    const { fetch, store } = start([503], {
      baseURL: "https://other.example.com/",
      maxRetries: 1,
      timeout: 20_000,
      defaultHeaders: { "X-Team": "a" },
      defaultQuery: { trace: "1" },
    });
    await assertRejects(() => store.pets.retrieve("7"), ResourceClient.InternalServerError);
    const [first, second] = fetch.calls;
    assertEquals(first!.url, "https://other.example.com/pets/7?trace=1");
    assertEquals(new Headers(first!.init.headers).get("x-team"), "a");
    assert(second !== undefined && fetch.calls.length === 2);
    assertEquals([store.baseURL, store.maxRetries, store.timeout], [
      "https://other.example.com/",
      1,
      20_000,
    ]);
  });

  it("has the defaults of ten minutes, two retries and followed redirects", async () => {
    const { fetch, store } = start([503]);
    assertEquals([store.baseURL, store.maxRetries, store.timeout], [Store.baseUrl, 2, 600_000]);
    await assertRejects(() => store.pets.retrieve("7"), ResourceError);
    assertEquals(fetch.calls.length, 3);
    assertEquals(Store.followRedirects, true);
  });

  it("copies itself with other options, and keeps those that are not passed", async () => {
    const { fetch, store } = start([rex], { defaultHeaders: { "X-Team": "a" } });
    const copy = store.withOptions({ baseURL: "https://b.example.com", timeout: 1000 });
    assertInstanceOf(copy, Store);
    assertEquals((await copy.pets.retrieve("7")).name, "Rex");
    assertEquals(fetch.calls[0]!.url, "https://b.example.com/pets/7");
    assertEquals(new Headers(fetch.calls[0]!.init.headers).get("x-team"), "a");
    assertEquals([copy.timeout, store.timeout], [1000, 600_000]);
  });

  it("writes only records of logLevel and above", async () => {
    const logger = recordingLogger();
    const { store } = start([503, rex, 503, rex], { logger, logLevel: "error" });
    await store.pets.retrieve("7");
    assertEquals(logger.records.length, 0);
    await store.withOptions({ logLevel: "debug" }).pets.retrieve("7");
    assert(logger.records.length > 0, "nothing was logged");
  });
});

describe("the options of a request", () => {
  it("are merged over those of the method", async () => {
    const { fetch, store } = start([rex]);
    await store.pets.search({ name: "Rex", limit: 1 }, {
      query: { limit: 2 },
      headers: { "x-kind": null, "X-Own": "1" },
    });
    const { url, init } = fetch.calls[0]!;
    assertEquals(url, "https://api.example.com/v1/pets?name=Rex&limit=2");
    const headers = new Headers(init.headers);
    assertEquals([headers.get("x-kind"), headers.get("x-own")], [null, "1"]);
  });

  it("replace the method, the path and the body", async () => {
    const { fetch, store } = start([rex]);
    await store.pets.update("7", { name: "Tom" }, {
      method: "patch",
      path: "/other",
      body: { name: "Max" },
    });
    const { url, init } = fetch.calls[0]!;
    assertEquals([init.method, url], ["PATCH", "https://api.example.com/v1/other"]);
    assertEquals(await new Response(init.body as BodyInit).text(), '{"name":"Max"}');
  });

  it("set the number of retries of one call", async () => {
    const { fetch, store } = start([503]);
    await assertRejects(() => store.pets.retrieve("7", { maxRetries: 0 }), ResourceError);
    assertEquals(fetch.calls.length, 1);
  });

  it("send an idempotency key", async () => {
    class Keyed extends Store {
      static override readonly idempotencyHeader: string | null = "X-Key";
    }
    const fetch = scripted(rex);
    const pets = new Keyed({ fetch }).pets;
    await pets.update("7", { name: "Tom" }, { idempotencyKey: "k1" });
    await pets.update("7", { name: "Tom" });
    await pets.retrieve("7");
    const keys = fetch.calls.map(({ init }) => new Headers(init.headers).get("x-key"));
    assertEquals([keys[0], keys[1]!.length, keys[2]], ["k1", 36, null]);
    const other = start([rex]);
    await other.store.pets.update("7", { name: "Tom" }, { idempotencyKey: "k2" });
    assertEquals(new Headers(other.fetch.calls[0]!.init.headers).get("idempotency-key"), "k2");
  });

  it("send it in the header of the method, if the client has none", async () => {
    class Keys extends APIResource<Store> {
      add(options?: ResourceRequestOptions): ResourcePromise<Pet> {
        return this._call("POST", "/pets", options, { idempotencyHeader: "X-Key" });
      }
    }
    const { fetch, store } = start([503, rex, rex], { maxRetries: 1, backoff: 0 });
    const keys = new Keys(store);
    await keys.add();
    await keys.add({ idempotencyKey: "k1" });
    const sent = fetch.calls.map(({ init }) => new Headers(init.headers).get("x-key"));
    assertEquals([sent[0]!.length, sent[1], sent[2]], [36, sent[0], "k1"]);
  });

  it("pass fetchOptions to fetch", async () => {
    const { fetch, store } = start([rex], { fetchOptions: { priority: "low" } });
    await store.pets.retrieve("7", { fetchOptions: { priority: "high" } });
    assertEquals((fetch.calls[0]!.init as { priority?: string }).priority, "high");
  });
});

describe("the promise of a call", () => {
  it("returns the response beside the result, from one request", async () => {
    const { fetch, store } = start([rex]);
    const promise = store.pets.retrieve("7");
    const response = await promise.asResponse();
    assertInstanceOf(response, Response);
    const pet = await promise;
    const both = await promise.withResponse();
    assertStrictEquals(both.data, pet);
    assertStrictEquals(both.response, response);
    assertEquals([both.request_id, await response.json()], ["r1", { name: "Rex" }]);
    assertEquals(fetch.calls.length, 1);
  });

  it("takes the result out of the field that the method names", async () => {
    const { store } = start([() => Response.json({ data: { name: "Tom" }, page: 1 })]);
    assertEquals(await store.pets.update("7", { name: "Tom" }), { name: "Tom" });
  });
});

describe("the raw methods", () => {
  it("send JSON, and parse JSON", async () => {
    const { fetch, store } = start([() => Response.json([1])]);
    assertEquals(await store.post<number[]>("/a", { body: { b: 1 }, query: { c: 2 } }), [1]);
    const { url, init } = fetch.calls[0]!;
    assertEquals([init.method, url], ["POST", "https://api.example.com/v1/a?c=2"]);
    assertEquals(await new Response(init.body as BodyInit).text(), '{"b":1}');
  });

  it("return text and null for other bodies", async () => {
    const { store } = start([() => new Response("hi"), () => new Response(null, { status: 204 })]);
    assertEquals([await store.get("/a"), await store.delete("/a")], ["hi", null]);
  });

  it("send each HTTP method, and bodies as they are", async () => {
    const { fetch, store } = start([rex]);
    await store.put("/a", { body: "text", headers: { "content-type": "text/plain" } });
    await store.patch("/a", { body: new URLSearchParams({ b: "1" }) });
    await store.request({ method: "get", path: "/a" });
    assertEquals(fetch.calls.map(({ init }) => init.method), ["PUT", "PATCH", "GET"]);
    const bodies = fetch.calls.slice(0, 2).map(({ init }) =>
      new Response(init.body as BodyInit).text()
    );
    assertEquals(await Promise.all(bodies), ["text", "b=1"]);
  });
});

describe("the errors of a client with resources", () => {
  const classes: readonly (readonly [status: number, name: string])[] = [
    [400, "BadRequestError"],
    [401, "AuthenticationError"],
    [403, "PermissionDeniedError"],
    [404, "NotFoundError"],
    [409, "ConflictError"],
    [422, "UnprocessableEntityError"],
    [429, "RateLimitError"],
    [500, "InternalServerError"],
    [503, "InternalServerError"],
    [418, "APIStatusError"],
  ];
  for (const [status, name] of classes) {
    it(`are ${name} for the status ${status}, which is a static of the client, too`, async () => {
      const body = { message: "no" };
      const headers = { "x-request-id": "r2" };
      const { store } = start([() => Response.json(body, { status, headers })], { maxRetries: 0 });
      const error = await store.pets.retrieve("7").then(() => undefined, (reason) => reason);
      const Class = Reflect.get(Store, name) as typeof APIStatusError;
      assertInstanceOf(error, Class);
      assertInstanceOf(error, Store.APIError);
      assertEquals(
        [error.name, error.status, error.message, error.error, error.requestID],
        [name, status, `${status} no`, body, "r2"],
      );
    });
  }

  /** Returns the error of a call whose response has this status and body. */
  async function failure(
    status: number,
    body: unknown = { message: "no" },
    Client: typeof Store = Store,
  ): Promise<unknown> {
    const { store } = start([() => Response.json(body, { status })], { maxRetries: 0 }, Client);
    return await store.pets.retrieve("7").then(() => undefined, (reason) => reason);
  }

  it("are those of the toolkit for their status, too, and no others", async () => {
    for (const status of [400, 401, 403, 404, 409, 410, 418, 422, 429, 500, 503]) {
      const error = await failure(status);
      assertInstanceOf(error, APIError);
      for (const [other, Class] of Object.entries(baseErrorMap)) {
        const isOfClass = Class === baseErrorMap[status];
        assertEquals(error instanceof Class, isOfClass, `${status} and ${other}`);
      }
    }
    assertEquals((await failure(520)) instanceof APIError, true);
    const found = new NotFoundError(new Response(null, { status: 404 }));
    assertEquals([ResourceError, ResourceNotFoundError].map((each) => found instanceof each), [
      ...[false, false],
    ]);
  });

  it("have the request, response, data and JSON of an error of the toolkit", async () => {
    const answer = () =>
      Response.json({ message: "no" }, {
        status: 404,
        headers: { "x-request-id": "r-1", "retry-after": "2" },
      });
    const { store } = start([answer], { maxRetries: 0 });
    const error = await store.pets.retrieve("7").then(() => undefined, (reason) => reason);
    class Plain extends APIClient {
      static override readonly baseUrl: string = "https://api.example.com/v1";
      static override readonly errorFunc = ResourceClient.errorFunc;
      pet = (): Promise<unknown> => this._get("/pets/7");
    }
    const plain = await new Plain({ fetch: scripted(answer), retries: 0 }).pet()
      .then(() => undefined, (reason) => reason);
    assertInstanceOf(error, NotFoundError);
    assertEquals(error.toJSON(), plain.toJSON());
    assertEquals(error.request, { method: "GET", url: "https://api.example.com/v1/pets/7" });
    assertEquals([error.data, error.body], [plain.data, plain.body]);
    assertEquals(await error.response.json(), { message: "no" });
    assertEquals([error.requestId, error.retryAfter, error.cause], ["r-1", 2, undefined]);
  });

  it("have the code of the body, or of the error in it", async () => {
    const bodies = [{ code: "a" }, { error: { code: "b" } }, { code: 7 }, { error: "c" }, [1]];
    const codes = await Promise.all(bodies.map(async (body) => {
      const error = await failure(404, body);
      return error instanceof ResourceError ? error.code : "of another class";
    }));
    assertEquals(codes, ["a", "b", undefined, undefined, undefined]);
  });

  it("are retryable as the client retries them", async () => {
    const statuses = [404, 408, 409, 429, 503];
    const errors = await Promise.all(statuses.map((status) => failure(status)));
    assertEquals(errors.map((error) => Reflect.get(Object(error), "retryable")), [
      ...[false, true, true, true, true],
    ]);
  });

  it("may be of classes that the SDK derives from them", async () => {
    class NoSuchPet extends ResourceNotFoundError {}
    class QuotaError extends APIStatusError {}
    class Own extends Store {
      static override readonly errorMap: ErrorMap = { 404: NoSuchPet };
      static override readonly errorFrom: ErrorFrom = errorsBy("code", { quota: QuotaError });
    }
    const missing = await failure(404, {}, Own);
    assertInstanceOf(missing, NoSuchPet);
    assertInstanceOf(missing, Own.NotFoundError);
    assertInstanceOf(missing, NotFoundError);
    assertInstanceOf(await failure(402, { code: "quota" }, Own), QuotaError);
    assertInstanceOf(await failure(402, { code: "quota" }, Own), Own.APIError);
  });

  it("are made for tests of the SDK by a status", () => {
    const headers = new Headers({ "x-request-id": "r-1" });
    const limited = ResourceError.generate(429, { code: "slow" }, undefined, headers);
    assertInstanceOf(limited, Store.RateLimitError);
    assertEquals(
      [limited.status, limited.code, limited.requestID, limited.message, limited.error],
      [429, "slow", "r-1", '429 {"code":"slow"}', { code: "slow" }],
    );
    const lost = ResourceError.generate(undefined, undefined, undefined, undefined);
    assertInstanceOf(lost, APIConnectionError);
  });

  it("of lost connections are transport errors with their kind and request", async () => {
    const { store } = start([refusedConnection()], { maxRetries: 0 });
    const error = await store.pets.retrieve("7").then(() => undefined, (reason) => reason);
    assertInstanceOf(error, TransportError);
    assertInstanceOf(error, Store.APIError);
    assertInstanceOf(error.cause, TransportError);
    assertEquals(error instanceof APIError, false);
    assertEquals([error.kind, error.request?.method, error.status, error.name], [
      ...[error.cause.kind, "GET", undefined, "APIConnectionError"],
    ]);
  });

  it("have the body as their message if it has none", async () => {
    const answers = [() => Response.json({ code: 7 }, { status: 404 }), 404];
    const { store } = start(answers, { maxRetries: 0 });
    const messages: string[] = [];
    for (let call = 0; call < 2; call++) {
      await store.pets.retrieve("7").catch((error) => messages.push(error.message));
    }
    assertEquals(messages, ['404 {"code":7}', "404 status code (no body)"]);
  });

  it("name lost connections, timeouts and aborts", async () => {
    const { store } = start([refusedConnection()], { maxRetries: 0 });
    await assertRejects(() => store.pets.retrieve("7"), APIConnectionError);
    const never: Answer = () => new Promise<Response>(() => {});
    const slow = start([never], { maxRetries: 0, timeout: 50 });
    await assertRejects(() => slow.store.pets.retrieve("7"), APIConnectionTimeoutError);
    const controller = new AbortController();
    const aborted = start([never], { maxRetries: 0 }).store.pets.retrieve("7", {
      signal: controller.signal,
    });
    controller.abort();
    await assertRejects(() => aborted, APIUserAbortError);
  });

  it("do not show a secret that the server repeats", async () => {
    const answer = () => Response.json({ message: "bad key s3cr3t-t0ken" }, { status: 401 });
    const { store } = start([answer], {
      defaultHeaders: { Authorization: "Bearer s3cr3t-t0ken" },
    });
    const error = await store.pets.retrieve("7").then(() => undefined, (reason) => reason);
    assertEquals(error.error, { message: "bad key s3cr3t-t0ken" });
    for (const text of [error.message, shownOf(error), JSON.stringify(error)]) {
      assert(!text.includes("s3cr3t-t0ken"), text);
    }
    assertEquals(JSON.parse(JSON.stringify(error)).status, 401);
  });
});

describe("the retries of a client with resources", () => {
  it("repeat 408, 409, 429 and all statuses from 500", async () => {
    for (const status of [408, 409, 429, 500, 507]) {
      const { fetch, store } = start([status, rex]);
      await store.pets.retrieve("7");
      assertEquals(fetch.calls.length, 2, String(status));
    }
    const { fetch, store } = start([404, rex]);
    await assertRejects(() => store.pets.retrieve("7"), Store.NotFoundError);
    assertEquals(fetch.calls.length, 1);
  });

  it("follow the header x-should-retry", async () => {
    const stated = (status: number, value: string) =>
      new Response(null, { status, headers: { "x-should-retry": value } });
    const no = start([stated(503, "false"), rex]);
    await assertRejects(() => no.store.pets.retrieve("7"), ResourceError);
    const yes = start([stated(404, "true"), rex]);
    await yes.store.pets.retrieve("7");
    assertEquals([no.fetch.calls.length, yes.fetch.calls.length], [1, 2]);
  });

  it("wait as the server asks, but not longer than a minute", async () => {
    const asking = (seconds: number) =>
      new Response(null, { status: 503, headers: { "retry-after": String(seconds) } });
    const { clock, store } = start([asking(20), asking(90), rex]);
    await store.pets.retrieve("7");
    const [first, second] = waitsOf(clock) as [number, number];
    assertEquals(first, 20);
    assert(second <= 1 && second >= 0.75, String(second));
  });

  it("wait with the options of the backoff if the server asks for more than a minute", async () => {
    const asking = new Response(null, { status: 503, headers: { "retry-after": "90" } });
    const options = { backoff: 8, maxBackoff: 4, jitter: "full" } as const;
    const { clock, store } = start([asking, rex], options);
    const { random } = Math;
    Math.random = () => 0.25;
    try {
      await store.pets.retrieve("7");
    } finally {
      Math.random = random;
    }
    assertEquals(waitsOf(clock), [1]);
  });

  it("wait half a second at first, then twice as long, less a random part", async () => {
    const { clock, store } = start([503, 503, 503, 503, 503, 503, rex], { maxRetries: 6 });
    await store.pets.retrieve("7");
    const waits = waitsOf(clock);
    for (const [index, wait] of waits.entries()) {
      const planned = 0.5 * 2 ** index;
      assert(
        wait <= Math.min(8, planned) && wait >= Math.min(8, planned * 0.75),
        `${index}: ${wait}`,
      );
    }
    assertEquals(waits.length, 6);
  });
});

describe("a query with indices or dots", () => {
  const forms: readonly (readonly [Parameters<typeof nestedQuery>[0], string])[] = [
    [{}, "a[0]=1&a[1]=2&b[c]=3"],
    [{ lists: "repeat", objects: "dots" }, "a=1&a=2&b.c=3"],
    [{ lists: "brackets" }, "a[]=1&a[]=2&b[c]=3"],
    [{ lists: "comma" }, "a=1,2&b[c]=3"],
  ];
  for (const [settings, query] of forms) {
    it(`is written as ${query.replaceAll("&", " and ")}`, async () => {
      const { fetch, store } = start([rex], { paramsStyle: nestedQuery(settings) });
      await store.get("/a", { query: { a: [1, 2], b: { c: 3, d: null } } });
      assertEquals(decodeURIComponent(new URL(fetch.calls[0]!.url).search), `?${query}`);
    });
  }

  it("has brackets once if they are a part of the name", async () => {
    const paramsStyle = nestedQuery({ lists: "brackets", objects: "dots" });
    const { fetch, store } = start([rex], { paramsStyle });
    await store.get("/a", { query: { "a[]": [1, 2] } });
    assertEquals(decodeURIComponent(new URL(fetch.calls[0]!.url).search), "?a[]=1&a[]=2");
  });

  it("refuses a value that is in itself", () => {
    const own: Record<string, unknown> = { a: 1 };
    own["inner"] = [{ own }];
    for (const objects of ["brackets", "dots"] as const) {
      const write = nestedQuery({ objects });
      assertThrows(() => write({ own }), UnexpectedValueError, "without cycles");
      assertEquals(write({ a: [{ b: 1 }, { b: 1 }] }).length, 2);
    }
  });
});

describe("a method of a resource with a server of its own", () => {
  class Lamps extends ResourceClient {
    static override readonly baseUrl: string = "https://api.example.com/v1";
    static override readonly environments: Readonly<Record<string, string>> = {
      production: "https://api.example.com/v1",
      sandbox: "https://sandbox.example.com/v1",
    };

    upload(options?: ResourceRequestOptions): ResourcePromise<unknown> {
      const defaultBaseURL = "https://uploads.example.com/up";
      return this._call("POST", path`/lamps/${7}`, options, { defaultBaseURL });
    }
  }
  const sent = async (options: object, call?: ResourceRequestOptions) => {
    const fetch = scripted(() => Response.json({}));
    const lamps = new Lamps({ fetch, logger: null, ...options });
    await lamps.upload(call);
    return [lamps.isBaseURLOverridden, fetch.calls[0]!.url];
  };
  const own = "https://uploads.example.com/up/lamps/7";

  it("goes there if the client has the base URL of its environment", async () => {
    assertEquals(await sent({}), [false, own]);
    assertEquals(await sent({ baseURL: "https://api.example.com/v1/" }), [false, own]);
    const sandbox = { environment: "sandbox", baseURL: "https://sandbox.example.com/v1" };
    assertEquals(await sent(sandbox), [false, own]);
    assertEquals(await sent({}, { path: "https://files.example.com/a" }), [
      false,
      "https://files.example.com/a",
    ]);
  });

  it("goes to any other base URL", async () => {
    for (const options of [{}, { environment: "sandbox" }, { environment: "toString" }]) {
      const baseURL = "http://localhost:4010/mock";
      assertEquals(await sent({ ...options, baseURL }), [true, `${baseURL}/lamps/7`]);
    }
    assertEquals(await sent({ baseURL: "https://sandbox.example.com/v1" }), [
      true,
      "https://sandbox.example.com/v1/lamps/7",
    ]);
  });
});
