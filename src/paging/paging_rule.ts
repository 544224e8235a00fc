/** The class of rules that find the next page of a list, and the options of lists. */
import { checkedFlag, checkedFunction, checkedOptions, isPlain } from "../base/checks.ts";
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import type { Path } from "../http/url.ts";
import { optionNames } from "../options/definitions.ts";
import type { CallOptions, RequestOptions } from "../options/request_options.ts";
import type { BoxAttrs } from "../box/mod.ts";
import { checkedModel, type ModelOutput, type ResponseModel } from "../content/decode.ts";
import { isStreamFormat, type ResultFormat } from "../content/response_format.ts";
import type { StreamFormat } from "../content/stream_format.ts";
import { type BodyField, checkedField, checkedObject } from "./body_field.ts";
import { checkedLimits, endlessDefaults } from "./endless_list.ts";
import { type ItemModel, pageSchema } from "./item_model.ts";
import type { PagingState } from "./page.ts";
import { PagePromise } from "./page_promise.ts";
import { type NextPage, PageSource, type RulePage, type SendPage } from "./page_source.ts";
import { checkedPrefetch } from "./prefetcher.ts";

/**
 * The place of the items in the body of a page: the name of a field, as in {@linkcode BodyField}, or a
 * function. Null counts as no items.
 *
 * @typeParam T The type of an item
 * @typeParam B The type of the body
 *
 * @internal
 */
export type PageItems<T = unknown, B = unknown> =
  | string
  // A method, so that the function can declare a type for the body.
  | { read(body: B, response: Response): readonly T[] | null }["read"];

/**
 * The options of a list that a caller of your SDK may set. The method adds the others of
 * {@linkcode PageOptions}: the rule, and how the pages are read.
 *
 * @example
 * ```ts
 * import { APIClient } from "@restwright/restwright";
 * import { linkHeader, type ListOptions, type PagePromise } from "@restwright/restwright/paging";
 *
 * class Tracker extends APIClient {
 *   static override readonly baseUrl: string = "https://api.example.com";
 *
 *   issues(options?: ListOptions): PagePromise<number> {
 *     return this._pages<number>("/issues", { ...options, next: linkHeader() });
 *   }
 * }
 *
 * const fetch = () => Promise.resolve(Response.json([1, 2]));
 * console.log(await new Tracker({ fetch }).issues({ prefetch: 1 }).collect()); // [1,2]
 * ```
 *
 * @category Paging
 */
export interface ListOptions extends CallOptions {
  /**
   * The number of pages to fetch ahead while a loop works on the current one; true for 1. They are
   * aborted when the loop is left.
   *
   * @default {0}
   */
  readonly prefetch?: number | boolean | undefined;
  /** The state to begin with, from `state` of an earlier promise or page. Default: the first page */
  readonly from?: PagingState | undefined;
  /**
   * "allow" if pages may have the same items. By default, the list ends with a `PagingError` after four
   * such pages in a row, because a server that ignores the parameter of the rule sends the first page
   * again and again, or after four rounds of the same 2 to 8 pages in turn, if their items are JSON
   * objects. Empty pages between them do not matter.
   *
   * Items are compared as JSON. Instances of classes without `toJSON` are not compared.
   *
   * @default {"error"}
   */
  readonly repeatedPages?: "error" | "allow" | undefined;
  /**
   * The number of empty pages in a row after which the list ends with a `PagingError`, if another page
   * follows; null for no limit.
   *
   * @default {100}
   */
  readonly maxEmptyPages?: number | null | undefined;
}

/**
 * The options of a list: those of the requests, and how its pages are read.
 *
 * @typeParam T The type of an item
 * @typeParam B The type of the body
 *
 * @category Paging
 */
