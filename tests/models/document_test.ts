import {
  assert,
  assertEquals,
  assertInstanceOf,
  assertRejects,
  assertThrows,
  describe,
  it,
} from "#test";
import { APISession, ValidationError } from "../../mod.ts";
import { errorsBy, isErrorWith } from "../../src/entries/errors.ts";
import { ModelError } from "../../src/errors/model_error.ts";
import { UnexpectedValueError } from "../../src/errors/unexpected_value_error.ts";
import {
  anyOf,
  attr,
  dateOnly,
  type Document,
  document,
  element,
  integer,
  json,
  list,
  literal,
  type Model,
  model,
  nullable,
  number,
  object,
  record,
  string,
  toXml,
  union,
} from "../../src/models/mod.ts";

const none = { declaration: false } as const;

class Circle
  extends model("circle", { radius: attr(number), name: attr(string, { default: "c" }) }) {}
class Square
  extends model("square", { side: attr(number), name: attr(string, { optional: true }) }) {}
class Fault extends model("fault", { reason: element(string) }, { namespace: "urn:fault" }) {}

const Shape = document(union([Circle, Square]));
const Shapes = document(list(union([Circle, Square])));
const Circles = document(list(Circle));

describe("a document that is a union", () => {
  it("is read from XML by its root, and from JSON by its only member", async () => {
    for (
      const shape of [
        await Shape.fromXml('<square side="2"/>'),
        Shape.fromJson('{"square":{"side":2}}'),
      ]
    ) {
      assertInstanceOf(shape, Square);
      assertEquals(shape.side, 2);
      assertEquals(Shape.toJsonString(shape), '{"square":{"side":2}}');
      assertEquals(toXml(shape, none), '<square side="2"/>');
    }
  });

  it("is refused if the root is none of the models, with their names", async () => {
    const error = await assertRejects(() => Shape.fromXml("<fault><circle/></fault>"), ModelError);
    assertEquals(error.issues.map(({ code, where }) => [code, where]), [["type", "/fault"]]);
    assertEquals(
      error.issues[0]?.message,
      "expected the root element <circle> in no namespace or <square> in no namespace, but it is <fault> in no namespace",
    );
    assertEquals(error.model, "Circle or Square");
    assertThrows(
      () => Shape.fromJson({ fault: {} }),
      ModelError,
      "Circle or Square cannot be read from JSON",
    );
  });

  it("is selected by an attribute of the root if the tags are the same", async () => {
    class Cat extends model("pet", { kind: attr(literal("cat")) }) {}
    class Dog extends model("pet", { kind: attr(literal("dog")) }) {}
    const Pet = document(union("kind", Cat, Dog));
    assertInstanceOf(await Pet.fromXml('<pet kind="dog"/>'), Dog);
    assertInstanceOf(Pet.fromJson({ kind: "cat" }), Cat);
    const error = await assertRejects(() => Pet.fromXml('<pet kind="cow"/>'), ModelError);
    assertEquals(
      error.issues[0]?.message,
      'expected "cat" or "dog" as kind, which selects the model, but it has another value',
    );
    const Pets = document(list(union("kind", Cat, Dog)));
    const issues =
      (await assertRejects(() => Pets.fromXml('<p><pet/><pet kind="dog"/><pet/></p>'), ModelError))
        .issues;
    assertEquals(issues.map(({ where }) => where), ["/p/pet[1]", "/p/pet[3]"]);
  });

  it("takes the limits of its models: the largest maxDepth, and their namespaces", async () => {
    class Deep extends model("deep", {}, { maxDepth: 600, unknown: "keep" }) {}
    const Any = document(union([Fault, Deep]));
    const deep = "<x>".repeat(550) + "</x>".repeat(550);
    assertInstanceOf(await Any.fromXml(`<deep>${deep}</deep>`), Deep);
    assertInstanceOf(
      await Any.fromXml('<f:fault xmlns:f="urn:fault"><f:reason/></f:fault>'),
      Fault,
    );
    await assertRejects(() => Any.fromXml("<fault><reason/></fault>"), ModelError, "urn:fault");
  });
});

