/** Problems of a document: what is wrong at which place, and what the generator did about it. */

/** The kinds of problems, by which the summary counts. */
export type ProblemKind =
  | "syntax"
  | "reference"
  | "schema"
  | "parameter"
  | "operation"
  | "name"
  | "server"
  | "security"
  | "limit"
  | "overlay"
  | "unsupported";

/** A place in a file of a document. */
export interface Location {
  /** The file as it was given, or its path relative to the document. */
  readonly file: string;
  /** The line, from 1. */
  readonly line: number;
  /** The column, from 1. */
  readonly column: number;
  /**
   * The JSON pointer (RFC 6901) as a URI fragment, such as `#/paths/~1pets/get`. If an overlay wrote the
   * value, it is its place in the document after the overlay; file and line are those of the overlay.
   */
  readonly pointer: string;
}

/** A mistake in a document, or something in it that has no counterpart in the output. */
export interface Problem extends Location {
  /** The part of the document that it concerns. */
  readonly kind: ProblemKind;
  /** Says what is wrong: "the path parameter \"id\" is not declared". */
  readonly message: string;
  /** Says what was done: "taken as a string". */
  readonly action: string;
}
