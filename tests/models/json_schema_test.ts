/** The conformance sheet: how each construct of JSON Schema and OpenAPI is declared, read and written. */
import { readFileSync } from "node:fs";
import { assert, assertEquals, assertRejects, assertThrows, describe, it } from "#test";
import { ModelError } from "../../src/errors/model_error.ts";
import { UnexpectedValueError } from "../../src/errors/unexpected_value_error.ts";
import {
  anyOf,
  bigint,
  boolean,
  constrain,
  date,
  dateOnly,
  document,
  element,
  elements,
  type Field,
  type Fields,
  integer,
  json,
  list,
  literal,
  Model,
  model,
  nullable,
  number,
  object,
  oneOf,
  openEnum,
  record,
  rest,
  string,
  toXml,
  union,
} from "../../src/models/mod.ts";
import { sourceRoot } from "../support/contract_page.ts";

const none = { declaration: false } as const;
const optional = { optional: true } as const;

class Pet extends model("pet", { name: element(string) }) {}
class Cat extends model("cat", {
  kind: element(literal("cat"), { default: "cat" }),
  lives: element(integer),
}, { extends: Pet }) {}
class Dog extends model("dog", {
  kind: element(literal("dog"), { default: "dog" }),
  tricks: elements(string),
}, { extends: Pet }) {}
class Tagged extends model("tagged", { tags: elements(string, { tag: "tag" }) }) {}
class Closed extends model("doc", { x: element(string) }, { unknown: "refuse" }) {}
class Open extends model("doc", { x: element(string), others: rest(integer) }) {}
class Free extends model("doc", { x: element(string), others: rest(json) }) {}
class Both extends model("doc", { ...Pet.fields, ...Tagged.fields }) {}
class Strict extends model("doc", { kind: element(oneOf("a", "b")) }, {
  extends: class extends model("base", { kind: element(string, optional) }) {},
}) {}
class Tree extends Model {
  declare readonly id: number;
  declare readonly children: Tree[];
  static override readonly tag: string = "tree";
  static override readonly fields: Fields<Tree> = {
    id: element(integer),
    children: elements(() => Tree),
  };
}

/** A value that is read and written. */
interface Example {
  /** The JSON value of the member `x`, or of the whole document. Undefined if the member is missing. */
  readonly json: unknown;
  /** The value that it is read as. */
  readonly value: unknown;
  /** The JSON that is written, if it is another one. */
  readonly written?: unknown;
  /** The content of `<doc>` in XML, or the whole document. */
  readonly xml?: string;
}

/** A model or a document. */
interface Reader {
  fromJson(json: unknown): unknown;
  fromXml(xml: string): Promise<unknown>;
  toJsonValue?(value: unknown): unknown;
}

interface Row {
  /** The construct. */
  readonly schema: string;
  /** The declaration, as the page `docs/models.md` shows it. */
  readonly declaration: string;
  /** The field of a model, or a type that is read as a whole. */
  readonly field?: Field<unknown>;
  readonly whole?: Reader;
  readonly examples: readonly Example[];
  /** JSON values that are refused, with the place and the kind of the issue. */
  readonly wrong: readonly (readonly [json: unknown, where: string, code: string])[];
  /** True if XML has no form for it. */
  readonly isOnlyJson?: boolean;
}

const text = { json: "a", value: "a", xml: "<x>a</x>" };
const xsi = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';
const nil = { json: null, value: null, xml: '<x xsi:nil="true"/>' };
const absent = { json: undefined, value: undefined, xml: "" };
const missing = [undefined, "x", "missing"] as const;
const noString = [7, "x", "type"] as const;
const noNull = [null, "x", "type"] as const;

