/** Builds the npm package of the generator, by the same tools as that of the toolkit. */
import { copyFile, mkdir, rm, writeFile } from "node:fs/promises";
import { BUILD_FOLDER } from "../build_folder.ts";
import { type Builder, compileByDnt, describeBuild, type EntryPoint, orFail } from "./build_npm.ts";
import { BUNDLED_FOLDER, bundleName, bundlePackage } from "./bundle.ts";
import { compile } from "./compile.ts";
import {
  compiledPath,
  type DenoManifest,
  type NpmManifest,
  readDenoManifest,
  readNpmManifest,
} from "../manifest.ts";
import { entryFiles, MODULES_FOLDER } from "./package_description.ts";
import { SBOM_FILE } from "./sbom.ts";
import { GENERATOR, ROOT } from "../source_files.ts";

/** The folder that the package is built into, relative to the root. */
export const GENERATOR_OUT = `${BUILD_FOLDER}/generator`;

/** The packed package, which is judged and published, relative to the root. */
export const GENERATOR_TARBALL = ".build/restwright-generate.tgz";

/** The program's name on npm. `npx @restwright/generate` runs it, because there is no other. */
export const PROGRAM = "restwright-generate";

/** The documents in the package. */
export const GENERATOR_DOCUMENTS: readonly string[] = [
  "README.md",
  "LICENSE",
  "restwright.schema.json",
  SBOM_FILE,
];

/** The content of the package.json that is published on npm. */
export interface GeneratorDescription {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly keywords: readonly string[];
  readonly license: string;
  readonly type: "module";
  readonly sideEffects: false;
  readonly repository?: { readonly type: string; readonly url: string; readonly directory: string };
  readonly engines: Readonly<Record<string, string>>;
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly dependencies: Readonly<Record<string, string>>;
}

/**
 * Builds the published package.json.
 *
 * @param deno The generator's deno.json
 * @param npm The package.json of the repository
 */
export function describeGenerator(
  { name, version, exports, imports }: DenoManifest,
  npm: Pick<NpmManifest, "engines" | "repository">,
): GeneratorDescription {
  const module = compiledModule(exports["."]!);
  return {
    name,
    version,
    description: "Writes an SDK on Restwright from an OpenAPI document",
    keywords: ["api", "client", "codegen", "fetch", "generator", "openapi", "sdk", "swagger"],
    license: "MIT",
    type: "module",
    sideEffects: false,
    ...(npm.repository === undefined
      ? {}
      : { repository: { ...npm.repository, directory: GENERATOR } }),
    engines: { ...npm.engines },
    // npm writes it without the leading `./`.
    bin: { [PROGRAM]: `${BUNDLED_FOLDER}/${bundleName("./cli")}.js` },
    exports: {
      ".": entryFiles(".", module),
      "./package.json": "./package.json",
    },
    dependencies: Object.fromEntries(
      Object.entries(imports).map(([dependency, specifier]) => {
        const range = /^npm:.+@(.+)$/.exec(specifier)?.[1];
        if (range === undefined) {
          throw new Error(`${specifier} must be a package of npm with a range`);
        }
        return [dependency, range];
      }),
    ),
  };
}

/**
 * Deletes a folder, and builds the package into it.
 *
 * @param builder The tool that compiles the modules
 * @param out The folder, relative to the root
 */
export async function buildGenerator(builder: Builder, out: string = GENERATOR_OUT): Promise<void> {
  const deno = await readDenoManifest(`${ROOT}/${GENERATOR}`);
  const description = describeGenerator(deno, await readNpmManifest(ROOT));
  const folder = `${ROOT}/${out}`;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const entries = Object.entries(deno.exports).map(([name, path]) => {
    return { name, path: `./${GENERATOR}/${path.replace(/^\.\//, "")}` };
  });
  await (builder === "dnt" ? byDnt(entries, deno, description, out) : byCompiler(entries, out));
  const modules = Object.entries(deno.exports).map(([entry, path]) =>
    [bundleName(entry), compiledModule(path)] as const
  );
  await bundlePackage(folder, { entries: Object.fromEntries(modules) });
  await describeBuild(description, out);
  for (const document of GENERATOR_DOCUMENTS) {
    if (document === SBOM_FILE) continue;
    await copyFile(`${ROOT}/${GENERATOR}/${document}`, `${folder}/${document}`);
  }
}

/** Returns the compiled module of an entry point, relative to the package. */
function compiledModule(path: string): string {
  return `./${MODULES_FOLDER}/${compiledPath(path.replace(/^\.\//, ""))}`;
}

async function byDnt(
  entryPoints: readonly EntryPoint[],
  { imports }: DenoManifest,
  description: GeneratorDescription,
  out: string,
): Promise<void> {
  const importMap = `${ROOT}/${BUILD_FOLDER}/generator_import_map.json`;
  await mkdir(`${ROOT}/${BUILD_FOLDER}`, { recursive: true });
  await writeFile(importMap, JSON.stringify({ imports }));
  await compileByDnt({ entryPoints, importMap, description, out });
}

async function byCompiler(entries: readonly EntryPoint[], out: string): Promise<void> {
  const { compilerOptions } = await readDenoManifest(ROOT);
  const job = {
    name: GENERATOR,
    files: entries.map(({ path }) => path.replace(/^\.\//, "")),
    types: ["node"],
    rootDir: GENERATOR,
    outDir: `${out}/${MODULES_FOLDER}`,
    declaration: true,
  };
  orFail("the TypeScript compiler", await compile(ROOT, job, compilerOptions));
}
