/**
 * Binds the `$dynamicRef`s of JSON Schema 2020-12 (section 8.2.3.2): a schema that binds the anchors of
 * a template, such as a page of pets that refers to a page of anything, gets a copy of the template in
 * which its own schemas have taken their places. Nothing after it knows of templates.
 */
import { MAX_BOUND, MAX_DEPTH } from "./limits.ts";
import { childPointer, isUrl, resolvedPath, splitReference } from "./pointers.ts";
import { type Node, placeOf, type Source } from "./source.ts";
import type { SourceFile } from "./source_files.ts";

type Values = Record<string, unknown>;

/** The schemas that stand for the names of anchors. The outermost schema that binds a name decides. */
type Scope = ReadonlyMap<string, Node>;

/** The parts of a schema that decide if it has to be copied for a scope. */
interface Summary {
  /** The names of the `$dynamicRef`s in it. */
  readonly dynamic: ReadonlySet<string>;
  readonly binds: Scope;
  /** The targets of the references in it. */
  readonly targets: readonly Node[];
  /** Those of its own reference and of its `allOf`: it is one object with them. */
  readonly bases: readonly Node[];
  /** How many objects and lists it has, and how many levels of them. */
  readonly size: number;
  readonly depth: number;
}

/** Binds the `$dynamicRef`s in files, if several schemas have the same `$dynamicAnchor`. */
export function bindDynamicReferences(files: readonly SourceFile[], source: Source): void {
  const names = files.flatMap(({ dynamicAnchors }) => dynamicAnchors);
  if (new Set(names).size === names.length) return;
  new Binding(files, source).bindAll();
}

class Binding {
  readonly #files: readonly SourceFile[];
  readonly #source: Source;
  readonly #summaries = new Map<string, Summary>();
  /** The objects that change, with their new members. Copies are made of what was written. */
  readonly #changes = new Map<Values, Values>();
  /** The references to copies, by what was copied for which scope. */
  readonly #copies = new Map<string, string>();
  /** The names of all `$dynamicRef`s that a place reaches. */
  readonly #reached = new Map<string, ReadonlySet<string>>();
  readonly #seen = new Set<object>();
  #copied = 0;
  #isLimitReported = false;

  constructor(files: readonly SourceFile[], source: Source) {
    this.#files = files;
    this.#source = source;
  }

  bindAll(): void {
    this.#files.forEach(({ value }, file) => this.#visit({ value, file, pointer: "#" }, new Map()));
    for (const [object, bound] of this.#changes) {
      for (const key of Object.keys(object)) delete object[key];
      Object.assign(object, bound);
    }
  }

