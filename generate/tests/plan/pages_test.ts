import { assert, assertEquals, assertRejects, assertStringIncludes, describe, it } from "#test";
import { generate, type GenerateOptions, OverridesError } from "../../mod.ts";

/** An operation: its query, the schema of its result, and what else it has. */
interface Parts {
  readonly query?: Readonly<Record<string, object>>;
  readonly body?: object;
  readonly result?: object;
  readonly headers?: readonly string[];
  readonly operation?: object;
  readonly root?: object;
  readonly path?: string;
  readonly method?: string;
}

const text = { type: "string" };
const count = { type: "integer" };
const flag = { type: "boolean" };
const items = { type: "array", items: { type: "object", properties: { id: text } } };
const object = (properties: object) => ({ type: "object", properties });
const json = (schema: object) => ({ content: { "application/json": { schema } } });

function documentOf(
  { query = {}, body, result = items, headers = [], operation, root, path = "/pets", method }:
    Parts,
): string {
  const parameters = Object.entries(query).map(([name, schema]) => ({ name, in: "query", schema }));
  const shown = headers.map((name) => [name, { schema: text }]);
  const whole = {
    tags: ["pets"],
    operationId: "list",
    parameters,
    ...body && { requestBody: json(body) },
    responses: {
      200: { description: "", headers: Object.fromEntries(shown), ...json(result) },
    },
    ...operation,
  };
  return JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Pets", version: "1" },
    servers: [{ url: "https://api.example.com" }],
    ...root,
    paths: { [path]: { [method ?? (body === undefined ? "get" : "post")]: whole } },
  });
}

/** Returns the pages of the operation and the reason, as the report has them, and the problems. */
async function pagesOf(parts: Parts, options: GenerateOptions = {}) {
  const { files, report } = await generate(documentOf(parts), options);
  const [list, ...others] = report.lists;
  assertEquals(others, []);
  const code = files.get("endpoints/pets.ts")!;
  // Each list is announced in the code by its reason; anything else is a plain call.
  assertEquals(code.includes("PagePromise<"), list !== undefined);
  if (list !== undefined) assertStringIncludes(code, `// In pages, by ${list.reason}.\n`);
  return {
    // As JSON, which is the form of the report's file.
    pages: list && JSON.parse(JSON.stringify(list.pages)),
    reason: list?.reason,
    code,
    wholeLists: JSON.parse(JSON.stringify(report.wholeLists)) as typeof report.wholeLists,
    problems: report.problems.map(({ message, action }) => `${message} (${action})`),
  };
}

const byTotal = object({ data: items, total: count });
const numbered = { type: "array", items: object({ number: count }) };

/** Returns an operation whose response has an example, or another media type. */
const answered = (schema: object, example?: object, type = "application/json") => ({
  operation: { responses: { 200: { description: "", content: { [type]: { schema, example } } } } },
});

