/** Targets for models: what they read from JSON and XML, and what they write. */
import { assert, assertEquals } from "#test";
import fc from "fast-check";
import { SaxesParser } from "saxes";
import { ModelError } from "../../src/errors/model_error.ts";
import { XmlError } from "../../src/errors/xml_error.ts";
import {
  attr,
  bigint,
  boolean,
  date,
  element,
  elements,
  type Fields,
  integer,
  list,
  Model,
  number,
  oneOf,
  record,
  string,
  text,
  toXml,
  unknownContentOf,
} from "../../src/models/mod.ts";
import { anyString } from "../support/property.ts";
import { readAll, type ReadItems } from "../support/streamed.ts";
import { type FuzzTarget, fuzzTarget } from "./fuzz_target.ts";
import { bodiesLike, type BodyInput, bytesIn, chunksOf, latin1Of } from "./inputs.ts";

/** A model with a field of each kind. */
class Note extends Model {
  declare readonly id?: number;
  declare readonly kind?: "a" | "b";
  declare readonly label?: string;
  declare readonly title?: string;
  declare readonly price?: number;
  declare readonly size?: bigint;
  declare readonly isNew?: boolean;
  declare readonly at?: Date;
  declare readonly marks?: readonly number[];
  declare readonly extra?: Readonly<Record<string, string>>;
  declare readonly tags: readonly string[];
  declare readonly notes: readonly Note[];
  declare readonly body?: Body;
  static override readonly tag: string = "note";
  static override readonly fields: Fields<Note> = {
    id: attr(integer, { optional: true }),
    kind: attr(oneOf("a", "b"), { optional: true }),
    label: attr(string, { optional: true }),
    title: element(string, { optional: true }),
    price: element(number, { optional: true }),
    size: element(bigint, { optional: true }),
    isNew: element(boolean, { optional: true }),
    at: element(date, { optional: true }),
    marks: element(list(integer), { optional: true }),
    extra: element(record(string), { optional: true }),
    tags: elements(string, { tag: "tag", within: "tags" }),
    notes: elements(() => Note),
    body: element(() => Body, { optional: true }),
  };
}

class Body extends Model {
  declare readonly lang?: string;
  declare readonly content: string;
  static override readonly tag: string = "body";
  static override readonly fields: Fields<Body> = {
    lang: attr(string, { optional: true }),
    content: text(string),
  };
}

/** The same model, which keeps members that it does not have. */
class OpenNote extends Note {
  static override readonly unknown = "keep";
}

/** The result of reading: the instance as JSON, or the error. */
interface Outcome {
  readonly note?: Note;
  readonly shown: string;
}

/** Returns an error as text. The parser may report several faults, and the chunks decide on the first. */
function shownError(error: unknown): string {
  assert(error instanceof ModelError || error instanceof XmlError, String(error));
  assert(error.message.length < 10_100, "the message is too long");
  return error instanceof XmlError ? error.name : String(error);
}

async function outcomeOf(read: () => Note | Promise<Note>): Promise<Outcome> {
  try {
    const note = await read();
    return { note, shown: note.toJson() };
  } catch (error) {
    return { shown: shownError(error) };
  }
}

const jsonTexts = bodiesLike(
  [
    '{"id":1,"kind":"a","title":"T","price":-0.5,"size":"12345678901234567890","isNew":true}',
    '{"at":"2026-11-20T10:00:00Z","marks":[1,2],"extra":{"k":"v"},"tags":["x"],"more":[{}]}',
    '{"notes":[{"id":2,"notes":[]}],"body":{"lang":"en","content":"a <b> ]]> & c"},"label":"\\n"}',
  ],
  [
    ...[
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      "null",
      "true",
      "1",
      "-0",
      "1e999",
      "1.5",
      '"',
      "\\",
      "\\u0001",
    ],
    ...[
      '"id":',
      '"notes":[',
      '"extra":{',
      '"body":{"content":"',
      '"at":"2026-02-30"',
      '"__proto__":',
    ],
    ...['"constructor":', '"\\ud800"', '"tags":["', '"size":', "\\r", "\\t", " ", '"toJSON":'],
  ],
);

