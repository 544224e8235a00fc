/** The signatures of methods: their arguments, and what they return. */

import type { Type } from "./types.ts";

/** The signature of a method. */
export interface Signature {
  /** The arguments in their order; the last one are the options of the call. */
  readonly arguments: readonly Argument[];
  /** The type of the result that is read as a whole, of pages, or of the stream if there is no other. */
  readonly returns: NamedType;
  /** The type of the result if a property of an argument chooses the stream. */
  readonly streamed?: NamedType | undefined;
}

/** An argument of a method. */
export interface Argument {
  /** The name. */
  readonly name: string;
  /** The part of the call that it stands for. */
  readonly role: "path" | "body" | "params" | "options";
  /** The type. */
  readonly type: SignatureType;
  /** The values that can be passed beside those of the type. */
  readonly or: readonly ("null" | "undefined")[];
  /** True if it cannot be left out. */
  readonly isRequired: boolean;
}

/** A type in a signature: one of the document, or one that has a name elsewhere. */
export type SignatureType = Type | NamedType;

/** A type of the toolkit, of the language, or of the pages of the SDK. */
export interface NamedType {
  /** The kind among the types of a signature. */
  readonly kind: "named";
  /** The name. */
  readonly name: string;
  /**
   * The module that exports it: `toolkit`, `toolkit/paging`, or `pages` for the classes of pages of the
   * SDK. undefined if the language has it, or the file of the method itself.
   */
  readonly from?: string | undefined;
  /** The arguments in angle brackets. */
  readonly arguments: readonly SignatureType[];
}
