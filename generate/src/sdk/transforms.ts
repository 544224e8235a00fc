/** The transforms of a configuration, which change the document before it is planned. */
import type { Editing } from "../read/editing.ts";
import { pointerOf } from "../read/pointers.ts";
import { type Count, type JsonPath, readJsonPath } from "./json_path.ts";
import { JsonPathError, type Match } from "./json_path_filter.ts";
import type { Setting } from "../read/settings.ts";

/** A change of the document. */
export type Transform = (document: Editing) => void;

/** The commands, with the settings that each must have. */
const COMMANDS = ["append", "copy", "merge", "move", "remove", "update"] as const;

type Values = Record<string, unknown>;

/** A target: finds values in a document. */
interface Target extends JsonPath {
  readonly setting: Setting;
  /** The path, shortened, for messages. */
  readonly text: string;
}

/**
 * Reads the transforms in `openapi`. One that cannot be applied becomes a problem, and is left out.
 *
 * @throws {ShapeError} If one is not a command with its settings
 */
export function readTransforms(openapi: Setting | undefined): Transform[] {
  // The second name is that of older configurations.
  return ["transforms", "transformations"].flatMap((name) =>
    openapi?.child(name)?.items().flatMap((each) => readTransform(each) ?? []) ?? []
  );
}

function readTransform(setting: Setting): Transform | undefined {
  const stated = setting.child("command") ??
    setting.fail(`an object with a command: ${COMMANDS.join(", ")}`);
  const command = COMMANDS.find((each) => each === stated.text());
  if (command === undefined) {
    // Configurations of earlier years have other commands, such as mergeObject.
    const message = `the command is not one of ${COMMANDS.join(", ")}`;
    stated.problem("unsupported", message, "left out");
    setting.lose(stated.text().slice(0, 60));
    return undefined;
  }
  setting.child("reason")?.text();
  const args = setting.child("args") ?? setting.fail("an object with `args`");
  const needed = (name: string) => args.child(name) ?? args.fail(`an object with \`${name}\``);
  switch (command) {
    case "copy":
      return copying(targetOf(needed("from")), targetsOf(needed("to")));
    case "move":
      return moving(targetOf(needed("from")), targetOf(needed("to")));
    case "remove": {
      const keys = args.child("keys")?.items().map((each) => each.text());
      return forEach(targetsOf(needed("target")), removal(keys));
    }
    case "append":
      return forEach(targetsOf(needed("target")), addition(valueOf(args)));
    case "merge": {
      const value = valueOf(args);
      const object = isObject(value) ? value : args.child("value")!.fail("an object");
      return forEach(targetsOf(needed("target")), merging(object));
    }
    case "update": {
      const value = valueOf(args);
      const template = args.child("template")?.flag() === true
        ? args.child("value")!.text("a string with {{value}}")
        : undefined;
      return forEach(targetsOf(needed("target")), replacement(value, template));
    }
  }
}

/** Returns the value of a transform, which can be null. */
function valueOf(args: Setting): unknown {
  const value = args.child("value");
  if (value !== undefined) return value.whole();
  return Object.hasOwn(args.value as object, "value") ? null : args.fail("an object with `value`");
}

/** A change of one value. Returns the reason why it is not possible. */
type Change = (match: Match, document: Editing) => string | undefined;

/** Returns a transform that changes all values of targets. */
function forEach(targets: readonly (Target | undefined)[], change: Change): Transform {
  return (document) => {
    for (const target of targets) {
      if (target === undefined) continue;
      const matches = target.find(document.root, document.count);
      if (matches.length === 0) {
        const message = `${target.text} leads to nothing in the document`;
        target.setting.problem("reference", message, "left out");
      }
      // The last ones first, so that items of a list keep their indexes until it is their turn.
      for (const match of matches.toReversed()) {
        const reason = change(match, document);
        if (reason !== undefined) target.setting.problem("unsupported", reason, "left out");
      }
    }
  };
}

function removal(keys: readonly string[] | undefined): Change {
  return ({ value, key, parent }) => {
    if (keys === undefined) {
      return parent === undefined ? "the whole document cannot be removed" : removeAt(parent, key);
    }
    if (Array.isArray(value)) {
      value.splice(0, value.length, ...value.filter((item) => !keys.includes(item as string)));
    } else if (isObject(value)) { for (const each of keys) delete value[each]; }
    else return "only objects and lists have keys";
    return undefined;
  };
}

