/** Skips the document type declaration of a document, or rejects it. */
import { isXmlText } from "./escape.ts";
import { XmlFault } from "./port.ts";

/**
 * Replaces the document type declaration by spaces, or rejects it. Offsets do not change.
 *
 * Parsers differ in where they allow a declaration and in how strictly they parse it, so neither
 * parser gets to see it. A declaration after the start of the root stays in the text: both parsers
 * reject it.
 *
 * @param chunks The text of the document
 * @param policy "skip" if a declaration is allowed
 * @throws {XmlFault} If the declaration is not allowed, is malformed, or is the second one
 */
export async function* withoutDoctype(
  chunks: AsyncIterable<string>,
  policy: "refuse" | "skip" = "refuse",
): AsyncGenerator<string, void, undefined> {
  const prolog = new Prolog(policy);
  /** The start of markup at the end of a chunk. It may turn out to be a DOCTYPE. */
  let held = "";
  for await (const chunk of chunks) {
    if (prolog.isOver) {
      yield held + chunk;
      held = "";
      continue;
    }
    const text = held + chunk;
    held = text.endsWith("<!") ? "<!" : text.endsWith("<") ? "<" : "";
    if (text.length > held.length) yield prolog.blanked(text.slice(0, text.length - held.length));
  }
  prolog.end();
  if (held !== "") yield held;
}

/**
 * The part of a document before its root: whitespace, comments, processing instructions, one DOCTYPE.
 */
class Prolog {
  /** True after the start of the root, or after a mistake that the parser will reject. */
  isOver = false;
  readonly #policy: "refuse" | "skip";
  readonly #reading: Generator<void, void, string>;
  /** The offset of the character that is being read. */
  #offset = -1;
  #start = Infinity;
  #end = Infinity;

  constructor(policy: "refuse" | "skip") {
    this.#policy = policy;
    this.#reading = this.#prolog();
    this.#reading.next();
  }

  /** Reads the next text, and returns it with spaces in place of a DOCTYPE. */
  blanked(text: string): string {
    const begin = this.#offset + 1;
    for (let index = 0; index < text.length && !this.isOver; index++) {
      this.#offset = begin + index;
      this.isOver = this.#reading.next(text[index]!).done === true;
    }
    const from = Math.max(this.#start - begin, 0);
    const to = Math.min(this.#end - begin, text.length);
    if (from >= to) return text;
    if (!isXmlText(text.slice(from, to))) {
      throw new XmlFault("the DOCTYPE contains a character that XML does not allow", begin + from);
    }
    return text.slice(0, from) + " ".repeat(to - from) + text.slice(to);
  }

  /** Checks at the end of the document that the DOCTYPE is closed. */
  end(): void {
    if (this.#start < Infinity && this.#end === Infinity) {
      throw new XmlFault("the DOCTYPE is not closed", this.#start);
    }
  }

  *#prolog(): Generator<void, void, string> {
    for (;;) {
      let char = yield* afterBlanks();
      if (char !== "<") return;
      char = yield;
      if (char === "?") {
        yield* skip("?>");
        continue;
      }
      if (char !== "!") return;
      char = yield;
      if (char === "D") {
        yield* this.#doctype();
        continue;
      }
      if (char !== "-" || (yield) !== "-") return;
      yield* skip("-->");
    }
  }

  *#doctype(): Generator<void, void, string> {
    const start = this.#offset - 2;
    if (this.#end < Infinity) throw new XmlFault("only one DOCTYPE is allowed", start);
    this.#start = start;
    for (const letter of "OCTYPE") if ((yield) !== letter) this.#fail("expected <!DOCTYPE");
    if (this.#policy === "refuse") {
      throw new XmlFault(
        'a document type declaration is not allowed: to skip it, pass { doctype: "skip" } to ' +
          "fromXml or streamXml; for responses set it on the model, with " +
          'model(tag, fields, { doctype: "skip" }) or a static doctype',
        start,
      );
    }
    let head = "";
    let char = yield;
    for (let quote = ""; quote !== "" || (char !== "[" && char !== ">"); char = yield) {
      head += char;
      if (char === quote) quote = "";
      else if (quote === "" && (char === '"' || char === "'")) quote = char;
    }
    if (!HEAD.test(head)) {
      this.#fail('expected a DOCTYPE with a name, then SYSTEM "…" or PUBLIC "…" "…" or neither');
    }
    if (char === "[") {
      yield* this.#subset();
      char = yield* afterBlanks();
    }
    if (char !== ">") this.#fail('expected ">" after the DOCTYPE');
    this.#end = this.#offset + 1;
  }

  /** Reads the declarations, only as closely as needed to find their end. */
  *#subset(): Generator<void, void, string> {
    for (;;) {
      let char = yield* afterBlanks();
      if (char === "]") return;
      if (char === "%") {
        yield* skip(";");
        continue;
      }
      if (char === "<") char = yield;
      if (char === "?") yield* skip("?>");
      else if (char === "!") yield* this.#declaration();
      else this.#fail("expected a declaration in the DOCTYPE");
    }
  }

  *#declaration(): Generator<void, void, string> {
    let char = yield;
    if (char === "-") {
      if ((yield) !== "-") this.#fail('expected "<!--" in the DOCTYPE');
      yield* skip("--");
      if ((yield) !== ">") this.#fail('"--" is not allowed within a comment');
      return;
    }
    let keyword = "";
    for (; char >= "A" && char <= "Z"; char = yield) keyword += char;
    if (!DECLARATIONS.has(keyword) || !isBlank(char)) {
      this.#fail("expected ELEMENT, ATTLIST, ENTITY or NOTATION in the DOCTYPE");
    }
    for (; char !== ">"; char = yield) {
      if (char === "<") this.#fail('"<" is not allowed within a declaration');
      if (char === '"' || char === "'") yield* skip(char);
    }
  }

  #fail(message: string): never {
    throw new XmlFault(message, this.#offset);
  }
}

/**
 * Matches a DOCTYPE after its keyword (XML 1.0, rules 28, 75 and 11 to 13). The name is not
 * checked.
 */
const HEAD =
  /^[ \t\n]+[^ \t\n<>"'[\]]+(?:[ \t\n]+(?:SYSTEM|PUBLIC[ \t\n]+(?:"[-\w '()+,./:=?;!*#@$%\n]*"|'[-\w ()+,./:=?;!*#@$%\n]*'))[ \t\n]+(?:"[^"]*"|'[^']*'))?[ \t\n]*$/;

const DECLARATIONS: ReadonlySet<string> = new Set(["ELEMENT", "ATTLIST", "ENTITY", "NOTATION"]);

/** Reads up to and including a closing text. */
function* skip(end: string): Generator<void, void, string> {
  for (let last = ""; last !== end;) last = (last + (yield)).slice(-end.length);
}

/** Reads whitespace, and returns the character after them. */
function* afterBlanks(): Generator<void, string, string> {
  let char = yield;
  while (isBlank(char)) char = yield;
  return char;
}

/** Reports if a character is whitespace. All line breaks are line feeds at this point. */
function isBlank(char: string): boolean {
  return char === " " || char === "\t" || char === "\n";
}
