/** Plans the methods of resources. */

import { keyword } from "../../algebra/types.ts";
import type {
  Declaration,
  Method,
  MethodResult,
  MethodStream,
  Pages,
  Parameter,
  Type,
} from "../../model/mod.ts";
import { pascalCase, type TypeNames } from "../../names/type_names.ts";
import { singularOf } from "../../names/words.ts";
import { callOf, unwrapped } from "./arguments.ts";
import { commentOf, methodComment } from "./comments.ts";
import { declared, declareStream, withType } from "./declared_types.ts";
import {
  type Planned,
  type PlannedMethod,
  planOperation,
  requestOf,
  samplesOf,
  type SdkParts,
} from "./operations.ts";
import { signatureOf, type Unsigned } from "./signatures.ts";
import { pinKey, type PlacedResource, type ShapedMethod, typePrefix } from "../names/mod.ts";
import { type PageClasses, type ShapedPages, shapedPages } from "../pages/mod.ts";
import { schemeFor } from "../requests/mod.ts";
import { responsesOf, withOneBody } from "../results/mod.ts";
import { errorClassOf } from "../../names/error_classes.ts";
import type { TestedMethod } from "../tests/mod.ts";
import type { Source } from "../../read/source.ts";
import type { Operation } from "../../read/operations.ts";
import { parameterKey } from "../../sdk/parameter_key.ts";
import type { MethodShape, SdkShape } from "../../sdk/shape.ts";

/** The parts of an SDK that the methods of resources depend on. */
export interface ResourceParts extends SdkParts {
  readonly shape: SdkShape;
  readonly pageClasses: PageClasses;
  /** Returns the name of a method by its `operationId`, such as `pets.list`. */
  readonly methodOf: (operationId: string) => string | undefined;
}

/** Plans the method of a resource. */
export function planResourceMethod(
  source: Source,
  shaped: ShapedMethod,
  parts: ResourceParts,
): PlannedMethod {
  const { shape, typeNames, types, security, options, pageClasses } = parts;
  const { operation, shape: method, resource, name } = shaped;
  const unnamed = planOperation(source, types, operation, {
    security,
    overrides: options.overrides?.get(pinKey(operation)),
    hasStatedNames: true,
    names: withDocumentNames(method.parameterNames, method, operation, true),
  });
  const stated = withDocumentNames(method.parameterOptions, method, operation, false);
  const withOption = (parameter: Parameter): Parameter => {
    const option = stated?.get(parameterKey(parameter.place, parameter.wireName));
    return option === undefined
      ? parameter
      : { ...parameter, required: false, clientOption: option };
  };
  const planned: Planned = {
    ...unnamed,
    name: { field: resource.field, method: name },
    path: unnamed.path.map(withOption),
    others: withStatedHeaders(unnamed.others, method).map(withOption),
  };
  const { path, others, body, stream } = planned;
  const result: MethodResult = method.isResponse && planned.result.kind !== "response"
    ? { kind: "bytes", type: keyword("bytes"), accept: planned.result.accept }
    : planned.result;
  const declarations: Declaration[] = [];
  const prefix = typePrefix(resource, name);
  const noText = { text: "", tags: [] };
  const declare = (suffix: string, type: Type, wanted = `${prefix} ${suffix}`) =>
    declared(declarations, typeNames, freeType(resource, wanted, typeNames), type, noText);
  const call = callOf(types, method, { operation, path, others, body }, (type) => {
    const isFree = method.paramsType !== undefined && !typeNames.has(method.paramsType);
    const wanted = isFree ? method.paramsType : freeType(resource, `${prefix} Params`, typeNames);
    const taken = isFree ? typeNames.takeStated(wanted!) : typeNames.take(wanted!);
    declarations.push({ name: taken, type, comment: noText });
    return taken;
  }, shape);
  const paged = pagesOf(source, shaped, planned, result, parts);
  const item = paged && declare("Item", paged.pages.item);
  const taken = paged === undefined ? unwrapped(types, shape, method, result) : undefined;
  const isNamed = method.resultType !== undefined && !typeNames.has(method.resultType);
  const response = taken?.type ??
    result.type;
  const resultType = paged !== undefined
    ? result.type
    : isNamed
    ? declare("Response", response, method.resultType)
    : declare("Response", response);
  const pages = paged && {
    ...paged.pages,
    ...pageOf(
      pageClasses.classOf(paged, result.type),
      item!,
      method.resultType,
      typeNames,
    ),
  };
  const streamed = stream && withErrorEvent(stream, shape);
  const unsigned: Unsigned = {
    name,
    ...requestOf(source, planned, parts),
    ...statedRequest(method, parts),
    comment: methodComment(commentOf(planned, [], new Map(), parts.methodOf), call, method),
    body,
    parameters: others,
    params: call.params,
    // The conversion is that of the whole body.
    result: taken === undefined
      ? withType(result, resultType)
      : { ...result, type: resultType, unwrap: taken.field },
    pages,
    stream: streamed &&
      declareStream(streamed, (suffix, type) => declare(suffix, type)),
    errors: [],
  };
  const plan: Method = { ...unsigned, signature: signatureOf("resources", unsigned, call) };
  // The types of samples are those of the document.
  const ofSamples = {
    ...plan,
    result: { ...result, unwrap: taken?.field },
    pages: paged?.pages,
    stream: streamed,
  };
  const tested = testedOf(source, planned, ofSamples);
  return { method: { ...plan, ...samplesOf(tested, parts) }, types: declarations };
}

