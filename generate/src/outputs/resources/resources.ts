/** Prints the files of resources: their classes with methods, types and namespaces. */

import {
  argumentsOf,
  castOf,
  fixedQueryLayouts,
  pathOf,
  printCode,
  type PrintedArgument,
  requiredBefore,
  resultLayouts,
  signatureOf,
  signatureType,
  styledField,
  takenObject,
} from "../../print/methods.ts";
import type {
  Method,
  MethodGroup,
  ParamsObject,
  RequestBody,
  SdkModel,
  Type,
} from "../../model/mod.ts";
import { isBodyArgument } from "../../algebra/arguments.ts";
import { unionOf } from "../../algebra/types.ts";
import { capitalized, conversionFunctions, freeName, variableNames } from "../../names/words.ts";
import { useOf } from "../../print/credentials.ts";
import { printComment } from "../../print/comments.ts";
import { documented } from "../../print/method_comments.ts";
import { documentOf } from "../../print/conversion_code.ts";
import {
  call,
  flat,
  type Layout,
  object,
  pattern,
  pick,
  property,
  statement,
} from "../../print/layout.ts";
import { Imports } from "../../print/imports.ts";
import { literal, objectKey, propertyKey, propertyOf, quoted } from "../../print/literals.ts";
import { groupsIn } from "../../algebra/groups.ts";
import { addReferences, addStatedTypes, hasUpload } from "../../algebra/references.ts";
import { streamLayout } from "../../print/streams.ts";
import { convertedValue, styledValue } from "../../print/styles.ts";
import { printDeclaration, printType } from "../../print/types.ts";

/** The file in which a resource is printed. */
export interface ResourceContext {
  readonly plan: SdkModel;
  readonly toolkit: string;
  readonly imports: Imports;
  /** The expression of the client: `this._client`, or `this` in the client itself. */
  readonly client: string;
}

/** Returns the text of a file in `resources/`. */
export function printResource(resource: MethodGroup, plan: SdkModel, toolkit: string): string {
  const root = "../".repeat(resource.file.split("/").length);
  const imports = new Imports(root);
  const module = `${toolkit}/resources`;
  imports.value(module, "APIResource");
  const client = imports.type("../client.ts", plan.client.className);
  const context = { plan, toolkit, imports, client: "this._client" };
  const methods = documented(resource).methods.map((each) => printMethod(each, context));
  addTypes(resource, imports, toolkit);
  const folder = resource.file.split("/").at(-1)!;
  const children = groupsIn(plan, resource.path);
  const members = printMembers(
    children,
    imports,
    (file) => `./${folder}/${file.split("/").at(-1)!}.ts`,
    "this._client",
  );
  const parts = [members, ...methods].filter((each) => each !== "");
  const body = parts.length === 0 ? "" : `\n${parts.join("\n")}`.slice(1);
  const code = `${printComment(resource.comment, 0)}` +
    `export class ${resource.className} extends APIResource<${client}> {\n${body}}\n`;
  const types = printTypes(resource, imports);
  const namespace = printNamespace(resource, { children, imports });
  const exports = printOtherExports(resource, plan, root);
  return [imports.print() + code, types, namespace, exports].filter((each) => each !== "")
    .join("\n");
}

/** Returns the exports by which programs import a resource and its types from its own module. */
function printOtherExports(
  { className, otherName, types, namespace }: MethodGroup,
  { groups, models, modules }: SdkModel,
  root: string,
): string {
  // `mod.ts` exports all files, and cannot have one name twice.
  const isUnique = groups.filter((each) => each.otherName === otherName).length === 1;
  const alias = otherName !== undefined && isUnique
    ? `export { ${className} as ${otherName} };\n`
    : "";
  if (modules === undefined) return alias;
  const local = new Set(types.map(({ name }) => name));
  const known = new Set(models.map(({ name }) => name));
  const names = namespace.flatMap(([shown, type]) =>
    shown === type && known.has(type) && !local.has(type) ? [type] : []
  );
  const list = names.map((name) => `  ${name},\n`).join("");
  return `${alias}${
    names.length === 0 ? "" : `export type {\n${list}} from "${root}models.ts";\n`
  }`;
}

