/**
 * Proves that clients of the corpora send nothing to a host of their document if the base URL is set: it
 * makes each call of each SDK, with and without resources, against a stub in place of fetch. With
 * `--all`, `--from` and paths as of `deno task corpora`.
 */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { generatePlanned } from "../../generate/src/generate.ts";
import { pinKey } from "../../generate/src/plan/names/mod.ts";
import { printSdk } from "../../generate/src/outputs/sdk.ts";
import { operationsOf } from "../../generate/src/read/operations.ts";
import { readSource } from "../../generate/src/read/read.ts";
import { apiMdOf } from "../../generate/tests/support/api_md.ts";
import { writeWithSources } from "../../generate/tests/support/written.ts";
import { silentLogger } from "../../src/testing/mod.ts";
import { argumentsOf, callsOf, credentialsOf } from "../shared/sampled_calls.ts";
import { BUILD_FOLDER } from "../shared/build_folder.ts";
import { ROOT } from "../shared/source_files.ts";
import { chosenDocuments, type CorpusDocument } from "./documents.ts";
import process from "node:process";

/** The base URL of the clients. */
const BASE = "http://127.0.0.1:9/mock";

/** A call of a method: its place in the client, and its arguments. */
interface Call {
  readonly place: readonly string[];
  readonly args: readonly unknown[];
}

/** The requests of an SDK. */
interface Sent {
  readonly calls: number;
  /** The number of calls that sent a request. */
  readonly sending: number;
  /** The requests that went elsewhere. */
  readonly stray: readonly string[];
}

/** Makes all calls of an SDK against the stub. */
async function requestsOf(document: CorpusDocument, withResources: boolean): Promise<Sent> {
  const { text, name: file, read } = document;
  const apiMd = withResources ? await apiMdOf(text, { file, read }) : undefined;
  if (apiMd === "") return { calls: 0, sending: 0, stray: [] };
  const { plan } = await generatePlanned(text, { file, read, apiMd });
  const source = await readSource(text, { file, read });
  const operations = new Map(operationsOf(source).map((each) => [pinKey(each), each]));
  const calls = withResources
    ? plan.groups.flatMap(({ path, methods }) =>
      methods.map((method): Call => ({
        place: [...path, method.name],
        args: argumentsOf(source, operations.get(method.operation)!, method, 0),
      }))
    )
    : callsOf(source, plan).map(({ field, method, variants: [args = []] }): Call => ({
      place: [field, method],
      args,
    }));
  const folder = await mkdtemp(join(ROOT, BUILD_FOLDER, "base-url-"));
  try {
    await writeWithSources(folder, printSdk(plan, {}));
    const module = await import(pathToFileURL(join(folder, "mod.ts")).href);
    return await sentBy(module[plan.client.className], calls, {
      ...credentialsOf(plan.client.schemes),
      ...withResources ? { baseURL: BASE, maxRetries: 0 } : { baseUrl: BASE, retries: 0 },
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Makes calls against the stub. */
async function sentBy(
  Client: new (options: object) => object,
  calls: readonly Call[],
  options: object,
): Promise<Sent> {
  const urls: string[] = [];
  const fetch = (url: string): Promise<Response> => {
    urls.push(url);
    return Promise.resolve(Response.json({}));
  };
  const client = new Client({ ...options, fetch, logger: silentLogger });
  let sending = 0;
  for (const { place, args } of calls) {
    const before = urls.length;
    const owner = place.slice(0, -1).reduce((object, name) => Reflect.get(object, name), client);
    try {
      // The answers of the stub do not fit the types, and some samples are refused.
      await Reflect.get(owner, place.at(-1)!).call(owner, ...args);
    } catch {
      // Only the requests count.
    }
    if (urls.length > before) sending++;
  }
  return { calls: calls.length, sending, stray: urls.filter((url) => !isBelow(url)) };
}

/** Reports if a URL is below the base URL. */
function isBelow(url: string): boolean {
  return url.startsWith(BASE) && /^[/?]|^$/.test(url.slice(BASE.length));
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { all: { type: "boolean" }, from: { type: "string" } },
});
await mkdir(join(ROOT, BUILD_FOLDER), { recursive: true });
const documents = await chosenDocuments(ROOT, { ...values, names: positionals });
for (const withResources of [false, true]) {
  let [calls, sending] = [0, 0];
  for (const document of documents) {
    const sent = await requestsOf(document, withResources);
    calls += sent.calls;
    sending += sent.sending;
    if (sent.stray.length === 0) continue;
    console.error(`${document.name}: ${sent.stray.length} requests do not go to the base URL:`);
    console.error(sent.stray.slice(0, 5).join("\n"));
    process.exitCode = 1;
  }
  const form = withResources ? "with resources" : "with endpoints";
  console.log(`${form}: ${sending} of ${calls} calls sent a request, all by the base URL`);
}
