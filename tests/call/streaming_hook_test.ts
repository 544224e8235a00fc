/** Tests of `_respErrorCheck` for responses that are returned unread. */
import { assert, assertEquals, assertRejects, it } from "#test";
import type { APISession } from "../../src/client/session.ts";
import { TransportError } from "../../src/errors/transport_error.ts";
import { describeGenerations } from "../support/generations.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { scripted } from "../support/scripted.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { turn } from "../support/until.ts";

const encode = (text: string) => new TextEncoder().encode(text);

/** A body that yields its chunks on demand, counts them, and then ends, fails or stays open. */
function source(chunks: readonly string[], end: "close" | "fail" | "stay" = "close") {
  const seen = { pulls: 0, isCancelled: false };
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = chunks[seen.pulls++];
      if (chunk !== undefined) return controller.enqueue(encode(chunk));
      if (end === "close") controller.close();
      if (end === "fail") controller.error(new TypeError("terminated"));
    },
    cancel: () => void (seen.isCancelled = true),
  }, { highWaterMark: 0 });
  return { response: new Response(body, { headers: { "x-id": "7" } }), seen };
}

describeGenerations("the hook for a success status and a response that is returned unread", ({
  Session,
}) => {
  /** Creates a session with the hook. */
  function start(
    response: Response,
    check: (response: Response) => Response | Promise<Response>,
  ): APISession {
    class Checked extends Session {
      protected override _respErrorCheck(given: Response): Response | Promise<Response> {
        return check(given);
      }
    }
    return new Checked({
      url: "https://a.example",
      adapter: scripted(() => response),
      clock: fakeClock({ autoAdvance: true }),
      logger: recordingLogger(),
      retries: 0,
      finalWait: false,
    });
  }

  it("does not read a body that the hook does not read", async () => {
    const { response, seen } = source(["a", "b"], "stay");
    const returned = await start(response, (given) => given).get("x");
    await turn();
    assertEquals(seen.pulls, 0);
    assert(returned === response);
    await returned.body?.cancel();
    assert(seen.isCancelled);
  });

  it("shows the hook the status and the headers", async () => {
    const { response } = source(["a"]);
    const shown: unknown[] = [];
    const session = start(response, (given) => {
      shown.push(given.status, given.headers.get("x-id"));
      return given;
    });
    await (await session.get("x")).text();
    assertEquals(shown, [200, "7"]);
  });

  it("returns the whole body again if the hook reads all of it", async () => {
    const { response, seen } = source(["hel", "lo"]);
    const session = start(response, async (given) => {
      assertEquals(await given.text(), "hello");
      return given;
    });
    const returned = await session.get("x");
    assertEquals([returned.bodyUsed, returned.headers.get("x-id")], [false, "7"]);
    assertEquals(await returned.text(), "hello");
    assertEquals(seen.pulls, 3);
  });

  it("returns the whole body if the hook reads its beginning, and does not read the rest", async () => {
    const { response, seen } = source(["a", "b", "c", "d"]);
    const session = start(response, async (given) => {
      const reader = given.body!.getReader();
      await reader.read();
      await reader.read();
      reader.releaseLock();
      return given;
    });
    const returned = await session.get("x");
    assertEquals(seen.pulls, 2);
    assertEquals(await returned.text(), "abcd");
  });

  it("returns the whole body if the hook cancels it", async () => {
    const { response, seen } = source(["a", "b"]);
    const session = start(response, async (given) => {
      const reader = given.body!.getReader();
      await reader.read();
      await reader.cancel();
      return given;
    });
    assertEquals(await (await session.get("x")).text(), "ab");
    assertEquals(seen.isCancelled, false);
  });

  it("cancels the rest if the caller does, after the hook has read the beginning", async () => {
    const { response, seen } = source(["a", "b"], "stay");
    const session = start(response, async (given) => {
      const reader = given.body!.getReader();
      await reader.read();
      reader.releaseLock();
      return given;
    });
    await (await session.get("x")).body?.cancel();
    assert(seen.isCancelled);
  });

  it("accepts a response without a body", async () => {
    const response = new Response(null, { status: 204 });
    const returned = await start(response, async (given) => {
      await given.text();
      return given;
    }).get("x");
    assertEquals([returned.status, await returned.text()], [204, ""]);
  });

  it("frees the connection of a response that the hook replaces", async () => {
    const { response, seen } = source(["a"], "stay");
    const other = new Response("other");
    assert(await start(response, () => other).get("x") === other);
    await turn();
    assert(seen.isCancelled);
  });

  it("frees the connection if the hook throws", async () => {
    for (const isRead of [false, true]) {
      const { response, seen } = source(["a"], "stay");
      const refused = new Error("the body reports an error");
      const session = start(response, async (given) => {
        if (isRead) await given.body!.getReader().read();
        throw refused;
      });
      assert(await assertRejects(() => session.get("x")) === refused);
      await turn();
      assert(seen.isCancelled);
    }
  });

  it("rejects with a TransportError if the body breaks off while the hook reads it", async () => {
    const { response } = source(["a"], "fail");
    const session = start(response, async (given) => {
      await given.text();
      return given;
    });
    const error = await assertRejects(() => session.get("x"), TransportError);
    assertEquals(error.request, { method: "GET", url: "https://a.example/x" });
  });

  it("returns a body that breaks off with a TransportError after the part that the hook read", async () => {
    const { response } = source(["a"], "fail");
    const session = start(response, async (given) => {
      const reader = given.body!.getReader();
      await reader.read();
      reader.releaseLock();
      return given;
    });
    const returned = await session.get("x");
    await assertRejects(() => returned.text(), TransportError);
  });

  it("hands on the chunks of a server that is not done yet", async () => {
    let finish: (() => void) | undefined;
    const server: TestServer = await startServer((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("data: 1\n\n");
      finish = () => void response.end("data: 2\n\n");
    });
    try {
      class Checked extends Session {
        protected override _respErrorCheck(given: Response): Response {
          return given;
        }
      }
      const session = new Checked({ url: server.url, logger: null, retries: 0 });
      const reader = (await session.get("events")).body!.getReader();
      const first = await reader.read();
      assertEquals(new TextDecoder().decode(first.value), "data: 1\n\n");
      finish!();
      let rest = "";
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        rest += new TextDecoder().decode(next.value);
      }
      assertEquals(rest, "data: 2\n\n");
    } finally {
      await server.stop();
    }
  });
});
