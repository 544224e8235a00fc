import { assert, assertEquals, assertStringIncludes, describe, it } from "#test";
import { IncomingResponse } from "../../src/http/response.ts";
import { ERROR_BODY_LIMIT } from "../../src/http/response.ts";

/** A response whose body comes in chunks; `cancelled` tells whether the rest was let go. */
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

  it("none is an empty text", async () => {
    const read = await new IncomingResponse(new Response(null, { status: 500 }), undefined)
      .errorBody();
    assertEquals([read.text, await read.response.text()], ["", ""]);
  });

  // contract: decision-23
  it("is kept up to 1 MiB, and the rest is cancelled, so that its socket is free", async () => {
    assertEquals(ERROR_BODY_LIMIT, 1_048_576);
    const { state, response } = chunked(Array.from({ length: 100 }, () => bytes(100_000)));
    const read = await new IncomingResponse(response, undefined).errorBody();
    assertEquals(read.text.length, ERROR_BODY_LIMIT);
    assertEquals((await read.response.arrayBuffer()).byteLength, ERROR_BODY_LIMIT);
    assert(state.cancelled, "the rest is cancelled");
    assertEquals(state.pulled, 11, "no more is read than is kept");
  });

  it("that never ends does not hold the error up", async () => {
    const { state, response } = chunked([bytes(ERROR_BODY_LIMIT)], { ends: false });
    assertEquals(
      (await new IncomingResponse(response, undefined).errorBody()).text.length,
      ERROR_BODY_LIMIT,
    );
    assert(state.cancelled);
  });

  it("of exactly 1 MiB is whole, and of one byte more is cut", async () => {
    for (const extra of [-1, 0, 1]) {
      const { response } = chunked([bytes(ERROR_BODY_LIMIT + extra)]);
      const { text } = await new IncomingResponse(response, undefined).errorBody();
      assertEquals(text.length, ERROR_BODY_LIMIT + Math.min(extra, 0));
    }
  });

  it("that breaks off is kept as far as it came", async () => {
    const { response } = chunked([bytes(3)], { fails: true });
    const read = await new IncomingResponse(response, undefined).errorBody();
    assertEquals([read.text, await read.response.text()], ["aaa", "aaa"]);
  });

  it("that is cut within a character is still text", async () => {
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
    ["a charset behind another parameter", "text/plain; a=b;charset=latin1", [0xe9], "é"],
    ["a charset before another parameter", "text/plain; charset=latin1; a=b", [0xe9], "é"],
    ["windows-1251", "text/html; charset=windows-1251", [0xcf], "П"],
    ["utf-16le", "text/html; charset=utf-16le", [0xac, 0x20], "€"],
    ["shift_jis", "text/html; charset=shift_jis", [0x83, 0x65], "テ"],
    ["a charset that nobody knows", "text/html; charset=klingon", [0xe2, 0x82, 0xac], "€"],
    ["an empty charset", "text/html; charset=", [0xe2, 0x82, 0xac], "€"],
    ["bytes that are none of the charset's", "text/html; charset=utf-8", [0x61, 0xff], "a\ufffd"],
  ];
  for (const [what, type, given, text] of charsets) {
    it(`is read by the charset that the content type names: ${what}`, async () => {
      const headers: HeadersInit = type === undefined ? {} : { "content-type": type };
      const response = new Response(new Uint8Array(given), { status: 500, headers });
      const read = await new IncomingResponse(response, undefined).errorBody();
      assertEquals(read.text, text);
      assertEquals(new Uint8Array(await read.response.arrayBuffer()), new Uint8Array(given));
      assertEquals(read.response.headers.get("content-type"), type ?? null);
    });
  }
});
