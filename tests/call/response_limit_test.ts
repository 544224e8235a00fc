/** Tests of `maxResponseBytes`. */
import { constants, createGzip, gzipSync } from "node:zlib";
import { assert, assertEquals, assertInstanceOf, assertRejects, it } from "#test";
import { model, string } from "../../src/models/mod.ts";
import { element } from "../../src/models/mod.ts";
import { APIError, type SessionOptions, TransportError, UnexpectedValueError } from "../../mod.ts";
import { ResponseTooLargeError } from "../../src/errors/mod.ts";
import { describeGenerations } from "../support/generations.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { startRawServer } from "../support/raw_server.ts";
import { scripted } from "../support/scripted.ts";
import { startServer } from "../support/server.ts";

class Note extends model("note", { to: element(string) }) {}

/** A body that never ends. */
function endless() {
  const seen = { bytes: 0, isCancelled: false };
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      seen.bytes += 1000;
      controller.enqueue(new Uint8Array(1000).fill(32));
    },
    cancel: () => void (seen.isCancelled = true),
  }, { highWaterMark: 0 });
  return { body, seen };
}

describeGenerations("maxResponseBytes", ({ Session }) => {
  function start(adapter: ReturnType<typeof scripted>, options: SessionOptions = {}) {
    const own = { clock: fakeClock({ autoAdvance: true }), logger: recordingLogger() };
    return new Session({ url: "https://a.example", adapter, ...own, ...options });
  }

  const conversions = [
    ["JSON", { convJson: true }],
    ["a box", { box: true }],
    ["a model", { responseModel: Note }],
    ["JSON with a timeout", { convJson: true, timeout: 5 }],
  ] as const;
  for (const [what, options] of conversions) {
    it(`stops reading an endless body that is converted to ${what}`, async () => {
      const { body, seen } = endless();
      const headers = { "content-type": "application/json" };
      const adapter = scripted(() => new Response(body, { headers }));
      const session = start(adapter, { maxResponseBytes: 5000 });
      const error = await assertRejects(
        () => session.get("x", options as { convJson: true }),
        ResponseTooLargeError,
      );
      assertEquals([error.limit, error.status, error.request?.url], [
        5000,
        200,
        "https://a.example/x",
      ]);
      assert(seen.bytes <= 7000, `${seen.bytes} bytes were read`);
      assert(seen.isCancelled);
      assertEquals(adapter.calls.length, 1); // it is not retried
    });
  }

  const wrappers: readonly (readonly [string, (body: BodyInit) => Response])[] = [
    ["without a length", (body) => new Response(body)],
    ["with a small length", (body) => new Response(body, { headers: { "content-length": "9" } })],
    ["with a small length, a URL and a type", (body) => {
      const response = new Response(body, { headers: { "content-length": "9" } });
      Object.defineProperty(response, "type", { value: "basic" });
      return Object.defineProperty(response, "url", { value: "https://a.example/x" });
    }],
  ];
  for (const [what, wrap] of wrappers) {
    it(`stops reading a body that a transport has wrapped ${what}`, async () => {
      for (const [limit, size] of [[5000, 1000], [undefined, 2 ** 24]] as const) {
        const chunk = new Uint8Array(size).fill(32);
        let chunks = 0;
        const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
          pull(controller) {
            if (chunks++ < 20) controller.enqueue(chunk);
            else controller.close();
          },
        }, { highWaterMark: 0 });
        const session = start(scripted(() => wrap(body)), { maxResponseBytes: limit });
        await assertRejects(() => session.get("x", { convJson: true }), ResponseTooLargeError);
        assert(chunks < 20, `${chunks} chunks of ${size} bytes were read`);
      }
    });
  }

  it("accepts a body of exactly the limit, and rejects one byte more", async () => {
    const json = JSON.stringify("é".repeat(4)); // 10 bytes
    for (const timeout of [null, 5]) {
      const options = { convJson: true, timeout } as const;
      const text = () => new Response(json);
      assertEquals(
        await start(scripted(text)).get("x", { ...options, maxResponseBytes: 10 }),
        "éééé",
      );
      const session = start(scripted(text));
      await assertRejects(
        () => session.get("x", { ...options, maxResponseBytes: 9 }),
        ResponseTooLargeError,
      );
    }
  });

  it("is set by the class, the session and the call", async () => {
    class Small extends Session {
      static override readonly maxResponseBytes: number = 3;
    }
    const adapter = scripted(() => new Response("[1,2]"));
    const options = { url: "https://a.example", adapter };
    const call = { convJson: true } as const;
    await assertRejects(() => new Small(options).get("x", call), ResponseTooLargeError);
    const large = new Small({ ...options, maxResponseBytes: 5 });
    assertEquals(await large.get("x", call), [1, 2]);
    await assertRejects(
      () => large.get("x", { ...call, maxResponseBytes: 4 }),
      ResponseTooLargeError,
    );
    assertEquals(await large.get("x", { ...call, maxResponseBytes: null }), [1, 2]);
  });

  it("accepts a body of 0 bytes with a limit of 0", async () => {
    const session = start(scripted(() => new Response("")), { maxResponseBytes: 0 });
    assertEquals(await session.get("x", { convJson: true }), null);
  });

  it("does not limit a response that is returned unread", async () => {
    const session = start(scripted(() => new Response("long")), { maxResponseBytes: 1 });
    assertEquals(await (await session.get("x")).text(), "long");
  });

  it("does not limit the body of an error, of which 1 MiB is kept", async () => {
    const session = start(scripted(() => new Response("long", { status: 404 })), {
      maxResponseBytes: 1,
    });
    const error = await assertRejects(() => session.get("x", { convJson: true }), APIError);
    assertEquals(error.body, "long");
  });

  it("limits a response that a hook returns instead", async () => {
    const { body, seen } = endless();
    class Checked extends Session {
      protected override _respErrorCheck(): Response {
        return new Response(body);
      }
    }
    const adapter = scripted(200);
    const session = new Checked({ url: "https://a.example", adapter, maxResponseBytes: 5000 });
    await assertRejects(() => session.get("x", { convJson: true }), ResponseTooLargeError);
    assert(seen.isCancelled);
  });

  it("has a message with the remedy", async () => {
    const session = start(scripted(() => new Response("long")), { maxResponseBytes: 1 });
    const error = await assertRejects(() => session.get("x", { convJson: true }));
    assertEquals(
      (error as Error).message,
      "the response to GET https://a.example/x is longer than maxResponseBytes (1 bytes); raise the " +
        "limit, or read the response as a stream, without a conversion",
    );
  });

  for (const value of [-1, 1.5, NaN, -Infinity, "1", true]) {
    it(`rejects ${value} as ${typeof value}`, () => {
      const wrong = value as unknown as number;
      assertRejectsOption(() => start(scripted(200), { maxResponseBytes: wrong }));
    });
  }

  function assertRejectsOption(run: () => unknown): void {
    try {
      run();
    } catch (error) {
      assertInstanceOf(error, UnexpectedValueError);
      assertEquals(error.option, "maxResponseBytes");
      return;
    }
    throw new Error("the option was accepted");
  }

  // Node's fetch refuses such a response.
  it("stops reading a body in chunks, even if the server also sends a small length", async () => {
    const chunk = `100000\r\n${" ".repeat(2 ** 20)}\r\n`;
    let left = 64;
    const server = await startRawServer((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n");
      const write = () => {
        if (left-- === 0) socket.end("0\r\n\r\n");
        else if (!socket.destroyed) socket.write(chunk, () => write());
      };
      write();
    });
    try {
      const own = { logger: null, retries: 0, finalWait: false };
      const session = new Session({ url: server.url, maxResponseBytes: 2 ** 20, ...own });
      const error = await assertRejects(() => session.get("x", { convJson: true }));
      assert(error instanceof ResponseTooLargeError || error instanceof TransportError);
      assert(left > 0, "all of it was read");
    } finally {
      await server.stop();
    }
  });

  it("counts after decompression: 1 GB of blanks in 1 MB is not held in memory", async () => {
    const server = await startServer((_, response) => {
      const gzip = createGzip({ level: constants.Z_BEST_SPEED });
      response.writeHead(200, {
        "content-type": "application/json",
        "content-encoding": "gzip",
      });
      gzip.pipe(response);
      const blanks = new Uint8Array(2 ** 20).fill(32);
      let left = 1024;
      const write = () => {
        while (left-- > 0) {
          if (!gzip.write(blanks)) return void gzip.once("drain", write);
        }
        gzip.end();
      };
      response.on("close", () => gzip.destroy());
      response.on("error", () => {});
      write();
    });
    try {
      const session = new Session({ url: server.url, logger: null, maxResponseBytes: 2 ** 22 });
      const error = await assertRejects(
        () => session.get("x", { convJson: true }),
        ResponseTooLargeError,
      );
      assertEquals("body" in error, false);
    } finally {
      await server.stop();
    }
  });

  it("counts after decompression, even if the server sends the length of the compressed body", async () => {
    const body = gzipSync(new Uint8Array(2 ** 20).fill(32));
    const server = await startServer((_, response) => {
      response.writeHead(200, {
        "content-type": "application/json",
        "content-encoding": "gzip",
        "content-length": body.length,
      });
      response.end(body);
    });
    try {
      for (const timeout of [null, 60]) {
        const session = new Session({ url: server.url, logger: null, timeout });
        const options = { convJson: true, maxResponseBytes: 2 ** 19 } as const;
        await assertRejects(() => session.get("x", options), ResponseTooLargeError);
      }
    } finally {
      await server.stop();
    }
  });
});
