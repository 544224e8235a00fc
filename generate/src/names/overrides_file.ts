/**
 * The file of overrides: a JSON object that turns pages of operations off, or sets their rule, such as
 * `{ "GET /pets/{}": { "pages": { "next": "cursor", "param": "after", "field": "next" } } }`.
 */
import { OverridesError } from "../base/errors.ts";
import type { PagingRule } from "../model/mod.ts";

/** A rule of paging that a document or a file of overrides states. */
export interface StatedPages {
  readonly rule: PagingRule;
  /** The place of the items, with dots; empty if the body is the array. By default, the one array. */
  readonly items?: string | undefined;
  /** The place of the parameters, if it is stated. */
  readonly in?: "query" | "body" | undefined;
}

/** The overrides of an operation. */
export interface Overrides {
  /** The pages; false for none, undefined to find them as usual. */
  readonly pages?: StatedPages | false | undefined;
}

/** The settings of a rule: those that it must have, and those that it may have. */
const rules: Readonly<
  Record<
    PagingRule["kind"],
    { readonly required: readonly string[]; readonly optional: readonly string[] }
  >
> = {
  linkHeader: { required: [], optional: [] },
  nextUrl: { required: ["field"], optional: [] },
  cursor: { required: ["param"], optional: ["field", "lastItem", "hasMore"] },
  offset: { required: ["param"], optional: ["limitParam", "total", "first"] },
  pageNumber: { required: ["param"], optional: ["sizeParam", "total", "pages", "first"] },
};

/** The settings that can also be a header of the response. */
const fields: ReadonlySet<string> = new Set(["field", "hasMore", "total", "pages"]);

/**
 * Parses the text of a file of overrides.
 *
 * @returns The overrides by operation: `GET /pets/{}`
 * @throws {OverridesError} If it is not JSON of that form
 */
export function parseOverrides(text: string): Map<string, Overrides> {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (error) {
    throw new OverridesError("the overrides file is not JSON", { cause: error });
  }
  if (!isObject(value)) {
    throw new OverridesError(
      'the overrides file must be an object, such as {"GET /pets/{}": {"pages": false}}',
    );
  }
  const overrides = new Map<string, Overrides>();
  for (const [operation, entry] of Object.entries(value)) {
    const key = JSON.stringify(operation);
    if (!/^\S+ \/.*$/s.test(operation)) {
      throw new OverridesError(
        `the overrides file has ${key}; an operation is a method and a path, such as "GET /pets/{}"`,
      );
    }
    const unknown = isObject(entry) && Object.keys(entry).find((name) => name !== "pages");
    if (!isObject(entry) || typeof unknown === "string") {
      throw new OverridesError(
        `the overrides file must have an object with "pages" for ${key}` +
          (typeof unknown === "string" ? `, not ${JSON.stringify(unknown)}` : ""),
      );
    }
    overrides.set(operation.replace(/\{[^{}]*\}/g, "{}"), { pages: pagesOf(key, entry["pages"]) });
  }
  return overrides;
}

function pagesOf(key: string, value: unknown): Overrides["pages"] {
  if (value === false || value === undefined) return value;
  const fail = (expected: string): never => {
    throw new OverridesError(`the overrides file must have ${expected} for the pages of ${key}`);
  };
  if (!isObject(value)) return fail("false or an object");
  const { next, items, ...settings } = value;
  const names = Object.keys(rules);
  if (typeof next !== "string" || !Object.hasOwn(rules, next)) {
    return fail(`"next", which is one of ${names.join(", ")},`);
  }
  const { required, optional } = rules[next as keyof typeof rules];
  for (const name of required) if (settings[name] === undefined) return fail(`"${name}"`);
  for (const [name, setting] of Object.entries(settings)) {
    if (![...required, ...optional].includes(name)) {
      const all = ["next", "items", ...required, ...optional].join(", ");
      return fail(`no ${JSON.stringify(name)}, but ${all}`);
    }
    const expected = expectedOf(name, setting);
    if (expected !== undefined) return fail(expected);
  }
  if (items !== undefined && typeof items !== "string") return fail('a string as "items"');
  if (
    next === "cursor" && (settings["field"] === undefined) === (settings["lastItem"] === undefined)
  ) {
    return fail('either "field" or "lastItem"');
  }
  const { lastItem, ...rest } = settings;
  const rule = { kind: next, ...rest, ...lastItem === undefined ? {} : { field: { lastItem } } };
  // Each setting was checked by its name.
  return { rule: rule as PagingRule, items };
}

/** Returns a rule in the form of the file of overrides. */
export function overrideOf(rule: PagingRule): Readonly<Record<string, unknown>> {
  const { kind, ...settings } = rule;
  if (rule.kind !== "cursor" || typeof rule.field === "string" || !("lastItem" in rule.field)) {
    return { next: kind, ...settings };
  }
  const { param, field: { lastItem }, hasMore } = rule;
  return { next: kind, param, lastItem, hasMore };
}

/** Returns what a setting should be; undefined if it is right. */
function expectedOf(name: string, setting: unknown): string | undefined {
  if (name === "first") return setting === 0 || setting === 1 ? undefined : '0 or 1 as "first"';
  const canBeHeader = fields.has(name);
  if (isName(setting) || canBeHeader && isHeader(setting)) return undefined;
  return `a name${canBeHeader ? ' or {"header": NAME}' : ""} as "${name}"`;
}

function isName(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

function isHeader(value: unknown): boolean {
  return isObject(value) && Object.keys(value).join() === "header" &&
    typeof value["header"] === "string" && /^[!#$%&'*+.^_`|~\w-]+$/.test(value["header"]);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
