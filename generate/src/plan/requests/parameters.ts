/** Parameters: their names in the output, types and styles. */

import type { Node, Source } from "../../read/source.ts";
import { deprecationText } from "../../read/deprecation.ts";
import { itemsAt, textAt, valueAt } from "../../read/fields.ts";
import { mediaOf } from "../../read/media.ts";
import { isDeprecated, type Operation, type ParameterNode } from "../../read/operations.ts";
import type { Comment, Conversion, Parameter, ParameterStyle, Type } from "../../model/mod.ts";
import { parameterKey } from "../../sdk/parameter_key.ts";
import type { TypePlanner } from "../types/mod.ts";
import { isSame, keyword, unionOf } from "../../algebra/types.ts";
import {
  camelCase,
  conversionFunctions,
  freeName,
  variableNames,
  wordsOf,
} from "../../names/words.ts";

/** The parameters of a method. */
export interface Parameters {
  /** Path parameters in the order of the path, each once. */
  readonly path: readonly Parameter[];
  /** Query, header and cookie parameters, and headers of parts. */
  readonly others: readonly Parameter[];
}

const styles: Readonly<Record<ParameterNode["place"], readonly ParameterStyle[]>> = {
  // The first one is the default.
  query: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
  path: ["simple", "label", "matrix"],
  header: ["simple"],
  cookie: ["form", "cookie"],
};

/** A header of a part of a multipart body, as the document has it. */
export interface PartHeader {
  /** The field whose part has the header. */
  readonly part: string;
  readonly name: string;
  readonly node: Node;
}

/** The extension of Stainless in the schema of a parameter: the name that callers use for it. */
const STATED_NAME = "x-stainless-param";

/**
 * Plans the parameters of an operation.
 *
 * @param headers The headers of parts of its body
 * @param hasStatedNames True to read the names that schemas state in `x-stainless-param`
 * @param names The names for callers by the place and the name: `header x-trace` to `trace`
 */
export function planParameters(
  source: Source,
  types: TypePlanner,
  operation: Operation,
  { headers, hasStatedNames, names: shapeNames }: {
    readonly headers: readonly PartHeader[];
    readonly hasStatedNames: boolean;
    readonly names?: ReadonlyMap<string, string> | undefined;
  },
): Parameters {
  const statedName = ({ node, name, place }: ParameterNode): string | undefined =>
    shapeNames?.get(parameterKey(place, name)) ??
      (hasStatedNames ? statedNameOf(source, node) : undefined);
  const inPath = new Map(
    operation.parts.flatMap((part) => typeof part === "string" ? [] : [[part.parameter, part]]),
  );
  const path: Parameter[] = [];
  const choice = hasStatedNames ? pathChoiceOf([...inPath.keys()]) : undefined;
  const taken = new Set([...variableNames, ...types.hasConversions ? conversionFunctions : []]);
  for (const [wireName, { isReserved }] of inPath) {
    const parameter = operation.parameters.find((each) =>
      each.place === "path" && each.name === wireName
    )!;
    const stated = statedName(parameter);
    const name = freeName(camelCase(wordsOf(stated ?? wireName)) || "value", taken);
    taken.add(name);
    const planned = planParameter(source, types, parameter, name);
    const isExpanded = isReserved && planned.shape === "text";
    const style = isExpanded ? "reserved" : planned.style;
    const chosen = choice?.segment === wireName
      ? "segment"
      : choice?.value === wireName
      ? "value"
      : undefined;
    path.push({ ...planned, style, property: stated ?? wireName, chosen });
  }
  const names = new Set<string>();
  const others: Parameter[] = choice === undefined ? [] : choice.options.map(([segment, name]) => {
    names.add(name);
    const other = choice.options.find((each) => each[1] !== name)![1];
    const text = `The ${name} of the path. Pass either this or \`${other}\`.`;
    return {
      ...{ name, wireName: name, place: "pathChoice", segment, type: keyword("string") },
      ...{ shape: "text", required: false, style: "simple", explode: false, allowReserved: false },
      comment: { text, tags: [] },
    } satisfies Parameter;
  });
  for (const place of ["query", "header", "cookie"] as const) {
    for (const parameter of operation.parameters) {
      if (parameter.place !== place) continue;
      if (hasStatedNames && isHidden(source, parameter)) continue;
      let name = statedName(parameter) ?? parameter.name;
      // One object holds all three places.
      while (names.has(name)) name += `_${place}`;
      names.add(name);
      others.push(planParameter(source, types, parameter, name));
    }
  }
  for (const { part, name: wireName, node } of headers) {
    let name = wireName;
    while (names.has(name)) name += `_${part}`;
    names.add(name);
    const header = { node, name: wireName, place: "header" } as const;
    const planned = planParameter(source, types, header, wireName);
    const { text, tags } = planned.comment;
    const place = `The header \`${wireName}\` of the part \`${part}\`.`;
    const comment = { text: text === "" ? place : `${text}\n\n${place}`, tags };
    others.push({ ...planned, name, place: "part", part, comment });
  }
  return { path, others };
}

