import { isReactive, reactive, readonly, ref } from "@vue/reactivity";
import { assert, assertEquals, describe, it } from "#test";
import { APIClient, APIEndpoint, APISession } from "../../mod.ts";
import { HttpSession } from "../../src/http/mod.ts";
import { APIIterator, cursor, type PagePromise } from "../../src/paging/mod.ts";
import { AbstractPage, Stream } from "../../src/resources/mod.ts";
import { mockTransport } from "../../src/testing/mod.ts";

/** Puts an object into reactive state, and returns it as it comes out. */
type Wrap = <T extends object>(value: T) => T;

/** Uses an object that comes out of reactive state. */
type Use = (wrap: Wrap) => Promise<unknown>;

/** Pinia passes the state of a store through `reactive`, and Vue a component's state, too. */
const wrappers: readonly (readonly [string, Wrap])[] = [
  ["ref()", (value) => ref(value).value as typeof value],
  ["reactive()", (value) => reactive(value) as typeof value],
  ["a property of reactive()", (value) => reactive({ value }).value as typeof value],
  ["an element of reactive()", (value) => reactive([value])[0] as typeof value],
  ["readonly()", (value) => readonly({ value }).value as typeof value],
];

describe("the reactive state of Vue", () => {
  const options = () => ({
    fetch: mockTransport({ "GET /books": { items: ["Indigo"], next: null } }),
    logger: null,
  });
  const body = { items: ["Indigo"], next: null };

  class Books extends APIEndpoint<Library> {
    protected override readonly _path: string = "/books";
    list(): Promise<unknown> {
      return this._get<unknown>({ convJson: true });
    }
    pages(): PagePromise<string> {
      return this._pages<string>({ items: "items", next: cursor("after", "next") });
    }
  }
  class Library extends APIClient {
    static override readonly baseUrl: string = "https://library.example.org";
    readonly books: Books = new Books(this);
    list(): Promise<unknown> {
      return this._get<unknown>("/books", { convJson: true });
    }
  }
  class Titles extends APIIterator<string, Library> {
    protected override _getPage(): Promise<void> {
      this.page = this.page.length === 0 ? ["Indigo"] : [];
      this.currentPage++;
      return Promise.resolve();
    }
  }
  class ResourcePage extends AbstractPage<string> {}
  const library = () => new Library(options());

  const objects: readonly (readonly [what: string, use: Use, expected: unknown])[] = [
    ["a client", (wrap) => wrap(library()).list(), body],
    ["an endpoint of a client", (wrap) => wrap(library().books).list(), body],
    ["a client that is used by its endpoint", (wrap) => wrap(library()).books.list(), body],
    [
      "a session",
      async (wrap) => {
        const session = new APISession({ url: "https://library.example.org", ...options() });
        return await wrap(session).get("books", { convJson: true });
      },
      body,
    ],
    [
      "an HTTP session",
      (wrap) => {
        const http = wrap(new HttpSession());
        http.headers.set("X-Key", "k");
        http.auth = ["ada", "pw"];
        return Promise.resolve([http.headers.get("x-key"), http.cookies, http.auth !== null]);
      },
      ["k", undefined, true],
    ],
    [
      "a page of a list",
      async (wrap) => {
        const page = wrap(await library().books.pages());
        return [page.items, page.hasNextPage()];
      },
      [["Indigo"], false],
    ],
    ["the promise of a list", (wrap) => wrap(library().books.pages()).collect(), ["Indigo"]],
    [
      "an iterator",
      (wrap) => Array.fromAsync(wrap(new Titles({ client: library() }))),
      ["Indigo"],
    ],
    [
      "a page of a resource",
      async (wrap) => wrap(new ResourcePage(await library().books.pages())).getPaginatedItems(),
      ["Indigo"],
    ],
    [
      "a stream of a resource",
      (wrap) => Array.fromAsync(wrap(new Stream(library().books.pages()))),
      ["Indigo"],
    ],
  ];
  for (const [what, use, expected] of objects) {
    for (const [wrapper, wrap] of wrappers) {
      it(`works with ${what} in ${wrapper}`, async () => {
        assertEquals(await use(wrap), expected);
      });
    }
  }

  it("still observes plain objects beside a client", () => {
    const state = reactive({ library: library(), filter: { text: "" } });
    assert(isReactive(state.filter));
    assert(!isReactive(state.library));
  });
});
