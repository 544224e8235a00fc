/** Plans a client with resources, by the shape that a configuration or a list of methods states. */

import { type Node, placeOf, type Source } from "../read/source.ts";
import { responsesOf } from "./errors.ts";
import { objectAt, textAt } from "./fields.ts";
import { mediaOf, preferred } from "./media.ts";
import type { Operation } from "./operations.ts";
import { findItems, hasField, isNullable, itemsAt, type PageItems } from "./page_fields.ts";
import { type PagedOperation, planPages } from "./pages.ts";
import type {
  BodyPlan,
  EndpointPlan,
  MethodPlan,
  PagesPlan,
  PagingRulePlan,
  ParameterPlan,
  ResultPlan,
  SchemePlan,
} from "./plan.ts";
import type {
  ClientOptionPlan,
  CredentialPlan,
  PageClassPlan,
  ParamsPlan,
  ResourceCallPlan,
  ResourceClientPlan,
  ResourceMember,
} from "./resource_plan.ts";
import type { StatedNames } from "./schema_index.ts";
import type { TypePlanner } from "./schemas.ts";
import type { MethodShape, PageShape, ResourceShape, SdkShape } from "./shape.ts";
import { intersectionOf, isSame, keyword, unionOf } from "./type_algebra.ts";
import { pascalCase, type TypeNames } from "./type_names.ts";
import type { Comment, Declaration, Property, Type } from "./types.ts";
import { camelCase, capitalized, endpointMembers, freeName, singularOf, wordsOf } from "./words.ts";

/** A resource of the shape with its place. */
export interface PlacedResource {
  readonly shape: ResourceShape;
  readonly path: readonly string[];
  /** The path as text, such as `chat.completions`; `$client` for the client itself. */
  readonly field: string;
}

/** A method of the shape with the operation that it calls. */
export interface ShapedMethod {
  readonly operation: Operation;
  readonly shape: MethodShape;
  readonly resource: PlacedResource;
  readonly name: string;
}

/** The members of clients with resources, which no resource of the client may hide. */
const clientMembers: ReadonlySet<string> = new Set([
  ...endpointMembers,
  ..."authSchemes baseURL close delete get getAPIList httpSession idempotencyHeader maxRetries"
    .split(
      " ",
    ),
  ..."patch post put ready request timeout withOptions".split(" "),
]);

/** The names that files of resources import. No type of the output has one of them. */
export const resourceImports: readonly string[] =
  ("APIConnectionError APIConnectionTimeoutError APIPromise APIResource APIUserAbortError AbstractPage " +
    "AuthSchemes AuthenticationError BearerAuth ConflictError Content InternalServerError " +
    "PagePromise PageSettings PermissionDeniedError RateLimitError RequestOptions ResourceClient " +
    "ResourceClientOptions Stream UnprocessableEntityError Uploadable").split(" ");

/** Lists the resources of a shape, each after the one around it. */
export function resourcesOf(source: Source, { resources }: SdkShape): PlacedResource[] {
  const all: PlacedResource[] = [];
  const add = (shapes: readonly ResourceShape[], before: readonly string[]): void => {
    const taken = new Set(before.length === 0 ? clientMembers : endpointMembers);
    for (const shape of shapes) {
      if (shape.name === "$shared") {
        all.push({ shape, path: ["$shared"], field: "$shared" });
        continue;
      }
      if (shape.name === "$client" && before.length === 0) {
        all.unshift({ shape, path: [], field: "$client" });
        continue;
      }
      const name = memberName(source, shape.name, taken);
      const path = [...before, name];
      all.push({ shape, path, field: path.join(".") });
      add(shape.resources, path);
    }
  };
  add(resources, []);
  return all;
}

/** Returns a name that the members of a class have left free, and takes it. */
function memberName(source: Source, wanted: string, taken: Set<string>): string {
  let name = wanted;
  while (taken.has(name)) name += "_";
  taken.add(name);
  if (name !== wanted) {
    const message = `the name ${JSON.stringify(wanted)} belongs to the class itself`;
    source.problem(source.root, "name", message, `called ${name}`);
  }
  return name;
}

