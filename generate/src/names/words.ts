/** Words of names in any casing, and the names that are made of them. */

import type { PagingRule } from "../model/mod.ts";

/** The most characters of a name. */
const MAX_LENGTH = 60;

/**
 * Splits a name of any casing into its words: `list_pets`, `listPets` and `ListPETS` have two.
 * Letters other than those of ASCII are left out, accents aside.
 */
export function wordsOf(text: string): string[] {
  const plain = text.slice(0, 1000).normalize("NFKD").replace(/\p{M}/gu, "").replaceAll("'", "");
  const parts = plain.match(/[A-Za-z0-9]+/g) ?? [];
  return parts.flatMap((part) =>
    part.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/([A-Z])(?=[A-Z][a-z])/g, "$1 ").split(" ")
  );
}

/** Joins words in camelCase. A digit at the beginning gets an underscore before it. */
export function camelCase(words: readonly string[]): string {
  const [first = "", ...others] = cased(words);
  const name = joined([first.toLowerCase(), ...others.map(capitalized)], "", MAX_LENGTH);
  return /^\d/.test(name) ? `_${name}` : name;
}

/** Joins words in snake_case. */
export function snakeCase(words: readonly string[]): string {
  return joined(words.map((word) => word.toLowerCase()), "_", MAX_LENGTH);
}

/** Joins words up to a length. Words that do not fit go; the first one is cut if it is too long. */
export function joined(words: readonly string[], separator: string, length: number): string {
  const [first = "", ...others] = words;
  let text = first.slice(0, length);
  for (const word of others) {
    if (text.length + separator.length + word.length > length) break;
    text += separator + word;
  }
  return text;
}

/** Returns a word with a capital at its beginning. */
export function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Returns the forms in which a word can stand for the same thing: singular and plural. */
export function singularOf(word: string): string {
  const lower = word.toLowerCase();
  if (/[^aeiou]ies$/.test(lower)) return `${lower.slice(0, -3)}y`;
  if (/(?:ch|sh|x|ss|zz)es$/.test(lower)) return lower.slice(0, -2);
  return /[^su]s$/.test(lower) && lower.length > 3 ? lower.slice(0, -1) : lower;
}

/** Returns words in capitals alone as lower case: `LIST_PETS`. */
function cased(words: readonly string[]): readonly string[] {
  const hasLower = words.some((word) => /[a-z]/.test(word));
  return hasLower ? words : words.map((word) => word.toLowerCase());
}

/**
 * Returns the name of an option that does not clash with others. If it does, words are added, so that the
 * name says what the option is: `session` becomes `sessionAuth`.
 *
 * @param added Returns a name with more words
 * @param wished The names that options want, of which none takes that of another
 */
export function optionName(
  wanted: string,
  taken: ReadonlySet<string>,
  added: (name: string) => string,
  wished: ReadonlySet<string>,
): string {
  if (freeName(wanted, taken) === wanted) return wanted;
  const names = [added(wanted), added(added(wanted))];
  const all = new Set([...taken, ...wished]);
  return names.find((each) => !all.has(each)) ?? freeName(names[0]!, all);
}

/** Returns the name of an option for credentials whose own name is not free: `sessionAuth`. */
export function authName(name: string): string {
  return /auth$/i.test(name) ? `${name}Scheme` : `${name}Auth`;
}

/** Words that JavaScript or strict TypeScript reserves, and names that code cannot have. */
const reserved: ReadonlySet<string> = new Set(
  ("arguments as async await break case catch class const constructor continue debugger default " +
    "delete do else enum eval export extends false finally for function if implements import in " +
    "instanceof interface let new null of package private protected public return static super " +
    "switch this throw true try typeof undefined var void while with yield").split(" "),
);

/** Names that endpoints inherit, and those that `await` and JSON.stringify call. */
export const endpointMembers: ReadonlySet<string> = new Set(
  ("constructor hasOwnProperty isPrototypeOf propertyIsEnumerable then toJSON toLocaleString " +
    "toString valueOf").split(" "),
);

/** Names that clients inherit, or that the output gives to them. */
export const clientMembers: ReadonlySet<string> = new Set([
  ...endpointMembers,
  ..."authSchemes close httpSession ready serverUrls withOptions".split(" "),
]);

/** The toolkit's functions for paging rules, which have the names of their kinds. */
const pagingFunctions: Readonly<Record<PagingRule["kind"], true>> = {
  cursor: true,
  linkHeader: true,
  nextUrl: true,
  offset: true,
  pageNumber: true,
};

/** Names of variables and functions in the output's methods, which no argument may hide. */
export const variableNames: ReadonlySet<string> = new Set([
  ...Object.keys(pagingFunctions),
  ...("asJson body cookie deepObject document form json label matrix mergeHeaders mergeParams " +
    "multipart ndjson options params path pipeDelimited request reserved simple spaceDelimited sse " +
    "textFormat undefined voidFormat").split(" "),
]);

/** Names of the toolkit's functions for conversions, which no variable of a method may hide. */
export const conversionFunctions: readonly string[] =
  ("anyOf bigint boolean date dateOnly json list literal looseObject nullable number oneOf string tuple")
    .split(" ");

/**
 * Returns a name that is neither reserved nor taken: with underscores at its end, if it was.
 *
 * @param kind A property or a method can have a reserved word as its name, such as `delete`
 */
export function freeName(
  wanted: string,
  taken: ReadonlySet<string>,
  kind: "variable" | "property" = "variable",
): string {
  let name = wanted;
  while (kind === "variable" && reserved.has(name) || taken.has(name)) name += "_";
  return name;
}
