/** Compares methods: their arguments, results, errors and credentials. */

import type {
  Method,
  MethodGroup,
  Parameter,
  ParamsObject,
  SdkModel,
  SecurityRequirements,
  StreamEvent,
  Type,
} from "../model/mod.ts";
import { isBodyArgument } from "../algebra/arguments.ts";
import { nameOf } from "../algebra/groups.ts";
import { unionOf } from "../algebra/types.ts";
import type { ChangeKind, Changes } from "./changes.ts";
import { placeOfProperty } from "./shapes.ts";
import { allFindings, newFindings, type TypeComparison, type Way } from "./types.ts";

/** A method with its name on the client: `pets.get`. */
export interface NamedMethod {
  readonly name: string;
  /** The method and the path: `GET /pets/{petId}`. */
  readonly operation: string;
  /** The same without the names of path parameters. */
  readonly key: string;
  readonly group: MethodGroup;
  readonly method: Method;
}

/** A method of the old SDK, and that of the new one for the same operation. */
export interface MethodPair {
  readonly oldMethod: NamedMethod;
  /** undefined if callers lose the method. */
  readonly newMethod: NamedMethod | undefined;
}

/** Lists the methods of an SDK. */
export function methodsOf({ groups }: SdkModel): NamedMethod[] {
  return groups.flatMap((group) =>
    group.methods.map((method) => ({
      name: nameOf(group, method),
      operation: operationOf(method, (argument) => argument),
      key: operationOf(method, () => ""),
      group,
      method,
    }))
  );
}

function operationOf(
  { verb, path, fixedQuery }: Method,
  shown: (argument: string) => string,
): string {
  const parts = path.map((part) => typeof part === "string" ? part : `{${shown(part.argument)}}`);
  const query = fixedQuery.map(([name, value]) => `${name}=${value}`).join("&");
  return `${verb} ${parts.join("")}${query === "" ? "" : `?${query}`}`;
}

/**
 * Finds the new method of each old one: that of the same operation, or else that of the same name,
 * if its operation is new. Then, the operation has moved to another path, and callers see nothing.
 */
export function pairMethods(
  olds: readonly NamedMethod[],
  news: readonly NamedMethod[],
): MethodPair[] {
  const byKey = Map.groupBy(news, ({ key }) => key);
  const byName = new Map(news.map((each) => [each.name, each]));
  const oldKeys = new Set(olds.map(({ key }) => key));
  return olds.map((oldMethod) => {
    const same = byKey.get(oldMethod.key) ?? [];
    const moved = byName.get(oldMethod.name);
    const newMethod = same.find(({ name }) => name === oldMethod.name) ?? same[0] ??
      (moved !== undefined && !oldKeys.has(moved.key) ? moved : undefined);
    return { oldMethod, newMethod };
  });
}

/** Adds what breaks the callers of methods. */
export function compareMethods(
  pairs: readonly MethodPair[],
  plans: { readonly old: SdkModel; readonly new: SdkModel },
  types: TypeComparison,
  changes: Changes,
): void {
  const names = new Map(methodsOf(plans.new).map((each) => [each.name, each]));
  for (const { oldMethod, newMethod } of pairs) {
    const { name, operation } = oldMethod;
    const other = names.get(name);
    const now = other === undefined || other === newMethod
      ? ""
      : `; \`${name}\` is ${other.operation} now`;
    if (newMethod === undefined) {
      const message = `the method was removed: ${operation}${now}`;
      changes.add({ kind: "method-removed", place: name, message }, name);
      continue;
    }
    if (newMethod.name !== name) {
      const message = `the method was renamed: ${newMethod.name}${now}`;
      changes.add({ kind: "method-renamed", place: name, message }, name);
    }
    new MethodComparison(oldMethod, newMethod, plans, types, changes).run();
  }
}

/** The comparison of a method with that of the new SDK. */
class MethodComparison {
  readonly #name: string;
  readonly #old: Method;
  readonly #new: Method;
  readonly #plans: { readonly old: SdkModel; readonly new: SdkModel };
  readonly #groups: { readonly old: MethodGroup; readonly new: MethodGroup };
  readonly #types: TypeComparison;
  readonly #changes: Changes;

  constructor(
    { name, method, group }: NamedMethod,
    newMethod: NamedMethod,
    plans: { readonly old: SdkModel; readonly new: SdkModel },
    types: TypeComparison,
    changes: Changes,
  ) {
    this.#name = name;
    this.#old = method;
    this.#new = newMethod.method;
    this.#plans = plans;
    this.#groups = { old: group, new: newMethod.group };
    this.#types = types;
    this.#changes = changes;
  }

