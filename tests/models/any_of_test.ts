import { assert, assertEquals, assertRejects, assertThrows, describe, it } from "#test";
import fc from "fast-check";
import { ModelError } from "../../src/errors/model_error.ts";
import { UnexpectedValueError } from "../../src/errors/unexpected_value_error.ts";
import {
  anyOf,
  attr,
  bigint,
  boolean,
  constrain,
  date,
  dateOnly,
  element,
  integer,
  list,
  literal,
  model,
  nullable,
  number,
  oneOf,
  openEnum,
  record,
  refine,
  scalar,
  string,
  toXml,
  union,
  unixSeconds,
  type ValueType,
} from "../../src/models/mod.ts";
import { isXmlText } from "../../src/xml/escape.ts";
import { anyString, holds } from "../support/property.ts";

/** Returns a model with one attribute of the given type. */
function holderOf(type: ValueType<unknown>) {
  return class Holder extends model("holder", { value: attr(type) }) {};
}

const short = constrain(string, { maxLength: 2 });
const small = constrain(integer, { maximum: 9 });
const upper = scalar<string>({
  expected: "a string in upper case",
  parse: (text) => text === text.toUpperCase() ? text : undefined,
  format: (value) => value.toUpperCase() === value ? value : undefined,
});
const day = new Date("2026-11-20T00:00:00Z");
const time = new Date("2026-11-20T10:00:00Z");

interface Case {
  readonly types: string;
  readonly type: ValueType<unknown>;
  /** JSON values and the values they are read as, or undefined if they are refused. */
  readonly json: readonly (readonly [json: unknown, value: unknown])[];
  /** The same for texts in XML. */
  readonly xml: readonly (readonly [text: string, value: unknown])[];
  /** Values that can be written in one format only, or in none. */
  readonly unwritable?: readonly (readonly [value: unknown, formats: "JSON" | "XML" | "both"])[];
}

const cases: readonly Case[] = [
  {
    types: "string, integer",
    type: anyOf(string, integer),
    json: [["5", "5"], [5, 5], ["", ""], [5.5, undefined], [null, undefined], [true, undefined]],
    xml: [["5", 5], [" 5 ", 5], ["a5", "a5"], [" a ", " a "], ["5.5", "5.5"], ["", ""]],
    unwritable: [["5", "XML"], [" 5", "XML"], ["007", "XML"], [5.5, "both"], [null, "both"]],
  },
  {
    types: "integer, string",
    type: anyOf(integer, string),
    json: [["5", "5"], [5, 5]],
    xml: [["5", 5], ["a5", "a5"]],
    unwritable: [["5", "XML"]],
  },
  {
    types: "string, (string, boolean)",
    type: anyOf(anyOf(string, boolean), integer),
    json: [["true", "true"], [true, true], [5, 5]],
    xml: [["5", 5], ["true", true], ["1", 1], ["a", "a"]],
    unwritable: [["true", "XML"]],
  },
  {
    types: "boolean, integer",
    type: anyOf(boolean, integer),
    json: [[true, true], [1, 1], ["true", undefined]],
    xml: [["true", true], ["2", 2], ["1", true], ["yes", undefined]],
    unwritable: [[1, "XML"], ["true", "both"]],
  },
  {
    types: "integer, number",
    type: anyOf(integer, number),
    json: [[5, 5], [5.5, 5.5]],
    xml: [["5", 5], ["5.5", 5.5], ["1e3", 1000]],
  },
  {
    types: "integer, bigint",
    type: anyOf(integer, bigint),
    json: [[5, 5], ["5", 5n], ["9007199254740993", 9007199254740993n]],
    xml: [["5", 5], ["9007199254740993", 9007199254740993n]],
    unwritable: [[5n, "both"]],
  },
  {
    types: "oneOf, integer",
    type: anyOf(oneOf("auto", "7"), integer),
    json: [["auto", "auto"], ["7", "7"], [7, 7], ["other", undefined]],
    xml: [[" auto ", "auto"], ["7", "7"], ["8", 8], ["other", undefined]],
    unwritable: [[7, "XML"]],
  },
  {
    types: "date, string",
    type: anyOf(date, string),
    json: [["2026-11-20T10:00:00Z", time], ["soon", "soon"]],
    xml: [["2026-11-20T10:00:00Z", time], ["soon", "soon"]],
    unwritable: [["2026-11-20", "both"]],
  },
  {
    types: "string, date",
    type: anyOf(string, date),
    json: [["2026-11-20", "2026-11-20"]],
    xml: [["2026-11-20", day]],
    unwritable: [["2026-11-20", "XML"], [time, "JSON"]],
  },
  {
    types: "dateOnly, date",
    type: anyOf(dateOnly, date),
    json: [["2026-11-20", day], ["2026-11-20T10:00:00.000Z", time]],
    xml: [["2026-11-20", day], ["2026-11-20T10:00:00.000Z", time]],
  },
  {
    types: "date, unixSeconds",
    type: anyOf(date, unixSeconds),
    json: [["2026-11-20", day], [1795132800, day], [1e15, undefined]],
    xml: [["2026-11-20", day], ["1795132800", day]],
    unwritable: [[new Date("+010000-01-01T00:00:00Z"), "both"]],
  },
  {
    types: "a short string, a small integer, a boolean",
    type: anyOf(short, small, boolean),
    json: [["ab", "ab"], ["abc", undefined], [9, 9], [10, undefined], [false, false]],
    xml: [["ab", "ab"], ["abc", undefined], ["9", 9], ["10", "10"], ["false", false]],
    unwritable: [["9", "XML"], ["true", "both"], [10, "both"]],
  },
  {
    types: "two ranges of integers",
    type: anyOf(small, constrain(integer, { minimum: 100 })),
    json: [[9, 9], [10, undefined], [100, 100]],
    xml: [["9", 9], ["10", undefined], ["100", 100]],
    unwritable: [[10, "both"]],
  },
  {
    types: "a type that throws, and integer",
    type: anyOf(upper, integer),
    json: [["A", "A"], ["a", undefined], [5, 5]],
    xml: [["A", "A"], ["a", undefined], ["5", "5"]],
    unwritable: [[5, "XML"], ["a", "both"]],
  },
  {
    types: "a check that throws, and string",
    type: anyOf(refine(string, (text) => JSON.parse(text) === 1, "the JSON 1"), string),
    json: [["1", "1"], ["{", "{"]],
    xml: [["1", "1"], ["{", "{"]],
  },
];

