import { brotliCompressSync, gzipSync } from "node:zlib";
import { assertEquals, assertInstanceOf, assertRejects, describe, it } from "#test";
import { APISession, NotFoundError, type SessionOptions, TransportError } from "../../mod.ts";
import { detectRuntime } from "../../src/base/runtime.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { describeGenerations } from "../support/generations.ts";
import { startRawServer } from "../support/raw_server.ts";
import type { RawAnswer } from "../support/raw_server.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { startServer } from "../support/server.ts";

// Rows of the tables in docs/runtimes.md.

const runtime = detectRuntime().name;

/** Runs a test with a server, and stops the server. */
async function withServer(
  answer: Parameters<typeof startServer>[0],
  run: (session: APISession) => Promise<void>,
): Promise<void> {
  const server = await startServer(answer);
  try {
    await run(new APISession({ url: server.url, retries: 0, finalWait: false }));
  } finally {
    await server.stop();
  }
}

describe("a compressed body that ends early", () => {
  const whole = JSON.stringify(Array.from({ length: 3000 }, (_, index) => index * 7919 % 1009));
  const codings = { gzip: gzipSync(whole), br: brotliCompressSync(whole) };

  for (const [coding, compressed] of Object.entries(codings)) {
    it(`causes a TransportError: ${coding}`, async () => {
      const cut = compressed.subarray(0, Math.floor(compressed.length * 0.7));
      await withServer(
        (_request, response) =>
          void response.writeHead(200, { "Content-Encoding": coding, "Content-Length": cut.length })
            .end(cut),
        async (session) => {
          await assertRejects(() => session.get("", { convJson: true }), TransportError);
          await assertRejects(async () => await (await session.get("")).text(), Error);
        },
      );
    });
  }
});

/** Answers with the content type of the request as JSON. */
const showContentType: Parameters<typeof startServer>[0] = (request, response) => {
  request.resume();
  response.end(JSON.stringify(request.headers["content-type"] ?? null));
};

describe("the content type of a text body", () => {
  it("is text/plain on Deno and Node, and missing on Bun", async () => {
    await withServer(
      showContentType,
      async (session) => {
        const type = await session.post("", { content: "hello", convJson: true });
        assertEquals(type, runtime === "Bun" ? null : "text/plain;charset=UTF-8");
      },
    );
  });

  it("is the one that the call sets, on every runtime", async () => {
    await withServer(
      showContentType,
      async (session) => {
        const headers = { "Content-Type": "text/csv" };
        const type = await session.post("", { content: "a,b", headers, convJson: true });
        assertEquals(type, "text/csv");
      },
    );
  });
});

describeGenerations("a response that one runtime's fetch handles badly", ({ Session }) => {
  function start(options: SessionOptions = {}) {
    const log = recordingLogger();
    const defaults = {
      url: "https://a.example",
      logger: log,
      clock: fakeClock({ autoAdvance: true }),
      retries: 1,
    };
    return { session: new Session({ ...defaults, ...options }), log };
  }

  /** Runs a test with a server that writes bytes, and stops the server. */
  async function serving(answer: RawAnswer, use: (url: string) => Promise<void>): Promise<void> {
    const server = await startRawServer(answer);
    try {
      await use(server.url);
    } finally {
      await server.stop();
    }
  }

  it("keeps its status with a reason phrase beyond Latin-1 (Node)", async () => {
    await serving(
      (socket) => void socket.end("HTTP/1.1 404 未找到\r\nContent-Length: 2\r\n\r\nhi"),
      async (url) => {
        const error = await assertRejects(() => start({ url }).session.get("x"), Error);
        assertInstanceOf(error, NotFoundError);
      },
    );
  });

  it("does not end the process with status 407 and a reason phrase beyond Latin-1 (Node)", async () => {
    await serving(
      (socket) => void socket.end("HTTP/1.1 407 需要\r\nContent-Length: 2\r\n\r\nhi"),
      async (url) => {
        const error = await assertRejects(() => start({ url }).session.get("x"), Error);
        assertEquals(error.name, "ProxyAuthenticationError");
      },
    );
  });

  it("causes a TransportError if its compressed body cannot be inflated (Deno)", async () => {
    const whole = gzipSync(Buffer.from(JSON.stringify({ a: "b".repeat(5000) })));
    const cut = Buffer.concat([whole.subarray(0, whole.length - 8), Buffer.alloc(8)]);
    const head =
      `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${cut.length}\r\n\r\n`;
    await serving(
      (socket) => void socket.end(Buffer.concat([Buffer.from(head), cut])),
      async (url) => {
        const error = await assertRejects(
          () => start({ url }).session.get("x", { convJson: true }),
          Error,
        );
        assertInstanceOf(error, TransportError);
      },
    );
  });
});
