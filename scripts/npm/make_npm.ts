/**
 * `deno task npm`: builds the npm package into npm/, packs it and checks the tarball with judges.
 * The judges run packaging tools, users' compilers, users' programs on each runtime and the public
 * tests. With `--pack`, it stops before the judges; with `--release`, the judges that only a release
 * needs run, too.
 */
import { copyFile, readFile } from "node:fs/promises";
import { homedir } from "node:os";
import process from "node:process";
import { parseArgs } from "node:util";
import { startLibraryApi } from "../../examples/library_api.ts";
import { BUILD_FOLDER, removeOldBuilds } from "../shared/build_folder.ts";
import {
  type Builder,
  builderFor,
  buildPackage,
  checkExports,
} from "../shared/package/build_npm.ts";
import { OUT, TARBALL } from "../shared/package/package_description.ts";
import { endChildrenWithUs, succeeded } from "../shared/child.ts";
import { chooseEdition } from "../shared/edition.ts";
import {
  buildGenerator,
  GENERATOR_OUT,
  GENERATOR_TARBALL,
} from "../shared/package/generator_package.ts";
import { runJobs } from "../shared/jobs.ts";
import { type DenoManifest, readDenoManifest } from "../shared/manifest.ts";
import { installPackages } from "../shared/npm_packages.ts";
import { checkDetails, checkLine, notJudgedLine } from "../shared/report.ts";
import { getRuntime, type Runtime, RUNTIME_NAMES } from "../shared/runtimes.ts";
import { filesBelow, ROOT } from "../shared/source_files.ts";
import { browserJudges } from "./browser/browser_judges.ts";
import { writeProgram } from "./browser/bundles.ts";
import { workerdJudge } from "./browser/workerd_judge.ts";
import { cassetteJudges } from "./cassette_judges.ts";
import { buildDifferences } from "./build_differences.ts";
import { bundlerJudge } from "./bundler_judge.ts";
import { faultsOfContents, type PackedFile } from "../shared/package/contents.ts";
import { firstContactJudges } from "../shared/package/first_contact.ts";
import { generatorJudges } from "./generator_judges.ts";
import { ask, type Judge } from "../shared/package/judge.ts";
import { pack, readFiles, type Tarball } from "../shared/package/pack.ts";
import { programJudges } from "./program_judges.ts";
import { type Project, projectWith } from "../shared/package/project.ts";
import { otherPackageJudges } from "./other_packages.ts";
import { publicTestJudges } from "./public_tests.ts";
import { rollupJudge } from "./rollup_judge.ts";
import { sizeJudge } from "./sizes/size_judge.ts";
import { telemetryJudges } from "./telemetry_judges.ts";
import { templateJudges } from "./template_judges.ts";
import { toolJudges } from "./tool_judges.ts";
import { installTools } from "./tools.ts";

/** The texts to print at the end, after the line of each judge. */
const details: string[] = [];

async function getRuntimes(): Promise<Runtime[]> {
  const runtimes: Runtime[] = [];
  for (const name of RUNTIME_NAMES) {
    const runtime = await getRuntime(ROOT, name, (what) => console.log(`  fetching ${what}`));
    if ("trouble" in runtime) details.push(`${name}: ${runtime.trouble}`);
    else runtimes.push(runtime);
  }
  return runtimes;
}

/** Returns judges that build the package again: by the same builder, and by the other one. */
function buildJudges(deno: DenoManifest, builder: Builder, tarball: Tarball): Judge[] {
  const folder = (name: string): string => `${BUILD_FOLDER}/${name}`;
  const filesOf = async (out: string): Promise<PackedFile[]> =>
    await readFiles(`${ROOT}/${out}`, await filesBelow(`${ROOT}/${out}`, ["."]));
  return [
    {
      name: "a second build has the same bytes",
      isForRelease: true,
      async judge() {
        await buildPackage(deno, builder, folder("again"));
        const again = await pack(`${ROOT}/${folder("again")}`, `${ROOT}/${folder("packed_again")}`);
        const [first, second] = await Promise.all(
          [tarball, again].map(({ path }) => readFile(path)),
        );
        return first!.equals(second!) ? [] : ["the tarballs of two builds differ"];
      },
    },
    {
      name: "dnt and the compiler build the same",
      isForRelease: true,
      ...(builder === "dnt" ? {} : { leftOut: "dnt comes from JSR, which cannot be reached" }),
      async judge() {
        await buildPackage(deno, "the TypeScript compiler", folder("compiled"));
        return buildDifferences(await filesOf(OUT), await filesOf(folder("compiled")));
      },
    },
  ];
}

