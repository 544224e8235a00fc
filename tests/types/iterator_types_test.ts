import { assertEquals, describe, it } from "#test";
import { APISession } from "../../mod.ts";
import {
  APIIterator,
  AsyncAPIIterator,
  type IteratorOptions,
  type PagePosition,
} from "../../src/paging/iterator/iterator.ts";

// The compiler checks the types in this file. The tests only make these checks part of a run.

/** `true` if two types are identical. */
type Same<A, B> = (<X>() => X extends A ? 1 : 2) extends (<X>() => X extends B ? 1 : 2) ? true
  : false;

/** Compiles only if the type argument is `true`. */
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
    // @ts-expect-error the size cannot change during the iteration
    void (() => this.size = 3);
  }
}

const url = "https://library.example.com";

describe("the types of an iterator", () => {
  it("are known for items, pages and properties", async () => {
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

  it("are assignable to the iterator types of the language", () => {
    const books = new Books({ client: new Library({ url }) });
    const generator: AsyncGenerator<Book, undefined, unknown> = books;
    const iterable: AsyncIterable<Book> = books;
    const iterator: AsyncIterableIterator<Book> = books;
    const disposable: AsyncDisposable = books;
    const other: AsyncAPIIterator<Book, Library> = books;
    assertEquals(new Set([generator, iterable, iterator, disposable, other]).size, 1);
  });

  it("do not allow a caller to use members that are protected or read only", () => {
    const books = new Books({ client: new Library({ url }) });
    void (() => {
      // @ts-expect-error only _getPage sets page
      books.page = [];
      // @ts-expect-error only _getPage sets currentPage
      books.currentPage = 2;
      // @ts-expect-error only _getPage sets total
      books.total = 2;
      // @ts-expect-error count is read only
      books.count = 2;
      // @ts-expect-error a page is read only
      books.page.push({ title: "" });
      // @ts-expect-error _getPage is protected
      void books._getPage();
      // @ts-expect-error _client is protected
      void books._client;
      // @ts-expect-error the base is abstract
      new APIIterator({ client: {} });
      // @ts-expect-error the base is abstract under both names
      new AsyncAPIIterator({ client: {} });
      // @ts-expect-error options are needed
      new Books();
    });
    assertEquals(books.count, 0);
  });

  it("do not allow wrong options", () => {
    const client = new Library({ url });
    void (() => {
      // @ts-expect-error another client
      new Books({ client: { motto: "Noise" } });
      // @ts-expect-error a size is a number
      new Books({ client, size: "2" });
      // @ts-expect-error a size is not null
      new Books({ client, size: null });
      // @ts-expect-error an unknown name
      new Books({ client, maxItem: 2 });
    });
    assertEquals(new Books({ client, maxItems: null, maxPages: null }).maxItems, null);
  });

  it("do not allow wrong classes", () => {
    // @ts-expect-error _getPage is missing
    class NoPage extends APIIterator<Book> {}
    class Fields extends Books {
      // @ts-expect-error a default must be static: a field would hide the page of _getPage
      override page: readonly Book[] = [];
      // @ts-expect-error a default must be static: a field would be set after the constructor
      override size = 3;
    }
    class Late extends APIIterator<Book> {
      // @ts-expect-error it returns a promise
      protected override _getPage(): void {}
    }
    assertEquals([NoPage.size, Late.size, Fields.size], [0, 0, 2]);
  });
});
