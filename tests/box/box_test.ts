import { inspect, isDeepStrictEqual } from "node:util";
import {
  assert,
  assertEquals,
  assertInstanceOf,
  assertStrictEquals,
  assertThrows,
  describe,
  it,
} from "#test";
import { isBox, toBox, unbox } from "../../src/box/mod.ts";
import { boxer } from "../../src/box/to_box.ts";
import { RestwrightError } from "../../src/errors/base_error.ts";
import { UnexpectedValueError } from "../../src/errors/unexpected_value_error.ts";
import { assertLinearTime } from "../support/linear_time.ts";

interface User {
  id: number;
  first_name: string;
  nick?: string;
  address: { zip_code: string; geo: { lat: number } };
  links: { href: string; rel_types: string[] }[];
}

const text =
  '{"id":1,"first_name":"Ada","address":{"zip_code":"N1","geo":{"lat":51.5}},"links":[{"href":"/a","rel_types":["self"]},{"href":"/b","rel_types":[]}]}';
const parsed = (): User => JSON.parse(text);

/** Reads any property, regardless of the types. */
const read = (box: unknown, name: PropertyKey): unknown => Reflect.get(box as object, name);

/** Formats a value as console.log does, without the `Proxy(…)` that Node 26 writes around it. */
function shown(value: unknown): string {
  const shown = inspect(value, { depth: 9, breakLength: Infinity });
  return shown.replace(/^Proxy\((.*)\)$/, "$1");
}

describe("a box of JSON", () => {
  it("has the fields as attributes, nested and in lists", () => {
    const box = toBox(parsed());
    assertEquals(box.first_name, "Ada");
    assertEquals(box.address.geo.lat, 51.5);
    assertEquals(box.links[1]?.href, "/b");
    assertEquals(box.links[0]?.rel_types[0], "self");
    assert(isBox(box) && isBox(box.address.geo) && isBox(box.links[0]));
  });

  it("returns the same box for the same field each time", () => {
    const box = toBox(parsed());
    assertStrictEquals(box.address, box.address);
    assertStrictEquals(box.links[0], box.links.at(0));
    assert(box.links.includes(box.links[1]!));
    const value = parsed();
    assertStrictEquals(toBox(value), toBox(value));
  });

  it("is a list of boxes if the JSON is a list", () => {
    const box = toBox([{ id: 1 }, [{ id: 2 }], 3, null]);
    assert(Array.isArray(box) && !isBox(box) && isBox(box[0]));
    assertEquals(read(read(box[1], 0), "id"), 2);
    assertEquals(box.length, 4);
  });

  const scalars: readonly unknown[] = [null, undefined, true, false, 0, -0, 1.5, "", "text"];
  for (const scalar of scalars) {
    const name = typeof scalar === "string"
      ? `a string of length ${scalar.length}`
      : inspect(scalar);
    it(`is the scalar itself if the JSON is a scalar: ${name}`, () => {
      assertStrictEquals(toBox(scalar), scalar);
      assertStrictEquals(unbox(scalar), scalar);
    });
  }

  it("leaves instances of classes unboxed", () => {
    const date = new Date(0);
    const map = new Map([["a", 1]]);
    const box = toBox({ date, map });
    assertStrictEquals(box.date as unknown, date);
    assertEquals((box.map as unknown as Map<string, number>).get("a"), 1);
    assertStrictEquals(toBox(date) as unknown, date);
  });

  it("has only own keys, also without a prototype or with a polluted one", () => {
    assertEquals(toBox(Object.assign(Object.create(null), { a: 1 })).a, 1);
    const prototype = Object.prototype as unknown as Record<string, unknown>;
    prototype.isAdmin = true;
    try {
      const box = toBox({});
      assertEquals(read(box, "isAdmin"), undefined);
      assert(!("isAdmin" in box));
    } finally {
      delete prototype.isAdmin;
    }
  });
});