/** Reports if callers do not pass a parameter: `x-stainless-param: false`. */
function isHidden(source: Source, { node }: ParameterNode): boolean {
  const schema = node && schemaOf(source, node);
  const target = schema && source.resolve(schema);
  return [node, schema, target].some((each) => valueAt(each, STATED_NAME) === false);
}

/**
 * Returns the headers that callers do not pass, by their names: each with the only value of its schema, or
 * else with the default.
 */
export function hiddenHeaders(
  source: Source,
  operations: readonly Operation[],
): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const parameter of operations.flatMap(({ parameters }) => parameters)) {
    const { place, name, node } = parameter;
    // The toolkit sends both by itself.
    if (place !== "header" || /^(?:accept|content-type)$/i.test(name)) continue;
    if (!isHidden(source, parameter)) continue;
    const schema = node && schemaOf(source, node);
    const target = schema && source.resolve(schema);
    const values: unknown = valueAt(target, "enum");
    const value = valueAt(target, "const") ??
      (Array.isArray(values) && values.length === 1 ? values[0] : valueAt(target, "default"));
    const isText = typeof value === "string" && /^[\t\x20-\x7e\x80-\xff]{1,2000}$/.test(value);
    const isSame = [...headers.keys()].some((each) => each.toLowerCase() === name.toLowerCase());
    if (isText && !isSame) headers.set(name, value);
  }
  return headers;
}

/** A pair of path parameters such as `{users_or_teams}/{user_or_team_id}`. */
interface PathChoice {
  readonly segment: string;
  readonly value: string;
  /** The segments, and the names of the values that callers pass: `users` and `user_id`. */
  readonly options: readonly (readonly [segment: string, name: string])[];
}

/** Returns the choice in a path; undefined if there is none. */
function pathChoiceOf(names: readonly string[]): PathChoice | undefined {
  for (const segment of names) {
    const [, first, second] = /^([a-z0-9]+)s_or_([a-z0-9]+)s$/.exec(segment) ?? [];
    const value = `${first}_or_${second}_id`;
    if (first === undefined || first === second || !names.includes(value)) continue;
    const options = [first, second!].map((each) => [`${each}s`, `${each}_id`] as const);
    return { segment, value, options };
  }
  return undefined;
}

/** Returns the name that the schema of a parameter states for callers. */
function statedNameOf(source: Source, node: Node | undefined): string | undefined {
  const schema = node && schemaOf(source, node);
  const target = schema && source.resolve(schema);
  const stated = [schema, target].find((each) => valueAt(each, STATED_NAME) !== undefined);
  const name = valueAt(stated, STATED_NAME);
  if (name === undefined || name === false) return undefined;
  if (typeof name === "string" && name !== "") return name;
  const message = `${STATED_NAME} must be a name, not ${JSON.stringify(name).slice(0, 100)}`;
  const action = "the parameter keeps its own name";
  source.problem(source.child(stated!, STATED_NAME)!, "parameter", message, action);
  return undefined;
}

/** Returns the schema of a parameter, which can be that of its only media type. */
function schemaOf(source: Source, node: Node): Node | undefined {
  const [media] = mediaOf(source, node);
  return media?.schema ?? source.child(node, "schema");
}

function planParameter(
  source: Source,
  types: TypePlanner,
  { node, name: wireName, place }: ParameterNode,
  name: string,
): Parameter {
  const [media] = mediaOf(source, node);
  const schema = node && schemaOf(source, node);
  const required = place === "path" || valueAt(node, "required") === true;
  if (place === "path" && node !== undefined && valueAt(node, "required") !== true) {
    source.problem(node, "parameter", "a path parameter must be required", "taken as required");
  }
  if (node !== undefined && schema === undefined) {
    const message = "a parameter must have a schema or content";
    source.problem(node, "parameter", message, "taken as a string");
  }
  const planned = schema === undefined ? keyword("string") : types.typeOf(schema, "request");
  const stated = media?.kind === "json" ? "json" : styleOf(source, node, place);
  const isJson = stated === "json";
  const type = isJson ? planned : parameterType(types, planned, place);
  const shape = shapeOf(types, type);
  const style = stated === "deepObject" && shape !== "object" ? "form" : stated;
  const statedExplode = valueAt(node, "explode");
  const explode = typeof statedExplode === "boolean"
    ? statedExplode
    : style === "form" || style === "cookie";
  if (node !== undefined) {
    reportUnsendable(source, types, node, { name: wireName, type, style, explode });
  }
  return {
    name,
    wireName,
    place,
    type,
    shape,
    required,
    style,
    explode,
    allowReserved: valueAt(node, "allowReserved") === true,
    conversion: isJson ? types.conversionOf(planned) : sentConversion(types, type),
    comment: commentOf(types, { node, schema, name, wireName, place }),
  };
}

