/** The resources and methods of a shape: their places in the client, names and operations. */

import type { Source } from "../../read/source.ts";
import type { Operation } from "../../read/operations.ts";
import type { Declaration } from "../../model/mod.ts";
import type { MethodShape, ResourceShape, SdkShape } from "../../sdk/shape.ts";
import { pascalCase } from "../../names/type_names.ts";
import { capitalized, endpointMembers, singularOf, wordsOf } from "../../names/words.ts";

/** A resource of the shape with its place. */
export interface PlacedResource {
  readonly shape: ResourceShape;
  readonly path: readonly string[];
  /** The path as text, such as `chat.completions`; `$client` for the client itself. */
  readonly field: string;
}

/** A method of the shape with the operation that it calls. */
export interface ShapedMethod {
  readonly operation: Operation;
  readonly shape: MethodShape;
  readonly resource: PlacedResource;
  readonly name: string;
}

/** The members of clients with resources, which no resource of the client may hide. */
export const resourceClientMembers: ReadonlySet<string> = new Set([
  ...endpointMembers,
  ...("authSchemes baseURL close delete get getAPIList httpSession idempotencyHeader " +
    "isBaseURLOverridden maxRetries patch post put ready request timeout withOptions").split(" "),
]);

/** Lists the resources of a shape, each after the one around it. */
export function resourcesOf(source: Source, { resources }: SdkShape): PlacedResource[] {
  const all: PlacedResource[] = [];
  const add = (shapes: readonly ResourceShape[], before: readonly string[]): void => {
    const taken = new Set(before.length === 0 ? resourceClientMembers : endpointMembers);
    for (const shape of shapes) {
      if (shape.name === "$shared") {
        all.push({ shape, path: ["$shared"], field: "$shared" });
        continue;
      }
      if (shape.name === "$client" && before.length === 0) {
        all.unshift({ shape, path: [], field: "$client" });
        continue;
      }
      const name = memberName(source, shape.name, taken);
      const path = [...before, name];
      all.push({ shape, path, field: path.join(".") });
      add(shape.resources, path);
    }
  };
  add(resources, []);
  return all;
}

/** Returns a name that the members of a class have left free, and takes it. */
function memberName(source: Source, wanted: string, taken: Set<string>): string {
  let name = wanted;
  while (taken.has(name)) name += "_";
  taken.add(name);
  if (name !== wanted) {
    const message = `the name ${JSON.stringify(wanted)} belongs to the class itself`;
    source.problem(source.root, "name", message, `called ${name}`);
  }
  return name;
}

/** The methods of a shape, and the operations that it does not name. */
export interface ShapedMethods {
  readonly methods: readonly ShapedMethod[];
  /** The operations that become no method: `GET /pets/{id}`. */
  readonly leftOut: readonly string[];
}

/** Finds the operations of the methods of a shape. */
export function methodsOf(
  source: Source,
  operations: readonly Operation[],
  resources: readonly PlacedResource[],
): ShapedMethods {
  const byKey = new Map(operations.map((each) => [keyOf(`${each.verb} ${each.path}`), each]));
  const left = new Set(operations);
  const methods: ShapedMethod[] = [];
  for (const resource of resources) {
    const { shape, path } = resource;
    const taken = new Set(path.length === 0 ? resourceClientMembers : endpointMembers);
    if (path.length > 0) { for (const { name } of shape.resources) taken.add(name); }
    for (const method of shape.methods) {
      const operation = byKey.get(keyOf(method.operation));
      if (operation === undefined) {
        const place = [...path, method.name].join(".");
        const message = `the document has no ${method.operation}, which ${place} calls`;
        source.problem(source.root, "operation", message, "the method is left out");
        continue;
      }
      left.delete(operation);
      const name = memberName(source, method.name, taken);
      methods.push({ operation, shape: method, resource, name });
    }
  }
  return { methods, leftOut: [...left].map(({ verb, path }) => `${verb} ${path}`) };
}

/** Returns an operation without the names of its path parameters. */
function keyOf(operation: string): string {
  return operation.replace(/\{[^{}]*\}/g, "{}").replace(/\/(?=$|\?)/, "");
}

/** Returns the start of the names of a method's types: `files` and `create` become `File Create`. */
export function typePrefix({ path }: PlacedResource, method: string): string {
  const name = path.at(-1);
  if (name === undefined) return `Client ${capitalized(method)}`;
  const words = wordsOf(name);
  const last = words.at(-1)!;
  const singular = singularOf(last);
  const end = singular.length < last.length ? last.slice(0, singular.length) : last;
  const whole = singular.endsWith("y") && last.endsWith("ies") ? `${last.slice(0, -3)}y` : end;
  return [...words.slice(0, -1), whole, method].map(capitalized).join(" ");
}

/** Returns the types of each resource, with the names that they have there. */
export function namespaceOf(
  path: readonly string[],
  models: readonly (readonly [name: string, type: string])[],
  own: readonly Declaration[],
): (readonly [name: string, type: string])[] {
  const types = new Map(models);
  const around = path.slice(0, -1).map(pascalCase).join("");
  for (const { name } of own) {
    const short = around !== "" && name.startsWith(around) ? name.slice(around.length) : name;
    types.set(/^[A-Z]/.test(short) && !types.has(short) ? short : name, name);
  }
  return [...types];
}
