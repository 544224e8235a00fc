/** The client of a frozen SDK: its options, base URL, credentials and defaults. */

import type {
  ArrayFormat,
  FrozenAuth,
  FrozenClient,
  FrozenDefault,
  FrozenOption,
  Handwritten,
} from "./frozen_sdk.ts";
import { headersOf, optionIn, printedProperties } from "./printed.ts";
import { declared, type Sources } from "./sources.ts";
import {
  bare,
  declarationOf,
  isNode,
  keyOf,
  lineOf,
  membersOf,
  methodIn,
  nameOf,
  nodeAt,
  nodesAt,
  nodesIn,
  numberOf,
  type ParsedSource,
  type SyntaxNode,
  templateTexts,
  textOf,
} from "./syntax.ts";

/** The options that all clients have. */
const COMMON: ReadonlySet<string> = new Set(
  ("baseURL timeout fetchOptions fetch maxRetries defaultHeaders defaultQuery " +
    "dangerouslyAllowBrowser logLevel logger httpAgent environment").split(" "),
);

/** The headers that all clients send. */
const COMMON_HEADER = /^(?:accept|content-type|user-agent|x-stainless-.*)$/i;

/** The class of the client in its source, with the class that it extends. */
export interface ClientSource {
  readonly source: ParsedSource;
  readonly className: string;
  /** The class itself, then the one that it extends, if it is in the same source. */
  readonly classes: readonly SyntaxNode[];
}

/** Finds the class of the client: the one whose fields are resources. */
export function findClient(sources: Sources): ClientSource | undefined {
  const source = sources.first("src/client.ts", "src/index.ts");
  if (source === undefined) return undefined;
  const classes = source.body.map(declarationOf).filter((each) => each.type === "ClassDeclaration");
  const base = classes.find((each) => methodIn(each, "constructor") !== undefined);
  if (base === undefined) return undefined;
  const name = nameOf(nodeAt(base, "id"));
  const own = classes.find((each) => nameOf(nodeAt(each, "superClass")) === name);
  const chain = own === undefined ? [base] : [own, base];
  return { source, className: nameOf(nodeAt(chain[0], "id"))!, classes: chain };
}

/** Reads the client. */
export function readClient(
  sources: Sources,
  { source, className, classes }: ClientSource,
  handwritten: Handwritten[],
): FrozenClient {
  const note = (node: SyntaxNode, what: string, reason: string): void => {
    handwritten.push({ file: source.file, line: lineOf(source, node.start), what, reason });
  };
  const method = (name: string): SyntaxNode | undefined =>
    classes.map((each) => methodIn(each, name)).find((each) => each !== undefined);
  const constructor = method("constructor")!;
  const { options, baseURLEnv } = readOptions(source, constructor, note);
  const query = readQuery(method, note);
  const auth = readAuth(method, query, note);
  const environments = readEnvironments(source);
  const inner = nodesIn(constructor);
  for (const each of inner) {
    const env = readEnvOf(each);
    if (env?.endsWith("_CUSTOM_HEADERS")) {
      note(each, `the variable ${env}`, "the client reads no headers from the environment");
    }
    if (env?.endsWith("_LOG")) {
      note(each, `the variable ${env}`, "the client does not read its log level from it");
    }
  }
  return {
    className,
    baseName: nameOf(nodeAt(classes[1], "id")),
    errorName: errorNameOf(sources),
    options,
    baseURL: environments.length > 0 ? undefined : baseUrlOf(inner),
    ...{ baseURLEnv, environments, auth },
    headers: readHeaders(method, auth, note),
    timeout: timeoutOf(classes, inner),
    maxRetries: defaultOf(inner, "maxRetries") ?? 2,
    ...backoffOf(sources, classes),
    idempotencyHeader: inner.flatMap((each) => assigned(each, "idempotencyHeader"))[0],
    ...readFormats(sources),
  };
}

/** Notes code that has no form of the generator. */
type Note = (node: SyntaxNode, what: string, reason: string) => void;

