import { after, assert, assertEquals, before, describe, it } from "#test";
import { fakeClock } from "../../../src/testing/fake_clock.ts";
import { silentLogger } from "../../../src/testing/mod.ts";
import { generate } from "../../mod.ts";
import { json, type LiveSdk, startLiveSdk } from "../support/live_sdk.ts";

const key = (name: string, required = false, schema: object = { type: "string" }) => ({
  ...{ name, in: "header", required, schema },
});
const found = { 200: { description: "", content: { "application/json": { schema: {} } } } };
const operation = (operationId: string, ...parameters: readonly object[]) => ({
  ...{ tags: ["notes"], operationId, parameters, responses: found },
});

const options = { logger: silentLogger, retries: 2, backoff: 0 };

describe("an operation with a header for an idempotency key", () => {
  let sdk: LiveSdk;
  before(async () => {
    sdk = await startLiveSdk(
      {
        paths: {
          "/notes": {
            post: operation("add", key("Idempotency-Key", true)),
            put: operation("replace", key("X-Idempotency-Key")),
            patch: operation("change", key("X-Request-Id")),
          },
        },
      },
      {},
      (_, response) => json(response, sdk.requests.length % 3 === 0 ? 200 : 503, {}),
    );
  });
  after(() => sdk.stop());

  /** Returns the values of a header in the requests of a call. */
  const sentBy = async (method: string, header: string, ...values: readonly unknown[]) => {
    sdk.requests.length = 0;
    await sdk.client(options)["notes"]![method]!(...values);
    return sdk.requests.map(({ headers }) => headers[header]);
  };

  it("gets a key of its own for each call, which all attempts share", async () => {
    const first = await sentBy("add", "idempotency-key");
    const second = await sentBy("add", "idempotency-key");
    assertEquals([first.length, new Set(first).size, new Set([...first, ...second]).size], [
      3,
      1,
      2,
    ]);
    assert(/^[\da-f-]{36}$/.test(first[0]!), first[0]);
  });

  it("gets one with PUT, too, in the header that it declares", async () => {
    const keys = await sentBy("replace", "x-idempotency-key");
    assertEquals([keys.length, new Set(keys).size, keys[0]?.length], [3, 1, 36]);
  });

  it("has the key of a caller who passes one", async () => {
    const passed = await sentBy("add", "idempotency-key", { "Idempotency-Key": "note-7" });
    assertEquals(passed, ["note-7", "note-7", "note-7"]);
    const inHeaders = await sentBy("add", "idempotency-key", {}, {
      headers: { "Idempotency-Key": "note-8" },
    });
    assertEquals(inHeaders, ["note-8", "note-8", "note-8"]);
    const none = await sentBy("add", "idempotency-key", {}, { idempotencyHeader: null });
    assertEquals(none, [undefined, undefined, undefined]);
  });

  it("takes the id of a request for no key", async () => {
    assertEquals(await sentBy("change", "x-request-id"), [undefined, undefined, undefined]);
  });
});

describe("a generated client", () => {
  const post = { "/notes": { post: operation("add", key("Idempotency-Key")) } };

  it("has a header for idempotency keys if each POST and PATCH declares it", async () => {
    const sdk = await startLiveSdk({ paths: post });
    try {
      const Client = sdk.module["Live"] as { readonly idempotencyHeader: string | null };
      assertEquals(Client.idempotencyHeader, "Idempotency-Key");
      await sdk.client(options)["notes"]!["add"]!();
      assertEquals(sdk.requests[0]?.headers["idempotency-key"]?.length, 36);
    } finally {
      await sdk.stop();
    }
  });

  it("has the header that its owner states", async () => {
    const paths = { "/notes": { ...post["/notes"], patch: operation("change") } };
    const sdk = await startLiveSdk({ paths }, { idempotencyHeader: "Request-Key" });
    try {
      const { notes } = sdk.client(options);
      await notes!["change"]!();
      await notes!["add"]!();
      const [change, add] = sdk.requests.map(({ headers }) => headers);
      assertEquals(change!["request-key"]?.length, 36);
      assertEquals(add!["idempotency-key"]?.length, 36);
      assertEquals(add!["request-key"], undefined);
    } finally {
      await sdk.stop();
    }
  });
});

