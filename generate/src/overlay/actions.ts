/** The actions of an overlay: `update`, `copy` and `remove`. */
import type { Editing, Holder } from "../read/editing.ts";
import type { Setting } from "../read/settings.ts";
import { type JsonPath, JsonPathFault, type Match } from "./json_path.ts";

/** An action that was read. */
export interface Action {
  readonly setting: Setting;
  /**
   * Changes a document.
   *
   * @throws {OverlayError} If the action does not fit it
   */
  readonly apply: (document: Editing) => void;
}

/** A value that an action writes, in the object or list that has it. */
interface Written {
  readonly holder: Holder;
  readonly key: string | number;
  /** The setting that errors name. */
  readonly setting: Setting;
}

/**
 * Reads an action.
 *
 * @throws {OverlayError} If it is broken
 */
export function readAction(
  setting: Setting,
  { allowsCopy, readPath }: {
    readonly allowsCopy: boolean;
    readonly readPath: (text: string) => JsonPath;
  },
): Action {
  setting.checkKeys(["target", "description", "update", "copy", "remove"]);
  setting.child("description")?.text();
  const target = pathOf(setting.required("target"), readPath);
  const isRemoval = setting.child("remove")?.flag() === true;
  const hasUpdate = Object.hasOwn(setting.value as object, "update");
  const source = setting.child("copy");
  if (source !== undefined && !allowsCopy) {
    source.failWith("needs version 1.1.0: the overlay has the version 1.0");
  }
  const copied = source && pathOf(source, readPath);
  if (hasUpdate && source !== undefined) setting.failWith("must have update or copy, not both");
  if (!isRemoval && !hasUpdate && source === undefined) {
    setting.problem("overlay", "the action has no update, copy or remove", "left out");
  }

  const apply = (document: Editing): void => {
    const matches = target.find(document);
    if (matches.length === 0) target.report();
    else if (isRemoval) removeAll(matches, document, setting);
    else if (hasUpdate) {
      const holder = setting.value as Holder;
      const update = setting.child("update") ?? setting;
      updateAll(matches, { holder, key: "update", setting: update }, document);
    } else if (copied !== undefined) {
      const [found, ...others] = copied.find(document);
      if (others.length > 0) {
        copied.setting.failWith(`must lead to one value, not to ${others.length + 1}`);
      }
      if (found === undefined) copied.report();
      // The value is copied first, because it may be around or inside of a target.
      else updateAll(matches, snapshotOf(found, copied.setting, document), document);
    }
  };
  return { setting, apply };
}

/** A path of an action. */
interface Path {
  readonly setting: Setting;
  readonly find: (document: Editing) => Match[];
  /** Reports that the path leads to nothing. */
  readonly report: () => void;
}

function pathOf(setting: Setting, readPath: (text: string) => JsonPath): Path {
  const text = setting.text("a JSONPath such as $.paths['/pets'].get");
  const shown = JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
  const checked = <Result>(problem: string, call: () => Result): Result => {
    try {
      return call();
    } catch (error) {
      if (!(error instanceof JsonPathFault)) throw error;
      return setting.failWith(`${problem}: ${error.message}`);
    }
  };
  const path = checked(`must be a JSONPath of RFC 9535, not ${shown}`, () => readPath(text));
  return {
    setting,
    find: ({ root, count }) =>
      checked(`cannot be followed in the document, ${shown}`, () => path(root, count)),
    report: () => setting.problem("overlay", `${shown} leads to nothing`, "left out"),
  };
}

function snapshotOf({ value, place }: Match, setting: Setting, document: Editing): Written {
  if (typeof value === "object" && value !== null) {
    return { holder: [document.copy(value)], key: 0, setting };
  }
  return { holder: place!.holder, key: place!.key, setting };
}

function removeAll(matches: readonly Match[], document: Editing, setting: Setting): void {
  const keys = new Map<Holder, Set<string>>();
  for (const { place } of matches) {
    if (place === undefined) return setting.failWith("cannot remove the whole document");
    const own = keys.get(place.holder) ?? new Set();
    keys.set(place.holder, own.add(String(place.key)));
  }
  for (const [holder, own] of keys) document.remove(holder, own);
}

function updateAll(matches: readonly Match[], written: Written, document: Editing): void {
  const { setting } = written;
  const kinds = new Set(matches.map(({ value }) => kindOf(value)));
  const [kind, other] = kinds;
  if (other !== undefined) {
    setting.failWith(
      `must have targets of one kind, but the path leads to ${nameOf(kind!)} and ${nameOf(other)}`,
    );
  }
  const value = valueOf(written);
  for (const match of matches) {
    if (kind === "list") append(match.value as unknown[], written, document);
    else if (kind !== kindOf(value)) {
      setting.failWith(
        `must be ${nameOf(kind!)}, as its targets are, not ${nameOf(kindOf(value))}`,
      );
    } else if (kind === "object") {
      merge(match.value as Values, value as Values, setting, document);
    } else if (match.place === undefined) setting.failWith("cannot replace the whole document");
    else document.put(match.place.holder, match.place.key, written.holder, written.key);
  }
}

/** Adds a value, or the items of a list, to a list. */
function append(list: unknown[], written: Written, document: Editing): void {
  const value = valueOf(written);
  if (!Array.isArray(value)) {
    document.put(list, list.length, written.holder, written.key);
    return;
  }
  for (const index of [...value.keys()]) document.put(list, list.length, value, index);
}

/** Writes the properties of an object into another one, those of objects inside of it, too. */
function merge(into: Values, from: Values, setting: Setting, document: Editing): void {
  for (const [key, value] of Object.entries(from)) {
    document.count();
    const old = into[key];
    const [was, is] = [kindOf(old), kindOf(value)];
    if (!Object.hasOwn(into, key) || old === null || (was === "value" && is === "value")) {
      document.put(into, key, from, key);
    } else if (was === "object" && is === "object") {
      merge(old as Values, value as Values, setting, document);
    } else if (was === "list" && is === "list") {
      append(old as unknown[], { holder: from, key, setting }, document);
    } else if (value !== null) {
      // `tags:` without a value is null, and changes nothing.
      setting.failWith(
        `has ${nameOf(is)} as ${JSON.stringify(key)}, which is ${nameOf(was)} in the document: ` +
          "remove it by an action before",
      );
    }
  }
}

type Values = Record<string, unknown>;
type Kind = "object" | "list" | "value";

const NAMES: Readonly<Record<Kind, string>> = {
  object: "an object",
  list: "a list",
  value: "a string, number, boolean or null",
};

function nameOf(kind: Kind): string {
  return NAMES[kind];
}

function kindOf(value: unknown): Kind {
  if (Array.isArray(value)) return "list";
  return typeof value === "object" && value !== null ? "object" : "value";
}

function valueOf({ holder, key }: Written): unknown {
  return (holder as Readonly<Record<string | number, unknown>>)[key];
}
