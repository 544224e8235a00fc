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
import { InvalidContentError } from "../../mod.ts";

/** The generator pattern: the loop of the contract's rule 1, in the language alone. */
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
  let askedBefore = 0;

  before(async () => {
    server = await startLibraryApi();
    api = new Library({ url: server.url, retries: 0, finalWait: false });
  });
  after(() => server.stop());
  beforeEach(() => {
    askedBefore = server.requests.length;
  });

  /** The pages that were asked for in this test. */
  const asked = () =>
    server.requests.slice(askedBefore).map((request) =>
      Number(new URL(request.slice(4), server.url).searchParams.get("page"))
    );

  // contract: limit-6
  it("the example page size is 100: three calls", async () => {
    const seen: number[] = [];
    for await (const book of api.books.all()) seen.push(book.id);
    assertEquals(seen, ids);
    assertEquals(asked(), [0, 1, 2]);
  });

  for (const prefetch of [0, 1, 10]) {
    it(`pages of 50 that are all full end with the total, prefetch ${prefetch}`, async () => {
      const books = api.books.all({ size: 50, prefetch });
      const all = await books.collect();
      assertEquals(all.map(({ id }) => id), ids);
      assertEquals([books.total, books.count, books.pageCount], [250, 250, 5]);
      assertEquals(asked(), [0, 1, 2, 3, 4]);
    });
  }

  it("the generator pattern gives the same", async () => {
    const seen: number[] = [];
    for await (const book of everyBook(api)) seen.push(book.id);
    assertEquals(seen, ids);
    assertEquals(asked(), [0, 1, 2]);
  });

  it("the generator pattern asks for one page more where the last is full", async () => {
    let count = 0;
    for await (const book of everyBook(api, 50)) count += book.id > 0 ? 1 : 0;
    assertEquals([count, asked()], [250, [0, 1, 2, 3, 4, 5]]);
  });

  it("the next page is on its way while the caller works on this one", async () => {
    const books = api.books.all({ size: 60, prefetch: 1 });
    await books.next();
    // Calls of the caller's own, during which nothing is asked of the iterator.
    for (let tries = 0; tries < 1000 && !asked().includes(1); tries++) await api.books.get(1);
    assert(asked().includes(1));
    assertEquals([books.count, books.position.currentPage], [1, 1]);
    await books.return();
  });

  it("an early break fetches no further page", async () => {
    for await (const book of api.books.all({ size: 10 })) {
      if (book.id === 15) break;
    }
    assertEquals(asked(), [0, 1]);
  });

  it("maxItems takes the first ones", async () => {
    const books = await api.books.all({ maxItems: 3 }).collect();
    assertEquals(books.map(({ id }) => id), [1, 2, 3]);
    assertEquals(asked(), [0]);
  });

  it("an error status reaches the caller as its class, again and again", async () => {
    const books = api.books.all({ size: 101 }); // more than the API allows
    await assertRejects(() => books.next(), InvalidContentError);
    await assertRejects(() => books.next(), InvalidContentError);
    assertEquals([books.count, asked()], [0, [0, 0]]);
  });
});
