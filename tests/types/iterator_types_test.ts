import { assertEquals, describe, it } from "#test";
import { APISession } from "../../mod.ts";
import {
  APIIterator,
  AsyncAPIIterator,
  type IteratorOptions,
  type PagePosition,
} from "../../src/iterator.ts";

// What is said here is said by the compiler; the tests below only make it part of a run.

/** Whether two types are the same. */
type Same<A, B> = (<X>() => X extends A ? 1 : 2) extends (<X>() => X extends B ? 1 : 2) ? true
  : false;

/** Takes only what is true. */
function holds<Fact extends true>(fact?: Fact): void {
  void fact;
}

interface Book {
  readonly title: string;
}

class Library extends APISession {
  readonly motto: string = "Silence";
}

interface BookOptions extends IteratorOptions<Library> {
  readonly author?: string;
}

class Books extends APIIterator<Book, Library> {
  static override readonly size: number = 2;
  static override readonly maxItems: number | null = 3;
  readonly #author: string | undefined;

  constructor(options: BookOptions) {
    super(options);
    this.#author = options.author;
  }

  protected override async _getPage(): Promise<void> {
    holds<Same<typeof this._api, Library>>();
    holds<Same<typeof this._client, Library>>();
    holds<Same<typeof this.page, readonly Book[]>>();
    const title = `${this._api.motto}, by ${this.#author} (${this.currentPage++})`;
    this.page = await Promise.resolve([{ title }, { title }]);
    this.total = null;
    this.total = 3;
    this.numPages = 2;
    // @ts-expect-error a page is an array of elements
    this.page = [1];
    // @ts-expect-error an index is a number
    this.currentPage = "next";
    this.currentPage = 1;
    this.page = [{ title }, { title }];
    // @ts-expect-error the size is what the caller was told
    void (() => this.size = 3);
  }
}

const url = "https://library.example.com";

describe("the types of an iterator", () => {
  it("what it gives is typed", async () => {
    const books = new Books({ api: new Library({ url }), author: "Ada Moss" });
    const result = await books.next();
    holds<Same<typeof result, IteratorResult<Book, undefined>>>();
    holds<Same<typeof result.value, Book | undefined>>();
    for await (const book of books) holds<Same<typeof book, Book>>();
    for await (const page of books.pages()) holds<Same<typeof page, readonly Book[]>>();
    const all = await books.collect();
    holds<Same<typeof all, Book[]>>();
    holds<Same<typeof books.page, readonly Book[]>>();
    holds<Same<typeof books.position, PagePosition<Book>>>();
    holds<Same<typeof books.size, number>>();
    holds<Same<typeof books.total, number | null>>();
    assertEquals(result.value?.title, "Silence, by Ada Moss (0)");
  });

  it("it is whatever the language knows of its kind", () => {
    const books = new Books({ client: new Library({ url }) });
    const generator: AsyncGenerator<Book, undefined, unknown> = books;
    const iterable: AsyncIterable<Book> = books;
    const iterator: AsyncIterableIterator<Book> = books;
    const disposable: AsyncDisposable = books;
    const other: AsyncAPIIterator<Book, Library> = books;
    assertEquals(new Set([generator, iterable, iterator, disposable, other]).size, 1);
  });

  it("what a caller must not do does not compile", () => {
    const books = new Books({ client: new Library({ url }) });
    void (() => {
      // @ts-expect-error page is for _getPage to store
      books.page = [];
      // @ts-expect-error currentPage is for _getPage to advance
      books.currentPage = 2;
      // @ts-expect-error total is for _getPage to store
      books.total = 2;
      // @ts-expect-error count is counted
      books.count = 2;
      // @ts-expect-error a page is read only
      books.page.push({ title: "" });
      // @ts-expect-error fetching a page is the iterator's own
      void books._getPage();
      // @ts-expect-error the client is the iterator's own
      void books._client;
      // @ts-expect-error the base is abstract
      new APIIterator({ client: {} });
      // @ts-expect-error the base is abstract by either name
      new AsyncAPIIterator({ client: {} });
      // @ts-expect-error options are needed
      new Books();
    });
    assertEquals(books.count, 0);
  });

  it("options that are wrong do not compile", () => {
    const client = new Library({ url });
    void (() => {
      // @ts-expect-error another client
      new Books({ client: { motto: "Noise" } });
      // @ts-expect-error a size is a number
      new Books({ client, size: "2" });
      // @ts-expect-error a size is not null
      new Books({ client, size: null });
      // @ts-expect-error a name that nobody knows
      new Books({ client, maxItem: 2 });
    });
    assertEquals(new Books({ client, maxItems: null, maxPages: null }).maxItems, null);
  });

  it("a class that must not compile does not", () => {
    // @ts-expect-error _getPage is missing
    class NoPage extends APIIterator<Book> {}
    class Fields extends Books {
      // @ts-expect-error a default is a static: a field would hide what _getPage stores
      override page: readonly Book[] = [];
      // @ts-expect-error a default is a static: a field would run after the constructor
      override size = 3;
    }
    class Late extends APIIterator<Book> {
      // @ts-expect-error it gives a promise
      protected override _getPage(): void {}
    }
    assertEquals([NoPage.size, Late.size, Fields.size], [0, 0, 2]);
  });
});
