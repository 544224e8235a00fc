import { assertEquals, assertRejects, assertThrows, describe, it } from "#test";
import fc from "fast-check";
import { ModelError } from "../../src/errors/model_error.ts";
import {
  attr,
  date,
  dateOnly,
  lenientDate,
  model,
  toXml,
  unixMilliseconds,
  unixSeconds,
  type ValueType,
} from "../../src/models/mod.ts";
import { assertLinearTime } from "../support/linear_time.ts";
import { holds } from "../support/property.ts";

/** Returns a model with one attribute of the given type. */
function holderOf(type: ValueType<Date>) {
  return class Holder extends model("holder", { value: attr(type) }) {};
}

/** Texts and their dates in ISO format, or undefined if the text is refused. */
type Rows = readonly (readonly [text: string, iso: string | undefined])[];

/** Texts that `date` and `lenientDate` read in the same way. */
const common: Rows = [
  ["2026-11-20", "2026-11-20T00:00:00.000Z"],
  ["2026-11-20T10:00:00Z", "2026-11-20T10:00:00.000Z"],
  ["2026-11-20T10:00:00", "2026-11-20T10:00:00.000Z"],
  ["2026-11-20T10:00:00.5+02:00", "2026-11-20T08:00:00.500Z"],
  ["2026-11-20T10:00:00.123456789Z", "2026-11-20T10:00:00.123Z"],
  ["2026-11-20T24:00:00Z", "2026-11-21T00:00:00.000Z"],
  [" 2026-11-20+01:00 ", "2026-11-19T23:00:00.000Z"],
  ["2024-02-29", "2024-02-29T00:00:00.000Z"],
  ["0001-01-01", "0001-01-01T00:00:00.000Z"],
  ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"],
  ["0000-12-31", undefined],
  ["0000-12-31T23:59:59Z", undefined],
  ["0001-01-01T00:00:00+01:00", undefined],
  ["0000-12-31T23:00:00-01:00", "0001-01-01T00:00:00.000Z"],
  ["9999-12-31T24:00:00Z", undefined],
  ["10000-01-01", undefined],
  ["-2026-11-20", undefined],
  ["+002026-11-20T10:00:00Z", undefined],
  ["2026-02-29", undefined],
  ["2026-02-30T00:00:00Z", undefined],
  ["1900-02-29", undefined],
  ["2026-04-31", undefined],
  ["2026-13-01", undefined],
  ["2026-00-10", undefined],
  ["2026-01-00", undefined],
  ["2026-11-20T25:00:00Z", undefined],
  ["2026-11-20T24:00:01Z", undefined],
  ["2026-11-20T10:61:00Z", undefined],
  ["2026-11-20T23:59:60Z", undefined],
  ["2026-11-20T10:00:00+24:00", undefined],
  ["2026-11-20T10:00:00+00:60", undefined],
  ["2026-11-20T10:00:00.Z", undefined],
  ["2026-11-20T10Z", undefined],
  ["20261120", undefined],
  ["20 Nov 2026", undefined],
  ["2026", undefined],
  ["1763632800", undefined],
  ["", undefined],
];

/** Texts that only `lenientDate` reads. */
const lenient: Rows = [
  ["2026-11-20T10:00:00+0000", "2026-11-20T10:00:00.000Z"],
  ["2026-11-20T10:00:00-0130", "2026-11-20T11:30:00.000Z"],
  ["2026-11-20T10:00:00+00", "2026-11-20T10:00:00.000Z"],
  ["2026-11-20T10:00:00.25-05", "2026-11-20T15:00:00.250Z"],
  ["2026-11-20T10:00Z", "2026-11-20T10:00:00.000Z"],
  ["2026-11-20T10:00", "2026-11-20T10:00:00.000Z"],
  ["2026-11-20T10:00+01:00", "2026-11-20T09:00:00.000Z"],
  ["2026-11-20 10:00:00", "2026-11-20T10:00:00.000Z"],
  ["2026-11-20 10:00:00.123456+00", "2026-11-20T10:00:00.123Z"],
  ["2026-11-20t10:00:00z", "2026-11-20T10:00:00.000Z"],
  ["2026-11-20z", "2026-11-20T00:00:00.000Z"],
];