/** The number of named unions inside of each other that are searched for what cannot be sent. */
const MAX_UNIONS = 5;

/** Returns the type of a parameter: without what its place cannot send. */
export function parameterType(
  types: TypePlanner,
  type: Type,
  place: ParameterNode["place"],
  unions = 0,
): Type {
  switch (type.kind) {
    case "unknown":
      if (place === "query") return type;
      return place === "path" ? unionOf([keyword("string"), keyword("number")]) : keyword("string");
    case "union": {
      if (unions > MAX_UNIONS) return type;
      const members = type.members.map((each) => parameterType(types, each, place, unions + 1));
      const isSent = (each: Type) => each.kind !== "null" || place !== "path";
      return unionOf(members.filter(isSent));
    }
    case "reference": {
      // The name of a type stays, unless a parameter cannot have its values as they are.
      const resolved = types.resolve(type);
      const sent = resolved.kind === "reference"
        ? resolved
        : parameterType(types, resolved, place, unions);
      return isSame(sent, resolved) ? type : sent;
    }
    default:
      return type;
  }
}

/**
 * Returns the conversion of a parameter that is not JSON. The styles write bigints themselves, but no
 * dates.
 */
export function sentConversion(types: TypePlanner, type: Type): Conversion | undefined {
  return hasDates(types, type) ? types.conversionOf(type) : undefined;
}

/** Reports if a type has dates in it. */
function hasDates(types: TypePlanner, type: Type): boolean {
  return types.hasConversions && reachedFrom(types, type, (found) => {
    switch (found.kind) {
      case "array":
        return [found.items];
      case "tuple":
        return [...found.items, ...found.rest === undefined ? [] : [found.rest]];
      case "object": {
        const { additional } = found;
        const properties = types.propertiesOf(found).map((each) => each.type);
        return additional === undefined ? properties : [...properties, additional];
      }
      case "union":
      case "intersection":
        return found.members;
      default:
        return [];
    }
  }).some(({ kind }) => kind === "date" || kind === "dateOnly");
}

/**
 * Lists a type and all that is reached from it, each named type once. References are resolved. It is not
 * recursive, because a document can have thousands of schemas in a row.
 */
function reachedFrom(
  types: TypePlanner,
  type: Type,
  partsOf: (type: Type) => readonly Type[],
): Type[] {
  const names = new Set<string>();
  const reached: Type[] = [];
  const waiting: Type[] = [type];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.kind === "reference") {
      if (names.has(next.name)) continue;
      names.add(next.name);
      next = types.resolve(next);
    }
    reached.push(next);
    waiting.push(...partsOf(next).toReversed());
  }
  return reached;
}

/** Lists the members of unions and intersections, also of those inside of them. */
export function partsOf(types: TypePlanner, type: Type): Type[] {
  const isCombined = ({ kind }: Type) => kind === "union" || kind === "intersection";
  return reachedFrom(
    types,
    type,
    (found) => found.kind === "union" || found.kind === "intersection" ? found.members : [],
  ).filter((found) => !isCombined(found));
}

/** Lists the types that a value can have: the members of unions, also of those inside of them. */
export function alternativesOf(types: TypePlanner, type: Type): Type[] {
  return reachedFrom(types, type, (found) => found.kind === "union" ? found.members : [])
    .filter(({ kind }) => kind !== "union");
}

/** Reports if a type is a file, or a list of them. */
export function isFile(types: TypePlanner, type: Type): boolean {
  return reachedFrom(
    types,
    type,
    (found) => found.kind === "union" ? found.members : found.kind === "array" ? [found.items] : [],
  ).some(({ kind }) => kind === "file" || kind === "upload");
}

/** How deep the parts of a parameter are searched for what cannot be sent. */
const MAX_NESTED = 5;

/** Reports a parameter or field of a form whose values the style cannot send: calls would throw. */
export function reportUnsendable(
  source: Source,
  types: TypePlanner,
  node: Node,
  { name, type, style, explode }: Pick<Parameter, "name" | "type" | "style" | "explode">,
): void {
  if (style === "json") return;
  const isDeep = style === "deepObject";
  const hasArrays = isDeep || explode && style !== "simple";
  const found = unsendableIn(types, type, { name, isDeep, hasArrays, depth: 0 });
  if (found === undefined) return;
  source.problem(
    node,
    "parameter",
    `no style of OpenAPI sends ${found}`,
    'calls with it throw; with content: {"application/json": …} in place of schema, for example ' +
      "by an overlay, it is sent as JSON",
  );
}

