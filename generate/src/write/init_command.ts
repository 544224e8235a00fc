/** The command `init`: makes a repository for an SDK, from which both registries get it. */
import { copyFile, mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { generatePlanned } from "../generate.ts";
import { packageName } from "../guide/mod.ts";
import type { GenerateOptions } from "../options/mod.ts";
import { type Overlay, readOverlays } from "../overlay/overlay.ts";
import { repositoryFiles, SDK, type ShapeFile, type Tarballs } from "../init/repository.ts";
import { isSafePath } from "../names/file_names.ts";
import { isUrl } from "../read/pointers.ts";
import type { ReadFile } from "../read/read.ts";
import { flagOf, linesOf, STANDARD } from "../options/table.ts";
import { type HelpRow, helpRows, helpTable, type OwnArguments } from "./help.ts";
import { CONFIGURATION_ROWS, optionsOf, parseCommand, secondsOf } from "./arguments.ts";
import {
  moduleSpecifier,
  outputRows,
  repositoryOptions,
  requestedOutputs,
  shapeNameOf,
  UsageError,
  type Values,
} from "./outputs.ts";
import {
  type CommandIo,
  ignoredLines,
  leftOutLines,
  problemLine,
  shown,
  summaryLine,
} from "./terminal.ts";
import { FolderError } from "./folder.ts";
import { InputError, readerBeside, requiredText } from "./input.ts";
import { documentText, mockDocumentOf } from "./sdk_folder.ts";

/** The arguments that only this command has. */
const own: OwnArguments = {
  package: {
    argument: "NAME",
    help:
      "the name of the package on JSR and npm, with its scope; default: @example/ with the name " +
      "of the client, which you replace before you publish",
  },
  npm: { argument: "NAME", help: "the name of the package on npm, if it is another one" },
  toolkit: {
    argument: "FILE",
    help:
      "the toolkit as npm pack made it, which is copied into the repository; default: the release " +
      "in the registries",
  },
  generator: { argument: "FILE", help: "the generator in the same way; each needs the other" },
  strict: { help: "ends with 1 if the document has any problem" },
  quiet: { help: "prints errors only" },
};

/** Returns the options of the table and the outputs as rows of `--help`. */
function rowsOfOptions(): HelpRow[] {
  const lines = linesOf("init");
  const row = ([name, , { argument }]: (typeof lines)[number]) =>
    `--${flagOf(name)}${argument === undefined ? "" : ` ${argument}`}`;
  const files = lines.filter(([, , { file }]) => file !== undefined).map(row);
  const others = lines.filter(([, , { file }]) => file === undefined).map(row);
  const folders = outputRows().map(([option]) => option);
  return [
    [others.join(", "), "as for the generator; the repository keeps them for later runs"],
    [files.join(", "), "as for the generator; the file is copied"],
    [folders.join(", "), "as for the generator, in the repository; tests are always written"],
  ];
}

/** The text of `init --help`. */
export const INIT_HELP: string =
  `Makes a repository for an SDK: the SDK and its tests, the packages for JSR and npm, workflows that
test and publish them, and a README with the first call.

  npx @restwright/generate init DOCUMENT FOLDER [options]
  deno run -A jsr:@restwright/generate/cli init DOCUMENT FOLDER [options]

DOCUMENT is a file, or - for the standard input, as for the generator. It is copied into the
repository, with the files that it refers to. FOLDER must be empty, or not exist. A file that states
the call sites takes the place of names.json.

${helpTable([...rowsOfOptions(), ...helpRows(own)])}

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
  const { values, positionals } = parseCommand("init", args, own);
  if (values["help"] === true) {
    io.print(INIT_HELP);
    return 0;
  }
  const { sdk } = values;
  const [path, folder] = positionals.length === 1 && typeof sdk === "string"
    ? [mockDocumentOf(sdk), ...positionals]
    : positionals;
  if (positionals.length > 2 || !path || !folder) {
    throw new UsageError("there must be a document and a folder");
  }
  const jsr = values["package"] as string | undefined;
  const npm = (values["npm"] ?? jsr) as string | undefined;
  if (jsr !== undefined && !JSR_NAME.test(jsr)) {
    throw new UsageError(`--package must be a name with a scope such as @acme/pets, not ${jsr}`);
  }
  if (npm !== undefined && !NPM_NAME.test(npm)) {
    throw new UsageError(`--npm must be the name of a package, not ${npm}`);
  }
  await checkEmpty(folder);
  const packed = await packedFiles(values);
  const options = await optionsOf("init", values);
  const defaults: Values = {
    ...repositoryOptions(),
    ...npm === undefined ? {} : { "docs-npm": npm },
    ...jsr === undefined ? {} : { "docs-jsr": jsr },
  };
  const requested = requestedOutputs(values, SDK, defaults);

  const text = path === "-" ? await io.readInput() : await documentText(path);
  const documents = new Map([[nameOf(path, text), text]]);
  const elsewhere: string[] = [];
  const [document] = documents.keys();
  const scheme = await copiedScheme(options.webhooks);
  const { plan, files, outputs, names, report } = await generatePlanned(text, {
    ...{ ...options, outputs: requested.map(({ output }) => output) },
    webhooks: scheme === undefined ? options.webhooks : moduleSpecifier(scheme.path, SDK),
    ...{ file: path, read: copying(await readerBeside(path), { documents, elsewhere }) },
  });
  if (elsewhere.length > 0) {
    throw new InputError(
      `the document refers to ${elsewhere[0]}, which cannot be copied: put it below the document`,
    );
  }
  const jsrName = jsr ?? packageName(plan);
  const repository = repositoryFiles({
    ...{ plan, sdk: files, names, documents, document: document! },
    outputs: requested.map(({ kind, folder: place }) => ({
      ...{ name: kind.name, folder: place },
      files: outputs.get(kind.name)!,
    })),
    overrides: options.overrides,
    overlays: await copiedOverlays(options.overlays ?? [], {
      path,
      document: document!,
      documents,
    }),
    shapes: shapeFiles(options),
    scheme,
    options: {
      // The README has the names of the packages.
      ...{ docsReadme: defaults["docs-readme"], docsNpm: npm ?? jsrName },
      ...jsr === undefined && npm !== undefined ? {} : { docsJsr: jsrName },
      ...keptOptions(values),
      ...scheme === undefined ? {} : { webhooks: scheme.path },
    },
    ...{ jsrName, npmName: npm ?? jsrName },
    tarballs: packed?.tarballs,
  });
  for (const [name, content] of repository) {
    const target = join(folder, name);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, content);
  }
  for (const [name, source] of packed?.copies ?? []) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await copyFile(source, join(folder, name));
  }
  if (values["quiet"] !== true) {
    report.problems.forEach((problem) => io.printError(problemLine(problem)));
    const file = shapeNameOf(values);
    ignoredLines(file, report.ignored).forEach((line) => io.printError(line));
    leftOutLines(file, report).forEach((line) => io.printError(line));
    const counts = { written: repository.size, unchanged: 0, deleted: 0 };
    io.print(summaryLine({ ...report, files: repository.size }, counts, false));
    io.print(`next: cd ${shown(folder)} && git init -b main && npm install && npm test`);
  }
  return values["strict"] === true && report.problems.length > 0 ? 1 : 0;
}

/**
 * Returns the module with the scheme of webhooks, under its path in the repository; undefined if there is
 * none.
 */
async function copiedScheme(
  webhooks: string | undefined,
): Promise<{ readonly path: string; readonly text: string } | undefined> {
  if (webhooks === undefined || webhooks === STANDARD) return undefined;
  return { path: `src/webhook_scheme${extname(webhooks)}`, text: await requiredText(webhooks) };
}

/** Packages that are copied into the repository. */
interface PackedFiles {
  readonly tarballs: Tarballs;
  /** The files by their paths in the repository. */
  readonly copies: readonly (readonly [path: string, source: string])[];
}

/**
 * Finds the packed toolkit and generator.
 *
 * @throws {UsageError} If only one of them is named
 * @throws {InputError} If one is not a file that `npm pack` makes
 */
async function packedFiles(
  { toolkit, generator }: Values,
): Promise<PackedFiles | undefined> {
  if (toolkit === undefined && generator === undefined) return undefined;
  if (typeof toolkit !== "string" || typeof generator !== "string") {
    throw new UsageError("--toolkit and --generator need each other: the repository installs both");
  }
  for (const source of [toolkit, generator]) {
    const isFile = await stat(source).then((found) => found.isFile(), () => false);
    if (!isFile || extname(source) !== ".tgz" || !isSafePath(basename(source))) {
      throw new InputError(`${source} must be a file that npm pack has made, such as package.tgz`);
    }
  }
  if (basename(toolkit) === basename(generator)) {
    throw new UsageError("--toolkit and --generator name the same file");
  }
  const [first, second] = [toolkit, generator].map((source) => `vendor/${basename(source)}`);
  return {
    tarballs: { toolkit: first!, generator: second! },
    copies: [[first!, toolkit], [second!, generator]],
  };
}

/** Returns the options that `restwright.json` keeps, beside those that name files and folders. */
function keptOptions(values: Values): Record<string, unknown> {
  const kept = CONFIGURATION_ROWS.filter(({ flag, argument }) =>
    (values[flag] ?? false) !== false && argument !== "FILE" && argument !== "FOLDER" &&
    !Object.hasOwn(own, flag)
  );
  return Object.fromEntries(
    kept.map(({ key, flag, type }) => [
      key,
      type === "seconds" ? secondsOf(values[flag]) : values[flag],
    ]),
  );
}

/** Returns the files with the call sites, under the names that they have in the repository. */
function shapeFiles({ stainless, sdk, apiMd }: GenerateOptions): ShapeFile[] {
  const files = [["stainless.yml", stainless], ["sdk.json", sdk], ["api.md", apiMd]] as const;
  return files.flatMap(([name, text]) => text === undefined ? [] : [{ name, text }]);
}

/**
 * Returns the overlays under the names that they have beside the document in the repository.
 *
 * @throws {InputError} If a name is not safe, another file has it, or its `extends` would lead elsewhere
 */
async function copiedOverlays(
  overlays: readonly Overlay[],
  { path, document, documents }: {
    readonly path: string;
    readonly document: string;
    readonly documents: ReadonlyMap<string, string>;
  },
): Promise<{ readonly name: string; readonly text: string }[]> {
  const taken = new Set(documents.keys());
  const copies = overlays.map(({ text, file = "" }) => {
    const name = basename(file);
    if (!isSafePath(name) || taken.has(name)) {
      throw new InputError(`${file} cannot be copied to openapi/${name}: give it another name`);
    }
    taken.add(name);
    return { name, text };
  });
  const { changes: here } = await readOverlays(overlays, path);
  const beside = copies.map(({ name, text }) => ({ text, file: name }));
  const { changes: there } = await readOverlays(beside, document);
  const moved = here.findIndex(({ target }, index) => target !== there[index]!.target);
  if (moved !== -1) {
    throw new InputError(
      `${
        overlays[moved]!.file
      } cannot be copied beside the document, because its extends begins at ` +
        "another folder: put it beside the document",
    );
  }
  return copies;
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
  const name = path === "-" || !path.includes(".", path.lastIndexOf("/") + 1) ? "" : basename(path);
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