const refusedByBoth: Rows = [
  ["2026-11-20  10:00:00Z", undefined],
  ["2026-11-20T10:00:00 Z", undefined],
  ["2026-11-20T10:00.5Z", undefined],
  ["2026-11-20T10:00:00+0", undefined],
  ["2026-11-20T10:00:00+01:0", undefined],
  ["2026-11-20T10:00:00+0060", undefined],
  ["2026-11-20T10:00:00Z+00", undefined],
  ["2026-11-20 ", "2026-11-20T00:00:00.000Z"],
];

const days: Rows = [
  ["2026-11-20", "2026-11-20T00:00:00.000Z"],
  [" 2026-11-20 ", "2026-11-20T00:00:00.000Z"],
  ["2026-11-20Z", "2026-11-20T00:00:00.000Z"],
  ["2026-11-20+14:00", "2026-11-20T00:00:00.000Z"],
  ["2026-11-20-05:00", "2026-11-20T00:00:00.000Z"],
  ["0001-01-01+14:00", "0001-01-01T00:00:00.000Z"],
  ["9999-12-31-14:00", "9999-12-31T00:00:00.000Z"],
  ["2026-11-20+99:00", undefined],
  ["2026-11-20+01", undefined],
  ["2026-11-20T00:00:00Z", undefined],
  ["2026-11-20T10:00:00Z", undefined],
  ["2026-02-29", undefined],
  ["2026-13-01", undefined],
  ["0000-01-01", undefined],
  ["2026-11", undefined],
  ["", undefined],
];

const texts: readonly (readonly [string, ValueType<Date>, Rows])[] = [
  ["date", date, [
    ...common,
    ...refusedByBoth,
    ...lenient.map(([text]) => [text, undefined] as const),
  ]],
  ["lenientDate", lenientDate, [...common, ...refusedByBoth, ...lenient]],
  ["dateOnly", dateOnly, days],
];

describe("the text of a date", () => {
  for (const [name, type, rows] of texts) {
    const Holder = holderOf(type);
    for (const [text, iso] of rows) {
      it(`is ${iso === undefined ? "refused" : `read as ${iso}`} by ${name}: '${text}'`, async () => {
        const json = { value: text };
        const xml = `<holder value="${text}"/>`;
        if (iso === undefined) {
          assertThrows(() => Holder.fromJson(json), ModelError);
          await assertRejects(() => Holder.fromXml(xml), ModelError);
          return;
        }
        assertEquals(Holder.fromJson(json).value.toISOString(), iso);
        assertEquals((await Holder.fromXml(xml)).value.toISOString(), iso);
      });
    }
  }

  it("is read in linear time", () => {
    for (const [, type] of texts) {
      const Holder = holderOf(type);
      for (const part of [" ", "0", "2026-11-20 "]) {
        assertLinearTime((length) => {
          const value = `2026-11-20${part.repeat(length / part.length)}x`;
          assertThrows(() => Holder.fromJson({ value }), ModelError);
        });
      }
    }
  });
});

