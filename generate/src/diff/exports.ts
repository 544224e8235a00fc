/** Compares the names that two SDKs export. */

import type { Declaration, Method, SdkModel, Type } from "../model/mod.ts";
import { addReferences } from "../algebra/references.ts";
import { capitalized } from "../names/words.ts";
import type { Changes } from "./changes.ts";
import type { MethodPair } from "./methods.ts";

/** Returns all types that an SDK declares. */
export function declarationsOf({ models, groups }: SdkModel): Declaration[] {
  return [...models, ...groups.flatMap(({ types }) => types)];
}

/**
 * Adds names that cannot be imported any more. Types that only methods used that are gone are left
 * out: those methods say it.
 */
export function compareExports(
  plans: { readonly old: SdkModel; readonly new: SdkModel },
  pairs: readonly MethodPair[],
  changes: Changes,
): void {
  const kept = exportsOf(plans.new);
  const used = (methods: readonly MethodPair[]): Set<string> =>
    namesOf(methods.map(({ oldMethod }) => oldMethod.method), plans.old);
  const stays = ({ oldMethod, newMethod }: MethodPair): boolean =>
    newMethod?.name === oldMethod.name;
  const ofKept = used(pairs.filter(stays));
  const ofOthers = used(pairs.filter((pair) => !stays(pair)));
  for (const [name, declared] of exportsOf(plans.old)) {
    if (kept.has(name) || ofOthers.has(declared) && !ofKept.has(declared)) continue;
    // A type that is gone is gone from each namespace.
    if (name !== declared && !kept.has(declared)) continue;
    const message = "is not exported any more";
    changes.add({ kind: "export-removed", place: name, message });
  }
}

/** Returns the exported names, also those in namespaces, and the names of what they stand for. */
function exportsOf(plan: SdkModel): Map<string, string> {
  const { client, groups, errors, pageClasses } = plan;
  const names = new Map([
    client.className,
    client.optionsType,
    // Types of several resources have no class.
    ...groups.filter(({ place }) => place !== "shared").map(({ className }) => className),
    ...errors.map(({ className }) => className),
    ...declarationsOf(plan).map(({ name }) => name),
    ...pageClasses.map(({ className }) => className),
    ...groups.flatMap(({ methods }) => methods.flatMap(aliasesOf)),
  ].map((each) => [each, each]));
  for (const { place, path, namespace } of groups) {
    const around = place === "shared" ? [] : path.map(capitalized);
    for (const [shown, type] of namespace) {
      names.set([client.className, ...around, shown].join("."), type);
    }
  }
  return names;
}

/** Returns the names of types that the file of a resource declares beside those of the plan. */
function aliasesOf({ pages, params, stream }: Method): string[] {
  const hasChoice = params !== undefined && stream?.choice !== undefined;
  return [
    ...pages?.alias === undefined ? [] : [pages.alias],
    ...hasChoice ? [`${params.type}NonStreaming`, `${params.type}Streaming`] : [],
  ];
}

/** Returns the names that methods use, and their classes of endpoints and errors. */
function namesOf(methods: readonly Method[], plan: SdkModel): Set<string> {
  const declarations = new Map(declarationsOf(plan).map((each) => [each.name, each.type]));
  const errors = new Map(plan.errors.map((each) => [each.className, each.data]));
  const own = new Set(methods);
  const names = new Set<string>();
  const add = (name: string): void => void names.add(name);
  for (const { className, methods } of plan.groups) {
    if (methods.some((each) => own.has(each))) names.add(className);
  }
  for (const method of methods) {
    addNames(method, add);
    aliasesOf(method).forEach(add);
  }
  // A set takes in what is added while it is read.
  for (const name of names) {
    const type: Type | undefined = declarations.get(name) ?? errors.get(name);
    if (type !== undefined) addReferences(type, add);
  }
  return names;
}

/** Calls a function with the names of the types and classes that a method has in its signature. */
function addNames(method: Method, add: (name: string) => void): void {
  const { pathParameters, body, params, result, errors, stream, pages } = method;
  for (const { type } of pathParameters) addReferences(type, add);
  if (body !== undefined) addReferences(body.type, add);
  if (params !== undefined) add(params.type);
  addReferences(result.type, add);
  for (const { className } of errors) add(className);
  if (stream !== undefined) addReferences(stream.item, add);
  for (const { data } of stream?.events ?? []) addReferences(data, add);
  if (stream?.eventsType !== undefined) add(stream.eventsType);
  if (pages?.className === undefined) return;
  add(pages.className);
  addReferences(pages.item, add);
}
