/** Finds the Chromium that is installed on the system. */
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

const NAMES: readonly string[] = ["chromium", "chromium-browser", "google-chrome"];

/**
 * Returns the path of Chromium's executable; undefined if there is none.
 *
 * @param path The folders to search, in the format of the PATH variable
 * @param exists Reports if a file exists
 */
export function findChromium(
  path: string,
  exists: (file: string) => boolean = existsSync,
): string | undefined {
  const folders = path.split(delimiter).filter((folder) => folder !== "");
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(exists);
}
