// An SDK that spares its API: identical requests are sent once, responses are revalidated, and the
// limits of the API are obeyed. Each session has its own limits, because they count for each user.

import { APISession, type Clock, path, type SessionOptions } from "../mod.ts";
import {
  concurrencyLimit,
  dedupe,
  etagCache,
  rateLimit,
  serverRateLimit,
} from "../src/middleware/mod.ts";

/** A book of the library. */
export interface Book {
  readonly id: number;
  readonly title: string;
}

/** A session that sends at most four requests at a time, and 20 in a second. */
export class CarefulSession extends APISession {
  constructor(options: SessionOptions = {}) {
    super({ ...options, middleware: [...careful(options.clock), ...options.middleware ?? []] });
  }

  /** Returns a book. */
  book(id: number): Promise<Book> {
    return this.get<Book>(path`books/${id}`, { convJson: true });
  }

  /** Returns several books, in the order of their ids. */
  books(ids: readonly number[]): Promise<Book[]> {
    return Promise.all(ids.map((id) => this.book(id)));
  }
}

/** Returns the middleware, with the outermost first. */
function careful(clock: Clock | undefined): NonNullable<SessionOptions["middleware"]> {
  return [
    dedupe(),
    etagCache({ maxEntries: 500 }),
    concurrencyLimit(4),
    rateLimit({ requests: 20, interval: 1, clock }),
    serverRateLimit({ maxWait: 120, clock }),
  ];
}
