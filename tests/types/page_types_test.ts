import { assertEquals, describe, it } from "#test";
import { APIClient, APIEndpoint, APISession } from "../../mod.ts";
import type { Box } from "../../src/box/mod.ts";
import type { StandardSchema } from "../../src/models/mod.ts";
import {
  cursor,
  linkHeader,
  offset,
  type Page,
  type PagePromise,
  type PagingState,
} from "../../src/paging/mod.ts";
import { typeErrors } from "../support/type_errors.ts";

// The compiler checks the types in this file. The tests only make these checks part of a run.

/** `true` if two types are identical. */
type Same<A, B> = (<X>() => X extends A ? 1 : 2) extends (<X>() => X extends B ? 1 : 2) ? true
  : false;

/** Compiles only if the type argument is `true`. */
function holds<Fact extends true>(fact?: Fact): void {
  void fact;
}

interface Issue {
  readonly id: number;
}

interface IssueList {
  readonly issues: readonly Issue[];
  readonly next: string | null;
}

function schemaOf<T>(): StandardSchema<T> {
  return {
    "~standard": { version: 1, vendor: "tests", validate: (value) => ({ value: value as T }) },
  };
}

const list = schemaOf<IssueList>();
const issue = schemaOf<Issue>();
const next = cursor("after", "next");

class Issues extends APIEndpoint<Tracker> {
  protected override readonly _path: string = "issues";

  all(): PagePromise<Issue> {
    const pages = this._pages<Issue>("open", { items: "issues", next, retries: 0 });
    holds<Same<typeof pages, PagePromise<Issue, unknown>>>();
    return pages;
  }

  untyped() {
    const pages = this._pages({ next });
    holds<Same<typeof pages, PagePromise<unknown, unknown>>>();
    return pages;
  }

  byFunction() {
    const pages = this._pages({ items: (body: IssueList) => body.issues, next });
    holds<Same<typeof pages, PagePromise<Issue, IssueList>>>();
    const declared = this._pages<Issue>("x", { items: (body: IssueList) => body.issues, next });
    holds<Same<typeof declared, PagePromise<Issue, unknown>>>();
    return pages;
  }

  byModel() {
    const named = this._pages({ responseModel: list, items: "issues", next });
    holds<Same<typeof named, PagePromise<Issue, IssueList>>>();
    const read = this._pages("open", { responseModel: list, items: (body) => body.issues, next });
    holds<Same<typeof read, PagePromise<Issue, IssueList>>>();
    const whole = this._pages("open", { responseModel: [issue], next });
    holds<Same<typeof whole, PagePromise<Issue, Issue[]>>>();
    const deep = this._pages<Issue>({ responseModel: list, items: "a.b", next });
    holds<Same<typeof deep, PagePromise<Issue, unknown>>>();
    return named;
  }

  byItemModel() {
    const named = this._pages({ itemModel: issue, items: "issues", next });
    holds<Same<typeof named, PagePromise<Issue, unknown>>>();
    const read = this._pages("open", {
      itemModel: issue,
      items: (body: IssueList) => body.issues,
      next,
    });
    holds<Same<typeof read, PagePromise<Issue, IssueList>>>();
    const whole = this._pages("open", { itemModel: issue, next });
    holds<Same<typeof whole, PagePromise<Issue, unknown>>>();
    return named;
  }

  boxed() {
    const boxes = this._pages<Box<Issue>, Box<IssueList>>({ box: true, items: "issues", next });
    holds<Same<typeof boxes, PagePromise<Box<Issue>, Box<IssueList>>>>();
    return boxes;
  }

  bySearch(json: { query: string }) {
    const last = cursor("after", { lastItem: (each: Issue) => each.id }, { hasMore: "more" });
    return this._pages<Issue>({ json, items: "issues", next: last });
  }

