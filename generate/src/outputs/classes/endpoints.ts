/** Prints the classes of endpoints with their methods. */

import {
  argumentsOf,
  castOf,
  type Context,
  fixedQueryLayouts,
  isInherited,
  ownProperty,
  pathOf,
  printCode,
  type PrintedArgument,
  requiredBefore,
  resultLayouts,
  resultType,
  signatureOf,
  signatureType,
  styledField,
  takenObject,
  withoutFallbacks,
} from "../../print/methods.ts";
import type {
  Conversion,
  Method,
  MethodGroup,
  MethodStream,
  Pages,
  Parameter,
  RequestBody,
  SdkModel,
  StreamChoice,
  Type,
} from "../../model/mod.ts";
import {
  camelCase,
  conversionFunctions,
  freeName,
  variableNames,
  wordsOf,
} from "../../names/words.ts";
import { useOf } from "../../print/credentials.ts";
import { printComment } from "../../print/comments.ts";
import { documented } from "../../print/method_comments.ts";
import { documentOf } from "../../print/conversion_code.ts";
import { Imports } from "../../print/imports.ts";
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
import { literal, objectKey, propertyKey, propertyOf, quoted } from "../../print/literals.ts";
import { pagesComment, pagesLayouts } from "../../print/pages.ts";
import { addReferences, addStatedTypes } from "../../algebra/references.ts";
import { streamLayout } from "../../print/streams.ts";
import { styledValue } from "../../print/styles.ts";
import { printDeclaration, printType } from "../../print/types.ts";

/** Returns the text of a file in `endpoints/`. */
export function printEndpoint(endpoint: MethodGroup, plan: SdkModel, toolkit: string): string {
  const imports = new Imports();
  imports.value(toolkit, "APIEndpoint");
  const context = { plan, toolkit, imports };
  const needsClient = endpoint.methods.some(({ security, server }) =>
    usesSchemes(security) || server !== undefined
  );
  const client = needsClient
    ? imports.type("../client.ts", plan.client.className)
    : imports.type(toolkit, "AnyClient");
  const methods = documented(endpoint).methods
    .map((method) => new MethodPrinter(method, context).print());
  addModels(endpoint, imports);
  const code = `${printComment(endpoint.comment, 0)}` +
    `export class ${endpoint.className} extends APIEndpoint<${client}> {\n` +
    "  override readonly _box = false;\n  override readonly _convJson = true;\n\n" +
    `${methods.join("\n")}}\n`;
  const types = endpoint.types.map(printDeclaration).join("\n");
  return `${imports.print()}${code}${types === "" ? "" : `\n${types}`}`;
}

/** Imports the types of models that methods and declarations refer to. */
function addModels({ methods, types }: MethodGroup, imports: Imports): void {
  const local = new Set(types.map(({ name }) => name));
  const add = (name: string) => {
    if (!local.has(name)) imports.type("../models.ts", name);
  };
  for (const { type } of types) addReferences(type, add);
  for (const method of methods) {
    for (const type of typesOf(method)) addReferences(type, add);
    for (const conversion of conversionsOf(method)) addStatedTypes(conversion, add);
  }
}

/** Returns the types in the signature of a method. Those of parameters have declarations. */
function typesOf({ pathParameters, body, result, pages, stream }: Method): Type[] {
  return [
    ...pathParameters.map(({ type }) => type),
    ...body === undefined ? [] : [body.type],
    result.type,
    ...pages === undefined ? [] : [pages.item],
    ...stream === undefined || stream.eventsType !== undefined ? [] : [stream.item],
  ];
}

/** Returns the conversions in the code of a method. */
function conversionsOf(
  { pathParameters, parameters, body, result, stream }: Method,
): Conversion[] {
  const converted = [
    ...[...pathParameters, ...parameters, ...body?.fields ?? []],
    ...[body, result, stream],
    ...stream?.events ?? [],
  ];
  return converted.flatMap((each) => each?.conversion ?? []);
}

