import { assertEquals, assertRejects, assertThrows, describe, it } from "#test";
import fc from "fast-check";
import { ModelError } from "../../src/errors/model_error.ts";
import { UnexpectedValueError } from "../../src/errors/unexpected_value_error.ts";
import {
  attr,
  bigint,
  boolean,
  date,
  element,
  integer,
  list,
  literal,
  model,
  nullable,
  number,
  oneOf,
  record,
  scalar,
  string,
  toXml,
  type ValueType,
} from "../../src/models/mod.ts";
import { isXmlText } from "../../src/xml/escape.ts";
import { anyString, holds } from "../support/property.ts";

/** Returns a model with one attribute of the given type. */
function holderOf(type: ValueType<unknown>) {
  return class Holder extends model("holder", { value: attr(type) }) {};
}

/** Strings in XML and their parsed values, or undefined if the string is rejected. */
const texts:
  readonly (readonly [string, ValueType<unknown>, readonly (readonly [string, unknown])[]])[] = [
    ["string", string, [["", ""], ["  a ", "  a "], ["007", "007"]]],
    ["integer", integer, [
      ["7", 7],
      ["007", 7],
      ["+7", 7],
      ["-7", -7],
      ["-0", 0],
      [" 7 ", 7],
      ["9007199254740991", 9007199254740991],
      ["9007199254740992", undefined],
      ["7.0", undefined],
      ["7e2", undefined],
      ["0x7", undefined],
      ["", undefined],
      ["seven", undefined],
      ["7 8", undefined],
    ]],
    ["number", number, [
      ["7", 7],
      ["-7.50", -7.5],
      [".5", 0.5],
      ["5.", 5],
      ["1e3", 1000],
      ["1E-3", 0.001],
      [" 1.5 ", 1.5],
      ["INF", undefined],
      ["NaN", undefined],
      ["Infinity", undefined],
      ["1e999", undefined],
      ["0x10", undefined],
      ["1,5", undefined],
      [".", undefined],
      ["", undefined],
    ]],
    ["boolean", boolean, [
      ["true", true],
      ["1", true],
      ["false", false],
      [" 0 ", false],
      ["True", undefined],
      ["yes", undefined],
      ["", undefined],
    ]],
    ["bigint", bigint, [
      ["123456789012345678901234567890", 123456789012345678901234567890n],
      ["-7", -7n],
      ["+7", 7n],
      ["7.5", undefined],
      ["0x7", undefined],
      ["", undefined],
      ["1".repeat(1001), undefined],
    ]],
    ["literal", literal(2), [["2", 2], [" 2 ", 2], ["2.0", undefined]]],
    ["oneOf", oneOf("a", "b b", 3, true), [
      ["a", "a"],
      ["b b", "b b"],
      ["3", 3],
      ["true", true],
      ["c", undefined],
    ]],
  ];

/** Values in JSON and their parsed values, or undefined if the value is rejected. */
const values:
  readonly (readonly [string, ValueType<unknown>, readonly (readonly [unknown, unknown])[]])[] = [
    ["string", string, [["", ""], ["a", "a"], [7, undefined], [true, undefined], [[], undefined]]],
    ["integer", integer, [
      [7, 7],
      [-7, -7],
      [7.5, undefined],
      ["7", undefined],
      [9007199254740992, undefined],
      [true, undefined],
    ]],
    ["number", number, [[7.5, 7.5], ["7.5", undefined], [NaN, undefined], [Infinity, undefined]]],
    ["boolean", boolean, [[true, true], [false, false], [1, undefined], ["true", undefined]]],
    ["bigint", bigint, [
      [7, 7n],
      ["7", 7n],
      ["123456789012345678901234567890", 123456789012345678901234567890n],
      [9007199254740993, undefined],
      [7.5, undefined],
      ["seven", undefined],
    ]],
    ["literal", literal("a"), [["a", "a"], ["b", undefined], [["a"], undefined]]],
    ["oneOf", oneOf(1, 2), [[1, 1], ["1", undefined]]],
  ];

describe("a scalar in XML", () => {
  for (const [name, type, cases] of texts) {
    const Holder = holderOf(type);
    for (const [text, value] of cases) {
      const shown = text.length > 40 ? `${text.length} characters` : `'${text}'`;
      it(`${name}: ${shown} is ${value === undefined ? "rejected" : `parsed as ${value}`}`, async () => {
        const xml = `<holder value="${text}"/>`;
        if (value === undefined) {
          const error = await assertRejects(() => Holder.fromXml(xml), ModelError);
          assertEquals(error.issues.map(({ where }) => where), ["/holder/@value"]);
          return;
        }
        const holder = await Holder.fromXml(xml);
        assertEquals(holder.value, value);
        assertEquals((await Holder.fromXml(toXml(holder))).value, value);
      });
    }
  }
});

