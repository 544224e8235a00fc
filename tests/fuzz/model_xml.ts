/** Targets for models in XML. */
import { assert, assertEquals } from "#test";
import { SaxesParser } from "saxes";
import { toXml } from "../../src/models/mod.ts";
import { readAll, type ReadItems } from "../support/streamed.ts";
import { type FuzzTarget, fuzzTarget } from "./fuzz_target.ts";
import { bodiesLike, bytesIn, chunksOf } from "./inputs.ts";
import { Note, outcomeOf, shownError } from "./note.ts";

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
  assertEquals(again.toJsonString(), shown);
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
  const shown = items.map((note) => note.toJsonString());
  return { items: shown, error: error === undefined ? "none" : shownError(error) };
}

/** The targets. */
export const xmlTargets: readonly FuzzTarget[] = [xmlModels, xmlStreams];
