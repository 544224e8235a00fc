/** Names as the TypeScript SDKs of Stainless have them: `list_by_url` is `listByURL` there. */
import type { Setting } from "../read/settings.ts";

/** The words that are written in capitals, unless the configuration says otherwise. */
const INITIALISMS =
  ("3ds ach acl ai api ats cpu crm db dns e2e eeoc gb gpu hd hris html http https id ip iso jsonl kb " +
    "kyb kyc lfs mb mp3 mp4 nft saml sdk sku sms ss ssh sso url").split(" ");

/** A term that a configuration writes in its own way. */
interface Term {
  readonly camel?: string | undefined;
  readonly pascal?: string | undefined;
}

/** A part of a name that is safe in TypeScript. */
const PART = /^[A-Za-z0-9_$]{1,60}$/;

/** The rules by which names are made. */
export class Casing {
  readonly #initialisms = new Set(INITIALISMS);
  /** By their words, joined by underscores. */
  readonly #terms = new Map<string, Term>();
  /** The most words of a term. */
  #longest = 1;

  /** Reads `custom_casings`. */
  constructor(settings?: Setting) {
    for (const [term, setting] of settings?.entries() ?? []) {
      const key = term.toLowerCase();
      const initialism = setting.child("initialism")?.flag();
      if (initialism === true) this.#initialisms.add(key);
      if (initialism === false) this.#initialisms.delete(key);
      const [camel, pascal] = ["camel", "pascal"].map((name) =>
        setting.child(name)?.matching(PART, "a part of a name in TypeScript")
      );
      if (camel === undefined && pascal === undefined) continue;
      this.#terms.set(key, { camel, pascal });
      this.#longest = Math.max(this.#longest, key.split("_").length);
    }
  }

  /** Returns the name of a property or method. */
  camel(name: string): string {
    const [first, ...others] = this.#termsIn(name);
    if (first === undefined) return name;
    // An underscore at the beginning marks a method that a class of the SDK's author calls.
    const mark = name.startsWith("_") ? "_" : "";
    const start = this.#terms.get(first.toLowerCase())?.camel ??
      (this.#isInitialism(first) ? first.toLowerCase() : first[0]!.toLowerCase() + first.slice(1));
    return mark + start + others.map((each) => this.#capital(each)).join("");
  }

  /** Returns the name of a type or class. */
  pascal(name: string): string {
    return this.#termsIn(name).map((each) => this.#capital(each)).join("");
  }

  /** Splits a name at underscores and dashes, but not inside of terms. A part may be in camelCase. */
  #termsIn(name: string): string[] {
    const words = name.split(/[^A-Za-z0-9$]+/).filter((word) => word !== "");
    const terms: string[] = [];
    for (let index = 0; index < words.length;) {
      let length = Math.min(this.#longest, words.length - index);
      const joined = () => words.slice(index, index + length).join("_");
      while (length > 1 && !this.#terms.has(joined().toLowerCase())) length--;
      terms.push(joined());
      index += length;
    }
    return terms;
  }

  #capital(term: string): string {
    const own = this.#terms.get(term.toLowerCase())?.pascal;
    if (own !== undefined) return own;
    if (!this.#isInitialism(term)) return term[0]!.toUpperCase() + term.slice(1);
    return this.#initialisms.has(term) ? term.toUpperCase() : `${term.slice(0, -1).toUpperCase()}s`;
  }

  /** Reports if a word is written in capitals, as `url` and the plural `urls` are. */
  #isInitialism(word: string): boolean {
    return this.#initialisms.has(word) ||
      (word.endsWith("s") && this.#initialisms.has(word.slice(0, -1)));
  }
}
