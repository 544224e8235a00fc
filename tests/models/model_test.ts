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
  date,
  element,
  elements,
  type Fields,
  integer,
  list,
  literal,
  Model,
  model,
  type ModelOptions,
  nullable,
  number,
  oneOf,
  record,
  string,
  text,
  toXml,
  union,
} from "../../src/models/mod.ts";

class Slide extends model("slide", {
  title: element(string),
  items: elements(string, { tag: "item" }),
  kind: attr(string, { tag: "type", default: "all" }),
}) {
  empty(): boolean {
    return this.items.length === 0;
  }
}

class Tree extends Model {
  declare readonly id: number;
  declare readonly children: Tree[];
  declare readonly nick?: string | undefined;
  static override readonly tag: string = "node";
  static override readonly fields: Fields<Tree, "size"> = {
    id: attr(integer),
    children: elements(() => Tree),
    nick: element(string, { optional: true }),
  };

  get size(): number {
    return this.children.reduce((sum, child) => sum + child.size, 1);
  }
}

const none = { declaration: false } as const;

describe("Typed responses, rule 1: a typed model class, whose instance the JSON body is unmarshalled into", () => {
  it("returns an instance with the methods of its class", () => {
    const slide = Slide.fromJson('{"title":"One","items":["a","b"],"kind":"tech"}');
    assertInstanceOf(slide, Slide);
    assertEquals([slide.title, slide.items, slide.kind], ["One", ["a", "b"], "tech"]);
    assertEquals(slide.empty(), false);
  });

  it("accepts a string, bytes and a parsed value", () => {
    const json = '\ufeff{"title":"Ä"}';
    const expected = Slide.of({ title: "Ä" });
    assertEquals(Slide.fromJson(json), expected);
    assertEquals(Slide.fromJson(new TextEncoder().encode(json)), expected);
    assertEquals(Slide.fromJson({ title: "Ä" }), expected);
  });

  it("returns instances for nested models, including the class itself", () => {
    const tree = Tree.fromJson({
      id: 1,
      children: [{ id: 2, nick: "two" }, { id: 3, children: [] }],
    });
    assertInstanceOf(tree.children[0], Tree);
    assertEquals([tree.size, tree.children[0]?.nick, tree.nick], [3, "two", undefined]);
  });
});

