/**
 * The conformance suite of the `#test` port: the behavior that tests rely on in both editions.
 * assertThrows shows that each assertion fails when it should. It also tests itself.
 */
import {
  after,
  afterEach,
  assert,
  assertEquals,
  assertInstanceOf,
  assertMatch,
  assertNotEquals,
  assertRejects,
  assertStrictEquals,
  assertStringIncludes,
  assertThrows,
  before,
  beforeEach,
  describe,
  fail,
  it,
} from "#test";
import { deepEqual } from "./support/deep_equal.ts";

class Point {
  x: number;
  constructor(x: number) {
    this.x = x;
  }
}
class OtherPoint extends Point {}

class Hidden {
  #value: number;
  constructor(value: number) {
    this.#value = value;
  }
  get value(): number {
    return this.#value;
  }
}

class CustomError extends Error {
  override name = "CustomError";
}

/** Creates an object without a prototype. */
function bare(entries: Record<string, unknown>): Record<string, unknown> {
  return Object.assign(Object.create(null), entries);
}

function circular(value: number): Record<string, unknown> {
  const object: Record<string, unknown> = { value };
  object["self"] = object;
  return object;
}

const sparse: number[] = [];
sparse[1] = 1;

const equalPairs: [name: string, a: unknown, b: unknown][] = [
  ["a null prototype and a plain object", bare({ a: 1 }), { a: 1 }],
  ["a null prototype inside", { a: bare({ b: [1] }) }, { a: { b: [1] } }],
  ["zero and negative zero", 0, -0],
  ["zero and negative zero inside", { a: [0] }, { a: [-0] }],
  ["NaN and NaN", NaN, NaN],
  ["objects with keys in another order", { a: 1, b: 2 }, { b: 2, a: 1 }],
  ["objects with the same symbol key", { [Symbol.for("k")]: 1 }, { [Symbol.for("k")]: 1 }],
  ["maps in another order", new Map([["a", 1], ["b", 2]]), new Map([["b", 2], ["a", 1]])],
  ["maps with objects for keys", new Map([[{ a: 1 }, [2]]]), new Map([[{ a: 1 }, [2]]])],
  ["sets in another order", new Set([1, 2]), new Set([2, 1])],
  ["sets of objects", new Set([{ a: 1 }, { a: 2 }]), new Set([{ a: 2 }, { a: 1 }])],
  ["dates", new Date(5), new Date(5)],
  ["invalid dates", new Date(NaN), new Date(NaN)],
  ["bytes", new Uint8Array([1, 2]), new Uint8Array([1, 2])],
  ["negative zero in a typed array", new Float64Array([0, NaN]), new Float64Array([-0, NaN])],
  ["buffers", new Uint8Array([1]).buffer, new Uint8Array([1]).buffer],
  ["class instances", new Point(1), new Point(1)],
  ["instances whose getters agree", new Hidden(1), new Hidden(1)],
  ["URLs", new URL("http://a.test/b"), new URL("http://a.test/b")],
  ["regular expressions", /a/g, /a/g],
  ["circular objects", circular(1), circular(1)],
  ["one function and itself", fail, fail],
  ["null and null", null, null],
];

