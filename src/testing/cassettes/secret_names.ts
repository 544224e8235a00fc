/** Decides by its name if a field holds a secret. */
import { isSecret } from "../../call/redact.ts";

/** A part of the words below, so that most names are read once. */
const hint =
  /pass|pwd|pin|otp|secret|token|credential|signature|cv[vc]|card|session|key|jwt|[cx]srf/i;

/** Words that are secrets with anything around them. */
const passwords = /password|passwd|passphrase/;

/** The words of other secrets. The long ones may also be written together with others. */
const secretWords = new RegExp(
  `(?:^|-)(?:${
    [
      "[a-z\\d]*(?:secret|token|credential|signature)s?",
      "pwd|pin|[ht]?otp|cv[vc]|jwt|[cx]srf",
      "[a-z\\d]*card-?(?:number|num|no)",
      "session-?id",
      "[a-z\\d]*(?:api|access|private|secret|signing|encryption|account)-?keys?",
    ].join("|")
  })\\d*(?:-|$)`,
);

/** The last words of names that describe a secret, such as its type. */
const aboutSecret = new RegExp(
  `-(?:age|alg|algorithms?|at|count|date|description|enabled|endpoints?|expir(?:ation|es|y)|format|` +
    `in|kind|label|length|lifetime|limit|max|methods?|min|mode|names?|policy|remaining|required|` +
    `scopes?|size|status|strength|supported|time|title|ttl|types?|ur[il]s?|usage|used|valid|version)$`,
);

/** Tokens that lead to another page. */
const pageToken = /(?:^|-)(?:continuation|next|page|prev|previous)-token$/;

/** Names of numbers of tokens, and of lists of tokens. */
const tokens = /(?:^|-)[a-z\d]*tokens(?:-|$)/;

/** A number, a duration such as `6m0s`, or a date. */
const measure = /^(?:[\d.:+TZ-]+|(?:[\d.]+(?:ms|us|[smhd]))+)$/;

/**
 * Reports if a name is that of a field with a secret: one of a list, or one with the words of a secret,
 * as in `userPassword`, `access-token` and `API_KEY`. A name that only describes a secret, such as
 * `token_type`, is not one, and `nextPageToken` is not one either.
 *
 * @param name The name
 * @param fields Other names, in lower case
 */
export function isSecretName(name: string, { fields }: SecretFields): boolean {
  if (isSecret(name, fields)) return true;
  if (!hint.test(name)) return false;
  const words = wordsOf(name);
  const isNamed = passwords.test(words) || secretWords.test(words);
  return isNamed && !aboutSecret.test(words) && !pageToken.test(words);
}

/** Names of fields. */
interface SecretFields {
  /** The names, in lower case. */
  readonly fields: ReadonlySet<string>;
}

/** Reports if a field has a secret: its name is that of one, and its value is not a number of tokens. */
export function isSecretField(name: string, value: string, fields: SecretFields): boolean {
  return isSecretName(name, fields) && !(countsTokens(name) && isMeasure(value));
}

/** Reports if a field may be a number of tokens, such as `max_tokens`. */
export function countsTokens(name: string): boolean {
  return /tokens/i.test(name) && tokens.test(wordsOf(name));
}

/** Reports if a text is a number, a duration or a date. */
export function isMeasure(value: string): boolean {
  return measure.test(value);
}

/** Returns the words of a name in lower case, with a hyphen between them. */
function wordsOf(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])|([A-Z])([A-Z][a-z])/g, "$1$3-$2$4")
    .replace(/[^A-Za-z\d]+/g, "-")
    .toLowerCase();
}
