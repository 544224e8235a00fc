import {
  afterEach,
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  beforeEach,
  describe,
  it,
} from "#test";
import { APISession, DeadlineExceededError, ServerError, type SessionOptions } from "../../mod.ts";
import { ServiceUnavailableError } from "../../src/entries/errors.ts";
import { IncomingResponse } from "../../src/http/incoming_response.ts";
import { ERROR_BODY_LIMIT, ERROR_BODY_SECONDS } from "../../src/http/incoming_response.ts";
import { silentLogger } from "../../src/log/logger.ts";
import { type FakeClock, fakeClock } from "../../src/testing/fake_clock.ts";
import { stall, startRawServer } from "../support/raw_server.ts";
import { until } from "../support/until.ts";

/** Creates a response whose body comes in chunks. `cancelled` is true if the rest was cancelled. */
function chunked(chunks: readonly Uint8Array[], { ends = true, fails = false } = {}) {
  const state = { cancelled: false, pulled: 0 };
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = chunks[state.pulled++];
      if (chunk !== undefined) controller.enqueue(chunk);
      else if (fails) controller.error(new TypeError("terminated"));
      else if (ends) controller.close();
    },
    cancel: () => void (state.cancelled = true),
  }, { highWaterMark: 0 });
  return { state, response: new Response(body, { status: 500, statusText: "Oops" }) };
}

function bytes(length: number, filler = "a"): Uint8Array {
  return new Uint8Array(length).fill(filler.charCodeAt(0));
}

describe("the body of an error", () => {
  it("is read as text, and the response can be read again", async () => {
    const { response } = chunked([bytes(2), bytes(3, "b")]);
    const read = await new IncomingResponse(response, undefined).errorBody();
    assertEquals(read.text, "aabbb");
    assertEquals([read.response.status, read.response.statusText], [500, "Oops"]);
    assertEquals(await read.response.text(), "aabbb");
  });

  it("is an empty string if there is no body", async () => {
    const read = await new IncomingResponse(new Response(null, { status: 500 }), undefined)
      .errorBody();
    assertEquals([read.text, await read.response.text()], ["", ""]);
  });

  // contract: decision-23
  it("is kept up to 1 MiB, and the rest is cancelled, which frees the socket", async () => {
    assertEquals(ERROR_BODY_LIMIT, 1_048_576);
    const { state, response } = chunked(Array.from({ length: 100 }, () => bytes(100_000)));
    const read = await new IncomingResponse(response, undefined).errorBody();
    assertEquals(read.text.length, ERROR_BODY_LIMIT);
    assertEquals((await read.response.arrayBuffer()).byteLength, ERROR_BODY_LIMIT);
    assert(state.cancelled, "the rest is cancelled");
    assertEquals(state.pulled, 11, "no more is read than is kept");
  });

  it("does not delay the error if it never ends", async () => {
    const { state, response } = chunked([bytes(ERROR_BODY_LIMIT)], { ends: false });
    assertEquals(
      (await new IncomingResponse(response, undefined).errorBody()).text.length,
      ERROR_BODY_LIMIT,
    );
    assert(state.cancelled);
  });

  it("is complete at exactly 1 MiB, and truncated from one byte more", async () => {
    for (const extra of [-1, 0, 1]) {
      const { response } = chunked([bytes(ERROR_BODY_LIMIT + extra)]);
      const { text } = await new IncomingResponse(response, undefined).errorBody();
      assertEquals(text.length, ERROR_BODY_LIMIT + Math.min(extra, 0));
    }
  });

  it("is kept up to the point where the connection broke", async () => {
    const { response } = chunked([bytes(3)], { fails: true });
    const read = await new IncomingResponse(response, undefined).errorBody();
    assertEquals([read.text, await read.response.text()], ["aaa", "aaa"]);
  });

  it("can be read as text if it is truncated within a character", async () => {
    const { response } = chunked([bytes(ERROR_BODY_LIMIT - 1), new TextEncoder().encode("€")]);
    const { text } = await new IncomingResponse(response, undefined).errorBody();
    assertStringIncludes(text.slice(-4), "aaa");
    assert(!text.includes("€"));
  });

  const charsets: readonly (readonly [string, string | undefined, readonly number[], string])[] = [
    ["no content type", undefined, [0xe2, 0x82, 0xac], "€"],
    ["no charset", "text/plain", [0xe2, 0x82, 0xac], "€"],
    ["utf-8", "text/plain; charset=utf-8", [0xe2, 0x82, 0xac], "€"],
    ["a charset in quotes", 'text/plain; charset="iso-8859-1"', [0xe9], "é"],
    ["a charset in upper case", "text/plain;CHARSET=ISO-8859-1", [0xe9], "é"],
    ["a charset after another parameter", "text/plain; a=b;charset=latin1", [0xe9], "é"],
    ["a charset before another parameter", "text/plain; charset=latin1; a=b", [0xe9], "é"],
    ["windows-1251", "text/html; charset=windows-1251", [0xcf], "П"],
    ["utf-16le", "text/html; charset=utf-16le", [0xac, 0x20], "€"],
    ["shift_jis", "text/html; charset=shift_jis", [0x83, 0x65], "テ"],
    ["an unknown charset", "text/html; charset=klingon", [0xe2, 0x82, 0xac], "€"],
    ["an empty charset", "text/html; charset=", [0xe2, 0x82, 0xac], "€"],
    ["bytes that are invalid in the charset", "text/html; charset=utf-8", [0x61, 0xff], "a\ufffd"],
  ];
  for (const [what, type, content, text] of charsets) {
    it(`is decoded with the charset of the content type: ${what}`, async () => {
      const headers: HeadersInit = type === undefined ? {} : { "content-type": type };
      const response = new Response(new Uint8Array(content), { status: 500, headers });
      const read = await new IncomingResponse(response, undefined).errorBody();
      assertEquals(read.text, text);
      assertEquals(new Uint8Array(await read.response.arrayBuffer()), new Uint8Array(content));
      assertEquals(read.response.headers.get("content-type"), type ?? null);
    });
  }
});