describe("Typed responses, rule 3: models declare a tag name, attributes and child elements, and child elements can repeat as lists with defaults", () => {
  it("reads attributes, children and repeated children", async () => {
    const xml = '<slide type="tech"><item>a</item><title>One</title><item>b</item></slide>';
    const slide = await Slide.fromXml(xml);
    assertInstanceOf(slide, Slide);
    assertEquals(slide, Slide.of({ title: "One", items: ["a", "b"], kind: "tech" }));
  });

  it("uses defaults for missing values, and an empty array for missing children", async () => {
    const slide = await Slide.fromXml("<slide><title/></slide>");
    assertEquals([slide.title, slide.items, slide.kind], ["", [], "all"]);
    assertEquals((await Slide.fromXml("<slide><title/><item/></slide>")).items, [""]);
  });

  it("uses the default of a list if it has no elements, in both formats and in of()", async () => {
    class Query extends model("query", {
      words: elements(string, { tag: "word", default: ["all"] }),
      pages: elements(integer, { within: "pages", tag: "page", default: () => [1, 2] }),
      trees: elements(() => Tree, { default: () => [Tree.of({ id: 7, children: [] })] }),
    }) {}
    const queries = [await Query.fromXml("<query><pages/></query>"), Query.fromJson({})];
    queries.push(Query.of({}), Query.of({ words: undefined } as never));
    for (const { words, pages, trees } of queries) {
      assertEquals([words, pages, trees[0]?.id], [["all"], [1, 2], 7]);
    }
    assertEquals(new Set(queries.map(({ words }) => words)).size, queries.length);
    assertEquals(new Set(queries.map(({ pages }) => pages)).size, queries.length);

    const xml = '<query><word>a</word><pages><page>3</page></pages><node id="8"/></query>';
    const query = await Query.fromXml(xml);
    assertEquals([query.words, query.pages, query.trees[0]?.id], [["a"], [3], 8]);
    assertEquals(toXml(query, none), xml);
    // Only JSON can distinguish an empty array from a missing one.
    assertEquals(Query.fromJson({ words: [] }).words, []);
  });

  it("reads text with entities, CDATA sections and comments", async () => {
    const xml = "<slide><title>a&lt;<!-- c --><![CDATA[<b>&]]>&#233;</title></slide>";
    assertEquals((await Slide.fromXml(xml)).title, "a<<b>&é");
  });

  it("reads a model that refers to itself", async () => {
    const tree = await Tree.fromXml('<node id="1"><node id="2"><node id="3"/></node></node>');
    assertEquals([tree.size, tree.children[0]?.children[0]?.id], [3, 3]);
  });

  it("reads the text of an element that also has attributes and children", async () => {
    class Link extends model("a", {
      href: attr(string),
      label: text(string),
      bold: elements(string, { tag: "b" }),
    }) {}
    const link = await Link.fromXml('<a href="/">one <b>two</b> three</a>');
    assertEquals(link, Link.of({ href: "/", label: "one  three", bold: ["two"] }));
    assertEquals(await Link.fromXml(toXml(link, { indent: true })), link);
  });

  it("omits optional text if it is empty, or only white space between child elements", async () => {
    const said = text(string, { optional: true });
    class Note extends model("note", { said, by: element(string, { optional: true }) }) {}
    assertEquals((await Note.fromXml("<note/>")).said, undefined);
    assertEquals((await Note.fromXml("<note>\n  <by>x</by>\n</note>")).said, undefined);
    assertEquals((await Note.fromXml("<note>\n</note>")).said, "\n");
  });

  // contract: model-3
  it("uses the default of text only if the text cannot be a value", async () => {
    class Note extends model("note", { said: text(string, { default: "nothing" }) }) {}
    class Count extends model("count", { value: text(integer, { default: 7 }) }) {}
    for (const said of ["", " ", "\n  ", " hello"]) {
      assertEquals((await Note.fromXml(`<note>${said}</note>`)).said, said);
      assertEquals((await Note.fromXml(toXml(Note.of({ said })))).said, said);
    }
    for (const xml of ["<count/>", "<count>\n </count>"]) {
      assertEquals((await Count.fromXml(xml)).value, 7);
    }
  });
});

