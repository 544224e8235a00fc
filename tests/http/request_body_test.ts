import { assert, assertEquals, assertRejects, describe, it } from "#test";
import { UnexpectedValueError } from "../../src/errors/unexpected_value_error.ts";
import { isUnlockedStream } from "../../src/http/request_body.ts";
import { oneShotBody, openedBody } from "../support/bodies.ts";
import { turn } from "../support/until.ts";
import {
  type BodyStream,
  isReplayable,
  type RequestBody,
  type UploadBody,
  uploadBodyOf,
} from "../../src/http/request_body.ts";

const hello = new TextEncoder().encode("hello");

/** Returns the text that fetch would send. */
async function sent(upload: UploadBody): Promise<string> {
  const body = upload.open();
  return body === undefined ? "" : await new Response(body).text();
}

async function* chunks(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield await Promise.resolve(new TextEncoder().encode(text));
}

function stream(...texts: readonly string[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const text of texts) controller.enqueue(new TextEncoder().encode(text));
      controller.close();
    },
  });
}

describe("isReplayable", () => {
  const bodies: readonly (readonly [string, RequestBody, boolean])[] = [
    ["no body", { kind: "none" }, true],
    ["a string", { kind: "whole", content: "hello" }, true],
    ["a function that opens a stream", openedBody(() => stream()), true],
    ["a stream", oneShotBody(stream()), false],
    ["an async iterable", oneShotBody(chunks()), false],
  ];
  for (const [what, body, expected] of bodies) {
    it(`returns ${expected} for ${what}`, () => assertEquals(isReplayable(body), expected));
  }
});

describe("isUnlockedStream", () => {
  const locked = stream("a");
  locked.getReader();
  const values: readonly (readonly [string, unknown, boolean])[] = [
    ["a stream", stream("a"), true],
    ["an async generator", chunks("a"), true],
    ["an object with an async iterator", { [Symbol.asyncIterator]: () => chunks() }, true],
    ["a locked stream", locked, false],
    ["a string", "hello", false],
    ["bytes", hello, false],
    ["a list", [hello], false],
    ["a function", () => stream(), false],
    ["null", null, false],
    ["undefined", undefined, false],
  ];
  for (const [what, value, expected] of values) {
    it(`returns ${expected} for ${what}`, () => assertEquals(isUnlockedStream(value), expected));
  }
});

