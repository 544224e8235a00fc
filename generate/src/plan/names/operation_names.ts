/** The names of operations: the endpoint and the method of each, which a names file can pin. */

import type { Source } from "../../read/source.ts";
import { compare } from "../../read/fields.ts";
import type { Operation } from "../../read/operations.ts";
import { camelCase, clientMembers, endpointMembers, freeName, wordsOf } from "../../names/words.ts";
import {
  type DocumentWords,
  documentWords,
  groupOf,
  groupSegment,
  isVersion,
  type NamedOperation,
  shortWords,
  type Wish,
  wishesOf,
} from "./method_names.ts";

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
  readonly wishes: readonly Wish[];
}

/**
 * Names operations by their tags, operationIds, paths and results. Names do not depend on the order of
 * the document's keys. Operations that would have the same name all get a longer one, unless one of them
 * has the best right to it.
 *
 * @param pins The names of earlier runs, by {@linkcode pinKey}
 */
export function nameOperations(
  source: Source,
  operations: readonly NamedOperation[],
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

  const candidates = candidatesOf(operations);
  const waiting: Candidate[] = [];
  const known = new Set<string>();
  for (const candidate of candidates) {
    const { operation, key } = candidate;
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
    waiting.push(candidate);
  }

  let rest: readonly Candidate[] = waiting;
  for (let rank = 0; rest.length > 0; rank++) {
    const groups = Map.groupBy(rest, ({ field, wishes }) => `${field}.${nameAt(wishes, rank)}`);
    const next: Candidate[] = [];
    for (const group of groups.values()) {
      const [{ field, wishes: [...wishes] }] = group as [Candidate];
      const name = nameAt(wishes, rank);
      const isFree = taken.get(field)?.has(name) !== true;
      const sure = group.filter((each) => each.wishes[rank]?.isSure === true);
      const [winner] = [group, sure].find(({ length }) => length === 1) ?? [];
      if (winner !== undefined && isFree) take(winner.operation, field, name);
      for (const each of group) {
        if (each === winner && isFree) continue;
        if (rank < each.wishes.length - 1) next.push(each);
        // Only operations whose paths differ in letters that names cannot have come here.
        else take(each.operation, field, numbered(name, taken.get(field)));
      }
    }
    rest = next;
  }
  for (const { operation, key } of waiting) {
    const { field, method } = named.get(operation)!;
    if (!all.has(key)) all.set(key, `${field}.${method}`);
  }
  return { of: named, pins: all };
}

/** Returns the operations with the names that they could have, in an order that no document changes. */
function candidatesOf(operations: readonly NamedOperation[]): Candidate[] {
  const document = documentWords(operations);
  const fields = fieldsOf(operations, document);
  const groups = Map.groupBy(operations, (each) => fields.get(each)!);
  const candidates = [...groups].flatMap(([field, own]) => {
    const tag = own.map(({ operation }) => operation.tag).find((each) => each !== undefined);
    const words = wordsOf(tag ?? "");
    const isTagged = words.length > 0;
    const group = groupOf({ words: isTagged ? words : wordsOf(field), isTagged }, own);
    const short = shortWords(own, group, document);
    return own.map((each): Candidate => ({
      operation: each.operation,
      key: pinKey(each.operation),
      field,
      wishes: wishesOf(each, short.get(each)!, group, document).map((wish) => ({
        ...wish,
        name: freeName(wish.name, endpointMembers, "property"),
      })),
    }));
  });
  return candidates.sort((a, b) =>
    compare(a.key, b.key) || compare(a.operation.path, b.operation.path)
  );
}

/** Returns the field of each operation: its tag, or else a segment of its path. */
function fieldsOf(
  operations: readonly NamedOperation[],
  document: DocumentWords,
): ReadonlyMap<NamedOperation, string> {
  const plain = (words: readonly string[]) => {
    const own = words.filter((word) => !isVersion(word));
    return own.length > 0 ? own : words;
  };
  const whole = (each: NamedOperation) =>
    wordsOf(each.operation.tag ?? "").length > 0
      ? wordsOf(each.operation.tag!)
      : wordsOf(groupSegment(each.operation, document));
  // Tags that differ only in a version keep it.
  const tags = Map.groupBy(
    new Set(operations.map((each) => camelCase(whole(each)))),
    (name) => camelCase(plain(wordsOf(name))),
  );
  const nameOf = (each: NamedOperation) => {
    const words = whole(each);
    const short = camelCase(plain(words));
    return (tags.get(short)?.length ?? 0) > 1 ? camelCase(words) : short;
  };
  // `petShop` and `petshop` are one tag: the name with the most words is read best.
  const names = Map.groupBy(new Set(operations.map(nameOf)), (name) => name.toLowerCase());
  return new Map(operations.map((each) => {
    const [name = ""] = names.get(nameOf(each).toLowerCase())!.toSorted((a, b) =>
      wordsOf(b).length - wordsOf(a).length || compare(a, b)
    );
    return [each, freeName(name || "api", clientMembers, "property")];
  }));
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

function nameAt(wishes: readonly Wish[], rank: number): string {
  return (wishes[rank] ?? wishes.at(-1)!).name;
}

function numbered(name: string, taken: ReadonlySet<string> = new Set()): string {
  if (!taken.has(name)) return name;
  let number = 2;
  while (taken.has(`${name}${number}`)) number++;
  return `${name}${number}`;
}
