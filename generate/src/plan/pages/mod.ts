/** Lists that come in pages: by hints of the document, by the usual names, or as overrides say. */

import { OverridesError } from "../../base/errors.ts";
import type { Node, Source } from "../../read/source.ts";
import { entriesAt, valueAt } from "../../read/fields.ts";
import { mediaOf, preferred } from "../../read/media.ts";
import {
  type FieldKind,
  fieldsOf,
  findItems,
  hasField,
  isNullable,
  itemsAt,
  keyOf,
  kindOf,
  type PagedOperation,
  type PageFieldNode,
  type PageItems,
} from "./page_fields.ts";
import { hintsOf } from "./page_hints.ts";
import type { PageField, PagesPlan, PagingRulePlan } from "../../model/mod.ts";
import { isRecord } from "../types/schema_index.ts";
import type { TypePlanner } from "../types/mod.ts";

/** A parameter that a rule can set: of the query, or of a JSON body. */
interface PageParameter {
  readonly name: string;
  readonly key: string;
  readonly kind: FieldKind;
  readonly schema: Node | undefined;
  readonly description: string;
}

/** The parts of an operation that the rules look at. */
interface PageContext {
  readonly parameters: readonly PageParameter[];
  readonly place: "query" | "body";
  readonly fields: readonly PageFieldNode[];
  /** The names of the headers of successful responses. */
  readonly headers: readonly string[];
  readonly items: PageItems;
  readonly types: TypePlanner;
}

/** A rule with the reason why it was chosen. */
interface Guess {
  readonly rule: PagingRulePlan;
  readonly reason: string;
}

/** The parameters of a cursor, the surest first. */
const cursorParams =
  ("cursor nextcursor aftercursor pagecursor startcursor pagetoken nextpagetoken nexttoken " +
    "continuationtoken continuetoken startingtoken after pageafter startingafter continuation " +
    "continue marker bookmark").split(" ");

/** The fields of the next cursor, the surest first. */
const cursorFields =
  ("nextcursor nextpagecursor nextpagetoken nexttoken nextcontinuationtoken nextmarker nextbookmark " +
    "continuationtoken continuetoken endcursor aftercursor cursorafter lastid after next nextpage " +
    "continue bookmark cursor").split(" ");

/** Fields that are URLs by their names. */
const urlFields: ReadonlySet<string> = new Set(
  "nexthref nextlink nextpagelink nextpageuri nextpageurl nexturi nexturl odatanextlink".split(" "),
);

const moreFields = "hasmore hasnext hasnextpage hasmoreitems hasmorepages morepages more".split(
  " ",
);
const pageParams = "page pagenumber pageno pagenum pageindex currentpage".split(" ");
const offsetParams = "offset skip pageoffset startat".split(" ");
const totalFields =
  ("total totalcount totalitems totalresults totalrecords totalelements totalhits totalrows " +
    "totalnumber").split(" ");
const pagesFields = "totalpages pagecount pagescount lastpage numpages pages totalpagecount".split(
  " ",
);

/** Plans the pages of an operation; undefined if its result is not a list in pages. */
export function planPages(
  source: Source,
  types: TypePlanner,
  paged: PagedOperation,
): PagesPlan | undefined {
  const { operation, key, result, body, hasStream, override } = paged;
  if (override === false) return undefined;
  const refuse = (reason: string): undefined => {
    if (override === undefined) return undefined;
    throw new OverridesError(`the overrides file sets pages of ${key}, but ${reason}`);
  };
  if (hasStream) return refuse("it can return a stream");
  if (result.kind !== "json") return refuse("its result is not JSON");
  const isGet = operation.verb === "GET";
  if (!isGet && !(operation.verb === "POST" && body?.kind === "json")) {
    return refuse("pages are requested by GET, or by POST with a JSON body");
  }
  const nullable = isNullable(types, result.type);
  const plan = (
    { rule, reason }: Guess,
    { items, item }: PageItems,
    origin: PagesPlan["origin"],
  ): PagesPlan => ({ rule, items, item, isNullable: nullable, reason, origin });

  const found = findItems(types, result.type, operation.path);
  if (override !== undefined) {
    const items = override.items === undefined
      ? found
      : itemsAt(types, result.type, override.items);
    if (items === undefined) {
      return refuse(
        override.items === undefined
          ? "its body does not have exactly one array: set `items`"
          : `its body has no array at ${JSON.stringify(override.items)}`,
      );
    }
    const missing = missingOf(types, paged, override.rule);
    if (missing !== undefined) {
      const message = `the pages of the file of overrides name ${JSON.stringify(missing)}, which ` +
        "is not declared";
      source.problem(operation.node, "operation", message, "used as it is");
    }
    const rule = withFirst(override.rule, contextOf(source, types, paged, items));
    return plan({ rule, reason: "the file of overrides" }, items, "override");
  }

  for (const hint of hintsOf(source, types, paged)) {
    if (hint.stated === false) return undefined;
    const problem = (message: string) =>
      source.problem(hint.node, "operation", message, "taken as if it were not there");
    if (hint.stated === undefined) {
      problem(`\`${hint.name}\` is not a rule of paging that is known`);
      continue;
    }
    const { rule, items: place, in: wanted } = hint.stated;
    const items = place === undefined ? found : itemsAt(types, result.type, place);
    const missing = missingOf(types, paged, rule);
    if (items === undefined) problem(`\`${hint.name}\` does not lead to a list in the response`);
    else if (wanted !== undefined && wanted !== (isGet ? "query" : "body")) {
      problem(`\`${hint.name}\` names a parameter that is not in the ${isGet ? "query" : "body"}`);
    } else if (missing !== undefined) {
      problem(`\`${hint.name}\` names ${JSON.stringify(missing)}, which is not declared`);
    } else {
      const reason = `\`${hint.name}\` in the document`;
      const own = withFirst(rule, contextOf(source, types, paged, items));
      return plan({ rule: own, reason }, items, "hint");
    }
  }

  const guess = found && guessOf(contextOf(source, types, paged, found));
  return guess && plan(guess, found, "names");
}

