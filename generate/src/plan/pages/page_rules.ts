/** The rules by which lists are found: what the names of an operation must have for each. */

import type { PageField, PagingRule } from "../../model/mod.ts";
import { statedIn } from "../../read/statements.ts";
import { isRecord, type TypePlanner } from "../types/mod.ts";
import {
  type FieldKind,
  keyOf,
  kindOf,
  type PageFieldNode,
  type PageItems,
  type PageParameter,
  propertiesIn,
} from "./page_fields.ts";
import {
  cursorFields,
  cursorHeaders,
  cursorParams,
  lastItemParams,
  moreFields,
  offsetParams,
  pageParams,
  pagesFields,
  sizeParams,
  startParams,
  totalFields,
  urlFields,
} from "./page_names.ts";

/** The parts of an operation that the rules look at. */
export interface PageContext {
  readonly parameters: readonly PageParameter[];
  readonly place: "query" | "body";
  readonly fields: readonly PageFieldNode[];
  /** The names of the headers of successful responses. */
  readonly headers: readonly string[];
  /** True if the response is a document of JSON:API. */
  readonly isJsonApi: boolean;
  /** The items; undefined if it is not known which of several arrays has them. */
  readonly items: PageItems | undefined;
  /** True if the object around the items looks like a resource of its own. */
  readonly isResource: boolean;
  /** Reports if the document names the response header `Link` anywhere. */
  readonly namesLinkHeader: () => boolean;
  /** Reports if an example of the document shows that its fields `next` are URLs. */
  readonly showsNextUrls: () => boolean;
  readonly types: TypePlanner;
}

/** A rule with the reason why it was chosen. */
export interface FoundRule {
  readonly rule: PagingRule;
  readonly reason: string;
}

/** A part of the evidence of a rule: what is missing, and the rule in the form of the overrides. */
export interface PartOfRule {
  readonly missing: string;
  readonly override: Readonly<Record<string, unknown>>;
}

/** A row of the table. */
interface PageRule {
  /** Finds the rule; if the operation has only a part of the evidence, says what is missing. */
  readonly find: (context: PageContext) => FoundRule | PartOfRule | undefined;
}

/**
 * The table of rules, the surest first. The first rule whose evidence is complete is taken.
 *
 * | rule          | evidence in the request      | evidence in the response                          |
 * | ------------- | ---------------------------- | ------------------------------------------------- |
 * | link header   |                              | the header `Link`                                 |
 * | cursor        | a name of `cursorParams`     | a name of `cursorFields`                          |
 * | cursor        | a parameter `x` of paging    | `nextX`, or `x` in an object `next…`              |
 * | cursor        | a parameter `next…`          | a field with its name                             |
 * | cursor        | a parameter whose text names | the field                                         |
 * |               | a field `next…`              |                                                   |
 * | cursor        | a time `until`               | a number `next` whose text calls it a time        |
 * | cursor        | a name of `cursorParams`     | a header that ends in a name of `cursorHeaders`   |
 * | link header   | a parameter of paging whose  | none                                              |
 * |               | text names the header `Link` |                                                   |
 * | cursor        | a name of `cursorParams`     | such a header in the text of the parameter        |
 * | link header   | a name of `cursorParams`     | an array, where no cursor can be, and the header  |
 * |               |                              | `Link` of other operations                        |
 * | last item     | `after`, `startingAfter`,    | a name of `moreFields`, and items with an `id`    |
 * |               | `afterId`                    | or `afterId`                                      |
 * | URL           |                              | a name of `urlFields`, or a `next` that is a URL  |
 * |               |                              | by its description, format or example             |
 * | page number   | a number of `pageParams`     | none; for POST a number of pages or items         |
 * | offset        | a number of `offsetParams`   | none; for POST a number of items                  |
 * | start         | a number of `startParams`,   | a number of items, or the same name; or a text    |
 * |               | and a size                   | that calls the parameter an offset                |
 * | URL           | no parameter of paging       | `next`, which is a URL in examples of other lists |
 * | URL           | a parameter `page[…]`        | JSON:API, whose links are in `links`              |
 */