/** Lists whose paging has usual names: what it is, the document, the settings, and the reason. */
const usual: readonly (readonly [string, Parts, object, string])[] = [
  [
    "a Link header",
    { headers: ["Link"] },
    { next: "linkHeader", items: "" },
    "the response header `Link`",
  ],
  [
    "`cursor` and `next_cursor`",
    { query: { cursor: text }, result: object({ pets: items, next_cursor: text }) },
    { next: "cursor", items: "pets", param: "cursor", field: "next_cursor" },
    "the parameter `cursor` and the field `next_cursor`",
  ],
  [
    "`next` in the request and in the response",
    {
      query: { limit: count, next: text },
      result: object({ pets: items, pagination: object({ count, next: text }) }),
    },
    { next: "cursor", items: "pets", param: "next", field: "pagination.next" },
    "the parameter `next` and the field `pagination.next`",
  ],
  [
    "`after_id` and `afterId`",
    { query: { after_id: text }, result: object({ data: items, afterId: text, hasMore: flag }) },
    { next: "cursor", items: "data", param: "after_id", field: "afterId", hasMore: "hasMore" },
    "the parameter `after_id` and the field `afterId`",
  ],
  [
    "`after_id` and the `afterId` of the last item",
    {
      query: { after_id: text },
      result: object({
        data: { type: "array", items: object({ id: text, afterId: text }) },
        hasMore: flag,
      }),
    },
    { next: "cursor", items: "data", param: "after_id", lastItem: "afterId", hasMore: "hasMore" },
    "the parameter `after_id` and the flag `hasMore`",
  ],
  [
    "a token whose text names the field",
    {
      query: { from: { ...text, description: "A token, from `next_batch` of the page before." } },
      result: object({ pets: items, count, next_batch: text }),
    },
    { next: "cursor", items: "pets", param: "from", field: "next_batch" },
    "the parameter `from` and the field `next_batch`",
  ],
  [
    "the time until which a page goes back",
    {
      query: {
        since: { ...count, description: "Pets that came after this timestamp" },
        until: { ...count, description: "Pets that came before this timestamp" },
      },
      result: object({
        pets: items,
        pagination: object({ next: { ...count, description: "Timestamp of the next page" } }),
      }),
    },
    { next: "cursor", items: "pets", param: "until", field: "pagination.next" },
    "the parameter `until` and the field `pagination.next`",
  ],
  [
    "`next`, which is a URL in the example of the response",
    answered(object({ pets: items, next: text }), { pets: [], next: "/pets?from=4" }),
    { next: "nextUrl", items: "pets", field: "next" },
    "the field `next` with the URL of the next page",
  ],
  [
    "`next`, which is a URL in another example of the document",
    {
      query: { limit: count },
      result: object({ pets: items, next: text }),
      root: { components: { examples: { Cats: { value: { next: "/cats?from=4", cats: [] } } } } },
    },
    { next: "nextUrl", items: "pets", field: "next" },
    "the field `next`, which is a URL in an example of the document",
  ],
  [
    "the links of JSON:API, which its documents need not declare",
    {
      operation: {
        ...answered(object({ data: items }), undefined, "application/vnd.api+json").operation,
        parameters: [{ name: "page[cursor]", in: "query", schema: text }],
      },
    },
    { next: "nextUrl", items: "data", field: "links.next" },
    "the parameter `page[cursor]`, and `links.next` of JSON:API",
  ],
  [
    "`page`, for an array of one of two types",
    { query: { page: count }, result: { oneOf: [items, numbered] } },
    { next: "pageNumber", items: "", param: "page" },
    "the parameter `page`",
  ],
  [
    "a link, for a list in each of two types",
    {
      result: {
        oneOf: [items, numbered].map((data) =>
          object({ data, _links: object({ next: object({ href: text }) }) })
        ),
      },
    },
    { next: "nextUrl", items: "data", field: "_links.next.href" },
    "the field `_links.next.href` with the URL of the next page",
  ],
  [
    "`page`, for the list whose name ends with that of the path",
    {
      query: { page: count },
      path: "/templates",
      result: object({ envelopeTemplates: items, folders: items }),
    },
    { next: "pageNumber", items: "envelopeTemplates", param: "page" },
    "the parameter `page`",
  ],
  [
    "`page`, for the list whose name begins the one of the path",
    {
      query: { page: count },
      path: "/pet-monitoring",
      result: object({ petMonitoringInfoList: items, states: items }),
    },
    { next: "pageNumber", items: "petMonitoringInfoList", param: "page" },
    "the parameter `page`",
  ],
  [
    "`page`, for the list of a path with `.json` at its end",
    { query: { page: count }, path: "/messages.json", result: object({ messages: items }) },
    { next: "pageNumber", items: "messages", param: "page" },
    "the parameter `page`",
  ],
  [
    "the URL of the next page, beside positions and sizes that are texts",
    {
      path: "/folders/{id}",
      result: object({
        ...{ folderItems: items, nextUri: text },
        ...{ startPosition: text, endPosition: text, resultSetSize: text },
      }),
      operation: { parameters: [{ name: "id", in: "path", required: true, schema: text }] },
    },
    { next: "nextUrl", items: "folderItems", field: "nextUri" },
    "the field `nextUri` with the URL of the next page",
  ],
  [
    "`start` beside a size, which the document calls a starting point",
    { query: { start: { ...count, description: "The starting point" }, count } },
    { next: "offset", items: "", param: "start" },
    "the parameter `start`",
  ],
  [
    "a cursor with a flag, in an object of the body",
    {
      query: { limit: count, after: text },
      result: object({
        data: items,
        paging: object({ has_more: flag, cursors: object({ after: text }) }),
      }),
    },
    {
      next: "cursor",
      items: "data",
      param: "after",
      field: "paging.cursors.after",
      hasMore: "paging.has_more",
    },
    "the parameter `after` and the field `paging.cursors.after`",
  ],
  [
    "page tokens",
    { query: { pageToken: text }, result: object({ items, nextPageToken: text }) },
    { next: "cursor", items: "items", param: "pageToken", field: "nextPageToken" },
    "the parameter `pageToken` and the field `nextPageToken`",
  ],
  [
    "the id of the last item",
    { query: { starting_after: text }, result: object({ data: items, has_more: flag }) },
    { next: "cursor", items: "data", param: "starting_after", lastItem: "id", hasMore: "has_more" },
    "the parameter `starting_after` and the flag `has_more`",
  ],
  [
    "a cursor whose text names the header Link",
    { query: { after: { ...text, description: "Obtained from the `Link` response header." } } },
    { next: "linkHeader", items: "" },
    "the response header `Link`, which the text of the parameter `after` names",
  ],
  [
    "a cursor whose text names a header",
    {
      query: {
        cursor: { ...text, description: "See the response headers `X-Pets-Cursor-Next`." },
      },
    },
    { next: "cursor", items: "", param: "cursor", field: { header: "X-Pets-Cursor-Next" } },
    "the parameter `cursor` and the response header `X-Pets-Cursor-Next`",
  ],
  [
    "a cursor whose text names the next link relation",
    { query: { after: { ...text, description: "Obtained through the `next` link relation." } } },
    { next: "linkHeader", items: "" },
    "the response header `Link`, which the text of the parameter `after` names",
  ],
  [
    "a cursor of an array, in a document that names the header Link",
    {
      query: { after: text },
      root: { tags: [{ name: "pets", description: "Lists send a `Link` header." }] },
    },
    { next: "linkHeader", items: "" },
    "the parameter `after` and the response header `Link`, which the document names elsewhere",
  ],
  [
    "the resources of SCIM beside their schemas",
    {
      query: { startIndex: count, count },
      result: object({
        ...{ schemas: { type: "array", items: text }, totalResults: count },
        ...{ startIndex: count, itemsPerPage: count, Resources: items },
      }),
    },
    {
      ...{ next: "offset", items: "Resources", param: "startIndex", total: "totalResults" },
      first: 1,
    },
    "the parameter `startIndex` and the field `totalResults`",
  ],
  [
    "`hits.hits` of Elasticsearch",
    {
      query: { from: { ...count, description: "The starting offset" }, size: count },
      result: object({ took: count, hits: object({ total: object({}), hits: items }) }),
    },
    { next: "offset", items: "hits.hits", param: "from" },
    "the parameter `from`",
  ],
  [
    "the URL of the next page",
    { result: object({ value: items, "@odata.nextLink": text }) },
    { next: "nextUrl", items: "value", field: "@odata.nextLink" },
    "the field `@odata.nextLink` with the URL of the next page",
  ],
  [
    "the link to the next page in JSON:API",
    {
      query: { "page[number]": count },
      result: object({ data: items, included: items, links: object({ next: text }) }),
    },
    { next: "nextUrl", items: "data", field: "links.next" },
    "the field `links.next` with the URL of the next page",
  ],
  [
    "`page` and `total`",
    { query: { page: count }, result: byTotal },
    { next: "pageNumber", items: "data", param: "page", total: "total" },
    "the parameter `page` and the field `total`",
  ],
  [
    "`page` that counts from 0, and the number of pages",
    {
      query: { page: { ...count, minimum: 0 } },
      result: object({ content: items, totalPages: count }),
    },
    { next: "pageNumber", items: "content", param: "page", pages: "totalPages", first: 0 },
    "the parameter `page` and the field `totalPages`",
  ],
  [
    "`page` and nothing but the array",
    { query: { page: count, size: count } },
    { next: "pageNumber", items: "", param: "page" },
    "the parameter `page`",
  ],
  [
    "`offset` and `limit` with `total`",
    { query: { offset: count, limit: count }, result: byTotal },
    { next: "offset", items: "data", param: "offset", total: "total" },
    "the parameter `offset` and the field `total`",
  ],
  [
    "`skip` with the total in a header",
    { query: { skip: count }, headers: ["X-Total-Count"] },
    { next: "offset", items: "", param: "skip", total: { header: "X-Total-Count" } },
    "the parameter `skip` and the response header `X-Total-Count`",
  ],
  [
    "the index of SCIM, which begins with 1",
    {
      query: { startIndex: count, count },
      result: object({ Resources: items, totalResults: count, itemsPerPage: count }),
    },
    { next: "offset", items: "Resources", param: "startIndex", total: "totalResults", first: 1 },
    "the parameter `startIndex` and the field `totalResults`",
  ],
  [
    "an index beside the number of all records, which begins with 0",
    {
      query: { startIndex: count, limit: count },
      result: object({ Items: items, TotalRecordCount: count, StartIndex: count }),
    },
    { next: "offset", items: "Items", param: "startIndex", total: "TotalRecordCount" },
    "the parameter `startIndex` and the field `TotalRecordCount`",
  ],
  [
    "an offset that begins with 1 by its default",
    { query: { offset: { ...count, default: 1 } } },
    { next: "offset", items: "", param: "offset", first: 1 },
    "the parameter `offset`",
  ],
  [
    "an offset that is a string, beside the number of all items",
    { query: { offset: text, limit: text }, result: byTotal },
    { next: "offset", items: "data", param: "offset", total: "total" },
    "the parameter `offset` and the field `total`",
  ],
  [
    "an offset that is a string of digits",
    { query: { skip: { ...text, pattern: "^[0-9]+$" } } },
    { next: "offset", items: "", param: "skip" },
    "the parameter `skip`",
  ],
  [
    "a page that is a string with a number as its default",
    { query: { page: { ...text, default: "1" } }, result: byTotal },
    { next: "pageNumber", items: "data", param: "page", total: "total" },
    "the parameter `page` and the field `total`",
  ],
  [
    "`from` with a size and the number of all items",
    { query: { from: count, size: count }, result: byTotal },
    { next: "offset", items: "data", param: "from", total: "total" },
    "the parameter `from` and the field `total`",
  ],
  [
    "a token in the envelope of the items",
    {
      query: { NextToken: text },
      result: object({ payload: object({ boats: items, NextToken: text }), errors: items }),
    },
    { next: "cursor", items: "payload.boats", param: "NextToken", field: "payload.NextToken" },
    "the parameter `NextToken` and the field `payload.NextToken`",
  ],
  [
    "a token in an envelope with any name",
    {
      query: { nextToken: text },
      result: object({ ListPetsResult: object({ pets: items, nextToken: text }), ok: flag }),
    },
    {
      next: "cursor",
      items: "ListPetsResult.pets",
      param: "nextToken",
      field: "ListPetsResult.nextToken",
    },
    "the parameter `nextToken` and the field `ListPetsResult.nextToken`",
  ],
  [
    "a token beside the envelope of the items",
    {
      query: { paginationToken: text },
      result: object({
        free: object({ slots: items, until: text }),
        pagination: object({ nextToken: text }),
      }),
    },
    {
      next: "cursor",
      items: "free.slots",
      param: "paginationToken",
      field: "pagination.nextToken",
    },
    "the parameter `paginationToken` and the field `pagination.nextToken`",
  ],
  [
    "`paginationToken` and `pagination.nextToken`",
    {
      query: { pageSize: count, paginationToken: text },
      result: object({ boats: items, pagination: object({ nextToken: text }) }),
    },
    { next: "cursor", items: "boats", param: "paginationToken", field: "pagination.nextToken" },
    "the parameter `paginationToken` and the field `pagination.nextToken`",
  ],
  [
    "a cursor in a header",
    { query: { cursor: text }, headers: ["X-Next-Cursor"] },
    { next: "cursor", items: "", param: "cursor", field: { header: "X-Next-Cursor" } },
    "the parameter `cursor` and the response header `X-Next-Cursor`",
  ],
  [
    "a token in a header with the name of a vendor",
    { query: { continuationToken: text }, headers: ["x-ms-continuationtoken"] },
    {
      next: "cursor",
      items: "",
      param: "continuationToken",
      field: { header: "x-ms-continuationtoken" },
    },
    "the parameter `continuationToken` and the response header `x-ms-continuationtoken`",
  ],
  [
    "the next page in a header",
    { query: { page: text }, headers: ["opc-next-page"] },
    { next: "cursor", items: "", param: "page", field: { header: "opc-next-page" } },
    "the parameter `page` and the response header `opc-next-page`",
  ],
  [
    "the URL of the next page in HAL",
    {
      query: { page: text },
      result: object({
        _embedded: object({ pets: items }),
        _links: object({ next: object({ href: text }) }),
      }),
    },
    { next: "nextUrl", items: "_embedded.pets", field: "_links.next.href" },
    "the field `_links.next.href` with the URL of the next page",
  ],
  [
    "the pages of Spring",
    {
      query: { page: { ...count, default: 0 }, size: count },
      result: object({ content: items, totalPages: count, totalElements: count, number: count }),
    },
    { next: "pageNumber", items: "content", param: "page", pages: "totalPages", first: 0 },
    "the parameter `page` and the field `totalPages`",
  ],
  [
    "`meta.pagination`",
    {
      query: { page: count },
      result: object({ data: items, meta: object({ pagination: object({ total: count }) }) }),
    },
    { next: "pageNumber", items: "data", param: "page", total: "meta.pagination.total" },
    "the parameter `page` and the field `meta.pagination.total`",
  ],
  [
    "`next` beside `previous`",
    { query: { since: text }, result: object({ results: items, next: text, previous: text }) },
    { next: "nextUrl", items: "results", field: "next" },
    "the field `next` with the URL of the next page",
  ],
  [
    "`next` beside `previous`, which are URLs also with the parameter `cursor`",
    { query: { cursor: text }, result: object({ data: items, next: text, previous: text }) },
    { next: "nextUrl", items: "data", field: "next" },
    "the field `next` with the URL of the next page",
  ],
  [
    "a cursor `next` beside `previous`, which the document calls so",
    {
      query: { cursor: text },
      result: object({
        data: items,
        next: { ...text, description: "The cursor of the next page" },
        previous: text,
      }),
    },
    { next: "cursor", items: "data", param: "cursor", field: "next" },
    "the parameter `cursor` and the field `next`",
  ],
  [
    "an offset, for hits beside failures",
    {
      query: { offset: count, limit: count },
      result: object({
        _shards: object({ total: count, failures: items }),
        hits: object({ hits: items }),
      }),
    },
    { next: "offset", items: "hits.hits", param: "offset" },
    "the parameter `offset`",
  ],
  [
    "`page`, for items that have the name of a list beside items",
    { query: { page: count }, path: "/messages/sent", result: object({ messages: items }) },
    { next: "pageNumber", items: "messages", param: "page" },
    "the parameter `page`",
  ],
  [
    "`page`, for items that a verb follows in the path",
    {
      query: { page: count },
      path: "/pets:search",
      result: object({ pets: items, unreachable: items, owners: items }),
    },
    { next: "pageNumber", items: "pets", param: "page" },
    "the parameter `page`",
  ],
  [
    "a cursor in the body of a search",
    { body: object({ text, cursor: text }), result: object({ results: items, next_cursor: text }) },
    { next: "cursor", items: "results", param: "cursor", field: "next_cursor" },
    "the property `cursor` and the field `next_cursor`",
  ],
  [
    "a page in the body of a search, which counts from 0",
    { body: object({ text, page: { ...count, default: 0 } }), result: byTotal },
    { next: "pageNumber", items: "data", param: "page", total: "total", first: 0 },
    "the property `page` and the field `total`",
  ],
  [
    "the list of the path among several arrays",
    { query: { page: count }, result: object({ pets: items, owners: items, errors: items }) },
    { next: "pageNumber", items: "pets", param: "page" },
    "the parameter `page`",
  ],
  [
    "items in an envelope",
    { query: { page: count }, result: object({ data: object({ pets: items, total: count }) }) },
    { next: "pageNumber", items: "data.pets", param: "page", total: "data.total" },
    "the parameter `page` and the field `data.total`",
  ],
];

