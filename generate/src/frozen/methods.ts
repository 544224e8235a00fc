/** The methods of a frozen SDK: which operation each of them calls, and where its parameters go. */

import type { FrozenMethod, FrozenParameter, FrozenParams } from "./frozen_sdk.ts";
import { headerParts, printedProperties } from "./printed.ts";
import {
  bare,
  keyOf,
  lineOf,
  nameOf,
  nodeAt,
  nodesAt,
  nodesIn,
  type ParsedSource,
  statementsOf,
  type SyntaxNode,
  templateTexts,
  textOf,
} from "./syntax.ts";

/** A method that was read, or why it could not be. */
export type ReadMethod =
  | {
    readonly method: FrozenMethod;
    /** The reason why it was read in part only; undefined if all of it was read. */
    readonly more?: string | undefined;
  }
  | { readonly reason: string };

/** The functions of the client that send a request. */
const VERBS: ReadonlySet<string> = new Set("get post put patch delete getAPIList".split(" "));

/** The functions that make a body of several parts. */
const MULTIPART = /^(?:maybeM|m)ultipartFormRequestOptions$/;

/** The variables of a method: the parameters that they stand for. */
interface Variables {
  readonly arguments: ReadonlyMap<string, SyntaxNode>;
  /** The argument with the parameters, whose name is `params`, `query` or `body`. */
  params: string | undefined;
  /** The properties of the parameters by their variables. */
  readonly properties: Map<string, string>;
  /** The options of the client that stand in for parameters, by their variables. */
  readonly defaults: Map<string, string>;
  rest: string | undefined;
  /** The parts of the path that depend on which of several parameters is set. */
  choice: Choice | undefined;
  /** Why the variables have more than the forms of the generator. */
  more: string | undefined;
}

/** Two parts of a path that depend on which of several parameters is set: `accounts/1` or `zones/2`. */
interface Choice {
  /** The names of the two parts in the path: a fixed text, and the value of the parameter. */
  readonly segment: string;
  readonly value: string;
}

/** A method of several signatures, the last of which has the code. */
export interface MethodSource {
  readonly source: ParsedSource;
  readonly name: string;
  readonly node: SyntaxNode;
  /** The signatures without code. */
  readonly overloads: readonly SyntaxNode[];
}

/** Reads a method. */
export function readMethod({ source, name, node, overloads }: MethodSource): ReadMethod {
  const calls = nodesIn(node).filter(isCall);
  if (calls.length === 0) return { reason: "it calls no operation" };
  if (calls.length > 1) return { reason: "it calls several operations" };
  const [call] = calls as [SyntaxNode];
  const verb = keyOf(nodeAt(call, "callee"))!;
  const args = nodesAt(call, "arguments");
  const variables = variablesOf(node);
  const isList = verb === "getAPIList";
  const path = pathOf(args[0], variables);
  if (path === undefined) return { reason: "its path is made by code" };
  const settings = settingsOf(args[isList ? 2 : 1]);
  const sent = readSettings(settings.object, variables);
  if (sent === undefined) return { reason: "its request is made by code" };
  const signatures = overloads.length > 0 ? overloads : [node];
  const positional = path.names.filter((each) => variables.arguments.has(each));
  const order = [...variables.arguments.keys()];
  const { choice } = variables;
  const isChosen = (each: string) => choice?.segment === each || choice?.value === each;
  const named = path.names.filter((each) => !positional.includes(each) && !isChosen(each));
  const inPath = named.map((variable) => ({
    ...{ property: variables.properties.get(variable) ?? variable, place: "path" as const },
    ...{ wireName: variable, option: variables.defaults.get(variable) },
  }));
  const params = paramsOf(variables, signatures, node);
  const unwrap = unwrapOf(node);
  const types = resultOf(signatures[0]!);
  const method: FrozenMethod = {
    name,
    verb: isList ? sent.method ?? "GET" : verb.toUpperCase(),
    path: path.text,
    positional: positional.toSorted((a, b) => order.indexOf(a) - order.indexOf(b)),
    params,
    parameters: [...inPath, ...sent.parameters],
    rest: sent.rest,
    bodyParameter: sent.bodyParameter,
    headers: sent.headers,
    bodyKind: settings.isMultipart ? "multipart" : sent.isForm ? "form" : undefined,
    unwrap: unwrap?.field,
    isBinary: sent.isBinary,
    stream: sent.stream,
    security: sent.security,
    defaultBaseURL: sent.defaultBaseURL,
    page: isList ? pageOf(args[1]) : undefined,
    resultType: types,
    isAlias: false,
    file: source.file,
    line: lineOf(source, node.start),
  };
  const more = moreIn(node) ?? variables.more ?? sent.more ??
    (unwrap !== undefined && unwrap.field === undefined ? "its result is made by code" : undefined);
  return { method, more };
}

