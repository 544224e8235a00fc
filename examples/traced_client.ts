/** A client of a library whose calls are traced and measured with OpenTelemetry. */
import { APIClient, APIEndpoint, type APIPromise, type CallOptions, path } from "../mod.ts";
import type { CallMiddleware } from "../src/middleware/mod.ts";
import { telemetry } from "../src/telemetry/mod.ts";

export interface Book {
  readonly id: number;
  readonly title: string;
}

class Books extends APIEndpoint<TracedLibrary> {
  protected override readonly _path: string = "/books";

  /** The span is called `GET /v1/books/{}`, whatever the id is. */
  get(id: number, options: CallOptions = {}): APIPromise<Book> {
    return this._get<Book>(id, { ...options, convJson: true });
  }
  /** The tag makes the path a template, although it has no values. */
  search(text: string, options: CallOptions = {}): APIPromise<readonly Book[]> {
    const params = { text };
    return this._get<readonly Book[]>(path`search`, { ...options, params, convJson: true });
  }
  /** Cover pictures are on another server, which gets no trace context. */
  cover(id: number, options: CallOptions = {}): APIPromise<Response> {
    return this._get(path`${id}/cover`, options);
  }
}

export class TracedLibrary extends APIClient {
  static override readonly baseUrl: string = "https://library.example.com/v1";
  static override readonly followRedirects: boolean = true;
  static override readonly redactFields: readonly string[] = ["text"];
  static override readonly callMiddleware: readonly CallMiddleware[] = [telemetry()];
  readonly books: Books = new Books(this);
}
