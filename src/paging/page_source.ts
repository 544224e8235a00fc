/** Fetches the pages of a list by its rule, and notices a page that was requested before. */
import { messageText, pathForMessage } from "../errors/message_text.ts";
import { PagingError } from "../errors/paging_error.ts";
import { describeValue, UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import { isPlain } from "../base/checks.ts";
import { writeRecord } from "../call/log_record.ts";
import { joinedSignal } from "../http/abort.ts";
import type { Path } from "../http/url.ts";
import type { Logger } from "../log/logger.ts";
import type { RequestOptions } from "../options/request_options.ts";
import { paramsMapping } from "../content/params.ts";
import { withoutBoxes } from "../box/original.ts";
import { type BodyField, readField, valueAt, withFields } from "./body_field.ts";
import {
  afterPage,
  type EndlessLimits,
  endlessReason,
  type ListTail,
  LONG_LIST,
  longListWarning,
  noPages,
} from "./endless_list.ts";
import type { DecodedPage } from "./item_model.ts";
import { resolveLink } from "./link_header.ts";
import { Page, type PagingState } from "./page.ts";

/**
 * The body and the response of a page.
 *
 * @internal
 */
export interface SentPage {
  /** The body, parsed as JSON or by the model. */
  readonly body: unknown;
  /** The response. */
  readonly response: Response;
  /** The URL of the request. */
  readonly url: string;
  /** Reports if a link of the page gets the credentials of the list, as a redirect to it would. */
  readonly keepsCredentials: (link: string) => boolean;
  /** The logger of the call. */
  readonly logger: Logger | undefined;
}

/**
 * Sends the request of a page.
 *
 * @param path The path of the first page, or a link of the server
 * @param options The request options
 * @param link The link and its credentials, if the path is a link of the server
 *
 * @internal
 */
export type SendPage = (
  path: Path,
  options: RequestOptions,
  link: Pick<PagingState, "link" | "withoutCredentials"> | undefined,
) => Promise<SentPage>;

/**
 * A page that a rule finds the next page for.
 *
 * @category Paging
 */
export interface RulePage {
  /** The body: JSON without boxes, or the output of the `responseModel`. */
  readonly body: unknown;
  /** All items of the page, as they are in that body. */
  readonly items: readonly unknown[];
  /** The response. */
  readonly response: Response;
  /** The URL of the page, to resolve relative links. */
  readonly url: string;
  /**
   * The parameters of the request, if it was no link: those of the options and of the rule. For a list
   * with the option `json`, the body of the request.
   */
  readonly params: Readonly<Record<string, unknown>>;
  /** The number of items on all pages so far, including this one. */
  readonly count: number;
}

/**
 * The request of the next page: a link, or parameters that replace those of the same name. In a query,
 * they are strings or numbers. In the body of a list with the option `json`, they can be any JSON.
 *
 * @category Paging
 */
export type NextPage =
  | { readonly link: string; readonly params?: undefined }
  | { readonly params: Readonly<Record<string, unknown>>; readonly link?: undefined };

/** The part of a state that names the request of a page. */
type NextState = Pick<PagingState, "link" | "params" | "withoutCredentials">;

/** The pages of one list, and how to read them. */
export interface PageList {
  /** Sends a request. */
  readonly send: SendPage;
  /** The path of the first page. */
  readonly path: Path;
  /** The options of each request. With `json`, the rule sets the parameters in that body. */
  readonly options: RequestOptions;
  /** True if the bodies are boxes. */
  readonly isBoxed: boolean;
  /** True if the model of the options returns a {@linkcode DecodedPage}. */
  readonly hasItemModel: boolean;
  /** The place of the items; undefined if the body is the array. */
  readonly items: BodyField | undefined;
  /** Returns the request of the next page; undefined after the last one. */
  readonly next: (page: RulePage) => NextPage | undefined;
  /** The limits after which the list counts as endless. */
  readonly limits: EndlessLimits;
}

/** A source that fetches the pages of a list, and notices if the list would never end. */
export class PageSource<T, B> {
  /** True while nobody reads more than a number of items that is known. */
  isLimited = false;
  /** True after the warning about a list with many pages. */
  #isReported = false;
  readonly #list: PageList;
  /** The index of the page for the hash of each cursor or link that was seen. */
  readonly #seen = new Map<string, number>();

  /** @param list The list */
  constructor(list: PageList) {
    this.#list = list;
  }

  /**
   * Fetches a page.
   *
   * @param start The state at the beginning of the page
   * @param index The number of pages before it
   * @param signal Aborts the request
   * @param tail The pages before it
   * @throws {PagingError} If the state is the end of the list, if its link is refused, or if the page
   * has no items
   */
  async fetch(
    start: PagingState,
    index: number,
    signal?: AbortSignal,
    tail: ListTail = noPages,
  ): Promise<Page<T, B>> {
    const { options, isBoxed, hasItemModel, limits } = this.#list;
    const request = requestOf(start, options);
    const sent = await this.#send(start, index, request, signal);
    const { response } = sent;
    const { body, items: decoded }: DecodedPage = hasItemModel
      ? sent.body as DecodedPage
      : { body: sent.body, items: undefined };
    const found = this.#itemsOf(sent, body, index);
    const items = decoded ?? found;
    // A missing field of a box may have a default, which a rule must not take for a cursor.
    const plainItems = isBoxed ? withoutBoxes(found) as readonly unknown[] : found;
    const before = start.delivered - start.skip;
    const page: RulePage = {
      body: isBoxed ? withoutBoxes(body) : body,
      items: plainItems,
      response,
      url: response.url || sent.url,
      params: start.link === undefined ? paramsOf(request) : {},
      count: before + items.length,
    };
    const newTail = afterPage(tail, plainItems, limits);
    const following = this.#following(page, sent, index, newTail);
    if (following !== undefined && index + 1 >= LONG_LIST) this.#report(sent);
    const delivered = Math.max(start.delivered, page.count);
    const state: PagingState = following === undefined
      ? { skip: 0, delivered, done: true }
      : "error" in following
      ? { ...start, skip: items.length, delivered } // another attempt begins with this page
      : { ...following.next, skip: 0, delivered };
    return new Page({
      items: (start.skip === 0 ? items : items.slice(start.skip)) as readonly T[],
      body: body as B,
      response,
      state,
      next: following && (async (nextSignal) => {
        if ("error" in following) throw following.error;
        return await this.fetch(state, index + 1, nextSignal, newTail);
      }),
    });
  }

  /**
   * Requests a page, and returns its response, which is not read.
   *
   * @param start The state at the beginning of the page
   */
  async fetchResponse(start: PagingState): Promise<Response> {
    const raw = {
      convJson: false,
      box: false,
      responseModel: undefined,
      format: undefined,
    };
    const request = { ...requestOf(start, this.#list.options), ...raw };
    return (await this.#send(start, 0, request, undefined)).response;
  }

  async #send(
    start: PagingState,
    index: number,
    options: RequestOptions,
    signal: AbortSignal | undefined,
  ): Promise<SentPage> {
    if (start.done) {
      throw new PagingError("there is no page after the last one: check state.done", index);
    }
    const { send, path } = this.#list;
    const { link } = start;
    if (start.withoutCredentials && options.json !== undefined) {
      const problem =
        "the link leads to another origin, which must not get the JSON body of the list: name it in " +
        "trustedOrigins if it belongs to the API";
      throw new PagingError(problem, index);
    }
    return await send(link ?? path, {
      ...options,
      params: link === undefined ? options.params : undefined, // a link contains its parameters
      signal: joinedSignal(signal, options.signal),
    }, link === undefined ? undefined : start).catch((error) => {
      throw link === undefined ? error : linkError(error, link, index);
    });
  }

  /** Writes a warning about a list without a limit that has many pages, once. */
  #report({ url, logger }: SentPage): void {
    if (this.isLimited || this.#isReported || logger === undefined) return;
    this.#isReported = true;
    writeRecord(logger, "warn", () => longListWarning(`the list ${pathForMessage(url)}`));
  }

  #itemsOf({ response, url }: SentPage, body: unknown, index: number): readonly unknown[] {
    const field = this.#list.items;
    const items = field === undefined ? body : readField(field, body, response);
    if (Array.isArray(items)) return items;
    if (items === null) return []; // some servers write an empty list as null or as no body
    const place = typeof field === "string"
      ? `the field ${messageText(field)} of the body`
      : field === undefined
      ? "the body"
      : "the result of `items`";
    const hint = field === undefined
      ? ": pass the name of the field with the items in `items`"
      : "";
    throw new PagingError(
      `${place} must be an array with the items of ${nameOf(url, index)}, but is ` +
        `${describeValue(items)}${hint}`,
      index,
    );
  }

  /** Returns the request of the next page, or the error to throw when it is requested. */
  #following(
    page: RulePage,
    { url: requested, keepsCredentials }: SentPage,
    index: number,
    tail: ListTail,
  ): { readonly next: NextState } | { readonly error: unknown } | undefined {
    try {
      const next = this.#list.next(page);
      if (next === undefined) return undefined;
      const reason = endlessReason(tail, this.#list.limits);
      if (reason !== undefined) throw new PagingError(reason, index);
      if (next.link === undefined) {
        const names = Object.keys(next.params);
        const isSendable = this.#list.options.json === undefined ? isScalar : isJson;
        for (const [name, value] of Object.entries(next.params)) {
          if (!isSendable(value)) throw wrongParam(name, value, isSendable);
        }
        this.#note(
          paramsKey(names, page.params),
          paramsKey(names, next.params),
          names.join(),
          index,
        );
        return { next: { params: next.params } };
      }
      const link = resolveLink(next.link, page.url);
      this.#note(resolveLink(requested, ""), link, "link", index);
      return { next: keepsCredentials(link) ? { link } : { link, withoutCredentials: true } };
    } catch (error) {
      if (!(error instanceof PagingError)) return { error };
      return { error: new PagingError(`${nameOf(page.url, index)}: ${error.message}`, index) };
    }
  }

  /** Notes the request of a page and of the next one, and throws if that one was seen before. */
  #note(ownKey: string, nextKey: string, name: string, index: number): void {
    const [own, next] = [hashOf(ownKey), hashOf(nextKey)];
    if (!this.#seen.has(own)) this.#seen.set(own, index);
    const earlier = this.#seen.get(next);
    if (earlier !== undefined && earlier <= index) {
      throw new PagingError(
        `the next page has the same ${messageText(name)} as page ${earlier + 1}: the list would ` +
          "never end",
        index,
      );
    }
    this.#seen.set(next, index + 1);
  }
}

/** Returns the error of a refused link. It is a mistake of the server, and not of the program. */
function linkError(error: unknown, link: string, index: number): unknown {
  if (!(error instanceof UnexpectedValueError) || error.option !== "path") return error;
  const problem = `the link to the next page must be ${error.expected}`;
  return new PagingError(`${problem}, but is "${pathForMessage(link)}"`, index);
}

/** Returns the options of a request, with the parameters that a rule has set. */
function requestOf({ params }: PagingState, options: RequestOptions): RequestOptions {
  if (params === undefined) return options;
  return options.json === undefined
    ? { ...options, params: { ...paramsMapping(options.params), ...params } }
    : { ...options, json: withFields(options.json as object, params) };
}

/** Returns the parameters that a rule can read. */
function paramsOf({ json, params }: RequestOptions): Readonly<Record<string, unknown>> {
  return json === undefined ? paramsMapping(params) : json as Readonly<Record<string, unknown>>;
}

/** Reports if a value can be a parameter of a query. */
function isScalar(value: unknown): boolean {
  return typeof value === "string" || Number.isFinite(value);
}

/** Reports if a value can be a field of a JSON body. */
function isJson(value: unknown): boolean {
  return isScalar(value) || typeof value === "boolean" || isPlain(value);
}

function wrongParam(name: string, value: unknown, isSendable: typeof isScalar): PagingError {
  const expected = isSendable === isScalar ? "a string or a number" : "JSON other than null";
  return new PagingError(
    `the parameter ${messageText(name)} of the next page must be ${expected}, but is ` +
      describeValue(value),
    0,
  );
}

/** Returns the name of a page for a message. */
function nameOf(url: string, index: number): string {
  return `page ${index + 1} of ${pathForMessage(url)}`;
}

/** Returns the values of parameters as a key. */
function paramsKey(names: readonly string[], params: Readonly<Record<string, unknown>>): string {
  const texts = names.map((name) => {
    const value = valueAt(params, name) ?? null;
    return [name, typeof value === "object" ? value : String(value)];
  });
  return JSON.stringify(texts);
}

/**
 * Returns a hash of 64 bits. A list keeps one for each page: cursors may have kilobytes, and lists
 * millions of pages.
 *
 * Two different cursors that are the same here would end the list with an error. With a million
 * random ones, that happens in one of 37 million lists. A server that searches for such cursors only
 * breaks its own list.
 *
 * @param text The cursor or link
 */
export function hashOf(text: string): string {
  // Two hashes like FNV-1a. The second one also takes bits of the first, so that texts that are the same
  // in one are not likely to be the same in the other.
  let [a, b] = [0x811c9dc5, 0x9747b28c];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code ^ a >>> 15, 0x5bd1e995);
  }
  return `${(a >>> 0).toString(36)}.${(b >>> 0).toString(36)}`;
}
