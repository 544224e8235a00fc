/** Pages of lists in clients with resources. */
import type { BodyField } from "../paging/body_field.ts";
import { readField } from "../paging/body_field.ts";
import type { Page as ListPage } from "../paging/page.ts";
import type { PagePromise } from "../paging/page_promise.ts";
import { PagingRule } from "../paging/paging_rule.ts";
import { once, ResourcePromise } from "./promise.ts";

/**
 * The settings of a class of pages.
 *
 * @category Resources
 */
export interface PageSettings {
  /** The place of the items. Default: the body is the array */
  readonly items?: BodyField | undefined;
  /** The rule for the next page. Default: there is one page only */
  readonly next?: PagingRule | undefined;
}

/**
 * A page of a list. It has the fields of the body as properties; if the body is an array, that is
 * `items`. Iterating over it yields its items, and those of all following pages.
 *
 * Classes of pages extend it, and set `paging`.
 *
 * @example
 * ```ts
 * import { cursor } from "@restwright/restwright/paging";
 * import { AbstractPage, type PageSettings, ResourceClient } from "@restwright/restwright/resources";
 *
 * class CursorPage<Item> extends AbstractPage<Item> {
 *   static override readonly paging: PageSettings = {
 *     items: "data",
 *     next: cursor("after", { lastItem: "id" }, { hasMore: "has_more" }),
 *   };
 *   declare readonly data: Item[];
 *   declare readonly has_more: boolean;
 * }
 *
 * const pages = [{ data: [{ id: 1 }], has_more: true }, { data: [{ id: 2 }], has_more: false }];
 * const fetch = () => Promise.resolve(Response.json(pages.shift()));
 * const client = new ResourceClient({ baseURL: "https://api.example.com", fetch });
 *
 * const list = client.getAPIList<{ id: number }, CursorPage<{ id: number }>>("/pets", CursorPage);
 * console.log((await list).has_more); // true
 * for await (const pet of list) console.log(pet.id); // 1, then 2
 * ```
 *
 * @category Resources
 */
export abstract class AbstractPage<Item> implements AsyncIterable<Item> {
  /** The place of the items, and the rule for the next page. */
  static readonly paging: PageSettings = {};

  readonly #page: ListPage<Item>;

  /**
   * Builds a page.
   *
   * @param page The page of the toolkit
   */
  constructor(page: ListPage<Item>) {
    this.#page = page;
    const fields = Array.isArray(page.body) ? { items: page.body } : Object(page.body);
    for (const [name, value] of Object.entries(fields)) {
      // The methods of the class are not replaced by a field of the same name.
      if (name in this) continue;
      Object.defineProperty(this, name, {
        value,
        enumerable: true,
        writable: true,
        configurable: true,
      });
    }
  }

  /** The name of the class. Frameworks such as Vue wrap objects without one in a `Proxy`. */
  get [Symbol.toStringTag](): string {
    return "Page";
  }

  /** Returns the items of this page. */
  getPaginatedItems(): Item[] {
    return this.#page.items as Item[];
  }

  /** Returns true if another page follows. */
  hasNextPage(): boolean {
    return this.#page.hasNextPage();
  }

  /**
   * Requests the next page.
   *
   * @throws {PagingError} If this is the last page
   */
  async getNextPage(): Promise<this> {
    const Class = this.constructor as new (page: ListPage<Item>) => this;
    return new Class(await this.#page.nextPage());
  }

  /** Iterates over this page and all following ones. */
  async *iterPages(): AsyncGenerator<this, void, undefined> {
    let page = this as this;
    yield page;
    while (page.hasNextPage()) {
      page = await page.getNextPage();
      yield page;
    }
  }

  /** Iterates over the items of this page and of all following ones. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.iterPages()) yield* page.getPaginatedItems();
  }
}

/**
 * A class of pages.
 *
 * @category Resources
 */
export interface PageClass<Item, P extends AbstractPage<Item>> {
  /** The place of the items, and the rule for the next page. */
  readonly paging: PageSettings;
  /** Builds a page. */
  new (page: ListPage<Item>): P;
}

/**
 * The promise of a list: await it for the first page, or iterate over it for the items of all pages.
 *
 * @category Resources
 */
export class ResourcePagePromise<
  P extends AbstractPage<Item>,
  Item = ReturnType<P["getPaginatedItems"]>[number],
> extends ResourcePromise<P> implements AsyncIterable<Item> {
  /**
   * Builds the promise. The first page is requested when it is awaited.
   *
   * @param list The list of the toolkit
   * @param pageClass The class of its pages
   */
  constructor(list: PagePromise<Item>, pageClass: PageClass<Item, P>) {
    super({
      result: once(async () => new pageClass(await list)),
      response: async () => (await list).response,
    });
  }

  /** The name of the class. */
  override get [Symbol.toStringTag](): string {
    return "ResourcePagePromise";
  }

  /** Iterates over the items of all pages. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    yield* await this;
  }
}

/** The rule of lists with one page only. */
const onePage: PagingRule = /* @__PURE__ */ new PagingRule(() => undefined);

/** Returns the options of a list for the toolkit. A missing list counts as an empty one. */
export function pagingOptions(
  { items, next = onePage }: PageSettings,
): { readonly items: BodyField | undefined; readonly next: PagingRule } {
  if (items === undefined) return { items, next };
  return { items: (body, response) => readField(items, body, response) ?? [], next };
}