/** Numbers in JSON and their dates, or undefined if the number is refused. */
const numbers: readonly (readonly [
  string,
  ValueType<Date>,
  readonly (readonly [json: unknown, iso: string | undefined])[],
])[] = [
  ["unixSeconds", unixSeconds, [
    [0, "1970-01-01T00:00:00.000Z"],
    [1763632800, "2025-11-20T10:00:00.000Z"],
    [1763632800.25, "2025-11-20T10:00:00.250Z"],
    [1763632800.123, "2025-11-20T10:00:00.123Z"],
    [-1.5, "1969-12-31T23:59:58.500Z"],
    [-62135596800, "0001-01-01T00:00:00.000Z"],
    [253402300799.999, "9999-12-31T23:59:59.999Z"],
    [-62135596800.001, undefined],
    [253402300800, undefined],
    [1763632800000, undefined],
    [1763632800.1234, undefined],
    [1e300, undefined],
    [NaN, undefined],
    [Infinity, undefined],
    ["1763632800", undefined],
    ["2025-11-20T10:00:00Z", undefined],
    [null, undefined],
    [true, undefined],
  ]],
  ["unixMilliseconds", unixMilliseconds, [
    [0, "1970-01-01T00:00:00.000Z"],
    [1763632800250, "2025-11-20T10:00:00.250Z"],
    [-1, "1969-12-31T23:59:59.999Z"],
    [-62135596800000, "0001-01-01T00:00:00.000Z"],
    [253402300799999, "9999-12-31T23:59:59.999Z"],
    [-62135596800001, undefined],
    [253402300800000, undefined],
    [1763632800250.5, undefined],
    [Number.MAX_VALUE, undefined],
    ["1763632800250", undefined],
  ]],
];

describe("a Unix timestamp", () => {
  for (const [name, type, rows] of numbers) {
    const Holder = holderOf(type);
    for (const [json, iso] of rows) {
      const result = iso === undefined ? "refused" : `read as ${iso}`;
      it(`is ${result} by ${name} in JSON: ${JSON.stringify(json)} (${typeof json} ${json})`, () => {
        const read = () => Holder.fromJson({ value: json });
        if (iso === undefined) return void assertThrows(read, ModelError);
        assertEquals(read().value.toISOString(), iso);
        assertEquals(JSON.parse(read().toJsonString()), { value: json });
      });
    }
  }

  const digits: readonly (readonly [string, ValueType<Date>, Rows])[] = [
    ["unixSeconds", unixSeconds, [
      ["1763632800", "2025-11-20T10:00:00.000Z"],
      [" +1763632800.250000 ", "2025-11-20T10:00:00.250Z"],
      ["-1.5", "1969-12-31T23:59:58.500Z"],
      ["0.001", "1970-01-01T00:00:00.001Z"],
      ["0.0001", undefined],
      ["1763632800.1230000000000000001", undefined],
      ["1763632800000", undefined],
      ["1e9", undefined],
      ["0x10", undefined],
      ["1.", undefined],
      [".5", undefined],
      ["", undefined],
      ["9".repeat(400), undefined],
    ]],
    ["unixMilliseconds", unixMilliseconds, [
      ["1763632800250", "2025-11-20T10:00:00.250Z"],
      ["-1", "1969-12-31T23:59:59.999Z"],
      ["0.5", undefined],
      ["1.0", undefined],
      ["", undefined],
    ]],
  ];
  for (const [name, type, rows] of digits) {
    const Holder = holderOf(type);
    for (const [text, iso] of rows) {
      const result = iso === undefined ? "refused" : `read as ${iso}`;
      it(`is ${result} by ${name} in XML: '${text.slice(0, 40)}'`, async () => {
        const read = () => Holder.fromXml(`<holder value="${text}"/>`);
        if (iso === undefined) return void await assertRejects(read, ModelError);
        const holder = await read();
        assertEquals(holder.value.toISOString(), iso);
        assertEquals(await Holder.fromXml(toXml(holder)), holder);
      });
    }
  }
});

