/**
 * Servers: the base URL of the client, its variables, and servers of single operations. If a caller
 * of a client with endpoints sets another base URL, `ServerUrls` of the toolkit
 * (`src/client/server_urls.ts`) decides at run time which of the latter move with it.
 */

import type { Node, Source } from "../../read/source.ts";
import { itemsAt, objectAt, textAt, valueAt } from "../../read/fields.ts";
import type { Comment, OwnServer, Server } from "../../model/mod.ts";
import { camelCase, capitalized, optionName, wordsOf } from "../../names/words.ts";

/** The servers of the client. */
export interface Servers {
  readonly servers: readonly Server[];
  readonly variables: readonly ServerVariable[];
  /** The variables whose options cannot have their own names. */
  readonly renamed: readonly RenamedOption[];
}

/** An option that cannot have its own name, because the client has another option of this name. */
export interface RenamedOption {
  /** The security scheme, or the server with the variable. */
  readonly node: Node;
  /** The name that it would have. */
  readonly wanted: string;
  /** The name that it has. */
  readonly option: string;
}

/** A variable of a server. */
export interface ServerVariable {
  /** The name of its option. */
  readonly option: string;
  /** The value if a caller passes none. */
  readonly default: string;
  /** The values that are allowed, if the document lists them. */
  readonly values?: readonly string[] | undefined;
  readonly comment: Comment;
}

/**
 * Plans the servers of the document. Those without a host are left out.
 *
 * @param options The names of options, to which those of variables are added
 */
export function planServers(source: Source, options: Set<string>): Servers {
  const servers: Server[] = [];
  const variables = new Map<string, ServerVariable>();
  const names = new Set<string>();
  const renamed: RenamedOption[] = [];
  const nodes = itemsAt(source, source.root, "servers");
  const wished = new Set(
    nodes.flatMap((node) => partsOf(textAt(node, "url") ?? ""))
      .flatMap((part) => typeof part === "string" ? [] : [wantedName(part.variable)]),
  );
  for (const node of nodes) {
    const text = textAt(node, "url");
    if (text === undefined || text === "") continue;
    const own = new Map<string, ServerVariable>();
    const taken = new Set(options);
    const parts = partsOf(text).map((part) => {
      if (typeof part === "string") return part;
      const earlier = own.get(part.variable);
      if (earlier !== undefined) return { variable: earlier.option };
      const plan = variableOf(source, node, part.variable);
      if (plan === undefined) return `{${part.variable}}`;
      const known = variables.get(part.variable);
      const variable = known !== undefined && isSameVariable(known, plan)
        ? known
        : { ...plan, option: variableName(node, part.variable, { taken, wished, renamed }) };
      own.set(part.variable, variable);
      taken.add(variable.option);
      return { variable: variable.option };
    });
    const url = absoluteUrl(source, node, filled(parts, [...own.values()]));
    if (url === undefined) continue;
    for (const [name, variable] of own) {
      variables.set(
        variables.has(name) && variables.get(name) !== variable ? variable.option : name,
        variable,
      );
      options.add(variable.option);
    }
    if (servers.some((server) => JSON.stringify(server.parts) === JSON.stringify(parts))) continue;
    const description = textAt(node, "description")?.trim() ?? "";
    const name = serverName(textAt(node, "name") ?? description, [url, text], names);
    names.add(name);
    servers.push({ name, url, parts: own.size === 0 ? [url] : withoutSlash(parts), description });
  }
  const all = [...variables.values()];
  const unique = all.filter((each, index) => all.indexOf(each) === index);
  return { servers, variables: unique, renamed };
}

/** Returns the name of the option for a variable, and notes it if it is not that of the variable. */
function variableName(
  node: Node,
  variable: string,
  { taken, wished, renamed }: {
    readonly taken: ReadonlySet<string>;
    /** The names of all variables. */
    readonly wished: ReadonlySet<string>;
    readonly renamed: RenamedOption[];
  },
): string {
  const wanted = wantedName(variable);
  const option = optionName(wanted, taken, (each) => `server${capitalized(each)}`, wished);
  if (option !== wanted) renamed.push({ node, wanted, option });
  return option;
}

/** Returns the name that the option of a variable has if it is free. */
function wantedName(variable: string): string {
  return camelCase(wordsOf(variable)) || "variable";
}

/**
 * Returns the URL of the first server of an operation or path item, with the defaults of its variables;
 * undefined if it has none.
 */
export function serverOf(source: Source, operation: Node, item: Node): string | undefined {
  for (const parent of [operation, item]) {
    const [node] = itemsAt(source, parent, "servers");
    const text = textAt(node, "url");
    if (node === undefined || text === undefined) continue;
    const parts = partsOf(text).map((part) =>
      typeof part === "string"
        ? part
        : variableOf(source, node, part.variable)?.default ?? `{${part.variable}}`
    );
    return absoluteUrl(source, node, parts.join(""));
  }
  return undefined;
}

