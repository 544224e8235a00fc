/** The sections on what a client needs to reach the API: credentials and servers. */

import { baseUrlOption, defaultUrl } from "../algebra/servers.ts";
import type { ClientOption, SecurityScheme } from "../model/mod.ts";
import { call, object, property } from "../print/layout.ts";
import { literal, quoted } from "../print/literals.ts";
import { credentialText } from "../print/credentials.ts";
import { firstLine } from "../print/markdown.ts";
import {
  environmentName,
  type GuideContext,
  makeClient,
  pick,
  schemesFor,
  schemesIn,
  type Section,
  type SectionOf,
} from "./context.ts";
import { callLayout } from "./examples.ts";
import { writeCall } from "./first_steps.ts";
import { type Program, ProgramWriter } from "./program.ts";
import { replyAs } from "./replies.ts";

/** The security schemes: their options, and how several are passed at once. */
export const authentication: SectionOf = (context): Section | undefined => {
  const { client, form } = context.model;
  const credentials = client.credentials.filter(({ options }) => options.length > 0);
  if (credentials.length === 0) return undefined;
  const lines = credentials.map(({ scheme, options }) => {
    const found = client.schemes.find(({ option }) => option === scheme)!;
    const names = options.map((each) => `\`${each}\``).join(" and ");
    return `- ${names}: ${schemeText(found)}${envText(client.options, options)}`;
  });
  const used = client.options.filter(({ name }) =>
    credentials.some(({ options }) => options.includes(name))
  );
  const several = credentials.length > 1
    ? " Pass all that you have, also several at once: a call takes those that its operation requires."
    : "";
  const isFunction = used.find(({ types }) => types.some(({ kind }) => kind === "function"));
  const replaces = form === "classes" ? " The option `auth` of a call replaces them." : "";
  return {
    title: "Authentication",
    blocks: [
      `The client has an option for each kind of credentials:\n\n${lines.join("\n")}`,
      ...authProgram(context),
      `${requiredText(context, used)}If the credentials of a call are missing, it throws an ` +
      `\`UnexpectedValueError\` that names them, and sends nothing.${several}${replaces} The client sends them only to the ` +
      "servers of the API, and they are in no log and in no error.",
      ...isFunction === undefined ? [] : [
        `If a token changes, pass a function that returns the newest one, such as ` +
        `\`${isFunction.name}: () => vault.read("token")\`. It is called for each request.`,
      ],
      ...oauthBlocks(context),
    ],
  };
};

/** Returns what the constructor throws if one of the options that it requires is missing. */
function requiredText({ model }: GuideContext, options: readonly ClientOption[]): string {
  const { baseError } = model.client.settings;
  const required = options.filter(({ isRequired }) => isRequired === true);
  if (baseError === undefined || required.length === 0) return "";
  const names = required.map(({ name }) => `\`${name}\``).join(" or ");
  return `Without ${names}, the constructor throws \`${baseError}\`. `;
}

function schemeText(scheme: SecurityScheme): string {
  const [own = ""] = credentialText(scheme).split("\n\n");
  const kind = own.replace(/ The flows:$/, "");
  const stated = firstLine(scheme.comment.text);
  return stated === "" || stated === kind ? lowered(kind) : `${lowered(kind)} ${stated}`;
}

/** Returns a sentence as it goes on after a colon. */
function lowered(text: string): string {
  return text.replace(/^The /, "the ");
}