describe("a value of anyOf", () => {
  for (const { types, type, json, xml, unwritable = [] } of cases) {
    const Holder = holderOf(type);
    for (const [given, value] of json) {
      const result = value === undefined ? "refused" : `read as ${typeof value} ${value}`;
      it(`is ${result} in JSON: ${JSON.stringify(given)} (${types})`, () => {
        const read = () => Holder.fromJson({ value: given });
        if (value === undefined) {
          const { issues } = assertThrows(read, ModelError);
          assertEquals(issues.map(({ where, expected }) => [where, expected]), [
            ["value", type.shape.expected],
          ]);
          return;
        }
        assertEquals(read().value, value);
      });
    }
    for (const [text, value] of xml) {
      const result = value === undefined ? "refused" : `read as ${typeof value} ${value}`;
      it(`is ${result} in XML: '${text}' (${types})`, async () => {
        const read = () => Holder.fromXml(`<holder value="${text}"/>`);
        if (value === undefined) return void await assertRejects(read, ModelError);
        const holder = await read();
        assertEquals(holder.value, value);
        assertEquals((await Holder.fromXml(toXml(holder))).value, value);
      });
    }
    for (const [value, formats] of unwritable) {
      it(`is not written in ${formats}: ${typeof value} ${value} (${types})`, async () => {
        const holder = Holder.of({ value });
        if (formats !== "XML") assertThrows(() => holder.toJsonString(), ModelError);
        else assertEquals(Holder.fromJson(holder.toJsonString()).value, value);
        if (formats !== "JSON") assertThrows(() => toXml(holder), ModelError);
        else assertEquals((await Holder.fromXml(toXml(holder))).value, value);
      });
    }
  }

  it("shows in the error all types with their constraints", () => {
    const Holder = holderOf(anyOf(constrain(string, { maxLength: 2 }), integer));
    const { issues } = assertThrows(() => Holder.fromJson({ value: "abc" }), ModelError);
    assertEquals(
      issues[0]?.message,
      'expected a string (at most 2 characters) or a whole number, but it is "abc"',
    );
  });

  it("shows in the error how a value would be read back", () => {
    const holder = holderOf(anyOf(string, integer)).of({ value: "5" });
    assertThrows(() => toXml(holder), ModelError, '"5" would be read back as a whole number');
  });

  it("selects the model of a union if all its types have known values", async () => {
    class A extends model("shape", { kind: attr(anyOf(literal("a"), literal(1))) }) {}
    class B extends model("shape", { kind: attr(literal("b")) }) {}
    class Both extends model("both", { shape: element(union("kind", A, B)) }) {}
    assert(Both.fromJson({ shape: { kind: 1 } }).shape instanceof A);
    assert(Both.fromJson({ shape: { kind: "b" } }).shape instanceof B);
    const xml = await Both.fromXml('<both><shape kind="1"/></both>');
    assertEquals(xml.shape.kind, 1);
  });

  it("does not select the model of a union if one of its types has other values", () => {
    class A extends model("a", { kind: attr(anyOf(literal("a"), integer)) }) {}
    class B extends model("b", { kind: attr(literal("b")) }) {}
    assertThrows(() => union("kind", A, B), UnexpectedValueError, "A.fields.kind");
  });
});

