/** The target for models in JSON, and for the XML that they are written as. */
import { assert, assertEquals } from "#test";
import fc from "fast-check";
import { ModelError } from "../../src/errors/model_error.ts";
import { toXml, unknownContentOf } from "../../src/models/mod.ts";
import { anyString } from "../support/property.ts";
import { type FuzzTarget, fuzzTarget } from "./fuzz_target.ts";
import { bodiesLike, type BodyInput, bytesIn, latin1Of } from "./inputs.ts";
import { Note, OpenNote, outcomeOf } from "./note.ts";

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

/** The target. */
export const jsonModels: FuzzTarget = fuzzTarget(
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
    assertEquals(Note.fromJson(shown).toJsonString(), shown);
    // The same in XML, unless a value has a character or a name that XML does not allow.
    const written = await unlessRefused(() => toXml(note));
    if (written !== undefined) assertEquals((await Note.fromXml(written)).toJsonString(), shown);
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
