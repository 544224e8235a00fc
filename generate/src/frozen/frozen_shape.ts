/** The shape of an SDK by its frozen sources, and what the document lacks of it. */

import type { Problem } from "../base/problems.ts";
import { ShapeError } from "../base/errors.ts";
import type { PageField, PagingRule } from "../model/mod.ts";
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
  version: /^\d[\w.+-]{0,99}$/,
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
  const refuse = (what: string, value: unknown): never =>
    fail(`has the ${what} ${JSON.stringify(value)?.slice(0, 80)}, which no SDK can have`);
  const checked: Checked = (form, value) => {
    if (typeof value === "string" && FORMS[form].test(value)) return value;
    return refuse(form, value);
  };
  checked.number = (what, value) => {
    if (value === undefined) return undefined;
    return typeof value === "number" && value >= 0 && Number.isFinite(value)
      ? value
      : refuse(what, value);
  };
  checked.oneOf = <Value>(what: string, known: readonly Value[], value: unknown): Value =>
    known.includes(value as Value) ? value as Value : refuse(what, value);
  try {
    return shapeOf(sdk, checked, fail);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new ShapeError(file, "is not what an SDK says: make it anew from its folder", undefined, {
      cause: error,
    });
  }
}

/** Checks the values of the data: each function returns the value, and throws if it is another one. */
interface Checked {
  /** Checks a text by its form. */
  (form: keyof typeof FORMS, value: unknown): string;
  /** Checks a number that is not negative; undefined is allowed. */
  number(what: string, value: unknown): number | undefined;
  /** Checks a value of which only a few exist. */
  oneOf<Value>(what: string, known: readonly Value[], value: unknown): Value;
}

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
  for (const { kind, place } of client.auth) {
    checked.oneOf("kind of credential", ["bearer", "basic", "apiKey"], kind);
    checked.oneOf("place", ["header", "query"], place);
  }
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
          name: page.className,
          rule: page.rule && ruleOf(page.rule, checked),
          items: page.items && checked("key", page.items),
          in: checked.oneOf("place", ["query", "body"], page.place),
          parameters: page.parameters.map((each) => checked("key", each)),
          fields: page.fields.map((each) => checked("key", each)),
        },
      ]),
    ),
    options: client.options.map((each) => optionOf(each, client, checked)),
    environments: new Map(
      client.environments.map(({ name, url }) => [checked("key", name), checked("url", url)]),
    ),
    baseUrl: client.baseURL && checked("url", client.baseURL),
    baseUrlEnv: client.baseURLEnv && checked("variable", client.baseURLEnv),
    version: sdk.exports.version && checked("version", sdk.exports.version),
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
    maxRetries: checked.number("number of retries", client.maxRetries),
    timeout: checked.number("timeout", client.timeout),
    backoff: checked.number("backoff", client.backoff),
    maxBackoff: checked.number("longest backoff", client.maxBackoff),
    idempotencyHeader: client.idempotencyHeader && checked("header", client.idempotencyHeader),
    headers: new Map(
      fixed.map(({ name, value }) => [checked("header", name), checked("value", value)]),
    ),
    query: client.arrayFormat === undefined ? undefined : {
      lists: checked.oneOf(
        "form of lists",
        ["comma", "repeat", "brackets", "indices"],
        client.arrayFormat,
      ),
      objects: checked.oneOf("form of objects", ["brackets", "dots"], client.nestedFormat),
    },
  };
}

/** Returns the rule of a page class. */
function ruleOf(rule: PagingRule, checked: Checked): PagingRule {
  const key = (value: string): string => checked("key", value);
  const keyIfSet = (value: string | undefined) => value === undefined ? undefined : key(value);
  const field = (value: PageField): PageField =>
    typeof value === "object" ? { header: checked("header", value.header) } : key(value);
  const fieldIfSet = (value: PageField | undefined) =>
    value === undefined ? undefined : field(value);
  const first = (value: unknown) => checked.oneOf("first page", [0, 1, undefined] as const, value);
  const { kind } = rule;
  switch (kind) {
    case "linkHeader":
      return { kind };
    case "nextUrl":
      return { kind, field: field(rule.field) };
    case "cursor": {
      const isItem = typeof rule.field === "object" && "lastItem" in rule.field;
      return {
        ...{ kind, param: key(rule.param), hasMore: fieldIfSet(rule.hasMore) },
        field: isItem
          ? { lastItem: key((rule.field as { readonly lastItem: string }).lastItem) }
          : field(rule.field as PageField),
      };
    }
    case "offset":
      return {
        ...{ kind, param: key(rule.param), limitParam: keyIfSet(rule.limitParam) },
        ...{ total: fieldIfSet(rule.total), first: first(rule.first) },
      };
    case "pageNumber":
      return {
        ...{ kind, param: key(rule.param), sizeParam: keyIfSet(rule.sizeParam) },
        ...{ total: fieldIfSet(rule.total), pages: fieldIfSet(rule.pages) },
        first: first(rule.first),
      };
    default:
      return checked.oneOf<never>("rule of pages", [], kind);
  }
}

