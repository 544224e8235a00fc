/**
 * Reads all documents of the suite in the edition that DENO_CONDITIONS selects, and prints the
 * readings as JSON, in the order of the cases. run_conformance.ts starts this program.
 */
import { readFile } from "node:fs/promises";
import process from "node:process";
import { ROOT } from "../shared/source_files.ts";
import { readCases } from "./cases.ts";
import type { Reading } from "./comparison.ts";
import { readDocument } from "./read_document.ts";
import { CASES_LIST, DOCUMENTS_FOLDER } from "./suite.ts";

const readings: Reading[] = [];
for (const { id, path } of readCases(await readFile(`${ROOT}/${CASES_LIST}`, "utf8"))) {
  try {
    const bytes = await readFile(`${ROOT}/${DOCUMENTS_FOLDER}/${path}`);
    readings.push(await readDocument(new Uint8Array(bytes)));
  } catch (error) {
    throw new Error(`the case ${id} failed`, { cause: error });
  }
}
process.stdout.write(JSON.stringify(readings));
