import { assert, assertEquals, assertRejects, assertThrows, describe, it } from "#test";
import { ModelError } from "../../src/errors/model_error.ts";
import { UnexpectedValueError } from "../../src/errors/unexpected_value_error.ts";
import { XmlError } from "../../src/errors/xml_error.ts";
import { element, elements, type Fields, Model, model, string } from "../../src/models/mod.ts";
import { assertLinearGrowth } from "../support/linear_time.ts";

class Tree extends Model {
  declare readonly children: Tree[];
  static override readonly tag: string = "n";
  static override readonly fields: Fields<Tree> = { children: elements(() => Tree, { json: "c" }) };
}
class Known extends model("known", { a: element(string, { optional: true }) }) {}

const deep = 100_000;

describe("nesting of 100,000 levels", () => {
  it("in XML is rejected at the limit, before the rest is read", async () => {
    let parts = 0;
    async function* xml(): AsyncGenerator<string> {
      for (; parts < deep / 100; parts++) yield "<n>".repeat(100);
    }
    const error = await assertRejects(
      () => Tree.fromXml(xml()),
      XmlError,
      "nested deeper than 500",
    );
    assert(error.message.length < 300);
    // The rest is not read.
    assertEquals(parts, 5);
    await assertRejects(() => Tree.fromXml("<n>".repeat(deep) + "</n>".repeat(deep)), XmlError);
  });

  it("in XML is rejected in an element that the model does not have, too", async () => {
    const xml = `<known>${"<n>".repeat(deep)}`;
    await assertRejects(() => Known.fromXml(xml), XmlError, "maxDepth");
  });

  it("in XML is read without recursion and in linear time if it is allowed", async () => {
    const xml = (depth: number) => "<n>".repeat(depth) + "</n>".repeat(depth);
    const read = (depth: number) => Tree.fromXml(xml(depth), { maxDepth: Infinity });
    let tree: Tree | undefined = await read(deep);
    let depth = 0;
    for (; tree !== undefined; tree = tree.children[0]) depth++;
    assertEquals(depth, deep);
    await assertLinearGrowth(read, deep / 10, deep);
  });

  it("in JSON is rejected if a model follows it", () => {
    const json = '{"c":['.repeat(deep) + "]}".repeat(deep);
    const error = assertThrows(() => Tree.fromJson(json), ModelError);
    assert(error.message.length < 600, error.message);
  });

  it("in JSON is ignored in a field that the model does not have, or is not JSON", () => {
    const nested = "[".repeat(deep) + "]".repeat(deep);
    try {
      assertEquals(Known.fromJson(`{"b":${nested}}`).a, undefined);
    } catch (error) {
      // The JSON parser of a runtime may have a limit.
      assert(error instanceof ModelError);
    }
    assertThrows(() => Known.fromJson("[".repeat(deep)), ModelError, "expected JSON");
  });
});

describe("the limits of a model", () => {
  for (const maxDepth of [0, -1, 1.5, NaN, "7", true]) {
    it(`reject an invalid maxDepth: ${maxDepth} as a ${typeof maxDepth}`, async () => {
      const options = { maxDepth: maxDepth as number };
      assertThrows(() => Known.fromJson({}, options), UnexpectedValueError, "maxDepth");
      const reading = () => Known.fromXml("<known/>", options);
      await assertRejects(reading, UnexpectedValueError, "maxDepth");
    });
  }

  it("count each object and each array in JSON that a model follows", () => {
    const json = { c: [{ c: [] }] };
    assertEquals(Tree.fromJson(json, { maxDepth: 4 }).children.length, 1);
    const error = assertThrows(() => Tree.fromJson(json, { maxDepth: 3 }), ModelError, "maxDepth");
    assertEquals(error.issues.map(({ where }) => where), ["c[0].c"]);
  });

  it("reject an unknown policy for document types", async () => {
    const options = { doctype: "allow" as never };
    await assertRejects(() => Known.fromXml("<known/>", options), UnexpectedValueError, "doctype");
    class Odd extends model("odd", {}, options) {}
    await assertRejects(() => Odd.fromXml("<odd/>"), UnexpectedValueError, "Odd.doctype");
  });

  it("are overridden by those of the call", async () => {
    class Doc extends model("doc", {}, { doctype: "skip" }) {}
    const xml = "<!DOCTYPE doc><doc/>";
    for (const options of [{}, { doctype: undefined }, { doctype: "skip" }] as const) {
      await Doc.fromXml(xml, options);
      for await (const doc of Doc.streamXml(xml, options)) assert(doc instanceof Doc);
    }
    const rejecting = { doctype: "refuse" } as const;
    const error = await assertRejects(() => Doc.fromXml(xml, rejecting), XmlError);
    assert(error.message.includes('pass { doctype: "skip" } to fromXml or streamXml'));
    await assertRejects(() => Doc.streamXml(xml, rejecting).next(), XmlError, "document type");
  });
});

describe("declared entities", () => {
  it("that expand one another are rejected before they are read", async () => {
    const xml = `<!DOCTYPE lolz [
      <!ENTITY a "lol">
      <!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
      <!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">
    ]>
    <known><a>&c;</a></known>`;
    await assertRejects(() => Known.fromXml(xml), XmlError, "document type");
    await assertRejects(() => Known.fromXml(xml, { doctype: "skip" }), XmlError);
  });

  it("that refer to a file are never read", async () => {
    const xml = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/hostname">]><known><a>&x;</a></known>';
    await assertRejects(() => Known.fromXml(xml), XmlError, "document type");
    await assertRejects(() => Known.fromXml(xml, { doctype: "skip" }), XmlError);
  });
});
