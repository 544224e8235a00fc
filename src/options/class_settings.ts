/** The settings that follow from the statics of a class. They are checked once, and shared by its clients. */
import { getLogger } from "#log";
import { checkedHeaderNames, checkedTexts } from "../base/checks.ts";
import { userAgent } from "../content/user_agent.ts";
import type { ErrorMap } from "../errors/status_errors.ts";
import { barePath } from "../http/url.ts";
import type { Logger } from "../log/logger.ts";
import { checkedErrorMap, type Definition, definitions, type OptionName } from "./definitions.ts";
import type { ClassOptions, ClientBaseOptions } from "./client_options.ts";
import type { Settings } from "./settings.ts";

/** The statics of a class: those that are options, too, and those that only a class can set. */
export interface ClassDefaults extends ClassOptions {
  /** The name of the class. */
  readonly name?: string;
  /** The SDK's name. */
  readonly libName: string;
  /** The SDK's version. */
  readonly libVersion: string;
  /** Names of other headers that go to every origin. */
  readonly crossOriginHeaders: readonly string[];
  /** The base error map. */
  readonly baseErrorMap: ErrorMap;
  /** Paths whose params and body are not logged. */
  readonly restrictedPaths: readonly string[];
}

/** The parts of a class that its clients share. */
export interface ClassSettings {
  /** The settings of a client without options. Those that only clients and calls have are undefined. */
  readonly settings: Settings;
  /** The checked static `crossOriginHeaders`. */
  readonly crossOriginHeaders: readonly string[];
  /** The User-Agent of a client without options. */
  readonly agent: string;
  /** The headers of its HTTP session. */
  readonly headers: Readonly<Record<string, string>>;
  /** The logger of a client without one. */
  readonly logger: Logger;
}

/** The settings of a class, and the statics that they were made of. */
interface Compiled extends ClassSettings {
  readonly values: readonly unknown[];
  /** The statics that can be changed in place, each with the entries that it had. */
  readonly entries: readonly (readonly [value: object, entries: [string, unknown][]])[];
  /** The names of the statics that are not valid. A client without such an option cannot be made. */
  readonly invalid: readonly OptionName[];
}

const compiledByClass = new WeakMap<object, Compiled>();

const table: Readonly<Record<string, Definition>> = definitions;

/** The statics that the settings depend on. */
const staticNames: readonly string[] = [
  ...["name", "libName", "libVersion", "crossOriginHeaders", "baseErrorMap", "restrictedPaths"],
  ...Object.keys(table).filter((name) =>
    table[name]!.check !== undefined && table[name]!.levels.includes("class")
  ),
];

/**
 * Returns what the clients of a class share. It is made for the first client, and again if a static has
 * another value, or was changed in place.
 *
 * @param statics The class
 * @param options The options of the client. A static that an option replaces need not be valid
 * @throws {UnexpectedValueError} If a static is not valid; the error names the first one
 */
export function settingsOfClass(
  statics: ClassDefaults,
  options: ClientBaseOptions,
): ClassSettings {
  let compiled = compiledByClass.get(statics);
  if (compiled === undefined || hasChanged(statics, compiled)) {
    compiled = compile(statics);
    compiledByClass.set(statics, compiled);
  }
  for (const name of compiled.invalid) {
    const { levels, check, merge } = table[name]!;
    const isReplaced = levels.includes("client") && !merge &&
      options[name as keyof ClientBaseOptions] !== undefined;
    if (!isReplaced) check!(name, Reflect.get(statics, name));
  }
  return compiled;
}

function hasChanged(statics: object, { values, entries }: Compiled): boolean {
  const now = statics as Readonly<Record<string, unknown>>;
  return staticNames.some((name, index) => now[name] !== values[index]) ||
    entries.some(([value, before]) => !hasEntries(value, before));
}

/** Reports if an object has these entries, and no other ones. */
function hasEntries(object: object, entries: readonly [string, unknown][]): boolean {
  const now = object as Readonly<Record<string, unknown>>;
  return Object.keys(now).length === entries.length &&
    entries.every(([name, value]) => now[name] === value);
}

function compile(statics: ClassDefaults): Compiled {
  const found: Record<string, unknown> = {};
  const invalid: OptionName[] = [];
  for (const [name, { levels, check }] of Object.entries(table)) {
    if (check === undefined) continue;
    found[name] = undefined;
    if (!levels.includes("class")) continue;
    try {
      found[name] = check(name, Reflect.get(statics, name));
    } catch {
      invalid.push(name as OptionName); // the client reports it
    }
  }
  const { libName, libVersion } = statics;
  const settings = withFixedLayout({
    ...found,
    libName,
    libVersion,
    errorMap: {
      ...checkedErrorMap("baseErrorMap", statics.baseErrorMap),
      ...found["errorMap"] as ErrorMap | undefined,
    },
    restrictedPaths: checkedTexts("restrictedPaths", statics.restrictedPaths).map(barePath),
  }) as unknown as Settings;
  const agent = userAgent(settings);
  const values = staticNames.map((name) => Reflect.get(statics, name));
  return {
    settings,
    agent,
    headers: { "user-agent": agent },
    crossOriginHeaders: checkedHeaderNames("crossOriginHeaders", statics.crossOriginHeaders),
    logger: getLogger(`${libName}.${statics.name}`),
    values,
    // A logger may change as it likes: it is not read here.
    entries: values
      .filter((value) => value !== statics.logger && !Object.isFrozen(value))
      .map((value) => [value, Object.entries(value)]),
    invalid,
  };
}

/**
 * Returns an object as it is, and makes its copies small and fast. V8 keeps an object with many computed
 * names as a hash table, and one that is a prototype as a record. Copies by spread have the same form.
 */
function withFixedLayout<T extends object>(object: T): T {
  return Object.getPrototypeOf(Object.create(object));
}