/** Reports if a node calls an operation: `this._client.get(…)`, or `this.get(…)` in a client. */
function isCall(node: SyntaxNode): boolean {
  if (node.type !== "CallExpression") return false;
  const callee = nodeAt(node, "callee");
  const name = keyOf(callee);
  if (callee?.type !== "MemberExpression" || name === undefined || !VERBS.has(name)) return false;
  const holder = nodeAt(callee, "object");
  if (holder?.type === "ThisExpression") return nodesAt(node, "arguments").length > 1;
  return keyOf(holder) === "_client" && nodeAt(holder, "object")?.type === "ThisExpression";
}

/** Reads the arguments of a method, and the constants that are made of them. */
function variablesOf(method: SyntaxNode): Variables {
  const args = new Map<string, SyntaxNode>();
  for (const each of nodesAt(method, "params")) {
    const target = each.type === "AssignmentPattern" ? nodeAt(each, "left") : each;
    const name = nameOf(target);
    if (name !== undefined && name !== "options") args.set(name, target!);
  }
  const variables: Variables = {
    arguments: args,
    params: ["params", "query", "body"].find((each) => args.has(each)),
    properties: new Map(),
    defaults: new Map(),
    rest: undefined,
    ...{ choice: undefined, more: undefined },
  };
  for (const statement of statementsOf(method)) {
    for (const each of nodesAt(statement, "declarations")) {
      const [id, init] = [nodeAt(each, "id"), nodeAt(each, "init")];
      if (id?.type !== "ObjectPattern" || init === undefined) continue;
      if (init.type === "ConditionalExpression") {
        variables.choice = choiceOf(init);
        continue;
      }
      const from = nameOf(withoutDefault(init));
      if (from === undefined || !args.has(from)) {
        variables.more = "its parameters are made by code";
        continue;
      }
      variables.params = from;
      for (const property of nodesAt(id, "properties")) {
        if (property.type === "RestElement") {
          variables.rest = nameOf(nodeAt(property, "argument"));
          continue;
        }
        const value = nodeAt(property, "value");
        const local = value?.type === "AssignmentPattern" ? nodeAt(value, "left") : value;
        const [name, key] = [nameOf(local), keyOf(property)];
        if (name === undefined || key === undefined) continue;
        variables.properties.set(name, key);
        if (value?.type !== "AssignmentPattern") continue;
        const option = clientOption(nodeAt(value, "right")!);
        if (option !== undefined) variables.defaults.set(name, option);
        else variables.more = `its parameter ${key} has a default`;
      }
    }
  }
  return variables;
}

/** Returns the value of `params` and `params ?? {}`. */
function withoutDefault(node: SyntaxNode): SyntaxNode {
  const value = bare(node);
  return value.type === "LogicalExpression" && value["operator"] === "??"
    ? bare(nodeAt(value, "left")!)
    : value;
}

/** Reads `account_id ? { segment: "accounts", value: account_id } : { … }`. */
function choiceOf(conditional: SyntaxNode): Choice | undefined {
  const names = new Set<string>();
  for (const branch of ["consequent", "alternate"]) {
    const [segment, value] = nodesAt(nodeAt(conditional, branch), "properties");
    const [text, property] = [textOf(nodeAt(segment, "value")), nameOf(nodeAt(value, "value"))];
    if (text === undefined || property === undefined) return undefined;
    names.add(`${keyOf(segment)} ${keyOf(value)}`);
  }
  const [segment, value] = [...names][0]!.split(" ");
  return names.size === 1 ? { segment: segment!, value: value! } : undefined;
}

