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
  elements,
  type Fields,
  integer,
  list,
  literal,
  Model,
  model,
  nullable,
  number,
  oneOf,
  openEnum,
  record,
  refine,
  scalar,
  string,
  text,
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

interface Case {
  readonly name: string;
  /** The type without the constraint, which writes the values that the constraint refuses. */
  readonly base: ValueType<unknown>;
  readonly type: ValueType<unknown>;
  readonly valid: readonly unknown[];
  /** Values that break the constraint, with what was expected. */
  readonly invalid: readonly (readonly [value: unknown, expected: string])[];
}

const newYear = new Date("2026-01-01T00:00:00Z");
const beforeNewYear = new Date(newYear.getTime() - 1);
const isEven = (value: number) => value % 2 === 0;
const percentage = scalar<number>({
  expected: "a percentage",
  parse: (text) => text.endsWith("%") ? Number(text.slice(0, -1)) : undefined,
  format: (value) => `${value}%`,
});

const cases: readonly Case[] = [
  {
    name: "minLength",
    base: string,
    type: constrain(string, { minLength: 2 }),
    valid: ["ab", "abc", "\u{1f600}b"],
    invalid: [
      ["", "at least 2 characters"],
      ["a", "at least 2 characters"],
      ["\u{1f600}", "at least 2 characters"],
    ],
  },
  {
    name: "maxLength",
    base: string,
    type: constrain(string, { maxLength: 1 }),
    valid: ["", "a", "\u{1f600}"],
    invalid: [["ab", "at most 1 character"]],
  },
  {
    name: "minLength and maxLength",
    base: string,
    type: constrain(string, { maxLength: 3, minLength: 2, pattern: undefined }),
    valid: ["ab", "abc"],
    invalid: [["a", "at least 2 characters"], ["abcd", "at most 3 characters"]],
  },
  {
    name: "equal bounds",
    base: string,
    type: constrain(string, { minLength: 2, maxLength: 2 }),
    valid: ["ab"],
    invalid: [["a", "at least 2 characters"], ["abc", "at most 2 characters"]],
  },
  {
    name: "pattern, which matches anywhere",
    base: string,
    type: constrain(string, { pattern: /b+/ }),
    valid: ["b", "abbc"],
    invalid: [["a", "a match for /b+/"], ["", "a match for /b+/"]],
  },
  {
    name: "pattern with anchors and flags",
    base: string,
    type: constrain(string, { pattern: /^\p{Lu}+$/iu }),
    valid: ["b", "\u00e9"],
    invalid: [["1b", "a match for /^\\p{Lu}+$/iu"]],
  },
  {
    name: "pattern after the length",
    base: string,
    type: constrain(string, { pattern: /^a/, minLength: 2 }),
    valid: ["ab"],
    invalid: [["b", "at least 2 characters"], ["bb", "a match for /^a/"]],
  },
  {
    name: "minimum of an integer",
    base: integer,
    type: constrain(integer, { minimum: 1 }),
    valid: [1, 2],
    invalid: [[0, "at least 1"], [-5, "at least 1"]],
  },
  {
    name: "maximum of a number",
    base: number,
    type: constrain(number, { maximum: 1.5 }),
    valid: [1.5, -3],
    invalid: [[1.6, "at most 1.5"]],
  },
  {
    name: "minimum and maximum",
    base: number,
    type: constrain(number, { minimum: -1, maximum: 0 }),
    valid: [-1, 0, -0.5],
    invalid: [[0.1, "at most 0"], [-1.1, "at least -1"]],
  },
  {
    name: "minimum of a bigint",
    base: bigint,
    type: constrain(bigint, { minimum: 2n ** 64n }),
    valid: [2n ** 64n],
    invalid: [[2n ** 64n - 1n, "at least 18446744073709551616"], [
      -1n,
      "at least 18446744073709551616",
    ]],
  },
  {
    name: "minimum of a date",
    base: date,
    type: constrain(date, { minimum: newYear }),
    valid: [newYear],
    invalid: [[beforeNewYear, "2026-01-01T00:00:00.000Z or later"]],
  },
  {
    name: "maximum of a Unix timestamp",
    base: unixSeconds,
    type: constrain(unixSeconds, { maximum: beforeNewYear }),
    valid: [new Date(0), beforeNewYear],
    invalid: [[newYear, "2025-12-31T23:59:59.999Z or earlier"]],
  },
  {
    name: "minimum of a type that has a check",
    base: dateOnly,
    type: constrain(dateOnly, { minimum: newYear }),
    valid: [newYear],
    invalid: [[new Date("2025-12-31T00:00:00Z"), "2026-01-01T00:00:00.000Z or later"]],
  },
  {
    name: "minItems",
    base: list(integer),
    type: constrain(list(integer), { minItems: 1 }),
    valid: [[1], [1, 2]],
    invalid: [[[], "at least 1 item"]],
  },
  {
    name: "maxItems",
    base: list(string),
    type: constrain(list(string), { maxItems: 2 }),
    valid: [[], ["a", "b"]],
    invalid: [[["a", "b", "c"], "at most 2 items"]],
  },
  {
    name: "minimum of the items of a list",
    base: list(integer),
    type: list(constrain(integer, { minimum: 1 })),
    valid: [[], [1, 2]],
    invalid: [[[1, 0], "at least 1"]],
  },
  {
    name: "minimum within nullable",
    base: nullable(integer),
    type: nullable(constrain(integer, { minimum: 1 })),
    valid: [1, null],
    invalid: [[0, "at least 1"]],
  },
  {
    name: "maxLength of openEnum",
    base: openEnum("a", "b"),
    type: constrain(openEnum("a", "b"), { maxLength: 1 }),
    valid: ["a", "x"],
    invalid: [["xy", "at most 1 character"]],
  },
  {
    name: "maximum of a custom scalar",
    base: percentage,
    type: constrain(percentage, { maximum: 100 }),
    valid: [99.5, 100],
    invalid: [[101, "at most 100"]],
  },
  {
    name: "refine",
    base: integer,
    type: refine(integer, isEven, "an even number"),
    valid: [0, 2, -2],
    invalid: [[1, "an even number"]],
  },
  {
    name: "refine of a list",
    base: list(integer),
    type: refine(list(integer), (all) => new Set(all).size === all.length, "no item twice"),
    valid: [[], [1, 2]],
    invalid: [[[1, 2, 1], "no item twice"]],
  },
  {
    name: "refine of nullable",
    base: nullable(integer),
    type: refine(nullable(integer), (value) => value !== 0, "null or not 0"),
    valid: [1, null],
    invalid: [[0, "null or not 0"]],
  },
  {
    name: "refine of anyOf",
    base: anyOf(string, integer),
    type: refine(anyOf(string, integer), (value) => value !== "", "a non-empty name"),
    valid: ["a", 5],
    invalid: [["", "a non-empty name"]],
  },
  {
    name: "several in order",
    base: integer,
    type: constrain(refine(constrain(integer, { minimum: 1 }), isEven, "an even number"), {
      maximum: 10,
    }),
    valid: [2, 10],
    invalid: [[-1, "at least 1"], [11, "an even number"], [12, "at most 10"]],
  },
];

