/** Checks the pages, streams and uploads of clients with resources. */
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
import { Readable } from "node:stream";
import { cursor, pageNumber } from "../../src/paging/mod.ts";
import { ndjson, sse } from "../../src/streams/mod.ts";
import {
  AbstractPage,
  APIResource,
  type PageSettings,
  ResourceClient,
  ResourceError,
  type ResourcePagePromise,
  type ResourcePromise,
  type ResourceRequestOptions,
  Stream,
  toFile,
  uploadForm,
} from "../../src/resources/mod.ts";
import { UnexpectedValueError } from "../../mod.ts";
import { silentLogger } from "../../src/testing/mod.ts";
import { type Answer, scripted } from "../support/scripted.ts";

interface Pet {
  readonly id: number;
}

class PetPage<Item> extends AbstractPage<Item> {
  static override readonly paging: PageSettings = {
    items: "data",
    next: cursor("after", { lastItem: "id" }, { hasMore: "has_more" }),
  };
  declare readonly data: Item[];
  declare readonly has_more: boolean;
}

class ArrayPage<Item> extends AbstractPage<Item> {
  declare readonly items: Item[];
}

class BodyPage<Item> extends AbstractPage<Item> {
  static override readonly paging: PageSettings = {
    items: "result.items",
    next: pageNumber("page", { pages: "pages" }),
  };
}

class Pets extends APIResource {
  list(
    query?: object | null,
    options?: ResourceRequestOptions,
  ): ResourcePagePromise<PetPage<Pet>, Pet> {
    return this._list("/pets", PetPage<Pet>, options, { params: query ?? undefined });
  }
  search(body: object, options?: ResourceRequestOptions): ResourcePagePromise<BodyPage<Pet>, Pet> {
    return this._list("/pets/search", BodyPage<Pet>, options, { json: body });
  }
  watch(options?: ResourceRequestOptions): ResourcePromise<Stream<Pet>> {
    return this._call("GET", "/pets/watch", options, {
      format: sse({ json: true, until: "[DONE]", errorEvent: "error" }),
    });
  }
  lines(options?: ResourceRequestOptions): ResourcePromise<Stream<Pet>> {
    return this._call("GET", "/pets/lines", options, { format: ndjson() });
  }
  upload(form: object, options?: ResourceRequestOptions): ResourcePromise<Pet> {
    return this._call("POST", "/pets", options, { upload: uploadForm(form) });
  }
}

function start(...answers: readonly Answer[]) {
  const fetch = scripted(...answers);
  const client = new ResourceClient({ baseURL: "https://api.example.com", fetch, maxRetries: 0 });
  return { fetch, client, pets: new Pets(client) };
}

const page = (ids: readonly number[], has_more: boolean) => () =>
  Response.json({ data: ids.map((id) => ({ id })), has_more }, {
    headers: { "x-request-id": `r${ids[0]}` },
  });
const two = [page([1, 2], true), page([3], false)] as const;

async function idsOf(items: AsyncIterable<Pet>): Promise<number[]> {
  const ids: number[] = [];
  for await (const { id } of items) ids.push(id);
  return ids;
}

