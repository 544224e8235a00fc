import { writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import {
  after,
  assert,
  assertEquals,
  assertRejects,
  assertThrows,
  before,
  describe,
  it,
} from "#test";
import {
  APIError,
  APISession,
  type SessionOptions,
  TransportError,
  UnexpectedValueError,
} from "../../../mod.ts";
import type { Transport, TransportInit } from "../../../src/http/mod.ts";
import { sse } from "../../../src/streams/mod.ts";
import {
  type CassetteData,
  CassetteError,
  type CassetteOptions,
  fakeClock,
  type MatchRules,
  type MockReplies,
  type MockReply,
  type MockTransport,
  mockTransport,
  openCassette,
  replies,
  silentLogger,
} from "../../../src/testing/mod.ts";
import { type CassetteFolder, cassetteFolder } from "../../support/cassette_folder.ts";
import { startServer } from "../../support/server.ts";

const url = "https://api.example.com";

function sessionOn(fetch: Transport, options: SessionOptions = {}): APISession {
  const clock = fakeClock({ autoAdvance: true });
  return new APISession({ url, fetch, clock, logger: silentLogger, ...options });
}

const init: TransportInit = { method: "GET", headers: {}, redirect: "manual" };

/** A transport that fails, since a replay must send nothing. */
const network: Transport = (address) => {
  throw new Error(`${address} was sent`);
};

describe("a cassette", () => {
  let folder: CassetteFolder;
  before(async () => {
    folder = await cassetteFolder();
  });
  after(() => folder.remove());

  /** Runs a function while a cassette records, and again while it replays. */
  async function recordAndReplay<T>(
    routes: Readonly<Record<string, MockReply | MockReplies>>,
    use: (session: APISession) => Promise<T>,
    options: CassetteOptions = {},
    sessionOptions: SessionOptions = {},
  ): Promise<{ recorded: T; replayed: T; data: CassetteData; mock: MockTransport }> {
    const file = folder.file(`${crypto.randomUUID()}.json`);
    const mock = mockTransport(routes);
    const recording = await openCassette(file, { ...options, mode: "record", fetch: mock });
    const recorded = await use(sessionOn(recording, sessionOptions));
    const data = await recording.save();
    const replaying = await openCassette(file, { ...options, fetch: network });
    const replayed = await use(sessionOn(replaying, sessionOptions));
    replaying.assertDone();
    return { recorded, replayed, data, mock };
  }

  describe("that replays", () => {
    it("returns what was recorded, and sends nothing", async () => {
      const { recorded, replayed, mock } = await recordAndReplay({
        "GET /books/7": Response.json({ id: 7 }, { status: 203, headers: { "x-id": "r-1" } }),
        "POST /books": 201,
        "GET /text": new Response("a\nb\n"),
        "GET /empty": new Response(""),
        "GET /bytes": new Response(new Uint8Array([0, 255, 1])),
        "DELETE /books/7": 204,
      }, async (session) => {
        const book = await session.get("books/7");
        const made = await session.post("books", { json: { title: "Indigo" } });
        return [
          [book.status, book.headers.get("x-id"), book.url, await book.json()],
          [made.status, await made.text()],
          await (await session.get("text")).text(),
          await (await session.get("empty")).text(),
          [...new Uint8Array(await (await session.get("bytes")).arrayBuffer())],
          (await session.delete("books/7")).body,
        ];
      });

      // A mock has no URL, but fetch has one.
      const [, status, , body] = ["", 203, "", { id: 7 }];
      assertEquals(recorded[0], [status, "r-1", "", body]);
      assertEquals(replayed[0], [status, "r-1", `${url}/books/7`, body]);
      assertEquals(replayed.slice(1), recorded.slice(1));
      assertEquals(mock.calls.length, 6);
    });

    it("replays equal requests in order, each once", async () => {
      const { recorded, replayed } = await recordAndReplay({
        "GET /jobs/1": replies({ state: "new" }, { state: "busy" }, { state: "done" }),
        "GET /other": { state: "other" },
      }, async (session) => {
        const states: unknown[] = [];
        for (const path of ["jobs/1", "other", "jobs/1", "jobs/1"]) {
          states.push(await session.get(path, { convJson: true }));
        }
        return states;
      });

      assertEquals(recorded.map((each) => Object(each).state), ["new", "other", "busy", "done"]);
      assertEquals(replayed, recorded);
    });

    it("does not depend on the order of different requests, or on how many are sent at once", async () => {
      const use = async (session: APISession, ids: readonly number[]) => {
        const bodies = ids.map((id) => session.get<unknown>(`books/${id}`, { convJson: true }));
        return await Promise.all(bodies);
      };
      const file = folder.file("order.json");
      const mock = mockTransport({ "GET /books/:id": ({ pathParams }) => ({ ...pathParams }) });
      const recording = await openCassette(file, { mode: "record", fetch: mock });
      await use(sessionOn(recording), [1, 2, 3]);
      const { interactions } = await recording.save();

      const replayed = await use(sessionOn(await openCassette(file)), [3, 1, 2]);

      assertEquals(replayed, [{ id: "3" }, { id: "1" }, { id: "2" }]);
      assertEquals(interactions.map(({ request }) => request.url.slice(-1)), ["1", "2", "3"]);
    });

    it("replays each attempt of a call, and each redirect, but no lost connection", async () => {
      const lost = new TransportError("cut", { kind: "reset" });
      const { replayed, data } = await recordAndReplay({
        "GET /busy": replies(503, lost, { ok: true }),
        "GET /old": new Response("moved", { status: 302, headers: { location: "/new" } }),
        "GET /new": { is: "new" },
      }, async (session) => {
        const busy = await session.get<unknown>("busy", { convJson: true });
        const moved = await session.get("old");
        return [busy, moved.redirected, moved.url, await moved.json()];
      });

      assertEquals(replayed, [{ ok: true }, true, `${url}/new`, { is: "new" }]);
      assertEquals(data.interactions.map(({ response }) => response.status), [503, 200, 302, 200]);
    });

    it("puts values of the request back into the response", async () => {
      const { recorded, replayed, data } = await recordAndReplay({
        "POST /a": ({ headers, json }) => ({
          key: headers["idempotency-key"],
          next: `${url}/a?cursor=${headers["x-own"]}`,
          pin: Object(json).pin,
        }),
      }, async (session) => {
        const [id, own] = [crypto.randomUUID(), crypto.randomUUID()];
        const headers = { "Idempotency-Key": id, "X-Own": own };
        const json = { pin: crypto.getRandomValues(new Uint16Array(1))[0]! + 10_000 };
        const received = await session.post<unknown>("a", { headers, json, convJson: true });
        return { sent: { key: id, next: `${url}/a?cursor=${own}`, ...json }, received };
      }, { redactFields: ["pin"] });

      assertEquals(replayed.received, replayed.sent);
      assert(replayed.sent.key !== recorded.sent.key, "each run has a key of its own");
      assert(!JSON.stringify(data).includes(recorded.sent.key));
    });

    it("returns the secrets of a recording that was not redacted, and saves none of them", async () => {
      const secret = "token-8c4d-5e0a";
      const recording = {
        version: 1,
        interactions: [{
          request: {
            method: "POST",
            url: `${url}/login`,
            headers: {},
            json: { password: "p-4711" },
          },
          response: {
            status: 201,
            headers: { "x-auth-token": secret, "set-cookie": `sid=${secret}` },
            json: { access_token: secret, id: 4711, pin: 123456 },
          },
        }],
      } as const;
      const cassette = await openCassette(recording, { redactFields: ["pin"] });
      const session = sessionOn(cassette);

      const response = await session.post("login", { json: { password: "another" } });
      assertEquals(response.headers.get("x-auth-token"), secret);
      assertEquals(response.headers.getSetCookie(), [`sid=${secret}`]);
      assertEquals(await response.json(), { access_token: secret, id: 4711, pin: 123456 });
      const error = await assertRejects(
        () => session.post("login", { json: { password: "x" } }),
        CassetteError,
      );
      assertEquals(error.closest?.json, { password: "REDACTED-1" });
      assert(!JSON.stringify(await cassette.save()).includes(secret));
    });

    it("prefers the recording with the same secrets, if several have the rest", async () => {
      const interactions = ["a", "b", "c"].map((token) => ({
        request: { method: "GET", url: `${url}/books?token=${token}-1a2b`, headers: {} },
        response: { status: 200, headers: {}, text: token },
      }));
      const session = sessionOn(await openCassette({ version: 1, interactions }));
      const read = async (token: string) =>
        await (await session.get("books", { params: { token } })).text();

      assertEquals(await read("c-1a2b"), "c");
      assertEquals(await read("another"), "a");
      assertEquals(await read("b-1a2b"), "b");
    });

    it("throws the errors of statuses, with their bodies", async () => {
      const { recorded, replayed } = await recordAndReplay({
        "GET /books/9": Response.json({ title: "no such book" }, { status: 404 }),
      }, async (session) => {
        const error = await assertRejects(() => session.get("books/9"), APIError);
        return [error.message, error.status, error.data];
      });
      assertEquals(replayed, recorded);
    });

    it("fails at once if a request is aborted", async () => {
      const cassette = await openCassette({ version: 1, interactions: [] }, {
        mode: "record",
        fetch: mockTransport({ "GET /": 200 }),
      });
      await cassette(`${url}/`, init);
      const replaying = await openCassette(await cassette.save());
      const reason = new Error("changed my mind");

      const error = await assertRejects(() =>
        replaying(`${url}/`, { ...init, signal: AbortSignal.abort(reason) })
      );

      assert(error === reason);
      assertEquals(replaying.unused.length, 1);
    });

    it("fails if all recordings are used, unless it may repeat the last one", async () => {
      const data: CassetteData = {
        version: 1,
        interactions: ["first", "last"].map((text) => ({
          request: { method: "GET", url: `${url}/a`, headers: {} },
          response: { status: 200, headers: {}, text },
        })),
      };
      const read = async (options: CassetteOptions) => {
        const session = sessionOn(await openCassette(data, options));
        const texts: string[] = [];
        for (let count = 0; count < 4; count++) texts.push(await (await session.get("a")).text());
        return texts;
      };

      assertEquals(await read({ allowRepeats: true }), ["first", "last", "last", "last"]);
      const error = await assertRejects(() => read({}), CassetteError);
      assertEquals(error.reason, "used");
      assertEquals(
        error.message,
        `all recordings of GET ${url}/a in the value are used (2): record again, or set ` +
          "allowRepeats: true",
      );
    });

    it("reports the recordings that were not used, and the requests without one", async () => {
      const recorded = { method: "GET", url: `${url}/a`, headers: {} };
      const cassette = await openCassette({
        version: 1,
        interactions: [{ request: recorded, response: { status: 200, headers: {} } }],
      });
      await assertRejects(() => cassette(`${url}/b`, init), CassetteError);

      assertEquals(cassette.unused, [recorded]);
      const error = assertThrows(() => cassette.assertDone(), CassetteError);
      assertEquals(error.reason, "unused");
      assertEquals(error.message.split("\n").slice(1), [
        `  GET ${url}/a: was not replayed`,
        `  GET ${url}/b: has no recording`,
      ]);
      await cassette(`${url}/a`, init);
      assertEquals(cassette.unused, []);
    });

    it("writes nothing", async () => {
      const file = folder.file("untouched.json");
      const text = '{"version":1,"interactions":[]}';
      await writeFile(file, text);
      const cassette = await openCassette(file);

      await cassette.save();

      assertEquals((await folder.texts())["untouched.json"], text);
    });
  });

  describe("that records", () => {
    it("writes readable JSON that is the same each time", async () => {
      const routes = {
        "POST /books": Response.json({ id: 8, price: 1.5 }, {
          headers: {
            "content-length": "21",
            "content-type": "application/json",
            date: "Sun, 22 Nov 2026 12:00:00 GMT",
          },
        }),
        "GET /a.txt": () =>
          new Response("one\ntwo\n", { headers: { "content-type": "text/plain" } }),
      };
      const use = async (session: APISession) => {
        await session.post("books", { json: { title: "Indigo" }, params: { draft: true } });
        await session.get("a.txt");
      };
      await recordAndReplay(routes, use, {});
      const texts: string[] = [];
      for (let round = 0; round < 2; round++) {
        const file = folder.file("stable.json");
        const cassette = await openCassette(file, { mode: "record", fetch: mockTransport(routes) });
        await use(sessionOn(cassette));
        await cassette.save();
        texts.push((await folder.texts())["stable.json"]!);
      }

      assertEquals(texts[0], texts[1]);
      assert(texts[0]!.endsWith("}\n"));
      assertEquals(JSON.parse(texts[0]!), {
        version: 1,
        interactions: [{
          request: {
            method: "POST",
            url: `${url}/books?draft=true`,
            headers: { "content-type": "application/json" },
            json: { title: "Indigo" },
          },
          response: {
            status: 200,
            headers: { "content-length": "20", "content-type": "application/json" },
            json: { id: 8, price: 1.5 },
          },
        }, {
          request: { method: "GET", url: `${url}/a.txt`, headers: {} },
          response: {
            status: 200,
            headers: { "content-type": "text/plain" },
            text: ["one", "two", ""],
          },
        }],
      });
    });

    it("leaves the earlier recording as it is until it saves", async () => {
      const file = folder.file("kept.json");
      const mock = mockTransport({ "GET /a": { round: 1 } });
      const first = await openCassette(pathToFileURL(file), { mode: "record", fetch: mock });
      await sessionOn(first).get("a");
      await first.save();
      const { "kept.json": kept } = await folder.texts();

      const failing = await openCassette(file, { mode: "record", fetch: mock });
      await sessionOn(failing).get("a");

      const texts = await folder.texts();
      assertEquals(texts["kept.json"], kept);
      assertEquals(Object.keys(texts).filter((name) => name.endsWith(".tmp")), []);
    });

    it("replays if there is a recording, and records if there is none", async () => {
      const file = folder.file("new/folder/either.json");
      const mock = mockTransport({ "GET /a": replies({ round: 1 }) });
      const rounds: unknown[] = [];
      for (let round = 0; round < 2; round++) {
        const mode = "replay-or-record";
        const cassette = await openCassette(file, { mode, fetch: mock });
        rounds.push(cassette.isRecording);
        rounds.push(await sessionOn(cassette).get<unknown>("a", { convJson: true }));
        await cassette.save();
      }
      assertEquals(rounds, [true, { round: 1 }, false, { round: 1 }]);

      const cassette = await openCassette(file, { mode: "replay-or-record", fetch: mock });
      await assertRejects(() => sessionOn(cassette).get("b"), CassetteError);
    });

    it("passes a stream on while it arrives, and records the part that was read", async () => {
      let isCancelled = false;
      const events = () => {
        let count = 0;
        const body = new ReadableStream<Uint8Array>({
          pull: (controller) =>
            controller.enqueue(new TextEncoder().encode(`data: ${++count}\n\n`)),
          cancel: () => void (isCancelled = true),
        }, { highWaterMark: 0 });
        return new Response(body, { headers: { "content-type": "text/event-stream" } });
      };
      const { recorded, replayed, data } = await recordAndReplay(
        { "GET /events": events },
        async (session) => {
          const seen: string[] = [];
          for await (const { data } of await session.get("events", { format: sse() })) {
            seen.push(data);
            if (seen.length === 3) break;
          }
          return seen;
        },
      );

      assertEquals(recorded, ["1", "2", "3"]);
      assertEquals(replayed, recorded);
      assert(isCancelled);
      assertEquals(data.interactions[0]?.response.text?.slice(0, 2), ["data: 1", ""]);
    });

    it("sends a stream as it is, and records it", async () => {
      const use = async (session: APISession) => {
        const chunks = ["one ", "two"].map((text) => new TextEncoder().encode(text));
        const content = async function* () {
          yield* chunks;
        };
        return await (await session.put("a.txt", { content: () => content() })).text();
      };
      const { recorded, replayed, data } = await recordAndReplay(
        { "PUT /a.txt": ({ text }) => new Response(`${text}!`) },
        use,
      );

      assertEquals([recorded, replayed], ["one two!", "one two!"]);
      assertEquals(data.interactions[0]?.request.text, "one two");
    });

    it("records a body that nobody has read", async () => {
      const { replayed, data } = await recordAndReplay(
        { "GET /a": { id: 7 } },
        async (session) => (await session.get("a")).status,
      );

      assertEquals(replayed, 200);
      assertEquals(data.interactions[0]?.response.json, { id: 7 });
    });

    it("does not record a response whose body breaks off", async () => {
      const broken = () => {
        const body = new ReadableStream({
          pull(controller) {
            controller.error(new TransportError("cut", { kind: "reset" }));
          },
        }, { highWaterMark: 0 });
        return new Response(body);
      };
      const { recorded, replayed, data } = await recordAndReplay(
        { "GET /a": replies(broken, { id: 7 }) },
        (session) => session.get<unknown>("a", { convJson: true }),
      );

      assertEquals([recorded, replayed], [{ id: 7 }, { id: 7 }]);
      assertEquals(data.interactions.length, 1);
    });

    it("compares and writes multipart forms without their boundary", async () => {
      const use = async (session: APISession) => {
        const file = new File(["a\nb"], "a.txt", { type: "text/plain" });
        const response = await session.post("files", { data: { note: "n" }, files: { file } });
        return response.status;
      };
      const { replayed, data } = await recordAndReplay({ "POST /files": 201 }, use);

      assertEquals(replayed, 201);
      const { headers, parts } = data.interactions[0]!.request;
      assertEquals(headers["content-type"], "multipart/form-data");
      assertEquals(parts?.map(({ text }) => text), ["n", ["a", "b"]]);
    });

    it("uses fetch by default, and decodes compressed bodies", async () => {
      const server = await startServer((request, response) => {
        const zip = new Blob([`{"path":"${request.url}"}`]).stream();
        const encoded = new Response(zip.pipeThrough(new CompressionStream("gzip"))).arrayBuffer();
        encoded.then((bytes) => {
          const type = { "Content-Type": "application/json", "Content-Encoding": "gzip" };
          response.writeHead(200, { ...type, "Content-Length": bytes.byteLength });
          response.end(new Uint8Array(bytes));
        });
      });
      const file = folder.file("gzip.json");
      let recorded: unknown;
      try {
        const cassette = await openCassette(file, { mode: "record" });
        recorded = await sessionOn(cassette, { url: server.url }).get("a", { convJson: true });
        await cassette.save();
      } finally {
        await server.stop();
      }
      const cassette = await openCassette(file);
      const response = await sessionOn(cassette, { url: server.url }).get("a");

      const { interactions } = JSON.parse((await folder.texts())["gzip.json"]!);
      assertEquals(interactions[0].response.json, { path: "/a" });
      assertEquals(response.headers.get("content-encoding"), null);
      assertEquals(await response.json(), recorded);
    });
  });

  describe("that is opened", () => {
    it("asks for a recording if there is none", async () => {
      const file = folder.file("missing.json");
      const error = await assertRejects(() => openCassette(file), CassetteError);
      assertEquals(error.reason, "missing");
      assertEquals(
        error.message,
        `there is no cassette ${file}: record it with mode: "record", and call save() at the end`,
      );
    });

    const request = { method: "GET", url, headers: {} };
    const response = { status: 200, headers: {} };
    const withResponse = (changed: object) => [{ request, response: { ...response, ...changed } }];
    const malformed: readonly (readonly [unknown, string])[] = [
      ["no JSON", "is not JSON"],
      ["[]", "it must be an object"],
      [{ version: 2, interactions: [] }, "version must be 1"],
      [{ version: 1 }, "interactions must be an array"],
      [{ version: 1, interactions: [{}] }, "interactions[0].request must be an object"],
      [
        { version: 1, interactions: [{ request: { ...request, url: "/a" }, response }] },
        "interactions[0].request.url must be a full URL",
      ],
      [{ version: 1, interactions: withResponse({ status: "200" }) }, "response.status must be"],
      [{ version: 1, interactions: withResponse({ headers: [] }) }, "response.headers must be"],
      [{ version: 1, interactions: withResponse({ base64: "?" }) }, "base64 must be a string"],
      [{ version: 1, interactions: withResponse({ text: 1 }) }, "text must be a string or"],
      [
        { version: 1, interactions: withResponse({ text: "", json: 1 }) },
        "response must be an object with only one of json and text",
      ],
      [{ log: { entries: [] } }, "a HAR must be read with readHar()"],
    ];
    for (const [content, problem] of malformed) {
      it(`refuses what is not a cassette, with the place: ${problem}`, async () => {
        const file = folder.file("malformed.json");
        await writeFile(file, typeof content === "string" ? content : JSON.stringify(content));

        const error = await assertRejects(() => openCassette(file), CassetteError);

        assertEquals(error.reason, "invalid");
        assert(error.message.startsWith(file), error.message);
        assert(error.message.includes(problem), error.message);
      });
    }

    const wrong: readonly (readonly [CassetteOptions, string])[] = [
      [{ mode: "all" as "record" }, "mode"],
      [{ fetch: 1 as unknown as Transport }, "fetch"],
      [{ redactFields: [1] as unknown as string[] }, "redactFields[0]"],
      [{ redactPaths: ["reset"] }, "redactPaths[0]"],
      [{ secrets: { "a b": "x" } }, "secrets.a b"],
      [{ secrets: { key: "" } }, "secrets.key"],
      [{ match: { ignore: "x" as unknown as string[] } }, "match.ignore"],
      [{ match: { body: 1 as unknown as boolean } }, "match.body"],
      [{ match: { bodies: false } as MatchRules }, "match.bodies"],
      [{ redactField: ["pin"] } as CassetteOptions, "redactField"],
    ];
    for (const [options, option] of wrong) {
      it(`refuses an option that is not valid: ${option}`, async () => {
        const error = await assertRejects(
          () => openCassette({ version: 1, interactions: [] }, options),
          UnexpectedValueError,
        );
        assertEquals(error.option, option);
      });
    }

    it("refuses a URL that is not one of a file", async () => {
      const error = await assertRejects(() => openCassette(new URL(url)), UnexpectedValueError);
      assertEquals(error.option, "source");
    });
  });
});