describe("a scalar in JSON", () => {
  for (const [name, type, cases] of values) {
    const Holder = holderOf(type);
    for (const [index, [json, value]] of cases.entries()) {
      it(`${name}: case ${index + 1} is ${value === undefined ? "rejected" : `parsed as ${value}`}`, () => {
        if (value === undefined) {
          const error = assertThrows(() => Holder.fromJson({ value: json }), ModelError);
          assertEquals(error.issues.map(({ where }) => where), ["value"]);
          return;
        }
        const holder = Holder.fromJson({ value: json });
        assertEquals(holder.value, value);
        assertEquals(Holder.fromJson(holder.toJsonString()).value, value);
      });
    }
  }

  it("bigint: a value is written as a number if it is a safe integer, and as a string otherwise", () => {
    const Holder = holderOf(bigint);
    assertEquals(Holder.of({ value: 7n }).toJsonString(), '{"value":7}');
    assertEquals(Holder.of({ value: 2n ** 53n }).toJsonString(), '{"value":"9007199254740992"}');
  });
});

describe("a custom scalar", () => {
  const rfc822 = scalar<Date>({
    expected: "a date as in RFC 822",
    parse: (text) => Number.isNaN(Date.parse(text)) ? undefined : new Date(text),
    format: (value) => value.toUTCString(),
  });
  const Holder = holderOf(rfc822);

  it("reads and writes strings, in JSON and in XML", async () => {
    const text = "Sat, 07 Sep 2002 00:00:01 GMT";
    const holder = Holder.fromJson({ value: text });
    assertEquals(holder.value, new Date("2002-09-07T00:00:01Z"));
    assertEquals(holder.toJsonString(), `{"value":"${text}"}`);
    assertEquals(await Holder.fromXml(toXml(holder)), holder);
  });

  it("shows in the error what it expected", () => {
    for (const value of ["yesterday", 7]) {
      assertThrows(() => Holder.fromJson({ value }), ModelError, "a date as in RFC 822");
    }
  });

  it("reports an issue with the message of an error that it throws", async () => {
    const price = scalar<number>({
      expected: "a price",
      parse: () => {
        throw new RangeError("no rate for this currency");
      },
      format: (value) => value.toFixed(2),
    });
    const Priced = holderOf(price);
    const unwritable = Priced.of({ value: "9.50" });
    const cases: readonly (readonly [string, string, () => unknown])[] = [
      ["value", "no rate for this currency", () => Priced.fromJson({ value: "9.50 XTS" })],
      ["/holder/@value", "no rate for this currency", () => Priced.fromXml('<holder value="9"/>')],
      ["value", "toFixed", () => unwritable.toJsonString()],
      ["/holder/@value", "toFixed", () => toXml(unwritable)],
    ];
    for (const [path, message, run] of cases) {
      const { issues } = await assertRejects(async () => await run(), ModelError, message);
      assertEquals(issues.map((issue) => issue.where), [path]);
    }
  });
});

describe("white space in XML", () => {
  const nbsp = "\u00a0";

  for (
    const [name, type, text] of [
      ["integer", integer, "7"],
      ["boolean", boolean, "1"],
      ["oneOf", oneOf("a"), "a"],
      ["date", date, "2026-11-20"],
    ] as const
  ) {
    it(`is ignored around a value, except for a no-break space: ${name}`, async () => {
      const Holder = holderOf(type);
      const plain = await Holder.fromXml(`<holder value="${text}"/>`);
      assertEquals(await Holder.fromXml(`<holder value="&#9;&#10;&#13; ${text} "/>`), plain);
      const reading = () => Holder.fromXml(`<holder value="${nbsp}${text}"/>`);
      await assertRejects(reading, ModelError, "/holder/@value");
    });
  }

  it("separates the values of a list, except for a no-break space", async () => {
    const Holder = holderOf(list(string));
    for (const value of [[], [nbsp], [nbsp, "a"], [`a${nbsp}b`, "c"]]) {
      const holder = Holder.of({ value });
      assertEquals(await Holder.fromXml(toXml(holder)), holder);
    }
    const { value } = await Holder.fromXml('<holder value="&#9;a&#10; &#13;b "/>');
    assertEquals(value, ["a", "b"]);
  });

  it("is the only text that is allowed where elements are expected", async () => {
    class Names extends model("names", { all: element(record(string)) }) {}
    const of = (space: string) => Names.fromXml(`<names><all>${space}<a>b</a></all></names>`);
    assertEquals((await of("&#9;&#10;&#13; ")).all, { a: "b" });
    const error = await assertRejects(() => of(`\n${nbsp}x y${nbsp} `), ModelError);
    const [issue] = error.issues;
    assertEquals(issue?.message, `expected only elements, but it is "${nbsp}x y${nbsp}"`);
  });

  it("is ignored around the value of xsi:nil", async () => {
    class Note extends model("note", { said: element(nullable(string)) }) {}
    const of = (nil: string) =>
      Note.fromXml(
        `<note xmlns:x="http://www.w3.org/2001/XMLSchema-instance"><said x:nil="${nil}"/></note>`,
      );
    assertEquals((await of(" true&#10;")).said, null);
    assertEquals((await of(`${nbsp}true`)).said, "");
  });
});

