import {
  after,
  assert,
  assertEquals,
  assertRejects,
  before,
  beforeEach,
  describe,
  it,
} from "#test";
import { type LibraryApi, startLibraryApi } from "../../examples/library_api.ts";
import { type Book, Library } from "../../examples/library_client.ts";
import { InvalidContentError } from "../../src/entries/errors.ts";

/** The generator pattern: the loop of the contract's rule 1, without a class of the toolkit. */
async function* everyBook(api: Library, size = 100): AsyncGenerator<Book> {
  let currentPage = 0;
  let lastLength = size;
  while (lastLength >= size) {
    const { items } = await api.books.list({ page: currentPage++, size });
    lastLength = items.length;
    yield* items;
  }
}

const ids = Array.from({ length: 250 }, (_, index) => index + 1);

describe("paging the 250 books of the example API", () => {
  let server: LibraryApi;
  let api: Library;
  let countBefore = 0;

  before(async () => {
    server = await startLibraryApi();
    api = new Library({ url: server.url, retries: 0, finalWait: false });
  });
  after(() => server.stop());
  beforeEach(() => {
    countBefore = server.requests.length;
  });

  /** Returns the pages that were requested in this test. */
  const requested = () =>
    server.requests.slice(countBefore).map((request) =>
      Number(new URL(request.slice(4), server.url).searchParams.get("page"))
    );

  // contract: limit-6
  it("takes three calls with the example page size of 100", async () => {
    const seen: number[] = [];
    for await (const book of api.books.all()) seen.push(book.id);
    assertEquals(seen, ids);
    assertEquals(requested(), [0, 1, 2]);
  });

  for (const prefetch of [0, 1, 10]) {
    it(`ends at the total if all pages of 50 are full, prefetch ${prefetch}`, async () => {
      const books = api.books.all({ size: 50, prefetch });
      const all = await books.collect();
      assertEquals(all.map(({ id }) => id), ids);
      assertEquals([books.total, books.count, books.pageCount], [250, 250, 5]);
      assertEquals(requested(), [0, 1, 2, 3, 4]);
    });
  }

  it("yields the same books with the generator pattern", async () => {
    const seen: number[] = [];
    for await (const book of everyBook(api)) seen.push(book.id);
    assertEquals(seen, ids);
    assertEquals(requested(), [0, 1, 2]);
  });

  it("requests one more page with the generator pattern if the last page is full", async () => {
    let count = 0;
    for await (const book of everyBook(api, 50)) count += book.id > 0 ? 1 : 0;
    assertEquals([count, requested()], [250, [0, 1, 2, 3, 4, 5]]);
  });

  it("prefetches the next page while the caller works on this one", async () => {
    const books = api.books.all({ size: 60, prefetch: 1 });
    await books.next();
    // Other calls of the caller. The iterator is not used meanwhile.
    for (let tries = 0; tries < 1000 && !requested().includes(1); tries++) await api.books.get(1);
    assert(requested().includes(1));
    assertEquals([books.count, books.position.currentPage], [1, 1]);
    await books.return();
  });

  it("fetches no further page after an early break", async () => {
    for await (const book of api.books.all({ size: 10 })) {
      if (book.id === 15) break;
    }
    assertEquals(requested(), [0, 1]);
  });

  it("returns only the first books with maxItems", async () => {
    const books = await api.books.all({ maxItems: 3 }).collect();
    assertEquals(books.map(({ id }) => id), [1, 2, 3]);
    assertEquals(requested(), [0]);
  });

  for (const prefetch of [0, 2]) {
    it(`reads the same books by a page promise, prefetch ${prefetch}`, async () => {
      const pages = api.books.pages({ size: 50, prefetch });
      assertEquals((await pages).body, await api.books.list({ size: 50 }));
      assertEquals((await pages.collect()).map(({ id }) => id), ids);
      assertEquals(requested(), [0, 0, 1, 2, 3, 4]);
    });
  }

  it("continues a page promise in the middle of a page", async () => {
    const first = api.books.pages({ size: 60 });
    for await (const { id } of first) if (id === 70) break;
    assertEquals(first.state, { params: { page: 1 }, skip: 10, delivered: 70 });
    const rest = await first.collect();
    assertEquals([rest[0]?.id, rest.length], [71, 180]);
  });

  it("rejects with the class of an error status, again at each call", async () => {
    const books = api.books.all({ size: 101 }); // more than the API allows
    await assertRejects(() => books.next(), InvalidContentError);
    await assertRejects(() => books.next(), InvalidContentError);
    assertEquals([books.count, requested()], [0, [0, 0]]);
  });
});
