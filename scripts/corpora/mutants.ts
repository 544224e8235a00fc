/**
 * Generates SDKs from mutated documents, which have random faults: the generator either refuses a
 * document or writes an SDK that compiles, and it writes the same again. A seed and a count make each
 * run the same.
 */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { parse } from "yaml";
import { generate, type GenerateOptions, type GenerateResult, tests } from "../../generate/mod.ts";
import { FileError } from "../../generate/src/base/errors.ts";
import { apiMdOf } from "../../generate/tests/support/api_md.ts";
import { mutated } from "../../generate/tests/support/mutations.ts";
import { BUILD_FOLDER } from "../shared/build_folder.ts";
import { runChild } from "../shared/child.ts";
import { faultsOfRun } from "../shared/package/judge.ts";
import type { Project } from "../shared/package/project.ts";
import { ROOT } from "../shared/source_files.ts";
import type { CorpusDocument } from "./documents.ts";
import { LIMIT, tscArguments } from "./project.ts";

/** The mutated documents. */
export interface MutantOptions {
  /** The number of documents. */
  readonly count: number;
  /** The seed of their faults. */
  readonly seed: number;
}

/** The folder of the SDKs in the project. */
const MUTANTS = "mutants";

/** The number of SDKs that are compiled together. */
const BATCH = 300;

/** The longest document that is mutated, in characters: the faults of long ones are the same. */
const MAX_CHARACTERS = 100_000;

/** The options of the SDKs, which take turns. */
const VARIANTS: readonly ((text: string, file: string) => Promise<GenerateOptions>)[] = [
  () => Promise.resolve({}),
  () => Promise.resolve({ models: "xml", dates: true, bigint: true, openEnums: true }),
  async (text, file) => {
    const apiMd = await apiMdOf(text, { file });
    return apiMd === "" ? {} : { apiMd };
  },
];

/** A mutated document. */
interface Mutant {
  readonly name: string;
  /** The name of the document of which it was made. */
  readonly base: string;
  readonly text: string;
  readonly options: GenerateOptions;
}

/**
 * Returns the faults of mutated documents. Each is generated twice, and once more with its own names file.
 * The SDKs and their tests are compiled. The documents with a fault stay in the folder of this run.
 */
export async function faultsOfMutants(
  project: Project,
  documents: readonly CorpusDocument[],
  { count, seed }: MutantOptions,
): Promise<string[]> {
  const bases = documents.filter(({ text }) => text.length <= MAX_CHARACTERS)
    .map(({ name, text }) => ({ name, value: parse(text, { maxAliasCount: -1 }) as unknown }));
  const faults: string[] = [];
  for (let start = 0; start < count; start += BATCH) {
    const indexes = Array.from({ length: Math.min(BATCH, count - start) }, (_, at) => start + at);
    const mutants = await Promise.all(indexes.map(async (index): Promise<Mutant> => {
      const { name: base, value } = bases[index % bases.length]!;
      const text = mutated(value, seed + index);
      const file = `${base}.json`;
      const variant = VARIANTS[Math.floor(index / bases.length) % VARIANTS.length]!;
      const options = await variant(text, file).catch(() => ({}));
      return { name: `m${index}`, base, text, options: { ...options, file } };
    }));
    const modules: string[] = [];
    for (const mutant of mutants) {
      const result = await generated(mutant);
      if (typeof result === "string") faults.push(await described(mutant, result));
      else if (result !== undefined) modules.push(...await written(project, mutant, result));
    }
    for (const fault of await compile(project, modules)) {
      const names = new Set(Array.from(fault.matchAll(/^mutants\/(m\d+)\//gm), ([, name]) => name));
      const failed = mutants.filter(({ name }) => names.has(name));
      const places = await Promise.all(failed.map((each) => described(each, "")));
      faults.push([...places, fault].join("\n"));
    }
    await rm(`${project.folder}/${MUTANTS}`, { recursive: true, force: true });
  }
  return faults;
}

/** Returns the SDK of a document, a fault, or undefined if the generator refuses the document. */
async function generated({ text, options }: Mutant): Promise<GenerateResult | string | undefined> {
  try {
    const all = { ...options, outputs: [tests.with({ sdk: "../mod.ts" })] };
    const result = await generate(text, all);
    if (textOf(await generate(text, all)) !== textOf(result)) return "a second run differs";
    const named = await generate(text, { ...all, names: result.names });
    return textOf(named) === textOf(result) ? result : "a run with its names file differs";
  } catch (error) {
    if (error instanceof FileError) return undefined;
    return String(error instanceof Error ? (error.cause as Error)?.stack ?? error.stack : error);
  }
}

/** Compiles modules with the strictness of the other SDKs of a project, and returns the faults. */
async function compile(project: Project, files: readonly string[]): Promise<string[]> {
  // The tests import modules of Node.
  const config = { extends: "./tsconfig.json", compilerOptions: { types: ["node"] }, files };
  await project.write("tsconfig_mutants.json", JSON.stringify(config));
  const args = tscArguments("tsconfig_mutants.json");
  return faultsOfRun("tsc", await runChild("node", args, { cwd: project.folder, limit: LIMIT }));
}

function textOf({ files, outputs, names, report }: GenerateResult): string {
  const others = [...outputs].map(([name, each]) => [name, [...each]]);
  return JSON.stringify([[...files], others, names, report]);
}

/** Writes an SDK and its tests, and returns the paths of the modules. */
async function written(
  project: Project,
  { name }: Mutant,
  { files, outputs }: GenerateResult,
): Promise<string[]> {
  const all = [
    ...[...files].map(([path, text]) => [`${MUTANTS}/${name}/${path}`, text] as const),
    ...[...outputs.get("tests")!].map(([path, text]) =>
      [`${MUTANTS}/${name}/tests/${path}`, text] as const
    ),
  ];
  for (const [path, text] of all) await project.write(path, text);
  return all.map(([path]) => path);
}

/** Keeps a document that has a fault, and returns the fault with its path. */
async function described({ name, base, text }: Mutant, fault: string): Promise<string> {
  const path = `${BUILD_FOLDER}/mutants/${name}.json`;
  await mkdir(dirname(`${ROOT}/${path}`), { recursive: true });
  await writeFile(`${ROOT}/${path}`, text);
  return `${path}, made of ${base} ${fault}`;
}