describe("a Date", () => {
  const time = "2026-11-20T10:00:00.250Z";
  const written: readonly (readonly [string, ValueType<Date>, string, unknown, string])[] = [
    ["date", date, time, time, time],
    ["lenientDate", lenientDate, time, time, time],
    ["dateOnly", dateOnly, "2026-11-20T00:00:00Z", "2026-11-20", "2026-11-20"],
    ["dateOnly", dateOnly, "0001-01-01T00:00:00Z", "0001-01-01", "0001-01-01"],
    ["unixSeconds", unixSeconds, time, 1795168800.25, "1795168800.25"],
    ["unixSeconds", unixSeconds, "1970-01-01T00:00:00.001Z", 0.001, "0.001"],
    ["unixMilliseconds", unixMilliseconds, time, 1795168800250, "1795168800250"],
  ];
  for (const [name, type, iso, json, text] of written) {
    it(`is written by ${name} as ${text}`, () => {
      const holder = holderOf(type).of({ value: new Date(iso) });
      assertEquals(JSON.parse(holder.toJsonString()), { value: json });
      assertEquals(toXml(holder, { declaration: false }), `<holder value="${text}"/>`);
    });
  }

  const years = "expected a date in the years 1 to 9999";
  const types = { date, lenientDate, dateOnly, unixSeconds, unixMilliseconds };
  const refused: readonly (readonly [string, ValueType<Date>, unknown, string])[] = [
    ...Object.entries(types).flatMap(([name, type]) =>
      [
        [name, type, new Date("0000-12-31T00:00:00Z"), years],
        [name, type, new Date("-000001-01-01T00:00:00Z"), years],
        [name, type, new Date("+010000-01-01T00:00:00Z"), years],
        [name, type, new Date(NaN), `expected ${type.shape.expected}`],
        [name, type, "2026-11-20", `expected ${type.shape.expected}`],
        [name, type, 1763632800, `expected ${type.shape.expected}`],
        [name, type, null, `expected ${type.shape.expected}`],
      ] as const
    ),
    ["dateOnly", dateOnly, new Date("2026-11-20T10:00:00Z"), "expected a date at midnight UTC"],
    ["dateOnly", dateOnly, new Date("1969-12-31T23:59:59.999Z"), "expected a date at midnight UTC"],
  ];
  for (const [index, [name, type, value, message]] of refused.entries()) {
    it(`is refused by ${name} when it cannot be written: ${String(value)} (case ${index + 1})`, () => {
      const holder = holderOf(type).of({ value: value as Date });
      for (const write of [() => holder.toJsonString(), () => toXml(holder)]) {
        const { issues } = assertThrows(write, ModelError);
        assertEquals(issues.length, 1);
        assertEquals(issues[0]?.message.startsWith(message), true, issues[0]?.message);
      }
    });
  }
});

describe("a date that was written", () => {
  const dates = fc.date({
    min: new Date("0001-01-01T00:00:00Z"),
    max: new Date("9999-12-31T23:59:59.999Z"),
    noInvalidDate: true,
  });
  const midnights = dates.map((value) => new Date(value.getTime() - value.getTime() % 86_400_000))
    .filter((value) => value.getTime() >= Date.parse("0001-01-01T00:00:00Z"));
  const cases: readonly (readonly [string, ValueType<Date>, fc.Arbitrary<Date>])[] = [
    ["date", date, dates],
    ["lenientDate", lenientDate, dates],
    ["dateOnly", dateOnly, midnights],
    ["unixSeconds", unixSeconds, dates],
    ["unixMilliseconds", unixMilliseconds, dates],
  ];
  for (const [name, type, values] of cases) {
    const Holder = holderOf(type);
    it(`is read back as the same date: ${name}`, async () => {
      await holds(fc.asyncProperty(values, async (value) => {
        const holder = Holder.of({ value });
        assertEquals(Holder.fromJson(holder.toJsonString()), holder);
        assertEquals(await Holder.fromXml(toXml(holder)), holder);
      }));
    });
  }

  it("is read by lenientDate as by date in every format that date reads", async () => {
    const [Strict, Lenient] = [holderOf(date), holderOf(lenientDate)];
    const text = fc.tuple(
      dates.map((value) => value.toISOString().slice(0, 10)),
      fc.constantFrom("", "T10:20:30", "T24:00:00", "T10:20:30.5", "T10:20:30.123456"),
      fc.constantFrom("", "Z", "+01:30", "-23:59"),
    ).map((parts) => parts.join(""));
    await holds(fc.property(text, (value) => {
      const strict = attempt(() => Strict.fromJson({ value }).value.getTime());
      assertEquals(attempt(() => Lenient.fromJson({ value }).value.getTime()), strict);
    }));
  });
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
