import { inspect } from "node:util";
import { assert, assertEquals, assertThrows, describe, it } from "#test";
import { UnexpectedValueError } from "../../src/errors/unexpected_value_error.ts";
import { SessionHeaders } from "../../src/http/headers.ts";

function headers(of: Readonly<Record<string, string>> = {}): SessionHeaders {
  const made = new SessionHeaders();
  made.setAll(of);
  return made;
}

describe("the headers of an HTTP session", () => {
  it("are none at first", () => {
    assertEquals([headers().names(), headers().get("x-key")], [[], undefined]);
  });

  it("names are compared without case", () => {
    const given = headers({ "X-Key": "a" });
    assertEquals([given.get("x-key"), given.get("X-KEY"), given.get("X-Key")], ["a", "a", "a"]);
    given.set("x-kEY", "b");
    assertEquals({ ...given.fields() }, { "x-key": "b" });
    assertEquals(given.names(), ["x-key"]);
  });

  it("null takes a header away, also one that is not there", () => {
    const given = headers({ "X-Key": "a", "X-Id": "7" });
    given.set("x-KEY", null);
    given.set("x-none", null);
    assertEquals([given.names(), given.get("X-Key")], [["x-id"], undefined]);
  });

  it("several can be set and cleared at once, and undefined leaves one as it is", () => {
    const given = headers({ a: "1", b: "2", c: "3" });
    given.setAll({ A: null, B: undefined, C: 4, D: "5" });
    assertEquals({ ...given.fields() }, { b: "2", c: "4", d: "5" });
  });

  it("a mapping, pairs and Headers are taken", () => {
    const given = headers();
    given.setAll(new Headers({ "X-One": "1" }));
    given.setAll([["X-Two", "2"], ["x-two", "3"]]);
    given.setAll({ "X-Three": 3 });
    assertEquals({ ...given.fields() }, { "x-one": "1", "x-two": "2, 3", "x-three": "3" });
  });

  it("a name of the object's prototype is a name like any other", () => {
    const given = headers();
    for (const name of ["constructor", "__proto__", "toString"]) {
      assertEquals(given.get(name), undefined);
      given.set(name, "x");
      assertEquals(given.get(name), "x");
    }
    assertEquals(given.names(), ["constructor", "__proto__", "tostring"]);
    given.set("__proto__", null);
    assertEquals(given.get("__proto__"), undefined);
  });

  const bad: readonly (readonly [string, string, unknown])[] = [
    ["a name with a blank", "X Key", "hunter2"],
    ["an empty name", "", "hunter2"],
    ["a name with a line break", "X\r\nEvil", "hunter2"],
    ["a name with a colon", "X:", "hunter2"],
    ["a name beyond ASCII", "Schlüssel", "hunter2"],
    ["a value with a line break", "X-Key", "hunter2\r\nX-Evil: 1"],
    ["a value with a null character", "X-Key", "hunter2\0"],
    ["a value beyond Latin-1", "X-Key", "hunter2 €"],
    ["a value that is an object", "X-Key", { hunter2: true }],
    ["a value that is a list", "X-Key", ["hunter2"]],
    ["a value that is true", "X-Key", true],
  ];
  for (const [what, name, value] of bad) {
    it(`bad input: ${what} is refused, not shown, and nothing is changed`, () => {
      const given = headers({ "x-key": "a" });
      const error = assertThrows(() => given.set(name, value as string), UnexpectedValueError);
      assert(!inspect(error).includes("hunter2"), inspect(error));
      assertThrows(() => given.setAll({ "x-other": "b", [name]: value as string }));
      assertEquals({ ...given.fields() }, { "x-key": "a" });
    });
  }

  it("their values are not shown: inspect, JSON, text, spread", () => {
    const given = headers({ "X-API-Key": "hunter2", "X-Mine": "hunter2" });
    const shown = [
      inspect(given, { depth: 20, showHidden: true, getters: true }),
      JSON.stringify(given),
      String(given),
      JSON.stringify({ ...given }),
    ];
    assert(!shown.join().includes("hunter2"), shown.join("\n"));
  });
});