/** Reads the options by the interface `ClientOptions`, and by the first argument of the constructor. */
function readOptions(
  source: ParsedSource,
  constructor: SyntaxNode,
  note: Note,
): { readonly options: FrozenOption[]; readonly baseURLEnv: string | undefined } {
  const stated = source.body.map(declarationOf).find((each) =>
    each.type === "TSInterfaceDeclaration" && nameOf(nodeAt(each, "id")) === "ClientOptions"
  );
  const defaults = new Map<string, SyntaxNode>();
  const [parameter] = nodesAt(constructor, "params");
  for (const property of nodesAt(nodeAt(parameter, "left"), "properties")) {
    const name = keyOf(property);
    const value = nodeAt(property, "value");
    const fallback = value?.type === "AssignmentPattern" ? nodeAt(value, "right") : undefined;
    if (name !== undefined && fallback !== undefined) defaults.set(name, fallback);
  }
  const inner = nodesIn(constructor);
  const options: FrozenOption[] = [];
  for (const property of nodesAt(nodeAt(stated, "body"), "body")) {
    const name = keyOf(property);
    if (name === undefined || COMMON.has(name) || name.startsWith("_")) continue;
    const type = nodeAt(nodeAt(property, "typeAnnotation"), "typeAnnotation");
    const fallback = fallbackIn(inner, name) ?? defaults.get(name);
    const value = fallback === undefined ? {} : valueOf(fallback);
    if (value === undefined) {
      note(fallback!, `the default of the option ${name}`, "it is made by code");
    }
    const comment = commentOf(property);
    // The comment names the variable, also if people have changed the constructor.
    const env = value?.env ?? /Defaults to process\.env\['(\w+)'\]/.exec(comment)?.[1];
    options.push({
      ...{ name, ...typeOf(source, type), ...value, ...env === undefined ? {} : { env } },
      missing: missingIn(inner, name),
      description: descriptionOf(comment),
    });
  }
  const base = defaults.get("baseURL");
  const env = base === undefined ? undefined : valueOf(base)?.env;
  return { options, baseURLEnv: env };
}

/** Returns the default of an option that is written as `apiVersion: apiVersion || "2024"`. */
function fallbackIn(inner: readonly SyntaxNode[], name: string): SyntaxNode | undefined {
  const found = inner.find((each) => {
    const value = each.type === "ObjectProperty" && keyOf(each) === name
      ? nodeAt(each, "value")
      : undefined;
    return value?.type === "LogicalExpression" && nameOf(nodeAt(value, "left")) === name;
  });
  return nodeAt(nodeAt(found, "value"), "right");
}

/** Returns the types of an option. */
function typeOf(
  source: ParsedSource,
  type: SyntaxNode | undefined,
): Pick<FrozenOption, "type" | "isFunction" | "isNullable"> {
  const members = type?.type === "TSUnionType" ? nodesAt(type, "types") : type ? [type] : [];
  const plain: Readonly<Record<string, FrozenOption["type"]>> = {
    TSStringKeyword: "string",
    TSNumberKeyword: "number",
    TSBooleanKeyword: "boolean",
  };
  return {
    type: members.map((each) => plain[each.type]).find((each) => each !== undefined) ?? "other",
    isFunction: members.some((each) => {
      const name = nameOf(nodeAt(each, "typeName"));
      const alias = name === undefined ? undefined : declared(source, name);
      return [each, nodeAt(alias, "typeAnnotation")].some((one) => one?.type === "TSFunctionType");
    }),
    isNullable: members.some((each) => each.type === "TSNullKeyword"),
  };
}

/**
 * Returns the variable and the value of a default: `readEnv("PETS_KEY") ?? null`; undefined if it is
 * other code.
 */
function valueOf(node: SyntaxNode): Pick<FrozenOption, "env" | "default"> | undefined {
  const value = bare(node);
  const env = readEnvOf(value);
  if (env !== undefined) return { env };
  if (value.type === "NullLiteral" || nameOf(value) === "undefined") return {};
  const literal = literalOf(value);
  if (literal !== undefined) return { default: literal };
  if (value.type !== "LogicalExpression") return undefined;
  const [left, right] = [nodeAt(value, "left")!, nodeAt(value, "right")!].map(valueOf);
  return left === undefined || right === undefined ? undefined : { ...right, ...left };
}

/** Returns a text, number or boolean. */
function literalOf(value: SyntaxNode): string | number | boolean | undefined {
  if (value.type === "BooleanLiteral") return value["value"] === true;
  return textOf(value) ?? numberOf(value);
}

/** Returns the variable of `readEnv("X")`, also in a conversion such as `maybeCoerceInteger`. */
function readEnvOf(node: SyntaxNode): string | undefined {
  if (node.type !== "CallExpression") return undefined;
  const callee = nodeAt(node, "callee");
  const name = nameOf(callee) ?? keyOf(callee);
  const [argument] = nodesAt(node, "arguments");
  if (argument === undefined) return undefined;
  if (name === "readEnv") return textOf(argument);
  return name?.startsWith("maybeCoerce") ? readEnvOf(bare(argument)) : undefined;
}

