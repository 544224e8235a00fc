/** The options of an iterator: merges them with the statics of its class, and checks them. */
import { checkedCount, checkedLimit } from "../../base/checks.ts";
import { UnexpectedValueError, withHint } from "../../errors/unexpected_value_error.ts";
import { checkedLimits, type EndlessLimits } from "../endless_list.ts";
import { checkedPrefetch } from "../prefetcher.ts";

/**
 * The options of an {@linkcode APIIterator}: the session or client that it calls, and values that
 * replace the class's statics. An SDK's iterator can add its own options.
 *
 * @example
 * ```ts
 * import type { APISession } from "@restwright/restwright";
 * import type { IteratorOptions } from "@restwright/restwright/paging";
 *
 * interface BookOptions extends IteratorOptions<APISession> {
 *   readonly author?: string;
 * }
 * const firstTen: BookOptions = { author: "Ada Moss", size: 10, maxPages: 1 };
 * console.log(firstTen.size); // 10
 * ```
 *
 * @category Endpoints
 */
export interface IteratorOptions<C extends object = object> {
  /** The client that the iterator calls (generation 2). Pass either this or `api`. */
  readonly client?: C | undefined;
  /** The session that the iterator calls (generation 1). Pass either this or `client`. */
  readonly api?: C | undefined;
  /**
   * The number of elements on a full page, at least 1. A page with fewer elements is the last one.
   * Default: the class's static
   *
   * @example `{ size: 50 }`
   */
  readonly size?: number | undefined;
  /**
   * The index of the first page to fetch. Default: the class's static, which is 0
   *
   * @example `{ currentPage: 3 }`
   */
  readonly currentPage?: number | undefined;
  /**
   * The elements of a page that was already fetched. The iterator returns them first, then
   * continues with the page `currentPage`. Default: none
   *
   * @example `{ page: ["Emma", "Ulysses"], currentPage: 1 }`
   */
  readonly page?: readonly unknown[] | undefined;
  /**
   * The maximum number of elements to return, at least 1; null for no limit. Default: the class's
   * static, which is null
   *
   * @example `{ maxItems: 1000 }`
   */
  readonly maxItems?: number | null | undefined;
  /**
   * The maximum number of pages to fetch, at least 1; null for no limit. Default: the class's
   * static, which is null
   *
   * @example `{ maxPages: 10 }`
   */
  readonly maxPages?: number | null | undefined;
  /**
   * The number of pages to fetch ahead while the caller works on the current page; true for 1. With
   * 0 or false, a page is fetched when its first element is requested. Default: the class's static,
   * which is 0
   *
   * @example `{ prefetch: 1 }`
   */
  readonly prefetch?: number | boolean | undefined;
  /**
   * "allow" if pages may have the same elements; "error" to throw a `PagingError` after four such
   * pages in a row, or after four rounds of the same 2 to 8 pages in turn, if their elements are JSON
   * objects. Empty pages between them do not matter. Default: the class's static, which is "error"
   *
   * Elements are compared as JSON. Instances of classes without `toJSON` are not compared.
   *
   * @example `{ repeatedPages: "allow" }`
   */
  readonly repeatedPages?: "error" | "allow" | undefined;
  /**
   * The number of empty pages in a row after which a `PagingError` is thrown, if another page
   * follows; null for no limit. Default: the class's static, which is 100
   *
   * @example `{ maxEmptyPages: 1000 }`
   */
  readonly maxEmptyPages?: number | null | undefined;
}

/** The resolved and checked options of an iterator. */
export interface IteratorSettings<C extends object> {
  readonly client: C;
  readonly size: number;
  readonly currentPage: number;
  readonly page: readonly unknown[];
  readonly maxItems: number | null;
  readonly maxPages: number | null;
  readonly prefetch: number;
  readonly limits: EndlessLimits;
}

/** The statics of an iterator class, which are the defaults of its options. */
export type IteratorDefaults =
  & Omit<IteratorSettings<object>, "client" | "page" | "limits" | "prefetch">
  & Required<Pick<IteratorOptions, "prefetch">>
  & EndlessLimits;

/**
 * Merges the options of an iterator with the statics of its class, and checks them.
 *
 * @param options The options of the constructor
 * @param defaults The class's statics
 * @throws {UnexpectedValueError} If an option is invalid; the error names the first one
 */
export function readIteratorSettings<C extends object>(
  options: IteratorOptions<C> | undefined,
  defaults: IteratorDefaults,
): IteratorSettings<C> {
  const {
    currentPage = defaults.currentPage,
    maxItems = defaults.maxItems,
    maxPages = defaults.maxPages,
    prefetch = defaults.prefetch,
    size,
    page = [],
  } = options ?? {};
  return {
    client: checkedClient(options ?? {}),
    size: size === undefined ? checkedCount("size", defaults.size) : checkedSize(size),
    currentPage: checkedCount("currentPage", currentPage),
    page: checkedPage(page),
    maxItems: checkedMaximum("maxItems", maxItems),
    maxPages: checkedMaximum("maxPages", maxPages),
    prefetch: checkedPrefetch(prefetch),
    limits: checkedLimits(options ?? {}, defaults),
  };
}

/** Returns the client or session. Throws if both are passed, or neither. */
function checkedClient<C extends object>({ client, api }: IteratorOptions<C>): C {
  if (client !== undefined && api !== undefined) {
    throw new UnexpectedValueError("api", "left out if client is passed", api);
  }
  const owner: unknown = client ?? api;
  if (typeof owner === "object" && owner !== null) return owner as C;
  const expected = "the client or session that the iterator calls, as in new Books({ client })";
  throw new UnexpectedValueError(api === undefined ? "client" : "api", expected, owner);
}

/** Checks a page size. It cannot be 0, because that would request empty pages. */
function checkedSize(size: unknown): number {
  if (typeof size === "number" && Number.isInteger(size) && size >= 1) return size;
  throw new UnexpectedValueError("size", "a whole number of at least 1", size);
}

/** Checks a page and copies it, because the caller may change the array. */
function checkedPage(page: unknown): readonly unknown[] {
  if (Array.isArray(page)) return [...page];
  throw new UnexpectedValueError("page", "a list of elements", page);
}

/** Checks a limit; null for no limit. */
function checkedMaximum(option: string, value: unknown): number | null {
  const hint = "In Python's RESTfly, 0 means no limit: pass null here";
  return checkedLimit(option, value === 0 ? withHint(value, hint) : value);
}
