/** Prints the client of resources, its options, and the classes of pages. */

import type {
  ClientOption,
  Comment,
  Credential,
  PageClass,
  PagingRule,
  Property,
  SdkClient,
  SdkModel,
  SecurityScheme,
} from "../../model/mod.ts";
import { defaultUrl } from "../../algebra/servers.ts";
import {
  nameStatics,
  optionStatics,
  printOptions,
  printOptionType,
  repetitionStatics,
  type StaticField,
} from "../../print/client_options.ts";
import { schemeOf, useOf } from "../../print/credentials.ts";
import {
  call,
  type Layout,
  listOf,
  object,
  property,
  render,
  statement,
} from "../../print/layout.ts";
import { printComment } from "../../print/comments.ts";
import { documented } from "../../print/method_comments.ts";
import { Imports } from "../../print/imports.ts";
import { literal, objectKey, quoted } from "../../print/literals.ts";
import { ruleLayout } from "../../print/pages.ts";
import { addTypes, printMembers, printMethod, printNamespace, printTypes } from "./resources.ts";
import { groupsIn } from "../../algebra/groups.ts";
import { addReferences } from "../../algebra/references.ts";
import { printProperty } from "../../print/types.ts";
import { serverUrl } from "../../print/urls.ts";
import { capitalized, wordsOf } from "../../names/words.ts";
import { webhookField } from "../../print/webhooks.ts";

const noText: Comment = { text: "", tags: [] };

/** Returns the text of `client.ts`. */
export function printResourceClient(plan: SdkModel, toolkit: string): string {
  const { client, groups } = plan;
  const imports = new Imports("./");
  const module = `${toolkit}/resources`;
  imports.value(module, "ResourceClient");
  imports.type(module, "ResourceClientOptions");
  const itself = groups.find(({ place }) => place === "client");
  const shared = groups.find(({ place }) => place === "shared");
  const children = groupsIn(plan, []);
  const methods = itself === undefined ? [] : documented(itself).methods
    .map((each) => printMethod(each, { plan, toolkit, imports, client: "this" }));
  if (itself !== undefined) addTypes(itself, imports, toolkit);
  const members = printMembers(children, imports, (file) => `../resources/${file}.ts`, "this");
  const parts = [
    printStatics(plan, toolkit, imports),
    printFields(client, { toolkit, imports }),
    members + webhookField(plan.webhookReader, imports),
    printConstructor(plan, toolkit, imports),
    printCopying(plan),
    ...methods,
  ].filter((each) => each !== "");
  const code = `${printComment(client.comment, 0)}` +
    `export class ${client.className} extends ResourceClient {\n${parts.join("\n")}}\n`;
  const types = itself === undefined ? "" : printTypes(itself, imports);
  const namespace = printNamespace(
    {
      className: client.className,
      methods: itself?.methods ?? [],
      types: itself?.types ?? [],
      namespace: [
        ["ClientOptions", client.optionsType],
        ...itself?.namespace ?? [],
        ...shared?.namespace ?? [],
      ],
    },
    { children, imports, declaredTypes: [client.optionsType] },
  );
  const options = printOptions(client, "ResourceClientOptions", {
    ...{ toolkit, imports, isMutable: true },
  });
  const text = [
    options,
    code,
    types,
    namespace,
    `export default ${client.className};\n${otherExport(client)}`,
  ]
    .filter((each) => each !== "").join("\n");
  return imports.print() + text;
}

/** Returns the export by which programs import a class under another name, too. */
export function otherExport(
  { className, otherName }: Pick<SdkClient, "className" | "otherName">,
): string {
  return otherName === undefined ? "" : `export { ${className} as ${otherName} };\n`;
}

function printStatics({ client }: SdkModel, toolkit: string, imports: Imports): string {
  const url = defaultUrl(client);
  const lines: StaticField[] = [
    ...url === undefined ? [] : [["baseUrl", "string", quoted(url)] as const],
    ...nameStatics(client),
    ...serverStatics(client),
    ...optionStatics(client),
    ...settingStatics(client, toolkit, imports),
    // The owners of these SDKs count by them.
    ["stainlessHeaders", "boolean", "true"],
  ];
  const { baseError } = client.settings;
  const ofErrors = baseError === undefined
    ? ""
    : `  /** The base class of all errors. */\n  static readonly ${baseError}: typeof ${
      imports.value("../errors.ts", baseError)
    } = ${baseError};\n`;
  return lines.map(([name, type, value]) => {
    const start = `  static override readonly ${name}: ${type} = `;
    return `${start}${render(value, 2, start.length + 1)};\n`;
  }).join("") + ofErrors;
}

