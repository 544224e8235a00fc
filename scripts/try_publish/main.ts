/**
 * Publishes both packages into a JSR registry on this machine, and uses them from there on Deno: it
 * follows the README, and generates an SDK that it calls. JSR_URL names the registry. JSR itself is
 * refused, because a version there cannot be removed.
 */
import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { endChildrenWithUs, runChild, succeeded } from "../shared/child.ts";
import { checkDetails, checkLine } from "../shared/report.ts";
import { ROOT } from "../shared/source_files.ts";
import { followReadme, installCommands } from "../shared/package/first_contact.ts";
import { ask, faultsOfRun } from "../shared/package/judge.ts";

/** Reports if a URL is of this machine. */
function isLoopback(url: string | undefined): boolean {
  const host = url === undefined ? undefined : URL.parse(url)?.hostname;
  return host === "localhost" || host === "[::1]" || /^127\.[\d.]+$/.test(host ?? "");
}

/** A program that calls an SDK which was generated from `examples/generated/library.yaml`. */
const PROGRAM = `import { Library } from "./sdk/mod.ts";

const fetch = (url: string | URL | Request) => Promise.resolve(Response.json({ title: String(url) }));
const library = new Library({ baseUrl: "https://library.example.com", fetch });
console.log((await library.books.get(7)).title);
`;

/** Publishes the package in a folder, as the release does. */
async function publish(folder: string): Promise<string[]> {
  const args = ["publish", "--token", "unused", "--allow-dirty"];
  const result = await runChild(process.execPath, args, { cwd: folder });
  return succeeded(result) ? [] : [result.output];
}

/** Installs the package from the registry, and runs the README's example. */
async function use(): Promise<string[]> {
  const readme = await readFile(`${ROOT}/README.md`, "utf8");
  const commands = installCommands(readme).find(({ runtime }) => runtime === "Deno");
  if (commands === undefined) return ["the README has no commands for Deno"];
  return await followReadme(readme, [commands.install, commands.run], { deno: process.execPath });
}

/** Generates an SDK with the command from the registry, and calls it with the toolkit from there. */
async function useGenerator(): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "restwright_published_"));
  try {
    await copyFile(`${ROOT}/examples/generated/library.yaml`, `${folder}/library.yaml`);
    await writeFile(`${folder}/program.ts`, PROGRAM);
    // Users do not have the conditions by which this repository chooses an edition.
    const env = { DENO_CONDITIONS: undefined, NODE_OPTIONS: undefined };
    const cli = "jsr:@restwright/generate/cli";
    const commands: readonly (readonly [args: string, output: string | undefined])[] = [
      [`run --quiet -A ${cli} library.yaml --out sdk --quiet`, ""],
      [`run --quiet -A ${cli} library.yaml --out sdk --quiet --check`, ""],
      ["add --quiet jsr:@restwright/restwright", undefined],
      ["run --quiet --check -A program.ts", "https://library.example.com/books/7"],
    ];
    for (const [args, output] of commands) {
      const options = { cwd: folder, env, limit: 120 };
      const result = await runChild(process.execPath, args.split(" "), options);
      const faults = faultsOfRun(`deno ${args}`, result, output);
      if (faults.length > 0) return faults;
    }
    return [];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

endChildrenWithUs();
if (!isLoopback(process.env["JSR_URL"])) {
  console.error("JSR_URL must be the URL of a registry on this machine, such as http://127.0.0.1/");
  process.exit(2);
}
const steps = [
  ["publish to a JSR registry", () => publish(ROOT)],
  ["publish the generator", () => publish(`${ROOT}/generate`)],
  ["use the toolkit", use],
  ["use the generator", useGenerator],
] as const;
for (const [name, judge] of steps) {
  const result = await ask({ name, judge });
  console.log(checkLine(name, result));
  if (!succeeded(result)) {
    console.error(checkDetails(name, result));
    process.exit(1);
  }
}
