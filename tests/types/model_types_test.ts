import { assertEquals, describe, it } from "#test";
import {
  attr,
  bigint,
  boolean,
  date,
  type Document,
  document,
  element,
  elements,
  type Fields,
  innerXml,
  integer,
  list,
  literal,
  Model,
  model,
  nullable,
  number,
  oneOf,
  record,
  scalar,
  schema,
  type StandardSchema,
  string,
  text,
  toXml,
  union,
  unknownContentOf,
} from "../../src/models/mod.ts";
import type { ModelOutput } from "../../src/request/decode.ts";
import { decodeTarget } from "../support/decode_target.ts";

/** `true` if two types are identical. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true
  : false;
function same<A, B>(_: Same<A, B>): void {}

class Maker extends model("maker", { name: attr(string) }) {}
class Circle extends model("circle", { kind: attr(literal("circle")), radius: attr(number) }) {}
class Square extends model("square", { kind: attr(literal("square")), side: attr(number) }) {}

class Part extends model("part", {
  id: attr(integer),
  big: attr(bigint),
  stocked: attr(boolean),
  made: element(date),
  state: element(oneOf("new", "old", 3)),
  maker: element(Maker),
  makers: elements(() => Maker),
  note: element(nullable(string)),
  nick: element(string, { optional: true }),
  kind: attr(oneOf("a", "b"), { default: "a" }),
  size: attr(list(number)),
  names: element(record(string)),
  shape: element(union("kind", Circle, () => Square)),
  price: text(scalar({ expected: "x", parse: Number, format: String })),
}) {
  label(): string {
    return this.maker.name;
  }
}

class Tree extends Model {
  declare readonly id: number;
  declare readonly children: Tree[];
  declare readonly nick?: string;
  static override readonly tag: string = "node";
  static override readonly fields: Fields<Tree> = {
    id: attr(integer),
    children: elements(() => Tree),
    nick: element(string, { optional: true }),
  };
  count(): number {
    return this.children.length;
  }
}

describe("the types of a model", () => {
  it("are inferred from its fields", () => {
    same<Part["id"], number>(true);
    same<Part["big"], bigint>(true);
    same<Part["stocked"], boolean>(true);
    same<Part["made"], Date>(true);
    same<Part["state"], "new" | "old" | 3>(true);
    same<Part["maker"], Maker>(true);
    same<Part["makers"], Maker[]>(true);
    same<Part["note"], string | null>(true);
    same<Part["nick"], string | undefined>(true);
    same<Part["kind"], "a" | "b">(true);
    same<Part["size"], number[]>(true);
    same<Part["names"], Record<string, string>>(true);
    same<Part["shape"], Circle | Square>(true);
    same<Part["price"], number>(true);
    same<ReturnType<Part["label"]>, string>(true);
    same<ReturnType<Part["toJson"]>, string>(true);
    // @ts-expect-error no such property
    same<Part["colour"], string>(true);
  });

  it("narrow a union by the property that distinguishes its models", () => {
    const radiusOf = ({ shape }: Part): number => {
      // @ts-expect-error a square has no radius
      void shape.radius;
      return shape.kind === "circle" ? shape.radius : shape.side;
    };
    assertEquals(typeof radiusOf, "function");
  });

  it("are known for results that are read", () => {
    const tree = Tree.fromJson({ id: 1 });
    same<typeof tree, Tree>(true);
    const part = () => Part.fromXml("");
    same<Awaited<ReturnType<typeof part>>, Part>(true);
    const stream = () => Tree.streamXml("");
    same<ReturnType<typeof stream>, AsyncGenerator<Tree, void, undefined>>(true);
    same<ModelOutput<typeof Tree>, Tree>(true);
    same<ModelOutput<readonly [typeof Part]>, Part[]>(true);
    const decoded = () => decodeTarget([Tree], "[]", "application/json");
    same<Awaited<ReturnType<typeof decoded>>, Tree[]>(true);
    const standard = schema(Tree);
    same<typeof standard, StandardSchema<unknown, Tree>>(true);
  });

  it("allow only an instance to be written as XML", () => {
    const written = () => toXml(Maker.of({ name: "Ada" }));
    same<ReturnType<typeof written>, string>(true);
    // @ts-expect-error not an instance
    const unwritten = () => toXml({ name: "Ada" });
    assertEquals([typeof written, typeof unwritten], ["function", "function"]);
  });

  it("are required of the values of an instance", () => {
    const maker = Maker.of({ name: "Ada" });
    same<typeof maker, Maker>(true);
    new Maker({ name: "Ada" });
    Tree.of({ id: 1, children: [] });
    Tree.of({ id: 1, children: [], nick: "x" });
    const wrong = [
      // @ts-expect-error the name is missing
      () => Maker.of({}),
      // @ts-expect-error the name is a string
      () => new Maker({ name: 7 }),
      // @ts-expect-error no such property
      () => Maker.of({ name: "Ada", age: 7 }),
      // @ts-expect-error the children are missing
      () => Tree.of({ id: 1 }),
      // @ts-expect-error the children are trees
      () => Tree.of({ id: 1, children: [maker] }),
      // @ts-expect-error properties cannot be written
      () => void (maker.name = "Grace"),
    ];
    assertEquals(wrong.length, 6);
  });

  it("make values with a default optional", () => {
    class Page extends model("page", {
      size: attr(integer, { default: 20 }),
      items: elements(string),
      states: elements(oneOf("old", "new"), { default: ["new"] }),
      next: attr(string, { optional: true }),
      from: attr(integer),
    }) {}
    same<Page["states"], ("old" | "new")[]>(true);
    const { items, size, states } = new Page({ from: 1 });
    assertEquals([items, size, states], [[], 20, ["new"]]);
    // @ts-expect-error from has no default
    const wrong = () => new Page({});
    assertEquals(typeof wrong, "function");
  });
});

class Declared extends Model {
  declare readonly id: number;
  declare readonly nick?: string;
  declare readonly tags: string[];
  get size(): number {
    return this.tags.length;
  }
}

describe("the fields of a class that declares its properties", () => {
  it("are checked against them", () => {
    assertEquals(Declared.name, "Declared");
    type DeclaredFields = Fields<Declared, "size">;
    const right: DeclaredFields = {
      id: attr(integer),
      nick: attr(string, { optional: true }),
      tags: elements(string),
    };
    // @ts-expect-error a string is not a number
    const one: DeclaredFields = { ...right, id: attr(string) };
    // @ts-expect-error an optional value is not a number
    const two: DeclaredFields = { ...right, id: attr(integer, { optional: true }) };
    // @ts-expect-error null is not a number
    const three: DeclaredFields = { ...right, id: attr(nullable(integer)) };
    // @ts-expect-error a single element is not an array
    const four: DeclaredFields = { ...right, tags: element(string) };
    // @ts-expect-error no such property
    const five: DeclaredFields = { ...right, colour: attr(string) };
    // @ts-expect-error the tags are missing
    const six: DeclaredFields = { id: attr(integer), nick: attr(string, { optional: true }) };
    // @ts-expect-error a method is not a field
    const seven: DeclaredFields = { ...right, toJson: attr(string) };
    assertEquals([one, two, three, four, five, six, seven].length, 7);
  });
});

describe("the options of a field", () => {
  it("are checked against its type", () => {
    const wrong = [
      // @ts-expect-error a number is not a string
      () => attr(string, { default: 7 }),
      // @ts-expect-error not one of the values
      () => attr(oneOf("a", "b"), { default: "c" }),
      // @ts-expect-error the default of repeated elements is an array
      () => elements(string, { default: "a" }),
      // @ts-expect-error the array contains strings
      () => elements(string, { default: [7] }),
      // @ts-expect-error the returned array contains strings
      () => elements(string, { default: () => [7] }),
      // @ts-expect-error repeated elements are always an array
      () => elements(string, { optional: true }),
      // @ts-expect-error not a type
      () => attr("text"),
      // @ts-expect-error a model of a union is a model
      () => union("kind", Circle, string),
    ];
    assertEquals(wrong.length, 8);
  });
});

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
    assertEquals(typeof sizeOf, "function");
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
      // @ts-expect-error a string is not a document
      () => document(string),
      // @ts-expect-error null is not a document
      () => document(nullable(Rect)),
      // @ts-expect-error a maker is none of the models
      () => one.toJson(Maker.of({ name: "Ada" })),
      // @ts-expect-error not an instance
      () => toXml([{ width: 1 }], { root: "all" }),
    ];
    const written = () => toXml([Rect.of({ width: 1 }), Disc.of({ radius: 1 })], { root: "all" });
    same<ReturnType<typeof written>, string>(true);
    assertEquals(wrong.length, 4);
  });
});

describe("the types of a model that extends another", () => {
  class Named extends model("named", {
    id: attr(integer),
    name: element(string),
    size: attr(integer, { default: 1 }),
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
    name: element(nullable(string), { default: null }),
    xml: element(innerXml, { optional: true }),
  }, { extends: Named, check: ({ id, pages }) => id > pages ? "too few pages" : undefined }) {}
  class Shelf extends model("shelf", { books: elements(Book) }, { extends: Tree }) {}

  it("have the fields and members of both", () => {
    same<Book["id"], number>(true);
    same<Book["pages"], number>(true);
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
    const book = Book.of({ id: 1, pages: 2 });
    same<typeof book, Book>(true);
    Book.of({ ...book, name: null, size: 3 });
    new Book({ id: 1, pages: 2, xml: "<b/>" });
    Shelf.of({ id: 1, children: [] });
    const wrong = [
      // @ts-expect-error the inherited id is missing
      () => Book.of({ pages: 1 }),
      // @ts-expect-error the pages are missing
      () => new Book({ id: 1 }),
      // @ts-expect-error no such property
      () => Book.of({ id: 1, pages: 2, colour: "red" }),
      // @ts-expect-error the id is a number
      () => Book.of({ id: "1", pages: 2 }),
      // @ts-expect-error no such property in a check
      () => model("x", {}, { extends: Named, check: ({ pages }) => pages }),
      // @ts-expect-error not a model
      () => model("x", {}, { extends: class {} }),
      // @ts-expect-error the check must return a message
      () => model("x", { id: attr(integer) }, { check: ({ id }) => id > 1 }),
      // @ts-expect-error no such rule
      () => model("x", {}, { rename: "Pascal" }),
    ];
    assertEquals(wrong.length, 8);
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
      () => Maker.of({ name: "" }).toJson({ only: [7] }),
      // @ts-expect-error unknown content cannot be changed
      () => unknownContentOf(Maker.of({ name: "" })).json.set("a", 1),
    ];
    assertEquals([one, two, ...wrong].length, 7);
  });
});
