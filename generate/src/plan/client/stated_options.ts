/** The options and settings of a client that a shape states. */

import type { ClientOption, Credential, SecurityScheme, Server } from "../../model/mod.ts";
import { TOOLKIT_OPTIONS } from "../../names/toolkit_options.ts";
import { authName, camelCase, freeName, optionName, wordsOf } from "../../names/words.ts";
import type { Source } from "../../read/source.ts";
import type { ClientOptionShape, SdkShape } from "../../sdk/shape.ts";
import { resourceClientMembers } from "../names/mod.ts";
import { schemeFor, type Servers } from "../requests/mod.ts";
import { type PlannedOptions, serverOption } from "./document_options.ts";

/** The options that clients with resources have beside those of the toolkit, and the variables of their constructor. */
const resourceOptions: readonly string[] =
  ("authSchemes baseURL defaultHeaders defaultQuery environment environments logLevel maxRetries " +
    "options stainlessHeaders").split(" ");

/** The parts of a client that its options are made of. */
interface ClientParts {
  readonly shape: SdkShape;
  readonly schemes: readonly SecurityScheme[];
  readonly servers: Servers;
  /** The names of its resources and methods. */
  readonly members: readonly string[];
  /** The name of the base class of errors. */
  readonly baseError: string | undefined;
  /** The headers of operations that callers do not pass, with their values. */
  readonly hidden: ReadonlyMap<string, string>;
}

/** An option, and the variable of a server that has its value. */
interface StatedOption {
  readonly option: ClientOption;
  readonly serverVariable?: string | undefined;
}

/** Plans the options and settings of the client. */
export function statedOptions(
  source: Source,
  { shape, schemes, servers, members, baseError, hidden }: ClientParts,
): PlannedOptions {
  const taken = new Set([
    ...[...TOOLKIT_OPTIONS, ...resourceOptions, ...resourceClientMembers, ...members],
  ]);
  const credentials = new Credentials();
  const stated = shape.options.length === 0
    ? optionsOfSchemes(schemes, taken, credentials)
    : shape.options.map((each) => statedOption(source, each, { schemes, taken, credentials }));
  const options = stated.map(({ option }) => option);
  const chosen = shape.environments.size > 1
    ? [...shape.environments].map(([name, url]) => environmentOf(name, url, stated))
    : shape.baseUrl !== undefined
    ? [environmentOf("default", shape.baseUrl, stated)]
    : servers.servers.slice(0, 1).map((each) => serverOf(each, servers, stated));
  if (chosen.length > 1) options.push(serverOption("environment", "baseURL", chosen));
  return {
    servers: chosen,
    options,
    credentials: credentials.all(schemes),
    settings: {
      baseUrlEnv: shape.baseUrlEnv ?? baseUrlEnv(options),
      baseError,
      headers: [...shape.headers, ...withoutNames(hidden, [...shape.headers.keys()])],
      maxRetries: shape.maxRetries,
      timeout: shape.timeout,
      backoff: shape.backoff,
      maxBackoff: shape.maxBackoff,
      idempotencyHeader: shape.idempotencyHeader,
      query: shape.query,
    },
  };
}

/** Returns headers without those of some names. */
function withoutNames(
  headers: ReadonlyMap<string, string>,
  names: readonly string[],
): (readonly [name: string, value: string])[] {
  const known = new Set(names.map((name) => name.toLowerCase()));
  return [...headers].filter(([name]) => !known.has(name.toLowerCase()));
}

/** The schemes with the options that have their values. */
class Credentials {
  readonly #options = new Map<string, Map<string, string>>();

  /** Adds an option. The role of a pair is `username` or `password`. */
  add(scheme: string, option: string, role = ""): void {
    const roles = this.#options.get(scheme) ?? new Map<string, string>();
    this.#options.set(scheme, roles.set(role, option));
  }

  /** Returns all schemes. A call that requires one without an option says so when it is made. */
  all(schemes: readonly SecurityScheme[]): Credential[] {
    const found = Array.from(this.#options, ([scheme, roles]): Credential => {
      const pair = [roles.get("username"), roles.get("password")].filter((each) =>
        each !== undefined
      );
      return { scheme, options: pair.length === 2 ? pair : [...roles.values()].slice(0, 1) };
    });
    const others = schemes.filter(({ option }) => !this.#options.has(option));
    return [...found, ...others.map(({ option }) => ({ scheme: option, options: [] }))];
  }
}

