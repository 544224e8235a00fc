/** Plans the resources of a client with their methods, by the shape that states them. */

import { PageClasses, type ShapedPages, shapedPages } from "./pages/page_classes.ts";
import {
  commentOf,
  declared,
  declareStream,
  type Planned,
  planOperation,
  requestOf,
  withType,
} from "./methods.ts";
import { FileNames } from "../names/file_names.ts";
import { partsWithTests, type Unfinished } from "./parts.ts";
import type { PlanOptions } from "./options.ts";
import type { Source } from "../read/source.ts";
import { responsesOf } from "./results/mod.ts";
import {
  methodsOf,
  namespaceOf,
  pinKey,
  type PlacedResource,
  resourcesOf,
  type ShapedMethod,
  type StatedTypes,
  statedTypes,
  typePrefix,
} from "./names/mod.ts";
import type { Operation } from "../read/operations.ts";
import type {
  ClientPlan,
  Declaration,
  MethodGroup,
  MethodPlan,
  PagesPlan,
  ResultPlan,
  StreamPlan,
  Type,
} from "../model/mod.ts";
import { callOf, methodComment, unwrapped } from "./resource_calls.ts";
import { errorClassOf } from "./tests/resource_tests.ts";
import { signatureOf, type Unsigned } from "./signatures.ts";
import type { TypePlanner } from "./types/mod.ts";
import { TestPlanner } from "./tests/mod.ts";
import type { Security } from "./requests/mod.ts";
import type { SdkShape } from "../sdk/shape.ts";
import { keyword } from "../algebra/types.ts";
import { pascalCase, type TypeNames } from "../names/type_names.ts";
import { singularOf } from "../names/words.ts";

/** A shape with its place in a document. */
export interface PlacedShape {
  readonly shape: SdkShape;
  readonly resources: readonly PlacedResource[];
  readonly methods: readonly ShapedMethod[];
  readonly leftOut: readonly string[];
  readonly stated: StatedTypes;
  /** The class names of resources by their fields. */
  readonly classes: ReadonlyMap<string, string>;
}

/** Finds the operations and schemas that a shape names, and names the classes of its resources. */
export function placeShape(
  source: Source,
  operations: readonly Operation[],
  shape: SdkShape,
  names: TypeNames,
): PlacedShape {
  const resources = resourcesOf(source, shape);
  const { methods, leftOut } = methodsOf(source, operations, resources);
  const classes = new Map<string, string>();
  // Resources of the client itself have the short names.
  for (const { field, path } of resources.toSorted((a, b) => a.path.length - b.path.length)) {
    if (field === "$shared" || path.length === 0) continue;
    const own = pascalCase(path.at(-1)!) || "Resource";
    const whole = path.map((each) => pascalCase(each)).join(" ");
    classes.set(field, names.take(names.has(own) ? whole : own));
  }
  return {
    shape,
    resources,
    methods,
    leftOut,
    stated: statedTypes(source, shape, resources, methods),
    classes,
  };
}

/** Returns the names of the resources and methods in the client itself. */
export function membersOf({ resources, methods }: PlacedShape): string[] {
  return [
    ...resources.filter(({ path }) => path.length === 1).map(({ field }) => field),
    ...methods.filter(({ resource }) => resource.path.length === 0).map(({ name }) => name),
  ];
}

/** The parts of a plan that are made before. */
export interface ResourceParts {
  readonly shaped: PlacedShape;
  readonly typeNames: TypeNames;
  readonly types: TypePlanner;
  readonly security: Security;
  readonly client: ClientPlan;
  /** The URL of the first server of the document. */
  readonly documentUrl: string | undefined;
  readonly options: PlanOptions;
}

/** Plans a client with resources. */
export function planResources(source: Source, parts: ResourceParts): Unfinished {
  const { shaped, types, typeNames, client, options } = parts;
  const { resources, stated, classes, leftOut } = shaped;
  // The names of models come first: they are what a configuration states.
  const models = new Map(
    resources.map(({ field }) => [
      field,
      (stated.ofResource.get(field) ?? []).flatMap(([name, place]) => {
        const type = types.nameAt(place);
        return type === undefined ? [] : [[name, type] as const];
      }),
    ]),
  );
  const pageClasses = new PageClasses(typeNames, types);
  const tests = !partsWithTests.some((each) => options.parts?.has(each))
    ? undefined
    : new TestPlanner(source, types, client, "resources");
  const context: MethodParts = { ...parts, pageClasses, tests };
  const files = resourceFiles(resources);
  const groups = resources.map((resource): MethodGroup => {
    const { field, path, shape: { description, deprecated } } = resource;
    const methods = shaped.methods.filter((each) => each.resource === resource)
      .map((each) => planResourceMethod(source, each, context));
    const own = methods.flatMap((each) => each.types);
    const ofResource = models.get(field) ?? [];
    const text = description?.trim() || `The methods of \`${["client", ...path].join(".")}\`.`;
    return {
      place: field === "$client" ? "client" : field === "$shared" ? "shared" : "class",
      path,
      className: field === "$client" ? client.className : classes.get(field) ?? "Shared",
      file: files.get(field) ?? "",
      comment: { text, tags: deprecated === undefined ? [] : [["deprecated", deprecated]] },
      methods: methods.map(({ method }) => method),
      types: own,
      namespace: namespaceOf(path, ofResource, own),
    };
  });
  const declarations = types.declarations();
  const names = new Set([
    ...declarations.map(({ name }) => name),
    ...groups.flatMap((each) => each.types.map(({ name }) => name)),
  ]);
  return {
    form: "resources",
    client,
    groups,
    models: declarations,
    errors: [],
    pins: options.pins,
    pageClasses: pageClasses.all(),
    leftOut,
    missingTypes: stated.missing.filter((name) => !names.has(name)),
  };
}

