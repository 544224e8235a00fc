/** Replaces secrets by placeholders and back, in each encoding in which they occur. */
import { replaceSecrets } from "../../call/replace_secrets.ts";
import { binaryText } from "./body_format.ts";

/**
 * The text in place of a secret: `REDACTED-` with a number, or with a name of the option `secrets`.
 * It contains only characters that are valid in URLs, headers, cookies, JSON and XML. A form at its
 * end, as in `REDACTED-1-base64`, is the encoding of the secret. `~` separates it from a character
 * that could belong to it.
 */
const placeholders =
  /REDACTED-(\w+?)(?:-(base64|base64url|colons|hex|json|jwt|number|url|xml))?(?:~|(?![\w-]))/g;

/** The beginning of every placeholder. */
export const REDACTED = "REDACTED";

/** Values that hide nothing. */
const noSecrets = /^(?:|true|false|null|none|undefined)$/i;

/** Shorter secrets are replaced only at their own place, because they also occur in other texts. */
const SECRET_LENGTH = 4;

/** Shorter secrets are replaced only as whole words. */
const WORD_LENGTH = 12;

/** A JSON Web Token (RFC 7519). */
const isToken = /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/;

/** A letter, a digit, `-`, `.` or `_` in hexadecimal digits: no encoder has to escape it, but some do. */
const hexLetter = "2[de]|3\\d|[46][1-9a-f]|[57][\\da]|5f";

/** The same in decimal digits. */
const letter = "4[5689]|5[0-7]|6[5-9]|[78]\\d|9[05789]|1[01]\\d|12[0-2]";

/** Such a character as JSON, URLs and XML escape it. */
const escapedLetters = new RegExp(
  `\\\\u00(${hexLetter})|%(${hexLetter})|&#x0*(${hexLetter});|&#0*(${letter});`,
  "gi",
);

/** A word that may have such escapes. */
const escapedWords = new RegExp(`(?:[\\w.-]|%[\\da-f]{2}|${escapedLetters.source})+`, "gi");

/** Base64 in lines of 60 characters or more, as mail, PEM, Python and Ruby write it. */
const base64Lines =
  /(?<![\w+/-])(?:[\w+/-]{60,}(?:\r?\n[ \t]*|(?:\\r)?\\n|(?:%0d)?%0a))+[\w+/-]+/gi;

/** The breaks between such lines. */
const lineBreaks = /\r?\n[ \t]*|(?:\\r)?\\n|(?:%0d)?%0a/gi;

/** The beginning of an escape of JSON, URLs, forms and HTML, or a character of UTF-8. */
const escapes = /[\\%&+]|[\xc2-\xf4][\x80-\xbf]/;

