/** Compares readings with what the XML specification requires. */
import type { ConformanceCase } from "./cases.ts";

/** The result of reading a document: its canonical form, or the message of the error. */
export type Reading = { readonly canonical: string } | { readonly error: string };

/** A reading that is not as the specification requires. */
export interface Difference {
  readonly of: ConformanceCase;
  /** The mistake of the reader: it accepted or rejected the document, or read something else. */
  readonly kind: "accepted" | "rejected" | "content";
  /** The bytes of the document. */
  readonly document: Uint8Array;
  /** The canonical form, or the message of the error. */
  readonly actual: string;
  /** The required canonical form. Only for the kind `content`. */
  readonly expected?: string;
}

/** The result of a comparison. `open` if the specification allows any reading. */
export type Comparison = "same" | "open" | Difference;

/**
 * Compares a reading with the specification, which requires this of a processor that does not
 * validate and reads no external entities.
 *
 * @param one The case
 * @param document The bytes of the document
 * @param reading The result of reading it
 * @param output The document's canonical form, if the suite has it
 */
export function compareReading(
  one: ConformanceCase,
  document: Uint8Array,
  reading: Reading,
  output: string | undefined,
): Comparison {
  if (one.type === "error") return "open";
  const isRejected = "error" in reading;
  const actual = isRejected ? reading.error : reading.canonical;
  if (one.type === "not-wf") {
    if (isRejected) return "same";
    return one.needsExternals ? "open" : { of: one, kind: "accepted", document, actual };
  }
  if (isRejected) return { of: one, kind: "rejected", document, actual };
  const expected = output === undefined ? actual : expectedForm(output);
  return actual === expected ? "same" : { of: one, kind: "content", document, actual, expected };
}

/**
 * Removes the parts of a canonical form that the reader does not report: processing instructions
 * and the document type declaration, which holds the notations.
 */
function expectedForm(output: string): string {
  return output.replace(/<\?[^]*?\?>/g, "").replace(/^\s*<!DOCTYPE[^]*?\n\]>/, "").trim();
}