  /** Finds the objects that change in a value, and in all that is in it. */
  #visit(node: Node, around: Scope): void {
    const { value } = node;
    if (typeof value !== "object" || value === null || this.#seen.has(value)) return;
    this.#seen.add(value);
    if (Array.isArray(value)) {
      for (const [, child] of this.#source.children(node)) this.#visit(child, around);
      return;
    }
    const scope = inside(around, node);
    const bound = this.#bound(node, { ...value }, scope, node);
    if (bound !== undefined) this.#changes.set(value as Values, bound);
    for (const [, child] of this.#source.children(node)) this.#visit(child, scope);
  }

  /**
   * Returns an object without its `$dynamicRef`, and without its reference to a template. Returns undefined
   * if it has neither.
   *
   * @param node The object as it was written
   * @param object The members that it is to have
   * @param scope The bindings at its place
   * @param at The place of the result
   */
  #bound(node: Node, object: Values, scope: Scope, at: Node): Values | undefined {
    const { $ref, $dynamicRef } = node.value as Values;
    if (typeof $ref === "string") {
      const target = this.#source.target(node, $ref);
      const needed = target && this.#neededBy(target, scope, at);
      if (needed === undefined || needed.size === 0) return undefined;
      const { $ref: _, ...others } = object;
      const isAlone = Object.keys(others).every((key) => annotations.has(key));
      if (isAlone) {
        const copy = this.#copyOf(target!, needed, at, node);
        return copy && plain({ ...copy, ...others });
      }
      const { allOf } = others;
      const parts = Array.isArray(allOf) ? allOf : [];
      const place = childPointer(childPointer(at.pointer, "allOf"), parts.length);
      const copy = this.#copyOf(target!, needed, { ...at, pointer: place }, node);
      return copy && plain({ ...others, allOf: [...parts, copy] });
    }
    const name = typeof $dynamicRef === "string" ? anchorOf($dynamicRef) : undefined;
    const binding = name === undefined ? undefined : scope.get(name);
    if (binding === undefined) return undefined;
    const { $dynamicRef: _, ...others } = object;
    return plain({ ...this.#argument(binding, at), ...others });
  }

  /** Returns the bindings that a schema at a place, or one that it refers to, does not have itself. */
  #neededBy(target: Node, scope: Scope, at: Node): Scope {
    const needed = new Map<string, Node>();
    if (scope.size === 0) return needed;
    for (const name of this.#reachedBy(target)) {
      const binding = scope.get(name);
      if (binding === undefined) continue;
      const isBase = isBaseOf(binding, at);
      if (this.#differs(target, name, { binding, isBase })) needed.set(name, binding);
    }
    return needed;
  }

  /** Returns the names of the `$dynamicRef`s in a schema, and in all that it refers to. */
  #reachedBy(target: Node): ReadonlySet<string> {
    const known = this.#reached.get(placeOf(target));
    if (known !== undefined) return known;
    const names = new Set<string>();
    const seen = new Set<string>();
    const waiting = [target];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const place = placeOf(next);
      if (seen.has(place)) continue;
      seen.add(place);
      const { dynamic, targets } = this.#summaryOf(next);
      for (const name of dynamic) names.add(name);
      for (const each of targets) waiting.push(each);
    }
    this.#reached.set(placeOf(target), names);
    return names;
  }

  #differs(
    target: Node,
    name: string,
    { binding, isBase }: { readonly binding: Node; readonly isBase: boolean },
  ): boolean {
    const seen = new Set<string>();
    const waiting = [{ node: target, isBase }];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const place = placeOf(next.node);
      if (seen.has(place)) continue;
      seen.add(place);
      const { dynamic, binds, targets, bases } = this.#summaryOf(next.node);
      const own = binds.get(name);
      if (dynamic.has(name) && (own === undefined || placeOf(own) !== placeOf(binding))) {
        return true;
      }
      if (next.isBase) { for (const node of bases) waiting.push({ node, isBase: true }); }
      // A schema that only binds the name has a meaning of its own.
      if (own !== undefined && !dynamic.has(name)) continue;
      for (const node of targets) waiting.push({ node, isBase: false });
    }
    return false;
  }

  #summaryOf(node: Node): Summary {
    const known = this.#summaries.get(placeOf(node));
    if (known !== undefined) return known;
    const dynamic = new Set<string>();
    const targets: Node[] = [];
    const bases: Node[] = [];
    const seen = new Set<unknown>();
    const height = levelsOf(node.pointer);
    let depth = 0;
    const waiting = [node];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { value } = next;
      if (typeof value !== "object" || value === null || seen.has(value)) continue;
      seen.add(value);
      depth = Math.max(depth, levelsOf(next.pointer) - height);
      const { $ref, $dynamicRef } = value as Values;
      const name = typeof $dynamicRef === "string" ? anchorOf($dynamicRef) : undefined;
      if (name !== undefined) dynamic.add(name);
      const target = typeof $ref === "string" ? this.#source.target(next, $ref) : undefined;
      if (target !== undefined) {
        targets.push(target);
        if (isPartOf(node.pointer, next.pointer)) bases.push(target);
      }
      for (const [key, child] of this.#source.children(next)) {
        if (key !== "$defs") waiting.push(child);
      }
    }
    const size = seen.size;
    const summary: Summary = { dynamic, binds: bindingsOf(node), targets, bases, size, depth };
    this.#summaries.set(placeOf(node), summary);
    return summary;
  }

  /**
   * Returns a copy of a schema for a scope, or a reference to the copy that was made before. Returns
   * undefined if the copy would exceed a limit.
   *
   * @param target The schema
   * @param scope The bindings that it needs
   * @param at The place of the copy
   * @param reference The reference to the schema
   */
  #copyOf(target: Node, scope: Scope, at: Node, reference: Node): Values | undefined {
    const bindings = Array.from(scope, ([name, node]) => `${name}=${placeOf(node)}`).toSorted();
    const key = [at.file, placeOf(target), ...bindings].join(" ");
    const known = this.#copies.get(key);
    if (known !== undefined) return plain({ $ref: known });
    const { size, depth } = this.#summaryOf(target);
    const isTooDeep = levelsOf(at.pointer) + depth > MAX_DEPTH;
    if (isTooDeep || this.#copied + size > MAX_BOUND) {
      if (!this.#isLimitReported) this.#reportLimit(reference, isTooDeep);
      return undefined;
    }
    this.#copied += size;
    this.#copies.set(key, at.pointer.replaceAll("%", "%25"));
    const copy = this.#copy(target, scope, at);
    return isObject(copy) ? copy : plain({ allOf: [copy] });
  }

  #copy(node: Node, scope: Scope, at: Node): unknown {
    const { value, file } = node;
    if (typeof value !== "object" || value === null) return value;
    const inner = inside(scope, node);
    const copyChild = ([key, child]: readonly [string, Node]) =>
      this.#copy(child, inner, { ...at, pointer: childPointer(at.pointer, key) });
    if (Array.isArray(value)) return Array.from(this.#source.children(node), copyChild);
    const object = plain({});
    for (const entry of this.#source.children(node)) {
      // The copy binds nothing, and nothing refers to it by a name.
      if (!/^\$(?:anchor|defs|dynamicAnchor|id)$/.test(entry[0])) {
        object[entry[0]] = copyChild(entry);
      }
    }
    const bound = this.#bound(node, object, inner, at);
    if (bound !== undefined) return bound;
    if (typeof object["$ref"] === "string") object["$ref"] = this.#moved(object["$ref"], file, at);
    return object;
  }

  #reportLimit(reference: Node, isTooDeep: boolean): void {
    this.#isLimitReported = true;
    const limit = isTooDeep ? `${MAX_DEPTH} levels` : `${MAX_BOUND} values`;
    const message = `the schemas that bind a $dynamicRef would have copies of more than ${limit}`;
    this.#source.problem(
      reference,
      "limit",
      message,
      "this and others taken as if they bound nothing",
    );
  }

  /** Returns the schema that takes the place of a `$dynamicRef`. */
  #argument(binding: Node, at: Node): Values {
    const { $dynamicAnchor: _, ...others } = binding.value as Values;
    const [key, second] = Object.keys(others);
    if (key === "$ref" && second === undefined && typeof others[key] === "string") {
      return plain({ $ref: this.#moved(others[key], binding.file, at) });
    }
    const isShort = Object.values(others).every((each) =>
      typeof each !== "object" || each === null || Object.keys(each).length === 0
    );
    return isShort
      ? plain(structuredClone(others))
      : plain({ $ref: this.#referenceTo(binding, at) });
  }

  #referenceTo({ file, pointer }: Node, at: Node): string {
    return this.#moved(pointer.replaceAll("%", "%25"), file, at);
  }

  /** Returns a reference of one file as another file has to write it. */
  #moved(reference: string, from: number, { file: to }: Node): string {
    if (from === to) return reference;
    const { file } = splitReference(reference);
    const { path } = this.#files[from]!;
    const target = file === "" ? path : resolvedPath(path, file);
    const up = isUrl(target) ? "" : "../".repeat(this.#files[to]!.path.split("/").length - 1);
    const hash = reference.indexOf("#");
    return `${up}${target}${hash < 0 ? "" : reference.slice(hash)}`;
  }
}

/** Reports if what is at a place is one object with the schema that has a binding. */
function isBaseOf(binding: Node, at: Node): boolean {
  return binding.file === at.file &&
    isPartOf(binding.pointer.replace(/\/\$defs\/[^/]*$/, ""), at.pointer);
}

/** Reports if a pointer is that of a schema, or of a part of it by `allOf`. */
function isPartOf(schema: string, pointer: string): boolean {
  return pointer.startsWith(schema) && /^(?:\/allOf\/\d+)*$/.test(pointer.slice(schema.length));
}

/** Returns the anchors that a schema binds: its own, and those of its `$defs`. */
function bindingsOf(node: Node): Map<string, Node> {
  const { value, file, pointer } = node;
  const found = new Map<string, Node>();
  if (!isObject(value)) return found;
  const { $dynamicAnchor, $defs } = value;
  if (typeof $dynamicAnchor === "string") found.set($dynamicAnchor, node);
  if (!isObject($defs)) return found;
  for (const [key, each] of Object.entries($defs)) {
    if (!isObject(each) || typeof each["$dynamicAnchor"] !== "string") continue;
    const place = childPointer(childPointer(pointer, "$defs"), key);
    found.set(each["$dynamicAnchor"], { value: each, file, pointer: place });
  }
  return found;
}

/** Returns the bindings inside of a schema: those around it, and its own. */
function inside(around: Scope, node: Node): Scope {
  const own = bindingsOf(node);
  return own.size === 0 ? around : new Map([...own, ...around]);
}

/** Returns the number of levels around the value of a pointer. */
function levelsOf(pointer: string): number {
  return pointer.split("/").length - 1;
}

/** Returns the name of the anchor in a reference within a file; undefined for any other reference. */
function anchorOf(reference: string): string | undefined {
  const { file, fragment } = splitReference(reference);
  return file === "" && fragment !== "" && !fragment.startsWith("/") ? fragment : undefined;
}

/** Keywords that say nothing about the values that a schema allows. */
const annotations: ReadonlySet<string> = new Set(
  ("$defs $dynamicAnchor $anchor $id $comment title description deprecated default example examples " +
    "readOnly writeOnly externalDocs").split(" "),
);

function isObject(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function plain(values: Values): Values {
  return Object.assign(Object.create(null), values);
}