function usesSchemes(security: Method["security"]): boolean {
  return security !== undefined && security.length > 0;
}

/** The printer of a method. It collects the statements of the method's body. */
class MethodPrinter {
  readonly #method: Method;
  readonly #context: Context;
  readonly #query: readonly Parameter[];
  /** The variables of the parameters that are not in the query. */
  readonly #variables: ReadonlyMap<Parameter, string>;
  /** The variable with the parameters of the query. */
  readonly #rest: string;
  readonly #args: readonly PrintedArgument[];
  readonly #path: Layout;
  /** True if the client has a request method for the verb. */
  readonly #hasRequestMethod: boolean;
  readonly #accept: string | undefined;
  readonly #lines: string[] = [];

  constructor(method: Method, context: Context) {
    this.#method = method;
    this.#context = context;
    const names = new Names(method);
    const others = method.parameters.filter(({ place }) => place !== "query");
    const query = method.parameters.filter(({ place }) => place === "query");
    this.#query = query;
    this.#rest = others.length > 0 && query.length > 0 ? names.add("query") : "params";
    this.#variables = new Map(others.map((each) => [each, names.add(each.name)]));
    // Parameters of the query can be left out as a whole, unless they are read one by one.
    const readsParams = others.length > 0 ||
      query.some((each) => queryValue(each, this.#rest, context) !== undefined);
    this.#args = withFallbacks(method, context, readsParams);
    this.#path = urlOf(method, context);
    this.#hasRequestMethod = method.hasRequestMethod;
    const { result } = method;
    // The formats of texts and by the status have their media types.
    this.#accept = result.kind === "text" || result.kinds !== undefined ? undefined : result.accept;
  }

  /** Returns the text of the method. */
  print(): string {
    const { pages, stream, result } = this.#method;
    this.#addVariables();
    if (pages !== undefined) return this.#list(pages);
    if (stream?.choice !== undefined) return this.#choice(stream, stream.choice);
    if (stream !== undefined) return this.#stream(stream);
    return result.kind === "bytes" && this.#hasRequestMethod ? this.#download() : this.#whole();
  }

  /** True if the client limits the time without data. */
  get #hasTimeout(): boolean {
    return typeof this.#context.plan.client.settings.timeout === "number";
  }

  /** Adds the variables of parameters that are not in the query. */
  #addVariables(): void {
    if (this.#variables.size === 0) return;
    const picked = Array.from(this.#variables, ([{ name }, variable]) => pick(name, variable));
    const left = this.#query.length > 0 ? this.#rest : undefined;
    const names = Array.from(this.#variables, ([{ name }]) => name);
    const end = ` = ${takenObject(names, "params")};`;
    this.#lines.push(statement("const ", pattern(picked, left), end));
  }

  /** Prints a list that comes in pages. */
  #list(pages: Pages): string {
    const { imports, toolkit } = this.#context;
    const types = `<${printType(pages.item, { indent: 4 })}, ${resultType(this.#method)}>`;
    const options = [
      ...this.#options(this.#accept),
      ...resultLayouts(this.#method, this.#context),
      ...pagesLayouts(pages, toolkit, imports),
    ];
    const generic = this.#method.result.conversion === undefined ? types : "";
    this.#lines.push(pagesComment(pages));
    this.#return(call(`this._pages${generic}`, [this.#path, object(options)]));
    return this.#code(this.#returns());
  }

  /** Prints a method whose result is read as a whole. */
  #whole(): string {
    this.#return(this.#requestWhole(this.#options(this.#accept)));
    return this.#code(this.#returns());
  }

  /** Prints a method that returns bytes as a response, or through a format of the caller. */
  #download(): string {
    const { imports, toolkit } = this.#context;
    this.#return(this.#requestWhole(this.#options(this.#accept)));
    const format = imports.type(toolkit, "ResultFormat");
    const others = this.#args.slice(0, -1);
    const options = this.#args.at(-1)!;
    const withStream = (value: string, mark: string) =>
      `${options.type} & { readonly format${mark}: ${format}<${value}> }`;
    const { name } = this.#method;
    const plain = signatureOf(name, withoutFallbacks(this.#args), this.#returns());
    const formatted = signatureOf(`${name}<T>`, [
      ...requiredBefore(others),
      { ...options, type: withStream("T", ""), isRequired: true },
    ], "APIPromise<T>");
    const implementation = signatureOf(name, [
      ...others,
      { ...options, type: withStream("unknown", "?") },
    ], "APIPromise<unknown>");
    return [
      `${printComment(this.#method.comment, 2)}${plain};\n`,
      "  /** Sends the same request. The format reads the response: `saveTo` saves it to a file. */\n",
      `${formatted};\n`,
      `${implementation} {\n${this.#lines.join("")}  }\n`,
    ].join("");
  }

  /** Prints a method that returns a stream. */
  #stream(stream: MethodStream): string {
    this.#return(this.#requestStream(stream, this.#options(undefined)));
    return this.#code(this.#streamed());
  }

  /** Prints a method that returns a stream if a property of an argument is true. */
  #choice(stream: MethodStream, choice: StreamChoice): string {
    const condition = this.#conditionOf(choice);
    let common = this.#options(undefined);
    if (common.length > 1 && this.#accept === undefined) {
      this.#lines.push(statement("const request = ", object(common), ";"));
      common = ["...request"];
    }
    const streaming = statement("return ", this.#requestStream(stream, common), ";", 6);
    this.#lines.push(`    if (${condition} === true) {\n${streaming}    }\n`);
    const whole = this.#accept === undefined ? common : this.#options(this.#accept);
    this.#return(this.#requestWhole(whole));
    return this.#choiceOverloads(choice, this.#returns(), this.#streamed());
  }

  /** Returns the value that selects the stream. */
  #conditionOf({ place, name }: StreamChoice): string {
    const [flag] = this.#variablesIn("choice");
    if (flag !== undefined) return flag[1];
    const { fallback, isRequired } = this.#args.find((each) => each.name === place)!;
    const isThere = fallback !== undefined || isRequired &&
        (place !== "body" || this.#method.body?.required === true);
    return propertyOf(isThere ? place : `${place}?`, name);
  }

  /** Prints the overloads of a method with a choice, and its body. */
  #choiceOverloads(choice: StreamChoice, plain: string, streamed: string): string {
    const { name } = this.#method;
    const args = this.#args;
    const index = args.findIndex((each) => each.name === choice.place);
    const chosen = args[index]!;
    const key = propertyKey(choice.name);
    const { type: given, or } = this.#method.signature.arguments[index]!;
    const plainType = signatureType(given, this.#context);
    const withValue = (type: string, mark: string, others: readonly string[]): PrintedArgument => {
      const whole = / [|&] /.test(plainType) ? `(${plainType})` : plainType;
      const narrowed = `${whole} & { readonly ${key}${mark}: ${type} }`;
      const members = others.length === 0 ? [narrowed] : [`(${narrowed})`, ...others];
      return { ...chosen, fallback: undefined, type: members.join(" | ") };
    };
    const general = withoutFallbacks(args);
    const whole = general.with(index, withValue("false | null | undefined", "?", or));
    const stream = [
      ...requiredBefore(args.slice(0, index)),
      { ...withValue("true", "", []), isRequired: true },
      ...general.slice(index + 1),
    ];
    return [
      `${printComment(this.#method.comment, 2)}${signatureOf(name, whole, plain)};\n`,
      "  /** Sends the same request, and reads the response as a stream, while it arrives. */\n",
      `${signatureOf(name, stream, streamed)};\n`,
      `  /** Sends the same request. \`${choice.name}\` decides about the result. */\n`,
      `${signatureOf(name, general, plain, streamed)};\n`,
      `${signatureOf(name, args, plain, streamed)} {\n${this.#lines.join("")}  }\n`,
    ].join("");
  }

  #return(value: Layout): void {
    this.#lines.push(statement("return ", value, ";"));
  }

  /** Returns the text of a method without overloads. */
  #code(returned: string): string {
    const signature = signatureOf(this.#method.name, this.#args, returned);
    return printCode(this.#method.comment, signature, this.#lines);
  }

  /** Returns the type that the method returns. */
  #returns(): string {
    return signatureType(this.#method.signature.returns, this.#context);
  }

  /** Returns the type that the method returns if the caller chooses the stream. */
  #streamed(): string {
    const { returns, streamed = returns } = this.#method.signature;
    return signatureType(streamed, this.#context);
  }

  /** Returns the request for a result that is read as a whole. */
  #requestWhole(options: readonly Layout[]): Layout {
    const { kind, kinds, conversion } = this.#method.result;
    const isTyped = kind === "json" && kinds === undefined && conversion === undefined;
    return this.#request([...options, ...resultLayouts(this.#method, this.#context)], {
      generic: isTyped ? `<${resultType(this.#method)}>` : "",
      promise: this.#returns(),
    });
  }

  /** Returns the request for a stream. */
  #requestStream(stream: MethodStream, options: readonly Layout[]): Layout {
    // Those of a long poll have it already.
    const isLimited = this.#hasTimeout && !this.#method.isLongPoll;
    const unlimited = isLimited ? ["timeout: null"] : [];
    return this.#request([...unlimited, ...options, streamLayout(stream, this.#context)], {
      generic: "",
      promise: this.#streamed(),
    });
  }

  #request(
    options: readonly Layout[],
    { generic, promise }: { readonly generic: string; readonly promise: string },
  ): Layout {
    const { verb } = this.#method;
    const bag: Layout = options.length === 1
      ? flat(options[0]!).slice("...".length)
      : object(options);
    return this.#hasRequestMethod
      ? call(`this._${verb.toLowerCase()}${generic}`, [this.#path, bag])
      : call("this._req", [quoted(verb), this.#path, bag], ` as ${promise}`);
  }

  /** Returns the options of a request: its settings, those of the caller, and its parts. */
  #options(accept: string | undefined): Layout[] {
    return [
      ...this.#method.isLongPoll && this.#hasTimeout ? ["timeout: null"] : [],
      ...settingsOf(this.#method, this.#context),
      "...options",
      ...this.#params(),
      ...this.#headers(accept),
      ...this.#cookies(),
      ...this.#body(),
    ];
  }

  #params(): Layout[] {
    const params = queryLayout(this.#method, this.#query, this.#rest, this.#context);
    if (params === undefined) return [];
    const { imports, toolkit } = this.#context;
    imports.value(toolkit, "mergeParams");
    return [call("params: mergeParams", [params, "options?.params"])];
  }

  #headers(accept: string | undefined): Layout[] {
    const headers = this.#variablesIn("header").map((each) => this.#property(...each));
    const contentType = this.#method.body?.contentType;
    if (contentType !== undefined) headers.push(`"Content-Type": ${quoted(contentType)}`);
    if (accept !== undefined) headers.push(`Accept: ${quoted(accept)}`);
    if (headers.length === 0) return [];
    const { imports, toolkit } = this.#context;
    imports.value(toolkit, "mergeHeaders");
    return [call("headers: mergeHeaders", [object(headers), "options?.headers"])];
  }

  #cookies(): Layout[] {
    const cookies = this.#variablesIn("cookie").map((each) => this.#property(...each));
    return cookies.length === 0 ? [] : [object(cookies, "cookies: ")];
  }

  #body(): Layout[] {
    const { body, pages } = this.#method;
    if (body === undefined) return [];
    const headers = this.#variablesIn("part").map(([header, variable]) => ({
      part: header.part!,
      header: this.#property({ ...header, place: "header" }, variable),
    }));
    return bodyLayouts(body, { headers, isList: pages !== undefined }, this.#context);
  }

  /** Returns the parameters in a place, with their variables. */
  #variablesIn(place: Parameter["place"]): [Parameter, string][] {
    return [...this.#variables].filter(([parameter]) => parameter.place === place);
  }

  /** Returns a parameter as the property of an object. */
  #property(parameter: Parameter, variable: string): Layout {
    const value = styledValue(parameter, variable, this.#context);
    return property(objectKey(parameter.wireName), value);
  }
}

