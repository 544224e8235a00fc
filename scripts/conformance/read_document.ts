/** Reads a document with the toolkit's reader. */
import { XmlError } from "../../src/errors/xml_error.ts";
import { readXml, type XmlAttributes, type XmlContent } from "../../src/xml/reader.ts";
import type { XmlName } from "../../src/xml/name.ts";
import type { XmlSource } from "../../src/xml/source.ts";
import type { Reading } from "./comparison.ts";

/**
 * Reads a document with `doctype: "skip"`, as a whole and byte by byte.
 *
 * @throws {Error} If the two readings differ
 */
export async function readDocument(bytes: Uint8Array): Promise<Reading> {
  const whole = await readSource(bytes);
  const inPieces = await readSource(piecesOf(bytes));
  if (canonicalOf(whole) !== canonicalOf(inPieces)) {
    throw new Error(
      `read as a whole: ${JSON.stringify(whole)}; byte by byte: ${JSON.stringify(inPieces)}`,
    );
  }
  return whole;
}

async function readSource(source: XmlSource): Promise<Reading> {
  const writer = new CanonicalWriter();
  try {
    for await (const _ of readXml<never>(source, () => writer, { doctype: "skip" }));
    return { canonical: writer.written };
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    return { error: error.message };
  }
}

/** Returns the canonical form; undefined for an error. Its position may depend on the pieces. */
function canonicalOf(reading: Reading): string | undefined {
  return "error" in reading ? undefined : reading.canonical;
}

async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < bytes.length; index++) yield bytes.subarray(index, index + 1);
}

/**
 * Writes the canonical form that the suite defines: sorted attributes, no CDATA sections, no short
 * forms. Namespace declarations and processing instructions are missing, because the reader does
 * not report them.
 */
class CanonicalWriter implements XmlContent {
  written = "";
  readonly #open: string[] = [];

  open({ raw }: XmlName, { names, values }: XmlAttributes): void {
    const attributes = names.map((name, index) => ` ${name.raw}="${escaped(values[index]!)}"`);
    this.written += `<${raw}${attributes.sort().join("")}>`;
    this.#open.push(raw);
  }

  text(text: string): void {
    this.written += escaped(text);
  }

  close(): void {
    this.written += `</${this.#open.pop()}>`;
  }
}

function escaped(text: string): string {
  return text.replace(/[&<>"\t\n\r]/g, (char) => REFERENCES[char]!);
}

const REFERENCES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\t": "&#9;",
  "\n": "&#10;",
  "\r": "&#13;",
};