describe("an instance of a model", () => {
  it("is created from values, with defaults for the others", () => {
    assertEquals({ ...new Slide({ title: "x" }) }, { title: "x", items: [], kind: "all" });
    assertEquals({ ...Slide.of({ title: "x", kind: "y" }) }, { title: "x", items: [], kind: "y" });
    assertEquals(Tree.of({ id: 1, children: [] }).nick, undefined);
    assertInstanceOf(new Tree({ id: 1, children: [] }), Tree);
  });

  it("gets a new default from a function", () => {
    class Bag extends model("bag", { tags: attr(list(string), { default: () => ["a"] }) }) {}
    const one = Bag.fromJson({});
    const other = Bag.fromJson({});
    assertEquals(one.tags, ["a"]);
    assert(one.tags !== other.tags);
  });

  it("gets copies of arrays and objects from a default that is a value", () => {
    const moment = new Date(0);
    class Bag extends model("bag", {
      tags: element(list(string), { default: [] }),
      names: element(record(list(string)), { default: { en: ["a"] } }),
      items: elements(record(integer), { default: [{ a: 1 }] }),
      rows: element(list(list(integer)), { default: [[1], [2]] }),
      opened: attr(date, { default: moment }),
    }) {}
    const expected = { tags: [], names: { en: ["a"] }, items: [{ a: 1 }], rows: [[1], [2]] };
    const first = Bag.fromJson({});
    first.tags.push("x");
    first.names["en"]!.push("x");
    first.names["de"] = ["x"];
    first.items[0]!["a"] = 2;
    first.items.push({});
    first.rows[0]!.push(3);
    for (const bag of [Bag.fromJson({}), Bag.of({})]) {
      assertEquals({ ...bag }, { ...expected, opened: moment });
    }
  });

  it("gets copies of arrays from a default in XML, too", async () => {
    class Bag extends model("bag", { tags: element(list(string), { default: [] }) }) {}
    (await Bag.fromXml("<bag/>")).tags.push("x");
    assertEquals((await Bag.fromXml("<bag/>")).tags, []);
  });

  it("gets a copy of an object without a prototype from a default", () => {
    const names: Record<string, string> = Object.create(null);
    class Bag extends model("bag", { names: element(record(string), { default: names }) }) {}
    Bag.of({}).names["en"] = "x";
    assertEquals(Bag.of({}).names, {});
  });

  it("is not created if a value is missing or has no field", () => {
    const error = assertThrows(() => Slide.of({ titel: "x" } as never), ModelError);
    assertEquals(error.issues.map(({ where }) => where), ["title", "titel"]);
    assertThrows(() => new Tree({}), ModelError, "Tree cannot be created");
  });

  it("keeps its values if a field of the class lacks declare", () => {
    class Careless extends Model {
      readonly id: number | undefined = undefined;
      static override readonly tag: string = "careless";
      // @ts-expect-error A property that may be undefined needs an optional field.
      static override readonly fields: Fields<Careless> = { id: attr(integer) };
    }
    assertEquals(Careless.fromJson({ id: 7 }).id, 7);
    assertEquals(Careless.of({ id: 7 }).id, 7);
  });

  it("can have private fields", () => {
    class Counter extends model("counter", { from: attr(integer) }) {
      #count = 0;
      next(): number {
        return this.from + this.#count++;
      }
    }
    const counter = Counter.fromJson({ from: 5 });
    assertEquals([counter.next(), counter.next()], [5, 6]);
  });

  it("has the derived class if it is created by one", () => {
    class Derived extends Slide {
      shout(): string {
        return this.title.toUpperCase();
      }
    }
    assertEquals(Derived.fromJson({ title: "x" }).shout(), "X");
  });

  it("is serialized by JSON.stringify, also inside other values", () => {
    const slide = Slide.of({ title: "x" });
    const json = '{"title":"x","items":[],"kind":"all"}';
    assertEquals(JSON.stringify({ a: [slide] }), `{"a":[${json}]}`);
    assertEquals(slide.toJson({ indent: true }), JSON.stringify(JSON.parse(json), null, 2));
  });
});

