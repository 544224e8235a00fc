import { assert, assertEquals, describe, it } from "#test";
import {
  anyOf,
  attr,
  bigint,
  boolean,
  date,
  dateOnly,
  element,
  elements,
  type Field,
  innerXml,
  integer,
  json,
  lenientDate,
  list,
  literal,
  looseObject,
  model,
  nullable,
  number,
  object,
  oneOf,
  openEnum,
  record,
  scalar,
  string,
  text,
  textContent,
  tuple,
  type TypeInput,
  union,
  unixMilliseconds,
  unixSeconds,
} from "../../src/models/mod.ts";
import {
  type AnyModel,
  assertFormats,
  assertRefusedInXml,
  namesInTable,
  XSI,
} from "../support/formats.ts";

class Circle extends model("circle", { kind: attr(literal("circle")), size: attr(number) }) {}
class Square extends model("square", { kind: attr(literal("square")), side: attr(number) }) {}
const circle = Circle.of({ kind: "circle", size: 1 });
const square = Square.of({ kind: "square", side: 2 });
const circleJson = '{"kind":"circle","size":1}';
const circleXml = '<circle kind="circle" size="1"/>';

/** A type, a value of it, and how the value is written. */
interface TypeCase {
  readonly name: string;
  readonly type: TypeInput<unknown>;
  readonly value: unknown;
  readonly json: string;
  /** The text as an attribute and as the text of an element. Without it, it is refused there. */
  readonly text?: string;
  /** The content of an element, if it is not the text. */
  readonly content?: string;
  /** The element, if it is not `<v>`. */
  readonly element?: string;
  /** True if it is refused at each place in XML. */
  readonly isRefused?: true;
  /** True if it is refused as an attribute. */
  readonly isMarkup?: true;
}

const cents = scalar<number>({
  expected: "a price",
  parse: (text) => /^\d+ c$/.test(text) ? parseInt(text) : undefined,
  format: (value) => `${value} c`,
});

const types: readonly TypeCase[] = [
  { name: "string", type: string, value: " a<&\n ", json: '" a<&\\n "', text: " a&lt;&amp;\n " },
  { name: "integer", type: integer, value: -7, json: "-7", text: "-7" },
  { name: "number", type: number, value: 1.5, json: "1.5", text: "1.5" },
  {
    name: "bigint",
    type: bigint,
    value: 2n ** 60n,
    json: '"1152921504606846976"',
    text: "1152921504606846976",
  },
  { name: "boolean", type: boolean, value: false, json: "false", text: "false" },
  {
    name: "date",
    type: date,
    value: new Date(0),
    json: '"1970-01-01T00:00:00.000Z"',
    text: "1970-01-01T00:00:00.000Z",
  },
  {
    name: "dateOnly",
    type: dateOnly,
    value: new Date("2026-11-20"),
    json: '"2026-11-20"',
    text: "2026-11-20",
  },
  {
    name: "lenientDate",
    type: lenientDate,
    value: new Date(0),
    json: '"1970-01-01T00:00:00.000Z"',
    text: "1970-01-01T00:00:00.000Z",
  },
  { name: "unixSeconds", type: unixSeconds, value: new Date(1500), json: "1.5", text: "1.5" },
  {
    name: "unixMilliseconds",
    type: unixMilliseconds,
    value: new Date(1500),
    json: "1500",
    text: "1500",
  },
  { name: "openEnum", type: openEnum("a", "b"), value: "c", json: '"c"', text: "c" },
  { name: "anyOf", type: anyOf(string, integer), value: 7, json: "7", text: "7" },
  {
    name: "anyOf with a model",
    type: anyOf(string, Circle),
    value: circle,
    json: circleJson,
    isRefused: true,
  },
  { name: "json", type: json, value: [null, {}], json: "[null,{}]", isRefused: true },
  {
    name: "record of JSON values",
    type: record(nullable(json)),
    value: { a: [] },
    json: '{"a":[]}',
    isRefused: true,
  },
  {
    name: "object",
    type: object({ a: element(integer), b: attr(string, { default: "c" }) }),
    value: { a: 1, b: "c" },
    json: '{"a":1,"b":"c"}',
    element: '<v b="c"><a>1</a></v>',
  },
  {
    name: "looseObject",
    type: looseObject<{ a: bigint; b: string }>({ a: bigint }),
    value: { a: 1n, b: "c" },
    json: '{"a":1,"b":"c"}',
    isRefused: true,
  },
  {
    name: "record of objects",
    type: record(object({ a: element(integer) })),
    value: { x: { a: 1 } },
    json: '{"x":{"a":1}}',
    content: "<x><a>1</a></x>",
  },
  { name: "literal", type: literal("a"), value: "a", json: '"a"', text: "a" },
  { name: "oneOf", type: oneOf(1, "b", true), value: true, json: "true", text: "true" },
  { name: "nullable", type: nullable(integer), value: 7, json: "7", text: "7" },
  { name: "list", type: list(integer), value: [1, 2], json: "[1,2]", text: "1 2" },
  {
    name: "list of models",
    type: list(Circle),
    value: [circle],
    json: `[${circleJson}]`,
    isRefused: true,
  },
  {
    name: "list of lists",
    type: list(list(string)),
    value: [["a"]],
    json: '[["a"]]',
    isRefused: true,
  },
  {
    name: "record",
    type: record(nullable(integer)),
    value: { a: 1, b: 2 },
    json: '{"a":1,"b":2}',
    content: "<a>1</a><b>2</b>",
  },
  {
    name: "record of models",
    type: record(Circle),
    value: { a: circle },
    json: `{"a":${circleJson}}`,
    content: '<a kind="circle" size="1"/>',
  },
  {
    name: "record of lists of models",
    type: record(list(Circle)),
    value: { a: [circle] },
    json: `{"a":[${circleJson}]}`,
    isRefused: true,
  },
  { name: "model", type: Circle, value: circle, json: circleJson, element: circleXml },
  { name: "function", type: () => Circle, value: circle, json: circleJson, element: circleXml },
  {
    name: "union",
    type: union("kind", Circle, Square),
    value: square,
    json: '{"kind":"square","side":2}',
    element: '<square kind="square" side="2"/>',
  },
  {
    name: "union by tag",
    type: union([Circle, Square]),
    value: square,
    json: '{"square":{"kind":"square","side":2}}',
    element: '<square kind="square" side="2"/>',
  },
  {
    name: "record of unions",
    type: record(union("kind", Circle, Square)),
    value: { a: square },
    json: '{"a":{"kind":"square","side":2}}',
    content: '<a kind="square" side="2"/>',
  },
  {
    name: "record of unions by tag",
    type: record(union([Circle, Square])),
    value: { a: circle },
    json: `{"a":{"circle":${circleJson}}}`,
    isRefused: true,
  },
  { name: "scalar", type: cents, value: 950, json: '"950 c"', text: "950 c" },
  {
    name: "textContent",
    type: textContent,
    value: "a<b>",
    json: '"a<b>"',
    text: "a&lt;b&gt;",
    isMarkup: true,
  },
  {
    name: "innerXml",
    type: innerXml,
    value: "a<b/>&lt;",
    json: '"a<b/>&lt;"',
    text: "a<b/>&lt;",
    isMarkup: true,
  },
  {
    name: "tuple",
    type: tuple([json, dateOnly]),
    value: ["a", new Date("2026-11-28T00:00:00Z")],
    json: '["a","2026-11-28"]',
    isRefused: true,
  },
  { name: "list of markup", type: list(innerXml), value: ["a"], json: '["a"]', isRefused: true },
];

