import { assertEquals, describe, it } from "#test";
import { z } from "zod";
import {
  APIClient,
  APIEndpoint,
  type APIPromise,
  APISession,
  type ResponseModel,
} from "../../mod.ts";
import { element, model, string } from "../../src/models/mod.ts";
import {
  type EventOf,
  type ItemStream,
  jsonArray,
  ndjson,
  type ServerSentEvent,
  sse,
  type SseOptions,
  type StreamFormat,
  type StreamPromise,
  xmlRecords,
} from "../../src/streams/mod.ts";
import { responseOf } from "../support/streamed.ts";

// The compiler checks the types in this file. The tests only make these checks part of a run.

/** `true` if two types are identical. */
type Same<A, B> = (<X>() => X extends A ? 1 : 2) extends (<X>() => X extends B ? 1 : 2) ? true
  : false;

/** Compiles only if the call resolves to exactly the type. */
function resolves<Expected>(): <Actual>(
  call: Promise<Actual>,
  same: Same<Actual, Expected>,
) => void {
  return (call) => void call.catch(() => {});
}

class Book extends model("book", { title: element(string) }) {}
const Row = z.object({ id: z.number() });
interface Row {
  id: number;
}

class Books extends APIEndpoint<Library> {
  protected override readonly _path: string = "/books";

  list(): APIPromise<ItemStream<Book>> {
    return this._get({ format: xmlRecords(Book) });
  }
  events(): StreamPromise<ServerSentEvent<Row>> {
    return this._get("/events", { format: sse(Row, { until: "[DONE]" }) });
  }
}

class Library extends APIClient {
  static override readonly baseUrl: string = "https://api.example.com";
  override readonly _convJson = true;
  readonly books: Books = new Books(this);
}

describe("the type of a stream", () => {
  it("is that of its format, for sessions and endpoints", async () => {
    const fetch = () => Promise.resolve(responseOf([""]));
    const session = new APISession({ url: "https://api.example.com", fetch });
    const length: StreamFormat<number> = { stream: () => 7 };
    resolves<ItemStream<ServerSentEvent>>()(session.get("x", { format: sse() }), true);
    resolves<ItemStream<ServerSentEvent<Row>>>()(session.get("x", { format: sse(Row) }), true);
    resolves<ItemStream<unknown>>()(session.get("x", { format: ndjson() }), true);
    resolves<ItemStream<Row>>()(session.get("x", { format: ndjson<Row>() }), true);
    resolves<ItemStream<Row[]>>()(session.get("x", { format: ndjson([Row]) }), true);
    resolves<ItemStream<Book>>()(session.get("x", { format: ndjson(Book) }), true);
    resolves<ItemStream<Row>>()(session.get("x", { format: jsonArray("/rows", Row) }), true);
    resolves<ItemStream<Row>>()(session.get("x", { format: jsonArray<Row>("") }), true);
    resolves<ItemStream<Book>>()(session.get("x", { format: xmlRecords(Book) }), true);
    resolves<number>()(session.get("x", { format: length, timeout: 5 }), true);
    const { books } = new Library({ fetch });
    resolves<ItemStream<Book>>()(books.list(), true);
    resolves<ItemStream<ServerSentEvent<Row>>>()(books.events(), true);
    assertEquals(await session.get("x", { format: length }), 7);
  });

  it("makes the promise of a call async iterable, but not those of other calls", () => {
    const read = async (session: APISession): Promise<void> => {
      for await (const { data } of session.get("x", { format: sse(Row) })) data.id.toFixed();
      for await (const { data } of new Library({}).books.events()) data.id.toFixed();
      const generator: StreamFormat<AsyncGenerator<string>> = { stream: async function* () {} };
      for await (const line of session.get("x", { format: generator })) line.trim();
      await (await session.get("x", { format: generator })).return(undefined);
      const length: StreamFormat<number> = { stream: () => 7 };
      // @ts-expect-error The result is a number.
      for await (const _ of session.get("x", { format: length }));
      // @ts-expect-error The result is JSON.
      for await (const _ of session.get<Row[]>("x", { convJson: true }));
      // @ts-expect-error The result is a list of a model.
      for await (const _ of session.get("x", { responseModel: [Row] }));
      // @ts-expect-error The result is a response.
      for await (const _ of session.get("x"));
    };
    class Generic extends APIEndpoint {
      read<S>(format: StreamFormat<S>): APIPromise<S> {
        return this._get("x", { format });
      }
      decode<const M extends ResponseModel>(responseModel: M) {
        return this._get("x", { responseModel });
      }
    }
    const decoded = (): APIPromise<Row> => new Generic(new APIClient({})).decode(Row);
    assertEquals([typeof read, typeof decoded], ["function", "function"]);
  });

  it("of events follows from json, models and the types of the events", () => {
    type Events = { start: Row; end: { readonly reason: string } };
    const use = (session: APISession): void => {
      const get = <T>(format: StreamFormat<T>): Promise<T> => session.get("x", { format });
      resolves<ItemStream<ServerSentEvent<Row>>>()(get(sse<Row>({ json: true })), true);
      resolves<ItemStream<ServerSentEvent<unknown>>>()(get(sse({ json: true })), true);
      resolves<ItemStream<ServerSentEvent>>()(get(sse({ json: false })), true);
      resolves<ItemStream<ServerSentEvent<string, "a" | "b">>>()(
        get(sse({ events: ["a", "b"] })),
        true,
      );
      resolves<ItemStream<EventOf<Events>>>()(
        get(sse<Events>({ json: true, events: ["start", "end"] })),
        true,
      );
      resolves<ItemStream<EventOf<{ readonly start: Row; readonly rows: Row[] }>>>()(
        get(sse({ events: { start: Row, rows: [Row] } })),
        true,
      );
      const options: SseOptions = { json: true };
      resolves<ItemStream<ServerSentEvent<unknown>>>()(get(sse(options)), true);
      // @ts-expect-error There is no such event.
      sse<Events>({ json: true, events: ["begin"] });
      // @ts-expect-error The data of events without json is text.
      sse<Row>({ until: "x" });
      // @ts-expect-error A model reads JSON.
      sse(Row, { json: true });
      // @ts-expect-error Models read JSON.
      sse<Row>({ json: true, events: { start: Row } });
    };
    assertEquals(typeof use, "function");
  });

  it("of events is a union that a switch narrows by their type", () => {
    const shown = (event: EventOf<{ start: Row; end: { readonly reason: string } }>): string => {
      switch (event.event) {
        case "start":
          return event.data.id.toFixed();
        case "end":
          return event.data.reason;
      }
    };
    const more = { id: "", retry: undefined };
    assertEquals(shown({ event: "end", data: { reason: "stop" }, ...more }), "stop");
    assertEquals(shown({ event: "start", data: { id: 7 }, ...more }), "7");
  });

  it("does not allow anything else as a format", () => {
    const use = async (session: APISession): Promise<void> => {
      // @ts-expect-error Only model classes can be read from XML.
      await session.get("x", { format: xmlRecords(Row) });
      // @ts-expect-error The format has to be created.
      await session.get("x", { format: sse });
      // @ts-expect-error There is no such option.
      await session.get("x", { format: ndjson(Row, { until: "x" }) });
    };
    assertEquals(typeof use, "function");
  });
});