describe("names of built-in properties and other special names", () => {
  const names = [
    "__proto__",
    "constructor",
    "hasOwnProperty",
    "toString",
    "valueOf",
    "then",
    "get",
    "keys",
    "frozen",
    "default",
    "",
    "a.b",
    "0",
  ];
  for (const name of names) {
    it(`${name === "" ? "an empty name" : name} is undefined if the JSON does not have it`, () => {
      const box = toBox({ id: 1 });
      assertEquals(read(box, name), undefined);
      assert(!(name in box) && !Object.hasOwn(box, name));
    });

    it(`${name === "" ? "an empty name" : name} is data if the JSON has it`, () => {
      const json = `{${JSON.stringify(name)}:{"id":1}}`;
      const box = toBox(JSON.parse(json));
      assertEquals(read(read(box, name), "id"), 1);
      assert(name in box && Object.hasOwn(box, name));
      assertEquals(Object.keys(box), [name]);
      assertEquals(JSON.stringify(box), json);
      assertEquals(read({}, "id"), undefined);
    });

    it(`${name === "" ? "an empty name" : name} can be written and deleted`, () => {
      const box = toBox<Record<string, unknown>>({});
      box[name] = { id: 2 };
      assertEquals(JSON.stringify(box), `{${JSON.stringify(name)}:{"id":2}}`);
      assertEquals(Object.getPrototypeOf(unbox(box)), Object.prototype);
      delete box[name];
      assertEquals(JSON.stringify(box), "{}");
    });
  }

  it("toJSON is data if the JSON has it, and is hidden if not", () => {
    const json = '{"toJSON":"x","b":{"toJSON":null}}';
    const box = toBox(JSON.parse(json));
    assertEquals(box.toJSON, "x");
    assertEquals(JSON.stringify(box), json);
    assert(!("toJSON" in toBox({})));
  });

  it("then is ignored by await, whatever the default of the box", async () => {
    const box = toBox({ id: 1 }, { default: {} });
    assertStrictEquals(await box, box);
  });

  it("toString formats a box in a template string like a plain object", () => {
    assertEquals(`${toBox({ id: 1 })} ${toBox([{ id: 1 }, 2])}`, `${{ id: 1 }} ${[{ id: 1 }, 2]}`);
  });
});

describe("a box that is used like a plain object", () => {
  it("supports in, keys, entries, spread and destructuring", () => {
    const box = toBox(parsed());
    assert("id" in box && !("nick" in box));
    assertEquals(Object.keys(box), ["id", "first_name", "address", "links"]);
    assertEquals(Object.entries(box).length, 4);
    assertStrictEquals({ ...box }.address, box.address);
    const { address: { zip_code }, links: [first, ...rest], ...others } = box;
    assertEquals(zip_code, "N1");
    assertStrictEquals(first, box.links[0]);
    assertEquals(rest.length, 1);
    assertEquals(Object.keys(others), ["id", "first_name"]);
    const found: string[] = [];
    for (const key in box) found.push(key);
    assertEquals(found, Object.keys(box));
  });

  it("has property descriptors that hold the box, not the original", () => {
    const box = toBox(parsed());
    assertStrictEquals(Object.getOwnPropertyDescriptor(box, "address")?.value, box.address);
    assertEquals(Object.getOwnPropertyDescriptor(box, "nick"), undefined);
  });

  it("supports for of and methods of lists, including those that change the list", () => {
    const box = toBox({ list: [{ n: 3 }, { n: 1 }, { n: 2 }] });
    const seen: number[] = [];
    for (const each of box.list) seen.push(each.n);
    assertEquals(seen, [3, 1, 2]);
    assertEquals(box.list.map((each) => each.n * 2), [6, 2, 4]);
    assert(isBox(box.list.find((each) => each.n === 2)));
    const first = box.list[0]!;
    box.list.sort((a, b) => a.n - b.n);
    assertStrictEquals(box.list[2], first);
    box.list.push({ n: 4 });
    box.list.unshift({ n: 0 });
    box.list.splice(1, 1);
    assertEquals(box.list.pop()?.n, 4);
    box.list.length = 2;
    assertEquals(JSON.stringify(box), '{"list":[{"n":0},{"n":2}]}');
    assertEquals([...box.list, ...box.list].length, 4);
    assertEquals(box.list.concat(box.list).length, 4);
  });

  it("is deeply equal to its original, loosely and strictly", () => {
    const box = toBox(parsed());
    assertEquals<unknown>(box, parsed());
    assertEquals<unknown>(parsed(), box);
    assert(isDeepStrictEqual(box, parsed()));
    assert(!isDeepStrictEqual(box, { ...parsed(), id: 2 }));
    assertEquals<unknown>(toBox(parsed(), { default: "x", camelCase: true }), parsed());
  });

  it("is logged like its original", () => {
    const boxes = [toBox(parsed()), toBox(parsed(), { frozen: true, default: 1 })];
    for (const box of boxes) assertEquals(shown(box), shown(parsed()));
    assertEquals(shown(toBox(parsed()).links), shown(parsed().links));
  });

  it("cannot be passed to structuredClone, which accepts its original", () => {
    const box = toBox(parsed());
    const error = assertThrows(() => structuredClone(box), DOMException);
    assertEquals(error.name, "DataCloneError");
    assertEquals(structuredClone(unbox(box)), parsed());
  });

  it("is not changed by writing to an object that inherits from it", () => {
    const box = toBox<Record<string, unknown>>({ id: 1 });
    const child: Record<string, unknown> = Object.create(box);
    child.name = "Ada";
    child.id = 2;
    assertEquals(JSON.stringify(box), '{"id":1}');
    assertEquals([child.id, child.name], [2, "Ada"]);
  });
});

