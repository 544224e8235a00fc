import { assertRejects, assertThrows, describe, it } from "#test";
import { ModelError } from "../../src/errors/model_error.ts";
import { attr, date, element, elements, integer, model, string } from "../../src/models/mod.ts";
import { assertLinearGrowth } from "../support/linear_time.ts";

class Row extends model("row", {
  id: attr(integer),
  name: element(string),
  note: element(string),
}) {}
class Rows extends model("rows", { rows: elements(Row) }) {}

describe("the time to decode a document", () => {
  const sizes: readonly (readonly [string, (count: number) => string])[] = [
    ["elements", (count) => `<rows>${"<x/>".repeat(count)}</rows>`],
    ["attributes", (count) => {
      const names = Array.from({ length: count }, (_, index) => `a${index}=""`);
      return `<rows ${names.join(" ")}/>`;
    }],
    ["attributes with prefixes", (count) => {
      const names = Array.from({ length: count }, (_, index) => `p:a${index}=""`);
      return `<rows xmlns:p="u" ${names.join(" ")}/>`;
    }],
    ["declarations of namespaces", (count) => {
      const names = Array.from({ length: count }, (_, index) => `xmlns:p${index}="u${index}"`);
      return `<rows ${names.join(" ")}>${"<p1:x xmlns:p2='v'/>".repeat(count)}</rows>`;
    }],
    ["minified attributes", (count) => `<rows>${'<x a="1" b="2"/>'.repeat(count)}</rows>`],
    [
      "minified declarations of namespaces",
      (count) => `<rows>${'<p:x xmlns:p="u" p:a="1"/>'.repeat(count)}</rows>`,
    ],
    ["entities", (count) => `<rows>${"&amp;".repeat(count)}</rows>`],
    [
      "references that CDATA sections contain",
      (count) => `<rows>${"<![CDATA[&valueOf;]]>".repeat(count)}</rows>`,
    ],
    ["CDATA sections", (count) => `<rows>${"<![CDATA[x]]>".repeat(count)}</rows>`],
    ["comments", (count) => `<rows>${"<!-- x -->".repeat(count)}</rows>`],
    ["line breaks", (count) => `<rows>${"\r\n".repeat(count)}</rows>`],
  ];
  for (const [name, xmlOf] of sizes) {
    it(`is linear in the number of ${name}`, async () => {
      await assertLinearGrowth((count) => Rows.fromXml(xmlOf(count)), 4_000, 40_000);
    });
  }

  it("is linear in the number of spaces in a value", async () => {
    class Dated extends model("dated", { at: element(date), count: element(integer) }) {}
    const read = (count: number) => {
      const value = `2026-11-20${" ".repeat(count)}x`;
      assertThrows(() => Dated.fromJson(JSON.stringify({ at: value, count: 1 })), ModelError);
      const xml = `<dated><at>2026-11-20</at><count>${value}</count></dated>`;
      return assertRejects(() => Dated.fromXml(xml), ModelError);
    };
    await assertLinearGrowth(read, 2000, 200_000);
  });

  it("is linear in the number of issues", async () => {
    const xml = (count: number) => `<rows>${"<row/>\n".repeat(count)}</rows>`;
    const read = (count: number) => assertRejects(() => Rows.fromXml(xml(count)), ModelError);
    await assertLinearGrowth(read, 2000, 20_000);
  });
});
