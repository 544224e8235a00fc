import { assertEquals, describe, it } from "#test";
import {
  attr,
  bigint,
  boolean,
  date,
  element,
  elements,
  type Fields,
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
} from "../../src/models/mod.ts";
import type { ModelOutput } from "../../src/content/decode.ts";
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
    same<ReturnType<Part["toJsonString"]>, string>(true);
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
    const seven: DeclaredFields = { ...right, toJsonString: attr(string) };
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
