import { checkedCount } from "../checks.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";

/**
 * The options of an {@linkcode APIIterator}: who it calls, and what is set in place of the class's
 * statics. An SDK's iterator adds its own.
 *
 * @example
 * ```ts
 * import type { APISession, IteratorOptions } from "@restwright/restwright";
 *
 * interface BookOptions extends IteratorOptions<APISession> {
 *   readonly author?: string;
 * }
 * const firstTen: BookOptions = { author: "Ada Moss", size: 10, maxPages: 1 };
 * console.log(firstTen.size); // 10
 * ```
 */
export interface IteratorOptions<C extends object = object> {
  /** The client that it calls (generation 2). Either this or `api` has to be given. */
  readonly client?: C | undefined;
  /** The session that it calls (generation 1). Either this or `client` has to be given. */
  readonly api?: C | undefined;
  /**
   * Elements on a full page, at least 1; a page with fewer is the last. Default: the class's
   *
   * @example `{ size: 50 }`
   */
  readonly size?: number | undefined;
  /**
   * The index of the first page to fetch. Default: the class's, which is 0
   *
   * @example `{ currentPage: 3 }`
   */
  readonly currentPage?: number | undefined;
  /**
   * The page before that, where it is at hand already: its elements are given first. Default: none
   *
   * @example `{ page: ["Emma", "Ulysses"], currentPage: 1 }`
   */
  readonly page?: readonly unknown[] | undefined;
  /**
   * The most elements that it gives; null for all. Default: the class's, which is null
   *
   * @example `{ maxItems: 1000 }`
   */
  readonly maxItems?: number | null | undefined;
  /**
   * The most pages that it fetches; null for all. Default: the class's, which is null
   *
   * @example `{ maxPages: 10 }`
   */
  readonly maxPages?: number | null | undefined;
  /**
   * Pages that it fetches ahead while the caller works on those before. Default: the class's,
   * which is 0: a page is fetched when its first element is asked for
   *
   * @example `{ prefetch: 1 }`
   */
  readonly prefetch?: number | undefined;
}

/** What an iterator works by, checked. */
export interface IteratorSettings<C extends object> {
  readonly client: C;
  readonly size: number;
  readonly currentPage: number;
  readonly page: readonly unknown[];
  readonly maxItems: number | null;
  readonly maxPages: number | null;
  readonly prefetch: number;
}

/** The class's statics. */
export type IteratorDefaults = Omit<IteratorSettings<object>, "client" | "page">;

/**
 * Reads and checks what an iterator works by.
 *
 * @param options What was given to the constructor
 * @param defaults The class's statics
 * @throws {UnexpectedValueError} Names the first option that is not what was expected
 */
export function readIteratorSettings<C extends object>(
  options: IteratorOptions<C>,
  defaults: IteratorDefaults,
): IteratorSettings<C> {
  const {
    currentPage = defaults.currentPage,
    maxItems = defaults.maxItems,
    maxPages = defaults.maxPages,
    prefetch = defaults.prefetch,
  } = options;
  return {
    client: checkedClient(options),
    size: options.size === undefined
      ? checkedCount("size", defaults.size)
      : checkedSize(options.size),
    currentPage: checkedCount("currentPage", currentPage),
    page: checkedPage(options.page ?? []),
    maxItems: checkedLimit("maxItems", maxItems),
    maxPages: checkedLimit("maxPages", maxPages),
    prefetch: checkedCount("prefetch", prefetch),
  };
}

/** The one client or session that was given. */
function checkedClient<C extends object>({ client, api }: IteratorOptions<C>): C {
  if (client !== undefined && api !== undefined) {
    throw new UnexpectedValueError("api", "left out where client is given", api);
  }
  const owner: unknown = client ?? api;
  if (typeof owner === "object" && owner !== null) return owner as C;
  const expected = "the client or session that the iterator calls";
  throw new UnexpectedValueError(api === undefined ? "client" : "api", expected, owner);
}

/** A page size: one of 0 would ask the API for nothing. */
function checkedSize(size: unknown): number {
  if (typeof size === "number" && Number.isInteger(size) && size >= 1) return size;
  throw new UnexpectedValueError("size", "a whole number of at least 1", size);
}

/** A page, copied: the caller's may change. */
function checkedPage(page: unknown): readonly unknown[] {
  if (Array.isArray(page)) return [...page];
  throw new UnexpectedValueError("page", "a list of elements", page);
}

/** The most of something, or null where there is no limit. */
function checkedLimit(option: string, value: unknown): number | null {
  if (value === null) return null;
  if (typeof value === "number" && Number.isInteger(value) && value >= 0) return value;
  throw new UnexpectedValueError(option, "a whole number of at least 0, or null for all", value);
}
