/** The client: its names and texts, servers, credentials, options and settings. */

import type { Comment, Method, SdkClient, SecurityRequirements } from "../../model/mod.ts";
import { TOOLKIT_OPTIONS } from "../../names/toolkit_options.ts";
import { clientMembers, wordsOf } from "../../names/words.ts";
import type { GenerateOptions } from "../../options/mod.ts";
import { compare, objectAt, textAt } from "../../read/fields.ts";
import type { Operation } from "../../read/operations.ts";
import type { Node, Source } from "../../read/source.ts";
import type { SdkShape } from "../../sdk/shape.ts";
import { sentence } from "../methods/mod.ts";
import type { Unfinished } from "../parts.ts";
import {
  hiddenHeaders,
  isSameSecurity,
  nameOwnServers,
  planSecurity,
  planServers,
  type Security,
} from "../requests/mod.ts";
import { documentOptions, ownServersOption } from "./document_options.ts";
import { statedOptions } from "./stated_options.ts";

/** The option for the server, and the constants of a constructor. */
const ownNames: readonly string[] = ["options", "server", "servers", "schemes"];

/** A client, and what methods need of its document. */
export interface PlannedClient {
  readonly client: SdkClient;
  readonly security: Security;
  /** The URL of the first server of the document, which methods with a server of their own leave. */
  readonly documentUrl: string | undefined;
}

/**
 * Plans the client, without what depends on its methods.
 *
 * @param shape The shape of a client with resources
 * @param members The names of the resources and methods in such a client
 */
export function planClient(
  source: Source,
  operations: readonly Operation[],
  { className, optionsType, shape, members, timeout, baseError }: {
    readonly className: string;
    readonly optionsType: string;
    readonly shape: SdkShape | undefined;
    readonly members: readonly string[];
    /** The name of the base class of errors, if the client has one. */
    readonly baseError: string | undefined;
    /** The option `timeout` of the generator. */
    readonly timeout: GenerateOptions["timeout"];
  },
): PlannedClient {
  const info = objectAt(source, source.root, "info");
  const title = textAt(info, "title") ?? "";
  const taken = new Set([...TOOLKIT_OPTIONS, ...ownNames, ...clientMembers]);
  const servers = planServers(source, taken);
  const security = planSecurity(source, taken);
  const { schemes } = security;
  const options = shape === undefined ? documentOptions(servers, schemes) : statedOptions(source, {
    ...{ shape, schemes, servers, members, baseError },
    hidden: hiddenHeaders(source, operations),
  });
  for (const { node, wanted, option } of [...servers.renamed, ...security.renamed]) {
    if (!options.options.some(({ name }) => name === option)) continue;
    const message = `the client has another option ${JSON.stringify(wanted)}`;
    source.problem(node, "name", message, `the option is called ${option}`);
  }
  const settings = timeout === undefined
    ? options.settings
    : { ...options.settings, timeout: timeout === "none" ? null : timeout * 1000 };
  const client: SdkClient = {
    className,
    otherName: shape?.otherName,
    optionsType,
    comment: { text: clientText(info, title, className), tags: clientTags(source) },
    libName: wordsOf(className).map((word) => word.toLowerCase()).join("-"),
    libVersion: shape?.version ?? headerText(textAt(info, "version") ?? ""),
    ...options,
    settings,
    ownServers: [],
    schemes,
    security: commonSecurity(source, operations, security),
    errors: [],
  };
  return { client, security, documentUrl: servers.servers[0]?.url };
}

/** Returns a model whose client has the servers that operations have of their own. */
export function withOwnServers(model: Unfinished, documentUrl: string | undefined): Unfinished {
  const urls = model.groups.flatMap(({ methods }) => methods.flatMap(({ server }) => server ?? []));
  const ownServers = nameOwnServers([...new Set(urls)].toSorted(compare), documentUrl);
  if (ownServers.length === 0) return model;
  const { client, form } = model;
  // With resources, these servers belong to environments, and have no option.
  const options = form === "resources"
    ? client.options
    : [...client.options, ownServersOption(ownServers, documentUrl)];
  return { ...model, client: { ...client, ownServers, options } };
}

/**
 * Returns a model whose client has the header for idempotency keys, if the owner states one, or each POST
 * and PATCH declares the same. Its methods keep other headers.
 *
 * @param stated The header that the owner of the SDK states
 */
export function withIdempotencyHeader(model: Unfinished, stated: string | undefined): Unfinished {
  const { client, groups } = model;
  const usesSetting = ({ verb }: Method): boolean => verb === "POST" || verb === "PATCH";
  const headers = groups.flatMap(({ methods }) => methods.filter(usesSetting))
    .map((each) => each.idempotencyHeader);
  const [first] = headers;
  const isCommon = headers.every((each) => each?.toLowerCase() === first?.toLowerCase());
  const common = isCommon ? first ?? undefined : undefined;
  const header = stated ?? client.settings.idempotencyHeader ?? common;
  // A method needs to say only what differs from the setting of the client.
  const withoutOwn = (method: Method): Method => {
    const own = method.idempotencyHeader;
    const isSame = own === null
      ? header === undefined || !usesSetting(method)
      : usesSetting(method) && own?.toLowerCase() === header?.toLowerCase();
    return isSame ? { ...method, idempotencyHeader: undefined } : method;
  };
  return {
    ...model,
    client: header === undefined
      ? client
      : { ...client, settings: { ...client.settings, idempotencyHeader: header } },
    groups: groups.map((each) => ({ ...each, methods: each.methods.map(withoutOwn) })),
  };
}

/** Returns a text that a header can have, as the version does in the User-Agent; empty if it cannot. */
function headerText(text: string): string {
  return /^[ -~\xa0-\xff]*$/.test(text) ? text : "";
}

/** Returns what the document requires, or else what all operations do. */
function commonSecurity(
  source: Source,
  operations: readonly Operation[],
  security: Security,
): SecurityRequirements | undefined {
  const ofDocument = security.of(source.root);
  if (ofDocument !== undefined) return ofDocument.length > 0 ? ofDocument : undefined;
  const [first, ...others] = operations.map(({ node }) => security.of(node));
  if (first === undefined || first.length === 0) return undefined;
  return others.every((each) => isSameSecurity(first, each)) ? first : undefined;
}

function clientText(info: Node | undefined, title: string, className: string): string {
  const description = textAt(info, "description")?.trim() || textAt(info, "summary")?.trim() || "";
  return [sentence(title.trim() || className), description].filter((each) => each !== "")
    .join("\n\n");
}

function clientTags(source: Source): Comment["tags"] {
  const url = textAt(objectAt(source, source.root, "externalDocs"), "url");
  return url === undefined ? [] : [["see", url]];
}
