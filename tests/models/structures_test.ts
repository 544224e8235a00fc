import { assertEquals, assertRejects, assertThrows, describe, it } from "#test";
import fc from "fast-check";
import { ModelError } from "../../src/errors/model_error.ts";
import { UnexpectedValueError } from "../../src/errors/unexpected_value_error.ts";
import {
  attr,
  document,
  element,
  elements,
  type Fields,
  integer,
  json,
  type JsonValue,
  list,
  Model,
  model,
  nullable,
  number,
  record,
  rest,
  string,
  text,
  toXml,
} from "../../src/models/mod.ts";
import { holds } from "../support/property.ts";

const none = { declaration: false } as const;

class Tree extends Model {
  declare readonly id: number;
  declare readonly children: Tree[];
  declare readonly nick?: string | undefined;
  static override readonly tag: string = "node";
  static override readonly fields: Fields<Tree> = {
    id: attr(integer),
    children: elements(() => Tree),
    nick: element(string, { optional: true }),
  };
}

describe("a null value", () => {
  class User extends Model {
    declare readonly nick: string | null;
    declare readonly ages: (number | null)[];
    declare readonly role: string | null;
    declare readonly boss?: User | null;
    static override readonly tag: string = "user";
    static override readonly fields: Fields<User> = {
      nick: element(nullable(string)),
      ages: elements(nullable(integer), { tag: "age" }),
      role: attr(nullable(string)),
      boss: element(nullable(() => User), { optional: true }),
    };
  }
  const xsi = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';

  it("is xsi:nil in XML and null in JSON, and is omitted as an attribute", async () => {
    const user = User.fromJson({ nick: null, ages: [1, null], role: null, boss: null });
    const nil = 'xsi:nil="true"';
    assertEquals(
      toXml(user, none),
      `<user ${xsi}><nick ${nil}/><age>1</age><age ${nil}/><user ${nil}/></user>`,
    );
    assertEquals(await User.fromXml(toXml(user)), user);
    assertEquals(User.fromJson(user.toJsonString()), user);
  });

  it("is rejected if the field is not nullable, with advice", async () => {
    const error = assertThrows(() => Tree.fromJson({ id: null }), ModelError);
    assertEquals(error.issues[0]?.where, "id");
    const xml = `<node ${xsi} id="1"><nick xsi:nil="1"/></node>`;
    await assertRejects(() => Tree.fromXml(xml), ModelError, "nullable");
    assertThrows(
      () => Tree.fromJson({ id: 1, nick: null }),
      ModelError,
      "use nullable() to allow null",
    );
  });

  it("must be empty in XML", async () => {
    const xml = `<user ${xsi} role=""><nick xsi:nil="true">x</nick></user>`;
    await assertRejects(() => User.fromXml(xml), ModelError, "/user/nick");
    const nested = `<user ${xsi} role=""><nick xsi:nil="true"><b/></nick></user>`;
    await assertRejects(() => User.fromXml(nested), ModelError, "/user/nick/b");
  });
});