/** Returns the option of `this._client.projectID`. */
function clientOption(node: SyntaxNode): string | undefined {
  const value = bare(node);
  const isIt = keyOf(nodeAt(value, "object")) === "_client";
  return isIt ? keyOf(value) : undefined;
}

/** Reads a path: a string, a template, or one with the tag `path`. */
function pathOf(
  node: SyntaxNode | undefined,
  { arguments: args, properties, choice }: Variables,
): { readonly text: string; readonly names: readonly string[] } | undefined {
  if (node === undefined) return undefined;
  const text = textOf(node);
  if (text !== undefined) return text.startsWith("/") ? { text, names: [] } : undefined;
  const template = node.type === "TaggedTemplateExpression" ? nodeAt(node, "quasi")! : bare(node);
  if (template.type !== "TemplateLiteral") return undefined;
  const names = nodesAt(template, "expressions").map((each) => {
    const name = nameOf(bare(each));
    const isKnown = name !== undefined &&
      (args.has(name) || properties.has(name) || choice?.segment === name ||
        choice?.value === name);
    return isKnown ? name : undefined;
  });
  if (names.includes(undefined)) return undefined;
  const texts = templateTexts(template);
  const whole = texts.map((each, index) =>
    names[index] === undefined ? each : `${each}{${names[index]}}`
  ).join("");
  return whole.startsWith("/") ? { text: whole, names: names as string[] } : undefined;
}

/** Returns the object of the request, and if a function makes a body of several parts of it. */
function settingsOf(
  node: SyntaxNode | undefined,
): { readonly object: SyntaxNode | undefined; readonly isMultipart: boolean } {
  const value = node && bare(node);
  const call = value?.type === "AwaitExpression" ? nodeAt(value, "argument") : value;
  const callee = call?.type === "CallExpression" ? nodeAt(call, "callee") : undefined;
  const name = nameOf(callee) ?? keyOf(callee);
  return name !== undefined && MULTIPART.test(name)
    ? { object: nodesAt(call, "arguments")[0], isMultipart: true }
    : { object: value, isMultipart: false };
}

/** The settings of a request. */
interface Settings {
  method?: string | undefined;
  readonly parameters: FrozenParameter[];
  rest?: FrozenMethod["rest"];
  bodyParameter?: string | undefined;
  readonly headers: (readonly [string, string])[];
  isForm: boolean;
  isBinary: boolean;
  stream?: FrozenMethod["stream"];
  security?: readonly string[] | undefined;
  defaultBaseURL?: string | undefined;
  /** Why the request has more than the forms of the generator. */
  more?: string | undefined;
}

/** Reads the object of a request; undefined if it is another expression. */
function readSettings(node: SyntaxNode | undefined, variables: Variables): Settings | undefined {
  const settings: Settings = { parameters: [], headers: [], isForm: false, isBinary: false };
  if (node === undefined || nameOf(node) === "options") return settings;
  if (node.type !== "ObjectExpression") return undefined;
  for (const property of nodesAt(node, "properties")) {
    if (property.type === "SpreadElement") {
      const spread = nodeAt(property, "argument");
      if (nameOf(spread) !== "options") settings.more = "its request is made by code in part";
      continue;
    }
    const [key, value] = [keyOf(property), nodeAt(property, "value")];
    if (key === undefined || value === undefined) {
      settings.more = "its request is made by code in part";
      continue;
    }
    const found = bare(value);
    switch (key) {
      case "query":
      case "body":
        readPart(settings, key, found, variables);
        break;
      case "headers":
        readHeaders(settings, found, variables);
        break;
      case "method":
        settings.method = textOf(found)?.toUpperCase();
        break;
      case "__binaryResponse":
        settings.isBinary = true;
        break;
      case "stream":
        settings.stream = streamOf(found);
        break;
      case "__security":
        settings.security = nodesAt(found, "properties").flatMap((each) => keyOf(each) ?? []);
        break;
      case "defaultBaseURL":
        settings.defaultBaseURL = textOf(found);
        if (settings.defaultBaseURL === undefined) settings.more = "its base URL is made by code";
        break;
      case "__synthesizeEventData":
        break;
      default:
        settings.more = `its request sets ${key}`;
    }
  }
  return settings;
}

