/** Prints the classes of endpoints with their methods. */

import type {
  BodyPlan,
  EndpointPlan,
  FieldPlan,
  MethodPlan,
  PagesPlan,
  ParameterPlan,
  Plan,
  StreamChoice,
} from "../plan/plan.ts";
import type { Comment, Type } from "../plan/types.ts";
import { camelCase, freeName, variableNames, wordsOf } from "../plan/words.ts";
import { useOf } from "./client.ts";
import { printComment, WIDTH } from "./comments.ts";
import { documentOf } from "./conversions.ts";
import { Imports } from "./imports.ts";
import { call, flat, type Layout, object, pattern, property, render } from "./layout.ts";
import { objectKey, propertyKey, propertyOf, quoted } from "./literals.ts";
import { pagesComment, pagesLayouts } from "./pages.ts";
import { addReferences, addStatedTypes } from "./references.ts";
import { modelOf, streamItem, streamLayout } from "./streams.ts";
import { styledValue } from "./styles.ts";
import { printDeclaration, printType } from "./types.ts";
import { template } from "./urls.ts";

/** The methods of HTTP with a request method of their own. */
const requestMethods: ReadonlySet<string> = new Set(
  ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"],
);

/** The place of a method in the output. */
export interface Context {
  readonly plan: Plan;
  readonly toolkit: string;
  readonly imports: Imports;
}

/** Returns the text of a file in `endpoints/`. */
export function printEndpoint(endpoint: EndpointPlan, plan: Plan, toolkit: string): string {
  const imports = new Imports();
  imports.value(toolkit, "APIEndpoint");
  const context = { plan, toolkit, imports };
  const needsClient = endpoint.methods.some(({ security }) => usesSchemes(security));
  const client = needsClient
    ? imports.type("../client.ts", plan.client.className)
    : imports.type(toolkit, "AnyClient");
  const methods = endpoint.methods.map((method) => printMethod(method, context));
  const local = new Set(endpoint.types.map(({ name }) => name));
  const addName = (name: string) => {
    if (!local.has(name)) imports.type("../models.ts", name);
  };
  const addModels = (type: Type) => addReferences(type, addName);
  endpoint.types.forEach(({ type }) => addModels(type));
  for (const { pathParameters, parameters, body, result, pages, stream } of endpoint.methods) {
    pathParameters.forEach(({ type }) => addModels(type));
    if (body !== undefined) addModels(body.type);
    addModels(result.type);
    if (pages !== undefined) addModels(pages.item);
    if (stream !== undefined && stream.eventsType === undefined) addModels(stream.item);
    const events = stream?.events?.map(({ conversion }) => conversion) ?? [];
    const ofRequest = [...parameters, ...body?.fields ?? []].map(({ conversion }) => conversion);
    for (
      const conversion of [
        ...ofRequest,
        body?.conversion,
        result.conversion,
        stream?.conversion,
        ...events,
      ]
    ) {
      if (conversion !== undefined) addStatedTypes(conversion, addName);
    }
  }
  const code = `${printComment(endpoint.comment, 0)}` +
    `export class ${endpoint.className} extends APIEndpoint<${client}> {\n` +
    "  override readonly _box = false;\n  override readonly _convJson = true;\n\n" +
    `${methods.join("\n")}}\n`;
  const types = endpoint.types.map(printDeclaration).join("\n");
  return `${imports.print()}${code}${types === "" ? "" : `\n${types}`}`;
}

function usesSchemes(security: MethodPlan["security"]): boolean {
  return security !== undefined && security.length > 0;
}

/** An argument of a method. */
export interface Argument {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  /** The value if the argument is left out. */
  readonly fallback?: string | undefined;
}

