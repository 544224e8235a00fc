/** A client of an API that streams: a chat, a feed of events, an export and a catalogue in XML. */
import { APIClient, type CallOptions } from "../mod.ts";
import { attr, element, integer, model, string } from "../src/models/mod.ts";
import {
  jsonArray,
  ndjson,
  type ServerSentEvent,
  sse,
  type StreamPromise,
  xmlRecords,
} from "../src/streams/mod.ts";

export class Delta extends model("delta", { text: element(string) }) {}

export class Book extends model("book", { id: attr(integer), title: element(string) }) {}

export class Streams extends APIClient {
  static override readonly baseUrl: string = "https://api.example.com";

  /** Yields the parts of an answer. */
  async *chat(question: string, options: CallOptions = {}): AsyncGenerator<string> {
    const format = sse(Delta, { until: "[DONE]" });
    const json = { question, stream: true };
    for await (const { data } of this._post("/chat", { ...options, json, format })) {
      yield data.text;
    }
  }

  /** Returns events without an end, also after a connection breaks. */
  events(options: CallOptions = {}): StreamPromise<ServerSentEvent> {
    return this._get("/events", { ...options, format: sse({ reconnect: true }) });
  }

  export(options: CallOptions = {}): StreamPromise<Book> {
    return this._get("/export", { ...options, format: ndjson(Book) });
  }

  /** Returns the books of a page that is too long to be read as a whole. */
  search(text: string, options: CallOptions = {}): StreamPromise<Book> {
    const format = jsonArray("/result/books", Book);
    return this._get("/search", { ...options, params: { text }, format });
  }

  catalogue(options: CallOptions = {}): StreamPromise<Book> {
    return this._get("/catalogue", { ...options, format: xmlRecords(Book, { at: "books/book" }) });
  }
}
