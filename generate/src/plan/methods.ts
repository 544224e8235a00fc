/** Plans operations, and the methods and types that they become. */

import type { Overrides } from "../names/overrides_file.ts";
import type { Source } from "../read/source.ts";
import {
  isSameSecurity,
  partHeadersOf,
  planBody,
  planParameters,
  planResult,
  type Security,
  serverOf,
} from "./requests/mod.ts";
import {
  choiceOf,
  choiceParameter,
  responsesOf,
  type StatedError,
  statedErrors,
} from "./results/mod.ts";
import { textAt } from "../read/fields.ts";
import { type OperationName, pinKey } from "./names/mod.ts";
import { isDeprecated, type Operation } from "../read/operations.ts";
import { planList } from "./pages/mod.ts";
import type {
  BodyPlan,
  Comment,
  Conversion,
  Declaration,
  ErrorPlan,
  EventPlan,
  MethodPlan,
  PagesPlan,
  ParameterPlan,
  ParamsPlan,
  ResultPlan,
  SecurityPlan,
  StatusPlan,
  StreamPlan,
  Type,
  WholeListPlan,
} from "../model/mod.ts";
import { hasRequestMethod, signatureOf, type Unsigned } from "./signatures.ts";
import type { TypePlanner } from "./types/mod.ts";
import type { TestPlanner } from "./tests/mod.ts";
import { methodPrefix, pascalCase, type TypeNames } from "../names/type_names.ts";

/** An operation with all that the plan of its method needs. */
export interface Planned {
  readonly operation: Operation;
  readonly name: OperationName;
  readonly path: readonly ParameterPlan[];
  readonly others: readonly ParameterPlan[];
  readonly body: BodyPlan | undefined;
  readonly result: ResultPlan;
  readonly pages: PagesPlan | undefined;
  readonly wholeList?: WholeListPlan | undefined;
  readonly stream: StreamPlan | undefined;
  readonly errors: readonly StatedError[];
  /** The responses with errors, for the comment. */
  readonly failures: readonly (readonly [status: string, text: string])[];
  readonly security: SecurityPlan | undefined;
}

/** An operation that has no name yet. */
export type Unnamed = Omit<Planned, "name">;

const noText: Comment = { text: "", tags: [] };

export function planOperation(
  source: Source,
  types: TypePlanner,
  operation: Operation,
  { security, overrides, hasStatedNames = false }: {
    readonly security: Security;
    readonly overrides: Overrides | undefined;
    /** True to read the names that schemas state for parameters in `x-stainless-param`. */
    readonly hasStatedNames?: boolean;
  },
): Unnamed {
  const body = planBody(source, types, operation.node, operation.verb);
  const headers = body === undefined ? [] : partHeadersOf(source, operation.node, body);
  const { path, others: stated } = planParameters(source, types, operation, {
    headers,
    hasStatedNames,
  });
  const responses = responsesOf(source, operation.node);
  const { result, stream: streamed } = planResult(source, types, responses, operation.verb);
  // A stream beside another result needs something by which a caller chooses it.
  const isChosen = streamed !== undefined && result.kind !== "stream";
  const requested = isChosen ? choiceOf(types, body, stated) : undefined;
  const added = isChosen && requested === undefined ? choiceParameter(stated) : undefined;
  const choice = requested ?? (added && { place: "params" as const, name: added.name });
  const { pages, wholeList } = planList(source, types, {
    operation,
    key: pinKey(operation),
    parameters: stated,
    body,
    result,
    responses,
    hasStream: isChosen,
    override: overrides?.pages,
  });
  return {
    operation,
    path,
    others: added === undefined ? stated : [...stated, added],
    body,
    result,
    pages,
    wholeList,
    stream: streamed && { ...streamed, choice },
    errors: statedErrors(source, types, responses),
    failures: responses.filter(([status]) => /^[45]|^DEFAULT$/.test(status)).map((
      [status, response],
    ) => [status, textAt(response, "description")?.trim() ?? ""]),
    security: security.of(operation.node) ?? security.of(source.root),
  };
}

