/** The options of a client by its document: credentials, the server, and the variables of its URL. */

import { unionOf } from "../../algebra/types.ts";
import type {
  ClientOption,
  Comment,
  OwnServer,
  SdkClient,
  SecurityScheme,
  Type,
} from "../../model/mod.ts";
import type { Servers } from "../requests/mod.ts";

/** The parts of a client that are made with its options. */
export type PlannedOptions = Pick<SdkClient, "credentials" | "options" | "servers" | "settings">;

/** The timeout of a client in milliseconds, if its owner states none. */
const TIMEOUT = 60_000;

/** Returns the options of a client: one for each scheme, for the server, and for each variable. */
export function documentOptions(
  { servers, variables }: Servers,
  schemes: readonly SecurityScheme[],
): PlannedOptions {
  const options = [
    ...schemes.map((each) => schemeOption(each)),
    ...servers.length > 1 ? [serverOption("server", "baseUrl", servers)] : [],
    ...variables.map(({ option: name, default: fallback, values, comment }): ClientOption => ({
      ...{ name, role: "value", comment, default: fallback, isInUrl: true },
      types: [values === undefined ? { kind: "string" } : literals(values)],
    })),
  ];
  const credentials = schemes.map(({ option }) => ({ scheme: option, options: [option] }));
  return { servers, options, credentials, settings: { headers: [], timeout: TIMEOUT } };
}

/** Returns the option with the value of a scheme. */
function schemeOption({ option, scheme, comment }: SecurityScheme): ClientOption {
  const text: Type = { kind: "string" };
  const types: Readonly<Record<SecurityScheme["scheme"]["kind"], ClientOption["types"]>> = {
    basic: [{ kind: "pair" }],
    digest: [{ kind: "pair" }],
    apiKey: [text],
    bearer: [text, { kind: "function" }],
    oauth2: [text, { kind: "function" }, { kind: "scheme" }],
    openId: [text, { kind: "function" }, { kind: "scheme" }],
    other: [{ kind: "scheme" }],
  };
  return { name: option, role: "credential", types: types[scheme.kind], comment };
}

/** Returns the option with the name of a server. */
export function serverOption(
  name: string,
  baseUrl: string,
  servers: SdkClient["servers"],
): ClientOption {
  const list = servers.map(({ name, url, description }) => {
    const about = [name === url ? "" : url, description.split("\n")[0]!]
      .filter((each) => each !== "").join(", ");
    return `- \`${name}\`${about === "" ? "" : `: ${about}`}`;
  });
  const text = `The ${name}, unless \`${baseUrl}\` is set.\n\n${list.join("\n")}`;
  return {
    name,
    role: "server",
    types: [literals(servers.map((each) => each.name))],
    comment: { text, tags: [] },
    default: servers[0]!.name,
  };
}

/** Returns the option with the URLs of servers that operations have of their own. */
export function ownServersOption(
  ownServers: readonly OwnServer[],
  baseUrl: string | undefined,
): ClientOption {
  const list = ownServers.map(({ name, url }) => `- \`${name}\`: ${url}`).join("\n");
  const others = ownServers.filter(({ url }) =>
    baseUrl === undefined || new URL(url).origin !== new URL(baseUrl).origin
  );
  const start = "The URLs of servers to which some calls go, instead of the base URL.";
  const needed = others.map(({ name }) => `\`${name}\``).join(", ");
  const end = others.length === 0
    ? "By default, they move with the base URL."
    : `With another base URL, set ${needed}.`;
  const type: Type = {
    kind: "object",
    properties: ownServers.map(({ name }) => ({
      name,
      type: { kind: "string" },
      optional: true,
      readonly: true,
      comment: noText,
    })),
  };
  const comment = { text: `${start} ${end}\n\n${list}`, tags: [] };
  return { name: "servers", role: "ownServers", types: [type], comment };
}

const noText: Comment = { text: "", tags: [] };

function literals(values: readonly string[]): Type {
  return unionOf(values.map((value) => ({ kind: "literal", value })));
}
