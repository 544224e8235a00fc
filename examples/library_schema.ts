// Standard Schemas by hand, as small as the library's models need them. An SDK would take them from
// zod, valibot or arktype; the examples run without any package.

import type { StandardIssue, StandardProps, StandardSchema } from "../mod.ts";

/** Where a value stands in a body. */
type Place = readonly PropertyKey[];

/** Reads the value at a place; notes what is wrong with it, and then gives anything. */
export type Reader<T> = (value: unknown, place: Place, issues: StandardIssue[]) => T;

/** Reads a text. */
export const text: Reader<string> = kind("string");
/** Reads a number. */
export const number: Reader<number> = kind("number");
/** Reads true or false. */
export const flag: Reader<boolean> = kind("boolean");

/** Reads a list; one that is not there is empty where it may be left out. */
export function list<T>(
  each: Reader<T>,
  { isOptional = false }: { readonly isOptional?: boolean } = {},
): Reader<readonly T[]> {
  return (value, place, issues) => {
    if (Array.isArray(value)) {
      return value.map((one, index) => each(one, [...place, index], issues));
    }
    const isFine = isOptional && value === undefined;
    if (!isFine) issues.push({ path: place, message: "expected a list" });
    return [];
  };
}

/** Reads an object, field by field. */
export function fields<F extends object>(
  readers: { readonly [K in keyof F]: Reader<F[K]> },
): Reader<F> {
  return (value, place, issues) => {
    const found = new Map<string, unknown>(
      typeof value === "object" && value !== null ? Object.entries(value) : [],
    );
    const read = Object.entries<Reader<unknown>>(readers).map(([name, reader]) => [
      name,
      reader(found.get(name), [...place, name], issues),
    ]);
    return Object.fromEntries(read);
  };
}

/** What makes a Standard Schema of an object or a class: its property `~standard`. */
export function standard<T>(read: Reader<T>): StandardProps<unknown, T> {
  return {
    version: 1,
    vendor: "library",
    validate(value) {
      const issues: StandardIssue[] = [];
      const made = read(value, [], issues);
      return issues.length === 0 ? { value: made } : { issues };
    },
  };
}

/** A schema without a class. */
export function schema<T>(read: Reader<T>): StandardSchema<unknown, T> {
  return { "~standard": standard(read) };
}

function kind<T>(expected: "string" | "number" | "boolean"): Reader<T> {
  return (value, place, issues) => {
    const given: string = typeof value;
    if (given !== expected) issues.push({ path: place, message: `expected a ${expected}` });
    return value as T;
  };
}