/** Returns the sentence of the error that is thrown if an option is missing. */
function missingIn(inner: readonly SyntaxNode[], name: string): string | undefined {
  for (const each of inner) {
    if (each.type !== "IfStatement") continue;
    const test = nodeAt(each, "test");
    const isAboutIt = test?.type === "BinaryExpression" && nameOf(nodeAt(test, "left")) === name &&
      nameOf(nodeAt(test, "right")) === "undefined";
    const error = isAboutIt
      ? nodesIn(each).find((inside) => inside.type === "ThrowStatement")
      : undefined;
    const [message] = nodesAt(nodeAt(error, "argument"), "arguments");
    const text = textOf(message);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** Returns the text of the comment before a node. */
function commentOf(node: SyntaxNode): string {
  const comments = node["leadingComments"];
  const last: unknown = Array.isArray(comments) ? comments.at(-1) : undefined;
  const value = typeof last === "object" && last !== null && "value" in last ? last.value : "";
  return String(value).split("\n").map((line) => line.replace(/^\s*\*+ ?/, "").trimEnd()).join(
    "\n",
  );
}

/** Returns the comment of an option without the sentence about its variable. */
function descriptionOf(comment: string): string | undefined {
  const text = comment.replace(/Defaults to process\.env\[[^\]]*\][^\n]*/g, "").trim();
  return text === "" ? undefined : text;
}

/** Returns the base URL, with the options in it in braces. */
function baseUrlOf(inner: readonly SyntaxNode[]): string | undefined {
  for (const each of inner) {
    if (each.type !== "ObjectProperty" || keyOf(each) !== "baseURL") continue;
    const value = nodeAt(each, "value");
    if (value?.type !== "LogicalExpression") continue;
    const url = nodeAt(value, "right")!;
    const text = textOf(url);
    if (text !== undefined) return text;
    if (url.type !== "TemplateLiteral") continue;
    const names = nodesAt(url, "expressions").map((one) => nameOf(bare(one)) ?? keyOf(bare(one)));
    if (names.includes(undefined)) continue;
    return templateTexts(url).map((part, index) =>
      names[index] === undefined ? part : `${part}{${names[index]}}`
    ).join("");
  }
  return undefined;
}

/** Reads the URLs of environments. */
function readEnvironments(source: ParsedSource): { name: string; url: string }[] {
  const environments: { name: string; url: string }[] = [];
  for (const statement of source.body.map(declarationOf)) {
    if (statement.type !== "VariableDeclaration") continue;
    const variable = nodesAt(statement, "declarations").find((each) =>
      nameOf(nodeAt(each, "id")) === "environments"
    );
    for (const property of nodesAt(nodeAt(variable, "init"), "properties")) {
      const [name, url] = [keyOf(property), textOf(nodeAt(property, "value"))];
      if (name !== undefined && url !== undefined) environments.push({ name, url });
    }
  }
  return environments;
}

type Methods = (name: string) => SyntaxNode | undefined;

/** Reads the credentials that `authHeaders` sends, and those in the query. */
function readAuth(method: Methods, query: readonly FrozenDefault[], note: Note): FrozenAuth[] {
  const whole = method("authHeaders");
  const found: FrozenAuth[] = [];
  const add = (from: SyntaxNode, scheme: string | undefined): void => {
    const inner = nodesIn(from);
    const constants = new Map(
      inner.filter((each) => each.type === "VariableDeclarator").map((each) => [
        nameOf(nodeAt(each, "id")),
        nodeAt(each, "init"),
      ]),
    );
    for (const object of headersOf(from)) {
      if (object.type !== "ObjectExpression") continue;
      for (const { node, name, value } of printedProperties(object)) {
        if (isOwnCall(nodeAt(node, "argument"))) continue;
        const credential = value && credentialOf(value, constants);
        if (name === undefined || credential === undefined) {
          const what = name === undefined ? "a header" : `the header ${name}`;
          note(node, `${what} of ${scheme ?? "authHeaders"}`, "it is made by code");
        } else found.push({ ...{ scheme, place: "header", name }, ...credential });
      }
    }
  };
  if (whole !== undefined) {
    add(whole, undefined);
    const called = nodesIn(whole).flatMap((each) =>
      isOwnCall(each) ? keyOf(nodeAt(each, "callee")) ?? [] : []
    );
    for (const name of new Set(called)) {
      const own = method(name);
      if (own !== undefined) add(own, name);
    }
  }
  for (const { name, value } of query) {
    if (typeof value === "string") continue;
    found.push({ kind: "apiKey", place: "query", name, options: [value.option] });
  }
  return found;
}

/** Reports if a node is `this.bearerAuth(opts)`. */
function isOwnCall(node: SyntaxNode | undefined): boolean {
  return node?.type === "CallExpression" &&
    nodeAt(nodeAt(node, "callee"), "object")?.type === "ThisExpression";
}

/** Returns the options whose values a header has, and how. */
function credentialOf(
  value: SyntaxNode,
  constants: ReadonlyMap<string | undefined, SyntaxNode | undefined>,
): Pick<FrozenAuth, "kind" | "options"> | undefined {
  const named = constants.get(nameOf(value));
  if (named !== undefined) return credentialOf(bare(named), constants);
  const option = optionIn(value);
  if (option !== undefined) return { kind: "apiKey", options: [option] };
  if (value.type !== "TemplateLiteral") return undefined;
  const [start, ...ends] = templateTexts(value);
  const [inner] = nodesAt(value, "expressions");
  if (inner === undefined || ends.length !== 1 || ends[0] !== "") return undefined;
  const own = optionIn(bare(inner));
  if (own !== undefined && start === "Bearer ") return { kind: "bearer", options: [own] };
  const callee = nodeAt(inner, "callee");
  if (start !== "Basic " || (nameOf(callee) ?? keyOf(callee)) !== "toBase64") return undefined;
  const [credentials] = nodesAt(inner, "arguments");
  const pair = constants.get(nameOf(credentials)) ?? credentials;
  if (pair === undefined || templateTexts(bare(pair)).join(" ") !== " : ") return undefined;
  const options = nodesAt(bare(pair), "expressions").map((each) => optionIn(bare(each)));
  return options.includes(undefined) ? undefined : { kind: "basic", options: options as string[] };
}

/** Reads the headers of each request beside those that all clients have and the credentials. */
function readHeaders(method: Methods, auth: readonly FrozenAuth[], note: Note): FrozenDefault[] {
  const found = new Map<string, FrozenDefault>();
  const known = new Set(
    auth.flatMap(({ place, name }) => place === "header" ? [name.toLowerCase()] : []),
  );
  for (const own of ["buildHeaders", "defaultHeaders"].flatMap((name) => method(name) ?? [])) {
    for (const part of headersOf(own)) {
      if (part.type !== "ObjectExpression") continue;
      for (const each of defaultsIn(part, "header", note)) {
        const key = each.name.toLowerCase();
        if (!known.has(key)) found.set(key, each);
      }
    }
  }
  return [...found.values()];
}

/** Reads the parameters in the query of each request. */
function readQuery(method: Methods, note: Note): FrozenDefault[] {
  const own = method("defaultQuery");
  return (own === undefined ? [] : headersOf(own)).flatMap((part) =>
    part.type === "ObjectExpression" ? defaultsIn(part, "parameter", note) : []
  );
}

/** Spreads that the code of all clients has. */
const COMMON_SPREADS: ReadonlySet<string> = new Set(
  ["defaultHeaders", "defaultQuery", "getPlatformHeaders"],
);

/** Lists the properties of an object that have a fixed value, or that of an option. */
function defaultsIn(
  object: SyntaxNode,
  what: "header" | "parameter",
  note: Note,
): FrozenDefault[] {
  return printedProperties(object).flatMap(({ node, name, value }): FrozenDefault[] => {
    if (name !== undefined && what === "header" && COMMON_HEADER.test(name)) return [];
    const [fixed, option] = [textOf(value), value && optionIn(value)];
    const isFixedHeader = fixed !== undefined && what === "header";
    if (name !== undefined && isFixedHeader) return [{ name, value: fixed }];
    if (name !== undefined && option !== undefined) return [{ name, value: { option } }];
    if (isCommonSpread(node)) return [];
    const title = name === undefined ? `a ${what}` : `the ${what} ${name}`;
    const reason = fixed === undefined
      ? "it is made by code"
      : "the client has no fixed parameters";
    note(node, `${title} of each request`, reason);
    return [];
  });
}

/** Reports if a node is a spread that all clients have, such as `...(x ? { "X-Stainless-Timeout": x } : {})`. */
function isCommonSpread(node: SyntaxNode): boolean {
  const argument = node.type === "SpreadElement" ? nodeAt(node, "argument") : undefined;
  const callee = nodeAt(argument, "callee");
  const name = nameOf(callee) ?? keyOf(callee ?? argument);
  if (name !== undefined && COMMON_SPREADS.has(name)) return true;
  const names = nodesAt(nodeAt(argument, "consequent"), "properties").map(keyOf);
  return names.length > 0 &&
    names.every((each) => each !== undefined && COMMON_HEADER.test(each));
}

/** Returns the timeout in milliseconds. */
function timeoutOf(
  classes: readonly SyntaxNode[],
  inner: readonly SyntaxNode[],
): number | undefined {
  for (const member of classes.flatMap(membersOf)) {
    const isIt = member.type === "ClassProperty" && keyOf(member) === "DEFAULT_TIMEOUT";
    const value = isIt ? numberOf(nodeAt(member, "value")) : undefined;
    if (value !== undefined) return value;
  }
  return defaultOf(inner, "timeout");
}

/** Returns the number of `options.maxRetries ?? 2`. */
function defaultOf(inner: readonly SyntaxNode[], name: string): number | undefined {
  const found = inner.find((each) =>
    each.type === "LogicalExpression" && keyOf(nodeAt(each, "left")) === name
  );
  return numberOf(nodeAt(found, "right"));
}

/** Returns the seconds between attempts. */
function backoffOf(
  sources: Sources,
  classes: readonly SyntaxNode[],
): Pick<FrozenClient, "backoff" | "maxBackoff"> {
  const core = sources.get("src/core.ts")?.body.map(declarationOf) ?? [];
  const numbers = new Map<string, number>();
  for (const each of [...classes, ...core]) {
    if (each.type !== "ClassDeclaration") continue;
    const method = methodIn(each, "calculateDefaultRetryTimeoutMillis");
    for (const node of method === undefined ? [] : nodesIn(method)) {
      const name = node.type === "VariableDeclarator" ? nameOf(nodeAt(node, "id")) : undefined;
      const value = numberOf(nodeAt(node, "init"));
      if (name !== undefined && value !== undefined) numbers.set(name, value);
    }
  }
  return { backoff: numbers.get("initialRetryDelay"), maxBackoff: numbers.get("maxRetryDelay") };
}

/** Returns the text that is assigned to a field of the client. */
function assigned(node: SyntaxNode, field: string): string[] {
  const isIt = node.type === "AssignmentExpression" && optionIn(nodeAt(node, "left")!) === field;
  const value = isIt ? textOf(nodeAt(node, "right")) : undefined;
  return value === undefined ? [] : [value];
}

/** Reads the forms of lists and objects in queries. */
function readFormats(sources: Sources): Pick<FrozenClient, "arrayFormat" | "nestedFormat"> {
  const files = ["src/internal/utils/query.ts", "src/client.ts", "src/index.ts", "src/core.ts"];
  for (const file of files) {
    const source = sources.get(file);
    for (const node of source?.body.flatMap(nodesIn) ?? []) {
      const callee = node.type === "CallExpression" ? nodeAt(node, "callee") : undefined;
      const isIt = keyOf(callee) === "stringify" && nameOf(nodeAt(callee, "object")) === "qs";
      if (!isIt) continue;
      const settings = new Map(
        nodesAt(nodesAt(node, "arguments")[1], "properties").map((each) => [
          keyOf(each),
          nodeAt(each, "value"),
        ]),
      );
      const format = textOf(settings.get("arrayFormat"));
      const dots = settings.get("allowDots");
      return {
        arrayFormat: ARRAY_FORMATS.find((each) => each === format) ?? "indices",
        nestedFormat: isNode(dots) && dots["value"] === true ? "dots" : "brackets",
      };
    }
  }
  return { nestedFormat: "brackets" };
}

const ARRAY_FORMATS: readonly ArrayFormat[] = ["comma", "repeat", "brackets", "indices"];

/** Returns the name of the base class of errors: the first one that extends `Error`. */
function errorNameOf(sources: Sources): string | undefined {
  const source = sources.get("src/core/error.ts") ?? sources.get("src/error.ts");
  const found = source?.body.map(declarationOf).find((each) =>
    each.type === "ClassDeclaration" && nameOf(nodeAt(each, "superClass")) === "Error"
  );
  return nameOf(nodeAt(found, "id"));
}
