/**
 * Hints of other generators about pages: extensions of operations, and of parameters and fields.
 *
 * They are read from `x-speakeasy-pagination`, `x-fern-pagination`, `x-scalar-pagination`,
 * `x-stainless-pagination-property`, `x-ms-pageable` and `x-pagination`.
 */

import type { StatedPages } from "../../names/overrides_file.ts";
import { isToken } from "../../read/fields.ts";
import type { Node, Source } from "../../read/source.ts";
import { mediaOf, preferred } from "../../read/media.ts";
import { keyOf, type PagedOperation } from "./page_fields.ts";
import type { PageField, PagingRule } from "../../model/mod.ts";
import { isRecord, type TypePlanner } from "../types/mod.ts";

/** A hint of a document. */
export interface PageHint {
  /** The name of the extension. */
  readonly name: string;
  readonly node: Node;
  /** The settings; false for no pages, undefined if it cannot be read. */
  readonly stated: StatedPages | false | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** The readers of the extensions of operations, by their names. */
const readers: Readonly<Record<string, (value: unknown, root: unknown) => PageHint["stated"]>> = {
  "x-speakeasy-pagination": speakeasy,
  "x-fern-pagination": fern,
  "x-scalar-pagination": scalar,
  "x-ms-pageable": microsoft,
  "x-pagination": apimatic,
};

/** Lists the hints about an operation. */
export function hintsOf(source: Source, types: TypePlanner, paged: PagedOperation): PageHint[] {
  const { node } = paged.operation;
  const hints: PageHint[] = [];
  for (const [name, read] of Object.entries(readers)) {
    const child = source.child(node, name);
    if (child === undefined || name === "x-pagination" && !isOfApimatic(child.value)) continue;
    const root = source.child(source.root, name)?.value;
    hints.push({
      name,
      node: child,
      stated: child.value === false ? false : read(child.value, root),
    });
  }
  const stated = stainless(source, types, paged);
  if (stated !== undefined) hints.push({ name: PROPERTY, node, stated });
  return hints;
}

/** The roles that a hint gives to parameters and fields. */
interface Roles {
  cursorParam?: string | undefined;
  offsetParam?: string | undefined;
  pageParam?: string | undefined;
  /** The parameter with the number of items on a page, if a shorter page is the last one. */
  sizeParam?: string | undefined;
  cursor?: PageField | { readonly lastItem: string } | undefined;
  url?: PageField | undefined;
  hasMore?: PageField | undefined;
  total?: PageField | undefined;
  pages?: PageField | undefined;
  items?: string | undefined;
  in?: "query" | "body" | undefined;
  isLink?: boolean | undefined;
}

function statedOf(roles: Roles): StatedPages | undefined {
  const rule = ruleOf(roles);
  return rule && { rule, items: roles.items, in: rule.kind === "linkHeader" ? "query" : roles.in };
}

function ruleOf(roles: Roles): PagingRule | undefined {
  const { cursorParam, cursor, hasMore, url, offsetParam, pageParam, sizeParam, total } = roles;
  if (roles.isLink) return { kind: "linkHeader" };
  if (cursorParam !== undefined && cursor !== undefined) {
    return { kind: "cursor", param: cursorParam, field: cursor, hasMore };
  }
  if (url !== undefined) return { kind: "nextUrl", field: url };
  if (pageParam !== undefined) {
    return { kind: "pageNumber", param: pageParam, sizeParam, total, pages: roles.pages };
  }
  if (offsetParam !== undefined) {
    return { kind: "offset", param: offsetParam, limitParam: sizeParam, total };
  }
  return undefined;
}

/** Speakeasy: `inputs` with their types, and `outputs` as JSONPath. */
function speakeasy(value: unknown): StatedPages | undefined {
  if (!isRecord(value) || !Array.isArray(value.inputs ?? [])) return undefined;
  const inputs = ((value.inputs ?? []) as unknown[]).filter(isRecord);
  const outputs = isRecord(value.outputs) ? value.outputs : {};
  const named = (type: string) => textOf(inputs.find((each) => each.type === type)?.name);
  const isInBody = inputs.some((each) => each.type !== "limit" && each.in === "requestBody");
  return statedOf({
    cursorParam: named("cursor"),
    offsetParam: named("offset"),
    pageParam: named("page"),
    sizeParam: named("limit"),
    cursor: cursorAt(outputs.nextCursor),
    url: placeAt(outputs.nextUrl),
    pages: placeAt(outputs.numPages),
    items: placeAt(outputs.results),
    in: value.type === "url" || inputs.length === 0 ? undefined : isInBody ? "body" : "query",
  });
}

/** Fern: `$request.…` and `$response.…`; true stands for what the document's root says. */
function fern(value: unknown, root: unknown): StatedPages | undefined {
  const hint = value === true ? root : value;
  if (!isRecord(hint)) return undefined;
  const offset = placeAt(hint.offset);
  const step = placeAt(hint.step);
  // Without a step, the number grows by one with each page, unless its name says what it counts.
  const isOffset = offset !== undefined &&
    (step !== undefined || /^(?:offset|skip)$/.test(keyOf(offset)));
  return statedOf({
    cursorParam: placeAt(hint.cursor),
    cursor: cursorAt(hint.next_cursor),
    offsetParam: isOffset ? offset : undefined,
    pageParam: isOffset ? undefined : offset,
    url: placeAt(hint.next_uri) ?? placeAt(hint.next_path),
    hasMore: placeAt(hint["has-next-page"]),
    items: placeAt(hint.results),
  });
}

/** Scalar: schemes with the roles of fields, in place or by the name of one at the root. */
function scalar(value: unknown, root: unknown): StatedPages | false | undefined {
  const hint = typeof value === "string" && Array.isArray(root)
    ? root.find((each) => isRecord(each) && each.name === value)
    : value;
  if (!isRecord(hint)) return undefined;
  if (hint.type === "fakePage") return false;
  const [request, response] = [rolesIn(hint.request), rolesIn(hint.response)];
  const param = (...roles: string[]) => {
    const [key, field] = find(request, roles);
    return field && (textOf(field.param) ?? key);
  };
  const field = (...roles: string[]) => {
    const [key, found] = find(response, roles);
    if (key === undefined || found === undefined || isLink(found)) return undefined;
    if (found.location === "header") {
      const header = textOf(found.headerName) ?? key;
      return isToken(header) ? { header } : undefined;
    }
    const path = Array.isArray(found.path) ? found.path : [textOf(found.property) ?? key];
    const inner = Array.isArray(found.cursorPath) ? found.cursorPath : [];
    return [...path, ...inner].join(".");
  };
  const isLink = (each: Fields) => each.location === "linkHeader";
  const [, items] = find(response, ["items"]);
  const id = items && Array.isArray(items.itemCursor) ? items.itemCursor.join(".") : undefined;
  const place = field("items");
  const [, first] = find(request, ["cursor", "cursorId", "offset", "pageNumber"]);
  return statedOf({
    cursorParam: param("cursor", "cursorId"),
    offsetParam: param("offset"),
    pageParam: param("pageNumber"),
    cursor: hint.type === "cursorId" && id !== undefined ? { lastItem: id } : field("cursor"),
    url: field("cursorUrl"),
    hasMore: field("hasMore"),
    total: field("total"),
    pages: field("totalPages"),
    items: typeof place === "string" ? place : undefined,
    in: first === undefined
      ? undefined
      : (first.location ?? hint.paramLocation) === "body"
      ? "body"
      : "query",
    isLink: response.some(([, each]) => isLink(each)),
  });
}

function rolesIn(value: unknown): (readonly [key: string, field: Fields])[] {
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, field]) => isRecord(field) ? [[key, field]] : []);
}