  run(): void {
    this.#compareArguments();
    if (isBodyArgument(this.#old) && isBodyArgument(this.#new)) this.#compareBodies();
    if (this.#plans.old.form === "classes") this.#compareParameters();
    else this.#compareParams();
    this.#compareResults();
    this.#compareErrors();
    this.#compareCredentials();
  }

  #add(kind: ChangeKind, message: string, part = ""): void {
    this.#changes.add({ kind, place: `${this.#name}${part}`, message }, this.#name);
  }

  #addTypes(oldType: Type, newType: Type, way: Way, part: string): void {
    const findings = newFindings();
    this.#types.compare(oldType, newType, way, `${this.#name} ${part}`, findings);
    for (const finding of allFindings(findings)) this.#changes.add(finding, this.#name);
  }

  /** Compares the positions of arguments. */
  #compareArguments(): void {
    const [was, is] = [this.#old, this.#new].map(argumentsOf) as [Arguments, Arguments];
    const [oldNames, newNames] = [was, is].map(({ path }) =>
      path.map(({ wireName }) => wireName)
    ) as [string[], string[]];
    const common = oldNames.filter((name) => newNames.includes(name));
    const areInOrder = common.every((name, index) =>
      oldNames.length === newNames.length
        ? oldNames.indexOf(name) === newNames.indexOf(name)
        : newNames.filter((each) => common.includes(each))[index] === name
    );
    const isSame = oldNames.length === newNames.length && areInOrder &&
      (was.body === undefined) === (is.body === undefined) &&
      (was.params === undefined) === (is.params === undefined);
    if (!isSame) {
      const [before, now] = [was, is].map(signatureOf);
      this.#add("arguments-changed", `the arguments were (${before}), and are (${now})`);
    }
    if (oldNames.length !== newNames.length || !areInOrder) return;
    for (const [index, { name, type }] of was.path.entries()) {
      this.#addTypes(type, is.path[index]!.type, "request", name);
    }
  }

  /** Compares the objects of parameters as a whole, because a body can be a part of them. */
  #compareParams(): void {
    const [was, is] = [this.#old.params, this.#new.params];
    if (was === undefined || is === undefined) return;
    const { old: oldGroup, new: newGroup } = this.#groups;
    const oldType = paramsTypeOf(was, oldGroup);
    const newType = paramsTypeOf(is, newGroup);
    const findings = newFindings();
    this.#types.compare(oldType, newType, "request", `${this.#name} params`, findings);
    const all = allFindings(findings);
    for (const finding of all) this.#changes.add(finding, this.#name);
    if (!was.isRequired && is.isRequired && all.length === 0) {
      this.#add("parameter-required", "was optional, is required", " params");
    }
  }

  #compareBodies(): void {
    const [oldBody, newBody] = [this.#old.body, this.#new.body];
    if (oldBody === undefined || newBody === undefined) return;
    if (!oldBody.required && newBody.required) {
      this.#add("body-required", "was optional, is required", " body");
    }
    const [oldType, newType] = [oldBody, newBody].map(({ kind, type }): Type =>
      kind === "bytes" ? { kind: "reference", name: "Content" } : type
    ) as [Type, Type];
    this.#addTypes(oldType, newType, "request", "body");
  }

  #compareParameters(): void {
    const news = new Map(this.#new.parameters.map((each) => [each.name, each]));
    const partOf = ({ name }: Parameter): string => ` ${placeOfProperty("params", name)}`;
    for (const parameter of this.#old.parameters) {
      const found = news.get(parameter.name);
      const part = partOf(parameter);
      if (found === undefined) {
        this.#add("parameter-removed", "the parameter was removed", part);
        continue;
      }
      if (!parameter.required && found.required) {
        this.#add("parameter-required", "was optional, is required", part);
      }
      this.#addTypes(parameter.type, found.type, "request", part.slice(1));
    }
    const olds = new Set(this.#old.parameters.map(({ name }) => name));
    for (const parameter of this.#new.parameters) {
      if (!parameter.required || olds.has(parameter.name)) continue;
      this.#add("parameter-required", "is new, and required", partOf(parameter));
    }
  }

  #compareResults(): void {
    const [was, is] = [formOf(this.#old), formOf(this.#new)];
    if (was !== is) {
      this.#add("type-changed", `was ${was}, is ${is}`, " result");
      return;
    }
    const [oldItem, newItem] = [this.#old, this.#new].map(({ pages }) => pages?.item);
    if (oldItem !== undefined && newItem !== undefined) {
      this.#addTypes(oldItem, newItem, "response", "item");
    }
    const [oldPage, newPage] = [this.#old, this.#new].map(({ pages }) => pages?.className);
    if (oldPage !== undefined) {
      // The fields of a page are those of its class.
      if (oldPage !== newPage) {
        this.#add("type-changed", `was pages of ${oldPage}, is pages of ${newPage}`, " result");
      }
      return;
    }
    this.#compareStreams();
    const oldType = resultTypeOf(this.#old);
    // Nobody uses the result of a method that returned nothing.
    if (oldType.kind === "undefined") return;
    this.#addTypes(oldType, resultTypeOf(this.#new), "response", "result");
  }

  /** Compares streams: those that are returned, and those that a caller can choose. */
  #compareStreams(): void {
    const [was, is] = [this.#old.stream, this.#new.stream];
    if (was === undefined) return;
    if (is === undefined || was.format !== is.format) {
      const now = is === undefined ? "cannot be a stream any more" : `is a stream of ${is.format}`;
      this.#add("type-changed", `could be a stream of ${was.format}, and ${now}`, " result");
      return;
    }
    const [oldEvents, newEvents] = [was.events ?? [], is.events ?? []];
    if (oldEvents.length === 0 && newEvents.length === 0) {
      return this.#addTypes(was.item, is.item, "response", "item");
    }
    this.#addTypes(namesOf(oldEvents), namesOf(newEvents), "response", "event");
    for (const { name, data } of oldEvents) {
      const found = newEvents.find((each) => each.name === name);
      if (found === undefined) continue;
      this.#addTypes(data, found.data, "response", placeOfProperty("events", name));
    }
  }

  /** Compares the class that is thrown for each status. */
  #compareErrors(): void {
    const [olds, news] = ([[this.#old, this.#plans.old], [this.#new, this.#plans.new]] as const)
      .map(([{ errors }, { client }]) =>
        new Map([...client.errors, ...errors].map((each) => [each.status, each.className]))
      ) as [Map<number, string>, Map<number, string>];
    for (const [status, was] of olds) {
      const is = news.get(status) ?? basesOf(this.#plans.old, was).at(-1)!;
      if (basesOf(this.#plans.new, is).includes(was)) continue;
      const place = `errors of status ${status}`;
      const message = `was ${was}, is ${is}`;
      this.#changes.add({ kind: "error-changed", place, message }, this.#name);
    }
  }

  /** Reports if callers who have all credentials that were required do not have those that are. */
  #compareCredentials(): void {
    const olds = securityOf(this.#old, this.#plans.old);
    const news = securityOf(this.#new, this.#plans.new);
    const lacking = olds.filter((owned) =>
      !news.some((required) => required.every((each) => owned.includes(each)))
    );
    if (lacking.length === 0) return;
    const [was, is] = [olds, news].map((security) =>
      security.map((each) => each.length === 0 ? "none" : each.join(" and ")).join(", or ")
    );
    this.#add("credentials-required", `required credentials: was ${was}, is ${is}`);
  }
}

/** The arguments of a method before its options, in their order. */
interface Arguments {
  readonly path: readonly Parameter[];
  /** The body, if it is an argument of its own. */
  readonly body: { readonly isRequired: boolean } | undefined;
  readonly params: { readonly isRequired: boolean } | undefined;
}

function argumentsOf({ pathParameters, body, params, signature }: Method): Arguments {
  const args = signature.arguments;
  return {
    path: args.flatMap(({ role, name }) =>
      role === "path" ? pathParameters.filter((each) => each.name === name) : []
    ),
    body: body !== undefined && args.some(({ role }) => role === "body")
      ? { isRequired: body.required }
      : undefined,
    params,
  };
}

/** Returns arguments as a caller sees them. */
function signatureOf({ path, body, params }: Arguments): string {
  const names = path.map(({ name }) => name);
  if (body !== undefined) names.push(body.isRequired ? "body" : "body?");
  if (params !== undefined) names.push(params.isRequired ? "params" : "params?");
  return [...names, "options?"].join(", ");
}

/** Returns the type of an object of parameters without its name, which would hide the method. */
function paramsTypeOf({ type }: ParamsObject, { types }: MethodGroup): Type {
  return types.find(({ name }) => name === type)!.type;
}

/** Says in which form a method returns its result. */
function formOf({ pages, stream, result }: Method): string {
  if (pages !== undefined) return "a list in pages";
  if (stream !== undefined && stream.choice === undefined) return `a stream of ${stream.format}`;
  return result.kind === "bytes" ? "a download" : "a single result";
}

/** Returns the type of the names of events: any, if the document does not list them. */
function namesOf(events: readonly StreamEvent[]): Type {
  return events.length === 0
    ? { kind: "string" }
    : unionOf(events.map(({ name }) => ({ kind: "literal", value: name })));
}

/** Returns the type of the value with which the promise of a method resolves. */
function resultTypeOf({ result }: Method): Type {
  switch (result.kind) {
    case "json":
      return result.type;
    case "text":
      return { kind: "string" };
    case "bytes":
      return { kind: "bytes" };
    case "void":
      return { kind: "undefined" };
    default:
      return { kind: "reference", name: "Response" };
  }
}

/** Lists a class of errors and those that it extends, up to the one of the toolkit. */
function basesOf({ errors }: Pick<SdkModel, "errors">, className: string): string[] {
  const base = errors.find((each) => each.className === className)?.base;
  return base === undefined ? [className] : [className, ...basesOf({ errors }, base)];
}

/** Returns the alternatives of credentials of a method: one empty list if it needs none. */
function securityOf({ security }: Method, { client }: SdkModel): SecurityRequirements {
  const required = security ?? client.security ?? [];
  return required.length === 0 ? [[]] : required;
}
