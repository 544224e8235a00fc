import { assertEquals, assertThrows, describe, it } from "#test";
import { ModelError } from "../../src/errors/model_error.ts";
import {
  bigint,
  element,
  integer,
  list,
  model,
  number,
  record,
  string,
  toXml,
  unknownContentOf,
} from "../../src/models/mod.ts";

const none = { declaration: false } as const;
const keep = { unknown: "keep" } as const;
const optional = { optional: true } as const;

describe("the unknown content of JSON", () => {
  class User extends model("user", {
    name: element(string),
    size: element(number, optional),
    sizes: element(list(number), optional),
    count: element(integer, optional),
    big: element(bigint, optional),
    tags: element(record(number), optional),
    kind: element(string, { default: "all" }),
  }, keep) {}

  const texts = [
    '{"name":"Ada","kind":"x","id":9007199254740993}',
    '{"id":[1e400,-1e-400],"name":"Ada","kind":"x"}',
    '{"kind":"x","a":0.1234567890123456789,"name":"Ada","b":{"c":[12345678901234567890]}}',
    '{"__proto__":{"a":1},"name":"Ada","kind":"x"}',
    '{"constructor":null,"toString":1,"kind":"x","name":"Ada","":false}',
    '{"é\\u0000\\"":"\\ud800","name":"Ada","kind":"x"}',
  ];
  for (const json of texts) {
    it(`is written as it was read, with its order: ${json.replace(/"/g, "'")}`, () => {
      const user = User.fromJson(json);
      assertEquals(user.toJsonString(), json);
      assertEquals(User.fromJson(user.toJsonString()), user);
      assertEquals(User.of({ ...user, name: "Ada" }), user);
      assertEquals(JSON.stringify([user]), `[${json}]`);
    });
  }

  it("has numbers that JavaScript cannot hold as objects of JSON.rawJSON", () => {
    const { json } = unknownContentOf(
      User.fromJson('{"name":"","a":1e400,"b":1.50,"c":9007199254740992}'),
    );
    assertEquals(JSON.stringify([...json]), '[["a",1e400],["b",1.5],["c",9007199254740992]]');
    assertEquals([json.get("b"), json.get("c")], [1.5, 2 ** 53]);
    assertEquals(typeof json.get("a"), "object");
  });

  it("does not change how the numbers of fields are read", () => {
    class Plain extends model("plain", User.fields) {}
    const values = ["0.1234567890123456789", "1e400", "12345678901234567890", "1e2", "-0.0"];
    for (const value of values) {
      for (const member of ["size", "count", "big", "name"]) {
        const json = `{"name":"Ada","${member}":${value}}`;
        const valueOf = (Class: { fromJson(json: string): object }) => {
          try {
            return { ...Class.fromJson(json) };
          } catch (error) {
            return (error as ModelError).issues.map(({ code, where }) => [code, where]);
          }
        };
        assertEquals(valueOf(User), valueOf(Plain), json);
      }
    }
    const user = User.fromJson(
      '{"name":"","sizes":[0.1234567890123456789],"tags":{"a":0.1234567890123456789}}',
    );
    assertEquals([user.sizes, user.tags], [[0.12345678901234568], { a: 0.12345678901234568 }]);
    const error = assertThrows(
      () => User.fromJson('{"name":"","tags":12345678901234567890}'),
      ModelError,
    );
    assertEquals(
      error.issues[0]?.message,
      "expected an object, but it is 12345678901234567890, which JavaScript cannot hold",
    );
  });

  it("comes after the declared members if they are new, and goes with a removed member", () => {
    const user = User.fromJson('{"z":1,"size":2,"name":"Ada","y":3}');
    assertEquals(user.toJsonString(), '{"z":1,"size":2,"name":"Ada","y":3,"kind":"all"}');
    assertEquals(
      User.of({ ...user, size: undefined, count: 4 }).toJsonString(),
      '{"z":1,"name":"Ada","y":3,"count":4,"kind":"all"}',
    );
    assertEquals(user.toJsonString({ only: ["name"] }), '{"name":"Ada"}');
    assertEquals(user.toJsonString({ omitDefaults: true }), '{"z":1,"size":2,"name":"Ada","y":3}');
  });

  it("is not written as XML, and that of XML is not written as JSON", async () => {
    const user = User.fromJson('{"name":"Ada","z":1}');
    assertEquals(toXml(user, none), "<user><name>Ada</name><kind>all</kind></user>");
    const other = await User.fromXml('<user z="1"><name>Ada</name><x/></user>');
    assertEquals(other.toJsonString(), '{"name":"Ada","kind":"all"}');
  });
});
