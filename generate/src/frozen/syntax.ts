/**
 * The syntax of TypeScript sources, as plain trees. The package `@babel/parser` reads them; it is loaded
 * only for a frozen SDK. Nothing of a source is run.
 */

/** A node of the tree, with the properties that its type has. */
export interface SyntaxNode {
  readonly type: string;
  /** The place in the text. */
  readonly start: number;
  readonly end: number;
  readonly [property: string]: unknown;
}

/** A source that was parsed. */
export interface ParsedSource {
  /** The path in the folder of the SDK, such as `src/resources/pets.ts`. */
  readonly file: string;
  readonly text: string;
  /** The statements of the module. */
  readonly body: readonly SyntaxNode[];
}

/** A function that parses a source; undefined if it is not TypeScript. */
export type Parse = (file: string, text: string) => ParsedSource | undefined;

/** Loads the parser. */
export async function loadParser(): Promise<Parse> {
  const { parse } = await import("@babel/parser");
  return (file, text) => {
    try {
      const { program } = parse(text, {
        ...{ sourceType: "module", plugins: ["typescript"], allowUndeclaredExports: true },
      });
      return { file, text, body: program.body as unknown as readonly SyntaxNode[] };
    } catch (error) {
      if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
      throw error;
    }
  };
}

/** Reports if a value is a node. */
export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && "type" in value &&
    typeof value.type === "string";
}

/** Returns the node that is the value of a property; undefined if there is none. */
export function nodeAt(node: SyntaxNode | undefined, property: string): SyntaxNode | undefined {
  const value = node?.[property];
  return isNode(value) ? value : undefined;
}

/** Lists the nodes of a property that is a list. Holes are left out. */
export function nodesAt(node: SyntaxNode | undefined, property: string): readonly SyntaxNode[] {
  const value = node?.[property];
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** Returns the name of an identifier; undefined for other nodes. */
export function nameOf(node: SyntaxNode | undefined): string | undefined {
  return node?.type === "Identifier" ? String(node["name"]) : undefined;
}

/** Returns the name of a property, a key or a member that is written as a name or as a string. */
export function keyOf(node: SyntaxNode | undefined): string | undefined {
  if (node?.["computed"] === true) return undefined;
  const key = nodeAt(node, "key") ?? nodeAt(node, "property");
  return nameOf(key) ?? textOf(key);
}

/** Returns the text of a string, also of a template without expressions. */
export function textOf(node: SyntaxNode | undefined): string | undefined {
  const value = node === undefined ? undefined : bare(node);
  if (value?.type === "StringLiteral") return String(value["value"]);
  if (value?.type !== "TemplateLiteral" || nodesAt(value, "expressions").length > 0) {
    return undefined;
  }
  return templateTexts(value)[0];
}

/** Returns the number of a literal; undefined for other nodes. */
export function numberOf(node: SyntaxNode | undefined): number | undefined {
  const value = node === undefined ? undefined : bare(node);
  return value?.type === "NumericLiteral" ? Number(value["value"]) : undefined;
}

/** Lists the texts of a template, before, between and after its expressions. */
export function templateTexts(template: SyntaxNode): string[] {
  return nodesAt(template, "quasis").map((each) => {
    const { cooked } = (each["value"] ?? {}) as { readonly cooked?: unknown };
    return typeof cooked === "string" ? cooked : "";
  });
}

/** The nodes that only state the type of a value. */
const TYPE_ONLY: ReadonlySet<string> = new Set([
  "TSAsExpression",
  "TSNonNullExpression",
  "TSSatisfiesExpression",
  "TSInstantiationExpression",
  "ParenthesizedExpression",
]);

/** Returns an expression without what only states its type. */
export function bare(node: SyntaxNode): SyntaxNode {
  let at = node;
  while (TYPE_ONLY.has(at.type)) at = nodeAt(at, "expression")!;
  return at;
}

/** Lists a node and all nodes in it, in their order. It is not recursive. */
export function nodesIn(root: SyntaxNode): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  const waiting: SyntaxNode[] = [root];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    found.push(next);
    const inner: SyntaxNode[] = [];
    for (const value of Object.values(next)) {
      if (isNode(value)) inner.push(value);
      else if (Array.isArray(value)) inner.push(...value.filter(isNode));
    }
    waiting.push(...inner.reverse());
  }
  return found;
}

/** Returns the line of a place in a source, from 1. */
export function lineOf({ text }: Pick<ParsedSource, "text">, place: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < place; at = text.indexOf("\n", at + 1)) line++;
  return line;
}

/** Returns the declaration of a statement that exports it, or the statement. */
export function declarationOf(statement: SyntaxNode): SyntaxNode {
  const isExport = statement.type === "ExportNamedDeclaration" ||
    statement.type === "ExportDefaultDeclaration";
  return isExport ? nodeAt(statement, "declaration") ?? statement : statement;
}

/** Returns the class of a module with a name. */
export function classIn(source: ParsedSource, name: string): SyntaxNode | undefined {
  return source.body.map(declarationOf).find((each) =>
    each.type === "ClassDeclaration" && nameOf(nodeAt(each, "id")) === name
  );
}

/** Lists the members of a class. */
export function membersOf(declaration: SyntaxNode): readonly SyntaxNode[] {
  return nodesAt(nodeAt(declaration, "body"), "body");
}

/** Returns the method of a class with a name and a body. */
export function methodIn(declaration: SyntaxNode, name: string): SyntaxNode | undefined {
  return membersOf(declaration).find((each) => each.type === "ClassMethod" && keyOf(each) === name);
}

/** Lists the statements of a function's body. */
export function statementsOf(method: SyntaxNode): readonly SyntaxNode[] {
  return nodesAt(nodeAt(method, "body"), "body");
}
