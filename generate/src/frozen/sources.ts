/** The sources of a frozen SDK: parses them when they are needed, and follows imports and exports. */

import {
  declarationOf,
  nameOf,
  nodeAt,
  nodesAt,
  type Parse,
  type ParsedSource,
  type SyntaxNode,
  textOf,
} from "./syntax.ts";

/** A class or another export, and the module that declares it. */
export interface Found {
  readonly source: ParsedSource;
  readonly declaration: SyntaxNode;
}

/** The sources of an SDK. */
export class Sources {
  readonly #texts: ReadonlyMap<string, string>;
  readonly #parse: Parse;
  readonly #parsed = new Map<string, ParsedSource | undefined>();
  /** The files that were needed and cannot be parsed. */
  readonly broken: string[] = [];

  constructor(texts: ReadonlyMap<string, string>, parse: Parse) {
    this.#texts = texts;
    this.#parse = parse;
  }

  /** Lists the paths of all files. */
  get files(): string[] {
    return [...this.#texts.keys()];
  }

  /** Returns the text of a file. */
  textOf(file: string): string | undefined {
    return this.#texts.get(file);
  }

  /** Returns a source; undefined if it does not exist, or is not TypeScript. */
  get(file: string): ParsedSource | undefined {
    if (this.#parsed.has(file)) return this.#parsed.get(file);
    const text = this.#texts.get(file);
    const parsed = text === undefined ? undefined : this.#parse(file, text);
    if (text !== undefined && parsed === undefined) this.broken.push(file);
    this.#parsed.set(file, parsed);
    return parsed;
  }

  /** Returns the first of several sources that exists. */
  first(...files: readonly string[]): ParsedSource | undefined {
    for (const file of files) {
      const found = this.get(file);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Returns the module that another one imports by a relative path. */
  module(from: string, specifier: string): ParsedSource | undefined {
    if (!specifier.startsWith(".")) return undefined;
    const parts = from.split("/").slice(0, -1);
    for (const part of specifier.split("/")) {
      if (part === "..") parts.pop();
      else if (part !== ".") parts.push(part);
    }
    const path = parts.join("/").replace(/\.(?:js|mjs|ts)$/, "");
    return this.first(`${path}.ts`, `${path}/index.ts`);
  }

  /** Finds the declaration of an export, also if another module hands it on. */
  exported(
    source: ParsedSource,
    name: string,
    visited: Set<string> = new Set(),
  ): Found | undefined {
    const key = `${source.file} ${name}`;
    if (visited.has(key)) return undefined;
    visited.add(key);
    const own = declared(source, name);
    if (own !== undefined) return { source, declaration: own };
    for (const statement of source.body) {
      const path = textOf(nodeAt(statement, "source"));
      if (path === undefined) continue;
      if (statement.type === "ExportAllDeclaration") {
        const module = this.module(source.file, path);
        const found = module && this.exported(module, name, visited);
        if (found !== undefined) return found;
      }
      if (statement.type !== "ExportNamedDeclaration") continue;
      const specifier = nodesAt(statement, "specifiers").find((each) =>
        exportedName(each) === name
      );
      if (specifier === undefined) continue;
      const module = this.module(source.file, path);
      const local = nameOf(nodeAt(specifier, "local"));
      return module && local !== undefined ? this.exported(module, local, visited) : undefined;
    }
    return undefined;
  }

  /** Finds what a name in a module stands for: `Pets`, or `PetsAPI.Pets`. */
  resolve(source: ParsedSource, reference: SyntaxNode): Found | undefined {
    const name = nameOf(reference);
    if (name !== undefined) {
      const own = declared(source, name);
      if (own !== undefined) return { source, declaration: own };
      const imported = importOf(source, name);
      const module = imported && this.module(source.file, imported.path);
      return module && imported.name !== undefined
        ? this.exported(module, imported.name)
        : undefined;
    }
    const [holder, member] = [nodeAt(reference, "object"), nodeAt(reference, "property")];
    const [left, right] = [nameOf(holder), nameOf(member)];
    if (left === undefined || right === undefined) return undefined;
    const module = importOf(source, left);
    const target = module && this.module(source.file, module.path);
    return target && this.exported(target, right);
  }
}

/** Returns the class, interface, type or constant of a module with a name. */
export function declared(source: ParsedSource, name: string): SyntaxNode | undefined {
  for (const statement of source.body) {
    const each = declarationOf(statement);
    const isNamed = nameOf(nodeAt(each, "id")) === name && each.type !== "TSModuleDeclaration";
    if (isNamed) return each;
    if (each.type !== "VariableDeclaration") continue;
    const variable = nodesAt(each, "declarations").find((one) =>
      nameOf(nodeAt(one, "id")) === name
    );
    if (variable !== undefined) return variable;
  }
  return undefined;
}

/** Returns the name by which others import a specifier of an export. */
export function exportedName(specifier: SyntaxNode): string | undefined {
  const exported = nodeAt(specifier, "exported");
  return nameOf(exported) ?? textOf(exported);
}

/** Returns the path from which a module imports a name; no name for all of a module. */
function importOf(
  source: ParsedSource,
  name: string,
): { readonly path: string; readonly name?: string | undefined } | undefined {
  for (const statement of source.body) {
    if (statement.type !== "ImportDeclaration") continue;
    const path = textOf(nodeAt(statement, "source"));
    const specifier = nodesAt(statement, "specifiers").find((each) =>
      nameOf(nodeAt(each, "local")) === name
    );
    if (path === undefined || specifier === undefined) continue;
    if (specifier.type === "ImportNamespaceSpecifier") return { path };
    const imported = nodeAt(specifier, "imported");
    return { path, name: nameOf(imported) ?? textOf(imported) ?? "default" };
  }
  return undefined;
}
