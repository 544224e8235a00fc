/**
 * Imports all entry points in a fresh process, one after the other, and prints as JSON how each of
 * them has changed the process. A test starts this program.
 *
 * With the argument `--effects`, it imports a module with side effects instead. With `--bare`, it
 * deletes the globals of the web, which some test environments do not have, and only imports.
 */
import process from "node:process";
// Deno adds its own names to the globals when a program first imports a CommonJS package. No entry
// point imports this one by itself.
import "saxes";

/** The entry points. Literals, because Deno loads other modules only with a permission. */
const entries: Readonly<Record<string, () => Promise<unknown>>> = {
  ".": () => import("../../mod.ts"),
  "./auth": () => import("../../src/auth/mod.ts"),
  "./box": () => import("../../src/box/mod.ts"),
  "./cookies": () => import("../../src/http/cookies/mod.ts"),
  "./digest": () => import("../../src/auth/digest/mod.ts"),
  "./errors": () => import("../../src/entries/errors.ts"),
  "./files": () => import("../../src/files/mod.ts"),
  "./http": () => import("../../src/http/mod.ts"),
  "./middleware": () => import("../../src/middleware/mod.ts"),
  "./models": () => import("../../src/models/mod.ts"),
  "./oauth": () => import("../../src/auth/oauth/mod.ts"),
  "./paging": () => import("../../src/paging/mod.ts"),
  "./polling": () => import("../../src/polling/mod.ts"),
  "./resources": () => import("../../src/resources/mod.ts"),
  "./stores": () => import("../../src/auth/stores/mod.ts"),
  "./streams": () => import("../../src/streams/mod.ts"),
  "./styles": () => import("../../src/content/styles/mod.ts"),
  "./telemetry": () => import("../../src/telemetry/mod.ts"),
  "./testing": () => import("../../src/testing/mod.ts"),
  "./testing/vcr": () => import("../../src/testing/vcr/mod.ts"),
  "./webhooks": () => import("../../src/webhooks/mod.ts"),
};
const withEffects = { "a module with effects": () => import("./module_effects.ts") };

/** The functions that an import must not call. They begin work that continues after the import. */
const FUNCTIONS: readonly (readonly [object: object, names: readonly string[]])[] = [
  [globalThis, ["setTimeout", "setInterval", "setImmediate", "fetch"]],
  [console, ["debug", "error", "info", "log", "warn"]],
];

/** Calls of these functions so far. */
const calls: string[] = [];

function countCalls(): void {
  for (const [object, names] of FUNCTIONS) {
    for (const name of names) {
      const original: unknown = Reflect.get(object, name);
      if (typeof original !== "function") continue;
      Reflect.set(object, name, (...args: unknown[]) => {
        calls.push(name);
        return Reflect.apply(original, object, args);
      });
    }
  }
}

/** Objects that libraries like to change, by name: all globals, and the objects behind iterators. */
function observedObjects(): ReadonlyMap<string, object> {
  const objects = new Map<string, object>([["globalThis", globalThis]]);
  const add = (name: string, value: unknown): void => {
    if ((typeof value === "object" && value !== null) || typeof value === "function") {
      objects.set(name, value);
      const { prototype } = value as { readonly prototype?: unknown };
      if (typeof prototype === "object" && prototype !== null) {
        objects.set(`${name}.prototype`, prototype);
      }
    }
  };
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    // Node warns if a program without a file for it reads the storage.
    if (!name.endsWith("Storage")) add(name, valueOf(globalThis, name));
  }
  const parentOf = (value: object): object | null => Object.getPrototypeOf(value);
  add("GeneratorFunction", parentOf(function* () {})!.constructor);
  add("AsyncFunction", parentOf(async () => {})!.constructor);
  add("AsyncGeneratorFunction", parentOf(async function* () {})!.constructor);
  add("TypedArray", parentOf(Uint8Array));
  add("ArrayIterator", parentOf([][Symbol.iterator]()));
  add("process", process);
  return objects;
}

function valueOf(object: object, name: string): unknown {
  try {
    return Reflect.get(object, name);
  } catch {
    return undefined;
  }
}

/** Values of properties by path, such as `Array.prototype.map`, and counts of listeners. */
type State = ReadonlyMap<string, readonly unknown[]>;

function readState(objects: ReadonlyMap<string, object>): State {
  const state = new Map<string, readonly unknown[]>();
  for (const [path, object] of objects) {
    for (const key of Reflect.ownKeys(object)) {
      const { value, get, set, writable } = Object.getOwnPropertyDescriptor(object, key)!;
      // The runtimes count in some numbers of `process` themselves.
      const isOwn = path === "process" && typeof value !== "function";
      if (!isOwn) state.set(`${path}.${String(key)}`, [value, get, set, writable]);
    }
    state.set(`${path}'s prototype`, [Object.getPrototypeOf(object), Object.isExtensible(object)]);
  }
  for (const event of process.eventNames()) {
    state.set(`listeners of ${String(event)}`, [process.listenerCount(event)]);
  }
  return state;
}

/** Returns the paths whose values differ. */
function differences(before: State, after: State): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter((path) => {
    const [old, now] = [before.get(path), after.get(path)];
    return old === undefined || now === undefined ||
      old.some((value, index) => !Object.is(value, now[index]));
  });
}

/** Globals of the web that an import must not need. Jest's environment for jsdom lacks some. */
const WEB_GLOBALS: readonly string[] = [
  ...["AbortController", "AbortSignal", "Blob", "CompressionStream", "DecompressionStream"],
  ...["DOMException", "Event", "EventTarget", "fetch", "File", "FormData", "Headers"],
  ...["ReadableStream", "Request", "Response", "TextDecoder", "TextDecoderStream", "TextEncoder"],
  ...["TransformStream", "URLSearchParams", "WritableStream", "crypto", "navigator"],
  ...["performance", "structuredClone"],
];

/** Imports all entry points without the globals of the web. Effects are not observed. */
async function importBare(): Promise<Readonly<Record<string, readonly string[]>>> {
  for (const name of WEB_GLOBALS) Reflect.deleteProperty(globalThis, name);
  for (const load of Object.values(entries)) await load();
  return Object.fromEntries(Object.keys(entries).map((name) => [name, []]));
}

/** Imports modules, and returns how each has changed the process. */
async function importObserved(
  imports: Readonly<Record<string, () => Promise<unknown>>>,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const objects = observedObjects();
  countCalls();
  let before = readState(objects);
  // Bun creates some values anew whenever they are read.
  const unstable = new Set(differences(before, readState(objects)));
  const effects: Record<string, string[]> = {};
  for (const [name, load] of Object.entries(imports)) {
    await load();
    // Work that an import puts off to the next turns of the event loop is part of it.
    for (let turn = 0; turn < 3; turn++) await Promise.resolve();
    const after = readState(objects);
    const changes = differences(before, after).filter((path) => !unstable.has(path));
    effects[name] = [...changes, ...calls.splice(0).map((each) => `${each}()`)];
    before = after;
  }
  return effects;
}

const result = process.argv.includes("--bare")
  ? await importBare()
  : await importObserved(process.argv.includes("--effects") ? withEffects : entries);
process.stdout.write(JSON.stringify(result));
