import { assert, assertEquals, assertRejects, describe, it } from "#test";
import { readFileSync } from "node:fs";
import { PetShop, type PetShopOptions, Problem } from "../../examples/generated_client.ts";
import { APIError, NotFoundError } from "../../mod.ts";
import { isErrorWith } from "../../src/entries/errors.ts";
import {
  type MockHandler,
  type MockReply,
  mockTransport,
  silentLogger,
} from "../../src/testing/mod.ts";

/** Starts a client whose requests are recorded. */
function start(handler: MockHandler | MockReply, options?: PetShopOptions) {
  const fetch = mockTransport({ "GET /*": handler, "POST /*": handler });
  const shop = new PetShop({ fetch, logger: silentLogger, backoff: 0, ...options });
  return { shop, fetch };
}

describe("the generated client of the examples", () => {
  it("has no function of its own beside its methods", () => {
    const url = new URL("../../examples/generated_client.ts", import.meta.url);
    const code = readFileSync(url, "utf8");
    assert(
      !/\bfunction\b|=> \{|JSON\.|FormData|encodeURI|\bas\b/.test(
        code.replace(/^\/\*\*[^]*?\*\//, ""),
      ),
    );
  });

  it("writes each parameter in its style, over all pages", async () => {
    const { shop, fetch } = start(
      ({ params }) =>
        params["after"] === undefined
          ? { pets: [{ id: 1, name: "Tom" }], next: "c2" }
          : { pets: [{ id: 2, name: "Kit" }] },
      { key: "k-123" },
    );
    const pets = await shop.pets.list({
      tags: ["a,b", "c"],
      words: ["big", "cat"],
      ids: [1, 2],
      filter: { kind: "cat", age: { min: 2 } },
      near: { lat: 1, long: 2 },
      page: { size: 5 },
      regions: ["eu", "us"],
      seen: [3, 4],
    }, { headers: { "x-trace": "t1" } }).collect();

    assertEquals(pets.map(({ name }) => name), ["Tom", "Kit"]);
    const query = "tags=a%2Cb,c&words=big%20cat&ids=1%7C2&filter%5Bkind%5D=cat" +
      "&filter%5Bage%5D%5Bmin%5D=2&near=%7B%22lat%22%3A1%2C%22long%22%3A2%7D&size=5";
    assertEquals(fetch.calls.map(({ url }) => new URL(url).search), [
      `?${query}&key=k-123`,
      `?${query}&after=c2&key=k-123`,
    ]);
    for (const { headers } of fetch.calls) {
      assertEquals([headers["x-regions"], headers["x-trace"]], ["eu,us", "t1"]);
      assertEquals(headers["cookie"], "seen=3; seen=4");
    }
  });

  it("leaves out what the caller leaves out", async () => {
    const { shop, fetch } = start({ pets: [] });
    await shop.pets.list();
    const [{ url, headers }] = fetch.calls as [(typeof fetch.calls)[0]];
    assertEquals(url, "https://pets.example.com/pets");
    assert(!("x-regions" in headers || "cookie" in headers || "authorization" in headers));
  });

  it("writes arrays and objects into paths", async () => {
    const { shop, fetch } = start(({ url }) =>
      url.includes("drawing") ? new Response("png") : [{ id: 3, name: "Tom" }]
    );
    await shop.pets.several([3, 4]);
    const drawing = await shop.pets.drawing(3, { R: 100, G: 200 });
    assertEquals(new TextDecoder().decode(drawing), "png");
    assertEquals(fetch.calls.map(({ url }) => new URL(url).pathname), [
      "/pets/several.3,4",
      "/pets/3/drawing;R=100;G=200",
    ]);
  });

  it("sends a form with nested objects, arrays and headers of parts", async () => {
    const { shop, fetch } = start({ id: 5, name: "Tom" }, { token: "t-456" });
    const photos = [new File(["1"], "1.png", { type: "image/png" })];
    const pet = await shop.pets.add({ name: "Tom", tags: ["a"], owner: { name: "Ada" }, photos });
    assertEquals(pet.id, 5);
    const { headers, text } = fetch.calls[0]!;
    assertEquals(headers["authorization"], "Bearer t-456");
    const heads = text.split("\r\n").filter((line) => /^[\w-]+: /.test(line));
    assertEquals(heads, [
      'Content-Disposition: form-data; name="name"',
      'Content-Disposition: form-data; name="tags[]"',
      'Content-Disposition: form-data; name="owner"',
      "Content-Type: application/json",
      'Content-Disposition: form-data; name="photos[]"; filename="1.png"',
      "Content-Type: image/png",
      "X-Source: camera",
    ]);
  });

  it("refuses a call whose credentials are missing", async () => {
    const { shop, fetch } = start({});
    await assertRejects(() => shop.pets.add({ name: "Tom" }), Error);
    assertEquals(fetch.calls.length, 0);
  });

  it("reads text and events", async () => {
    const events = 'data: {"text":"Feed"}\n\ndata: {"text":"Play"}\n\ndata: [DONE]\n\n';
    const { shop } = start(({ url }) =>
      url.includes("advice")
        ? new Response(events, { headers: { "content-type": "text/event-stream" } })
        : new Response("Tom")
    );
    assertEquals(await shop.pets.name(1), "Tom");
    const texts: string[] = [];
    for await (const { data } of await shop.pets.advice(1)) texts.push(data.text);
    assertEquals(texts, ["Feed", "Play"]);
  });

  it("throws errors with a class by status and typed data", async () => {
    const { shop } = start(Response.json({ code: "no_such_pet", field: "id" }, { status: 404 }));
    const error = await assertRejects(() => shop.pets.several([7]), APIError);
    assert(error instanceof NotFoundError && isErrorWith(error, Problem));
    assertEquals([error.data.code, error.data.field], ["no_such_pet", "id"]);
  });
});
