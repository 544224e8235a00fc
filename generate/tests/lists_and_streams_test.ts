import { readFile } from "node:fs/promises";
import { createServer, type Server, type ServerResponse } from "node:http";
import { fileURLToPath } from "node:url";
import { after, assert, assertEquals, before, describe, it } from "#test";
import { APIError, type APIPromise } from "../../mod.ts";
import { type DownloadProgress, saveTo } from "../../src/files/mod.ts";
import type { PagePromise } from "../../src/paging/mod.ts";
import type { EventOf, ServerSentEvent, StreamPromise } from "../../src/streams/mod.ts";
import { silentLogger } from "../../src/testing/mod.ts";
import { generate } from "../mod.ts";
import { compareFolder } from "../src/write/folder.ts";
import {
  type Answer,
  type ChatWatchEvents,
  type Chunk,
  Feed,
  type Issue,
  type IssuePage,
  type User,
} from "./support/feed/mod.ts";

const support = new URL("./support/", import.meta.url);

/** `true` if two types are identical. */
type Same<A, B> = (<X>() => X extends A ? 1 : 2) extends (<X>() => X extends B ? 1 : 2) ? true
  : false;

/** Compiles only if a function returns exactly the type. Nothing is called. */
function returns<Expected>(): <Actual>(
  call: () => Actual,
  same: Same<Actual, Expected>,
) => void {
  return () => {};
}

/** Sends a body in pieces, each after the one before was sent. */
async function sendPieces(response: ServerResponse, type: string, pieces: readonly string[]) {
  response.writeHead(200, { "content-type": type });
  for (const piece of pieces) {
    await new Promise((resolve) => response.write(piece, resolve));
    await new Promise((resolve) => setImmediate(resolve));
  }
  response.end();
}

/** The streams of the server, cut at places that are inside of events, lines and characters. */
const streams: Readonly<Record<string, readonly [type: string, pieces: readonly string[]]>> = {
  "/chat": ["text/event-stream", [
    ': hello\n\ndata: {"del',
    'ta":"Hel"}\n',
    '\ndata: {"delta":"lo"}\r\n\r\n',
    'data: [DONE]\n\ndata: {"delta":"after the end"}\n\n',
  ]],
  "/progress": ["text/event-stream", [
    'event: step\ndata: {"delta":"one"}\n\nevent: pi',
    'ng\ndata: {}\n\nevent: done\ndata: {"steps":1}\n\n',
    'event: error\ndata: {"code":"too-late"}\n\n',
  ]],
  "/ticks": ["text/event-stream", ["data: one\n\nda", "ta: two\n\ndata: never finished"]],
  "/export": ["application/jsonl", ['{"name":"A', 'da"}\n\n{"name"', ':"Bo"}']],
  "/log": ["application/x-ndjson", ['{"name":"Ada"}\n', '{"name":"Bo"}\n']],
};

