/**
 * The forms in which a generator prints what is sent. Other code can do anything with a value, such as
 * sign it: it is never read as the value itself.
 */

import { bare, keyOf, nameOf, nodeAt, nodesAt, nodesIn, type SyntaxNode } from "./syntax.ts";

/** A property of an object that is sent. */
export interface PrintedProperty {
  readonly node: SyntaxNode;
  /** The name and the value; undefined if code makes them. */
  readonly name: string | undefined;
  readonly value: SyntaxNode | undefined;
}

/** Returns the value that is sent as `x`, `x?.toString()` or `String(x)`; all other code stays as it is. */
export function printedValue(node: SyntaxNode): SyntaxNode {
  const value = bare(node);
  if (!/^(?:Optional)?CallExpression$/.test(value.type)) return value;
  const callee = nodeAt(value, "callee");
  const [argument, ...others] = nodesAt(value, "arguments");
  if (argument === undefined) {
    return keyOf(callee) === "toString" ? bare(nodeAt(callee, "object")!) : value;
  }
  return nameOf(callee) === "String" && others.length === 0 ? bare(argument) : value;
}

/** Lists the properties of an object, also those of `...(x != null ? { name: x } : undefined)`. */
export function printedProperties(object: SyntaxNode): PrintedProperty[] {
  return nodesAt(object, "properties").flatMap((node): PrintedProperty[] => {
    const inner = node.type === "SpreadElement" ? propertiesIfSet(node) : [node];
    return (inner ?? [node]).map((each) => {
      const value = nodeAt(each, "value");
      return { node: each, name: keyOf(each), value: value && printedValue(value) };
    });
  });
}

/** Returns the properties that are sent if their value is set; undefined if it is other code. */
function propertiesIfSet(spread: SyntaxNode): readonly SyntaxNode[] | undefined {
  const condition = bare(nodeAt(spread, "argument")!);
  const [test, set, unset] = ["test", "consequent", "alternate"].map((each) =>
    nodeAt(condition, each)
  );
  const isNothing = nameOf(unset) === "undefined" ||
    unset?.type === "ObjectExpression" && nodesAt(unset, "properties").length === 0;
  const isTest = test?.type === "BinaryExpression" && test["operator"] === "!=" &&
    nodeAt(test, "right")?.type === "NullLiteral";
  if (!isNothing || !isTest || set?.type !== "ObjectExpression") return undefined;
  const tested = textIn(printedValue(nodeAt(test, "left")!));
  const properties = nodesAt(set, "properties");
  const isSame = (each: SyntaxNode): boolean => {
    const value = nodeAt(each, "value");
    return value !== undefined && textIn(printedValue(value)) === tested;
  };
  return tested !== undefined && properties.every(isSame) ? properties : undefined;
}

/** Returns `x` or `this.x` as a text. */
function textIn(value: SyntaxNode): string | undefined {
  const own = optionIn(value);
  return own === undefined ? nameOf(value) : `this.${own}`;
}

/** Returns the option of `this.apiKey`. */
export function optionIn(node: SyntaxNode): string | undefined {
  const isOwn = node.type.endsWith("MemberExpression") &&
    nodeAt(node, "object")?.type === "ThisExpression";
  return isOwn ? keyOf(node) : undefined;
}

/** Lists the values that are put together as headers: those of `buildHeaders([…])`, or one object. */
export function headerParts(node: SyntaxNode): readonly SyntaxNode[] {
  const value = bare(node);
  const isCall = value.type === "CallExpression" &&
    nameOf(nodeAt(value, "callee")) === "buildHeaders";
  if (!isCall) return [value];
  const [list, ...others] = nodesAt(value, "arguments");
  return list?.type === "ArrayExpression" && others.length === 0
    ? nodesAt(list, "elements").map(bare)
    : [value];
}

/** Lists the parts of the headers that a function returns, or puts in a constant. */
export function headersOf(method: SyntaxNode): readonly SyntaxNode[] {
  return nodesIn(method).flatMap((each) => {
    const value = each.type === "ReturnStatement" ? nodeAt(each, "argument") : undefined;
    const constant = each.type === "VariableDeclarator" ? nodeAt(each, "init") : undefined;
    if (value !== undefined) return headerParts(value);
    const parts = constant === undefined ? [] : headerParts(constant);
    return parts[0] === (constant && bare(constant)) ? [] : parts;
  });
}