/** Returns the statics with the servers, if some calls go to others. */
function serverStatics(client: SdkClient): StaticField[] {
  const { servers, ownServers } = client;
  if (ownServers.length === 0) return [];
  const url = defaultUrl(client);
  const urls: readonly (readonly [name: string, url: string])[] = servers.length > 1
    ? servers.map((each) => [each.name, each.url])
    : url === undefined
    ? []
    : [["default", url]];
  const entries = urls.map(([name, each]) => property(objectKey(name), quoted(each)));
  const origins = [...new Set(ownServers.map((each) => new URL(each.url).origin))]
    .filter((origin) => urls.length !== 1 || new URL(urls[0]![1]).origin !== origin);
  return [
    ...entries.length === 0
      ? []
      : [["environments", "Readonly<Record<string, string>>", object(entries)] as const],
    ...origins.length === 0
      ? []
      : [["trustedOrigins", "readonly string[]", listOf(origins)] as const],
  ];
}

/** Returns the statics with the settings of all calls. */
function settingStatics(
  client: SdkClient,
  toolkit: string,
  imports: Imports,
): StaticField[] {
  const { maxRetries, backoff, maxBackoff, query } = client.settings;
  const lines: StaticField[] = [];
  if (maxRetries !== undefined) lines.push(["retries", "number", String(maxRetries)]);
  lines.push(...repetitionStatics(client));
  if (backoff !== undefined) {
    const wait = `(retry) => ${backoff} * 2 ** (retry - 1) * (1 - Math.random() / 4)`;
    lines.push(["backoff", "number | ((retry: number) => number)", wait]);
  }
  if (maxBackoff !== undefined) lines.push(["maxBackoff", "number | null", String(maxBackoff)]);
  if (query !== undefined) {
    imports.type(toolkit, "ParamsStyle");
    lines.push(["paramsStyle", "ParamsStyle", queryStyle(query, toolkit, imports)]);
  }
  return lines;
}

/** Returns the style of the query. The toolkit has all but those with indices and dots. */
function queryStyle(
  { lists, objects }: NonNullable<SdkClient["settings"]["query"]>,
  toolkit: string,
  imports: Imports,
): Layout {
  if (lists !== "indices" && objects === "brackets") {
    return object([`arrays: ${quoted(lists)}`, `objects: "brackets"`]);
  }
  imports.value(`${toolkit}/resources`, "nestedQuery");
  return call("nestedQuery", [object([`lists: ${quoted(lists)}`, `objects: ${quoted(objects)}`])]);
}

/** Returns the options that are fields of the client. */
function fieldOptions({ options }: SdkClient): ClientOption[] {
  return options.filter(({ role }) => role !== "server");
}

/** Returns the fields of the client with the values of its options. */
function printFields(
  client: SdkClient,
  place: { readonly toolkit: string; readonly imports: Imports },
): string {
  const lines = fieldOptions(client).map((option) => {
    const mayMiss = option.isRequired !== true &&
      (option.types.length > 1 || option.default === undefined);
    const type = `${printOptionType(option, place)}${mayMiss ? " | undefined" : ""}`;
    const name = option.name;
    return `  /** The option \`${name}\`. If another value is assigned, later calls have it. */\n` +
      `  declare ${name}: ${type};\n`;
  });
  return lines.join("");
}

