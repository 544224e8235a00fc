/** Prints the client of resources, its options, and the classes of pages. */

import type {
  ClientOptionPlan,
  Comment,
  CredentialPlan,
  PageClassPlan,
  Property,
  ResourceClientPlan,
  SchemePlan,
  SdkModel,
  Type,
} from "../../model/mod.ts";
import { unionOf } from "../../algebra/types.ts";
import { credentialText, schemeOf, useOf } from "../../print/credentials.ts";
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
import { Imports } from "../../print/imports.ts";
import { literal, objectKey, quoted } from "../../print/literals.ts";
import { ruleLayout } from "../../print/pages.ts";
import { addTypes, printMembers, printMethod, printNamespace, printTypes } from "./resources.ts";
import { groupsIn } from "../../algebra/groups.ts";
import { addReferences } from "../../algebra/references.ts";
import { printProperty, printType } from "../../print/types.ts";
import { template } from "../../print/urls.ts";

const noText: Comment = { text: "", tags: [] };

/** Returns the text of `client.ts`. */
export function printResourceClient(plan: SdkModel, toolkit: string): string {
  const { client, groups } = plan;
  const own = client.resources!;
  const imports = new Imports("./");
  const module = `${toolkit}/resources`;
  imports.value(module, "ResourceClient");
  imports.type(module, "ResourceClientOptions");
  const itself = groups.find(({ place }) => place === "client");
  const shared = groups.find(({ place }) => place === "shared");
  const children = groupsIn(plan, []);
  const methods =
    itself?.methods.map((each) => printMethod(each, { plan, toolkit, imports, client: "this" })) ??
      [];
  if (itself !== undefined) addTypes(itself, imports, toolkit);
  const members = printMembers(children, imports, (file) => `../resources/${file}.ts`, "this");
  const parts = [
    printStatics(plan, toolkit, imports),
    printFields(own),
    members,
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
  const options = printOptions(plan);
  const text = [options, code, types, namespace, `export default ${client.className};\n`]
    .filter((each) => each !== "").join("\n");
  return imports.print() + text;
}

function printOptions({ client }: SdkModel): string {
  const own = client.resources!;
  const schemes = new Map(client.schemes.map((each) => [each.option, each]));
  const ofOption = new Map(
    own.credentials.flatMap(({ scheme, options }) =>
      options.map((each) => [each, { scheme: schemes.get(scheme)!, isPair: options.length === 2 }])
    ),
  );
  const lines = own.options.map((option) => {
    const credential = ofOption.get(option.name);
    const stated = option.comment.text;
    const title = credential === undefined || credential.isPair
      ? ""
      : credentialText(credential.scheme);
    const env = option.env === undefined
      ? ""
      : `By default, the environment variable \`${option.env}\`.`;
    const use = title === "" && stated === "" ? useText(option) : "";
    const text = [stated === title ? "" : title, stated, use, env]
      .filter((each) => each !== "").join("\n\n");
    const tags: Comment["tags"] = option.default === undefined
      ? []
      : [["default", `{${literal(option.default)}}`]];
    const type = printOptionType(option);
    return `${printComment({ text, tags }, 2)}  readonly ${option.name}?: ${type} | undefined;\n`;
  });
  if (own.environments.length > 0) {
    const list = own.environments.map(([name, url]) => `- \`${name}\`: ${url}`);
    const text = `The environment, unless \`baseURL\` is set.\n\n${list.join("\n")}`;
    const names = unionOf(own.environments.map(([value]): Type => ({ kind: "literal", value })));
    const tags: Comment["tags"] = [["default", `{${quoted(own.environments[0]![0])}}`]];
    lines.push(printProperty(
      { name: "environment", type: names, optional: true, readonly: true, comment: { text, tags } },
      2,
    ));
  }
  const start = `/** Options of {@linkcode ${client.className}}. */\n` +
    `export interface ${client.optionsType} extends ResourceClientOptions {`;
  return lines.length === 0 ? `${start}}\n` : `${start}\n${lines.join("")}}\n`;
}

/** Returns what an option without a description is for. */
function useText({ name, header, serverVariable }: ClientOptionPlan): string {
  if (header !== undefined) return `It is sent in the header \`${header}\`.`;
  return serverVariable === undefined ? `The option \`${name}\`.` : "A part of the base URL.";
}

function printOptionType({ type, isNullable, isFunction }: ClientOptionPlan): string {
  return [
    printType(type),
    ...isFunction ? ["(() => string | Promise<string>)"] : [],
    ...isNullable ? ["null"] : [],
  ].join(" | ");
}

function printStatics({ client }: SdkModel, toolkit: string, imports: Imports): string {
  const own = client.resources!;
  const url = own.baseUrl;
  const credentials = own.options.filter((each) => each.isCredential).map(({ name }) => name);
  const others = own.options.filter((each) => !each.isCredential).map(({ name }) => name);
  if (own.environments.length > 0) others.push("environment");
  const lines: [name: string, type: string, value: Layout][] = [];
  if (url !== undefined) lines.push(["baseUrl", "string", quoted(url)]);
  lines.push(["libName", "string", quoted(client.libName)]);
  if (client.apiVersion !== "") lines.push(["libVersion", "string", quoted(client.apiVersion)]);
  if (client.ownServers.length > 0) {
    const urls: readonly (readonly [string, string])[] = own.environments.length > 0
      ? own.environments
      : url === undefined
      ? []
      : [["default", url]];
    if (urls.length > 0) {
      const entries = urls.map(([name, each]) => property(objectKey(name), quoted(each)));
      lines.push(["environments", "Readonly<Record<string, string>>", object(entries)]);
    }
    const origins = [...new Set(client.ownServers.map((each) => new URL(each.url).origin))]
      .filter((origin) => urls.length !== 1 || new URL(urls[0]![1]).origin !== origin);
    if (origins.length > 0) lines.push(["trustedOrigins", "readonly string[]", listOf(origins)]);
  }
  if (others.length > 0) lines.push(["optionNames", "readonly string[]", listOf(others)]);
  if (credentials.length > 0) {
    lines.push(["credentialOptions", "readonly string[]", listOf(credentials)]);
  }
  if (own.maxRetries !== undefined) lines.push(["retries", "number", String(own.maxRetries)]);
  if (own.timeout !== undefined) {
    lines.push(["timeout", "number | null", String(own.timeout / 1000)]);
  }
  if (own.backoff !== undefined) {
    const wait = `(retry) => ${own.backoff} * 2 ** (retry - 1) * (1 - Math.random() / 4)`;
    lines.push(["backoff", "number | ((retry: number) => number)", wait]);
  }
  if (own.maxBackoff !== undefined) {
    lines.push(["maxBackoff", "number | null", String(own.maxBackoff)]);
  }
  if (own.idempotencyHeader !== undefined) {
    lines.push(["idempotencyHeader", "string | null", quoted(own.idempotencyHeader)]);
  }
  if (own.query !== undefined) {
    imports.type(toolkit, "ParamsStyle");
    lines.push(["paramsStyle", "ParamsStyle", queryStyle(own.query, toolkit, imports)]);
  }
  return lines.map(([name, type, value]) => {
    const start = `  static override readonly ${name}: ${type} = `;
    return `${start}${render(value, 2, start.length + 1)};\n`;
  }).join("");
}

/** Returns the style of the query. The toolkit has all but those with indices and dots. */
function queryStyle(
  { lists, objects }: NonNullable<ResourceClientPlan["query"]>,
  toolkit: string,
  imports: Imports,
): Layout {
  if (lists !== "indices" && objects === "brackets") {
    return object([`arrays: ${quoted(lists)}`, `objects: "brackets"`]);
  }
  imports.value(`${toolkit}/resources`, "nestedQuery");
  return call("nestedQuery", [object([`lists: ${quoted(lists)}`, `objects: ${quoted(objects)}`])]);
}

/** Returns the fields of the client with the values of its options. */
function printFields({ options, credentials }: ResourceClientPlan): string {
  const lines = options.map((option) => {
    const type = option.isFunction || option.isNullable || option.default === undefined
      ? `${printOptionType(option)} | undefined`
      : printOptionType(option);
    return `  /** The option \`${option.name}\`. */\n  readonly ${option.name}: ${type};\n`;
  });
  if (credentials.length > 0) {
    lines.push(
      "  /** The security schemes. Each call takes those that it requires. */\n" +
        "  readonly authSchemes: AuthSchemes;\n",
    );
  }
  return lines.join("");
}

function printConstructor(plan: SdkModel, toolkit: string, imports: Imports): string {
  const { client } = plan;
  const own = client.resources!;
  const { options, credentials, environments, headers, baseUrlEnv } = own;
  const env = (name: string) => `${imports.value(toolkit, "readEnv")}(${quoted(name)})`;
  const lines: string[] = [];
  const picked = options.map(({ name, type, env: variable, default: fallback }) => {
    const read = variable === undefined ? undefined : env(variable);
    const isSet = `${read} === undefined ? undefined`;
    const converted = read === undefined || type.kind === "string"
      ? read
      : type.kind === "number"
      ? `(${isSet} : Number(${read}))`
      : `(${isSet} : ${read} === "true")`;
    const values = [converted, fallback === undefined ? undefined : literal(fallback)]
      .filter((each) => each !== undefined);
    return values.length === 0 ? name : `${name} = ${values.join(" ?? ")}`;
  });
  if (environments.length > 0) picked.push(`environment = ${quoted(environments[0]![0])}`);
  if (picked.length === 0 && baseUrlEnv === undefined && headers.length === 0) return "";
  if (picked.length > 0) lines.push(statement("const ", object(picked), " = options;"));
  const settings: Layout[] = [];
  const url = urlLayout(plan);
  const variable = baseUrlEnv === undefined ? undefined : env(baseUrlEnv);
  const urls = [variable, url].filter((each) => each !== undefined);
  if (variable !== undefined && url === undefined) urls.push("new.target.baseUrl");
  if (environments.length > 0) {
    const entries = environments.map(([name, text]) =>
      property(objectKey(name), urlTemplate(text, options))
    );
    lines.push(statement("const environments = ", object(entries), ";"));
  }
  if (urls.length > 0) settings.push(`baseUrl: ${urls.join(" ?? ")}`);
  if (credentials.length > 0) {
    imports.value(`${toolkit}/auth`, "AuthSchemes");
    const schemes = new Map(client.schemes.map((each) => [each.option, each]));
    const entries = credentials.map((each) =>
      property(
        objectKey(each.scheme),
        credentialLayout(each, schemes.get(each.scheme)!, toolkit, imports),
      )
    );
    lines.push(statement("const authSchemes = ", call("new AuthSchemes", [object(entries)]), ";"));
    settings.push(
      client.security === undefined
        ? "auth: authSchemes"
        : useOf("auth: authSchemes", client.security),
    );
  }
  const sent = [
    ...headers.map(([name, value]) => property(objectKey(name), quoted(value))),
    ...options.flatMap(({ name, header, type }) => {
      if (header === undefined) return [];
      return [
        property(
          objectKey(header),
          type.kind === "boolean" ? `${name} === undefined ? undefined : String(${name})` : name,
        ),
      ];
    }),
  ];
  if (sent.length > 0) settings.push(object(sent, "headers: "));
  lines.push(statement("", call("super", ["options", object(settings)]), ";"));
  for (const { name } of options) lines.push(`    this.${name} = ${name};\n`);
  if (credentials.length > 0) lines.push("    this.authSchemes = authSchemes;\n");
  return `  constructor(options: ${client.optionsType} = {}) {\n${lines.join("")}  }\n`;
}

/** Returns the base URL by the options of the client; undefined if the static is right. */
function urlLayout({ client }: SdkModel): string | undefined {
  const { environments, options } = client.resources!;
  if (environments.length > 0) return "environments[environment]";
  const server = client.servers[0];
  if (server === undefined || server.parts.every((part) => typeof part === "string")) {
    return undefined;
  }
  const parts = server.parts.map((part) => {
    if (typeof part === "string") return part;
    const option = options.find(({ serverVariable }) => serverVariable === part.variable);
    const fallback = client.variables.find((each) => each.option === part.variable)?.default ?? "";
    return option === undefined ? fallback : { expression: option.name };
  });
  return template(parts);
}

function urlTemplate(url: string, options: readonly ClientOptionPlan[]): string {
  const parts = url.replace(/(?<!\/)\/+$/, "").split(/\{([^{}]*)\}/).map((text, index) => {
    if (index % 2 === 0) return text;
    const option = options.find(({ serverVariable }) => serverVariable === text);
    return option === undefined ? `{${text}}` : { expression: option.name };
  });
  return template(parts.filter((part) => part !== ""));
}

/** Returns the scheme of options. Null stands for no credentials. */
function credentialLayout(
  { options }: CredentialPlan,
  plan: SchemePlan,
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
export function printPageClasses(classes: readonly PageClassPlan[], toolkit: string): string {
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
      pageText(rule?.kind)
    } */\nexport class ${className}<Item> extends AbstractPage<Item> {\n` +
      `${start}${render(object(settings), 2, start.length + 1)};\n${declared.join("")}}\n`;
  });
  return imports.print() + codes.join("\n");
}

function pageText(kind: string | undefined): string {
  switch (kind) {
    case "cursor":
      return "A page of a list whose next page is found by a cursor.";
    case "linkHeader":
      return "A page of a list whose next page is in the header `Link`.";
    case "nextUrl":
      return "A page of a list with the URL of the next page.";
    case "offset":
      return "A page of a list whose next page begins after its items.";
    case "pageNumber":
      return "A page of a list with numbered pages.";
    default:
      return "The only page of a list.";
  }
}