function printMethod(method: MethodPlan, context: Context): string {
  const names = new Names(method);
  const query = method.parameters.filter(({ place }) => place === "query");
  const others = method.parameters.filter(({ place }) => place !== "query");
  const rest = others.length > 0 && query.length > 0 ? names.add("query") : "params";
  const variables = new Map(others.map((each) => [each, names.add(each.name)]));

  const lines: string[] = [];
  if (others.length > 0) {
    const picked = others.map((each) => pick(each.name, variables.get(each)!));
    const left = query.length > 0 ? rest : undefined;
    lines.push(statement("const ", pattern(picked, left), " = params;"));
  }
  const { pages, stream, result } = method;
  // Parameters of the query can be left out as a whole, unless they are read one by one.
  const readsParams = others.length > 0 ||
    query.some((each) => queryValue(each, rest, context) !== undefined);
  const args = argumentsOf(method, context, readsParams);
  const path = pathOf(method, context);
  const sent = (accept: string | undefined, kept: Layout[] = []): Layout[] => [
    ...settingsOf(method, context),
    "...options",
    ...requestLayouts(method, { query, others, rest, variables }, accept, context),
    ...kept,
  ];
  const send = (options: readonly Layout[], type: string, generic: string): Layout => {
    const bag: Layout = options.length === 1
      ? flat(options[0]!).slice("...".length)
      : object(options);
    return requestMethods.has(method.verb)
      ? call(`this._${method.verb.toLowerCase()}${generic}`, [path, bag])
      : call("this._req", [quoted(method.verb), path, bag], ` as Promise<${type}>`);
  };
  const type = resultType(method);
  const generic = result.kind === "json" && result.conversion === undefined ? `<${type}>` : "";
  const isFormat = result.kind === "text";
  const accept = isFormat ? undefined : result.accept;
  const { imports, toolkit } = context;
  const isKnown = requestMethods.has(method.verb);
  if (pages !== undefined) return printList(method, pages, { args, path, lines, sent }, context);
  const promise = () => isKnown ? imports.type(toolkit, "APIPromise") : "Promise";
  if (stream === undefined) {
    const request = send(sent(accept, resultLayouts(method, context)), type, generic);
    lines.push(statement("return ", request, ";"));
    return result.kind === "bytes" && isKnown
      ? printDownload(method, { args, lines }, context)
      : printCode(
        commentOf(method),
        signatureOf(method.name, args, `${promise()}<${type}>`),
        lines,
      );
  }

  const item = streamItem(stream, context);
  const streamed = isKnown
    ? `${imports.type(toolkit, "StreamPromise")}<${item}>`
    : `Promise<${imports.type(`${toolkit}/streams`, "ItemStream")}<${item}>>`;
  const streamType = streamed.replace(/^Promise<(.*)>$/s, "$1");
  const format = streamLayout(stream, context);
  const { choice } = stream;
  if (choice === undefined) {
    lines.push(statement("return ", send(sent(undefined, [format]), streamType, ""), ";"));
    return printCode(commentOf(method), signatureOf(method.name, args, streamed), lines);
  }

  const argument = choice.place;
  const flag = method.parameters.find(({ place }) => place === "choice");
  const condition = flag === undefined
    ? propertyOf(isOptional(args, argument) ? `${argument}?` : argument, choice.name)
    : variables.get(flag)!;
  let common = sent(undefined);
  if (common.length > 1 && accept === undefined) {
    lines.push(statement("const request = ", object(common), ";"));
    common = ["...request"];
  }
  const whole = accept === undefined ? common : sent(accept);
  const [streaming, returned] = [
    send([...common, format], streamType, ""),
    send([...whole, ...resultLayouts(method, context)], type, generic),
  ];
  const streamReturn = statement("return ", streaming, ";", 6);
  lines.push(`    if (${condition} === true) {\n${streamReturn}    }\n`);
  lines.push(statement("return ", returned, ";"));
  const results = { plain: `${promise()}<${type}>`, streamed };
  return printChoice(method, { args, lines, choice, results });
}

/** The parts of a method that was begun. */
interface Begun {
  readonly args: readonly Argument[];
  readonly lines: readonly string[];
}

/** Prints a list that comes in pages. */
function printList(
  method: MethodPlan,
  pages: PagesPlan,
  { args, path, lines, sent }: Begun & {
    readonly path: Layout;
    readonly sent: (accept: string | undefined, kept?: Layout[]) => Layout[];
  },
  context: Context,
): string {
  const { imports, toolkit } = context;
  const { result } = method;
  const types = `<${printType(pages.item, { indent: 4 })}, ${resultType(method)}>`;
  const all = sent(result.accept, [
    ...resultLayouts(method, context),
    ...pagesLayouts(pages, toolkit, imports),
  ]);
  const generic = result.conversion === undefined ? types : "";
  const request = call(`this._pages${generic}`, [path, object(all)]);
  const list = `${imports.type(`${toolkit}/paging`, "PagePromise")}${types}`;
  return printCode(commentOf(method), signatureOf(method.name, args, list), [
    ...lines,
    pagesComment(pages),
    statement("return ", request, ";"),
  ]);
}