const noRule = "no parameter, field or header leads to another page";

/** Results that are returned as a whole, with the reason and the override; undefined for no list. */
const plain: readonly (readonly [string, Parts, (readonly [string, object])?])[] = [
  ["a list without a parameter", {}, [noRule, { items: "", next: "linkHeader" }]],
  [
    "a list with a total, but without a parameter",
    { result: byTotal },
    [noRule, { items: "data", next: "linkHeader" }],
  ],
  [
    "a list with a limit alone",
    { query: { limit: count }, result: byTotal },
    [noRule, { items: "data", next: "linkHeader" }],
  ],
  [
    "a page that is a text",
    { query: { page: text }, result: byTotal },
    [
      "the parameter `page` is a string that may be no number",
      { items: "data", next: "pageNumber", param: "page" },
    ],
  ],
  [
    "`next` that is not a URL in the examples, and that no parameter takes",
    answered(object({ data: items, next: text }), { data: [], next: "token" }),
    [noRule, { items: "data", next: "linkHeader" }],
  ],
  [
    "a date `next` to ask for, beside a date `next`",
    {
      query: { next: { ...text, format: "date" } },
      result: object({ data: items, next: { ...text, format: "date" } }),
    },
    [noRule, { items: "data", next: "linkHeader" }],
  ],
  [
    "a time `until`, beside a number `next` that is not a time",
    {
      query: { until: { ...count, description: "A timestamp" } },
      result: object({ data: items, pagination: object({ next: count }) }),
    },
    [noRule, { items: "data", next: "linkHeader" }],
  ],
  [
    "a document of JSON:API without a parameter of paging",
    answered(object({ data: items }), undefined, "application/vnd.api+json"),
    [noRule, { items: "data", next: "linkHeader" }],
  ],
  [
    "a list that only one of two types has",
    { query: { page: count }, result: { oneOf: [object({ data: items }), object({ id: text })] } },
  ],
  [
    // The last page has an id, too.
    "a scroll id",
    {
      query: { scroll_id: text },
      result: object({ _scroll_id: text, hits: object({ hits: items }) }),
    },
    [noRule, { items: "hits.hits", next: "linkHeader" }],
  ],
  [
    "a cursor that no field has",
    { query: { cursor: text }, result: byTotal },
    [
      "the parameter `cursor` is there, but the document has no field or header with the cursor of " +
      "the next page",
      { items: "data", next: "cursor", param: "cursor", field: "FIELD" },
    ],
  ],
  [
    "a start that is a time",
    {
      query: { limit: count },
      result: object({ data: items }),
      operation: {
        parameters: [
          { name: "start", in: "query", description: "In seconds since 1970", schema: count },
          { name: "limit", in: "query", schema: count },
        ],
      },
    },
    [
      "the parameter `start` may be an offset, but the document does not say so, and has no number " +
      "of all items",
      { items: "data", next: "offset", param: "start" },
    ],
  ],
  [
    "`from` without a size",
    { query: { from: count }, result: byTotal },
    [
      "the parameter `from` may be an offset, but the document does not say so, and has no number " +
      "of all items",
      { items: "data", next: "offset", param: "from" },
    ],
  ],
  [
    "a token of the caller without a token of the next page",
    { query: { access_token: text }, result: object({ data: items, token: text }) },
    [noRule, { items: "data", next: "linkHeader" }],
  ],
  [
    "the list of a single resource",
    {
      path: "/pets/{id}",
      result: object({ id: text, urls: items, _metadata: object({ next: { format: "uri" } }) }),
      operation: {
        parameters: [{ name: "id", in: "path", required: true, schema: text }],
      },
    },
    ["the list belongs to a single resource", { items: "urls", next: "linkHeader" }],
  ],
  [
    "the ids in a single resource whose path does not end with its id",
    {
      result: object({
        ...{ id: text, name: text, parent_ids: { type: "array", items: text } },
        _metadata: object({ next: { ...text, format: "uri" } }),
      }),
    },
    ["the list belongs to a single resource", { items: "parent_ids", next: "linkHeader" }],
  ],
  [
    "the list of a single resource beside a cursor that belongs to other lists",
    {
      path: "/pets/{id}",
      query: { cursor: text },
      result: object({
        data: object({ id: text, extras: items }),
        meta: object({ cursors: object({ next: text }) }),
      }),
      operation: {
        parameters: [
          { name: "id", in: "path", required: true, schema: text },
          { name: "cursor", in: "query", schema: text },
        ],
      },
    },
    [
      "the parameter `cursor` is there, but the document has no field or header with the cursor of " +
      "the next page",
      { items: "data.extras", next: "cursor", param: "cursor", field: "FIELD" },
    ],
  ],
  [
    "a list that is turned off",
    { query: { page: count }, operation: { "x-ms-pageable": { nextLinkName: null } } },
    ["the document says that it has one page", { items: "", next: "pageNumber", param: "page" }],
  ],
  ["an object without an array", { query: { page: count }, result: object({ name: text }) }],
  [
    "an object with two arrays",
    { query: { page: count }, result: object({ cats: items, dogs: items }) },
    [
      "no name says which array has the items: `cats`, `dogs`",
      { items: "cats", next: "pageNumber", param: "page" },
    ],
  ],
  ["a search with a page, but without a total", { body: object({ page: count }) }],
  ["a list that PUT returns", { query: { page: count }, method: "put", result: byTotal }],
];