describe("a type", () => {
  for (
    const {
      name,
      type,
      value,
      json: written,
      text: plain,
      content = plain,
      element: own,
      isRefused,
      isMarkup,
    } of types
  ) {
    const each = own ?? `<v>${content}</v>`;
    const isElement = isRefused === undefined;
    const isText = isElement && plain !== undefined;
    const attribute = plain?.replace(/\n/g, "&#10;");
    const places:
      readonly (readonly [string, Field<unknown>, unknown, string, string | undefined])[] = [
        [
          "attr",
          attr(type),
          value,
          written,
          isText && !isMarkup ? `<m v="${attribute}"/>` : undefined,
        ],
        ["text", text(type), value, written, isText ? `<m>${plain}</m>` : undefined],
        ["element", element(type), value, written, isElement ? `<m>${each}</m>` : undefined],
        [
          "elements",
          elements(type),
          [value, value],
          `[${written},${written}]`,
          isElement ? `<m>${each}${each}</m>` : undefined,
        ],
      ];
    for (const [place, field, v, json, xml] of places) {
      const works = xml === undefined ? "is refused for XML" : "works in both formats";
      it(`${works} with ${place}: ${name}`, async () => {
        const M = model("m", { v: field }) as unknown as AnyModel;
        const all = `{"v":${json}}`;
        if (xml === undefined) await assertRefusedInXml(M, { v }, all);
        else await assertFormats(M, { v }, all, xml);
      });
    }
  }

  it("works in both formats if it is null, with each field", async () => {
    const M = model("m", {
      a: attr(nullable(string)),
      b: element(nullable(string)),
      c: elements(nullable(Circle)),
      d: element(record(nullable(string))),
      e: text(nullable(integer)),
    }) as unknown as AnyModel;
    await assertFormats(
      M,
      { a: null, b: null, c: [null, circle], d: { x: null }, e: null },
      `{"a":null,"b":null,"c":[null,${circleJson}],"d":{"x":null},"e":null}`,
      `<m ${XSI}><b xsi:nil="true"/><circle xsi:nil="true"/>${circleXml}<d><x xsi:nil="true"/></d></m>`,
    );
  });

  it("is tested here if it is in the table of docs/models.md", () => {
    const tested = new Set(types.map(({ name }) => name));
    const names = namesInTable("type");
    assert(names.length > 10, names.join());
    assertEquals(names.filter((name) => !tested.has(name)), []);
  });
});
