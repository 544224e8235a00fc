// The lists of the API: a page has `has_more`, and the next one begins after the id of its last item.

import {
  cursor,
  type ListOptions as PageListOptions,
  type PagingRule,
} from "../../src/paging/mod.ts";

/** Filters of a list. */
export interface ListParams {
  /** The items on a page, at most 100. Default: 20 */
  readonly limit?: number;
  /** The id of the item before the first one. */
  readonly after?: string;
}

/** Options of a list, for the requests of all pages. Its parameters are arguments of their own. */
export type ListOptions = Omit<PageListOptions, "params">;

/** The field with the items, and the rule for the next page: the same in every list. */
export const inPages: { readonly items: "data"; readonly next: PagingRule } = {
  items: "data",
  next: cursor("after", { lastItem: "id" }, { hasMore: "has_more" }),
};