describe("the names of fields", () => {
  class Person extends model("person", {
    firstName: element(string, { tag: "first-name", json: "first_name" }),
    born: attr(date, { tag: "birth-date", json: "birth_date", optional: true }),
  }) {}

  it("can differ between JSON, XML and the property", async () => {
    const person = Person.fromJson({ first_name: "Ada", birth_date: "1815-12-10" });
    assertEquals(
      toXml(person, none),
      '<person birth-date="1815-12-10T00:00:00.000Z"><first-name>Ada</first-name></person>',
    );
    assertEquals(await Person.fromXml(toXml(person)), person);
    assertEquals(Object.keys(person.toJSON()), ["first_name", "birth_date"]);
  });

  it("are left out if the field is optional and missing", () => {
    const person = Person.of({ firstName: "Ada" });
    assertEquals(person.toJson(), '{"first_name":"Ada"}');
    assertEquals(toXml(person, none), "<person><first-name>Ada</first-name></person>");
  });

  it("are those of the model for an element, unless the field has a tag", async () => {
    class Pair
      extends model("pair", { left: element(Person, { tag: "left" }), right: element(Person) }) {}
    const person = Person.of({ firstName: "Ada" });
    const pair = Pair.of({ left: person, right: person });
    const inner = "<first-name>Ada</first-name>";
    assertEquals(toXml(pair, none), `<pair><left>${inner}</left><person>${inner}</person></pair>`);
    assertEquals(await Pair.fromXml(toXml(pair)), pair);
  });

  const odd = ["__proto__", "constructor", "toString", "hasOwnProperty", "a.b", "", "then"];
  for (const name of odd) {
    it(`can be unusual in JSON: ${name === "" ? "an empty name" : name}`, () => {
      class Odd extends model("odd", {
        value: attr(string, { json: name, default: "none" }),
        values: element(record(string), { json: "values", default: () => ({}) }),
      }) {}
      const json = `{${JSON.stringify(name)}:"x","values":{${JSON.stringify(name)}:"y"}}`;
      const value = Odd.fromJson(json);
      assertEquals(value.value, "x");
      assertEquals(Object.getOwnPropertyDescriptor(value.values, name)?.value, "y");
      assertEquals(Object.getPrototypeOf(value.values), Object.prototype);
      assertEquals(value.toJson(), json);
      assertEquals(Odd.fromJson({}).value, "none");
    });
  }

  for (const name of ["__proto__", "constructor", "toString"]) {
    it(`can be unusual in XML: ${name}`, async () => {
      class Odd extends model("odd", {
        value: element(string, { tag: name, default: "none" }),
        values: element(record(string), { default: () => ({}) }),
      }, { unknown: "refuse" }) {}
      const xml = `<odd><${name}>x</${name}><values><${name}>y</${name}></values></odd>`;
      const value = await Odd.fromXml(xml);
      assertEquals(value.value, "x");
      assertEquals(Object.getOwnPropertyDescriptor(value.values, name)?.value, "y");
      assertEquals(toXml(value, none), xml);
      assertEquals((await Odd.fromXml("<odd/>")).value, "none");
    });
  }

  it("do not change any prototype if a document has __proto__", () => {
    Slide.fromJson(
      '{"title":"x","__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
    );
    assertEquals(Reflect.get({}, "polluted"), undefined);
    class Keeping extends model("keeping", {}, { unknown: "keep" }) {}
    const json = '{"__proto__":{"polluted":true}}';
    assertEquals(Keeping.fromJson(json).toJson(), json);
    assertEquals(Reflect.get({}, "polluted"), undefined);
  });
});

describe("fields with a path of elements (within)", () => {
  class Page extends model("page", {
    total: element(integer, { within: "meta" }),
    next: attr(string, { within: "meta/link", tag: "href", optional: true }),
    items: elements(string, { tag: "item", within: "body/items" }),
  }) {}
  const xml =
    '<page><meta><total>2</total><link href="/2"/></meta><body><items><item>a</item><item>b</item></items></body></page>';

  it("are read, and are written with shared outer elements", async () => {
    const page = await Page.fromXml(xml);
    assertEquals(page, Page.of({ total: 2, next: "/2", items: ["a", "b"] }));
    assertEquals(toXml(page, none), xml);
    assertEquals(page.toJson(), '{"total":2,"next":"/2","items":["a","b"]}');
  });

  it("are omitted with their outer elements if they are missing", () => {
    assertEquals(
      toXml(Page.of({ total: 0 }), none),
      "<page><meta><total>0</total></meta></page>",
    );
  });

  it("have their full path in errors", async () => {
    const error = await assertRejects(
      () => Page.fromXml("<page><body><items><item/><item><b/></item></items></body></page>"),
      ModelError,
    );
    assertEquals(error.issues.map(({ where }) => where), [
      "/page/body/items/item[2]/b",
      "/page/meta/total",
    ]);
  });
});