describe("an upload body", () => {
  it("opens as undefined if there is no body, and as the same content each time if it is whole", () => {
    assertEquals(uploadBodyOf({ kind: "none" }).open(), undefined);
    for (const content of ["", "hello", hello, new Blob(["hello"]), new FormData()]) {
      const upload = uploadBodyOf({ kind: "whole", content });
      assert(upload.open() === content && upload.open() === content);
    }
  });

  const once: readonly (readonly [string, () => BodyStream])[] = [
    ["a stream", () => stream("hel", "", "lo")],
    ["an async generator", () => chunks("hel", "", "lo")],
  ];
  for (const [what, make] of once) {
    it(`is sent chunk by chunk from ${what}`, async () => {
      assertEquals(await sent(uploadBodyOf(oneShotBody(make()))), "hello");
    });

    it(`is opened again each time by a function that returns ${what}`, async () => {
      let opened = 0;
      const open = () => {
        opened++;
        return make();
      };
      const upload = uploadBodyOf(openedBody(open));
      assertEquals([await sent(upload), await sent(upload), opened], ["hello", "hello", 2]);
      assertEquals(upload.failure, undefined);
    });
  }

  it("does not read a stream before fetch asks for data", async () => {
    let asked = 0;
    const content = { [Symbol.asyncIterator]: () => ({ next: () => fetchNext() }) };
    const fetchNext = () => Promise.resolve({ done: asked++ > 0, value: hello } as const);
    const body = uploadBodyOf(oneShotBody(content as BodyStream)).open();
    assertInstanceOfStream(body);
    assert(asked <= 1, `${asked} chunks asked for`);
    assertEquals(await new Response(body).text(), "hello");
  });

  it("keeps a chunk for fetch when the stream uses its buffer again for the next one", async () => {
    async function* reusing(): AsyncGenerator<Uint8Array> {
      const buffer = new Uint8Array(3);
      for (const text of ["AAA", "BBB", "CCC"]) {
        new TextEncoder().encodeInto(text, buffer);
        yield await Promise.resolve(buffer);
      }
    }
    for (const body of [oneShotBody(reusing()), openedBody(reusing)]) {
      const stream = uploadBodyOf(body).open();
      assertInstanceOfStream(stream);
      const reader = stream.getReader();
      const first = await reader.read();
      const second = await reader.read();
      await turn();
      const texts = [first, second].map(({ value }) => new TextDecoder().decode(value));
      assertEquals(texts, ["AAA", "BBB"]);
      await reader.cancel();
    }
  });

  it("cancels the caller's stream with the reason when it is cancelled", async () => {
    const reasons: unknown[] = [];
    const original = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(hello),
      cancel: (reason) => void reasons.push(reason),
    });
    const body = uploadBodyOf(oneShotBody(original)).open();
    assertInstanceOfStream(body);
    await body.cancel("enough");
    assertEquals(reasons, ["enough"]);
  });

  it("runs the finally block of a generator when it is cancelled", async () => {
    let isClosed = false;
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield await Promise.resolve(hello);
      } finally {
        isClosed = true;
      }
    }
    const body = uploadBodyOf(oneShotBody(endless())).open();
    assertInstanceOfStream(body);
    const reader = body.getReader();
    await reader.read();
    await reader.cancel();
    assert(isClosed);
  });

  it("remembers the error of the caller's stream, whatever its type", async () => {
    for (const reason of [new TypeError("terminated"), "a string", undefined, null, 0]) {
      const broken = new ReadableStream<Uint8Array>({
        pull: (controller) => controller.error(reason),
      });
      const upload = uploadBodyOf(oneShotBody(broken));
      assertEquals(upload.failure, undefined);
      await assertRejects(() => sent(upload));
      assert(upload.failure !== undefined && upload.failure.error === reason);
    }
  });

  const late: readonly (readonly [string, () => Promise<IteratorResult<Uint8Array>>])[] = [
    ["a chunk", () => Promise.resolve({ done: false, value: hello })],
    ["the end", () => Promise.resolve({ done: true, value: undefined })],
    ["an error", () => Promise.reject(new Error("the file is closed"))],
  ];
  for (const [what, settle] of late) {
    it(`does not remember ${what} that the caller's stream has after it was cancelled`, async () => {
      const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
      const { promise: cancelled, resolve: cancel } = Promise.withResolvers<void>();
      const content: AsyncIterable<Uint8Array> = {
        [Symbol.asyncIterator]: () => ({
          next: () => {
            ask();
            return cancelled.then(settle);
          },
        }),
      };
      const upload = uploadBodyOf(oneShotBody(content));
      const body = upload.open();
      assertInstanceOfStream(body);
      const reader = body.getReader();
      const read = reader.read();
      await asked;
      const closing = reader.cancel("the connection is lost");
      cancel();
      await Promise.all([read, closing]);
      await turn();
      assertEquals(upload.failure, undefined);
    });
  }

  it("remembers the error of a function that opens a stream", () => {
    const mistake = new Error("no such file");
    const upload = uploadBodyOf(openedBody(() => {
      throw mistake;
    }));
    let thrown: unknown;
    try {
      upload.open();
    } catch (error) {
      thrown = error;
    }
    assert(thrown === mistake && upload.failure?.error === mistake);
  });

  for (const opened of ["hello", null, undefined, 7, {}, hello, Promise.resolve(stream())]) {
    it(`bad input: a function that returns no stream is refused: ${describeOpened(opened)}`, () => {
      const upload = uploadBodyOf(openedBody(() => opened as never));
      let thrown: unknown;
      try {
        upload.open();
      } catch (error) {
        thrown = error;
      }
      assert(thrown instanceof UnexpectedValueError && thrown.option === "content");
      assert(upload.failure?.error === thrown);
    });
  }

  it("bad input: a function that returns the same stream twice is refused the second time", async () => {
    const same = stream("hello");
    const upload = uploadBodyOf(openedBody(() => same));
    assertEquals(await sent(upload), "hello");
    await assertRejects(async () => await sent(upload), UnexpectedValueError);
  });
});

function describeOpened(value: unknown): string {
  return typeof value === "object" && value !== null ? value.constructor.name : String(value);
}

function assertInstanceOfStream(body: unknown): asserts body is ReadableStream<Uint8Array> {
  assert(body instanceof ReadableStream);
}
