import { assert, assertEquals, assertRejects, assertThrows, describe, it } from "#test";
import { ModelError } from "../../src/errors/model_error.ts";
import { UnexpectedValueError } from "../../src/errors/unexpected_value_error.ts";
import {
  attr,
  date,
  document,
  element,
  elements,
  type Fields,
  innerXml,
  integer,
  list,
  Model,
  model,
  nullable,
  object,
  record,
  refine,
  rest,
  string,
  text,
  toXml,
  union,
  unknownContentOf,
} from "../../src/models/mod.ts";

const none = { declaration: false } as const;
const optional = { optional: true } as const;
const xsi = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';

/** Returns the places and kinds of the issues of an error. */
const placesOf = ({ issues }: ModelError) => issues.map(({ where, code }) => [where, code]);

describe("an object without a class", () => {
  class User extends model("user", {
    name: element(string),
    address: element(object({
      street: element(string),
      since: element(date, optional),
      geo: element(object({ lat: attr(integer), lon: attr(integer) }), optional),
    })),
  }) {}
  const user = User.of({
    name: "Ada",
    address: { street: "Rue Auber", geo: { lat: 1, lon: 2 } },
  });

  it("is a plain object, which is created without any class", async () => {
    const json = { name: "Ada", address: { street: "Rue Auber", geo: { lat: 1, lon: 2 } } };
    assertEquals(JSON.parse(JSON.stringify(user)), json);
    const { address } = User.fromJson(json);
    assertEquals(Object.getPrototypeOf(address), Object.prototype);
    assertEquals(Object.getPrototypeOf(address.geo), Object.prototype);
    const xml =
      '<user><name>Ada</name><address><street>Rue Auber</street><geo lat="1" lon="2"/></address></user>';
    assertEquals(toXml(user, none), xml);
    assertEquals(await User.fromXml(xml), User.fromJson(json));
  });

  it("reports issues with their path when it is read and when it is written", async () => {
    const read = () => User.fromJson({ name: "", address: { since: "soon", geo: { lat: "1" } } });
    assertEquals(placesOf(assertThrows(read, ModelError)), [
      ["address.street", "missing"],
      ["address.since", "type"],
      ["address.geo.lat", "type"],
      ["address.geo.lon", "missing"],
    ]);
    const xml = '<user><name/><address><geo lat="a"/></address></user>';
    assertEquals(placesOf(await assertRejects(() => User.fromXml(xml), ModelError)), [
      ["/user/address/geo/@lat", "type"],
      ["/user/address/geo/@lon", "missing"],
      ["/user/address/street", "missing"],
    ]);
    for (const address of [{ geo: { lat: 1 } }, 5, null, [], undefined] as never[]) {
      const wrong = Object.assign(User.of({ ...user }), { address });
      const json = assertThrows(() => wrong.toJSON(), ModelError);
      const text = assertThrows(() => toXml(wrong), ModelError);
      assertEquals(json.issues.length, text.issues.length);
      const messages = json.issues.map(({ message }) => message);
      assertEquals(text.issues.map(({ message }) => message).toSorted(), messages.toSorted());
    }
    const wrong = Object.assign(User.of({ ...user }), { address: 5 });
    const { issues } = assertThrows(() => wrong.toJSON(), ModelError);
    assertEquals(issues[0]?.message, "expected an object, but it is 5");
  });

  it("may be an instance of a class that is not a model", () => {
    class Address {
      readonly street: string = "Rue Auber";
    }
    assertEquals(
      JSON.stringify(User.of({ name: "", address: new Address() })).includes("Rue"),
      true,
    );
  });

  it("can be nullable, repeat, and be the value of a record or a list", async () => {
    const point = object({ x: element(integer) });
    class Atlas extends model("map", {
      all: elements(point, { tag: "point" }),
      named: element(record(point)),
      home: element(nullable(point)),
    }) {}
    const map = Atlas.of({ all: [{ x: 1 }, { x: 2 }], named: { a: { x: 3 } }, home: null });
    const xml =
      `<map ${xsi}><point><x>1</x></point><point><x>2</x></point><named><a><x>3</x></a></named><home xsi:nil="true"/></map>`;
    assertEquals(toXml(map, none), xml);
    assertEquals(await Atlas.fromXml(xml), map);
    assertEquals(Atlas.fromJson(JSON.stringify(map)), map);
    const Points = document(list(point));
    assertEquals(Points.fromJson('[{"x":1}]'), [{ x: 1 }]);
    assertEquals(JSON.stringify(Points.toJsonValue([{ x: 1 }])), '[{"x":1}]');
  });

  it("has options of its own: rename, check, unknown, namespace and order", async () => {
    const span = object({ firstDay: element(integer), lastDay: element(integer) }, {
      rename: "snake_case",
      unknown: "refuse",
      namespace: "urn:span",
      order: "strict",
      check: ({ firstDay, lastDay }) => firstDay > lastDay ? "ends before its start" : undefined,
    });
    class Loan extends model("loan", { span: element(span) }) {}
    const loan = Loan.fromJson({ span: { first_day: 1, last_day: 2 } });
    assertEquals(loan.span, { firstDay: 1, lastDay: 2 });
    assertEquals(await Loan.fromXml(toXml(loan)), loan);
    assertEquals(
      toXml(loan, none),
      '<loan xmlns:ns1="urn:span"><ns1:span><ns1:first_day>1</ns1:first_day><ns1:last_day>2</ns1:last_day></ns1:span></loan>',
    );
    const wrong = [{ first_day: 2, last_day: 1 }, { first_day: 1, last_day: 1, x: 1 }];
    const errors = wrong.map((span) => assertThrows(() => Loan.fromJson({ span }), ModelError));
    assertEquals(errors.flatMap(placesOf), [["span", "constraint"], ["span.x", "unknown"]]);
    assertThrows(() => Loan.of({ span: { firstDay: 2, lastDay: 1 } }).toJSON(), ModelError, "ends");
    const swapped =
      '<loan><span xmlns="urn:span"><last_day>2</last_day><first_day>1</first_day></span></loan>';
    const error = await assertRejects(() => Loan.fromXml(swapped), ModelError);
    assertEquals(placesOf(error).map(([, code]) => code), ["order"]);
  });

  it("keeps unknown content in both formats", async () => {
    const part = object({ a: element(integer) }, { unknown: "keep" });
    class Doc extends model("doc", { part: element(part) }) {}
    const json = '{"part":{"b":12345678901234567890,"a":1}}';
    assertEquals(JSON.stringify(Doc.fromJson(json)), json);
    const xml = '<doc><part c="d"><b/><a>1</a></part></doc>';
    const doc = await Doc.fromXml(xml);
    assertEquals(toXml(doc, none), xml);
    assertEquals(toXml(Doc.of({ part: { ...doc.part, a: 2 } }), none), xml.replace("1", "2"));
    assertEquals(unknownContentOf(doc.part).attributes.length, 1);
  });

  it("reads defaults, which must be there when it is written", () => {
    const size = object({ width: element(integer, { default: 1 }) });
    class Box extends model("box", { size: element(size) }) {}
    assertEquals(Box.fromJson({ size: {} }).size, { width: 1 });
    assertEquals(JSON.stringify(Box.of({ size: { width: 1 } })), '{"size":{"width":1}}');
    assertEquals(
      JSON.stringify(Box.of({ size: { width: 1 } }).toJSON({ omitDefaults: true })),
      '{"size":{}}',
    );
    const wrong = Box.of({ size: {} as never });
    assertEquals(placesOf(assertThrows(() => wrong.toJSON(), ModelError)), [
      ["size.width", "missing"],
    ]);
  });

  it("can be refined, and can be a default, which is copied", () => {
    const even = refine(object({ x: element(integer) }), ({ x }) => x % 2 === 0, "an even point");
    class Doc extends model("doc", { point: element(even, { default: { x: 2 } }) }) {}
    const [one, other] = [Doc.fromJson({}), Doc.fromJson({})];
    assertEquals(one.point, { x: 2 });
    assert(one.point !== other.point, "the default is not copied");
    assertThrows(() => Doc.fromJson({ point: { x: 1 } }), ModelError, "an even point");
  });

  it("has the name of the field in XML, also with a tag, a namespace and elements around it", async () => {
    class Doc extends model("doc", {
      a: element(object({ x: attr(integer) }), { tag: "b", within: "c" }),
      d: element(object({ x: element(integer) }), { namespace: "urn:d" }),
    }) {}
    const doc = Doc.of({ a: { x: 1 }, d: { x: 2 } });
    assertEquals(
      toXml(doc, none),
      '<doc xmlns:ns1="urn:d"><c><b x="1"/></c><ns1:d><ns1:x>2</ns1:x></ns1:d></doc>',
    );
    assertEquals(await Doc.fromXml(toXml(doc)), doc);
  });

  it("is in the namespace of the model around it, and may have other members", async () => {
    const part = object({ a: element(string), others: rest(string) });
    class Doc extends model("doc", { part: element(part) }, { namespace: "urn:doc" }) {}
    const doc = Doc.of({ part: { a: "b", others: { c: "d" } } });
    assertEquals(toXml(doc, none), '<doc xmlns="urn:doc"><part><a>b</a><c>d</c></part></doc>');
    assertEquals(await Doc.fromXml(toXml(doc)), doc);
  });

  it("reports a missing one with the name of the field", async () => {
    class Doc extends model("doc", { part: element(object({})) }) {}
    const error = await assertRejects(() => Doc.fromXml("<doc/>"), ModelError);
    assertEquals(placesOf(error), [["/doc/part", "missing"]]);
  });
});