const differentPairs: [name: string, a: unknown, b: unknown][] = [
  ["a number and its string", 1, "1"],
  ["null and undefined", null, undefined],
  ["a bigint and a number", 1n, 1],
  ["an undefined key and a missing one", { a: undefined }, {}],
  ["an undefined key and another", { a: undefined }, { b: undefined }],
  ["objects that differ deep inside", { a: [{ b: 1 }] }, { a: [{ b: 2 }] }],
  ["an array and an object", [], {}],
  ["arrays of other lengths", [1], [1, undefined]],
  ["a hole and undefined", sparse, [undefined, 1]],
  ["a symbol key and none", { [Symbol.for("k")]: 1 }, {}],
  ["maps with another value", new Map([["a", 1]]), new Map([["a", 2]])],
  ["maps with another key", new Map([["a", 1]]), new Map([["b", 1]])],
  ["sets with another member", new Set([1]), new Set([2])],
  ["sets of different objects", new Set([{ a: 1 }]), new Set([{ a: 2 }])],
  ["a set and a map", new Set(), new Map()],
  ["other dates", new Date(5), new Date(6)],
  ["other bytes", new Uint8Array([1, 2]), new Uint8Array([1, 3])],
  ["other kinds of bytes", new Uint8Array([1]), new Int8Array([1])],
  ["other buffers", new Uint8Array([1]).buffer, new Uint8Array([2]).buffer],
  ["an instance and a plain object", new Point(1), { x: 1 }],
  ["an instance and one of a subclass", new Point(1), new OtherPoint(1)],
  ["instances with other fields", new Point(1), new Point(2)],
  ["instances whose getters differ", new Hidden(1), new Hidden(2)],
  ["errors with other messages", new Error("a"), new Error("b")],
  ["errors of other classes", new Error("a"), new TypeError("a")],
  ["other URLs", new URL("http://a.test/b"), new URL("http://a.test/c")],
  ["other regular expressions", /a/g, /a/i],
  ["circular objects with another value", circular(1), circular(2)],
  ["two functions", () => {}, () => {}],
];

describe("#test assertEquals", () => {
  for (const [name, a, b] of equalPairs) {
    it(`treats as equal: ${name}`, () => {
      assertEquals(a, b);
      assertEquals(b, a);
      assertThrows(() => assertNotEquals(a, b), Error);
    });
  }

  for (const [name, a, b] of differentPairs) {
    it(`treats as different: ${name}`, () => {
      assertThrows(() => assertEquals(a, b), Error);
      assertThrows(() => assertEquals(b, a), Error);
      assertNotEquals(a, b);
    });
  }

  it("shows both values and the caller's note", () => {
    const error = assertThrows(
      () => assertEquals({ a: "left" }, { a: "right" }, "the note"),
      Error,
    );
    assertStringIncludes(error.message, "left");
    assertStringIncludes(error.message, "right");
    assertStringIncludes(error.message, "the note");
  });

  it("does not treat a pair that differed as equal when it occurs again", () => {
    const a = { n: 1 };
    const b = { n: 2 };
    assertThrows(() => assertEquals([new Set([a]), a], [new Set([b]), b]), Error);
  });

  it("throws in the npm edition for objects that hide their content", () => {
    const pairs: [unknown, unknown][] = [
      [new Headers(), new Headers()],
      [Promise.resolve(1), Promise.resolve(2)],
      [new WeakMap(), new WeakMap()],
      [new Blob(["a"]), new Blob(["b"])],
    ];
    for (const [a, b] of pairs) assertThrows(() => deepEqual(a, b), TypeError, "Cannot compare");
  });
});

describe("#test assertions", () => {
  it("assert accepts truthy values", () => {
    assert(1);
    assert("a");
    for (const falsy of [0, "", null, undefined, false, NaN]) {
      assertThrows(() => assert(falsy), Error);
    }
    assertThrows(() => assert(false, "the note"), Error, "the note");
  });

  it("assertStrictEquals uses Object.is", () => {
    const object = {};
    assertStrictEquals(object, object);
    assertStrictEquals(NaN, NaN);
    assertThrows(() => assertStrictEquals({}, {}), Error);
    assertThrows(() => assertStrictEquals(0, -0), Error);
    assertThrows(() => assertStrictEquals<unknown>(1, "1", "the note"), Error, "the note");
  });

  it("assertStringIncludes and assertMatch search a string", () => {
    assertStringIncludes("abc", "b");
    assertMatch("abc", /^a.c$/);
    assertThrows(() => assertStringIncludes("abc", "x", "the note"), Error, "the note");
    assertThrows(() => assertMatch("abc", /x/, "the note"), Error, "the note");
  });

  it("assertInstanceOf uses instanceof", () => {
    class Branded {
      static [Symbol.hasInstance](value: unknown): boolean {
        return value === "branded";
      }
    }
    assertInstanceOf(new OtherPoint(1), Point);
    assertInstanceOf("branded", Branded);
    assertThrows(() => assertInstanceOf(new Point(1), OtherPoint), Error);
    assertThrows(() => assertInstanceOf({ x: 1 }, Point), Error);
    assertThrows(() => assertInstanceOf(null, Point, "the note"), Error, "the note");
  });

  it("fail throws", () => {
    assertThrows(() => fail(), Error);
    assertThrows(() => fail("the note"), Error, "the note");
  });
});

