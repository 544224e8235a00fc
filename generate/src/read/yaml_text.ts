/**
 * Parses YAML into plain values, with merge keys and aliases. A value that an alias repeats is the
 * same object, so that a few lines of aliases cannot fill the memory.
 */
import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type YAMLMap,
} from "yaml";
import { pointerKeys, pointerOf } from "./pointers.ts";

/** A place in a text. Both numbers begin at 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** A mistake in a YAML text that can be read nevertheless. */
export interface YamlProblem {
  readonly pointer: string;
  readonly message: string;
  readonly action: string;
}

/** A YAML text that was parsed. */
export interface YamlText {
  /** The value. Its objects have no prototype. */
  readonly value: unknown;
  /** True if a value occurs more than once, by an alias. */
  readonly isShared: boolean;
  readonly problems: readonly YamlProblem[];
  /** Returns the place of the key or item that a pointer names, or of its nearest ancestor. */
  place(pointer: string): Place;
}

/** A YAML text that cannot be parsed. */
export class YamlFault extends Error {
  readonly place: Place | undefined;

  constructor(message: string, place: Place | undefined) {
    super(message);
    this.place = place;
  }
}

/**
 * Parses a text of YAML 1.2. Merge keys (`<<`) are read, too.
 *
 * @throws {YamlFault} If it is not YAML
 */
export function parseYaml(text: string): YamlText {
  const { document, lines, repaired } = parseRepaired(text);
  const place = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const [fault] = document.errors;
  if (fault !== undefined) throw new YamlFault(fault.message, place(fault.pos[0]));
  const reading = new Reading(({ range }) => {
    if (repaired.length === 0 || !range) return false;
    const [first, last] = [place(range[0]).line, place(range[1]).line];
    return repaired.some((line) => line >= first && line <= last);
  });
  const value = reading.read(document.contents);
  return {
    value,
    isShared: reading.targets.size > 0,
    problems: reading.problems,
    place: (pointer) => place(offsetOf(document.contents, pointerKeys(pointer), reading.targets)),
  };
}

/** A text that was parsed by the library. */
interface ParsedText {
  readonly document: Document.Parsed;
  readonly lines: LineCounter;
  /** The numbers of the lines that were indented. The first line is 1. */
  readonly repaired: readonly number[];
}

/** The most lines that are indented, because the text is parsed again after each. */
const MAX_REPAIRS = 20;

/**
 * Parses a text. Other parsers read quoted strings that go on in a line with the indentation of their key,
 * which YAML 1.2 forbids: such lines are indented, if the text can then be parsed.
 */
