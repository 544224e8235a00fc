/** Chromium, as the system has it. */
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

const NAMES: readonly string[] = ["chromium", "chromium-browser", "google-chrome"];

/**
 * The path of Chromium's executable; undefined where there is none.
 *
 * @param path The folders of executables, as the variable PATH has them
 * @param exists Whether a file is there
 */
export function findChromium(
  path: string,
  exists: (file: string) => boolean = existsSync,
): string | undefined {
  const folders = path.split(delimiter).filter((folder) => folder !== "");
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(exists);
}