const rows: readonly Row[] = [
  {
    schema: "type: string, required",
    declaration: "element(string)",
    field: element(string),
    examples: [text],
    wrong: [missing, noString, noNull],
  },
  {
    schema: "not required",
    declaration: "element(string, { optional: true })",
    field: element(string, optional),
    examples: [text, absent],
    wrong: [noString, noNull],
  },
  {
    schema: "type: [string, null], required",
    declaration: "element(nullable(string))",
    field: element(nullable(string)),
    examples: [text, nil],
    wrong: [missing, noString],
  },
  {
    schema: "type: [string, null], not required",
    declaration: "element(nullable(string), { optional: true })",
    field: element(nullable(string), optional),
    examples: [text, nil, absent],
    wrong: [noString],
  },
  {
    schema: "default: a",
    declaration: 'element(string, { default: "a" })',
    field: element(string, { default: "a" }),
    examples: [text, { json: undefined, value: "a", written: "a", xml: "<x>a</x>" }],
    wrong: [noString, noNull],
  },
  {
    schema: "type: integer",
    declaration: "element(integer)",
    field: element(integer),
    examples: [{ json: 5, value: 5, xml: "<x>5</x>" }],
    wrong: [[5.5, "x", "type"], ["5", "x", "type"]],
  },
  {
    schema: "type: integer, format: int64",
    declaration: "element(bigint)",
    field: element(bigint),
    examples: [
      { json: 5, value: 5n, xml: "<x>5</x>" },
      { json: "9007199254740993", value: 9007199254740993n, xml: "<x>9007199254740993</x>" },
    ],
    wrong: [["a", "x", "type"]],
  },
  {
    schema: "type: number",
    declaration: "element(number)",
    field: element(number),
    examples: [{ json: 5.5, value: 5.5, xml: "<x>5.5</x>" }],
    wrong: [["5", "x", "type"]],
  },
  {
    schema: "type: boolean",
    declaration: "element(boolean)",
    field: element(boolean),
    examples: [{ json: true, value: true, xml: "<x>true</x>" }],
    wrong: [["true", "x", "type"]],
  },
  {
    schema: "format: date-time",
    declaration: "element(date)",
    field: element(date),
    examples: [{
      json: "2026-11-20T10:00:00.000Z",
      value: new Date("2026-11-20T10:00:00Z"),
      xml: "<x>2026-11-20T10:00:00.000Z</x>",
    }],
    wrong: [["soon", "x", "type"]],
  },
  {
    schema: "format: date",
    declaration: "element(dateOnly)",
    field: element(dateOnly),
    examples: [{ json: "2026-11-20", value: new Date("2026-11-20"), xml: "<x>2026-11-20</x>" }],
    wrong: [["2026-11-20T10:00:00Z", "x", "type"]],
  },
  {
    schema: "enum: [a, b]",
    declaration: 'element(oneOf("a", "b"))',
    field: element(oneOf("a", "b")),
    examples: [text],
    wrong: [["c", "x", "type"]],
  },
  {
    schema: "x-extensible-enum: [a, b]",
    declaration: 'element(openEnum("a", "b"))',
    field: element(openEnum("a", "b")),
    examples: [text, { json: "c", value: "c", xml: "<x>c</x>" }],
    wrong: [noString],
  },
  {
    schema: "const: a",
    declaration: 'element(literal("a"))',
    field: element(literal("a")),
    examples: [text],
    wrong: [["b", "x", "type"]],
  },
  {
    schema: "minLength, pattern, maximum …",
    declaration: "element(constrain(string, { minLength: 1 }))",
    field: element(constrain(string, { minLength: 1 })),
    examples: [text],
    wrong: [["", "x", "constraint"]],
  },
  {
    schema: "true or {}",
    declaration: "element(json)",
    field: element(json),
    examples: [
      { json: null, value: null },
      { json: 5, value: 5 },
      { json: { a: [1, { b: null }], c: {} }, value: { a: [1, { b: null }], c: {} } },
    ],
    wrong: [missing],
    isOnlyJson: true,
  },
  {
    schema: "type: object",
    declaration: "element(record(json))",
    field: element(record(json)),
    examples: [{ json: { a: [1], b: null }, value: { a: [1], b: null } }],
    wrong: [[[], "x", "type"], [null, "x", "type"]],
    isOnlyJson: true,
  },
  {
    schema: "type: array, items: string",
    declaration: "elements(string)",
    field: elements(string),
    examples: [
      { json: ["a", "b"], value: ["a", "b"], xml: "<x>a</x><x>b</x>" },
      { json: undefined, value: [], written: [], xml: "" },
    ],
    wrong: [[["a", 5], "x[1]", "type"], [["a", null], "x[1]", "type"], ["a", "x", "type"]],
  },
  {
    schema: "items: [string, null]",
    declaration: "elements(nullable(string))",
    field: elements(nullable(string)),
    examples: [
      { json: ["a", null], value: ["a", null], xml: '<x>a</x><x xsi:nil="true"/>' },
    ],
    wrong: [[["a", 5], "x[1]", "type"], [null, "x", "type"]],
  },
  {
    schema: "array that may be absent or null",
    declaration: "element(nullable(list(string)), { optional: true })",
    field: element(nullable(list(string)), optional),
    examples: [nil, absent, { json: ["a", "b"], value: ["a", "b"], xml: "<x>a b</x>" }],
    wrong: [[["a", 5], "x[1]", "type"]],
  },
  {
    schema: "array of arrays",
    declaration: "element(list(list(number)))",
    field: element(list(list(number))),
    examples: [{ json: [[1], []], value: [[1], []] }],
    wrong: [[[[1], ["a"]], "x[1][0]", "type"]],
    isOnlyJson: true,
  },
  {
    schema: "inline object",
    declaration: "element(object({ a: element(integer) }))",
    field: element(object({ a: element(integer), b: element(string, optional) })),
    examples: [
      { json: { a: 1, b: "c" }, value: { a: 1, b: "c" }, xml: "<x><a>1</a><b>c</b></x>" },
      { json: { a: 1 }, value: { a: 1, b: undefined }, xml: "<x><a>1</a></x>" },
    ],
    wrong: [missing, noNull, [{ b: "c" }, "x.a", "missing"], [{ a: "1" }, "x.a", "type"], [
      [],
      "x",
      "type",
    ]],
  },
  {
    schema: "array of inline objects",
    declaration: "elements(object({ a: element(integer) }))",
    field: elements(object({ a: element(integer) })),
    examples: [
      {
        json: [{ a: 1 }, { a: 2 }],
        value: [{ a: 1 }, { a: 2 }],
        xml: "<x><a>1</a></x><x><a>2</a></x>",
      },
    ],
    wrong: [[[{ a: 1 }, {}], "x[1].a", "missing"]],
  },
  {
    schema: "additionalProperties: integer",
    declaration: "element(record(integer))",
    field: element(record(integer)),
    examples: [{ json: { a: 1 }, value: { a: 1 }, xml: "<x><a>1</a></x>" }],
    wrong: [[{ a: "1" }, "x.a", "type"], [{ a: null }, "x.a", "type"]],
  },
  {
    schema: "additionalProperties: [integer, null]",
    declaration: "element(record(nullable(integer)))",
    field: element(record(nullable(integer))),
    examples: [
      {
        json: { a: 1, b: null },
        value: { a: 1, b: null },
        xml: '<x><a>1</a><b xsi:nil="true"/></x>',
      },
    ],
    wrong: [[{ a: "1" }, "x.a", "type"]],
  },
  {
    schema: "properties and additionalProperties: integer",
    declaration: "{ x: element(string), others: rest(integer) }",
    whole: Open,
    examples: [
      {
        json: { x: "a", b: 1, c: 2 },
        value: Open.of({ x: "a", others: { b: 1, c: 2 } }),
        xml: "<doc><x>a</x><b>1</b><c>2</c></doc>",
      },
      { json: { x: "a" }, value: Open.of({ x: "a" }), xml: "<doc><x>a</x></doc>" },
    ],
    wrong: [[{ x: "a", b: "1" }, "b", "type"], [{ b: 1 }, "x", "missing"]],
  },
  {
    schema: "properties and additionalProperties: true",
    declaration: "{ x: element(string), others: rest(json) }",
    whole: Free,
    examples: [
      { json: { x: "a", b: [null] }, value: Free.of({ x: "a", others: { b: [null] } }) },
    ],
    wrong: [[{ x: 1 }, "x", "type"]],
    isOnlyJson: true,
  },
  {
    schema: "additionalProperties: false",
    declaration: 'model("doc", { … }, { unknown: "refuse" })',
    whole: Closed,
    examples: [{ json: { x: "a" }, value: Closed.of({ x: "a" }), xml: "<doc><x>a</x></doc>" }],
    wrong: [[{ x: "a", b: 1 }, "b", "unknown"]],
  },
  {
    schema: "$ref",
    declaration: "element(Pet)",
    field: element(Pet),
    examples: [
      { json: { name: "a" }, value: Pet.of({ name: "a" }), xml: "<pet><name>a</name></pet>" },
    ],
    wrong: [[{}, "x.name", "missing"], [null, "x", "type"]],
  },
  {
    schema: "$ref to itself",
    declaration: "elements(() => Tree)",
    whole: Tree,
    examples: [
      {
        json: { id: 1, children: [{ id: 2, children: [] }] },
        value: Tree.of({ id: 1, children: [Tree.of({ id: 2, children: [] })] }),
        xml: "<tree><id>1</id><tree><id>2</id></tree></tree>",
      },
    ],
    wrong: [[{ id: 1, children: [{}] }, "children[0].id", "missing"]],
  },
  {
    schema: "allOf: [$ref, properties]",
    declaration: 'model("cat", { … }, { extends: Pet })',
    whole: Cat,
    examples: [
      {
        json: { name: "a", kind: "cat", lives: 9 },
        value: Cat.of({ name: "a", lives: 9 }),
        xml: "<cat><name>a</name><kind>cat</kind><lives>9</lives></cat>",
      },
    ],
    wrong: [[{ lives: 9 }, "name", "missing"], [{ name: "a" }, "lives", "missing"]],
  },
  {
    schema: "allOf: [$ref, $ref]",
    declaration: 'model("doc", { ...Pet.fields, ...Tagged.fields })',
    whole: Both,
    examples: [
      {
        json: { name: "a", tags: ["b"] },
        value: Both.of({ name: "a", tags: ["b"] }),
        xml: "<doc><name>a</name><tag>b</tag></doc>",
      },
    ],
    wrong: [[{ tags: [] }, "name", "missing"], [{ name: "a", tags: [1] }, "tags[0]", "type"]],
  },
  {
    schema: "allOf that narrows a property",
    declaration: 'model("doc", { kind: element(oneOf("a", "b")) }, { extends: Base })',
    whole: Strict,
    examples: [
      { json: { kind: "a" }, value: Strict.of({ kind: "a" }), xml: "<doc><kind>a</kind></doc>" },
    ],
    wrong: [[{}, "kind", "missing"], [{ kind: "c" }, "kind", "type"]],
  },
  {
    schema: "oneOf with a discriminator",
    declaration: 'element(union("kind", Cat, Dog))',
    field: element(union("kind", Cat, Dog)),
    examples: [
      {
        json: { name: "a", kind: "dog", tricks: [] },
        value: Dog.of({ name: "a" }),
        xml: "<dog><name>a</name><kind>dog</kind></dog>",
      },
    ],
    wrong: [[{ kind: "cow" }, "x.kind", "type"], [
      { kind: "cat", name: "a" },
      "x.lives",
      "missing",
    ]],
  },
  {
    schema: "anyOf: [string, integer]",
    declaration: "element(anyOf(string, integer))",
    field: element(anyOf(string, integer)),
    examples: [text, { json: 5, value: 5, xml: "<x>5</x>" }],
    wrong: [[true, "x", "type"], [null, "x", "type"]],
  },
  {
    schema: "anyOf: [string, $ref]",
    declaration: "element(anyOf(string, Pet))",
    field: element(anyOf(string, Pet)),
    examples: [
      { json: "a", value: "a" },
      { json: { name: "a" }, value: Pet.of({ name: "a" }) },
    ],
    wrong: [[5, "x", "type"], [null, "x", "type"], [{}, "x.name", "missing"]],
    isOnlyJson: true,
  },
  {
    schema: "anyOf: [string, $ref, null]",
    declaration: "element(nullable(anyOf(string, Pet)))",
    field: element(nullable(anyOf(string, Pet))),
    examples: [{ json: null, value: null }, { json: "a", value: "a" }],
    wrong: [[5, "x", "type"], missing],
    isOnlyJson: true,
  },
  {
    schema: "anyOf or oneOf without a discriminator",
    declaration: "element(anyOf(Cat, Tagged, Pet))",
    field: element(anyOf(Cat, Tagged, Pet)),
    examples: [
      { json: { name: "a", kind: "cat", lives: 9 }, value: Cat.of({ name: "a", lives: 9 }) },
      { json: { tags: ["a"] }, value: Tagged.of({ tags: ["a"] }) },
    ],
    wrong: [["a", "x", "type"]],
    isOnlyJson: true,
  },
  {
    schema: "anyOf: [string, array of string]",
    declaration: "element(anyOf(string, list(string)))",
    field: element(anyOf(string, list(string))),
    examples: [{ json: "a", value: "a" }, { json: ["a"], value: ["a"] }],
    wrong: [[["a", 5], "x[1]", "type"], [{}, "x", "type"]],
    isOnlyJson: true,
  },
  {
    schema: "body: array of string",
    declaration: "document(list(string))",
    whole: document(list(string)),
    examples: [{ json: ["a", "b"], value: ["a", "b"] }, { json: [], value: [] }],
    wrong: [[["a", 5], "[1]", "type"], [{}, "", "type"]],
    isOnlyJson: true,
  },
  {
    schema: "body: additionalProperties: integer",
    declaration: "document(record(integer))",
    whole: document(record(integer)),
    examples: [{ json: { a: 1 }, value: { a: 1 } }],
    wrong: [[{ a: "1" }, "a", "type"], [[], "", "type"]],
    isOnlyJson: true,
  },
  {
    schema: "body: array of $ref",
    declaration: "document(list(Pet))",
    whole: document(list(Pet)),
    examples: [
      {
        json: [{ name: "a" }],
        value: [Pet.of({ name: "a" })],
        xml: "<doc><pet><name>a</name></pet></doc>",
      },
    ],
    wrong: [[[{}], "[0].name", "missing"]],
  },
];

