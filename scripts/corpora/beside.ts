/** Runs other generators on the same documents, and checks their output with tsc. */
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import { type Contender, contenders } from "../../bench/generators/contenders.ts";
import { readSource } from "../../generate/src/read/read.ts";
import { runChild, succeeded } from "../shared/child.ts";
import { installInto } from "../shared/npm_packages.ts";
import type { Project } from "../shared/package/project.ts";
import { checkDetails, lastLines, section } from "../shared/report.ts";
import { getRuntime } from "../shared/runtimes.ts";
import { filesBelow, ROOT } from "../shared/source_files.ts";
import type { CorpusDocument } from "./documents.ts";
import { compileFolders, type DocumentFigures } from "./figures.ts";
import { batchesOf, type Measured } from "./measure.ts";
import { LIMIT, tscArguments } from "./project.ts";

/** The generators that are compared: those that write methods for all operations, with a runtime. */
const NAMES: readonly string[] = ["hey-api", "redocly"];

/** The folder of the other generators, that of `deno task bench --generate`. */
const TOOLS = `${ROOT}/.tools/generators`;

/** Seconds that a generator has for a document. */
const DOCUMENT_LIMIT = 120;

/** The figures of another generator. */
export interface BesideFigures {
  readonly name: string;
  readonly generated: number;
  /** The number of errors of tsc for each document that has some. */
  readonly typeErrors: ReadonlyMap<string, number>;
  /** The operations of the documents that it generated, and those in its output. */
  readonly operations: number;
  readonly found: number;
  readonly faults: readonly string[];
}

/** Runs the other generators. Prints a line for each batch. */
export async function besideOthers(
  project: Project,
  documents: readonly CorpusDocument[],
  { figures }: Measured,
): Promise<BesideFigures[]> {
  const npm = await installInto(`${ROOT}/bench/generators`, TOOLS);
  if (npm !== undefined && !succeeded(npm)) throw new Error(checkDetails("npm ci", npm));
  // The generators need a newer Node than this repository.
  const node = await getRuntime(ROOT, "node24");
  if ("trouble" in node) throw new Error(node.trouble);
  const operations = new Map(figures.generated.map((each) => [each.name, each]));
  const results: BesideFigures[] = [];
  for (const contender of contenders.filter(({ name }) => NAMES.includes(name))) {
    results.push(await runOn(contender, { project, node: node.path, documents, operations }));
  }
  return results;
}

async function runOn(
  contender: Contender,
  { project, node, documents, operations }: {
    readonly project: Project;
    readonly node: string;
    readonly documents: readonly CorpusDocument[];
    readonly operations: ReadonlyMap<string, DocumentFigures>;
  },
): Promise<BesideFigures> {
  const { name } = contender;
  const typeErrors = new Map<string, number>();
  const faults: string[] = [];
  let [generated, stated, found] = [0, 0, 0];
  const batches = batchesOf(documents);
  for (const [index, batch] of batches.entries()) {
    const folders: string[] = [];
    for (const document of batch) {
      const folder = `${name}/${document.name}`;
      const fault = await generateWith(contender, document, {
        node,
        folder: `${project.folder}/${folder}`,
      });
      if (fault !== undefined) {
        faults.push(section(`${name} did not generate ${document.name}`, fault));
        continue;
      }
      generated++;
      folders.push(folder);
      stated += operations.get(document.name)?.operations ?? 0;
      found += await operationsIn(contender, `${project.folder}/${folder}/out`);
    }
    const compiled = await compileFolders(folders, async (some) => {
      const modules = some.flatMap((folder) =>
        contender.modules.map((path) => `${folder}/out/${path}`)
      );
      await project.write("beside.json", configuration(modules));
      return await runChild("node", tscArguments("beside.json"), {
        cwd: project.folder,
        limit: LIMIT,
      });
    });
    for (const [folder, count] of compiled.typeErrors) {
      typeErrors.set(folder.slice(name.length + 1), count);
    }
    for (const { output } of compiled.failed) {
      faults.push(section(`tsc, ${name}`, lastLines(output, 400)));
    }
    console.log(`  ${name}, batch ${index + 1} of ${batches.length}: ${folders.length} generated`);
    await rm(`${project.folder}/${name}`, { recursive: true, force: true });
  }
  return { name, generated, typeErrors, operations: stated, found, faults };
}

/** Generates a client. Returns the output of the generator if it fails. */
async function generateWith(
  { program, args, modules }: Contender,
  document: CorpusDocument,
  { node, folder }: { readonly node: string; readonly folder: string },
): Promise<string | undefined> {
  const input = await writeDocument(document, `${folder}/document`);
  const out = `${folder}/out`;
  await mkdir(out, { recursive: true });
  const command = [`${TOOLS}/node_modules/${program}`, ...args(input, out)];
  const result = await runChild(node, command, {
    cwd: folder,
    env: { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
    limit: DOCUMENT_LIMIT,
  });
  if (succeeded(result) && existsSync(`${out}/${modules[0]}`)) return undefined;
  return `${result.trouble ?? `exited with ${result.code}`}\n${lastLines(result.output, 40)}`;
}

/** Writes a document with the files that it refers to. Returns its path. */
async function writeDocument(document: CorpusDocument, folder: string): Promise<string> {
  const { path, text } = document;
  const write = async (place: string, content: string): Promise<void> => {
    await mkdir(dirname(join(folder, place)), { recursive: true });
    await writeFile(join(folder, place), content);
  };
  await write(path, text);
  for (const [place, content] of await filesOf(document)) {
    await write(normalize(join(dirname(path), place)), content);
  }
  return join(folder, path);
}

/** Returns the files that a document refers to, by their paths relative to it. */
async function filesOf({ name, text, read }: CorpusDocument): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  try {
    await readSource(text, {
      file: name,
      async read(path) {
        const content = await read(path);
        if (content !== undefined) files.set(path, content);
        return content;
      },
    });
  } catch {
    // The other generators report it themselves.
  }
  return files;
}

/** Returns the configuration of tsc that the generators ask for: strict, without the stricter flags. */
function configuration(files: readonly string[]): string {
  return JSON.stringify({
    compilerOptions: {
      ...{ strict: true, skipLibCheck: true, noEmit: true, types: [], target: "ES2022" },
      ...{ module: "ESNext", moduleResolution: "bundler", allowImportingTsExtensions: true },
      lib: ["ES2022", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
    },
    files,
  });
}

/** Counts the operations in an output. */
async function operationsIn({ operation }: Contender, folder: string): Promise<number> {
  let count = 0;
  for (const path of await filesBelow(folder, ["."])) {
    if (!path.endsWith(".ts")) continue;
    count += (await readFile(`${folder}/${path}`, "utf8")).match(operation)?.length ?? 0;
  }
  return count;
}

/** Formats the table of the generators beside each other. */
export function besideTable({ figures }: Measured, others: readonly BesideFigures[]): string {
  const { documents, generated, typeErrors } = figures;
  const own = generated.reduce((sum, each) => sum + each.operations, 0);
  const lost = generated.reduce((sum, each) => sum + each.lost.length, 0);
  const rows = [
    ["", "tried", "generated", "of these without an error of tsc", "operations lost in these"],
    ["---", "---", "---", "---", "---"],
    [
      "Restwright",
      `${documents}`,
      `${generated.length}`,
      `${generated.length - typeErrors.size}`,
      `${lost} of ${own}`,
    ],
    ...others.map(({ name, generated, typeErrors, operations, found }) => [
      name,
      `${documents}`,
      `${generated}`,
      `${generated - typeErrors.size}`,
      `${operations - found} of ${operations}`,
    ]),
  ];
  return rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
