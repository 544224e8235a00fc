import { assert, assertEquals, describe, it } from "#test";
import { attr, element, elements, integer, model, string, toXml } from "../../src/models/mod.ts";

const none = { declaration: false } as const;
const keep = { unknown: "keep" } as const;

describe("unknown content in a copy", () => {
  class Item extends model("item", { id: attr(integer) }, keep) {}
  class Shop extends model("shop", {
    name: element(string),
    tags: elements(string, { tag: "tag" }),
    items: elements(Item),
  }, keep) {}
  const xml = '<shop z="1"><tag a="1">one</tag><x/><tag>two</tag><name b="2">N</name>' +
    '<tag a="3">three</tag><item id="1" c="4"><y/></item><item id="2"/></shop>';

  it("stays in its place if another value changes", async () => {
    const shop = await Shop.fromXml(xml);
    const [first, second] = shop.items;
    assertEquals(toXml(Shop.of({ ...shop }), none), xml);
    assertEquals(toXml(Shop.of({ ...shop, name: "M" }), none), xml.replace(">N<", ">M<"));
    assertEquals(
      toXml(Shop.of({ ...shop, items: [Item.of({ ...first!, id: 5 }), second!] }), none),
      xml.replace('id="1"', 'id="5"'),
    );
    assertEquals(toXml(new Shop({ ...shop, items: [] }), none).includes("item"), false);
  });

  const arrays: readonly (readonly [string, readonly string[], string])[] = [
    ["the same", ["one", "two", "three"], "one1 two three3"],
    ["without the first", ["two", "three"], "two three3"],
    ["without the last", ["one", "two"], "one1 two"],
    ["with more", ["zero", "one", "two", "three", "four"], "zero one1 two three3 four"],
    ["in another order", ["three", "two", "one"], "three3 two one1"],
    ["with a changed value", ["one", "two", "THREE"], "one1 two THREE3"],
    ["with all values changed", ["a", "b", "c"], "a1 b c3"],
    ["with other values", ["a"], "a"],
    ["empty", [], ""],
    ["with equal values", ["three", "three"], "three3 three"],
  ];
  for (const [name, tags, expected] of arrays) {
    it(`stays with the values of an array: ${name}`, async () => {
      const shop = Shop.of({ ...await Shop.fromXml(xml), tags: [...tags] });
      const written = [...toXml(shop).matchAll(/<tag(?: a="(\d)")?>(\w+)/g)];
      assertEquals(written.map(([, a = "", tag]) => tag + a).join(" "), expected);
      assertEquals((await Shop.fromXml(toXml(shop))).tags, tags);
      assert(toXml(shop).includes("<x/>"));
    });
  }

  it("is not copied into an instance of another model, whose fields may have these names", () => {
    class Other
      extends model("other", { x: element(string), y: element(string, { default: "d" }) }, keep) {}
    class One extends model("one", { x: element(string) }, keep) {}
    const one = One.fromJson({ x: "1", y: 5, z: 6 });
    assertEquals(Other.of({ ...one }).toJsonString(), '{"x":"1","y":"d"}');
    assertEquals(One.of({ ...one }).toJsonString(), '{"x":"1","y":5,"z":6}');
  });

  it("is no property that loops or JSON see", async () => {
    const shop = await Shop.fromXml(xml);
    assertEquals(Object.keys(shop), ["name", "tags", "items"]);
    assertEquals(
      JSON.stringify(shop),
      '{"name":"N","tags":["one","two","three"],"items":[{"id":1},{"id":2}]}',
    );
  });
});