describe("a constraint", () => {
  for (const { name, base, type, valid, invalid } of cases) {
    const [Holder, Unconstrained] = [holderOf(type), holderOf(base)];
    for (const [index, value] of valid.entries()) {
      it(`allows a value: ${name}, case ${index + 1}`, async () => {
        const holder = Holder.of({ value });
        assertEquals(Holder.fromJson(holder.toJsonString()), holder);
        assertEquals(await Holder.fromXml(toXml(holder)), holder);
      });
    }
    for (const [index, [value, expected]] of invalid.entries()) {
      it(`refuses a value in both formats and directions: ${name}, case ${index + 1}`, async () => {
        const holder = Unconstrained.of({ value });
        const [json, xml] = [holder.toJsonString(), toXml(holder)];
        const actions: readonly (readonly [string, () => unknown])[] = [
          ["value", () => Holder.fromJson(json)],
          ["value", () => Holder.of({ value }).toJsonString()],
          ["/holder/@value", () => Holder.fromXml(xml)],
          ["/holder/@value", () => toXml(Holder.of({ value }))],
        ];
        for (const [path, run] of actions) {
          const { issues } = await assertRejects(async () => await run(), ModelError);
          assertEquals(issues.map((issue) => issue.expected), [expected]);
          assertEquals(issues[0]!.where.replace(/\[\d\]/, ""), path);
        }
      });
    }
  }

  it("is not checked if the value has another issue", () => {
    const values = refine(
      list(integer),
      (all) => all.every((each) => each > 0),
      "positive numbers",
    );
    const { issues } = assertThrows(
      () => holderOf(values).fromJson({ value: ["a", -1] }),
      ModelError,
    );
    assertEquals(issues.map(({ where, expected }) => [where, expected]), [
      ["value[0]", "a whole number"],
    ]);
  });

  it("is part of what is expected if the value is missing or of another type", () => {
    const Holder = holderOf(constrain(refine(integer, isEven, "an even number"), { minimum: 1 }));
    for (const json of [{}, { value: "a" }]) {
      const { issues } = assertThrows(() => Holder.fromJson(json), ModelError);
      assertEquals(issues[0]?.expected, "a whole number (an even number) (at least 1)");
    }
  });

  it("is not changed by a change of its Date", () => {
    const minimum = new Date(newYear);
    const Holder = holderOf(constrain(date, { minimum }));
    minimum.setTime(0);
    assertThrows(() => Holder.of({ value: beforeNewYear }).toJsonString(), ModelError);
  });

  it("leaves the type as it is", () => {
    constrain(string, { minLength: 2 });
    refine(string, () => false, "nothing");
    assertEquals(holderOf(string).fromJson({ value: "" }).value, "");
  });

  it("holds wherever a value stands", async () => {
    const short = constrain(string, { maxLength: 1 });
    class Inner extends model("inner", { content: text(short, { optional: true }) }) {}
    class Outer extends model("outer", {
      one: element(short),
      many: elements(short, { tag: "each" }),
      names: element(record(short)),
      inner: element(Inner),
    }) {}
    class Unconstrained extends model("outer", {
      one: element(string),
      many: elements(string, { tag: "each" }),
      names: element(record(string)),
      inner: element(model("inner", { content: text(string) })),
    }) {}
    const json = { one: "aa", many: ["b", "bb"], names: { x: "cc" }, inner: { content: "dd" } };
    const keys = ["one", "many[1]", "names.x", "inner.content"];
    const paths = [
      "/outer/one",
      "/outer/each[2]",
      "/outer/names/x",
      "/outer/inner",
    ];

    const read = assertThrows(() => Outer.fromJson(json), ModelError);
    assertEquals(read.issues.map(({ where }) => where), keys);
    const xml = toXml(Unconstrained.fromJson(json));
    const fromXml = await assertRejects(() => Outer.fromXml(xml), ModelError);
    assertEquals(fromXml.issues.map(({ where }) => where.replace("/text()", "")), paths);

    const outer = Outer.of({ ...json, inner: Inner.of({ content: "dd" }) });
    const written = assertThrows(() => outer.toJsonString(), ModelError);
    assertEquals(written.issues.map(({ where }) => where), keys);
    const toXmlError = assertThrows(() => toXml(outer), ModelError);
    assertEquals(toXmlError.issues.map(({ where }) => where.replace("/text()", "")), paths);
  });
});