function removeAt({ value: holder }: Match, key: string): undefined {
  if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else delete (holder as Values)[key];
}

function addition(added: unknown): Change {
  return ({ value }, document) => {
    if (Array.isArray(value)) {
      const items = Array.isArray(added) ? added : [added];
      for (const item of items) value.push(document.copy(item));
      return undefined;
    }
    if (!isObject(value)) return "only lists and objects can be appended to";
    if (!isObject(added)) return "only properties can be appended to an object";
    for (const [name, each] of Object.entries(added)) {
      if (Object.hasOwn(value, name)) {
        return `the property ${JSON.stringify(name.slice(0, 200))} exists already`;
      }
      value[name] = document.copy(each);
    }
    return undefined;
  };
}

function merging(added: Values): Change {
  return ({ value }, document) => {
    if (!isObject(value)) return "only objects can be merged";
    merge(value, added, document);
    return undefined;
  };
}

/** Writes the properties of an object into another one, those of objects inside of it, too. */
function merge(into: Values, from: Readonly<Values>, document: Editing): void {
  for (const [name, value] of Object.entries(from)) {
    document.count();
    const old = Object.hasOwn(into, name) ? into[name] : undefined;
    if (isObject(old) && isObject(value)) merge(old, value, document);
    else into[name] = document.copy(value);
  }
}

function replacement(value: unknown, template: string | undefined): Change {
  return ({ value: old, key, parent }, document) => {
    if (parent === undefined) return "the whole document cannot be replaced";
    if (template === undefined) {
      (parent.value as Values)[key] = document.copy(value);
      return undefined;
    }
    if (typeof old !== "string") return "a template needs a string in the document";
    const text = template.replaceAll("{{value}}", () => old);
    if (text.length > MAX_TEXT) return `the text would have more than ${MAX_TEXT} characters`;
    (parent.value as Values)[key] = text;
    return undefined;
  };
}

/** The most characters of a string that a template makes. */
const MAX_TEXT = 1_000_000;

function copying(
  from: Target | undefined,
  targets: readonly (Target | undefined)[],
): Transform {
  return (document) => {
    const source = from && single(from, document);
    if (source === undefined) return;
    for (const to of targets) {
      for (const { holder, key } of to === undefined ? [] : destinations(to, document)) {
        (holder.value as Values)[key] = document.copy(source.value);
      }
    }
  };
}

function moving(from: Target | undefined, to: Target | undefined): Transform {
  return (document) => {
    if (from === undefined || to === undefined) return;
    const source = single(from, document);
    if (source === undefined) return;
    if (source.parent === undefined) {
      from.setting.problem("unsupported", "the whole document cannot be moved", "left out");
      return;
    }
    const places = destinations(to, document);
    const [place, ...others] = places;
    if (place === undefined) return;
    if (others.length > 0 || isInside(place.holder, source)) {
      const message = others.length > 0
        ? `${to.text} leads to more than one place`
        : `${to.text} is inside of the value that is moved`;
      to.setting.problem("unsupported", message, "left out");
      return;
    }
    const [old, moved] = [pointerTo(source), [...keysOf(place.holder), place.key]];
    const { value: holder } = source.parent;
    if (holder === place.holder.value && isObject(holder)) renameKey(holder, source.key, place.key);
    else {
      removeAt(source.parent, source.key);
      (place.holder.value as Values)[place.key] = source.value;
    }
    redirect(document, old, pointerOf(moved));
  };
}

/** Renames a property, and keeps the order of all. */
function renameKey(object: Values, old: string, name: string): void {
  if (old === name) return;
  const entries = Object.entries(object).filter(([key]) => key !== name);
  for (const key of Object.keys(object)) delete object[key];
  for (const [key, value] of entries) object[key === old ? name : key] = value;
}

