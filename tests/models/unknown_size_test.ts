import { assertEquals, describe, it } from "#test";
import { element, elements, model, record, string, text, toXml } from "../../src/models/mod.ts";
import { assertLinearGrowth } from "../support/linear_time.ts";

const none = { declaration: false } as const;
const keep = { unknown: "keep" } as const;
const optional = { optional: true } as const;

describe("the size of unknown content", () => {
  class Rows extends model("rows", {
    rows: elements(string, { tag: "row" }),
    said: element(string, optional),
    map: element(record(string), optional),
  }, keep) {}
  class Mixed
    extends model("mixed", { said: text(string), bold: elements(string, { tag: "b" }) }, keep) {}

  const sizes: readonly (readonly [string, (count: number) => string])[] = [
    ["elements", (count) => `<rows>${"<x/>".repeat(count)}</rows>`],
    [
      "attributes",
      (count) => `<rows ${Array.from({ length: count }, (_, index) => `a${index}=""`).join(" ")}/>`,
    ],
    [
      "elements between declared ones",
      (count) => `<rows>${"<x/><row>a</row>".repeat(count)}</rows>`,
    ],
    [
      "attributes of declared elements",
      (count) => `<rows>${'<row a="1">x</row>'.repeat(count)}</rows>`,
    ],
    ["texts", (count) => `<rows>${"text<x/>".repeat(count)}</rows>`],
    ["formatted elements", (count) => `<rows>${"\n  <x/>\n  <row/>".repeat(count)}</rows>`],
    [
      "attributes of members of a record",
      (count) =>
        `<rows><map>${
          Array.from({ length: count }, (_, index) => `<m${index} a="1"/>`).join("")
        }</map></rows>`,
    ],
  ];
  for (const [name, xmlOf] of sizes) {
    it(`takes linear time to read, copy and write: ${name}`, async () => {
      const run = async (count: number) => {
        const rows = await Rows.fromXml(xmlOf(count));
        toXml(rows);
        toXml(Rows.of({ ...rows, rows: [...rows.rows, "new"] }), { indent: true });
      };
      await assertLinearGrowth(run, 2_000, 20_000);
    });
  }

  it("takes linear time to read and write in mixed content", async () => {
    const run = async (count: number) => {
      const xml = `<mixed>${"one<x/>two<b>three</b>".repeat(count)}</mixed>`;
      const mixed = await Mixed.fromXml(xml);
      assertEquals(toXml(mixed, none), xml);
    };
    await assertLinearGrowth(run, 2_000, 20_000);
  });

  it("may be 200,000 elements", async () => {
    const xml = `<rows>${"<x/>".repeat(200_000)}</rows>`;
    assertEquals(toXml(await Rows.fromXml(xml), none), xml);
  });
});
