/** Writes the list of the npm package's dependencies, a software bill of materials. */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { BUILD_FOLDER } from "../build_folder.ts";
import { runChild, succeeded } from "../child.ts";

/** The file in the npm package. */
export const SBOM_FILE = "sbom.cdx.json";

/** The parts of a package-lock.json that are read here. */
interface Lock {
  readonly packages: Readonly<
    Record<string, { readonly dependencies?: Readonly<Record<string, string>> }>
  >;
}

/** The parts of a CycloneDX document that are changed here. */
interface Sbom {
  readonly serialNumber?: string;
  readonly metadata: { readonly timestamp?: string };
}

/**
 * Returns the CycloneDX document of the packages that are always installed, with the versions of
 * package-lock.json, with which the tests run. Two documents of one commit are equal: they have
 * neither the random serial number nor the time, both of which are optional (CycloneDX 1.5).
 *
 * @param root The root of the repository
 * @param description The package.json of the npm package
 * @throws {Error} If npm fails
 */
export async function sbomOf(
  root: string,
  description: {
    readonly name: string;
    readonly version: string;
    readonly dependencies: Readonly<Record<string, string>>;
  },
): Promise<string> {
  const { name, version, dependencies } = description;
  const lock = JSON.parse(await readFile(`${root}/package-lock.json`, "utf8")) as Lock;
  // `npm sbom --omit=dev` leaves out a dependency that a development dependency needs, too.
  const needed = new Set(Object.keys(dependencies));
  for (const each of needed) {
    const { dependencies: own = {} } = lock.packages[`node_modules/${each}`] ?? {};
    Object.keys(own).forEach((dependency) => needed.add(dependency));
  }
  const installed = [...needed].map((each) => `node_modules/${each}`).sort()
    .map((path) => [path, withoutDev(lock.packages[path])] as const);
  const project = { name, version, dependencies };
  const packages = { "": project, ...Object.fromEntries(installed) };
  // npm takes the name of the package from the folder.
  const folder = `${root}/${BUILD_FOLDER}/sbom/${name}`;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(`${folder}/package.json`, JSON.stringify(project));
  await writeFile(
    `${folder}/package-lock.json`,
    JSON.stringify({ name, version, lockfileVersion: 3, requires: true, packages }),
  );
  const args = ["sbom", "--sbom-format=cyclonedx", "--sbom-type=library", "--package-lock-only"];
  const npm = await runChild("npm", args, { cwd: folder });
  if (!succeeded(npm)) throw new Error(`npm sbom failed\n${npm.output}`);
  const { serialNumber: _, metadata: { timestamp: __, ...metadata }, ...others } = JSON.parse(
    npm.stdout,
  ) as Sbom;
  return `${JSON.stringify({ ...others, metadata }, null, 2)}\n`;
}

/** Returns the entry of a package without the fields that make it optional. */
function withoutDev(entry: object | undefined): object {
  return Object.fromEntries(
    Object.entries(entry ?? {}).filter(([key]) => !["dev", "peer", "devOptional"].includes(key)),
  );
}
