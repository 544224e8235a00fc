import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import type { RenameRule } from "./model_class.ts";

const rules: Readonly<Record<string, (words: readonly string[]) => string>> = {
  "camelCase": ([first = "", ...rest]) => first.toLowerCase() + rest.map(capitalised).join(""),
  "PascalCase": (words) => words.map(capitalised).join(""),
  "snake_case": (words) => words.join("_").toLowerCase(),
  "SCREAMING_SNAKE_CASE": (words) => words.join("_").toUpperCase(),
  "kebab-case": (words) => words.join("-").toLowerCase(),
};

/**
 * Returns the function that derives the name in a document from the name of a property.
 *
 * @param option The name of the option, for errors
 * @param rule The rule; undefined keeps names as they are
 * @throws {UnexpectedValueError} If there is no such rule
 */
export function renamer(
  option: string,
  rule: RenameRule | undefined,
): (property: string) => string {
  if (rule === undefined) return (property) => property;
  if (typeof rule === "function") {
    return (property) => {
      const name: unknown = rule(property);
      if (typeof name === "string" && name !== "") return name;
      throw new UnexpectedValueError(
        option,
        `a function that returns a name for ${property}`,
        name,
      );
    };
  }
  const join = Object.hasOwn(rules, rule) ? rules[rule] : undefined;
  if (join === undefined) {
    const names = Object.keys(rules).map((name) => `"${name}"`).join(", ");
    throw new UnexpectedValueError(option, `one of ${names}, or a function`, rule);
  }
  return (property) => join(wordsOf(property)) || property;
}

/** Splits a name into words: `htmlURL2` is `html` and `URL2`, `list_type` is `list` and `type`. */
function wordsOf(name: string): readonly string[] {
  return name.match(/\p{Lu}+(?!\p{Ll})\d*|\p{Lu}?[\p{Ll}\p{Lo}]+\d*|\d+/gu) ?? [];
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