function printConstructor({ client }: SdkModel, toolkit: string, imports: Imports): string {
  const { options, credentials, servers, settings: { headers, baseUrlEnv } } = client;
  const isPlain = options.length === 0 && credentials.length === 0 && headers.length === 0;
  if (isPlain && baseUrlEnv === undefined) return "";
  const env = (name: string) => `${imports.value(toolkit, "readEnv")}(${quoted(name)})`;
  const lines: string[] = [];
  if (options.length > 0) {
    const picked = options.map((option) => pickedOption(option, env));
    lines.push(statement("const ", object(picked), " = options;"));
  }
  for (const option of options) lines.push(...missingCheck(client, option, imports));
  if (servers.length > 1) {
    const entries = servers.map((each) => property(objectKey(each.name), serverUrl(each)));
    lines.push(statement("const environments = ", object(entries), ";"));
  }
  const settings: Layout[] = baseUrlLayout(client, env);
  if (credentials.length > 0) {
    lines.push(schemesStatement(client, toolkit, imports));
    settings.push(
      client.security === undefined
        ? "auth: authSchemes"
        : useOf("auth: authSchemes", client.security),
    );
  }
  const sent = sentHeaders(client);
  if (sent.length > 0) settings.push(object(sent, "headers: "));
  const queries = options.flatMap(({ name, query }) =>
    query === undefined ? [] : [property(objectKey(query), `${name} ?? undefined`)]
  );
  if (queries.length > 0) settings.push(object(queries, "params: "));
  const fields = fieldOptions(client).map(({ name }) => name);
  const own: Layout[] = [
    ...fields.length === 0 ? [] : [object(fields, "fields: ")],
    ...credentials.length === 0 ? [] : ["schemes: authSchemes"],
  ];
  const args = [object(settings), ...own.length === 0 ? [] : [object(own)]];
  lines.push(statement("", call("super", ["options", ...args]), ";"));
  return `  constructor(options: ${client.optionsType} = {}) {\n${lines.join("")}  }\n`;
}

/** Returns the statement that throws if an option is missing that the client cannot do without. */
function missingCheck(
  { className, settings: { baseError } }: SdkClient,
  { name, env, isRequired, types: [type] }: ClientOption,
  imports: Imports,
): string[] {
  if (isRequired !== true || baseError === undefined) return [];
  const value = type!.kind === "number"
    ? "0"
    : type!.kind === "boolean"
    ? "true"
    : `'My ${
      wordsOf(name).map((word) =>
        /^(?:api|id|url)$/i.test(word) ? word.toUpperCase() : capitalized(word)
      )
        .join(" ")
    }'`;
  // The sentences are those of the SDK before, which programs and their users know.
  const example = `the ${className} client with an ${name} option, like new ${className}({ ` +
    `${name}: ${value} }).`;
  const message = env === undefined
    ? `Missing required client option ${name}; you need to instantiate ${example}`
    : `The ${env} environment variable is missing or empty; either provide it, or instantiate ${example}`;
  imports.value("../errors.ts", baseError);
  const thrown = statement("throw ", call(`new ${baseError}`, [quoted(message)]), ";", 6);
  return [`    if (${name} === undefined) {\n${thrown}    }\n`];
}

/** Returns an option as it is taken out of the object, with its value if a caller passes none. */
function pickedOption(
  { name, types: [type], env: variable, default: fallback }: ClientOption,
  env: (name: string) => string,
): string {
  const read = variable === undefined ? undefined : env(variable);
  const isSet = `${read} === undefined ? undefined`;
  const converted = read === undefined || type!.kind === "string"
    ? read
    : type!.kind === "number"
    ? `(${isSet} : Number(${read}))`
    : `(${isSet} : ${read} === "true")`;
  const values = [converted, fallback === undefined ? undefined : literal(fallback)]
    .filter((each) => each !== undefined);
  return values.length === 0 ? name : `${name} = ${values.join(" ?? ")}`;
}

/** Returns the setting of the base URL; none if the static is right. */
function baseUrlLayout(
  { servers, settings: { baseUrlEnv } }: SdkClient,
  env: (name: string) => string,
): Layout[] {
  const [server] = servers;
  const url = servers.length > 1
    ? "environments[environment]"
    : server === undefined || server.parts.every((part) => typeof part === "string")
    ? undefined
    : serverUrl(server);
  if (baseUrlEnv === undefined) return url === undefined ? [] : [`baseUrl: ${url}`];
  return [`baseUrl: ${env(baseUrlEnv)} ?? ${url ?? "new.target.baseUrl"}`];
}