/** Returns a rule that counts from the number of the first page, which hints do not have. */
function withFirst(rule: PagingRulePlan, { parameters }: PageContext): PagingRulePlan {
  if (rule.kind !== "pageNumber" || rule.first !== undefined) return rule;
  const param = parameters.find(({ name }) => name === rule.param);
  return param !== undefined && isFromZero(param) ? { ...rule, first: 0 } : rule;
}

/** Returns the first name of a rule that the operation does not have. */
function missingOf(
  types: TypePlanner,
  { parameters, body, result }: PagedOperation,
  rule: PagingRulePlan,
): string | undefined {
  const names = new Set(
    body === undefined
      ? parameters.filter(({ place }) => place === "query").map(({ wireName }) => wireName)
      : types.propertiesOf(body.type).map(({ name }) => name),
  );
  const params = [
    "param" in rule ? rule.param : undefined,
    "limitParam" in rule ? rule.limitParam : undefined,
    "sizeParam" in rule ? rule.sizeParam : undefined,
  ];
  const param = params.find((name) => name !== undefined && !names.has(name.split(".")[0]!));
  if (param !== undefined) return param;
  const fields: unknown[] = [
    "field" in rule ? rule.field : undefined,
    "hasMore" in rule ? rule.hasMore : undefined,
    "total" in rule ? rule.total : undefined,
    "pages" in rule ? rule.pages : undefined,
  ];
  return fields.filter((each) => typeof each === "string")
    .find((field) => !hasField(types, result.type, field));
}

function contextOf(
  source: Source,
  types: TypePlanner,
  { operation, parameters, body, result, responses }: PagedOperation,
  items: PageItems,
): PageContext {
  const successes = responses.filter(([status]) => /^(?:2|DEFAULT)/.test(status));
  const [schema] = successes.flatMap(([, response]) =>
    preferred(mediaOf(source, response), ["json"])?.schema ?? []
  );
  const headers = successes.flatMap(([, response]) =>
    entriesAt(source, response, "headers").map(([name]) => name)
  );
  const request = source.child(operation.node, "requestBody");
  const sent = preferred(mediaOf(source, request && source.resolve(request)), ["json"])?.schema;
  // `entriesAt` leaves out extensions, and with them headers such as `X-Total`.
  const own = successes.flatMap(([, response]) => Object.keys(valueAt(response, "headers") ?? {}));
  return {
    types,
    parameters: body === undefined
      ? parameters.filter(({ place, style }) => place === "query" && style === "form").map(
        ({ wireName, type, comment }) => {
          const node = operation.parameters.find((each) =>
            each.place === "query" && each.name === wireName
          )?.node;
          const inner = node && source.child(node, "schema");
          return {
            name: wireName,
            key: keyOf(wireName),
            kind: kindOf(types, type),
            schema: inner && source.resolve(inner),
            description: comment.text,
          };
        },
      )
      : types.propertiesOf(body.type).map(({ name, type, comment }) => ({
        name,
        key: keyOf(name),
        kind: kindOf(types, type),
        schema: sent && types.propertyNode(sent, name),
        description: comment.text,
      })),
    place: body === undefined ? "query" : "body",
    fields: fieldsOf(types, result.type, schema),
    headers: [...new Set([...headers, ...own])],
    items,
  };
}

/** Finds a rule by the usual names. */
function guessOf(context: PageContext): Guess | undefined {
  return byLinkHeader(context) ?? byCursor(context) ?? byUrl(context) ?? byPage(context) ??
    byOffset(context);
}

function byLinkHeader({ headers, place }: PageContext): Guess | undefined {
  return place === "query" && headers.some((name) => keyOf(name) === "link")
    ? { rule: { kind: "linkHeader" }, reason: "the response header `Link`" }
    : undefined;
}