describe("a generated client with lists and streams", () => {
  let server: Server;
  let feed: Feed;
  const requests: string[] = [];
  before(async () => {
    server = createServer(async (request, response) => {
      const chunks: string[] = [];
      for await (const chunk of request.setEncoding("utf8")) chunks.push(chunk);
      const { method, url = "", headers } = request;
      requests.push(`${method} ${url} ${chunks.join("")}`.trim());
      const { pathname, searchParams } = new URL(url, "http://localhost");
      const json = (value: unknown, others: Readonly<Record<string, string>> = {}) => {
        response.writeHead(200, { "content-type": "application/json", ...others });
        response.end(JSON.stringify(value));
      };
      const accept = headers.accept ?? "";
      const [type, pieces] = streams[pathname] ?? ["", []];
      if (pathname === "/issues") {
        const isFirst = searchParams.get("cursor") === null;
        json(
          isFirst ? { issues: [{ id: 1 }, { id: 2 }], next_cursor: "c2" } : { issues: [{ id: 3 }] },
        );
      } else if (pathname === "/issues/search") {
        const isFirst = !chunks.join("").includes("start_cursor");
        json(
          isFirst
            ? { results: [{ id: 1 }], next_cursor: "c2", has_more: true }
            : { next_cursor: "c3", has_more: false },
        );
      } else if (pathname === "/users") {
        const page = Number(searchParams.get("page") ?? 1);
        json(
          [{ name: `user ${page}` }],
          page < 3 ? { link: `</users?page=${page + 1}>; rel=next` } : {},
        );
      } else if (pathname === "/books") {
        const page = Number(searchParams.get("page") ?? 0);
        json({ data: [["a", "b"], ["c", "d"], ["e"]][page], meta: { total: 5 } });
      } else if (pathname === "/rows") {
        const offset = Number(searchParams.get("offset") ?? 0);
        json([1, 2, 3].slice(offset, offset + 2), { "x-total-count": "3" });
      } else if (pathname === "/tags") json(["x"]);
      else if (pathname === "/files/a.zip") {
        await sendPieces(response, "application/zip", ["first ", "second"]);
      } else if (pieces.length > 0 && accept.includes(type)) {
        await sendPieces(response, type, pieces);
      } else json(pathname === "/chat" ? { text: "Hello" } : [{ name: "Ada" }]);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    assert(typeof address === "object" && address !== null);
    const baseUrl = `http://127.0.0.1:${address.port}`;
    feed = new Feed({ baseUrl, logger: silentLogger, retries: 0 });
  });
  after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  /** Runs a call, and returns its result with the requests that it sent. */
  async function sentBy<T>(run: () => Promise<T>): Promise<readonly [T, readonly string[]]> {
    const before = requests.length;
    const result = await run();
    return [result, requests.slice(before)];
  }

  async function itemsOf<T>(stream: AsyncIterable<T>): Promise<T[]> {
    const items: T[] = [];
    for await (const item of stream) items.push(item);
    return items;
  }

  it("is what the generator makes of its document, without problems", async () => {
    const { files, report } = await generate(await readFile(new URL("feed.yaml", support), "utf8"));
    const { added, changed, stale } = await compareFolder(
      fileURLToPath(new URL("feed", support)),
      files,
    );
    assertEquals([report.problems, added, changed, stale], [[], [], [], []]);
  });

  it("has types for pages, both results of `stream`, events, lines and downloads", () => {
    const flag = Math.random() < 2;
    returns<PagePromise<Issue, IssuePage>>()(() => feed.issues.list(), true);
    returns<APIPromise<string[]>>()(() => feed.tags.list(), true);
    returns<APIPromise<Answer>>()(() => feed.chat.create({ text: "" }), true);
    returns<APIPromise<Answer>>()(() => feed.chat.create({ text: "", stream: false }), true);
    returns<StreamPromise<ServerSentEvent<Chunk>>>()(
      () => feed.chat.create({ text: "", stream: true }),
      true,
    );
    returns<APIPromise<Answer> | StreamPromise<ServerSentEvent<Chunk>>>()(
      () => feed.chat.create({ text: "", stream: flag }),
      true,
    );
    returns<StreamPromise<EventOf<ChatWatchEvents>>>()(() => feed.chat.watch(), true);
    returns<StreamPromise<ServerSentEvent>>()(() => feed.chat.ticks(), true);
    returns<StreamPromise<User>>()(() => feed.rows.readLog(), true);
    returns<APIPromise<User[]>>()(() => feed.rows.export({ since: "" }), true);
    returns<StreamPromise<User>>()(() => feed.rows.export({ stream: true }), true);
    returns<APIPromise<Response>>()(() => feed.files.download(""), true);
    returns<APIPromise<DownloadProgress>>()(
      () => feed.files.download("", { format: saveTo(new WritableStream()) }),
      true,
    );
  });

  it("follows a cursor, and keeps the parameters of the caller", async () => {
    const { issues } = feed;
    const [items, sent] = await sentBy(() => issues.list({ labels: ["x", "y"] }).collect());
    assertEquals(items, [{ id: 1 }, { id: 2 }, { id: 3 }]);
    assertEquals(sent.map(decodeURIComponent), [
      "GET /issues?labels=x,y",
      "GET /issues?labels=x,y&cursor=c2",
    ]);
  });

  it("returns the first page, with its body and a position to continue from", async () => {
    const { issues } = feed;
    const page = await issues.list();
    assertEquals(page.body, { issues: [{ id: 1 }, { id: 2 }], next_cursor: "c2" });
    assertEquals(await issues.list({}, { from: page.state }).collect(), [{ id: 3 }]);
  });

  it("sets a cursor in the body of a search, and reads a missing list as an empty one", async () => {
    const [items, sent] = await sentBy(() => feed.issues.search({ text: "bug" }).collect());
    assertEquals(items, [{ id: 1 }]);
    assertEquals(sent, [
      'POST /issues/search {"text":"bug"}',
      'POST /issues/search {"text":"bug","start_cursor":"c2"}',
    ]);
  });

  it("follows Link headers", async () => {
    const [items, sent] = await sentBy(() => feed.users.list().collect());
    assertEquals(items, [{ name: "user 1" }, { name: "user 2" }, { name: "user 3" }]);
    assertEquals(sent.length, 3);
  });

  it("counts pages from the number of the first one to the total", async () => {
    const [items, sent] = await sentBy(() => feed.books.list().collect());
    assertEquals(items, ["a", "b", "c", "d", "e"]);
    assertEquals(sent, ["GET /books", "GET /books?page=1", "GET /books?page=2"]);
  });

  it("counts items, to the total of a header", async () => {
    const [items, sent] = await sentBy(() => feed.rows.list({ limit: 2 }).collect());
    assertEquals(items, [1, 2, 3]);
    assertEquals(sent, ["GET /rows?limit=2", "GET /rows?limit=2&offset=2"]);
  });

  it("returns a list without a parameter of paging as it is", async () => {
    assertEquals(await feed.tags.list(), ["x"]);
  });

  it("reads events over the borders of chunks, up to [DONE], if `stream` is true", async () => {
    const { chat } = feed;
    const events = await itemsOf(chat.create({ text: "Hi", stream: true }));
    assertEquals(events.map(({ data }) => data), [
      { delta: "Hel" },
      { delta: "lo" },
    ]);
    assertEquals(await chat.create({ text: "Hi" }), { text: "Hello" });
    assertEquals(await chat.create({ text: "Hi", stream: false }), {
      text: "Hello",
    });
  });

  it("reads the events that the document names, and throws that of an error", async () => {
    const seen: object[] = [];
    let thrown: unknown;
    try {
      for await (const event of feed.chat.watch()) seen.push(event);
    } catch (error) {
      thrown = error;
    }
    assertEquals(seen.map((each): object => ({ ...each, id: undefined, retry: undefined })), [
      { event: "step", data: { delta: "one" }, id: undefined, retry: undefined },
      { event: "done", data: { steps: 1 }, id: undefined, retry: undefined },
    ]);
    assert(thrown instanceof APIError);
    assertEquals(thrown.data, { code: "too-late" });
  });

  it("reads events of text, and drops the last one if it is not finished", async () => {
    const events = await itemsOf(feed.chat.ticks());
    assertEquals(events.map(({ data }) => data), ["one", "two"]);
  });

  it("reads lines of JSON, alone or in place of JSON", async () => {
    const { rows } = feed;
    const names = [{ name: "Ada" }, { name: "Bo" }];
    assertEquals(await itemsOf(rows.readLog()), names);
    const [lines, sent] = await sentBy(() => itemsOf(rows.export({ stream: true })));
    assertEquals([lines, sent], [names, ["GET /export"]]);
    assertEquals(await rows.export(), [{ name: "Ada" }]);
  });

  it("returns bytes as a response whose body was not read, or saves them", async () => {
    const { files } = feed;
    const response = await files.download("a.zip");
    assertEquals(response.bodyUsed, false);
    assertEquals(await response.text(), "first second");
    let text = "";
    const target = new WritableStream<Uint8Array>({
      write: (chunk) => void (text += new TextDecoder().decode(chunk)),
    });
    const saved = await files.download("a.zip", { format: saveTo(target) });
    assertEquals([text, saved.transferred], [
      "first second",
      12,
    ]);
  });
});
