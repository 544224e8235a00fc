/**
 * Lists that an API sends in pages: rules that find the next page, and the promise of the pages.
 *
 * The method `_pages` of sessions, clients and endpoints takes such a rule as `next`. Programs that do
 * not import this entry point do not contain its code.
 *
 * @example
 * ```ts
 * import { APIClient, APIEndpoint } from "@restwright/restwright";
 * import { cursor, type PagePromise } from "@restwright/restwright/paging";
 * import { mockTransport, replies } from "@restwright/restwright/testing";
 *
 * interface Issue {
 *   readonly id: number;
 * }
 *
 * class Issues extends APIEndpoint<Tracker> {
 *   protected override readonly _path: string = "/issues";
 *
 *   list(): PagePromise<Issue> {
 *     return this._pages<Issue>({ items: "data", next: cursor("after", "next") });
 *   }
 * }
 *
 * class Tracker extends APIClient {
 *   static override readonly baseUrl: string = "https://api.example.com";
 *   readonly issues: Issues = new Issues(this);
 * }
 *
 * const first = { data: [{ id: 1 }], next: "x7" };
 * const second = { data: [{ id: 2 }], next: null };
 * const fetch = mockTransport({ "GET /issues": replies(first, second, first) });
 * const { issues } = new Tracker({ fetch });
 * const ids: number[] = [];
 * for await (const { id } of issues.list()) ids.push(id);
 * console.log(ids.join()); // 1,2
 *
 * const page = await issues.list();
 * console.log(page.items.length, page.hasNextPage()); // 1 true
 * ```
 *
 * @module
 */

export {
  APIIterator,
  AsyncAPIIterator,
  type IteratorOptions,
  type PagePosition,
} from "./iterator/iterator.ts";
export type { BodyField } from "./body_field.ts";
export { parseNextLink } from "./link_header.ts";
export { Page, type PagingState } from "./page.ts";
export { PagePromise } from "./page_promise.ts";
export type { ItemModel } from "./item_model.ts";
export type { NextPage, RulePage } from "./page_source.ts";
export {
  type ItemModelPageOptions,
  type ItemOf,
  type ListOptions,
  type ModelPageOptions,
  type PageOptions,
  PagingRule,
} from "./paging_rule.ts";
export {
  cursor,
  linkHeader,
  nextUrl,
  offset,
  type OffsetSettings,
  pageNumber,
  type PageNumberSettings,
} from "./rules.ts";
