/** Prints the class of the client and its options. */

import type { ClientOption, Property, SdkClient, SdkModel, Type } from "../../model/mod.ts";
import { unionOf } from "../../algebra/types.ts";
import { printComment, WIDTH } from "../../print/comments.ts";
import { Imports } from "../../print/imports.ts";
import { call, type Layout, object, property, render, statement } from "../../print/layout.ts";
import { literal, objectKey, quoted } from "../../print/literals.ts";
import { printType } from "../../print/types.ts";
import { serverUrl } from "../../print/urls.ts";
import { webhookField } from "../../print/webhooks.ts";
import { schemeOf, useOf } from "../../print/credentials.ts";
import {
  nameStatics,
  optionStatics,
  printOptions,
  repetitionStatics,
  type StaticField,
} from "../../print/client_options.ts";

/** Returns the text of `client.ts`. */
export function printClient(plan: SdkModel, toolkit: string): string {
  const { client } = plan;
  const imports = new Imports();
  imports.value(toolkit, "APIClient");
  imports.type(toolkit, "ClientOptions");
  const options = printOptions(client, "ClientOptions", { toolkit, imports }, requiredUrl(client));
  const statics = printStatics(client, toolkit, imports);
  const fields = plan.groups.map(({ className, path: [field], file, comment }) => {
    imports.value(`./endpoints/${file}.ts`, className);
    const [text = ""] = comment.text.split("\n\n");
    const doc = printComment({ text, tags: [] }, 2);
    const start = `  readonly ${field}: ${className} = `;
    return `${doc}${start}${render(call(`new ${className}`, ["this"]), 2, start.length + 1)};\n`;
  });
  const own = printConstructor(client, toolkit, imports);
  const copying = printCopying(client, toolkit, imports);
  const ofWebhooks = webhookField(plan.webhookReader, imports);
  const members = [statics, ...own.fields, fields.join("") + ofWebhooks, own.code, copying]
    .filter((each) => each !== "");
  return `${imports.print()}${options}\n${printComment(client.comment, 0)}` +
    `export class ${client.className} extends APIClient {\n${members.join("\n")}}\n`;
}

/** Returns the option of the toolkit that is required if the document names no server. */
function requiredUrl({ servers }: SdkClient): Property[] {
  if (servers.length > 0) return [];
  const text = "The root URL of the API: the document names no server with a host.";
  return [{
    name: "baseUrl",
    type: { kind: "string" },
    optional: false,
    readonly: true,
    comment: { text, tags: [] },
  }];
}

function literals(values: readonly string[]): Type {
  return unionOf(values.map((value) => ({ kind: "literal", value })));
}

function printStatics(client: SdkClient, toolkit: string, imports: Imports): string {
  const [server] = client.servers;
  const lines: StaticField[] = [
    ...server === undefined ? [] : [["baseUrl", "string", quoted(server.url)] as const],
    ...nameStatics(client),
    ["jitter", '"none" | "full" | "equal"', quoted("full")],
    ...repetitionStatics(client),
    ...optionStatics(client),
  ];
  if (client.errors.length > 0) {
    imports.type(`${toolkit}/errors`, "ErrorMap");
    const entries = client.errors.map(({ status, className }) => {
      imports.value("./errors.ts", className);
      return property(String(status), className);
    });
    lines.push(["errorMap", "ErrorMap", object(entries)]);
  }
  return lines.map(([name, type, value]) => {
    const text = STATIC_COMMENTS[name];
    const comment = text === undefined ? "" : printComment({ text, tags: [] }, 2);
    const start = `  static override readonly ${name}: ${type} = `;
    return `${comment}${start}${render(value, 2, start.length + 1)};\n`;
  }).join("");
}

/** The comments of static fields that do not come from the document. */
const STATIC_COMMENTS: Readonly<Record<string, string>> = {
  jitter: "Clients on many machines retry at different times, so that a server can recover.",
  timeout:
    "The seconds without data after which an attempt fails. Streams and long polls have none.",
  idempotencyHeader: "Each POST and PATCH gets a key, by which the server recognises a repetition.",
};

/** Returns the options of which the base URL is made. */
function urlOptions({ options }: SdkClient): readonly ClientOption[] {
  return options.filter(({ role, isInUrl }) => role === "server" || isInUrl === true);
}

/** The parts of a constructor, in the order in which they are printed. */
interface ConstructorParts {
  /** The fields that it sets. */
  readonly fields: string[];
  readonly lines: string[];
  /** The options that are taken out of the object after the schemes and URLs are made. */
  readonly picked: Layout[];
  /** The defaults that the class computes. */
  readonly defaults: Layout[];
  readonly assigned: string[];
}

