/** The arguments and results of methods of resources. */

import type { Operation } from "../read/operations.ts";
import type {
  BodyPlan,
  Comment,
  MethodPlan,
  ParameterPlan,
  ParamsPlan,
  ResultPlan,
  Type,
} from "../model/mod.ts";
import type { Positions } from "./signatures.ts";
import type { TypePlanner } from "./types/mod.ts";
import type { MethodShape, SdkShape } from "../sdk/shape.ts";
import { intersectionOf, keyword, unionOf } from "../algebra/types.ts";

/** The parts of a method that its arguments are made of. */
export interface CallParts {
  readonly operation: Operation;
  readonly path: readonly ParameterPlan[];
  readonly others: readonly ParameterPlan[];
  readonly body: BodyPlan | undefined;
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
): Positions & { readonly params: ParamsPlan | undefined } {
  const positional = positionalOf(method, operation, path);
  const isBodyPositional = body?.kind === "bytes" || body?.kind === "text";
  const isSpread = body !== undefined && !isBodyPositional && method.bodyParameter === undefined &&
    isObject(types, body);
  const inBody = new Set(isSpread ? types.propertiesOf(body.type).map(({ name }) => name) : []);
  const fields: { property: string; parameter: ParameterPlan }[] = [];
  const taken = new Set(inBody);
  const add = (parameter: ParameterPlan, wanted: string): void => {
    let property = wanted;
    while (taken.has(property)) property = `${parameter.place}_${property}`;
    taken.add(property);
    fields.push({ property, parameter });
  };
  for (const each of path) {
    if (!positional.includes(each)) add(each, each.property ?? each.wireName);
  }
  for (const each of others) add(each, each.name.replace(/\[\]$/, ""));

  const properties = fields.map(({ property, parameter: { type, required, comment } }) => ({
    name: property,
    type,
    optional: !required,
    comment,
  }));
  let isRequired = properties.some(({ optional }) => !optional);
  let bodyPlan: ParamsPlan["body"];
  let type: Type | undefined = properties.length === 0 ? undefined : { kind: "object", properties };
  if (isSpread) {
    bodyPlan = "rest";
    isRequired ||= body.required;
    const { type: ofBody } = body;
    if (type === undefined) type = ofBody;
    else if (ofBody.kind === "object" && ofBody.additional === undefined && !ofBody.extends) {
      type = { ...ofBody, properties: [...properties, ...ofBody.properties] };
    } else type = intersectionOf([ofBody, type]);
  } else if (body !== undefined && !isBodyPositional) {
    let property = method.bodyParameter ?? "body";
    while (taken.has(property)) property = `body_${property}`;
    bodyPlan = { property };
    isRequired ||= body.required;
    const own = {
      name: property,
      type: body.type,
      optional: !body.required,
      comment: body.comment,
    };
    type = { kind: "object", properties: [...properties, own] };
  }
  const params = type === undefined
    ? undefined
    : { type: declare(type), isRequired, fields, body: bodyPlan };
  return { path: positional, body: isBodyPositional ? body : undefined, params };
}

/** Returns the path parameters that are arguments of their own. */
function positionalOf(
  { positional, operation: stated }: MethodShape,
  { parts }: Operation,
  path: readonly ParameterPlan[],
): ParameterPlan[] {
  if (positional === undefined) return path.slice(-1);
  // The configuration and the document may name the same parameter differently.
  const wanted = [...stated.split("?")[0]!.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name!);
  const given = parts.flatMap((part) => typeof part === "string" ? [] : [part.parameter]);
  return positional.flatMap((name) => {
    const wire = given[wanted.indexOf(name)] ?? name;
    return path.filter(({ wireName }) => wireName === wire);
  });
}

/** Reports if a body is an object whose properties can stand beside parameters. */
function isObject(types: TypePlanner, { kind, type }: BodyPlan): boolean {
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
  result: ResultPlan,
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

/** Returns the comment of a method: with those parameters only that are arguments of their own. */
export function methodComment(
  { text, tags }: MethodPlan["comment"],
  { path }: Pick<Positions, "path">,
  { deprecated, isAlias }: MethodShape,
): Comment {
  const kept = tags.filter(([tag, content]) =>
    tag !== "throws" &&
    (tag !== "param" || path.some(({ name }) => name === content.split(" ")[0]!))
  );
  const reason = deprecated ?? (isAlias ? "It is the earlier name of another method." : undefined);
  const others = kept.filter(([tag]) => tag !== "deprecated");
  return { text, tags: reason === undefined ? kept : [...others, ["deprecated", reason]] };
}