describe("writing a box as JSON", () => {
  const documents = [
    text,
    '{"b":1,"a":[[],{},[{}]],"":null,"\u2028":"\\\\\\"","e":1e+21,"z":-0.5}',
    '{"__proto__":{"a":1},"constructor":{"prototype":{"b":2}},"x":[{"__proto__":[]}]}',
    "[]",
    '[1,"2",null,true,{"a":[]}]',
    '"text"',
    "null",
  ];
  for (const [index, document] of documents.entries()) {
    it(`returns the original text, byte for byte: document ${index + 1}`, () => {
      for (const attrs of [undefined, { frozen: true, default: {}, camelCase: true, dots: true }]) {
        const box = toBox(JSON.parse(document), attrs);
        assertEquals(JSON.stringify(box), document);
        assertEquals(JSON.stringify({ in: [box] }), `{"in":[${document}]}`);
        assertEquals(JSON.stringify(box, null, 2), JSON.stringify(JSON.parse(document), null, 2));
      }
    });
  }
});

describe("the original of a box", () => {
  it("is the same object that was boxed, at every depth", () => {
    const value = parsed();
    const box = toBox(value);
    assertStrictEquals(unbox(box), value);
    assertStrictEquals(unbox(box.address), value.address);
    assertStrictEquals(unbox(box.links), value.links);
  });

  it("is also returned for boxes inside lists and objects", () => {
    const value = parsed();
    const box = toBox(value);
    const plain = unbox({
      odd: box.links.filter((link) => link.href === "/b"),
      spread: { ...box },
    });
    assertStrictEquals(plain.odd[0], value.links[1]);
    assertStrictEquals(plain.spread.address, value.address);
    structuredClone(plain);
  });

  it("is boxed with the new attributes if its box is boxed again", () => {
    const box = toBox(parsed());
    const frozen = toBox(box, { frozen: true, camelCase: true });
    assertEquals(read(frozen, "firstName"), "Ada");
    assertStrictEquals(unbox(frozen) as unknown, unbox(box));
  });

  it("is found in an object with cycles", () => {
    const ring: Record<string, unknown> = { box: toBox({ id: 1 }) };
    ring.self = ring;
    const plain = unbox(ring);
    assertStrictEquals(plain.self, plain);
    assert(!isBox(plain.box));
    const boxed = toBox(ring);
    assertStrictEquals(boxed.self as unknown, boxed);
  });
});

