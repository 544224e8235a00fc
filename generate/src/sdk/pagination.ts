/** The page classes of a configuration: their rules, by the purposes that it states. */
import type { PageField, PagingRule } from "../model/mod.ts";
import type { PageShape } from "./shape.ts";
import type { Setting } from "../read/settings.ts";

/** The key that states the purpose of a parameter or field. */
const PROPERTY = "x-stainless-pagination-property";

/** The types of pages. */
const TYPES = ["cursor", "cursor_id", "cursor_url", "page_number", "offset", "fake_page"] as const;

/** The most levels of fields inside of each other. */
const MAX_LEVELS = 6;

/** The names that a parameter or field has if no other one has the purpose. */
const usualNames: Readonly<Record<string, readonly string[]>> = {
  next_cursor_param: ["cursor", "page_token", "after", "next_cursor"],
  next_cursor_field: ["next_cursor", "next_page_token", "cursor", "next"],
  next_cursor_id_param: ["after", "starting_after", "after_id"],
  cursor_item_id: ["id"],
  cursor_url_field: ["next", "next_url", "next_page"],
  page_number_param: ["page", "page_number"],
  offset_count_param: ["offset", "skip"],
};

/** A parameter of a request, or a field of a response or of its items. */
interface Part {
  /** The names on the way to it. */
  readonly path: string;
  readonly type: string | undefined;
  readonly purpose: Setting | undefined;
  readonly header: string | undefined;
  readonly isWholeBody: boolean;
}

/** The settings of a part that states nothing. */
const NO_PART: Omit<Part, "path"> = {
  ...{ type: undefined, purpose: undefined, header: undefined, isWholeBody: false },
};

/** The parts of a page class. */
interface Parts {
  readonly request: readonly Part[];
  readonly response: readonly Part[];
  /** The fields of an item. */
  readonly item: readonly Part[];
}

/**
 * Reads `pagination`: one page class, or a list of them.
 *
 * @returns The classes by their names
 */
export function readPagination(setting: Setting | undefined): Map<string, PageShape> {
  const pages = new Map<string, PageShape>();
  if (setting === undefined) return pages;
  for (const scheme of Array.isArray(setting.value) ? setting.items() : [setting]) {
    const name = scheme.child("name")?.wireName() ?? "page";
    const page = readScheme(name, scheme);
    if (page !== undefined) pages.set(name, page);
  }
  return pages;
}

function readScheme(name: string, scheme: Setting): PageShape | undefined {
  const type = scheme.child("type");
  if (type === undefined) return scheme.fail(`a page class with a type: ${TYPES.join(", ")}`);
  const kind = type.oneOf(TYPES);
  const parts = partsOf(scheme);
  const used = new Set<Part>();
  const rule = ruleOf(kind, parts, used);
  for (const part of [...parts.request, ...parts.response, ...parts.item]) {
    if (!used.has(part)) losePurpose(part.purpose);
  }
  // Lists are read on after an empty page as long as the rule finds a next one.
  scheme.child("continue_on_empty_items")?.flag();
  scheme.child("description")?.text();
  const place = scheme.child("param_location")?.oneOf(["query", "body"]) ?? "query";
  if (rule === undefined && kind !== "fake_page") {
    const message = `the page class ${
      JSON.stringify(name)
    } states no parameter or field for its type`;
    scheme.problem("unsupported", message, "its lists are read as the document states them");
    return undefined;
  }
  return {
    ...{ name, rule, in: place },
    items: itemsOf(parts.response),
    parameters: parts.request.map(({ path }) => path),
    fields: parts.response.filter(({ header, isWholeBody }) => header === undefined && !isWholeBody)
      .map(({ path }) => path),
  };
}

function partsOf(scheme: Setting): Parts {
  const [request, response, item]: [Part[], Part[], Part[]] = [[], [], []];
  const parameters = scheme.child("request");
  const fields = scheme.child("response");
  if (parameters !== undefined) readParts(parameters, request, { levels: 0 });
  if (fields !== undefined) readParts(fields, response, { levels: 0, items: item });
  return { request, response, item };
}

/** Collects parameters or fields, and those inside of them. */
function readParts(
  properties: Setting,
  parts: Part[],
  { levels, path = "", items }: {
    readonly levels: number;
    readonly path?: string;
    /** The parts of an item are collected here. */
    readonly items?: Part[];
  },
): void {
  for (const [name, schema] of properties.entries()) {
    const own = `${path}${name}`;
    if (!/^[^\p{C}]{1,300}$/u.test(own)) {
      schema.fail("a field whose name has no control characters");
    }
    // A schema of the page class is only looked at: its types come from the document.
    if (!schema.isObject) {
      schema.whole();
      parts.push({ ...NO_PART, path: own });
      continue;
    }
    parts.push(partOf(schema, own));
    if (levels >= MAX_LEVELS) continue;
    const fields = schema.child("properties");
    if (fields !== undefined) {
      readParts(fields, parts, { levels: levels + 1, path: `${own}.`, ...items && { items } });
    }
    readItem(schema.child("items"), items, levels);
  }
}