/** Returns the resources in a class as its fields. */
export function printMembers(
  members: readonly MethodGroup[],
  imports: Imports,
  fileOf: (file: string) => string,
  client: string,
): string {
  return members.map(({ path, className, file, comment }) => {
    imports.value(fileOf(file), className);
    const [text = ""] = comment.text.split("\n\n");
    const doc = printComment({ ...comment, text }, 2);
    return `${doc}  readonly ${path.at(-1)!}: ${className} = new ${className}(${client});\n`;
  }).join("");
}

/** Returns the declarations of a resource: of its own types, and of the types of pages. */
export function printTypes({ methods, types }: MethodGroup, imports: Imports): string {
  const aliases = methods.flatMap(({ pages }) => {
    const { className, item, alias } = pages ?? {};
    if (alias === undefined) return [];
    imports.type("../pagination.ts", className!);
    return [`export type ${alias} = ${className}<${printType(item!)}>;\n`];
  });
  const streams = methods.flatMap(({ params, stream }) => {
    if (params === undefined || stream?.choice === undefined) return [];
    const { type } = params;
    const key = propertyKey(stream.choice.name);
    return [
      `/** The parameters of a call whose result is read as a whole. */\n` +
      `export type ${type}NonStreaming = ${type} & { readonly ${key}?: false | null | undefined };\n`,
      `/** The parameters of a call whose result is a stream. */\n` +
      `export type ${type}Streaming = ${type} & { readonly ${key}: true };\n`,
    ];
  });
  return [...types.map(printDeclaration), ...aliases, ...streams].join("\n");
}

/** Returns the namespace of a resource: its types and those of the resources in it. */
export function printNamespace(
  { className, methods, types, namespace }: Pick<
    MethodGroup,
    "className" | "methods" | "namespace" | "types"
  >,
  { children, imports, declaredTypes = [] }: {
    /** The groups in this one. */
    readonly children: readonly MethodGroup[];
    readonly imports: Imports;
    /** The types that the file declares beside those of the group. */
    readonly declaredTypes?: readonly string[];
  },
): string {
  const local = new Set([...types.map((each) => each.name), ...declaredTypes]);
  const aliases = methods.flatMap(({ pages }) => pages?.alias ?? []);
  const streams = methods.flatMap(({ params, stream }) =>
    params === undefined || stream?.choice === undefined
      ? []
      : [`${params.type}NonStreaming`, `${params.type}Streaming`]
  );
  const all = [
    ...namespace,
    ...[...aliases, ...streams].map((each) => [each, each] as const),
  ];
  if (all.length + children.length === 0) return "";
  const named = (type: string, name: string) =>
    type === name ? `type ${type}` : `type ${type} as ${name}`;
  const lines = new Map(children.map((child) => {
    const name = child.statedName ?? capitalized(child.path.at(-1)!);
    return [name, named(child.className, name)];
  }));
  for (const [shown, type] of all) {
    if (lines.has(shown)) continue;
    if (!local.has(type) && !aliases.includes(type) && !streams.includes(type)) {
      imports.type("../models.ts", type);
    }
    lines.set(shown, named(type, shown));
  }
  return `export declare namespace ${className} {\n  export {\n` +
    [...lines.values()].map((line) => `    ${line},\n`).join("") + "  };\n}\n";
}

/** Imports the types of models that methods and declarations refer to. */
export function addTypes(
  { methods, types }: MethodGroup,
  imports: Imports,
  toolkit: string,
): void {
  const local = new Set(types.map(({ name }) => name));
  const add = (type: Type): void => {
    addReferences(type, (name) => {
      if (!local.has(name)) imports.type("../models.ts", name);
    });
    if (hasUpload(type)) imports.type(`${toolkit}/resources`, "Uploadable");
  };
  types.forEach(({ type }) => add(type));
  for (const { signature, pathParameters, parameters, body, result, pages, stream } of methods) {
    for (const { role, type } of signature.arguments) {
      if (role === "path" && type.kind !== "named") add(type);
    }
    add(pages === undefined ? result.type : pages.item);
    if (stream !== undefined) add(streamItem(stream));
    const sent = [...pathParameters, ...parameters, ...body?.fields ?? []];
    const ofRequest = sent.map(({ conversion }) => conversion);
    for (
      const conversion of [
        ...ofRequest,
        body?.conversion,
        result.conversion,
        stream?.conversion,
      ]
    ) {
      if (conversion === undefined) continue;
      addStatedTypes(conversion, (name) => {
        if (!local.has(name)) imports.type("../models.ts", name);
      });
    }
  }
}

