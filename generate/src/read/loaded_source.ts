/** A document in memory, with all files that it refers to: finds children and targets of references. */
import { SEVERAL } from "./prepare.ts";
import type { Problem, ProblemKind } from "../base/problems.ts";
import { compare } from "./fields.ts";
import { MAX_PROBLEMS } from "./limits.ts";
import { childPointer, pointerKeys, resolvedPath, splitReference } from "./pointers.ts";
import type { Node, Source } from "./source.ts";
import type { SourceFile } from "./source_files.ts";
import type { Origins } from "./swagger.ts";

/** A problem whose place in the text is not known yet. */
interface NotedProblem {
  readonly kind: ProblemKind;
  readonly file: number;
  readonly pointer: string;
  readonly message: string;
  readonly action: string;
}

/** The parts of a source. */
export interface SourceParts {
  readonly version: string;
  /** The first one is the document. */
  readonly files: readonly SourceFile[];
  /** The reasons why other files could not be read, by their path. */
  readonly missing: ReadonlyMap<string, string>;
  /** The places of converted values in a document of Swagger 2.0. */
  readonly origins?: Origins | undefined;
  /** The source before the conversion, with the problems that were noted till then. */
  readonly earlier?: LoadedSource | undefined;
}

/** The source of a document that was read completely. */
export class LoadedSource implements Source {
  readonly root: Node;
  readonly values: readonly unknown[];
  readonly version: string;
  readonly #files: readonly SourceFile[];
  readonly #indexes: ReadonlyMap<string, number>;
  readonly #ids: ReadonlyMap<string, Node>;
  readonly #missing: ReadonlyMap<string, string>;
  readonly #origins: Origins | undefined;
  readonly #earlier: LoadedSource | undefined;
  /** By their places and messages, because a reference may be followed more than once. */
  readonly #problems = new Map<string, NotedProblem>();
  #visited: Node;
  #unlisted = 0;