describe("writing to a box", () => {
  it("changes the original", () => {
    const value = parsed();
    const box = toBox(value);
    box.first_name = "Grace";
    box.address.geo.lat = 1;
    delete box.nick;
    box.links[0]!.href = "/c";
    assertEquals(value.first_name, "Grace");
    assertEquals(value.address.geo.lat, 1);
    assertEquals(value.links[0]?.href, "/c");
  });

  it("returns a box when the value is read back, and puts no box into the original", () => {
    const value: Record<string, unknown> = {};
    const other = toBox({ id: 1 });
    const box = toBox(value, { camelCase: true });
    box.made = { first_name: "Ada" };
    box.other = other;
    box.list = [other, { deep: other }];
    assertEquals(read(box.made, "firstName"), "Ada");
    assertStrictEquals(value.other, unbox(other));
    structuredClone(value);
    assertEquals(JSON.stringify(box), JSON.stringify(value));
  });

  it("returns one box for an object that is stored under two names", () => {
    const box = toBox<Record<string, unknown>>({ a: { id: 1 } });
    box.b = box.a!;
    assertStrictEquals(box.a, box.b);
  });

  it("copies a plain value, so that a later change to it does not reach the box", () => {
    const tags = ["a"];
    const box = toBox<{ tags: string[] }>({ tags: [] });
    box.tags = tags;
    tags.push("b");
    box.tags.push("c");
    assertEquals(JSON.stringify(box), '{"tags":["a","c"]}');
  });

  it("refuses a property that could not be read as a box", () => {
    const box = toBox<Record<string, unknown>>({ a: { id: 1 } });
    assertThrows(() => Object.defineProperty(box, "b", { value: {} }), TypeError, '"b"');
    assertThrows(() => Object.freeze(box), TypeError, "frozen: true");
    assertThrows(() => Object.setPrototypeOf(box, { id: 1 }), TypeError);
    Object.defineProperty(box, "c", { get: () => ({ id: 3 }), configurable: true });
    assertEquals(read(box.c, "id"), 3);
    assert(Object.getOwnPropertyDescriptor(box, "c")?.get !== undefined);
    assertEquals(read(box.a, "id"), 1);
  });

  it("throws an error with the reason if the original is frozen", () => {
    const value = Object.freeze({ a: Object.freeze([Object.freeze({ id: 1 })]) });
    const box = toBox(value);
    assertEquals(box.a[0]?.id, 1);
    assertStrictEquals(box.a, box.a);
    assertStrictEquals(unbox(box) as unknown, value);
    assertEquals(shown(box), shown(value));
    assertThrows(() => Reflect.set(box, "b", 1), TypeError, "the original of the box is frozen");
    assertThrows(() => Reflect.set(box.a, 0, 1), TypeError, "the original of the box is frozen");
  });
});

describe("boxAttrs frozen", () => {
  const frozen = () => toBox(parsed(), { frozen: true, camelCase: true, dots: true });
  const writes: readonly (readonly [string, (box: Record<string, unknown>) => unknown])[] = [
    ["a field", (box) => box.id = 2],
    ["a new field", (box) => box.more = 2],
    ["a field by its name in camelCase", (box) => box.firstName = "Grace"],
    ["a field by its path", (box) => box["address.geo.lat"] = 2],
    ["a nested field", (box) => Reflect.set(box.address as object, "zip_code", "")],
    ["a field of an element", (box) => Reflect.set(read(box.links, 0) as object, "href", "")],
    ["a list by push", (box) => (box.links as unknown[]).push(1)],
    ["a list by sort", (box) => (box.links as unknown[]).sort()],
    ["a list by its length", (box) => (box.links as unknown[]).length = 0],
    ["a field that is deleted", (box) => delete box.id],
    ["a defined property", (box) => Object.defineProperty(box, "id", { value: 2 })],
    ["a symbol", (box) => Reflect.set(box, Symbol.iterator, 1)],
    ["__proto__", (box) => Reflect.set(box, "__proto__", {})],
  ];
  for (const [what, write] of writes) {
    it(`refuses a write to ${what} with a TypeError, and changes nothing`, () => {
      const box = frozen();
      const error = assertThrows(
        () => write(box as unknown as Record<string, unknown>),
        TypeError,
        "cannot be written: the box is frozen",
      );
      assert(!((error as unknown) instanceof RestwrightError));
      assertEquals(JSON.stringify(box), text);
    });
  }

  it("does not affect reading", () => {
    const box = frozen();
    assertEquals(box.links.map((link) => link.href), ["/a", "/b"]);
    assertStrictEquals(box.address, box.address);
    assertEquals<unknown>(box, parsed());
  });
});

describe("boxAttrs default", () => {
  for (const value of [null, "", 0, false, "n/a"]) {
    it(`is returned for a missing name: ${inspect(value).replaceAll('"', "")}`, () => {
      const box = toBox(parsed(), { default: value });
      assertStrictEquals(box.nick, value);
      assertStrictEquals(read(box.address, "constructor"), value);
      assertStrictEquals(read(box.links[0], "missing"), value);
      assert(!("nick" in box));
      assertEquals(JSON.stringify(box), text);
    });
  }

  it("is not returned for null, for elements of lists or for symbols", () => {
    const box = toBox({ a: null, list: [1] }, { default: "x" });
    assertEquals(box.a, null);
    assertEquals(box.list[5], undefined);
    assertEquals(read(box, Symbol.iterator), undefined);
  });

  it("may be an object, which is frozen and returned for nested missing names too", () => {
    const fallback = {};
    const box = toBox<Record<string, unknown>>({ id: 1 }, { default: fallback });
    const missing = box.user;
    assertStrictEquals(missing, box.other);
    assertStrictEquals(read(read(missing, "address"), "city"), missing);
    assertThrows(() => Reflect.set(missing as object, "a", 1), TypeError, "the box is frozen");
    assertEquals(JSON.stringify(fallback), "{}");
    box.user = { id: 2 };
    assertEquals(read(box.user, "id"), 2);
  });

  it("may be a box", () => {
    const box = toBox<Record<string, unknown>>({}, { default: toBox({ a: 1 }) });
    assertEquals(read(box.x, "a"), 1);
    assertThrows(() => Reflect.set(box.x as object, "a", 2), TypeError);
  });

  it("is not set if it is undefined", () => {
    assertEquals(read(toBox({}, { default: undefined }), "a"), undefined);
  });
});