async function judgesOf(
  deno: DenoManifest,
  builder: Builder,
  tarball: Tarball,
  project: Project,
  apiUrl: string,
  runtimes: readonly Runtime[],
): Promise<Judge[]> {
  const contents: Judge = {
    name: "contents of the package",
    async judge() {
      const folder = `${project.folder}/node_modules/${deno.name}`;
      const home = homedir();
      const machine = home.length > 1 ? [ROOT, `${home}/`] : [ROOT];
      return faultsOfContents(await readFiles(folder, tarball.paths), machine);
    },
  };
  await writeProgram(ROOT, project);
  const setting = { root: ROOT, deno, project, apiUrl, runtimes };
  return [
    contents,
    ...buildJudges(deno, builder, tarball),
    ...toolJudges(ROOT, tarball.path),
    ...await firstContactJudges(project.folder, tarball.path, deno.name, runtimes),
    ...await programJudges(setting),
    ...await telemetryJudges(setting),
    ...await otherPackageJudges(setting),
    await rollupJudge(setting),
    await bundlerJudge(setting),
    ...browserJudges(ROOT, project, runtimes),
    workerdJudge(ROOT, project, runtimes),
    sizeJudge(ROOT, project, runtimes, (line) => console.log(line)),
    ...await cassetteJudges(setting),
    ...await templateJudges(setting),
    ...await publicTestJudges(ROOT, deno, project, runtimes),
  ];
}

/** Runs all judges. */
async function askAll(judges: readonly Judge[]): Promise<void> {
  const asked = judges.filter(({ leftOut }) => leftOut === undefined);
  await runJobs(asked.map((judge) => async () => {
    const result = await ask(judge);
    console.log(checkLine(judge.name, result));
    if (!succeeded(result)) details.push(checkDetails(judge.name, result));
  }));
  for (const { name, leftOut } of judges) {
    if (leftOut !== undefined) console.log(notJudgedLine(name, leftOut));
  }
}

async function main(
  { isPackOnly, isRelease }: { readonly isPackOnly: boolean; readonly isRelease: boolean },
): Promise<void> {
  const started = performance.now();
  const { edition, reason } = await chooseEdition(process.execPath);
  const deno = await readDenoManifest(ROOT);
  for (const install of [installPackages, installTools]) {
    const npm = await install(ROOT);
    if (npm !== undefined && !succeeded(npm)) throw new Error(checkDetails("npm ci", npm));
  }
  await removeOldBuilds();
  const builder = builderFor(edition);
  console.log(`building npm/ with ${builder} (${reason})`);
  await buildPackage(deno, builder);
  const names = await checkExports(deno, edition);
  const tarball = await pack(`${ROOT}/${OUT}`, `${ROOT}/${BUILD_FOLDER}`);
  await copyFile(tarball.path, `${ROOT}/${TARBALL}`);
  const kilobytes = (bytes: number): string => `${Math.round(bytes / 1000)} kB`;
  console.log(
    `npm/: ${tarball.paths.length} files, ${kilobytes(tarball.size)} packed, ` +
      `${kilobytes(tarball.unpackedSize)} unpacked; ` +
      `${names} names exported by its entry points, the same on Node as in the source`,
  );
  await buildGenerator(builder);
  const generator = await pack(`${ROOT}/${GENERATOR_OUT}`, `${ROOT}/${BUILD_FOLDER}`);
  await copyFile(generator.path, `${ROOT}/${GENERATOR_TARBALL}`);
  console.log(
    `the generator: ${generator.paths.length} files, ${kilobytes(generator.size)} packed, ` +
      `${kilobytes(generator.unpackedSize)} unpacked`,
  );
  if (isPackOnly) {
    return console.log(`The packages are packed in ${TARBALL} and ${GENERATOR_TARBALL}`);
  }
  const project = await projectWith(tarball.path);
  // The judges of the toolkit's package must not find the generator's packages.
  const generating = await projectWith(tarball.path, generator.path);
  const api = await startLibraryApi();
  try {
    const runtimes = await getRuntimes();
    const all = [
      ...await judgesOf(deno, builder, tarball, project, api.url, runtimes),
      ...await generatorJudges(builder, generator, generating, runtimes),
    ];
    const judges = all.filter(({ isForRelease = false }) => isRelease || !isForRelease);
    await askAll(judges);
    const seconds = Math.round((performance.now() - started) / 1000);
    const left = judges.filter(({ leftOut }) => leftOut !== undefined).length;
    console.log(
      `${judges.length - left} judges, ${details.length} of them found problems, ` +
        `${left} left out, ${all.length - judges.length} for --release only, ${seconds} s`,
    );
  } finally {
    await api.stop();
    await project.remove();
    await generating.remove();
  }
}

endChildrenWithUs();
try {
  const flag = { type: "boolean", default: false } as const;
  const { values } = parseArgs({ options: { pack: flag, release: flag } });
  await main({ isPackOnly: values.pack, isRelease: values.release });
} catch (error) {
  details.push(error instanceof Error ? error.message : String(error));
}
if (details.length > 0) console.error(`\n${details.join("\n")}`);
process.exit(details.length > 0 ? 1 : 0);
