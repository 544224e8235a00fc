import { assertEquals, describe, it } from "#test";
import type { ServerResponse } from "node:http";
import { silentLogger } from "../../../src/testing/mod.ts";
import { json, startLiveSdk } from "../support/live_sdk.ts";

const text = { type: "string" };
const count = { type: "integer" };
const items = { type: "array", items: { type: "object", properties: { id: count } } };
const object = (properties: object) => ({ type: "object", properties });

/** A kind of list: its query, its result, and how its server answers. */
interface Kind {
  readonly query: Readonly<Record<string, object>>;
  readonly result: object;
  readonly header?: string;
  /** Answers with a part of the boats. */
  readonly answer: (query: URLSearchParams, response: ServerResponse) => void;
  /** The queries of the requests. */
  readonly queries: readonly string[];
}

const boats = [1, 2, 3, 4, 5].map((id) => ({ id }));

/** Returns two boats from a place on. */
function boatsAt(start: number): typeof boats {
  return boats.slice(start, start + 2);
}

/** Returns the place of the page that a token names, and the token of the next one. */
function pageAt(token: string | null): readonly [typeof boats, next: string | undefined] {
  const start = Number((token ?? "t0").slice(1));
  return [boatsAt(start), start + 2 < boats.length ? `t${start + 2}` : undefined];
}

const kinds: Readonly<Record<string, Kind>> = {
  "SCIM, whose index begins with 1": {
    query: { startIndex: count, count },
    result: object({ Resources: items, totalResults: count, itemsPerPage: count }),
    answer(query, response) {
      const start = Number(query.get("startIndex") ?? 1);
      json(response, 200, { Resources: boatsAt(start - 1), totalResults: 5, itemsPerPage: 2 });
    },
    queries: ["", "?startIndex=3", "?startIndex=5"],
  },
  "an index that begins with 0, and the number of all records": {
    query: { startIndex: count, limit: count },
    result: object({ Items: items, TotalRecordCount: count }),
    answer(query, response) {
      const start = Number(query.get("startIndex") ?? 0);
      json(response, 200, { Items: boatsAt(start), TotalRecordCount: 5 });
    },
    queries: ["", "?startIndex=2", "?startIndex=4"],
  },
  "an offset that is a string": {
    query: { offset: text, limit: text },
    result: object({ data: items, total: count }),
    answer(query, response) {
      json(response, 200, { data: boatsAt(Number(query.get("offset") ?? 0)), total: 5 });
    },
    queries: ["", "?offset=2", "?offset=4"],
  },
  "a token in the envelope of the items": {
    query: { NextToken: text },
    result: object({ payload: object({ boats: items, NextToken: text }), errors: items }),
    answer(query, response) {
      const [found, NextToken] = pageAt(query.get("NextToken"));
      json(response, 200, { payload: { boats: found, NextToken } });
    },
    queries: ["", "?NextToken=t2", "?NextToken=t4"],
  },
  "a pagination token": {
    query: { paginationToken: text },
    result: object({ boats: items, pagination: object({ nextToken: text }) }),
    answer(query, response) {
      const [found, nextToken] = pageAt(query.get("paginationToken"));
      json(response, 200, { boats: found, pagination: { nextToken } });
    },
    queries: ["", "?paginationToken=t2", "?paginationToken=t4"],
  },
  "a cursor in a header": {
    query: { cursor: text },
    result: items,
    header: "X-Next-Cursor",
    answer(query, response) {
      const [found, next] = pageAt(query.get("cursor"));
      if (next !== undefined) response.setHeader("X-Next-Cursor", next);
      json(response, 200, found);
    },
    queries: ["", "?cursor=t2", "?cursor=t4"],
  },
};

function documentOf({ query, result, header }: Kind): Readonly<Record<string, unknown>> {
  return {
    paths: {
      "/boats": {
        get: {
          tags: ["boats"],
          operationId: "list",
          parameters: Object.entries(query).map(([name, schema]) => ({
            name,
            in: "query",
            schema,
          })),
          responses: {
            200: {
              description: "",
              headers: header === undefined ? {} : { [header]: { schema: text } },
              content: { "application/json": { schema: result } },
            },
          },
        },
      },
    },
  };
}

describe("a generated list", () => {
  for (const [name, kind] of Object.entries(kinds)) {
    it(`reads all pages of ${name}`, async () => {
      const live = await startLiveSdk(documentOf(kind), {}, ({ url }, response) => {
        kind.answer(new URL(url, "http://localhost").searchParams, response);
      });
      try {
        const { boats: endpoint } = live.client({ logger: silentLogger });
        const pages = endpoint!["list"]!() as unknown as { collect(): Promise<unknown[]> };
        assertEquals(await pages.collect(), boats);
        assertEquals(live.requests.map(({ url }) => url.replace("/boats", "")), kind.queries);
      } finally {
        await live.stop();
      }
    });
  }
});