/** Prints a method. */
export function printMethod(method: Method, context: ResourceContext): string {
  const { lines, own: sent } = requestOf(method, context);
  const own = method.server === undefined
    ? sent
    : [`defaultBaseURL: ${quoted(method.server)}`, ...sent];
  const path = pathOf(method, context);
  const args = argumentsOf(method, context);
  const returned = signatureType(method.signature.returns, context);
  const code = () =>
    method.params?.alsoOptions === undefined
      ? printCode(method.comment, signatureOf(method.name, args, returned), lines)
      : optionsOverloads(method, { args, lines, returned }, context);
  const { stream, pages, params, result: { unwrap } } = method;
  if (pages !== undefined) {
    const pageClass = context.imports.value("../pagination.ts", pages.className!);
    const page = `${pageClass}<${printType(pages.item, { indent: 4 })}>`;
    const all = [...own, ...resultLayouts(method, context)];
    const given = [path, page, "options", ...asObject(all)];
    lines.push(statement("return ", call("this._list", given), ";"));
    return code();
  }
  const send = (parts: readonly Layout[]) =>
    call("this._call", [quoted(method.verb), path, "options", ...asObject(parts)]);
  // The runtime that the toolkit replaces reads any content type.
  const format = stream && streamLayout(stream, context, [`contentTypes: "any"`]);
  const isChosen = method.signature.streamed !== undefined;
  const whole = [
    ...own,
    ...resultLayouts(method, context),
    ...unwrap === undefined ? [] : [`unwrap: ${quoted(unwrap)}`],
  ];
  if (format === undefined || !isChosen) {
    const parts = format === undefined ? whole : [...own, format];
    lines.push(statement("return ", send(parts), ";"));
    return code();
  }
  const flag = propertyOf(params!.isRequired ? "params" : "params?", stream!.choice!.name);
  const chosen = statement("return ", send([...own, format]), ";", 6);
  lines.push(`    if (${flag} === true) {\n${chosen}    }\n`);
  lines.push(statement("return ", send(whole), ";"));
  return choiceOverloads(method, args, lines, context);
}

/** Prints the overloads of a method with a choice of the stream, and its body. */
function choiceOverloads(
  { name, comment, stream, params, signature }: Method,
  args: readonly PrintedArgument[],
  lines: readonly string[],
  context: ResourceContext,
): string {
  const { type } = params!;
  const index = args.findIndex((each) => each.name === "params");
  const withType = (end: string, isRequired: boolean) => [
    ...isRequired ? requiredBefore(args.slice(0, index)) : args.slice(0, index),
    {
      ...args[index]!,
      type: `${type}${end}`,
      isRequired: isRequired || args[index]!.isRequired,
    },
    ...args.slice(index + 1),
  ];
  const { returns, streamed } = signature;
  const results = [returns, streamed!].map((each) => signatureType(each, context));
  const values = [returns, streamed!].map((each) => signatureType(each.arguments[0]!, context));
  const either = signatureOf(name, args, `${returns.name}<${values.join(" | ")}>`);
  return [
    `${printComment(comment, 2)}${
      signatureOf(name, withType("NonStreaming", false), results[0]!)
    };\n`,
    "  /** Sends the same request, and reads the response as a stream, while it arrives. */\n" +
    `${signatureOf(name, withType("Streaming", true), results[1]!)};\n`,
    `  /** Sends the same request. \`${stream!.choice!.name}\` decides about the result. */\n` +
    `${either};\n`,
    `${either} {\n${lines.join("")}  }\n`,
  ].join("");
}