/** The methods of a shape, and the operations that it does not name. */
export interface ShapedMethods {
  readonly methods: readonly ShapedMethod[];
  /** The operations that become no method: `GET /pets/{id}`. */
  readonly leftOut: readonly string[];
}

/** Finds the operations of the methods of a shape. */
export function methodsOf(
  source: Source,
  operations: readonly Operation[],
  resources: readonly PlacedResource[],
): ShapedMethods {
  const byKey = new Map(operations.map((each) => [keyOf(`${each.verb} ${each.path}`), each]));
  const left = new Set(operations);
  const methods: ShapedMethod[] = [];
  for (const resource of resources) {
    const { shape, path } = resource;
    const taken = new Set(path.length === 0 ? clientMembers : endpointMembers);
    if (path.length > 0) { for (const { name } of shape.resources) taken.add(name); }
    for (const method of shape.methods) {
      const operation = byKey.get(keyOf(method.operation));
      if (operation === undefined) {
        const place = [...path, method.name].join(".");
        const message = `the document has no ${method.operation}, which ${place} calls`;
        source.problem(source.root, "operation", message, "the method is left out");
        continue;
      }
      left.delete(operation);
      const name = memberName(source, method.name, taken);
      methods.push({ operation, shape: method, resource, name });
    }
  }
  return { methods, leftOut: [...left].map(({ verb, path }) => `${verb} ${path}`) };
}

/** Returns an operation without the names of its path parameters. */
function keyOf(operation: string): string {
  return operation.replace(/\{[^{}]*\}/g, "{}").replace(/\/(?=$|\?)/, "");
}

/** The names that a shape gives to schemas. */
export interface StatedTypes {
  /** The schemas by their places, with their names. The first name of a place counts. */
  readonly byPlace: StatedNames;
  /** The names of each resource, and the places of their schemas. */
  readonly ofResource: ReadonlyMap<string, readonly (readonly [name: string, place: string])[]>;
  /** The names whose schema was not found. */
  readonly missing: readonly string[];
}

/**
 * Finds the schemas of the types that a shape names: by their pointers, or else by the results of methods
 * and the names of components.
 */
export function statedTypes(
  source: Source,
  { unwrap }: Pick<SdkShape, "unwrap">,
  resources: readonly PlacedResource[],
  methods: readonly ShapedMethod[],
): StatedTypes {
  const byResult = new Map<string, Node>();
  for (const { operation, shape: { resultType } } of methods) {
    if (resultType === undefined) continue;
    const schema = resultSchema(source, operation, unwrap);
    const known = byResult.get(resultType);
    // A schema with a name is surer than one of a single response.
    const isSurer = known === undefined || !isReference(known) && isReference(schema);
    if (schema !== undefined && isSurer) byResult.set(resultType, schema);
  }
  const components = source.child(source.root, "components");
  const schemas = components && source.child(components, "schemas");
  const byName = new Map<string, Node>();
  for (const [key, node] of schemas === undefined ? [] : source.children(schemas)) {
    const name = pascalCase(key).toLowerCase();
    if (!byName.has(name)) byName.set(name, node);
  }
  const byWords = componentsByWords(byName.values(), resources);
  const byPlace = new Map<string, { node: Node; name: string; longName: string }>();
  const ofResource = new Map<string, (readonly [name: string, place: string])[]>();
  const missing: string[] = [];
  for (const { shape, field, path } of resources) {
    const own: (readonly [string, string])[] = [];
    ofResource.set(field, own);
    for (const [name, pointer] of shape.models) {
      const stated = pointer === undefined
        ? byName.get(name.toLowerCase()) ?? byResult.get(name) ?? byWords.get(name)
        : source.target(source.root, pointer);
      const node = stated && source.resolve(stated);
      if (node === undefined) {
        missing.push(name);
        continue;
      }
      const place = placeOf(node);
      const longName = [...path.filter((each) => each !== "$shared"), name].map(pascalCase).join(
        "",
      );
      if (!byPlace.has(place)) byPlace.set(place, { node, name, longName });
      own.push([name, place]);
    }
  }
  return { byPlace, ofResource, missing };
}

