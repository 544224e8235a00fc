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
  Model,
  model,
  record,
  string,
  text,
  toXml,
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
    assertEquals(slide.toJsonString({ indent: true }), JSON.stringify(JSON.parse(json), null, 2));
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
    assertEquals(Slide.fromJson(slide.toJsonString()), slide);
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
    assertThrows(() => tree.toJsonString(), ModelError, "a value that does not contain itself");
    assertThrows(() => toXml(tree), ModelError, "a value that does not contain itself");
    const other = Tree.of({ id: 1, children: [Slide.of({ title: "x" }) as unknown as Tree] });
    assertThrows(
      () => other.toJsonString(),
      ModelError,
      "children[0]: expected an instance of Tree",
    );
    assertThrows(() => toXml(other), ModelError, "/node/node[1]: expected an instance of Tree");
  });
});
