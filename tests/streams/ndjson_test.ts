/** Tests of newline-delimited JSON. */
import { assert, assertEquals, assertInstanceOf, assertThrows, describe, it } from "#test";
import * as v from "valibot";
import { z } from "zod";
import { TransportError, UnexpectedValueError, ValidationError } from "../../mod.ts";
import { DecodeError } from "../../src/entries/errors.ts";
import { ItemTooLargeError } from "../../src/errors/mod.ts";
import { element, integer, model } from "../../src/models/mod.ts";
import { ndjson } from "../../src/streams/mod.ts";
import { assertLinearGrowth } from "../support/linear_time.ts";
import { bytesOf, itemsOf, readAll, responseOf, sessionOf, splits } from "../support/streamed.ts";
import { turn } from "../support/until.ts";

const formats: readonly (readonly [string, string | Uint8Array, readonly unknown[]])[] = [
  ["lines", '{"a":1}\n[2]\n"3"\n4\nnull\ntrue\n', [{ a: 1 }, [2], "3", 4, null, true]],
  ["a last line without a line break", "1\n23", [1, 23]],
  ["CRLF", "1\r\n2\r\n", [1, 2]],
  ["blank lines", "\n \n1\n\t\r\n\n2\n \n", [1, 2]],
  ["blanks around a value", ' {"a" : 1} \n', [{ a: 1 }]],
  ["a byte order mark", "\ufeff1\n2\n", [1, 2]],
  ["characters beyond ASCII", '"ä€😀"\n"\u2028"\n', ["ä€😀", "\u2028"]],
  ["escapes", '"a\\nb"\n', ["a\nb"]],
  ["nothing", "", []],
];