/** Words by which the names of a configuration differ from those of its schemas. */
const sideWords: ReadonlySet<string> = new Set("object param params request resource".split(" "));

/**
 * Finds the components whose names have the words of a type, in any order and without side words: a
 * `ChatCompletionRequestUserMessage` is the `ChatCompletionUserMessageParam`. Both must be the only ones
 * with these words.
 */
function componentsByWords(
  components: Iterable<Node>,
  resources: readonly PlacedResource[],
): ReadonlyMap<string, Node> {
  const wordsKey = (name: string) =>
    wordsOf(name).map((word) => word.toLowerCase()).filter((word) => !sideWords.has(word)).sort()
      .join(" ");
  const nodes = Map.groupBy(components, ({ pointer }) => wordsKey(pointer.split("/").at(-1)!));
  const names = resources.flatMap(({ shape }) => [...shape.models.keys()]);
  const found = new Map<string, Node>();
  for (const [key, same] of Map.groupBy(new Set(names), wordsKey)) {
    const [node, ...others] = nodes.get(key) ?? [];
    if (node !== undefined && others.length === 0 && same.length === 1) found.set(same[0]!, node);
  }
  return found;
}

/** Returns the schema of the JSON of a success, or of the field that is taken out of it. */
function resultSchema(
  source: Source,
  { node }: Operation,
  unwrap: readonly string[],
): Node | undefined {
  for (const [status, response] of responsesOf(source, node)) {
    if (!/^2/.test(status)) continue;
    const schema = preferred(mediaOf(source, response), ["json"])?.schema;
    if (schema === undefined) continue;
    const properties = objectAt(source, source.resolve(schema), "properties");
    const fields = unwrap.flatMap((field) => properties && source.child(properties, field) || []);
    return fields[0] ?? schema;
  }
  return undefined;
}

function isReference(schema: Node | undefined): boolean {
  return textAt(schema, "$ref") !== undefined;
}

/** The pages of a method. */
export interface ShapedPages {
  /** Undefined if there is one page only. */
  readonly pages: PagesPlan | undefined;
  readonly items: PageItems;
  readonly rule: PagingRulePlan | undefined;
  /** The name of the class in the configuration; undefined if the rule is that of the document. */
  readonly name: string | undefined;
}

/** Plans the pages of a method by the classes of a shape, or else by the document. */
export function shapedPages(
  source: Source,
  types: TypePlanner,
  { shape: { pages }, method }: { readonly shape: SdkShape; readonly method: MethodShape },
  paged: PagedOperation,
): ShapedPages | undefined {
  if (method.page === undefined || paged.result.kind !== "json") return undefined;
  const named = pages.get(method.page);
  const isAuto = method.page === "auto";
  const candidates = named !== undefined ? [named] : isAuto ? [...pages.values()] : [];
  for (const page of candidates) {
    if (isAuto && !fits(types, page, paged)) continue;
    const items = page.items === undefined
      ? findItems(types, paged.result.type, paged.operation.path)
      : itemsAt(types, paged.result.type, page.items);
    if (items === undefined) continue;
    const reason = `the class \`${page.name}\` of the configuration`;
    const isEmpty = isNullable(types, paged.result.type);
    const plan = page.rule &&
      { rule: page.rule, ...items, isNullable: isEmpty, reason, origin: "override" as const };
    return { pages: plan, items, rule: page.rule, name: page.name };
  }
  if (candidates.length > 0) {
    if (!isAuto) {
      const message = `the result has no list for the pages \`${method.page}\``;
      source.problem(paged.operation.node, "operation", message, "returned as it is");
    }
    return undefined;
  }
  // Without classes of pages, only a list of methods says that a result is a page.
  if (method.resultType === undefined && isAuto) return undefined;
  const found = planPages(source, types, paged);
  if (found !== undefined) {
    return {
      pages: found,
      items: { items: found.items, item: found.item },
      rule: found.rule,
      name: undefined,
    };
  }
  const items = findItems(types, paged.result.type, paged.operation.path);
  if (items !== undefined) return { pages: undefined, items, rule: undefined, name: undefined };
  const message = "the result is stated as a page, but has no list";
  source.problem(paged.operation.node, "operation", message, "returned as it is");
  return undefined;
}

