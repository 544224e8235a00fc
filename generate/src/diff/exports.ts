/** Compares the names that two SDKs export. */

import type { MethodPlan, Plan } from "../plan/plan.ts";
import type { Declaration, Type } from "../plan/types.ts";
import { addReferences } from "../print/references.ts";
import type { Changes } from "./changes.ts";
import type { MethodPair } from "./methods.ts";

/** Returns all types that an SDK declares. */
export function declarationsOf({ models, endpoints }: Plan): Declaration[] {
  return [...models, ...endpoints.flatMap(({ types }) => types)];
}

/**
 * Adds names that cannot be imported any more. Types that only methods used that are gone are left
 * out: those methods say it.
 */
export function compareExports(
  plans: { readonly old: Plan; readonly new: Plan },
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
  for (const name of exportsOf(plans.old)) {
    if (kept.has(name) || ofOthers.has(name) && !ofKept.has(name)) continue;
    const message = "is not exported any more";
    changes.add({ kind: "export-removed", place: name, message });
  }
}

function exportsOf(plan: Plan): Set<string> {
  const { client, endpoints, errors } = plan;
  return new Set([
    client.className,
    client.optionsType,
    ...endpoints.map(({ className }) => className),
    ...errors.map(({ className }) => className),
    ...declarationsOf(plan).map(({ name }) => name),
  ]);
}

/** Returns the names that methods use, and their classes of endpoints and errors. */
function namesOf(methods: readonly MethodPlan[], plan: Plan): Set<string> {
  const declarations = new Map(declarationsOf(plan).map((each) => [each.name, each.type]));
  const errors = new Map(plan.errors.map((each) => [each.className, each.data]));
  const own = new Set(methods);
  const names = new Set<string>();
  const add = (name: string): void => void names.add(name);
  for (const { className, methods } of plan.endpoints) {
    if (methods.some((each) => own.has(each))) names.add(className);
  }
  for (const { pathParameters, body, parametersType, result, errors } of methods) {
    for (const { type } of pathParameters) addReferences(type, add);
    if (body !== undefined) addReferences(body.type, add);
    if (parametersType !== undefined) names.add(parametersType);
    addReferences(result.type, add);
    for (const { className } of errors) names.add(className);
  }
  // A set takes in what is added while it is read.
  for (const name of names) {
    const type: Type | undefined = declarations.get(name) ?? errors.get(name);
    if (type !== undefined) addReferences(type, add);
  }
  return names;
}
