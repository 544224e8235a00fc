import { assert, assertEquals, assertRejects, describe, it } from "#test";
import { TransportError } from "../../src/errors/transport_error.ts";
import { IncomingResponse, joined } from "../../src/http/incoming_response.ts";
import { AbortScope } from "../../src/http/abort.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { turn } from "../support/until.ts";

const TIMEOUT = 10;

function bytes(...values: readonly number[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(values);
}

/** Creates a response of chunks. `state` records how much of it was read, and if it was cancelled. */
function chunked(chunks: readonly Uint8Array[], end: "close" | "stall" | "fail" = "close") {
  const state = { cancelled: false, pulled: 0 };
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const chunk = chunks[state.pulled++];
      if (chunk !== undefined) controller.enqueue(chunk);
      else if (end === "close") controller.close();
      else if (end === "fail") controller.error(new TypeError("terminated"));
      else await new Promise(() => {});
    },
    cancel: () => void (state.cancelled = true),
  }, { highWaterMark: 0 });
  return { state, response: new Response(body) };
}

function startScope() {
  const clock = fakeClock();
  const controller = new AbortController();
  const scope = new AbortScope([controller.signal], undefined, clock);
  scope.startAttempt(TIMEOUT, (error) => error);
  return { clock, controller, scope };
}

const ways: readonly (readonly [string, () => AbortScope | undefined])[] = [
  ["that cannot be aborted", () => undefined],
  ["that can be aborted", () => startScope().scope],
];

for (const [how, scope] of ways) {
  describe(`a response ${how}`, () => {
    const texts: readonly (readonly [string, readonly Uint8Array[], string])[] = [
      ["several chunks", [bytes(0x61), bytes(0x62, 0x63)], "abc"],
      ["a character across two chunks", [bytes(0xe2, 0x82), bytes(0xac)], "€"],
      ["a byte order mark, which is left out", [bytes(0xef, 0xbb, 0xbf, 0x61)], "a"],
      ["invalid UTF-8", [bytes(0x61, 0xff)], "a\ufffd"],
      ["an empty chunk in between", [bytes(0x61), bytes(), bytes(0x62)], "ab"],
      ["no chunk", [], ""],
    ];
    for (const [what, chunks, text] of texts) {
      it(`is read as text: ${what}`, async () => {
        const incoming = new IncomingResponse(chunked(chunks).response, scope());
        assertEquals((await incoming.readText()).body, text);
      });
    }

    it("is read as unchanged bytes", async () => {
      const { response } = chunked([bytes(0, 255), bytes(), bytes(128, 10)]);
      const read = await new IncomingResponse(response, scope()).readBytes();
      assertEquals(read, { response, body: bytes(0, 255, 128, 10) });
    });

    it("is an empty string and no bytes if it has no body, and is returned unchanged", async () => {
      const bare = () => new Response(null, { status: 204 });
      assertEquals((await new IncomingResponse(bare(), scope()).readText()).body, "");
      assertEquals((await new IncomingResponse(bare(), scope()).readBytes()).body.length, 0);
      const response = bare();
      assert(new IncomingResponse(response, scope()).toResponse() === response);
    });

    it("is returned with its body unread", async () => {
      const { state, response } = chunked([bytes(0x61)]);
      const returned = new IncomingResponse(response, scope()).toResponse();
      assertEquals([returned.bodyUsed, state.pulled], [false, 0]);
      assertEquals(await returned.text(), "a");
    });

    it("rejects if the connection breaks, and keeps the chunks before", async () => {
      for (const read of ["readText", "readBytes"] as const) {
        const { response } = chunked([bytes(0x61)], "fail");
        await assertRejects(
          () => new IncomingResponse(response, scope())[read](),
          TypeError,
          "terminated",
        );
      }
      const chunks: Uint8Array[] = [];
      const { response } = chunked([bytes(0x61)], "fail");
      const incoming = new IncomingResponse(response, scope());
      await assertRejects(() => incoming.read(9, chunks), TypeError);
      assertEquals(joined(chunks), bytes(0x61));
    });

    it("is read up to the limit, and the rest is cancelled", async () => {
      const { state, response } = chunked([bytes(1, 2), bytes(3, 4), bytes(5)], "stall");
      const chunks: Uint8Array[] = [];
      await new IncomingResponse(response, scope()).read(3, chunks);
      assertEquals([joined(chunks), state.cancelled, state.pulled], [bytes(1, 2, 3, 4), true, 2]);
    });

    it("is cancelled without being read if the limit is 0", async () => {
      const { state, response } = chunked([bytes(1)]);
      const chunks: Uint8Array[] = [];
      await new IncomingResponse(response, scope()).read(0, chunks);
      assertEquals(chunks, []);
      assertEquals(state, { cancelled: true, pulled: 0 });
    });

    it("is cancelled if storing the chunks fails", async () => {
      const { state, response } = chunked([bytes(1), bytes(2)]);
      const incoming = new IncomingResponse(response, scope());
      const full: Uint8Array[] = [];
      Object.freeze(full);
      await assertRejects(() => incoming.read(9, full), TypeError);
      assertEquals(state.cancelled, true);
    });
  });
}

describe("reading a response with an idle timeout", () => {
  it("leaves no timer at the end", async () => {
    for (const read of ["readText", "readBytes"] as const) {
      const { clock, scope } = startScope();
      await new IncomingResponse(chunked([bytes(1), bytes(2)]).response, scope)[read]();
      assertEquals(clock.pending, 0);
    }
  });

  it("fails with a TransportError if the body stalls, and cancels the source", async () => {
    const { clock, scope } = startScope();
    const { state, response } = chunked([bytes(1)], "stall");
    const text = new IncomingResponse(response, scope).readText();
    text.catch(() => {});
    await turn();
    await clock.advance(1.25 * TIMEOUT);
    const error = await assertRejects(() => text, TransportError);
    assertEquals([error.kind, state.cancelled, clock.pending], ["timeout", true, 0]);
  });

  it("succeeds if the body trickles", async () => {
    const { clock, scope } = startScope();
    let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>({
      start: (created) => void (controller = created),
    });
    const text = new IncomingResponse(new Response(body), scope).readText();
    for (let chunk = 0; chunk < 20; chunk++) {
      await turn();
      await clock.advance(0.99 * TIMEOUT);
      controller?.enqueue(bytes(0x61));
    }
    controller?.close();
    assertEquals([(await text).body, clock.pending], ["a".repeat(20), 0]);
  });

  it("ends at once with the reason of an abort, and cancels the source", async () => {
    const { clock, controller, scope } = startScope();
    const { state, response } = chunked([bytes(1)], "stall");
    const read = new IncomingResponse(response, scope).readBytes();
    read.catch(() => {});
    await turn();
    controller.abort("changed my mind");
    assertEquals(await assertRejects(() => read), "changed my mind");
    assertEquals([state.cancelled, clock.pending], [true, 0]);
  });

  it("ends with the reason of an abort that came before it", async () => {
    const { controller, scope } = startScope();
    const { state, response } = chunked([bytes(1)]);
    controller.abort("changed my mind");
    assertEquals(
      await assertRejects(() => new IncomingResponse(response, scope).readText()),
      "changed my mind",
    );
    assertEquals(state.cancelled, true);
  });
});

describe("joining chunks", () => {
  it("keeps their order, and accepts no chunks and empty ones", () => {
    assertEquals(joined([]), bytes());
    assertEquals(joined([bytes(), bytes(1, 2), bytes(), bytes(3)]), bytes(1, 2, 3));
  });
});