function parseRepaired(text: string): ParsedText {
  const first = parseText(text);
  let [found, current] = [first, text];
  const repaired: number[] = [];
  while (repaired.length <= MAX_REPAIRS) {
    const [fault] = found.document.errors;
    if (fault === undefined) return { ...found, repaired };
    if (!fault.message.startsWith("Missing closing")) break;
    const { line } = found.lines.linePos(fault.pos[0]);
    const rows = current.split("\n");
    const next = rows.findIndex((row, index) => index >= line && row.trim() !== "");
    const last = rows.slice(0, line).findLast((row) => row.trim() !== "") ?? "";
    const [indentation] = /^ */.exec(last)!;
    // A line that looks like the next key or item shows that the quote was forgotten.
    if (next < 0 || /^ *(?:[-?] |["']?[\w$./{}-]+["']?:(?:\s|$))/.test(rows[next]!)) break;
    if (/^ */.exec(rows[next]!)![0].length > indentation.length) break;
    rows[next] = `${indentation}  ${rows[next]!.trimStart()}`;
    repaired.push(next + 1);
    current = rows.join("\n");
    found = parseText(current);
  }
  return { ...first, repaired: [] };
}

function parseText(text: string): Omit<ParsedText, "repaired"> {
  const lines = new LineCounter();
  try {
    const document = parseDocument(text, {
      lineCounter: lines,
      logLevel: "silent",
      prettyErrors: false,
      // Also for a text that begins with `%YAML 1.1`, in which `no` and dates are not strings.
      schema: "core",
      // Their search takes quadratic time, and duplicate keys are found below.
      uniqueKeys: false,
    });
    return { document, lines };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new YamlFault("is nested too deeply", undefined);
  }
}

/** Makes values of nodes, in the order of the text, because an alias names the last anchor before it. */
class Reading {
  readonly problems: YamlProblem[] = [];
  /** The node that each alias repeats. */
  readonly targets: Map<Alias, Node> = new Map();
  readonly #anchors = new Map<string, Node>();
  readonly #values = new Map<Node, unknown>();
  /** The nodes that are being read, which an alias inside of them must not repeat. */
  readonly #open = new Set<Node>();
  readonly #path: string[] = [];
  readonly #isRepaired: (node: Node) => boolean;

  /** @param isRepaired Reports if a string could only be read because a line of it was indented */
  constructor(isRepaired: (node: Node) => boolean) {
    this.#isRepaired = isRepaired;
  }

  read(node: Node | null): unknown {
    if (node === null) return null;
    if (isAlias(node)) return this.#readAlias(node);
    const { anchor } = node as { anchor?: string };
    if (anchor !== undefined) this.#anchors.set(anchor, node);
    this.#open.add(node);
    const value = isMap(node)
      ? this.#readMap(node)
      : isSeq(node)
      ? node.items.map((item, index) => this.#readAt(String(index), item as Node | null))
      : isScalar(node)
      ? plainScalar(node.value)
      : null;
    if (isScalar(node) && this.#isRepaired(node)) {
      const message = "a quoted string goes on in a line that is not indented more than its key";
      this.#note(message, "read nevertheless");
    }
    this.#open.delete(node);
    if (anchor !== undefined) this.#values.set(node, value);
    return value;
  }

  #readAt(key: string, node: Node | null): unknown {
    this.#path.push(key);
    const value = this.read(node);
    this.#path.pop();
    return value;
  }

  #readAlias(alias: Alias): unknown {
    const target = this.#anchors.get(alias.source);
    if (target === undefined || this.#open.has(target)) {
      const fault = target === undefined ? "has no anchor" : "repeats a value inside of itself";
      this.#note(`the alias ${JSON.stringify(alias.source)} ${fault}`, "taken as null");
      return null;
    }
    this.targets.set(alias, target);
    return this.#values.get(target);
  }

  #readMap(map: YAMLMap): Record<string, unknown> {
    const object: Record<string, unknown> = Object.create(null);
    const merged: unknown[] = [];
    for (const { key, value } of map.items) {
      if (isMergeKey(key)) {
        const source = this.#readAt("<<", value as Node | null);
        merged.push(...(Array.isArray(source) ? source : [source]));
        continue;
      }
      const name = keyText(key);
      if (name === undefined) {
        this.#note("a key is a list or an object", "left out");
        continue;
      }
      if (name in object) {
        this.#note(`the key ${JSON.stringify(name)} occurs twice`, "the last one is used", name);
      }
      object[name] = this.#readAt(name, value as Node | null);
    }
    for (const source of merged) {
      if (source === null || typeof source !== "object" || Array.isArray(source)) {
        this.#note("a merge key `<<` has no object", "left out");
        continue;
      }
      for (const [name, value] of Object.entries(source)) {
        if (!(name in object)) object[name] = value;
      }
    }
    return object;
  }

  #note(message: string, action: string, ...key: string[]): void {
    this.problems.push({ pointer: pointerOf([...this.#path, ...key]), message, action });
  }
}

/** Returns the value of a scalar as JSON has it. */
function plainScalar(value: unknown): unknown {
  return typeof value === "bigint" ? Number(value) : value;
}

function isMergeKey(key: unknown): boolean {
  return isScalar(key) && key.source === "<<" && key.type === "PLAIN";
}

/** Returns a key as it is written: `1.10` and `on` are not a number and a boolean. */
function keyText(key: unknown): string | undefined {
  if (key === null) return "";
  if (!isScalar(key)) return undefined;
  return key.source ?? String(key.value ?? "");
}

/** Returns the offset of the last node on the way to a pointer that exists. */
function offsetOf(
  root: Node | null,
  keys: readonly string[],
  targets: ReadonlyMap<Alias, Node>,
): number {
  const real = (node: unknown): unknown => isAlias(node) ? targets.get(node) : node;
  let offset = root?.range?.[0] ?? 0;
  let node: unknown = real(root);
  for (const key of keys) {
    if (isMap(node)) {
      const pair = findPair(node, key, real);
      if (pair === undefined) break;
      offset = (pair.key as Node | null)?.range?.[0] ?? offset;
      node = real(pair.value);
    } else if (isSeq(node)) {
      const item = node.items[Number(key)] as Node | undefined;
      if (item === undefined || item === null) break;
      offset = item.range?.[0] ?? offset;
      node = real(item);
    } else break;
  }
  return offset;
}

function findPair(
  map: YAMLMap,
  key: string,
  real: (node: unknown) => unknown,
): YAMLMap["items"][number] | undefined {
  const own = map.items.findLast((pair) => !isMergeKey(pair.key) && keyText(pair.key) === key);
  if (own !== undefined) return own;
  for (const pair of map.items) {
    if (!isMergeKey(pair.key)) continue;
    const source = real(pair.value);
    for (const each of isSeq(source) ? source.items.map(real) : [source]) {
      const found = isMap(each) ? findPair(each, key, real) : undefined;
      if (found !== undefined) return found;
    }
  }
  return undefined;
}
