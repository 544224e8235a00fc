/** Lists that come in pages: by hints of the document, by the usual names, or as overrides say. */

import { OverridesError } from "../../base/errors.ts";
import type { Node, Source } from "../../read/source.ts";
import { entriesAt, isToken, valueAt } from "../../read/fields.ts";
import { mediaOf, preferred } from "../../read/media.ts";
import {
  fieldsOf,
  findItems,
  hasField,
  isListBody,
  isNullable,
  isResource,
  itemsAt,
  keyOf,
  kindOf,
  listPlaces,
  type PagedOperation,
  type PageItems,
} from "./page_fields.ts";
import {
  type FoundRule,
  isFromOne,
  isFromZero,
  namesLinkHeader,
  type PageContext,
  pageRules,
  type PartOfRule,
  showsNextUrls,
} from "./page_rules.ts";
import { overrideOf } from "../../names/overrides_file.ts";
import { hintsOf } from "./page_hints.ts";
import type { Pages, PagingRule, WholeList } from "../../model/mod.ts";
import type { TypePlanner } from "../types/mod.ts";

/** The pages of an operation, or why it has none. */
export interface ListPlan {
  readonly pages?: Pages | undefined;
  /** Why a list that GET returns is not read in pages. */
  readonly wholeList?: WholeList | undefined;
}

/** Plans the list that an operation returns: its pages, or why it is returned as a whole. */
export function planList(source: Source, types: TypePlanner, paged: PagedOperation): ListPlan {
  const pages = planPages(source, types, paged);
  return pages === undefined ? { wholeList: wholeListOf(source, types, paged) } : { pages };
}

/** Reports if the result of an operation is a list; undefined if the document does not say what it is. */
export function isListResult(
  types: TypePlanner,
  { operation, result, pages }: Pick<PagedOperation, "operation" | "result"> & ListPlan,
): boolean | undefined {
  if (pages !== undefined) return true;
  if (result.kind !== "json") return result.kind === "void" ? undefined : false;
  return kindOf(types, result.type) === "unknown"
    ? undefined
    : isListBody(types, result.type, operation.path);
}

/** Plans the pages of an operation; undefined if its result is not a list in pages. */
export function planPages(
  source: Source,
  types: TypePlanner,
  paged: PagedOperation,
): Pages | undefined {
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
    { rule, reason }: FoundRule,
    { items, item }: PageItems,
    origin: Pages["origin"],
  ): Pages => ({ rule, items, item, isNullable: nullable, reason, origin });

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

  const guess = found && findRule(contextOf(source, types, paged, found));
  return guess && "rule" in guess ? plan(guess, found, "names") : undefined;
}

/** Finds a rule by the usual names, or else the part of one. */
function findRule(context: PageContext): FoundRule | PartOfRule | undefined {
  let part: PartOfRule | undefined;
  for (const { find } of pageRules) {
    const found = find(context);
    if (found !== undefined && "rule" in found) return found;
    part ??= found;
  }
  return part;
}

/** Returns why the list that GET returns is not read in pages; undefined if there is no list. */
function wholeListOf(
  source: Source,
  types: TypePlanner,
  paged: PagedOperation,
): WholeList | undefined {
  const { operation, result, hasStream, override } = paged;
  if (operation.verb !== "GET" || result.kind !== "json") return undefined;
  const places = listPlaces(types, result.type);
  const found = findItems(types, result.type, operation.path);
  if (places.length === 0 && found === undefined) return undefined;
  const items = found?.items.map(({ name }) => name).join(".") ?? places[0]!;
  const whole = (reason: string, override: WholeList["override"]): WholeList => ({
    reason,
    override: { items, ...override },
  });
  const guess = findRule(contextOf(source, types, paged, found));
  const rule = guess && "rule" in guess ? overrideOf(guess.rule) : guess?.override;
  const wanted = rule ?? { next: "linkHeader" };
  if (override === false) return whole("the file of overrides turns its pages off", wanted);
  if (hintsOf(source, types, paged).some(({ stated }) => stated === false)) {
    return whole("the document says that it has one page", wanted);
  }
  if (hasStream) return whole("it can return a stream", wanted);
  if (found === undefined) {
    const names = places.map((each) => `\`${each}\``).join(", ");
    return whole(`no name says which array has the items: ${names}`, wanted);
  }
  if (guess !== undefined && !("rule" in guess)) return whole(guess.missing, wanted);
  if (isResource(types, result.type, found, operation.path)) {
    return whole("the list belongs to a single resource", wanted);
  }
  return whole("no parameter, field or header leads to another page", wanted);
}

