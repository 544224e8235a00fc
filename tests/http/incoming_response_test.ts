import { assert, assertEquals, assertRejects, describe, it } from "#test";
import { TransportError } from "../../src/errors/transport_error.ts";
import { IncomingResponse, joined } from "../../src/http/response.ts";
import { AbortScope } from "../../src/http/abort.ts";
import { FakeClock } from "../support/fake_clock.ts";
import { turn } from "../support/until.ts";

const TIMEOUT = 10;

function bytes(...values: readonly number[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(values);
}

/** A response of chunks, and what became of it. */
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

function watching() {
  const clock = new FakeClock({ jumps: false });
  const controller = new AbortController();
  const scope = new AbortScope([controller.signal], undefined, clock);
  scope.startAttempt(TIMEOUT, (error) => error);
  return { clock, controller, scope };
}

const ways: readonly (readonly [string, () => AbortScope | undefined])[] = [
  ["that nothing can abort", () => undefined],
  ["that can be aborted", () => watching().scope],
];

for (const [how, scope] of ways) {
  describe(`a response ${how}`, () => {
    const texts: readonly (readonly [string, readonly Uint8Array[], string])[] = [
      ["several chunks", [bytes(0x61), bytes(0x62, 0x63)], "abc"],
      ["a character across two chunks", [bytes(0xe2, 0x82), bytes(0xac)], "€"],
      ["a byte order mark, which is left out", [bytes(0xef, 0xbb, 0xbf, 0x61)], "a"],
      ["what is no UTF-8", [bytes(0x61, 0xff)], "a\ufffd"],
      ["an empty chunk in between", [bytes(0x61), bytes(), bytes(0x62)], "ab"],
      ["no chunk", [], ""],
    ];
    for (const [what, chunks, text] of texts) {
      it(`is read as text: ${what}`, async () => {
        assertEquals(await new IncomingResponse(chunked(chunks).response, scope()).text(), text);
      });
    }

    it("is read as bytes, which stay what they are", async () => {
      const { response } = chunked([bytes(0, 255), bytes(), bytes(128, 10)]);
      assertEquals(await new IncomingResponse(response, scope()).bytes(), bytes(0, 255, 128, 10));
    });

    it("without a body is an empty text and no bytes, and is handed over as it is", async () => {
      const bare = () => new Response(null, { status: 204 });
      assertEquals(await new IncomingResponse(bare(), scope()).text(), "");
      assertEquals((await new IncomingResponse(bare(), scope()).bytes()).length, 0);
      const response = bare();
      assert(new IncomingResponse(response, scope()).toResponse() === response);
    });

    it("is handed over with its body unread", async () => {
      const { state, response } = chunked([bytes(0x61)]);
      const given = new IncomingResponse(response, scope()).toResponse();
      assertEquals([given.bodyUsed, state.pulled], [false, 0]);
      assertEquals(await given.text(), "a");
    });

    it("that breaks off rejects, and what came before was taken", async () => {
      for (const read of ["text", "bytes"] as const) {
        const { response } = chunked([bytes(0x61)], "fail");
        await assertRejects(
          () => new IncomingResponse(response, scope())[read](),
          TypeError,
          "terminated",
        );
      }
      const taken: Uint8Array[] = [];
      const { response } = chunked([bytes(0x61)], "fail");
      const arrival = new IncomingResponse(response, scope());
      await assertRejects(() => arrival.read(9, taken), TypeError);
      assertEquals(joined(taken), bytes(0x61));
    });

    it("is read up to the limit, and what is beyond it is cancelled", async () => {
      const { state, response } = chunked([bytes(1, 2), bytes(3, 4), bytes(5)], "stall");
      const taken: Uint8Array[] = [];
      await new IncomingResponse(response, scope()).read(3, taken);
      assertEquals([joined(taken), state.cancelled, state.pulled], [bytes(1, 2, 3, 4), true, 2]);
    });

    it("with a limit of 0 is not read at all, and is cancelled", async () => {
      const { state, response } = chunked([bytes(1)]);
      const taken: Uint8Array[] = [];
      await new IncomingResponse(response, scope()).read(0, taken);
      assertEquals(taken, []);
      assertEquals(state, { cancelled: true, pulled: 0 });
    });

    it("is cancelled where what takes the chunks fails", async () => {
      const { state, response } = chunked([bytes(1), bytes(2)]);
      const arrival = new IncomingResponse(response, scope());
      const full: Uint8Array[] = [];
      Object.freeze(full);
      await assertRejects(() => arrival.read(9, full), TypeError);
      assertEquals(state.cancelled, true);
    });
  });
}

describe("a watched response that the toolkit reads", () => {
  it("that is read to its end leaves no timer", async () => {
    for (const read of ["text", "bytes"] as const) {
      const { clock, scope } = watching();
      await new IncomingResponse(chunked([bytes(1), bytes(2)]).response, scope)[read]();
      assertEquals(clock.pending, 0);
    }
  });

  it("that stalls fails with a transport error, and its source is cancelled", async () => {
    const { clock, scope } = watching();
    const { state, response } = chunked([bytes(1)], "stall");
    const text = new IncomingResponse(response, scope).text();
    text.catch(() => {});
    await turn();
    clock.advance(1.25 * TIMEOUT);
    const error = await assertRejects(() => text, TransportError);
    assertEquals([error.kind, state.cancelled, clock.pending], ["timeout", true, 0]);
  });

  it("that trickles passes", async () => {
    const { clock, scope } = watching();
    let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>({ start: (given) => void (controller = given) });
    const text = new IncomingResponse(new Response(body), scope).text();
    for (let chunk = 0; chunk < 20; chunk++) {
      await turn();
      clock.advance(0.99 * TIMEOUT);
      controller?.enqueue(bytes(0x61));
    }
    controller?.close();
    assertEquals([await text, clock.pending], ["a".repeat(20), 0]);
  });

  it("an abort ends the reading at once with its reason, and cancels the source", async () => {
    const { clock, controller, scope } = watching();
    const { state, response } = chunked([bytes(1)], "stall");
    const read = new IncomingResponse(response, scope).bytes();
    read.catch(() => {});
    await turn();
    controller.abort("changed my mind");
    assertEquals(await assertRejects(() => read), "changed my mind");
    assertEquals([state.cancelled, clock.pending], [true, 0]);
  });

  it("an abort before the reading begins ends it as well", async () => {
    const { controller, scope } = watching();
    const { state, response } = chunked([bytes(1)]);
    controller.abort("changed my mind");
    assertEquals(
      await assertRejects(() => new IncomingResponse(response, scope).text()),
      "changed my mind",
    );
    assertEquals(state.cancelled, true);
  });
});

describe("chunks as one", () => {
  it("are joined in order, none and empty ones included", () => {
    assertEquals(joined([]), bytes());
    assertEquals(joined([bytes(), bytes(1, 2), bytes(), bytes(3)]), bytes(1, 2, 3));
  });
});