  constructor({ version, files, missing, origins, earlier }: SourceParts) {
    this.version = version;
    this.#files = files;
    this.#missing = missing;
    this.#origins = origins;
    this.#earlier = earlier;
    this.root = { value: files[0]!.value, file: 0, pointer: "#" };
    this.values = files.map(({ value }) => value);
    this.#visited = this.root;
    this.#indexes = new Map(files.map(({ path }, index) => [path, index]));
    this.#ids = new Map(
      files.flatMap(({ ids }, file) =>
        [...ids].flatMap(([id, pointer]) => {
          const node = this.#at({ value: files[file]!.value, file, pointer: "#" }, pointer);
          return node === undefined ? [] : [[id, node] as const];
        })
      ),
    );
    if (earlier !== undefined) return;
    files.forEach(({ problems, excesses }, file) => {
      for (const { pointer, message, action } of problems) {
        this.#note({ kind: "syntax", file, pointer, message, action });
      }
      for (const { pointer, message } of excesses) {
        this.#note({ kind: "limit", file, pointer, message, action: "taken as unknown" });
      }
    });
  }

  child({ value, file, pointer }: Node, key: string | number): Node | undefined {
    if (typeof value !== "object" || value === null) return undefined;
    // Lists have keys such as `length`, which do not name items.
    if (Array.isArray(value) && !/^(?:0|[1-9]\d*)$/.test(String(key))) return undefined;
    const child = (value as Readonly<Record<string | number, unknown>>)[key];
    if (child === undefined) return undefined;
    return this.#visited = { value: child, file, pointer: childPointer(pointer, key) };
  }

  *children({ value, file, pointer }: Node): Generator<readonly [key: string, child: Node]> {
    if (typeof value !== "object" || value === null) return;
    for (const [key, child] of Object.entries(value)) {
      yield [key, this.#visited = { value: child, file, pointer: childPointer(pointer, key) }];
    }
  }

  /** The pointer of the node that was read last, in the document as it was given. */
  get visited(): string {
    return this.#original(this.#visited).pointer;
  }

  resolve(node: Node, action: string = "taken as unknown"): Node | undefined {
    let at = node;
    const seen = new Map<string, Node>();
    for (;;) {
      const reference = referenceIn(at.value);
      if (reference === undefined) return at;
      const place = `${at.file}${at.pointer}`;
      if (seen.has(place)) {
        this.#reportCircle([...seen.values()], at, action);
        return undefined;
      }
      seen.set(place, at);
      const target = this.target(at, reference);
      if (target === undefined) {
        this.problem(at, "reference", this.#reason(at, reference), action);
        return undefined;
      }
      at = target;
    }
  }

  /** Reports references that lead back to themselves, at the same place whatever led to them. */
  #reportCircle(seen: readonly Node[], start: Node, action: string): void {
    const circle = seen.slice(seen.findIndex(({ value }) => value === start.value));
    const [first] = circle.toSorted((a, b) => a.file - b.file || compare(a.pointer, b.pointer));
    const message = `${quoted(referenceIn(first!.value)!)} leads back to itself`;
    this.problem(first!, "reference", message, action);
  }

  target(node: Node, reference: string): Node | undefined {
    const { file, fragment } = splitReference(reference);
    const start = this.#fileNode(node, file);
    if (start === undefined) return undefined;
    if (fragment === "") return start;
    if (fragment.startsWith("/")) return this.#at(start, this.#converted(start, `#${fragment}`));
    const anchor = this.#files[start.file]!.anchors.get(fragment);
    return anchor === undefined || anchor === SEVERAL
      ? undefined
      : this.#at(this.#rootOf(start.file), anchor);
  }

  problem({ file, pointer }: Node, kind: ProblemKind, message: string, action: string): void {
    this.#note({ kind, file, pointer, message, action });
  }

  /** Returns all problems that were noted, sorted by their places. */
  problems(): Problem[] {
    const sources: readonly LoadedSource[] = this.#earlier === undefined
      ? [this]
      : [this.#earlier, this];
    const located = sources.flatMap((source) => source.#located());
    const unique = new Map(
      located.map((each) => [JSON.stringify([each.file, each.pointer, each.message]), each]),
    );
    const problems: Problem[] = [...unique.values()].sort((left, right) =>
      left.index - right.index || compare(left.file, right.file) || left.line - right.line ||
      left.column - right.column
    ).map(({ index: _index, ...problem }) => problem);
    const unlisted = sources.reduce((sum, source) => sum + source.#unlisted, 0);
    if (unlisted > 0) {
      const message = `there are ${unlisted} more problems than the ${MAX_PROBLEMS} here`;
      const file = this.#files[0]!.name;
      problems.push({
        ...{ kind: "limit", file, line: 1, column: 1, pointer: "#", message },
        action: "not listed",
      });
    }
    return problems;
  }

  /** Returns the problems of this source with their places, and the indexes of their files. */
  #located(): (Problem & { readonly index: number })[] {
    const noted = [...this.#problems.values()]
      .map((problem) => ({ ...problem, ...this.#original(problem) }));
    const places = this.#files.map(({ places }, file) =>
      places(noted.filter((each) => each.file === file).map(({ pointer }) => pointer))
    );
    return noted.map(({ kind, file: index, pointer, message, action }) => {
      const { name } = this.#files[index]!;
      const { file = name, line, column } = places[index]!.get(pointer) ?? { line: 1, column: 1 };
      return {
        kind,
        file,
        line,
        column,
        pointer,
        message,
        action,
        index,
      };
    });
  }

  #note(problem: NotedProblem): void {
    const { kind, file, pointer, message } = problem;
    const key = `${file} ${pointer} ${kind} ${message}`;
    if (this.#problems.has(key)) return;
    if (this.#problems.size < MAX_PROBLEMS) this.#problems.set(key, problem);
    else this.#unlisted++;
  }

  #rootOf(file: number): Node {
    return { value: this.#files[file]!.value, file, pointer: "#" };
  }

  /** Returns the whole file that a reference names, or the schema with that `$id`. */
  #fileNode(node: Node, file: string): Node | undefined {
    if (file === "") return this.#rootOf(node.file);
    const schema = this.#ids.get(file);
    if (schema !== undefined) return schema;
    const index = this.#indexes.get(resolvedPath(this.#files[node.file]!.path, file));
    return index === undefined ? undefined : this.#rootOf(index);
  }

  /** Follows a pointer from a node. */
  #at(start: Node, pointer: string): Node | undefined {
    let node: Node | undefined = start;
    for (const key of pointerKeys(pointer)) {
      node = this.child(node, key);
      if (node === undefined) return undefined;
    }
    return node;
  }

  #converted(start: Node, pointer: string): string {
    const isDocument = start.file === 0 && start.pointer === "#";
    return isDocument && this.#origins !== undefined ? this.#origins.converted(pointer) : pointer;
  }

  #original(
    { file, pointer }: Pick<Node, "file" | "pointer">,
  ): { readonly file: number; readonly pointer: string } {
    if (file !== 0 || this.#origins === undefined) return { file, pointer };
    return this.#origins.original(this.root.value, pointer);
  }

  /** Says why a reference leads nowhere. */
  #reason(node: Node, reference: string): string {
    const { file } = splitReference(reference);
    const name = quoted(reference);
    const { fragment } = splitReference(reference);
    if (file === "" && this.#files[node.file]!.anchors.get(fragment) === SEVERAL) {
      return `${name} means another schema for each use, because several have this $dynamicAnchor`;
    }
    if (file === "" || this.#fileNode(node, file) !== undefined) return `${name} does not exist`;
    const path = resolvedPath(this.#files[node.file]!.path, file);
    return `${name} cannot be read: ${this.#missing.get(path) ?? "the file does not exist"}`;
  }
}

function referenceIn(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { $ref, $dynamicRef } = value as Readonly<Record<string, unknown>>;
  return typeof $ref === "string"
    ? $ref
    : typeof $dynamicRef === "string"
    ? $dynamicRef
    : undefined;
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
}