/** Returns an option of the shape. */
function statedOption(
  source: Source,
  { auth, credential, type, name: wanted, serverVariable, ...option }: ClientOptionShape,
  { schemes, taken, credentials }: {
    readonly schemes: readonly SecurityScheme[];
    readonly taken: Set<string>;
    readonly credentials: Credentials;
  },
): StatedOption {
  const name = freeName(wanted, taken);
  taken.add(name);
  if (name !== wanted) {
    const message = `the option ${JSON.stringify(wanted)} belongs to the client itself`;
    source.problem(source.root, "name", message, `called ${name}`);
  }
  const scheme = auth === undefined
    ? credential && schemeFor(credential, schemes)
    : schemes.find(({ key }) => key === auth.scheme);
  if (auth !== undefined && scheme === undefined) {
    const message = `the document has no security scheme ${JSON.stringify(auth.scheme)}`;
    source.problem(source.root, "security", message, `${name} is not sent`);
  }
  if (scheme !== undefined) credentials.add(scheme.option, name, (auth ?? credential)!.role);
  return {
    serverVariable,
    option: {
      name,
      role: scheme === undefined ? "value" : "credential",
      types: [
        { kind: type },
        ...scheme?.scheme.kind === "bearer" && option.isFunction !== false
          ? [{ kind: "function" } as const]
          : [],
        ...option.isNullable ? [{ kind: "null" } as const] : [],
      ],
      comment: { text: option.description?.trim() ?? "", tags: [] },
      default: option.default,
      env: option.env,
      header: option.header,
      // A security scheme sends its credential itself.
      query: scheme?.scheme.kind === "apiKey" && scheme.scheme.place === "query"
        ? undefined
        : option.query,
      isRequired: option.isRequired,
      isInUrl: serverVariable !== undefined,
    },
  };
}

/** Returns an option for each scheme, or two for a user name and a password. */
function optionsOfSchemes(
  schemes: readonly SecurityScheme[],
  taken: Set<string>,
  credentials: Credentials,
): StatedOption[] {
  const wished = new Set(schemes.map(({ option }) => credentialName(option)));
  return schemes.flatMap(({ option: schemeName, scheme, comment }) => {
    if (scheme.kind === "other") return [];
    const isPair = scheme.kind === "basic" || scheme.kind === "digest";
    const name = optionName(credentialName(schemeName), taken, authName, wished);
    const names = isPair ? ["username", "password"] : [name];
    return names.map((each): StatedOption => {
      taken.add(each);
      credentials.add(schemeName, each, isPair ? each : "");
      const isFunction = !isPair && scheme.kind !== "apiKey";
      const types = [
        { kind: "string" },
        ...isFunction ? [{ kind: "function" } as const] : [],
        { kind: "null" },
      ] as const;
      return { option: { name: each, role: "credential", types, comment } };
    });
  });
}

/** Returns a server of the document whose variables are options of the shape, or else their defaults. */
function serverOf(
  server: Server,
  { variables }: Servers,
  options: readonly StatedOption[],
): Server {
  const parts = server.parts.map((part) => {
    if (typeof part === "string") return part;
    const found = options.find(({ serverVariable }) => serverVariable === part.variable);
    if (found !== undefined) return { variable: found.option.name };
    return variables.find(({ option }) => option === part.variable)?.default ?? "";
  });
  return { ...server, parts };
}

/** Returns an environment of the shape, whose URL can have variables. */
function environmentOf(name: string, url: string, options: readonly StatedOption[]): Server {
  const plain = url.replace(/(?<!\/)\/+$/, "");
  const parts = plain.split(/\{([^{}]*)\}/).map((text, index) => {
    if (index % 2 === 0) return text;
    const found = options.find(({ serverVariable }) => serverVariable === text);
    return found === undefined ? `{${text}}` : { variable: found.option.name };
  });
  return { name, url: plain, parts: parts.filter((part) => part !== ""), description: "" };
}

/** Returns the name of an option for a scheme such as `ApiKeyAuth`: `apiKey`. */
function credentialName(option: string): string {
  const words = wordsOf(option);
  const own = words.length > 1 && /^(?:auth|authentication|scheme)$/i.test(words.at(-1)!)
    ? words.slice(0, -1)
    : words;
  const cased = own.map((word, index) =>
    index > 0 && /^(?:api|id|url)$/i.test(word) ? word.toUpperCase() : word
  );
  return /^bearer$/i.test(own.join("")) ? "apiKey" : camelCase(cased);
}

/** Returns the variable of the base URL: `PETS_BASE_URL` if the option `apiKey` has `PETS_API_KEY`. */
function baseUrlEnv(options: readonly ClientOption[]): string | undefined {
  for (const { name, env } of options) {
    const end = `_${wordsOf(name).join("_").toUpperCase()}`;
    if (env?.endsWith(end) && env.length > end.length) {
      return `${env.slice(0, -end.length)}_BASE_URL`;
    }
  }
  return undefined;
}
