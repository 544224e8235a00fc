import {
  assert,
  assertEquals,
  assertInstanceOf,
  assertRejects,
  assertThrows,
  describe,
  it,
} from "#test";
import { checkedModel } from "../../src/content/decode.ts";
import { ModelError } from "../../src/errors/model_error.ts";
import { UnexpectedValueError } from "../../src/errors/unexpected_value_error.ts";
import { XmlError } from "../../src/errors/xml_error.ts";
import { attr, type Fields, Model, model, schema, string } from "../../src/models/mod.ts";
import {
  encodeInstance,
  isModelClass,
  isModelInstance,
  modelBrand,
} from "../../src/models/model_class.ts";
import { decodeTarget } from "../support/decode_target.ts";

class Word extends model("word", { text: attr(string) }) {}

const json = '{"text":"é"}';
const xml = '<word text="é"/>';

describe("the body of a response", () => {
  const types: readonly (readonly [string, string])[] = [
    ["application/json", json],
    ["Application/JSON; charset=utf-8", json],
    ["text/json", json],
    ["application/problem+json", json],
    ["application/xml", xml],
    ["text/xml;charset=UTF-8", xml],
    ["application/atom+xml; type=entry", xml],
  ];
  for (const [type, body] of types) {
    it(`is decoded by its content type: ${type}`, async () => {
      const expected = Word.of({ text: "é" });
      assertEquals(await decodeTarget(Word, body, type), expected);
      assertEquals(await decodeTarget(Word, new TextEncoder().encode(body), type), expected);
    });
  }

  it("is decoded in the chosen format if the content type is wrong", async () => {
    assertEquals((await decodeTarget(Word, json, "text/html", "json")).text, "é");
    assertEquals((await decodeTarget(Word, xml, "application/json", "xml")).text, "é");
  });

  for (const type of ["", "text/html", "application/jsonp", "json", "application/xml-dtd"]) {
    it(`is rejected if it is neither JSON nor XML: ${type === "" ? "no type" : type}`, async () => {
      const error = await assertRejects(() => decodeTarget(Word, json, type), ModelError);
      assert(error.message.includes(type === "" ? "no content type" : type), error.message);
      assert(
        error.message.includes("pass format: jsonFormat(…) or format: xmlFormat(…)"),
        error.message,
      );
    });
  }

  it("is decoded by the charset of the content type in XML", async () => {
    const bytes = Uint8Array.from('<word text="\xe9"/>', (each) => each.charCodeAt(0));
    const type = 'text/xml; charset="ISO-8859-1"';
    assertEquals((await decodeTarget(Word, bytes, type)).text, "é");
    await assertRejects(() => decodeTarget(Word, bytes, "text/xml"), XmlError);
  });

  it("can have a document type in XML only if its model allows that", async () => {
    class Configured extends model("word", { text: attr(string) }, { doctype: "skip" }) {}
    class Declared extends Model {
      declare readonly text: string;
      static override readonly tag: string = "word";
      static override readonly doctype: "refuse" | "skip" = "skip";
      static override readonly fields: Fields<Declared> = { text: attr(string) };
    }
    const whole = `<!DOCTYPE word SYSTEM "word.dtd">${xml}`;
    for (const Each of [Configured, Declared]) {
      assertEquals((await decodeTarget(Each, whole, "text/xml")).text, "é");
      const list = `<!DOCTYPE words><words>${xml}</words>`;
      assertEquals((await decodeTarget([Each], list, "text/xml")).length, 1);
      const expanding = '<!DOCTYPE word [<!ENTITY a "b">]><word text="&a;"/>';
      await assertRejects(() => decodeTarget(Each, expanding, "text/xml"), XmlError);
    }

    const error = await assertRejects(() => decodeTarget(Word, whole, "text/xml"), XmlError);
    for (const advice of ['model(tag, fields, { doctype: "skip" })', "static doctype"]) {
      assert(error.message.includes(advice), error.message);
    }
  });

  it("is decoded by its byte-order mark in JSON", async () => {
    const bytes = new Uint8Array(2 * json.length + 2);
    const view = new DataView(bytes.buffer);
    [...`\ufeff${json}`].forEach((each, index) => view.setUint16(index * 2, each.charCodeAt(0)));
    assertEquals((await decodeTarget(Word, bytes, "application/json")).text, "é");
  });

  it("throws a ModelError or an XmlError if it is invalid, with the parser's error as cause", async () => {
    const error = await assertRejects(
      () => decodeTarget(Word, "<html>", "application/json"),
      ModelError,
      "expected JSON",
    );
    assertInstanceOf(error.cause, SyntaxError);
    await assertRejects(() => decodeTarget(Word, "{}", "application/xml"), XmlError);
    const bytes = Uint8Array.of(0x22, 0xff, 0x22);
    await assertRejects(() => decodeTarget(Word, bytes, "application/json"), ModelError);
  });
});