/** The parts of a plan that its methods depend on. */
export interface MethodContext {
  readonly source: Source;
  readonly typeNames: TypeNames;
  /** The URL of the first server of the document. */
  readonly documentUrl: string | undefined;
  readonly errors: ReadonlyMap<Planned, readonly StatusPlan[]>;
  /** The client's error classes by status. */
  readonly ofClient: ReadonlyMap<number, string>;
  /** The requirements of methods that state none. */
  readonly security: SecurityPlan | undefined;
  readonly errorClasses: ReadonlyMap<string, ErrorPlan>;
  /** The planner of tests, if they are wanted. */
  readonly tests: TestPlanner | undefined;
}

/** The method of an operation, and the types that are declared for it alone. */
export interface PlannedMethod {
  readonly method: MethodPlan;
  readonly types: readonly Declaration[];
}

export function planMethod(
  planned: Planned,
  context: MethodContext,
): PlannedMethod {
  const { source, typeNames, documentUrl, errors, ofClient, security } = context;
  const { name, others, body, result, stream } = planned;
  const types: Declaration[] = [];
  const prefix = methodPrefix(name.field, name.method);
  const classesOf = errors.get(planned) ?? [];
  const declare = (suffix: string, type: Type) =>
    declared(types, typeNames, `${prefix} ${suffix}`, type, noText);
  // The conversion of JSON states a type, which a name keeps short.
  const parameters = others.map((each) =>
    each.conversion === undefined ? each : withType(each, declare(each.name, each.type))
  );
  const pages = planned.pages && {
    ...planned.pages,
    item: declare("Item", planned.pages.item),
  };
  const listed = pages === undefined ? result.type : withItems(result.type, pages);
  const unsigned: Unsigned = {
    name: name.method,
    ...requestOf(source, planned, { documentUrl, security }),
    comment: commentOf(planned, classesOf, ofClient),
    body: body && withType(body, declare("Body", body.type)),
    parameters,
    params: declareParams(types, typeNames, prefix, parameters),
    result: withType(result, declare("Result", listed)),
    pages,
    wholeList: planned.wholeList,
    stream: stream && declareStream(stream, (suffix, type) => {
      if (suffix !== "Events") return declare(suffix, type);
      const events = typeNames.take(`${prefix} ${suffix}`);
      types.push({ name: events, type, comment: noText });
      return { kind: "reference", name: events };
    }),
    errors: classesOf.filter((error) => ofClient.get(error.status) !== error.className),
  };
  const method: MethodPlan = {
    ...unsigned,
    signature: signatureOf("classes", unsigned, {
      path: unsigned.pathParameters,
      body: unsigned.body,
    }),
  };
  const tests = testsOf(planned, method, context);
  return { method: tests === undefined ? method : { ...method, tests }, types };
}

/** Returns what methods of endpoints and of resources have in common: where they send their request. */
export function requestOf(
  source: Source,
  { operation, path, security: required }: Planned,
  { documentUrl, security }: Pick<MethodContext, "documentUrl" | "security">,
): Pick<
  Unsigned,
  | "operation"
  | "verb"
  | "hasRequestMethod"
  | "path"
  | "fixedQuery"
  | "server"
  | "pathParameters"
  | "security"
> {
  const server = serverOf(source, operation.node, operation.item);
  return {
    operation: pinKey(operation),
    verb: operation.verb,
    hasRequestMethod: hasRequestMethod(operation.verb),
    path: operation.parts.map((part) =>
      typeof part === "string"
        ? part
        : { argument: path.find(({ wireName }) => wireName === part.parameter)!.name }
    ),
    fixedQuery: operation.fixedQuery,
    server: server === documentUrl ? undefined : server,
    pathParameters: path,
    security: isSameSecurity(required, security) ? undefined : required ?? [],
  };
}

