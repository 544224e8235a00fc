/**
 * Calls each method of generated SDKs against Prism, and prints those that failed. Its arguments are the
 * documents. `scripts/live/main.ts` installs Prism, and runs this in the edition that is available.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { planSdk } from "../../generate/src/plan/mod.ts";
import { printSdk } from "../../generate/src/outputs/sdk.ts";
import { readSource } from "../../generate/src/read/read.ts";
import { writeWithSources } from "../../generate/tests/support/written.ts";
import { silentLogger } from "../../src/testing/mod.ts";
import { BUILD_FOLDER } from "../shared/build_folder.ts";
import { callsOf, credentialsOf, type SampledCall } from "../shared/sampled_calls.ts";
import { getRuntime } from "../shared/runtimes.ts";
import { ROOT } from "../shared/source_files.ts";
import process from "node:process";

/** The folder in which Prism is installed. */
const FOLDER = `${ROOT}/.tools/live`;

/** Seconds until a call or the start of Prism fails. */
const LIMIT = 60;

/** A running Prism. */
interface Prism {
  readonly url: string;
  /** Returns the violations that it printed since the last call of this function. */
  violations(): string[];
  stop(): void;
}

/** Starts Prism on a port that the system picks. */
async function startPrism(node: string, document: string): Promise<Prism> {
  const prism = `${FOLDER}/node_modules/@stoplight/prism-cli/dist/index.js`;
  const child: ChildProcess = spawn(node, [prism, "mock", "-p", "0", document], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const url = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`Prism did not start:\n${output}`)),
      LIMIT * 1000,
    );
    const listen = (text: unknown): void => {
      output = `${output}${text}`.slice(-100_000);
      const found = /listening on (http:\/\/[\w.:]+)/.exec(output)?.[1];
      if (found !== undefined) resolve(found);
      if (found !== undefined) clearTimeout(timer);
    };
    child.stdout!.on("data", listen);
    child.stderr!.on("data", listen);
    child.on("exit", () => reject(new Error(`Prism ended:\n${output}`)));
  });
  return {
    url,
    violations() {
      const found = output.match(/Violation: .*/g) ?? [];
      output = "";
      return found;
    },
    stop: () => void child.kill(),
  };
}

type Method = (...args: readonly unknown[]) => Promise<unknown>;
type Client = Readonly<Record<string, Readonly<Record<string, Method>>>>;

/** Makes a call, and returns the reason for which it failed. */
async function failureOf(
  client: Client,
  { field, method }: SampledCall,
  args: readonly unknown[],
): Promise<string> {
  try {
    await client[field]![method]!(...args);
    return "";
  } catch (error) {
    const { data, cause } = error as {
      readonly data?: { readonly validation?: unknown } | null;
      readonly cause?: unknown;
    };
    if (data?.validation !== undefined) return JSON.stringify(data.validation);
    return `${error}${cause === undefined ? "" : `: ${cause}`} ${JSON.stringify(data) ?? ""}`;
  }
}

/** Calls each method of a document, and prints those that failed. Returns their number. */
async function play(node: string, document: string): Promise<number> {
  const text = await readFile(document, "utf8");
  const read = (path: string) =>
    readFile(resolve(document, "..", path), "utf8").catch(() => undefined);
  const source = await readSource(text, { file: document, read });
  const plan = planSdk(source, { pins: new Map() });
  const calls = callsOf(source, plan);
  await mkdir(`${ROOT}/${BUILD_FOLDER}`, { recursive: true });
  const folder = await mkdtemp(join(`${ROOT}/${BUILD_FOLDER}`, "live-"));
  await writeWithSources(folder, printSdk(plan, {}));
  const module = await import(pathToFileURL(join(folder, "mod.ts")).href);
  const prism = await startPrism(node, document);
  let failed = 0;
  try {
    const client: Client = new module[plan.client.className]({
      ...credentialsOf(plan.client.schemes),
      baseUrl: prism.url,
      trustedOrigins: [],
      logger: silentLogger,
      retries: 0,
      deadline: LIMIT,
    });
    for (const call of calls) {
      const reasons: string[] = [];
      for (const args of call.variants) {
        prism.violations();
        const failure = await failureOf(client, call, args);
        if (failure === "") break;
        const violations = prism.violations();
        reasons.push(violations.length === 0 ? failure.slice(0, 600) : violations.join("; "));
      }
      if (reasons.length < call.variants.length) continue;
      failed++;
      console.log(`  ${call.key} (${call.field}.${call.method}): ${reasons[0]}`);
    }
  } finally {
    prism.stop();
    await rm(folder, { recursive: true, force: true });
  }
  console.log(
    `${plan.client.className}: ${calls.length - failed} of ${calls.length} calls succeeded`,
  );
  return failed;
}

const runtime = await getRuntime(ROOT, "node24");
if ("trouble" in runtime) throw new Error(runtime.trouble);
let failed = 0;
for (const document of process.argv.slice(2)) failed += await play(runtime.path, document);
process.exit(failed > 0 ? 1 : 0);
