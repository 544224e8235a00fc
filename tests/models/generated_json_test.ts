/** Reads and writes generated JSON, with unknown members everywhere. */
import { assertEquals, describe, it } from "#test";
import fc from "fast-check";
import { element, elements, integer, model, record, string } from "../../src/models/mod.ts";
import { holds } from "../support/property.ts";
import { anyText } from "../support/xml_tree.ts";

const keep = { unknown: "keep" } as const;
const optional = { optional: true } as const;

const number = fc.integer({ min: -99, max: 99 }).map(String);

/** Generates the text of a number, also of those that JavaScript cannot hold. */
const numberText = fc.oneof(
  fc.constantFrom("0", "-0", "1e400", "-1E-400", "0.1234567890123456789", "9007199254740993"),
  fc.tuple(fc.constantFrom("", "-"), fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.nat(9)).map(
    ([sign, digits, exponent]) => `${sign}${digits}${exponent < 7 ? "" : `e${exponent * 40}`}`,
  ),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((each) => JSON.stringify(each)),
);

const memberName = fc.constantFrom("a", "b", "name", "__proto__", "constructor", "toJSON", "", "é");

const jsonText: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.oneof(
      numberText,
      fc.constantFrom("null", "true", "false"),
      anyText.map((each) => JSON.stringify(each)),
    ),
    fc.array(tie("value"), { maxLength: 3 }).map((all) => `[${all.join()}]`),
    fc.uniqueArray(fc.tuple(memberName, tie("value")), { maxLength: 3, selector: ([name]) => name })
      .map((all) => `{${all.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join()}}`),
  ),
})).value;

/** Returns JSON without spaces, with numbers as their digits and exponent. */
function exact(json: string): string {
  const number = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;
  return json.replace(number, (token) => {
    if (token.startsWith('"')) return token;
    const [mantissa = "", exponent = "0"] = token.toLowerCase().split("e");
    const [whole = "", fraction = ""] = mantissa.split(".");
    let digits = BigInt(whole.replace("-", "") + fraction);
    let power = BigInt(exponent) - BigInt(fraction.length);
    for (; digits !== 0n && digits % 10n === 0n; digits /= 10n) power++;
    if (digits === 0n) return "0";
    return `${token.startsWith("-") ? "-" : ""}${digits}e${power}`;
  });
}

describe("generated JSON with unknown members", () => {
  class Inner extends model("inner", { a: element(string, optional) }, keep) {}
  class Outer extends model("outer", {
    name: element(string, { json: "the name" }),
    size: element(integer, { ...optional, json: "size" }),
    inner: element(Inner, { ...optional, json: "inner" }),
    all: elements(Inner, { json: "all", default: [] }),
    map: element(record(Inner), { ...optional, json: "map" }),
  }, keep) {}

  const membersOf = (names: readonly string[]) =>
    fc.uniqueArray(fc.tuple(fc.constantFrom(...names), jsonText), {
      maxLength: 4,
      selector: ([name]) => name,
    });
  type Member = readonly [name: string, json: string];
  const objectOf = (...members: readonly fc.Arbitrary<readonly Member[]>[]) =>
    fc.tuple(fc.tuple(...members), fc.nat(9)).map(([members, turn]) => {
      const all = members.flat();
      const turned = [
        ...all.slice(turn % (all.length + 1)),
        ...all.slice(0, turn % (all.length + 1)),
      ];
      return `{${turned.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join()}}`;
    });
  const maybeMember = (name: string, json: fc.Arbitrary<string>) =>
    fc.option(json, { nil: undefined }).map((each): Member[] =>
      each === undefined ? [] : [[name, each]]
    );
  const unknown = membersOf(["x", "y", "__proto__", "constructor", "toJSON", ""]);
  // Without an unknown member, the order is that of the fields.
  const extra = jsonText.map((each): Member[] => [["z", each]]);
  const inner = objectOf(
    unknown,
    extra,
    maybeMember("a", anyText.map((each) => JSON.stringify(each))),
  );
  const outer = objectOf(
    anyText.map((each): Member[] => [["the name", JSON.stringify(each)]]),
    unknown,
    extra,
    maybeMember("size", number),
    maybeMember("inner", inner),
    fc.array(inner, { maxLength: 2 }).map((all): Member[] => [["all", `[${all.join()}]`]]),
    maybeMember("map", inner.map((each) => `{"k":${each},"__proto__":${each}}`)),
  );

  it("is the same after it is read and written: numbers, members and their order", async () => {
    await holds(fc.property(outer, (json) => {
      const once = Outer.fromJson(json);
      assertEquals(exact(once.toJsonString()), exact(json));
      assertEquals(Outer.fromJson(once.toJsonString()), once);
      const copy = Outer.of({ ...once, name: "another" });
      assertEquals(Outer.of({ ...copy, name: once.name }), once);
      assertEquals(
        copy.toJsonString(),
        once.toJsonString().replace(/"the name":"(?:[^"\\]|\\.)*"/, () => '"the name":"another"'),
      );
    }));
  });
});
