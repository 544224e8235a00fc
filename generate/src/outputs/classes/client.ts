/** Prints the class of the client and its options. */

import type {
  ClientPlan,
  Comment,
  Property,
  SchemePlan,
  SdkModel,
  ServerPlan,
  Type,
} from "../../model/mod.ts";
import { unionOf } from "../../algebra/types.ts";
import { printComment, WIDTH } from "../../print/comments.ts";
import { Imports } from "../../print/imports.ts";
import {
  call,
  type Layout,
  listOf,
  object,
  property,
  render,
  statement,
} from "../../print/layout.ts";
import { objectKey, quoted } from "../../print/literals.ts";
import { printProperty, printType } from "../../print/types.ts";
import { template } from "../../print/urls.ts";
import { credentialText, schemeOf, useOf } from "../../print/credentials.ts";

/** Returns the text of `client.ts`. */
export function printClient(plan: SdkModel, toolkit: string): string {
  const { client } = plan;
  const imports = new Imports();
  imports.value(toolkit, "APIClient");
  imports.type(toolkit, "ClientOptions");
  const options = printOptions(client, toolkit, imports);
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
  const members = [statics, ...own.fields, fields.join(""), own.code, copying]
    .filter((each) => each !== "");
  return `${imports.print()}${options}\n${printComment(client.comment, 0)}` +
    `export class ${client.className} extends APIClient {\n${members.join("\n")}}\n`;
}

/** Returns the type of an option for credentials. */
function credentialType(
  { scheme }: SchemePlan,
  imports: Imports,
  toolkit: string,
): string {
  switch (scheme.kind) {
    case "basic":
    case "digest":
      return "readonly [username: string, password: string]";
    case "apiKey":
      return "string";
    case "bearer":
      return "string | (() => string | Promise<string>)";
    case "oauth2":
    case "openId":
      imports.type(`${toolkit}/auth`, "Auth");
      return "string | (() => string | Promise<string>) | Auth";
    case "other":
      imports.type(`${toolkit}/auth`, "Auth");
      return "Auth";
  }
}

function printOptions(client: ClientPlan, toolkit: string, imports: Imports): string {
  const lines = client.schemes.map((scheme) => {
    const own = scheme.comment.text;
    const text = [credentialText(scheme), own].filter((each) => each !== "").join("\n\n");
    const type = credentialType(scheme, imports, toolkit);
    return `${
      printComment({ text, tags: [] }, 2)
    }  readonly ${scheme.option}?: ${type} | undefined;\n`;
  });
  const properties: Property[] = [];
  if (client.servers.length > 1) {
    const list = client.servers.map(({ name, url, description }) => {
      const about = [name === url ? "" : url, description.split("\n")[0]!]
        .filter((each) => each !== "").join(", ");
      return `- \`${name}\`${about === "" ? "" : `: ${about}`}`;
    });
    const type = literals(client.servers.map(({ name }) => name));
    const text = `The server, unless \`baseUrl\` is set.\n\n${list.join("\n")}`;
    properties.push(optionOf("server", type, text, client.servers[0]!.name));
  }
  for (const { option, default: fallback, values, comment } of client.variables) {
    const type: Type = values === undefined ? { kind: "string" } : literals(values);
    properties.push(optionOf(option, type, comment.text || "A part of the base URL.", fallback));
  }
  if (client.servers.length === 0) {
    const text = "The root URL of the API: the document names no server with a host.";
    properties.unshift({
      name: "baseUrl",
      type: { kind: "string" },
      optional: false,
      readonly: true,
      comment: { text, tags: [] },
    });
  }
  if (client.ownServers.length > 0) properties.push(serversOption(client));
  lines.push(...properties.map((each) => printProperty(each, 2)));
  const start = `/** Options of {@linkcode ${client.className}}. */\n` +
    `export interface ${client.optionsType} extends ClientOptions {`;
  return lines.length === 0 ? `${start}}\n` : `${start}\n${lines.join("")}}\n`;
}

