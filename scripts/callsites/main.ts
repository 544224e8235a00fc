/**
 * `deno task callsites SDK DOCUMENT [OPTIONS]`: generates an SDK from the `api.md` of a frozen SDK and an
 * OpenAPI document, and compiles the call sites of the frozen SDK's own tests against it. With `--run`,
 * it runs the tests, too: on Deno, Node and Bun, against Prism, a mock server of the document.
 *
 * SDK is a folder with `api.md` and `tests/api-resources/`. With `--sources`, its sources take the place of
 * `api.md`. DOCUMENT can be its `scripts/mock`. Nothing of it is part of the repository.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { generate } from "../../generate/mod.ts";
import { linkedLists } from "../../generate/src/sdk/api_md.ts";
import { documentText, sdkText } from "../../generate/src/write/sdk_folder.ts";
import { withSources } from "../../generate/tests/support/written.ts";
import { BUILD_FOLDER } from "../shared/build_folder.ts";
import type { TestResult } from "./harness.ts";
import { runChild, succeeded } from "../shared/child.ts";
import { installInto } from "../shared/npm_packages.ts";
import { checkDetails } from "../shared/report.ts";
import { getRuntime, type RuntimeName } from "../shared/runtimes.ts";
import { ROOT } from "../shared/source_files.ts";

const TOOLS = `${ROOT}/.tools/live`;
const FOLDER = `${ROOT}/${BUILD_FOLDER}/callsites`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    package: { type: "string" },
    name: { type: "string" },
    stainless: { type: "string" },
    sources: { type: "boolean", default: false },
    run: { type: "boolean", default: false },
    only: { type: "string", multiple: true },
    "leave-out": { type: "string", multiple: true },
  },
});
const [sdk, document] = positionals.map((each) => resolve(each));
if (sdk === undefined || document === undefined) {
  console.error(
    "usage: deno task callsites SDK DOCUMENT [--package NAME] [--name CLASS] [--stainless FILE]\n" +
      "       [--sources] [--run] [--only deno|node24|bun …] [--leave-out TEXT …]",
  );
  process.exit(2);
}

/** Reads the list of methods, with the lists that it links to. */
async function apiMd(): Promise<string> {
  const text = await readFile(join(sdk!, "api.md"), "utf8");
  const linked = linkedLists(text).map((path) => readFile(join(sdk!, path), "utf8"));
  return [text, ...await Promise.all(linked)].join("\n");
}

/** Lists the files with tests. */
async function testFiles(): Promise<string[]> {
  const folder = join(sdk!, "tests/api-resources");
  const all = await readdir(folder, { recursive: true });
  return all.filter((path) => path.endsWith(".test.ts")).sort().map((path) => join(folder, path));
}

