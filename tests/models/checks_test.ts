import { assert, assertEquals, assertRejects, assertThrows, describe, it } from "#test";
import { ModelError } from "../../src/errors/model_error.ts";
import { UnexpectedValueError } from "../../src/errors/unexpected_value_error.ts";
import {
  attr,
  element,
  elements,
  type Fields,
  integer,
  list,
  Model,
  model,
  record,
  string,
  text,
  toXml,
  type ValueType,
} from "../../src/models/mod.ts";

/** The number of calls of the check of `Range`. */
let calls = 0;

class Range extends model("range", { from: attr(integer), to: attr(integer) }, {
  check: ({ from, to }) => {
    calls++;
    if (from === 13) throw new Error("thirteen is not tested");
    return from > to ? `from (${from}) must not be after to (${to})` : undefined;
  },
}) {}
class Plan extends model("plan", {
  title: element(string),
  main: element(Range, { optional: true }),
  ranges: elements(Range, { within: "all", tag: "part" }),
}, {
  check: ({ ranges, title }) => ranges.length > 2 ? `${title} has more than 2 ranges` : undefined,
}) {}

const wrong = "from (2) must not be after to (1)";

describe("the check of a model", () => {
  it("is called after an instance was read, and its message is the issue", async () => {
    const error = assertThrows(() => Range.fromJson({ from: 2, to: 1 }), ModelError);
    assertEquals(error.issues, [{
      code: "constraint",
      path: [],
      where: "",
      expected: wrong,
      message: wrong,
    }]);
    const other = await assertRejects(
      () => Range.fromXml("\n <range from='2' to='1'/>"),
      ModelError,
    );
    assertEquals(other.issues, [
      {
        code: "constraint",
        path: ["range"],
        where: "/range",
        expected: wrong,
        message: wrong,
        line: 2,
        column: 2,
      },
    ]);
    assertEquals(
      await Range.fromXml("<range from='1' to='1'/>"),
      Range.fromJson({ from: 1, to: 1 }),
    );
  });

  it("is called for nested instances, and its issues have their paths", async () => {
    const json = {
      title: "A",
      main: { from: 2, to: 1 },
      ranges: [{ from: 1, to: 1 }, { from: 2, to: 1 }],
    };
    const error = assertThrows(() => Plan.fromJson(json), ModelError);
    assertEquals(error.issues.map(({ code, where, message }) => [code, where, message]), [
      ["constraint", "main", wrong],
      ["constraint", "ranges[1]", wrong],
    ]);
    const xml =
      '<plan><title/><range from="2" to="1"/><all><part from="1" to="1"/><part from="2" to="1"/></all></plan>';
    const other = await assertRejects(() => Plan.fromXml(xml), ModelError);
    assertEquals(other.issues.map(({ where }) => where), ["/plan/range", "/plan/all/part[2]"]);
  });

  it("is called before an instance is written, in both formats", () => {
    const range = Range.of({ from: 2, to: 1 });
    const plan = Plan.of({ title: "A", ranges: [range] });
    assertEquals(
      assertThrows(() => range.toJsonString(), ModelError).issues.map((
        { where, message },
      ) => [where, message]),
      [
        ["", wrong],
      ],
    );
    assertEquals(
      assertThrows(() => plan.toJsonString(), ModelError).issues.map(({ where }) => where),
      [
        "ranges[0]",
      ],
    );
    const error = assertThrows(() => toXml(plan), ModelError);
    assertEquals(error.issues.map(({ code, where, message }) => [code, where, message]), [
      ["constraint", "/plan/all/part[1]", wrong],
    ]);
  });

  it("is not called if there is already an issue in the instance, in both formats and both ways", async () => {
    calls = 0;
    const broken = Range.of({ from: "x" as never, to: 1 });
    assertThrows(() => Range.fromJson({ from: "x", to: 1 }), ModelError);
    assertThrows(() => Range.fromJson({ to: 1 }), ModelError);
    await assertRejects(() => Range.fromXml("<range from='x' to='1'/>"), ModelError);
    await assertRejects(() => Range.fromXml("<range to='1'/>"), ModelError);
    assertThrows(() => broken.toJsonString(), ModelError);
    assertThrows(() => toXml(broken), ModelError);
    assertEquals(calls, 0);
    // An issue in another instance does not matter.
    const json = { title: 7, ranges: [{ from: "x", to: 1 }, { from: 2, to: 1 }] };
    const error = assertThrows(() => Plan.fromJson(json), ModelError);
    assertEquals(error.issues.map(({ where }) => where), ["title", "ranges[0].from", "ranges[1]"]);
    assertEquals(calls, 1);
  });

  it("sees defaults, and is not called by of()", () => {
    class Page extends model("page", { size: attr(integer, { default: 20 }) }, {
      check: ({ size }) => size > 10 ? "size must be at most 10" : undefined,
    }) {}
    assertThrows(() => Page.fromJson({}), ModelError, "size must be at most 10");
    assertEquals(Page.of({}).size, 20);
  });

  it("becomes an issue with its path if it throws", async () => {
    const message =
      "expected an instance that its check accepts, but it made the check throw: thirteen is not tested";
    const json = { title: "A", ranges: [{ from: 1, to: 1 }, { from: 13, to: 20 }] };
    const error = assertThrows(() => Plan.fromJson(json), ModelError);
    assertEquals(error.issues.map((issue) => [issue.code, issue.where, issue.message]), [
      ["constraint", "ranges[1]", message],
    ]);
    const other = await assertRejects(() => Range.fromXml("<range from='13' to='1'/>"), ModelError);
    assertEquals(other.issues.map((issue) => [issue.where, issue.message]), [["/range", message]]);
    const range = Range.of({ from: 13, to: 1 });
    assertThrows(() => range.toJsonString(), ModelError, message);
    assertThrows(() => toXml(range), ModelError, message);
  });

  it("shows a thrown value of any kind, shortened", () => {
    for (const thrown of ["x".repeat(1000), { toString: () => "odd" }, null]) {
      class Odd extends model("odd", {}, {
        check: () => {
          throw thrown;
        },
      }) {}
      const { message } = assertThrows(() => Odd.fromJson({}), ModelError);
      assert(message.length < 400 && message.includes("made the check throw: "), message);
    }
  });

  for (const result of [true, false, null, 7, "", Promise.resolve("x")]) {
    it(`must return a message or undefined: ${result === "" ? "an empty string" : String(result)}`, () => {
      class Odd extends model("odd", {}, { check: () => result as string }) {}
      const error = assertThrows(() => Odd.fromJson({}), UnexpectedValueError);
      assertEquals(error.option, "Odd.check");
      assert(
        error.message.includes("a function that returns a message, or undefined"),
        error.message,
      );
    });
  }

  it("can be a static member of the long form", () => {
    class Long extends Model {
      declare readonly id: number;
      static override readonly tag: string = "long";
      static override readonly fields: Fields<Long> = { id: attr(integer) };
      static override readonly check = ({ id }: Long): string | undefined =>
        id < 0 ? "id must not be negative" : undefined;
    }
    assertThrows(() => Long.fromJson({ id: -1 }), ModelError, "id must not be negative");
    assertEquals(Long.fromJson({ id: 1 }).id, 1);
  });
});