/** Prints the overloads of a method whose options can be passed in place of its parameters. */
function optionsOverloads(
  { name, comment, params }: Method,
  { args, lines, returned }: {
    readonly args: readonly PrintedArgument[];
    readonly lines: readonly string[];
    readonly returned: string;
  },
  { imports, toolkit }: ResourceContext,
): string {
  const { type, alsoOptions = [] } = params!;
  const others = args.filter((each) => each.name !== "params");
  const either = args.map((each) =>
    each.name === "params"
      ? { ...each, name: "first", type: `${each.type} | ResourceRequestOptions` }
      : each.name === "options"
      ? { ...each, name: "second" }
      : each
  );
  imports.value(`${toolkit}/resources`, "optionsApart");
  const taken = alsoOptions.length === 0 ? [] : [`[${alsoOptions.map(quoted).join(", ")}]`];
  const apart = call(`optionsApart<${type}>`, ["first", "second", ...taken]);
  return [
    `${printComment(comment, 2)}${signatureOf(name, args, returned)};\n`,
    "  /** Sends the same request with options, and without parameters. */\n" +
    `${signatureOf(name, others, returned)};\n`,
    `${signatureOf(name, either, returned)} {\n` +
    `${statement("const [params, options] = ", apart, ";")}${lines.join("")}  }\n`,
  ].join("");
}

/** Returns parts as the last argument of a call: none without parts. */
function asObject(parts: readonly Layout[]): Layout[] {
  return parts.length === 0 ? [] : [object(parts)];
}

/** Returns the type of an item of a stream. */
export function streamItem({ item, events }: NonNullable<Method["stream"]>): Type {
  return events === undefined || events.length === 0
    ? item
    : unionOf(events.map(({ data }) => data));
}

/** The parts of a request, and the lines before them. */
interface RequestParts {
  readonly lines: string[];
  readonly own: readonly Layout[];
}

/** The object of parameters, taken apart. */
interface TakenApart {
  /** The properties that a pattern takes out of the object. */
  readonly picked: string[];
  readonly query: Layout[];
  readonly headers: Layout[];
  readonly cookies: Layout[];
  /** The values of which one is in the path, by the segments before them. */
  readonly pathChoice: Layout[];
  /** The headers of the parts of a form, by the field. */
  readonly partHeaders: Map<string, Layout[]>;
  /** True if other properties are sent in the query as they are. */
  hasPlainQuery: boolean;
}

/** Takes the object of parameters apart: into the path, the query, headers, cookies and the body. */
function requestOf(method: Method, context: ResourceContext): RequestParts {
  const { body, params, pages } = method;
  const parts = takenApart(method, context);
  const { picked, query, headers, cookies, pathChoice, partHeaders, hasPlainQuery } = parts;

  const bodyName = typeof params?.body === "object" ? params.body.property : undefined;
  if (bodyName !== undefined) picked.push(pick(bodyName, "body"));
  const isQueryTaken = method.pathParameters.some(({ name }) => name === "query");
  const queryName = isQueryTaken ? "query_" : "query";
  const rest = params?.body === "rest" ? "body" : hasPlainQuery ? queryName : undefined;
  const isPicked = picked.length > 0;
  const given = params?.isRequired ? "params" : "params ?? {}";
  const names = params?.fields.map(({ property: name }) => name) ?? [];
  const end = ` = ${takenObject(names, "params", given)};`;
  const lines = isPicked ? [statement("const ", pattern(picked, rest), end)] : [];
  if (pathChoice.length > 0) {
    const names = method.pathParameters.filter(({ chosen }) => chosen !== undefined)
      .map(({ name }) => name);
    context.imports.value(`${context.toolkit}/resources`, "pathChoice");
    const chosen = call("pathChoice", [object(pathChoice)]);
    lines.push(statement("const ", `[${names.join(", ")}]`, ` = ${flat(chosen)};`));
  }
  // Without a pattern, the object itself is what would be left of it.
  const restValue = isPicked || rest === undefined ? rest : "params";

  headers.push(...ownHeaders(method));
  const own: Layout[] = [
    ...optionsOf(method, context),
    ...queryOption(query, hasPlainQuery && rest === queryName ? restValue : undefined, params),
    ...headers.length > 0 ? [object(headers, "headers: ")] : [],
    ...cookies.length > 0 ? [object(cookies, "cookies: ")] : [],
  ];
  if (body !== undefined) {
    const value = isBodyArgument(method) || bodyName !== undefined ? "body" : restValue!;
    own.push(
      bodyLayout(body, value, { partHeaders, params, isPage: pages !== undefined }, context),
    );
  }
  return { lines, own };
}

