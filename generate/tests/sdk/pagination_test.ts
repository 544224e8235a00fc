import { assert, assertEquals, assertThrows, describe, it } from "#test";
import { ShapeError } from "../../src/base/errors.ts";
import type { PageShape } from "../../src/sdk/shape.ts";
import { readStainless } from "../../src/sdk/config.ts";

type Json = Readonly<Record<string, unknown>>;

const property = (purpose: string, others: Json = {}): Json => ({
  type: "string",
  "x-stainless-pagination-property": { purpose, ...others },
});
const LIST = { type: "array", items: { type: "object" } };

function pageOf(scheme: Json): PageShape | undefined {
  const name = "boat_page";
  return readStainless(JSON.stringify({ pagination: [{ name, ...scheme }] })).shape.pages.get(name);
}

describe("the pagination of stainless.yml", () => {
  it("has a rule for each type, by the purposes of parameters and fields", () => {
    const cases: readonly (readonly [scheme: Json, rule: PageShape["rule"]])[] = [
      [
        {
          type: "cursor",
          request: { after: property("next_cursor_param") },
          response: { data: LIST, last: property("next_cursor_field") },
        },
        { kind: "cursor", param: "after", field: "last" },
      ],
      [
        {
          type: "cursor",
          request: { limit: { type: "integer" }, after: property("next_cursor_param") },
          response: {
            data: LIST,
            meta: {
              type: "object",
              properties: {
                last: property("next_cursor_field"),
                more: property("has_next_page"),
              },
            },
          },
        },
        { kind: "cursor", param: "after", field: "meta.last", hasMore: "meta.more" },
      ],
      [
        {
          type: "cursor",
          request: { after: property("next_cursor_param") },
          response: {
            data: LIST,
            next: property("next_cursor_field", { from_header: "X-Next" }),
          },
        },
        { kind: "cursor", param: "after", field: { header: "X-Next" } },
      ],
      [
        {
          type: "cursor_id",
          request: { since: property("next_cursor_id_param") },
          response: {
            data: {
              type: "array",
              items: { type: "object", properties: { key: property("cursor_item_id") } },
            },
            has_more: property("has_next_page"),
          },
        },
        { kind: "cursor", param: "since", field: { lastItem: "key" }, hasMore: "has_more" },
      ],
      [
        { type: "cursor_id", request: { after: { type: "string" } }, response: { data: LIST } },
        { kind: "cursor", param: "after", field: { lastItem: "id" } },
      ],
      [
        {
          type: "cursor_url",
          request: {},
          response: { results: LIST, following: property("cursor_url_field") },
        },
        { kind: "nextUrl", field: "following" },
      ],
      [
        {
          type: "page_number",
          request: { p: property("page_number_param") },
          response: {
            items: LIST,
            page: property("current_page_number_field"),
            pages: property("total_page_count_field"),
          },
        },
        { kind: "pageNumber", param: "p", pages: "pages" },
      ],
      [
        { type: "page_number", request: { page: "integer" }, response: { items: LIST } },
        { kind: "pageNumber", param: "page" },
      ],
      [
        {
          type: "offset",
          request: { skip: property("offset_count_param") },
          response: {
            items: LIST,
            start: property("offset_count_start_field"),
            total: property("offset_total_count_field"),
          },
        },
        { kind: "offset", param: "skip", total: "total" },
      ],
      [
        { type: "offset", request: { offset: {} }, response: { items: LIST } },
        { kind: "offset", param: "offset" },
      ],
      [
        {
          type: "offset",
          request: { skip: { "x-stainless-pagination-property": "offset_count_param" } },
          response: { items: LIST },
        },
        { kind: "offset", param: "skip" },
      ],
      [{ type: "fake_page", request: {}, response: { data: LIST } }, undefined],
    ];
    for (const [scheme, rule] of cases) {
      const page = pageOf(scheme);
      assert(page !== undefined, JSON.stringify(scheme));
      assertEquals(page.rule, rule, JSON.stringify(scheme));
    }
  });

  it("has the places of the items and of the parameters", () => {
    const request = { cursor: {} };
    const next_cursor = { type: "string" };
    const cases: readonly (readonly [
      scheme: Json,
      page: readonly [items: string | undefined, place: string, fields: string],
    ])[] = [
      [{ response: { next_cursor, data: LIST } }, ["data", "query", "next_cursor data"]],
      [
        { response: { next_cursor, tags: LIST, rows: { ...LIST, ...property("items") } } },
        ["rows", "query", "next_cursor tags rows"],
      ],
      [
        { response: { next_cursor, result: { type: "object", properties: { rows: LIST } } } },
        ["result.rows", "query", "next_cursor result result.rows"],
      ],
      [
        {
          param_location: "body",
          response: {
            rows: {
              type: "array",
              "x-stainless-pagination-property": { is_top_level_array: true },
            },
            next: property("next_cursor_field", { from_header: "X-Next" }),
          },
        },
        ["", "body", ""],
      ],
      [{ response: { next_cursor } }, [undefined, "query", "next_cursor"]],
    ];
    for (const [scheme, [items, place, fields]] of cases) {
      const page = pageOf({ type: "cursor", request, ...scheme })!;
      assertEquals([page.items, page.in], [items, place], JSON.stringify(scheme));
      assertEquals([page.fields.join(" "), page.parameters], [fields, ["cursor"]]);
    }
  });

  it("can be a single page class without a name", () => {
    const pagination = { type: "offset", request: { offset: {} }, response: { items: LIST } };
    const { pages } = readStainless(JSON.stringify({ pagination })).shape;
    assertEquals([...pages.keys()], ["page"]);
  });

  it("reports a page class without the parts of its type, and leaves it out", () => {
    for (const type of ["cursor", "cursor_id", "cursor_url", "page_number", "offset"]) {
      const config = readStainless(
        JSON.stringify({ pagination: [{ name: "odd", type, request: {}, response: {} }] }),
      );
      assertEquals(config.shape.pages.size, 0);
      assertEquals(config.problems().map(({ message }) => message), [
        'the page class "odd" states no parameter or field for its type',
      ]);
    }
  });

  it("lists the purposes that have no effect", () => {
    const config = readStainless(JSON.stringify({
      pagination: {
        type: "cursor_id",
        request: {
          after: property("next_cursor_id_param"),
          before: property("previous_cursor_id_param"),
        },
        response: { data: LIST },
      },
    }));
    assertEquals(config.ignored.map(({ key, lost }) => `${key}: ${lost}`), [
      "pagination.request.*.x-stainless-pagination-property.purpose (previous_cursor_id_param): client",
    ]);
  });

  it("is refused with its place if a setting has a wrong form", () => {
    const cases: readonly (readonly [pagination: unknown, message: string])[] = [
      [7, "pagination must be an object, not 7"],
      [[{ name: "a" }], "must be a page class with a type: cursor, cursor_id"],
      [[{ name: "a", type: "keyset" }], "must be one of cursor, cursor_id"],
      [[{ name: "a b", type: "cursor" }], "must be a name without spaces and quotes"],
      [{ type: "cursor", request: [] }, "pagination.request must be an object, not []"],
      [{ type: "cursor", request: {}, param_location: "path" }, "must be one of query, body"],
      [
        { type: "cursor", response: { a: property("items", { from_header: "a b" }) } },
        "must be the name of a header",
      ],
    ];
    for (const [pagination, message] of cases) {
      const text = JSON.stringify({ pagination });
      const error = assertThrows(() => readStainless(text), ShapeError, undefined, text);
      assert(error.message.includes(message), error.message);
    }
  });
});