/** Returns a rule that counts from the first number of the document, which hints do not have. */
function withFirst(rule: PagingRule, context: PageContext): PagingRule {
  if (rule.kind !== "pageNumber" && rule.kind !== "offset" || rule.first !== undefined) return rule;
  const param = context.parameters.find(({ name }) => name === rule.param);
  if (param === undefined) return rule;
  if (rule.kind === "pageNumber") return isFromZero(param) ? { ...rule, first: 0 } : rule;
  return isFromOne(context, param) ? { ...rule, first: 1 } : rule;
}

/** The properties of a rule that name parameters, and those that name fields of the body. */
type RuleNames = {
  readonly [Kind in PagingRule["kind"]]: {
    readonly params: readonly (keyof Extract<PagingRule, { kind: Kind }>)[];
    readonly fields: readonly (keyof Extract<PagingRule, { kind: Kind }>)[];
  };
};

const ruleNames: RuleNames = {
  linkHeader: { params: [], fields: [] },
  nextUrl: { params: [], fields: ["field"] },
  cursor: { params: ["param"], fields: ["field", "hasMore"] },
  offset: { params: ["param", "limitParam"], fields: ["total"] },
  pageNumber: { params: ["param", "sizeParam"], fields: ["total", "pages"] },
};

/** Returns the first name of a rule that the operation does not have. */
function missingOf(
  types: TypePlanner,
  { parameters, body, result }: PagedOperation,
  rule: PagingRule,
): string | undefined {
  const names = new Set(
    body === undefined
      ? parameters.filter(({ place }) => place === "query").map(({ wireName }) => wireName)
      : types.propertiesOf(body.type).map(({ name }) => name),
  );
  const values: Readonly<Record<string, unknown>> = rule;
  const { params, fields } = ruleNames[rule.kind];
  // A field can also be a header, or a place in the last item. These are objects.
  const textsOf = (properties: readonly string[]): string[] =>
    properties.map((each) => values[each]).filter((each) => typeof each === "string");
  return textsOf(params).find((name) => !names.has(name.split(".")[0]!)) ??
    textsOf(fields).find((field) => !hasField(types, result.type, field));
}

/** Returns a function that looks for something in a document once, and only if a list asks. */
function lookedUp(fits: (document: unknown) => boolean): (source: Source) => boolean {
  const known = new WeakMap<Source, boolean>();
  return (source) => {
    const found = known.get(source) ?? source.values.some(fits);
    known.set(source, found);
    return found;
  };
}

const hasLinkHeaders = lookedUp(namesLinkHeader);
const hasNextUrls = lookedUp(showsNextUrls);

function contextOf(
  source: Source,
  types: TypePlanner,
  { operation, parameters, body, result, responses }: PagedOperation,
  items: PageItems | undefined,
): PageContext {
  const successes = responses.filter(([status]) => /^(?:2|DEFAULT)/.test(status));
  const media = successes.flatMap(([, response]) =>
    preferred(mediaOf(source, response), ["json"]) ?? []
  );
  const [schema] = media.flatMap((each) => each.schema ?? []);
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
        ({ wireName, type, required, comment }) => {
          const node = operation.parameters.find((each) =>
            each.place === "query" && each.name === wireName
          )?.node;
          const inner = node && source.child(node, "schema");
          return {
            name: wireName,
            key: keyOf(wireName),
            kind: kindOf(types, type),
            required,
            schema: inner && source.resolve(inner),
            description: comment.text,
          };
        },
      )
      : types.propertiesOf(body.type).map(({ name, type, optional, comment }) => ({
        name,
        key: keyOf(name),
        kind: kindOf(types, type),
        required: !optional,
        schema: sent && types.propertyNode(sent, name),
        description: comment.text,
      })),
    place: body === undefined ? "query" : "body",
    fields: fieldsOf(types, result.type, schema, {
      items: items?.items,
      examples: media.flatMap(({ node }) => examplesOf(source, node)),
    }),
    isJsonApi: media.some(({ type }) => type === "application/vnd.api+json"),
    // Nothing can be read by another name: `Headers` would throw.
    headers: [...new Set([...headers, ...own])].filter(isToken),
    items,
    isResource: items !== undefined && isResource(types, result.type, items, operation.path),
    namesLinkHeader: () => hasLinkHeaders(source),
    showsNextUrls: () => hasNextUrls(source),
  };
}

/** Returns the examples of a media type. */
function examplesOf(source: Source, media: Node): unknown[] {
  const examples = entriesAt(source, media, "examples").map(([, example]) =>
    valueAt(source.resolve(example), "value")
  );
  return [valueAt(media, "example"), ...examples];
}