/** Returns the settings of a call that its caller can replace. */
function settingsOf(method: Method, { imports }: Context): Layout[] {
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
  if (method.idempotencyHeader !== undefined) {
    settings.push(`idempotencyHeader: ${literal(method.idempotencyHeader)}`);
  }
  return settings;
}

/** The names of variables of a method. */
class Names {
  readonly #taken: Set<string>;

  constructor({ pathParameters }: Method) {
    this.#taken = new Set([
      ...variableNames,
      ...conversionFunctions,
      ...pathParameters.map(({ name }) => name),
    ]);
  }

  add(wanted: string): string {
    const name = freeName(camelCase(wordsOf(wanted)) || "value", this.#taken);
    this.#taken.add(name);
    return name;
  }
}

/** Returns the arguments, with the values of a body or of parameters that are left out. */
function withFallbacks(method: Method, context: Context, readsParams: boolean): PrintedArgument[] {
  const { body, parameters } = method;
  // An object literal would have `toString` and the like, which the caller did not pass.
  const emptyOf = (fields: readonly { readonly name: string }[]): string =>
    fields.some(({ name }) => isInherited(name)) ? "Object.create(null)" : "{}";
  const fallbacks: Readonly<Record<string, string | undefined>> = {
    body: !body?.isSentEmpty
      ? undefined
      : body.hasInherited
      ? "Object.create(null)"
      : emptyOf(body.fields),
    params: readsParams ? emptyOf(parameters) : undefined,
  };
  const roles = method.signature.arguments.map(({ role }) => role);
  return argumentsOf(method, context).map((each, index) => {
    const role = roles[index]!;
    // A body before required parameters is passed as undefined.
    return each.isRequired && role !== "body" ? each : { ...each, fallback: fallbacks[role] };
  });
}

