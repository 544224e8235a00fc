/**
 * Finds the GETs that look like lists in pages. It looks at the document alone, and knows nothing of the
 * generator's rules, so that it can judge them.
 */
import { entriesAt } from "../../generate/src/read/fields.ts";
import { mediaOf, preferred } from "../../generate/src/read/media.ts";
import type { Operation } from "../../generate/src/read/operations.ts";
import type { Node, Source } from "../../generate/src/read/source.ts";

/** Names of parameters that choose a page, in lower case and without signs. */
const POSITION = new RegExp(
  "^(?:page(?:no|num|number|index|nr)?|currentpage|pagina|offset|pageoffset|recordoffset|skip|" +
    "start(?:at|index|position|row|record|from)|pageafter|pagestart|startingafter|marker|bookmark|" +
    "iterator|scrollid|(?:next|after|page|start|list|search|pagination)?cursor(?:id|mark)?|" +
    "(?:next)?page(?:id|key|state|handle|ref|token)|paginationkey|" +
    "(?:next|continuation|continue|starting|sync|skip|batch|scroll|resume|pagination|paging)token|" +
    "continuation|continuationkey|continue|lastkey|exclusivestartkey|lastid|lastevaluatedkey)$",
);

/** Names that choose a page only if there is a size, or a next page. */
const MAYBE_POSITION = /^(?:p|start|first|from|index|after|since|position|next)$/;

const SIZE =
  /^(?:limit|page(?:size|limit|length)|perpage|size|count|top|max(?:results|items)?|rows|itemsperpage|resultsperpage|num|length|take|first)$/;

const NEXT = /next|cursor|token|continu|hasmore|marker|bookmark/i;

/** Matches the text of a parameter that is a time. */
const TIME = /\b(?:date(?:time)?s?|times?|timestamps?|epoch|window|(?:milli|micro)?seconds)\b/i;

/** Lists beside the result, in lower case and without signs. */
const BESIDE =
  /^(?:included|links?|messages|errors|failures|warnings|schemas|facets|aggregations|tags|labels)$/;

/** Objects around the items of a list, in lower case and without signs. */
const ENVELOPE = /^(?:data|d|body|content|embedded|hits|page|payload)$|(?:list|results?|response)$/;

/** Names of the id of a resource. */
const ID = /^(?:id|uid|uuid|guid|gid|sid)$/;

/** Objects inside of each other in which a field is looked for. */
const DEPTH = 3;

/** Schemas of a result that are looked at. Unions in unions would have no end. */
const MAX_SCHEMAS = 2000;

/**
 * Reports if an operation is a GET whose parameters and result look like those of a list in pages. A
 * resource with its id that has lists in it is none, and neither is an object beside messages or errors.
 */
export function looksLikeList(source: Source, operation: Operation): boolean {
  if (operation.verb !== "GET") return false;
  const responses = entriesAt(source, operation.node, "responses")
    .filter(([status]) => /^2|default/i.test(status))
    .map(([, response]) => source.resolve(response));
  const schema =
    responses.flatMap((each) => preferred(mediaOf(source, each), ["json"])?.schema ?? [])[0];
  const fields = schema === undefined ? [] : fieldsOf(source, schema);
  if (!fields.some((field) => isItems(field, operation.path))) return false;
  if (isResource(fields, operation.path)) return false;

  const query = operation.parameters.filter(({ place }) => place === "query");
  const keys = query.map(({ name }) => keyOf(name));
  const positions = query.filter(({ node }) => isPosition(source, node)).map(({ name }) =>
    keyOf(name)
  );
  if (positions.some((key) => POSITION.test(key))) return true;
  const hasSize = keys.some((key) => SIZE.test(key));
  const hasNext = fields.some(({ names }) => names.length > 0 && NEXT.test(names.at(-1)!));
  const hasLink = responses.some((each) =>
    entriesAt(source, each, "headers").some(([name]) => keyOf(name) === "link")
  );
  const hasMaybe = query.some((each) =>
    MAYBE_POSITION.test(keyOf(each.name)) && isMaybePosition(source, each.node)
  );
  return hasMaybe && (hasSize || hasNext) || hasSize && (hasNext || hasLink);
}

