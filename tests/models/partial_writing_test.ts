import { assertEquals, assertThrows, describe, it } from "#test";
import { ModelError } from "../../src/errors/model_error.ts";
import { UnexpectedValueError } from "../../src/errors/unexpected_value_error.ts";
import {
  attr,
  date,
  element,
  elements,
  integer,
  list,
  literal,
  model,
  nullable,
  record,
  string,
  text,
  toXml,
  union,
} from "../../src/models/mod.ts";

const none = { declaration: false } as const;

class Size extends model("size", {
  width: attr(integer, { default: 1 }),
  height: attr(integer, { optional: true }),
}) {}
class Item extends model("item", {
  id: attr(string),
  kind: attr(string, { default: "all" }),
  title: element(string, { name: "Title" }),
  total: element(integer, { within: "meta", default: 0 }),
  pages: element(integer, { within: "meta", optional: true }),
  unit: attr(string, { within: "meta", optional: true }),
  size: element(Size, { optional: true }),
  tags: elements(string, { tag: "tag", within: "tags" }),
  note: text(string, { default: "" }),
}) {}

const item = Item.of({
  id: "1",
  title: "T",
  total: 2,
  pages: 3,
  unit: "cm",
  size: Size.of({}),
  tags: ["a"],
  note: "n",
});

describe("the option only", () => {
  const parts: readonly (readonly [readonly string[], string, string])[] = [
    [["id"], '{"id":"1"}', '<item id="1"/>'],
    [["title"], '{"Title":"T"}', "<item><Title>T</Title></item>"],
    [["pages"], '{"pages":3}', "<item><meta><pages>3</pages></meta></item>"],
    [["unit"], '{"unit":"cm"}', '<item><meta unit="cm"/></item>'],
    [["tags", "note"], '{"tags":["a"],"note":"n"}', "<item>n<tags><tag>a</tag></tags></item>"],
    [["size"], '{"size":{"width":1}}', '<item><size width="1"/></item>'],
    [["kind", "kind"], '{"kind":"all"}', '<item kind="all"/>'],
    [[], "{}", "<item/>"],
  ];
  for (const [only, json, xml] of parts) {
    it(`writes the named properties: ${only.join(" ") || "none"}`, () => {
      assertEquals(item.toJsonString({ only }), json);
      assertEquals(toXml(item, { only, ...none }), xml);
      assertEquals(item.toJSON({ only }), JSON.parse(json));
    });
  }

  it("does not require the other properties", () => {
    const part = { ...item, id: undefined, title: undefined };
    const broken = Object.assign(Object.create(Item.prototype), part) as Item;
    assertThrows(() => broken.toJsonString(), ModelError, "2 problems");
    assertThrows(() => toXml(broken), ModelError, "2 problems");
    assertEquals(broken.toJsonString({ only: ["note"] }), '{"note":"n"}');
    assertEquals(toXml(broken, { only: ["note"], ...none }), "<item>n</item>");
    assertThrows(() => toXml(broken, { only: ["id"] }), ModelError, "/item/@id");
  });

  it("leaves out a value that is absent", () => {
    const small = Item.of({ id: "1", title: "T" });
    assertEquals(small.toJsonString({ only: ["size", "id"] }), '{"id":"1"}');
    assertEquals(toXml(small, { only: ["size", "pages"], ...none }), "<item/>");
  });

  it("is for the root, and nested instances are whole", () => {
    class Outer extends model("outer", { id: attr(string), item: element(Item) }) {}
    const outer = Outer.of({ id: "2", item });
    assertEquals(outer.toJsonString({ only: ["item"] }), `{"item":${item.toJsonString()}}`);
    assertEquals(toXml(outer, { only: ["item"], ...none }), `<outer>${toXml(item, none)}</outer>`);
  });

  const invalid: readonly (readonly [unknown, string, string])[] = [
    [
      ["id", "Title"],
      "only[1]",
      '"only[1]" must be one of id, kind, title, total, pages, unit, size, tags, note, but is "Title"',
    ],
    [["__proto__"], "only[0]", 'but is "__proto__"'],
    [[7], "only[0]", "but is 7"],
    ["id", "only", '"only" must be a list of names of properties (id, kind,'],
    [{ id: true }, "only", '"only" must be a list of names of properties'],
  ];
  for (const [only, option, message] of invalid) {
    it(`is refused if it is invalid: ${JSON.stringify(only).replace(/"/g, "'")}`, () => {
      const options = { only: only as string[] };
      for (
        const write of [
          () => item.toJsonString(options),
          () => toXml(item, options),
          () => item.toJSON(options),
        ]
      ) {
        const error = assertThrows(write, UnexpectedValueError, message);
        assertEquals(error.option, option);
      }
    });
  }
});