describe("a check of a model", () => {
  class Span extends model("span", { from: attr(integer), to: attr(integer) }) {
    get length(): number {
      return this.to - this.from;
    }
  }
  const ordered = refine(Span, ({ length }) => length >= 0, "a span that ends after its start");
  class Loan extends model("loan", {
    span: element(ordered),
    spans: elements(ordered, { tag: "earlier" }),
    last: element(nullable(ordered), { optional: true, tag: "last" }),
    named: element(record(ordered), { optional: true }),
  }) {}
  const good = { from: 1, to: 1 };
  const bad = { from: 2, to: 1 };

  it("allows instances that are valid", async () => {
    const loan = Loan.fromJson({ span: good, spans: [good], last: null, named: { x: good } });
    assert(loan.span instanceof Span);
    assertEquals(Loan.fromJson(loan.toJsonString()), loan);
    assertEquals(await Loan.fromXml(toXml(loan)), loan);
  });

  it("refuses other instances in both formats and directions", async () => {
    const json = { span: bad, spans: [good, bad], last: bad, named: { x: bad } };
    const keys = ["span", "spans[1]", "last", "named.x"];
    const paths = ["/loan/span", "/loan/earlier[2]", "/loan/last", "/loan/named/x"];
    const span = '<span from="2" to="1"/>'.slice(6);
    const xml = `<loan><span ${span}<earlier from="1" to="1"/><earlier ${span}` +
      `<last ${span}<named><x ${span}</named></loan>`;
    const of = Span.of(bad);
    const loan = Loan.of({ span: of, spans: [Span.of(good), of], last: of, named: { x: of } });
    const actions: readonly (readonly [readonly string[], () => unknown])[] = [
      [keys, () => Loan.fromJson(json)],
      [keys, () => loan.toJsonString()],
      [paths, () => Loan.fromXml(xml)],
      [paths, () => toXml(loan)],
    ];
    for (const [expected, run] of actions) {
      const { issues } = await assertRejects(async () => await run(), ModelError);
      assertEquals(issues.map(({ where }) => where), expected);
      assertEquals(
        new Set(issues.map((issue) => issue.expected)),
        new Set(["a span that ends after its start"]),
      );
    }
  });

  it("is not called for an instance with an issue", () => {
    const { issues } = assertThrows(() => Loan.fromJson({ span: { from: 2 } }), ModelError);
    assertEquals(issues.map(({ where }) => where), ["span.to"]);
  });

  it("is possible for a model that is declared later or contains itself", () => {
    const full = refine((): typeof Tree => Tree, ({ size }) => size > 0, "no empty tree");
    class Tree extends Model {
      declare readonly size: number;
      declare readonly children: Tree[];
      static override readonly tag: string = "tree";
      static override readonly fields: Fields<Tree> = {
        size: attr(integer),
        children: elements(full),
      };
    }
    const json = { size: 0, children: [{ size: 1, children: [{ size: 0, children: [] }] }] };
    const { issues } = assertThrows(() => Tree.fromJson(json), ModelError);
    assertEquals(issues.map(({ where }) => where), ["children[0].children[0]"]);
  });

  it("is possible for a record and a union", async () => {
    class A extends model("a", { kind: attr(literal("a")), size: attr(integer) }) {}
    class B extends model("b", { kind: attr(literal("b")), size: attr(integer) }) {}
    class Both extends model("both", {
      either: element(refine(union("kind", A, B), ({ size }) => size > 0, "a positive size")),
      sizes: element(refine(record(integer), (all) => "x" in all, "a size x")),
    }) {}
    const both = Both.fromJson({ either: { kind: "b", size: 1 }, sizes: { x: 1 } });
    assertEquals(await Both.fromXml(toXml(both)), both);
    const json = { either: { kind: "b", size: 0 }, sizes: { y: 1 } };
    const error = assertThrows(() => Both.fromJson(json), ModelError);
    assertEquals(error.issues.map(({ expected }) => expected), ["a positive size", "a size x"]);
    const xml = '<both><b kind="b" size="0"/><sizes><y>1</y></sizes></both>';
    const other = await assertRejects(() => Both.fromXml(xml), ModelError);
    assertEquals(other.issues.map(({ expected }) => expected), ["a positive size", "a size x"]);
  });
});