/** Plans the tests of a method, if they are wanted. */
function testsOf(
  planned: Planned,
  { path, fixedQuery, pathParameters, params, server }: MethodPlan,
  { errors, errorClasses, tests }: MethodContext,
): MethodPlan["tests"] {
  const { operation, body, result, pages, stream, security } = planned;
  return tests?.testsOf({
    ...{ operation, body, result, pages, stream, security },
    ...{ path, fixedQuery, pathParameters, server },
    // Samples are made of types that are not declared for this method alone.
    parameters: planned.others,
    params: params && {
      ...params,
      fields: params.fields.map((each, index) => ({ ...each, parameter: planned.others[index]! })),
    },
    errors: (errors.get(planned) ?? []).map((each) => ({
      ...each,
      data: errorClasses.get(each.className)!.data,
    })),
  });
}

/** Returns the type of a page in which the items have the type that was declared for them. */
export function withItems(body: Type, { items, item }: PagesPlan): Type {
  const [step, ...rest] = items;
  if (step === undefined) return body.kind === "array" ? { ...body, items: item } : body;
  if (body.kind !== "object" || rest.length > 0) return body;
  return {
    ...body,
    properties: body.properties.map((each) =>
      each.name === step.name && each.type.kind === "array"
        ? { ...each, type: { ...each.type, items: item } }
        : each
    ),
  };
}

/** Returns a stream whose types are short enough for a signature. */
export function declareStream(
  stream: StreamPlan,
  declare: (suffix: string, type: Type) => Type,
): StreamPlan {
  const typed = ({ conversion }: EventPlan | StreamPlan, type: Type) =>
    conversion && typedConversion(conversion, type);
  if (stream.events === undefined || stream.events.length === 0) {
    const item = declare(stream.format === "lines" ? "Line" : "Event", stream.item);
    return { ...stream, item, conversion: typed(stream, item) };
  }
  const events = stream.events.map((each) => {
    const data = declare(`${pascalCase(each.name)} Event`, each.data);
    return { ...each, data, conversion: typed(each, data) };
  });
  if (stream.isText) return { ...stream, events };
  const properties = events.map(({ name, data }) => ({
    name,
    type: data,
    optional: false,
    readonly: true,
    comment: noText,
  }));
  const map = declare("Events", { kind: "object", properties });
  return { ...stream, events, eventsType: map.kind === "reference" ? map.name : undefined };
}

/** Returns a text by which operations have the same order, whatever that of the document is. */
export function keyOf({ name }: Planned): string {
  return `${name.field}.${name.method}`;
}

/** Returns a type that is short enough for a signature: objects and long unions get a name. */
export function declared(
  declarations: Declaration[],
  names: TypeNames,
  wanted: string,
  type: Type,
  comment: Comment,
): Type {
  switch (type.kind) {
    case "array": {
      const items = declared(declarations, names, `${wanted} Item`, type.items, comment);
      return items === type.items ? type : { ...type, items };
    }
    case "object":
      if (type.properties.length === 0) return type;
      break;
    case "union":
      // A union of two names, or with null, reads well as it is.
      if (type.members.length <= 2 && type.members.every(isShort)) return type;
      if (type.members.length === 2 && type.members[1]!.kind === "null") {
        const [value, empty] = type.members as [Type, Type];
        return { ...type, members: [declared(declarations, names, wanted, value, comment), empty] };
      }
      break;
    case "intersection":
    case "tuple":
      break;
    default:
      return type;
  }
  const name = names.take(wanted);
  declarations.push({ name, type, comment });
  return { kind: "reference", name };
}

/** Returns a parameter, body or result with the type that was declared for it. */
export function withType<T extends ParameterPlan | BodyPlan | ResultPlan>(plan: T, type: Type): T {
  const { conversion } = plan;
  return { ...plan, type, conversion: conversion && typedConversion(conversion, type) };
}

