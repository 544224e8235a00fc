/** One challenge of a WWW-Authenticate header (RFC 9110 §11.6.1). */
export interface Challenge {
  /** The scheme, in lower case. */
  readonly scheme: string;
  /** Its parameters, names in lower case. */
  readonly params: ReadonlyMap<string, string>;
  /** What is wrong with it; undefined where nothing is. */
  readonly problem: string | undefined;
}

// Each pattern goes over what it reads once, so that a long header takes no longer than it is long.
const separators = /[\t ,]*/y;
const param =
  /([!#$%&'*+.^_`|~0-9A-Za-z-]+)[\t ]*=[\t ]*(?:"([^"\\]*(?:\\[^][^"\\]*)*)"|((?!=)[^\t ,"]+))/y;
const scheme = /([!#$%&'*+.^_`|~0-9A-Za-z-]+)(?=[\t ,]|$)[\t ]*/y;
const token68 = /[0-9A-Za-z._~+/-]+=*[\t ]*(?=,|$)/y;
const restOfElement = /(?:[^,"]+|"[^"\\]*(?:\\[^][^"\\]*)*")*/y;

/**
 * Reads the challenges of WWW-Authenticate; several headers come joined by commas.
 *
 * What servers commonly get wrong is read all the same: an unquoted value with characters that ask
 * for quotes, a comma that is missing. A challenge that cannot be read says so, and those beside it
 * are still there.
 *
 * @param header The header; null where there is none
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
 * Reads a list of parameters, such as Authentication-Info (RFC 7615 §3).
 *
 * @param header The header; null where there is none
 * @returns The parameters, names in lower case; none where the list cannot be read
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

/** A name or a value of a server's as an error may show it: a token, and not a long one. */
export function shown(text: string): string {
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,40}$/.test(text) ? text : "(of odd characters)";
}

/** The way through a header, from left to right. */
class Scan {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Goes over commas and blanks. */
  isAtEnd(): boolean {
    this.next(separators);
    return this.#at >= this.#text.length;
  }

  /** Reads what comes next; undefined where it is something else. */
  next(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const read = pattern.exec(this.#text);
    if (read === null) return undefined;
    this.#at += read[0].length;
    return read;
  }

  /** Goes to the next comma; where a quote is open nobody can tell which one that is. */
  skip(): void {
    this.next(restOfElement);
    if (this.#text[this.#at] !== ",") this.#at = this.#text.length;
  }
}

/** The value of a parameter, its quotes and escapes undone (RFC 9110 §5.6.4). */
function valueOf(quoted: string | undefined, plain: string | undefined): string {
  return plain ?? quoted!.replace(/\\([^])/g, "$1");
}
