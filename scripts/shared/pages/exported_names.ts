import { readFileSync } from "node:fs";
import { posix } from "node:path";
import ts from "typescript";

/** The category of names with the tag `@internal`, which the reference leaves out. */
export const INTERNAL = "internal";

/** The JSDoc categories of the names that a module exports. */
export type ExportedNames = ReadonlyMap<string, string | undefined>;

/**
 * Reads the exports of a module from the sources, types included, and follows those that come from
 * other modules.
 *
 * @param root The root
 * @param path The module, as a path from the root
 */
export function exportedNames(root: URL, path: string): ExportedNames {
  const text = readFileSync(new URL(path, root), "utf8");
  const { statements } = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const declared = new Map<string, string | undefined>();
  const names = new Map<string, string | undefined>();
  for (const statement of statements) {
    if (!ts.canHaveModifiers(statement)) continue;
    for (const name of declaredNames(statement)) {
      // Of the overloads of a function, one has the tag.
      declared.set(name, declared.get(name) ?? categoryOf(statement));
      if (isExported(statement)) names.set(name, declared.get(name));
    }
  }
  for (const { moduleSpecifier, exportClause } of statements.filter(ts.isExportDeclaration)) {
    const from = (moduleSpecifier as ts.StringLiteral | undefined)?.text;
    const source = from === undefined
      ? declared
      : exportedNames(root, posix.join(posix.dirname(path), from));
    if (exportClause === undefined) {
      for (const [name, category] of source) names.set(name, category);
    } else if (ts.isNamedExports(exportClause)) {
      for (const { name, propertyName } of exportClause.elements) {
        names.set(name.text, source.get((propertyName ?? name).text));
      }
    }
  }
  return names;
}

function isExported(statement: ts.HasModifiers): boolean {
  return ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ??
    false;
}

/** Returns the text of a statement's tag `@category`, or the category of internal names. */
function categoryOf(statement: ts.Node): string | undefined {
  const tags = ts.getJSDocTags(statement);
  if (tags.some(({ tagName }) => tagName.text === "internal")) return INTERNAL;
  const tag = tags.find(({ tagName }) => tagName.text === "category");
  return tag && ts.getTextOfJSDocComment(tag.comment);
}

function declaredNames(statement: ts.Node): string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  }
  const { name } = statement as Partial<ts.DeclarationStatement>;
  return name === undefined ? [] : [name.text];
}