/** Returns the statement that makes the security schemes. */
function schemesStatement(
  { credentials, schemes }: SdkClient,
  toolkit: string,
  imports: Imports,
): string {
  imports.value(`${toolkit}/auth`, "AuthSchemes");
  const entries = credentials.map((each) => {
    const plan = schemes.find(({ option }) => option === each.scheme)!;
    return property(objectKey(each.scheme), credentialLayout(each, plan, toolkit, imports));
  });
  return statement("const authSchemes = ", call("new AuthSchemes", [object(entries)]), ";");
}

/** Returns the headers of each request: those of the settings, and those with values of options. */
function sentHeaders({ options, settings: { headers } }: SdkClient): Layout[] {
  return [
    ...headers.map(([name, value]) => property(objectKey(name), quoted(value))),
    ...options.flatMap(({ name, header, types: [type] }) => {
      if (header === undefined) return [];
      const isFlag = type!.kind === "boolean";
      const value = isFlag ? `${name} === undefined ? undefined : String(${name})` : name;
      return [property(objectKey(header), value)];
    }),
  ];
}

/** Returns the scheme of options. Null stands for no credentials. */
function credentialLayout(
  { options }: Credential,
  plan: SecurityScheme,
  toolkit: string,
  imports: Imports,
): Layout {
  const [first, second] = options;
  if (first === undefined) return "undefined";
  if (second !== undefined) {
    const isGiven = `${first} == null || ${second} == null`;
    const pair = `[${first}, ${second}] as const`;
    return plan.scheme.kind === "digest"
      ? {
        open: isGiven,
        yes: "undefined",
        no: `new ${imports.value(`${toolkit}/digest`, "DigestAuth")}(${first}, ${second})`,
      }
      : { open: isGiven, yes: "undefined", no: pair };
  }
  const layout = schemeOf({ ...plan, option: first }, toolkit, imports);
  // A value that is missing may be null, too.
  return JSON.parse(
    JSON.stringify(layout).replaceAll(`${first} === undefined`, `${first} == null`)
      .replaceAll(`"no":"${first}"`, `"no":"undefined"`),
  );
}

function printCopying({ client }: SdkModel): string {
  return `  override withOptions(options: Partial<${client.optionsType}>): this {\n` +
    "    return super.withOptions(options);\n  }\n";
}

/** Returns the text of `pagination.ts`: the classes of pages. */
export function printPageClasses(classes: readonly PageClass[], toolkit: string): string {
  const imports = new Imports("./");
  const module = `${toolkit}/resources`;
  imports.value(module, "AbstractPage");
  imports.type(module, "PageSettings");
  const codes = classes.map(({ className, rule, items, fields }) => {
    const place = items.map(({ name }) => name).join(".");
    const settings: Layout[] = [];
    if (place !== "") settings.push(`items: ${quoted(place)}`);
    if (rule !== undefined) {
      imports.value(`${toolkit}/paging`, rule.kind);
      settings.push(property("next", ruleLayout(rule)));
    }
    for (const { type } of fields) {
      addReferences(type, (name) => {
        if (name !== "Item") imports.type("../models.ts", name);
      });
    }
    const start = "  static override readonly paging: PageSettings = ";
    const declared = fields.filter(({ name }) =>
      !/^(?:getNextPage|getPaginatedItems|hasNextPage|iterPages|constructor)$/.test(name)
    )
      .map((each: Property) => {
        const text = printProperty({ ...each, readonly: false, comment: noText }, 2);
        return text.replace(/^ {2}/, "  declare ");
      });
    return `/** ${
      rule === undefined ? "The only page of a list." : pageTexts[rule.kind]
    } */\nexport class ${className}<Item> extends AbstractPage<Item> {\n` +
      `${start}${render(object(settings), 2, start.length + 1)};\n${declared.join("")}}\n`;
  });
  return imports.print() + codes.join("\n");
}

/** The comments of the classes of pages, by their rules. */
const pageTexts: Readonly<Record<PagingRule["kind"], string>> = {
  cursor: "A page of a list whose next page is found by a cursor.",
  linkHeader: "A page of a list whose next page is in the header `Link`.",
  nextUrl: "A page of a list with the URL of the next page.",
  offset: "A page of a list whose next page begins after its items.",
  pageNumber: "A page of a list with numbered pages.",
};
