import { assert, assertEquals, assertRejects, assertThrows, describe, it } from "#test";
import { ModelError } from "../../src/errors/model_error.ts";
import {
  attr,
  date,
  element,
  elements,
  innerXml,
  integer,
  list,
  literal,
  model,
  nullable,
  number,
  record,
  string,
  text,
  toXml,
} from "../../src/models/mod.ts";
import { type AnyModel, assertFormats, namesInTable } from "../support/formats.ts";

const none = { declaration: false } as const;

class Circle extends model("circle", { kind: attr(literal("circle")), size: attr(number) }) {}
const circle = Circle.of({ kind: "circle", size: 1 });
const circleJson = '{"kind":"circle","size":1}';

describe("an option of a field", () => {
  const options: readonly (readonly [string, AnyModel, Record<string, unknown>, string, string])[] =
    [
      [
        "tag",
        model("m", {
          a: attr(string, { tag: "A" }),
          b: element(Circle, { tag: "B" }),
          c: elements(string, { tag: "C" }),
        }),
        { a: "1", b: circle, c: ["2"] },
        `{"a":"1","b":${circleJson},"c":["2"]}`,
        '<m A="1"><B kind="circle" size="1"/><C>2</C></m>',
      ],
      [
        "json",
        model("m", {
          a: attr(string, { json: "A" }),
          b: element(string, { json: "B" }),
          c: elements(string, { json: "C" }),
          d: text(string, { json: "D" }),
        }),
        { a: "1", b: "2", c: ["3"], d: "4" },
        '{"A":"1","B":"2","C":["3"],"D":"4"}',
        '<m a="1">4<b>2</b><c>3</c></m>',
      ],
      [
        "name",
        model("m", {
          a: attr(string, { name: "A" }),
          b: element(string, { name: "B" }),
          c: elements(string, { name: "C" }),
          d: text(string, { name: "D" }),
        }),
        { a: "1", b: "2", c: ["3"], d: "4" },
        '{"A":"1","B":"2","C":["3"],"D":"4"}',
        '<m A="1">4<B>2</B><C>3</C></m>',
      ],
      [
        "optional",
        model("m", {
          a: attr(string, { optional: true }),
          b: element(Circle, { optional: true }),
          d: text(string, { optional: true }),
        }),
        {},
        "{}",
        "<m/>",
      ],
      [
        "within",
        model("m", {
          a: attr(string, { within: "x" }),
          b: element(string, { within: "x/y" }),
          c: elements(string, { within: "x/y" }),
          d: text(string, { within: "z" }),
        }),
        { a: "1", b: "2", c: ["3"], d: "4" },
        '{"a":"1","b":"2","c":["3"],"d":"4"}',
        '<m><x a="1"><y><b>2</b><c>3</c></y></x><z>4</z></m>',
      ],
      [
        "namespace",
        model("m", {
          a: attr(string, { namespace: "u" }),
          b: element(string, { namespace: "u" }),
          c: elements(string, { namespace: "u" }),
        }),
        { a: "1", b: "2", c: ["3"] },
        '{"a":"1","b":"2","c":["3"]}',
        '<m xmlns:ns1="u" ns1:a="1"><ns1:b>2</ns1:b><ns1:c>3</ns1:c></m>',
      ],
    ].map((each) => each as never);
  for (const [name, M, values, json, xml] of options) {
    it(`works in both formats: ${name}`, () => assertFormats(M, values, json, xml));
  }

  it("works in both formats: default", async () => {
    const Defaults = model("m", {
      a: attr(integer, { default: 1 }),
      b: element(string, { default: "two" }),
      c: elements(integer, { default: () => [3] }),
      d: text(integer, { default: 4 }),
      e: element(record(integer), { default: { x: 5 } }),
    });
    const expected = { a: 1, b: "two", c: [3], d: 4, e: { x: 5 } };
    assertEquals({ ...Defaults.fromJson({}) }, expected);
    assertEquals({ ...await Defaults.fromXml("<m/>") }, expected);
    assertEquals(Defaults.of({}).toJsonString(), '{"a":1,"b":"two","c":[3],"d":4,"e":{"x":5}}');
    assertEquals(toXml(Defaults.of({}), none), '<m a="1">4<b>two</b><c>3</c><e><x>5</x></e></m>');
  });

  it("works in both formats: emptyAsAbsent", async () => {
    const yes = { emptyAsAbsent: true } as const;
    const Empty = model("m", {
      a: attr(integer, { ...yes, default: 1 }),
      b: element(date, { ...yes, optional: true }),
      c: element(nullable(integer), { ...yes, optional: true }),
      d: text(string, { ...yes, default: "none" }),
      e: element(list(integer), { ...yes, optional: true }),
      f: element(innerXml, { ...yes, default: "<x/>" }),
    });
    const expected = { a: 1, b: undefined, c: undefined, d: "none", e: undefined, f: "<x/>" };
    const json = '{"a":"","b":"","c":"","d":"","e":"","f":""}';
    assertEquals({ ...Empty.fromJson(json) }, expected);
    assertEquals({ ...await Empty.fromXml('<m a=""><b/><c></c><e/><f/></m>') }, expected);
    assertEquals({
      ...await Empty.fromXml('<m a=" ">\n <b> </b><c>\n</c><e><!-- --></e><f> </f></m>'),
    }, expected);
    // Without the option, an empty text is not a number.
    const Strict = model("m", { b: element(integer, { optional: true }) });
    assertThrows(() => Strict.fromJson({ b: "" }), ModelError);
    await assertRejects(() => Strict.fromXml("<m><b/></m>"), ModelError);
  });

  it("does not count an empty element twice with emptyAsAbsent", async () => {
    const M = model("m", { b: element(integer, { emptyAsAbsent: true, optional: true }) });
    for (const xml of ["<m><b/><b>5</b></m>", "<m><b>5</b><b/></m>"]) {
      const error = await assertRejects(() => M.fromXml(xml), ModelError);
      assertEquals(error.issues.map(({ code, where }) => [code, where]), [[
        "duplicate",
        "/m/b[2]",
      ]]);
    }
  });

  it("is tested here if it is in the table of docs/models.md", () => {
    const tested = [
      "name",
      "tag",
      "json",
      "optional",
      "default",
      "within",
      "namespace",
      "emptyAsAbsent",
    ];
    const names = namesInTable("option");
    assert(names.length > 4, names.join());
    assertEquals(names.filter((name) => !tested.includes(name)), []);
  });
});