describe("a list", () => {
  for (const [name, parts, pages, reason] of usual) {
    it(`comes in pages by ${name}`, async () => {
      const found = await pagesOf(parts);
      assertEquals([found.pages, found.reason, found.problems], [pages, reason, []]);
    });
  }

  for (const [name, parts, whole] of plain) {
    it(`is a plain call for ${name}`, async () => {
      const { pages, problems, wholeLists } = await pagesOf(parts);
      assertEquals([pages, problems], [undefined, []]);
      const operation = `GET ${(parts.path ?? "/pets").replace(/{.*}/, "{}")}`;
      assertEquals(
        wholeLists,
        whole === undefined ? [] : [{
          operation,
          method: "pets.list",
          reason: whole[0],
          override: { [operation]: { pages: whole[1] } },
        }],
      );
    });
  }

  it("is read by no header whose name no response can have", async () => {
    for (
      const parts of [
        { query: { cursor: text }, headers: ["Next: Cursor"] },
        { query: { cursor: text }, headers: ["Next Cursor\n"] },
        { query: { skip: count }, headers: ["X Total"] },
        { query: { page: count }, headers: ["X Total Pages"] },
      ]
    ) {
      const { pages, code } = await pagesOf(parts);
      assertEquals(JSON.stringify(pages ?? {}).includes("header"), false);
      for (const header of parts.headers) assert(!code.includes(JSON.stringify(header)), code);
    }
  });

  it("comes in pages by the override of the report", async () => {
    const parts = { query: { page: count }, result: object({ cats: items, dogs: items }) };
    const { wholeLists: [whole] } = await pagesOf(parts);
    const set = await pagesOf(parts, { overrides: JSON.stringify(whole!.override) });
    assertEquals(set.pages, { next: "pageNumber", items: "cats", param: "page" });
    assertEquals(set.wholeLists, []);
  });

  it("is a plain call beside a stream", async () => {
    const content = { ...json(byTotal).content, "application/jsonl": {} };
    const operation = { responses: { 200: { description: "", content } } };
    const found = await pagesOf({ query: { page: count }, operation });
    assertEquals(found.pages, undefined);
  });
});