describe("Typed responses, rule 2: a list of a model class unmarshals a JSON array into a list of instances", () => {
  it("returns a list of instances from JSON", async () => {
    const words = await decodeTarget([Word], `[${json},${json}]`, "application/json");
    assertEquals(words, [Word.of({ text: "é" }), Word.of({ text: "é" })]);
    assertEquals(await decodeTarget([Word], "[]", "application/json"), []);
  });

  it("has the index of an invalid item in the error", async () => {
    const error = await assertRejects(
      () => decodeTarget([Word], `[${json},{}]`, "application/json"),
      ModelError,
      "A list of Word cannot be read from JSON",
    );
    assertEquals(error.issues.map(({ where, path }) => [where, path]), [["[1].text", [1, "text"]]]);
    await assertRejects(
      () => decodeTarget([Word], json, "application/json"),
      ModelError,
      "an array",
    );
  });

  it("rule 3: returns the children of the root with the model's name from XML, in the same way", async () => {
    const words = `<words>${xml}<other>${xml}</other>${xml}</words>`;
    const read = await decodeTarget([Word], words, "application/xml");
    assertEquals(read, [Word.of({ text: "é" }), Word.of({ text: "é" })]);
    assertEquals(await decodeTarget([Word], "<words/>", "application/xml"), []);
  });

  for (
    const root of [
      "<words></words>",
      "<words a='1'>\n <!-- none --> </words>",
      "<p:w xmlns:p='u'/>",
    ]
  ) {
    it(`returns an empty list from XML if the root is empty: ${root.length} characters`, async () => {
      assertEquals(await decodeTarget([Word], root, "application/xml"), []);
    });
  }

  it("reports all issues of XML together", async () => {
    const words = `<words><word/>${xml}<other/>\n<word/></words>`;
    const reading = () => decodeTarget([Word], words, "application/xml");
    const error = await assertRejects(reading, ModelError, "2 problems");
    assertEquals(error.issues.map(({ where, line }) => [where, line]), [
      ["/words/word[1]/@text", 1],
      ["/words/word[3]/@text", 2],
    ]);
  });

  const wanted = "children <word> in no namespace, or an empty root element";
  const misfits: readonly (readonly [string, string, string, number, string])[] = [
    [
      "elements in another namespace",
      `<words xmlns="urn:x">\n<word text="a"/></words>`,
      "/words/word",
      2,
      `expected ${wanted}, but it is <word> in the namespace urn:x`,
    ],
    [
      "a document of another type",
      "<error>\n\n<code>1</code><text>x</text></error>",
      "/error/code",
      3,
      `expected ${wanted}, but it is <code> in no namespace`,
    ],
    [
      "elements that are nested deeper",
      `<page><total>1</total><words>${xml}</words></page>`,
      "/page/total",
      1,
      `expected ${wanted}, but it is <total> in no namespace`,
    ],
    [
      "only text",
      "\n<error>\n not found </error>",
      "/error",
      2,
      `expected ${wanted}, but it is "not found"`,
    ],
    [
      "one element of the model as the root",
      `\n${xml}`,
      "/word",
      2,
      "expected a root element with children <word> in no namespace, but it is one of these itself",
    ],
    [
      "one element of the model around others",
      `<word text="a">${xml}</word>`,
      "/word",
      1,
      "expected a root element with children <word> in no namespace, but it is one of these itself",
    ],
  ];
  for (const [name, body, path, line, message] of misfits) {
    it(`throws for XML that does not match: ${name}`, async () => {
      const reading = () => decodeTarget([Word], body, "application/xml");
      const error = await assertRejects(reading, ModelError, "Word cannot be read from XML");
      assertEquals(error.issues.map((issue) => [issue.where, issue.line, issue.message]), [
        [path, line, message],
      ]);
    });
  }
});

describe("the check for a model", () => {
  it("accepts a model class and rejects other values", () => {
    assert(isModelClass(Word));
    for (const other of [undefined, null, "Word", {}, [], [Word], class {}, schema(Word)]) {
      assert(!isModelClass(other));
    }
  });

  it("accepts a model class or a list of one as the type of a body, and throws for other values", () => {
    for (const model of [Word, [Word]]) assert(checkedModel("model", model) === model);
    for (const other of [null, "Word", {}, [], [Word, Word], class {}, [class {}]]) {
      assertThrows(() => checkedModel("model", other), UnexpectedValueError);
    }
  });

  it("accepts an instance of a model and rejects other values", () => {
    assert(isModelInstance(Word.of({ text: "x" })));
    for (const other of [Word, {}, null, [Word.of({ text: "x" })], Object.create(null)]) {
      assert(!isModelInstance(other));
    }
  });

  it("accepts an instance of another copy of the toolkit, which that copy writes", async () => {
    class Foreign {
      static readonly [modelBrand] = {
        encode: ({ text }: Foreign) => `<!-- theirs --><foreign text="${text}"/>`,
      };
      readonly text: string = "é";
      toJSON(): Record<string, unknown> {
        return { text: this.text };
      }
      toJsonString(): string {
        return JSON.stringify(this);
      }
    }
    const foreign = new Foreign();

    assert(isModelInstance(foreign));
    const { content } = await encodeInstance(foreign);
    assertEquals(content, '<!-- theirs --><foreign text="é"/>');
  });

  it("lets an instance be written with its content type", async () => {
    const word = Word.of({ text: "é" });
    assertEquals(await encodeInstance(word), {
      content: `<?xml version="1.0" encoding="UTF-8"?>${xml}`,
      type: "application/xml",
    });
  });
});

describe("a model as a Standard Schema", () => {
  it("returns an instance, or issues with their paths", async () => {
    const { validate, version, vendor } = schema(Word)["~standard"];
    assertEquals([version, vendor], [1, "restwright"]);
    assertEquals(await validate({ text: "x" }), { value: Word.of({ text: "x" }) });
    assertEquals(await validate({ text: 7 }), {
      issues: [{ message: "expected a string, but it is 7", path: ["text"] }],
    });
    const failed = await validate("text");
    assertEquals(failed.issues?.[0]?.path, []);
  });
});