function find(
  fields: readonly (readonly [string, Fields])[],
  roles: readonly string[],
): readonly [string, Fields] | readonly [] {
  return fields.find(([, { type }]) => roles.some((role) => role === type)) ?? [];
}

/** AutoRest: the field with the next link. Null is a list in one piece. */
function microsoft(value: unknown): StatedPages | false | undefined {
  if (!isRecord(value)) return undefined;
  if (value.nextLinkName === null) return false;
  return statedOf({
    url: textOf(value.nextLinkName),
    items: textOf(value.itemName) ?? "value",
  });
}

/** Reports if an extension is that of APIMatic: others have the same name. */
function isOfApimatic(value: unknown): boolean {
  const hint: unknown = Array.isArray(value) ? value[0] : value;
  return value === false || isRecord(hint) &&
      ["cursor", "offset", "page", "link"].includes(String(hint.type)) &&
      [hint.input, hint.output, hint.next].some((each) => String(each).startsWith("$re"));
}

/** APIMatic: one scheme or a list of them, with runtime expressions such as `$response.body#/next`. */
function apimatic(value: unknown): StatedPages | undefined {
  const hint: unknown = Array.isArray(value) ? value[0] : value;
  if (!isRecord(hint)) return undefined;
  const input = placeAt(hint.input);
  const { type } = hint;
  return statedOf({
    cursorParam: type === "cursor" ? input : undefined,
    offsetParam: type === "offset" ? input : undefined,
    pageParam: type === "page" ? input : undefined,
    cursor: cursorAt(hint.output),
    url: type === "link" ? placeAt(hint.next ?? hint.output ?? hint.link) : undefined,
    items: placeAt(hint.results),
    in: typeof hint.input !== "string"
      ? undefined
      : hint.input.startsWith("$request.body")
      ? "body"
      : "query",
  });
}