function keyOf(name: string): string {
  return name.replace(/[^A-Za-z0-9]/g, "").toLowerCase();
}

/** Reports if a parameter can choose a page: a number, or a text that is not a time. */
function isPosition(source: Source, node: Node | undefined): boolean {
  const schema = node && source.child(node, "schema");
  const value = recordOf(schema && source.resolve(schema)?.value);
  const types = [value.type ?? []].flat();
  return !types.some((type) => type === "array" || type === "object" || type === "boolean") &&
    value.properties === undefined && !String(value.format ?? "").startsWith("date");
}

/** Reports if a parameter that can also be a time or the name of an index chooses a page. */
function isMaybePosition(source: Source, node: Node | undefined): boolean {
  if (node === undefined || !isPosition(source, node)) return false;
  const { name, description } = recordOf(node.value);
  const schema = source.child(node, "schema");
  const { type, description: own } = recordOf(schema && source.resolve(schema)?.value);
  if (name === "index" && type === "string") return false;
  return ![description, own].some((each) => typeof each === "string" && TIME.test(each));
}

/** Reports if a field can have the items: the result, a list in it, or one in an envelope. */
function isItems({ names, isArray }: Field, path: string): boolean {
  const [first = "", second] = names.map(keyOf);
  if (!isArray || names.length >= DEPTH) return false;
  if (second !== undefined) return ENVELOPE.test(first) && !BESIDE.test(second);
  return !BESIDE.test(first) || keyOf(path).includes(first);
}

/** Reports if a result is a resource with its id: that of the path, or that in an envelope. */
function isResource(fields: readonly Field[], path: string): boolean {
  const hasArray = fields.some(({ names, isArray }) =>
    isArray && (names.length === 0 || names.length === 1 && ENVELOPE.test(keyOf(names[0]!)))
  );
  const ids = fields.filter(({ names, isArray }) => !isArray && ID.test(keyOf(names.at(-1) ?? "")));
  return /\}\/?$/.test(path) && !hasArray &&
    ids.some(({ names }) =>
      names.length === 1 || names.length === 2 && ENVELOPE.test(keyOf(names[0]!))
    );
}

/** A field of a result, or the result itself, which has no names. */
interface Field {
  readonly names: readonly string[];
  readonly isArray: boolean;
}

/** Lists the fields of a schema, and those of the objects in it. */
function fieldsOf(source: Source, schema: Node): Field[] {
  const fields: Field[] = [];
  let schemas = 0;
  const visit = (node: Node, names: readonly string[], parts: number): void => {
    if (++schemas > MAX_SCHEMAS) return;
    const found = source.resolve(node);
    const value = recordOf(found?.value);
    if (found === undefined) return;
    const types = [value.type ?? []].flat();
    const isArray = value.items !== undefined || types.includes("array");
    if (parts === 0 || isArray) fields.push({ names, isArray });
    if (isArray) return;
    for (const key of ["allOf", "oneOf", "anyOf"]) {
      const list = source.child(found, key);
      if (!Array.isArray(list?.value)) continue;
      for (const [, part] of source.children(list)) visit(part, names, parts + 1);
    }
    if (names.length >= DEPTH) return;
    for (const [name, property] of entriesOf(source, found)) visit(property, [...names, name], 0);
  };
  visit(schema, [], 0);
  return fields;
}

/** Lists the properties of a schema, those that begin with `x-` included. */
function entriesOf(source: Source, schema: Node): (readonly [name: string, node: Node])[] {
  const properties = source.child(schema, "properties");
  const isObject = typeof properties?.value === "object" && !Array.isArray(properties.value);
  return isObject && properties.value !== null ? [...source.children(properties)] : [];
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? value as Record<string, unknown> : {};
}
