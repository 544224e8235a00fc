/** The folder of a trial: the generated client, the programs of the README, and the settings of the tools. */
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Program, Project, Tools } from "./project.ts";
import { TrialError } from "./trial_error.ts";

/** The name of the folder in the repository of the SDK. */
export const TRIAL_FOLDER = ".try-sdk";

/** The client that is tried: the SDK's own, or the generated one. */
export type Side = "original" | "generated";

/** Both clients, in the order of the columns. */
export const SIDES: readonly Side[] = ["original", "generated"];

/** The folder of a trial, with the files that the tools read. */
export interface Workspace {
  readonly folder: string;
  readonly tsconfig: (side: Side) => string;
  readonly jestConfig: (side: Side) => string;
  readonly jestResult: (side: Side) => string;
  /** The document for the mock server. */
  readonly document: string;
}

/**
 * Writes the folder. Nothing else in the repository changes.
 *
 * @param files The files of the generated client
 */
export async function writeWorkspace(
  project: Project,
  { files, document, tools }: {
    readonly files: ReadonlyMap<string, string>;
    readonly document: string;
    readonly tools: Tools;
  },
): Promise<Workspace> {
  const folder = join(project.folder, TRIAL_FOLDER);
  await rm(folder, { recursive: true, force: true });
  const write = async (path: string, text: string): Promise<void> => {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, text);
  };
  await write(".gitignore", "*\n");
  for (const [path, text] of files) await write(join("generated", path), text);
  for (const program of project.programs) {
    await write(programFile(program), programText(project, program));
  }
  await write("openapi.json", document);
  await write("loopback.cjs", LOOPBACK);
  await write("globals.d.ts", GLOBALS);
  await linkToolkit(project.folder, folder);
  for (const side of SIDES) {
    await write(`tsconfig.${side}.json`, json(tsconfigOf(project, side)));
    await write(`jest.${side}.json`, json(jestConfigOf(project, tools, side)));
  }
  return {
    folder,
    tsconfig: (side) => join(folder, `tsconfig.${side}.json`),
    jestConfig: (side) => join(folder, `jest.${side}.json`),
    jestResult: (side) => join(folder, `results.${side}.json`),
    document: join(folder, "openapi.json"),
  };
}

/** Returns the file of a program of the README, relative to the folder. */
export function programFile({ line }: Program): string {
  return `readme/line_${line}.ts`;
}

/** Returns a program with the client that it takes for granted. */
function programText({ packageName }: Project, { text }: Program): string {
  const isComplete = /\b(?:const|let|var) client\b/.test(text) || !/\bclient\b/.test(text);
  const before = isComplete
    ? ""
    : `import TriedClient from ${
      JSON.stringify(packageName)
    };\ndeclare const client: TriedClient;\n`;
  return `${before}${text}\nexport {};\n`;
}

/** Makes the toolkit visible for the generated client, if the packages of the SDK do not have it. */
async function linkToolkit(sdk: string, folder: string): Promise<void> {
  for (const from of [pathToFileURL(join(sdk, "package.json")).href, import.meta.url]) {
    let found: string;
    try {
      found = createRequire(from).resolve("@restwright/restwright/package.json");
    } catch {
      continue;
    }
    const target = join(folder, "node_modules/@restwright/restwright");
    await mkdir(dirname(target), { recursive: true });
    await symlink(dirname(found), target, "junction");
    return;
  }
  throw new TrialError(
    "the generated client needs the toolkit: npm install --no-save @restwright/restwright",
  );
}

/**
 * A connection to another host than loopback fails, whatever the client is set to: by fetch, node:http or
 * node:https, which all connect in this way.
 */
const LOOPBACK = `const { Socket } = require("node:net");
const { connect } = Socket.prototype;
Socket.prototype.connect = function (...args) {
  const first = Array.isArray(args[0]) ? args[0][0] : args[0];
  const host = Object(first) === first ? first.host : typeof args[1] === "string" ? args[1] : undefined;
  if (host === undefined || host === null || /^(?:127\\.\\d+\\.\\d+\\.\\d+|localhost|::1)$/.test(host)) {
    return connect.apply(this, args);
  }
  process.nextTick(() => this.destroy(new Error("try-sdk: the test sends a request to " + host)));
  return this;
};
`;

/** Modules that programs of a README import, and that an SDK need not have installed. */
const GLOBALS = `declare module "next/*";\n`;

/** Returns the module of a specifier of the SDK, as both tools map it. */
function placeOf(side: Side): { readonly main: string; readonly inner: string } {
  return side === "original"
    ? { main: "../src/index.ts", inner: "../src/" }
    : { main: "./generated/mod.ts", inner: "./generated/" };
}

function tsconfigOf({ packageName, sources }: Project, side: Side): object {
  const { main, inner } = placeOf(side);
  return {
    extends: "../tsconfig.json",
    compilerOptions: {
      ...{ noEmit: true, skipLibCheck: true, allowImportingTsExtensions: true },
      ...{ target: "es2022", lib: ["esnext", "dom", "dom.iterable", "dom.asynciterable"] },
      ...{ module: "esnext", moduleResolution: "bundler" },
      paths: { [packageName]: [main], [`${packageName}/*`]: [`${inner}*`] },
    },
    include: [
      "readme/*.ts",
      "globals.d.ts",
      ...sources.map((path) => `../${path.replaceAll("\\", "/")}`),
    ],
    exclude: [],
  };
}

function jestConfigOf({ folder, packageName }: Project, tools: Tools, side: Side): object {
  const { main, inner } = placeOf(side);
  const name = packageName.replace(/[.*+?^$()|[\]{}\\]/g, "\\$&");
  const rootDir = folder;
  const place = (path: string) => `<rootDir>/${TRIAL_FOLDER}/${path}`;
  return {
    rootDir,
    testEnvironment: "node",
    setupFiles: [place("loopback.cjs")],
    testMatch: ["<rootDir>/tests/**/*.test.ts"],
    transform: { "^.+\\.[cm]?[jt]sx?$": tools.transform },
    // The toolkit and its packages have ES modules only, which this runner does not load.
    transformIgnorePatterns: [],
    moduleNameMapper: {
      [`^${name}$`]: place(main),
      [`^${name}/_shims/auto/(.*)$`]: `<rootDir>/src/_shims/auto/$1-node`,
      [`^${name}/(.*)$`]: place(`${inner}$1`),
    },
    modulePathIgnorePatterns: [
      "<rootDir>/dist/",
      "<rootDir>/packages/",
      "<rootDir>/ecosystem-tests/",
    ],
  };
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
