/** Tests of the streams of items of all formats: the end, back-pressure and aborts. */
import { assert, assertEquals, assertInstanceOf, describe, it } from "#test";
import { TransportError } from "../../mod.ts";
import { attr, integer, model } from "../../src/models/mod.ts";
import {
  type ItemStream,
  jsonArray,
  ndjson,
  sse,
  type StreamFormat,
  xmlRecords,
} from "../../src/streams/mod.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { countedBody, readAll, sessionOf } from "../support/streamed.ts";
import { turn } from "../support/until.ts";

class Item extends model("item", { id: attr(integer) }) {}

interface Format {
  readonly format: StreamFormat<ItemStream<unknown>>;
  readonly head: string;
  /** Returns the text of an item. */
  readonly item: (id: number) => string;
  /** The text of an item that cannot be decoded. */
  readonly broken: string;
}

const formats: Readonly<Record<string, Format>> = {
  sse: {
    format: sse({ json: true }),
    head: "",
    item: (id) => `data: ${id}\n\n`,
    broken: "data: {\n\n",
  },
  ndjson: { format: ndjson(), head: "", item: (id) => `${id}\n`, broken: "{\n" },
  jsonArray: { format: jsonArray("/a"), head: '{"a":[', item: (id) => `${id},`, broken: "x," },
  xmlRecords: {
    format: xmlRecords(Item),
    head: "<a>",
    item: (id) => `<item id="${id}"/>`,
    broken: '<item id="x"/>',
  },
};

/** Opens a stream of chunks with two items each, whose first ones have the ids 0, 2 and 4. */
async function openPairs(
  { format, head, item, broken }: Format,
  { brokenId }: { readonly brokenId?: number } = {},
) {
  const itemOrBroken = (id: number) => id === brokenId ? broken : item(id);
  const chunks = [0, 2, 4].map((id) => itemOrBroken(id) + itemOrBroken(id + 1));
  const { body, seen } = countedBody([head + chunks[0], chunks[1]!, chunks[2]!], "stay");
  const headers = { "content-type": "text/event-stream" };
  const stream = await sessionOf(() => new Response(body, { headers })).get("x", { format });
  return { stream, seen };
}

/** Returns the promises of some work to which it has not added a handler itself. */
function unhandledOf<T>(work: () => Promise<T>[]): Promise<T>[] {
  const handled = new Set<unknown>();
  const { then } = Promise.prototype;
  Promise.prototype.then = function (this: unknown, ...handlers: Parameters<typeof then>) {
    handled.add(this);
    return then.apply(this, handlers);
  } as typeof then;
  try {
    return work().filter((each) => !handled.has(each));
  } finally {
    Promise.prototype.then = then;
  }
}

/** Returns the number in an item of any of the formats. */
function idOf(item: unknown): unknown {
  const { data, id } = Object(item);
  return typeof item === "number" ? item : data ?? id;
}

/** Starts a session whose body yields items on demand, and never ends. */
function start({ head, item }: Format, end: "stay" | Error = "stay", count = Infinity) {
  const clock = fakeClock();
  const { body, seen } = countedBody(
    function* () {
      yield head + item(0);
      for (let id = 1; id < count; id++) yield item(id);
    }(),
    end,
  );
  const headers = { "content-type": "text/event-stream" };
  return { session: sessionOf(() => new Response(body, { headers }), { clock }), seen, clock };
}

