/** Fetches the pages of a list by its rule, and notices a page that was requested before. */
import { messageText, pathForMessage } from "../errors/message_text.ts";
import { PagingError } from "../errors/paging_error.ts";
import { describeValue, UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import type { Path } from "../http/url.ts";
import {
  afterPage,
  type EndlessLimits,
  endlessReason,
  type ListTail,
  noPages,
} from "../iterator/endless_list.ts";
import type { RequestOptions } from "../options/request_options.ts";
import { paramsMapping } from "../content/params.ts";
import { type BodyField, readField } from "./body_field.ts";
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
  /** The body, parsed as JSON or by the model. */
  readonly body: unknown;
  /** All items of the page. */
  readonly items: readonly unknown[];
  /** The response. */
  readonly response: Response;
  /** The URL of the page, to resolve relative links. */
  readonly url: string;
  /** The parameters of the request, if it was no link: those of the options and of the rule. */
  readonly params: Readonly<Record<string, unknown>>;
  /** The number of items on all pages so far, including this one. */
  readonly count: number;
}

/**
 * The request of the next page: a link, or parameters that replace those of the same name.
 *
 * @category Paging
 */
export type NextPage =
  | { readonly link: string; readonly params?: undefined }
  | { readonly params: Readonly<Record<string, string | number>>; readonly link?: undefined };

/** The part of a state that names the request of a page. */
type NextState = Pick<PagingState, "link" | "params" | "withoutCredentials">;

/** The pages of one list, and how to read them. */
export interface PageList {
  /** Sends a request. */
  readonly send: SendPage;
  /** The path of the first page. */
  readonly path: Path;
  /** The options of each request. */
  readonly options: RequestOptions;
  /** The place of the items; undefined if the body is the array. */
  readonly items: BodyField | undefined;
  /** Returns the request of the next page; undefined after the last one. */
  readonly next: (page: RulePage) => NextPage | undefined;
  /** The limits after which the list counts as endless. */
  readonly limits: EndlessLimits;
}

/** A source that fetches the pages of a list, and notices if the list would never end. */
export class PageSource<T, B> {
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
    if (start.done) {
      throw new PagingError("there is no page after the last one: check state.done", index);
    }
    const { send, path, options } = this.#list;
    const { link } = start;
    const params = start.params === undefined
      ? options.params
      : { ...paramsMapping(options.params), ...start.params };
    const signals = [signal, options.signal].filter((each) => each !== undefined && each !== null);
    const sent = await send(link ?? path, {
      ...options,
      params: link === undefined ? params : undefined, // a link contains its parameters
      signal: signals.length > 1 ? AbortSignal.any(signals) : signals[0],
    }, link === undefined ? undefined : start).catch((error) => {
      throw link === undefined ? error : linkError(error, link, index);
    });
    const { body, response } = sent;
    const items = this.#itemsOf(sent, index);
    const before = start.delivered - start.skip;
    const page: RulePage = {
      body,
      items,
      response,
      url: response.url || sent.url,
      params: link === undefined ? paramsMapping(params) : {},
      count: before + items.length,
    };
    const newTail = afterPage(tail, items, this.#list.limits);
    const following = this.#following(page, sent, index, newTail);
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

  #itemsOf({ body, response, url }: SentPage, index: number): readonly unknown[] {
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

/** Returns the name of a page for a message. */
function nameOf(url: string, index: number): string {
  return `page ${index + 1} of ${pathForMessage(url)}`;
}

/** Returns the values of parameters as a key. */
function paramsKey(names: readonly string[], params: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(
    names.map((name) => [name, params[name] === undefined ? null : String(params[name])]),
  );
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
