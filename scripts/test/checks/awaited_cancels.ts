/**
 * The check of awaited `cancel()`. If a response was cloned, cancelling its body waits for the clone,
 * too, and a call that awaits it may never end. `discardBody` and `streamChunks` do not wait.
 *
 * A stream may wait in its own `cancel(reason)`: its reader decides if it waits.
 */
import { readFile } from "node:fs/promises";
import ts from "typescript";
import { documentPaths, filesBelow, GENERATOR, isModule } from "../../shared/source_files.ts";
import { type Check, faultCheck } from "./check.ts";

/** An awaited `cancel()` of a body. */
export interface AwaitedCancel {
  /** The number of the line, from 1. */
  readonly line: number;
  /** The code. */
  readonly code: string;
}

/** Names of variables and properties that are bodies, or readers of bodies. */
const bodyNames = /(?:body|branch|clone|copy|reader|response|source|stream)$/i;

/** Methods of a promise. */
const promiseMethods: ReadonlySet<string> = new Set(["catch", "finally", "then"]);

/** Finds the awaited `cancel()` of bodies in a module. */
export function awaitedCancels(source: string): AwaitedCancel[] {
  // In a script without `export`, `await (a).cancel()` would be a call of a function `await`.
  const module = `${source}\nexport {};`;
  const file = ts.createSourceFile("source.ts", module, ts.ScriptTarget.Latest, true);
  const found: AwaitedCancel[] = [];
  const visit = (node: ts.Node, isInCancel: boolean): void => {
    if (ts.isAwaitExpression(node) && !isInCancel && cancelsBody(node.expression)) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
      found.push({ line: line + 1, code: node.getText(file) });
    }
    const isStillInCancel = ts.isFunctionLike(node) ? isNamedCancel(node) : isInCancel;
    ts.forEachChild(node, (child) => visit(child, isStillInCancel));
  };
  visit(file, false);
  return found;
}

/** Reports if an expression is `body.cancel()`, also with `.catch()` or another one behind it. */
function cancelsBody(expression: ts.Expression): boolean {
  if (ts.isParenthesizedExpression(expression)) return cancelsBody(expression.expression);
  if (!ts.isCallExpression(expression)) return false;
  const called = expression.expression;
  if (!ts.isPropertyAccessExpression(called)) return false;
  if (promiseMethods.has(called.name.text)) return cancelsBody(called.expression);
  return called.name.text === "cancel" && bodyNames.test(nameOf(called.expression));
}

/** Returns the last name of an expression: `body` of `response.body!`. */
function nameOf(expression: ts.Expression): string {
  if (ts.isNonNullExpression(expression) || ts.isParenthesizedExpression(expression)) {
    return nameOf(expression.expression);
  }
  if (ts.isPropertyAccessExpression(expression)) return expression.name.text;
  return ts.isIdentifier(expression) ? expression.text : "";
}

/** Reports if a function is a method or a property of the name `cancel`. */
function isNamedCancel(node: ts.SignatureDeclaration): boolean {
  const { name } = ts.isPropertyAssignment(node.parent) ? node.parent : node;
  return name !== undefined && ts.isIdentifier(name) && name.text === "cancel";
}

/** Returns the code blocks of a page, or of the doc comments of a module, each on its own lines. */
export function codeOfExamples(text: string): string {
  let isCode = false;
  return text.split("\n").map((line) => {
    const [, content] = /^\s*\* ?(.*)$/.exec(line) ?? [, line];
    if (content!.startsWith("```")) {
      isCode = content!.startsWith("```ts");
      return "";
    }
    return isCode ? content : "";
  }).join("\n");
}

/** Returns the check of what users run and read: the sources, the examples and the pages. */
export function cancelCheck(root: string): Check {
  return faultCheck("awaited cancel() of bodies", async () => {
    const lines: string[] = [];
    const folders = ["src", "examples", `${GENERATOR}/src`];
    const modules = ["mod.ts", ...(await filesBelow(root, folders)).filter(isModule)];
    for (const path of [...modules, ...await documentPaths(root)]) {
      const text = await readFile(`${root}/${path}`, "utf8");
      const sources = [codeOfExamples(text), ...(isModule(path) ? [text] : [])];
      for (const { line, code } of sources.flatMap(awaitedCancels)) {
        lines.push(`${path}:${line}: do not wait, use discardBody or streamChunks: ${code}`);
      }
    }
    return lines;
  });
}
