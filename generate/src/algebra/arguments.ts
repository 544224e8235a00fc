/** The arguments of a call, made of the values of its parameters and its body. */

import type { MethodPlan, ObjectSample, Sample, TestPlan } from "../model/mod.ts";

/** The arguments of a call of a resource's method, without a body that is one of them. */
export interface ResourceArguments {
  readonly positional: readonly Sample[];
  /** The object of parameters; undefined if none is passed. */
  readonly params: ObjectSample | undefined;
}

/** Returns the arguments of a call: the values of its parameters and of its body, in their places. */
export function resourceArguments(
  { call, pathParameters }: Pick<MethodPlan, "call" | "pathParameters">,
  { path, body, params: others }: Pick<TestPlan, "path" | "body" | "params">,
): ResourceArguments {
  const { positional, params } = call!;
  const ofPath = (name: string): Sample =>
    path[pathParameters.findIndex((each) => each.name === name)]!;
  const values = new Map(others?.members);
  const members = (params?.fields ?? []).flatMap(({ property, parameter }) => {
    const value = parameter.place === "path" ? ofPath(parameter.name) : values.get(parameter.name);
    return value === undefined ? [] : [[property, value] as const];
  });
  if (body !== undefined && params?.body !== undefined) {
    // A model class is made of the JSON that a caller passes.
    const json = typeof body === "object" && body?.kind === "model" ? body.json : body;
    if (params.body !== "rest") members.push([params.body.property, json]);
    else if (isObjectSample(json)) members.push(...json.members);
  }
  const isPassed = params?.isRequired === true || body !== undefined || members.length > 0;
  return {
    positional: positional.map(ofPath),
    params: params !== undefined && isPassed ? { kind: "object", members } : undefined,
  };
}

/** Reports if a sample is an object. */
export function isObjectSample(sample: Sample): sample is ObjectSample {
  return typeof sample === "object" && sample?.kind === "object";
}