describe("a check that throws", () => {
  const throwing = refine(string, (value) => JSON.parse(value) !== null, "JSON that is not null");
  const Holder = holderOf(throwing);

  it("becomes an issue with its message, in both formats and directions", async () => {
    const actions: readonly (readonly [string, () => unknown])[] = [
      ["value", () => Holder.fromJson({ value: "{" })],
      ["value", () => Holder.of({ value: "{" }).toJsonString()],
      ["/holder/@value", () => Holder.fromXml('<holder value="{"/>')],
      ["/holder/@value", () => toXml(Holder.of({ value: "{" }))],
    ];
    for (const [path, run] of actions) {
      const { issues } = await assertRejects(async () => await run(), ModelError, "JSON");
      assertEquals(issues.map((issue) => issue.where), [path]);
    }
  });
});

describe("the result of a check", () => {
  it("must be true, so that a promise is not taken for it", () => {
    for (const result of [Promise.resolve(false), Promise.resolve(true), 1, "yes", {}]) {
      const Holder = holderOf(refine(string, () => result as unknown as boolean, "nothing"));
      assertThrows(() => Holder.fromJson({ value: "a" }), ModelError, "nothing");
    }
  });
});

describe("the known values of a type", () => {
  it("that meet its constraints select the model of a union", async () => {
    const kinds = oneOf("a1", "a2", "b");
    const startsWith = (start: string) =>
      refine(kinds, (kind) => kind.startsWith(start), `a kind ${start}`);
    class A extends model("shape", { kind: attr(startsWith("a")) }) {}
    class B extends model("shape", { kind: attr(constrain(kinds, { pattern: /b/ })) }) {}
    class Holder extends model("holder", { value: element(union("kind", A, B)) }) {}
    for (const [kind, Shape] of [["a2", A], ["b", B]] as const) {
      assert(Holder.fromJson({ value: { kind } }).value instanceof Shape);
      const xml = `<holder><shape kind="${kind}"/></holder>`;
      assert((await Holder.fromXml(xml)).value instanceof Shape);
    }
  });

  it("are those for which a check does not throw", () => {
    const fussy = refine(oneOf("a", "b"), (value) => {
      if (value === "b") throw new Error("not b");
      return true;
    }, "no b");
    class A extends model("a", { kind: attr(fussy) }) {}
    class B extends model("b", { kind: attr(literal("b")) }) {}
    class Holder extends model("holder", { value: element(union("kind", A, B)) }) {}
    assert(Holder.fromJson({ value: { kind: "b" } }).value instanceof B);
  });

  it("are not looked at when the type is declared", () => {
    let calls = 0;
    refine(boolean, () => ++calls > 0, "counted");
    assertEquals(calls, 0);
  });
});

