/** Parses the challenges of a WWW-Authenticate header, also with the common mistakes of servers. */

/** One challenge of a WWW-Authenticate header (RFC 9110 §11.6.1). */
export interface Challenge {
  /** The scheme, in lower case. */
  readonly scheme: string;
  /** The parameters. Their names are in lower case. */
  readonly params: ReadonlyMap<string, string>;
  /** A description of the mistake in the challenge; undefined if it has none. */
  readonly problem: string | undefined;
}

// Each pattern reads a character only once, so the time is linear in the length of the header.
const separators = /[\t ,]*/y;
const param =
  /([!#$%&'*+.^_`|~0-9A-Za-z-]+)[\t ]*=[\t ]*(?:"([^"\\]*(?:\\[^][^"\\]*)*)"|((?!=)[^\t ,"]+))/y;
const scheme = /([!#$%&'*+.^_`|~0-9A-Za-z-]+)(?=[\t ,]|$)[\t ]*/y;
const token68 = /[0-9A-Za-z._~+/-]+=*[\t ]*(?=,|$)/y;
const restOfElement = /(?:[^,"]+|"[^"\\]*(?:\\[^][^"\\]*)*")*/y;

/**
 * Parses the challenges of a WWW-Authenticate header. Several headers arrive as one, joined by
 * commas.
 *
 * Common mistakes of servers are accepted: a missing comma, or an unquoted value with characters
 * that need quotes. If a challenge cannot be parsed, its `problem` is set; the other challenges are
 * still returned.
 *
 * @param header The header, or null if the response has none
 */
export function readChallenges(header: string | null): readonly Challenge[] {
  const found: { scheme: string; params: Map<string, string>; problem: string | undefined }[] = [];
  const scan = new Scan(header ?? "");
  while (!scan.isAtEnd()) {
    const read = scan.next(param);
    const current = found.at(-1);
    if (read !== undefined) {
      const [, name, quoted, plain] = read;
      const key = name!.toLowerCase();
      if (current?.params.has(key)) current.problem ??= `has the parameter ${shown(key)} twice`;
      current?.params.set(key, valueOf(quoted, plain));
      continue;
    }
    const named = scan.next(scheme);
    if (named !== undefined) {
      found.push({ scheme: named[1]!.toLowerCase(), params: new Map(), problem: undefined });
      scan.next(token68);
      continue;
    }
    if (current !== undefined) current.problem ??= "cannot be read";
    scan.skip();
  }
  return found;
}

/**
 * Parses a list of parameters, such as Authentication-Info (RFC 7615 §3).
 *
 * @param header The header, or null if the response has none
 * @returns The parameters, with names in lower case; empty if the list cannot be parsed
 */
export function readParams(header: string | null): ReadonlyMap<string, string> {
  const params = new Map<string, string>();
  const scan = new Scan(header ?? "");
  while (!scan.isAtEnd()) {
    const read = scan.next(param);
    if (read === undefined || params.has(read[1]!.toLowerCase())) return new Map();
    params.set(read[1]!.toLowerCase(), valueOf(read[2], read[3]));
  }
  return params;
}

/**
 * Returns a name or value from a server as an error message may show it: only a token of at most 40
 * characters is shown as it is.
 */
export function shown(text: string): string {
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,40}$/.test(text) ? text : "(name not shown)";
}

/** A scanner that reads a header from left to right. */
class Scan {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Skips commas and whitespace, then reports if the header ends here. */
  isAtEnd(): boolean {
    this.next(separators);
    return this.#at >= this.#text.length;
  }

  /** Reads a match of the pattern at the current position; undefined if there is none. */
  next(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const read = pattern.exec(this.#text);
    if (read === null) return undefined;
    this.#at += read[0].length;
    return read;
  }

  /**
   * Skips to the next comma, or to the end if a quote is not closed: its comma cannot be found
   * then.
   */
  skip(): void {
    this.next(restOfElement);
    if (this.#text[this.#at] !== ",") this.#at = this.#text.length;
  }
}

/** Returns the value of a parameter without quotes and escapes (RFC 9110 §5.6.4). */
function valueOf(quoted: string | undefined, plain: string | undefined): string {
  return plain ?? quoted!.replace(/\\([^])/g, "$1");
}
