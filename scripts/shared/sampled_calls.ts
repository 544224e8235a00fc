/** The calls of an SDK: each method of its plan, with sampled arguments. */
import { mediaOf, preferred } from "../../generate/src/read/media.ts";
import { pinKey } from "../../generate/src/plan/names/mod.ts";
import {
  type Operation,
  operationsOf,
  type ParameterNode,
} from "../../generate/src/read/operations.ts";
import type {
  Method,
  Parameter,
  RequestBody,
  SdkModel,
  SecurityScheme,
} from "../../generate/src/model/mod.ts";
import { exampleOf, sampleOf } from "../../generate/src/plan/samples/schema_samples.ts";
import type { Source } from "../../generate/src/read/source.ts";

/** A call of a method. */
export interface SampledCall {
  /** The operation in the form of names files: `GET /pets/{}`. */
  readonly key: string;
  /** The endpoint's field on the client. */
  readonly field: string;
  readonly method: string;
  /** Arguments with other alternatives of their schemas, in the order in which they are tried. */
  readonly variants: readonly (readonly unknown[])[];
}

/** How many alternatives of `oneOf` and `anyOf` are tried. */
const VARIANTS = 3;

/** Returns a call of each method. */
export function callsOf(source: Source, plan: SdkModel): SampledCall[] {
  return operationsOf(source).map((operation) => {
    const key = pinKey(operation);
    const [field = "", name = ""] = (plan.pins.get(key) ?? "").split(".");
    const method = plan.groups.find((each) => each.path[0] === field)
      ?.methods.find((each) => each.name === name);
    if (method === undefined) throw new Error(`${key} has no method`);
    const all = Array.from(
      { length: VARIANTS },
      (_, variant) => argumentsOf(source, operation, method, variant),
    );
    return { key, field, method: name, variants: all };
  });
}

/** Returns the arguments of a method, whose body has the alternatives of a number. */
export function argumentsOf(
  source: Source,
  operation: Operation,
  method: Method,
  variant: number,
): unknown[] {
  const sample = ({ place, wireName }: Parameter): unknown =>
    parameterSample(
      source,
      operation.parameters.find((each) => each.place === place && each.name === wireName),
    ) ?? (place === "path" ? "sample" : undefined);
  const body = method.body && bodySample(source, operation, method.body, variant);
  const params = (): object => {
    const fields = method.params!.fields.flatMap(({ property, parameter }) => {
      const value = sample(parameter);
      return value === undefined ? [] : [[property, value] as const];
    });
    const { body: place } = method.params!;
    const ofBody = place === "rest"
      ? Object(body)
      : place === undefined
      ? {}
      : { [place.property]: body };
    return { ...ofBody, ...Object.fromEntries(fields) };
  };
  return method.signature.arguments.flatMap(({ role, name }): unknown[] => {
    switch (role) {
      case "path":
        return [sample(method.pathParameters.find((each) => each.name === name)!)];
      case "body":
        return [body];
      case "params":
        return [params()];
      case "options":
        return [];
    }
  });
}

function parameterSample(source: Source, parameter: ParameterNode | undefined): unknown {
  const node = parameter?.node;
  if (node === undefined) return undefined;
  const example = exampleOf(node);
  if (example !== undefined) return example;
  const [media] = mediaOf(source, node);
  return sampleOf(source, media?.schema ?? source.child(node, "schema"));
}

function bodySample(
  source: Source,
  { node }: Operation,
  { kind }: RequestBody,
  variant: number,
): unknown {
  const body = source.child(node, "requestBody");
  const media = preferred(mediaOf(source, body && source.resolve(body)), [kind]);
  switch (kind) {
    case "bytes":
      return new Uint8Array([1, 2, 3]);
    case "text":
    case "xml":
      return "sample";
    default: {
      const isForm = kind === "multipart";
      const stated = exampleOf(media?.node);
      return !isForm && stated !== undefined && variant === 0
        ? stated
        : sampleOf(source, media?.schema, { hasFiles: isForm, variant }) ?? {};
    }
  }
}

/** Returns options of a client with a value for each of its schemes. */
export function credentialsOf(
  schemes: readonly SecurityScheme[],
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    schemes.filter(({ scheme }) => scheme.kind !== "other").map(({ option, scheme }) => [
      option,
      scheme.kind === "basic" || scheme.kind === "digest" ? ["ada", "countess"] : "sample",
    ]),
  );
}