/** Reads the purpose and the type of a parameter or field. */
function partOf(schema: Setting, path: string): Part {
  const property = schema.child(PROPERTY);
  const inner = property?.isObject === true ? property : undefined;
  const type = schema.child("type")?.whole();
  const part = {
    path,
    type: typeof type === "string" ? type : undefined,
    // Some configurations have the purpose itself in place of an object.
    purpose: property?.isObject === false ? property : property?.child("purpose"),
    header: inner?.child("from_header")?.header(),
    isWholeBody: inner?.child("is_top_level_array")?.flag() ?? false,
  };
  for (const annotation of ANNOTATIONS) schema.child(annotation)?.whole();
  return part;
}

/** Collects the fields of the items of a list, if they are wanted. */
function readItem(item: Setting | undefined, items: Part[] | undefined, levels: number): void {
  if (item === undefined) return;
  const fields = items === undefined || !item.isObject ? undefined : item.child("properties");
  if (fields === undefined) {
    item.whole();
    return;
  }
  readParts(fields, items!, { levels: levels + 1 });
  for (const annotation of ["type", ...ANNOTATIONS]) item.child(annotation)?.whole();
}

/** The keys of schemas that do not matter to the rule of a page class. */
const ANNOTATIONS: readonly string[] =
  ("title description default example examples format nullable required readOnly writeOnly minimum " +
    "maximum minLength maxLength minItems maxItems enum const pattern deprecated additionalProperties " +
    "allOf anyOf oneOf $ref").split(" ");

/** Returns the rule; undefined if a part that it needs is missing. */
function ruleOf(
  type: (typeof TYPES)[number],
  { request, response, item }: Parts,
  used: Set<Part>,
): PagingRule | undefined {
  const find = (parts: readonly Part[], purpose: string): Part | undefined => {
    const stated = parts.find((part) => part.purpose?.value === purpose);
    const part = stated ??
      (usualNames[purpose] ?? []).flatMap((name) =>
        parts.find(({ path, purpose }) => path === name && purpose === undefined) ?? []
      )[0];
    if (part === undefined) return undefined;
    used.add(part);
    part.purpose?.text();
    return part;
  };
  const parameter = (purpose: string) => find(request, purpose)?.path;
  const field = (purpose: string): PageField | undefined => {
    const part = find(response, purpose);
    return part?.header === undefined ? part?.path : { header: part.header };
  };
  find(response, "items");
  switch (type) {
    case "cursor": {
      const [param, next] = [parameter("next_cursor_param"), field("next_cursor_field")];
      if (param === undefined || next === undefined) return undefined;
      const hasMore = field("has_next_page");
      return { kind: "cursor", param, field: next, ...hasMore && { hasMore } };
    }
    case "cursor_id": {
      const param = parameter("next_cursor_id_param") ?? parameter("next_cursor_param");
      if (param === undefined) return undefined;
      const lastItem = find(item, "cursor_item_id")?.path ?? "id";
      const hasMore = field("has_next_page");
      return { kind: "cursor", param, field: { lastItem }, ...hasMore && { hasMore } };
    }
    case "cursor_url": {
      const next = field("cursor_url_field");
      return next === undefined ? undefined : { kind: "nextUrl", field: next };
    }
    case "page_number": {
      const param = parameter("page_number_param");
      if (param === undefined) return undefined;
      // The client counts the pages itself.
      field("current_page_number_field");
      const pages = field("total_page_count_field");
      return { kind: "pageNumber", param, ...pages && { pages } };
    }
    case "offset": {
      const param = parameter("offset_count_param");
      if (param === undefined) return undefined;
      // The client counts the items itself.
      field("offset_count_start_field");
      const total = field("offset_total_count_field");
      return { kind: "offset", param, ...total && { total } };
    }
    case "fake_page":
      return undefined;
  }
}

/** Returns the place of the items. */
function itemsOf(response: readonly Part[]): string | undefined {
  if (response.some(({ isWholeBody }) => isWholeBody)) return "";
  const stated = response.find(({ purpose }) => purpose?.value === "items");
  return (stated ?? response.find(({ type }) => type === "array"))?.path;
}

/** Notes a purpose that has no effect: pages are only read forwards. */
function losePurpose(purpose: Setting | undefined): void {
  if (purpose !== undefined) purpose.lose(purpose.text().slice(0, 60));
}
