/** The pages of methods of resources, and the classes that they share. */

import type { Source } from "../../read/source.ts";
import {
  findItems,
  hasField,
  isNullable,
  itemsAt,
  type PagedOperation,
  propertiesIn,
} from "./page_fields.ts";
import { planPages } from "./plan_list.ts";
import type { Comment, PageClass, Pages, PagingRule, Property, Type } from "../../model/mod.ts";
import type { TypePlanner } from "../types/mod.ts";
import type { MethodShape, PageShape, SdkShape } from "../../sdk/shape.ts";
import { isSame, keyword } from "../../algebra/types.ts";
import type { TypeNames } from "../../names/type_names.ts";

/** The pages of a method. */
export interface ShapedPages {
  readonly pages: Pages;
  /** The name of the class in the configuration; undefined if the rule is that of the document. */
  readonly name: string | undefined;
}

/** Plans the pages of a method by the classes of a shape, or else by the document. */
export function shapedPages(
  source: Source,
  types: TypePlanner,
  { shape: { pages }, method }: { readonly shape: SdkShape; readonly method: MethodShape },
  paged: PagedOperation,
): ShapedPages | undefined {
  if (method.page === undefined || paged.result.kind !== "json") return undefined;
  const named = pages.get(method.page);
  const isAuto = method.page === "auto";
  const candidates = named !== undefined ? [named] : isAuto ? [...pages.values()] : [];
  for (const page of candidates) {
    if (isAuto && !fits(types, page, paged)) continue;
    const items = page.items === undefined
      ? findItems(types, paged.result.type, paged.operation.path)
      : itemsAt(types, paged.result.type, page.items);
    if (items === undefined) continue;
    const reason = `the class \`${page.name}\` of the configuration`;
    const isEmpty = isNullable(types, paged.result.type);
    const found = {
      rule: page.rule,
      ...items,
      isNullable: isEmpty,
      reason,
      origin: "override",
    } as const;
    return { pages: found, name: page.name };
  }
  if (candidates.length > 0) {
    if (!isAuto) {
      const message = `the result has no list for the pages \`${method.page}\``;
      source.problem(paged.operation.node, "operation", message, "returned as it is");
    }
    return undefined;
  }
  // Without classes of pages, only a list of methods says that a result is a page.
  if (method.resultType === undefined && isAuto) return undefined;
  const found = planPages(source, types, paged);
  if (found !== undefined) return { pages: found, name: undefined };
  const items = findItems(types, paged.result.type, paged.operation.path);
  if (items !== undefined) {
    const reason = "the list of methods";
    const isEmpty = isNullable(types, paged.result.type);
    const pages = {
      rule: undefined,
      ...items,
      isNullable: isEmpty,
      reason,
      origin: "override",
    } as const;
    return { pages, name: undefined };
  }
  const message = "the result is stated as a page, but has no list";
  source.problem(paged.operation.node, "operation", message, "returned as it is");
  return undefined;
}

/** Reports if an operation has the parameters of a class of pages, and its result the fields. */
function fits(
  types: TypePlanner,
  page: PageShape,
  { parameters, body, result }: PagedOperation,
): boolean {
  const names = page.in === "body"
    ? types.propertiesOf(body?.type ?? keyword("unknown")).map(({ name }) => name)
    : parameters.filter(({ place }) => place === "query").map(({ wireName }) => wireName);
  return page.parameters.every((name) => names.includes(name)) &&
    page.fields.every((field) => hasField(types, result.type, field));
}

/** The classes of pages of a client, of which methods with the same rule share one. */
export class PageClasses {
  readonly #names: TypeNames;
  readonly #types: TypePlanner;
  readonly #classes = new Map<string, PageClass>();

  /**
   * @param names The names that are taken
   * @param types The planner of types
   */
  constructor(names: TypeNames, types: TypePlanner) {
    this.#names = names;
    this.#types = types;
  }

  /** Returns the name of the class for pages of a body, with the fields that all its bodies have. */
  classOf({ pages: { rule, items }, name }: ShapedPages, body: Type): string {
    const place = items.map((each) => each.name);
    const key = name ?? JSON.stringify([rule, place]);
    const fields = this.#fieldsOf(body, place);
    const known = this.#classes.get(key);
    if (known === undefined) {
      const className = this.#names.take(name ?? ofKind[rule?.kind ?? "none"]);
      this.#classes.set(key, { className, rule, items, fields });
      return className;
    }
    const shared = known.fields.flatMap((each) => {
      const other = fields.find((field) => field.name === each.name);
      if (other === undefined || !isSame(other.type, each.type)) return [];
      return [{ ...each, optional: each.optional || other.optional }];
    });
    this.#classes.set(key, { ...known, fields: shared });
    return known.className;
  }

  /** Returns the classes, in the order of their first use. */
  all(): PageClass[] {
    return [...this.#classes.values()];
  }

  /** Returns the fields of a body, in which `Item` stands for the type of an item. */
  #fieldsOf(body: Type, [first, ...rest]: readonly string[]): Property[] {
    const plain: Comment = { text: "", tags: [] };
    const list: Type = { kind: "array", items: { kind: "reference", name: "Item" } };
    if (first === undefined) {
      return [{ name: "items", type: list, optional: false, comment: plain }];
    }
    return propertiesIn(this.#types, body).map((property) => {
      if (property.name !== first) return { ...property, comment: plain };
      if (rest.length === 0) return { name: first, type: list, optional: false, comment: plain };
      const inner = this.#fieldsOf(property.type, rest);
      return { ...property, type: { kind: "object", properties: inner }, comment: plain };
    });
  }
}

const ofKind: Readonly<Record<PagingRule["kind"] | "none", string>> = {
  cursor: "CursorPage",
  linkHeader: "LinkPage",
  nextUrl: "NextURLPage",
  offset: "OffsetPage",
  pageNumber: "PageNumberPage",
  none: "SinglePage",
};
