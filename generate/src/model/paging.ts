/** Lists that come in pages: the rules by which they are read, and the classes of pages. */

import type { Property, Type } from "./types.ts";

/** A list that comes in pages. */
export interface Pages {
  /** The rule that finds the next page; undefined if there is one page only. */
  readonly rule: PagingRule | undefined;
  /** The names on the path to the items in the body; none if the body is the array. */
  readonly items: readonly ItemsStep[];
  /** The type of an item. */
  readonly item: Type;
  /** True if the body can be null. */
  readonly isNullable: boolean;
  /** Why the list is read in pages, and by this rule. */
  readonly reason: string;
  /** The source of the rule: names in the document, a hint in it, or an override. */
  readonly origin: "names" | "hint" | "override";
  /** The class of the pages among those of the SDK; undefined for a list of the toolkit. */
  readonly className?: string | undefined;
  /** The name of a type for that class with this item, which the file of the group declares. */
  readonly alias?: string | undefined;
}

/** Why the list that a GET returns is not read in pages. */
export interface WholeList {
  /** The evidence that is missing or not certain. */
  readonly reason: string;
  /**
   * The pages for the file of overrides that would read it in pages. `FIELD` stands for a name that the
   * document does not have.
   */
  readonly override: Readonly<Record<string, unknown>>;
}

/** A property on the path to the items of a page. */
export interface ItemsStep {
  /** The name of the property. */
  readonly name: string;
  /** True if a body may be without it. Null counts as no items. */
  readonly isOptional: boolean;
}

/** A rule of the toolkit that finds the next page. Parameters are in the query, or in a body of JSON. */
export type PagingRule =
  | { readonly kind: "linkHeader" }
  | { readonly kind: "nextUrl"; readonly field: PageField }
  | {
    readonly kind: "cursor";
    readonly param: string;
    readonly field: PageField | { readonly lastItem: string };
    readonly hasMore?: PageField | undefined;
  }
  | {
    readonly kind: "offset";
    readonly param: string;
    readonly limitParam?: string | undefined;
    readonly total?: PageField | undefined;
    readonly first?: 0 | 1 | undefined;
  }
  | {
    readonly kind: "pageNumber";
    readonly param: string;
    readonly sizeParam?: string | undefined;
    readonly total?: PageField | undefined;
    readonly pages?: PageField | undefined;
    readonly first?: 0 | 1 | undefined;
  };

/** A field of the body, as names joined by dots, or a header of the response. */
export type PageField = string | { readonly header: string };

/** A class of pages. */
export interface PageClass {
  /** The name of the class. */
  readonly className: string;
  /** The rule for the next page; undefined if there is one page only. */
  readonly rule: PagingRule | undefined;
  /** The path to the items in the body. */
  readonly items: readonly ItemsStep[];
  /** The fields of a page. The type of an item in them is the reference `Item`. */
  readonly fields: readonly Property[];
}