export const pageRules: readonly PageRule[] = [
  { find: linkHeader },
  { find: cursor },
  { find: cursorOfSameName },
  { find: cursorInFieldOfText },
  { find: cursorOfTime },
  { find: cursorInHeader },
  { find: linkHeaderInText },
  { find: cursorInHeaderOfText },
  { find: linkHeaderOfOthers },
  { find: lastItem },
  { find: nextUrl },
  { find: pageNumber },
  { find: offset },
  { find: start },
  { find: nextUrlOfOthers },
  { find: linksOfJsonApi },
];

function linkHeader({ headers, place, isResource }: PageContext): FoundRule | undefined {
  return place === "query" && !isResource && headers.some((name) => keyOf(name) === "link")
    ? { rule: { kind: "linkHeader" }, reason: "the response header `Link`" }
    : undefined;
}

/** Matches a text that names the response header `Link`, or the relation that only it has. */
const linkText =
  /\blink\b[`"'*\])]* ?(?:(?:http|response) )?headers?\b|\bnext\b[`"'*]* link relation/i;

function namesLink(text: string): boolean {
  return statedIn(text, linkText).length > 0;
}

/** Reports if the document names the response header `Link`: in a text, or among its headers. */
export function namesLinkHeader(document: unknown): boolean {
  return someValue(document, (value) => {
    if (typeof value === "string") return namesLink(value);
    const { headers } = recordOf(value);
    return Object.keys(recordOf(headers)).some((name) => keyOf(name) === "link");
  });
}

/** Reports if an example of the document is a page whose field `next` is a URL. */
export function showsNextUrls(document: unknown): boolean {
  return someValue(document, (value) => {
    const page = recordOf(value);
    return isUrlText(page["next"]) && Object.values(page).some((each) => Array.isArray(each));
  });
}

/** Reports if a value, or one of those inside of it, fits. */
function someValue(document: unknown, fits: (value: unknown) => boolean): boolean {
  const seen = new Set<unknown>();
  const waiting = [document];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (seen.has(value)) continue;
    if (fits(value)) return true;
    if (typeof value !== "object" || value === null) continue;
    seen.add(value);
    for (const inner of Object.values(value)) waiting.push(inner);
  }
  return false;
}

/** Finds the parameter of which the document says that its next value is in the header `Link`. */
function linkHeaderInText(context: PageContext): FoundRule | undefined {
  const { parameters, place, isResource } = context;
  if (place !== "query" || isResource) return undefined;
  const param = parameters.find((each) => isPaging(each) && namesLink(each.description));
  return param && {
    rule: { kind: "linkHeader" },
    reason: `the response header \`Link\`, which the text of ${
      parameterText(place, param.name)
    } names`,
  };
}

/** Finds the cursor of an array: it is in a header, and other operations say in which one. */
function linkHeaderOfOthers(context: PageContext): FoundRule | undefined {
  const { items, place, namesLinkHeader } = context;
  const param = cursorsOf(context).find(isOptionalText);
  const isArray = items?.items.length === 0;
  if (param === undefined || !isArray || place !== "query" || !namesLinkHeader()) return undefined;
  const reason = `${parameterText(place, param.name)} and the response header \`Link\`, ` +
    "which the document names elsewhere";
  return { rule: { kind: "linkHeader" }, reason };
}

function cursor(context: PageContext): FoundRule | undefined {
  const [param] = cursorsOf(context);
  const linked = nextBesidePrevious(context.fields);
  const field = fieldAmong(
    context.fields.filter((each) =>
      !isUrl(each) && each !== linked && isBesideItems(context, each.path)
    ),
    cursorFields,
    ["text", "number"],
  );
  return param && field && cursorRule(context, param, field.path);
}

/** Reports if a field can be that of the items: a resource that has a list has its cursor, too. */
function isBesideItems({ items, isResource }: PageContext, path: string): boolean {
  if (items === undefined || !isResource) return true;
  const around = items.items.slice(0, -1).map(({ name }) => `${name}.`).join("");
  return path.startsWith(around);
}

