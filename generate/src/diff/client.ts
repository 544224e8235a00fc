/** Compares the options of two clients. */

import type { ClientPlan, SchemePlan } from "../model/mod.ts";
import type { Changes } from "./changes.ts";

/** The type of an option for credentials, for messages and to compare. */
const credentials: Readonly<Record<SchemePlan["scheme"]["kind"], string>> = {
  basic: "[username, password]",
  digest: "[username, password]",
  bearer: "a token or a function",
  apiKey: "a key",
  oauth2: "a token, a function or a scheme",
  openId: "a token, a function or a scheme",
  other: "a scheme",
};

/** The types that take each value of another one. */
const wider: Readonly<Record<string, readonly string[]>> = {
  "a key": ["a token or a function", "a token, a function or a scheme"],
  "a token or a function": ["a token, a function or a scheme"],
  "a scheme": ["a token, a function or a scheme"],
};

/** The separator of the types of an option that takes several. */
const SEPARATOR = " | ";

/** Adds what breaks those who create a client. */
export function compareClients(
  oldClient: ClientPlan,
  newClient: ClientPlan,
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
  if (hasUrl(oldClient) && !hasUrl(newClient)) {
    const message = "is required: the document names no server with a host any more";
    const option = oldClient.resources === undefined ? "baseUrl" : "baseURL";
    changes.add({ kind: "option-required", place: place(option), message });
  }
}

/** An option of a client. */
interface Option {
  readonly type: string;
  /** The values that it takes, if they are listed. */
  readonly values?: readonly string[] | undefined;
}

function optionsOf(
  { resources, schemes, servers, ownServers, variables }: ClientPlan,
): Map<string, Option> {
  const options = new Map<string, Option>();
  if (resources !== undefined) {
    for (const { name, type, isFunction, isNullable } of resources.options) {
      const types = [type.kind, ...isFunction ? ["function"] : [], ...isNullable ? ["null"] : []];
      options.set(name, { type: types.join(SEPARATOR) });
    }
    const values = resources.environments.map(([name]) => name);
    if (values.length > 0) options.set("environment", { type: "string", values });
    return options;
  }
  for (const { option, scheme } of schemes) options.set(option, { type: credentials[scheme.kind] });
  if (servers.length > 1) {
    options.set("server", { type: "string", values: servers.map(({ name }) => name) });
  }
  for (const { option, values } of variables) options.set(option, { type: "string", values });
  for (const { name } of ownServers) options.set(`servers.${name}`, { type: "string" });
  return options;
}

/** Reports if an option of a type takes all values of another type. */
function takes(type: string, other: string): boolean {
  const types = type.split(SEPARATOR);
  return other.split(SEPARATOR).every((each) =>
    types.includes(each) || wider[each]?.includes(type) === true
  );
}

function hasUrl({ resources, servers }: ClientPlan): boolean {
  return servers.length > 0 || (resources?.environments.length ?? 0) > 0;
}
