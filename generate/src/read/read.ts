/** Reads a document: parses it, finds its version, and loads the files that it refers to. */
import { DocumentError, OverlayError } from "../base/errors.ts";
import { bindDynamicReferences } from "./dynamic_references.ts";
import { Editing, EditingLimit } from "./editing.ts";
import { MAX_FILES } from "./limits.ts";
import { LoadedSource } from "./loaded_source.ts";
import { isUrl, resolvedPath, splitReference } from "./pointers.ts";
import { type Budget, prepare } from "./prepare.ts";
import { type ParsedFile, parseFile, type SourceFile } from "./source_files.ts";
import { convertSwagger } from "./swagger.ts";

/**
 * Returns the text of another file; undefined if there is none.
 *
 * `path` is relative to the folder of the document, with `/` between its parts, or a URL. The document
 * chooses it: it can begin with `../`. Read only files that may become part of the output.
 */
export type ReadFile = (path: string) => Promise<string | undefined> | string | undefined;

/** Options of `readSource`. */
export interface ReadOptions {
  /** The document's name in messages. References to its last part are to the document. */
  readonly file?: string | undefined;
  readonly read?: ReadFile | undefined;
  /** If true, `read` is asked for `http:` and `https:` URLs, too. */
  readonly allowNet?: boolean | undefined;
  /** The overlays, in their order. */
  readonly overlays?: readonly DocumentOverlay[] | undefined;
  /** Changes of the document, which come after those of overlays. */
  readonly changes?: DocumentChanges | undefined;
}

/** An overlay: changes of one file, as it was written, before anything else reads it. */
export interface DocumentOverlay {
  /** The path of the file, relative to the folder of the document; undefined for the document. */
  readonly target: string | undefined;
  /** Changes the file. */
  apply(file: Editing): void;
  /** Throws an error, because the document refers to no file with the path of `target`. */
  failWithoutTarget(): never;
}

/** Changes of a document before it is planned. */
export interface DocumentChanges {
  /** Changes the document as it was written. */
  readonly transform?: ((document: Editing) => void) | undefined;
  /** Changes the document in the form of OpenAPI 3. */
  complete(document: unknown): void;
  /** Throws an error, because the changes exceed a limit. */
  fail(message: string): never;
}

/**
 * Reads a document and all files that it refers to.
 *
 * @throws {DocumentError} If the document is neither JSON nor YAML, or not OpenAPI
 */
export async function readSource(text: string, options: ReadOptions = {}): Promise<LoadedSource> {
  const { file: name = "document", changes } = options;
  const path = name.split(/[\\/]/).at(-1)!;
  const overlays = options.overlays?.filter(({ target }) => target === undefined) ?? [];
  const document = changed(parseFile(name, path, text), overlays, changes);
  const version = versionOf(document);
  const isSwagger = version.startsWith("2.");
  const budget: Budget = { isSwagger, references: 0, repeated: 0 };
  const loading = new Loading(budget, options);
  loading.add(document);
  await loading.loadAll();
  const { files, missing } = loading;
  if (!isSwagger) {
    const unbound = new LoadedSource({ version, files, missing });
    bindDynamicReferences(files, unbound);
    changes?.complete(document.value);
    return new LoadedSource({ version, files, missing, earlier: unbound });
  }

  const [first, ...others] = files as [SourceFile, ...SourceFile[]];
  const original = new LoadedSource({ version, files, missing });
  const { value, origins } = convertSwagger({
    root: original.root,
    resolve: (node) => original.resolve(node, "left out"),
    child: (node, key) => original.child(node, key),
    pathOf: (index) => files[index]!.path,
    problem: (node, message, action) => original.problem(node, "unsupported", message, action),
  });
  changes?.complete(value);
  const converted = [{ ...first, value }, ...others];
  return new LoadedSource({ version, files: converted, missing, origins, earlier: original });
}

