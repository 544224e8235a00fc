/**
 * The check of casts before `<` and `>`. Some parsers read `count as number >= 0` as the beginning of
 * type arguments, such as that of older versions of dnt. Parentheses prevent it.
 */
import { readFile } from "node:fs/promises";
import ts from "typescript";
import { type Check, faultCheck } from "./check.ts";
import { filesBelow, isModule } from "../../shared/source_files.ts";

/** A comparison whose left side is a cast without parentheses. */
export interface CastComparison {
  /** The number of the line, from 1. */
  readonly line: number;
  /** The code. */
  readonly code: string;
}

/** Finds the casts without parentheses before an operator that begins with `<` or `>`. */
export function castComparisons(source: string): CastComparison[] {
  const file = ts.createSourceFile("source.ts", source, ts.ScriptTarget.Latest);
  const found: CastComparison[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isBinaryExpression(node) && isCast(node.left)) {
      if (/^[<>]/.test(node.operatorToken.getText(file))) {
        const { line } = file.getLineAndCharacterOfPosition(node.operatorToken.getStart(file));
        found.push({ line: line + 1, code: node.getText(file) });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function isCast(node: ts.Expression): boolean {
  return ts.isAsExpression(node) || ts.isSatisfiesExpression(node);
}

/** Returns the check of the modules that are built for npm. */
export function castCheck(root: string): Check {
  return faultCheck("casts before < and >", async () => {
    const lines: string[] = [];
    for (const path of ["mod.ts", ...await filesBelow(root, ["src"])]) {
      if (!isModule(path)) continue;
      for (const { line, code } of castComparisons(await readFile(`${root}/${path}`, "utf8"))) {
        lines.push(`${path}:${line}: put the cast in parentheses: ${code}`);
      }
    }
    return lines;
  });
}