describe("a header for an idempotency key that cannot be a UUID", () => {
  const uuid = "^[\\da-f]{8}(-[\\da-f]{4}){3}-[\\da-f]{12}$";
  /** Reports if calls get a key by themselves, for each schema of the header. */
  const keyed = async (...schemas: readonly object[]) => {
    const operations = schemas.map((schema, index) => [
      `/${index}`,
      { post: operation(`add${index}`, key("Idempotency-Key", false, schema)) },
    ]);
    const { files, report } = await generate(
      JSON.stringify({
        openapi: "3.1.0",
        info: { title: "Notes", version: "1" },
        servers: [{ url: "https://notes.example.com" }],
        paths: Object.fromEntries(operations),
      }),
      { idempotencyHeader: "Idempotency-Key" },
    );
    const text = files.get("endpoints/notes.ts")!;
    const none = text.match(/idempotencyHeader: null/g)?.length ?? 0;
    assertEquals(none, report.problems.length);
    return schemas.length - none;
  };

  it("is not sent by itself, also if the client has such a header", async () => {
    const text = { type: "string" };
    const refused = [
      { ...text, maxLength: 20 },
      { ...text, minLength: 64 },
      { ...text, pattern: "^[0-9]{8}$" },
      { ...text, pattern: "(a*)*b" },
      { ...text, pattern: "[" },
      { ...text, enum: ["a", "b"] },
      { const: "a" },
      { type: "integer" },
    ];
    assertEquals(await keyed(...refused), 0);
    const taken = [
      text,
      { ...text, format: "uuid", minLength: 36, maxLength: 36 },
      { ...text, pattern: uuid },
      { ...text, pattern: "^[\\w-]{1,64}$" },
    ];
    assertEquals(await keyed(...taken), taken.length);
  });
});

describe("the time limit of a generated client", () => {
  const events = { "text/event-stream": { schema: { type: "object" } } };
  const streamed = (content: object) => ({ ...found[200], content });
  const document = {
    paths: {
      "/notes": { get: operation("list") },
      "/notes/events": {
        get: { ...operation("watch"), responses: { 200: streamed(events) } },
      },
      "/notes/answers": {
        get: {
          ...operation("answer"),
          responses: { 200: streamed({ ...events, ...found[200].content }) },
        },
      },
      "/notes/news": {
        get: {
          ...operation("news"),
          description: "Long polling: answers as soon as there is something new.",
        },
      },
      "/notes/old": {
        get: { ...operation("old"), description: "Long polling is not supported." },
      },
    },
  };

  /** Returns the kind of error with which calls end whose server never answers. */
  async function endsOf(
    sdk: LiveSdk,
    calls: readonly (readonly [method: string, ...values: readonly object[]])[],
    given: object = {},
  ): Promise<string[]> {
    const clock = fakeClock();
    const controller = new AbortController();
    const fetch = () => new Promise<Response>(() => {});
    const { signal } = controller;
    const client = sdk.client({ clock, fetch, signal, logger: silentLogger, retries: 0, ...given });
    const ends = calls.map(async ([method, ...values]) => {
      const call: unknown = client["notes"]![method]!(...values);
      try {
        if (Symbol.asyncIterator in Object(call)) {
          await Array.fromAsync(call as AsyncIterable<unknown>);
        } else await call;
        return "success";
      } catch (error) {
        const { kind, name } = error as { readonly kind?: string; readonly name: string };
        return kind ?? name;
      }
    });
    await clock.advance(59);
    await clock.advance(2);
    await clock.advance(3600);
    controller.abort();
    return await Promise.all(ends);
  }

  it("is 60 seconds without data, and none for streams and long polls", async () => {
    const sdk = await startLiveSdk(document);
    try {
      assertEquals((sdk.module["Live"] as { readonly timeout: number | null }).timeout, 60);
      const calls = [["list"], ["old"], ["answer"], ["watch"], ["answer", { stream: true }], [
        "news",
      ]] as const;
      assertEquals(await endsOf(sdk, calls), [
        ...["timeout", "timeout", "timeout", "AbortError", "AbortError", "AbortError"],
      ]);
      const limited = [["watch", { timeout: 5 }], ["news", { timeout: 5 }]] as const;
      assertEquals(await endsOf(sdk, limited), ["timeout", "timeout"]);
    } finally {
      await sdk.stop();
    }
  });

  it("is the one that its owner states, or none", async () => {
    for (const [timeout, value] of [[30, 30], ["none", null]] as const) {
      const sdk = await startLiveSdk(document, { timeout });
      try {
        assertEquals((sdk.module["Live"] as { readonly timeout: number | null }).timeout, value);
        const [end] = await endsOf(sdk, [["list"]]);
        assertEquals(end, value === null ? "AbortError" : "timeout");
      } finally {
        await sdk.stop();
      }
    }
  });
});
