// An SDK that uses only the package.

import { after, assert, assertEquals, assertRejects, before, describe, it } from "#test";
import {
  APIEndpoint,
  APIError,
  APISession,
  NotFoundError,
  type RequestOptions,
  type SessionOptions,
} from "../../mod.ts";
import type { ErrorMap } from "../../src/entries/errors.ts";
import * as errors from "../../src/entries/errors.ts";
import { silentLogger } from "../../src/testing/mod.ts";
import { type LibraryApi, startLibraryApi } from "../../examples/library_api.ts";

interface Book {
  readonly id: number;
  readonly title: string;
}

class NoSuchBookError extends NotFoundError {}

class Books extends APIEndpoint<Reading> {
  protected override readonly _path: string = "books";
  get(id: number): Promise<Book> {
    return this._get<Book>(id, { convJson: true });
  }
  async titles(size: number): Promise<string[]> {
    const page = await this._get<{ items: Book[] }>("", { params: { size }, convJson: true });
    this._api.seen += page.items.length;
    return page.items.map(({ title }) => title);
  }
}

class Tips extends APIEndpoint<Reading> {
  protected override readonly _path: string = "librarian/tip";
  get(): Promise<Book> {
    return this._get<Book>("", { convJson: true });
  }
}

class Reading extends APISession {
  static override readonly libName: string = "reading-sdk";
  static override readonly errorMap: ErrorMap = { 404: NoSuchBookError };
  readonly books: Books = new Books(this);
  readonly tips: Tips = new Tips(this);
  /** Hooks can use fields of the subclass. */
  seen: number = 0;
  readonly retried: number[] = [];

  protected override _retryRequest(
    response: Response,
    retries: number,
    options: RequestOptions,
  ): RequestOptions {
    this.retried.push(response.status, retries);
    return { ...options, headers: { "x-try": String(retries + 1) } };
  }
}

describe("an SDK that uses only the public exports of the package", () => {
  let api: LibraryApi;
  before(async () => {
    api = await startLibraryApi({ retryAfter: 0 });
  });
  after(async () => {
    await api.stop();
  });

  const start = (options: SessionOptions = {}) =>
    new Reading({ url: api.url, logger: silentLogger, ...options });

  it("reads through its endpoints, with fields of its own", async () => {
    const reading = start();
    const [first] = await reading.books.titles(3);
    assertEquals([(await reading.books.get(1)).title, reading.seen], [first, 3]);
  });

  it("rejects with its own error class for a status that it maps", async () => {
    const error = await assertRejects(() => start().books.get(9999), NoSuchBookError);
    assert(error instanceof NotFoundError && error instanceof APIError);
    assertEquals([error.name, error.status], ["NoSuchBookError", 404]);
  });

  it("sees each retry in its hook", async () => {
    const reading = start();
    await reading.tips.get();
    assertEquals(reading.retried, [429, 1, 429, 2]);
  });

  it("finds every class of the error table by its name", () => {
    for (const errorClass of Object.values(errors.baseErrorMap)) {
      const { name } = new errorClass(new Response());
      assertEquals(Reflect.get(errors, name), errorClass);
    }
  });
});
