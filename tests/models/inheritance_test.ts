import { assert, assertEquals, assertInstanceOf, assertThrows, describe, it } from "#test";
import { ModelError } from "../../src/errors/model_error.ts";
import { UnexpectedValueError } from "../../src/errors/unexpected_value_error.ts";
import {
  attr,
  element,
  elements,
  type Fields,
  integer,
  Model,
  model,
  string,
  toXml,
} from "../../src/models/mod.ts";

const none = { declaration: false } as const;

class Person extends model("person", { id: attr(integer), firstName: element(string) }, {
  namespace: "urn:person",
  rename: "PascalCase",
  unknown: "refuse",
  order: "strict",
  maxDepth: 3,
  prefixes: { p: "urn:person" },
  check: ({ id }) => id < 0 ? "id must not be negative" : undefined,
}) {
  static readonly team: string = "all";
  readonly seen: Map<string, number> = new Map();
  #calls = 0;

  static named(firstName: string): Person {
    return this.of({ id: 0, firstName });
  }

  get label(): string {
    return `${this.firstName} (${this.id})`;
  }

  count(): number {
    return ++this.#calls;
  }
}

class Author extends model("author", {
  books: elements(string, { name: "Book" }),
  year: attr(integer, { optional: true }),
}, {
  extends: Person,
  check: ({ books, id }) => books.length > id + 5 ? "too many books" : undefined,
}) {
  override get label(): string {
    return `${super.label}, ${this.books.length} books`;
  }
}

describe("a model that extends another", () => {
  const author = Author.of({ id: 1, firstName: "Ada", books: ["A"] });

  it("has its fields first, and reads and writes all of them", async () => {
    assertEquals(Object.keys(Author.fields), ["id", "firstName", "books", "year"]);
    const xml =
      '<p:author xmlns:p="urn:person" Id="1"><p:FirstName>Ada</p:FirstName><p:Book>A</p:Book></p:author>';
    assertEquals(toXml(author, none), xml);
    assertEquals(await Author.fromXml(xml), author);
    assertEquals(author.toJsonString(), '{"Id":1,"FirstName":"Ada","Book":["A"]}');
    assertEquals(Author.fromJson(author.toJsonString()), author);
    assertEquals(
      new Author({ id: 1, firstName: "Ada", books: ["A"] }).toJsonString(),
      author.toJsonString(),
    );
  });

  it("has its methods, getters, private fields and statics", () => {
    assertInstanceOf(author, Person);
    assertInstanceOf(author, Model);
    assertEquals([author.label, author.count(), author.count()], ["Ada (1), 1 books", 1, 2]);
    assertEquals([Author.team, Author.name, Author.tag, Person.tag], [
      "all",
      "Author",
      "author",
      "person",
    ]);
    const named = Author.named("Eve");
    assertInstanceOf(named, Author);
    assertEquals(named.label, "Eve (0), 0 books");
  });

  it("has its options, unless it has others", () => {
    const { namespace, rename, unknown, order, maxDepth, prefixes } = Author;
    assertEquals(
      { namespace, rename, unknown, order, maxDepth, prefixes },
      {
        namespace: "urn:person",
        rename: "PascalCase",
        unknown: "refuse",
        order: "strict",
        maxDepth: 3,
        prefixes: { p: "urn:person" },
      },
    );
    const Loose = model("loose", {}, {
      extends: Person,
      unknown: "keep",
      namespace: "",
      rename: undefined,
    });
    assertEquals([Loose.unknown, Loose.namespace, Loose.rename], ["keep", "", "PascalCase"]);
    assertEquals([Person.unknown, Person.tag], ["refuse", "person"]);
    assertThrows(
      () => Author.fromJson({ Id: 1, FirstName: "", X: 1 }),
      ModelError,
      "a field of Author",
    );
  });

  it("has the checks of both, first that of the other", () => {
    const books = ["1", "2", "3", "4", "5", "6"];
    const messages: readonly (readonly [object, string | undefined])[] = [
      [{ Id: -1, FirstName: "", Book: books }, "id must not be negative"],
      [{ Id: 0, FirstName: "", Book: books }, "too many books"],
      [{ Id: 1, FirstName: "", Book: books }, undefined],
    ];
    for (const [json, message] of messages) {
      if (message === undefined) Author.fromJson(json);
      else assertThrows(() => Author.fromJson(json), ModelError, message);
    }
  });

  it("can replace a field, which stays in its place", () => {
    class Anonymous
      extends model("anonymous", { firstName: element(string, { default: "anon" }) }, {
        extends: Person,
      }) {}
    assertEquals(Object.keys(Anonymous.fields), ["id", "firstName"]);
    const anonymous = Anonymous.of({ id: 1 });
    assertEquals(anonymous.label, "anon (1)");
    assertEquals(anonymous.toJsonString(), '{"Id":1,"FirstName":"anon"}');
  });

  it("can extend the long form, and one that extends another", async () => {
    class Thing extends Model {
      declare readonly id: number;
      declare readonly note?: string;
      static override readonly tag: string = "thing";
      static override readonly fields: Fields<Thing> = {
        id: attr(integer),
        note: element(string, { optional: true }),
      };
      twice(): number {
        return this.id * 2;
      }
    }
    class Book extends model("book", { title: element(string) }, { extends: Thing }) {}
    class Novel
      extends model("novel", { genre: attr(string, { default: "any" }) }, { extends: Book }) {}
    const novel = Novel.of({ id: 4, title: "T" });
    assertEquals([novel.twice(), novel.genre, novel instanceof Book, novel instanceof Thing], [
      8,
      "any",
      true,
      true,
    ]);
    assertEquals(toXml(novel, none), '<novel id="4" genre="any"><title>T</title></novel>');
    assertEquals(await Novel.fromXml(toXml(novel)), novel);
    assertEquals(Thing.fromJson({ id: 1 }).twice(), 2);
  });

  it("is written as the other where a field has that model", () => {
    class Team extends model("team", { lead: element(Person) }, { namespace: "urn:person" }) {}
    const team = Team.of({ lead: author });
    assertEquals(team.toJsonString(), '{"lead":{"Id":1,"FirstName":"Ada"}}');
    assert(
      toXml(team, none).includes('<p:person Id="1"><p:FirstName>Ada</p:FirstName></p:person>'),
    );
  });

  for (const base of [class Plain {}, {}, null, "person", () => Person]) {
    it(`must extend a model class: ${typeof base === "function" ? base.name || "a function" : String(base)}`, () => {
      const error = assertThrows(
        () => model("x", {}, { extends: base as unknown as typeof Person }),
        UnexpectedValueError,
        '"extends" must be a model class',
      );
      assertEquals(error.option, "extends");
    });
  }
});