/** Prints a method that returns bytes as a response, or through a stream format of the caller. */
function printDownload(
  method: MethodPlan,
  { args, lines }: Begun,
  { imports, toolkit }: Context,
): string {
  imports.type(toolkit, "APIPromise");
  const format = imports.type(toolkit, "StreamFormat");
  const others = args.slice(0, -1);
  const options = args.at(-1)!;
  const withStream = (value: string, mark: string) =>
    `${options.type} & { readonly stream${mark}: ${format}<${value}> }`;
  const overloads = [
    `${printComment(commentOf(method), 2)}${
      signatureOf(method.name, withoutFallbacks(args), "APIPromise<Response>")
    };\n`,
    `  /** Sends the same request. The format reads the response: \`saveTo\` saves it to a file. */\n` +
    `${
      signatureOf(`${method.name}<T>`, [
        ...requiredBefore(others),
        { ...options, type: withStream("T", ""), isRequired: true },
      ], "APIPromise<T>")
    };\n`,
  ];
  const implementation = signatureOf(method.name, [
    ...others,
    { ...options, type: withStream("unknown", "?") },
  ], "APIPromise<unknown>");
  return `${overloads.join("")}${implementation} {\n${lines.join("")}  }\n`;
}

/** Prints a method that returns a stream if a property of an argument is true. */
function printChoice(
  method: MethodPlan,
  { args, lines, choice, results }: Begun & {
    readonly choice: StreamChoice;
    readonly results: { readonly plain: string; readonly streamed: string };
  },
): string {
  const { plain, streamed } = results;
  const index = args.findIndex(({ name }) => name === choice.place);
  const chosen = args[index]!;
  const key = propertyKey(choice.name);
  const withValue = (type: string, mark: string): Argument => ({
    ...chosen,
    fallback: undefined,
    type: `${
      / [|&] /.test(chosen.type) ? `(${chosen.type})` : chosen.type
    } & { readonly ${key}${mark}: ${type} }`,
  });
  const general = withoutFallbacks(args);
  const whole = general.with(index, withValue("false | null | undefined", "?"));
  const stream = [
    ...requiredBefore(args.slice(0, index)),
    { ...withValue("true", ""), isRequired: true },
    ...general.slice(index + 1),
  ];
  return [
    `${printComment(commentOf(method), 2)}${signatureOf(method.name, whole, plain)};\n`,
    "  /** Sends the same request, and reads the response as a stream, while it arrives. */\n",
    `${signatureOf(method.name, stream, streamed)};\n`,
    `  /** Sends the same request. \`${choice.name}\` decides about the result. */\n`,
    `${signatureOf(method.name, general, plain, streamed)};\n`,
    `${signatureOf(method.name, args, plain, streamed)} {\n${lines.join("")}  }\n`,
  ].join("");
}

export function printCode(comment: Comment, signature: string, lines: readonly string[]): string {
  return `${printComment(comment, 2)}${signature} {\n${lines.join("")}  }\n`;
}

/** Returns the comment of a method, with how its result is read. */
function commentOf({ comment, result, pages, stream }: MethodPlan): Comment {
  const text = pages !== undefined
    ? "The list: await it for the first page, or iterate over it for the items of all pages."
    : stream !== undefined && stream.choice === undefined
    ? `The stream: iterate over it for its ${stream.format}.`
    : result.kind === "bytes"
    ? "The response, whose body is a stream of bytes that nothing has read."
    : undefined;
  if (text === undefined) return comment;
  const index = comment.tags.findIndex(([tag]) => tag !== "param");
  const at = index < 0 ? comment.tags.length : index;
  return { ...comment, tags: comment.tags.toSpliced(at, 0, ["returns", text]) };
}