describe("the check of a type", () => {
  /** Returns a type with a check that counts its calls. */
  const counting = <T>(type: ValueType<T>, check: (value: T) => string | undefined) => {
    const count = { calls: 0 };
    const shape = Object.create(type.shape, {
      check: {
        value: (value: T) => {
          count.calls++;
          return check(value);
        },
      },
    });
    return { type: { shape } as ValueType<T>, count };
  };

  it("is called for values without an issue only, with the value that was read", async () => {
    const positive = (value: number) => value > 0 ? undefined : "a positive number";
    const notEmpty = (values: readonly unknown[]) =>
      values.length > 0 ? undefined : "at least one value";
    const one = counting(integer, positive);
    const many = counting(list(one.type), notEmpty);
    const map = counting(record(one.type), (each) => notEmpty(Object.keys(each)));
    class Page extends model("page", {
      one: attr(one.type),
      many: element(many.type),
      map: element(map.type),
      all: elements(one.type, { tag: "each" }),
      said: text(one.type),
    }) {}
    const right = { one: 1, many: [1], map: { a: 1 }, all: [1], said: 1 };
    const page = Page.fromJson(right);
    assertEquals(await Page.fromXml(toXml(page)), page);
    assertEquals(Page.fromJson(page.toJsonString()), page);

    const values = { one: 0, many: [], map: {}, all: [1, -1], said: 0 };
    const issues = [
      ["constraint", "a positive number"],
      ["constraint", "at least one value"],
      ["constraint", "at least one value"],
      ["constraint", "a positive number"],
      ["constraint", "a positive number"],
    ];
    const short = (error: ModelError) => error.issues.map(({ code, expected }) => [code, expected]);
    assertEquals(short(assertThrows(() => Page.fromJson(values), ModelError)), issues);
    assertEquals(short(assertThrows(() => Page.of(values).toJsonString(), ModelError)), issues);
    const xml = '<page one="0">0<many/><map/><each>1</each><each>-1</each></page>';
    const error = await assertRejects(() => Page.fromXml(xml), ModelError);
    assertEquals(error.issues.map(({ where, message }) => [where, message]), [
      ["/page/@one", "expected a positive number, but it is 0"],
      ["/page/many", "expected at least one value, but it is an array of 0 elements"],
      ["/page/map", "expected at least one value, but it is an object"],
      ["/page/each[2]", "expected a positive number, but it is -1"],
      ["/page", "expected a positive number, but it is 0"],
    ]);
    assertEquals(
      assertThrows(() => toXml(Page.of(values)), ModelError).issues.map(({ where }) => where),
      [
        "/page/@one",
        "/page/text()",
        "/page/many",
        "/page/map",
        "/page/each[2]",
      ],
    );

    [one, many, map].forEach(({ count }) => count.calls = 0);
    const broken = { one: "x", many: ["x"], map: { a: "x" }, all: ["x"], said: "x" };
    assertThrows(() => Page.fromJson(broken), ModelError);
    assertThrows(() => Page.of(broken as never).toJsonString(), ModelError);
    assertThrows(() => toXml(Page.of(broken as never)), ModelError);
    const brokenXml = '<page one="x">x<many>x</many><map><a>x</a></map><each>x</each></page>';
    await assertRejects(() => Page.fromXml(brokenXml), ModelError);
    assertEquals([one, many, map].map(({ count }) => count.calls), [0, 0, 0]);
  });

  it("becomes an issue if it throws", async () => {
    const { type } = counting(integer, () => {
      throw new Error("no value fits");
    });
    class Page extends model("page", { one: attr(type) }) {}
    const message = "expected a whole number (no value fits), but it is 1";
    const errors = [
      assertThrows(() => Page.fromJson({ one: 1 }), ModelError),
      assertThrows(() => Page.of({ one: 1 }).toJsonString(), ModelError),
      assertThrows(() => toXml(Page.of({ one: 1 })), ModelError),
      await assertRejects(() => Page.fromXml('<page one="1"/>'), ModelError),
    ];
    for (const { issues } of errors) {
      assertEquals(issues.map((issue) => [issue.code, issue.message]), [["constraint", message]]);
    }
  });
});
