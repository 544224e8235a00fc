import process from "node:process";
import { fileURLToPath } from "node:url";
import { assert } from "#test";
import { runChild, succeeded } from "../../scripts/shared/child.ts";
import { sourceRoot } from "./contract_page.ts";

/** The number of rows in the large document. */
export const LARGE_DOCUMENT_ROWS = 175_000;

/** The result of decoding the large document. */
export interface DecodedDocument {
  /** The number of rows that were decoded. */
  readonly count: number;
  /** The growth of the memory, as a multiple of the document's size. */
  readonly times: number;
}

/** Decodes a document of about 25 MB in its own process. */
export async function decodeLargeDocument(
  way: "xml" | "json" | "stream",
): Promise<DecodedDocument> {
  const program = fileURLToPath(new URL("./large_document.ts", import.meta.url));
  const flags = "Deno" in globalThis ? ["run", "-A", "--no-check"] : [];
  const cwd = fileURLToPath(sourceRoot());
  const run = await runChild(process.execPath, [...flags, program, way], { cwd });
  assert(succeeded(run), run.output);
  return JSON.parse(run.stdout);
}