/** Returns the files of resources, without `.ts`: `chat/completions`. */
function resourceFiles(resources: readonly PlacedResource[]): ReadonlyMap<string, string> {
  const folders = new Map<string, FileNames>();
  const files = new Map<string, string>();
  for (const { path, field } of resources) {
    if (path.length === 0 || field === "$shared") continue;
    const folder = path.length === 1 ? "" : `${files.get(path.slice(0, -1).join("."))!}/`;
    const names = folders.get(folder) ?? new FileNames();
    folders.set(folder, names);
    files.set(field, folder + names.add(path.at(-1)!, "resource").replaceAll("_", "-"));
  }
  return files;
}

/** The parts of a plan that the methods of resources depend on. */
interface MethodParts extends ResourceParts {
  readonly pageClasses: PageClasses;
  /** The planner of tests, if they are wanted. */
  readonly tests: TestPlanner | undefined;
}

/** The method of a resource, and the types that are declared for it alone. */
interface PlannedResourceMethod {
  readonly method: MethodPlan;
  readonly types: readonly Declaration[];
}

function planResourceMethod(
  source: Source,
  shaped: ShapedMethod,
  parts: MethodParts,
): PlannedResourceMethod {
  const { shaped: { shape }, typeNames, types, security, client, options, pageClasses } = parts;
  const { operation, shape: method, resource, name } = shaped;
  const unnamed = planOperation(source, types, operation, {
    security,
    overrides: options.overrides?.get(pinKey(operation)),
    hasStatedNames: true,
  });
  const planned: Planned = { ...unnamed, name: { field: resource.field, method: name } };
  const { path, others, body, stream } = planned;
  const result: ResultPlan = method.isResponse && planned.result.kind !== "response"
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
  });
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
    ...requestOf(source, planned, {
      documentUrl: parts.documentUrl,
      security: client.security,
    }),
    comment: methodComment(commentOf(planned, [], new Map()), call, method),
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
  const plan: MethodPlan = { ...unsigned, signature: signatureOf("resources", unsigned, call) };
  // The types of samples are those of the document.
  const stated = {
    ...plan,
    result: { ...result, unwrap: taken?.field },
    pages: paged?.pages,
    stream: streamed,
  };
  const ofTests = testsOf(source, planned, stated, parts);
  return {
    method: ofTests === undefined ? plan : { ...plan, tests: ofTests },
    types: declarations,
  };
}

/** Plans the pages of a method. One whose caller can choose a stream has none. */
function pagesOf(
  source: Source,
  { operation, shape: method }: ShapedMethod,
  { others, body, stream }: Planned,
  result: ResultPlan,
  { shaped: { shape }, types, options }: MethodParts,
): ShapedPages | undefined {
  if (stream?.choice !== undefined) return undefined;
  const key = pinKey(operation);
  return shapedPages(source, types, { shape, method }, {
    ...{ operation, key, parameters: others, body, result },
    responses: responsesOf(source, operation.node),
    hasStream: false,
    override: options.overrides?.get(key)?.pages,
  });
}

/** Plans the tests of a method, if they are wanted. */
function testsOf(
  source: Source,
  { operation, security }: Planned,
  method: MethodPlan,
  { tests }: MethodParts,
): MethodPlan["tests"] {
  const statuses = responsesOf(source, operation.node).map(([status]) => Number(status))
    .filter((status) => status >= 400);
  return tests?.testsOf({
    ...method,
    ...{ operation, security },
    server: method.server,
    errors: statuses.map((status) => ({
      ...{ className: errorClassOf(status), status, data: keyword("unknown") },
    })),
  });
}

/** Returns a name, with those of the resources around it if another type has it. */
function freeType({ path }: PlacedResource, wanted: string, names: TypeNames): string {
  return names.has(pascalCase(wanted))
    ? `${path.slice(0, -1).map(pascalCase).join(" ")} ${wanted}`
    : wanted;
}

function withErrorEvent(stream: StreamPlan, { errorEvent }: SdkShape): StreamPlan {
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
): Pick<PagesPlan, "alias" | "className" | "item"> {
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