describe("a list or record", () => {
  class Shape extends model("shape", {
    corners: attr(list(number)),
    tags: element(list(string), { optional: true }),
    names: element(record(string)),
    trees: element(record(Tree), { optional: true }),
  }) {}

  it("is an array or object in JSON, and text with spaces or elements of any name in XML", async () => {
    const shape = Shape.fromJson({
      corners: [1, 2.5],
      tags: ["a", "b"],
      names: { en: "box", "a.b": "&" },
      trees: { one: { id: 1 } },
    });
    assertEquals(
      toXml(shape, none),
      '<shape corners="1 2.5"><tags>a b</tags><names><en>box</en><a.b>&amp;</a.b></names>' +
        '<trees><one id="1"/></trees></shape>',
    );
    assertEquals(await Shape.fromXml(toXml(shape, { indent: true })), shape);
    assertEquals(Shape.fromJson(shape.toJsonString()), shape);
  });

  it("has the path of a wrong item in errors", async () => {
    const error = assertThrows(
      () => Shape.fromJson({ corners: [1, "x"], names: { "a b": 1 }, trees: { t: { id: "x" } } }),
      ModelError,
    );
    assertEquals(error.issues.map(({ where }) => where), [
      "corners[1]",
      'names["a b"]',
      "trees.t.id",
    ]);
    const xml = '<shape corners="1 x"><names><en>a</en><en>b</en></names></shape>';
    const other = await assertRejects(() => Shape.fromXml(xml), ModelError);
    assertEquals(other.issues.map(({ where }) => where), ["/shape/@corners", "/shape/names/en[2]"]);
  });

  it("is rejected if XML cannot represent its values", () => {
    const shape = Shape.of({ corners: [], tags: ["a b"], names: { "1": "x" } });
    const error = assertThrows(() => toXml(shape), ModelError);
    assertEquals(error.issues.map(({ where }) => where), ["/shape/tags", "/shape/names/1"]);
  });

  const wholes: readonly (readonly [string, unknown[], string])[] = [
    // deno-lint-ignore no-sparse-arrays -- the test needs a hole
    ["a hole", [1, , 2], "expected a whole number, but it is missing"],
    ["another type", [1, "x"], 'expected a whole number, but it is "x"'],
  ];
  for (const [fault, items, message] of wholes) {
    it(`reports an invalid item once in XML: ${fault}`, () => {
      class Row extends model("row", { all: attr(list(integer)) }) {}
      const error = assertThrows(() => toXml(Row.of({ all: items as number[] })), ModelError);
      assertEquals(error.issues.map((issue) => [issue.where, issue.message]), [
        ["/row/@all", message],
      ]);
    });
  }

  const texts: readonly (readonly [string, string, string])[] = [
    [
      "an empty string",
      "",
      "expected a non-empty value without spaces, because spaces separate the values of a list in XML",
    ],
    [
      "a space",
      "a b",
      "expected a non-empty value without spaces, because spaces separate the values of a list in XML",
    ],
    ["a control character", "\0", "expected a string without control characters"],
  ];
  for (const [fault, item, message] of texts) {
    it(`reports a string that cannot be an item once in XML: ${fault}`, () => {
      class Tags extends model("tags", { all: element(list(string)) }) {}
      const [issue, ...others] = assertThrows(() =>
        toXml(Tags.of({ all: ["a", item] })), ModelError).issues;
      assertEquals([issue?.where, issue?.message.split(", but")[0]], ["/tags/all", message]);
      assertEquals(others, []);
    });
  }
});

describe("a list in a record", () => {
  it("is one text in XML if it contains scalars", async () => {
    class Palette extends model("palette", { colors: element(record(list(integer))) }) {}
    const palette = Palette.of({ colors: { red: [255, 0, 0], none: [] } });
    const xml = "<palette><colors><red>255 0 0</red><none/></colors></palette>";
    assertEquals(toXml(palette, none), xml);
    assertEquals(await Palette.fromXml(xml), palette);
  });

  it("works only in JSON if it contains models, and the error for XML names an alternative", async () => {
    class Groups extends model("groups", { all: element(record(list(Tree))) }) {}
    const groups = Groups.fromJson({ all: { a: [{ id: 1 }] } });
    assertEquals(groups.all["a"]?.[0]?.id, 1);
    const expected = "in a record, use a model with a field of elements()";
    assertThrows(() => toXml(groups), UnexpectedValueError, expected);
    const reading = () => Groups.fromXml('<groups><all><a id="1"/></all></groups>');
    await assertRejects(reading, UnexpectedValueError, expected);
  });
});