function envText(options: readonly ClientOption[], names: readonly string[]): string {
  const variables = names.flatMap((name) => options.find((each) => each.name === name)?.env ?? []);
  if (variables.length === 0) return "";
  return ` By default, the client reads ${variables.map((each) => `\`${each}\``).join(" and ")}.`;
}

/** Returns a program with credentials, if the first call has none. */
function authProgram(context: GuideContext): Program[] {
  const { model, schemes } = context;
  const example = schemes.size > 0
    ? undefined
    : context.examples.find(({ method, test }) =>
      (schemesFor(model, method)?.length ?? 0) > 0 && test.outcome.kind === "json" &&
      method.verb === "GET"
    ) ?? context.examples.find(({ method }) => (schemesFor(model, method)?.length ?? 0) > 0);
  if (example === undefined) return [];
  const writer = new ProgramWriter();
  makeClient(context, writer, { schemes: schemesFor(model, example.method) });
  writer.add("");
  writeCall(context, writer, example);
  return [writer.program("passes credentials", { needsClient: false })];
}

/** Returns how the tokens of OAuth are requested. */
function oauthBlocks(context: GuideContext): (string | Program)[] {
  const { model, toolkit } = context;
  const { client } = model;
  const scheme = client.schemes.find((each) =>
    each.scheme.kind === "oauth2" &&
    client.options.some(({ name, types }) =>
      name === each.option && types.some(({ kind }) => kind === "scheme")
    )
  );
  if (scheme?.scheme.kind !== "oauth2") return [];
  const { flows } = scheme.scheme;
  const machine = flows.find(({ flow }) => flow === "clientCredentials");
  const hasUsers = flows.some(({ flow }) => flow !== "clientCredentials" && flow !== "implicit");
  const ofUsers = hasUsers
    ? [
      `For a user who has logged in, pass \`new RefreshTokenAuth(…)\` of \`${toolkit}/oauth\` with ` +
      "the refresh token. It gets an access token, and renews it before it expires.",
    ]
    : [];
  const example = pick(
    context,
    ({ method }) =>
      (method.security ?? client.security ?? []).some((names) =>
        names.length === 1 && names[0] === scheme.option
      ),
  );
  const url = machine?.tokenUrl ?? "";
  if (machine === undefined || example === undefined || !URL.canParse(url)) return ofUsers;
  const writer = new ProgramWriter();
  writer.use("toolkit/oauth", "ClientCredentialsAuth");
  writer.use("sdk", client.className);
  const variable = (name: string) => environmentName(client.className, name);
  const scopes = machine.scopes.slice(0, 2);
  const settings = object([
    `tokenUrl: ${quoted(url)}`,
    `clientId: ${writer.env(variable("clientId"), "c-123")} ?? ""`,
    `clientSecret: ${writer.env(variable("clientSecret"), "s-123")} ?? ""`,
    ...scopes.length === 0 ? [] : [`scope: ${quoted(scopes.join(" "))}`],
  ]);
  writer.add("// The first client requests the tokens.");
  writer.statement(
    "const auth = ",
    call("new ClientCredentialsAuth", [`new ${client.className}()`, settings]),
  );
  makeClient(context, writer, { schemes: [], options: [property(scheme.option, "auth")] });
  writer.add("");
  writeCall(context, writer, example);
  writer.reply(
    `POST ${url}`,
    call("Response.json", ['{ access_token: "t-123", token_type: "Bearer", expires_in: 3600 }']),
  );
  return [
    "A program that acts for itself gets its tokens from the token endpoint. The first call requests " +
    "one, and later calls renew it before it expires:",
    writer.program("gets tokens by client credentials", { needsClient: false }),
    ...ofUsers,
  ];
}

/** The servers of the API, and the variables in their URLs. */
export const servers: SectionOf = (context) => {
  const { client, form } = context.model;
  const chosen = client.options.find(({ role }) => role === "server");
  const variables = client.options.filter(({ isInUrl }) => isInUrl === true);
  const own = client.ownServers.length > 0 && form === "classes";
  if (chosen === undefined && variables.length === 0 && !own) return undefined;
  const base =
    `The option \`${baseUrlOption(form)}\` replaces the URL as a whole, for example by that ` +
    "of a mock server.";
  return {
    title: "Servers",
    blocks: [
      ...chosen === undefined ? [] : serverBlocks(context, chosen),
      ...variables.length === 0
        ? []
        : [`The URL has parts that are options:\n\n${variables.map(variableLine).join("\n")}`],
      ...own
        ? [
          "Some operations have a server of their own. With another base URL, name their URLs in the " +
          "option `servers`:\n\n" +
          client.ownServers.map(({ name, url }) => `- \`${name}\`: ${url}`).join("\n"),
        ]
        : [],
      base,
    ],
  };
};

function serverBlocks(context: GuideContext, chosen: ClientOption): (string | Program)[] {
  const { servers } = context.model.client;
  const lines = servers.map(({ name, url, description }, index) => {
    const about = firstLine(description);
    const text = [name === url ? "" : url, about].filter((each) => each !== "").join(": ");
    const isDefault = index === 0 ? " (the default)" : "";
    return `- \`${name}\`${isDefault}${text === "" ? "" : `: ${text}`}`;
  });
  return [
    `The option \`${chosen.name}\` chooses the server:`,
    ...serverProgram(context, chosen),
    lines.join("\n"),
  ];
}

function serverProgram(context: GuideContext, { name: option }: ClientOption): Program[] {
  const { model } = context;
  const before = defaultUrl(model.client);
  const other = model.client.servers.slice(1).find(({ url }) => !url.includes("{"));
  const example = pick(
    context,
    ({ method, test }) =>
      method.server === undefined && method.verb === "GET" && before !== undefined &&
      test.url.startsWith(before),
  );
  if (example === undefined || other === undefined) return [];
  const writer = new ProgramWriter();
  makeClient(context, writer, {
    schemes: schemesIn(context, example),
    options: [property(option, quoted(other.name))],
  });
  writer.statement("await ", callLayout(example));
  const test = { ...example.test, url: other.url + example.test.url.slice(before!.length) };
  replyAs(writer, { method: example.method, test });
  return [writer.program("chooses a server", { needsClient: false })];
}

function variableLine({ name, comment, types, default: fallback }: ClientOption): string {
  const [type] = types;
  const values = type?.kind === "union"
    ? type.members.flatMap((each) => each.kind === "literal" ? [`\`${literal(each.value)}\``] : [])
    : [];
  const parts = [
    firstLine(comment.text),
    values.length === 0 ? "" : `One of ${values.join(", ")}.`,
    fallback === undefined ? "" : `Default: \`${literal(fallback)}\`.`,
  ].filter((each) => each !== "");
  return `- \`${name}\`${parts.length === 0 ? "" : `: ${parts.join(" ")}`}`;
}
