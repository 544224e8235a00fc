import { assert, assertEquals, describe, it } from "#test";
import type { Comment, Declaration, Type } from "../../src/model/types.ts";
import { printComment, WIDTH } from "../../src/print/comments.ts";
import { literal, objectKey, propertyKey, propertyOf, quoted } from "../../src/print/literals.ts";
import { printDeclaration, printType } from "../../src/print/types.ts";

const none: Comment = { text: "", tags: [] };
const text: Type = { kind: "string" };
const empty: Type = { kind: "null" };

/** Returns an object with properties. */
function object(properties: Readonly<Record<string, Type>>, comment = none): Type {
  return {
    kind: "object",
    properties: Object.entries(properties).map(([name, type]) => ({
      name,
      type,
      optional: false,
      comment,
    })),
  };
}

const hostile = [
  "plain",
  "",
  '"; alert(1); "',
  "`${alert(1)}`",
  "*/ alert(1); /*",
  "\\",
  "\\u0022",
  "a\nb\r\nc\u2028d\u2029e",
  "\0\u0007\u001b[31m\u007f\u0085",
  "\u202e\u2066\u200f\ufeff\u00ad",
  "\ud800",
  "\u{e0041}",
  "__proto__",
  "constructor",
  "</script>",
];

describe("literals", () => {
  it("have the value of any text, and no character that cannot be seen", () => {
    for (const value of hostile) {
      const printed = quoted(value);
      assertEquals(new Function(`"use strict"; return ${printed}`)(), value);
      assert(/^[^\p{C}\u2028\u2029]*$/u.test(printed), JSON.stringify(printed));
      const key = objectKey(value);
      const made = new Function(`"use strict"; return { ${key}: 1 }`)() as object;
      assertEquals(Object.entries(made), [[value, 1]]);
      const found = new Function("value", `"use strict"; return ${propertyOf("value", value)}`);
      assertEquals(found({ [value]: 2 }), 2);
    }
  });

  it("are as a person writes them", () => {
    assertEquals([literal(-0), literal(1e21), literal(null), literal(true)], [
      "-0",
      "1e+21",
      "null",
      "true",
    ]);
    assertEquals(["a", "$b1", "a-b", "1", "é"].map(propertyKey), [
      "a",
      "$b1",
      '"a-b"',
      '"1"',
      '"é"',
    ]);
    assertEquals(propertyOf("this", "a"), "this.a");
  });
});

describe("comments", () => {
  it("cannot be ended, begin a tag or hide characters", () => {
    for (const value of [...hostile, "@deprecated", "{@link x}", "```\n@see\n```", "/**", "//"]) {
      for (const tags of [[], [["example", value] as const, ["default", value] as const]]) {
        const printed = printComment({ text: value, tags }, 2);
        assertEquals(printed.replace(/\*\/\n$/, "").includes("*/"), false);
        assert(
          /^[^\p{C}\u2028\u2029]*$/u.test(printed.replaceAll("\n", "")),
          JSON.stringify(printed),
        );
        assertEquals(new Function(`${printed}\nreturn 1`)(), 1);
        const own = printed.match(/^ +\*? ?@\w+/gm) ?? [];
        assert(own.every((each) => /@(?:example|default)$/.test(each)), printed);
      }
    }
  });

  it("keep what Markdown needs, and wrap the rest", () => {
    const long = "word ".repeat(30).trim();
    const markdown = [
      "First line",
      "second line.",
      "",
      "",
      `- ${long}`,
      "  continued",
      "- two",
      "",
      `> ${long}`,
      "",
      "| a | b |",
      "|---|---|",
      "```ts",
      `const x = "${long}";`,
      "",
      "",
      "```",
      "",
      "    indented code stays",
      "",
      "# Heading",
      "1. one",
      `2. ${long}`,
    ].join("\n");
    const words = (count: number) => "word ".repeat(count).trim();
    assertEquals(printComment({ text: markdown, tags: [["deprecated", ""]] }, 0).split("\n"), [
      "/**",
      " * First line second line.",
      " *",
      ` * - ${words(19)}`,
      ` *   ${words(11)} continued`,
      " * - two",
      " *",
      ` * > ${words(19)}`,
      ` * > ${words(11)}`,
      " *",
      " * | a | b |",
      " * |---|---|",
      " * ```ts",
      ` * const x = "${long}";`,
      " *",
      " *",
      " * ```",
      " *",
      " *     indented code stays",
      " *",
      " * # Heading",
      " * 1. one",
      ` * 2. ${words(19)}`,
      ` *    ${words(11)}`,
      " *",
      " * @deprecated",
      " */",
      "",
    ]);
  });

  it("are on one line if they fit there", () => {
    const fits = "x".repeat(WIDTH - "  /**  */".length);
    assertEquals(printComment({ text: fits, tags: [] }, 2), `  /** ${fits} */\n`);
    assertEquals(printComment({ text: `${fits}x`, tags: [] }, 2).split("\n").length, 4);
    assertEquals(printComment({ text: "", tags: [["default", "1"]] }, 0), "/** @default 1 */\n");
    assertEquals(printComment(none, 0), "");
    // An open fence would take in the tags.
    assertEquals(
      printComment({ text: "```\ncode", tags: [["see", "x"]] }, 0),
      "/**\n * ```\n * code\n * ```\n *\n * @see x\n */\n",
    );
  });
});

