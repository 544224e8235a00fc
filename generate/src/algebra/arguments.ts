/** The arguments of a call, made of the values of its parameters and its body. */

import type { Argument, Method, MethodTest, ObjectSample, Sample } from "../model/mod.ts";

/** An argument of a method, and its value in a call. */
export interface PassedArgument {
  readonly argument: Argument;
  /** undefined if it is left out, although one after it is passed. */
  readonly value: Sample | undefined;
}

/** Returns the arguments of a call, up to the last one that is passed. */
export function passedArguments(
  method: Pick<Method, "params" | "pathParameters" | "signature">,
  call: Pick<MethodTest, "path" | "body" | "params">,
): PassedArgument[] {
  const { pathParameters, signature } = method;
  const passed = signature.arguments.map((argument): PassedArgument => {
    switch (argument.role) {
      case "path": {
        const index = pathParameters.findIndex(({ name }) => name === argument.name);
        return { argument, value: call.path[index] };
      }
      case "body":
        return { argument, value: call.body };
      case "params":
        return { argument, value: paramsOf(method, call) };
      case "options":
        return { argument, value: undefined };
    }
  });
  return passed.slice(0, passed.findLastIndex(({ value }) => value !== undefined) + 1);
}

/** Returns the code of an argument that is left out before one that is passed. */
export function emptyArgument({ or }: Argument): string {
  return or.includes("null") ? "null" : "undefined";
}

/** Reports if the body of a method is an argument of its own. */
export function isBodyArgument({ signature }: Pick<Method, "signature">): boolean {
  return signature.arguments.some(({ role }) => role === "body");
}

/** Returns the object of parameters of a call; undefined if none is passed. */
function paramsOf(
  { params, pathParameters }: Pick<Method, "params" | "pathParameters">,
  { path, body, params: others }: Pick<MethodTest, "path" | "body" | "params">,
): ObjectSample | undefined {
  if (params === undefined) return undefined;
  const values = new Map(others?.members);
  const firstChoice = params.fields.find(({ parameter }) => parameter.place === "pathChoice");
  const members = params.fields.flatMap(({ property, parameter }) => {
    const { name, place } = parameter;
    const value = place === "path"
      ? path[pathParameters.findIndex((each) => each.name === name)]
      : place === "pathChoice"
      ? parameter === firstChoice!.parameter
        ? path[pathParameters.findIndex(({ chosen }) => chosen === "value")]
        : undefined
      : values.get(name);
    return value === undefined ? [] : [[property, value] as const];
  });
  const hasBody = body !== undefined && params.body !== undefined;
  if (hasBody) {
    // A model class is made of the JSON that a caller passes.
    const json = typeof body === "object" && body?.kind === "model" ? body.json : body;
    if (params.body !== "rest") members.push([params.body!.property, json]);
    else if (isObjectSample(json)) members.push(...json.members);
  }
  const isPassed = params.isRequired || hasBody || members.length > 0;
  return isPassed ? { kind: "object", members } : undefined;
}

/** Reports if a sample is an object. */
export function isObjectSample(sample: Sample): sample is ObjectSample {
  return typeof sample === "object" && sample?.kind === "object";
}
