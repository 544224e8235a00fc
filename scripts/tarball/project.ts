/** An empty project outside of the repository, so that nothing is found which a user lacks. */
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname } from "node:path";
import { runChild, succeeded } from "../child.ts";

/** A project in which the package is installed. */
export interface Project {
  /** Its folder. */
  readonly folder: string;
  /** Puts a file into it. */
  write(path: string, text: string): Promise<void>;
  /** Removes it. */
  remove(): Promise<void>;
}

/**
 * Makes a project as a new user would: `npm install <tarball>` in an empty folder.
 *
 * @param tarball The packed package
 * @throws {Error} Where npm fails
 */
export async function projectWith(tarball: string): Promise<Project> {
  // Some systems' folder for temporary files is a link, which would differ from what modules see.
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
  const args = ["install", "--no-audit", "--no-fund", "--prefer-offline", tarball];
  const npm = await runChild("npm", args, { cwd: folder });
  if (succeeded(npm)) return project;
  await project.remove();
  throw new Error(`npm install ${npm.trouble ?? `exited with ${npm.code}`}\n${npm.output}`);
}
