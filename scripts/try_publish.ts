/**
 * Publishes the package into a JSR registry on this machine, and follows the README with it on Deno.
 * JSR_URL names the registry. JSR itself is refused, because a version there cannot be removed.
 */
import { readFile } from "node:fs/promises";
import process from "node:process";
import { endChildrenWithUs, runChild, succeeded } from "./child.ts";
import { checkDetails, checkLine } from "./report.ts";
import { ROOT } from "./source_files.ts";
import { followReadme, installCommands } from "./tarball/first_contact.ts";
import { ask } from "./tarball/judge.ts";

/** Reports if a URL is of this machine. */
function isLoopback(url: string | undefined): boolean {
  const host = url === undefined ? undefined : URL.parse(url)?.hostname;
  return host === "localhost" || host === "[::1]" || /^127\.[\d.]+$/.test(host ?? "");
}

/** Publishes the package, as the release does. */
async function publish(): Promise<string[]> {
  const args = ["publish", "--token", "unused", "--allow-dirty"];
  const result = await runChild(process.execPath, args, { cwd: ROOT });
  return succeeded(result) ? [] : [result.output];
}

/** Installs the package from the registry, and runs the README's example. */
async function use(): Promise<string[]> {
  const readme = await readFile(`${ROOT}/README.md`, "utf8");
  const commands = installCommands(readme).find(({ runtime }) => runtime === "Deno");
  if (commands === undefined) return ["the README has no commands for Deno"];
  return await followReadme(readme, [commands.install, commands.run], { deno: process.execPath });
}

endChildrenWithUs();
if (!isLoopback(process.env["JSR_URL"])) {
  console.error("JSR_URL must be the URL of a registry on this machine, such as http://127.0.0.1/");
  process.exit(2);
}
for (const [name, judge] of [["publish to a JSR registry", publish], ["use it", use]] as const) {
  const result = await ask({ name, judge });
  console.log(checkLine(name, result));
  if (!succeeded(result)) {
    console.error(checkDetails(name, result));
    process.exit(1);
  }
}