/**
 * Returns the option with the query.
 *
 * @param rest The variable whose properties are all sent in the query
 */
function queryOption(
  query: readonly Layout[],
  rest: string | undefined,
  params: ParamsObject | undefined,
): Layout[] {
  if (rest === undefined) return query.length > 0 ? [object(query, "params: ")] : [];
  if (query.length > 0) return [object([...query, `...${rest}`], "params: ")];
  if (rest !== "params") return [`params: ${rest}`];
  return [params?.isRequired ? "params" : "params: params ?? undefined"];
}

/** Returns the options that do not depend on the parameters. */
function optionsOf(
  { security, result, idempotencyHeader }: Method,
  { client }: ResourceContext,
): Layout[] {
  const options: Layout[] = [];
  if (security !== undefined) {
    const uses = security.length > 0;
    options.push(uses ? useOf(`auth: ${client}.authSchemes`, security) : "auth: null");
  }
  if (result.kind === "redirect") options.push("followRedirects: true");
  if (idempotencyHeader !== undefined) {
    options.push(`idempotencyHeader: ${literal(idempotencyHeader)}`);
  }
  return options;
}

/** Returns the headers that do not depend on the caller: those that state the media types, and fixed ones. */
function ownHeaders({ body, headers: fixed = [], result, stream }: Method): Layout[] {
  const headers: Layout[] = fixed.map(([name, value]) => property(objectKey(name), quoted(value)));
  if (body?.contentType !== undefined) headers.push(`"Content-Type": ${quoted(body.contentType)}`);
  const isInFormat = result.kind === "text" || result.kinds !== undefined;
  if (!isInFormat && result.accept !== undefined && stream === undefined) {
    headers.push(`Accept: ${quoted(result.accept)}`);
  }
  return headers;
}

/** Sorts the fields of the object of parameters by their places. */
function takenApart(method: Method, context: ResourceContext): TakenApart {
  const { params } = method;
  const isStyled = context.plan.client.settings.query === undefined;
  const taken = new Set([
    ...variableNames,
    ...conversionFunctions,
    ...["query", "query_", "options", "params", "body", "path"],
    ...method.pathParameters.map(({ name }) => name),
  ]);
  const parts: TakenApart = {
    ...{ picked: [], query: fixedQueryLayouts(method), headers: [], cookies: [], pathChoice: [] },
    ...{ partHeaders: new Map(), hasPlainQuery: false },
  };
  for (const { property: name, parameter } of params?.fields ?? []) {
    const { place, wireName } = parameter;
    const valueOf = (value: string) =>
      place === "query" && !isStyled
        ? parameter.style === "json" ? value : convertedValue(parameter, value, context)
        : styledValue(parameter, value, context);
    const { clientOption } = parameter;
    const fallback = clientOption === undefined ? "" : ` = ${context.client}.${clientOption}!`;
    if (place === "pathChoice") {
      const variable = freeVariable(name, taken);
      parts.picked.push(pick(name, variable));
      const value = `[${quoted(parameter.segment!)}, ${variable}]`;
      parts.pathChoice.push(property(objectKey(name), value));
      continue;
    }
    if (place === "path" || place === "choice") {
      const variable = place === "path" ? parameter.name : freeVariable("_", taken);
      parts.picked.push(pick(name, variable) + fallback);
      continue;
    }
    const plain = propertyOf("params", name);
    const isPlain = valueOf(plain) === plain && name === wireName && fallback === "";
    if (place === "query" && params!.body !== "rest" && isPlain) {
      parts.hasPlainQuery = true;
      continue;
    }
    const variable = freeVariable(name, taken);
    parts.picked.push(pick(name, variable) + fallback);
    const key = objectKey(wireName);
    if (place === "part") {
      const header = styledValue({ ...parameter, place: "header" }, variable, context);
      const part = parameter.part!;
      parts.partHeaders.set(part, [...parts.partHeaders.get(part) ?? [], property(key, header)]);
      continue;
    }
    const list = place === "query"
      ? parts.query
      : place === "header"
      ? parts.headers
      : parts.cookies;
    list.push(property(key, valueOf(variable)));
  }
  return parts;
}

