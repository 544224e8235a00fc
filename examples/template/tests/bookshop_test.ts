// Runs with the test runners of Deno, Node and Bun, without a server.

import assert from "node:assert/strict";
import { test } from "node:test";
import { mockTransport, silentLogger } from "@restwright/restwright/testing";
import { Book, BookNotFoundError, Bookshop } from "../src/mod.ts";

const dune = { id: 1, title: "Dune", authors: ["Frank Herbert"], published: "1965-08-01" };
const emma = { id: 2, title: "Emma", authors: ["Jane Austen"], published: "1815-12-23" };

/** Creates a client whose requests are answered by the routes. */
function shopWith(routes: Parameters<typeof mockTransport>[0]) {
  const fetch = mockTransport(routes);
  const shop = new Bookshop({ apiKey: "k-123", fetch, logger: silentLogger });
  return { shop, fetch };
}

test("get returns a book with a date, and sends the key", async () => {
  const { shop, fetch } = shopWith({ "GET /v1/books/1": dune });

  const book = await shop.books.get(1);

  assert.ok(book instanceof Book);
  assert.equal(book.published.getUTCFullYear(), 1965);
  assert.equal(fetch.calls[0]?.headers["x-api-key"], "k-123");
});

test("get rejects with the reason if there is no such book", async () => {
  const missing = Response.json({ message: "out of print" }, { status: 404 });
  const { shop } = shopWith({ "GET /v1/books/9": missing });

  await assert.rejects(shop.books.get(9), (error) => {
    assert.ok(error instanceof BookNotFoundError);
    assert.equal(error.data?.message, "out of print");
    return true;
  });
});

test("list reads every page", async () => {
  const { shop, fetch } = shopWith({
    "GET /v1/books": ({ params }) => ({
      items: params["page"] === "2" ? [emma] : [dune],
      total: 2,
    }),
  });

  const titles: string[] = [];
  for await (const book of shop.books.list()) titles.push(book.title);

  assert.deepEqual(titles, ["Dune", "Emma"]);
  assert.equal(fetch.calls.length, 2);
});

test("add sends a book as JSON", async () => {
  const { shop, fetch } = shopWith({ "POST /v1/books": dune });

  const { title, authors, published } = dune;
  const book = await shop.books.add({ title, authors, published });

  assert.equal(book.id, 1);
  assert.deepEqual(fetch.calls[0]?.json, { title, authors, published });
});