describe("a list of a resource", () => {
  it("is a page with the fields of the body if it is awaited", async () => {
    const { fetch, pets } = start(...two);
    const first = await pets.list({ limit: 2 });
    assertInstanceOf(first, PetPage);
    assertEquals([first.data, first.has_more], [[{ id: 1 }, { id: 2 }], true]);
    assertEquals(first.getPaginatedItems(), first.data);
    assertEquals(first.hasNextPage(), true);
    const second = await first.getNextPage();
    assertInstanceOf(second, PetPage);
    assertEquals([second.data, second.hasNextPage()], [[{ id: 3 }], false]);
    await assertRejects(() => second.getNextPage());
    assertEquals(fetch.calls.map(({ url }) => new URL(url).search), [
      "?limit=2",
      "?limit=2&after=2",
    ]);
  });

  it("yields the items of all pages, also from a page", async () => {
    assertEquals(await idsOf(start(...two).pets.list()), [1, 2, 3]);
    assertEquals(await idsOf(await start(...two).pets.list()), [1, 2, 3]);
  });

  it("yields its pages", async () => {
    const lengths: number[] = [];
    for await (const each of (await start(...two).pets.list()).iterPages()) {
      lengths.push(each.data.length);
    }
    assertEquals(lengths, [2, 1]);
  });

  it("returns the response of the first page from the same request", async () => {
    const { fetch, pets } = start(...two);
    const list = pets.list();
    const response = await list.asResponse();
    const first = await list;
    const both = await list.withResponse();
    assertStrictEquals(both.data, first);
    assertStrictEquals(both.response, response);
    assertEquals([both.request_id, fetch.calls.length], ["r1", 1]);
  });

  it("takes the options of a request", async () => {
    const { fetch, pets } = start(404);
    await assertRejects(
      () => Promise.resolve(pets.list({ a: 1 }, { path: "/other", query: { b: 2 } })),
      ResourceClient.NotFoundError,
    );
    assertEquals(fetch.calls[0]!.url, "https://api.example.com/other?a=1&b=2");
  });

  it("sends the parameters of pages in the body of a POST", async () => {
    const answer = (id: number) => () => Response.json({ result: { items: [{ id }] }, pages: 2 });
    const { fetch, pets } = start(answer(1), answer(2));
    assertEquals(await idsOf(pets.search({ kind: "cat" })), [1, 2]);
    const bodies = await Promise.all(
      fetch.calls.map(({ init }) => new Response(init.body as BodyInit).json()),
    );
    assertEquals(bodies, [{ kind: "cat" }, { kind: "cat", page: 2 }]);
  });

  it("is requested by GET, or by POST with a body", async () => {
    const { fetch, client } = start(() => Response.json([{ id: 1 }]));
    await client.getAPIList<Pet, ArrayPage<Pet>>("/pets", ArrayPage, {
      method: "post",
      body: { a: 1 },
    });
    assertEquals(fetch.calls[0]!.init.method, "POST");
    assertThrows(
      () => client.getAPIList<Pet, ArrayPage<Pet>>("/pets", ArrayPage, { method: "put" }),
      UnexpectedValueError,
    );
  });

  it("has one page without a rule, and an array as its items", async () => {
    const { client } = start(() => Response.json([{ id: 1 }]));
    const first = await client.getAPIList<Pet, ArrayPage<Pet>>("/pets", ArrayPage);
    assertEquals([first.items, first.hasNextPage()], [[{ id: 1 }], false]);
  });

  it("counts a missing list as an empty one", async () => {
    const { pets } = start(() => Response.json({ has_more: false }));
    assertEquals((await pets.list()).getPaginatedItems(), []);
  });

  it("keeps its methods if a field of the body has the name of one", async () => {
    const { pets } = start(() => Response.json({ data: [], hasNextPage: "no", iterPages: 1 }));
    assertEquals((await pets.list()).hasNextPage(), false);
  });
});

const events = (...data: readonly string[]) =>
  new Response(data.map((each) => `data: ${each}\n\n`).join(""), {
    headers: { "content-type": "text/event-stream" },
  });

