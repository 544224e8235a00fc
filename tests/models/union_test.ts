import {
  assert,
  assertEquals,
  assertInstanceOf,
  assertRejects,
  assertThrows,
  describe,
  it,
} from "#test";
import { ModelError } from "../../src/errors/model_error.ts";
import { UnexpectedValueError } from "../../src/errors/unexpected_value_error.ts";
import {
  attr,
  element,
  elements,
  literal,
  model,
  nullable,
  number,
  oneOf,
  record,
  string,
  toXml,
  union,
} from "../../src/models/mod.ts";

const none = { declaration: false } as const;

describe("a union of models that a property selects", () => {
  class Circle extends model("circle", {
    kind: attr(literal("circle"), { default: "circle" }),
    radius: attr(number),
  }) {}
  class Square extends model("square", {
    kind: attr(oneOf("square", "box"), { default: "square" }),
    side: attr(number),
  }) {}
  class Drawing extends model("drawing", {
    shapes: elements(union("kind", Circle, () => Square)),
  }) {}
  class Tagged extends model("tagged", {
    shapes: elements(union("kind", Circle, Square), { tag: "shape" }),
  }) {}

  it("is selected by the tag in XML and by the property in JSON, and keeps its order", async () => {
    const xml =
      '<drawing><square side="1"/><circle radius="2"/><square kind="box" side="3"/></drawing>';
    const drawing = await Drawing.fromXml(xml);
    assertEquals(drawing.shapes, [
      Square.of({ side: 1 }),
      Circle.of({ radius: 2 }),
      Square.of({ kind: "box", side: 3 }),
    ]);
    assertEquals(Drawing.fromJson(drawing.toJsonString()), drawing);
    assertEquals(await Drawing.fromXml(toXml(drawing, { indent: true })), drawing);
  });

  it("is selected by the attribute if the tags are the same", async () => {
    const xml = '<tagged><shape kind="box" side="3"/><shape kind="circle" radius="2"/></tagged>';
    const tagged = await Tagged.fromXml(xml);
    assertEquals(toXml(tagged, none), xml);
    const error = await assertRejects(
      () => Tagged.fromXml('<tagged><shape kind="line"/><shape/></tagged>'),
      ModelError,
    );
    assertEquals(error.issues.map(({ where }) => where), ["/tagged/shape[1]", "/tagged/shape[2]"]);
  });

  it("is selected by the attribute in a record, where the tag is the name of the value", async () => {
    class Named extends model("named", {
      shapes: element(record(union("kind", Circle, () => Square))),
      more: elements(record(nullable(union("kind", Circle, Square)))),
    }) {}
    const named = Named.of({
      shapes: { a: Square.of({ side: 1 }), circle: Square.of({ kind: "box", side: 2 }) },
      more: [{ a: null, b: Circle.of({ radius: 2 }) }],
    });
    assertEquals(await Named.fromXml(toXml(named)), named);
    assertEquals(await Named.fromXml(toXml(named, { indent: true })), named);
    assertEquals(Named.fromJson(named.toJsonString()), named);

    const reading = () =>
      Named.fromXml('<named><shapes><a side="1"/><b kind="line"/><circle/></shapes></named>');
    const error = await assertRejects(reading, ModelError);
    assertEquals(
      error.issues.map(({ where, message }) => [where, message]),
      [
        "/named/shapes/a",
        "/named/shapes/b",
        "/named/shapes/circle",
      ].map((path) => [
        path,
        'expected "circle" or "square" or "box" as kind, which selects the model, but it has another value',
      ]),
    );
  });

  it("is rejected in JSON if the property is missing or unknown", () => {
    const error = assertThrows(
      () => Drawing.fromJson({ shapes: [{ kind: "line" }, {}, 7, { kind: "circle" }] }),
      ModelError,
    );
    assertEquals(error.issues.map(({ where }) => where), [
      "shapes[0].kind",
      "shapes[1].kind",
      "shapes[2]",
      "shapes[3].radius",
    ]);
    assert(error.message.includes('"circle" or "square" or "box"'), error.message);
  });

  class Plain extends model("plain", { side: attr(number) }) {}

  it("must have the property in each model", () => {
    // @ts-expect-error Plain has no property "kind".
    const error = assertThrows(() => union("kind", Circle, Plain), UnexpectedValueError);
    assertEquals(error.option, "Plain.fields.kind");
  });

  it("keeps the property with omitDefaults, because it selects the model", async () => {
    class Pair extends model("pair", {
      one: element(union("kind", Circle, Square), { tag: "shape" }),
      all: elements(union("kind", Circle, Square)),
      map: element(record(union("kind", Circle, Square)), { default: {} }),
    }) {}
    const pair = Pair.of({
      one: Square.of({ side: 1 }),
      all: [Circle.of({ radius: 1 })],
      map: { a: Square.of({ side: 2 }) },
    });
    const part = { omitDefaults: true };
    assertEquals(Pair.fromJson(pair.toJsonString(part)), pair);
    assertEquals(await Pair.fromXml(toXml(pair, part)), pair);
  });

  it("is selected by the name of the property in the format", async () => {
    const rename = "snake_case";
    class Cat extends model("cat", { theKind: attr(literal("cat")) }, { rename }) {}
    class Dog extends model("dog", { theKind: attr(literal("dog"), { json: "k" }) }, { rename }) {}
    class Home
      extends model("home", { pet: element(union("theKind", Cat, Dog), { tag: "pet" }) }) {}
    for (const pet of [{ the_kind: "cat" }, { k: "dog" }]) {
      assertEquals(JSON.parse(Home.fromJson({ pet }).toJsonString()), { pet });
    }
    const xml = '<home><pet the_kind="dog"/></home>';
    assertEquals(toXml(await Home.fromXml(xml), none), xml);
  });
});

