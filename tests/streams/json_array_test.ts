/** Tests of the elements of a JSON array, read one by one. */
import { assert, assertEquals, assertInstanceOf, assertThrows, describe, it } from "#test";
import { z } from "zod";
import { JSONParser } from "@streamparser/json";
import { TransportError, UnexpectedValueError, ValidationError } from "../../mod.ts";
import { DecodeError } from "../../src/entries/errors.ts";
import { ItemTooLargeError } from "../../src/errors/mod.ts";
import { jsonArray } from "../../src/streams/mod.ts";
import { assertLinearGrowth } from "../support/linear_time.ts";
import {
  bytesOf,
  countedBody,
  itemsOf,
  readAll,
  responseOf,
  sessionOf,
  splits,
} from "../support/streamed.ts";

const tricky = '{"a":"]},[{\\"\\\\","b":[[],{}],"":{"c":null}}';
const formats: readonly (readonly [string, string, string, readonly unknown[]])[] = [
  ["a whole document", "", '[1,"2",null,true,[3],{"a":4}]', [1, "2", null, true, [3], { a: 4 }]],
  ["an empty array", "", " [ \n] ", []],
  ["white space", "", "\r\n[ 1 ,\t2\n]\n", [1, 2]],
  ["a byte order mark", "", "\ufeff[1]", [1]],
  ["brackets, quotes and commas in strings", "", `[${tricky},"\\\\",",]"]`, [
    JSON.parse(tricky),
    "\\",
    ",]",
  ]],
  ["characters beyond ASCII", "", '["ä€😀","\\ud83d"]', ["ä€😀", "\ud83d"]],
  ["a member", "/rows", '{"total":2,"rows":[1,2],"next":"x"}', [1, 2]],
  ["a member of a member", "/a/b", '{"b":[9],"a":{"c":[8],"b":[1]},"d":{}}', [1]],
  ["an element", "/1/0", "[[9],[[1,2],3],4]", [1, 2]],
  ["skipped parts with brackets in strings", "/b", `{"a":${tricky},"b":[1],"c":[${tricky}]}`, [1]],
  ["members of the same name further down", "/rows", '{"x":{"rows":[9]},"rows":[1]}', [1]],
  ["a name with escapes", "/a~1b~0/\u20ac", '{"a\\u002fb~":{"\\u20ac":[1]}}', [1]],
  ["an empty name", "/", '{"":[1]}', [1]],
  ["a name in quotes", '/"', '{"\\"":[1]}', [1]],
  ["a value that is equal to the name", "/rows", '{"a":"rows","rows":[1]}', [1]],
  ["a number as a name", "/0", '{"0":[1]}', [1]],
];

