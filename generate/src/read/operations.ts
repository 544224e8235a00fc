/** The operations of a document: path items, their parameters, and what has no counterpart. */

import type { Node, Source } from "./source.ts";
import { entriesAt, isToken, isTrueAt, itemsAt, objectAt, textAt, valueAt } from "./fields.ts";

/** An operation as the document has it. */
export interface Operation {
  readonly node: Node;
  /** The path item around it. */
  readonly item: Node;
  /** The HTTP method in the case in which it is sent. */
  readonly verb: string;
  /** The path as in the document, with the slash at its beginning if that is missing. */
  readonly path: string;
  /** The parts of the path before its query. */
  readonly parts: readonly (string | PathParameter)[];
  /** The query of the path itself, in pairs. */
  readonly fixedQuery: readonly (readonly [name: string, value: string])[];
  readonly operationId: string | undefined;
  /** The first tag. */
  readonly tag: string | undefined;
  /** The parameters of the operation and of its path item, resolved. */
  readonly parameters: readonly ParameterNode[];
}

/** A parameter as the document has it. */
export interface ParameterNode {
  /** undefined for a path parameter that is not declared. */
  readonly node: Node | undefined;
  readonly name: string;
  readonly place: "path" | "query" | "header" | "cookie";
}

/** The methods of path items that have a field of their own. TRACE is not among them. */
const verbs = ["get", "put", "post", "delete", "options", "head", "patch", "query"] as const;

/** Lists the operations of a document in their order. */
export function operationsOf(source: Source): Operation[] {
  const operations: Operation[] = [];
  for (const [path, node] of entriesAt(source, source.root, "paths")) {
    if (!path.startsWith("/")) {
      source.problem(node, "operation", "a path must begin with a slash", "one was added");
    }
    if (path.includes("#")) {
      source.problem(
        node,
        "operation",
        "a path has a fragment, which is not sent",
        "left out of it",
      );
    }
    for (const item of pathItems(source, node)) {
      for (const [verb, operation] of verbsOf(source, item)) {
        operations.push(readOperation(source, { node: operation, item, verb, path }));
      }
    }
  }
  return operations;
}

/** Returns a path item, and the one that it refers to. */
function pathItems(source: Source, node: Node): Node[] {
  if (typeof node.value !== "object" || node.value === null) {
    source.problem(node, "operation", "a path item must be an object", "left out");
    return [];
  }
  if (textAt(node, "$ref") === undefined) return [node];
  const target = source.resolve(node);
  return target === undefined ? [node] : [node, target];
}

/** Lists the operations of a path item with their methods. */
function* verbsOf(source: Source, item: Node): Iterable<readonly [verb: string, node: Node]> {
  for (const verb of verbs) {
    const child = source.child(item, verb);
    const node = child && source.resolve(child);
    if (node === undefined) continue;
    if (isPlainObject(node.value)) yield [verb.toUpperCase(), node];
    else source.problem(node, "operation", "an operation must be an object", "left out");
  }
  const trace = source.child(item, "trace");
  if (trace !== undefined) {
    source.problem(trace, "unsupported", "fetch forbids the method TRACE", "left out");
  }
  for (const [verb, node] of entriesAt(source, item, "additionalOperations")) {
    if (/^(?:trace|connect|track)$/i.test(verb)) {
      source.problem(node, "unsupported", `fetch forbids the method ${verb}`, "left out");
    } else if (!isToken(verb) || !isPlainObject(node.value)) {
      source.problem(node, "operation", "an HTTP method must be a token", "left out");
    } else yield [verb, node];
  }
}

function readOperation(
  source: Source,
  { node, item, verb, path: written }: Pick<Operation, "node" | "item" | "verb" | "path">,
): Operation {
  const path = written.startsWith("/") ? written : `/${written}`;
  const parameters = parametersOf(source, item, node);
  const declared = new Set(parameters.flatMap((each) => each.place === "path" ? [each.name] : []));
  const { parts, fixedQuery } = partsOf(path, declared);
  for (const part of parts) {
    if (typeof part === "string") continue;
    const { parameter: name } = part;
    if (parameters.some((each) => each.place === "path" && each.name === name)) continue;
    const message = `the path parameter ${JSON.stringify(name)} is not declared`;
    source.problem(node, "parameter", message, "taken as a string");
    parameters.push({ node: undefined, name, place: "path" });
  }
  for (const { node: declared, name, place } of parameters) {
    if (place !== "path" || declared === undefined) continue;
    if (parts.some((part) => typeof part !== "string" && part.parameter === name)) continue;
    const message = `the path does not have the parameter ${JSON.stringify(name)}`;
    source.problem(declared, "parameter", message, "left out");
  }
  const tags = valueAt(node, "tags");
  const [tag]: readonly unknown[] = Array.isArray(tags) ? tags : [];
  return {
    node,
    item,
    verb,
    path,
    parts,
    fixedQuery,
    operationId: textAt(node, "operationId"),
    tag: typeof tag === "string" ? tag : undefined,
    parameters,
  };
}