/** Returns a conversion whose objects state the types that have a name. */
function typedConversion(conversion: Conversion, type: Type): Conversion {
  switch (conversion.kind) {
    case "object":
      return { ...conversion, type: conversion.type ?? type };
    case "list":
      return type.kind === "array"
        ? { ...conversion, of: typedConversion(conversion.of, type.items) }
        : conversion;
    case "nullable": {
      const others = type.kind === "union"
        ? type.members.filter(({ kind }) => kind !== "null")
        : [];
      return others.length === 1
        ? { ...conversion, of: typedConversion(conversion.of, others[0]!) }
        : conversion;
    }
    default:
      return conversion;
  }
}

function isShort(type: Type): boolean {
  return type.kind === "array" ? isShort(type.items) : !("members" in type) &&
    !("properties" in type) && type.kind !== "tuple";
}

/** Declares the type of the object with all parameters except those of the path, if there are any. */
function declareParams(
  declarations: Declaration[],
  names: TypeNames,
  prefix: string,
  parameters: readonly ParameterPlan[],
): ParamsPlan | undefined {
  if (parameters.length === 0) return undefined;
  const type = names.take(`${prefix} Params`);
  const properties = parameters.map(({ name, type, required, comment }) => ({
    name,
    type,
    optional: !required,
    comment,
  }));
  declarations.push({ name: type, type: { kind: "object", properties }, comment: noText });
  const fields = parameters.map((parameter) => ({ property: parameter.name, parameter }));
  return { type, isRequired: parameters.some(({ required }) => required), fields };
}

/** Returns the comment of a method. */
export function commentOf(
  { operation, path, body, failures }: Planned,
  errors: readonly StatusPlan[],
  ofClient: ReadonlyMap<number, string>,
): Comment {
  const { node, verb, path: place } = operation;
  const summary = textAt(node, "summary")?.trim() ?? "";
  const description = textAt(node, "description")?.trim() ?? "";
  const title = summary === "" && description === ""
    ? `Sends ${verb} ${place}.`
    : sentence(summary);
  const repeats = description === "" || description === summary;
  const text = [title, repeats ? "" : description].filter((each) => each !== "").join("\n\n");
  const docs = node.value as { readonly externalDocs?: { readonly url?: unknown } };
  const url = docs.externalDocs?.url;
  const tags: Comment["tags"] = [
    ...path.flatMap(({ name, comment }) => paramTag(name, comment)),
    ...body === undefined ? [] : paramTag("body", body.comment),
    ...failures.map((each) => throwsTag(each, errors, ofClient)),
    ...typeof url === "string" ? [["see", url] as const] : [],
    ...isDeprecated(node) ? [["deprecated", ""] as const] : [],
  ];
  return { text, tags };
}

/** Returns the tag of an argument, with the first paragraph of its comment. */
function paramTag(name: string, { text }: Comment): Comment["tags"] {
  const [line = ""] = text.split("\n\n");
  return line === "" ? [] : [["param", `${name} ${line}`]];
}

/** Returns the tag of an error that a response states. */
function throwsTag(
  [status, failure]: Planned["failures"][number],
  errors: readonly StatusPlan[],
  ofClient: ReadonlyMap<number, string>,
): Comment["tags"][number] {
  const [line = ""] = failure.split("\n\n");
  const className = errors.find((error) => String(error.status) === status)?.className ??
    (/^\d+$/.test(status) ? ofClient.get(Number(status)) : undefined) ?? "APIError";
  const when = status === "DEFAULT" ? "Otherwise" : status;
  return ["throws", `{${className}} ${line === "" ? when : `${when}: ${line}`}`];
}

/** Returns a summary with a full stop. */
export function sentence(text: string): string {
  return text === "" || /[.!?:`]$/.test(text) ? text : `${text}.`;
}