function freeVariable(name: string, taken: Set<string>): string {
  const wanted = name.replace(/[^\w$]+(\w?)/g, (_, next: string) => next.toUpperCase()) || "value";
  const variable = freeName(/^\d/.test(wanted) ? `_${wanted}` : wanted, taken);
  taken.add(variable);
  return variable;
}

function bodyLayout(
  body: RequestBody,
  value: string,
  { partHeaders, params, isPage }: {
    readonly partHeaders: ReadonlyMap<string, readonly Layout[]>;
    readonly params: ParamsObject | undefined;
    readonly isPage: boolean;
  },
  context: ResourceContext,
): Layout {
  // The rest of an object that was taken apart is always there.
  const mayMiss = value === "params" ? params?.isRequired === false : value === "body" &&
    params?.body !== "rest" && !body.required;
  const needed = body.isSentEmpty === true || isPage;
  switch (body.kind) {
    case "json":
      return jsonLayout(body, value, { mayMiss, needed }, context);
    case "xml":
      return xmlLayout(body, value, mayMiss, context);
    case "text":
    case "bytes":
      return `content: ${value}${mayMiss ? " ?? undefined" : ""}`;
    case "form":
      return object(
        [
          `...${value}`,
          ...body.fields.flatMap((field) =>
            styledField(field, mayMiss ? `${value}?` : value, context)
          ),
        ],
        "data: ",
        castOf(body, context),
      );
    case "multipart":
      return uploadLayout(body, value, { partHeaders, mayMiss: mayMiss && !needed }, context);
  }
}

function jsonLayout(
  { conversion }: RequestBody,
  value: string,
  { mayMiss, needed }: { readonly mayMiss: boolean; readonly needed: boolean },
  context: ResourceContext,
): Layout {
  const given = mayMiss ? `${value} ?? ${needed ? "{}" : "undefined"}` : value;
  if (conversion === undefined) return given === "json" ? "json" : `json: ${given}`;
  const toJson = `${documentOf(conversion, context)}.toJsonValue`;
  return `json: ${
    mayMiss && !needed ? ifGiven(value, `${toJson}(${value})`) : `${toJson}(${given})`
  }`;
}

function xmlLayout(
  { model: name, conversion }: RequestBody,
  value: string,
  mayMiss: boolean,
  context: ResourceContext,
): Layout {
  if (name === undefined) return `xml: ${value}${mayMiss ? " ?? undefined" : ""}`;
  const model = context.imports.value("../models.ts", name);
  const json = conversion === undefined
    ? value
    : `${documentOf(conversion, context)}.toJsonValue(${value})`;
  const xml = `${model}.fromJson(${json})`;
  return `xml: ${mayMiss ? ifGiven(value, xml) : xml}`;
}

/** Returns code that is undefined for an object of parameters that is null or was left out. */
function ifGiven(value: string, code: string): string {
  return `${value} ? ${code} : undefined`;
}

function uploadLayout(
  { fields }: RequestBody,
  value: string,
  { partHeaders, mayMiss }: {
    readonly partHeaders: ReadonlyMap<string, readonly Layout[]>;
    readonly mayMiss: boolean;
  },
  { imports, toolkit }: ResourceContext,
): Layout {
  imports.value(`${toolkit}/resources`, "uploadForm");
  const parts = fields.flatMap(({ name, contentType }) => {
    const headers = partHeaders.get(name) ?? [];
    const options = [
      ...contentType === undefined ? [] : [`type: ${quoted(contentType)}`],
      ...headers.length === 0 ? [] : [object(headers, "headers: ")],
    ];
    return options.length === 0 ? [] : [property(objectKey(name), object(options))];
  });
  const options = parts.length === 0 ? [] : [object([object(parts, "parts: ")])];
  return call(
    `upload: ${mayMiss ? `${value} ? ` : ""}uploadForm`,
    [value, ...options],
    mayMiss ? " : undefined" : "",
  );
}