  wrong() {
    void (() => {
      // @ts-expect-error the rule is missing
      this._pages<Issue>("open", { items: "issues" });
      // @ts-expect-error a misspelled option
      this._pages<Issue>("open", { next, retires: 0 });
      // @ts-expect-error pages are always parsed
      this._pages<Issue>("open", { next, convJson: false });
      // @ts-expect-error the body of a request is an object
      this._pages<Issue>("open", { next, json: "query" });
      // @ts-expect-error one model of an item, not of a list
      this._pages("open", { next, itemModel: [issue] });
      // @ts-expect-error a misspelled setting
      cursor("after", "next", { hasMoar: "more" });
      // @ts-expect-error a rule is an object
      this._pages<Issue>("open", { next: linkHeader });
      // @ts-expect-error other items
      this._pages<Issue>("open", { next, items: (body: { names: string[] }) => body.names });
      // @ts-expect-error the settings of a rule have names
      offset("offset", { sizeParam: "limit" });
    });
  }
}

class Tracker extends APISession {
  static override readonly url: string = "https://api.example.com";
  readonly issues: Issues = new Issues(this);

  all(): PagePromise<Issue> {
    return this._pages<Issue>("issues", { next: linkHeader() });
  }
}

class Client extends APIClient {
  static override readonly baseUrl: string = "https://api.example.com";

  all(): PagePromise<Issue> {
    return this._pages<Issue>("issues", { next: linkHeader() });
  }
}

describe("the types of a page promise", () => {
  const fetch = () => Promise.resolve(Response.json({ issues: [{ id: 7 }], next: null }));
  const tracker = new Tracker({ fetch });

  it("are known for pages, items and states", async () => {
    const pages = tracker.issues.all();
    const promise: Promise<Page<Issue>> = pages;
    const page = await promise;
    holds<Same<typeof page, Page<Issue, unknown>>>();
    holds<Same<typeof page.items, readonly Issue[]>>();
    for await (const item of pages) holds<Same<typeof item, Issue>>();
    for await (const each of pages.pages()) holds<Same<typeof each, Page<Issue, unknown>>>();
    const all = await pages.collect({ maxItems: 2 });
    holds<Same<typeof all, Issue[]>>();
    holds<Same<typeof pages.state, PagingState>>();
    const { data, response } = await pages.withResponse();
    holds<Same<typeof data, Page<Issue, unknown>>>();
    holds<Same<typeof response, Response>>();
    assertEquals(page.items, [{ id: 7 }]);
  });

  it("follow the function or the model", async () => {
    assertEquals((await tracker.issues.byFunction()).body.next, null);
    assertEquals((await tracker.issues.byModel().collect())[0]?.id, 7);
    assertEquals((await tracker.issues.byItemModel().collect())[0]?.id, 7);
    assertEquals((await tracker.issues.boxed().collect())[0]?.id, 7);
    assertEquals((await tracker.issues.bySearch({ query: "x" }).collect())[0]?.id, 7);
    assertEquals(typeof tracker.issues.untyped().collect, "function");
    assertEquals(typeof tracker.issues.wrong, "function");
  });

  it("report a mistake as one error that names it", () => {
    const errors = typeErrors(`
      import { APISession } from "../../mod.ts";
      import { linkHeader } from "../../src/paging/mod.ts";

      class Tracker extends APISession {
        misspelled() {
          return this._pages<string>("issues", { next: linkHeader(), retires: 0 });
        }
        withoutRule() {
          return this._pages<string>("issues", { items: "data" });
        }
      }`);
    assertEquals(errors, [
      "TS2561: Object literal may only specify known properties, but 'retires' does not exist in " +
      "type 'PageOptions<string, unknown>'. Did you mean to write 'retries'?",
      "TS2345: Argument of type '{ items: string; }' is not assignable to parameter of type " +
      "'PageOptions<string, unknown>'.\n  Property 'next' is missing in type '{ items: string; }' " +
      "but required in type 'PageOptions<string, unknown>'.",
    ]);
  });

  it("are protected methods of sessions and clients", () => {
    const client = new Client({ fetch });
    void (() => {
      // @ts-expect-error protected
      client._pages("issues", { next });
      // @ts-expect-error protected
      tracker._pages("issues", { next });
      // @ts-expect-error protected
      tracker.issues._pages({ next });
    });
    assertEquals([typeof client.all, typeof tracker.all], ["function", "function"]);
  });
});
