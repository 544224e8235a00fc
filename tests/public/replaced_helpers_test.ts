/**
 * The calls of a generated SDK whose helpers are imports: one test for each helper that the first
 * generator copied into its output.
 */
import { assert, assertEquals, assertRejects, describe, it } from "#test";
import {
  APIClient,
  APIEndpoint,
  type APIPromise,
  type CallOptions,
  type ClientOptions,
  mergeHeaders,
  mergeParams,
  path,
} from "../../mod.ts";
import { isErrorStatus } from "../../src/entries/errors.ts";
import { multipart } from "../../src/files/mod.ts";
import { cursor, type ListOptions, type PagePromise } from "../../src/paging/mod.ts";
import { type ServerSentEvent, sse, type StreamPromise } from "../../src/streams/mod.ts";
import {
  asJson,
  deepObject,
  form,
  pipeDelimited,
  spaceDelimited,
} from "../../src/content/styles/mod.ts";
import { mockTransport, silentLogger } from "../../src/testing/mod.ts";

interface Pet {
  readonly id: number;
}

interface FindParams {
  readonly near?: { readonly lat: number; readonly long: number } | undefined;
  readonly page?: { readonly size: number; readonly sort: string } | undefined;
  readonly range?: { readonly min: number; readonly max: number } | undefined;
  readonly filter?: { readonly kind: string } | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly ids?: readonly number[] | undefined;
  readonly words?: readonly string[] | undefined;
  readonly colors?: readonly string[] | undefined;
}

/** The body of an upload, as the document has it. */
interface NewPhoto {
  readonly title: string;
  readonly public?: boolean | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly place?: { readonly city: string } | undefined;
  readonly images?: readonly Blob[] | undefined;
}

class Pets extends APIEndpoint<PetShop> {
  protected override readonly _path: string = "/pets";

  get(
    id: number,
    headers: { readonly "X-Locale"?: string | undefined; readonly "X-Depth"?: number | undefined },
    options: CallOptions = {},
  ): APIPromise<Pet> {
    const merged = mergeHeaders(headers, options.headers);
    return this._get<Pet>(path`/${id}`, { ...options, headers: merged });
  }

  find(
    { near, page, range, filter, tags, ids, words, colors }: FindParams,
    options: CallOptions = {},
  ): APIPromise<Pet[]> {
    const own = {
      near: asJson(near),
      page: form(page),
      range: form(range, { explode: false }),
      filter: deepObject(filter),
      "tags[]": form(tags),
      ids: pipeDelimited(ids),
      words: spaceDelimited(words),
      colors: form(colors, { explode: false }),
    };
    return this._get<Pet[]>({ ...options, params: mergeParams(own, options.params) });
  }

  list(options?: ListOptions): PagePromise<Pet> {
    return this._pages<Pet>("/all", { ...options, items: "pets", next: cursor("after", "next") });
  }

  upload(photo: NewPhoto, options?: CallOptions): APIPromise<Pet> {
    return this._post<Pet>("/photos", { ...options, content: multipart(photo).toBlob() });
  }

  advice(id: number, options?: CallOptions): StreamPromise<ServerSentEvent<{ text: string }>> {
    const format = sse<{ text: string }>({ json: true, until: "[DONE]" });
    return this._get(path`/${id}/advice`, { ...options, format });
  }
}

class PetShop extends APIClient {
  static override readonly baseUrl: string = "https://pets.example.com";
  override readonly _convJson = true;
  readonly pets: Pets = new Pets(this);
}

/** Starts a client, and records its requests. */
function start(
  routes: Parameters<typeof mockTransport>[0],
  options: ClientOptions = {},
) {
  const fetch = mockTransport(routes);
  const { pets } = new PetShop({ fetch, logger: silentLogger, retries: 0, ...options });
  return { pets, fetch };
}