describe("a document that is a list", () => {
  const xml = '<shapes><square side="1"/><other/><circle radius="2"/></shapes>';

  it("is the children of the root that have the name of a model", async () => {
    const shapes = await Shapes.fromXml(xml);
    assertEquals(shapes, [Square.of({ side: 1 }), Circle.of({ radius: 2 })]);
    assertEquals(
      toXml(shapes, { root: "all", ...none }),
      '<all><square side="1"/><circle radius="2" name="c"/></all>',
    );
    assertEquals(await Circles.fromXml(xml), [Circle.of({ radius: 2 })]);
    assertEquals(await Circles.fromXml("<shapes/>"), []);
  });

  it("is an array in JSON", () => {
    const json = '[{"square":{"side":1}},{"circle":{"radius":2,"name":"c"}}]';
    const shapes = Shapes.fromJson(json);
    assertInstanceOf(shapes[1], Circle);
    assertEquals(Shapes.toJsonString(shapes), json);
    assertEquals(
      Shapes.toJsonString(shapes, { indent: true }),
      JSON.stringify(JSON.parse(json), null, 2),
    );
    assertEquals(Circles.fromJson('[{"radius":1}]'), [Circle.of({ radius: 1 })]);
  });

  it("reports the issues of all instances together", async () => {
    const error = assertThrows(() => Shapes.fromJson([{ circle: {} }, { x: {} }, 3]), ModelError);
    assertEquals(error.issues.map(({ code, where }) => [code, where]), [
      ["missing", "[0].circle.radius"],
      ["type", "[1]"],
      ["type", "[2]"],
    ]);
    const other = await assertRejects(
      () => Shapes.fromXml('<r><circle/><square side="x"/></r>'),
      ModelError,
    );
    assertEquals(other.issues.map(({ code, where }) => [code, where]), [
      ["missing", "/r/circle[1]/@radius"],
      ["type", "/r/square[2]/@side"],
    ]);
  });

  it("is refused if the root is one of the instances, or has only other elements or text", async () => {
    const documents: readonly (readonly [string, string])[] = [
      ['<circle radius="1"/>', "but it is one of these itself"],
      ["<shapes><other/></shapes>", "or an empty root element, but it is <other> in no namespace"],
      ["<shapes>none</shapes>", 'or an empty root element, but it is "none"'],
      [
        '<shapes xmlns="urn:x"><circle radius="1"/></shapes>',
        "but it is <circle> in the namespace urn:x",
      ],
    ];
    for (const [xml, message] of documents) {
      await assertRejects(() => Shapes.fromXml(xml), ModelError, message);
    }
  });

  it("is read back from what toXml writes, in any namespace of the root", async () => {
    for (const root of ["all", "{urn:all}all", "{}all"]) {
      const shapes = [Square.of({ side: 1 }), Circle.of({ radius: 2 })];
      assertEquals(await Shapes.fromXml(toXml(shapes, { root, indent: true })), shapes);
      const faults = [Fault.of({ reason: "x" })];
      assertEquals(await document(list(Fault)).fromXml(toXml(faults, { root })), faults);
    }
    assertEquals(
      toXml([Fault.of({ reason: "x" })], { root: "{urn:fault}all", ...none }),
      '<all xmlns="urn:fault"><fault><reason>x</reason></fault></all>',
    );
    assertEquals(
      toXml([Circle.of({ radius: 1 })], { root: "{urn:all}all", ...none }),
      '<ns1:all xmlns:ns1="urn:all"><circle radius="1" name="c"/></ns1:all>',
    );
    assertEquals(toXml([], { root: "all", ...none }), "<all/>");
  });

  it("applies the options of partial writing to each instance", () => {
    const shapes = [Circle.of({ radius: 1 }), Square.of({ side: 2, name: "s" })];
    const only = { only: ["radius", "name"] };
    assertEquals(
      Shapes.toJsonString(shapes, only),
      '[{"circle":{"radius":1,"name":"c"}},{"square":{"name":"s"}}]',
    );
    assertEquals(
      toXml(shapes, { root: "all", ...none, ...only, omitDefaults: true }),
      '<all><circle radius="1"/><square name="s"/></all>',
    );
    assertThrows(
      () => Shapes.toJsonString(shapes, { only: ["size"] }),
      UnexpectedValueError,
      "one of radius, name, side",
    );
  });

  it("needs a root in toXml, and only instances", () => {
    const circle = Circle.of({ radius: 1 });
    const writes: readonly (readonly [() => string, string])[] = [
      [() => toXml([circle]), '"root" must be the name of the element around the list'],
      [() => toXml([circle], { root: "a/b" }), '"root" must be'],
      [() => toXml([circle], { root: "a b" }), '"root" must be'],
      [
        () => toXml(circle, { root: "a" }),
        '"root" must be left out, because the value is not a list',
      ],
      [
        () => toXml([circle, {} as Model], { root: "a" }),
        '"instance[1]" must be an instance of a model',
      ],
    ];
    for (const [write, message] of writes) assertThrows(write, UnexpectedValueError, message);
  });

  it("reports the position of an invalid instance when it is written", () => {
    const wrong = Circle.of({ radius: "x" as never });
    const error = assertThrows(
      () => toXml([Circle.of({ radius: 1 }), wrong], { root: "all" }),
      ModelError,
    );
    assertEquals(error.issues.map(({ where }) => where), ["/all/circle[2]/@radius"]);
    const other = assertThrows(() => Circles.toJsonString([wrong]), ModelError);
    assertEquals(other.issues.map(({ where }) => where), ["[0].radius"]);
  });
});

