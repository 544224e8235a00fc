/** The names file: a JSON object with the name of each operation, `"GET /pets/{}": "pets.get"`. */
import { NamesError } from "../base/errors.ts";

/**
 * Parses the text of a names file.
 *
 * @throws {NamesError} If it is not a JSON object of strings
 */
export function parseNames(text: string): Map<string, string> {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (error) {
    throw new NamesError("the names file is not JSON", { cause: error });
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new NamesError('the names file must be an object, such as {"GET /pets/{}": "pets.get"}');
  }
  const names = new Map<string, string>();
  for (const [operation, name] of Object.entries(value)) {
    const key = JSON.stringify(operation);
    if (!/^\S+ \/.*$/s.test(operation)) {
      throw new NamesError(
        `the names file has ${key}; an operation is a method and a path, such as "GET /pets/{}"`,
      );
    }
    if (typeof name !== "string" || !/^[A-Za-z_$][\w$]*\.[A-Za-z_$][\w$]*$/.test(name)) {
      throw new NamesError(
        `the names file has no name for ${key}; a name is a field and a method, such as "pets.get"`,
      );
    }
    names.set(operation, name);
  }
  return names;
}

/**
 * Returns the text of a names file with all names.
 *
 * The names of an earlier file stay in their order, also those of operations that are gone, which
 * may come back. If there is nothing new, the text is the same.
 *
 * @param names The names of this run
 * @param earlier The text of the file, if there is one
 */
export function printNames(names: ReadonlyMap<string, string>, earlier?: string): string {
  const all = earlier === undefined ? new Map<string, string>() : parseNames(earlier);
  const added = [...names].filter(([operation]) => !all.has(operation));
  if (earlier !== undefined && added.length === 0) return earlier;
  for (const [operation, name] of added.sort(byKey)) all.set(operation, name);
  const lines = [...all].map(([operation, name]) =>
    `  ${JSON.stringify(operation)}: ${JSON.stringify(name)}`
  );
  return lines.length === 0 ? "{}\n" : `{\n${lines.join(",\n")}\n}\n`;
}

/** Compares by the path, then the method, in the order of code units, which no locale changes. */
function byKey([left]: readonly [string, string], [right]: readonly [string, string]): number {
  const key = (operation: string): string => {
    const space = operation.indexOf(" ");
    return `${operation.slice(space + 1)} ${operation.slice(0, space)}`;
  };
  return key(left) < key(right) ? -1 : 1;
}