describe("boxAttrs camelCase", () => {
  const names: readonly (readonly [string, string])[] = [
    ["first_name", "firstName"],
    ["a_b_c", "aBC"],
    ["html_url_2", "htmlUrl2"],
    ["address_1", "address1"],
    ["_private_key", "_privateKey"],
    ["__typename_x", "__typenameX"],
    ["a__b_c", "a__bC"],
    ["class_", "class_"],
    ["größe_ä", "größeÄ"],
    ["_", "_"],
  ];
  for (const [key, name] of names) {
    it(`finds the key ${key} as ${name}`, () => {
      const box = toBox<Record<string, unknown>>({ other_key: 0, [key]: 1 }, { camelCase: true });
      assertEquals([box[name], box[key]], [1, 1]);
      assert(name in box);
      assertEquals(Object.keys(box), ["other_key", key]);
    });
  }

  it("applies at every depth", () => {
    const box = toBox(parsed(), { camelCase: true });
    assertEquals([box.firstName, box.address.zipCode], ["Ada", "N1"]);
    assertEquals(box.links[0]?.relTypes[0], "self");
    assertStrictEquals(box.links[0]?.relTypes, box.links[0]?.rel_types);
  });

  it("prefers a key with exactly the name", () => {
    const box = toBox({ first_name: 1, firstName: 2 }, { camelCase: true });
    assertEquals([box.first_name, box.firstName], [1, 2]);
  });

  it("writes and deletes an existing key, and creates a new key as written", () => {
    const box = toBox<Record<string, unknown>>({ first_name: "Ada" }, { camelCase: true });
    box.firstName = "Grace";
    box.lastName = "Hopper";
    assertEquals(JSON.stringify(box), '{"first_name":"Grace","lastName":"Hopper"}');
    delete box.firstName;
    assertEquals(JSON.stringify(box), '{"lastName":"Hopper"}');
    assertEquals(box.firstName, undefined);
  });

  it("is off by default", () => {
    assertEquals(read(toBox(parsed()), "firstName"), undefined);
  });
});

