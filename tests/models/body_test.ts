import {
  assert,
  assertEquals,
  assertInstanceOf,
  assertRejects,
  assertThrows,
  describe,
  it,
} from "#test";
import { checkedModel } from "../../src/request/decode.ts";
import { ModelError } from "../../src/errors/model_error.ts";
import { UnexpectedValueError } from "../../src/errors/unexpected_value_error.ts";
import { XmlError } from "../../src/errors/xml_error.ts";
import { mediaTypeOf } from "../../src/models/media_type.ts";
import {
  attr,
  type Fields,
  Model,
  model,
  modelBrand,
  schema,
  string,
} from "../../src/models/mod.ts";
import { isModelClass } from "../../src/models/model_class.ts";
import { encodeInstance, isModelInstance } from "../../src/models/model_instance.ts";
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

  it("is decoded by choice where the content type lies", async () => {
    assertEquals((await decodeTarget(Word, json, "text/html", "json")).text, "é");
    assertEquals((await decodeTarget(Word, xml, "application/json", "xml")).text, "é");
  });

  for (const type of ["", "text/html", "application/jsonp", "json", "application/xml-dtd"]) {
    it(`is refused where it is neither JSON nor XML: ${type === "" ? "no type" : type}`, async () => {
      const error = await assertRejects(() => decodeTarget(Word, json, type), ModelError);
      assert(error.message.includes(type === "" ? "no content type" : type), error.message);
      assert(
        error.message.includes('pass { responseFormat: "json" } or { responseFormat: "xml" }'),
        error.message,
      );
    });
  }

  it("in XML is decoded by the charset of the content type", async () => {
    const bytes = Uint8Array.from('<word text="\xe9"/>', (each) => each.charCodeAt(0));
    const type = 'text/xml; charset="ISO-8859-1"';
    assertEquals((await decodeTarget(Word, bytes, type)).text, "é");
    await assertRejects(() => decodeTarget(Word, bytes, "text/xml"), XmlError);
  });

  it("in XML may have a document type where its model says so, and by default has none", async () => {
    class Told extends model("word", { text: attr(string) }, { doctype: "skip" }) {}
    class Declared extends Model {
      declare readonly text: string;
      static override readonly tag: string = "word";
      static override readonly doctype: "refuse" | "skip" = "skip";
      static override readonly fields: Fields<Declared> = { text: attr(string) };
    }
    const whole = `<!DOCTYPE word SYSTEM "word.dtd">${xml}`;
    for (const Each of [Told, Declared]) {
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

  it("in JSON is decoded by its byte-order mark", async () => {
    const bytes = new Uint8Array(2 * json.length + 2);
    const view = new DataView(bytes.buffer);
    [...`\ufeff${json}`].forEach((each, index) => view.setUint16(index * 2, each.charCodeAt(0)));
    assertEquals((await decodeTarget(Word, bytes, "application/json")).text, "é");
  });

  it("that is broken is a ModelError or an XmlError, whose cause is the parser's", async () => {
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
  it("from JSON", async () => {
    const words = await decodeTarget([Word], `[${json},${json}]`, "application/json");
    assertEquals(words, [Word.of({ text: "é" }), Word.of({ text: "é" })]);
    assertEquals(await decodeTarget([Word], "[]", "application/json"), []);
  });

  it("tells which of them does not fit", async () => {
    const error = await assertRejects(
      () => decodeTarget([Word], `[${json},{}]`, "application/json"),
      ModelError,
      "A list of Word cannot be read from JSON",
    );
    assertEquals(error.issues.map(({ path, keys }) => [path, keys]), [["[1].text", [1, "text"]]]);
    await assertRejects(
      () => decodeTarget([Word], json, "application/json"),
      ModelError,
      "an array",
    );
  });

  it("rule 3: from XML the children of the root that have the model's name, the same way", async () => {
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
    it(`from XML is empty where the root is empty: ${root.length} characters`, async () => {
      assertEquals(await decodeTarget([Word], root, "application/xml"), []);
    });
  }

  it("from XML tells all that does not fit at once", async () => {
    const words = `<words><word/>${xml}<other/>\n<word/></words>`;
    const reading = () => decodeTarget([Word], words, "application/xml");
    const error = await assertRejects(reading, ModelError, "2 problems");
    assertEquals(error.issues.map(({ path, line }) => [path, line]), [
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
      "a document of another kind",
      "<error>\n\n<code>1</code><text>x</text></error>",
      "/error/code",
      3,
      `expected ${wanted}, but it is <code> in no namespace`,
    ],
    [
      "elements that stand deeper",
      `<page><total>1</total><words>${xml}</words></page>`,
      "/page/total",
      1,
      `expected ${wanted}, but it is <total> in no namespace`,
    ],
    [
      "a text alone",
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
    it(`from XML is not empty where the document does not fit: ${name}`, async () => {
      const reading = () => decodeTarget([Word], body, "application/xml");
      const error = await assertRejects(reading, ModelError, "Word cannot be read from XML");
      assertEquals(error.issues.map((issue) => [issue.path, issue.line, issue.message]), [
        [path, line, message],
      ]);
    });
  }
});

describe("what is a model", () => {
  it("is told from what is none", () => {
    assert(isModelClass(Word));
    for (const other of [undefined, null, "Word", {}, [], [Word], class {}, schema(Word)]) {
      assert(!isModelClass(other));
    }
  });

  it("is told from what is none where a body is to become one, or a list of it", () => {
    for (const model of [Word, [Word]]) assert(checkedModel("model", model) === model);
    for (const other of [null, "Word", {}, [], [Word, Word], class {}, [class {}]]) {
      assertThrows(() => checkedModel("model", other), UnexpectedValueError);
    }
  });

  it("and an instance of one, too", () => {
    assert(isModelInstance(Word.of({ text: "x" })));
    for (const other of [Word, {}, null, [Word.of({ text: "x" })], Object.create(null)]) {
      assert(!isModelInstance(other));
    }
  });

  it("of another copy of the toolkit is written by that copy", async () => {
    class Foreign {
      static readonly [modelBrand] = {
        encode: ({ text }: Foreign) => `<!-- theirs --><foreign text="${text}"/>`,
      };
      readonly text: string = "é";
      toJSON(): Record<string, unknown> {
        return { text: this.text };
      }
      toJson(): string {
        return JSON.stringify(this);
      }
    }
    const foreign = new Foreign();

    assert(isModelInstance(foreign));
    const { content } = await encodeInstance(foreign);
    assertEquals(content, '<!-- theirs --><foreign text="é"/>');
  });

  it("is written with its content type", async () => {
    const word = Word.of({ text: "é" });
    assertEquals(await encodeInstance(word), {
      content: `<?xml version="1.0" encoding="UTF-8"?>${xml}`,
      type: "application/xml",
    });
  });
});

describe("a content type", () => {
  it("names a format and a charset", () => {
    assertEquals(mediaTypeOf('a/b+xml ; x=1; Charset="utf-16"'), {
      format: "xml",
      charset: "utf-16",
    });
    assertEquals(mediaTypeOf("text/plain"), { format: undefined, charset: undefined });
  });
});

describe("a model as a Standard Schema", () => {
  it("gives an instance, or issues with their paths", async () => {
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