describe("types", () => {
  const literals: Type = {
    kind: "union",
    members: ["small", "large", "gigantic", "tiny"].map((value) => ({ kind: "literal", value })),
  };
  const cases: readonly (readonly [type: Type, printed: string])[] = [
    [{ kind: "array", items: { kind: "union", members: [text, empty] } }, "(string | null)[]"],
    [{ kind: "array", items: { kind: "array", items: text } }, "string[][]"],
    [{ kind: "tuple", items: [text], rest: { kind: "number" } }, "[string, ...number[]]"],
    [
      { kind: "union", members: [text, { kind: "openString" }] },
      "string | (string & Record<never, never>)",
    ],
    [
      {
        kind: "intersection",
        members: [{ kind: "union", members: [text, empty] }, object({ a: text })],
      },
      "(string | null) & { a: string }",
    ],
    [{ kind: "object", properties: [], additional: text }, "Record<string, string>"],
    [
      { kind: "object", properties: [], additional: { kind: "reference", name: "Tree" } },
      "{ [key: string]: Tree }",
    ],
    [{ kind: "date" }, "Date"],
    [{ kind: "file" }, "Blob"],
    [{ kind: "bigint" }, "bigint"],
  ];
  it("are on one line if they fit there", () => {
    for (const [type, printed] of cases) assertEquals(printType(type), printed);
  });

  it("are on several lines if they do not fit, or have comments", () => {
    assertEquals(
      printType(literals, { used: 80 }),
      '\n  | "small"\n  | "large"\n  | "gigantic"\n  | "tiny"',
    );
    assertEquals(
      printType({
        kind: "union",
        members: [object({ a: text }, { text: "An a.", tags: [] }), empty],
      }),
      "{\n  /** An a. */\n  a: string;\n} | null",
    );
    assertEquals(
      printType({ kind: "array", items: literals }, { indent: 2, used: 80 }),
      '(\n    "small" | "large" | "gigantic" | "tiny"\n  )[]',
    );
  });

  it("are declared as interfaces if they have properties", () => {
    const declare = (type: Type): string => printDeclaration({ name: "A", type, comment: none });
    assertEquals(declare(object({ a: text })), "export interface A {\n  a: string;\n}\n");
    assertEquals(
      declare({ ...object({ a: text }), extends: ["B", "C"] } as Declaration["type"]),
      "export interface A extends B, C {\n  a: string;\n}\n",
    );
    assertEquals(declare(literals), 'export type A = "small" | "large" | "gigantic" | "tiny";\n');
    assertEquals(declare(object({})), "export type A = Record<string, never>;\n");
    const many: Type = { kind: "array", items: object({ [`long_${"x".repeat(90)}`]: text }) };
    assertEquals(declare(many), `export type A = {\n  long_${"x".repeat(90)}: string;\n}[];\n`);
  });
});