/** Encodings in which a secret is found and put back. */
const encodings: Readonly<Record<string, (value: string) => string>> = {
  base64: (value) => btoa(binaryText(new TextEncoder().encode(value))),
  base64url: (value) => urlAlphabet(encodings["base64"]!(value)),
  // As programs show fingerprints.
  colons: (value) => encodings["hex"]!(value).replace(/..(?!$)/g, "$&:"),
  hex: (value) =>
    [...new TextEncoder().encode(value)].map((byte) => byte.toString(16).padStart(2, "0")).join(""),
  json: (value) => JSON.stringify(value).slice(1, -1),
  // A token without claims, so that a program can decode it.
  jwt: (value) => isToken.test(value) ? value : `eyJhbGciOiJub25lIn0.e30.${value}`,
  number: (value) => value,
  url: (value) => encodeURIComponent(value.toWellFormed()),
  xml: (value) => value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`),
};

/** Secrets with their placeholders. */
export class Secrets {
  /** The names of the placeholders, by value. */
  readonly #names = new Map<string, string>();
  /** The values that are replaced in all texts. */
  readonly #searched = new Set<string>();
  #last = 0;
  readonly #isAnonymous: boolean;
  #search: Search | undefined;

  /**
   * @param named Secrets with names of their own
   * @param used Text with placeholders whose numbers are in use
   * @param isAnonymous True if placeholders have no numbers, because the text is only shown
   */
  constructor(named: Readonly<Record<string, string>>, used: string, isAnonymous: boolean) {
    this.#isAnonymous = isAnonymous;
    for (const [name, value] of Object.entries(named)) {
      if (value === "") continue;
      this.#names.set(value, name);
      this.#searched.add(value);
    }
    for (const [, name] of used.matchAll(placeholders)) {
      if (/^\d+$/.test(name!)) this.#last = Math.max(this.#last, Number(name));
    }
  }

  /**
   * Adds a secret.
   *
   * @param value The secret
   * @param isWeak True if the value may also be harmless, such as that of a cookie. Then it is
   * searched in other texts only if it looks like a key
   */
  add(value: string, isWeak: boolean): void {
    if (noSecrets.test(value) || value.startsWith(REDACTED)) return;
    if (!this.#names.has(value)) this.#names.set(value, String(++this.#last));
    if (value.length < SECRET_LENGTH || isWeak && !looksLikeKey(value)) return;
    if (this.#searched.has(value)) return;
    this.#searched.add(value);
    this.#search = undefined;
  }

  /** Returns the placeholder of a secret that was added; the value itself if it hides nothing. */
  placeholder(value: string, form: string = isToken.test(value) ? "jwt" : ""): string {
    const name = this.#names.get(value);
    if (name === undefined) return value;
    return this.#isAnonymous ? REDACTED : `${REDACTED}-${name}${form && `-${form}`}`;
  }

  /** Replaces the secrets in a text, in all their encodings. */
  replace(text: string): string {
    if (this.#searched.size === 0) return text;
    const { forms, base64, special } = this.#search ??= this.#createSearch();
    const shown = replaceInLines(replaceEscaped(replaceForms(text, forms), forms), base64);
    // Encoders differ in the characters that they escape.
    if (special.length === 0 || !escapes.test(shown)) return shown;
    if (replaceSecrets(shown, special, "") === shown) return shown;
    return special.reduce(
      (each, value) => replaceSecrets(each, [value], `${this.placeholder(value)}~`),
      shown,
    );
  }

  #createSearch(): Search {
    const forms = new Map<string, Form>();
    const base64 = new Map<string, Form>();
    for (const value of this.#searched) {
      const add = (form: string, name?: string, isWord: boolean = form.length < WORD_LENGTH) => {
        if (form.length >= SECRET_LENGTH && !forms.has(form)) {
          forms.set(form, { placeholder: this.placeholder(value, name), isWord });
        }
      };
      add(value);
      // As it is in bytes that are not text.
      add(binaryText(new TextEncoder().encode(value)));
      for (const [name, encode] of Object.entries(encodings)) add(encode(value), name);
      add(encodings["hex"]!(value).toUpperCase(), "hex");
      add(encodings["colons"]!(value).toUpperCase(), "colons");
      add(encodeURIComponent(encodings["base64"]!(value)), "base64");
      // As forms and other programs encode it.
      add(new URLSearchParams([["", value]]).toString().slice(1), "url");
      add(encodings["url"]!(value).replace(/%../g, (code) => code.toLowerCase()), "url");
      const text = value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
      add(text, "xml");
      add(text.replaceAll('"', "&quot;").replaceAll("'", "&apos;"), "xml");
      add(value.replaceAll("/", "\\/"), "json");
      const parts = base64Parts(value).flatMap((each) => [each, urlAlphabet(each)]);
      // Base64 is not made of words.
      for (const part of parts) add(part, undefined, false);
      for (const form of [encodings["base64"]!(value), encodings["base64url"]!(value), ...parts]) {
        const found = forms.get(form);
        if (found !== undefined) base64.set(form, found);
      }
    }
    const special = [...this.#searched].filter((value) => /[^\w.-]/.test(value));
    return { forms: formsIn(forms), base64: formsIn(base64), special };
  }
}

/** A text that is searched. */
interface Form {
  readonly placeholder: string;
  /** True if it is only replaced as a whole word. */
  readonly isWord: boolean;
}

/** The texts to search. A recording may have thousands, so that a regular expression is too slow. */
interface Forms {
  readonly forms: ReadonlyMap<string, Form>;
  /** The lengths of the texts, by their first characters. The longest is first. */
  readonly lengths: ReadonlyMap<string, readonly number[]>;
}

/** The secrets in the forms in which they are searched. */
interface Search {
  /** All forms. */
  readonly forms: Forms;
  /** The forms in Base64, which may have line breaks. */
  readonly base64: Forms;
  /** The secrets with characters that encoders may escape. */
  readonly special: readonly string[];
}

function formsIn(forms: ReadonlyMap<string, Form>): Forms {
  const lengths = new Map<string, number[]>();
  // A secret may be a part of another one, so that the longest comes first.
  for (const form of [...forms.keys()].sort((one, other) => other.length - one.length)) {
    const start = form.slice(0, SECRET_LENGTH);
    const known = lengths.get(start);
    if (known === undefined) lengths.set(start, [form.length]);
    else if (known.at(-1) !== form.length) known.push(form.length);
  }
  return { forms, lengths };
}

/** Replaces secrets in which letters are escaped. */
function replaceEscaped(text: string, forms: Forms): string {
  if (text.search(escapedLetters) < 0) return text;
  return text.replace(escapedWords, (word) => {
    const plain = word.replace(escapedLetters, (_, ...codes: unknown[]) => {
      const [json, url, hex, decimal] = codes as (string | undefined)[];
      return String.fromCharCode(decimal ? Number(decimal) : parseInt(json ?? url ?? hex!, 16));
    });
    const shown = replaceForms(plain, forms);
    return shown === plain ? word : shown;
  });
}

/** Replaces secrets in Base64 with line breaks. */
function replaceInLines(text: string, base64: Forms): string {
  return text.replace(base64Lines, (lines) => {
    const content = lines.replace(lineBreaks, "");
    const shown = replaceForms(content, base64);
    return shown === content ? lines : shown;
  });
}

/** Replaces the texts of a search. */
function replaceForms(text: string, { forms, lengths }: Forms): string {
  let [result, start] = ["", 0];
  for (let index = 0; index <= text.length - SECRET_LENGTH; index++) {
    const length = lengths.get(text.slice(index, index + SECRET_LENGTH))?.find((each) => {
      const form = forms.get(text.slice(index, index + each));
      return form !== undefined && (!form.isWord || isWord(text, index, index + each));
    });
    if (length === undefined) continue;
    const end = index + length;
    const { placeholder } = forms.get(text.slice(index, end))!;
    const isSeparated = !/[\w~-]/.test(text.charAt(end));
    result += `${text.slice(start, index)}${placeholder}${isSeparated ? "" : "~"}`;
    start = end;
    index = end - 1;
  }
  return result + text.slice(start);
}

/** Reports if no letter or digit is beside a part of a text, except those of percent-encoding. */
function isWord(text: string, start: number, end: number): boolean {
  const isLetter = (character: string) => /[a-z0-9]/i.test(character);
  const isAfterLetter = isLetter(text.charAt(start - 1)) &&
    !/^%[0-9a-f]{2}$/i.test(text.slice(Math.max(0, start - 3), start));
  return !isAfterLetter && !isLetter(text.charAt(end));
}

function urlAlphabet(base64: string): string {
  return base64.replaceAll("+", "-").replaceAll("/", "_").replace(/={1,2}$/, "");
}

/**
 * Returns the Base64 of a secret inside of longer content, for each of the three positions that it
 * can have in a group of three bytes.
 */
function base64Parts(value: string): string[] {
  const bytes = binaryText(new TextEncoder().encode(value));
  return [0, 1, 2].map((before) => {
    const whole = btoa("\0".repeat(before) + bytes);
    // A character at an end also has bits of the bytes around.
    const start = Math.ceil(before * 8 / 6);
    return whole.slice(start, Math.floor((before + bytes.length) * 8 / 6));
  }).filter((part) => part.length >= 8);
}

/** Reports if a value looks like a key or a token, and not like a word, a date or a number. */
function looksLikeKey(value: string): boolean {
  return /^\S{8,}$/.test(value) &&
    (value.length >= 24 || /[a-z]/i.test(value) && /\d/.test(value));
}

/** Replaces each placeholder by another text. */
export function replacePlaceholders(
  text: string,
  replace: (placeholder: string, name: string, form: string | undefined, offset: number) => string,
): string {
  return text.includes(REDACTED)
    ? text.replace(
      placeholders,
      (found, name: string, form: string | undefined, offset: number) =>
        replace(found, name, form, offset),
    )
    : text;
}

/** Splits a text at its placeholders: text, placeholder, text, and so on. */
export function splitAtPlaceholders(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (const { 0: found, index } of text.matchAll(placeholders)) {
    parts.push(text.slice(start, index), found.replace(/~$/, ""));
    start = index + found.length;
  }
  return [...parts, text.slice(start)];
}

/** Returns a value in the encoding of a placeholder. */
export function encodeAs(form: string | undefined, value: string): string {
  return form === undefined ? value : encodings[form]!(value);
}

/** Reports if a text is one placeholder of this encoding and nothing else. */
export function isPlaceholderOf(form: string, text: string): boolean {
  const [before, found, after] = splitAtPlaceholders(text);
  return before === "" && after === "" && found!.endsWith(`-${form}`);
}
