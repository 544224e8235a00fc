import { assertEquals, describe, it } from "#test";
import { textsAt } from "../../src/xml/texts_at.ts";

const rows: readonly (readonly [name: string, document: string, path: string, texts: string[]])[] =
  [
    ["an element below the root", "<Error><Code>Slow</Code><Id>1</Id></Error>", "Error.Code", [
      "Slow",
    ]],
    ["the root itself", "<Code> Slow </Code>", "Code", ["Slow"]],
    ["several elements, in order", "<e><c>1</c><d/><c>2</c></e>", "e.c", ["1", "2"]],
    ["elements of several parents", "<e><f><c>1</c></f><f><c>2</c></f></e>", "e.f.c", ["1", "2"]],
    ["an attribute", '<rsp><err code="100" msg="no"/></rsp>', "rsp.err.@code", ["100"]],
    ["an attribute of the root", '<rsp stat="fail"/>', "rsp.@stat", ["fail"]],
    ["an attribute that is missing", "<rsp/>", "rsp.@stat", []],
    ["names with prefixes", '<s:E xmlns:s="urn:s"><s:C>x</s:C></s:E>', "E.C", ["x"]],
    ["text in pieces", "<e><c>a<!-- b -->c<![CDATA[&]]></c></e>", "e.c", ["ac&"]],
    ["elements in the element, whose texts are left out", "<e><c>a<d>b</d>c</c></e>", "e.c", [
      "ac",
    ]],
    ["an empty element", "<e><c/></e>", "e.c", [""]],
    ["the same name at another depth", "<e><x><c>1</c></x><c>2</c></e>", "e.c", ["2"]],
    ["the same name within itself", "<e><c>1<c>2</c></c></e>", "e.c", ["1"]],
    ["another root", "<a><c>1</c></a>", "e.c", []],
    ["a path that goes on below the document", "<e>1</e>", "e.c", []],
    ["a document that is cut", "<e><c>1</c><d>", "e.c", ["1"]],
    ["a document that is cut in the element", "<e><c>1", "e.c", []],
    ["a document type, which is refused", "<!DOCTYPE e><e><c>1</c></e>", "e.c", []],
    ["text that is not XML", "Slow down", "e.c", []],
    ["nothing", "", "e.c", []],
  ];

describe("the texts at a path in an XML document", () => {
  for (const [name, document, path, texts] of rows) {
    it(`are found in document order: ${name}`, async () => {
      assertEquals(await textsAt(document, path.split(".")), texts);
    });
  }
});
