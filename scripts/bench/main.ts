/**
 * `deno task bench`: runs the files in bench/ on Deno, Node and Bun, and prints a table. With
 * `--peers`, it compares the toolkit with other clients instead; `--short` only checks that it is not
 * far slower, which CI does. With `--imports`, it measures only how long the package and other
 * clients take to import. With `--weights`, it measures only the memory of clients and calls, and the
 * transfers of large bodies. With `--generate`, it compares the generator with others.
 */
import process from "node:process";
import { benchGenerators } from "./generators.ts";
import { benchImports, benchPeers, benchWeights, checkPeers } from "./peers.ts";
import { benchTable, type Column, measurementsIn } from "./table.ts";
import { endChildrenWithUs, runChild, succeeded } from "../shared/child.ts";
import { chooseEdition, editionEnv } from "../shared/edition.ts";
import { installPackages } from "../shared/npm_packages.ts";
import { getRuntime, type Runtime, RUNTIME_NAMES } from "../shared/runtimes.ts";
import { filesBelow, isModule, ROOT } from "../shared/source_files.ts";

function commandLine(runtime: Runtime, file: string): string[] {
  switch (runtime.kind) {
    case "deno":
      return ["run", "-q", "-A", "--no-check", file];
    case "node":
      return [file];
    case "bun":
      return ["run", file];
  }
}

async function main(): Promise<void> {
  const options = process.argv.slice(2).join(" ");
  if (
    !["", "--peers", "--peers --short", "--imports", "--weights", "--generate"].includes(options)
  ) {
    throw new Error(
      "deno task bench takes no option, --peers, --peers --short, --imports, --weights or --generate",
    );
  }
  const { edition } = await chooseEdition(process.execPath);
  const npm = await installPackages(ROOT);
  if (npm !== undefined && !succeeded(npm)) {
    throw new Error(`npm ci failed\n${npm.output}`);
  }
  if (options === "--generate") return await benchGenerators(edition);
  if (options === "--imports") return await benchImports(edition);
  if (options === "--weights") return await benchWeights(edition);
  if (options === "--peers") return await benchPeers(edition);
  if (options !== "") return await checkPeers(edition);

  const files = (await filesBelow(ROOT, ["bench"])).filter((path) =>
    isModule(path) && !/\/(?:generators|peers)\//.test(path)
  );
  if (files.length === 0) throw new Error("bench/ has no files");

  const columns: Column[] = [];
  for (const name of RUNTIME_NAMES) {
    const runtime = await getRuntime(ROOT, name);
    if ("trouble" in runtime) throw new Error(`${name}: ${runtime.trouble}`);
    const output: string[] = [];
    for (const file of files) {
      const env = runtime.kind === "deno" ? editionEnv(edition) : {};
      const run = await runChild(runtime.path, commandLine(runtime, file), {
        cwd: ROOT,
        env,
      });
      if (!succeeded(run)) {
        throw new Error(`${file} failed on ${name}\n${run.output}`);
      }
      output.push(run.stdout);
    }
    columns.push({
      runtime: `${runtime.kind} ${runtime.version}`,
      measurements: measurementsIn(output.join("\n")),
    });
  }
  console.log(benchTable(columns));
}

endChildrenWithUs();
try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
