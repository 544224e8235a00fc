/** The calls that a guide shows: the operations that show the API best come first. */

import { emptyArgument, passedArguments } from "../algebra/arguments.ts";
import { nameOf } from "../algebra/groups.ts";
import type {
  CallArguments,
  Method,
  MethodGroup,
  MethodTest,
  Sample,
  SdkModel,
  Type,
} from "../model/mod.ts";
import { call, type Layout } from "../print/layout.ts";
import { before, sampleLayout } from "../print/samples.ts";
import { propertyKey } from "../print/literals.ts";

/** A method with a sample of a call that succeeds. */
export interface Example {
  /** The name on the client, such as `books.list`. */
  readonly name: string;
  readonly group: MethodGroup;
  readonly method: Method;
  readonly test: MethodTest;
}

/**
 * Returns a call of each method that a sample can call. Those of the most central group come first: of the
 * one with the most methods, those of groups in it included.
 */
export function examplesOf(model: SdkModel): Example[] {
  const sizes = new Map<string, number>();
  for (const { path: [first = ""], methods } of model.groups) {
    sizes.set(first, (sizes.get(first) ?? 0) + methods.length);
  }
  const sizeOf = ({ group: { path: [first = ""] } }: Example) => sizes.get(first)!;
  const isChosen = ({ method }: Example) => method.isFirstCall === true;
  return model.groups
    .flatMap((group) => group.methods.flatMap((method) => exampleOf(group, method)))
    .toSorted((a, b) =>
      Number(isChosen(b)) - Number(isChosen(a)) ||
      Number(isDeprecated(a.method)) - Number(isDeprecated(b.method)) ||
      sizeOf(b) - sizeOf(a) ||
      a.group.path.length - b.group.path.length
    );
}

/** Returns an operation without the names of its path parameters: `GET /pets/{}`. */
export function operationKey(operation: string): string {
  return operation.replace(/\{[^{}]*\}/g, "{}");
}

/** Returns a method with a sample of a call; none if no sample can call it. */
export function exampleOf(group: MethodGroup, method: Method): Example[] {
  const tests = method.tests?.filter(({ outcome }) => outcome.kind !== "error") ?? [];
  const test = tests.find(({ outcome }) => outcome.kind !== "stream") ?? tests[0];
  return test === undefined ? [] : [{ name: nameOf(group, method), group, method, test }];
}

/** Reports if the document advises against a method. */
export function isDeprecated({ comment }: Method): boolean {
  return comment.tags.some(([tag]) => tag === "deprecated");
}

/** The changes of a call that has what it needs. */
interface CallChanges {
  /** The options of the call. Default: none */
  readonly options?: Layout;
  /** Parameters in the object of parameters that are optional. Default: none */
  readonly params?: readonly (readonly [name: string, value: Sample])[];
  /** The variable with the client. Default: `client` */
  readonly client?: string;
}

/** Returns the call of a method with a sample, without what is optional. */
export function callLayout(
  { name, method, test }: Example,
  { options, params: added = [], client = "client" }: CallChanges = {},
): Layout {
  // The short call does not choose the stream.
  const shown = test.outcome.kind === "stream" ? shortened(method, test) : method.example ?? test;
  const { path, body, params } = shown;
  const isOther = ([name]: readonly [string, Sample]) => !added.some(([each]) => each === name);
  const passed = passedArguments(method, {
    path,
    body,
    params: { kind: "object", members: [...params?.members.filter(isOther) ?? [], ...added] },
  });
  const args = passed.map(({ argument, value }): Layout =>
    value === undefined
      ? emptyArgument(argument)
      : argument.role === "body" && method.body?.kind === "bytes"
      ? 'new Blob(["…"])'
      : sampleLayout(value)
  );
  if (options !== undefined) {
    const { arguments: all } = method.signature;
    for (const argument of all.slice(args.length, -1)) args.push(emptyArgument(argument));
    args.push(options);
  }
  return call(`${client}.${name}`, args);
}

/** Returns the arguments of a test without the parameters that are optional. */
function shortened({ parameters }: Method, { path, body, params }: MethodTest): CallArguments {
  const members =
    params?.members.filter(([name]) =>
      parameters.some((each) => each.name === name && (each.required || each.place === "choice"))
    ) ?? [];
  return { path, body, params: { kind: "object", members } };
}

/** Returns the names of the model classes in samples. */
export function modelsOf(samples: readonly (Sample | undefined)[]): Set<string> {
  const names = new Set<string>();
  const add = (sample: Sample | undefined): void => {
    if (typeof sample !== "object" || sample === null) return;
    if (sample.kind === "model") names.add(sample.name);
    if (sample.kind === "list") sample.items.forEach(add);
    if (sample.kind === "object") sample.members.forEach(([, each]) => add(each));
  };
  samples.forEach(add);
  return names;
}

/** Properties that a reader recognises a value by, the best first. */
const SHOWN: readonly string[] = "name title id username email text content status url label key"
  .split(" ");

/** Returns an expression that shows a value: one of its properties, if the type has one that says enough. */
export function shownOf(model: SdkModel, type: Type, variable: string): string {
  const properties = propertiesOf(model, type);
  const found = SHOWN.find((name) =>
    properties.get(name) !== undefined && propertyKey(name) === name
  );
  return found === undefined ? variable : `${variable}.${found}`;
}

/** Returns the types of the properties of an object. */
export function propertiesOf(
  model: SdkModel,
  type: Type,
  depth = 0,
): ReadonlyMap<string, Type> {
  if (depth > 5) return new Map();
  if (type.kind === "reference") {
    const found = declarationOf(model, type.name);
    if (found?.model !== undefined) {
      return new Map(found.model.fields.map((each) => [each.property, each.type]));
    }
    return found === undefined ? new Map() : propertiesOf(model, found.type, depth + 1);
  }
  if (type.kind === "object") {
    const inherited = type.extends?.flatMap((name) => [
      ...propertiesOf(model, { kind: "reference", name }, depth + 1),
    ]) ?? [];
    return new Map([
      ...inherited,
      ...type.properties.map((each) => [each.name, each.type] as const),
    ]);
  }
  if (type.kind === "intersection") {
    return new Map(type.members.flatMap((each) => [...propertiesOf(model, each, depth + 1)]));
  }
  return new Map();
}

/** Returns the declaration of a type. */
export function declarationOf(model: SdkModel, name: string) {
  return model.models.find((each) => each.name === name) ??
    model.groups.flatMap(({ types }) => types).find((each) => each.name === name);
}

/** Returns a layout after `await`. */
export function awaited(layout: Layout): Layout {
  return before("await ", layout);
}