describe("the namespaces of a model", () => {
  class Author extends model("author", { name: element(string) }) {}
  class Entry extends model("entry", {
    lang: attr(string, { namespace: "http://www.w3.org/XML/1998/namespace", optional: true }),
    id: attr(string, { namespace: "urn:ids", optional: true }),
    title: element(string),
    creator: element(string, { namespace: "urn:dc", optional: true }),
    authors: elements(Author),
  }, { namespace: "urn:entry", prefixes: { dc: "urn:dc" } }) {}
  const entry = Entry.of({
    lang: "en",
    id: "7",
    title: "One",
    creator: "Ada",
    authors: [Author.of({ name: "Ada" })],
  });

  it("are matched by their URI, whatever the prefixes are", async () => {
    const xml =
      `<e:entry xmlns:e="urn:entry" xmlns:x="urn:dc" xmlns:i="urn:ids" xml:lang="en" i:id="7">
      <e:title>One</e:title><x:creator>Ada</x:creator>
      <author xmlns="urn:entry"><name>Ada</name></author></e:entry>`;
    assertEquals(await Entry.fromXml(xml), entry);
  });

  it("are declared once at the root, and attributes have a prefix", async () => {
    const xml = toXml(entry, none);
    assertEquals(
      xml,
      '<entry xmlns="urn:entry" xmlns:dc="urn:dc" xmlns:ns1="urn:ids" xml:lang="en" ns1:id="7">' +
        "<title>One</title><dc:creator>Ada</dc:creator><author><name>Ada</name></author></entry>",
    );
    assertEquals(await Entry.fromXml(xml), entry);
  });

  it("must match, and the error for the root shows both", async () => {
    const error = await assertRejects(() => Entry.fromXml("<entry><title/></entry>"), ModelError);
    assertEquals(error.issues.length, 1);
    assert(error.message.includes("in the namespace urn:entry, but it is <entry> in no namespace"));
    const other = "<entry xmlns='urn:entry'><title xmlns='urn:other'>x</title></entry>";
    await assertRejects(() => Entry.fromXml(other), ModelError, "/entry/title");
  });

  it("are not the default namespace if some elements have none", async () => {
    class Fault extends model("Fault", {
      code: element(string, { tag: "faultcode", namespace: "" }),
    }, { namespace: "urn:soap", prefixes: { soap: "urn:soap" } }) {}
    class Bare extends model("Bare", { code: element(string, { namespace: "" }) }, {
      namespace: "urn:soap",
    }) {}
    const fault = Fault.of({ code: "x" });
    assertEquals(
      toXml(fault, none),
      '<soap:Fault xmlns:soap="urn:soap"><faultcode>x</faultcode></soap:Fault>',
    );
    assertEquals(await Fault.fromXml(toXml(fault)), fault);
    const bare = Bare.of({ code: "x" });
    assertEquals(toXml(bare, none), '<ns1:Bare xmlns:ns1="urn:soap"><code>x</code></ns1:Bare>');
    assertEquals(await Bare.fromXml(toXml(bare)), bare);
  });
});

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
    assertEquals(User.fromJson(user.toJson()), user);
  });

  it("is rejected if the field is not nullable, with advice", async () => {
    const error = assertThrows(() => Slide.fromJson({ title: null }), ModelError);
    assertEquals(error.issues[0]?.where, "title");
    const xml = `<slide ${xsi}><title xsi:nil="1"/></slide>`;
    await assertRejects(() => Slide.fromXml(xml), ModelError, "nullable");
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
    assertEquals(Shape.fromJson(shape.toJson()), shape);
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

describe("a union of models", () => {
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
    assertEquals(Drawing.fromJson(drawing.toJson()), drawing);
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
    assertEquals(Named.fromJson(named.toJson()), named);

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

  it("requires the property in each model", () => {
    // @ts-expect-error Tree has no property "kind".
    const error = assertThrows(() => union("kind", Circle, Tree), UnexpectedValueError);
    assertEquals(error.option, "Tree.fields.kind");
  });
});

describe("content that a model does not have", () => {
  const of = (unknown: "ignore" | "refuse" | "keep") =>
    class Known extends model("known", { a: element(string, { optional: true }) }, { unknown }) {};

  it("is ignored with unknown: ignore", async () => {
    assertEquals({ ...of("ignore").fromJson({ a: "x", b: 1 }) }, { a: "x" });
    const xml = '<known z="1">text<b><a>no</a></b><a>x</a></known>';
    assertEquals({ ...(await of("ignore").fromXml(xml)) }, { a: "x" });
  });

  it("is rejected with unknown: refuse, with an issue for each part", async () => {
    const json = assertThrows(() => of("refuse").fromJson({ b: 1, c: 2 }), ModelError);
    assertEquals(json.issues.map(({ where }) => where), ["b", "c"]);
    const xml = '<known z="1" xmlns:p="u" p:y="2">text<b><c/></b></known>';
    const error = await assertRejects(() => of("refuse").fromXml(xml), ModelError);
    assertEquals(error.issues.map(({ where }) => where), [
      "/known/@z",
      "/known/@p:y",
      "/known",
      "/known/b",
    ]);
    await of("refuse").fromXml("<known>\n <!-- c --> </known>");
    const lost = await assertRejects(
      () => of("refuse").fromXml("<known><a b='1'/></known>"),
      ModelError,
    );
    assertEquals(lost.issues.map(({ where }) => where), ["/known/a/@b"]);
  });

  it("is kept and written back with unknown: keep", async () => {
    const json = '{"a":"x","b":{"c":[1,null]}}';
    assertEquals(of("keep").fromJson(json).toJson(), json);
    const xml =
      '<known xmlns:p="urn:p" z="1" p:y="2"><a>x</a><b q="&lt;">t<p:c/>u</b><p:d xmlns="urn:d"><e/></p:d></known>';
    const once = await of("keep").fromXml(xml);
    const twice = await of("keep").fromXml(toXml(once));
    assertEquals(toXml(twice), toXml(once));
    assert(toXml(once).includes('<b q="&lt;">t<c xmlns="urn:p"/>u</b>'), toXml(once));
    assert(toXml(once).includes('<d xmlns="urn:p"><e xmlns="urn:d"/></d>'), toXml(once));
    assert(toXml(once).includes('xmlns:ns1="urn:p" ns1:y="2"'), toXml(once));
  });
});

describe("the order of children", () => {
  const of = (order: "any" | "strict") =>
    class Ordered extends model("ordered", {
      a: element(string, { optional: true }),
      b: elements(string),
      c: element(string, { optional: true, within: "w" }),
    }, { order }) {};
  const xml = "<ordered><b/><a/><b/><w><c/></w></ordered>";

  it("is not checked with order: any", async () => {
    assertEquals((await of("any").fromXml(xml)).b.length, 2);
  });

  it("is checked with order: strict", async () => {
    const error = await assertRejects(() => of("strict").fromXml(xml), ModelError);
    assertEquals(error.issues.map(({ where }) => where), ["/ordered/a"]);
    await of("strict").fromXml("<ordered><a/><b/><b/><w><c/></w></ordered>");
  });
});

describe("a declaration for XML", () => {
  class Untagged extends Model {
    declare readonly a: string;
    static override readonly fields: Fields<Untagged> = { a: attr(string, { within: "a//b" }) };
  }

  it("is not checked by a program that uses only JSON", () => {
    const { a } = Untagged.fromJson({ a: "x" });
    assertEquals([a, Untagged.of({ a: "y" }).toJson()], ["x", '{"a":"y"}']);
  });

  it("is checked when XML is first read or written", async () => {
    assertThrows(() => toXml(Untagged.of({ a: "x" })), UnexpectedValueError, "Untagged.tag");
    await assertRejects(() => Untagged.fromXml("<a/>"), UnexpectedValueError, "Untagged.tag");
  });

  it("is checked for a stream when it is first read", async () => {
    const stream = Untagged.streamXml("<a/>");
    await assertRejects(() => stream.next(), UnexpectedValueError, "Untagged.tag");
  });
});

describe("an invalid declaration", () => {
  const options = (options: ModelOptions) => model("a", { b: attr(string) }, options);
  const cases: readonly (readonly [string, () => { fromXml(xml: string): unknown }, string])[] = [
    ["a tag that XML does not allow", () => model("a b", {}), "tag"],
    ["no tag", () => class Untagged extends Model {}, "Untagged.tag"],
    ["an unknown policy", () => options({ unknown: "drop" as never }), "unknown"],
    ["an unknown order", () => options({ order: "loose" as never }), "order"],
    [
      "a tag of a field that XML does not allow",
      () => model("a", { b: attr(string, { tag: "1" }) }),
      "fields.b.tag",
    ],
    [
      "an invalid path",
      () => model("a", { b: element(string, { within: "a//b" }) }),
      "fields.b.within",
    ],
    [
      "a property that all models have",
      () => model("a", { toJson: attr(string) } as never),
      "fields.toJson",
    ],
    [
      "two fields of one name in JSON",
      () => model("a", { b: attr(string), c: attr(string, { json: "b" }) }),
      "fields.c.json",
    ],
    [
      "two elements of one name",
      () => model("a", { b: element(string), c: element(string, { tag: "b" }) }),
      "fields.c",
    ],
    [
      "two attributes of one name",
      () => model("a", { b: attr(string), c: attr(string, { tag: "b" }) }),
      "fields.c",
    ],
    ["two texts", () => model("a", { b: text(string), c: text(string) }), "fields.c"],
    ["an attribute that is a model", () => model("a", { b: attr(Slide) }), "fields.b"],
    ["a list of models in one element", () => model("a", { b: element(list(Slide)) }), "fields.b"],
    [
      "a list of models in a record",
      () => model("a", { b: element(record(list(Slide))) }),
      "fields.b",
    ],
    [
      "a list of lists in a record of records, be it null",
      () => model("a", { b: elements(record(nullable(record(nullable(list(list(string))))))) }),
      "fields.b",
    ],
    ["a value that is not a field", () => model("a", { b: string } as never), "fields.b"],
  ];
  for (const [name, declare, option] of cases) {
    it(`throws an error with the option: ${name}`, async () => {
      const Declared = declare();
      const error = await assertRejects(
        async () => void (await Declared.fromXml("<a/>")),
        UnexpectedValueError,
      );
      assert(error.option.endsWith(option), error.option);
    });
  }

  for (const prefixes of [{ xml: "u" }, { "a:b": "u" }, { a: "" }]) {
    it(`throws for the prefix ${Object.keys(prefixes)[0]} for ${Object.values(prefixes)[0] || "nothing"}`, () => {
      const Declared = options({ namespace: "u", prefixes });
      assertThrows(() => toXml(new Declared({ b: "x" })), UnexpectedValueError, "prefixes");
    });
  }
});

describe("writing a model", () => {
  it("indents elements but does not change text", () => {
    const slide = Slide.of({ title: " a\n", items: ["<&>", ""] });
    assertEquals(
      toXml(slide, { indent: true }),
      '<?xml version="1.0" encoding="UTF-8"?>\n<slide type="all">\n  <title> a\n</title>\n' +
        "  <item>&lt;&amp;&gt;</item>\n  <item></item>\n</slide>\n".replace(
          "<item></item>",
          "<item/>",
        ),
    );
    assertEquals(
      toXml(slide, { indent: "\t", declaration: false }).split("\n")[1],
      "\t<title> a",
    );
    assertThrows(() => toXml(slide, { indent: "--" }), UnexpectedValueError, "indent");
  });

  it("keeps every character that XML allows", async () => {
    const odd = " <>&\"'\r\n\t]]>é\u{1f600}\u0085\u2028 ";
    const slide = Slide.of({ title: odd, items: [odd], kind: odd });
    assertEquals(await Slide.fromXml(toXml(slide)), slide);
    assertEquals(await Slide.fromXml(toXml(slide, { indent: true })), slide);
    assertEquals(Slide.fromJson(slide.toJson()), slide);
  });

  it("as XML throws for values that are not an instance of a model", () => {
    for (const other of [{}, null, Slide, "<a/>"]) {
      const write = () => toXml(other as unknown as Slide);
      assertThrows(write, UnexpectedValueError, "an instance of a model");
    }
  });

  it("throws for a cycle and for an instance of another model", () => {
    const children: Tree[] = [];
    const tree = Tree.of({ id: 1, children });
    children.push(tree);
    assertThrows(() => tree.toJson(), ModelError, "a value that does not contain itself");
    assertThrows(() => toXml(tree), ModelError, "a value that does not contain itself");
    const other = Tree.of({ id: 1, children: [Slide.of({ title: "x" }) as unknown as Tree] });
    assertThrows(() => other.toJson(), ModelError, "children[0]: expected an instance of Tree");
    assertThrows(() => toXml(other), ModelError, "/node/node[1]: expected an instance of Tree");
  });
});
