/** Finds the options of a constructor that nobody declares: rejects them, or explains them in a warning. */
import type { AuthOption } from "./auth_option.ts";
import { checkedTexts } from "../base/checks.ts";
import { messageText } from "../errors/message_text.ts";
import { optionHint } from "../errors/option_hints.ts";
import { unknownOption } from "../errors/unexpected_value_error.ts";
import { type Definition, definitions, optionNames } from "./definitions.ts";
import type { Generation } from "./generation.ts";

/** The parts of a class that decide which options its constructor has. */
export interface OptionDeclarations {
  /** The class; its `optionNames` and those of its ancestors are declared. */
  readonly service: object;
  /** The generation, which has options of its own. */
  readonly generation: Generation;
  /** The toolkit's class with the statics. */
  readonly statics: object;
}

/**
 * Rejects options that neither the toolkit nor the class declares (contract, Errors, rule 6).
 *
 * @param options The options of the constructor
 * @param declarations The class
 * @throws {UnexpectedValueError} If there are unknown options; the error lists them
 */
export function rejectUnknownOptions(options: object, declarations: OptionDeclarations): void {
  const unknown = unknownIn(options, declarations);
  if (unknown.length === 0) return;
  const remedies = unknown.flatMap(({ name, remedy }) => {
    if (remedy === undefined) return [];
    return unknown.length === 1 ? remedy : `${messageText(name)}: ${remedy}`;
  });
  throw unknownOption(
    unknown.map(({ name }) => name).join(", "),
    [...new Set(knownTo(declarations))].sort(),
    remedies.length === 0 ? undefined : remedies.join("; "),
  );
}

/**
 * Returns a warning for each option of a constructor that is not known, but looks like one that is:
 * the constructor ignores it. Others may be the options of an SDK that declares none.
 *
 * @param options The options
 * @param declarations The class
 * @param className The name of the class
 */
export function ignoredOptions(
  options: object,
  declarations: OptionDeclarations,
  className: string,
): string[] {
  return unknownIn(options, declarations).flatMap(({ name, remedy }) => {
    if (remedy === undefined || Reflect.get(options, name) === undefined) return [];
    const end = remedy.endsWith("?") ? "" : ".";
    return `"${messageText(name)}" is not an option of the constructor, which ignores it: ` +
      `${remedy}${end} If ${className} uses it, declare it in "static optionNames"`;
  });
}

/** An option that is not known, and the remedy if its name is like that of another one. */
interface UnknownOption {
  readonly name: string;
  readonly remedy: string | undefined;
}

function unknownIn(options: object, declarations: OptionDeclarations): readonly UnknownOption[] {
  const others = Object.keys(options).filter((name) => !levelsOf(name)?.includes("client"));
  if (others.length === 0) return [];
  const declared = declaredBy(declarations);
  const placeOf = (name: string) => levelsOf(name)?.includes("call") ? "to each call" : undefined;
  return others.filter((name) => !declared.includes(name))
    .map((name) => ({
      name,
      remedy: Object.keys(declarations.statics).includes(name)
        ? `set it in the class, with "static override readonly ${name}"`
        : optionHint(name, knownTo(declarations), placeOf),
    }));
}

/** Returns the names of the options that a constructor has. */
function knownTo(declarations: OptionDeclarations): string[] {
  return [...optionNames("client"), ...declaredBy(declarations)];
}

/** Returns the names of the options that only this generation or this class has. */
function declaredBy({ service, generation: { ownOptions } }: OptionDeclarations): string[] {
  return [...ownOptions, ...declaredNames(service, "optionNames"), ...credentialNames(service)];
}

/** Returns the names of the options with credentials that a class and its ancestors declare. */
export function credentialNames(service: object): string[] {
  const { authOption } = service as { readonly authOption?: AuthOption };
  return [...declaredNames(service, "credentialOptions"), ...(authOption ? [authOption.name] : [])];
}

/** Returns the option names that a class and its ancestors declare in a static field. */
function declaredNames(service: object, field: "optionNames" | "credentialOptions"): string[] {
  const names: unknown = Reflect.get(service, field);
  if (names === undefined) return [];
  const own = checkedTexts(field, names);
  return [...own, ...declaredNames(Object.getPrototypeOf(service), field)];
}

/** Returns the places where an option can be set; undefined if there is no such option. */
function levelsOf(name: string): readonly string[] | undefined {
  const table: Readonly<Record<string, Definition>> = definitions;
  return Object.hasOwn(table, name) ? table[name]!.levels : undefined;
}

/** The options of the base URL, which the table of options does not have. */
const ofBaseUrl = ["basePath", "baseUrl", "url"];

/**
 * Rejects an option that no call has.
 *
 * @throws {UnexpectedValueError} The error; it has a remedy, or lists the options that exist
 */
export function rejectCallOption(name: string): never {
  const known = optionNames("call").sort();
  const placeOf = (other: string) =>
    levelsOf(other)?.includes("client") || ofBaseUrl.includes(other)
      ? "to the constructor of the session or client"
      : undefined;
  throw unknownOption(name, known, optionHint(name, known, placeOf));
}