/** Returns a file with the changes of its text. */
function changed(
  file: ParsedFile,
  overlays: readonly DocumentOverlay[],
  changes?: DocumentChanges,
): ParsedFile {
  // To note the places of all values takes half as long as to parse them.
  if (overlays.length === 0 && changes?.transform === undefined) return file;
  const editing = editingOf(file);
  for (const overlay of overlays) overlay.apply(editing);
  try {
    changes?.transform?.(editing);
  } catch (error) {
    if (!(error instanceof EditingLimit)) throw error;
    changes?.fail(`the transforms ${error.message}`);
  }
  return editing.result();
}

/** @throws {DocumentError} If aliases of YAML repeat too many values for changes */
function editingOf(file: ParsedFile): Editing {
  try {
    return new Editing(file);
  } catch (error) {
    if (!(error instanceof EditingLimit)) throw error;
    throw new DocumentError(file.name, `cannot be changed: its aliases ${error.message}`);
  }
}

/** Returns the version of a document, and throws if it is not one of OpenAPI. */
function versionOf({ name, value }: ParsedFile): string {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  const { openapi, swagger } = (isObject ? value : {}) as Readonly<Record<string, unknown>>;
  const stated = openapi ?? swagger;
  if (stated === undefined) {
    throw new DocumentError(
      name,
      "is not an OpenAPI document: `openapi` or `swagger` must state its version",
    );
  }
  // YAML reads an unquoted 3.1 as a number.
  const version = typeof stated === "number" ? stated.toFixed(1) : stated;
  const known = openapi !== undefined ? /^3\.[0-2](?:\.|$)/ : /^2\.0(?:\.|$)/;
  if (typeof version === "string" && known.test(version)) return version;
  const shown = JSON.stringify(stated)?.slice(0, 40);
  throw new DocumentError(
    name,
    `has the version ${shown}; OpenAPI 3.0, 3.1 and 3.2 and Swagger 2.0 are supported`,
  );
}

/** Loads files until no reference names another one. */
class Loading {
  readonly files: SourceFile[] = [];
  readonly missing: Map<string, string> = new Map();
  readonly #known = new Set<string>();
  readonly #waiting: string[] = [];
  readonly #budget: Budget;
  readonly #options: ReadOptions;

  constructor(budget: Budget, options: ReadOptions) {
    this.#budget = budget;
    this.#options = options;
  }

  add(file: ParsedFile): void {
    this.#known.add(file.path);
    const findings = prepare(file.value, file.isShared, this.#budget);
    this.files.push({
      ...file,
      references: findings.references,
      anchors: findings.anchors,
      dynamicAnchors: findings.dynamicAnchors,
      ids: findings.ids,
      excesses: findings.excesses,
    });
    for (const reference of findings.references) {
      const { file: named } = splitReference(reference);
      const path = resolvedPath(file.path, named);
      if (this.#known.has(path)) continue;
      this.#known.add(path);
      this.#waiting.push(path);
    }
  }

  async loadAll(): Promise<void> {
    for (let path = this.#waiting.shift(); path !== undefined; path = this.#waiting.shift()) {
      const reason = this.files.length > MAX_FILES
        ? `there are more than ${MAX_FILES} files`
        : await this.#load(path);
      if (reason !== undefined) this.missing.set(path, reason);
    }
    const paths = new Set(this.files.map(({ path }) => path));
    for (const overlay of this.#options.overlays ?? []) {
      if (overlay.target !== undefined && !paths.has(overlay.target)) overlay.failWithoutTarget();
    }
  }

  /** Loads a file, or returns the reason why that is not possible. */
  async #load(path: string): Promise<string | undefined> {
    const { read, allowNet = false, overlays = [] } = this.#options;
    if (isUrl(path)) {
      if (!/^https?:/i.test(path)) return "only http: and https: URLs can be read";
      if (!allowNet) return "it is a URL; --allow-net allows the generator to fetch it";
    } else if (path.startsWith("/")) return "the path must be relative to the document";
    try {
      const text = await read?.(path);
      if (text === undefined) return "the file does not exist";
      const own = overlays.filter(({ target }) => target === path);
      this.add(changed(parseFile(path, path, text), own));
      return undefined;
    } catch (error) {
      if (error instanceof OverlayError) throw error;
      return error instanceof Error ? error.message : String(error);
    }
  }
}