for (const [name, each] of Object.entries(formats)) {
  const { format } = each;
  describe(`a stream of ${name}`, () => {
    it("reads only as much as the loop asks for", async () => {
      const { session, seen } = start(each);
      const stream = await session.get("x", { format });
      await turn();
      assertEquals(seen.pulls, 0);
      let count = 0;
      for await (const _ of stream) {
        await turn();
        assert(seen.pulls <= count + 1, `${seen.pulls} chunks for ${count} items`);
        if (++count === 10) break;
      }
    });

    it("cancels the body if the loop is left, by break or an error", async () => {
      for (const isThrown of [false, true]) {
        const { session, seen } = start(each);
        const stream = await session.get("x", { format });
        try {
          for await (const _ of stream) {
            if (isThrown) throw new Error("of the loop");
            break;
          }
        } catch (error) {
          assertEquals((error as Error).message, "of the loop");
        }
        assert(seen.isCancelled);
        assertEquals((await readAll(stream)).items, []);
      }
    });

    it("reads no further chunk if the loop is left within one", async () => {
      const { stream, seen } = await openPairs(each);
      const ids: unknown[] = [];
      for await (const item of stream) {
        ids.push(idOf(item));
        if (ids.length === 3) break;
      }
      assertEquals(ids, [0, 1, 2]);
      assertEquals(seen, { pulls: 2, isCancelled: true });
    });

    it("ends at once if it is cancelled within a chunk", async () => {
      const { stream, seen } = await openPairs(each);
      const ids: unknown[] = [];
      for await (const item of stream) {
        ids.push(idOf(item));
        if (ids.length === 3) stream.cancel();
      }
      assertEquals(ids, [0, 1, 2]);
      assertEquals(seen, { pulls: 2, isCancelled: true });
    });

    it("throws the error of an item after those before it in its chunk, and ends", async () => {
      for (const brokenId of [2, 3]) {
        const { stream, seen } = await openPairs(each, { brokenId });
        const { items, error } = await readAll(stream);
        assertEquals(items.map(idOf), [0, 1, 2].slice(0, brokenId));
        assertInstanceOf(error, Error);
        assert(error.message.includes(`item ${brokenId + 1} of the response`), error.message);
        assertEquals(seen, { pulls: 2, isCancelled: true });
        assertEquals(await readAll(stream), { items: [], error: undefined });
      }
    });

    it("answers calls of next and return in their order, also if they do not wait", async () => {
      const { stream, seen } = await openPairs(each);
      const items = stream[Symbol.asyncIterator]();
      const results = await Promise.all([items.next(), items.next(), items.next()]);
      assertEquals(results.map(({ value }) => idOf(value)), [0, 1, 2]);
      const calls = [items.next(), items.return!(), items.next()];
      const last = await Promise.all(calls);
      assertEquals(last.map(({ done, value }) => [done, idOf(value)]), [
        [false, 3],
        [true, undefined],
        [true, undefined],
      ]);
      assertEquals(seen, { pulls: 2, isCancelled: true });
    });

    it("is ended by return while calls of next wait for a silent server", async () => {
      const { session, seen } = start(each, "stay", 1);
      const items = (await session.get("x", { format }))[Symbol.asyncIterator]();
      assertEquals(idOf((await items.next()).value), 0);
      const waiting = [items.next(), items.next()];
      await turn();
      const ended = await Promise.all([...waiting, items.return!(), items.next()]);
      assertEquals(ended.map(({ done }) => done), [true, true, true, true]);
      assert(seen.isCancelled);
    });

    it("leaves the error of next to its caller, so that an unhandled one is reported", async () => {
      const { stream } = await openPairs(each, { brokenId: 0 });
      const items = stream[Symbol.asyncIterator]();
      const calls = unhandledOf(() => [items.next(), items.next(), items.return!()]);
      assertEquals(calls.length, 3);
      await Promise.allSettled(calls);
    });

    it("ends after break, even if the response was cloned", async () => {
      const { body } = countedBody([each.head + each.item(0)], "stay");
      const original = new Response(body, { headers: { "content-type": "text/event-stream" } });
      const stream = await sessionOf(() => original.clone()).get("x", { format });
      for await (const _ of stream) break;
      assertEquals((await readAll(stream)).items, []);
    });

    it("is ended by cancel before, during and after the loop", async () => {
      const unread = start(each);
      const first = await unread.session.get("x", { format });
      first.cancel();
      assert(unread.seen.isCancelled);
      assertEquals(await readAll(first), { items: [], error: undefined });

      const waiting = start(each, "stay", 1);
      const second = await waiting.session.get("x", { format });
      const reading = readAll(second);
      await turn();
      second.cancel();
      assertEquals((await reading).error, undefined);
      assert(waiting.seen.isCancelled);
      second.cancel();
    });

    it("ends with the reason if the signal is aborted", async () => {
      const controller = new AbortController();
      const { session, seen } = start(each, "stay", 2);
      const options = { format, signal: controller.signal };
      const reading = readAll(await session.get("x", options));
      await turn();
      controller.abort(new TypeError("terminated"));
      const { items, error } = await reading;
      assertEquals(items.length, 2);
      assert(error === controller.signal.reason);
      assert(seen.isCancelled);
    });

    it("ends with a TransportError if there is no data for the timeout", async () => {
      const { session, clock } = start(each, "stay", 2);
      const reading = readAll(await session.get("x", { format, timeout: 5 }));
      await turn();
      await clock.advance(5);
      const { items, error } = await reading;
      assertEquals(items.length, 2);
      assertInstanceOf(error, TransportError);
      assertEquals(error.kind, "timeout");
    });

    it("does not count the time of the loop towards the timeout", async () => {
      const { session, clock } = start(each);
      const stream = await session.get("x", { format, timeout: 5 });
      let count = 0;
      for await (const _ of stream) {
        await clock.advance(60);
        if (++count === 3) break;
      }
      assertEquals([count, clock.pending], [3, 0]);
    });
  });
}