const cursorQuery = { after: text, start: count, size: count };
const envelope = object({
  list: items,
  more: flag,
  meta: object({ next: text, url: text, all: count, pages: count }),
});
const odd: Parts = { query: cursorQuery, result: envelope };

/** The hints of other generators: the extension, the parts, and the settings. */
const hints: readonly (readonly [string, Parts, object])[] = [
  [
    "x-speakeasy-pagination with a cursor",
    {
      operation: {
        "x-speakeasy-pagination": {
          type: "cursor",
          inputs: [{ name: "after", in: "parameters", type: "cursor" }],
          outputs: { nextCursor: "$.meta.next", results: "$.list" },
        },
      },
    },
    { next: "cursor", items: "list", param: "after", field: "meta.next" },
  ],
  [
    "x-speakeasy-pagination with the last item",
    {
      operation: {
        "x-speakeasy-pagination": {
          type: "cursor",
          inputs: [{ name: "after", in: "parameters", type: "cursor" }],
          outputs: { nextCursor: "$.list[-1].id" },
        },
      },
    },
    { next: "cursor", items: "list", param: "after", lastItem: "id" },
  ],
  [
    "x-speakeasy-pagination with page numbers",
    {
      operation: {
        "x-speakeasy-pagination": {
          type: "offsetLimit",
          inputs: [
            { name: "start", in: "parameters", type: "page" },
            { name: "size", in: "parameters", type: "limit" },
          ],
          outputs: { numPages: "$.meta.pages", results: "$.list" },
        },
      },
    },
    { next: "pageNumber", items: "list", param: "start", sizeParam: "size", pages: "meta.pages" },
  ],
  [
    "x-speakeasy-pagination with a URL",
    {
      operation: {
        "x-speakeasy-pagination": { type: "url", outputs: { nextUrl: "$.meta.url" } },
      },
    },
    { next: "nextUrl", items: "list", field: "meta.url" },
  ],
  [
    "x-fern-pagination with a cursor",
    {
      operation: {
        "x-fern-pagination": {
          cursor: "$request.after",
          next_cursor: "$response.meta.next",
          results: "$response.list",
        },
      },
    },
    { next: "cursor", items: "list", param: "after", field: "meta.next" },
  ],
  [
    "x-fern-pagination of the document with an offset",
    {
      operation: { "x-fern-pagination": true },
      root: {
        "x-fern-pagination": {
          offset: "$request.start",
          step: "$request.size",
          results: "$response.list",
        },
      },
    },
    { next: "offset", items: "list", param: "start" },
  ],
  [
    "x-fern-pagination with a page number that counts from 0",
    {
      query: { ...cursorQuery, start: { ...count, default: 0 } },
      operation: {
        "x-fern-pagination": { offset: "$request.start", results: "$response.list" },
      },
    },
    { next: "pageNumber", items: "list", param: "start", first: 0 },
  ],
  [
    "x-fern-pagination with a URL",
    {
      operation: {
        "x-fern-pagination": { next_uri: "$response.meta.url", results: "$response.list" },
      },
    },
    { next: "nextUrl", items: "list", field: "meta.url" },
  ],
  [
    "x-scalar-pagination by a name",
    {
      operation: { "x-scalar-pagination": "numbers" },
      root: {
        "x-scalar-pagination": [{
          name: "numbers",
          type: "offset",
          request: { start: { type: "offset" }, size: { type: "limit" } },
          response: { list: { type: "items" }, all: { type: "total", path: ["meta", "all"] } },
        }],
      },
    },
    { next: "offset", items: "list", param: "start", total: "meta.all" },
  ],
  [
    "x-scalar-pagination with the last item",
    {
      operation: {
        "x-scalar-pagination": {
          type: "cursorId",
          request: { after: { type: "cursorId" } },
          response: {
            list: { type: "items", itemCursor: ["id"] },
            more: { type: "hasMore" },
          },
        },
      },
    },
    { next: "cursor", items: "list", param: "after", lastItem: "id", hasMore: "more" },
  ],
  [
    "x-stainless-pagination-property",
    {
      query: {
        ...cursorQuery,
        after: { ...text, "x-stainless-pagination-property": { purpose: "next_cursor_param" } },
      },
      result: object({
        list: { ...items, "x-stainless-pagination-property": { purpose: "items" } },
        meta: object({
          next: { ...text, "x-stainless-pagination-property": { purpose: "next_cursor_field" } },
        }),
      }),
    },
    { next: "cursor", items: "list", param: "after", field: "meta.next" },
  ],
  [
    "x-ms-pageable",
    {
      result: object({ value: items, more: items, next: text }),
      operation: { "x-ms-pageable": { nextLinkName: "next" } },
    },
    { next: "nextUrl", items: "value", field: "next" },
  ],
  [
    "x-pagination of APIMatic with a cursor",
    {
      operation: {
        "x-pagination": [{
          type: "cursor",
          input: "$request.query#/after",
          output: "$response.body#/meta/next",
          results: "$response.body#/list",
        }],
      },
    },
    { next: "cursor", items: "list", param: "after", field: "meta.next" },
  ],
  [
    "x-pagination of APIMatic with a link",
    {
      operation: {
        "x-pagination": {
          type: "link",
          next: "$response.body#/meta/url",
          results: "$response.body#/list",
        },
      },
    },
    { next: "nextUrl", items: "list", field: "meta.url" },
  ],
];

