/**
 * Overlays by the OpenAPI Overlay Specification 1.0 and 1.1: lists of actions that change a document
 * before the generator reads it. Both versions have the rules of 1.1, which only allows more.
 */
import { OptionError, OverlayError } from "../base/errors.ts";
import type { Problem } from "../base/problems.ts";
import { EditingLimit } from "../read/editing.ts";
import { isUrl } from "../read/pointers.ts";
import type { DocumentOverlay } from "../read/read.ts";
import { Configuration, type Setting } from "../read/settings.ts";
import { readAction } from "./actions.ts";
import { type JsonPath, loadJsonPaths } from "./json_path.ts";

/** An overlay: the text of a document of the OpenAPI Overlay Specification, 1.0 or 1.1. */
export interface Overlay {
  /** The text: JSON or YAML. */
  readonly text: string;
  /**
   * The name of the file in problems, such as `specs/fixes.overlay.yaml`. A relative `extends` begins at
   * its folder. `overlay` by default, in the folder of the document.
   */
  readonly file?: string | undefined;
}

/** The overlays of a run. */
export interface Overlays {
  readonly changes: readonly DocumentOverlay[];
  /** Returns the problems of all overlays. Those of their actions come after the document was read. */
  problems(): Problem[];
}

/**
 * Reads overlays.
 *
 * @param overlays The overlays, in their order
 * @param document The name of the document, to which a relative `extends` is compared
 * @throws {OptionError} If the list has anything else
 * @throws {OverlayError} If one is broken
 */
export async function readOverlays(
  overlays: readonly Overlay[] = [],
  document: string | undefined,
): Promise<Overlays> {
  if (overlays.length === 0) return { changes: [], problems: () => [] };
  const readPath = await loadJsonPaths();
  const read = overlays.map((overlay) => {
    if (
      typeof overlay?.text !== "string" || !["string", "undefined"].includes(typeof overlay.file)
    ) {
      throw new OptionError(
        'overlays must be a list of objects such as { text, file: "fixes.yaml" }',
      );
    }
    return readOverlay(overlay, document, readPath);
  });
  return {
    changes: read,
    problems: () => read.flatMap(({ configuration }) => configuration.problems()),
  };
}

interface ReadOverlay extends DocumentOverlay {
  readonly configuration: Configuration;
}

function readOverlay(
  { text, file }: Overlay,
  document: string | undefined,
  readPath: (text: string) => JsonPath,
): ReadOverlay {
  const name = file ?? "overlay";
  const configuration = new Configuration(name, text, OverlayError);
  const { root } = configuration;
  root.checkKeys(["overlay", "info", "extends", "actions"]);
  const version = root.required("overlay").matching(
    /^1\.[01]\.\d+$/,
    "a version such as 1.0.0 or 1.1.0",
  );
  checkInfo(root.required("info"));
  const stated = root.child("extends");
  const list = root.required("actions");
  const items = list.items();
  if (items.length === 0) list.fail("a list with at least one action");
  const actions = items.map((item) =>
    readAction(item, { allowsCopy: !version.startsWith("1.0."), readPath })
  );
  return {
    configuration,
    target: stated && targetOf(stated.text("the path or URL of the document"), file, document),
    apply(editing) {
      withinLimits(list, () => editing.adopt(configuration.file));
      for (const { setting, apply } of actions) withinLimits(setting, () => apply(editing));
    },
    failWithoutTarget(): never {
      return stated!.failWith(
        `must be the document or a file that it refers to, not ${JSON.stringify(stated!.value)}. ` +
          "Without it, the overlay changes the document",
      );
    },
  };
}

function checkInfo(info: Setting): void {
  info.checkKeys(["title", "version", "description"]);
  info.required("title").text();
  // YAML reads an unquoted 1.0 as a number.
  const version = info.required("version");
  if (typeof version.value !== "number") version.text();
  info.child("description")?.text();
}

/** @throws {OverlayError} If changes exceed a limit */
function withinLimits(setting: Setting, change: () => void): void {
  try {
    change();
  } catch (error) {
    if (!(error instanceof EditingLimit)) throw error;
    setting.failWith(`would ${error.message}`);
  }
}

/**
 * Returns the path of the file that an overlay changes, relative to the folder of the document;
 * undefined for the document. A URL cannot be compared: the document is a copy of it.
 */
function targetOf(
  stated: string,
  overlay: string | undefined,
  document: string | undefined,
): string | undefined {
  if (isUrl(stated) || document === undefined || document === "-") return undefined;
  const [path] = stated.split("#") as [string];
  const own = partsOf(document);
  const folder = partsOf(overlay ?? document).slice(0, -1);
  const target = isAbsolute(path) ? partsOf(path) : normalized([...folder, ...partsOf(path)]);
  if (target.join("/") === own.join("/")) return undefined;
  // One of both is absolute, and the folder of the program is unknown here.
  const differs = isAbsolute(overlay ?? document) !== isAbsolute(document);
  if (differs && target.at(-1) === own.at(-1)) return undefined;
  const start = own.slice(0, -1);
  let common = 0;
  while (common < start.length && start[common] === target[common]) common++;
  return [...start.slice(common).map(() => ".."), ...target.slice(common)].join("/");
}

function isAbsolute(path: string): boolean {
  return /^(?:[\\/]|[A-Za-z]:)/.test(path);
}

/** Returns the parts of a path, without `.` and, as far as possible, `..`. */
function partsOf(path: string): string[] {
  return normalized(path.split(/[\\/]/));
}

function normalized(parts: readonly string[]): string[] {
  const result: string[] = [];
  for (const part of parts) {
    if (part === "" || part === ".") continue;
    if (part === ".." && result.length > 0 && result.at(-1) !== "..") result.pop();
    else result.push(part);
  }
  return result;
}
