/** The names of operations: the endpoint and the method of each, which a names file can pin. */

import type { Source } from "../../read/source.ts";
import { compare } from "../../read/fields.ts";
import type { Operation } from "../../read/operations.ts";
import {
  camelCase,
  capitalized,
  clientMembers,
  endpointMembers,
  freeName,
  singularOf,
  wordsOf,
} from "../../names/words.ts";

/** The names of an operation. */
export interface OperationName {
  /** The endpoint's field on the client. */
  readonly field: string;
  readonly method: string;
}

/** The names of all operations, and the pins for the names file. */
export interface OperationNames {
  readonly of: ReadonlyMap<Operation, OperationName>;
  /** From an operation such as `GET /pets/{}` to `pets.get`: those that were there, and new ones. */
  readonly pins: ReadonlyMap<string, string>;
}

/** An operation with the names that it could have, the best one first. */
interface Candidate {
  readonly operation: Operation;
  readonly key: string;
  readonly field: string;
  readonly wishes: readonly string[];
}

/**
 * Names operations by their tags and operationIds. Names do not depend on the order of the document's
 * keys. Operations that would have the same name all get a longer one.
 *
 * @param pins The names of earlier runs, by {@linkcode pinKey}
 */
export function nameOperations(
  source: Source,
  operations: readonly Operation[],
  pins: ReadonlyMap<string, string>,
): OperationNames {
  const named = new Map<Operation, OperationName>();
  const all = new Map(pins);
  const taken = new Map<string, Set<string>>();
  const take = (operation: Operation, field: string, method: string): void => {
    named.set(operation, { field, method });
    const names = taken.get(field) ?? new Set(endpointMembers);
    taken.set(field, names.add(method));
  };

  const waiting: Candidate[] = [];
  const known = new Set<string>();
  const sorted = operations.map((operation) => ({ operation, key: pinKey(operation) }))
    .sort((a, b) => compare(a.key, b.key) || compare(a.operation.path, b.operation.path));
  for (const { operation, key } of sorted) {
    const pin = known.has(key) ? undefined : pins.get(key);
    if (known.has(key)) {
      const message = `another path differs from ${JSON.stringify(operation.path)} only in the ` +
        "names of parameters";
      source.problem(operation.node, "operation", message, "its name cannot be pinned");
    }
    known.add(key);
    const names = pin === undefined ? undefined : pinnedName(pin);
    if (names !== undefined && taken.get(names.field)?.has(names.method) !== true) {
      take(operation, names.field, names.method);
      continue;
    }
    if (pin !== undefined) {
      const message = `the names file calls ${key} ${
        JSON.stringify(pin)
      }, which is not a free name`;
      source.problem(operation.node, "name", message, "named as if it were not there");
      all.delete(key);
    }
    const field = fieldOf(operation);
    waiting.push({ operation, key, field, wishes: wishesOf(operation) });
  }

  let rest = waiting;
  for (let rank = 0; rest.length > 0; rank++) {
    const groups = Map.groupBy(rest, ({ field, wishes }) => `${field}.${nameAt(wishes, rank)}`);
    rest = [];
    for (const group of groups.values()) {
      const [{ operation, field, wishes }] = group as [Candidate];
      const name = nameAt(wishes, rank);
      const isFree = taken.get(field)?.has(name) !== true;
      if (group.length === 1 && isFree) take(operation, field, name);
      else if (rank < wishes.length - 1) rest.push(...group);
      else {
        // Only operations whose paths differ in letters that names cannot have come here.
        for (const each of group) take(each.operation, field, numbered(name, taken.get(field)));
      }
    }
  }
  for (const { operation, key } of waiting) {
    const { field, method } = named.get(operation)!;
    if (!all.has(key)) all.set(key, `${field}.${method}`);
  }
  return { of: named, pins: all };
}

/** The key of an operation in a names file: without the names of path parameters. */
export function pinKey({ verb, path }: Operation): string {
  return `${verb} ${path.replace(/\{[^{}]*\}/g, "{}")}`;
}

/** Returns the names of a pin; undefined if a class cannot have them. */
function pinnedName(pin: string): OperationName | undefined {
  const [, field, method] = /^([A-Za-z_$][\w$]*)\.([A-Za-z_$][\w$]*)$/.exec(pin) ?? [];
  if (field === undefined || method === undefined) return undefined;
  return clientMembers.has(field) || field.startsWith("_") && !/^_\d/.test(field) ||
      endpointMembers.has(method) || method.startsWith("_") && !/^_\d/.test(method)
    ? undefined
    : { field, method };
}

/** Returns the field for an operation: its tag, or else the first segment of its path. */
function fieldOf({ tag, parts }: Operation): string {
  const [start = ""] = parts;
  const segment = typeof start === "string" ? start.split("/").find((part) => part !== "") : "";
  const name = camelCase(wordsOf(tag ?? "")) || camelCase(wordsOf(segment ?? "")) || "api";
  return freeName(name, clientMembers);
}

/** Returns the names that an operation could have, the best one first. */
function wishesOf(operation: Operation): string[] {
  const whole = wordsOf(operation.operationId ?? "");
  const short = withoutTag(whole, wordsOf(operation.tag ?? ""));
  return [short, whole, placeWords(operation)]
    .map((words) => freeName(camelCase(words), endpointMembers))
    .filter((name, index, names) => name !== "" && names.indexOf(name) === index);
}

/** Returns the words of an operationId without those of its tag at the beginning or the end. */
function withoutTag(words: readonly string[], tag: readonly string[]): readonly string[] {
  const { length } = tag;
  const isTag = (part: readonly string[]) =>
    length > 0 && part.length === length &&
    part.every((word, index) => singularOf(word) === singularOf(tag[index]!));
  if (isTag(words.slice(0, length))) {
    const rest = words.slice(length);
    const start = rest.length > 1 && /^controller$/i.test(rest[0]!) ? 1 : 0;
    return rest.slice(start).length > 0 ? rest.slice(start) : words;
  }
  if (isTag(words.slice(-length)) && words.length > length) return words.slice(0, -length);
  return words;
}

/** Returns the words of a method and a path: `GET /pets/{id}` becomes `get pets by id`. */
function placeWords({ verb, path }: Operation): string[] {
  const place = path.split(/(\{[^{}]*\})/).flatMap((part, index) =>
    index % 2 === 0 ? wordsOf(part) : ["by", ...wordsOf(part)]
  );
  const words = place.map((word) => capitalized(word.toLowerCase()));
  return [...(wordsOf(verb).length > 0 ? wordsOf(verb.toLowerCase()) : ["call"]), ...words];
}

function nameAt(wishes: readonly string[], rank: number): string {
  return wishes[rank] ?? wishes.at(-1)!;
}

function numbered(name: string, taken: ReadonlySet<string> = new Set()): string {
  if (!taken.has(name)) return name;
  let number = 2;
  while (taken.has(`${name}${number}`)) number++;
  return `${name}${number}`;
}