/** Reports if an operation has the parameters of a class of pages, and its result the fields. */
function fits(
  types: TypePlanner,
  page: PageShape,
  { parameters, body, result }: PagedOperation,
): boolean {
  const names = page.in === "body"
    ? types.propertiesOf(body?.type ?? keyword("unknown")).map(({ name }) => name)
    : parameters.filter(({ place }) => place === "query").map(({ wireName }) => wireName);
  return page.parameters.every((name) => names.includes(name)) &&
    page.fields.every((field) => hasField(types, result.type, field));
}

/** The classes of pages of a client, of which methods with the same rule share one. */
export class PageClasses {
  readonly #names: TypeNames;
  readonly #types: TypePlanner;
  readonly #classes = new Map<string, PageClassPlan>();

  /**
   * @param names The names that are taken
   * @param types The planner of types
   */
  constructor(names: TypeNames, types: TypePlanner) {
    this.#names = names;
    this.#types = types;
  }

  /** Returns the name of the class for pages of a body, with the fields that all its bodies have. */
  classOf({ rule, items: { items }, name }: ShapedPages, body: Type): string {
    const place = items.map((each) => each.name);
    const key = name ?? JSON.stringify([rule, place]);
    const fields = this.#fieldsOf(body, place);
    const known = this.#classes.get(key);
    if (known === undefined) {
      const className = this.#names.take(name ?? ofKind[rule?.kind ?? "none"]);
      this.#classes.set(key, { className, rule, items, fields });
      return className;
    }
    const shared = known.fields.flatMap((each) => {
      const other = fields.find((field) => field.name === each.name);
      if (other === undefined || !isSame(other.type, each.type)) return [];
      return [{ ...each, optional: each.optional || other.optional }];
    });
    this.#classes.set(key, { ...known, fields: shared });
    return known.className;
  }

  /** Returns the classes, in the order of their first use. */
  all(): PageClassPlan[] {
    return [...this.#classes.values()];
  }

  /** Returns the fields of a body, in which `Item` stands for the type of an item. */
  #fieldsOf(body: Type, [first, ...rest]: readonly string[]): Property[] {
    const plain: Comment = { text: "", tags: [] };
    const list: Type = { kind: "array", items: { kind: "reference", name: "Item" } };
    if (first === undefined) {
      return [{ name: "items", type: list, optional: false, comment: plain }];
    }
    return this.#types.propertiesOf(body).map((property) => {
      if (property.name !== first) return { ...property, comment: plain };
      if (rest.length === 0) return { name: first, type: list, optional: false, comment: plain };
      const inner = this.#fieldsOf(property.type, rest);
      return { ...property, type: { kind: "object", properties: inner }, comment: plain };
    });
  }
}

const ofKind: Readonly<Record<PagingRulePlan["kind"] | "none", string>> = {
  cursor: "CursorPage",
  linkHeader: "LinkPage",
  nextUrl: "NextURLPage",
  offset: "OffsetPage",
  pageNumber: "PageNumberPage",
  none: "SinglePage",
};

/** The parts of a method that its arguments are made of. */
export interface CallParts {
  readonly operation: Operation;
  readonly path: readonly ParameterPlan[];
  readonly others: readonly ParameterPlan[];
  readonly body: BodyPlan | undefined;
}

/**
 * Plans the arguments of a method.
 *
 * @param declare Declares the type of the object of parameters, and returns its name
 */
