import { ModelError, type ModelIssue } from "../errors/model_error.ts";

/** How many issues are kept; the others are counted. */
const KEPT = 100;

/** How much of a text is shown. */
const EXCERPT = 40;

/** A step along a path: a name, or an index. */
export type Key = string | number;

/** The value where something is wrong: it has been told of, and is not looked at again. */
export const BAD: unique symbol = Symbol("bad");

/** Collects the issues of one document. */
export class Problems {
  readonly #issues: ModelIssue[] = [];
  #count = 0;

  /** How many there are. */
  get count(): number {
    return this.#count;
  }

  /** Whether another one would be kept: where it would not, there is no need to build it. */
  get isFull(): boolean {
    return this.#issues.length >= KEPT;
  }

  /** Adds one; without details it is counted alone. */
  add(issue?: ModelIssue): typeof BAD {
    this.#count++;
    if (issue !== undefined && !this.isFull) this.#issues.push(issue);
    return BAD;
  }

  /** The error, where there is any issue. */
  refuse(model: string, action: string): void {
    if (this.#count === 0) return;
    throw new ModelError(action, { model, issues: this.#issues, count: this.#count });
  }
}

/** What is said of a value that is not what was expected. */
export function unexpected(expected: string, received: unknown): string {
  return `expected ${expected}, but is ${excerpt(received)}`;
}

/** What is said where there is no value. */
export function missing(expected: string): string {
  return `expected ${expected}, but is missing`;
}

/** A short look at a value: texts are cut, what is nested is named. */
export function excerpt(value: unknown): string {
  if (typeof value === "string") {
    return value.length <= EXCERPT
      ? JSON.stringify(value)
      : `${JSON.stringify(value.slice(0, EXCERPT))}… (${value.length} characters)`;
  }
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "function" || typeof value === "symbol") return `a ${typeof value}`;
  if (typeof value !== "object" || value === null) return String(value);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  const name: unknown = Object.getPrototypeOf(value)?.constructor?.name;
  return typeof name === "string" && name !== "" && name !== "Object"
    ? `an object of the class ${name}`
    : "an object";
}

/** How many steps of a path are shown; of longer ones the first and the last. */
const STEPS = 24;

/** A path in JSON: `items[2].price`, `["odd name"]`. */
export function jsonPath(keys: readonly Key[]): string {
  let path = "";
  for (const key of shown(keys)) {
    if (typeof key === "number") path += `[${key}]`;
    else if (key === ELLIPSIS) path += key;
    else if (!/^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(key)) path += `[${JSON.stringify(key)}]`;
    else path += path === "" ? key : `.${key}`;
  }
  return path;
}

/** A path in XML: `/rss/channel/item[2]/@id`, counted from 1 as in XPath. */
export function xmlPath(keys: readonly Key[]): string {
  return shown(keys).map((key) => typeof key === "number" ? `[${key}]` : `/${key}`).join("");
}

const ELLIPSIS = "…";

function shown(keys: readonly Key[]): readonly Key[] {
  return keys.length <= STEPS ? keys : [...keys.slice(0, 8), ELLIPSIS, ...keys.slice(-8)];
}
