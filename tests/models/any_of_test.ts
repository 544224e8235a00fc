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
  document,
  element,
  elements,
  type Fields,
  integer,
  json,
  list,
  literal,
  Model,
  model,
  nullable,
  number,
  object,
  oneOf,
  openEnum,
  record,
  refine,
  rest,
  scalar,
  string,
  toXml,
  tuple,
  union,
  unixSeconds,
  type ValueType,
} from "../../src/models/mod.ts";
import { isXmlText } from "../../src/xml/escape.ts";
import { anyString, holds } from "../support/property.ts";

/** Returns a model with one attribute of the given type. */
function holderOf<T>(type: ValueType<T>) {
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

describe("a value of anyOf with types that are not scalar", () => {
  class Customer extends model("customer", {
    id: element(string),
    name: element(string),
    born: element(date, { optional: true }),
  }) {}
  class Deleted extends model("deleted", {
    id: element(string),
    deleted: element(literal(true)),
  }) {}
  class Vip extends model("vip", { level: element(integer) }, { extends: Customer }) {}
  const customer = Customer.of({ id: "c1", name: "Ada" });

  it("is read by the first type that its members fit, and written again", () => {
    const Holder = holderOf(anyOf(string, Deleted, Vip, () => Customer, list(integer)));
    const values: readonly (readonly [json: unknown, value: unknown])[] = [
      ["c1", "c1"],
      [{ id: "c1", name: "Ada" }, customer],
      [{ id: "c1", name: "Ada", deleted: false }, customer],
      [{ id: "c1", name: "Ada", level: 2 }, Vip.of({ id: "c1", name: "Ada", level: 2 })],
      [{ id: "c1", deleted: true }, Deleted.of({ id: "c1", deleted: true })],
      [
        { id: "c1", name: "Ada", born: "1815-12-10" },
        Customer.of({
          ...customer,
          born: new Date("1815-12-10"),
        }),
      ],
      [[1, 2], [1, 2]],
      [[], []],
    ];
    for (const [json, value] of values) {
      const holder = Holder.fromJson({ value: json });
      assertEquals(holder.value, value);
      assertEquals(holder.value?.constructor, value?.constructor);
      assertEquals(Holder.fromJson(JSON.stringify(holder)), holder);
    }
  });

  it("is an array whose places fit", () => {
    const pair = anyOf(tuple<[string, string]>([string, string]), list(integer));
    assertEquals(document(pair).fromJson("[1,2]"), [1, 2]);
    assertEquals(document(pair).fromJson('["a","b"]'), ["a", "b"]);
    const entry = anyOf(
      tuple<[string, Date]>([string, date]),
      tuple<[string, number]>([string, integer]),
    );
    assertEquals(document(entry).fromJson('["a",1]'), ["a", 1]);
    assertEquals(document(entry).toJsonString(["a", 1]), '["a",1]');
  });

  it("is written as the class of an instance, not as one that it extends", () => {
    const Holder = holderOf(anyOf(Vip, Customer));
    const vip = Vip.of({ id: "c1", name: "Ada", level: 2 });
    assertEquals(Holder.of({ value: vip }).toJSON(), {
      value: { id: "c1", name: "Ada", level: 2 },
    });
    const Other = holderOf(anyOf(Customer, Vip));
    assertEquals(Other.of({ value: vip }).toJSON(), {
      value: { id: "c1", name: "Ada", level: 2 },
    });
    class Better extends Vip {}
    const better = Better.of({ ...vip });
    assertEquals(Other.of({ value: better }).toJSON(), Other.of({ value: vip }).toJSON());
  });

  it("is read by the type that declares the most of its members, or else by the first", () => {
    class A extends model("a", { a: element(string, { optional: true }) }) {}
    class B extends model("b", {
      a: element(string, { optional: true }),
      b: element(string, { optional: true }),
    }) {}
    const given = [{}, { a: "" }, { b: "" }, { a: "", b: "" }, { c: "" }];
    const classesOf = (type: ValueType<unknown>) => {
      const Holder = holderOf(type);
      return given.map((value) => Holder.fromJson({ value }).value?.constructor);
    };
    assertEquals(classesOf(anyOf(A, B)), [A, A, B, B, A]);
    assertEquals(classesOf(anyOf(B, A)), [B, B, B, B, B]);
    assertEquals(classesOf(anyOf(json, A, B)), [Object, A, B, B, Object]);
    assertEquals(classesOf(anyOf(record(string), union([A, B]), B)), [
      Object,
      B,
      B,
      B,
      Object,
    ]);
    const Holder = holderOf(anyOf(A, B));
    assertEquals(Holder.of({ value: B.of({ a: "x" }) }).toJSON(), { value: { a: "x" } });
  });

  it("is refused if it fits no type, with all types in the message", () => {
    const Holder = holderOf(anyOf(string, Customer, Deleted));
    const { issues } = assertThrows(() => Holder.fromJson({ value: { id: "c1" } }), ModelError);
    assertEquals(issues.map(({ where, message }) => [where, message]), [[
      "value",
      "expected a string or an object (Customer) or an object (Deleted), but it is an object",
    ]]);
    for (const value of [5, null, [], true]) {
      assertThrows(() => Holder.fromJson({ value }), ModelError, "expected a string or an object");
    }
  });

  it("has the path of a wrong member if only one type has objects, or has lists", () => {
    const Holder = holderOf(anyOf(string, Customer, list(Deleted)));
    const wrong: readonly (readonly [unknown, readonly string[]])[] = [
      [{ id: 5 }, ["value.id", "value.name"]],
      [{ id: "", name: "", born: "soon" }, ["value.born"]],
      [[{ id: "", deleted: true }, {}], ["value[1].id", "value[1].deleted"]],
      [["a"], ["value[0]"]],
    ];
    for (const [value, places] of wrong) {
      const { issues } = assertThrows(() => Holder.fromJson({ value }), ModelError);
      assertEquals(issues.map(({ where }) => where), places);
    }
    const plain = Holder.of({ value: { id: "", name: "" } as never });
    assertThrows(() => plain.toJSON(), ModelError, "expected an instance of Customer");
    const broken = Holder.of({ value: Object.assign(Customer.of({ ...customer }), { name: 5 }) });
    const { issues } = assertThrows(() => broken.toJSON(), ModelError);
    assertEquals(issues.map(({ where }) => where), ["value.name"]);
  });

  it("is selected by its own members, not by those inside of them", () => {
    class Left extends model("left", { part: element(Customer) }) {}
    class Right extends model("right", { part: element(Deleted) }) {}
    const Holder = holderOf(anyOf(Left, Right));
    const value = { part: { id: "c1", deleted: true } };
    const { issues } = assertThrows(() => Holder.fromJson({ value }), ModelError);
    assertEquals(issues.map(({ where }) => where), ["value.part.name"]);
  });

  it("can be an object without a class, a record, a union, and any JSON value", () => {
    const point = object({ x: element(integer), at: element(date, { optional: true }) });
    const Holder = holderOf(
      anyOf(integer, point, union([Customer, Deleted]), record(integer), list(string), json),
    );
    const at = "2026-11-20T10:00:00.000Z";
    const values: readonly (readonly [json: unknown, value: unknown])[] = [
      [5, 5],
      [{ x: 1 }, { x: 1, at: undefined }],
      [{ x: 1, at }, { x: 1, at: new Date(at) }],
      [{ customer: { id: "c1", name: "Ada" } }, customer],
      [{ y: 1 }, { y: 1 }],
      [{ y: "a", z: null }, { y: "a", z: null }],
      [["a"], ["a"]],
      [["a", 5], ["a", 5]],
      ["a", "a"],
      [null, null],
    ];
    for (const [json, value] of values) {
      const holder = Holder.fromJson({ value: json });
      assertEquals(holder.value, value);
      assertEquals(JSON.parse(JSON.stringify(holder)), { value: json });
    }
  });

  it("selects by unknown members if the model refuses them, or has a type for them", () => {
    class Exact extends model("exact", { id: element(string) }, { unknown: "refuse" }) {}
    class Counted extends model("counted", { id: element(string), counts: rest(integer) }) {}
    const Holder = holderOf(anyOf(Exact, Counted, record(string)));
    const classes = [{ id: "a" }, { id: "a", b: 1 }, { id: "a", b: "c" }].map((value) => {
      const holder = Holder.fromJson({ value });
      assertEquals(JSON.parse(JSON.stringify(holder)), { value });
      return holder.value?.constructor;
    });
    assertEquals(classes, [Exact, Counted, Object]);
  });

  it("does not write an instance of a model as a plain object", () => {
    const Holder = holderOf(anyOf(string, object({ id: element(string) }), record(json)));
    assertThrows(() => Holder.of({ value: customer }).toJSON(), ModelError, "an object");
  });

  it("can be checked, also within its types", () => {
    const named = refine(Customer, ({ name }) => name !== "", "a customer with a name");
    const Holder = holderOf(
      refine(anyOf(string, named), (value) => value !== "none", "anything but none"),
    );
    const refused = ["none", { id: "c1", name: "" }];
    for (const value of refused) {
      const { issues } = assertThrows(() => Holder.fromJson({ value }), ModelError);
      assertEquals(issues.map(({ where, code }) => [where, code]), [["value", "constraint"]]);
    }
    assertThrows(() => Holder.of({ value: "none" }).toJSON(), ModelError, "anything but none");
    const empty = Customer.of({ id: "c1", name: "" });
    assertThrows(() => Holder.of({ value: empty }).toJSON(), ModelError, "a customer with a name");
    assertEquals(Holder.of({ value: customer }).toJSON(), { value: { id: "c1", name: "Ada" } });
  });

  it("reads numbers that JavaScript cannot hold as numbers, if a model keeps unknown content", () => {
    class Sized extends model("sized", { size: element(number) }) {}
    class Kept extends model("kept", { value: element(anyOf(number, Sized, json)) }, {
      unknown: "keep",
    }) {}
    const big = "12345678901234567890";
    assertEquals(Kept.fromJson(`{"value":${big}}`).value, Number(big));
    const { value } = Kept.fromJson(`{"value":{"size":${big}},"x":${big}}`);
    assert(value instanceof Sized);
    assertEquals(value.size, Number(big));
    assertEquals(Kept.fromJson(`{"value":[${big}]}`).value, [Number(big)]);
  });

  it("takes linear time for nested values of several types", () => {
    class One extends Model {
      declare readonly next: One | Two | string;
      static override readonly tag: string = "one";
      static override readonly fields: Fields<One> = {
        next: element(anyOf(string, () => One, () => Two)),
      };
    }
    class Two extends Model {
      declare readonly next: One | Two | string;
      declare readonly id: number;
      static override readonly tag: string = "two";
      static override readonly fields: Fields<Two> = {
        next: element(anyOf(string, () => One, () => Two)),
        id: element(integer),
      };
    }
    const depth = 200;
    const nested = (end: string) => '{"id":1,"next":'.repeat(depth) + end + "}".repeat(depth);
    // It would end only after 2^200 steps if each type was tried to the end.
    const { issues } = assertThrows(() => Two.fromJson(nested("5")), ModelError);
    assertEquals(issues.length, 1);
    assertEquals(JSON.stringify(Two.fromJson(nested('"a"'))).length > depth, true);
    const instance = Two.fromJson(nested('"a"'));
    let last: { next: unknown } = instance;
    while (typeof last.next !== "string") last = last.next as typeof last;
    last.next = 5;
    assertThrows(() => instance.toJSON(), ModelError, "1 problem");
  });

  it("is refused if it contains itself", () => {
    class Node extends Model {
      declare readonly next: Node | string;
      static override readonly tag: string = "node";
      static override readonly fields: Fields<Node> = {
        next: element(anyOf(string, () => Node)),
      };
    }
    const node = Node.of({ next: "" });
    Object.assign(node, { next: node });
    assertThrows(() => node.toJSON(), ModelError, "a value that does not contain itself");
  });

  it("is refused in XML when the model is first used, also deep inside of it", async () => {
    class Inner extends model("inner", { x: element(anyOf(string, Customer)) }) {}
    class Outer extends model("outer", { all: elements(Inner) }) {}
    const message = '"Inner.fields.x" must be a type that XML has a form for';
    await assertRejects(() => Outer.fromXml("<outer/>"), UnexpectedValueError, message);
    assertThrows(() => toXml(Outer.of({ all: [] })), UnexpectedValueError, message);
    await assertRejects(() => Outer.streamXml("<outer/>").next(), UnexpectedValueError, message);
    assertEquals(Outer.fromJson({ all: [{ x: "a" }] }).all[0]?.x, "a");
  });
});

describe("the declaration of anyOf", () => {
  const types: readonly (readonly [string, unknown])[] = [
    ["nullable", nullable(string)],
    ["a nullable model", nullable(class Part extends model("part", {}) {})],
    ["undefined", undefined],
    ["a class that is not a model", class {}],
  ];
  for (const [name, type] of types) {
    it(`is refused with a type that it cannot have: ${name}`, () => {
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
      const holder = Holder.of({ value: (value ?? 7) as never });
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
  class Point extends model("point", { x: element(integer) }) {}
  class Named extends model("named", { x: element(anyOf(integer, string)), y: rest(string) }) {}

  it("is written as the same text after it was read back: models, lists, records", async () => {
    const inner = fc.oneof(fc.integer(), fc.constantFrom("", "a", null));
    const json = fc.oneof(
      inner,
      fc.array(inner, { maxLength: 3 }),
      fc.dictionary(fc.constantFrom("x", "y", "z"), inner),
    );
    const order = fc.shuffledSubarray(
      [string, integer, Point, Named, list(string), list(integer), record(integer)],
      { minLength: 2 },
    );
    let written = 0;
    await holds(fc.property(order, json, (types, value) => {
      const Holder = holderOf(anyOf(...types as [typeof string, typeof string]));
      const holder = attempt(() => Holder.fromJson({ value }));
      if (holder === undefined) return;
      const text = JSON.stringify(holder);
      assertEquals(JSON.stringify(Holder.fromJson(text)), text);
      written++;
    }));
    assert(written > 10, `${written} values were written`);
  });

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
