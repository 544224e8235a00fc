/** `deno task docs`: builds the API reference of every entry point. */
import process from "node:process";
import { buildDocs } from "../shared/pages/build_docs.ts";
import { endChildrenWithUs, succeeded } from "../shared/child.ts";
import { installPackages } from "../shared/npm_packages.ts";
import { checkDetails } from "../shared/report.ts";
import { REFERENCE_FOLDER } from "../shared/pages/folders.ts";
import { ROOT } from "../shared/source_files.ts";

endChildrenWithUs();
try {
  const npm = await installPackages(ROOT);
  if (npm !== undefined && !succeeded(npm)) throw new Error(checkDetails("npm ci", npm));
  await buildDocs(ROOT);
  console.log(`The reference is ${REFERENCE_FOLDER}/index.html.`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