for (const { schema, declaration, field, whole, examples, wrong, isOnlyJson } of rows) {
  describe(`${schema} is ${declaration.replaceAll('"', "'")}`, () => {
    class Doc extends model("doc", { x: field ?? element(string) }) {}
    const reader = whole ?? Doc as Reader;
    /** Returns the JSON of the document. */
    const jsonOf = (json: unknown) =>
      whole !== undefined ? json : json === undefined ? {} : { x: json };

    for (const { json, value, written = json, xml } of examples) {
      const shown = json === undefined ? "nothing" : JSON.stringify(json).replaceAll('"', "'");
      it(`is read from JSON, and written: ${shown}`, () => {
        const found = reader.fromJson(JSON.stringify(jsonOf(json)));
        assertEquals(whole !== undefined ? found : (found as Doc).x, value);
        const expected = JSON.parse(JSON.stringify(jsonOf(written)));
        assertEquals(JSON.parse(textOf(reader, found)), expected);
        assertEquals(reader.fromJson(textOf(reader, found)), found);
      });

      if (isOnlyJson) continue;
      it(`is written as XML, and read from it: ${shown}`, async () => {
        assert(xml !== undefined, "the example needs its XML");
        const found = reader.fromJson(jsonOf(json)) as Model | Model[];
        const root = Array.isArray(found) ? { root: "doc" } : {};
        const text = toXml(found, { ...none, ...root });
        const attributes = text.includes(`<doc ${xsi}`) ? ` ${xsi}` : "";
        const element = xml === "" ? `<doc${attributes}/>` : `<doc${attributes}>${xml}</doc>`;
        assertEquals(text, whole !== undefined ? xml : element);
        assertEquals(await reader.fromXml(text), found);
      });
    }

    for (const [json, where, code] of wrong) {
      const shown = json === undefined ? "nothing" : JSON.stringify(json).replaceAll('"', "'");
      it(`refuses ${shown} with the path of the issue`, () => {
        const error = assertThrows(() => reader.fromJson(jsonOf(json)), ModelError);
        assertEquals(error.issues.map((issue) => [issue.where, issue.code]), [[where, code]]);
      });
    }

    if (isOnlyJson) {
      it("is refused in XML, before a document is read or written", async () => {
        const read = () => reader.fromXml("<doc/>");
        const error = await assertRejects(read, UnexpectedValueError);
        assert(/\.fields\.(x|others)$|^type$/.test(error.option), error.option);
        const found = reader.fromJson(jsonOf(examples[0]!.json));
        if (found instanceof Model) {
          assertThrows(() => toXml(found), UnexpectedValueError, error.option);
        }
      });
    }
  });
}

describe("the page on JSON Schema", () => {
  it("has each declaration of the sheet in its table", () => {
    const page = readFileSync(new URL("docs/models.md", sourceRoot()), "utf8");
    const cells = new Set(
      page.split("\n").filter((line) => line.startsWith("|"))
        .flatMap((line) => line.replaceAll("\\|", "|").split(/ \| |^\| | \|$/))
        .map((cell) => cell.trim().replaceAll("`", "")),
    );
    for (const { schema, declaration } of rows) {
      assert(cells.has(schema), schema);
      assert(cells.has(declaration), declaration);
    }
  });
});

/** Writes an instance or a document as JSON text. */
function textOf(reader: Reader, value: unknown): string {
  return JSON.stringify(reader.toJsonValue === undefined ? value : reader.toJsonValue(value));
}