function optionOf(
  { name, type, isFunction, isNullable, env, default: fallback, missing, description }:
    FrozenOption,
  { auth, headers, baseURL = "" }: FrozenClient,
  checked: Checked,
): ClientOptionShape {
  const own = auth.find(({ options }) => options.includes(name));
  const isOwn = ({ value }: FrozenDefault): boolean =>
    typeof value !== "string" && value.option === name;
  const sent = headers.find(isOwn);
  const roles = ["username", "password"];
  return {
    name: checked("name", name),
    type: typeOf(type, checked),
    ...{
      isNullable,
      isFunction,
      description,
      default: fallback === undefined ? undefined : defaultOf(fallback, checked),
      isRequired: missing !== undefined,
    },
    env: env && checked("variable", env),
    credential: own && {
      ...{ kind: own.kind, place: own.place },
      name: checked("key", own.name),
      scheme: own.scheme && checked("name", own.scheme),
      role: own.kind === "basic" ? roles[own.options.indexOf(name)] : undefined,
    },
    header: own === undefined && sent !== undefined ? checked("header", sent.name) : undefined,
    serverVariable: baseURL.includes(`{${name}}`) ? name : undefined,
  };
}

/** Returns the type of an option. */
function typeOf(value: unknown, checked: Checked): ClientOptionShape["type"] {
  const known = ["string", "number", "boolean", "other"] as const;
  const type = checked.oneOf("type of an option", known, value);
  return type === "other" ? "string" : type;
}

/** Returns the default of an option. */
function defaultOf(value: unknown, checked: Checked): string | number | boolean {
  if (typeof value === "string") return checked("value", value);
  const known = typeof value === "number" && Number.isFinite(value) ? [value] : [true, false];
  return checked.oneOf<number | boolean>("default", known, value);
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
  const { params, bodyParameter, bodyKind, unwrap, resultType, page, stream, security } = method;
  checked.oneOf("form of a body", ["multipart", "form", undefined], bodyKind);
  return {
    name: checked("name", method.name),
    operation: `${checked("verb", method.verb)} ${checked("path", method.path)}`,
    positional: method.positional.map((each) => checked("name", each)),
    page: page && checked("name", page),
    bodyParameter: bodyParameter && checked("key", bodyParameter),
    unwrap: unwrap === undefined ? false : checked("key", unwrap),
    isResponse: method.isBinary || undefined,
    resultType: resultType === undefined || PLAIN.has(resultType)
      ? undefined
      : checked("name", resultType),
    streamParameter: typeof stream === "object" ? checked("key", stream.parameter) : undefined,
    isAlias: method.isAlias || undefined,
    deprecated: undefined,
    paramsType: params?.type && checked("name", params.type),
    needsParams: params?.isRequired ?? false,
    parameterNames: new Map(
      method.parameters.map(({ place, wireName, property }) =>
        [keyOf(place, wireName, checked), checked("key", property)] as const
      ),
    ),
    parameterOptions: new Map(
      method.parameters.flatMap(({ place, wireName, option }) =>
        option === undefined
          ? []
          : [[keyOf(place, wireName, checked), checked("name", option)] as const]
      ),
    ),
    headers: new Map(
      method.headers.filter(([name]) => !/^(?:accept|content-type)$/i.test(name)).map((
        [name, value],
      ) => [checked("header", name), checked("value", value)]),
    ),
    security: security?.map((each) => checked("key", each)),
    baseUrl: method.defaultBaseURL === undefined ? false : checked("url", method.defaultBaseURL),
  };
}

/** Returns the key of a parameter. */
function keyOf(place: string, name: string, checked: Checked): string {
  const known = checked.oneOf("place", ["path", "query", "header", "body"] as const, place);
  return parameterKey(known, checked("key", name));
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

/** The content types of bodies. */
const MEDIA = {
  json: "application/json",
  multipart: "multipart/form-data",
  form: "application/x-www-form-urlencoded",
} as const;

/** Returns an operation with what a method says: its parameters have any type. */
function operationOf(method: FrozenMethod): Record<string, unknown> {
  const query = method.path.split("?")[0]!;
  const inPath = [...query.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => ({
    ...{ name, in: "path", required: true, schema: { type: "string" } },
  }));
  const others = method.parameters.filter(({ place }) => place === "query" || place === "header")
    .map(({ wireName, place }) => ({ name: wireName, in: place, schema: {} }));
  const hasBody = method.rest === "body" || method.bodyParameter !== undefined;
  const media = MEDIA[method.bodyKind ?? "json"];
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
