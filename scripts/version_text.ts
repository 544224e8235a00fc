/** The toolkit's version, as it stands in deno.json and in src/version.ts. */

/** What a version looks like: major.minor.patch, and what makes it a preview. */
const VERSION = /^\d+\.\d+\.\d+(?:-[\w.]+)?$/;

/** Whether it is a version that can be released. */
export function isVersion(text: string): boolean {
  return VERSION.test(text);
}

/** Whether it is a preview, as 1.0.0-beta.1 is. */
export function isPreview(version: string): boolean {
  return version.includes("-");
}

/** The tag of a version. */
export function tagOf(version: string): string {
  return `v${version}`;
}

/** The version in the text of src/version.ts; undefined where there is none. */
export function versionInModule(source: string): string | undefined {
  return /TOOLKIT_VERSION = "([^"]*)"/.exec(source)?.[1];
}

/** src/version.ts with another version. */
export function moduleWithVersion(source: string, version: string): string {
  return replaced(source, /(?<=TOOLKIT_VERSION = ")[^"]*/, version, "src/version.ts");
}

/** deno.json with another version; the rest of it stays as it is written. */
export function manifestWithVersion(json: string, version: string): string {
  return replaced(json, /(?<=^ {2}"version": ")[^"]*/m, version, "deno.json");
}

function replaced(text: string, place: RegExp, version: string, file: string): string {
  if (!isVersion(version)) throw new Error(`${version} is no version such as 1.2.3`);
  if (!place.test(text)) throw new Error(`${file} has no version to replace`);
  return text.replace(place, version);
}