describe("boxAttrs snakeCase", () => {
  // The names that python-box 7.4.1 derives.
  const names: readonly (readonly [string, string])[] = [
    ["firstName", "first_name"],
    ["CamelCase", "camel_case"],
    ["Terrible321KeyA", "terrible321_key_a"],
    ["HTTPServer", "http_server"],
    ["XMLHttpRequest", "xml_http_request"],
    ["userID", "user_id"],
    ["ID", "id"],
    ["aBC", "a_bc"],
    ["aBCd", "a_b_cd"],
    ["ABcDe", "a_bc_de"],
    ["fooBARBaz", "foo_bar_baz"],
    ["addressLine1", "address_line1"],
    ["line1Text", "line1_text"],
    ["2Fa", "2_fa"],
    ["_privateKey", "_private_key"],
    ["_Private", "_private"],
    ["__typeName", "_type_name"],
    ["a__b", "a_b"],
    ["a_Bc", "a_bc"],
    ["class_", "class_"],
    ["First Name", "first_name"],
    ["x_ _y", "x__y"],
    ["@Type", "@_type"],
    ["a-Bc", "a-_bc"],
    ["größeName", "größe_name"],
    ["ÄBc", "ä_bc"],
  ];
  for (const [key, name] of names) {
    it(`finds the key ${key} as ${name}`, () => {
      const box = toBox<Record<string, unknown>>({ otherKey: 0, [key]: 1 }, { snakeCase: true });
      assertEquals([box[name], box[key]], [1, 1]);
      assert(name in box);
      assertEquals(Object.keys(box), ["otherKey", key]);
    });
  }

  it("applies at every depth, in paths too", () => {
    const json = { shipTo: { zipCode: "N1" }, lineItems: [{ unitPrice: 2 }] };
    const box = toBox(json, { snakeCase: true, dots: true });
    assertEquals([box.ship_to.zip_code, box.line_items[0]?.unit_price], ["N1", 2]);
    assertEquals(box["ship_to.zip_code"], "N1");
    assertEquals(box["line_items[0].unit_price"], 2);
    assertStrictEquals(box.ship_to, box.shipTo);
  });

  it("prefers a key with exactly the name, then the first key that matches it", () => {
    const box = toBox({ aB: 1, a_b: 2 }, { snakeCase: true });
    assertEquals([box.aB, box.a_b], [1, 2]);
    const two = toBox<Record<string, unknown>>({ userID: 1, userId: 2 }, { snakeCase: true });
    assertEquals(two.user_id, 1);
  });

  it("writes and deletes an existing key, and creates a new key as written", () => {
    const box = toBox<Record<string, unknown>>({ firstName: "Ada" }, { snakeCase: true });
    box.first_name = "Grace";
    box.last_name = "Hopper";
    assertEquals(JSON.stringify(box), '{"firstName":"Grace","last_name":"Hopper"}');
    delete box.first_name;
    assertEquals(JSON.stringify(box), '{"last_name":"Hopper"}');
    const frozen = toBox({ firstName: "Ada" }, { snakeCase: true, frozen: true });
    assertThrows(() => Reflect.set(frozen, "first_name", "Grace"), TypeError, "frozen");
  });

  it("can be combined with camelCase", () => {
    const json = { first_name: "Ada", lastName: "Lovelace" };
    const box = toBox(json, { camelCase: true, snakeCase: true });
    assertEquals([box.firstName, box.last_name], ["Ada", "Lovelace"]);
    assertEquals([box.first_name, box.lastName], ["Ada", "Lovelace"]);
  });

  it("is off by default, even with camelCase", () => {
    assertEquals(read(toBox({ firstName: 1 }), "first_name"), undefined);
    assertEquals(read(toBox({ firstName: 1 }, { camelCase: true }), "first_name"), undefined);
    assertEquals(read(toBox({ first_name: 1 }, { snakeCase: true }), "firstName"), undefined);
  });

  it("takes linear time for any key", () => {
    for (const part of ["a", "A", "aB", " ", "_", " _", "__ "]) {
      assertLinearTime((length) => {
        const box = toBox({ [part.repeat(length)]: 1 }, { snakeCase: true });
        assertEquals(read(box, "missing"), undefined);
      });
    }
  });
});

describe("boxAttrs dots", () => {
  const box = () => toBox(parsed(), { dots: true, camelCase: true });
  const paths: readonly (readonly [string, unknown])[] = [
    ["address.geo.lat", 51.5],
    ["address.zip_code", "N1"],
    ["address.zipCode", "N1"],
    ["links[1].href", "/b"],
    ["links.1.href", "/b"],
    ["links[0].relTypes[0]", "self"],
    ["links.length", 2],
    ["address.missing", undefined],
    ["missing.geo", undefined],
    ["first_name.length", undefined],
    ["links[9].href", undefined],
    ["address.constructor", undefined],
    ["__proto__.constructor", undefined],
    ["links.map", undefined],
    ["address..geo", undefined],
    [".address", undefined],
    ["address.", undefined],
    ["links[x]", undefined],
    ["links[0", undefined],
  ];
  for (const [path, value] of paths) {
    it(`reads ${path}`, () => {
      assertEquals(read(box(), path), value);
      assertEquals(path in box(), value !== undefined);
    });
  }

  it("prefers a key that contains a dot", () => {
    const dotted = toBox({ "a.b": 1, a: { b: 2 } }, { dots: true });
    assertEquals(dotted["a.b"], 1);
  });

  it("returns the same box as the attributes, and may start in a list", () => {
    const value = box();
    assertStrictEquals(value["address.geo"], value.address.geo);
    assertEquals(read(value.links, "[1].href"), "/b");
  });

  it("returns the default if the path does not exist", () => {
    const value = toBox(parsed(), { dots: true, default: "none" });
    assertEquals(value["address.street.name"], "none");
  });

  it("writes and deletes nested values", () => {
    const value = box();
    value["address.geo.lat"] = 1;
    value["address.zipCode"] = "N2";
    value["address.city"] = "London";
    delete value["links[0].rel_types"];
    delete value["links[1]"];
    assertEquals(
      JSON.stringify(value),
      '{"id":1,"first_name":"Ada","address":{"zip_code":"N2","geo":{"lat":1},"city":"London"},' +
        '"links":[{"href":"/a"},null]}',
    );
  });

  it("refuses to write if the parent of the path does not exist", () => {
    assertThrows(() => Reflect.set(box(), "missing.geo", 1), TypeError, '"missing.geo"');
    assert(Reflect.deleteProperty(box(), "missing.geo"));
  });

  it("refuses to write inside a frozen object", () => {
    const value = toBox({ a: Object.freeze({ b: 1 }) }, { dots: true });
    assertThrows(() => Reflect.set(value, "a.b", 2), TypeError, "frozen");
    assertThrows(() => Reflect.deleteProperty(value, "a.b"), TypeError, "frozen");
  });
});

