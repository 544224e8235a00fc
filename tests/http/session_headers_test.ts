import { inspect } from "node:util";
import { assert, assertEquals, assertThrows, describe, it } from "#test";
import { UnexpectedValueError } from "../../src/errors/unexpected_value_error.ts";
import { SessionHeaders } from "../../src/http/headers.ts";

function headers(of: Readonly<Record<string, string>> = {}): SessionHeaders {
  const created = new SessionHeaders();
  created.setAll(of);
  return created;
}

describe("the headers of an HTTP session", () => {
  it("are empty at first", () => {
    assertEquals([headers().names(), headers().get("x-key")], [[], undefined]);
  });

  it("are found by a name in upper or lower case", () => {
    const stored = headers({ "X-Key": "a" });
    assertEquals([stored.get("x-key"), stored.get("X-KEY"), stored.get("X-Key")], ["a", "a", "a"]);
    stored.set("x-kEY", "b");
    assertEquals({ ...stored.fields() }, { "x-key": "b" });
    assertEquals(stored.names(), ["x-key"]);
  });

  it("are removed by null, even if they do not exist", () => {
    const stored = headers({ "X-Key": "a", "X-Id": "7" });
    stored.set("x-KEY", null);
    stored.set("x-none", null);
    assertEquals([stored.names(), stored.get("X-Key")], [["x-id"], undefined]);
  });

  it("can be set and removed together, and undefined changes nothing", () => {
    const stored = headers({ a: "1", b: "2", c: "3" });
    stored.setAll({ A: null, B: undefined, C: 4, D: "5" });
    assertEquals({ ...stored.fields() }, { b: "2", c: "4", d: "5" });
  });

  it("can be set with an object, pairs or Headers", () => {
    const stored = headers();
    stored.setAll(new Headers({ "X-One": "1" }));
    stored.setAll([["X-Two", "2"], ["x-two", "3"]]);
    stored.setAll({ "X-Three": 3 });
    assertEquals({ ...stored.fields() }, { "x-one": "1", "x-two": "2, 3", "x-three": "3" });
  });

  it("can have the names of properties of Object.prototype", () => {
    const stored = headers();
    for (const name of ["constructor", "__proto__", "toString"]) {
      assertEquals(stored.get(name), undefined);
      stored.set(name, "x");
      assertEquals(stored.get(name), "x");
    }
    assertEquals(stored.names(), ["constructor", "__proto__", "tostring"]);
    stored.set("__proto__", null);
    assertEquals(stored.get("__proto__"), undefined);
  });

  const bad: readonly (readonly [string, string, unknown])[] = [
    ["a name with a space", "X Key", "hunter2"],
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
      const stored = headers({ "x-key": "a" });
      const error = assertThrows(() => stored.set(name, value as string), UnexpectedValueError);
      assert(!inspect(error).includes("hunter2"), inspect(error));
      assertThrows(() => stored.setAll({ "x-other": "b", [name]: value as string }));
      assertEquals({ ...stored.fields() }, { "x-key": "a" });
    });
  }

  it("do not show their values with inspect, as JSON, as a string or spread", () => {
    const stored = headers({ "X-API-Key": "hunter2", "X-Mine": "hunter2" });
    const shown = [
      inspect(stored, { depth: 20, showHidden: true, getters: true }),
      JSON.stringify(stored),
      String(stored),
      JSON.stringify({ ...stored }),
    ];
    assert(!shown.join().includes("hunter2"), shown.join("\n"));
  });
});