describe("a generated SDK without helpers of its own", () => {
  it("takes the options of a call, and those of a list: Options and ListOptions", async () => {
    const { pets, fetch } = start({
      "GET /pets/all": ({ params }) =>
        params["after"] === undefined ? { pets: [{ id: 1 }], next: "b" } : { pets: [{ id: 2 }] },
    });
    const list = pets.list({ headers: { "x-trace": "t" }, prefetch: true });
    assertEquals((await list.collect({ maxItems: 1 }))[0]?.id, 1);
    const rest = await pets.list({ from: list.state }).collect();
    assertEquals(rest.map(({ id }) => id), [2]);
    assertEquals(fetch.calls[0]?.headers["x-trace"], "t");
  });

  it("types the data of an error by its status: isError", async () => {
    const { pets } = start({ "GET /pets/7": Response.json({ hint: "try 8" }, { status: 404 }) });
    const error = await assertRejects(() => pets.get(7, {}), Error);
    assert(isErrorStatus<{ readonly hint: string }>(error, 404, 410));
    const hint: string | undefined = error.data?.hint;
    assertEquals([hint, isErrorStatus(error, 400)], ["try 8", false]);
  });

  it("adds headers below those of the caller, and none that is undefined: withHeaders", async () => {
    const { pets, fetch } = start({ "GET /pets/7": { id: 7 } });
    await pets.get(7, { "X-Locale": "en", "X-Depth": 2 }, {
      headers: new Headers({ "x-locale": "fr" }),
    });
    await pets.get(7, { "X-Locale": undefined }, { headers: [["x-depth", "3"]] });
    const sent = fetch.calls.map(({ headers }) => [headers["x-locale"], headers["x-depth"]]);
    assertEquals(sent, [["fr", "2"], [undefined, "3"]]);
  });

  it("writes each parameter in its own style, and keeps those of the caller: styled", async () => {
    const { pets, fetch } = start({ "GET /pets": [] });
    await pets.find({
      near: { lat: 1, long: 2 },
      page: { size: 5, sort: "name" },
      range: { min: 3, max: 4 },
      filter: { kind: "cat" },
      tags: ["a", "b"],
      ids: [1, 2],
      words: ["big", "cat"],
      colors: ["red", "blue"],
    }, { params: [["debug", "1"]] });
    const { search } = new URL(fetch.calls[0]!.url);
    assertEquals(search.slice(1).split("&"), [
      "near=%7B%22lat%22%3A1%2C%22long%22%3A2%7D",
      "size=5",
      "sort=name",
      "range=min,3,max,4",
      "filter%5Bkind%5D=cat",
      "tags%5B%5D=a",
      "tags%5B%5D=b",
      "ids=1%7C2",
      "words=big%20cat",
      "colors=red,blue",
      "debug=1",
    ]);
    await pets.find({});
    assertEquals(fetch.calls[1]?.url, "https://pets.example.com/pets");
  });

  it("splits a body into the parts of a form: multipart", async () => {
    const { pets, fetch } = start({ "POST /pets/photos": { id: 1 } });
    const images = [new File(["1"], "a.png", { type: "image/png" }), new Blob(["2"])];
    const place = { city: "Nice" };
    await pets.upload({ title: "Sea", public: true, tags: ["x", "y"], place, images });
    const { text, headers } = fetch.calls[0]!;
    const parts = await new Response(text, {
      headers: { "content-type": headers["content-type"]! },
    })
      .formData();
    const shown = await Promise.all(
      [...parts].map(async ([name, value]) =>
        typeof value === "string" ? [name, value] : [name, value.name, await value.text()]
      ),
    );
    assertEquals(shown, [
      ["title", "Sea"],
      ["public", "true"],
      ["tags", "x"],
      ["tags", "y"],
      ["place", '{"city":"Nice"}'],
      ["images", "a.png", "1"],
      ["images", "file", "2"],
    ]);
  });

  it("reads events whose data is JSON, and that nothing checks: anything and events", async () => {
    const body = 'data: {"text":"Feed"}\n\ndata: {"text":"Play"}\n\ndata: [DONE]\n\n';
    const headers = { "content-type": "text/event-stream" };
    const { pets } = start({ "GET /pets/7/advice": new Response(body, { headers }) });
    const texts: string[] = [];
    for await (const { data } of pets.advice(7)) texts.push(data.text);
    assertEquals(texts, ["Feed", "Play"]);
  });
});