/** Returns the settings of a call that its caller can replace. */
function settingsOf(method: MethodPlan, { imports }: Context): Layout[] {
  const settings: Layout[] = [];
  if (method.errors.length > 0) {
    settings.push(object(
      method.errors.map(({ status, className }) => {
        imports.value("../errors.ts", className);
        return property(String(status), className);
      }),
      "errorMap: ",
    ));
  }
  if (method.security !== undefined) {
    settings.push(
      usesSchemes(method.security)
        ? useOf("auth: this._client.authSchemes", method.security)
        : "auth: null",
    );
  }
  if (method.result.kind === "redirect") settings.push("followRedirects: true");
  return settings;
}

/** Returns the parts of a request: its parameters, headers, cookies and body. */
function requestLayouts(
  method: MethodPlan,
  { query, others, rest, variables }: {
    readonly query: readonly ParameterPlan[];
    readonly others: readonly ParameterPlan[];
    readonly rest: string;
    readonly variables: ReadonlyMap<ParameterPlan, string>;
  },
  accept: string | undefined,
  context: Context,
): Layout[] {
  const { imports, toolkit } = context;
  const last: Layout[] = [];
  const params = queryLayout(method, query, rest, context);
  if (params !== undefined) {
    imports.value(toolkit, "mergeParams");
    last.push(call("params: mergeParams", [params, "options?.params"]));
  }
  const headers = others.filter(({ place }) => place === "header").map((each) =>
    property(objectKey(each.wireName), styledValue(each, variables.get(each)!, context))
  );
  const { body } = method;
  if (body?.contentType !== undefined) headers.push(`"Content-Type": ${quoted(body.contentType)}`);
  if (accept !== undefined) headers.push(`Accept: ${quoted(accept)}`);
  if (headers.length > 0) {
    imports.value(toolkit, "mergeHeaders");
    last.push(call("headers: mergeHeaders", [object(headers), "options?.headers"]));
  }
  const cookies = others.filter(({ place }) => place === "cookie").map((each) =>
    property(objectKey(each.wireName), styledValue(each, variables.get(each)!, context))
  );
  if (cookies.length > 0) last.push(object(cookies, "cookies: "));
  const ofParts = others.filter(({ place }) => place === "part").map((header) => ({
    part: header.part!,
    header: property(
      objectKey(header.wireName),
      styledValue({ ...header, place: "header" }, variables.get(header)!, context),
    ),
  }));
  const isList = method.pages !== undefined;
  if (body !== undefined) last.push(...bodyLayouts(body, { headers: ofParts, isList }, context));
  return last;
}

/** The names of variables of a method. */
class Names {
  readonly #taken: Set<string>;

  constructor({ pathParameters }: MethodPlan) {
    this.#taken = new Set([...variableNames, ...pathParameters.map(({ name }) => name)]);
  }

