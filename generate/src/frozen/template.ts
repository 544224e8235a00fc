/**
 * Templates of code: the forms that a generator printed. They are written as code, in which names that
 * begin with `$` stand for anything.
 */

import { bare, isNode, nameOf, nodeAt, nodesAt, type Parse, type SyntaxNode } from "./syntax.ts";

/** The parts of code that stand for the names of a template. */
export type Parts = ReadonlyMap<string, SyntaxNode>;

/** Returns the parts of statements that have the form of a template; undefined if they do not. */
export type Template = (statements: readonly SyntaxNode[]) => Parts | undefined;

/** The properties of nodes that do not belong to the form: places, comments and types. */
const IGNORED: ReadonlySet<string> = new Set(
  ("start end loc range extra leadingComments trailingComments innerComments errors typeAnnotation " +
    "typeParameters typeArguments returnType optional definite accessibility").split(" "),
);

/**
 * Parses a template.
 *
 * @param code Statements, as in a function
 */
export function template(parse: Parse, code: string): Template {
  const parsed = parse("template.ts", `async () => {\n${code}\n};`);
  const arrow = nodeAt(parsed?.body[0], "expression");
  const wanted = nodesAt(nodeAt(arrow, "body"), "body");
  return (statements) => {
    const parts = new Map<string, SyntaxNode>();
    return isSame(wanted, statements, parts) ? parts : undefined;
  };
}

/** Returns the parts of the first template that fits. */
export function firstMatch(
  templates: readonly Template[],
  statements: readonly SyntaxNode[],
): Parts | undefined {
  for (const each of templates) {
    const parts = each(statements);
    if (parts !== undefined) return parts;
  }
  return undefined;
}

/** Compares code with a template, and collects the parts. */
function isSame(wanted: unknown, found: unknown, parts: Map<string, SyntaxNode>): boolean {
  if (Array.isArray(wanted)) {
    return Array.isArray(found) && wanted.length === found.length &&
      wanted.every((each, index) => isSame(each, found[index], parts));
  }
  if (!isNode(wanted)) {
    return typeof wanted === "object" && wanted !== null
      ? JSON.stringify(wanted) === JSON.stringify(found)
      : (wanted ?? undefined) === (found ?? undefined);
  }
  if (!isNode(found)) return false;
  const [form, code] = [bare(wanted), bare(found)];
  const name = nameOf(form);
  if (name?.startsWith("$") === true) {
    const known = parts.get(name);
    if (known !== undefined) return isSame(known, code, new Map());
    parts.set(name, code);
    return true;
  }
  if (withoutOptional(form.type) !== withoutOptional(code.type)) return false;
  const keys = new Set([...Object.keys(form), ...Object.keys(code)]);
  return [...keys].every((key) => {
    if (key === "type" || IGNORED.has(key)) return true;
    // A short property has the same form as one with its name written twice, unless a part is wanted.
    if (key === "shorthand") return true;
    return isSame(form[key], code[key], parts);
  });
}

/** Returns a type without the mark of `?.`: `this.a?.b` has the form of `this.a.b`. */
function withoutOptional(type: string): string {
  return type.replace(/^Optional(?=Member|Call)/, "");
}
