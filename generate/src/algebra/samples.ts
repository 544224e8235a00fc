/** Samples as JSON, and with other members. */

import type { Sample } from "../model/mod.ts";

/** Returns a sample as JSON has it. A file has no JSON. */
export function wireOf(sample: Sample): unknown {
  if (typeof sample !== "object" || sample === null) return sample;
  switch (sample.kind) {
    case "date":
    case "file":
      return sample.text;
    case "bigint":
      return sample.value;
    case "model":
      return wireOf(sample.json);
    case "list":
      return sample.items.map(wireOf);
    case "object": {
      const object: Record<string, unknown> = Object.create(null);
      for (const [name, value] of sample.members) object[name] = wireOf(value);
      return object;
    }
  }
}

/** Returns an object with another value at a place; undefined if there is no object. */
export function withMember(
  sample: Sample,
  [name, ...rest]: readonly string[],
  value: Sample | undefined,
): Sample | undefined {
  if (name === undefined) return value;
  if (typeof sample !== "object" || sample === null) return undefined;
  if (sample.kind === "model") {
    const json = withMember(sample.json, [name, ...rest], value);
    return json && { ...sample, json };
  }
  if (sample.kind !== "object") return undefined;
  const { members } = sample;
  const known = members.find(([key]) => key === name)?.[1] ?? { kind: "object", members: [] };
  const inner = withMember(known, rest, value);
  // Without a value, the member is left out.
  if (inner === undefined) {
    return rest.length > 0
      ? undefined
      : { ...sample, members: members.filter(([key]) => key !== name) };
  }
  const isNew = !members.some(([key]) => key === name);
  return {
    ...sample,
    members: isNew
      ? [...members, [name, inner]]
      : members.map((each) => each[0] === name ? [name, inner] as const : each),
  };
}

/** Reports if a sample is the same in JSON. */
export function isPlainSample(sample: Sample): boolean {
  if (typeof sample !== "object" || sample === null) return true;
  if (sample.kind === "list") return sample.items.every(isPlainSample);
  return sample.kind === "object" && sample.members.every(([, each]) => isPlainSample(each));
}

/** Returns a member of a sample. */
export function memberOf(sample: Sample, name: string): Sample | undefined {
  if (typeof sample !== "object" || sample === null) return undefined;
  if (sample.kind === "model") return memberOf(sample.json, name);
  return sample.kind === "object" ? sample.members.find(([key]) => key === name)?.[1] : undefined;
}
