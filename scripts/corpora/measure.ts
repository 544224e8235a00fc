/** Generates SDKs from many documents in batches, checks them with tsc and their tests, and counts. */
import { rm } from "node:fs/promises";
import { counted } from "../../generate/src/write/terminal.ts";
import { type ChildResult, runChild, succeeded } from "../shared/child.ts";
import type { Project } from "../shared/package/project.ts";
import { checkDetails, section } from "../shared/report.ts";
import type { CorpusDocument } from "./documents.ts";
import {
  compileFolders,
  type DocumentFigures,
  figuresDetails,
  figuresOf,
  type RunFigures,
  type TestCounts,
  testCountsIn,
} from "./figures.ts";
import {
  configure,
  generateInto,
  getRuntimes,
  LIMIT,
  linkTypes,
  TEST_COMMANDS,
  TESTS,
  tscArguments,
} from "./project.ts";

/** The most characters and documents of a batch, so that tsc and the tests have enough memory. */
const BATCH = { characters: 10_000_000, documents: 40 };

/** Splits documents into batches, in their order. */
export function batchesOf(documents: readonly CorpusDocument[]): CorpusDocument[][] {
  const batches: CorpusDocument[][] = [];
  let characters = Infinity;
  for (const document of documents) {
    const { length } = document.text;
    const batch = batches.at(-1);
    if (characters + length > BATCH.characters || batch?.length === BATCH.documents) {
      batches.push([document]);
      characters = length;
    } else {
      batch!.push(document);
      characters += length;
    }
  }
  return batches;
}

/** The result of `measure`. */
export interface Measured {
  readonly figures: RunFigures;
  /** The failures, each a text of several lines. */
  readonly faults: readonly string[];
}

/**
 * Generates an SDK from each document, and checks it. A run takes long, so it prints what it finds after
 * each batch.
 */
export async function measure(
  project: Project,
  documents: readonly CorpusDocument[],
  isVerbose: boolean,
): Promise<Measured> {
  const runtimes = await getRuntimes();
  const generated: DocumentFigures[] = [];
  const typeErrors = new Map<string, number>();
  const tests = new Map(runtimes.map(({ kind, version }): [string, TestCounts] => [
    `${kind} ${version}`,
    { passed: 0, failed: 0 },
  ]));
  const faults: string[] = [];
  const run = (program: string, args: readonly string[]): Promise<ChildResult> => {
    // Users do not have the conditions by which this repository chooses an edition.
    const env = { DENO_CONDITIONS: undefined, NODE_OPTIONS: undefined };
    return runChild(program, args, { cwd: project.folder, env, limit: LIMIT });
  };
  const batches = batchesOf(documents);
  for (const [index, batch] of batches.entries()) {
    const names: string[] = [];
    const known = faults.length;
    for (const document of batch) {
      try {
        const result = await generateInto(project, folderOf(document.name), document, {});
        generated.push(await figuresOf(document, result));
        names.push(document.name);
      } catch (error) {
        faults.push(section(`${document.name} was not generated`, String(error)));
      }
    }
    const folders = names.map(folderOf);
    await linkTypes(project);
    const compiled = await compileFolders(folders, async (some) => {
      await configure(project, some);
      return await run("node", tscArguments("tsconfig.json"));
    });
    for (const [folder, count] of compiled.typeErrors) {
      typeErrors.set(folder.replace(/^sdk\//, ""), count);
    }
    faults.push(...compiled.failed.map((each) => checkDetails("tsc", each)));
    await configure(project, folders);
    const done = generated.filter(({ name }) => names.includes(name));
    const expected = done.reduce((sum, each) => sum + each.tests, 0);
    for (const { kind, version, path } of runtimes) {
      const key = `${kind} ${version}`;
      const [command, ...args] = TEST_COMMANDS[kind];
      // tsc has checked the types of the SDKs.
      const result = await run(path, [command!, ...kind === "deno" ? ["--no-check"] : [], ...args]);
      const { passed, failed } = testCountsIn(result.output);
      const before = tests.get(key)!;
      tests.set(key, { passed: before.passed + passed, failed: before.failed + failed });
      if (!succeeded(result) || passed !== expected) {
        faults.push(checkDetails(`${passed} of ${expected} tests passed on ${key}`, result));
      }
    }
    const line = `batch ${index + 1} of ${batches.length}: ${counted(names.length, "SDK")}`;
    console.log([line, ...faults.slice(known)].join("\n"));
    if (isVerbose) console.log(figuresDetails(done, typeErrors).join("\n"));
    for (const folder of ["sdk", TESTS]) {
      await rm(`${project.folder}/${folder}`, { recursive: true, force: true });
    }
  }
  return { figures: { documents: documents.length, generated, typeErrors, tests }, faults };
}

function folderOf(name: string): string {
  return `sdk/${name}`;
}
