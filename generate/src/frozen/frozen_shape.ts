/** The shape of an SDK by its frozen sources, and what the document lacks of it. */

import type { Problem } from "../base/problems.ts";
import { ShapeError } from "../base/errors.ts";
import type { DocumentChanges } from "../read/read.ts";
import type { IgnoredSetting } from "../read/settings.ts";
import type { ClientOptionShape, MethodShape, ResourceShape, SdkShape } from "../sdk/shape.ts";
import { parameterKey } from "../sdk/parameter_key.ts";
import { writeSecurity } from "../sdk/security.ts";
import type {
  FrozenAuth,
  FrozenClient,
  FrozenDefault,
  FrozenMethod,
  FrozenOption,
  FrozenResource,
  FrozenSdk,
} from "./frozen_sdk.ts";

/** The shape, and the changes of the document. */
export interface FrozenShape {
  readonly shape: SdkShape;
  readonly changes: DocumentChanges;
  /** The code that people wrote. */
  readonly ignored: readonly IgnoredSetting[];
  /** Returns the methods whose operations the document does not have. */
  problems(): Problem[];
}

/** The version of the data in a file. */
const FORMAT = 1;

/** Returns the text of a file with what an SDK says, for {@linkcode frozenShape}. */
export function frozenText(sdk: FrozenSdk): string {
  return `${JSON.stringify({ format: FORMAT, ...sdk }, null, 2)}\n`;
}