/** Reads the query or the body. */
function readPart(
  settings: Settings,
  place: "query" | "body",
  value: SyntaxNode,
  { arguments: args, params, properties, rest, defaults }: Variables,
): void {
  const name = nameOf(value);
  if (name !== undefined && (name === rest || name === params)) {
    settings.rest = place;
    return;
  }
  const property = name === undefined ? undefined : properties.get(name);
  if (property !== undefined) {
    settings.bodyParameter = property;
    return;
  }
  if (name !== undefined && args.has(name)) {
    settings.more = `its argument ${name} is the whole ${place}`;
    return;
  }
  if (value.type !== "ObjectExpression") {
    settings.more = `its ${place} is made by code`;
    return;
  }
  for (const { node, name: wireName, value: sent } of printedProperties(value)) {
    if (node.type === "SpreadElement" && nameOf(nodeAt(node, "argument")) === rest) {
      settings.rest = place;
      continue;
    }
    const variable = nameOf(sent);
    const property = variable === undefined ? undefined : properties.get(variable);
    if (wireName === undefined || property === undefined) {
      settings.more = `its ${place} is made by code in part`;
      continue;
    }
    const option = defaults.get(variable!);
    settings.parameters.push({ property, place, wireName, option });
  }
}

/** Reads headers: `buildHeaders([{ … }, options?.headers])`, or `{ …, ...options?.headers }`. */
function readHeaders(
  settings: Settings,
  value: SyntaxNode,
  { properties, defaults }: Variables,
): void {
  for (const part of headerParts(value)) {
    if (isOptionsHeaders(part)) continue;
    if (part.type !== "ObjectExpression") {
      settings.more = "its headers are made by code in part";
      continue;
    }
    for (const { node, name: wireName, value: sent } of printedProperties(part)) {
      if (isOptionsHeaders(nodeAt(node, "argument"))) continue;
      const fixed = textOf(sent);
      if (wireName !== undefined && fixed !== undefined) {
        settings.headers.push([wireName, fixed]);
        if (/^content-type$/i.test(wireName)) {
          settings.isForm = fixed === "application/x-www-form-urlencoded";
        }
        continue;
      }
      const list = sent && ownListOf(sent);
      const variable = nameOf(list ?? sent);
      const property = variable === undefined ? undefined : properties.get(variable);
      if (wireName === undefined || property === undefined) {
        settings.more = wireName === undefined
          ? "its headers are made by code in part"
          : `its header ${wireName} is made by code`;
        continue;
      }
      if (list !== undefined) {
        settings.more = `its header ${wireName} has values of its own beside those of callers`;
      }
      const option = defaults.get(variable!);
      settings.parameters.push({ property, place: "header", wireName, option });
    }
  }
}

/** Reports if a node is `options?.headers`. */
function isOptionsHeaders(node: SyntaxNode | undefined): boolean {
  return keyOf(node) === "headers" && nameOf(nodeAt(node, "object")) === "options";
}

/** Returns the list of callers to which values are added: `betas` in `[...(betas ?? []), "new"]`. */
function ownListOf(value: SyntaxNode): SyntaxNode | undefined {
  const elements = value.type === "ArrayExpression" ? nodesAt(value, "elements") : [];
  const [first, ...others] = elements;
  const list = first?.type === "SpreadElement" ? nodeAt(first, "argument") : undefined;
  return list !== undefined && others.every((each) => textOf(each) !== undefined)
    ? withoutDefault(list)
    : undefined;
}

/** Returns how a stream is selected: `stream: body.stream ?? false`. */
function streamOf(value: SyntaxNode): FrozenMethod["stream"] {
  if (value.type === "BooleanLiteral") return value["value"] === true ? "always" : undefined;
  const member = withoutDefault(value);
  const parameter = member.type.endsWith("MemberExpression") ? keyOf(member) : undefined;
  return parameter === undefined ? undefined : { parameter };
}

