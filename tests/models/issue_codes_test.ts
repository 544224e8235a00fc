import { assert, assertEquals, assertRejects, assertThrows, describe, it } from "#test";
import { ModelError } from "../../src/errors/model_error.ts";
import {
  attr,
  element,
  elements,
  integer,
  model,
  nullable,
  oneOf,
  record,
  string,
  toXml,
} from "../../src/models/mod.ts";
import { decodeTarget } from "../support/decode_target.ts";

describe("the code of an issue", () => {
  class Part extends model("part", { id: attr(integer) }, { unknown: "refuse" }) {}
  class Page extends model("page", {
    size: attr(integer, { optional: true }),
    title: element(string, { optional: true }),
    total: element(nullable(integer), { optional: true, within: "meta" }),
    parts: elements(Part),
    names: element(record(integer), { optional: true }),
    kind: element(oneOf("a", "b"), { optional: true }),
  }, {
    unknown: "refuse",
    order: "strict",
    check: ({ size }) => size === 0 ? "size must not be 0" : undefined,
  }) {}
  const xsi = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';

  type Row = readonly [code: string, path: readonly (string | number)[], message: string];
  const read: readonly (readonly [input: unknown, ...Row])[] = [
    [{ parts: [{}] }, "missing", ["parts", 0, "id"], "expected a whole number, but it is missing"],
    [
      "<page><part/></page>",
      "missing",
      ["page", "part", 1, "@id"],
      "expected a whole number, but it is missing",
    ],
    [{ size: "1" }, "type", ["size"], 'expected a whole number, but it is "1"'],
    ['<page size="x"/>', "type", ["page", "@size"], 'expected a whole number, but it is "x"'],
    [
      { title: null },
      "type",
      ["title"],
      "expected a string (optional only allows it to be missing; use nullable() to allow null), but it is null",
    ],
    [
      `<page ${xsi}><title xsi:nil="true"/></page>`,
      "type",
      ["page", "title"],
      "expected a string (use nullable() to allow null), but it has xsi:nil",
    ],
    [`<page ${xsi}><meta><total xsi:nil="true">1</total></meta></page>`, "type", [
      "page",
      "meta",
      "total",
    ], 'expected no content, because the element has xsi:nil, but it is "1"'],
    [
      "<page><title><b/></title></page>",
      "type",
      ["page", "title", "b"],
      "expected only text, but it is the element <b>",
    ],
    [
      "<page><names>x</names></page>",
      "type",
      ["page", "names"],
      'expected only elements, but it is "x"',
    ],
    [{ kind: "c" }, "type", ["kind"], 'expected "a" or "b", but it is "c"'],
    [
      "<other/>",
      "type",
      ["other"],
      "expected the root element <page> in no namespace, but it is <other> in no namespace",
    ],
    [[], "type", [], "expected an object (Page), but it is an array of 0 elements"],
    [{ x: 1 }, "unknown", ["x"], "expected a field of Page, but it is not one"],
    [
      "<page><x/></page>",
      "unknown",
      ["page", "x"],
      "expected an element that Page declares, but it is <x> in no namespace",
    ],
    [
      '<page x="1"/>',
      "unknown",
      ["page", "@x"],
      "expected an attribute that Page declares, but it is not one",
    ],
    [
      '<page><title x="1"/></page>',
      "unknown",
      ["page", "title", "@x"],
      "expected an attribute that Page declares, but it is not one",
    ],
    ["<page>x</page>", "unknown", ["page"], 'expected no text, but it is "x"'],
    [{ size: 0 }, "constraint", [], "size must not be 0"],
    ['<page size="0"/>', "constraint", ["page"], "size must not be 0"],
    [
      "<page><title/><title/></page>",
      "duplicate",
      ["page", "title", 2],
      "expected one element <title>, but it is the second one",
    ],
    [
      "<page><names><a>1</a><a>2</a></names></page>",
      "duplicate",
      ["page", "names", "a", 2],
      "expected one element of this name, but it is the second one",
    ],
    [
      '<page><part id="1"/><title/></page>',
      "order",
      ["page", "title"],
      "expected the elements in the order of the fields, but it comes too late",
    ],
    [
      { parts: [{ id: 1 }] },
      "depth",
      ["parts", 0],
      "expected at most 2 levels (set maxDepth to allow more), but it is nested deeper",
    ],
    ['{"size":', "syntax", [], "expected JSON, but it is not valid JSON: "],
    [new Uint8Array([0xff]), "syntax", [], "expected JSON, but it is not valid JSON: "],
  ];
  for (const [input, code, path, message] of read) {
    it(`is ${code} when it is read: ${message.replace(/["<&]/g, "'").slice(0, 60)} (${typeof input === "string" ? path.length : "bytes"})`, async () => {
      const isXml = typeof input === "string" && input.startsWith("<");
      const error = isXml
        ? await assertRejects(() => Page.fromXml(input), ModelError)
        : assertThrows(
          () => Page.fromJson(input, { maxDepth: code === "depth" ? 2 : 9 }),
          ModelError,
        );
      const [issue] = error.issues;
      assertEquals(error.issues.length, 1, error.message);
      assertEquals([issue?.code, issue?.path], [code, path]);
      assert(issue!.message.startsWith(message), issue!.message);
      assert(issue!.message.includes(issue!.expected), issue!.message);
      assertEquals(issue?.line, isXml ? 1 : undefined);
    });
  }

  it("is format for a body that is neither JSON nor XML", async () => {
    const error = await assertRejects(() => decodeTarget(Page, "x", "text/csv"), ModelError);
    assertEquals(error.issues.map(({ code, path }) => [code, path]), [["format", []]]);
    assert(error.message.includes("pass format: jsonFormat(…)"), error.message);
  });

  const written: readonly (readonly [values: object, ...Row])[] = [
    [{ size: "x" }, "type", ["page", "@size"], 'expected a whole number, but it is "x"'],
    [{ size: 0 }, "constraint", ["page"], "size must not be 0"],
    [{ parts: 7 }, "type", ["page", "part"], "expected an array, but it is 7"],
    [
      { parts: [undefined] },
      "missing",
      ["page", "part", 1],
      "expected an instance of Part, but it is missing",
    ],
    [
      { names: { "a b": 1 } },
      "type",
      ["page", "names", "a b"],
      'expected a valid XML element name, but it is "a b"',
    ],
    [{ title: "\0" }, "type", ["page", "title"], "expected a string without control characters"],
  ];
  for (const [values, code, path, message] of written) {
    it(`is ${code} when it is written as XML: ${message.replace(/"/g, "'").slice(0, 60)}`, () => {
      const { issues } = assertThrows(() => toXml(Page.of(values)), ModelError);
      assertEquals(issues.map((issue) => [issue.code, issue.path]), [[code, path]]);
      assert(issues[0]!.message.startsWith(message), issues[0]!.message);
      assertEquals(issues[0]!.line, undefined);
    });
  }

  it("is missing or unknown when an instance is created", () => {
    const { issues } = assertThrows(() => Part.of({ x: 1 } as never), ModelError);
    assertEquals(issues.map(({ code, path }) => [code, path]), [["missing", ["id"]], ["unknown", [
      "x",
    ]]]);
  });
});
