import { assert, assertEquals, assertRejects, assertThrows, describe, it } from "#test";
import { ModelError } from "../../src/errors/model_error.ts";
import { RestwrightError } from "../../src/errors/base_error.ts";
import {
  attr,
  date,
  element,
  elements,
  type Fields,
  integer,
  Model,
  model,
  number,
  string,
} from "../../src/models/mod.ts";

class Item extends model("item", {
  id: attr(integer),
  price: element(number),
  added: element(date, { tag: "pubDate", json: "pub_date" }),
}) {}
class Shop extends model("shop", { name: element(string), items: elements(Item) }) {}

class Chain extends Model {
  declare readonly id: number;
  declare readonly next?: Chain;
  static override readonly tag: string = "chain";
  static override readonly fields: Fields<Chain> = {
    id: attr(integer),
    next: element(() => Chain, { optional: true }),
  };
}

const xml = `<?xml version="1.0"?>
<shop>
  <item id="1"><price>1.50</price><pubDate>2026-11-20</pubDate></item>
  <item id="two">
    <price>a lot</price>
    <pubDate>yesterday</pubDate>
  </item>
  <item><price>2</price><pubDate>2026-11-20</pubDate></item>
</shop>`;

describe("the error for a document that does not match its model", () => {
  it("reports every issue with its path, line and column in XML", async () => {
    const error = await assertRejects(() => Shop.fromXml(xml), ModelError);
    assert(error instanceof RestwrightError);
    assertEquals(
      error.issues.map(({ where, line, column, expected }) => [where, line, column, expected]),
      [
        ["/shop/item[2]/@id", 4, 3, "a whole number"],
        ["/shop/item[2]/price", 5, 5, "a number"],
        ["/shop/item[2]/pubDate", 6, 5, "a date such as 2026-11-20 or 2026-11-20T10:00:00Z"],
        ["/shop/item[3]/@id", 8, 3, "a whole number"],
        ["/shop/name", 2, 1, "a string"],
      ],
    );
    assertEquals(
      error.message,
      `Shop cannot be read from XML: 5 problems
  /shop/item[2]/@id (line 4, column 3): expected a whole number, but it is "two"
  /shop/item[2]/price (line 5, column 5): expected a number, but it is "a lot"
  /shop/item[2]/pubDate (line 6, column 5): expected a date such as 2026-11-20 or 2026-11-20T10:00:00Z, but it is "yesterday"
  /shop/item[3]/@id (line 8, column 3): expected a whole number, but it is missing
  /shop/name (line 2, column 1): expected a string, but it is missing`,
    );
  });

  it("reports every issue with its path in JSON", () => {
    const json = {
      name: 7,
      items: [{ id: 1, price: 2, pub_date: "2026-11-20" }, null, { id: "1" }],
    };
    const error = assertThrows(() => Shop.fromJson(json), ModelError);
    assertEquals(
      error.message,
      `Shop cannot be read from JSON: 5 problems
  name: expected a string, but it is 7
  items[1]: expected an object (Item), but it is null
  items[2].id: expected a whole number, but it is "1"
  items[2].price: expected a number, but it is missing
  items[2].pub_date: expected a date such as 2026-11-20 or 2026-11-20T10:00:00Z, but it is missing`,
    );
    assertEquals(error.issues[2]?.path, ["items", 2, "id"]);
    assertEquals([error.model, error.count], ["Shop", 5]);
  });

  it("shows five issues and the number of the others, has a hundred, and counts all", async () => {
    const json = { name: "x", items: Array.from({ length: 1000 }, () => ({})) };
    const error = assertThrows(() => Shop.fromJson(json), ModelError);
    assertEquals([error.issues.length, error.count], [100, 3000]);
    assertEquals(error.message.split("\n").length, 7);
    assert(error.message.endsWith("\n  and 2995 more"), error.message);
    const items = "<item/>".repeat(1000);
    const other = await assertRejects(() => Shop.fromXml(`<shop>${items}</shop>`), ModelError);
    assertEquals([other.issues.length, other.count], [100, 3001]);
  });

  it("shows a short excerpt of a long string, on one line", () => {
    const json = {
      name: "x",
      items: [{ id: 1, price: `${"a\n".repeat(500)}`, pub_date: "2026-11-20" }],
    };
    const { message } = assertThrows(() => Shop.fromJson(json), ModelError);
    assert(message.length < 250, message);
    assert(message.includes("… (1000 characters)"), message);
    assertEquals(message.split("\n").length, 2);
  });

  it("is serialized as JSON with its issues", () => {
    const error = assertThrows(() => Shop.fromJson({ name: 7 }), ModelError);
    assertEquals(JSON.parse(JSON.stringify(error)), {
      name: "ModelError",
      message: error.message,
      model: "Shop",
      count: 1,
      issues: [
        {
          code: "type",
          path: ["name"],
          where: "name",
          expected: "a string",
          message: "expected a string, but it is 7",
        },
      ],
    });
  });

  it("shortens a very long path, and has all its steps in keys", () => {
    let json: unknown = { id: "x" };
    for (let depth = 0; depth < 60; depth++) json = { id: 1, next: json };
    const [issue] = assertThrows(() => Chain.fromJson(json), ModelError).issues;
    assert(/^next(\.next){7}…(\.next){7}\.id$/.test(issue!.where), issue!.where);
    assertEquals(issue!.path.length, 61);
  });

  for (const json of [null, 7, [], true]) {
    it(`is thrown if the JSON is not an object: ${JSON.stringify(json)}`, () => {
      const error = assertThrows(
        () => Shop.fromJson(json),
        ModelError,
        "expected an object (Shop)",
      );
      assertEquals(error.issues.map(({ where }) => where), [""]);
    });
  }
});
