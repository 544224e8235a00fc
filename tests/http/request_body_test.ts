import { assert, assertEquals, assertRejects, describe, it } from "#test";
import { UnexpectedValueError } from "../../src/errors/unexpected_value_error.ts";
import { isUnlockedStream } from "../../src/http/request_body.ts";
import { oneShotBody, openedBody } from "../support/bodies.ts";
import {
  type BodyStream,
  isReplayable,
  type RequestBody,
  type UploadBody,
  uploadBodyOf,
} from "../../src/http/request_body.ts";

const hello = new TextEncoder().encode("hello");

/** What fetch would send. */
async function sent(source: UploadBody): Promise<string> {
  const body = source.open();
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

describe("whether a body can be sent again", () => {
  const bodies: readonly (readonly [string, RequestBody, boolean])[] = [
    ["none", { kind: "none" }, true],
    ["a text", { kind: "whole", content: "hello" }, true],
    ["a function that opens a stream", openedBody(() => stream()), true],
    ["a stream", oneShotBody(stream()), false],
    ["an async iterable", oneShotBody(chunks()), false],
  ];
  for (const [what, body, isIt] of bodies) {
    it(`${isIt ? "yes" : "no"}: ${what}`, () => assertEquals(isReplayable(body), isIt));
  }
});

describe("a stream that nobody reads yet", () => {
  const locked = stream("a");
  locked.getReader();
  const values: readonly (readonly [string, unknown, boolean])[] = [
    ["a stream", stream("a"), true],
    ["an async generator", chunks("a"), true],
    ["an object with an async iterator", { [Symbol.asyncIterator]: () => chunks() }, true],
    ["a stream that somebody reads", locked, false],
    ["a text", "hello", false],
    ["bytes", hello, false],
    ["a list", [hello], false],
    ["a function", () => stream(), false],
    ["null", null, false],
    ["undefined", undefined, false],
  ];
  for (const [what, value, isIt] of values) {
    it(`${isIt ? "is" : "is not"} ${what}`, () => assertEquals(isUnlockedStream(value), isIt));
  }
});

describe("the source of a body", () => {
  it("none gives nothing, and what is whole is given as it is, each time", () => {
    assertEquals(uploadBodyOf({ kind: "none" }).open(), undefined);
    for (const content of ["", "hello", hello, new Blob(["hello"]), new FormData()]) {
      const source = uploadBodyOf({ kind: "whole", content });
      assert(source.open() === content && source.open() === content);
    }
  });

  const once: readonly (readonly [string, () => BodyStream])[] = [
    ["a stream", () => stream("hel", "", "lo")],
    ["an async generator", () => chunks("hel", "", "lo")],
  ];
  for (const [what, make] of once) {
    it(`${what} is sent chunk by chunk`, async () => {
      assertEquals(await sent(uploadBodyOf(oneShotBody(make()))), "hello");
    });

    it(`${what} is opened anew each time, where a function opens it`, async () => {
      let opened = 0;
      const open = () => {
        opened++;
        return make();
      };
      const source = uploadBodyOf(openedBody(open));
      assertEquals([await sent(source), await sent(source), opened], ["hello", "hello", 2]);
      assertEquals(source.failure, undefined);
    });
  }

  it("nothing is read of a stream before fetch asks for it", async () => {
    let asked = 0;
    const content = { [Symbol.asyncIterator]: () => ({ next: () => fetchNext() }) };
    const fetchNext = () => Promise.resolve({ done: asked++ > 0, value: hello } as const);
    const body = uploadBodyOf(oneShotBody(content as BodyStream)).open();
    assertInstanceOfStream(body);
    assert(asked <= 1, `${asked} chunks asked for`);
    assertEquals(await new Response(body).text(), "hello");
  });

  it("a stream that is given up is given up at its source, with the reason", async () => {
    const reasons: unknown[] = [];
    const given = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(hello),
      cancel: (reason) => void reasons.push(reason),
    });
    const body = uploadBodyOf(oneShotBody(given)).open();
    assertInstanceOfStream(body);
    await body.cancel("enough");
    assertEquals(reasons, ["enough"]);
  });

  it("a generator that is given up runs its finally block", async () => {
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

  it("why the caller's stream failed is remembered, whatever it failed with", async () => {
    for (const reason of [new TypeError("terminated"), "a text", undefined, null, 0]) {
      const broken = new ReadableStream<Uint8Array>({
        pull: (controller) => controller.error(reason),
      });
      const source = uploadBodyOf(oneShotBody(broken));
      assertEquals(source.failure, undefined);
      await assertRejects(() => sent(source));
      assert(source.failure !== undefined && source.failure.error === reason);
    }
  });

  it("what the function that opens it raises is remembered too", () => {
    const mistake = new Error("no such file");
    const source = uploadBodyOf(openedBody(() => {
      throw mistake;
    }));
    let raised: unknown;
    try {
      source.open();
    } catch (error) {
      raised = error;
    }
    assert(raised === mistake && source.failure?.error === mistake);
  });

  for (const opened of ["hello", null, undefined, 7, {}, hello, Promise.resolve(stream())]) {
    it(`bad input: a function that opens no stream is told so: ${describeOpened(opened)}`, () => {
      const source = uploadBodyOf(openedBody(() => opened as never));
      let raised: unknown;
      try {
        source.open();
      } catch (error) {
        raised = error;
      }
      assert(raised instanceof UnexpectedValueError && raised.option === "content");
      assert(source.failure?.error === raised);
    });
  }

  it("bad input: a stream that is opened twice is refused at the second time", async () => {
    const same = stream("hello");
    const source = uploadBodyOf(openedBody(() => same));
    assertEquals(await sent(source), "hello");
    await assertRejects(async () => await sent(source), UnexpectedValueError);
  });
});

function describeOpened(value: unknown): string {
  return typeof value === "object" && value !== null ? value.constructor.name : String(value);
}

function assertInstanceOfStream(body: unknown): asserts body is ReadableStream<Uint8Array> {
  assert(body instanceof ReadableStream);
}
