/** The parts of tests that clients with resources have in another way: arguments, queries and forms. */

import { isObjectSample } from "../../algebra/arguments.ts";
import type { Method, Pair, Parameter, Sample } from "../../model/mod.ts";
import { isSendable, textOf } from "./sent_parameters.ts";
import type { QueryShape } from "../../sdk/shape.ts";

/** Reports if the properties of a body can stand beside parameters, or need not. */
export function isSpreadable(
  { params }: Pick<Method, "params">,
  body: Sample | undefined,
): boolean {
  return params?.body !== "rest" || body !== undefined && isObjectSample(body);
}

/** Reports if a query in the form of a shape can have a value as a parameter. */
export function isSendableIn(
  query: QueryShape | undefined,
  parameter: Parameter,
  sample: Sample,
): boolean {
  if (query === undefined || parameter.place !== "query") return isSendable(parameter, sample);
  // Lists and scalars have the form of a query, and objects one pair for each member.
  return isSendable({ ...parameter, style: "form", explode: true, allowReserved: false }, sample);
}

/** Returns the pairs of a parameter in a query that has the form of a shape. */
export function shapedPairs(
  { lists, objects }: QueryShape,
  name: string,
  sample: Sample,
): Pair[] {
  if (sample === null) return [];
  if (typeof sample !== "object") return [[name, textOf(sample)]];
  switch (sample.kind) {
    case "list": {
      if (lists === "comma") return [[name, sample.items.map(textOf).join(",")]];
      return sample.items.map((each, index) => {
        const brackets = name.endsWith("[]") ? "" : "[]";
        return [
          name + { repeat: "", brackets, indices: `[${index}]` }[lists],
          textOf(each),
        ];
      });
    }
    case "object":
      return sample.members.map((
        [key, value],
      ) => [objects === "dots" ? `${name}.${key}` : `${name}[${key}]`, textOf(value)]);
    case "date":
      return [[name, new Date(sample.text).toISOString()]];
    default:
      return [[name, textOf(sample)]];
  }
}

/** Returns the pairs of a field of an upload: lists and objects in brackets, as `uploadForm` writes. */
export function uploadPairs(name: string, sample: Sample): Pair[] | undefined {
  if (sample === null) return undefined;
  if (typeof sample !== "object") {
    const text = String(sample);
    // Line breaks are written in one form.
    return /[\r\n]/.test(text) ? undefined : [[name, text]];
  }
  switch (sample.kind) {
    case "file":
      return [[name, sample.text]];
    case "date":
      return [[name, new Date(sample.text).toISOString()]];
    case "bigint":
      return [[name, String(sample.value)]];
    case "list":
      return all(sample.items.map((each) => uploadPairs(`${name}[]`, each)));
    case "object":
      return all(sample.members.map(([key, each]) => uploadPairs(`${name}[${key}]`, each)));
    default:
      return undefined;
  }
}

function all(parts: readonly (readonly Pair[] | undefined)[]): Pair[] | undefined {
  return parts.includes(undefined) ? undefined : parts.flatMap((each) => each!);
}