export function callOf(
  types: TypePlanner,
  method: MethodShape,
  { operation, path, others, body }: CallParts,
  declare: (type: Type) => string,
): Pick<ResourceCallPlan, "isBodyPositional" | "params" | "positional"> {
  const positional = positionalOf(method, operation, path);
  const isBodyPositional = body?.kind === "bytes" || body?.kind === "text";
  const isSpread = body !== undefined && !isBodyPositional && method.bodyParameter === undefined &&
    isObject(types, body);
  const inBody = new Set(isSpread ? types.propertiesOf(body.type).map(({ name }) => name) : []);
  const fields: { property: string; parameter: ParameterPlan }[] = [];
  const taken = new Set(inBody);
  const add = (parameter: ParameterPlan, wanted: string): void => {
    let property = wanted;
    while (taken.has(property)) property = `${parameter.place}_${property}`;
    taken.add(property);
    fields.push({ property, parameter });
  };
  for (const each of path) if (!positional.includes(each.name)) add(each, each.wireName);
  for (const each of others) add(each, each.name.replace(/\[\]$/, ""));

  const properties = fields.map(({ property, parameter: { type, required, comment } }) => ({
    name: property,
    type,
    optional: !required,
    comment,
  }));
  let isRequired = properties.some(({ optional }) => !optional);
  let bodyPlan: ParamsPlan["body"];
  let type: Type | undefined = properties.length === 0 ? undefined : { kind: "object", properties };
  if (isSpread) {
    bodyPlan = "rest";
    isRequired ||= body.required;
    const { type: ofBody } = body;
    if (type === undefined) type = ofBody;
    else if (ofBody.kind === "object" && ofBody.additional === undefined && !ofBody.extends) {
      type = { ...ofBody, properties: [...properties, ...ofBody.properties] };
    } else type = intersectionOf([ofBody, type]);
  } else if (body !== undefined && !isBodyPositional) {
    let property = method.bodyParameter ?? "body";
    while (taken.has(property)) property = `body_${property}`;
    bodyPlan = { property };
    isRequired ||= body.required;
    const own = {
      name: property,
      type: body.type,
      optional: !body.required,
      comment: body.comment,
    };
    type = { kind: "object", properties: [...properties, own] };
  }
  const params = type === undefined
    ? undefined
    : { type: declare(type), isRequired, fields, body: bodyPlan };
  return { positional, isBodyPositional, params };
}

/** Returns the names of the path parameters that are arguments of their own. */
function positionalOf(
  { positional, operation: stated }: MethodShape,
  { parts }: Operation,
  path: readonly ParameterPlan[],
): string[] {
  if (positional === undefined) return path.slice(-1).map(({ name }) => name);
  // The configuration and the document may name the same parameter differently.
  const wanted = [...stated.split("?")[0]!.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name!);
  const given = parts.flatMap((part) => typeof part === "string" ? [] : [part.parameter]);
  return positional.flatMap((name) => {
    const wire = given[wanted.indexOf(name)] ?? name;
    return path.filter(({ wireName }) => wireName === wire).map((each) => each.name);
  });
}

/** Reports if a body is an object whose properties can stand beside parameters. */
function isObject(types: TypePlanner, { kind, type }: BodyPlan): boolean {
  if (kind === "form" || kind === "multipart") return true;
  if (kind !== "json") return false;
  const isOne = (each: Type, depth: number): boolean => {
    const found = types.resolve(each);
    if (found.kind === "object") return true;
    if (found.kind === "intersection") {
      return depth < 20 && found.members.some((one) => isOne(one, depth + 1));
    }
    return found.kind === "union" && depth < 20 &&
      found.members.every((one) => isOne(one, depth + 1));
  };
  return isOne(type, 0);
}

/** Returns the result without the object around it, if the shape states a field of it. */
export function unwrapped(
  types: TypePlanner,
  { unwrap }: SdkShape,
  method: MethodShape,
  result: ResultPlan,
): { readonly field: string; readonly type: Type } | undefined {
  if (result.kind !== "json" || method.unwrap === false) return undefined;
  const fields = method.unwrap === undefined ? unwrap : [method.unwrap];
  const properties = types.propertiesOf(result.type);
  for (const field of fields) {
    const found = properties.find(({ name }) => name === field);
    if (found === undefined) continue;
    return {
      field,
      type: found.optional ? unionOf([found.type, keyword("undefined")]) : found.type,
    };
  }
  return undefined;
}

