/** `deno task site`: builds the site, with the reference and all pages of docs/. */
import process from "node:process";
import { buildDocs } from "../shared/pages/build_docs.ts";
import { endChildrenWithUs, runChild, succeeded } from "../shared/child.ts";
import { installPackages } from "../shared/npm_packages.ts";
import { checkDetails } from "../shared/report.ts";
import { SITE_OUTPUT } from "../shared/pages/folders.ts";
import { ROOT } from "../shared/source_files.ts";

endChildrenWithUs();
try {
  for (const folder of [ROOT, `${ROOT}/site`]) {
    const npm = await installPackages(folder);
    if (npm !== undefined && !succeeded(npm)) throw new Error(checkDetails("npm ci", npm));
  }
  await buildDocs(ROOT, "../reference.html");
  const build = await runChild("npm", ["run", "build"], { cwd: `${ROOT}/site` });
  if (!succeeded(build)) throw new Error(checkDetails("the build of the site", build));
  console.log(`The site is ${SITE_OUTPUT}/index.html.`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