describe("a document as responseModel and as the model of errors", () => {
  /** Returns a session whose server answers with a body. */
  const answering = (body: string, type: string, status = 200) =>
    new APISession({
      url: "https://api.example.com",
      adapter: () =>
        Promise.resolve(new Response(body, { status, headers: { "content-type": type } })),
      retries: 0,
    });
  const xml = "application/xml";
  const isJson = "application/json";

  it("decodes JSON and XML", async () => {
    const one = await answering('<circle radius="1"/>', xml).get("x", { responseModel: Shape });
    assertInstanceOf(one, Circle);
    const two = await answering('{"square":{"side":1}}', isJson).get("x", { responseModel: Shape });
    assertInstanceOf(two, Square);
    const all = await answering('<r><circle radius="1"/><square side="2"/></r>', xml)
      .get("x", { responseModel: Shapes });
    assertEquals(all.map((each) => each instanceof Circle), [true, false]);
    const same = await answering('[{"circle":{"radius":1}}]', isJson).get("x", {
      responseModel: Shapes,
    });
    assertInstanceOf(same[0], Circle);
  });

  it("decodes JSON that has no model", async () => {
    const names = await answering('["a","b"]', isJson).get("x", {
      responseModel: document(list(string)),
    });
    assertEquals(names, ["a", "b"]);
    const counts = await answering('{"a":1}', isJson).get("x", {
      responseModel: document(record(integer)),
    });
    assertEquals(counts.a, 1);
    const call = answering('{"a":"1"}', isJson).get("x", {
      responseModel: document(record(integer)),
    });
    const error = await assertRejects(() => call, ValidationError);
    assertEquals(error.issues.map(({ where }) => where), ["a"]);
  });

  it("decodes a list of unions in brackets", async () => {
    const all = await answering('<r><square side="2"/></r>', xml).get("x", {
      responseModel: [Shape],
    });
    assertInstanceOf(all[0], Square);
    const same = await answering('[{"square":{"side":2}}]', isJson).get("x", {
      responseModel: [Shape],
    });
    assertEquals(same, all);
  });

  it("is refused in brackets if it is a list itself", async () => {
    const call = answering("[]", isJson).get("x", { responseModel: [Shapes] });
    await assertRejects(() => call, UnexpectedValueError, "a document of a list without brackets");
  });

  it("throws a ValidationError with all issues if the body does not match", async () => {
    const call = answering('<r><circle/><square side="x"/></r>', xml).get("x", {
      responseModel: Shapes,
    });
    const error = await assertRejects(() => call, ValidationError);
    assertEquals(error.issues.map(({ where }) => where), [
      "/r/circle[1]/@radius",
      "/r/square[2]/@side",
    ]);
  });

  it("decodes the body of an error, and is known to isErrorWith", async () => {
    const session = answering('<circle radius="1"/>', xml, 422);
    const error = await session.get("x", { errorFrom: errorsBy({ model: Shape }) }).catch((error) =>
      error
    );
    assert(isErrorWith(error, Shape), String(error));
    assertInstanceOf(error.data, Circle);
  });
});