/** Plans the pages of a method. One whose caller can choose a stream has none. */
function pagesOf(
  source: Source,
  { operation, shape: method }: ShapedMethod,
  { others, body, stream }: Planned,
  result: MethodResult,
  { shape, types, options }: ResourceParts,
): ShapedPages | undefined {
  if (stream?.choice !== undefined) return undefined;
  const key = pinKey(operation);
  return shapedPages(source, types, { shape, method }, {
    ...{ operation, key, parameters: others, body, result },
    responses: withOneBody(source, responsesOf(source, operation.node)),
    hasStream: false,
    override: options.overrides?.get(key)?.pages,
  });
}

/** Returns a method with all that its samples depend on. */
function testedOf(
  source: Source,
  { operation, security }: Planned,
  method: Method,
): TestedMethod {
  const statuses = responsesOf(source, operation.node).map(([status]) => Number(status))
    .filter((status) => status >= 400);
  return {
    ...method,
    ...{ operation, security },
    server: method.server,
    errors: statuses.map((status) => ({
      ...{ className: errorClassOf(status), status, data: keyword("unknown") },
    })),
  };
}

/** Returns a name, with those of the resources around it if another type has it. */
function freeType({ path }: PlacedResource, wanted: string, names: TypeNames): string {
  return names.has(pascalCase(wanted))
    ? `${path.slice(0, -1).map(pascalCase).join(" ")} ${wanted}`
    : wanted;
}

function withErrorEvent(stream: MethodStream, { errorEvent }: SdkShape): MethodStream {
  return stream.format !== "events" || errorEvent === undefined
    ? stream
    : { errorEvent, ...stream };
}

/** Returns the class of a method's pages. The first method with a name declares its type. */
function pageOf(
  className: string,
  item: Type,
  stated: string | undefined,
  names: TypeNames,
): Pick<Pages, "alias" | "className" | "item"> {
  const wanted = stated ?? (item.kind === "reference" ? pageName(item.name, className) : undefined);
  const isFree = wanted !== undefined && !names.has(wanted);
  return { className, item, alias: isFree ? names.takeStated(wanted) : undefined };
}

/** Returns the name of the type of pages of an item: `Pet` and `CursorPage` become `PetsCursorPage`. */
function pageName(item: string, className: string): string {
  const isPlural = singularOf(item).length < item.length;
  const plural = isPlural ? item : /[^aeiou]y$/.test(item) ? `${item.slice(0, -1)}ies` : `${item}s`;
  return `${plural}${className}`;
}

/**
 * Returns what a shape states about parameters, with the names in the path as the document has them.
 *
 * @param stated The map of the shape
 * @param ownName True if parameters that are not stated have the names of the shape
 */
function withDocumentNames(
  stated: ReadonlyMap<string, string> | undefined,
  { operation }: MethodShape,
  { parts }: Operation,
  ownName: boolean,
): ReadonlyMap<string, string> | undefined {
  if (stated === undefined) return undefined;
  const values = new Map(stated);
  const given = parts.flatMap((part) => typeof part === "string" ? [] : [part.parameter]);
  const wanted = [...operation.split("?")[0]!.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name!);
  given.forEach((name, index) => {
    const own = wanted[index];
    if (own === undefined) return;
    const value = stated.get(parameterKey("path", own)) ?? (ownName ? own : undefined);
    if (value !== undefined) values.set(parameterKey("path", name), value);
  });
  return values;
}

/** Returns the parts of a request that the shape states in place of the document. */
function statedRequest(
  { baseUrl, headers, security }: MethodShape,
  { security: { schemes }, shape }: ResourceParts,
): Partial<Pick<Method, "headers" | "server" | "security">> {
  const server = {
    ...baseUrl === undefined ? {} : { server: baseUrl === false ? undefined : baseUrl },
    ...headers === undefined || headers.size === 0 ? {} : { headers: [...headers] },
  };
  if (security === undefined) return server;
  const names = security.flatMap((each) => {
    const option = shape.options.find(({ credential }) => credential?.scheme === each);
    return option?.credential === undefined
      ? []
      : schemeFor(option.credential, schemes)?.option ?? [];
  });
  return names.length === 0 ? server : { ...server, security: names.map((each) => [each]) };
}

/**
 * Returns parameters without the headers that the client sends itself. Callers need not pass others that
 * the shape does not name.
 */
function withStatedHeaders(
  parameters: Planned["others"],
  { headers, parameterNames: names, paramsType }: MethodShape,
): Planned["others"] {
  if (names === undefined) return parameters;
  const sent = new Set([...headers?.keys() ?? []].map((name) => name.toLowerCase()));
  return parameters.flatMap((each) => {
    const name = each.wireName.toLowerCase();
    if (each.place !== "header" || names.has(parameterKey("header", name))) return [each];
    const isHidden = sent.has(name) || paramsType === undefined;
    return isHidden ? [] : [{ ...each, required: false }];
  });
}
