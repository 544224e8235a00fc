/** Paths of pages, by which they link to each other. */

/** Returns the folder of a file. */
export function folderOf(path: string): string {
  return path.split("/").slice(0, -1).join("/");
}

/** Returns the path from a folder to a file or folder. Both begin at the same place. */
export function relativePath(folder: string, path: string): string {
  const from = partsOf(folder);
  const to = partsOf(path);
  const differs = from.findIndex((part, index) => part !== to[index]);
  const shared = differs === -1 ? from.length : differs;
  return [...from.slice(shared).map(() => ".."), ...to.slice(shared)].join("/");
}

function partsOf(path: string): string[] {
  return path.split("/").filter((part) => part !== "" && part !== ".");
}
