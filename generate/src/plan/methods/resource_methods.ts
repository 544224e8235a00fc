/** Plans the methods of resources. */

import { keyword } from "../../algebra/types.ts";
import type {
  Declaration,
  Method,
  MethodResult,
  MethodStream,
  Pages,
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
import { responsesOf, withOneBody } from "../results/mod.ts";
import { errorClassOf } from "../../names/error_classes.ts";
import type { TestedMethod } from "../tests/mod.ts";
import type { Source } from "../../read/source.ts";
import type { SdkShape } from "../../sdk/shape.ts";

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
  });
  const planned: Planned = { ...unnamed, name: { field: resource.field, method: name } };
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
    const taken = typeNames.take(freeType(resource, `${prefix} Params`, typeNames));
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
    ...pageOf(pageClasses.classOf(paged, result.type), item!, method.resultType, typeNames),
  };
  const streamed = stream && withErrorEvent(stream, shape);
  const unsigned: Unsigned = {
    name,
    ...requestOf(source, planned, parts),
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
  const stated = {
    ...plan,
    result: { ...result, unwrap: taken?.field },
    pages: paged?.pages,
    stream: streamed,
  };
  const tested = testedOf(source, planned, stated);
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
  return { className, item, alias: isFree ? names.take(wanted) : undefined };
}

/** Returns the name of the type of pages of an item: `Pet` and `CursorPage` become `PetsCursorPage`. */
function pageName(item: string, className: string): string {
  const isPlural = singularOf(item).length < item.length;
  const plural = isPlural ? item : /[^aeiou]y$/.test(item) ? `${item.slice(0, -1)}ies` : `${item}s`;
  return `${plural}${className}`;
}
