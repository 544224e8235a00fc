/** Checks what a custom fetch of clients with resources gets: headers, options of fetch, and paths. */
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
import { UnexpectedValueError } from "../../mod.ts";
import {
  optionsApart,
  pathChoice,
  ResourceClient,
  type ResourceClientOptions,
  toFile,
  uploadForm,
} from "../../src/resources/mod.ts";
import { stainlessFields } from "../../src/resources/stainless_headers.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { silentLogger } from "../../src/testing/mod.ts";
import { type Answer, scripted } from "../support/scripted.ts";

class Shop extends ResourceClient {
  static override readonly baseUrl: string = "https://shop.example.com";
  static override readonly libVersion: string = "1.2.3";
  static override readonly stainlessHeaders: boolean = true;
}

function start(answers: readonly Answer[], options: ResourceClientOptions = {}) {
  const fetch = scripted(...answers);
  const clock = fakeClock({ autoAdvance: true });
  const shop = new Shop({ fetch, clock, logger: silentLogger, ...options });
  const headers = (index = -1) => fetch.calls.at(index)!.init.headers as unknown as Headers;
  return { fetch, shop, headers, init: () => fetch.calls.at(-1)!.init };
}

const done = () => Response.json({});

describe("a custom fetch of a client with resources", () => {
  it("gets a Headers object, whose fields transports of the toolkit can read, too", async () => {
    const { shop, headers, init } = start([done]);
    await shop.get("/lamps", { headers: { "X-Own": "1", constructor: "2", get: "3" } });
    assertInstanceOf(headers(), Headers);
    assertEquals([headers().get("X-Own"), init().headers["x-own"]], ["1", "1"]);
    assertEquals([init().headers["constructor"], headers().get("get")], ["2", "3"]);
  });

  it("gets the options of fetch, and those that the toolkit has itself in their places", async () => {
    const controller = new AbortController();
    const { shop, headers, init } = start([done], {
      fetchOptions: { cache: "no-store", headers: { "X-Client": "a" }, priority: "low" },
    });
    await shop.post("/lamps", {
      body: { a: 1 },
      headers: { "X-Own": "1" },
      fetchOptions: {
        method: "PUT",
        headers: new Headers({ "X-Fetch": "b" }),
        body: "text",
        signal: controller.signal,
        credentials: "omit",
        duplex: "half",
        priority: "high",
      },
    });
    const { method, body, cache, credentials, priority } = init() as RequestInit & {
      readonly priority?: string;
    };
    assertEquals([method, body, cache, credentials, priority], [
      ...["PUT", "text", "no-store", "omit", "high"],
    ]);
    assertEquals(["x-client", "x-own", "x-fetch"].map((name) => headers().get(name)), [
      ...["a", "1", "b"],
    ]);
    controller.abort();
    const aborted = shop.get("/lamps", { fetchOptions: { signal: controller.signal } });
    await assertRejects(() => aborted, ResourceClient.APIUserAbortError);
  });

  it("gets no second request if fetchOptions.redirect forbids it", async () => {
    const moved = () => new Response(null, { status: 302, headers: { location: "/other" } });
    for (const redirect of ["manual", "error"]) {
      const { shop, fetch } = start([moved, done], { maxRetries: 0 });
      await assertRejects(
        () => shop.get("/lamps", { fetchOptions: { redirect } }),
        ResourceClient.APIError,
      );
      const strict = shop.withOptions({ fetchOptions: { redirect } });
      fetch.calls.length = 0;
      await assertRejects(() => strict.get("/lamps"), ResourceClient.APIError);
      assertEquals(fetch.calls.length, 1);
    }
    const { shop, fetch } = start([moved, done]);
    await shop.get("/lamps", { fetchOptions: { redirect: "follow" } });
    assertEquals(fetch.calls.length, 2);
  });
});

describe("the option fetchOptions", () => {
  it("throws an error that says what it must be, for the client and for a call", async () => {
    const { shop } = start([done]);
    for (const value of [null, "no-store"]) {
      const fetchOptions = value as never;
      assertThrows(
        () => start([], { fetchOptions }),
        UnexpectedValueError,
        "an object with options",
      );
      await assertRejects(
        async () => await shop.get("/lamps", { fetchOptions }),
        UnexpectedValueError,
        "an object with options",
      );
    }
  });
});

