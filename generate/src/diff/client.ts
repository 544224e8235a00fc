/** Compares the options of two clients. */

import type { ClientPlan, SchemePlan } from "../plan/plan.ts";
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
    if (type !== found.type && wider[type]?.includes(found.type) !== true) {
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
    changes.add({ kind: "option-required", place: place("baseUrl"), message });
  }
}

/** An option of a client. */
interface Option {
  readonly type: string;
  /** The values that it takes, if they are listed. */
  readonly values?: readonly string[] | undefined;
}

function optionsOf({ schemes, servers, variables }: ClientPlan): Map<string, Option> {
  const options = new Map<string, Option>();
  for (const { option, scheme } of schemes) options.set(option, { type: credentials[scheme.kind] });
  if (servers.length > 1) {
    options.set("server", { type: "string", values: servers.map(({ name }) => name) });
  }
  for (const { option, values } of variables) options.set(option, { type: "string", values });
  return options;
}
