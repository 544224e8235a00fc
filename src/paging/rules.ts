/**
 * The ready rules of paging. From a page, a rule decides if another one follows, and by which URL or
 * parameters it is requested. A list ends:
 *
 * - `linkHeader`: at a page without a link to the next one.
 * - `nextUrl`: at a page whose field has no URL.
 * - `cursor`: at a page without a cursor, or without items if the last item has it. With `hasMore`, at a
 *   page whose flag is not true.
 * - `offset` and `pageNumber`: at an empty page. With `total`, also when so many items have come. Without
 *   a known total, but with `limitParam` or `sizeParam`, also at a page with fewer items than that. With
 *   `pages`, also at the last of so many pages.
 *
 * `endless_list.ts` notices lists that would never end.
 */
import { checkedOptions } from "../base/checks.ts";
import { PagingError } from "../errors/paging_error.ts";
import { describeValue, UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { type BodyField, checkedField, readField, valueAt } from "./body_field.ts";
import { parseNextLink } from "./link_header.ts";
import type { RulePage } from "./page_source.ts";
import { PagingRule } from "./paging_rule.ts";

/**
 * Follows the links of the `Link` header (RFC 8288), as GitHub and GitLab send them. A page without
 * such a link is the last one.
 *
 * @param rel The relation of the link to the next page. Default: next
 *
 * @example `this._pages<Issue>("issues", { next: linkHeader() })`
 *
 * @category Paging
 */
export function linkHeader(rel = "next"): PagingRule {
  checkedName("rel", rel, "the name of a relation");
  return new PagingRule(({ response, url }) => {
    const link = parseNextLink(response, url, rel);
    return link === undefined ? undefined : { link };
  });
}

/**
 * Follows the URL in a field of the body, absolute or relative to the page. A page without it (null,
 * missing or empty) is the last one.
 *
 * @param field The place of the URL
 *
 * @example `this._pages<User>("users", { items: "value", next: nextUrl("@odata.nextLink") })`
 *
 * @category Paging
 */
export function nextUrl(field: BodyField): PagingRule {
  checkedField("field", field);
  return new PagingRule(({ body, response }) => {
    const link = readField(field, body, response);
    if (isMissing(link)) return undefined;
    if (typeof link === "string") return { link };
    throw new PagingError(
      `the URL of the next page must be a string, but is ${describeValue(link)}`,
      0,
    );
  });
}

/**
 * Sends the cursor of a page as a parameter of the next one. A page without a cursor (null, missing or
 * empty), or without items if the cursor is in the last one, is the last page.
 *
 * @param name The parameter
 * @param field The place of the cursor in the body; or with `lastItem`, its place in the last item
 * @param settings `hasMore` is the place of a flag that is true if another page follows. False, null or
 * no flag ends the list, also if the page has a cursor. Default: none, the list ends at a page without a
 * cursor
 *
 * @example `this._pages<Event>("events", { items: "data", next: cursor("after", "meta.cursor") })`
 * @example The id of the last item, as in the API of Stripe
 * `cursor("starting_after", { lastItem: "id" }, { hasMore: "has_more" })`
 *
 * @category Paging
 */
export function cursor(
  name: string,
  field: BodyField | { readonly lastItem: BodyField },
  settings: { readonly hasMore?: BodyField | undefined } = {},
): PagingRule {
  checkedName("name", name);
  const isOfItem = typeof field === "object" && field !== null;
  const place = isOfItem ? checkedField("lastItem", field.lastItem) : checkedField("field", field);
  const hasMore = optionalField("hasMore", checkedOptions(settings, ["hasMore"]).hasMore);
  return new PagingRule(({ body, items, response }) => {
    const isFollowed = hasMore && flagIn(readField(hasMore, body, response));
    if (isFollowed === false) return undefined;
    const isFound = !isOfItem || items.length > 0;
    const value = isFound ? readField(place, isOfItem ? items.at(-1) : body, response) : undefined;
    if (!isMissing(value)) return { params: { [name]: value } };
    if (!isFollowed && !(isOfItem && isFound)) return undefined;
    const missing = !isFound
      ? "it has no items"
      : `${isOfItem ? "its last item" : "it"} has no cursor`;
    throw new PagingError(`another page follows this one, but ${missing}`, 0);
  });
}

/** Returns a flag of the body, which may be written as a string. */
function flagIn(value: unknown): boolean {
  if (value === true || value === "true") return true;
  if (value === false || value === "false" || isMissing(value)) return false;
  throw new PagingError(`\`hasMore\` must be true or false, but is ${describeValue(value)}`, 0);
}

/**
 * The settings of {@linkcode offset}.
 *
 * @category Paging
 */
export interface OffsetSettings {
  /**
   * The offset of the first item: 0, or 1 if the API counts from 1, as SCIM does (RFC 7644, section
   * 3.4.2.4).
   *
   * @default {0}
   */
  readonly first?: number | undefined;
  /**
   * The parameter with the number of items on a full page, which you pass in `params`. A page with fewer
   * items is the last one. Leave it out if the API may send fewer items than you ask for.
   */
  readonly limitParam?: string | undefined;
  /** The place of the number of all items. If it is known, a short page is not the end. */
  readonly total?: BodyField | undefined;
}

/**
 * Sends the number of items before the next page as a parameter. An empty page is the last one.
 *
 * @param name The parameter. Default: offset
 * @param settings The offset of the first item, and other ways to find the last page, which spare the
 * request of an empty one
 *
 * @example `this._pages<Book>("books", { params: { limit: 50 }, next: offset("offset", { limitParam: "limit" }) })`
 * @example The users of a SCIM server, whose first item has the index 1
 * `offset("startIndex", { first: 1, total: "totalResults" })`
 *
 * @category Paging
 */
export function offset(name = "offset", settings: OffsetSettings = {}): PagingRule {
  checkedName("name", name);
  const { first = 0, limitParam } = checkedOptions(settings, ["first", "limitParam", "total"]);
  checkedFirst(first);
  if (limitParam !== undefined) checkedName("limitParam", limitParam);
  const total = optionalField("total", settings.total);
  return new PagingRule((page) => {
    // A server reads a number below the first one as the first one (RFC 7644 §3.4.2.4).
    const next = Math.max(countIn(page, name, first), first) + page.items.length;
    return isLast(page, limitParam, total, next - first)
      ? undefined
      : { params: { [name]: writtenAs(page, name, next) } };
  });
}

/**
 * The settings of {@linkcode pageNumber}.
 *
 * @category Paging
 */
export interface PageNumberSettings {
  /**
   * The number of the first page.
   *
   * @default {1}
   */
  readonly first?: number | undefined;
  /**
   * The parameter with the number of items on a full page, which you pass in `params`. A page with fewer
   * items is the last one. Leave it out if the API may send fewer items than you ask for.
   */
  readonly sizeParam?: string | undefined;
  /** The place of the number of all items. If it is known, a short page is not the end. */
  readonly total?: BodyField | undefined;
  /** The place of the number of all pages. */
  readonly pages?: BodyField | undefined;
}

/**
 * Sends the number of the next page as a parameter. An empty page is the last one.
 *
 * @param name The parameter. Default: page
 * @param settings The number of the first page, and other ways to find the last page, which spare the
 * request of an empty one
 *
 * @example `this._pages<Book>("books", { items: "items", next: pageNumber("page", { total: "total" }) })`
 *
 * @category Paging
 */
export function pageNumber(name = "page", settings: PageNumberSettings = {}): PagingRule {
  checkedName("name", name);
  const { first = 1, sizeParam } = checkedOptions(settings, [
    "first",
    "pages",
    "sizeParam",
    "total",
  ]);
  if (sizeParam !== undefined) checkedName("sizeParam", sizeParam);
  checkedFirst(first);
  const total = optionalField("total", settings.total);
  const pages = optionalField("pages", settings.pages);
  return new PagingRule((page) => {
    const next = countIn(page, name, first) + 1;
    if (pages !== undefined && next - first === numberIn(page, pages)) return undefined;
    return isLast(page, sizeParam, total, page.count)
      ? undefined
      : { params: { [name]: writtenAs(page, name, next) } };
  });
}

/**
 * Reports if a page is the last one.
 *
 * The total counts only if it is reached exactly. If it was exceeded, it is an estimate, or 0 or -1
 * for "not known".
 *
 * @param page The page
 * @param limitParam The parameter with the number of items on a full page
 * @param total The place of the number of all items
 * @param count The number of items so far
 */
function isLast(
  page: RulePage,
  limitParam: string | undefined,
  total: BodyField | undefined,
  count: number,
): boolean {
  const { length } = page.items;
  if (length === 0) return true;
  const all = total === undefined ? undefined : numberIn(page, total);
  if (all !== undefined) return all === count;
  return limitParam !== undefined && length < countIn(page, limitParam, 0);
}

/** Returns a number of the body, which may be written as a string; undefined if it is none. */
function numberIn({ body, response }: RulePage, field: BodyField): number | undefined {
  const value = readField(field, body, response);
  if (isMissing(value)) return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

/** Returns a parameter of the request that is a whole number. */
function countIn({ params }: RulePage, name: string, fallback: number): number {
  const value = valueAt(params, name) ?? fallback;
  const count = typeof value === "string" && value !== "" ? Number(value) : value;
  if (Number.isInteger(count) && (count as number) >= 0) return count as number;
  throw new UnexpectedValueError(name, "a whole number of at least 0", value);
}

/** Returns a number as a string if the parameter of the request is one: a JSON body can require it. */
function writtenAs({ params }: RulePage, name: string, next: number): number | string {
  return typeof valueAt(params, name) === "string" ? String(next) : next;
}

function checkedFirst(first: unknown): void {
  if (first !== 0 && first !== 1) throw new UnexpectedValueError("first", "0 or 1", first);
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

function optionalField(option: string, field: BodyField | undefined): BodyField | undefined {
  return field === undefined ? undefined : checkedField(option, field);
}

function checkedName(option: string, name: unknown, expected = "the name of a parameter"): void {
  if (typeof name === "string" && name !== "") return;
  throw new UnexpectedValueError(option, expected, name);
}