/** `next_page` is the cursor of `page`, `next_page.offset` that of `offset`, and `next` that of `next`. */
function cursorOfSameName(context: PageContext): FoundRule | undefined {
  const { parameters } = context;
  const isNext = (name: string) => name.startsWith("next");
  const isAsked = (each: PageParameter) =>
    isPaging(each) || isNext(each.key) && isOptionalText(each);
  for (const param of parameters.filter(isAsked)) {
    const next = cursorFieldsOf(context).find(({ key, parents }) =>
      key === `next${param.key}` ||
      key === param.key && (isNext(key) || isNext(parents.at(-1) ?? ""))
    );
    if (next !== undefined) return cursorRule(context, param, next.path);
  }
  return undefined;
}

/** Finds the field that the text of a parameter names: "the `next_batch` of the page before". */
function cursorInFieldOfText(context: PageContext): FoundRule | undefined {
  for (const param of context.parameters.filter(isOptionalText)) {
    if (!/\b(?:cursor|token)\b/i.test(param.description)) continue;
    const names = statedIn(param.description, /([`"'])[\w.]*next\w*\1/i);
    const field = cursorFieldsOf(context).find(({ key, path }) =>
      key.startsWith("next") &&
      names.some((each) => each.slice(1, -1).split(".").at(-1) === path.split(".").at(-1))
    );
    if (field !== undefined) return cursorRule(context, param, field.path);
  }
  return undefined;
}

/** Lists the fields beside the items that can have a cursor. */
function cursorFieldsOf(context: PageContext): PageFieldNode[] {
  return context.fields.filter((each) =>
    isScalar(each.kind) && !isUrl(each) && isBesideItems(context, each.path)
  );
}

/** Finds a list that goes back in time: the time `next` of a page is `until` of the following one. */
function cursorOfTime(context: PageContext): FoundRule | undefined {
  const param = context.parameters.find(({ key, kind, description }) =>
    key === "until" && isScalar(kind) && isTime(description)
  );
  const field = cursorFieldsOf(context).find(({ key, kind, schema }) =>
    key === "next" && kind === "number" && isTime(String(recordOf(schema?.value)["description"]))
  );
  return param && field && cursorRule(context, param, field.path);
}

/** Reports if a text is about a time. */
function isTime(text: string): boolean {
  return /\b(?:date(?:time)?s?|times?|timestamps?|epoch|unix|(?:milli|micro)?seconds)\b/i.test(
    text,
  );
}

function cursorInHeader(context: PageContext): FoundRule | undefined {
  const { parameters, headers } = context;
  const header = headers.find(isCursorHeader);
  if (header === undefined) return undefined;
  const isPage = keyOf(header).endsWith("nextpage");
  const param = isPage
    ? parameters.find(({ key, kind }) => key === "page" && isScalar(kind))
    : cursorsOf(context)[0];
  return param && cursorRule(context, param, { header });
}

/** Matches names of headers. Words such as "the next-page cursor" are none. */
const headerText =
  /([`"'])[A-Za-z\d]+(?:-[A-Za-z\d]+)+\1|\b(?:[Xx]-[A-Za-z\d-]+|[A-Z][A-Za-z\d]*(?:-[A-Z][A-Za-z\d]*)+)\b/;

/** Finds the header that the text of a cursor names: "cursors are in the header `X-Cursor-Next`". */
function cursorInHeaderOfText(context: PageContext): FoundRule | undefined {
  const [param] = cursorsOf(context);
  if (param === undefined || !/\bheaders?\b/i.test(param.description)) return undefined;
  const [header] = statedIn(param.description, headerText)
    .map((each) => each.replace(/[`"']/g, "")).filter(isCursorHeader);
  return header === undefined ? undefined : cursorRule(context, param, { header });
}

function isCursorHeader(name: string): boolean {
  return cursorHeaders.some((key) => keyOf(name).endsWith(key));
}

function lastItem(context: PageContext): FoundRule | PartOfRule | undefined {
  const { items, types, place } = context;
  const hasMore = moreOf(context);
  const [first] = cursorsOf(context);
  // A filter in a body can have an `afterId`, too.
  const after = cursorsOf(context).find(({ key }) =>
    lastItemParams.includes(key) && (key !== "afterid" || place === "query")
  );
  const own = items === undefined ? [] : propertiesIn(types, items.item);
  const id = own.find(({ name }) => after?.key === "afterid" && keyOf(name) === "afterid") ??
    own.find(({ name }) => name === "id");
  const hasId = id !== undefined && isScalar(kindOf(types, id.type));
  if (after !== undefined && hasMore !== undefined && hasId) {
    return {
      rule: { kind: "cursor", param: after.name, field: { lastItem: id.name }, hasMore },
      reason: `${parameterText(place, after.name)} and the flag ${shown(hasMore)}`,
    };
  }
  if (first === undefined) return undefined;
  return {
    missing: `${parameterText(place, first.name)} is there, but the document has no field or ` +
      "header with the cursor of the next page",
    override: { next: "cursor", param: first.name, field: "FIELD" },
  };
}

function nextUrl({ fields, place, isResource }: PageContext): FoundRule | undefined {
  if (place !== "query" || isResource) return undefined;
  const field = fields.find((each) => each.kind === "text" && isUrl(each)) ??
    nextBesidePrevious(fields);
  return field && {
    rule: { kind: "nextUrl", field: field.path },
    reason: `the field ${shown(field.path)} with the URL of the next page`,
  };
}

/** Finds a field `next` that no parameter takes, in a document that shows elsewhere that it is a URL. */
function nextUrlOfOthers(context: PageContext): FoundRule | undefined {
  const { fields, place, isResource, showsNextUrls } = context;
  if (place !== "query" || isResource || cursorsOf(context).length > 0) return undefined;
  const field = fields.find(({ key, kind, parents }) =>
    key === "next" && kind === "text" && parents.length === 0
  );
  return field && showsNextUrls()
    ? {
      rule: { kind: "nextUrl", field: field.path },
      reason: `the field ${shown(field.path)}, which is a URL in an example of the document`,
    }
    : undefined;
}

/** Finds JSON:API, in which the URL of the next page is always in `links`. */
function linksOfJsonApi(context: PageContext): FoundRule | undefined {
  const { parameters, items, isJsonApi, isResource } = context;
  const param = parameters.find(({ name }) => /^page\[/.test(name));
  const isData = items?.items.map(({ name }) => name).join(".") === "data";
  return isJsonApi && isData && !isResource && param !== undefined
    ? {
      rule: { kind: "nextUrl", field: "links.next" },
      reason: `${parameterText(context.place, param.name)}, and \`links.next\` of JSON:API`,
    }
    : undefined;
}

/** Finds `next` beside `previous`: these are URLs, unless the document calls them cursors. */
function nextBesidePrevious(fields: readonly PageFieldNode[]): PageFieldNode | undefined {
  const next = fields.find(({ key, kind, parents }) =>
    key === "next" && kind === "text" && parents.length === 0
  );
  const isBeside = fields.some(({ key, kind, parents }) =>
    (key === "previous" || key === "prev") && kind === "text" && parents.length === 0
  );
  const { description } = recordOf(next?.schema?.value);
  const isCursor = typeof description === "string" && /\b(?:cursor|token)\b/i.test(description);
  return isBeside && !isCursor ? next : undefined;
}

function pageNumber(context: PageContext): FoundRule | PartOfRule | undefined {
  const { parameters, fields, place } = context;
  const param = numberAmong(context, pageParams);
  if (param === undefined) {
    const text = parameters.find(({ key, kind }) => pageParams.includes(key) && kind === "text");
    return text && {
      missing: `${parameterText(place, text.name)} is a string that may be no number`,
      override: { next: "pageNumber", param: text.name },
    };
  }
  const pages = fieldAmong(fields, pagesFields, ["number"])?.path ??
    headerAmong(context, ["xtotalpages", "xpagecount", "xpages"]);
  const total = pages === undefined ? totalOf(context) : undefined;
  // A body that is sent by POST may be for something else.
  if (place === "body" && pages === undefined && total === undefined) {
    return withoutTotal(context, param, "pageNumber");
  }
  const first = isFromZero(param) ? 0 : undefined;
  return {
    rule: { kind: "pageNumber", param: param.name, total, pages, first },
    reason: withEnd(parameterText(place, param.name), pages ?? total),
  };
}

function offset(context: PageContext): FoundRule | PartOfRule | undefined {
  const param = numberAmong(context, offsetParams);
  return param && offsetRule(context, param);
}

function start(context: PageContext): FoundRule | PartOfRule | undefined {
  const { fields, place } = context;
  const param = numberAmong(context, startParams);
  if (param === undefined) return undefined;
  const { key, description } = param;
  const isSized = /^start[a-z]|^first/.test(key) ||
    context.parameters.some((each) => sizeParams.test(each.key));
  const isStated = totalOf(context) !== undefined ||
    fields.some((each) => each.key === key && each.kind === "number") ||
    /\b(?:offset|skips?|skipped|index|page|pagination|(?:first|starting) (?:item|point|record|result|row))\b/i
      .test(description);
  if (isSized && isStated && !isTime(description)) return offsetRule(context, param);
  return {
    missing: `${parameterText(place, param.name)} may be an offset, but the document does not ` +
      "say so, and has no number of all items",
    override: { next: "offset", param: param.name },
  };
}

function offsetRule(context: PageContext, param: PageParameter): FoundRule | PartOfRule {
  const { place } = context;
  const total = totalOf(context);
  if (place === "body" && total === undefined) return withoutTotal(context, param, "offset");
  const first = isFromOne(context, param) ? 1 : undefined;
  return {
    rule: { kind: "offset", param: param.name, total, first },
    reason: withEnd(parameterText(place, param.name), total),
  };
}

function withoutTotal(
  { place }: PageContext,
  { name }: PageParameter,
  next: PagingRule["kind"],
): PartOfRule {
  return {
    missing: `${parameterText(place, name)} has no number of all items or pages beside it`,
    override: { next, param: name },
  };
}

function cursorRule(
  context: PageContext,
  { name: param }: PageParameter,
  field: PageField,
): FoundRule {
  return {
    rule: { kind: "cursor", param, field, hasMore: moreOf(context) },
    reason: `${parameterText(context.place, param)} and ${endText(field)}`,
  };
}

/** Lists the parameters that can have a cursor, the surest first. */
function cursorsOf({ parameters }: PageContext): PageParameter[] {
  return cursorParams.flatMap((key) =>
    parameters.filter((each) => each.key === key && isScalar(each.kind))
  );
}

function moreOf({ fields }: PageContext): string | undefined {
  return fieldAmong(fields, moreFields, ["boolean"])?.path;
}

function totalOf(context: PageContext): PageField | undefined {
  return fieldAmong(context.fields, totalFields, ["number"])?.path ??
    headerAmong(context, ["xtotal", "xtotalcount", "xtotalitems", "totalcount"]);
}

function headerAmong({ headers }: PageContext, keys: readonly string[]): PageField | undefined {
  const header = headers.find((name) => keys.includes(keyOf(name)));
  return header === undefined ? undefined : { header };
}

function fieldAmong(
  fields: readonly PageFieldNode[],
  keys: readonly string[],
  kinds: readonly FieldKind[],
): PageFieldNode | undefined {
  for (const key of keys) {
    const found = fields.find((each) => each.key === key && kinds.includes(each.kind));
    if (found !== undefined) return found;
  }
  return undefined;
}

function numberAmong(context: PageContext, keys: readonly string[]): PageParameter | undefined {
  const { parameters, place } = context;
  return keys.flatMap((key) =>
    parameters.filter((each) =>
      each.key === key &&
      (each.kind === "number" ||
        each.kind === "text" && place === "query" && isNumeric(context, each))
    )
  )[0];
}

/** Reports if a parameter that is a string has a number, by what the document says of it. */
function isNumeric(context: PageContext, { key, schema, description }: PageParameter): boolean {
  const { default: fallback, example, pattern, format } = recordOf(schema?.value);
  const isNumber = (value: unknown) => typeof value === "string" && /^\d+$/.test(value);
  if (isNumber(fallback) || isNumber(example)) return true;
  if (typeof format === "string" && /^u?int/.test(format)) return true;
  if (typeof pattern === "string" && /^\^?\(?(?:\\d|\[0-9\]|\[1-9\])/.test(pattern)) return true;
  if (
    /\b(?:(?:the|a) number of|page number|number of the page|integer|numeric|zero-based)\b/i
      .test(description)
  ) {
    return true;
  }
  return offsetParams.includes(key) && totalOf(context) !== undefined;
}

function isScalar(kind: FieldKind): boolean {
  return kind === "text" || kind === "number";
}

/** Reports if a parameter can have a cursor. A secret has the name of one, too, and so has a date. */
function isOptionalText({ kind, required, schema }: PageParameter): boolean {
  return isScalar(kind) && !required &&
    !String(recordOf(schema?.value)["format"]).startsWith("date");
}

function isPaging({ key, kind }: PageParameter): boolean {
  return isScalar(kind) && [...cursorParams, ...pageParams, ...offsetParams].includes(key);
}

/** Reports if a field has the URL of the next page, by its name or by what the document says of it. */
function isUrl({ key, parents, schema, examples }: PageFieldNode): boolean {
  if (urlFields.has(key)) return true;
  const isLink = parents.includes("links") || parents.includes("link");
  if (isLink && (key === "next" || key === "href" && parents.at(-1) === "next")) return true;
  if (key === "href" && parents.at(-1) === "next") return true;
  if (key !== "next" && key !== "nextpage") return false;
  const { format, example, examples: stated, description } = recordOf(schema?.value);
  return typeof format === "string" && /^(?:ur[il]|iri)/.test(format) ||
    [example, ...Array.isArray(stated) ? stated : [], ...examples].some(isUrlText) ||
    typeof description === "string" && /\b(?:ur[il]|link)\b/i.test(description);
}

/** Reports if a value is a URL, or the path of one. */
function isUrlText(value: unknown): boolean {
  return typeof value === "string" && /^(?:https?:\/)?\//.test(value);
}

/** Reports if pages are counted from 0, by the default or minimum of the parameter, or its text. */
export function isFromZero({ schema, description }: PageParameter): boolean {
  const { default: fallback, minimum } = recordOf(schema?.value);
  if (typeof fallback === "number") return fallback === 0;
  return minimum === 0 || isCountedFrom(description, "0|zero");
}

/** Reports if items are counted from 1: as in SCIM, or as the document says of the parameter. */
export function isFromOne({ fields, items }: PageContext, param: PageParameter): boolean {
  const { schema, description, key } = param;
  const { default: fallback, minimum } = recordOf(schema?.value);
  if (typeof fallback === "number") return fallback === 1;
  if (minimum === 1 || isCountedFrom(description, "1|one")) return true;
  if (minimum === 0 || isCountedFrom(description, "0|zero")) return false;
  const names = new Set([...fields.map((each) => each.key), items?.items.at(-1)?.name]);
  return key === "startindex" && names.has("totalresults") &&
    (names.has("itemsperpage") || names.has("Resources"));
}

function isCountedFrom(description: string, number: string): boolean {
  return new RegExp(
    `\\b(?:(?:${number})[- ](?:based|indexed)|` +
      `(?:starts?|starting|counted|begins?) (?:at|from|with) (?:${number}))\\b`,
    "i",
  ).test(description);
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

function parameterText(place: "query" | "body", name: string): string {
  return place === "query" ? `the parameter ${shown(name)}` : `the property ${shown(name)}`;
}

function withEnd(text: string, field: PageField | undefined): string {
  return field === undefined ? text : `${text} and ${endText(field)}`;
}

function endText(field: PageField): string {
  return typeof field === "string"
    ? `the field ${shown(field)}`
    : `the response header ${shown(field.header)}`;
}

/** Returns a name of the document for a reason. The printer escapes what cannot be seen. */
function shown(name: string): string {
  return `\`${name}\``;
}