describe("a stream of a resource", () => {
  it("yields the data of events, and ends with the marker", async () => {
    const { pets } = start(events('{"id":1}', '{"id":2}', "[DONE]", '{"id":3}'));
    assertEquals(await idsOf(await pets.watch()), [1, 2]);
  });

  it("yields lines of JSON", async () => {
    const { pets } = start(new Response('{"id":1}\n{"id":2}\n'));
    assertEquals(await idsOf(await pets.lines()), [1, 2]);
  });

  it("throws the error that an event reports", async () => {
    const body = 'data: {"id":1}\n\nevent: error\ndata: {"message":"overloaded"}\n\n';
    const { pets } = start(
      new Response(body, { headers: { "content-type": "text/event-stream" } }),
    );
    const stream = await pets.watch();
    const error = await idsOf(stream).then(() => undefined, (reason) => reason);
    assertInstanceOf(error, ResourceError);
    assertEquals(error.error, { message: "overloaded" });
  });

  it("is aborted when a loop is left", async () => {
    const { pets } = start(events('{"id":1}', '{"id":2}'));
    const stream = await pets.watch();
    for await (const { id } of stream) if (id === 1) break;
    assertEquals(stream.controller.signal.aborted, true);
  });

  it("ends without an error if its controller aborts it", async () => {
    const encoder = new TextEncoder();
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(encoder.encode('data: {"id":1}\n\n')),
    });
    const { pets } = start(
      new Response(body, { headers: { "content-type": "text/event-stream" } }),
    );
    const stream = await pets.watch();
    const ids: number[] = [];
    for await (const { id } of stream) {
      ids.push(id);
      stream.controller.abort();
    }
    assertEquals(ids, [1]);
  });

  it("is ended by return while a call of next waits for a silent server", async () => {
    const encoder = new TextEncoder();
    const seen = { isCancelled: false };
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(encoder.encode('data: {"id":1}\n\n')),
      cancel: () => void (seen.isCancelled = true),
    });
    const headers = { "content-type": "text/event-stream" };
    const { pets } = start(() => new Response(body, { headers }));
    const stream = await pets.watch();
    const items = stream[Symbol.asyncIterator]();
    assertEquals((await items.next()).value, { id: 1 });
    const waiting = items.next();
    const ended = await Promise.all([waiting, items.return!(), items.next()]);
    assertEquals(ended.map(({ done }) => done), [true, true, true]);
    assertEquals([stream.controller.signal.aborted, seen.isCancelled], [true, true]);
  });

  it("is aborted when its iterator is disposed of", async () => {
    const { pets } = start(events('{"id":1}', '{"id":2}'));
    const stream = await pets.watch();
    {
      await using items = stream[Symbol.asyncIterator]();
      assertEquals((await items.next()).value, { id: 1 });
    }
    assertEquals(stream.controller.signal.aborted, true);
  });

  it("yields nothing after its end or its error, and is not aborted after its end", async () => {
    const { pets } = start(events('{"id":1}', "[DONE]"), events("{"));
    const stream = await pets.watch();
    const items = stream[Symbol.asyncIterator]();
    const results = [await items.next(), await items.next(), await items.next()];
    assertEquals(results.map(({ done }) => done), [false, true, true]);
    assertEquals((await items.return!()).done, true);
    assertEquals(stream.controller.signal.aborted, false);

    const broken = await pets.watch();
    const others = broken[Symbol.asyncIterator]();
    await assertRejects(() => others.next());
    assertEquals((await others.next()).done, true);
    assertEquals(broken.controller.signal.aborted, true);
  });

  it("returns its response unread", async () => {
    const { pets } = start(events('{"id":1}'));
    assertEquals(await (await pets.watch().asResponse()).text(), 'data: {"id":1}\n\n');
  });

  it("is split in two, of which each has all items", async () => {
    const { pets } = start(events('{"id":1}', '{"id":2}', "[DONE]"));
    const [left, right] = (await pets.watch()).tee();
    assertEquals(await idsOf(left), [1, 2]);
    assertEquals(await idsOf(right), [1, 2]);
  });

  it("becomes a body, and is read from it again", async () => {
    const { pets } = start(events('{"id":1}', '{"id":2}', "[DONE]"));
    const body = (await pets.watch()).toReadableStream();
    assertEquals(await idsOf(Stream.fromReadableStream<Pet>(body)), [1, 2]);
  });

  it("is chosen by the option stream of a raw method", async () => {
    const { client } = start(events('{"id":1}', "[DONE]"));
    const stream = await client.post<Stream<Pet>>("/pets", { body: {}, stream: true });
    assertEquals(await idsOf(stream), [1]);
  });
});

describe("a stream of a raw method", () => {
  for (const type of ["text/plain", "application/json", ""]) {
    it(`is read whatever its content type is: ${type === "" ? "none" : type}`, async () => {
      const body = new TextEncoder().encode('data: {"id":1}\n\ndata: [DONE]');
      const { client } = start(
        new Response(body, { headers: type ? { "content-type": type } : {} }),
      );
      const stream = await client.post<Stream<Pet>>("/pets", { body: {}, stream: true });
      assertEquals(await idsOf(stream), [1]);
    });
  }
});