/** The extension of Stainless, which is at parameters and fields. */
const PROPERTY = "x-stainless-pagination-property";

/** Stainless: the purpose of each parameter and field. */
function stainless(
  source: Source,
  types: TypePlanner,
  { operation, responses, body, result }: PagedOperation,
): StatedPages | undefined {
  const purposes = new Map<string, string>();
  const note = (node: Node | undefined, place: string) => {
    const value = isRecord(node?.value) ? node.value[PROPERTY] : undefined;
    const purpose = isRecord(value) ? textOf(value.purpose) : undefined;
    if (purpose !== undefined && !purposes.has(purpose)) purposes.set(purpose, place);
  };
  for (const { node, name } of operation.parameters) {
    const schema = node && source.child(node, "schema");
    note(node, name);
    note(schema && source.resolve(schema), name);
  }
  if (purposes.size === 0 && body === undefined) return undefined;
  const request = source.child(operation.node, "requestBody");
  const content = request && source.resolve(request);
  const sent = preferred(mediaOf(source, content), ["json"])?.schema;
  for (const { name } of body === undefined ? [] : types.propertiesOf(body.type)) {
    note(sent && types.propertyNode(sent, name), name);
  }
  if (purposes.size === 0) return undefined;
  const read = (schema: Node | undefined, type: typeof result.type, before: string): void => {
    for (const { name, type: inner } of types.propertiesOf(type)) {
      const child = schema && types.propertyNode(schema, name);
      note(child, before + name);
      if (before.split(".").length < 3) read(child, inner, `${before}${name}.`);
    }
  };
  for (const [status, response] of responses) {
    if (!/^(?:2|DEFAULT)/.test(status)) continue;
    read(preferred(mediaOf(source, response), ["json"])?.schema, result.type, "");
  }
  const id = purposes.get("cursor_item_id");
  return statedOf({
    cursorParam: purposes.get("next_cursor_param") ?? purposes.get("next_cursor_id_param"),
    offsetParam: purposes.get("offset_count_param"),
    pageParam: purposes.get("page_number_param"),
    cursor: purposes.get("next_cursor_field") ?? (id === undefined ? undefined : { lastItem: id }),
    url: purposes.get("cursor_url_field"),
    hasMore: purposes.get("has_next_page"),
    total: purposes.get("offset_total_count_field"),
    pages: purposes.get("total_page_count_field"),
    items: purposes.get("items"),
  });
}

/**
 * Returns the place that an expression names, with dots: `$.meta.next`, `$response.meta.next`,
 * `$response.body#/meta/next` and `$request.query#/cursor`.
 */
function placeAt(value: unknown): string | undefined {
  const text = textOf(value);
  if (text === undefined) return undefined;
  if (
    text === "$" || text === "$response" || text === "$response.body" || text === "$response.body#"
  ) {
    return "";
  }
  const pointer = /^(?:\$(?:request|response)\.\w+)?#?(\/.*)$/s.exec(text)?.[1];
  if (pointer !== undefined) {
    return pointer.slice(1).split("/").map((part) =>
      part.replaceAll("~1", "/").replaceAll("~0", "~")
    ).join(".");
  }
  const place = text.replace(/^\$(?:(?:request|response)(?:\.(?:body|query))?)?\./, "");
  return /[[\]()?*]/.test(place) ? undefined : place;
}

/** Returns the place of a cursor, which may be in the last item: `$.data[-1].id`. */
function cursorAt(value: unknown): PageField | { readonly lastItem: string } | undefined {
  const last = /\[(?:-1|\(@\.length ?- ?1\)|-1:)\]\.([^[\]]+)$/.exec(textOf(value) ?? "")?.[1];
  return last === undefined ? placeAt(value) : { lastItem: last };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