/** The headers that the toolkit refuses, because the runtime sets them. */
export const framingHeaders: ReadonlySet<string> = new Set(
  ("connection content-length expect host keep-alive proxy-connection te trailer " +
    "transfer-encoding upgrade").split(" "),
);

/** A parameter in a path. */
export interface PathParameter {
  readonly parameter: string;
  /** True if its values can have slashes and other reserved characters. */
  readonly isReserved: boolean;
}

/** Splits a path into texts, parameters and its query. A fragment is not sent. */
function partsOf(
  path: string,
  declared: ReadonlySet<string>,
): Pick<Operation, "parts" | "fixedQuery"> {
  const [, before = "", query] = /^([^?#]*)(?:\?([^#]*))?/.exec(path)!;
  const parts: (string | PathParameter)[] = [];
  for (const [index, text] of before.split(/\{([^{}]+)\}/).entries()) {
    if (index % 2 === 1) parts.push(parameterIn(text, declared));
    else if (text !== "") parts.push(text);
  }
  const pairs = query === undefined ? [] : [...new URLSearchParams(query.replaceAll("+", "%2B"))];
  // `?id={id}` only repeats that there is a parameter.
  return { parts, fixedQuery: pairs.filter(([, value]) => !/^\{[^{}]*\}$/.test(value)) };
}

/**
 * Returns the parameter that an expression in a path names. `{+name}` of RFC 6570 and `{name=projects/*}`
 * of Google's transcoding can have slashes.
 */
function parameterIn(expression: string, declared: ReadonlySet<string>): PathParameter {
  const isReserved = /^\+|=/.test(expression);
  const written = expression.replace(/\*$/, "");
  const parameter = declared.has(written) ? written : written.replace(/^\+/, "").split("=", 1)[0]!;
  return { parameter: parameter || written, isReserved };
}

/** Merges the parameters of a path item and of its operation. */
function parametersOf(source: Source, item: Node, operation: Node): ParameterNode[] {
  const merged = new Map<string, ParameterNode>();
  const own = new Set<string>();
  for (const parent of [item, operation]) {
    own.clear();
    for (const child of itemsAt(source, parent, "parameters")) {
      const node = source.resolve(child);
      if (node === undefined) continue;
      const [name, place] = [textAt(node, "name"), textAt(node, "in")];
      if (place === "querystring") {
        const message = "a parameter for the whole query string has no type";
        source.problem(node, "unsupported", message, "left out: pass `params` in the options");
      } else if (name === undefined || !isPlace(place)) {
        const message =
          "a parameter must have a name, and a place of path, query, header or cookie";
        source.problem(node, "parameter", message, "left out");
      } else if (place === "header" && /^(?:accept|content-type|authorization)$/i.test(name)) {
        // OpenAPI says that these definitions have no effect.
      } else if (place === "header" && framingHeaders.has(name.toLowerCase())) {
        const message = `the runtime sets the header ${JSON.stringify(name)} itself`;
        source.problem(node, "parameter", message, "left out");
      } else if ((place === "header" || place === "cookie") && !isToken(name)) {
        const message = `a ${place} cannot have the name ${JSON.stringify(name.slice(0, 200))}`;
        source.problem(node, "parameter", message, "left out");
      } else {
        const key = `${place} ${place === "header" ? name.toLowerCase() : name}`;
        if (own.has(key)) {
          const message = `there are two ${place} parameters with the name ${JSON.stringify(name)}`;
          source.problem(node, "parameter", message, "the last one is used");
        }
        own.add(key);
        merged.set(key, { node, name, place });
      }
    }
  }
  return [...merged.values()];
}

function isPlace(text: string | undefined): text is ParameterNode["place"] {
  return text === "path" || text === "query" || text === "header" || text === "cookie";
}

/** Reports the links of a response, which the output does not have. */
export function reportLinks(source: Source, response: Node): void {
  const links = objectAt(source, response, "links");
  if (links === undefined) return;
  for (const [, node] of source.children(links)) {
    source.problem(node, "unsupported", "a link has no counterpart in a client", "left out");
  }
}

/** Reports if an operation or parameter is deprecated. */
export function isDeprecated(node: Node | undefined): boolean {
  return isTrueAt(node, "deprecated");
}

function isPlainObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