/** Texts that need escapes in XML. A few cannot be written in it. */
const xmlText = fc.oneof(
  {
    arbitrary: fc.array(
      fc.constantFrom(
        "a",
        "<",
        "&",
        "]]>",
        "\r\n",
        "\r",
        "\t",
        " ",
        "-->",
        "€",
        '"',
        "'",
        "😀",
        "\x85",
      ),
      { maxLength: 6 },
    ).map((all) => all.join("")),
    weight: 30,
  },
  { arbitrary: anyString, weight: 1 },
);

/** Values of the model. */
const { note: jsonValues } = fc.letrec((tie) => ({
  note: fc.record({
    id: fc.maxSafeInteger(),
    kind: fc.constantFrom("a", "b"),
    label: xmlText,
    title: xmlText,
    price: fc.double({ noDefaultInfinity: true, noNaN: true }),
    size: fc.oneof(fc.bigInt().map(String), fc.maxSafeInteger()),
    isNew: fc.boolean(),
    at: fc.oneof(
      fc.date({ noInvalidDate: true }).map((at) => at.toISOString()),
      fc.constantFrom("2026-11-20", "0001-01-01", "2026-11-20T10:00:00+02:00"),
    ),
    marks: fc.array(fc.maxSafeInteger(), { maxLength: 3 }),
    extra: fc.dictionary(fc.constantFrom("k", "a-b", "é", "_", "__proto__"), xmlText, {
      maxKeys: 2,
    }),
    tags: fc.array(xmlText, { maxLength: 2 }),
    notes: fc.array(tie("note"), { maxLength: 2 }),
    body: fc.record({ lang: xmlText, content: xmlText }, { requiredKeys: ["content"] }),
    more: fc.jsonValue(),
  }, { requiredKeys: [] }),
}));

const jsonInput = fc.oneof(
  jsonTexts,
  jsonValues.map((value): BodyInput => ({ bytes: latin1Of(JSON.stringify(value)), sizes: [64] })),
);

const jsonModels = fuzzTarget(
  "model-json",
  jsonInput,
  async (body) => {
    const bytes = bytesIn(body);
    const { note, shown } = await outcomeOf(() => Note.fromJson(bytes));
    let parsed: unknown;
    try {
      parsed = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    } catch {
      return assertEquals(note, undefined);
    }
    // A string would be parsed as JSON.
    if (typeof parsed !== "string") {
      assertEquals((await outcomeOf(() => Note.fromJson(parsed))).shown, shown);
    }
    if (note === undefined) return;
    assertEquals(Note.fromJson(shown).toJson(), shown);
    // The same in XML, unless a value has a character or a name that XML has not.
    const written = await unlessRefused(() => toXml(note));
    if (written !== undefined) assertEquals((await Note.fromXml(written)).toJson(), shown);
    // Members without a field are kept.
    const open = await outcomeOf(() => OpenNote.fromJson(parsed));
    const kept = JSON.parse(open.shown);
    for (const [name, value] of unknownContentOf(open.note!).json) {
      assertEquals(
        JSON.stringify(Object.getOwnPropertyDescriptor(kept, name)?.value),
        JSON.stringify(value),
      );
    }
    const names = Object.keys(parsed as object).filter((name) => !Object.hasOwn(Note.fields, name));
    assertEquals([...unknownContentOf(open.note!).json.keys()].sort(), names.sort());
  },
);

/** Writes XML; undefined if the model refuses a value. */
async function unlessRefused(write: () => string | Promise<string>): Promise<string | undefined> {
  try {
    return await write();
  } catch (error) {
    assert(error instanceof ModelError, String(error));
    return undefined;
  }
}