describe("the body of an error that does not end", () => {
  const { setTimeout: original } = globalThis;
  // The runtime's own clock measures the first second. Other timers are those of the runtime itself.
  beforeEach(() => {
    globalThis.setTimeout = ((...args: Parameters<typeof original>) => {
      const [run, milliseconds] = args;
      return milliseconds === 1000 ? original(run, 0) : original(...args);
    }) as typeof original;
  });
  afterEach(() => void (globalThis.setTimeout = original));

  /** Starts a session whose server never ends the body of its response. */
  function start(clock: FakeClock, options: SessionOptions = {}) {
    let requests = 0;
    const adapter = () => {
      requests++;
      const body = new ReadableStream({
        start: (controller) => controller.enqueue(bytes(2)),
        cancel: () => new Promise(() => {}),
      });
      return Promise.resolve(new Response(body, { status: options.retries ? 503 : 500 }));
    };
    const own = { url: "https://a.example", adapter, clock, logger: silentLogger };
    return { session: new APISession({ ...own, ...options }), count: () => requests };
  }

  it("is waited for for 30 seconds, then the error has the part that arrived", async () => {
    assertEquals(ERROR_BODY_SECONDS, 30);
    for (const options of [{}, { signal: new AbortController().signal }]) {
      const clock = fakeClock();
      let isOver = false;
      const call = assertRejects(() => start(clock, options).session.get("x"), ServerError);
      call.then(() => void (isOver = true));
      await until(() => clock.pending === 1);
      await clock.advance(28);
      assert(!isOver);
      await clock.advance(1);
      const error = await call;
      assertEquals([error.body, await error.response.text()], ["aa", "aa"]);
      assertEquals(clock.pending, 0);
    }
  });

  it("does not keep a request from being retried", async () => {
    const clock = fakeClock({ autoAdvance: true });
    const { session, count } = start(clock, { retries: 2 });
    await assertRejects(() => session.get("x"), ServiceUnavailableError);
    assertEquals([count(), clock.waits], [3, [29, 1, 29, 2, 29]]);
  });

  it("is limited by the timeout or the deadline instead, if there is one", async () => {
    const clock = fakeClock({ autoAdvance: true });
    await assertRejects(() => start(clock, { timeout: 60 }).session.get("x"), ServerError);
    const limited = start(clock, { deadline: 90 });
    await assertRejects(() => limited.session.get("x"), DeadlineExceededError);
    assertEquals(clock.waits.filter((wait) => wait < 60), []);
  });

  it("is cancelled on a connection of the runtime", async () => {
    const head = "HTTP/1.1 500 Oops\r\nContent-Length: 9\r\n\r\n";
    const server = await startRawServer(stall(`${head}part`));
    try {
      const clock = fakeClock({ autoAdvance: true });
      const session = new APISession({ url: server.url, clock, logger: silentLogger });
      const error = await assertRejects(() => session.get("x"), ServerError);
      assertEquals(error.body, "part");
      await server.hungUp();
    } finally {
      await server.stop();
    }
  });
});