export interface PageOptions<T = unknown, B = unknown> extends ListOptions {
  /**
   * The rule that finds the next page: {@linkcode linkHeader}, {@linkcode cursor}, {@linkcode offset},
   * {@linkcode pageNumber}, {@linkcode nextUrl} or a {@linkcode PagingRule} of your own.
   */
  readonly next: PagingRule;
  /**
   * The place of the items in the body. Default: the body is the array
   *
   * @example `{ items: "data.issues" }`
   */
  readonly items?: PageItems<T, B> | undefined;
  /**
   * The JSON body of each request, as a plain object. The list is then requested by POST, and the rule
   * sets its parameters in this body instead of the query. A name joined by dots, as in
   * `cursor("page.after", …)`, is a path in it. Default: none, the list is requested by GET
   *
   * @example `{ json: { query: "open bugs", limit: 50 } }`
   */
  readonly json?: object | undefined;
  /**
   * The model of the whole body of a page. Rules read the fields of its output. Default: none, the body
   * is parsed as JSON
   */
  readonly responseModel?: ResponseModel | undefined;
  /**
   * The format of the whole body of a page, such as `xmlFormat(Feed)`, instead of `responseModel`. It
   * cannot be a stream. Default: none
   */
  readonly format?: PageFormat<B> | undefined;
  /**
   * The model of each item of a JSON body. The rest of the body is not checked, and rules read it as it
   * was sent. Default: none
   *
   * @example `{ itemModel: Issue, items: "issues" }`
   */
  readonly itemModel?: ItemModel | undefined;
  /**
   * True if the body of each page, with its items, is converted to a {@linkcode Box}. The type of the
   * items is then that of their boxes. Default: false, whatever `_box` of the class is
   *
   * @example `this._pages<Box<Issue>>("issues", { box: true, items: "data", next: linkHeader() })`
   */
  readonly box?: boolean | undefined;
  /** The settings of the boxes. Default: those of the endpoint or session */
  readonly boxAttrs?: BoxAttrs | undefined;
}

/**
 * The type of an item of a page with a model: the result of the function `items`, or the element of the
 * array that `items` names in the body.
 *
 * @typeParam B The type of the body
 * @typeParam F The name of the field; undefined if the body is the array
 * @typeParam T The type of an item that the function returns; unknown if there is none
 *
 * @internal
 */
export type ItemOf<B, F, T> = unknown extends T ? (F extends keyof B ? ItemOf<B[F], undefined, T>
    : F extends string ? unknown
    : B extends readonly (infer E)[] | null | undefined ? E
    : unknown)
  : T;

/**
 * A format of the whole body of a page: any but a stream.
 *
 * @typeParam B The type of the body
 *
 * @internal
 */
export type PageFormat<B> = Exclude<ResultFormat<B>, StreamFormat<B>>;

/**
 * The options of a list with a model or a format for the bodies of its pages.
 *
 * @typeParam M The model
 * @typeParam B The type of the body that the format reads
 * @typeParam F The name of the field with the items
 * @typeParam T The type of an item that a function returns
 *
 * @internal
 */
export type ModelPageOptions<M extends ResponseModel, B, F, T> =
  & (
    | { readonly responseModel: M; readonly format?: undefined }
    | { readonly format: PageFormat<B>; readonly responseModel?: undefined }
  )
  & { readonly items?: F | Exclude<PageItems<T, ModelOutput<M> | B>, string> }
  & Omit<
    PageOptions,
    "items" | "responseModel" | "format" | "itemModel" | "box"
  >;

/**
 * The options of a list with a model for each item.
 *
 * @typeParam M The model
 * @typeParam B The type of the body
 *
 * @category Paging
 */
export interface ItemModelPageOptions<M extends ItemModel, B> extends
  Omit<
    PageOptions,
    "items" | "itemModel" | "responseModel" | "format" | "box"
  > {
  /** The model of each item. */
  readonly itemModel: M;
  /** The place of the items. Default: the body is the array */
  readonly items?: string | { read(body: B): readonly unknown[] | null }["read"] | undefined;
}

/**
 * A rule that finds the next page of a list. The ready ones are {@linkcode linkHeader},
 * {@linkcode cursor}, {@linkcode offset}, {@linkcode pageNumber} and {@linkcode nextUrl}.
 *
 * @example A rule for an API that sends the number of the next page in a header
 * ```ts
 * import { APISession } from "@restwright/restwright";
 * import { type PagePromise, PagingRule } from "@restwright/restwright/paging";
 *
 * const byHeader = new PagingRule(({ response }) => {
 *   const page = response.headers.get("x-next-page");
 *   return page ? { params: { page } } : undefined;
 * });
 *
 * class Tracker extends APISession {
 *   issues(): PagePromise<{ id: number }> {
 *     return this._pages<{ id: number }>("issues", { next: byHeader });
 *   }
 * }
 *
 * const fetch = () => Promise.resolve(Response.json([{ id: 1 }]));
 * const tracker = new Tracker({ url: "https://api.example.com", fetch });
 * console.log(await tracker.issues().collect()); // [{"id":1}]
 * ```
 *
 * @category Paging
 */
