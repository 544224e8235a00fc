import { assert, assertEquals, assertRejects, assertThrows, describe, it } from "#test";
import { UnexpectedValueError } from "../../src/errors/unexpected_value_error.ts";
import {
  attr,
  element,
  elements,
  type Fields,
  innerXml,
  integer,
  list,
  Model,
  model,
  type ModelOptions,
  nullable,
  record,
  string,
  text,
  toXml,
} from "../../src/models/mod.ts";

class Slide extends model("slide", { title: element(string) }) {}

describe("a declaration for XML", () => {
  class Untagged extends Model {
    declare readonly a: string;
    static override readonly fields: Fields<Untagged> = { a: attr(string, { within: "a//b" }) };
  }

  it("is not checked by a program that uses only JSON", () => {
    const { a } = Untagged.fromJson({ a: "x" });
    assertEquals([a, Untagged.of({ a: "y" }).toJsonString()], ["x", '{"a":"y"}']);
  });

  it("is checked when XML is first read or written", async () => {
    assertThrows(() => toXml(Untagged.of({ a: "x" })), UnexpectedValueError, "Untagged.tag");
    await assertRejects(() => Untagged.fromXml("<a/>"), UnexpectedValueError, "Untagged.tag");
  });

  it("is checked for a stream when it is first read", async () => {
    const stream = Untagged.streamXml("<a/>");
    await assertRejects(() => stream.next(), UnexpectedValueError, "Untagged.tag");
  });
});

describe("an invalid declaration", () => {
  const options = (options: ModelOptions) => model("a", { b: attr(string) }, options);
  const cases: readonly (readonly [string, () => { fromXml(xml: string): unknown }, string])[] = [
    ["a tag that XML does not allow", () => model("a b", {}), "tag"],
    ["no tag", () => class Untagged extends Model {}, "Untagged.tag"],
    ["an unknown policy", () => options({ unknown: "drop" as never }), "unknown"],
    ["an unknown order", () => options({ order: "loose" as never }), "order"],
    [
      "a tag of a field that XML does not allow",
      () => model("a", { b: attr(string, { tag: "1" }) }),
      "fields.b.tag",
    ],
    [
      "an invalid path",
      () => model("a", { b: element(string, { within: "a//b" }) }),
      "fields.b.within",
    ],
    [
      "a property that all models have",
      () => model("a", { toJsonString: attr(string) } as never),
      "fields.toJsonString",
    ],
    [
      "two fields of one name in JSON",
      () => model("a", { b: attr(string), c: attr(string, { json: "b" }) }),
      "fields.c.json",
    ],
    [
      "two elements of one name",
      () => model("a", { b: element(string), c: element(string, { tag: "b" }) }),
      "fields.c",
    ],
    [
      "two attributes of one name",
      () => model("a", { b: attr(string), c: attr(string, { tag: "b" }) }),
      "fields.c",
    ],
    ["two texts", () => model("a", { b: text(string), c: text(string) }), "fields.c"],
    ["an attribute that is a model", () => model("a", { b: attr(Slide) }), "fields.b"],
    ["a list of models in one element", () => model("a", { b: element(list(Slide)) }), "fields.b"],
    [
      "a list of models in a record",
      () => model("a", { b: element(record(list(Slide))) }),
      "fields.b",
    ],
    [
      "a list of lists in a record of records, be it null",
      () => model("a", { b: elements(record(nullable(record(nullable(list(list(string))))))) }),
      "fields.b",
    ],
    [
      "a name that is not a string",
      () => model("a", { b: attr(string, { name: 7 as never }) }),
      "b.json",
    ],
    [
      "emptyAsAbsent without a value for it",
      () => model("a", { b: element(integer, { emptyAsAbsent: true } as never) }),
      "b.emptyAsAbsent",
    ],
    [
      "emptyAsAbsent of an element that repeats",
      () => model("a", { b: elements(integer, { emptyAsAbsent: true, default: [] } as never) }),
      "b.emptyAsAbsent",
    ],
    [
      "emptyAsAbsent of a model",
      () => model("a", { b: element(Slide, { emptyAsAbsent: true, optional: true }) }),
      "b.emptyAsAbsent",
    ],
    [
      "emptyAsAbsent of a record",
      () => model("a", { b: element(record(string), { emptyAsAbsent: true, optional: true }) }),
      "b.emptyAsAbsent",
    ],
    ["an attribute with markup", () => model("a", { b: attr(innerXml) }), "fields.b"],
    ["a list with markup", () => model("a", { b: element(list(innerXml)) }), "fields.b"],
    [
      "text with markup beside an element",
      () => model("a", { b: text(innerXml), c: element(string) }),
      "fields.b",
    ],
    [
      "text with markup beside a path of elements",
      () => model("a", { b: text(innerXml), c: attr(string, { within: "d" }) }),
      "fields.b",
    ],
    [
      "a path and an element of one name",
      () => model("a", { b: element(string), c: element(string, { within: "b" }) }),
      "fields.c",
    ],
    ["an unknown doctype", () => options({ doctype: "allow" as never }), "doctype"],
    ["a depth of 0", () => options({ maxDepth: 0 }), "maxDepth"],
    ["a check that is not a function", () => options({ check: "x" as never }), "check"],
    ["a value that is not a field", () => model("a", { b: string } as never), "fields.b"],
  ];
  for (const [name, declare, option] of cases) {
    it(`throws an error with the option: ${name}`, async () => {
      const Declared = declare();
      const error = await assertRejects(
        async () => void (await Declared.fromXml("<a/>")),
        UnexpectedValueError,
      );
      assert(error.option.endsWith(option), error.option);
    });
  }

  for (const prefixes of [{ xml: "u" }, { "a:b": "u" }, { a: "" }]) {
    it(`throws for the prefix ${Object.keys(prefixes)[0]} for ${Object.values(prefixes)[0] || "nothing"}`, () => {
      const Declared = options({ namespace: "u", prefixes });
      assertThrows(() => toXml(new Declared({ b: "x" })), UnexpectedValueError, "prefixes");
    });
  }
});
