/** Literals of any text of the document: strings and keys that can hold nothing but themselves. */

/**
 * Characters that are printed as escapes: control characters, line separators, and those that change
 * the direction of text or cannot be seen. The two joiners, which emoji and some scripts need, are
 * only escapes in literals.
 */
const unprintable = /[\p{Cc}\p{Cf}\u2028\u2029\p{Cs}]/gu;

/** Returns a string literal. */
export function quoted(text: string): string {
  return JSON.stringify(text).replace(unprintable, escapeOf);
}

/** Returns the literal of a scalar. Numbers that have no literal become expressions. */
export function literal(value: string | number | boolean | null): string {
  if (typeof value === "string") return quoted(value);
  return Object.is(value, -0) ? "-0" : String(value);
}

/** Returns a name as the key of a property in a type. */
export function propertyKey(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name);
}

/** Returns a name as a key in an object literal. `__proto__` would set the prototype. */
export function objectKey(name: string): string {
  return name === "__proto__" ? '["__proto__"]' : propertyKey(name);
}

/**
 * Returns a property of an expression: `this.pets`, `value["pet-id"]`.
 *
 * @param expression The expression; it ends with `?` if it can be undefined: `params?.["pet-id"]`
 */
export function propertyOf(expression: string, name: string): string {
  const key = propertyKey(name);
  if (key === name) return `${expression}.${name}`;
  return `${expression}${expression.endsWith("?") ? "." : ""}[${key}]`;
}

/** Returns the escape of a character. */
export function escapeOf(character: string): string {
  const code = character.codePointAt(0)!.toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
}
