/** The command `init`: makes a repository for an SDK, from which both registries get it. */
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { generatePlanned } from "../generate.ts";
import { repositoryFiles, SDK_FROM_TESTS, type ShapeFile } from "../init/repository.ts";
import { isSafePath } from "../names/file_names.ts";
import { isUrl } from "../read/pointers.ts";
import type { ReadFile } from "../read/read.ts";
import { UsageError } from "./arguments.ts";
import {
  type CommandIo,
  ignoredLines,
  leftOutLines,
  problemLine,
  shown,
  summaryLine,
} from "./terminal.ts";
import { FolderError } from "./folder.ts";
import { apiListText, InputError, namedText, readerBeside, requiredText } from "./input.ts";

/** The text of `init --help`. */
export const INIT_HELP: string =
  `Makes a repository for an SDK: the SDK and its tests, the packages for JSR and npm, workflows that
test and publish them, and a README with the first call.

  npx @restwright/generate init DOCUMENT FOLDER [options]
  deno run -A jsr:@restwright/generate/cli init DOCUMENT FOLDER [options]

DOCUMENT is a file, or - for the standard input, as for the generator. It is copied into the
repository, with the files that it refers to. FOLDER must be empty, or not exist.

  --package NAME       the name of the package on JSR and npm, with its scope; default:
                       @example/ with the name of the client, which you replace before you publish
  --npm NAME           the name of the package on npm, if it is another one
  --name NAME          the name of the client's class; default: made from the document's title
  --models xml, --dates, --bigint, --open-enums, --allow-net
                       as for the generator; the repository keeps them for later runs
  --overrides FILE     as for the generator; the file is copied
  --stainless FILE, --api-md FILE
                       as for the generator; the file is copied, and takes the place of names.json
  --strict             ends with 1 if the document has any problem
  --quiet              prints errors only
  --help               prints this text

In the repository, npm run generate or deno task generate writes the SDK anew after the document has
changed. Add --check to see if it would change anything.

It ends with 0, with 1 as --strict says, and with 2 if nothing was written.`;

/** The names that JSR and npm accept. */
const [JSR_NAME, NPM_NAME] = [
  /^@[a-z\d][a-z\d-]{1,19}\/[a-z\d][a-z\d-]{0,57}$/,
  /^(?=.{1,214}$)(?:@[a-z\d~-][a-z\d._~-]*\/)?[a-z\d~-][a-z\d._~-]*$/,
];

/**
 * Runs the command.
 *
 * @param args The arguments after `init`
 * @param io The surroundings
 * @returns The exit code: 0 or 1
 */
