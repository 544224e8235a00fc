/** The arguments and results of methods of resources. */

import { intersectionOf, keyword, unionOf } from "../../algebra/types.ts";
import type {
  MethodResult,
  Parameter,
  ParamsObject,
  Property,
  RequestBody,
  Type,
} from "../../model/mod.ts";
import type { Positions } from "./signatures.ts";
import type { TypePlanner } from "../types/mod.ts";
import type { Operation } from "../../read/operations.ts";
import type { MethodShape, SdkShape } from "../../sdk/shape.ts";

/** The parts of a method that its arguments are made of. */
export interface CallParts {
  readonly operation: Operation;
  readonly path: readonly Parameter[];
  readonly others: readonly Parameter[];
  readonly body: RequestBody | undefined;
}

/**
 * Plans the arguments of a method.
 *
 * @param declare Declares the type of the object of parameters, and returns its name
 */
export function callOf(
  types: TypePlanner,
  method: MethodShape,
  { operation, path, others, body }: CallParts,
  declare: (type: Type) => string,
  { readsOptionsAsParams = false }: Pick<SdkShape, "readsOptionsAsParams"> = {},
): Positions & { readonly params: ParamsObject | undefined } {
  const positional = positionalOf(method, operation, path);
  const isBodyPositional = body?.kind === "bytes" || body?.kind === "text";
  const inObject = isBodyPositional ? undefined : body;
  const isSpread = inObject !== undefined && method.bodyParameter === undefined &&
    isObject(types, inObject);
  const taken = new Set(isSpread ? types.propertiesOf(inObject.type).map(({ name }) => name) : []);
  const named = path.filter((each) => !positional.includes(each) && each.chosen === undefined);
  const fields = fieldsOf(named, others, taken);
  const properties = fields.map(({ property: name, parameter }): Property => {
    const { type, required, comment } = parameter;
    return { name, type, optional: !required, comment };
  });
  const place: ParamsObject["body"] = inObject === undefined
    ? undefined
    : isSpread
    ? "rest"
    : { property: freeProperty(method.bodyParameter ?? "body", "body", taken) };
  const type = objectOf(properties, inObject, place);
  const isRequired = method.needsParams ??
    (inObject?.required === true || properties.some(({ optional }) => !optional));
  const params: ParamsObject | undefined = type &&
    {
      ...{ type: declare(type), isRequired, fields, body: place },
      ...readsOptionsAsParams && !isRequired ? { alsoOptions: optionsIn(types, type) } : {},
    };
  return { path: positional, body: isBodyPositional ? body : undefined, params };
}

/** The names of the options of a call that an SDK can read in place of parameters. */
const optionNames: ReadonlySet<string> = new Set(
  ("body fetchOptions headers idempotencyKey maxRetries method path query signal stream timeout")
    .split(" "),
);

/** Lists the properties of an object of parameters that options have, too. */
function optionsIn(types: TypePlanner, type: Type): string[] {
  const members = type.kind === "intersection" ? type.members : [type];
  return members.flatMap((each) => types.propertiesOf(each)).map(({ name }) => name)
    .filter((name) => optionNames.has(name));
}

/** Returns parameters with the names that they have in the object. */
function fieldsOf(
  path: readonly Parameter[],
  others: readonly Parameter[],
  taken: Set<string>,
): ParamsObject["fields"] {
  const wanted = [
    ...path.map((each) => [each, each.property ?? each.wireName] as const),
    ...others.map((each) => [each, each.name.replace(/\[\]$/, "")] as const),
  ];
  return wanted.map(([parameter, name]) => {
    const { place } = parameter;
    const property = freeProperty(name, place === "pathChoice" ? "path" : place, taken);
    taken.add(property);
    return { property, parameter };
  });
}

/** Returns a name that no other property has. */
function freeProperty(wanted: string, prefix: string, taken: ReadonlySet<string>): string {
  let name = wanted;
  while (taken.has(name)) name = `${prefix}_${name}`;
  return name;
}

/** Returns the type of the object: parameters, and the body in its place. */
function objectOf(
  properties: readonly Property[],
  body: RequestBody | undefined,
  place: ParamsObject["body"],
): Type | undefined {
  const ofParameters: Type | undefined = properties.length === 0
    ? undefined
    : { kind: "object", properties };
  if (body === undefined || place === undefined) return ofParameters;
  const { type, required, comment } = body;
  if (place !== "rest") {
    const own = { name: place.property, type, optional: !required, comment };
    return { kind: "object", properties: [...properties, own] };
  }
  if (ofParameters === undefined) return type;
  return type.kind === "object" && type.additional === undefined && !type.extends
    ? { ...type, properties: [...properties, ...type.properties] }
    : intersectionOf([type, ofParameters]);
}

/** Returns the path parameters that are arguments of their own. */
function positionalOf(
  { positional, operation: stated }: MethodShape,
  { parts }: Operation,
  path: readonly Parameter[],
): Parameter[] {
  if (positional === undefined) return path.slice(-1).filter((each) => each.chosen === undefined);
  // The configuration and the document may name the same parameter differently.
  const wanted = [...stated.split("?")[0]!.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name!);
  const given = parts.flatMap((part) => typeof part === "string" ? [] : [part.parameter]);
  return positional.flatMap((name) => {
    const wire = given[wanted.indexOf(name)] ?? name;
    return path.filter(({ wireName, chosen }) => wireName === wire && chosen === undefined);
  });
}

/** Reports if a body is an object whose properties can stand beside parameters. */
function isObject(types: TypePlanner, { kind, type }: RequestBody): boolean {
  if (kind === "form" || kind === "multipart") return true;
  if (kind !== "json") return false;
  const isOne = (each: Type, depth: number): boolean => {
    const found = types.resolve(each);
    if (found.kind === "object") return true;
    if (found.kind === "intersection") {
      return depth < 20 && found.members.some((one) => isOne(one, depth + 1));
    }
    return found.kind === "union" && depth < 20 &&
      found.members.every((one) => isOne(one, depth + 1));
  };
  return isOne(type, 0);
}

/** Returns the result without the object around it, if the shape states a field of it. */
export function unwrapped(
  types: TypePlanner,
  { unwrap }: SdkShape,
  method: MethodShape,
  result: MethodResult,
): { readonly field: string; readonly type: Type } | undefined {
  if (result.kind !== "json" || result.kinds !== undefined || method.unwrap === false) {
    return undefined;
  }
  const fields = method.unwrap === undefined ? unwrap : [method.unwrap];
  const properties = types.propertiesOf(result.type);
  for (const field of fields) {
    const found = properties.find(({ name }) => name === field);
    if (found === undefined) continue;
    return {
      field,
      type: found.optional ? unionOf([found.type, keyword("undefined")]) : found.type,
    };
  }
  return undefined;
}