describe("a null value of an attribute or of the text of an element", () => {
  class Note extends model("note", {
    id: attr(nullable(integer)),
    count: text(nullable(integer)),
  }) {}

  it("is left out in XML, and read from an absent or blank one", async () => {
    const note = Note.of({ id: null, count: null });
    assertEquals(toXml(note, none), "<note/>");
    for (const xml of ["<note/>", "<note></note>", "<note> \n</note>", "<note><x/></note>"]) {
      assertEquals(await Note.fromXml(xml), note);
    }
    assertEquals(Note.fromJson(note.toJsonString()), note);
    const full = Note.of({ id: 0, count: 0 });
    assertEquals(await Note.fromXml(toXml(full)), full);
  });

  it("is refused in XML if the field has a default, because it would be read as the default", async () => {
    class Counted extends model("counted", {
      id: attr(nullable(integer), { default: 7 }),
      none: attr(nullable(integer), { default: null }),
      value: text(nullable(integer), { default: 8 }),
    }) {}
    const error = assertThrows(() => toXml(Counted.of({ id: null, value: null })), ModelError);
    assertEquals(error.issues.map(({ where, message }) => [where, message]), [
      [
        "/counted/@id",
        "expected a whole number, because an absent value is read as the default, but it is null",
      ],
      [
        "/counted/text()",
        "expected a whole number, because an absent value is read as the default, but it is null",
      ],
    ]);
    const counted = Counted.of({});
    assertEquals(toXml(counted, none), '<counted id="7">8</counted>');
    assertEquals(await Counted.fromXml("<counted/>"), counted);
    assertEquals(Counted.fromJson('{"id":null,"value":null}').id, null);
  });
});

describe("any JSON value", () => {
  class Event extends model("event", {
    type: element(string),
    data: element(json),
    more: element(json, { optional: true }),
    all: element(list(json), { default: [] }),
  }) {}

  const values: readonly JsonValue[] = [
    null,
    "",
    0,
    false,
    [],
    {},
    [1, [null, { a: [] }]],
    { a: { b: [true, "c", -1.5e10] }, "": null },
  ];
  for (const data of values) {
    it(`is read and written as it is: ${JSON.stringify(data).replaceAll('"', "'")}`, () => {
      const event = Event.fromJson({ type: "x", data, more: data, all: [data] });
      assertEquals([event.data, event.more, event.all], [data, data, [data]]);
      assertEquals(event.toJSON(), { type: "x", data, more: data, all: [data] });
      assertEquals(Event.fromJson(JSON.stringify(event)), event);
    });
  }

  it("is required, unless the field is optional or has a default", () => {
    const { issues } = assertThrows(() => Event.fromJson({ type: "x" }), ModelError);
    assertEquals(issues.map(({ where, message }) => [where, message]), [
      ["data", "expected a JSON value, but it is missing"],
    ]);
    assertEquals(Event.fromJson({ type: "x", data: null }).more, undefined);
    assertThrows(() => Event.of({ type: "x", data: undefined as never }), ModelError, "data");
  });

  it("is copied in both directions", () => {
    const data = { a: [1] };
    const event = Event.fromJson({ type: "x", data });
    const written = event.toJSON();
    data.a.push(2);
    assertEquals([event.data, written.data], [{ a: [1] }, { a: [1] }]);
    (event.data as { a: number[] }).a.push(3);
    assertEquals(written.data, { a: [1] });
  });

  it("has members of any name, and leaves undefined ones out", () => {
    const text = '{"type":"x","data":{"__proto__":{"a":1},"constructor":2},"all":[]}';
    const event = Event.fromJson(text);
    assertEquals(Object.keys(event.data as object), ["__proto__", "constructor"]);
    assertEquals(JSON.stringify(event), text);
    const data = { a: undefined, b: 1 } as unknown as JsonValue;
    assertEquals(Event.of({ type: "x", data }).toJSON().data, { b: 1 });
  });

  const cycle: { self?: unknown } = {};
  cycle.self = cycle;
  const wrong: readonly (readonly [string, unknown, string])[] = [
    ["NaN", NaN, "data"],
    ["a bigint", { a: 1n }, "data.a"],
    ["a function", [() => 1], "data[0]"],
    ["undefined in an array", { a: [1, undefined] }, "data.a[1]"],
    // deno-lint-ignore no-sparse-arrays -- the test needs a hole
    ["a hole", [1, , 2], "data[1]"],
    ["a Date", { a: { b: new Date(0) } }, "data.a.b"],
    ["a Map", new Map(), "data"],
    ["an instance of a model", [Tree.of({ id: 1, children: [] })], "data[0]"],
  ];
  for (const [name, data, where] of wrong) {
    it(`is not another value, and has the path of it: ${name}`, () => {
      const event = Event.of({ type: "x", data: data as never });
      const { issues } = assertThrows(() => event.toJSON(), ModelError);
      assertEquals(issues.map((issue) => [issue.where, issue.expected]), [[where, "a JSON value"]]);
    });
  }

  it("does not contain itself, and obeys maxDepth", () => {
    const event = Event.of({ type: "x", data: cycle as never });
    assertThrows(() => event.toJSON(), ModelError, "a value that does not contain itself");
    const read = () => Event.fromJson({ type: "x", data: [[[]]] }, { maxDepth: 3 });
    const { issues } = assertThrows(read, ModelError);
    assertEquals(issues.map(({ where, code }) => [where, code]), [["data[0][0]", "depth"]]);
  });

  it("has numbers that JavaScript can hold, and writes those of JSON.rawJSON", () => {
    class Kept extends model("kept", { data: element(json) }, { unknown: "keep" }) {}
    const big = "12345678901234567890";
    assertEquals(Kept.fromJson(`{"data":[${big},{"a":${big}}]}`).data, [
      Number(big),
      { a: Number(big) },
    ]);
    assertThrows(() => Kept.fromJson('{"data":[1e400]}'), ModelError, "data[0]");
    const { rawJSON } = JSON as { rawJSON?: (text: string) => JsonValue };
    if (rawJSON === undefined) return;
    const kept = Kept.of({ data: { a: rawJSON(big) } });
    assertEquals(JSON.stringify(kept), `{"data":{"a":${big}}}`);
  });
});