describe("a model without a tag", () => {
  class Address extends Model {
    declare readonly street: string;
    static override readonly fields: Fields<Address> = { street: element(string) };
  }
  class User extends model("user", { home: element(Address), others: elements(Address) }) {}

  it("has the name of the field that it belongs to", async () => {
    const [a, b] = ["a", "b"].map((street) => Address.of({ street }));
    const user = User.of({ home: a!, others: [b!] });
    const xml = "<user><home><street>a</street></home><others><street>b</street></others></user>";
    assertEquals(toXml(user, none), xml);
    assertEquals(await User.fromXml(xml), user);
  });

  it("is refused in a union that the tag selects from", () => {
    assertThrows(() => union([User, Address]), UnexpectedValueError, '"Address.tag"');
  });

  it("is refused as the root of a document in XML", async () => {
    const address = Address.of({ street: "a" });
    assertThrows(() => toXml(address), UnexpectedValueError, '"Address.tag"');
    assertThrows(() => toXml([address], { root: "all" }), UnexpectedValueError, '"Address.tag"');
    await assertRejects(() => Address.fromXml("<a/>"), UnexpectedValueError, '"Address.tag"');
    await assertRejects(
      () => document(list(Address)).fromXml("<a/>"),
      UnexpectedValueError,
      '"Address.tag"',
    );
  });
});