describe("#test assertThrows", () => {
  it("returns the error", () => {
    const error = new CustomError("some text");
    const thrown = (): never => {
      throw error;
    };
    assertStrictEquals(assertThrows(thrown), error);
    assertStrictEquals(assertThrows(thrown, CustomError), error);
    assertStrictEquals(assertThrows(thrown, Error, "me te"), error);
  });

  it("returns anything that is thrown if no class is passed", () => {
    assertStrictEquals(
      assertThrows(() => {
        throw "text";
      }),
      "text",
    );
  });

  it("fails when nothing is thrown, or something else", () => {
    const thrown = (): never => {
      throw new CustomError("some text");
    };
    assertThrows(() => assertThrows(() => {}), Error);
    assertThrows(() => assertThrows(() => {}, Error, undefined, "the note"), Error, "the note");
    assertThrows(() => assertThrows(thrown, TypeError), Error);
    assertThrows(() => assertThrows(thrown, CustomError, "other text"), Error);
    assertThrows(() =>
      assertThrows(() => {
        throw "text";
      }, Error), Error);
  });

  it("does not treat a rejected promise as a throw", () => {
    const promise = Promise.reject(new Error("late"));
    promise.catch(() => {});
    assertThrows(() => assertThrows(() => promise), Error);
  });
});

describe("#test assertRejects", () => {
  it("returns the error", async () => {
    const error = new CustomError("some text");
    const rejects = (): Promise<never> => Promise.reject(error);
    assertStrictEquals(await assertRejects(rejects), error);
    assertStrictEquals(await assertRejects(rejects, CustomError), error);
    assertStrictEquals(await assertRejects(rejects, Error, "me te"), error);
  });

  it("fails when the promise is fulfilled, or rejects with something else", async () => {
    const rejects = (): Promise<never> => Promise.reject(new CustomError("some text"));
    await assertRejects(() => assertRejects(() => Promise.resolve()), Error);
    await assertRejects(() => assertRejects(rejects, TypeError), Error);
    await assertRejects(() => assertRejects(rejects, CustomError, "other text"), Error);
    await assertRejects(() => assertRejects(() => Promise.reject("text"), Error), Error);
    await assertRejects(
      () => assertRejects(() => Promise.resolve(), Error, undefined, "the note"),
      Error,
      "the note",
    );
  });

  it("fails when the function throws before there is a promise", async () => {
    await assertRejects(() =>
      assertRejects(() => {
        throw new TypeError("at once");
      }), Error);
  });

  it("fails when the function returns no promise", async () => {
    await assertRejects(() => assertRejects(() => 5 as unknown as Promise<void>), Error);
  });
});

describe("#test hooks", () => {
  const order: string[] = [];
  before(() => void order.push("before"));
  before(async () => {
    await Promise.resolve();
    order.push("second before");
  });
  beforeEach(() => void order.push("outer each"));
  afterEach(() => void order.push("outer after each"));

  it("run before the first test, once", () => {
    assertEquals(order, ["before", "second before", "outer each"]);
  });

  describe("of an inner group", () => {
    before(() => void order.push("inner before"));
    beforeEach(() => void order.push("inner each"));
    afterEach(() => void order.push("inner after each"));
    after(() => void order.push("inner after"));

    it("run inside those of the outer group", () => {
      assertEquals(order.slice(3), [
        "outer after each",
        "inner before",
        "outer each",
        "inner each",
      ]);
    });
  });

  it("run after the last test of an inner group", () => {
    assertEquals(order.slice(7), [
      "inner after each",
      "outer after each",
      "inner after",
      "outer each",
    ]);
  });

  it("throw outside of a group", () => {
    for (const hook of [before, after, beforeEach, afterEach]) {
      assertThrows(() => hook(() => {}), Error, "inside a describe()");
    }
  });
});