describe("toFile", () => {
  const bytes = new TextEncoder().encode("abc");
  async function* chunks() {
    yield bytes.slice(0, 1);
    yield "bc";
  }
  const response = () =>
    Object.defineProperty(new Response("abc", { headers: { "content-type": "text/x" } }), "url", {
      value: "https://a.example/b/c.txt?d=1",
    });
  const inputs: readonly (readonly [name: string, Parameters<typeof toFile>[0], file: string])[] = [
    ["bytes", bytes, "unknown_file"],
    ["text", "abc", "unknown_file"],
    ["a Blob", new Blob(["abc"]), "unknown_file"],
    ["a File", new File(["abc"], "a.txt"), "a.txt"],
    ["a list of parts", ["a", bytes.slice(1)], "unknown_file"],
    ["an async iterable", chunks(), "unknown_file"],
    ["a response", response(), "c.txt"],
    ["a promise", Promise.resolve("abc"), "unknown_file"],
    [
      "a file on disk that is a stream",
      Object.assign(Readable.from([bytes]), { path: "/tmp/d.bin" }),
      "d.bin",
    ],
  ];
  for (const [name, input, file] of inputs) {
    it(`takes ${name}`, async () => {
      const made = await toFile(input);
      assertEquals([made.name, await made.text()], [file, "abc"]);
    });
  }

  it("sets the name and the type", async () => {
    const made = await toFile(bytes, "e.csv", { type: "text/csv" });
    assertEquals([made.name, made.type], ["e.csv", "text/csv"]);
    assertEquals((await toFile(response())).type, "text/x");
    assertStrictEquals(ResourceClient.toFile, toFile);
  });

  it("copies the chunks of a stream that uses its buffer again, and shared memory", async () => {
    async function* reusing() {
      const buffer = new Uint8Array(3);
      for (const text of ["AAA", "BBB"]) {
        new TextEncoder().encodeInto(text, buffer);
        yield await Promise.resolve(buffer);
      }
    }
    assertEquals(await (await toFile(reusing())).text(), "AAABBB");
    const shared = new Uint8Array(new SharedArrayBuffer(3));
    shared.set(bytes);
    assertEquals(await (await toFile(shared)).text(), "abc");
  });

  it("refuses anything else", async () => {
    await assertRejects(() => toFile(7 as never), UnexpectedValueError);
    await assertRejects(() => uploadForm({ a: new Map([[1, 2]]) }), UnexpectedValueError);
  });

  it("refuses a form that is in itself, and one that is too deep", async () => {
    const form: Record<string, unknown> = { name: "a", twice: [{ b: 1 }] };
    const list: unknown[] = [form["twice"]];
    const deep = Array.from({ length: 101 }).reduce((inner) => ({ inner }), {});
    list.push(list);
    for (const value of [form, { form }, [form], list, deep]) {
      form["own"] = value;
      const error = await assertRejects(() => uploadForm(form), UnexpectedValueError);
      assertEquals(
        (error as UnexpectedValueError).expected,
        "an object without cycles, nested at most 100 deep",
      );
    }
    const shared = { b: 1 };
    const text = await (await uploadForm({ a: shared, c: [shared, shared] })).text();
    assertEquals([...text.matchAll(/name="([^"]*)"/g)].map(([, name]) => name), [
      "a[b]",
      "c[][b]",
      "c[][b]",
    ]);
  });
});

describe("the upload of a resource", () => {
  it("writes lists and objects with brackets, and reads files of all kinds", async () => {
    const { fetch, pets } = start(() => Response.json({ id: 1 }));
    await pets.upload({
      title: "Rex",
      tags: ["a", "b"],
      place: { city: "Nice", zip: null },
      photo: new File(["p"], "p.png", { type: "image/png" }),
      scan: new Response("s"),
      log: Object.assign(Readable.from(["l"]), { path: "x/l.txt" }),
      none: undefined,
    });
    const { init } = fetch.calls[0]!;
    const form = await new Response(init.body as BodyInit).formData();
    const entries = await Promise.all(
      [...form].map(async ([name, value]) => [
        name,
        typeof value === "string" ? value : `${value.name}: ${await value.text()}`,
      ]),
    );
    assertEquals(entries, [
      ["title", "Rex"],
      ["tags[]", "a"],
      ["tags[]", "b"],
      ["place[city]", "Nice"],
      ["photo", "p.png: p"],
      ["scan", "unknown_file: s"],
      ["log", "l.txt: l"],
    ]);
  });

  it("is sent again by a retry", async () => {
    const fetch = scripted(503, () => Response.json({ id: 1 }));
    const client = new ResourceClient({
      baseURL: "https://api.example.com",
      fetch,
      backoff: 0,
      logger: silentLogger,
    });
    await new Pets(client).upload({ photo: new File(["p"], "p.png") });
    const bodies = await Promise.all(
      fetch.calls.map(({ init }) => new Response(init.body as BodyInit).text()),
    );
    assertEquals(bodies.length, 2);
    assert(bodies[0] === bodies[1] && bodies[0]!.includes("p.png"), bodies[0]);
  });
});