describe("class fields that are not fields of the model", () => {
  it("do not disturb copies, and are new in each copy", () => {
    const person = Person.of({ id: 1, firstName: "Ada" });
    person.seen.set("x", 1);
    person.count();
    for (const copy of [Person.of({ ...person, id: 2 }), new Person({ ...person, id: 2 })]) {
      assertEquals([copy.id, copy.firstName, copy.seen.size, copy.count()], [2, "Ada", 0, 1]);
      assert(copy.seen !== person.seen);
    }
    assertEquals([person.id, person.seen.size], [1, 1]);
    assertEquals(person.toJsonString(), '{"Id":1,"FirstName":"Ada"}');
  });

  it("are not among the values that of() accepts by another name", () => {
    const error = assertThrows(
      () => Person.of({ id: 1, firstName: "Ada", saw: new Map() } as never),
      ModelError,
      "saw: expected a field of Person, but it is not one",
    );
    assertEquals(error.issues.map(({ code, where }) => [code, where]), [["unknown", "saw"]]);
  });

  it("may be functions, accessors and symbols", () => {
    const tag = Symbol("tag");
    class Odd extends model("odd", { id: attr(integer) }) {
      readonly [tag]: string = "x";
      readonly half = (): number => this.id / 2;
      accessed = 0;
      get double(): number {
        this.accessed++;
        return this.id * 2;
      }
    }
    const odd = Odd.fromJson({ id: 4 });
    const copy = Odd.of({ ...odd, id: 6 });
    assertEquals([copy.half(), copy.double, copy.accessed, copy[tag]], [3, 12, 1, "x"]);
    assertEquals(copy.toJsonString(), '{"id":6}');
  });
});
