/** The options and settings of a client with resources. */

import type { Source } from "../read/source.ts";
import type {
  ClientOptionPlan,
  CredentialPlan,
  ResourceClientPlan,
  SchemePlan,
  ServerPlan,
} from "../model/mod.ts";
import type { SdkShape } from "../sdk/shape.ts";
import { TOOLKIT_OPTIONS } from "../names/toolkit_options.ts";
import { camelCase, freeName, wordsOf } from "../names/words.ts";
import { resourceClientMembers } from "./names/resources.ts";

/** The options that clients with resources have beside those of the toolkit, and the variables of their constructor. */
const resourceOptions: readonly string[] =
  ("authSchemes baseURL defaultHeaders defaultQuery environment environments logLevel maxRetries " +
    "options").split(" ");

/** The parts of a client that its options are made of. */
interface ClientParts {
  readonly shape: SdkShape;
  readonly schemes: readonly SchemePlan[];
  readonly servers: readonly ServerPlan[];
  /** The names of its resources and methods. */
  readonly members: readonly string[];
}

/** Plans the options and settings of the client. */
export function resourceClient(
  source: Source,
  { shape, schemes, servers, members }: ClientParts,
): ResourceClientPlan {
  const credentials: CredentialPlan[] = [];
  const options: ClientOptionPlan[] = [];
  const ofScheme = new Map<string, Map<string, string>>();
  const taken = new Set([
    ...[...TOOLKIT_OPTIONS, ...resourceOptions, ...resourceClientMembers, ...members],
  ]);
  for (const { auth, type, name: wanted, ...option } of shape.options) {
    const name = freeName(wanted, taken);
    taken.add(name);
    if (name !== wanted) {
      const message = `the option ${JSON.stringify(wanted)} belongs to the client itself`;
      source.problem(source.root, "name", message, `called ${name}`);
    }
    const scheme = auth && schemes.find(({ key }) => key === auth.scheme);
    if (auth !== undefined && scheme === undefined) {
      const message = `the document has no security scheme ${JSON.stringify(auth.scheme)}`;
      source.problem(source.root, "security", message, `${name} is not sent`);
    }
    if (scheme !== undefined) {
      const roles = ofScheme.get(scheme.option) ?? new Map<string, string>();
      ofScheme.set(scheme.option, roles.set(auth!.role ?? "", name));
    }
    options.push({
      name,
      type: { kind: type },
      isNullable: option.isNullable,
      isCredential: scheme !== undefined,
      isFunction: scheme?.scheme.kind === "bearer",
      comment: { text: option.description?.trim() ?? "", tags: [] },
      default: option.default,
      env: option.env,
      header: option.header,
      serverVariable: option.serverVariable,
    });
  }
  for (const [scheme, roles] of ofScheme) {
    const pair = [roles.get("username"), roles.get("password")].filter((each) =>
      each !== undefined
    );
    credentials.push({
      scheme,
      options: pair.length === 2 ? pair : [...roles.values()].slice(0, 1),
    });
  }
  if (shape.options.length === 0) {
    for (const scheme of schemes.filter(({ scheme: { kind } }) => kind !== "other")) {
      const isPair = scheme.scheme.kind === "basic" || scheme.scheme.kind === "digest";
      const name = freeName(credentialName(scheme.option), taken);
      const names = isPair ? ["username", "password"] : [name];
      names.forEach((each) => taken.add(each));
      for (const each of names) {
        options.push({
          name: each,
          type: { kind: "string" },
          isNullable: true,
          isCredential: true,
          isFunction: !isPair && scheme.scheme.kind !== "apiKey",
          comment: scheme.comment,
        });
      }
      credentials.push({ scheme: scheme.option, options: names });
    }
  }
  // A call that requires another scheme says so when it is made.
  for (const { option } of schemes) {
    if (!credentials.some(({ scheme }) => scheme === option)) {
      credentials.push({ scheme: option, options: [] });
    }
  }
  const environments = shape.environments.size > 1 ? [...shape.environments] : [];
  return {
    options,
    environments,
    baseUrl: defaultBaseUrl(environments, servers),
    baseUrlEnv: baseUrlEnv(options),
    credentials,
    headers: [...shape.headers],
    maxRetries: shape.maxRetries,
    timeout: shape.timeout,
    backoff: shape.backoff,
    maxBackoff: shape.maxBackoff,
    idempotencyHeader: shape.idempotencyHeader,
    query: shape.query,
  };
}

/** Returns the default base URL; undefined if there is none, or if it has variables. */
function defaultBaseUrl(
  [first]: ResourceClientPlan["environments"],
  [server]: readonly ServerPlan[],
): string | undefined {
  const url = first?.[1] ?? server?.url;
  return url === undefined || url.includes("{") ? undefined : url.replace(/(?<!\/)\/+$/, "");
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
function baseUrlEnv(options: readonly ClientOptionPlan[]): string | undefined {
  for (const { name, env } of options) {
    const end = `_${wordsOf(name).join("_").toUpperCase()}`;
    if (env?.endsWith(end) && env.length > end.length) {
      return `${env.slice(0, -end.length)}_BASE_URL`;
    }
  }
  return undefined;
}