/** Returns the argument with the parameters. It can be left out if one of the signatures has it so. */
function paramsOf(
  { params: name }: Variables,
  signatures: readonly SyntaxNode[],
  method: SyntaxNode,
): FrozenParams | undefined {
  if (name === undefined) return undefined;
  const inAll = [method, ...signatures].map((signature) =>
    nodesAt(signature, "params").find((each) =>
      nameOf(each) === name || nameOf(nodeAt(each, "left")) === name
    )
  );
  const target = inAll[0]?.type === "AssignmentPattern" ? nodeAt(inAll[0], "left") : inAll[0];
  const type = nodeAt(nodeAt(target, "typeAnnotation"), "typeAnnotation");
  const members = type?.type === "TSUnionType" ? nodesAt(type, "types") : type ? [type] : [];
  const own = members.find((each) => each.type === "TSTypeReference");
  const typeName = nodeAt(own, "typeName");
  const isOptional = inAll.some((each) =>
    each === undefined || each.type === "AssignmentPattern" || each["optional"] === true
  );
  return {
    ...{ name, type: nameOf(typeName) ?? nameOf(nodeAt(typeName, "right")) },
    isRequired: !isOptional,
  };
}

/** Returns the class of pages in `getAPIList(path, Page<Pet>)`. */
function pageOf(node: SyntaxNode | undefined): string | undefined {
  const value = node && bare(node);
  return nameOf(value) ?? nameOf(nodeAt(value, "property"));
}

/** Returns the field that `_thenUnwrap((obj) => obj.result)` takes; no field if it does something else. */
function unwrapOf(
  method: SyntaxNode,
): { readonly field: string | undefined } | undefined {
  const call = nodesIn(method).find((each) =>
    each.type === "CallExpression" && keyOf(nodeAt(each, "callee")) === "_thenUnwrap"
  );
  if (call === undefined) return undefined;
  const [arrow] = nodesAt(call, "arguments");
  const [parameter, ...others] = nodesAt(arrow, "params");
  const body = nodeAt(arrow, "body");
  const isField = others.length === 0 && body?.type === "MemberExpression" &&
    nameOf(nodeAt(body, "object")) === nameOf(parameter);
  return { field: isField ? keyOf(body) : undefined };
}

/** Returns the name of the type in `APIPromise<Pet>` or `PagePromise<PetsPage, Pet>`. */
function resultOf(signature: SyntaxNode): string | undefined {
  const type = nodeAt(nodeAt(signature, "returnType"), "typeAnnotation");
  const args = nodeAt(type, "typeArguments") ?? nodeAt(type, "typeParameters");
  const [first] = nodesAt(args, "params");
  const members = first?.type === "TSUnionType" ? nodesAt(first, "types") : first ? [first] : [];
  const names = members.flatMap((each) => {
    const name = nodeAt(each, "typeName");
    return each.type === "TSTypeReference"
      ? nameOf(name) ?? nameOf(nodeAt(name, "right")) ?? []
      : [];
  });
  return names.length === 1 ? names[0] : undefined;
}

/** Returns why a method has more code than the forms of the generator. */
function moreIn(method: SyntaxNode): string | undefined {
  for (const statement of statementsOf(method)) {
    switch (statement.type) {
      case "ReturnStatement":
        continue;
      case "VariableDeclaration": {
        const isTaken = nodesAt(statement, "declarations").every((each) =>
          nodeAt(each, "id")?.type === "ObjectPattern"
        );
        if (isTaken) continue;
        break;
      }
      case "IfStatement": {
        const test = nodeAt(statement, "test");
        const callee = nameOf(nodeAt(test, "callee")) ?? keyOf(nodeAt(test, "callee"));
        // Options in place of parameters, and the choice between two parameters of the path.
        if (callee === "isRequestOptions" || isChoice(statement)) continue;
        break;
      }
    }
    return "it has more code than its call";
  }
  return undefined;
}

/** Reports if a statement requires one of two parameters. */
function isChoice(statement: SyntaxNode): boolean {
  return nodesIn(statement).some((each) =>
    each.type === "ThrowStatement" &&
    nodesAt(nodeAt(each, "argument"), "arguments").some((one) =>
      /^You (?:must provide either|cannot provide both) /.test(textOf(one) ?? "")
    )
  );
}
