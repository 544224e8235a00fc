/** Prints lists that come in pages: the place of their items, and the rule for the next page. */

import type { PageField, Pages, PagingRule } from "../model/mod.ts";
import type { Imports } from "./imports.ts";
import { call, flat, type Layout, object, property } from "./layout.ts";
import { propertyKey, quoted } from "./literals.ts";

/** Returns the options `items` and `next` of a list. */
export function pagesLayouts(pages: Pages, toolkit: string, imports: Imports): Layout[] {
  const { rule } = pages;
  if (rule !== undefined) imports.value(`${toolkit}/paging`, rule.kind);
  const items = itemsText(pages);
  return [
    ...items === undefined ? [] : [property("items", items)],
    ...rule === undefined ? [] : [property("next", ruleLayout(rule))],
  ];
}

/** Returns the line with the reason for the rule. */
export function pagesComment({ reason }: Pages): string {
  // The quotes of the literal go; its escapes stay, so that the comment keeps to its line.
  const text = quoted(reason).slice(1, -1).replaceAll('\\"', '"');
  return `    // In pages, by ${text}.\n`;
}

/** Returns the place of the items; undefined if the body is the array. */
function itemsText({ items, isNullable }: Pages): string | undefined {
  if (items.length === 0) return undefined;
  const isCertain = items.every(({ isOptional }) => !isOptional);
  const [step] = items;
  if (isCertain && items.length === 1 && !isNullable) return quoted(step!.name);
  // A function keeps the types of fields further down, and returns no items for a missing field.
  let text = "page";
  let mayMiss = isNullable;
  for (const { name, isOptional } of items) {
    const key = propertyKey(name);
    const isName = key === name;
    text += mayMiss ? `?.${isName ? name : `[${key}]`}` : isName ? `.${name}` : `[${key}]`;
    mayMiss = isOptional;
  }
  return `(page) => ${text}${isCertain && !isNullable ? "" : " ?? []"}`;
}

/** Returns the call of the toolkit that makes a rule. */
export function ruleLayout(rule: PagingRule): Layout {
  switch (rule.kind) {
    case "linkHeader":
      return "linkHeader()";
    case "nextUrl":
      return call("nextUrl", [fieldText(rule.field)]);
    case "cursor": {
      const { param, field, hasMore } = rule;
      const place = typeof field === "object" && "lastItem" in field
        ? `{ lastItem: ${quoted(field.lastItem)} }`
        : fieldText(field);
      const settings = settingsLayout([["hasMore", hasMore && fieldText(hasMore)]]);
      return call("cursor", [quoted(param), place, ...settings]);
    }
    case "offset": {
      const { param, limitParam, total, first } = rule;
      const settings = settingsLayout([
        ["limitParam", limitParam && quoted(limitParam)],
        ["total", total && fieldText(total)],
        ["first", first === undefined ? undefined : String(first)],
      ]);
      return call("offset", [quoted(param), ...settings]);
    }
    case "pageNumber": {
      const { param, sizeParam, total, pages, first } = rule;
      const settings = settingsLayout([
        ["sizeParam", sizeParam && quoted(sizeParam)],
        ["total", total && fieldText(total)],
        ["pages", pages && fieldText(pages)],
        ["first", first === undefined ? undefined : String(first)],
      ]);
      return call("pageNumber", [quoted(param), ...settings]);
    }
  }
}

function settingsLayout(
  settings: readonly (readonly [name: string, value: string | undefined])[],
): Layout[] {
  const stated = settings.flatMap(([name, value]) =>
    value === undefined ? [] : [property(name, value)]
  );
  return stated.length === 0 ? [] : [object(stated)];
}

function fieldText(field: PageField): string {
  return typeof field === "string"
    ? quoted(field)
    : flat(call("(_, { headers }) => headers.get", [quoted(field.header)]));
}