describe("the declaration of constraints", () => {
  /** Calls constrain as code without types can. */
  const declare = (type: unknown, constraints: unknown) => () =>
    constrain(type as ValueType<string>, constraints as { minLength: number });
  class Part extends model("part", {}) {}
  const wrong: readonly (readonly [string, string, () => unknown])[] = [
    ["a negative length", "minLength", declare(string, { minLength: -1 })],
    ["a length that is not whole", "maxLength", declare(string, { maxLength: 1.5 })],
    ["a length that is a string", "maxLength", declare(string, { maxLength: "1" })],
    ["a length that is null", "maxLength", declare(string, { maxLength: null })],
    ["contradictory lengths", "minLength", declare(string, { minLength: 2, maxLength: 1 })],
    ["a pattern that is a string", "pattern", declare(string, { pattern: "^a" })],
    ["a global pattern", "pattern", declare(string, { pattern: /a/g })],
    ["a sticky pattern", "pattern", declare(string, { pattern: /a/y })],
    ["a bound that is NaN", "minimum", declare(number, { minimum: NaN })],
    ["an infinite bound", "maximum", declare(number, { maximum: Infinity })],
    ["a bound that is not whole", "minimum", declare(integer, { minimum: 1.5 })],
    ["a bound that is a string", "minimum", declare(string, { minimum: "a" })],
    ["a bound of another type", "minimum", declare(integer, { minimum: 1n })],
    ["a bound of a string", "minimum", declare(string, { minimum: 1 })],
    ["an invalid date", "minimum", declare(date, { minimum: new Date(NaN) })],
    ["contradictory bounds", "minimum", declare(integer, { minimum: 2, maximum: 1 })],
    ["contradictory dates", "minimum", declare(date, { minimum: newYear, maximum: beforeNewYear })],
    ["contradictory bigints", "minimum", declare(bigint, { minimum: 2n, maximum: 1n })],
    ["a negative number of items", "minItems", declare(list(string), { minItems: -1 })],
    [
      "contradictory numbers of items",
      "minItems",
      declare(list(string), { minItems: 2, maxItems: 1 }),
    ],
    ["items of a scalar", "minItems", declare(string, { minItems: 1 })],
    ["a length of a list", "minLength", declare(list(string), { minLength: 1 })],
    ["a length of nullable", "minLength", declare(nullable(string), { minLength: 1 })],
    ["a bound of a record", "minimum", declare(record(integer), { minimum: 1 })],
    ["a length and a bound", "minimum", declare(string, { minLength: 1, minimum: 1 })],
    ["a length and a bound of a number", "minimum", declare(integer, { minLength: 1, minimum: 1 })],
    ["an unknown constraint", "minlength", declare(string, { minlength: 1 })],
    ["an inherited name", "toString", declare(string, { toString: 1 })],
    ["no constraints", "constraints", declare(string, undefined)],
    ["a number as constraints", "constraints", declare(string, 7)],
    ["a model", "type", declare(Part, { minLength: 1 })],
    ["no type", "type", declare(undefined, { minLength: 1 })],
    ["a check that is not a function", "check", () => refine(string, true as never, "x")],
    [
      "a check without a description",
      "expected",
      () => refine(string, () => true, undefined as never),
    ],
    ["a check with an empty description", "expected", () => refine(string, () => true, "")],
  ];
  for (const [name, option, declaration] of wrong) {
    it(`is refused: ${name}`, () => {
      assertEquals(assertThrows(declaration, UnexpectedValueError).option, option);
    });
  }

  it("shows the two constraints that contradict each other", () => {
    const { message } = assertThrows(
      declare(date, { minimum: newYear, maximum: beforeNewYear }),
      UnexpectedValueError,
    );
    assertEquals(
      message,
      '"minimum" must be at most maximum (2025-12-31T23:59:59.999Z), ' +
        "but is 2026-01-01T00:00:00.000Z",
    );
  });

  it("returns the same type if there are none", () => {
    assertEquals(constrain(string, {}), string);
    assertEquals(constrain(string, { minLength: undefined }), string);
  });

  it("shows that a bound must be a value of the type", () => {
    const { message } = assertThrows(declare(string, { minimum: 1 }), UnexpectedValueError);
    assertEquals(
      message,
      '"minimum" must be a number, a bigint or a Date that is a value of the type (a string), ' +
        "but is 1",
    );
  });
});

describe("a constrained value", () => {
  const values = fc.oneof(anyString.filter(isXmlText), fc.constantFrom("aa", "ab", "ba", "bb"));

  it("is read back as the same value if it was written, and refused by each way otherwise", async () => {
    const type = constrain(string, { minLength: 1, maxLength: 6, pattern: /^a|b$/ });
    const [Holder, Unconstrained] = [holderOf(type), holderOf(string)];
    await holds(fc.asyncProperty(values, async (value) => {
      const length = [...value].length;
      const isValid = length >= 1 && length <= 6 && (value.startsWith("a") || value.endsWith("b"));
      const holder = Holder.of({ value });
      const other = Unconstrained.of({ value });
      if (isValid) {
        assertEquals(Holder.fromJson(holder.toJsonString()), holder);
        assertEquals(await Holder.fromXml(toXml(holder)), holder);
        return;
      }
      assertThrows(() => holder.toJsonString(), ModelError);
      assertThrows(() => toXml(holder), ModelError);
      assertThrows(() => Holder.fromJson(other.toJsonString()), ModelError);
      await assertRejects(() => Holder.fromXml(toXml(other)), ModelError);
    }));
  });
});