describe("newline-delimited JSON", () => {
  for (const [name, text, expected] of formats) {
    it(`allows any split of the chunks: ${name}`, async () => {
      for (const chunks of splits(text)) {
        const { items, error } = await itemsOf(ndjson(), chunks, "application/x-ndjson");
        assertEquals(error, undefined);
        assertEquals<readonly unknown[]>(items, expected);
      }
    });
  }

  it("hands on the items that have arrived to the calls of next before return", async () => {
    const schema = z.number().refine(() => Promise.resolve(true));
    const errors = { errorsInSuccess: true, errorFrom: () => Promise.resolve(undefined) };
    for (const options of [{}, errors]) {
      const session = sessionOf(() => responseOf(["1\n2\n3\n", "4\n"], "", "stay"), options);
      const stream = await session.get("x", { format: ndjson(schema) });
      const items = stream[Symbol.asyncIterator]();
      assertEquals((await items.next()).value, 1);
      const calls = [items.next(), items.next(), items.next(), items.return!(), items.next()];
      assertEquals((await Promise.all(calls)).map(({ value }) => value), [
        ...[2, 3],
        ...[undefined, undefined, undefined],
      ]);
    }
  });

  it("decodes no item after it is cancelled while errorFrom waits", async () => {
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<undefined>();
    const errorFrom = () => (asked.resolve(), answer.promise);
    let decoded = 0;
    const schema = z.number().refine(() => Promise.resolve(++decoded < 0));
    const options = { errorsInSuccess: true, errorFrom };
    const session = sessionOf(() => responseOf(["1\n"], "", "stay"), options);
    const stream = await session.get("x", { format: ndjson(schema) });
    const reading = readAll(stream);
    await asked.promise;
    stream.cancel();
    answer.resolve(undefined);
    assertEquals(await reading, { items: [], error: undefined });
    await turn();
    assertEquals(decoded, 0);
  });

  it("throws a DecodeError for an invalid line, after the lines before it", async () => {
    for (const text of ['1\n{"secret\n2\n', "1\n[secret]\n", '1\n{"a":', "1\n\ufeff2\n"]) {
      for (const chunks of splits(text)) {
        const { items, error } = await itemsOf(ndjson(), chunks);
        assertEquals(items, [1]);
        assertInstanceOf(error, DecodeError);
        assert(error.message.startsWith("item 2 of the response to GET "), error.message);
        assertEquals(error.message.includes("secret"), false);
        assertEquals(error.body, text.split("\n")[1]);
        assertEquals((await error.response.text()).trim(), error.body.trim());
      }
    }
  });

  it("throws a DecodeError for invalid UTF-8, after the lines before it", async () => {
    const invalid = [[0xff], [0xe2, 0x82, 0x22], [0xc0, 0x80], [0xed, 0xa0, 0x80], [
      0xf0,
      0x9f,
      0x98,
    ]];
    for (const bytes of invalid) {
      const text = Uint8Array.of(...bytesOf('"€"\n2\n"'), ...bytes);
      for (const chunks of splits(text)) {
        const { items, error } = await itemsOf(ndjson(), chunks);
        assertEquals(items, ["€", 2]);
        assertInstanceOf(error, DecodeError);
        assert(error.message.includes("is not valid UTF-8"), error.message);
      }
    }
  });

  it("decodes each line by a schema or a model class", async () => {
    class Row extends model("row", { id: element(integer) }) {}
    const text = '{"id":1}\n{"id":2}\n';
    for (const schema of [z.object({ id: z.number() }), v.object({ id: v.number() })]) {
      assertEquals((await itemsOf(ndjson(schema), [text])).items, [{ id: 1 }, { id: 2 }]);
    }
    const { items } = await itemsOf(ndjson(Row), [text]);
    assert(items.every((row) => row instanceof Row));
    assertEquals(
      (await itemsOf(ndjson([Row]), ['[{"id":1}]\n[]'])).items.map(({ length }) => length),
      [
        1,
        0,
      ],
    );
  });

  it("throws a ValidationError for a line that does not match, after the lines before it", async () => {
    class Row extends model("row", { id: element(integer) }) {}
    for (const schema of [z.object({ id: z.number() }), Row]) {
      const { items, error } = await itemsOf(ndjson(schema), [
        '{"id":1}\n{"id":"secret"}\n{"id":3}',
      ]);
      assertEquals(items.length, 1);
      assertInstanceOf(error, ValidationError);
      assertEquals([error.issues[0]?.path, error.body], [["id"], '{"id":"secret"}']);
      assertEquals(error.message.includes("secret"), false);
      const broken = await itemsOf(ndjson(schema), ["{"]);
      assertEquals(broken.error instanceof ValidationError, false);
      assertInstanceOf(broken.error, DecodeError);
    }
  });

  it("waits for a schema that is asynchronous, and keeps the order of the lines", async () => {
    const schema = z.object({ id: z.number().refine((id) => turn().then(() => id !== 3)) });
    const chunks = ['{"id":1}\n{"id":2}\n{"id":3}\n{"id":4}\n'];
    const session = sessionOf(() => responseOf(chunks));
    const stream = await session.get("x", { format: ndjson(schema) });
    const items = stream[Symbol.asyncIterator]();
    const results = await Promise.allSettled([items.next(), items.next(), items.next()]);
    assertEquals(results.map(({ status }) => status), ["fulfilled", "fulfilled", "rejected"]);
    assertEquals(
      results.slice(0, 2).map((each) => each.status === "fulfilled" && each.value.value),
      [{ id: 1 }, { id: 2 }],
    );
    assertEquals((await items.next()).done, true);
  });

  it("has the request id in its errors", async () => {
    const session = sessionOf(() => new Response("{", { headers: { "x-request-id": "r-7" } }), {
      requestIdHeader: "x-request-id",
    });
    const { error } = await readAll(await session.get("x", { format: ndjson() }));
    assertInstanceOf(error, DecodeError);
    assertEquals([error.requestId, error.request?.method], ["r-7", "GET"]);
  });

  it("throws an ItemTooLargeError for a line that is too long, also one without an end", async () => {
    for (const text of ['12345678\n"1234567"\n3\n', `12345678\n"${"1".repeat(50)}`]) {
      for (const chunks of splits(text)) {
        const { items, error } = await itemsOf(ndjson({ maxItemLength: 8 }), chunks);
        assertEquals(items, [12345678]);
        assertInstanceOf(error, ItemTooLargeError);
        assertEquals([error.limit, error.index], [8, 1]);
      }
    }
  });

  it("throws a TransportError if the connection breaks, after the lines before it", async () => {
    const lost = new TypeError("terminated");
    const session = sessionOf(() => responseOf(["1\n2", "3\n4"], undefined, lost));
    const { items, error } = await readAll(await session.get("x", { format: ndjson() }));
    assertEquals(items, [1, 23]);
    assertInstanceOf(error, TransportError);
    assertEquals(error.request?.url, "https://api.example.com/x");
  });

  it("takes linear time for a line in many chunks", async () => {
    const run = (count: number) =>
      itemsOf(ndjson(), ['"', ...Array<string>(count).fill("x".repeat(1000)), '"\n']);
    await assertLinearGrowth(run, 200, 4000);
  });

  it("checks its options", () => {
    assertThrows(() => ndjson({ maxItemLength: 1.5 }), UnexpectedValueError);
    assertThrows(() => ndjson("row" as never), UnexpectedValueError);
  });
});