const xmlParts = [
  ...[
    "<",
    ">",
    "</",
    "/>",
    "<note>",
    "</note>",
    '<note id="1">',
    "<title>",
    "</title>",
    "=",
    '"',
    "'",
  ],
  ...[
    "&",
    "&amp;",
    "&#x41;",
    "&#0;",
    "&#xD800;",
    "&lt;",
    "&nope;",
    ";",
    "<![CDATA[",
    "]]>",
    "<!--",
  ],
  ...[
    "-->",
    "--",
    "<?xml version='1.0'?>",
    "<?pi ?>",
    "<!DOCTYPE note>",
    "<!ENTITY a 'b'>",
    "xmlns=",
  ],
  ...[
    "xmlns:p=",
    "p:",
    "xml:",
    "xsi:nil='true'",
    " ",
    "\n",
    "\r",
    "\t",
    "\u0001",
    "\ufffe",
    "\u0085",
  ],
];
const xmlSeeds = [
  '<?xml version="1.0" encoding="UTF-8"?>\n<note id="1" kind="a" label="x &amp; y">\n' +
  "<title>T<!-- c -->U</title><price>1.5</price><tags><tag>a</tag><tag/></tags></note>",
  "<note label='a\r\nb\rc'>\r\n<title>a\r\nb\rc</title></note>",
  "<note><at>2026-11-20</at><marks>1 2 3</marks><extra><k>v</k></extra><isNew>1</isNew>" +
  '<note id="2"/><body lang="en">a <![CDATA[<b>]]> &#x20AC;</body></note>',
  '<p:note xmlns:p="urn:p" xmlns="urn:d"><x/></p:note>',
  "<list><note id='1'/><more><note><size>12345678901234567890</size></note></more></list>",
];

async function* asyncChunks(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield await Promise.resolve(chunk);
}

/** Returns the text of a document; undefined if it is not in UTF-8. */
function textIn(bytes: Uint8Array): string | undefined {
  try {
    const xml = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return /^\s*<\?xml[^>]*encoding=(?!["']utf-8["'])/i.test(xml) ? undefined : xml;
  } catch {
    return undefined;
  }
}

/** Returns the bytes of the UTF-16 of a text with a byte order mark, one as each character. */
function utf16Of(xml: string): string {
  return `\ufeff${xml}`.replace(/[^]/g, (unit) => {
    const code = unit.charCodeAt(0);
    return String.fromCharCode(code & 0xff, code >> 8);
  });
}

/** Reports if a document is well-formed XML, apart from namespaces. */
function isWellFormed(xml: string): boolean {
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  try {
    parser.write(xml).close();
    return true;
  } catch {
    return false;
  }
}

const xmlModels = fuzzTarget("model-xml", bodiesLike(xmlSeeds, xmlParts), async (body) => {
  const bytes = bytesIn(body);
  const { note, shown } = await outcomeOf(() => Note.fromXml(bytes));
  const inChunks = await outcomeOf(() => Note.fromXml(asyncChunks(chunksOf(body))));
  const xml = textIn(bytes);
  // Of an invalid byte and another error in a chunk, the byte is found first.
  if (xml !== undefined) assertEquals(inChunks.shown, shown);
  if (xml !== undefined && !/<\?xml[^>]*encoding/.test(xml)) {
    const inUtf16 = { bytes: utf16Of(xml), sizes: body.sizes };
    const other = await outcomeOf(() => Note.fromXml(asyncChunks(chunksOf(inUtf16))));
    assertEquals(other.shown, shown);
  }
  if (note === undefined) return assertEquals(inChunks.note, undefined);
  if (xml !== undefined) assert(isWellFormed(xml), "it is not well-formed, but was read");
  const again = await Note.fromXml(await toXml(note));
  assertEquals(again.toJson(), shown);
});

const xmlStreams = fuzzTarget("model-stream", bodiesLike(xmlSeeds, xmlParts), async (body) => {
  const bytes = bytesIn(body);
  const read = async (source: Uint8Array | AsyncGenerator<Uint8Array>) =>
    shownOf(await readAll(Note.streamXml(source)));
  const whole = await read(bytes);
  const inChunks = await read(asyncChunks(chunksOf(body)));
  const xml = textIn(bytes);
  if (xml === undefined) return;
  assertEquals(inChunks, whole);
  if (!isWellFormed(xml)) {
    assert(whole.error !== "none", "it is not well-formed, but was read");
  }
});

/** Returns instances as JSON, and the error as text. */
function shownOf({ items, error }: ReadItems<Note>): { items: string[]; error: string } {
  const shown = items.map((note) => note.toJson());
  return { items: shown, error: error === undefined ? "none" : shownError(error) };
}

/** The targets for models. */
export const modelTargets: readonly FuzzTarget[] = [jsonModels, xmlModels, xmlStreams];
