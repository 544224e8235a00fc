import { assertEquals, describe, it } from "#test";
import { UnknownEntities } from "../../src/xml/unknown_entities.ts";

/** Finds a reference after an offset, in the whole text and in the text character by character. */
function found(text: string, offset: number): (number | undefined)[] {
  return [[text], [...text]].map((chunks) => {
    const entities = new UnknownEntities();
    for (const chunk of chunks) entities.read(chunk);
    return entities.after(offset);
  });
}

describe("references to entities that XML does not predefine", () => {
  const table: readonly (readonly [name: string, text: string, offset: number, at?: number])[] = [
    ["in text", "<a>x&toString;</a>", 3, 4],
    ["in a start tag", "<a b='&toString;'/>", 0, 6],
    ["in text after a tag", "<a>&toString;</a>", 0, 3],
    ["in text after a comment with markup", "<a><!-- <b --> &toString;</a>", 14, 15],
    ["the first of two", "<a>&one;&two;</a>", 3, 3],
    ["not in a comment", "<a>x<!-- &toString; -->", 3],
    ["not in a CDATA section", "<a>x<![CDATA[&toString;]]>", 3],
    ["not before the offset", "<a b='&toString;'>x", 18],
    ["not predefined entities", "<a>&lt;&gt;&amp;&apos;&quot;", 3],
    ["not character references", "<a>&#65;&#x41;", 3],
    ["not references that the parser rejects itself", "<a>& &a &_b; &;", 3],
  ];
  for (const [name, text, offset, at] of table) {
    it(`are found at their position: ${name}`, () => {
      assertEquals(found(text, offset), [at, at]);
    });
  }

  it("are found one after another", () => {
    const entities = new UnknownEntities();
    entities.read("<a>&one;<b/>x&two;<c/>");
    assertEquals(entities.after(3), 3);
    assertEquals(entities.after(8), 13);
    assertEquals(entities.after(12), 13);
    assertEquals(entities.after(18), undefined);
    entities.read("&three;");
    assertEquals(entities.after(22), 22);
  });
});
