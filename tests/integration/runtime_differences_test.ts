import { gzipSync } from "node:zlib";
import { assert, assertEquals, assertRejects, describe, it } from "#test";
import { APISession, TransportError } from "../../mod.ts";
import { detectRuntime } from "../../src/runtime.ts";
import { startServer } from "../support/server.ts";

// Rows of the table "Where runtimes differ" in the README.

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

describe("a gzip body that ends early", () => {
  const whole = JSON.stringify(Array.from({ length: 3000 }, (_, index) => index * 7919 % 1009));
  const compressed = gzipSync(whole);
  const cut = compressed.subarray(0, Math.floor(compressed.length * 0.7));

  it("is read as far as it goes on Node, and is a TransportError on Deno and Bun", async () => {
    await withServer(
      (_request, response) =>
        void response.writeHead(200, { "Content-Encoding": "gzip", "Content-Length": cut.length })
          .end(cut),
      async (session) => {
        if (runtime === "Node") {
          const text = await (await session.get("")).text();
          assert(text.length < whole.length && whole.startsWith(text));
        } else await assertRejects(() => session.get("", { convJson: true }), TransportError);
      },
    );
  });
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

  it("is the one that the call gives, everywhere", async () => {
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
