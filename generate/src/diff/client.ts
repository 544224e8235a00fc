/** Compares the options of two clients. */

import { baseUrlOption } from "../algebra/servers.ts";
import type { ClientOption, SdkClient, SdkModel } from "../model/mod.ts";
import type { Changes } from "./changes.ts";

/** The separator of the types of an option that takes several. */
const SEPARATOR = " | ";

/** Adds what breaks those who create a client. */
export function compareClients(
  { client: oldClient, form }: SdkModel,
  { client: newClient }: SdkModel,
  changes: Changes,
): void {
  const place = (option: string): string => `${oldClient.className} option ${option}`;
  const news = optionsOf(newClient);
  for (const [option, { type, values }] of optionsOf(oldClient)) {
    const found = news.get(option);
    if (found === undefined) {
      const message = "the option was removed";
      changes.add({ kind: "option-removed", place: place(option), message });
      continue;
    }
    if (!takes(found.type, type)) {
      const message = `was ${type}, is ${found.type}`;
      changes.add({ kind: "type-changed", place: place(option), message });
    }
    const gone = found.values === undefined
      ? []
      : values?.filter((each) => !found.values!.includes(each)) ?? [];
    for (const value of gone) {
      const message = `the value ${JSON.stringify(value)} was removed`;
      changes.add({ kind: "value-removed", place: place(option), message });
    }
    if (values === undefined && found.values !== undefined) {
      const message = `was any string, is one of ${found.values.length} values`;
      changes.add({ kind: "type-changed", place: place(option), message });
    }
  }
  if (oldClient.servers.length > 0 && newClient.servers.length === 0) {
    const message = "is required: the document names no server with a host any more";
    changes.add({ kind: "option-required", place: place(baseUrlOption(form)), message });
  }
}

/** An option of a client. */
interface Option {
  readonly type: string;
  /** The values that it takes, if they are listed. */
  readonly values?: readonly string[] | undefined;
}

function optionsOf({ options, ownServers }: SdkClient): Map<string, Option> {
  return new Map(options.flatMap(({ name, role, types }): [string, Option][] => {
    if (role === "ownServers") {
      return ownServers.map((each) => [`servers.${each.name}`, { type: "string" }]);
    }
    const values = types.flatMap(literalsOf);
    if (values.length > 0) return [[name, { type: "string", values }]];
    const kinds = types.map(({ kind }) => kind === "pair" ? "[username, password]" : kind);
    return [[name, { type: kinds.join(SEPARATOR) }]];
  }));
}

/** Returns the values of a type that lists them. */
function literalsOf(type: ClientOption["types"][number]): string[] {
  if (type.kind === "union") return type.members.flatMap(literalsOf);
  return type.kind === "literal" ? [String(type.value)] : [];
}

/** Reports if an option of a type takes all values of another type. */
function takes(type: string, other: string): boolean {
  const types = type.split(SEPARATOR);
  return other.split(SEPARATOR).every((each) => types.includes(each));
}