describe("a union whose models have elements of the same name", () => {
  class Cat extends model("pet", { kind: element(literal("cat")) }) {}
  class Dog extends model("pet", { kind: element(literal("dog")) }) {}
  class Bird extends model("bird", { kind: element(literal("bird")) }) {}
  const attributeIsNeeded =
    "must be declared with attr(), because models of the union have the same tag";

  it("is refused when it is declared if an element selects the model", () => {
    const error = assertThrows(
      () => union("kind", Cat, Dog),
      UnexpectedValueError,
      attributeIsNeeded,
    );
    assertEquals(error.option, "Cat.fields.kind");
    const field = () => element(union("kind", Cat, Bird), { tag: "p" });
    assertThrows(field, UnexpectedValueError, attributeIsNeeded);
    assertThrows(
      () => elements(nullable(union("kind", Cat, Bird)), { tag: "p" }),
      UnexpectedValueError,
    );
  });

  it("is refused when XML is first read if the models are known only then", async () => {
    const Named = model("home", { pet: element(union("kind", Cat, Bird), { name: "p" }) });
    const pets: readonly { fromXml(xml: string): Promise<unknown> }[] = [
      Named,
      model("home", { pet: element(union("kind", Cat, () => Bird), { tag: "p" }) }),
      model("home", { pet: element(record(union("kind", Cat, Bird)), { json: "p" }) }),
    ];
    for (const Home of pets) {
      await assertRejects(() => Home.fromXml("<home/>"), UnexpectedValueError, attributeIsNeeded);
    }
    // JSON has no such limit.
    assertEquals(Named.fromJson({ p: { kind: "bird" } }).toJsonString(), '{"p":{"kind":"bird"}}');
  });

  it("may have them in two namespaces", async () => {
    class Other
      extends model("pet", { kind: element(literal("dog")) }, { namespace: "urn:other" }) {}
    class Home extends model("home", { pets: elements(union("kind", Cat, Other)) }) {}
    const xml =
      '<home><o:pet xmlns:o="urn:other"><o:kind>dog</o:kind></o:pet><pet><kind>cat</kind></pet></home>';
    const { pets } = await Home.fromXml(xml);
    assertEquals(pets.map((pet) => pet instanceof Other), [true, false]);
    assertEquals(await Home.fromXml(toXml(Home.of({ pets }))), Home.of({ pets }));
    // In the namespace of the other model, the two have one name.
    class Inside extends model("home", Home.fields, { namespace: "urn:other" }) {}
    await assertRejects(() => Inside.fromXml("<home/>"), UnexpectedValueError, attributeIsNeeded);
  });
});