/** Returns the option with the URLs of servers that operations have of their own. */
function serversOption({ ownServers, servers: [server] }: ClientPlan): Property {
  const list = ownServers.map(({ name, url }) => `- \`${name}\`: ${url}`).join("\n");
  const others = ownServers.filter(({ url }) =>
    server === undefined || new URL(url).origin !== new URL(server.url).origin
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
      comment: { text: "", tags: [] },
    })),
  };
  const text = `${start} ${end}\n\n${list}`;
  return { name: "servers", type, optional: true, readonly: true, comment: { text, tags: [] } };
}

function literals(values: readonly string[]): Type {
  return unionOf(values.map((value) => ({ kind: "literal", value })));
}

function optionOf(name: string, type: Type, text: string, fallback: string): Property {
  const comment: Comment = { text, tags: [["default", `{${JSON.stringify(fallback)}}`]] };
  return { name, type, optional: true, readonly: true, comment };
}

function printStatics(client: ClientPlan, toolkit: string, imports: Imports): string {
  const names = otherOptions(client);
  const credentials = client.schemes.map(({ option }) => option);
  const [server] = client.servers;
  const lines: [name: string, type: string, value: Layout][] = [];
  if (server !== undefined) lines.push(["baseUrl", "string", quoted(server.url)]);
  lines.push(["libName", "string", quoted(client.libName)]);
  if (client.apiVersion !== "") lines.push(["libVersion", "string", quoted(client.apiVersion)]);
  lines.push(["jitter", '"none" | "full" | "equal"', quoted("full")]);
  if (names.length > 0) lines.push(["optionNames", "readonly string[]", listOf(names)]);
  if (credentials.length > 0) {
    lines.push(["credentialOptions", "readonly string[]", listOf(credentials)]);
  }
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
};

/** Returns the names of the options that only this client has. */
function optionNames(client: ClientPlan): string[] {
  return [...client.schemes.map(({ option }) => option), ...otherOptions(client)];
}

/** Returns the names of its options without credentials. */
function otherOptions(client: ClientPlan): string[] {
  return [...urlOptions(client), ...client.ownServers.length > 0 ? ["servers"] : []];
}

/** Returns the names of the options of which the base URL is made. */
function urlOptions({ variables, servers }: ClientPlan): string[] {
  return [...servers.length > 1 ? ["server"] : [], ...variables.map(({ option }) => option)];
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
  client: ClientPlan,
  toolkit: string,
  imports: Imports,
): { readonly fields: readonly string[]; readonly code: string } {
  const { schemes, variables, servers, ownServers, optionsType } = client;
  const names = [...schemes.map(({ option }) => option), ...urlOptions(client)];
  const isRequired = servers.length === 0;
  if (names.length + ownServers.length === 0 && !isRequired) return { fields: [], code: "" };
  const parts: ConstructorParts = { fields: [], lines: [], picked: [], defaults: [], assigned: [] };
  if (names.length > 0) {
    const fallbacks = new Map(variables.map((each) => [each.option, each.default]));
    if (servers.length > 1) fallbacks.set("server", servers[0]!.name);
    const picked = names.map((name) =>
      fallbacks.has(name) ? `${name} = ${quoted(fallbacks.get(name)!)}` : name
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
  { schemes, security, ownServers }: ClientPlan,
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
function addUrls({ lines, defaults }: ConstructorParts, client: ClientPlan): string | undefined {
  const { servers, variables, ownServers } = client;
  if (urlOptions(client).length === 0 || servers.length === 0) return undefined;
  const urls = servers.map((server) => urlOf(server));
  let url = urls[0]!;
  if (servers.length > 1) {
    const areNames = variables.length === 0 && servers.every(({ name, url }) => name === url);
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
  { ownServers, servers: [server] }: ClientPlan,
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
function printCopying(client: ClientPlan, toolkit: string, imports: Imports): string {
  const names = optionNames(client);
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

function urlOf({ parts }: ServerPlan): string {
  return template(
    parts.map((part) => typeof part === "string" ? part : { expression: part.variable }),
  );
}