describe("the field of all other members", () => {
  class Stock extends model("stock", {
    shop: element(string, { name: "Shop" }),
    kind: attr(string, { default: "all" }),
    counts: rest(integer),
  }) {}

  it("has the members that no other field declares", async () => {
    const stock = Stock.fromJson({ indigo: 3, Shop: "Lyon", counts: 2 });
    assertEquals(stock.counts, { indigo: 3, counts: 2 });
    assertEquals(
      JSON.stringify(stock),
      '{"Shop":"Lyon","kind":"all","indigo":3,"counts":2}',
    );
    const xml = '<stock kind="all"><Shop>Lyon</Shop><indigo>3</indigo><counts>2</counts></stock>';
    assertEquals(toXml(stock, none), xml);
    assertEquals(await Stock.fromXml(xml), stock);
    assertEquals(toXml(stock, { ...none, indent: true }).split("\n").length, 6);
  });

  it("is empty if there are none, and may be left out", async () => {
    const stock = Stock.of({ shop: "Lyon" });
    assertEquals(stock.counts, {});
    assertEquals(Stock.fromJson({ Shop: "Lyon" }), stock);
    assertEquals(await Stock.fromXml("<stock><Shop>Lyon</Shop></stock>"), stock);
    assert(stock.counts !== Stock.of({ shop: "" }).counts, "the record is shared");
  });

  it("has members of any name", () => {
    const json = '{"Shop":"a","kind":"b","__proto__":1,"constructor":2,"":3}';
    const stock = Stock.fromJson(json);
    assertEquals(Object.keys(stock.counts), ["__proto__", "constructor", ""]);
    assertEquals(JSON.stringify(stock), json);
  });

  it("reports issues at the place of the member", async () => {
    const error = assertThrows(() => Stock.fromJson({ indigo: "3", woad: null }), ModelError);
    assertEquals(placesOf(error), [["Shop", "missing"], ["indigo", "type"], ["woad", "type"]]);
    const xml =
      `<stock ${xsi}><Shop/><indigo>x</indigo><woad>1</woad><woad>2</woad><kind xsi:nil="true"/></stock>`;
    const other = await assertRejects(() => Stock.fromXml(xml), ModelError);
    assertEquals(placesOf(other), [
      ["/stock/indigo", "type"],
      ["/stock/woad[2]", "duplicate"],
      ["/stock/kind", "type"],
    ]);
  });

  it("reports a member that cannot be written, in both formats", () => {
    const counts: readonly (readonly [object, string, string, string])[] = [
      [{ a: "x" }, "a", "/stock/a", "type"],
      [{ Shop: 1 }, "Shop", "/stock/Shop", "duplicate"],
    ];
    for (const [each, inJson, inXml, code] of counts) {
      const stock = Stock.of({ shop: "", counts: each as never });
      assertEquals(placesOf(assertThrows(() => stock.toJSON(), ModelError)), [[inJson, code]]);
      assertEquals(placesOf(assertThrows(() => toXml(stock), ModelError)), [[inXml, code]]);
    }
    for (const each of [5, null, []] as never[]) {
      const stock = Object.assign(Stock.of({ shop: "" }), { counts: each });
      assertEquals(placesOf(assertThrows(() => stock.toJSON(), ModelError)), [["counts", "type"]]);
      const error = assertThrows(() => toXml(stock), ModelError);
      assertEquals(placesOf(error), [["/stock/counts", "type"]]);
    }
    // A name that only one format takes.
    assertEquals(
      JSON.stringify(Stock.of({ shop: "", counts: { "a b": 1 } })).includes("a b"),
      true,
    );
    assertThrows(
      () => toXml(Stock.of({ shop: "", counts: { "a b": 1 } })),
      ModelError,
      "a valid XML",
    );
    assertThrows(() => Stock.of({ shop: "", counts: { kind: 1 } }).toJSON(), ModelError, "kind");
    assert(toXml(Stock.of({ shop: "", counts: { kind: 1 } })).includes("<kind>1</kind>"));
  });

  it("may hold models, null, lists and records", async () => {
    class Item extends model("item", { id: attr(integer) }) {}
    class Items extends model("items", { all: rest(nullable(Item)) }) {}
    const items = Items.of({ all: { a: Item.of({ id: 1 }), b: null } });
    assertEquals(JSON.stringify(items), '{"a":{"id":1},"b":null}');
    assertEquals(Items.fromJson(JSON.stringify(items)), items);
    assertEquals(toXml(items, none), `<items ${xsi}><a id="1"/><b xsi:nil="true"/></items>`);
    assertEquals(await Items.fromXml(toXml(items)), items);
    class Lists extends model("lists", { all: rest(list(integer)), name: attr(string) }) {}
    const lists = Lists.of({ all: { a: [1, 2] }, name: "x" });
    assertEquals(toXml(lists, none), '<lists name="x"><a>1 2</a></lists>');
    assertEquals(await Lists.fromXml(toXml(lists)), lists);
    class Nested extends model("nested", { all: rest(record(integer)) }) {}
    const nested = Nested.of({ all: { a: { b: 1 } } });
    assertEquals(toXml(nested, none), "<nested><a><b>1</b></a></nested>");
    assertEquals(await Nested.fromXml(toXml(nested)), nested);
    const error = assertThrows(() => Nested.fromJson({ a: { b: "x" } }), ModelError);
    assertEquals(placesOf(error), [["a.b", "type"]]);
  });

  it("leaves elements of other namespaces, attributes and texts to the policy for unknown content", async () => {
    const fields = { name: element(string), others: rest(string) };
    const options = { namespace: "urn:a" };
    class Loose extends model("doc", fields, options) {}
    class Strict extends model("doc", fields, { ...options, unknown: "refuse" }) {}
    const xml =
      '<doc xmlns="urn:a" x="1"><name>n</name>text<b>c</b><name xmlns="urn:b">d</name></doc>';
    const loose = await Loose.fromXml(xml);
    assertEquals([loose.name, loose.others], ["n", { b: "c" }]);
    assertEquals(toXml(loose, none), '<doc xmlns="urn:a"><name>n</name><b>c</b></doc>');
    const { issues } = await assertRejects(() => Strict.fromXml(xml), ModelError);
    assertEquals(issues.map(({ code }) => code), ["unknown", "unknown", "unknown"]);
    assertEquals(Strict.fromJson({ name: "n", x: "1" }).others, { x: "1" });
  });

  it("is written as a part, and left out if it is empty", () => {
    const stock = Stock.of({ shop: "Lyon", counts: { a: 1 } });
    assertEquals(stock.toJSON({ only: ["counts"] }), { a: 1 });
    assertEquals(stock.toJSON({ only: ["shop"] }), { Shop: "Lyon" });
    assertEquals(stock.toJSON({ omitDefaults: true }), { Shop: "Lyon", a: 1 });
    assertEquals(toXml(stock, { ...none, only: ["counts"] }), "<stock><a>1</a></stock>");
    assertEquals(toXml(stock, { ...none, omitDefaults: true, only: ["kind"] }), "<stock/>");
  });

  it("is inherited, and works in objects without a class", async () => {
    class Shop extends model("shop", { city: element(string) }, { extends: Stock }) {}
    const shop = Shop.fromJson({ city: "Lyon", Shop: "A", woad: 1 });
    assertEquals([shop.city, shop.counts], ["Lyon", { woad: 1 }]);
    assertEquals(await Shop.fromXml(toXml(shop)), shop);
    class Doc extends model("doc", {
      part: element(object({ id: attr(integer), others: rest(string) })),
    }) {}
    const doc = Doc.of({ part: { id: 1, others: { a: "b" } } });
    assertEquals(JSON.stringify(doc), '{"part":{"id":1,"a":"b"}}');
    assertEquals(Doc.fromJson(JSON.stringify(doc)), doc);
    assertEquals(toXml(doc, none), '<doc><part id="1"><a>b</a></part></doc>');
    assertEquals(await Doc.fromXml(toXml(doc)), doc);
  });

  it("counts for the depth of a document", () => {
    class Deep extends model("deep", { all: rest(record(integer)) }, { maxDepth: 1 }) {}
    const error = assertThrows(() => Deep.fromJson({ a: {} }), ModelError);
    assertEquals(placesOf(error), [["a", "depth"]]);
  });

  const declarations: readonly (readonly [string, () => typeof Model, string])[] = [
    [
      "beside a second one",
      () => model("a", { b: rest(string), c: rest(integer) }) as unknown as typeof Model,
      "a.fields.c",
    ],
    [
      "if unknown content is kept",
      () => model("a", { b: rest(string) }, { unknown: "keep" }) as unknown as typeof Model,
      "a.unknown",
    ],
    [
      "beside a text with markup",
      () => model("a", { b: text(innerXml), c: rest(string) }) as unknown as typeof Model,
      "a.fields.b",
    ],
    [
      "with lists of models",
      () => model("a", { b: rest(list(Stock)) }) as unknown as typeof Model,
      "a.fields.b",
    ],
  ];
  for (const [name, declare, option] of declarations) {
    it(`is refused when the model is first used: ${name}`, async () => {
      const error = await assertRejects(() => declare().fromXml("<a/>"), UnexpectedValueError);
      assertEquals(error.option, option);
    });
  }
});