describe("the check of boxAttrs", () => {
  const refused: readonly (readonly [string, unknown, string])[] = [
    ["an unknown attribute", { frozenBox: true }, "boxAttrs.frozenBox"],
    ["a name from python-box", { box_dots: true }, "boxAttrs.box_dots"],
    ["a name that every object has", JSON.parse('{"__proto__":1}'), "boxAttrs.__proto__"],
    ["constructor", { constructor: 1 }, "boxAttrs.constructor"],
    ["a string for frozen", { frozen: "yes" }, "boxAttrs.frozen"],
    ["null for dots", { dots: null }, "boxAttrs.dots"],
    ["a number for camelCase", { camelCase: 1 }, "boxAttrs.camelCase"],
    ["a string for snakeCase", { snakeCase: "yes" }, "boxAttrs.snakeCase"],
    ["a function as default", { default: () => [] }, "boxAttrs.default"],
    ["a Date as default", { default: new Date(0) }, "boxAttrs.default"],
    ["a symbol as default", { default: Symbol("x") }, "boxAttrs.default"],
    ["null", null, "boxAttrs"],
    ["an array", [], "boxAttrs"],
    ["a string", "frozen", "boxAttrs"],
    ["a Map", new Map(), "boxAttrs"],
  ];
  for (const [what, attrs, option] of refused) {
    it(`refuses ${what}, and names the option`, () => {
      const error = assertThrows(() => boxer(attrs as never), UnexpectedValueError);
      assertInstanceOf(error, RestwrightError);
      assertEquals(error.option, option);
      assertThrows(() => toBox(1, attrs as never), UnexpectedValueError);
    });
  }

  it("lists the attributes in the error about an unknown one", () => {
    const error = assertThrows(() => toBox({}, { froze: 1 } as never), UnexpectedValueError);
    assertEquals(error.expected, "one of camelCase, default, dots, frozen, snakeCase");
  });

  it("treats an undefined attribute as not set", () => {
    const attrs = { frozen: undefined, camelCase: undefined, dots: undefined, default: undefined };
    assertEquals(toBox({ a: 1 }, attrs).a, 1);
  });

  it("copies the attributes, so that later changes do not affect the box", () => {
    const attrs = { frozen: false };
    const box = toBox<Record<string, unknown>>({}, attrs);
    attrs.frozen = true;
    box.a = 1;
    assertEquals(box.a, 1);
  });
});

describe("deep nesting", () => {
  const depth = 100_000;
  const deep = (): unknown => JSON.parse(`${'{"a":['.repeat(depth)}1${"]}".repeat(depth)}`);

  it("can be boxed, read to the bottom and unboxed", () => {
    const value = deep();
    let box: unknown = toBox(value, { frozen: true, default: {}, camelCase: true, dots: true });
    assertStrictEquals(unbox(box), value);
    while (typeof box === "object" && box !== null) box = read(box, Array.isArray(box) ? 0 : "a");
    assertEquals(box, 1);
  });

  it("is copied when it is written", () => {
    const value: Record<string, unknown> = {};
    Reflect.set(toBox(value), "deep", deep());
    let level = value.deep;
    let levels = 0;
    for (; typeof level === "object" && level !== null; levels++) {
      level = Array.isArray(level) ? level[0] : read(level, "a");
    }
    assertEquals(levels, 2 * depth);
  });
});