describe("a hint of another generator", () => {
  for (const [name, parts, pages] of hints) {
    it(`sets the pages: ${name}`, async () => {
      const found = await pagesOf({ ...odd, ...parts });
      const [extension] = name.split(" ");
      assertEquals([found.pages, found.problems], [pages, []]);
      assertEquals(found.reason, `\`${extension}\` in the document`);
    });
  }

  it("turns pages off, which names would have found", async () => {
    for (
      const hint of [
        { "x-ms-pageable": { nextLinkName: null } },
        { "x-scalar-pagination": false },
        { "x-scalar-pagination": { type: "fakePage", request: {}, response: {} } },
        { "x-fern-pagination": false },
      ]
    ) {
      const found = await pagesOf({ query: { page: count }, result: byTotal, operation: hint });
      assertEquals([found.pages, found.problems], [undefined, []]);
    }
  });

  it("is a problem if it does not fit the operation, and the names decide", async () => {
    const cases: readonly (readonly [object, string])[] = [
      [{ "x-speakeasy-pagination": { type: "magic", inputs: [] } }, "is not a rule of paging"],
      [
        { "x-fern-pagination": { cursor: "$request.lost", next_cursor: "$response.total" } },
        'names "lost", which is not declared',
      ],
      [{ "x-ms-pageable": { nextLinkName: "lost", itemName: "data" } }, 'names "lost"'],
      [{
        "x-scalar-pagination": {
          type: "cursor",
          request: { page: { type: "cursor" } },
          response: {
            data: { type: "items" },
            next: { type: "cursor", location: "header", headerName: "Next Page" },
          },
        },
      }, "is not a rule of paging"],
      [{ "x-ms-pageable": { nextLinkName: "total" } }, "does not lead to a list"],
      [{
        "x-speakeasy-pagination": {
          inputs: [{ name: "page", in: "requestBody", type: "page" }],
          outputs: { results: "$.data" },
        },
      }, "names a parameter that is not in the query"],
    ];
    for (const [operation, message] of cases) {
      const found = await pagesOf({ query: { page: count }, result: byTotal, operation });
      assertEquals(found.reason, "the parameter `page` and the field `total`");
      assertEquals(found.problems.length, 1);
      assertStringIncludes(found.problems[0]!, message);
      assertStringIncludes(found.problems[0]!, "(taken as if it were not there)");
    }
  });

  it("is left alone if it only has the name of one", async () => {
    for (const hint of [{ style: "cursor" }, [{ scheme: "pages" }], true]) {
      const found = await pagesOf({ operation: { "x-pagination": hint } });
      assertEquals([found.pages, found.problems], [undefined, []]);
    }
  });
});

