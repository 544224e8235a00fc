/** Checks a client with resources that the generator has written: its files, types and requests. */
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { Readable } from "node:stream";
import {
  after,
  assert,
  assertEquals,
  assertInstanceOf,
  assertRejects,
  assertStringIncludes,
  assertThrows,
  before,
  describe,
  it,
} from "#test";
import type { ResourcePagePromise, ResourcePromise, Stream } from "../../src/resources/mod.ts";
import { silentLogger } from "../../src/testing/mod.ts";
import { generate, type GenerateOptions } from "../mod.ts";
import { planSdk } from "../src/plan/mod.ts";
import { printSdk } from "../src/outputs/sdk.ts";
import { readSource } from "../src/read/read.ts";
import { zooDocument, zooShape } from "./support/zoo.ts";
import DefaultZoo, {
  NotFoundError,
  toFile,
  Zoo,
  ZooError,
  type ZooOptions,
} from "./support/zoo/mod.ts";

/** `true` if two types are identical. */
type Same<A, B> = (<X>() => X extends A ? 1 : 2) extends (<X>() => X extends B ? 1 : 2) ? true
  : false;

/** Compiles only if the type argument is `true`. */
function holds<Fact extends true>(fact?: Fact): void {
  void fact;
}

interface Request {
  readonly line: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

describe("a generated client with resources", () => {
  const requests: Request[] = [];
  let server: Server;
  let baseURL: string;
  before(async () => {
    server = createServer(async (request, response) => {
      const chunks: string[] = [];
      for await (const chunk of request.setEncoding("utf8")) chunks.push(chunk);
      const { method, url = "", headers } = request;
      const body = chunks.join("");
      requests.push({ line: `${method} ${decodeURIComponent(url)}`, headers, body });
      const json = (value: unknown, status = 200) => {
        response.writeHead(status, { "content-type": "application/json", "x-request-id": "r7" });
        response.end(JSON.stringify(value));
      };
      if (url.startsWith("/unknown")) json({ message: "no such path" }, 404);
      else if (method === "DELETE") {
        response.writeHead(204);
        response.end();
      } else if (method === "GET" && /^\/animals(?:\?|$)/.test(url)) {
        const isFirst = !url.includes("after=");
        json({ data: isFirst ? [{ id: "1" }, { id: "2" }] : [{ id: "3" }], has_more: isFirst });
      } else if (method === "POST" && /^\/animals(?:\?|$)/.test(url)) {
        json({ result: { id: "4" }, ok: true });
      } else if (url === "/chat" && body.includes('"stream":true')) {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.end('data: {"delta":"Hel"}\n\ndata: {"delta":"lo"}\n\ndata: [DONE]\n\n');
      } else if (url === "/chat") json({ text: "Hello" });
      else if (url === "/tags") json(JSON.parse(body));
      else json({ id: "1", url: "https://zoo.example.com/1.png" });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    assert(typeof address === "object" && address !== null);
    baseURL = `http://127.0.0.1:${address.port}`;
  });
  after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const start = (options: ZooOptions = {}): Zoo => {
    requests.length = 0;
    return new Zoo({ baseURL, apiKey: "k", maxRetries: 0, logger: silentLogger, ...options });
  };

  it("is what the generator writes", async () => {
    const source = await readSource(JSON.stringify(zooDocument), {});
    const files = printSdk(planSdk(source, { pins: new Map(), shape: zooShape }), {});
    const folder = new URL("./support/zoo/", import.meta.url);
    const texts = await Promise.all(
      [...files.keys()].map(async (path) =>
        [path, await readFile(new URL(path, folder), "utf8")] as const
      ),
    );
    assertEquals(new Map(texts), files);
    assert(Zoo === DefaultZoo, "the client is the default export, too");
  });

  it("sends the options of the client, and has the settings of the configuration", async () => {
    const zoo = start({ keeper: "Ann" });
    await zoo.ping();
    const [{ line, headers }] = requests as [Request];
    assertEquals(line, "GET /ping");
    assertEquals([headers["authorization"], headers["x-client"], headers["x-keeper-name"]], [
      "Bearer k",
      "zoo",
      "Ann",
    ]);
    assertEquals([zoo.apiKey, zoo.keeper, zoo.retriesHint], ["k", "Ann", 3]);
    const other = new Zoo({ environment: "sandbox", apiKey: "k" });
    assertEquals([other.baseURL, other.maxRetries, other.timeout], [
      "https://sandbox.example.com/v1",
      4,
      30_000,
    ]);
    assertEquals(other.withOptions({ environment: "production" }).baseURL, Zoo.baseUrl);
  });

  it("sends path parameters of the object, and the others as the query", async () => {
    const zoo = start();
    const promise = zoo.animals.photos.retrieve("p 1", { animal_id: "a/1", size: "big" });
    holds<Same<typeof promise, ResourcePromise<Zoo.Animals.Photos.Photo>>>();
    await promise;
    assertEquals(requests[0]!.line, "GET /animals/a/1/photos/p 1?size=big");
  });

  it("sends parameters that the document names for callers under their own names", async () => {
    const zoo = start();
    await zoo.tags.animal("a1", { tag_name: "big", search: "leo", betas: ["one", "two"] });
    const [{ line, headers }] = requests as [Request];
    assertEquals([line, headers["zoo-beta"]], ["GET /tags/big/animals/a1?q=leo", "one,two"]);
    await zoo.tags.animal("a1", { tag_name: "big" });
    assertEquals([requests[1]!.line, requests[1]!.headers["zoo-beta"]], [
      "GET /tags/big/animals/a1",
      undefined,
    ]);
  });

  it("sends the query, headers and body of one object, and unwraps the result", async () => {
    const zoo = start();
    const animal = await zoo.animals.create(
      { name: "Leo", dry_run: true, "X-Keeper": "Bob" },
      { idempotencyKey: "i1", headers: { "X-Own": "1" } },
    );
    assertEquals(animal, { id: "4" });
    const [{ line, headers, body }] = requests as [Request];
    assertEquals([line, body], ["POST /animals?dry_run=true", '{"name":"Leo"}']);
    assertEquals([headers["x-keeper"], headers["x-own"], headers["idempotency-key"]], [
      "Bob",
      "1",
      "i1",
    ]);
  });

  it("returns nothing for an empty response", async () => {
    const zoo = start();
    const result: void = await zoo.animals.delete("1");
    assertEquals(result, undefined);
  });

  it("reads lists in pages, with the lists of the query in brackets", async () => {
    const zoo = start();
    const list = zoo.animals.list({ kinds: ["cat", "dog"], limit: 2 });
    holds<
      Same<typeof list, ResourcePagePromise<Zoo.Animals.AnimalsCursorPage, Zoo.Animals.Animal>>
    >();
    const page = await list;
    assertEquals([page.data.length, page.has_more, page.hasNextPage()], [2, true, true]);
    const ids: string[] = [];
    for await (const { id } of page) ids.push(id);
    assertEquals(ids, ["1", "2", "3"]);
    assertEquals(requests.map(({ line }) => line), [
      "GET /animals?kinds[]=cat&kinds[]=dog&limit=2",
      "GET /animals?kinds[]=cat&kinds[]=dog&limit=2&after=2",
    ]);
    assertEquals((await zoo.animals.list(null)).data.length, 2);
  });

  it("returns a stream if the caller asks for it", async () => {
    const zoo = start();
    const whole = zoo.chat.send({ say: "hi" });
    holds<Same<typeof whole, ResourcePromise<Zoo.Chat.ChatSendResponse>>>();
    assertEquals(await whole, { text: "Hello" });
    const streamed = zoo.chat.send({ say: "hi", stream: true });
    holds<Same<typeof streamed, ResourcePromise<Stream<Zoo.Chat.ChatSendEvent>>>>();
    let text = "";
    for await (const { delta } of await streamed) text += delta;
    assertEquals(text, "Hello");
  });

  it("uploads files of all kinds", async () => {
    const zoo = start();
    const files = [
      await toFile(new TextEncoder().encode("abc"), "a.txt"),
      new Blob(["abc"]),
      new Response("abc"),
      Object.assign(Readable.from(["abc"]), { path: "/b.txt" }),
    ];
    for (const file of files) {
      await zoo.animals.photos.upload("1", { file, tags: ["x", "y"] });
      const { body, line } = requests.pop()!;
      assertEquals(line, "POST /animals/1/photos");
      assert(body.includes("abc") && body.includes('name="tags[]"'), body);
    }
  });

  it("has a body that is a list in a property", async () => {
    assertEquals(await start().tags.replace({ tags: ["a"] }), ["a"]);
    assertEquals(requests[0]!.body, '["a"]');
  });

  it("throws the errors that are its statics", async () => {
    const zoo = start();
    const failed = () => zoo.animals.retrieve("1", { path: "/unknown" });
    await assertRejects(failed, Zoo.NotFoundError);
    const error = await failed().then(() => undefined, (reason) => reason);
    assertInstanceOf(error, NotFoundError);
    assertEquals([error.message, error.requestID], ["404 no such path", "r7"]);
  });

  it("refuses arguments that the API does not have", () => {
    const zoo = start();
    const mistakes = () => [
      // @ts-expect-error: the path parameter is missing
      zoo.animals.photos.retrieve("1"),
      // @ts-expect-error: the name is missing
      zoo.animals.create({}),
      // @ts-expect-error: there is no such parameter
      zoo.animals.list({ kind: "cat" }),
      // @ts-expect-error: there is no such option
      new Zoo({ apikey: "k" }),
      // @ts-expect-error: the result of this call is not a stream
      zoo.chat.send({ say: "hi" }).then((stream: Stream<unknown>) => stream),
    ];
    assertEquals(typeof mistakes, "function");
  });
});

describe("a method of a resource", () => {
  /** Returns the code of a resource whose only method sends a body. */
  async function codeOf(requestBody: object, options: GenerateOptions = {}): Promise<string> {
    const document = JSON.stringify({
      openapi: "3.1.0",
      info: { title: "Forms", version: "1" },
      servers: [{ url: "https://api.example.com" }],
      paths: { "/a": { post: { requestBody, responses: { 204: { description: "Sent" } } } } },
    });
    const apiMd = '- <code title="post /a">client.forms.<a href="x">send</a>() -> void</code>\n';
    const { files } = await generate(document, { ...options, apiMd });
    return files.get("resources/forms.ts")!.replaceAll(/\s+/g, " ");
  }
  const anything = { type: "object", additionalProperties: true };

  it("passes a form with values of any type to the toolkit, which checks them", async () => {
    const content = { "application/x-www-form-urlencoded": { schema: anything } };
    assertStringIncludes(await codeOf({ content }), "data: { ...params } as Params");
  });

  it("sends no body for an object of parameters that is null", async () => {
    const when = { type: "object", properties: { at: { type: "string", format: "date-time" } } };
    const multipart = await codeOf({ content: { "multipart/form-data": { schema: anything } } });
    const json = await codeOf({ content: { "application/json": { schema: when } } }, {
      dates: true,
    });
    assertStringIncludes(multipart, "upload: params ? uploadForm(params) : undefined");
    assert(/json: params \? .*\.toJsonValue\(params\) : undefined/.test(json), json);
  });
});

describe("a generated client without its key", () => {
  it("throws the error of the SDK in its constructor, with the sentence that users know", () => {
    const error = assertThrows(() => new Zoo({}), ZooError);
    assertEquals([error.name, error.message], [
      "ZooError",
      "The ZOO_API_KEY environment variable is missing or empty; either provide it, or " +
      "instantiate the Zoo client with an apiKey option, like new Zoo({ apiKey: 'My API Key' }).",
    ]);
    assert(error instanceof Zoo.ZooError);
  });

  it("throws for a key that no variable has", async () => {
    const document = JSON.stringify({
      openapi: "3.1.0",
      info: { title: "Hoots", version: "1" },
      paths: { "/a": { get: { responses: { 204: { description: "Done" } } } } },
    });
    const stainless = `
client_settings: {opts: {client_id: {type: string}, port: {type: number}}}
resources: {owls: {methods: {check: get /a}}}`;
    const { files } = await generate(document, { stainless, name: "Hoots" });
    const code = files.get("client.ts")!;
    for (const [name, value] of [["clientID", "'My Client ID'"], ["port", "0"]]) {
      assertStringIncludes(
        code,
        `"Missing required client option ${name}; you need to instantiate the Hoots client with an ` +
          `${name} option, like new Hoots({ ${name}: ${value} })."`,
      );
    }
  });
});

describe("a client with resources and a security scheme without an option", () => {
  it("makes the schemes in its constructor", async () => {
    const document = JSON.stringify({
      openapi: "3.1.0",
      info: { title: "Hoots", version: "1" },
      servers: [{ url: "https://api.example.com" }],
      // The scheme has no name.
      components: { securitySchemes: { basicAuth: { type: "http" } } },
      security: [{ basicAuth: [] }],
      paths: { "/a": { get: { responses: { 204: { description: "Done" } } } } },
    });
    const apiMd = '- <code title="get /a">client.hoots.<a href="x">check</a>() -> void</code>\n';
    const { files } = await generate(document, { apiMd });
    const code = files.get("client.ts")!;
    assertStringIncludes(code, 'import { AuthSchemes } from "@restwright/restwright/auth";');
    assertStringIncludes(code, "{ schemes: authSchemes }");
  });
});