describe("the headers by which the owners of an SDK count", () => {
  it("name the retry, the timeout, the package, the runtime and the system", async () => {
    const { shop, headers } = start([503, 503, done], { timeout: 90_500 });
    await shop.get("/lamps");
    assertEquals([0, 1, 2].map((index) => headers(index).get("x-stainless-retry-count")), [
      ...["0", "1", "2"],
    ]);
    const names = ["timeout", "lang", "package-version"];
    assertEquals(names.map((name) => headers().get(`x-stainless-${name}`)), ["90", "js", "1.2.3"]);
    for (const name of ["os", "arch", "runtime", "runtime-version"]) {
      assert(headers().has(`x-stainless-${name}`), name);
    }
    await shop.get("/lamps", { timeout: 1500 });
    assertEquals(headers().get("x-stainless-timeout"), "1");
  });

  it("are replaced and removed as others are", async () => {
    const { shop, headers } = start([503, done]);
    await shop.get("/lamps", { headers: { "X-Stainless-Retry-Count": "42" } });
    assertEquals(headers().get("x-stainless-retry-count"), "42");
    await shop.get("/lamps", { headers: { "X-Stainless-Retry-Count": null } });
    assertEquals(headers().has("x-stainless-retry-count"), false);
    const quiet = shop.withOptions({
      defaultHeaders: { "X-Stainless-Retry-Count": null, "X-Stainless-OS": null },
    });
    await quiet.get("/lamps");
    assertEquals([headers().has("x-stainless-retry-count"), headers().has("x-stainless-os")], [
      false,
      false,
    ]);
  });

  it("have no timeout of a call if the client sets or removes that header", async () => {
    for (const value of [null, "7"]) {
      const fields = { "X-Stainless-Timeout": value };
      for (const option of [{ defaultHeaders: fields }, { fetchOptions: { headers: fields } }]) {
        const { shop, headers } = start([done], option);
        await shop.get("/lamps", { timeout: 1500 });
        assertEquals(headers().get("x-stainless-timeout"), value);
      }
    }
  });

  it("are not sent if the option or the class says so", async () => {
    const { shop, headers } = start([done], { stainlessHeaders: false });
    await shop.get("/lamps");
    assertEquals([...headers().keys()].filter((name) => name.startsWith("x-stainless")), []);
    const fetch = scripted(done);
    await new ResourceClient({ baseURL: "https://api.example.com", fetch }).get("/lamps");
    assertEquals(Object.keys(fetch.calls[0]!.init.headers).includes("x-stainless-lang"), false);
  });

  it("have the names that owners know for runtimes and systems", () => {
    const fieldsOf = (name: string, system: string, architecture: string) => {
      const runtime = { name, version: "1.2.3", system, architecture };
      const fields = stainlessFields({ version: "1", seconds: 60 }, runtime);
      const names = ["os", "arch", "runtime", "runtime-version"];
      return names.map((each) => fields[`x-stainless-${each}`]).join(" ");
    };
    assertEquals(fieldsOf("Node", "darwin", "arm64"), "MacOS arm64 node v1.2.3");
    assertEquals(fieldsOf("Deno", "linux", "x64"), "Linux x64 deno 1.2.3");
    assertEquals(fieldsOf("Bun", "win32", "riscv64"), "Windows other:riscv64 bun 1.2.3");
    assertEquals(
      fieldsOf("Browser", "unknown", "unknown"),
      "Unknown unknown browser:unknown unknown",
    );
  });
});

describe("the parts of a call of a resource", () => {
  it("have one of several values in the path", () => {
    const values = (account?: string | null, zone?: string) =>
      pathChoice({ account_id: ["accounts", account], zone_id: ["zones", zone] });
    assertEquals(values("a1"), ["accounts", "a1"]);
    assertEquals(values(null, "z1"), ["zones", "z1"]);
    const none = assertThrows(() => values(), UnexpectedValueError);
    assert(none.message.startsWith('"account_id" must be passed if zone_id is not'), none.message);
    const both = assertThrows(() => values("a1", "z1"), UnexpectedValueError);
    assert(both.message.startsWith('"zone_id" must be left out if account_id'), both.message);
  });

  it("have options in place of parameters, unless a parameter has their name", () => {
    const options = { timeout: 1, headers: { "X-Own": "1" } };
    assertEquals(optionsApart(options, undefined), [undefined, options]);
    for (const params of [{}, { timeout: 1, id: 7 }, { id: 7 }, null, undefined]) {
      assertEquals(optionsApart(params, undefined), [params, undefined]);
    }
    assertEquals(optionsApart({ query: "red" }, undefined, ["query"]), [
      { query: "red" },
      undefined,
    ]);
    assertEquals(optionsApart({ timeout: 1 }, { maxRetries: 0 }), [{ timeout: 1 }, {
      maxRetries: 0,
    }]);
  });
});

describe("a file for an upload", () => {
  it("is made of what looks like a response", async () => {
    const bytes = new TextEncoder().encode("lamp");
    const blob = { type: "image/png", arrayBuffer: () => Promise.resolve(bytes.buffer) };
    const response = {
      url: "https://x.example.com/lamps/a.png?v=1",
      blob: () => Promise.resolve(blob),
    };
    const file = await toFile(response);
    assertEquals([file.name, file.type, await file.text()], ["a.png", "image/png", "lamp"]);
    const form = await (await uploadForm({ photo: response })).text();
    assert(form.includes('name="photo"; filename="a.png"'), form);
    const own = await toFile(new Response("x", { headers: { "content-type": "image/gif" } }), "n");
    assertStrictEquals(own.type, "image/gif");
  });
});