  add(wanted: string): string {
    const name = freeName(camelCase(wordsOf(wanted)) || "value", this.#taken);
    this.#taken.add(name);
    return name;
  }
}

/** Returns a property in the pattern of a destructuring. */
export function pick(key: string, variable: string): string {
  if (key === variable) return key;
  // Bun 1.4 turns a key with line breaks into a template, unless the key is computed.
  return /^[\w$.-]+$/.test(key)
    ? `${objectKey(key)}: ${variable}`
    : `[${quoted(key)}]: ${variable}`;
}

export function statement(start: string, layout: Layout, end: string, indent = 4): string {
  const pad = " ".repeat(indent);
  return `${pad}${start}${render(layout, indent, indent + start.length + end.length)}${end}\n`;
}

function isOptional(args: readonly Argument[], name: string): boolean {
  return args.some((each) => each.name === name && !each.isRequired && each.fallback === undefined);
}

/** Returns arguments as overloads declare them: without the values if they are left out. */
export function withoutFallbacks(args: readonly Argument[]): Argument[] {
  return args.map((each) => ({ ...each, fallback: undefined }));
}

/** Returns arguments before one that is required. */
export function requiredBefore(args: readonly Argument[]): Argument[] {
  return args.map(({ name, type, isRequired }) => ({
    name,
    type: isRequired ? type : `${type} | undefined`,
    isRequired: true,
  }));
}

/** Returns the signature of a method. Its result may have alternatives. */
export function signatureOf(
  name: string,
  args: readonly Argument[],
  ...results: readonly string[]
): string {
  const list = args.map(({ name, type, isRequired, fallback }) =>
    fallback !== undefined
      ? `${name}: ${type} = ${fallback}`
      : `${name}${isRequired ? "" : "?"}: ${type}`
  );
  const result = results.join(" | ");
  const line = `  ${name}(${list.join(", ")}): ${result}`;
  if (line.length + " {".length <= WIDTH) return line;
  const start = `  ${name}(\n${list.map((each) => `    ${each},\n`).join("")}  ):`;
  const fits = "  ): ".length + result.length + " {".length <= WIDTH;
  return results.length === 1 || fits
    ? `${start} ${result}`
    : `${start}${results.map((each) => `\n    | ${each}`).join("")}`;
}

function argumentsOf(method: MethodPlan, context: Context, readsParams: boolean): Argument[] {
  const { imports, toolkit } = context;
  const args: Argument[] = method.pathParameters.map(({ name, type }) => ({
    name,
    type: printType(type, { indent: 4 }),
    isRequired: true,
  }));
  const needsParams = method.parameters.some(({ required }) => required);
  const { body, parametersType } = method;
  if (body !== undefined) {
    const type = body.kind === "bytes"
      ? imports.type(toolkit, "Content")
      : printType(body.type, { indent: 4 });
    if (body.required) args.push({ name: "body", type, isRequired: true });
    else if (needsParams) {
      args.push({ name: "body", type: `${type} | undefined`, isRequired: true });
    } else if (body.kind === "multipart" || body.isSentEmpty) {
      args.push({ name: "body", type, isRequired: false, fallback: "{}" });
    } else args.push({ name: "body", type, isRequired: false });
  }
  if (parametersType !== undefined) {
    const type = parametersType;
    if (needsParams) args.push({ name: "params", type, isRequired: true });
    else if (readsParams) {
      // An object literal would have `toString` and the like, which the caller did not pass.
      const isOdd = method.parameters.some(({ name }) => name in {});
      const fallback = isOdd ? "Object.create(null)" : "{}";
      args.push({ name: "params", type, isRequired: false, fallback });
    } else args.push({ name: "params", type, isRequired: false });
  }
  const options = method.pages === undefined
    ? imports.type(toolkit, "CallOptions")
    : imports.type(`${toolkit}/paging`, "ListOptions");
  return [...args, { name: "options", type: options, isRequired: false }];
}

export function pathOf(method: MethodPlan, context: Context): Layout {
  const byName = new Map(method.pathParameters.map((each) => [each.name, each]));
  const parts = method.path.map((part) => {
    if (typeof part === "string") return part;
    const parameter = byName.get(part.argument)!;
    return { expression: flat(styledValue(parameter, parameter.name, context)) };
  });
  if (method.server !== undefined) parts.unshift(method.server);
  const text = template(parts, "path");
  if (text.startsWith("path`")) context.imports.value(context.toolkit, "path");
  return text;
}

/** Returns the value of a query parameter in its style; undefined if it is sent as it is. */
function queryValue(
  parameter: ParameterPlan,
  params: string,
  context: Context,
): Layout | undefined {
  const value = propertyOf(params, parameter.name);
  const styled = styledValue(parameter, value, context);
  return styled === value ? undefined : styled;
}

function queryLayout(
  { fixedQuery }: MethodPlan,
  query: readonly ParameterPlan[],
  params: string,
  context: Context,
): Layout | undefined {
  const fixed = new Map<string, string[]>();
  for (const [name, value] of fixedQuery) fixed.set(name, [...fixed.get(name) ?? [], value]);
  const before = [...fixed].map(([name, values]) => {
    const texts = values.map(quoted);
    return property(objectKey(name), texts.length === 1 ? texts[0]! : `[${texts.join(", ")}]`);
  });
  const styled = query.flatMap((each) => {
    const value = queryValue(each, params, context);
    return value === undefined ? [] : [property(objectKey(each.wireName), value)];
  });
  if (query.length === 0) return before.length === 0 ? undefined : object(before);
  return before.length + styled.length === 0
    ? params
    : object([...before, `...${params}`, ...styled]);
}

/** A header of a part of a form. */
interface PrintedHeader {
  readonly part: string;
  readonly header: Layout;
}

function bodyLayouts(
  body: BodyPlan,
  { headers, isList }: {
    readonly headers: readonly PrintedHeader[];
    /** True for a list that is requested by POST, whose body must be an object. */
    readonly isList: boolean;
  },
  context: Context,
): Layout[] {
  switch (body.kind) {
    case "json": {
      if (isList && !body.required && !body.isSentEmpty) {
        const json = body.conversion === undefined
          ? "body ?? {}"
          : `${documentOf(body.conversion, context)}.toJsonValue(body ?? {})`;
        return [`json: ${json}`];
      }
      if (body.conversion === undefined) return ["json: body"];
      const given = body.required ? "" : "body && ";
      return [`json: ${given}${documentOf(body.conversion, context)}.toJsonValue(body)`];
    }
    case "xml": {
      if (body.model === undefined) return ["xml: body"];
      const model = context.imports.value("../models.ts", body.model);
      const given = body.required ? "" : "body && ";
      const json = body.conversion === undefined
        ? "body"
        : `${documentOf(body.conversion, context)}.toJsonValue(body)`;
      return [`xml: ${given}${model}.fromJson(${json})`];
    }
    case "text":
    case "bytes":
      return ["content: body"];
    case "form":
      return [formLayout(body, context)];
    case "multipart":
      return [multipartLayout(body, headers, context)];
  }
}

/** Returns the fields of a form. Its objects are sent in their styles, or as JSON. */
function formLayout({ fields, required, isUnchecked }: BodyPlan, context: Context): Layout {
  const styled = fields.flatMap((field) =>
    styledField(field, required ? "body" : "body?", context)
  );
  const cast = isUnchecked === true ? ` as ${context.imports.type(context.toolkit, "Params")}` : "";
  return object(["...body", ...styled], "data: ", cast);
}

/** Returns a multipart body as one Blob, which can be sent again, and by browsers. */
function multipartLayout(
  { fields }: BodyPlan,
  headers: readonly PrintedHeader[],
  context: Context,
): Layout {
  context.imports.value(`${context.toolkit}/files`, "multipart");
  // An object without a style is a part with JSON as it is.
  const styled = fields.flatMap((field) => {
    if (field.style !== "json" || field.shape !== "object") {
      return styledField(field, "body", context);
    }
    if (field.conversion === undefined) return [];
    const value = propertyOf("body", field.name);
    const converted = documentOf(field.conversion, context);
    return [property(objectKey(field.name), `${value} && ${converted}.toJsonValue(${value})`)];
  });
  const parts = fields.flatMap(({ name, contentType }) => {
    const own = headers.filter(({ part }) => part === name).map(({ header }) => header);
    const options = [
      ...contentType === undefined ? [] : [`type: ${quoted(contentType)}`],
      ...own.length === 0 ? [] : [object(own, "headers: ")],
    ];
    return options.length === 0 ? [] : [property(objectKey(name), object(options))];
  });
  const form = styled.length === 0 ? "body" : object(["...body", ...styled]);
  const options = parts.length === 0 ? [] : [object([object(parts, "parts: ")])];
  return call("content: multipart", [form, ...options], ".toBlob()");
}

/** Returns a field in its style; nothing if it is sent as it is. */
export function styledField(field: FieldPlan, body: string, context: Context): Layout[] {
  const value = propertyOf(body, field.name);
  const written = styledValue({ ...field, place: "query", wireName: field.name }, value, context);
  return written === value ? [] : [property(objectKey(field.name), written)];
}

export function resultLayouts({ result }: MethodPlan, { imports, toolkit }: Context): Layout[] {
  switch (result.kind) {
    case "json":
      return result.conversion === undefined
        ? []
        : [`responseModel: ${modelOf(result.conversion, { imports, toolkit })}`];
    case "void":
      imports.value(toolkit, "voidFormat");
      return ["format: voidFormat"];
    case "text": {
      const format = imports.value(toolkit, "textFormat");
      return result.accept === undefined
        ? [`format: ${format}`]
        : [`format: { ...${format}, accept: ${quoted(result.accept)} }`];
    }
    case "bytes":
    case "response":
    case "redirect":
      return ["convJson: false"];
    case "stream":
      return [];
  }
}

export function resultType({ result }: MethodPlan): string {
  switch (result.kind) {
    case "json":
      return printType(result.type, { indent: 4 });
    case "void":
      return "void";
    case "text":
      return "string";
    default:
      return "Response";
  }
}
