/** Reads and writes the toolkit's version in the texts of deno.json and src/base/version.ts. */

/** The pattern of a version: major.minor.patch, and a suffix if it is a preview. */
const VERSION = /^\d+\.\d+\.\d+(?:-[\w.]+)?$/;

/** Checks that a text is a valid version. */
export function isVersion(text: string): boolean {
  return VERSION.test(text);
}

/** Reports if a version is a preview, such as 1.0.0-beta.1. */
export function isPreview(version: string): boolean {
  return version.includes("-");
}

/** Returns the git tag of a version. */
export function tagOf(version: string): string {
  return `v${version}`;
}

/** Returns the version in the text of src/base/version.ts; undefined if it has none. */
export function versionInModule(source: string): string | undefined {
  return /TOOLKIT_VERSION = "([^"]*)"/.exec(source)?.[1];
}

/** Replaces the version in the text of src/base/version.ts. */
export function moduleWithVersion(source: string, version: string): string {
  return replaced(source, /(?<=TOOLKIT_VERSION = ")[^"]*/, version, "src/base/version.ts");
}

/** Replaces the version in the text of deno.json, and keeps the formatting. */
export function manifestWithVersion(json: string, version: string): string {
  return replaced(json, /(?<=^ {2}"version": ")[^"]*/m, version, "deno.json");
}

function replaced(text: string, place: RegExp, version: string, file: string): string {
  if (!isVersion(version)) throw new Error(`${version} is not a version such as 1.2.3`);
  if (!place.test(text)) throw new Error(`${file} has no version to replace`);
  return text.replace(place, version);
}