describe("the text of a parameter", () => {
  const described = (description: string, name = "cursor", schema: object = text) => ({
    query: { [name]: { ...schema, description } },
  });

  it("names a header by more than ordinary words", async () => {
    for (const words of ["next-page cursor", "next-token", "pagination-token", "next-cursor"]) {
      const { pages } = await pagesOf(described(`The ${words}, from the header of the response.`));
      assertEquals(pages, undefined);
      const linked = await pagesOf(described(`The ${words}, from the \`Link\` header.`));
      assertEquals(linked.pages, { next: "linkHeader", items: "" });
    }
    for (const header of ["`next-cursor`", "X-Next-Cursor", "x-next-cursor", "Next-Cursor"]) {
      const { pages } = await pagesOf(described(`The value of the header ${header}.`));
      const field = { header: header.replaceAll("`", "") };
      assertEquals(pages, { next: "cursor", items: "", param: "cursor", field });
    }
  });

  it("can deny a header", async () => {
    const denials = [
      "There is no `Link` header: read until a page is empty.",
      "Lists do not send a `Link` header.",
      "Unlike others, this list doesn't have a Link response header.",
      "The `Link` header is not sent.",
      "The Link header isn't there yet.",
    ];
    for (const description of denials) {
      const page = await pagesOf(described(description, "page", count));
      assertEquals(page.pages, { next: "pageNumber", items: "", param: "page" });
      const cursor = await pagesOf(described(description));
      assertEquals(cursor.pages, undefined);
    }
    const header = await pagesOf(described("There is no header `X-Next-Cursor`."));
    assertEquals(header.pages, undefined);
  });

  it("is of no cursor if the parameter is required, or a date", async () => {
    const root = { tags: [{ name: "pets", description: "Lists send a `Link` header." }] };
    const token = { name: "token", in: "query", schema: text };
    const cases: readonly (readonly [object, string | undefined])[] = [
      [token, "linkHeader"],
      [{ ...token, required: true }, undefined],
      [{ ...token, name: "after", schema: { ...text, format: "date-time" } }, undefined],
    ];
    for (const [parameter, next] of cases) {
      const { pages } = await pagesOf({ operation: { parameters: [parameter] }, root });
      assertEquals((pages as { readonly next: string } | undefined)?.next, next);
    }
  });

  it("can deny something else beside a header", async () => {
    const statements = [
      "Not a number. Comes from the `Link` header.",
      "If there are no more pages, the `Link` header has none.",
      "When a page follows, the `Link` header names it.",
      "Where the `Link` header is, a page follows.",
      "Not in the body, but in the `Link` header.",
      "Do not build it yourself: follow the `Link` header.",
    ];
    for (const description of statements) {
      const { pages } = await pagesOf(described(description));
      assertEquals(pages, { next: "linkHeader", items: "" });
    }
  });
});