/** Returns the start of the names of a method's types: `files` and `create` become `File Create`. */
export function typePrefix({ path }: PlacedResource, method: string): string {
  const name = path.at(-1);
  if (name === undefined) return `Client ${capitalized(method)}`;
  const words = wordsOf(name);
  const last = words.at(-1)!;
  const singular = singularOf(last);
  const end = singular.length < last.length ? last.slice(0, singular.length) : last;
  const whole = singular.endsWith("y") && last.endsWith("ies") ? `${last.slice(0, -3)}y` : end;
  return [...words.slice(0, -1), whole, method].map(capitalized).join(" ");
}

/** The parts of a client that its options are made of. */
interface ClientParts {
  readonly shape: SdkShape;
  readonly schemes: readonly SchemePlan[];
  readonly members: readonly ResourceMember[];
}

/** Plans the options and settings of the client. */
export function resourceClient(
  source: Source,
  { shape, schemes, members }: ClientParts,
): ResourceClientPlan {
  const credentials: CredentialPlan[] = [];
  const options: ClientOptionPlan[] = [];
  const ofScheme = new Map<string, Map<string, string>>();
  for (const { auth, type, ...option } of shape.options) {
    const scheme = auth && schemes.find(({ key }) => key === auth.scheme);
    if (auth !== undefined && scheme === undefined) {
      const message = `the document has no security scheme ${JSON.stringify(auth.scheme)}`;
      source.problem(source.root, "security", message, `${option.name} is not sent`);
    }
    if (scheme !== undefined) {
      const roles = ofScheme.get(scheme.option) ?? new Map<string, string>();
      ofScheme.set(scheme.option, roles.set(auth!.role ?? "", option.name));
    }
    options.push({
      name: option.name,
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
    const taken = new Set<string>();
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
  const environments = [...shape.environments];
  return {
    members,
    options,
    environments: environments.length > 1 ? environments : [],
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

/** Returns the types of each resource, with the names that they have there. */
export function namespaceOf(
  path: readonly string[],
  models: readonly (readonly [name: string, type: string])[],
  own: readonly Declaration[],
): (readonly [name: string, type: string])[] {
  const types = new Map(models);
  const around = path.slice(0, -1).map(pascalCase).join("");
  for (const { name } of own) {
    const short = around !== "" && name.startsWith(around) ? name.slice(around.length) : name;
    types.set(/^[A-Z]/.test(short) && !types.has(short) ? short : name, name);
  }
  return [...types];
}

/** Returns the resources in another one, or in the client. */
export function membersOf(
  endpoints: readonly EndpointPlan[],
  path: readonly string[],
): ResourceMember[] {
  return endpoints.flatMap(({ resource, className, file, comment }) => {
    const own = resource?.path ?? [];
    const isChild = own.length === path.length + 1 && path.every((name, index) =>
      own[index] === name
    ) &&
      own[0] !== "$shared";
    return isChild ? [{ field: own.at(-1)!, className, file, comment }] : [];
  });
}

/** Returns the comment of a method: with those parameters only that are arguments of their own. */
export function methodComment(
  { text, tags }: MethodPlan["comment"],
  { positional }: Pick<ResourceCallPlan, "positional">,
  { deprecated, isAlias }: MethodShape,
): Comment {
  const kept = tags.filter(([tag, content]) =>
    tag !== "throws" && (tag !== "param" || positional.includes(content.split(" ")[0]!))
  );
  const reason = deprecated ?? (isAlias ? "It is the earlier name of another method." : undefined);
  const others = kept.filter(([tag]) => tag !== "deprecated");
  return { text, tags: reason === undefined ? kept : [...others, ["deprecated", reason]] };
}