/** The forms of the texts that become code. */
const FORMS = {
  name: /^[A-Za-z_$][\w$]{0,99}$/,
  key: /^[^\p{C}"'`\\]{1,200}$/u,
  header: /^[!#$%&'*+.^_`|~\w-]{1,200}$/,
  value: /^[\t\x20-\x7e\x80-\xff]{0,2000}$/,
  variable: /^[A-Za-z_]\w{0,199}$/,
  path: /^\/[^\s\p{C}"`\\]{0,2000}$/u,
  url: /^https?:\/\/[^\s\p{C}"'`\\<>]{1,2000}$/u,
  verb: /^[A-Z]{1,20}$/,
  module: /^[\w-][\w.-]{0,99}(?:\/[\w-][\w.-]{0,99}){0,20}$/,
} as const;

/**
 * Returns the shape of an SDK.
 *
 * @param text The text of {@linkcode frozenText}
 * @param file Its name in messages
 * @throws {ShapeError} If it is another text, or a name in it would end the code around it
 */
export function frozenShape(text: string, file: string = "the SDK"): FrozenShape {
  const fail = (message: string): never => {
    throw new ShapeError(file, message);
  };
  const sdk = parsed(text, fail);
  const checked = (form: keyof typeof FORMS, value: unknown): string => {
    if (typeof value === "string" && FORMS[form].test(value)) return value;
    return fail(`has the ${form} ${JSON.stringify(value)?.slice(0, 80)}, which no SDK can have`);
  };
  try {
    return shapeOf(sdk, checked, fail);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new ShapeError(file, "is not what an SDK says: make it anew from its folder", undefined, {
      cause: error,
    });
  }
}

/** Returns a text if it has a form, and throws otherwise. */
type Checked = (form: keyof typeof FORMS, value: unknown) => string;

function parsed(text: string, fail: (message: string) => never): FrozenSdk {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    fail("must be the folder of an SDK, or a file that was made of one");
  }
  if (at(value, "format") !== FORMAT) {
    fail("must be the folder of an SDK, or a file that was made of one by this version");
  }
  return value as FrozenSdk;
}

function shapeOf(
  sdk: FrozenSdk,
  checked: Checked,
  fail: (message: string) => never,
): FrozenShape {
  const { client } = sdk;
  const methods = [...sdk.methods, ...sdk.resources.flatMap(methodsIn)];
  const ofClient: ResourceShape = {
    ...{ name: "$client", models: new Map(), resources: [] },
    methods: sdk.methods.map((each) => methodOf(each, checked)),
  };
  const shared: ResourceShape = {
    ...{ name: "$shared", methods: [], resources: [] },
    models: new Map(sdk.sharedTypes.map((each) => [checked("name", each), undefined])),
  };
  const shape: SdkShape = {
    className: checked("name", client.className),
    otherName: client.baseName && checked("name", client.baseName),
    modules: sdk.exports.modules.map((each) => checked("module", each)),
    resources: [
      ...sdk.methods.length === 0 ? [] : [ofClient],
      ...sdk.sharedTypes.length === 0 ? [] : [shared],
      ...sdk.resources.map((each) => resourceOf(each, checked)),
    ],
    pages: new Map(
      sdk.pages.filter(({ isRead }) => isRead).map((page) => [
        checked("name", page.className),
        {
          ...{ name: page.className, rule: page.rule, items: page.items, in: page.place },
          ...{ parameters: page.parameters, fields: page.fields },
        },
      ]),
    ),
    options: client.options.map((each) => optionOf(each, client, checked)),
    environments: new Map(
      client.environments.map(({ name, url }) => [checked("key", name), checked("url", url)]),
    ),
    baseUrl: client.baseURL && checked("url", client.baseURL),
    baseUrlEnv: client.baseURLEnv && checked("variable", client.baseURLEnv),
    baseError: client.errorName && checked("name", client.errorName),
    readsOptionsAsParams: sdk.layout === "old",
    unwrap: [],
    ...settingsOf(client, checked),
  };
  const lost: Problem[] = [];
  return {
    shape,
    changes: {
      complete(document) {
        addSchemes(document, client.auth);
        lost.push(...addOperations(document, methods));
      },
      fail,
    },
    ignored: sdk.handwritten.map(({ file, line, what, reason }) => ({
      key: line === undefined ? `${what} (${reason})` : `${what} (${file}:${line}: ${reason})`,
      ...{ count: 1, line: line ?? 1, lost: "client" },
    })),
    problems: () => lost,
  };
}

/** Lists the methods of a resource and of those in it. */
function methodsIn({ methods, resources }: FrozenResource): FrozenMethod[] {
  return [...methods, ...resources.flatMap(methodsIn)];
}

function settingsOf(
  client: FrozenClient,
  checked: Checked,
): Pick<
  SdkShape,
  "maxRetries" | "timeout" | "backoff" | "maxBackoff" | "idempotencyHeader" | "headers" | "query"
> {
  const fixed = client.headers.filter(({ value }) => typeof value === "string");
  return {
    maxRetries: client.maxRetries,
    timeout: client.timeout,
    backoff: client.backoff,
    maxBackoff: client.maxBackoff,
    idempotencyHeader: client.idempotencyHeader && checked("header", client.idempotencyHeader),
    headers: new Map(
      fixed.map(({ name, value }) => [checked("header", name), checked("value", value)]),
    ),
    query: client.arrayFormat === undefined
      ? undefined
      : { lists: client.arrayFormat, objects: client.nestedFormat },
  };
}

function optionOf(
  { name, type, isFunction, isNullable, env, default: fallback, missing, description }:
    FrozenOption,
  { auth, headers, query, baseURL = "" }: FrozenClient,
  checked: Checked,
): ClientOptionShape {
  const own = auth.find(({ options }) => options.includes(name));
  const isOwn = ({ value }: FrozenDefault): boolean =>
    typeof value !== "string" && value.option === name;
  const [sent, asked] = [headers.find(isOwn), query.find(isOwn)];
  const roles = ["username", "password"];
  return {
    name: checked("name", name),
    type: type === "other" ? "string" : type,
    ...{
      isNullable,
      isFunction,
      description,
      default: fallback,
      isRequired: missing !== undefined,
    },
    env: env && checked("variable", env),
    credential: own && {
      ...{ kind: own.kind, place: own.place, name: checked("key", own.name), scheme: own.scheme },
      role: own.kind === "basic" ? roles[own.options.indexOf(name)] : undefined,
    },
    header: own === undefined && sent !== undefined ? checked("header", sent.name) : undefined,
    query: own === undefined && asked !== undefined ? checked("key", asked.name) : undefined,
    serverVariable: baseURL.includes(`{${name}}`) ? name : undefined,
  };
}

function resourceOf(
  { name, className, baseName, methods, resources, types }: FrozenResource,
  checked: Checked,
): ResourceShape {
  return {
    name: checked("name", name),
    className: checked("name", className),
    otherName: baseName && checked("name", baseName),
    methods: methods.map((each) => methodOf(each, checked)),
    models: new Map(types.map((each) => [checked("name", each), undefined])),
    resources: resources.map((each) => resourceOf(each, checked)),
  };
}

function methodOf(method: FrozenMethod, checked: Checked): MethodShape {
  const { params, bodyParameter, unwrap, resultType, page, stream, security } = method;
  return {
    name: checked("name", method.name),
    operation: `${checked("verb", method.verb)} ${checked("path", method.path)}`,
    positional: method.positional,
    page,
    bodyParameter: bodyParameter && checked("key", bodyParameter),
    unwrap: unwrap === undefined ? false : checked("key", unwrap),
    isResponse: method.isBinary || undefined,
    resultType: resultType === undefined || PLAIN.has(resultType)
      ? undefined
      : checked("name", resultType),
    streamParameter: typeof stream === "object" ? stream.parameter : undefined,
    isAlias: method.isAlias || undefined,
    deprecated: undefined,
    paramsType: params?.type && checked("name", params.type),
    needsParams: params?.isRequired ?? false,
    parameterNames: new Map(
      method.parameters.map(({ place, wireName, property }) =>
        [
          parameterKey(place, wireName),
          place === "path" ? checked("key", property) : property,
        ] as const
      ),
    ),
    parameterOptions: new Map(
      method.parameters.flatMap(({ place, wireName, option }) =>
        option === undefined
          ? []
          : [[parameterKey(place, wireName), checked("name", option)] as const]
      ),
    ),
    headers: new Map(
      method.headers.filter(([name]) => !/^(?:accept|content-type)$/i.test(name)).map((
        [name, value],
      ) => [checked("header", name), checked("value", value)]),
    ),
    security,
    baseUrl: method.defaultBaseURL === undefined ? false : checked("url", method.defaultBaseURL),
  };
}

/** Results that do not belong to the API. */
const PLAIN: ReadonlySet<string> = new Set("Response Blob Stream Array Record".split(" "));

/** Adds the security schemes that a document lacks. */
function addSchemes(document: unknown, auth: readonly FrozenAuth[]): void {
  const components = at(document, "components");
  const declared = Object.values(objectOf(at(components, "securitySchemes")));
  const schemes: Record<string, unknown> = Object.create(null);
  for (const each of auth) {
    if (declared.some((scheme) => sends(objectOf(scheme), each))) continue;
    const key = each.scheme ?? each.kind;
    schemes[key] = each.kind === "apiKey"
      ? { type: "apiKey", in: each.place, name: each.name }
      : { type: "http", scheme: each.kind };
  }
  if (Object.keys(schemes).length === 0) return;
  const paths = Object.values(objectOf(at(document, "paths"))).flatMap((each) =>
    Object.values(objectOf(each))
  );
  const isStated = [document, ...paths].some((each) => at(each, "security") !== undefined);
  const security = isStated ? undefined : Object.keys(schemes).map((key) => ({ [key]: [] }));
  writeSecurity(document, { security, schemes });
}

/** Reports if a scheme of a document sends a credential as the SDK does. */
function sends(
  { type, in: place, name, scheme, $ref }: Readonly<Record<string, unknown>>,
  auth: FrozenAuth,
): boolean {
  if ($ref !== undefined) return true;
  switch (auth.kind) {
    case "bearer":
      return type === "oauth2" || type === "openIdConnect" ||
        type === "http" && String(scheme).toLowerCase() === "bearer";
    case "basic":
      return type === "http" && String(scheme).toLowerCase() === "basic";
    case "apiKey":
      return type === "apiKey" && place === auth.place &&
        String(name).toLowerCase() === auth.name.toLowerCase();
  }
}

/** Adds the operations that a document lacks, and returns them as problems. */
function addOperations(document: unknown, methods: readonly FrozenMethod[]): Problem[] {
  const paths = at(document, "paths");
  if (typeof paths !== "object" || paths === null) return [];
  const known = new Map(
    Object.entries(objectOf(paths)).map(([path, item]) => [pathKey(path), objectOf(item)]),
  );
  const lost: Problem[] = [];
  for (const method of methods) {
    const item = known.get(pathKey(method.path)) ?? {};
    const verb = method.verb.toLowerCase();
    if (item[verb] !== undefined || item["$ref"] !== undefined) continue;
    if (!known.has(pathKey(method.path))) {
      known.set(pathKey(method.path), item);
      (paths as Record<string, unknown>)[method.path] = item;
    }
    item[verb] = operationOf(method);
    lost.push({
      ...{ kind: "operation", file: method.file, line: method.line, column: 1 },
      pointer: "#/paths",
      message: `the document has no ${method.verb} ${method.path}, which ${method.name} calls`,
      action: "the method stays, without types",
    });
  }
  return lost;
}

/** Returns an operation with what a method says: its parameters have any type. */
function operationOf(method: FrozenMethod): Record<string, unknown> {
  const query = method.path.split("?")[0]!;
  const inPath = [...query.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => ({
    ...{ name, in: "path", required: true, schema: { type: "string" } },
  }));
  const others = method.parameters.filter(({ place }) => place === "query" || place === "header")
    .map(({ wireName, place }) => ({ name: wireName, in: place, schema: {} }));
  const hasBody = method.rest === "body" || method.bodyParameter !== undefined;
  const media = method.bodyKind === "multipart" ? "multipart/form-data" : "application/json";
  const isVoid = method.resultType === undefined && !method.isBinary;
  const result = method.isBinary ? "application/octet-stream" : "application/json";
  return {
    parameters: [...inPath, ...others],
    ...hasBody
      ? {
        requestBody: {
          required: method.params?.isRequired ?? false,
          content: { [media]: { schema: { type: "object", additionalProperties: true } } },
        },
      }
      : {},
    responses: {
      200: { description: "", ...isVoid ? {} : { content: { [result]: { schema: {} } } } },
    },
  };
}

/** Returns a path without the names of its parameters. */
function pathKey(path: string): string {
  return path.replace(/\{[^{}]*\}/g, "{}").replace(/\/(?=$|\?)/, "");
}

function at(value: unknown, key: string): unknown {
  return objectOf(value)[key];
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? value as Record<string, unknown> : {};
}
