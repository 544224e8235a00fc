/** The resources of a frozen SDK: the classes that are fields of the client, with their methods. */

import type { FrozenMethod, FrozenResource, Handwritten } from "./frozen_sdk.ts";
import { type MethodSource, readMethod } from "./methods.ts";
import { exportedName, type Found, type Sources } from "./sources.ts";
import {
  classIn,
  declarationOf,
  keyOf,
  lineOf,
  membersOf,
  nameOf,
  nodeAt,
  nodesAt,
  type ParsedSource,
  type SyntaxNode,
} from "./syntax.ts";

/** How many resources can be inside of each other. */
const MAX_LEVELS = 20;

/** The methods of a class, and the resources in it. */
export interface Members {
  readonly methods: FrozenMethod[];
  readonly resources: FrozenResource[];
}

/** Reads the methods and the resources of a class, and of those that it extends in its module. */
export function readMembers(
  sources: Sources,
  { source, classes, path }: {
    readonly source: ParsedSource;
    readonly classes: readonly SyntaxNode[];
    /** The names on the way from the client. */
    readonly path: readonly string[];
  },
  handwritten: Handwritten[],
): Members {
  const methods: FrozenMethod[] = [];
  const resources: FrozenResource[] = [];
  const note = (node: SyntaxNode, name: string, reason: string): void => {
    const what = ["client", ...path, name].join(".");
    handwritten.push({ file: source.file, line: lineOf(source, node.start), what, reason });
  };
  for (const each of classes) {
    for (const method of methodsOf(source, each)) {
      const read = readMethod(method);
      if ("method" in read) {
        methods.push({ ...read.method, page: pageOf(sources, source, read.method.page) });
        if (read.more !== undefined) note(method.node, method.name, read.more);
      } else note(method.node, method.name, read.reason);
    }
    for (const member of membersOf(each)) {
      const alias = aliasIn(member, methods);
      if (alias !== undefined) methods.push(alias);
      const found = resourceField(sources, source, member);
      if (found === undefined || path.length >= MAX_LEVELS) continue;
      const className = nameOf(nodeAt(found.declaration, "id"))!;
      const chain = chainOf(found);
      const inner = readMembers(sources, {
        source: found.source,
        classes: chain,
        path: [...path, found.name],
      }, handwritten);
      resources.push({
        ...{ name: found.name, className, file: found.source.file },
        baseName: nameOf(nodeAt(chain[1], "id")),
        ...inner,
        types: typesOf(found.source, className, inner.methods),
      });
    }
  }
  return { methods, resources };
}

/** Returns the older name of a method: `listAll = this.list`. */
function aliasIn(
  member: SyntaxNode,
  methods: readonly FrozenMethod[],
): FrozenMethod | undefined {
  const value = member.type === "ClassProperty" ? nodeAt(member, "value") : undefined;
  const isOwn = nodeAt(value, "object")?.type === "ThisExpression";
  const [name, wanted] = [keyOf(member), isOwn ? keyOf(value) : undefined];
  const method = methods.find((each) => each.name === wanted);
  return method === undefined || name === undefined
    ? undefined
    : { ...method, name, isAlias: true };
}

/** Returns the class of pages that a class of one list extends: `PetsPage` is a `CursorPage` of pets. */
function pageOf(
  sources: Sources,
  source: ParsedSource,
  name: string | undefined,
): string | undefined {
  if (name === undefined) return undefined;
  const found = sources.exported(source, name);
  const base = nameOf(nodeAt(found?.declaration, "superClass"));
  return base ?? name;
}

/** Returns the resource of a field: `pets: API.Pets = new API.Pets(this)`. */
function resourceField(
  sources: Sources,
  source: ParsedSource,
  member: SyntaxNode,
): Found & { readonly name: string } | undefined {
  const name = keyOf(member);
  const value = nodeAt(member, "value");
  if (member.type !== "ClassProperty" || member["static"] === true || name === undefined) {
    return undefined;
  }
  if (value?.type !== "NewExpression") return undefined;
  const found = sources.resolve(source, nodeAt(value, "callee")!);
  return found?.declaration.type === "ClassDeclaration" ? { name, ...found } : undefined;
}

/** Lists a class, and those that it extends in the same module. */
function chainOf({ source, declaration }: Found): SyntaxNode[] {
  const chain = [declaration];
  for (let level = 0; level < MAX_LEVELS; level++) {
    const name = nameOf(nodeAt(chain.at(-1), "superClass"));
    const base = name === undefined ? undefined : classIn(source, name);
    if (base === undefined || chain.includes(base)) return chain;
    chain.push(base);
  }
  return chain;
}

/** The functions of a client that belong to its runtime. */
const OF_CLIENT: ReadonlySet<string> = new Set(
  ("constructor withOptions get post put patch delete request getAPIList requestAPIList buildURL " +
    "buildRequest fetchWithTimeout").split(" "),
);

/** Lists the public methods of a class that have code, with their other signatures. */
function methodsOf(source: ParsedSource, declaration: SyntaxNode): MethodSource[] {
  const isClient = membersOf(declaration).some((each) => keyOf(each) === "authHeaders") ||
    source.file === "src/client.ts" || source.file === "src/index.ts";
  const found: MethodSource[] = [];
  let overloads: SyntaxNode[] = [];
  for (const each of membersOf(declaration)) {
    const name = keyOf(each);
    const isPublic = each["accessibility"] !== "private" && each["accessibility"] !== "protected" &&
      each["static"] !== true && name !== undefined && !name.startsWith("_");
    if (!isPublic || name === "constructor" || isClient && OF_CLIENT.has(name)) continue;
    if (each.type === "TSDeclareMethod") overloads.push(each);
    if (each.type !== "ClassMethod" || each["kind"] !== "method") continue;
    found.push({ source, name, node: each, overloads });
    overloads = [];
  }
  return found;
}

/** Lists the types of the namespace of a class, apart from those of parameters and pages. */
function typesOf(
  source: ParsedSource,
  className: string,
  methods: readonly FrozenMethod[],
): string[] {
  const namespace = source.body.map(declarationOf).find((each) =>
    each.type === "TSModuleDeclaration" && nameOf(nodeAt(each, "id")) === className &&
    each["declare"] === true
  );
  const params = new Set(methods.flatMap(({ params }) => params?.type ?? []));
  const pages = new Set(
    methods.flatMap(({ page, resultType }) => page === undefined ? [] : resultType ?? []),
  );
  const names = nodesAt(nodeAt(namespace, "body"), "body").flatMap((statement) =>
    nodesAt(statement, "source").length > 0 ? [] : nodesAt(statement, "specifiers")
      .flatMap((each) => each["exportKind"] === "type" ? exportedName(each) ?? [] : [])
  );
  return names.filter((name) => {
    if (params.has(name) || pages.has(name)) return false;
    const own = source.body.map(declarationOf).find((each) => nameOf(nodeAt(each, "id")) === name);
    // Types of other modules belong to the resources that declare them.
    return own !== undefined;
  });
}

/** Lists the types that a module declares and exports. */
export function declaredTypes(source: ParsedSource | undefined): string[] {
  return (source?.body ?? []).flatMap((statement) => {
    if (statement.type !== "ExportNamedDeclaration") return [];
    const each = declarationOf(statement);
    const isType = each.type === "TSInterfaceDeclaration" || each.type === "TSTypeAliasDeclaration";
    return isType ? nameOf(nodeAt(each, "id")) ?? [] : [];
  });
}