describe("the declaration of anyOf", () => {
  class Part extends model("part", {}) {}
  const types: readonly (readonly [string, unknown])[] = [
    ["nullable", nullable(string)],
    ["a list", list(string)],
    ["a record", record(string)],
    ["a model", Part],
    ["undefined", undefined],
  ];
  for (const [name, type] of types) {
    it(`is refused with a type that is not scalar: ${name}`, () => {
      const declare = () => anyOf(integer, type as ValueType<unknown>);
      assertEquals(assertThrows(declare, UnexpectedValueError).option, "types[1]");
    });
  }

  it("may have nullable around it", () => {
    const Holder = holderOf(nullable(anyOf(string, integer)));
    assertEquals(Holder.fromJson({ value: null }).value, null);
    assertEquals(Holder.fromJson({ value: 5 }).value, 5);
  });
});

describe("a value of openEnum", () => {
  const Holder = holderOf(openEnum("open", "closed"));

  for (const value of ["open", "closed", "merged", "", "Open"]) {
    it(`is any string: '${value}'`, async () => {
      const holder = Holder.fromJson({ value });
      assertEquals(holder.value, value);
      assertEquals(holder.toJsonString(), JSON.stringify({ value }));
      assertEquals((await Holder.fromXml(toXml(holder))).value, value);
    });
  }

  for (const value of [7, true, null, ["open"], undefined]) {
    it(`is not another value: ${JSON.stringify(value)}`, () => {
      const { issues } = assertThrows(() => Holder.fromJson({ value }), ModelError);
      assertEquals(issues[0]?.expected, 'a string such as "open" or "closed"');
      const holder = Holder.of({ value: value ?? 7 });
      assertThrows(() => holder.toJsonString(), ModelError);
      assertThrows(() => toXml(holder), ModelError);
    });
  }

  it("is read without the white space around it in XML if it is known", async () => {
    const { value } = await Holder.fromXml('<holder value=" open&#10;"/>');
    assertEquals(value, "open");
    assertEquals((await Holder.fromXml('<holder value=" other "/>')).value, " other ");
    const holder = Holder.of({ value: " open " });
    assertEquals(Holder.fromJson(holder.toJsonString()).value, " open ");
    assertThrows(() => toXml(holder), ModelError);
  });

  it("cannot be declared with the same value twice", () => {
    assertThrows(() => openEnum("a", "a"), UnexpectedValueError, "values[1]");
  });
});

describe("a value of several types that was written", () => {
  const values = fc.oneof(
    anyString.filter(isXmlText),
    fc.constantFrom("open", " open ", "5", "+5", "true", " 1", "2026-11-20"),
    fc.integer(),
    fc.boolean(),
    fc.date({ min: day, max: new Date("2027-01-01T00:00:00Z"), noInvalidDate: true }),
  );
  const types: readonly (readonly [string, ValueType<unknown>])[] = [
    ["string, integer", anyOf(string, integer)],
    ["boolean, string, integer", anyOf(boolean, string, integer)],
    ["string, date", anyOf(string, date)],
    ["unixSeconds, integer, oneOf", anyOf(unixSeconds, integer, oneOf("5", "open"))],
    ["openEnum", openEnum("open", "5")],
  ];
  for (const [name, type] of types) {
    const Holder = holderOf(type);
    it(`is read back as the same value, or was not written: ${name}`, async () => {
      let written = 0;
      await holds(fc.asyncProperty(values, async (value) => {
        const holder = Holder.of({ value });
        const json = attempt(() => holder.toJsonString());
        const xml = attempt(() => toXml(holder));
        if (json !== undefined) assertEquals(Holder.fromJson(json).value, value);
        if (xml !== undefined) assertEquals((await Holder.fromXml(xml)).value, value);
        if (json !== undefined && xml !== undefined) written++;
      }));
      assert(written > 10, `${written} values were written`);
    });
  }
});

/** Returns the result of a function, or undefined if it throws a ModelError. */
function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return undefined;
  }
}