/** Returns the name of a part whose values cannot be sent, if there is one. */
function unsendableIn(
  types: TypePlanner,
  type: Type,
  place: {
    readonly name: string;
    /** True if objects can be in objects. */
    readonly isDeep: boolean;
    /** True if arrays can be in objects. */
    readonly hasArrays: boolean;
    readonly depth: number;
  },
): string | undefined {
  const { name, isDeep, hasArrays, depth } = place;
  const found = types.resolve(type);
  if (depth > MAX_NESTED) return undefined;
  switch (found.kind) {
    case "array":
      if (depth > 0 && !hasArrays) return name;
      return isStructure(types, found.items) ? `the items of ${name}` : undefined;
    case "object":
      if (depth > 0 && !isDeep) return name;
      for (const each of types.propertiesOf(found)) {
        const inner = { ...place, name: `${name}.${each.name}`, depth: depth + 1 };
        const part = unsendableIn(types, each.type, inner);
        if (part !== undefined) return part;
      }
      return undefined;
    case "union": {
      // One alternative that can be sent is enough.
      const parts = alternativesOf(types, found)
        .filter(({ kind }) => kind !== "null" && kind !== "undefined")
        .map((each) => unsendableIn(types, each, place));
      return parts.includes(undefined) ? undefined : parts[0];
    }
    default:
      return undefined;
  }
}

/** Reports if all values of a type are objects or arrays. */
function isStructure(types: TypePlanner, type: Type): boolean {
  return alternativesOf(types, type).every(({ kind }) =>
    kind === "object" || kind === "array" || kind === "tuple"
  );
}

/** Returns what a style does with a value. */
export function shapeOf(types: TypePlanner, type: Type): Parameter["shape"] {
  const shapes = new Set(partsOf(types, type).map(shapeOfOne));
  return (["object", "array", "scalar"] as const).find((each) => shapes.has(each)) ?? "text";
}

/** Returns what a style does with a value of one kind. */
function shapeOfOne(found: Type): Parameter["shape"] {
  switch (found.kind) {
    case "string":
    case "number":
    case "bigint":
    case "date":
    case "dateOnly":
    case "openString":
    case "openNumber":
    case "null":
    case "undefined":
      return "text";
    case "literal":
      return typeof found.value === "boolean" ? "scalar" : "text";
    case "array":
    case "tuple":
      return "array";
    case "object":
      return "object";
    default:
      return "scalar";
  }
}

function styleOf(
  source: Source,
  node: Node | undefined,
  place: ParameterNode["place"],
): ParameterStyle {
  const stated = textAt(node, "style");
  const possible = styles[place];
  const found = possible.find((style) => style === stated);
  if (node !== undefined && stated !== undefined && found === undefined) {
    const message = `a ${place} parameter cannot have the style ${JSON.stringify(stated)}`;
    source.problem(node, "parameter", message, `taken as ${possible[0]}`);
  }
  return found ?? possible[0]!;
}

function commentOf(
  types: TypePlanner,
  { node, schema, name, wireName, place }: {
    readonly node: Node | undefined;
    readonly schema: Node | undefined;
    readonly name: string;
    readonly wireName: string;
    readonly place: string;
  },
): Comment {
  const own = schema === undefined ? { text: "", tags: [] } : types.commentOf(schema);
  const description = textAt(node, "description")?.trim();
  const text = description || own.text;
  const renamed = place !== "path" && name !== wireName ? `The ${place} \`${wireName}\`.` : "";
  const tags = own.tags.filter(([tag]) => tag !== "deprecated");
  const example = valueAt(node, "example");
  if (example !== undefined && typeof example !== "object") {
    const index = tags.findIndex(([tag]) => tag === "example");
    const shown = JSON.stringify(example);
    if (shown.length <= 100) tags.splice(index < 0 ? tags.length : index, 1, ["example", shown]);
  }
  const ofSchema = own.tags.find(([tag]) => tag === "deprecated");
  const old = isDeprecated(node) || ofSchema !== undefined
    ? [["deprecated", deprecationText(node?.value) || ofSchema?.[1] || ""] as const]
    : [];
  return {
    text: [text, renamed].filter((each) => each !== "").join("\n\n"),
    tags: [...tags, ...old],
  };
}

/** Lists the tags of the document with their descriptions. */
export function tagTexts(source: Source): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const node of itemsAt(source, source.root, "tags")) {
    const name = textAt(node, "name");
    const text = textAt(node, "description")?.trim() || textAt(node, "summary")?.trim();
    if (name !== undefined && text) texts.set(name, text);
  }
  return texts;
}
