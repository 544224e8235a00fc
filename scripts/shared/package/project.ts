/** Creates a project outside of the repository, so that it finds only files that users have too. */
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname } from "node:path";
import { runChild, succeeded } from "../child.ts";

/** A project in which the package is installed. */
export interface Project {
  /** The absolute path of the project. */
  readonly folder: string;
  /** Writes a file into the project. */
  write(path: string, text: string): Promise<void>;
  /** Deletes the project. */
  remove(): Promise<void>;
}

/**
 * Creates a project as a new user would: `npm install <tarball>` in an empty folder.
 *
 * @param tarballs The paths of the packed packages
 * @throws {Error} If npm fails
 */
export async function projectWith(...tarballs: readonly string[]): Promise<Project> {
  // On some systems, the temporary folder is a symlink. Modules see its real path.
  const folder = await realpath(await mkdtemp(`${tmpdir()}/restwright_`));
  const project: Project = {
    folder,
    write: async (path, text) => {
      await mkdir(dirname(`${folder}/${path}`), { recursive: true });
      await writeFile(`${folder}/${path}`, text);
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
  await project.write("package.json", JSON.stringify({ private: true, type: "module" }));
  const args = ["install", "--no-audit", "--no-fund", "--prefer-offline", ...tarballs];
  const npm = await runChild("npm", args, { cwd: folder });
  if (succeeded(npm)) return project;
  await project.remove();
  throw new Error(`npm install ${npm.trouble ?? `exited with ${npm.code}`}\n${npm.output}`);
}