describe("a union of models that the tag selects", () => {
  class Circle extends model("circle", { radius: attr(number) }) {}
  class Square extends model("square", { side: attr(number) }) {}
  class Drawing extends model("drawing", {
    shapes: elements(union([Circle, () => Square])),
    first: element(nullable(union([Circle, Square])), { within: "first", default: null }),
  }) {}

  it("keeps the order of mixed children, and narrows by instanceof", async () => {
    const xml = '<drawing><square side="1"/><circle radius="2"/><square side="3"/></drawing>';
    const { shapes } = await Drawing.fromXml(xml);
    const sizes = shapes.map((shape) => shape instanceof Circle ? shape.radius : shape.side);
    assertEquals(sizes, [1, 2, 3]);
    assertInstanceOf(shapes[1], Circle);
    assertEquals(toXml(Drawing.of({ shapes }), none).includes(xml.slice(9, -10)), true);
  });

  it("is an object with the tag as its only member in JSON", () => {
    const json =
      '{"shapes":[{"square":{"side":1}},{"circle":{"radius":2}}],"first":{"circle":{"radius":3}}}';
    const drawing = Drawing.fromJson(json);
    assertEquals(drawing.toJsonString(), json);
    assertInstanceOf(drawing.first, Circle);
    assertEquals(Drawing.fromJson('{"shapes":[],"first":null}').first, null);
  });

  it("can be null, optional and around other elements in XML", async () => {
    const one = Drawing.of({ shapes: [], first: Square.of({ side: 1 }) });
    assertEquals(toXml(one, none).includes('<first><square side="1"/></first>'), true);
    assertEquals(await Drawing.fromXml(toXml(one)), one);
    const other = Drawing.of({ shapes: [Square.of({ side: 1 })] });
    assertEquals(await Drawing.fromXml(toXml(other)), other);
  });

  it("is selected by the whole name if its models are in two namespaces", async () => {
    class Disc extends model("disc", { radius: attr(number) }, { namespace: "urn:round" }) {}
    class Page extends model("page", { shapes: elements(union([Circle, Disc])) }, {
      namespace: "urn:page",
    }) {}
    const page = Page.of({ shapes: [Disc.of({ radius: 1 }), Circle.of({ radius: 2 })] });
    assertEquals(
      toXml(page, none),
      '<page xmlns="urn:page" xmlns:ns1="urn:round"><ns1:disc radius="1"/><circle radius="2"/></page>',
    );
    assertEquals(await Page.fromXml(toXml(page)), page);
    const error = await assertRejects(
      () => Page.fromXml('<page xmlns="urn:page"><disc radius="1"/><circle/></page>'),
      ModelError,
    );
    assertEquals(error.issues.map(({ where }) => where), ["/page/circle[1]/@radius"]);
  });

  it("writes an instance of a derived model with the derived tag", async () => {
    class Ring extends model("ring", { inner: attr(number) }, { extends: Circle }) {}
    class Page extends model("page", { shapes: elements(union([Circle, Ring])) }) {}
    const page = Page.of({ shapes: [Ring.of({ radius: 2, inner: 1 }), Circle.of({ radius: 3 })] });
    const xml = '<page><ring radius="2" inner="1"/><circle radius="3"/></page>';
    assertEquals(toXml(page, none), xml);
    assertEquals(await Page.fromXml(xml), page);
    assertEquals(Page.fromJson(page.toJsonString()), page);
    // A class without a tag of its own is written as the model that it derives from.
    class Big extends Circle {}
    assertEquals(
      toXml(Page.of({ shapes: [Big.of({ radius: 1 })] }), none),
      '<page><circle radius="1"/></page>',
    );
  });

  const wrong: readonly (readonly [unknown, string, string])[] = [
    [{ circle: { radius: "x" } }, "shapes[0].circle.radius", 'expected a number, but it is "x"'],
    [{ circle: 7 }, "shapes[0].circle", "expected an object (Circle), but it is 7"],
    [{ circle: { radius: 1 }, square: {} }, "shapes[0]", "one member"],
    [
      { line: {} },
      "shapes[0]",
      'expected an object with one member ({"circle":{…}} or {"square":{…}})',
    ],
    [{}, "shapes[0]", "one member"],
    [[], "shapes[0]", "but it is an array"],
    [null, "shapes[0]", "but it is null"],
    ["circle", "shapes[0]", 'but it is "circle"'],
    [JSON.parse('{"__proto__":{}}'), "shapes[0]", "one member"],
    [JSON.parse('{"constructor":{}}'), "shapes[0]", "one member"],
  ];
  for (const [shape, where, message] of wrong) {
    it(`is refused in JSON with the path: ${JSON.stringify(shape).replace(/"/g, "'")}`, () => {
      const error = assertThrows(() => Drawing.fromJson({ shapes: [shape] }), ModelError, message);
      assertEquals(error.issues.map((issue) => issue.where), [where]);
    });
  }

  it("is refused when it is written if the value is not an instance of its models", () => {
    const drawing = Drawing.of({ shapes: [{ radius: 1 } as unknown as Circle] });
    const message = "expected an instance of Circle or Square, but it is an object";
    assertThrows(() => toXml(drawing), ModelError, message);
    assertThrows(() => drawing.toJsonString(), ModelError, "an object with one member");
  });

  const declarations: readonly (readonly [string, () => unknown, string])[] = [
    ["one model", () => union([Circle] as never), "given at least two models"],
    ["a type", () => union([Circle, string] as never), "given model classes"],
    [
      "a type after a function",
      () => union([() => Circle, string] as never),
      "given model classes",
    ],
    [
      "a name and one model",
      () => (union as (...all: unknown[]) => unknown)("kind", Circle),
      "given at least two models",
    ],
    ["the same model twice", () => union([Circle, Circle]), "models that differ in tag"],
    [
      "one tag in two namespaces, which JSON cannot tell apart",
      () => union([Circle, model("circle", {}, { namespace: "urn:x" })]),
      "models that differ in tag, but is the same for Circle and circle",
    ],
  ];
  for (const [name, declare, message] of declarations) {
    it(`is refused when it is declared: ${name}`, () => {
      assertThrows(declare, UnexpectedValueError, message);
    });
  }

  it("is refused for XML with a name of its own, or in a record", async () => {
    const both = union([Circle, Square]);
    const withoutName = "declared without tag and name";
    for (const options of [{ tag: "shape" }, { name: "shape" }]) {
      const Named = model("a", { b: element(both, options) });
      await assertRejects(() => Named.fromXml("<a/>"), UnexpectedValueError, withoutName);
    }
    const InRecord = model("a", { b: element(record(nullable(both))) });
    await assertRejects(
      () => InRecord.fromXml("<a/>"),
      UnexpectedValueError,
      "a union by a property",
    );
    const json = '{"b":{"x":{"circle":{"radius":1}},"y":null}}';
    assertEquals(InRecord.fromJson(json).toJsonString(), json);
    class Renamed extends model("a", { b: element(both, { json: "c" }) }) {}
    assertEquals(
      Renamed.fromJson('{"c":{"circle":{"radius":1}}}'),
      await Renamed.fromXml('<a><circle radius="1"/></a>'),
    );
  });
});