export async function runInit(args: readonly string[], io: CommandIo): Promise<number> {
  const { values, positionals } = parse(args);
  if (values.help === true) {
    io.print(INIT_HELP);
    return 0;
  }
  const [path, folder] = positionals;
  if (positionals.length !== 2 || !path || !folder) {
    throw new UsageError("there must be a document and a folder");
  }
  const { models, package: jsr, npm = jsr } = values;
  if (models !== undefined && models !== "xml") {
    throw new UsageError(`--models must be xml, not ${models}`);
  }
  if (jsr !== undefined && !JSR_NAME.test(jsr)) {
    throw new UsageError(`--package must be a name with a scope such as @acme/pets, not ${jsr}`);
  }
  if (npm !== undefined && !NPM_NAME.test(npm)) {
    throw new UsageError(`--npm must be the name of a package, not ${npm}`);
  }
  if (values.stainless !== undefined && values["api-md"] !== undefined) {
    throw new UsageError("--stainless and --api-md state the same: pass one of them");
  }
  await checkEmpty(folder);
  const overrides = await namedText(values.overrides);
  const stainless = await namedText(values.stainless);
  const apiMd = await apiListText(values["api-md"]);

  const text = path === "-" ? await io.readInput() : await requiredText(path);
  const documents = new Map([[nameOf(path, text), text]]);
  const elsewhere: string[] = [];
  const [document] = documents.keys();
  const flags = (["dates", "bigint", "open-enums", "allow-net"] as const)
    .filter((name) => values[name] === true);
  const { plan, files, tests, names, report } = await generatePlanned(text, {
    ...{ name: values.name, models, overrides, stainless, apiMd, tests: SDK_FROM_TESTS },
    ...{ dates: values.dates === true, bigint: values.bigint === true },
    ...{ openEnums: values["open-enums"] === true, allowNet: values["allow-net"] === true },
    ...{ file: path, read: copying(await readerBeside(path), { documents, elsewhere }) },
  });
  if (elsewhere.length > 0) {
    throw new InputError(
      `the document refers to ${elsewhere[0]}, which cannot be copied: put it below the document`,
    );
  }
  const jsrName = jsr ?? `@example/${plan.client.libName.replace(/[^a-z\d]+/g, "-").slice(0, 58)}`;
  const repository = repositoryFiles({
    ...{ plan, sdk: files, tests, names, documents, document: document!, overrides },
    shape: shapeFile(stainless, apiMd),
    options: [
      ...values.name === undefined ? [] : [`--name ${values.name}`],
      ...models === undefined ? [] : [`--models ${models}`],
      ...flags.map((name) => `--${name}`),
    ],
    ...{ jsrName, npmName: npm ?? jsrName },
  });
  for (const [name, content] of repository) {
    const target = join(folder, name);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, content);
  }
  if (values.quiet !== true) {
    report.problems.forEach((problem) => io.printError(problemLine(problem)));
    const file = values.stainless ?? values["api-md"] ?? "";
    ignoredLines(file, report.ignored).forEach((line) => io.printError(line));
    leftOutLines(file, report).forEach((line) => io.printError(line));
    const counts = { written: repository.size, unchanged: 0, deleted: 0 };
    io.print(summaryLine({ ...report, files: repository.size }, counts, false));
    io.print(`next: cd ${shown(folder)}, git init -b main, npm install, npm test`);
  }
  return values.strict === true && report.problems.length > 0 ? 1 : 0;
}

/** Returns the file with the call sites, under the name that it has in the repository. */
function shapeFile(
  stainless: string | undefined,
  apiMd: string | undefined,
): ShapeFile | undefined {
  if (stainless !== undefined) return { name: "stainless.yml", text: stainless };
  return apiMd === undefined ? undefined : { name: "api.md", text: apiMd };
}

/** @throws {FolderError} If there is something in a folder, or it is none */
async function checkEmpty(folder: string): Promise<void> {
  let entries: readonly string[];
  try {
    entries = await readdir(folder);
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    if (code === "ENOENT") return;
    if (code === "ENOTDIR") throw new FolderError(`${folder} is not a folder`);
    throw error;
  }
  if (entries.length > 0) throw new FolderError(`${folder} is not empty; name a new folder`);
}

/** Returns the name of the document in the repository. */
function nameOf(path: string, text: string): string {
  const name = path === "-" ? "" : basename(path);
  if (isSafePath(name)) return name;
  return /^\s*\{/.test(text) ? "openapi.json" : "openapi.yaml";
}

/** Returns a function that reads files, and keeps their texts for the repository. */
function copying(
  read: ReadFile,
  { documents, elsewhere }: {
    readonly documents: Map<string, string>;
    /** The paths of files that are not below the document. */
    readonly elsewhere: string[];
  },
): ReadFile {
  return async (path) => {
    if (isUrl(path)) return await read(path);
    const name = path.replace(/^\.\//, "");
    if (!isSafePath(name)) {
      elsewhere.push(path);
      return undefined;
    }
    const text = await read(path);
    if (text !== undefined) documents.set(name, text);
    return text;
  };
}

function parse(args: readonly string[]) {
  const text = { type: "string" } as const;
  const flag = { type: "boolean" } as const;
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        ...{ package: text, npm: text, name: text, models: text, overrides: text },
        ...{ stainless: text, "api-md": text },
        ...{ dates: flag, bigint: flag, "open-enums": flag, "allow-net": flag },
        ...{ strict: flag, quiet: flag, help: { ...flag, short: "h" } },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message.split(". ")[0]!);
  }
}
