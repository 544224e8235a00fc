/** The compilers and configurations with which users read the package's declarations. */
import { TYPESCRIPT_7 } from "../shared/package/compile.ts";
import { toolPath } from "./tools.ts";

/** A compiler and a configuration for it. */
export interface TypeCheck {
  readonly name: string;
  /** The folder of the compiler's package, relative to the root. */
  readonly compiler: string;
  /** True if a check of each commit finds most of its faults. */
  readonly isForRelease: boolean;
  readonly config: {
    readonly compilerOptions: Readonly<Record<string, unknown>>;
    readonly files: readonly string[];
  };
}

const COMPILERS: Readonly<Record<string, string>> = {
  "5.9": toolPath("typescript-5.9"),
  "6": "node_modules/typescript",
  "7": TYPESCRIPT_7,
};

/**
 * The compiler whose checks all run on each commit: most users have it, and it is several times as fast
 * as the older ones. What only these refuse is seen with their first configuration.
 */
const NEWEST = "7";

/**
 * Platforms that declare fetch and related types without the DOM library, each without some of the
 * DOM's names. `folder` contains their types.
 */
const PLATFORMS: readonly Readonly<Record<"name" | "folder" | "types", string>>[] = [
  { name: "Node 22's globals", folder: toolPath("@node-22"), types: "node" },
  { name: "Node 26's globals", folder: "node_modules/@types", types: "node" },
  { name: "workers' globals", folder: toolPath("@cloudflare"), types: "workers-types" },
];

/** The options of a strict user. The declarations of all packages are checked too. */
const STRICT: Readonly<Record<string, unknown>> = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  verbatimModuleSyntax: false,
  skipLibCheck: false,
  target: "ES2022",
  noEmit: true,
};

const WEB: Readonly<Record<string, unknown>> = {
  lib: ["ES2022", "ESNext.Disposable", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
  types: [],
};

/** The oldest library with which the declarations are checked. */
const OLD_WEB: Readonly<Record<string, unknown>> = {
  target: "ES2020",
  lib: ["ES2020", "ESNext.Disposable", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
  types: [],
};

/** The options of many projects: no `await using`, and packages' declarations are not checked. */
const PLAIN_WEB: Readonly<Record<string, unknown>> = {
  lib: ["ES2022", "DOM"],
  types: [],
  skipLibCheck: true,
};

/** The files that users compile. */
export interface UserPrograms {
  /** ES modules. */
  readonly modules: readonly string[];
  /** CommonJS modules, which `bundler` resolution does not support. */
  readonly commonJs: readonly string[];
  /** ES modules with `await using`, which needs the library `ESNext.Disposable`. */
  readonly disposing: readonly string[];
  /** ES modules with exports without types. The compiler must be able to write their declarations. */
  readonly inferred: readonly string[];
}

/**
 * Returns checks with every compiler, for each module resolution and for the globals of each
 * platform.
 *
 * @param programs The files to check
 * @param root The root of the repository
 */
export function typeChecks(programs: UserPrograms, root: string): TypeCheck[] {
  const { modules, commonJs, disposing, inferred } = programs;
  const bundled = [...modules, ...disposing];
  const all = [...bundled, ...commonJs];
  return Object.entries(COMPILERS).flatMap(([version, compiler]) => {
    const check = (
      name: string,
      options: Readonly<Record<string, unknown>>,
      files: readonly string[],
    ): TypeCheck => ({
      name: `TypeScript ${version}, ${name}`,
      compiler,
      isForRelease: version !== NEWEST && name !== "nodenext",
      config: { compilerOptions: { ...STRICT, ...options }, files },
    });
    const nodenext = { module: "nodenext", moduleResolution: "nodenext" };
    const bundler = { module: "preserve", moduleResolution: "bundler" };
    return [
      check("nodenext", { ...nodenext, ...WEB }, all),
      check("bundler", { ...bundler, ...WEB }, bundled),
      check("declarations", { ...nodenext, ...WEB, declaration: true }, inferred),
      check("ES2020", { ...nodenext, ...OLD_WEB }, all),
      check("the plain DOM", { ...nodenext, ...PLAIN_WEB }, [...modules, ...commonJs]),
      ...PLATFORMS.map(({ name, folder, types }) => {
        const platform = { lib: ["ES2023", "ESNext.Disposable"], types: [types] };
        return check(name, { ...nodenext, ...platform, typeRoots: [`${root}/${folder}`] }, all);
      }),
    ];
  });
}

/**
 * Returns a check of the documents' code for every compiler, with the globals of the web and Node.
 *
 * @param files The files to check
 * @param root The root of the repository
 */
export function documentChecks(files: readonly string[], root: string): TypeCheck[] {
  const compilerOptions = {
    ...STRICT,
    ...WEB,
    module: "nodenext",
    moduleResolution: "nodenext",
    types: ["node"],
    typeRoots: [`${root}/node_modules/@types`],
    noPropertyAccessFromIndexSignature: false, // a matter of style, which few projects turn on
    allowImportingTsExtensions: true, // the page on the generator says that its output needs it
    skipLibCheck: true, // the other checks read the declarations
  };
  return Object.entries(COMPILERS).map(([version, compiler]) => ({
    name: `TypeScript ${version}, the documents`,
    compiler,
    isForRelease: version !== NEWEST,
    config: { compilerOptions, files },
  }));
}

/**
 * Returns a check of programs with OpenTelemetry for every compiler, with the globals of Node, which
 * the declarations of its packages need.
 *
 * @param files The files to check
 * @param root The root of the repository
 */
export function telemetryChecks(files: readonly string[], root: string): TypeCheck[] {
  const compilerOptions = {
    ...STRICT,
    ...WEB,
    module: "nodenext",
    moduleResolution: "nodenext",
    types: ["node"],
    typeRoots: [`${root}/node_modules/@types`],
    noPropertyAccessFromIndexSignature: false,
  };
  return Object.entries(COMPILERS).map(([version, compiler]) => ({
    name: `TypeScript ${version}, telemetry`,
    compiler,
    isForRelease: version !== NEWEST,
    config: { compilerOptions, files },
  }));
}

/** Returns the configuration that checks files, and all declarations, with the oldest library. */
export function oldestConfig(files: readonly string[]): TypeCheck["config"] {
  const nodenext = { module: "nodenext", moduleResolution: "nodenext" };
  return { compilerOptions: { ...STRICT, ...nodenext, ...OLD_WEB }, files };
}

/** Returns the configuration that compiles files to JavaScript for all runtimes. */
export function emitConfig(files: readonly string[], outDir: string): TypeCheck["config"] {
  return {
    compilerOptions: {
      module: "nodenext",
      moduleResolution: "nodenext",
      target: "ES2022",
      noCheck: true,
      rewriteRelativeImportExtensions: true,
      rootDir: ".",
      types: [],
      outDir,
    },
    files,
  };
}