describe("a value that cannot be written", () => {
  const cases: readonly (readonly [string, ValueType<unknown>, unknown])[] = [
    ["a number as a string", string, 7],
    ["a string as a number", number, "7"],
    ["a number that is not finite", number, NaN],
    ["a number that is not whole", integer, 7.5],
    ["a string as a boolean", boolean, "true"],
    ["a number as a bigint", bigint, 7],
    ["another value than the literal", literal("a"), "b"],
    ["null", string, null],
  ];
  for (const [name, type, value] of cases) {
    it(`is rejected in both formats: ${name}`, () => {
      const holder = holderOf(type).of({ value });
      const json = assertThrows(
        () => holder.toJsonString(),
        ModelError,
        "cannot be written as JSON",
      );
      assertEquals(json.issues.map(({ where }) => where), ["value"]);
      const xml = assertThrows(() => toXml(holder), ModelError, "cannot be written as XML");
      assertEquals(xml.issues.map(({ where }) => where), ["/holder/@value"]);
    });
  }

  for (const text of ["\u0000", "\u001f", "\ud800", "\uffff"]) {
    it(`is rejected only in XML: the character ${text.charCodeAt(0).toString(16)}`, () => {
      const holder = holderOf(string).of({ value: text });
      assertEquals(JSON.parse(holder.toJsonString()), { value: text });
      assertThrows(() => toXml(holder), ModelError, "control characters");
    });
  }
});

describe("the declaration of oneOf", () => {
  const one = (...values: unknown[]) => oneOf(...values as [string]);
  const cases: readonly (readonly [string, string, readonly unknown[]])[] = [
    ["the same value twice", "values[1]", ["a", "a"]],
    ["two values with the same text", "values[1]", [1, "1"]],
    ["two values with the same text, among others", "values[2]", ["a", true, "true", "b"]],
    ["0 and -0", "values[1]", [0, -0]],
    ["NaN, which JSON does not have", "values[0]", [NaN]],
    ["an infinite number", "values[1]", [1, Infinity]],
    ["null", "values[0]", [null]],
    ["an object", "values[0]", [{}]],
    ["no value", "values", []],
  ];
  for (const [name, option, values] of cases) {
    it(`is refused: ${name}`, () => {
      assertEquals(assertThrows(() => one(...values), UnexpectedValueError).option, option);
    });
  }

  it("shows the second of two values with the same text", () => {
    const { message } = assertThrows(() => oneOf(1, "1"), UnexpectedValueError);
    assertEquals(
      message,
      '"values[1]" must be a value whose text no value before it has, ' +
        'because XML contains only the text, but is "1"',
    );
  });
});

describe("a scalar that was written", () => {
  const xmlText = anyString.filter(isXmlText);
  const cases: readonly (readonly [string, ValueType<unknown>, fc.Arbitrary<unknown>])[] = [
    ["string", string, xmlText],
    ["integer", integer, fc.maxSafeInteger()],
    ["number", number, fc.double({ noNaN: true, noDefaultInfinity: true })],
    ["boolean", boolean, fc.boolean()],
    ["bigint", bigint, fc.bigInt({ min: -(10n ** 999n), max: 10n ** 999n })],
    ["oneOf", oneOf("a", " a ", "", 3, -2.5, true), fc.constantFrom("a", " a ", "", 3, -2.5, true)],
  ];
  for (const [name, type, values] of cases) {
    const Holder = holderOf(type);
    it(`is read back as the same value: ${name}`, async () => {
      await holds(fc.asyncProperty(values, async (value) => {
        const holder = Holder.of({ value });
        assertEquals(Holder.fromJson(holder.toJsonString()).value, value);
        assertEquals((await Holder.fromXml(toXml(holder))).value, value);
      }));
    });
  }
});
