/** The ways in which users' compilers read the package's declarations. */
import { toolPath } from "./tools.ts";

/** One compiler with one configuration. */
export interface TypeCheck {
  readonly name: string;
  /** The folder of the compiler's package, from the root. */
  readonly compiler: string;
  readonly config: {
    readonly compilerOptions: Readonly<Record<string, unknown>>;
    readonly files: readonly string[];
  };
}

const COMPILERS: Readonly<Record<string, string>> = {
  "5.9": toolPath("typescript-5.9"),
  "6": "node_modules/typescript",
};

/** What a strict user has. The declarations of all packages are checked too. */
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

/**
 * Every compiler with every resolution.
 *
 * @param modules The files to check
 * @param commonJs Those that are CommonJS, which `bundler` resolution does not know
 * @param nodeTypes The folder in which `@types/node` is
 */
export function typeChecks(
  modules: readonly string[],
  commonJs: readonly string[],
  nodeTypes: string,
): TypeCheck[] {
  return Object.entries(COMPILERS).flatMap(([version, compiler]) => {
    const check = (
      name: string,
      options: Readonly<Record<string, unknown>>,
      files: readonly string[],
    ): TypeCheck => ({
      name: `types by TypeScript ${version}, ${name}`,
      compiler,
      config: { compilerOptions: { ...STRICT, ...options }, files },
    });
    const nodenext = { module: "nodenext", moduleResolution: "nodenext" };
    const bundler = { module: "preserve", moduleResolution: "bundler" };
    // Without the DOM, fetch and its like are those of @types/node, which has not all of its names.
    const node = { lib: ["ES2023", "ESNext.Disposable"], types: ["node"], typeRoots: [nodeTypes] };
    return [
      check("nodenext", { ...nodenext, ...WEB }, [...modules, ...commonJs]),
      check("bundler", { ...bundler, ...WEB }, modules),
      check("Node's globals", { ...nodenext, ...node }, [...modules, ...commonJs]),
    ];
  });
}

/** The configuration that makes the JavaScript which all runtimes run. */
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
