import { mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Buffer } from "node:buffer";
import { after, assert, assertEquals, before, describe, it } from "#test";
import type { APIError } from "../../mod.ts";
import { fakeClock, mockTransport, replies, silentLogger } from "../../src/testing/mod.ts";
import { generate } from "../mod.ts";
import { writeWithSources } from "./support/written.ts";

type Method = (...values: readonly unknown[]) => Promise<unknown>;
type Client = Readonly<Record<"orders" | "status", Readonly<Record<string, Method>>>>;
type Module = Readonly<{
  Shop: new (options?: object) => Client;
  ShopInvalidContentError: typeof APIError;
  ShopNotFoundError: typeof APIError;
}>;

const document = new URL("./support/shop.yaml", import.meta.url);
const options = { token: "t-1", logger: silentLogger };

describe("a generated client", () => {
  let folder: string;
  let sdk: Module;
  let server: Server;
  let baseUrl: string;
  before(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), "restwright-calls-")));
    const { files, report } = await generate(await readFile(document, "utf8"), { models: "xml" });
    assertEquals(report.problems, []);
    await writeWithSources(folder, files);
    sdk = await import(pathToFileURL(join(folder, "mod.ts")).href);
    server = createServer(async (request, response) => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const text = Buffer.concat(chunks).toString("utf8");
      const { method, url, headers } = request;
      if (url === "/v2/orders" && text.includes("item=nothing")) {
        response.writeHead(422, { "content-type": "application/json" });
        response.end('{"code":"sold-out"}');
      } else if (headers["content-type"] === "application/xml") {
        response.writeHead(200, { "content-type": "application/xml" });
        response.end(text.replace("<text>", "<text>Seen: "));
      } else {
        response.writeHead(200, { "content-type": "application/json" });
        response.end(JSON.stringify({ id: 7, item: `${method} ${url} ${text}` }));
      }
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    assert(typeof address === "object" && address !== null);
    baseUrl = `http://127.0.0.1:${address.port}/v2`;
  });
  after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true, force: true });
  });

  it("sends a form, and returns JSON", async () => {
    const { orders } = new sdk.Shop({ ...options, baseUrl });
    const body = { item: "a lamp & more", amount: 2, labels: ["a", "b"], gift: { to: "Ada" } };
    assertEquals(await orders["create"]!(body), {
      id: 7,
      item: "POST /v2/orders item=a+lamp+%26+more&amount=2&labels=a&labels=b&" +
        "gift=%7B%22to%22%3A%22Ada%22%7D",
    });
  });

  it("throws errors of its own classes with data", async () => {
    const { orders } = new sdk.Shop({ ...options, baseUrl });
    const error = await orders["create"]!({ item: "nothing" }).catch((error: unknown) => error);
    assert(error instanceof sdk.ShopInvalidContentError);
    assertEquals(error.data, { code: "sold-out" });
    const fetch = mockTransport({ "GET /v2/orders": 404 });
    const missing = await new sdk.Shop({ ...options, fetch }).orders["list"]!()
      .catch((error: unknown) => error);
    assert(missing instanceof sdk.ShopNotFoundError);
  });

  it("reads and writes models as XML, and takes plain objects", async () => {
    const { status } = new sdk.Shop({ ...options, baseUrl });
    const { level, text } = await status["set"]!({ level: 3, text: "<busy>" }) as {
      readonly level: number;
      readonly text: string;
    };
    assertEquals([level, text], [3, "Seen: <busy>"]);
  });

  it("retries a 503", async () => {
    const clock = fakeClock({ autoAdvance: true });
    const fetch = mockTransport({ "GET /v2/orders": replies(503, 503, [{ id: 1, item: "a" }]) });
    const { orders } = new sdk.Shop({ ...options, fetch, clock });
    assertEquals(await orders["list"]!(), [{ id: 1, item: "a" }]);
    assertEquals(fetch.calls.length, 3);
  });

  it("sends each parameter in its place and style, and none that is not set", async () => {
    const fetch = mockTransport({ "GET /v2/orders": [] });
    const { orders } = new sdk.Shop({ ...options, fetch });
    await orders["list"]!({
      state: ["new", "a,b"],
      filter: { total: 5 },
      where: { a: [1] },
      id: 7,
      id_header: true,
      "X-Regions": ["eu", "us"],
      seen: "a b",
    }, { params: { more: 1 }, headers: { "X-More": "1" } });
    await orders["list"]!();
    const [all, none] = fetch.calls;
    assertEquals(
      decodeURIComponent(new URL(all!.url).search),
      '?state=new,a,b&filter[total]=5&where={"a":[1]}&id=7&more=1',
    );
    assertEquals([all!.headers["id"], all!.headers["x-regions"], all!.headers["x-more"]], [
      ...["true", "eu,us", "1"],
    ]);
    assertEquals(all!.headers["cookie"], "seen=a%20b");
    assertEquals([new URL(none!.url).search, none!.headers["cookie"]], ["", undefined]);
  });

  it("sends the credentials that an operation requires, and refuses a call without them", async () => {
    const fetch = mockTransport({
      "GET /v2/orders": [],
      "GET /v2/orders/7/.a,b": { id: 7, item: "a" },
      "DELETE /v2/orders/7/.a,b": 204,
    });
    const all = { key: "k-1", login: ["ada", "countess"], logger: silentLogger, fetch };
    const shop = new sdk.Shop(all);
    await shop.orders["get"]!(7, ["a", "b"]);
    assertEquals(new URL(fetch.calls[0]!.url).search, "?beta=true&api_key=k-1");
    assertEquals(fetch.calls[0]!.headers["authorization"], "Basic YWRhOmNvdW50ZXNz");
    assertEquals(await shop.orders["cancel"]!(7, ["a", "b"]), undefined);
    assertEquals(fetch.calls[1]!.headers["authorization"], undefined);
    const refused = await shop.orders["list"]!().catch((error: unknown) => error);
    assert(String(refused).includes("token"), String(refused));
    await new sdk.Shop({ fetch, logger: silentLogger }).orders["get"]!(7, ["a", "b"]);
    assertEquals(new URL(fetch.calls[2]!.url).search, "?beta=true");
    assertEquals(fetch.calls.length, 3);
  });

  it("sends and reads bytes, text and multipart, also to the server of an operation", async () => {
    const fetch = mockTransport({
      "GET /v2/orders/7/invoice": () => new Response(new Uint8Array([1, 2])),
      "PUT /v2/orders/7/invoice": () => new Response("stored"),
      "POST https://scan.example.com/orders/7/invoice": 204,
      "QUERY /v2/status": ({ json }) => Response.json(json),
    });
    const { orders, status } = new sdk.Shop({ ...options, fetch });
    const invoice = await orders["getInvoice"]!(7);
    assert(invoice instanceof Response);
    assertEquals(new Uint8Array(await invoice.arrayBuffer()), new Uint8Array([1, 2]));
    assertEquals(await orders["setInvoice"]!(7, new Uint8Array([1])), "stored");
    const [get, put] = fetch.calls;
    assertEquals(get!.headers["accept"], "application/pdf");
    assertEquals([put!.headers["content-type"], put!.headers["accept"]], [
      ...["application/pdf", "text/plain"],
    ]);
    const file = new File(["…"], "scan.png");
    const response = await orders["scanInvoice"]!(7, { file, tags: ["a", "b"], meta: { a: 1 } });
    assert(response instanceof Response);
    const sent = fetch.calls[2]!;
    assertEquals(sent.headers["authorization"], "Bearer t-1");
    assert(sent.headers["content-type"]?.startsWith("multipart/form-data; boundary="));
    assertEquals(await status["ask"]!({ about: "you" }), { about: "you" });
  });
});
