/** The data between reading and planning: a document with its files, nodes and references. */

import type { ProblemKind } from "../base/problems.ts";

/** A value of a document with the place where it stands. */
export interface Node {
  /** The parsed value. Objects have no prototype, so that a key such as `__proto__` is just a key. */
  readonly value: unknown;
  /** The file of the value: an index in the source's list of files. */
  readonly file: number;
  /** The JSON pointer of the value in its file, with `#`: `#/paths/~1pets/get`. */
  readonly pointer: string;
}

/**
 * A document that was read, with all the files that it refers to, in the form of OpenAPI 3.1 or 3.2.
 *
 * Swagger 2.0 is converted. Of the keywords of 3.0, `nullable` is converted in all versions; formats
 * such as `binary` and `byte`, `example` and boolean `exclusiveMinimum` are as in the document.
 */
export interface Source {
  /** The whole document. */
  readonly root: Node;
  /** The parsed values of all files, beginning with the document. */
  readonly values: readonly unknown[];
  /** The version of OpenAPI or Swagger that the document stated, such as `3.0.3`. */
  readonly version: string;
  /** Returns the child of an object or array, or undefined if there is none. Follows no reference. */
  child(node: Node, key: string | number): Node | undefined;
  /** Lists the children of an object or array in their order. Extensions (`x-…`) are included. */
  children(node: Node): Iterable<readonly [key: string, child: Node]>;
  /**
   * Follows `$ref` (also relative to another file, `$anchor` included) until there is none.
   *
   * Reports a reference that leads nowhere or to itself as a problem, and returns undefined.
   * Returns the node itself if it has no `$ref`.
   *
   * @param node The node
   * @param action Says what is done if the reference leads nowhere; "taken as unknown" by default
   */
  resolve(node: Node, action?: string): Node | undefined;
  /** Returns the node that a reference in `node`'s file names, such as a discriminator's mapping. */
  target(node: Node, reference: string): Node | undefined;
  /** Notes a problem at a node. Its line and column are found later, when the report is made. */
  problem(node: Node, kind: ProblemKind, message: string, action: string): void;
}

/** A string that identifies the place of a node in all files of a source. */
export function placeOf(node: Node): string {
  return `${node.file}${node.pointer}`;
}
