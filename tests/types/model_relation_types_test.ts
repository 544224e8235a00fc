import { assertEquals, describe, it } from "#test";
import {
  anyOf,
  attr,
  type Document,
  document,
  element,
  elements,
  type Fields,
  innerXml,
  integer,
  json,
  type JsonValue,
  list,
  literal,
  Model,
  model,
  nullable,
  number,
  oneOf,
  record,
  string,
  toXml,
  union,
  unknownContentOf,
} from "../../src/models/mod.ts";
import type { ModelOutput } from "../../src/content/decode.ts";

/** `true` if two types are identical. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true
  : false;
function same<A, B>(_: Same<A, B>): void {}

class Maker extends model("maker", { name: attr(string) }) {}
class Circle extends model("circle", { kind: attr(literal("circle")), radius: attr(number) }) {}
class Square extends model("square", { kind: attr(literal("square")), side: attr(number) }) {}
class Tree extends Model {
  declare readonly id: number;
  declare readonly children: Tree[];
  static override readonly tag: string = "node";
  static override readonly fields: Fields<Tree> = {
    id: attr(integer),
    children: elements(() => Tree),
  };
}
class Rect
  extends model("rect", { width: attr(number), note: element(string, { optional: true }) }) {}
class Disc extends model("disc", { radius: attr(number) }) {}

describe("the types of unions and documents", () => {
  it("are known for a union by tag, which narrows by instanceof", () => {
    class Drawing extends model("drawing", {
      shapes: elements(union([Rect, () => Disc])),
      first: element(nullable(union([Rect, Disc])), { optional: true }),
    }) {}
    same<Drawing["shapes"], (Rect | Disc)[]>(true);
    same<Drawing["first"], Rect | Disc | null | undefined>(true);
    const sizeOf = (shape: Rect | Disc): number => {
      // @ts-expect-error a disc has no width
      void shape.width;
      return shape instanceof Rect ? shape.width : shape.radius;
    };
    assertEquals([typeof sizeOf, Drawing.tag], ["function", "drawing"]);
  });

  it("refuse what a union cannot be", () => {
    const wrong = [
      // @ts-expect-error no such property
      () => union("knd", Circle, Square),
      // @ts-expect-error only one of the models has the property
      () => union("radius", Circle, Square),
      // @ts-expect-error at least two models
      () => union("kind", Circle),
      // @ts-expect-error at least two models
      () => union([Rect]),
      // @ts-expect-error a type is not a model
      () => union([Rect, string]),
    ];
    assertEquals(wrong.length, 5);
  });

  it("are known for documents", () => {
    const one = document(union([Rect, Disc]));
    const many = document(list(union([Rect, Disc])));
    same<typeof one, Document<Rect | Disc>>(true);
    const read = () => one.fromXml("");
    same<Awaited<ReturnType<typeof read>>, Rect | Disc>(true);
    const readAll = () => many.fromJson("");
    same<ReturnType<typeof readAll>, (Rect | Disc)[]>(true);
    same<ModelOutput<typeof many>, (Rect | Disc)[]>(true);
    same<ModelOutput<readonly [typeof one]>, (Rect | Disc)[]>(true);
    const wrong = [
      // @ts-expect-error a maker is none of the models
      () => one.toJsonString(Maker.of({ name: "Ada" })),
      // @ts-expect-error not an instance
      () => toXml([{ width: 1 }], { root: "all" }),
    ];
    const written = () => toXml([Rect.of({ width: 1 }), Disc.of({ radius: 1 })], { root: "all" });
    same<ReturnType<typeof written>, string>(true);
    assertEquals(wrong.length, 2);
  });

  it("are known for documents that only JSON can have", () => {
    const names = document(list(string));
    same<typeof names, Document<string[]>>(true);
    same<ModelOutput<typeof names>, string[]>(true);
    const counts = document(record(nullable(integer)));
    same<ModelOutput<typeof counts>, Record<string, number | null>>(true);
    const any = document(json);
    same<ModelOutput<typeof any>, JsonValue>(true);
    const either = document(anyOf(string, Rect, () => Disc));
    same<ModelOutput<typeof either>, string | Rect | Disc>(true);
    same<ModelOutput<readonly [typeof either]>, (string | Rect | Disc)[]>(true);
    const written = () => names.toJsonValue(["a"]);
    // @ts-expect-error a number is not a string
    const wrong = () => names.toJsonValue([1]);
    assertEquals([typeof written, typeof wrong], ["function", "function"]);
  });
});

describe("the types of a model that extends another", () => {
  class Named extends model("named", {
    id: attr(integer),
    name: element(string),
    size: attr(integer, { default: 1 }),
    state: element(string, { optional: true }),
  }) {
    readonly cache: Map<string, number> = new Map();
    label(): string {
      return this.name;
    }
    static make(): string {
      return this.name;
    }
  }
  class Book extends model("book", {
    pages: attr(integer),
    name: element(oneOf("a", "b"), { default: "a" }),
    state: element(string),
    xml: element(innerXml, { optional: true }),
  }, { extends: Named, check: ({ id, pages }) => id > pages ? "too few pages" : undefined }) {}
  class Shelf extends model("shelf", { books: elements(Book) }, { extends: Tree }) {}

  it("have the fields and members of both", () => {
    same<Book["id"], number>(true);
    same<Book["pages"], number>(true);
    same<Book["name"], "a" | "b">(true);
    same<Book["state"], string>(true);
    same<Book["xml"], string | undefined>(true);
    same<ReturnType<Book["label"]>, string>(true);
    same<Book["cache"], Map<string, number>>(true);
    same<ReturnType<typeof Book.make>, string>(true);
    same<Shelf["children"], Tree[]>(true);
    same<Shelf["books"], Book[]>(true);
    const read = () => Book.fromJson("");
    same<ReturnType<typeof read>, Book>(true);
    const named: () => Named = read;
    assertEquals(typeof named, "function");
  });

  it("require the values of both", () => {
    const book = Book.of({ id: 1, pages: 2, state: "" });
    same<typeof book, Book>(true);
    Book.of({ ...book, name: "b", size: 3 });
    new Book({ id: 1, pages: 2, state: "", xml: "<b/>" });
    Shelf.of({ id: 1, children: [] });
    const wrong = [
      // @ts-expect-error the inherited id is missing
      () => Book.of({ pages: 1, state: "" }),
      // @ts-expect-error the pages are missing
      () => new Book({ id: 1, state: "" }),
      // @ts-expect-error the state is required here
      () => Book.of({ id: 1, pages: 2 }),
      // @ts-expect-error no such property
      () => Book.of({ id: 1, pages: 2, state: "", colour: "red" }),
      // @ts-expect-error the id is a number
      () => Book.of({ id: "1", pages: 2, state: "" }),
      // @ts-expect-error no such property in a check
      () => model("x", {}, { extends: Named, check: ({ pages }) => pages }),
      // @ts-expect-error not a model
      () => model("x", {}, { extends: class {} }),
      // @ts-expect-error the check must return a message
      () => model("x", { id: attr(integer) }, { check: ({ id }) => id > 1 }),
      // @ts-expect-error no such rule
      () => model("x", {}, { rename: "Pascal" }),
    ];
    assertEquals(wrong.length, 9);
  });

  it("refuse a field that replaces an inherited one with a wider type", () => {
    const wrong = [
      // @ts-expect-error null is not a name
      () => model("x", { name: element(nullable(string)) }, { extends: Named }),
      // @ts-expect-error the name is not optional
      () => model("x", { name: element(string, { optional: true }) }, { extends: Named }),
      // @ts-expect-error a number is not a name
      () => model("x", { name: element(integer) }, { extends: Named }),
      // @ts-expect-error a method is not a field
      () => model("x", { label: element(string) }, { extends: Named }),
    ];
    assertEquals(wrong.length, 4);
  });
});

describe("the compiler", () => {
  it("refuses fields and options that cannot work", () => {
    class Optional extends Model {
      declare readonly id?: number;
      declare readonly all?: string[];
    }
    const right: Fields<Optional> = {
      id: attr(integer, { optional: true }),
      all: elements(string),
    };
    // @ts-expect-error a property that may be undefined needs an optional field
    const one: Fields<Optional> = { ...right, id: attr(integer) };
    // A default is a value for an absent one, too.
    const two: Fields<Optional> = { ...right, id: attr(integer, { default: 1 }) };
    const wrong = [
      // @ts-expect-error emptyAsAbsent needs optional or a default
      () => attr(integer, { emptyAsAbsent: true }),
      // @ts-expect-error repeated elements are never absent
      () => elements(integer, { emptyAsAbsent: true }),
      // @ts-expect-error a name is a string
      () => attr(integer, { name: 7 }),
      // @ts-expect-error the names of properties are strings
      () => Maker.of({ name: "" }).toJsonString({ only: [7] }),
      // @ts-expect-error unknown content cannot be changed
      () => unknownContentOf(Maker.of({ name: "" })).json.set("a", 1),
    ];
    assertEquals([one, two, ...wrong].length, 7);
    assertEquals(Optional.name, "Optional");
  });
});
