/**
 * `deno task release`: makes a release in two stages. First, a person runs this script, which
 * checks the release and creates the tag. Pushing the tag starts .github/workflows/publish.yml,
 * which tests, builds the npm package, and runs this script with `--publish` in another job.
 */
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import process from "node:process";
import { datedChangelog } from "./changelog.ts";
import { runChild, succeeded } from "../shared/child.ts";
import { chooseEdition } from "../shared/edition.ts";
import { readDenoManifest, readNpmManifest } from "../shared/manifest.ts";
import { GENERATOR_TARBALL } from "../shared/package/generator_package.ts";
import { describePackage, TARBALL } from "../shared/package/package_description.ts";
import { passThrough } from "../shared/pass_through.ts";
import { readReleaseOptions, RELEASE_USAGE, type ReleaseOptions } from "./options.ts";
import {
  lastCommand,
  type ReleaseState,
  type ReleaseStep,
  releaseSteps,
  releaseTroubles,
  stepLine,
} from "./plan.ts";
import { GENERATOR, ROOT } from "../shared/source_files.ts";
import { manifestWithVersion, moduleWithVersion } from "./version_text.ts";

const read = (path: string): Promise<string> => readFile(`${ROOT}/${path}`, "utf8");

function today(): string {
  return new Date().toISOString().slice(0, 10);
}

async function git(...args: string[]): Promise<string> {
  const result = await runChild("git", args, { cwd: ROOT });
  if (!succeeded(result)) throw new Error(`git ${args.join(" ")}: ${result.output}`);
  return result.stdout;
}

async function readState(): Promise<ReleaseState> {
  const deno = await readDenoManifest(ROOT);
  const description = describePackage(deno, await readNpmManifest(ROOT));
  const lines = async (...args: string[]): Promise<string[]> =>
    (await git(...args)).split("\n").filter((line) => line !== "");
  return {
    version: deno.version,
    generatorVersion: (await readDenoManifest(`${ROOT}/${GENERATOR}`)).version,
    versionModule: await read("src/base/version.ts"),
    changelog: await read("CHANGELOG.md"),
    today: today(),
    changes: await git("status", "--porcelain"),
    branch: (await git("branch", "--show-current")).trim(),
    tags: await lines("tag", "--list"),
    tagsHere: await lines("tag", "--points-at", "HEAD"),
    namesRepository: "repository" in description,
    builtVersions: {
      [TARBALL]: await builtVersion(TARBALL),
      [GENERATOR_TARBALL]: await builtVersion(GENERATOR_TARBALL),
    },
    edition: (await chooseEdition(process.execPath)).edition,
  };
}

/** Returns the version of a packed npm package; undefined if it is not packed. */
async function builtVersion(tarball: string): Promise<string | undefined> {
  if (!existsSync(`${ROOT}/${tarball}`)) return undefined;
  const tar = await runChild("tar", ["-xOf", tarball, "package/package.json"], { cwd: ROOT });
  if (!succeeded(tar)) throw new Error(`tar: ${tar.output}`);
  return JSON.parse(tar.stdout).version;
}

/** Writes the version into all files that contain it, and today's date into CHANGELOG.md. */
async function setVersion(version: string): Promise<void> {
  const generator = `${GENERATOR}/deno.json`;
  const texts: Record<string, string> = {
    "deno.json": manifestWithVersion(await read("deno.json"), version),
    [generator]: manifestWithVersion(await read(generator), version),
    "src/base/version.ts": moduleWithVersion(await read("src/base/version.ts"), version),
    "CHANGELOG.md": datedChangelog(await read("CHANGELOG.md"), version, today()),
  };
  for (const [path, text] of Object.entries(texts)) await writeFile(`${ROOT}/${path}`, text);
  console.log(
    `wrote ${version} and ${today()} into ${Object.keys(texts).join(", ")}; commit these files`,
  );
}

/** Runs a step and shows its output. */
async function run({ command, folder }: ReleaseStep): Promise<void> {
  const [name = "", ...args] = command;
  const program = name === "deno" ? process.execPath : name;
  const code = await passThrough(program, args, {
    cwd: folder === undefined ? ROOT : `${ROOT}/${folder}`,
    env: {},
  });
  if (code !== 0) throw new Error(`${command.join(" ")} exited with ${code}`);
}

async function release({ stage, isDry }: ReleaseOptions): Promise<boolean> {
  const state = await readState();
  const { version } = state;
  console.log(`Restwright ${version}, ${stage}${isDry ? " (dry run: no step is run)" : ""}`);
  const troubles = releaseTroubles(stage, state);
  for (const trouble of troubles) console.log(`  problem: ${trouble}`);
  if (troubles.length > 0 && !isDry) return false;
  const steps = releaseSteps(stage, version);
  for (const [index, step] of steps.entries()) {
    console.log(stepLine(step, index + 1));
    if (!isDry) await run(step);
  }
  if (stage === "tag") {
    console.log(`Then run this by hand, because it cannot be undone: ${lastCommand(version)}`);
    if (isDry) {
      console.log("It starts .github/workflows/publish.yml, which runs:");
      releaseSteps("publish", version).forEach((step, index) =>
        console.log(stepLine(step, index + 1))
      );
    }
  }
  return troubles.length === 0;
}

async function main(): Promise<boolean> {
  const options = readReleaseOptions(process.argv.slice(2));
  if (typeof options === "string") {
    console.log(`${options}\n\n${RELEASE_USAGE}`);
    return false;
  }
  if (options.set === undefined) return await release(options);
  await setVersion(options.set);
  return true;
}

try {
  process.exitCode = await main() ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
