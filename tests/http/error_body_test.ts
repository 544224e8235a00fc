import { assert, assertEquals, assertStringIncludes, describe, it } from "#test";
import { IncomingResponse } from "../../src/http/incoming_response.ts";
import { ERROR_BODY_LIMIT } from "../../src/http/incoming_response.ts";

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