describe("a file of overrides", () => {
  const overrides = (pages: unknown, key = "GET /pets") => ({
    overrides: JSON.stringify({ [key]: { pages } }),
  });
  const found: Parts = { query: { page: count }, result: byTotal };

  it("turns pages off", async () => {
    assertEquals((await pagesOf(found, overrides(false))).pages, undefined);
  });

  it("sets pages, and wins over hints and names", async () => {
    const hint = { operation: { "x-ms-pageable": { nextLinkName: "total", itemName: "data" } } };
    const pages = { next: "pageNumber", items: "data", param: "page", sizeParam: "page", first: 0 };
    for (const parts of [found, { ...found, ...hint }]) {
      const set = await pagesOf(parts, overrides(pages));
      assertEquals([set.pages, set.reason, set.problems], [pages, "the file of overrides", []]);
      assertStringIncludes(set.code, 'next: pageNumber("page", { sizeParam: "page", first: 0 })');
    }
  });

  it("takes each rule, as the report shows it", async () => {
    const rules: readonly object[] = [
      { next: "linkHeader", items: "list" },
      { next: "nextUrl", items: "list", field: "meta.url" },
      { next: "nextUrl", items: "list", field: { header: "X-Next" } },
      { next: "cursor", items: "list", param: "after", field: "meta.next", hasMore: "more" },
      { next: "cursor", items: "list", param: "after", lastItem: "id" },
      { next: "offset", items: "list", param: "start", limitParam: "size", total: "meta.all" },
      { next: "pageNumber", items: "list", param: "start", pages: "meta.pages", first: 1 },
    ];
    for (const pages of rules) {
      const set = await pagesOf(odd, overrides(pages));
      assertEquals([set.pages, set.problems], [pages, []]);
    }
  });

  it("finds the items, if it leaves them out, and the number of the first page", async () => {
    const parts = { query: { start: { ...count, minimum: 0 } }, result: envelope };
    const set = await pagesOf(parts, overrides({ next: "pageNumber", param: "start" }));
    assertEquals(set.pages, { next: "pageNumber", items: "list", param: "start", first: 0 });
  });

  it("names what the document does not declare, which is a problem", async () => {
    const set = await pagesOf(
      odd,
      overrides({ next: "cursor", param: "aftr", field: "meta.next" }),
    );
    assertEquals(set.pages, { next: "cursor", items: "list", param: "aftr", field: "meta.next" });
    assertEquals(set.problems, [
      'the pages of the file of overrides name "aftr", which is not declared (used as it is)',
    ]);
  });

  it("names an operation without the names of its path parameters", async () => {
    const parts = { ...found, path: "/shops/{shop}/pets", operation: { parameters: [] } };
    const { overrides: text } = overrides(false, "GET /shops/{id}/pets");
    const { report } = await generate(documentOf(parts), { overrides: text });
    assertEquals(report.lists, []);
  });

  it("is refused if it does not fit the document", async () => {
    const set = { next: "linkHeader" };
    const stream = {
      responses: {
        200: { description: "", content: { ...json(items).content, "application/jsonl": {} } },
      },
    };
    const cases: readonly (readonly [string, Parts, object])[] = [
      ['has "GET /cats", which the document does not have', found, overrides(set, "GET /cats")],
      ["does not have exactly one array: set `items`", { result: object({}) }, overrides(set)],
      ['has no array at "total"', found, overrides({ ...set, items: "total" })],
      ["its result is not JSON", { operation: { responses: {} } }, overrides(set)],
      ["it can return a stream", { operation: stream }, overrides(set)],
      ["by GET, or by POST with a JSON body", { method: "put" }, overrides(set, "PUT /pets")],
    ];
    for (const [message, parts, options] of cases) {
      const error = await generate(documentOf(parts), options).catch((error: unknown) => error);
      assert(error instanceof OverridesError, String(error));
      assertStringIncludes(error.message, message);
    }
  });

  it("is refused if it is broken, with the place and what is expected", async () => {
    const cases: readonly (readonly [string, string])[] = [
      ["{", "the overrides file is not JSON"],
      ["[]", "the overrides file must be an object"],
      ['{"pets.list": {}}', 'an operation is a method and a path, such as "GET /pets/{}"'],
      ['{"GET /pets": true}', 'must have an object with "pages" for "GET /pets"'],
      ['{"GET /pets": {"page": false}}', ', not "page"'],
      ['{"GET /pets": {"pages": 1}}', "false or an object for the pages of"],
      ['{"GET /pets": {"pages": {"next": "magic"}}}', '"next", which is one of linkHeader'],
      ['{"GET /pets": {"pages": {"next": "cursor"}}}', 'must have "param"'],
      ['{"GET /pets": {"pages": {"next": "cursor", "param": "a"}}}', '"field" or "lastItem"'],
      ['{"GET /pets": {"pages": {"next": "cursor", "param": "a", "first": 1}}}', 'no "first", but'],
      ['{"GET /pets": {"pages": {"next": "offset", "param": "a", "first": 2}}}', "0 or 1 as"],
      ['{"GET /pets": {"pages": {"next": "pageNumber", "param": "a", "first": 2}}}', "0 or 1 as"],
      [
        '{"GET /pets": {"pages": {"next": "nextUrl", "field": {"header": ""}}}}',
        '{"header": NAME}',
      ],
      ['{"GET /pets": {"pages": {"next": "linkHeader", "items": 1}}}', 'a string as "items"'],
    ];
    for (const [overrides, message] of cases) {
      const error = await generate(documentOf(found), { overrides }).catch((error: Error) => error);
      assert(error instanceof OverridesError, String(error));
      assertStringIncludes(error.message, message);
    }
    await assertRejects(
      () => generate(documentOf(found), { overrides: 1 as unknown as string }),
      TypeError,
      "overrides must be a string",
    );
  });
});