export class PagingRule {
  readonly #next: (page: RulePage) => NextPage | undefined;

  /**
   * Creates a rule.
   *
   * @param next Returns a link, relative to the page or absolute, or the parameters of the next page;
   * undefined after the last one. If it throws, the request of the next page fails with that error
   * @throws {UnexpectedValueError} If it is not a function
   */
  constructor(next: (page: RulePage) => NextPage | undefined) {
    this.#next = checkedFunction("next", next ?? null);
  }

  /**
   * Starts a list. `_pages` calls it, so that only programs with a rule contain the code of pages.
   *
   * @param send Sends the request of a page
   * @param path The path of the first page
   * @param options The options
   * @throws {UnexpectedValueError} If an option is not valid
   */
  start<T, B>(send: SendPage, path: Path, options: PageOptions<T, B>): PagePromise<T, B> {
    const { next: _, items, prefetch = false, from, repeatedPages, maxEmptyPages, ...rest } =
      checkedOptions(options, [...listOptions, ...optionNames("call")]);
    const field = items === undefined ? undefined : checkedField("items", items);
    const { sent, isBoxed, hasItemModel } = readResultOptions(rest, field);
    const source = new PageSource<T, B>({
      send,
      path,
      options: sent,
      items: field,
      isBoxed,
      hasItemModel,
      next: (page) => this.#next(page),
      limits: checkedLimits({ repeatedPages, maxEmptyPages }, endlessDefaults),
    });
    const depth = checkedPrefetch(prefetch);
    const start = checkedState(from);
    return new PagePromise(source, start, depth);
  }
}

/**
 * Checks how pages are converted, and returns the options of their requests.
 *
 * @param options The options of the list
 * @param items The place of the items
 * @throws {UnexpectedValueError} If two options exclude each other, or one is not valid
 */
function readResultOptions(
  options: Omit<PageOptions, "next" | "items">,
  items: BodyField | undefined,
): {
  readonly sent: RequestOptions;
  readonly isBoxed: boolean;
  readonly hasItemModel: boolean;
} {
  const { itemModel, box, json, ...rest } = options;
  refuse("convJson", rest, "because pages are always parsed");
  if (isStreamFormat(rest.format)) {
    refuse("format", rest, "because a stream has no pages");
  }
  const isBoxed = box !== undefined && checkedFlag("box", box);
  for (const name of isBoxed ? bodyOptions : []) {
    refuse(name, rest, "because the list is boxed");
  }
  if (json !== undefined) checkedObject("json", json);
  const sent = { ...rest, json, box: isBoxed, convJson: true };
  if (itemModel === undefined) return { sent, isBoxed, hasItemModel: false };
  for (const name of ["box", ...bodyOptions]) {
    refuse(name, options, "because the items have a model");
  }
  if (Array.isArray(itemModel)) {
    throw new UnexpectedValueError(
      "itemModel",
      "the model of one item, without brackets",
      itemModel,
    );
  }
  checkedModel("itemModel", itemModel);
  const responseModel = pageSchema(itemModel, items as Parameters<typeof pageSchema>[1]);
  return { sent: { ...sent, responseModel }, isBoxed, hasItemModel: true };
}

/** The options that read the whole body of a page. */
const bodyOptions: readonly string[] = ["responseModel", "format"];

/** Throws if an option is passed that another one excludes. */
function refuse(name: string, options: object, reason: string): void {
  const value = (options as Readonly<Record<string, unknown>>)[name];
  if (value !== undefined) throw new UnexpectedValueError(name, `left out, ${reason}`, value);
}

/** The options of a list that are not request options. */
const listOptions: readonly string[] = [
  "from",
  "itemModel",
  "items",
  "maxEmptyPages",
  "next",
  "prefetch",
  "repeatedPages",
];

/** Checks a saved state, and copies it. */
function checkedState(from: unknown): PagingState {
  if (from === undefined) return { skip: 0, delivered: 0 };
  const state = Object(from) as PagingState;
  const { link, params, skip, delivered } = state;
  const isCount = (value: unknown) => Number.isInteger(value) && (value as number) >= 0;
  const isValid = isCount(skip) && isCount(delivered) && skip <= delivered &&
    (link === undefined || typeof link === "string" && /^https?:\/\//i.test(link)) &&
    (params === undefined || isPlain(params));
  if (isValid) return { ...state };
  throw new UnexpectedValueError("from", "the `state` of a page or of a page promise", from);
}