/** Returns the constructor, and the fields that it sets. */
function printConstructor(
  client: SdkClient,
  toolkit: string,
  imports: Imports,
): { readonly fields: readonly string[]; readonly code: string } {
  const { options, schemes, servers, ownServers, optionsType } = client;
  const read = options.filter(({ role }) => role !== "ownServers");
  const isRequired = servers.length === 0;
  if (options.length === 0 && !isRequired) return { fields: [], code: "" };
  const parts: ConstructorParts = { fields: [], lines: [], picked: [], defaults: [], assigned: [] };
  if (read.length > 0) {
    const picked = read.map(({ name, default: fallback }) =>
      fallback === undefined ? name : `${name} = ${literal(fallback)}`
    );
    parts.lines.push(statement("const ", object(picked), " = options;"));
  }
  if (schemes.length > 0) addSchemes(parts, client, toolkit, imports);
  const url = addUrls(parts, client);
  if (ownServers.length > 0) {
    addServerUrls(parts, client, url, imports.value(toolkit, "ServerUrls"));
  }
  const { defaults, assigned } = parts;
  const given = schemes.length > 0 ? "{ ...options, auth }" : "options";
  const sent: Layout[] = defaults.length === 0 ? [given] : [given, object(defaults)];
  const lines = [...parts.lines, statement("", call("super", sent), ";"), ...assigned];
  const head = `  constructor(options: ${optionsType}${isRequired ? "" : " = {}"}) {\n`;
  return { fields: parts.fields, code: `${head}${lines.join("")}  }\n` };
}

/** Adds the security schemes with the values of their options. */
function addSchemes(
  { fields, lines, picked, assigned }: ConstructorParts,
  { schemes, security, ownServers }: SdkClient,
  toolkit: string,
  imports: Imports,
): void {
  imports.value(`${toolkit}/auth`, "AuthSchemes");
  const entries = schemes.map((scheme) =>
    property(scheme.option, schemeOf(scheme, toolkit, imports))
  );
  lines.push(statement("const authSchemes = ", call("new AuthSchemes", [object(entries)]), ";"));
  const text = "The security schemes. Each call takes those that it requires.";
  fields.push(fieldOf("authSchemes", "AuthSchemes", schemes.map(({ option }) => option), text));
  const start = "auth = authSchemes";
  picked.push(security === undefined ? start : useOf(start, security));
  // The servers take the base URL out of the options, too.
  if (ownServers.length === 0) lines.push(statement("const ", object(picked), " = options;"));
  assigned.push("    this.authSchemes = authSchemes;\n");
}

/** Adds the base URL by the options of which it is made. Returns it; undefined if the static has it. */
function addUrls({ lines, defaults }: ConstructorParts, client: SdkClient): string | undefined {
  const { servers, ownServers } = client;
  if (urlOptions(client).length === 0 || servers.length === 0) return undefined;
  const urls = servers.map((server) => serverUrl(server));
  let url = urls[0]!;
  if (servers.length > 1) {
    const areNames = urlOptions(client).length === 1 &&
      servers.every(({ name, url }) => name === url);
    url = areNames ? "server" : "servers[server]";
    const entries = servers.map(({ name }, index) => property(objectKey(name), urls[index]!));
    if (!areNames) lines.push(statement("const servers = ", object(entries), ";"));
  }
  if (ownServers.length === 0) defaults.push(`baseUrl: ${url}`);
  return url;
}

/** Adds the URLs of the servers that operations have of their own. */
function addServerUrls(
  { fields, lines, picked, defaults, assigned }: ConstructorParts,
  { ownServers, servers: [server] }: SdkClient,
  url: string | undefined,
  className: string,
): void {
  picked.push(server === undefined ? "baseUrl" : `baseUrl = ${url ?? "new.target.baseUrl"}`);
  lines.push(statement("const ", object(picked), " = options;"));
  const list = object([
    "baseUrl",
    ...server === undefined ? [] : [`defaultUrl: ${quoted(server.url)}`],
    object(
      ownServers.map(({ name, url }) => property(objectKey(name), quoted(url))),
      "servers: ",
    ),
  ]);
  lines.push(
    statement("const serverUrls = ", call(`new ${className}`, [list, "options.servers"]), ";"),
  );
  const text = "The URLs of the calls that do not go to the base URL.";
  fields.push(fieldOf("serverUrls", className, ownServers.map(({ name }) => name), text));
  defaults.push("baseUrl", "trustedOrigins: [...new.target.trustedOrigins, ...serverUrls.origins]");
  assigned.push("    this.serverUrls = serverUrls;\n");
}

/** Returns a field whose type has a parameter with names. */
function fieldOf(name: string, className: string, names: readonly string[], text: string): string {
  const start = `  readonly ${name}: ${className}<`;
  const type = printType(literals(names), { indent: 2, used: start.length + ">;".length });
  const end = type.startsWith("\n") ? "\n  >;\n" : ">;\n";
  return `${printComment({ text, tags: [] }, 2)}${start}${type}${end}`;
}

/** Returns the method `withOptions`, which accepts the client's own options, too. */
function printCopying(client: SdkClient, toolkit: string, imports: Imports): string {
  const names = client.options.map(({ name }) => name);
  if (names.length === 0) return "";
  const changes = imports.type(toolkit, "OptionChanges");
  const start = `${changes} & Pick<${client.optionsType}, `;
  const line = `${start}${names.map(quoted).join(" | ")}>`;
  const isShort = `  override withOptions(changes: ${line}): this {`.length <= WIDTH;
  const own = names.map((name) => `\n      | ${quoted(name)}`).join("");
  const parameter = isShort
    ? `changes: ${line}`
    : `\n    changes: ${changes} & Pick<\n      ${client.optionsType},${own}\n    >,\n  `;
  return `  override withOptions(${parameter}): this {\n    return super.withOptions(changes);\n  }\n`;
}