/**
 * Names the servers of operations: after the host, or after the path on the host of the base URL.
 *
 * @param urls The URLs, each once
 * @param baseUrl The base URL by default
 */
export function nameOwnServers(
  urls: readonly string[],
  baseUrl: string | undefined,
): OwnServer[] {
  const base = baseUrl === undefined ? undefined : new URL(baseUrl).origin;
  const taken = new Set<string>();
  return urls.map((url) => {
    const { hostname, origin, pathname } = new URL(url);
    const label = hostname.split(".").find((each) => !/^(?:www|apis?|rest|v?\d+)$/i.test(each));
    const ofHost = camelCase(wordsOf(label ?? ""));
    const ofPath = camelCase(wordsOf(pathname));
    const short = origin === base ? ofPath || "root" : ofHost || "other";
    const long = camelCase(wordsOf(`${label ?? "other"} ${pathname}`));
    const name = numbered([short, long].find((each) => !taken.has(each)) ?? long, taken);
    taken.add(name);
    return { name, url };
  });
}

function numbered(name: string, taken: ReadonlySet<string>): string {
  let [free, number] = [name, 2];
  while (taken.has(free)) free = `${name}${number++}`;
  return free;
}

/** Returns a URL without a slash at its end; undefined if it has no host. */
function absoluteUrl(source: Source, node: Node, text: string): string | undefined {
  const url = URL.parse(text.trim());
  if (url !== null && /^https?:$/.test(url.protocol) && url.hostname !== "") {
    const plain = `${url.origin}${url.pathname}`;
    if (url.search !== "" || url.hash !== "" || url.username !== "" || url.password !== "") {
      const message = "the URL of a server must not have a query, a fragment or credentials";
      source.problem(node, "server", message, "left out of the URL");
    }
    return plain.replace(/(?<!\/)\/+$/, "");
  }
  const isRelative = !/^[a-z][a-z\d+.-]*:/i.test(text);
  const message = isRelative
    ? `the URL ${JSON.stringify(text.slice(0, 200))} has no host`
    : `${JSON.stringify(text.slice(0, 200))} is not a URL with http: or https:`;
  source.problem(node, "server", message, "left out: callers pass `baseUrl`");
  return undefined;
}

function partsOf(url: string): (string | { readonly variable: string })[] {
  return url.split(/\{([^{}]+)\}/)
    .map((text, index) => index % 2 === 1 ? { variable: text } : text)
    .filter((part) => part !== "");
}

function filled(
  parts: Server["parts"],
  variables: readonly ServerVariable[],
): string {
  return parts.map((part) =>
    typeof part === "string"
      ? part
      : variables.find(({ option }) => option === part.variable)?.default ?? ""
  ).join("");
}

function variableOf(source: Source, server: Node, name: string): ServerVariable | undefined {
  const variables = objectAt(source, server, "variables");
  const node = variables && source.child(variables, name);
  if (node === undefined) {
    const message = `the variable ${JSON.stringify(name.slice(0, 200))} is not declared`;
    source.problem(server, "server", message, "left in the URL");
    return undefined;
  }
  const listed = valueAt(node, "enum");
  const values = Array.isArray(listed)
    ? listed.filter((each) => typeof each !== "object").map(String)
    : undefined;
  const fallback = valueAt(node, "default") ?? values?.[0] ?? "";
  const text = textAt(node, "description")?.trim() ?? "";
  const initial = typeof fallback === "object" ? "" : String(fallback);
  return {
    option: name,
    default: initial,
    values: values === undefined || values.length === 0 || !values.includes(initial)
      ? undefined
      : values,
    comment: { text, tags: [] },
  };
}

function isSameVariable(a: ServerVariable, b: ServerVariable): boolean {
  return a.default === b.default && JSON.stringify(a.values) === JSON.stringify(b.values);
}

function withoutSlash(parts: Server["parts"]): Server["parts"] {
  const last = parts.at(-1);
  return typeof last === "string"
    ? [...parts.slice(0, -1), last.replace(/(?<!\/)\/+$/, "")]
    : parts;
}

/** Returns a name such as `production` of a description, or else a URL, which may need a number. */
function serverName(
  text: string,
  [url, withVariables]: readonly [string, string],
  taken: ReadonlySet<string>,
): string {
  const words = wordsOf(text.split("\n")[0]!).filter((word) =>
    !/^(?:the|a|an|our|server|servers|url|api|environment|endpoint|host)$/i.test(word)
  );
  const name = words.length > 0 && words.length <= 3 ? camelCase(words) : url;
  const free = [name, url, withVariables].find((each) => !taken.has(each));
  if (free !== undefined) return free;
  let number = 2;
  while (taken.has(`${url} ${number}`)) number++;
  return `${url} ${number}`;
}