describe("JSON that was read as any value", () => {
  class Free extends model("free", { name: element(string), others: rest(json) }) {}
  const Any = document(json);

  it("is written as the same text", async () => {
    await holds(fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      assertEquals(JSON.stringify(Any.toJsonValue(Any.fromJson(text))), text);
    }));
  });

  it("is written as the same text beside named members", async () => {
    await holds(fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const text = JSON.stringify(Object.assign({ name: "" }, value, { name: "a" }));
      assertEquals(JSON.stringify(Free.fromJson(text)), text);
    }));
  });
});

describe("null within a list or record", () => {
  class Row extends model("row", {
    names: elements(nullable(string), { tag: "name" }),
    ages: element(record(nullable(integer))),
    trees: elements(nullable(Tree)),
    points: element(list(nullable(number)), { optional: true }),
  }) {}
  const json = {
    names: ["a", null, ""],
    ages: { a: 1, b: null },
    trees: [{ id: 1, children: [] }, null],
  };

  it("is read and written in both formats", async () => {
    const row = Row.fromJson(json);
    assertEquals([row.names, row.ages, row.trees[1]], [json.names, json.ages, null]);
    assertEquals(JSON.parse(JSON.stringify(row)), json);
    const nil = 'xsi:nil="true"';
    class Lists extends model("row", {
      names: elements(nullable(string), { tag: "name" }),
      ages: element(record(nullable(integer))),
    }) {}
    const lists = Lists.fromJson(json);
    assertEquals(
      toXml(lists, none),
      '<row xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">' +
        `<name>a</name><name ${nil}/><name/><ages><a>1</a><b ${nil}/></ages></row>`,
    );
    assertEquals(await Lists.fromXml(toXml(lists)), lists);
  });

  it("is refused without nullable, with its path", () => {
    class Strict extends model("row", {
      names: elements(string),
      ages: element(record(integer)),
    }) {}
    const { issues } = assertThrows(() => Strict.fromJson(json), ModelError);
    assertEquals(issues.map(({ where }) => where), ["names[1]", "ages.b"]);
  });

  it("has no form in a list of values in XML: use elements", () => {
    assertThrows(() => toXml(Row.fromJson(json)), UnexpectedValueError, "use elements()");
  });
});
