import { assertEquals, assertRejects, describe, it } from "#test";
import { APIEndpoint, APISession, UnexpectedValueError } from "../../mod.ts";
import { PagingError } from "../../src/errors/paging_error.ts";
import {
  cursor,
  linkHeader,
  offset,
  pageNumber,
  type PageOptions,
  type PagePromise,
  PagingRule,
} from "../../src/paging/mod.ts";
import { scripted } from "../support/scripted.ts";

class Search extends APIEndpoint<Api> {
  protected override readonly _path: string = "search";

  find(options: PageOptions<number>): PagePromise<number> {
    return this._pages<number>(options);
  }
}
class Api extends APISession {
  readonly search: Search = new Search(this);
}

function start(...answers: readonly (object | Response)[]) {
  const fetch = scripted(
    ...answers.map((each) => each instanceof Response ? each : Response.json(each)),
    new Error("one request too many"),
  );
  const options = { retries: 0, finalWait: false, logger: null };
  const api = new Api({ url: "https://api.example.com", fetch, ...options });
  const requests = () =>
    fetch.calls.map(({ url, init }) => [init.method, url, JSON.parse(String(init.body))]);
  return { api, requests };
}

describe("a list with a JSON body", () => {
  const url = "https://api.example.com/search";

  it("is requested by POST, with the cursor in the body", async () => {
    const { api, requests } = start({ data: [1], next: "a" }, { data: [2], next: null });
    const json = { query: "open", size: 1 };
    const next = cursor("after", "next");
    const list = api.search.find({ json, items: "data", next, params: { tenant: 7 } });
    assertEquals(await list.collect(), [1, 2]);
    assertEquals(requests(), [
      ["POST", `${url}?tenant=7`, { query: "open", size: 1 }],
      ["POST", `${url}?tenant=7`, { query: "open", size: 1, after: "a" }],
    ]);
    assertEquals(json, { query: "open", size: 1 });
  });

  it("reads and writes page numbers and sizes in nested objects", async () => {
    const { api, requests } = start([1, 2], [3]);
    const json = { paging: { page: 3, size: 2, sort: "id" } };
    const next = pageNumber("paging.page", { sizeParam: "paging.size" });
    assertEquals(await api.search.find({ json, next }).collect(), [1, 2, 3]);
    assertEquals(requests().map(([, , body]) => body), [
      { paging: { page: 3, size: 2, sort: "id" } },
      { paging: { page: 4, size: 2, sort: "id" } },
    ]);
  });

  it("keeps a number of the body that is a string as one", async () => {
    const { api, requests } = start([1], [2], [], []);
    await api.search.find({ json: { from: "0" }, next: offset("from") }).collect();
    await api.search.find({ json: { page: "1" }, next: pageNumber("page") }).collect();
    const bodies = requests().map(([, , body]) => body);
    assertEquals(bodies, [
      { from: "0" },
      { from: "1" },
      { from: "2" },
      { page: "1" },
    ]);
  });

  it("creates the objects on the path to a parameter", async () => {
    const { api, requests } = start([1], []);
    await api.search.find({ json: { filter: null }, next: offset("filter.page.from") }).collect();
    assertEquals(requests()[1]?.[2], { filter: { page: { from: 1 } } });
  });

  it("finds a name that has dots itself", async () => {
    const { api, requests } = start([1], []);
    await api.search.find({ json: { "page.from": 5 }, next: offset("page.from") }).collect();
    assertEquals(requests()[1]?.[2], { "page.from": 6 });
  });

  it("can have cursors that are arrays or objects, also in its state", async () => {
    const [first, second] = [{ id: 1, sort: [9, "x"] }, { id: 2, sort: [8, "y"] }];
    const next = cursor("search_after", { lastItem: "sort" });
    const { api, requests } = start([first], [second], []);
    const list = api.search.find({ json: {}, next });
    await list.collect({ maxItems: 1 });
    const from = JSON.parse(JSON.stringify(list.state));
    assertEquals(from, { params: { search_after: [9, "x"] }, skip: 0, delivered: 1 });
    await api.search.find({ json: {}, next, from }).collect();
    assertEquals(requests().map(([, , body]) => body), [
      {},
      { search_after: [9, "x"] },
      { search_after: [8, "y"] },
    ]);
  });

  it("ends with an error if such a cursor comes again", async () => {
    const { api } = start({ data: [1], key: { id: 1 } }, { data: [2], key: { id: 1 } });
    const next = cursor("start", "key");
    await assertRejects(
      () => api.search.find({ json: {}, items: "data", next }).collect(),
      PagingError,
      "the next page has the same start as page 2",
    );
  });

  it("does not accept a parameter that JSON does not have, or one below a string", async () => {
    const nothing = new PagingRule(() => ({ params: { after: null } }));
    await assertRejects(
      () => start([1]).api.search.find({ json: {}, next: nothing }).collect(),
      PagingError,
      "the parameter after of the next page must be JSON other than null, but is null",
    );
    const json = { page: "first" };
    await assertRejects(
      () => start([1]).api.search.find({ json, next: offset("page.from") }).collect(),
      UnexpectedValueError,
      '"json.page" must be a plain object',
    );
  });

  it("requests links by POST with the same body", async () => {
    const linked = Response.json([1], { headers: { link: "</search?page=2>; rel=next" } });
    const { api, requests } = start(linked, [2]);
    const list = api.search.find({ json: { query: "open" }, next: linkHeader() });
    assertEquals(await list.collect(), [1, 2]);
    assertEquals(requests()[1], ["POST", `${url}?page=2`, { query: "open" }]);
  });

  it("is not sent to another origin", async () => {
    const headers = { link: "<https://evil.example.com/search>; rel=next" };
    const { api, requests } = start(Response.json([1], { headers }));
    const list = api.search.find({ json: { query: "secret" }, next: linkHeader() });
    await assertRejects(
      () => list.collect(),
      PagingError,
      "must not get the JSON body of the list",
    );
    assertEquals(requests().length, 1);
    assertEquals((await list).items, [1]);
  });
});
