import { assert, assertEquals, assertInstanceOf, assertRejects, describe, it } from "#test";
import { z } from "zod";
import { APIEndpoint, APISession, ValidationError } from "../../mod.ts";
import type { Transport } from "../../src/http/mod.ts";
import { PagingError } from "../../src/errors/paging_error.ts";
import { type Box, isBox, type UnknownBox } from "../../src/box/mod.ts";
import { element, integer, model, string } from "../../src/models/mod.ts";
import { cursor, linkHeader } from "../../src/paging/mod.ts";
import { scripted } from "../support/scripted.ts";

class Issue extends model("issue", { id: element(integer), title: element(string) }) {
  label(): string {
    return `#${this.id} ${this.title}`;
  }
}

interface RawIssue {
  readonly id: number;
  readonly issue_title: string;
}

const url = "https://api.example.com";
const first = { data: [{ id: 1, title: "Typo" }, { id: 2, title: "Slow" }], next: "a" };
const second = { data: [{ id: 3, title: "Crash" }], next: null };
const next = cursor("after", "next");

class Tracker extends APISession {
  issues() {
    return this._pages("issues", { itemModel: Issue, items: "data", next });
  }
  byFunction() {
    const items = (body: { data?: unknown[] }) => body.data ?? [];
    return this._pages("issues", { itemModel: Issue, items, next });
  }
  checked() {
    const schema = z.object({ id: z.number().transform(String) });
    return this._pages("issues", { itemModel: schema, items: "data", next });
  }
  whole() {
    return this._pages("issues", { itemModel: z.coerce.number(), next: linkHeader() });
  }
}

function start(fetch: Transport): Tracker {
  return new Tracker({ url, fetch, retries: 0, finalWait: false, logger: null });
}

function pages(...bodies: readonly unknown[]) {
  return scripted(...bodies.map((body) => Response.json(body)));
}

describe("items with a model", () => {
  it("are instances, while the rule reads the body as it was sent", async () => {
    const fetch = pages(first, second);
    const list = start(fetch).issues();
    const issues = await list.collect();
    assertEquals(issues.map((issue) => issue.label()), ["#1 Typo", "#2 Slow", "#3 Crash"]);
    assert(issues.every((issue) => issue instanceof Issue));
    assertEquals(new URL(fetch.calls[1]!.url).search, "?after=a");
    const { body, response } = await list;
    assertEquals([body, await response.json()] as unknown[], [first, first]);
  });

  it("are what a schema returns, also if the body is the array", async () => {
    const checked = start(pages(first, second)).checked();
    assertEquals(await checked.collect(), [{ id: "1" }, { id: "2" }, { id: "3" }]);
    assertEquals(await start(pages(["7", 8])).whole().collect(), [7, 8]);
  });

  it("are found by a function", async () => {
    const list = start(pages(first, { next: null })).byFunction();
    assertEquals((await list.collect()).map(({ id }) => id), [1, 2]);
  });

  it("may be none, also without a body", async () => {
    assertEquals(await start(pages({ data: [] })).issues().collect(), []);
    assertEquals(await start(pages({ data: null })).issues().collect(), []);
    assertEquals(await start(scripted(204)).issues().collect(), []);
  });

  for (const name of ["issues", "checked"] as const) {
    it(`are reported with their place and the request if they do not match: ${name}`, async () => {
      const body = { data: [{ id: 1, title: "Typo" }, { id: "s3cret", title: "x" }] };
      const failed = start(pages(body))[name]().collect();
      const error = await assertRejects(() => failed, ValidationError);
      assertInstanceOf(error, ValidationError);
      assert(
        error.message.startsWith(`the response to GET ${url}/issues does not match the model`),
      );
      assertEquals(error.issues.map(({ path }) => path), [["data", 1, "id"]]);
      assertEquals(JSON.parse(error.body), body);
      assert(!error.message.includes("s3cret"));
    });
  }

  it("must be an array", async () => {
    await assertRejects(
      () => start(pages({ data: {} })).issues().collect(),
      PagingError,
      "the field data of the body must be an array",
    );
  });

  it("continue after the last item that was delivered", async () => {
    const tracker = start(pages(first, second, first, second));
    const list = tracker.issues();
    assertEquals((await list.collect({ maxItems: 1 })).map(({ id }) => id), [1]);
    assertEquals((await list.collect()).map(({ id }) => id), [2, 3]);
  });
});

const raw = (id: number, issue_title: string): RawIssue => ({ id, issue_title });

const attrs = { camelCase: true } as const;
type Attrs = typeof attrs;

class Boxes extends APIEndpoint<Boxing> {
  protected override readonly _path: string = "issues";

  list() {
    return this._pages<Box<RawIssue, Attrs>, UnknownBox>({ box: true, items: "data", next });
  }
  byLastItem() {
    const byId = cursor("after", { lastItem: "id" }, { hasMore: "has_more" });
    const boxAttrs = { frozen: true, default: "none" } as const;
    return this._pages<Box<RawIssue, typeof boxAttrs>, UnknownBox>("open", {
      box: true,
      boxAttrs,
      items: "data",
      next: byId,
    });
  }
  plain() {
    return this._pages<RawIssue>({ items: "data", next });
  }
}
class Boxing extends APISession {
  override readonly _box = true;
  override readonly _boxAttrs = attrs;
  readonly issues: Boxes = new Boxes(this);
}

describe("items that are boxes", () => {
  const boxing = (...bodies: readonly unknown[]) => new Boxing({ url, fetch: pages(...bodies) });

  it("have the settings of the class", async () => {
    const last = { data: [raw(3, "Crash")], next: null };
    const list = boxing({ data: [raw(1, "Typo"), raw(2, "Slow")], next: "a" }, last).issues.list();
    const titles: string[] = [];
    for await (const issue of list) {
      assert(isBox(issue));
      titles.push(issue.issueTitle);
    }
    assertEquals(titles, ["Typo", "Slow", "Crash"]);
    const { body } = await list;
    assert(isBox(body));
    assertEquals(body["next"], "a");
  });

  it("have the settings of the list, whose default does not count as a cursor", async () => {
    const bodies = [{ data: [raw(1, "Typo")], has_more: true }, { data: [raw(2, "Slow")] }];
    const fetch = pages(...bodies);
    const list = new Boxing({ url, fetch }).issues.byLastItem();
    const issues = await list.collect();
    assertEquals(issues.map(({ id, issue_title }) => `${id} ${issue_title}`), ["1 Typo", "2 Slow"]);
    assertEquals((issues[0] as { missing?: string }).missing, "none");
    assertEquals(new URL(fetch.calls[1]!.url).search, "?after=1");
    assertEquals((await list).body["has_more"], true);
  });

  it("are only made if the list says so", async () => {
    const [issue] = await boxing({ data: [raw(1, "Typo")] }).issues.plain().collect();
    assert(!isBox(issue));
  });

  it("end with an error if the pages repeat", async () => {
    const bodies = [1, 2, 3, 4, 5].map((page) => ({ data: [raw(1, "Typo")], next: `c${page}` }));
    await assertRejects(
      () => boxing(...bodies).issues.list().collect(),
      PagingError,
      "the last 4 pages have the same items",
    );
  });
});