describe("a document that only JSON can have", () => {
  const types: readonly (readonly [string, Document<unknown>, unknown, string, string])[] = [
    ["a scalar", document(string), "a", "A string", "a type for a string"],
    ["null", document(nullable(Circle)), null, "An object (Circle) or null", "or null"],
    [
      "a record of scalars",
      document(record(integer)),
      { a: 1 },
      "An object",
      "a type for an object",
    ],
    ["a list of scalars", document(list(integer)), [1, 2], "An array", "a type for an array"],
    ["a list of lists", document(list(list(string))), [["a"]], "An array", "a type for an array"],
    ["a list with null", document(list(nullable(string))), ["a", null], "An array", "an array"],
    ["any value", document(json), { a: [null] }, "A JSON value", "a JSON value"],
    ["an object", document(object({ a: element(integer) })), { a: 1 }, "An object", '"object.tag"'],
  ];
  for (const [name, type, value, shown, message] of types) {
    it(`is read and written: ${name}`, () => {
      assertEquals(type.fromJson(JSON.stringify(value)), value);
      assertEquals(type.toJsonValue(value), value);
      assertEquals(type.name, shown);
      assertThrows(() => type.fromJson("true1"), ModelError, `${shown} cannot be read from JSON`);
    });

    it(`is refused in XML: ${name}`, async () => {
      await assertRejects(() => type.fromXml("<a/>"), UnexpectedValueError, message);
    });
  }

  it("converts values in both directions", () => {
    const Days = document(record(dateOnly));
    const days = Days.fromJson('{"due":"2026-11-20"}');
    assertEquals(days.due, new Date("2026-11-20"));
    assertEquals(Days.toJsonValue(days), { due: "2026-11-20" });
    const Found = document(record(Circle));
    const found = Found.fromJson({ a: { radius: 1 } });
    assertInstanceOf(found.a, Circle);
    assertEquals(Found.toJsonValue(found), { a: { radius: 1, name: "c" } });
    assertEquals(Found.toJsonValue(found, { omitDefaults: true }), { a: { radius: 1 } });
    assertThrows(
      () => Found.toJsonValue(found, { only: ["radius"] }),
      UnexpectedValueError,
      '"only" must be left out, because the document is not an instance',
    );
  });

  it("takes the limits of the models in it, or the default", () => {
    class Deep extends model("deep", { x: element(json) }, { maxDepth: 600 }) {}
    const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
    assertEquals(
      document(record(Deep)).fromJson(`{"a":{"x":${nested(550)}}}`).a instanceof Deep,
      true,
    );
    assertThrows(() => document(json).fromJson(nested(550)), ModelError, "at most 500 levels");
    assertEquals(document(json).fromJson(nested(550), { maxDepth: 551 }), JSON.parse(nested(550)));
  });

  it("loses no digits of the unknown content in it", () => {
    class Kept extends model("kept", { id: element(integer) }, { unknown: "keep" }) {}
    const text = '{"a":{"id":1,"x":12345678901234567890}}';
    const types = [document(record(Kept)), document(record(anyOf(string, Kept)))];
    for (const type of types) {
      assertEquals(JSON.stringify(type.toJsonValue(type.fromJson(text) as never)), text);
    }
  });
});

describe("a document of a model", () => {
  it("may be a single model, as the model itself", async () => {
    const One = document(Circle);
    assertEquals(await One.fromXml('<circle radius="1"/>'), One.fromJson({ radius: 1 }));
    assertEquals(One.toJsonString(Circle.of({ radius: 1 })), '{"radius":1,"name":"c"}');
  });
});