describe("the option omitDefaults", () => {
  const omitDefaults = true;

  it("leaves out values that are equal to the default of their field, at any depth", async () => {
    class Page extends model("page", {
      size: element(Size, { default: () => Size.of({ width: 5 }) }),
      other: element(Size, { tag: "other" }),
      tags: element(list(string), { default: ["a", "b"] }),
      map: element(record(integer), { default: { a: 1 } }),
      at: attr(date, { default: new Date(0) }),
      nick: element(nullable(string), { default: null }),
      all: elements(Size, { tag: "each" }),
    }) {}
    const page = Page.of({ other: Size.of({}) });
    assertEquals(page.toJsonString({ omitDefaults }), '{"other":{}}');
    assertEquals(
      toXml(page, { omitDefaults, ...none }).replace(/ xmlns[^ >]*/, ""),
      "<page><other/></page>",
    );
    assertEquals(Page.fromJson(page.toJsonString({ omitDefaults })), page);
    assertEquals(await Page.fromXml(toXml(page, { omitDefaults })), page);
    const full = Page.of({
      size: Size.of({ width: 6 }),
      other: Size.of({ width: 2, height: 1 }),
      tags: ["b", "a"],
      map: { a: 1, b: 2 },
      at: new Date(1),
      nick: "",
      all: [Size.of({})],
    });
    assertEquals(await Page.fromXml(toXml(full, { omitDefaults })), full);
    assertEquals(Page.fromJson(full.toJsonString({ omitDefaults })), full);
    assertEquals(
      Object.keys(JSON.parse(full.toJsonString({ omitDefaults }))),
      ["size", "other", "tags", "map", "at", "nick", "all"],
    );
  });

  it("leaves out elements around fields that are all left out", () => {
    const small = Item.of({ id: "1", title: "T" });
    assertEquals(small.toJsonString({ omitDefaults }), '{"id":"1","Title":"T"}');
    assertEquals(toXml(small, { omitDefaults, ...none }), '<item id="1"><Title>T</Title></item>');
    assertEquals(
      toXml(item, { omitDefaults, only: ["kind", "total"], ...none }),
      "<item><meta><total>2</total></meta></item>",
    );
  });

  it("reports invalid values, also of fields with a default", () => {
    const broken = Item.of({ id: "1", title: "T", total: "x" as never });
    assertThrows(
      () => broken.toJsonString({ omitDefaults }),
      ModelError,
      "total: expected a whole number",
    );
    assertThrows(
      () => toXml(broken, { omitDefaults }),
      ModelError,
      "/item/meta/total: expected a whole number",
    );
  });

  it("does not leave out a property that selects the model of a union", () => {
    class Circle
      extends model("circle", { kind: attr(literal("circle"), { default: "circle" }) }) {}
    class Square
      extends model("square", { kind: attr(literal("square"), { default: "square" }) }) {}
    class Drawing extends model("drawing", { shapes: elements(union("kind", Circle, Square)) }) {}
    const drawing = Drawing.of({ shapes: [Circle.of({}), Square.of({})] });
    assertEquals(
      drawing.toJsonString({ omitDefaults }),
      '{"shapes":[{"kind":"circle"},{"kind":"square"}]}',
    );
    // Without the union, it is a default like any other.
    assertEquals(Circle.of({}).toJsonString({ omitDefaults }), "{}");
  });
});