/** Changes the references to a value that was moved. */
function redirect(document: Editing, old: string, moved: string): void {
  const redirected = (text: string): string =>
    text === old || text.startsWith(`${old}/`) ? moved + text.slice(old.length) : text;
  const waiting: unknown[] = [document.root];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    document.count();
    for (const [key, child] of Object.entries(value as Values)) {
      if (typeof child === "object" && child !== null) {
        waiting.push(child);
        if (key === "mapping" && isObject(child)) {
          for (const [name, target] of Object.entries(child)) {
            if (typeof target === "string") child[name] = redirected(target);
          }
        }
      } else if (key === "$ref" && typeof child === "string") {
        (value as Values)[key] = redirected(child);
      }
    }
  }
}

/** The keys on the way to a value, without that of the document. */
function keysOf({ key, parent }: Match): string[] {
  return parent === undefined ? [] : [...keysOf(parent), key];
}

function pointerTo(match: Match): string {
  return pointerOf(keysOf(match));
}

function isInside(match: Match, around: Match): boolean {
  for (let at: Match | undefined = match; at !== undefined; at = at.parent) {
    if (at.value === around.value) return true;
  }
  return false;
}

/** Returns the value of a path that must lead to exactly one. */
function single(from: Target, document: Editing): Match | undefined {
  const matches = from.find(document.root, document.count);
  if (matches.length === 1) return matches[0];
  const message = matches.length === 0
    ? `${from.text} leads to nothing in the document`
    : `${from.text} leads to ${matches.length} values, but only one can be copied or moved`;
  from.setting.problem("reference", message, "left out");
  return undefined;
}

interface Destination {
  readonly holder: Match;
  readonly key: string;
}

/** Returns the places of a path: values that exist, or else the objects that can have one more. */
function destinations(to: Target, document: Editing): Destination[] {
  const existing = to.find(document.root, document.count).flatMap(({ key, parent }) =>
    parent === undefined ? [] : [{ holder: parent, key }]
  );
  if (existing.length > 0) return existing;
  const { end } = to;
  const made = end === undefined
    ? []
    : end.holders(document.root, document.count).filter(({ value }) => isObject(value))
      .map((holder) => ({ holder, key: end.name }));
  if (made.length === 0) {
    const message = `${to.text} leads to nothing, and to no object that could have it`;
    to.setting.problem("reference", message, "left out");
  }
  return made;
}

function targetsOf(setting: Setting): (Target | undefined)[] {
  return Array.isArray(setting.value) ? setting.items().map(targetOf) : [targetOf(setting)];
}

/** Reads a path, or `matches_schema`. Returns undefined, and notes a problem, if it is not supported. */
function targetOf(setting: Setting): Target | undefined {
  if (setting.isObject) return schemaTarget(setting);
  const text = setting.text("a JSONPath such as $.components.schemas.Pet");
  const path = pathOf(setting, text);
  return path && { ...path, setting, text: shortened(text) };
}

function pathOf(setting: Setting, text: string): JsonPath | undefined {
  try {
    return readJsonPath(text);
  } catch (error) {
    if (!(error instanceof JsonPathError)) throw error;
    setting.problem("unsupported", `the JSONPath cannot be read: ${error.message}`, "left out");
    return undefined;
  }
}

/** A target of all schemas that equal the one of a path. */
function schemaTarget(setting: Setting): Target | undefined {
  const expected = "a path, or an object with `matches_schema`";
  const template = setting.child("matches_schema") ?? setting.fail(expected);
  const path = pathOf(template, template.text());
  const ignored = setting.child("ignore");
  const excluded = ignored === undefined ? [] : targetsOf(ignored);
  if (path === undefined) return undefined;
  const everything = readJsonPath("$..*");
  return {
    setting,
    text: shortened(template.text()),
    find(root, count) {
      const left = new Set(
        excluded.flatMap((each) => each?.find(root, count) ?? []).map(({ value }) => value),
      );
      const templates = path.find(root, count).map(({ value }) => value).filter(isObject);
      return everything.find(root, count).filter(({ value }) =>
        isObject(value) && !left.has(value) && templates.some((each) => isEqual(each, value, count))
      );
    },
  };
}

/** Reports if two values are the same, whatever the order of their keys. */
function isEqual(a: unknown, b: unknown, count: Count): boolean {
  count();
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  const keys = Object.keys(a);
  return Array.isArray(a) === Array.isArray(b) && keys.length === Object.keys(b).length &&
    keys.every((key) =>
      Object.hasOwn(b, key) && isEqual((a as Values)[key], (b as Values)[key], count)
    );
}

function shortened(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
}

function isObject(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