describe("the elements of a JSON array", () => {
  for (const [name, pointer, text, expected] of formats) {
    it(`allow any split of the chunks: ${name}`, async () => {
      for (const chunks of splits(text)) {
        const { items, error } = await itemsOf(jsonArray(pointer), chunks, "application/json");
        assertEquals(error, undefined);
        assertEquals<readonly unknown[]>(items, expected);
      }
    });
  }

  it("are those that a parser of tokens finds", async () => {
    const rows = Array.from(
      { length: 50 },
      (_, id) => ({ id, text: `"${id}\\`, more: [{}, [id]] }),
    );
    const text = JSON.stringify({ a: [1, { rows: [2] }], rows, b: "]" });
    const found: unknown[] = [];
    const parser = new JSONParser({ paths: ["$.rows.*"], keepStack: false });
    parser.onValue = ({ value }) => void found.push(value);
    parser.write(text);
    for (const chunks of splits(text).slice(0, 100)) {
      assertEquals((await itemsOf(jsonArray("/rows"), chunks)).items, found);
    }
    assertEquals<unknown[]>(found, rows);
  });

  const broken: readonly (readonly [string, string, readonly unknown[], RegExp])[] = [
    ["", "[1,2", [1], /ends before its JSON is complete/],
    ["", '[1,"a', [1], /ends before/],
    ["", "[1,2]]", [1, 2], /text after the end/],
    ["", "[1,2] 3", [1, 2], /text after the end/],
    ["", "[1,,2]", [1], /^item 2 of .* is not JSON/],
    ["", "[1,]", [1], /^item 2 of .* is not JSON/],
    ["", "[1,secret]", [1], /^item 2 of .* is not JSON/],
    ["", '[1,{"a":]}]', [1], /is not JSON: "}" closes nothing/],
    ["", "[1,2}", [1], /"}" closes nothing/],
    ["", "", [], /ends before/],
    ["", '{"a":[1]}', [], /is not a JSON array; pass the place/],
    ["", "null", [], /is not a JSON array/],
    ["/a", "[1]", [], /has no array at "\/a"/],
    ["/a", '{"b":[1]}', [], /has no array at "\/a"/],
    ["/a", '{"a":{}}', [], /has no array at "\/a"/],
    ["/a", '{"a":"[1]"}', [], /has no array at "\/a"/],
    ["/a/b", '{"a":7,"b":[1]}', [], /has no array at "\/a\/b"/],
    ["/2", "[[1],[2]]", [], /has no array at "\/2"/],
    ["/a", '{"a":[1]', [1], /ends before/],
    ["/a", '{"a":[1],"b":"', [1], /ends before/],
    ["/a", '{"b":[},"a":[1]}', [], /"}" closes nothing/],
    ["/a", '{"\\x":[1]}', [], /has the invalid name/],
    ["/a", `{"b":${"[".repeat(2000)}`, [], /nested deeper than 1000 levels/],
  ];
  for (const [pointer, text, expected, message] of broken) {
    const name = `${pointer || "root"} in ${text.slice(0, 20).replaceAll('"', "'")}`;
    it(`end with a DecodeError after the elements before it: ${name}`, async () => {
      for (const chunks of splits(text).slice(0, 50)) {
        const { items, error } = await itemsOf(jsonArray(pointer), chunks);
        assertEquals<readonly unknown[]>(items, expected);
        assertInstanceOf(error, DecodeError);
        assert(message.test(error.message), error.message);
        assertEquals(error.message.includes("secret"), false);
      }
    });
  }

  it("end with a DecodeError at invalid UTF-8, also in skipped parts", async () => {
    const text = Uint8Array.of(...bytesOf('{"a":[1],"b":"'), 0xff, ...bytesOf('"}'));
    for (const chunks of splits(text)) {
      const { items, error } = await itemsOf(jsonArray("/a"), chunks);
      assertEquals(items, [1]);
      assertInstanceOf(error, DecodeError);
    }
  });

  it("are decoded by a model", async () => {
    const format = jsonArray("/rows", z.object({ id: z.number() }), { maxItemLength: 100 });
    const { items, error } = await itemsOf(format, ['{"rows":[{"id":1},{"id":"2"}]}']);
    assertEquals(items, [{ id: 1 }]);
    assertInstanceOf(error, ValidationError);
    assertEquals(error.issues[0]?.path, ["id"]);
  });

  it("have a limit, which also holds for names on the way", async () => {
    for (const chunks of splits('{"a":[1,12345,1]}')) {
      const { items, error } = await itemsOf(jsonArray("/a", { maxItemLength: 4 }), chunks);
      assertEquals(items, [1]);
      assertInstanceOf(error, ItemTooLargeError);
      assertEquals(error.index, 1);
    }
    const endless = await itemsOf(jsonArray("/a", { maxItemLength: 4 }), ['{"', ..."b".repeat(9)]);
    assertInstanceOf(endless.error, ItemTooLargeError);
    const skipped = ['{"b":"', ..."b".repeat(9), '","a":[1]}'];
    assertEquals((await itemsOf(jsonArray("/a", { maxItemLength: 4 }), skipped)).items, [1]);
  });

  it("arrive before the array ends", async () => {
    const { body, seen } = countedBody(["[1,", "2,3", ",4]"], "stay");
    const stream = await sessionOf(() => new Response(body)).get("x", { format: jsonArray("") });
    for await (const item of stream) if (item === 2) break;
    assertEquals(seen, { pulls: 2, isCancelled: true });
  });

  it("end with a TransportError if the connection breaks", async () => {
    const session = sessionOf(() => responseOf(["[1,2"], undefined, new TypeError("terminated")));
    const { items, error } = await readAll(await session.get("x", { format: jsonArray("") }));
    assertEquals(items, [1]);
    assertInstanceOf(error, TransportError);
  });

  it("take linear time, also for an element in many chunks", async () => {
    const long = (count: number) =>
      itemsOf(jsonArray(""), ['["', ...Array<string>(count).fill("\\\\".repeat(500)), '"]']);
    await assertLinearGrowth(long, 100, 2000);
    const many = (count: number) => itemsOf(jsonArray(""), [`[${"1,".repeat(count)}1]`]);
    await assertLinearGrowth(many, 1000, 20_000);
  });

  it("have a pointer as in RFC 6901", () => {
    for (const pointer of ["rows", "/a~", "/a~2", "$.rows", undefined, 7]) {
      const error = assertThrows(() => jsonArray(pointer as string), UnexpectedValueError);
      assert(error.message.includes("pointer"), error.message);
    }
  });
});