function byCursor(context: PageContext): Guess | undefined {
  const { parameters, fields, items, types } = context;
  const params = cursorParams.flatMap((key) =>
    parameters.filter((each) => each.key === key && isScalar(each.kind))
  );
  const hasMore = fieldAmong(fields, moreFields, ["boolean"])?.path;
  const found = fieldAmong(fields.filter((field) => !isUrl(field)), cursorFields, [
    "text",
    "number",
  ]);
  const [param] = params;
  if (param !== undefined && found !== undefined) {
    return cursorGuess(context, param, found.path, hasMore);
  }
  // `next_page` is the cursor of `page`, and `next_page.offset` that of `offset`.
  for (const each of parameters) {
    if (!isScalar(each.kind)) continue;
    const next = fields.find((field) =>
      isScalar(field.kind) && !isUrl(field) &&
      (field.key === `next${each.key}` ||
        field.key === each.key && /^next/.test(field.parents.at(-1) ?? ""))
    );
    if (next !== undefined && isPaging(each)) {
      return cursorGuess(context, each, next.path, hasMore);
    }
  }
  const last = params.find(({ key }) => key === "after" || key === "startingafter");
  if (last === undefined || hasMore === undefined) return undefined;
  const id = types.propertiesOf(items.item).find(({ name }) => name === "id");
  if (id === undefined || !isScalar(kindOf(types, id.type))) return undefined;
  return cursorGuess(context, last, { lastItem: "id" }, hasMore);
}

function cursorGuess(
  { place }: PageContext,
  { name: param }: PageParameter,
  field: string | { readonly lastItem: string },
  hasMore: string | undefined,
): Guess {
  const target = typeof field === "string"
    ? `the field ${shown(field)}`
    : `the flag ${shown(hasMore!)}`;
  return {
    rule: { kind: "cursor", param, field, hasMore },
    reason: `${parameterText(place, param)} and ${target}`,
  };
}

function byUrl({ fields, place }: PageContext): Guess | undefined {
  const field = place === "query"
    ? fields.find((each) => each.kind === "text" && isUrl(each))
    : undefined;
  return field && {
    rule: { kind: "nextUrl", field: field.path },
    reason: `the field ${shown(field.path)} with the URL of the next page`,
  };
}

function byPage(context: PageContext): Guess | undefined {
  const { parameters, fields, place } = context;
  const param = parameterAmong(parameters, pageParams);
  if (param === undefined) return undefined;
  const pages = fieldAmong(fields, pagesFields, ["number"])?.path ??
    headerAmong(context, ["xtotalpages", "xpagecount", "xpages"]);
  const total = pages === undefined ? totalOf(context) : undefined;
  // A body that is sent by POST may be for something else.
  if (place === "body" && pages === undefined && total === undefined) return undefined;
  const first = isFromZero(param) ? 0 : undefined;
  const end = pages ?? total;
  return {
    rule: { kind: "pageNumber", param: param.name, total, pages, first },
    reason: parameterText(place, param.name) +
      (end === undefined ? "" : ` and ${endText(end)}`),
  };
}

function byOffset(context: PageContext): Guess | undefined {
  const { parameters, place } = context;
  const param = parameterAmong(parameters, offsetParams);
  const total = totalOf(context);
  if (param === undefined || place === "body" && total === undefined) return undefined;
  return {
    rule: { kind: "offset", param: param.name, total },
    reason: parameterText(place, param.name) +
      (total === undefined ? "" : ` and ${endText(total)}`),
  };
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

function parameterAmong(
  parameters: readonly PageParameter[],
  keys: readonly string[],
): PageParameter | undefined {
  return keys.flatMap((key) =>
    parameters.filter((each) => each.key === key && each.kind === "number")
  )[0];
}

function isScalar(kind: FieldKind): boolean {
  return kind === "text" || kind === "number";
}

function isPaging({ key }: PageParameter): boolean {
  return [...cursorParams, ...pageParams, ...offsetParams].includes(key);
}

/** Reports if a field has the URL of the next page, by its name or by what the document says of it. */
function isUrl({ key, parents, schema }: PageFieldNode): boolean {
  if (urlFields.has(key)) return true;
  const isLink = parents.includes("links") || parents.includes("link");
  if (isLink && (key === "next" || key === "href" && parents.at(-1) === "next")) return true;
  if (key !== "next" && key !== "nextpage") return false;
  const value = schema?.value;
  if (!isRecord(value)) return false;
  const { format, example, description } = value;
  return typeof format === "string" && /^(?:ur[il]|iri)/.test(format) ||
    typeof example === "string" && /^(?:https?:\/)?\//.test(example) ||
    typeof description === "string" && /\b(?:ur[il]|link)\b/i.test(description);
}

/** Reports if pages are counted from 0, by the default or minimum of the parameter, or its text. */
function isFromZero({ schema, description }: PageParameter): boolean {
  const value = schema?.value;
  const { default: fallback, minimum } = isRecord(value) ? value : { default: null, minimum: null };
  if (typeof fallback === "number") return fallback === 0;
  return minimum === 0 ||
    /\b(?:(?:0|zero)[- ](?:based|indexed)|(?:starts?|starting|counted|begins?) (?:at|from|with) (?:0|zero))\b/i
      .test(description);
}

function parameterText(place: "query" | "body", name: string): string {
  return place === "query" ? `the parameter ${shown(name)}` : `the property ${shown(name)}`;
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
