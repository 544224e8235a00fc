/** Derives the name in a document from the name of a property, as in `snake_case`. */
import { UnexpectedValueError } from "../errors/unexpected_value_error.ts";
import type { RenameRule } from "./model_class.ts";

/** The rules: each joins the words of a name. */
const rules: Readonly<Record<string, (words: readonly string[]) => string>> = {
  "camelCase": ([first = "", ...rest]) => first.toLowerCase() + rest.map(capitalized).join(""),
  "PascalCase": (words) => words.map(capitalized).join(""),
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
  return (property) => {
    // A leading underscore or dollar sign, as in `_id`, is not between words.
    const lead = /^[_$]*/.exec(property)![0];
    return lead + join(wordsOf(property.slice(lead.length)));
  };
}

/**
 * Splits a name into words: `parseHTMLText` is `parse`, `HTML` and `Text`; `list_type` is `list` and
 * `type`. Digits belong to the word before them.
 */
function wordsOf(name: string): readonly string[] {
  return name.split(boundary).filter((word) => word !== "");
}

/** A separator, or the place before the capital letter that starts a word. */
const boundary =
  /[-_.\s]+|(?<![\p{Lu}\p{M}])(?=\p{Lu})|(?=\p{Lu})(?<=\p{Ll}\p{M}+)|(?=\p{Lu}\p{M}*\p{Ll})(?<=\p{Lu}\p{M}*)/u;

function capitalized(word: string): string {
  const [first = ""] = word;
  return first.toUpperCase() + word.slice(first.length);
}