/** Copies the tests, and returns the number of calls in them. */
async function copyTests(): Promise<{ readonly files: string[]; readonly calls: number }> {
  const { name: packageName } = JSON.parse(await readFile(join(sdk!, "package.json"), "utf8"));
  const specifier = values.package ?? packageName;
  const imported = new RegExp(
    `from '${specifier.replace(/[.*+?^$()|[\]{}\\]/g, "\\$&")}[^']*'`,
    "g",
  );
  const files: string[] = [];
  let calls = 0;
  for (const path of await testFiles()) {
    const text = await readFile(path, "utf8");
    calls += text.match(/\bclient(?:\.[a-zA-Z]+)*\s*\.[a-zA-Z]+\(/g)?.length ?? 0;
    const name = relative(join(sdk!, "tests/api-resources"), path).replaceAll(/[\\/]/g, "__");
    const moved = text.replace(imported, "from './sdk/mod.ts'");
    await writeFile(join(FOLDER, name), moved);
    files.push(name);
  }
  return { files, calls };
}

/** Compiles the tests, and prints the errors by file. */
async function compile(node: string): Promise<void> {
  const compilerOptions = {
    ...{
      strict: true,
      noEmit: true,
      target: "es2024",
      lib: ["esnext", "dom", "dom.iterable", "dom.asynciterable"],
    },
    ...{ module: "esnext", moduleResolution: "bundler", allowImportingTsExtensions: true },
    ...{
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: true,
      customConditions: ["npm-edition"],
    },
    ...{ types: ["node"], typeRoots: [`${ROOT}/node_modules/@types`] },
  };
  const globals = ["describe", "test", "it", "expect", "jest", "beforeEach", "afterEach"];
  await writeFile(
    join(FOLDER, "globals.d.ts"),
    `declare module "node-fetch" { export const Response: any; }\n` +
      globals.map((name) => `declare const ${name}: any;\n`).join(""),
  );
  await writeFile(
    join(FOLDER, "tsconfig.json"),
    JSON.stringify({ compilerOptions, include: ["*.test.ts", "globals.d.ts", "sdk/**/*.ts"] }),
  );
  const tsc = `${ROOT}/node_modules/typescript/bin/tsc`;
  const compiled = await runChild(node, [tsc, "-p", FOLDER]);
  const { output, seconds } = compiled;
  const errors = output.split("\n").filter((line) => /error TS\d+/.test(line));
  if (errors.length === 0 && !succeeded(compiled)) throw new Error(`tsc did not run: ${output}`);
  console.log(`compiled in ${seconds.toFixed(1)} s: ${errors.length} errors`);
  for (const error of errors) console.log(`  ${error.slice(0, 300)}`);
}

/** Runs the tests on a runtime against a server, and prints those that failed. */
async function run(name: RuntimeName, files: readonly string[], url: string): Promise<void> {
  const runtime = await getRuntime(ROOT, name);
  if ("trouble" in runtime) throw new Error(runtime.trouble);
  const harness = JSON.stringify(new URL("./harness.ts", import.meta.url).href);
  const left = (file: string) => values["leave-out"]?.some((text) => file.includes(text)) ?? false;
  await writeFile(
    join(FOLDER, "run.ts"),
    `import { Buffer } from "node:buffer";\nimport { runTests, setGlobals } from ${harness};\n` +
      `Object.assign(globalThis, { Buffer });\nsetGlobals();\n` +
      files.filter((file) => !left(file)).map((file) => `await import("./${file}");\n`).join("") +
      `console.log("RESULTS" + JSON.stringify(await runTests()));\n`,
  );
  const args = runtime.kind === "deno" ? ["run", "-A", "--no-check"] : [];
  const result = await runChild(runtime.path, [...args, join(FOLDER, "run.ts")], {
    env: { TEST_API_BASE_URL: url, DENO_CONDITIONS: "npm-edition", LOG_LEVEL: "off" },
    limit: 1_200,
  });
  const line = result.stdout.split("\n").find((text) => text.startsWith("RESULTS"));
  if (line === undefined) throw new Error(checkDetails(name, result));
  const results: TestResult[] = JSON.parse(line.slice("RESULTS".length));
  const failed = results.filter(({ failure }) => failure !== undefined);
  const skipped = results.filter(({ isSkipped }) => isSkipped).length;
  console.log(
    `${name} ${runtime.version}: ${results.length - failed.length - skipped} of ` +
      `${results.length - skipped} tests passed, ${skipped} are skipped by the SDK itself ` +
      `(${result.seconds.toFixed(1)} s)`,
  );
  for (const { name: test, failure } of failed) console.log(`  ${test}: ${failure!.slice(0, 300)}`);
}

/** Starts Prism on a port that the system picks. */
async function startPrism(node: string): Promise<{ readonly url: string; stop(): void }> {
  const prism = `${TOOLS}/node_modules/@stoplight/prism-cli/dist/index.js`;
  const child: ChildProcess = spawn(node, [prism, "mock", "-p", "0", document!], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const url = await new Promise<string>((found, reject) => {
    const listen = (text: unknown): void => {
      output = `${output}${text}`.slice(-10_000);
      const place = /listening on (http:\/\/[\w.:]+)/.exec(output)?.[1];
      if (place !== undefined) found(place);
    };
    child.stdout!.on("data", listen);
    child.stderr!.on("data", listen);
    child.on("exit", () => reject(new Error(`Prism ended:\n${output}`)));
  });
  return { url, stop: () => void child.kill() };
}

await rm(FOLDER, { recursive: true, force: true });
await mkdir(FOLDER, { recursive: true });
const shape = values.sources
  ? { sdk: await sdkText(sdk) }
  : values.stainless === undefined
  ? { apiMd: await apiMd() }
  : {};
const { files, report } = await generate(await documentText(document), {
  stainless: values.stainless && await readFile(values.stainless, "utf8"),
  ...shape,
  name: values.name,
});
// tsc resolves no file URLs.
for (const [path, text] of files) {
  const target = join(FOLDER, "sdk", path);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, withSources(text).replaceAll('"file://', '"'));
}
const missing = report.problems.filter(({ message }) => message.startsWith("the document has no"));
const stated = report.operations + missing.length;
console.log(
  `${report.operations} of ${stated} methods, ${report.leftOut.length} operations without a method`,
);
for (const { message } of missing) console.log(`  ${message}`);
const tests = await copyTests();
console.log(`${tests.calls} calls in ${tests.files.length} files`);
const node = await getRuntime(ROOT, "node24");
if ("trouble" in node) throw new Error(node.trouble);
await compile(node.path);
if (values.run) {
  const npm = await installInto(`${ROOT}/scripts/shared/prism`, TOOLS);
  if (npm !== undefined && !succeeded(npm)) throw new Error(checkDetails("npm ci", npm));
  const prism = await startPrism(node.path);
  try {
    const names = (values.only ?? ["deno", "node24", "bun"]) as RuntimeName[];
    for (const name of names) await run(name, tests.files, prism.url);
  } finally {
    prism.stop();
  }
}