/** Returns the path of a call, or its full URL if it goes to a server of its own. */
function urlOf(method: Method, context: Context): Layout {
  const path = pathOf(method, context);
  if (method.server === undefined) return path;
  const { name } = context.plan.client.ownServers.find(({ url }) => url === method.server)!;
  return call("this._client.serverUrls.urlOf", [quoted(name), path]);
}

/** Returns the value of a query parameter in its style; undefined if it is sent as it is. */
function queryValue(
  parameter: Parameter,
  params: string,
  context: Context,
): Layout | undefined {
  const value = propertyOf(params, parameter.name);
  const styled = styledValue(parameter, value, context);
  return styled === value ? undefined : styled;
}

function queryLayout(
  method: Method,
  query: readonly Parameter[],
  params: string,
  context: Context,
): Layout | undefined {
  const before = fixedQueryLayouts(method);
  const styled = query.flatMap((each) => {
    const value = queryValue(each, params, context);
    return value === undefined ? [] : [ownProperty(params, each.name, value, each.wireName)];
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
  body: RequestBody,
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
function formLayout(body: RequestBody, context: Context): Layout {
  const styled = body.fields.flatMap((field) =>
    styledField(field, body.required ? "body" : "body?", context)
  );
  return object(["...body", ...styled], "data: ", castOf(body, context));
}

/** Returns a multipart body as one Blob, which can be sent again, and by browsers. */
function multipartLayout(
  { fields, required, isSentEmpty }: RequestBody,
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
    return [ownProperty("body", field.name, `${value} && ${converted}.toJsonValue(${value})`)];
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
  const given = required || isSentEmpty === true ? "" : "body && ";
  return call(`content: ${given}multipart`, [form, ...options], ".toBlob()");
}
