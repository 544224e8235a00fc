/** Checks the promises of calls and lists in clients with resources. */
import { assert, assertEquals, assertInstanceOf, assertRejects, describe, it } from "#test";
import {
  AbstractPage,
  baseErrorClass,
  type PageSettings,
  ResourceClient,
  ResourceError,
  ResourcePagePromise,
  ResourcePromise,
} from "../../src/resources/mod.ts";
import { silentLogger } from "../../src/testing/mod.ts";
import { type Answer, scripted } from "../support/scripted.ts";

class Page extends AbstractPage<number> {
  static override readonly paging: PageSettings = { items: "data" };
}

function start(...answers: readonly Answer[]): ResourceClient {
  const baseURL = "https://api.example.com";
  return new ResourceClient({
    ...{ baseURL, fetch: scripted(...answers), logger: silentLogger, maxRetries: 0 },
  });
}

const lamp = () => Response.json({ result: { id: 7 } }, { headers: { "x-request-id": "r1" } });

describe("the promise of a call", () => {
  it("is an instance of its class and of Promise, and so is that of a list", async () => {
    const call = start(lamp).get("/lamps/7");
    assertInstanceOf(call, ResourcePromise);
    assertInstanceOf(call, Promise);
    await call;
    const list = start(() => Response.json({ data: [1] })).getAPIList("/lamps", Page);
    assertInstanceOf(list, ResourcePagePromise);
    assertInstanceOf(list, ResourcePromise);
    assertEquals((await list).getPaginatedItems(), [1]);
    assertEquals(call.then(() => {}).constructor, Promise);
    assertEquals(await call.finally(() => {}), { result: { id: 7 } });
  });

  it("is converted by _thenUnwrap, and keeps the response", async () => {
    const call = start(lamp).get<{ result: { id: number } }>("/lamps/7");
    const unwrapped = call._thenUnwrap(({ result }, { response }) => [result.id, response.status]);
    assertInstanceOf(unwrapped, ResourcePromise);
    assertEquals(await unwrapped, [7, 200]);
    const { data, request_id, response } = await unwrapped.withResponse();
    assertEquals([data, request_id, await response.json()], [[7, 200], "r1", {
      result: { id: 7 },
    }]);
    assertEquals((await unwrapped.asResponse()).status, 200);
  });

  it("rejects with the error of a call, and with that of the conversion", async () => {
    const failed = start(404).get("/lamps/7")._thenUnwrap(() => 1);
    await assertRejects(() => failed, ResourceClient.NotFoundError);
    const thrown = start(lamp).get("/lamps/7")._thenUnwrap(() => {
      throw new RangeError("no lamp");
    });
    await assertRejects(() => thrown, RangeError);
  });

  it("sends each request method through request, which a test can watch", async () => {
    const watched: string[] = [];
    class Watched extends ResourceClient {
      override request<T>(
        options: Parameters<ResourceClient["request"]>[0],
      ): ResourcePromise<T> {
        watched.push(`${options.method} ${options.path}`);
        return super.request<T>(options);
      }
    }
    const client = new Watched({ baseURL: "https://api.example.com", fetch: scripted(lamp) });
    await client.get("/a");
    await client.patch("/b", { body: {} });
    assertEquals(watched, ["GET /a", "PATCH /b"]);
  });
});

describe("the errors of an SDK", () => {
  it("are instances of its base class, which has its name", async () => {
    const LampsError = baseErrorClass("LampsError");
    class BulbError extends LampsError {}
    const error = await start(404).get("/lamps/7").catch((reason: unknown) => reason);
    assertEquals([error instanceof LampsError, error instanceof BulbError], [true, false]);
    assertEquals([new TypeError() instanceof LampsError, new BulbError() instanceof BulbError], [
      false,
      true,
    ]);
    assertEquals([new LampsError("no key").name, LampsError.name], ["LampsError", "LampsError"]);
  });

  it("have names that do not depend on the names of classes in the code", () => {
    const cases: readonly (readonly [status: number | undefined, name: string])[] = [
      [400, "BadRequestError"],
      [401, "AuthenticationError"],
      [403, "PermissionDeniedError"],
      [404, "NotFoundError"],
      [409, "ConflictError"],
      [418, "APIStatusError"],
      [422, "UnprocessableEntityError"],
      [429, "RateLimitError"],
      [500, "InternalServerError"],
      [undefined, "APIConnectionError"],
    ];
    for (const [status, name] of cases) {
      const error = ResourceError.generate(status, {}, "failed", undefined);
      assertEquals(error.name, name);
      const own = Object.getOwnPropertyDescriptor(error.constructor, "name");
      // A minifier renames a class, but not a property that was defined.
      assert(own !== undefined && own.writable === false, name);
    }
  });
});
