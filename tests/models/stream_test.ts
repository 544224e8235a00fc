import { assert, assertEquals, assertRejects, describe, it } from "#test";
import { ModelError } from "../../src/errors/model_error.ts";
import { UnexpectedValueError } from "../../src/errors/unexpected_value_error.ts";
import { XmlError } from "../../src/errors/xml_error.ts";
import { attr, element, integer, model, string } from "../../src/models/mod.ts";
import { decodeLargeDocument, LARGE_DOCUMENT_ROWS } from "../support/decode_large_document.ts";

class Item extends model("item", { id: attr(integer), title: element(string) }) {}

const item = (id: number) => `<item id="${id}"><title>Title ${id}</title></item>\n`;

/** Returns a feed in chunks, and a function that returns how many items were read from it. */
function feedOf(count: number): { chunks: AsyncGenerator<string>; taken: () => number } {
  let taken = 0;
  async function* chunks() {
    yield "<rss><channel>\n<title>Feed</title>\n";
    for (let id = 1; id <= count; id++) {
      taken = id;
      yield item(id);
    }
    yield "</channel></rss>";
  }
  return { chunks: chunks(), taken: () => taken };
}

describe("a stream of instances", () => {
  it("yields each instance when its element ends", async () => {
    const { chunks, taken } = feedOf(100);
    const ids: number[] = [];
    for await (const { id, title } of Item.streamXml(chunks, { at: "rss/channel/item" })) {
      ids.push(id);
      assertEquals(title, `Title ${id}`);
      assertEquals(taken(), id);
      if (id === 50) break;
    }
    assertEquals(ids.length, 50);
    assertEquals(taken(), 50);
  });

  it("finds elements by the model's name at any depth if no path is passed", async () => {
    const xml = `<a><b>${item(1)}</b><c><d>${item(2)}</d></c>${item(3)}<items/></a>`;
    const ids = [];
    for await (const { id } of Item.streamXml(xml)) ids.push(id);
    assertEquals(ids, [1, 2, 3]);
  });

  it("finds elements only at the path and in its namespaces, whatever the model's name", async () => {
    const xml = `<p:a xmlns:p="u/v"><x>${item(1)}</x><b>${item(4)}</b>` +
      `<p:b>${item(2)}<p:item id="5"/>${item(3)}</p:b></p:a>`;
    const idsAt = async (Class: { streamXml: typeof Item.streamXml }, at: string) => {
      const ids = [];
      for await (
        const { id } of Class.streamXml.call(Class as never, xml, { at }) as AsyncGenerator<Item>
      ) ids.push(id);
      return ids;
    };
    class Entry extends model("entry", { id: attr(integer) }) {}
    class Own extends model("own", { id: attr(integer) }, { namespace: "u/v" }) {}
    assertEquals(await idsAt(Item, "/{u/v}a/{u/v}b/item"), [2, 3]);
    assertEquals(await idsAt(Entry as never, "{u/v}a/x/item"), [1]);
    assertEquals(await idsAt(Own as never, "a/b/item"), [5]);
    assertEquals(await idsAt(Own as never, "a/{}b/{}item"), [4]);
  });

  it("throws if the root is not that of the path", async () => {
    for (const at of ["b/item", "{urn:other}rss/item", "{urn:other}rss"]) {
      const error = await assertRejects(() => Item.streamXml("<rss/>", { at }).next(), ModelError);
      assertEquals(error.issues.map(({ code, where }) => [code, where]), [["type", "/rss"]]);
    }
  });

  it("reads a response with the charset of its content type", async () => {
    const bytes = Uint8Array.from(
      `<rss>${item(1).replace("Title", "T\u00fc")}</rss>`,
      (char) => char.charCodeAt(0),
    );
    const headers = { "content-type": "application/xml; charset=iso-8859-1" };
    for await (const { title } of Item.streamXml(new Response(bytes, { headers }))) {
      assertEquals(title, "T\u00fc 1");
    }
    const { title } = await Item.fromXml(new Response(item(2)));
    assertEquals(title, "Title 2");
    await assertRejects(() => Item.fromXml(new Response(null)), XmlError);
  });

  it("can be only the root", async () => {
    for await (const { id } of Item.streamXml(item(7), { at: "item" })) assertEquals(id, 7);
  });

  it("is empty if the document has no such element", async () => {
    for await (const _ of Item.streamXml("<rss/>", { at: "rss/channel/item" })) assert(false);
  });

  it("ends at the first invalid element, with its position in the stream", async () => {
    const xml = `<rss><channel>\n${item(1)}${item(2)}<item id="x"/>\n${item(4)}</channel></rss>`;
    const ids: number[] = [];
    const reading = async () => {
      for await (const { id } of Item.streamXml(xml, { at: "rss/channel/item" })) ids.push(id);
    };
    const error = await assertRejects(reading, ModelError);
    assertEquals(ids, [1, 2]);
    assertEquals(error.issues.map(({ where, line }) => [where, line]), [
      ["/rss/channel/item[3]/@id", 4],
      ["/rss/channel/item[3]/title", 4],
    ]);
  });

  it("yields the instances before an error, and then throws it", async () => {
    const ids: number[] = [];
    const reading = async () => {
      for await (const { id } of Item.streamXml(`<rss>${item(1)}${item(2)}</nope>`)) ids.push(id);
    };
    await assertRejects(reading, XmlError);
    assertEquals(ids, [1, 2]);
  });

  it("counts lines through all chunks", async () => {
    async function* cut() {
      for await (const chunk of feedOf(500).chunks) yield chunk.replace('id="400"', 'id="x"');
    }
    const reading = async () => {
      for await (const _ of Item.streamXml(cut()));
    };
    const error = await assertRejects(reading, ModelError);
    assertEquals([error.issues[0]?.line, error.issues[0]?.column], [402, 1]);
  });

  it("reads the body of a response", async () => {
    const { body } = new Response(`<items>${item(1)}</items>`);
    for await (const { id } of Item.streamXml(body!)) assertEquals(id, 1);
  });

  for (const at of ["", "a//b", "a/", "a b", "{u}", "{u/item", "a/1", 7]) {
    it(`throws for an invalid path: ${at === "" ? "an empty string" : at}`, async () => {
      const read = () => Item.streamXml("<a/>", { at: at as string }).next();
      assertEquals((await assertRejects(read, UnexpectedValueError)).option, "at");
    });
  }

  it("reads a document in chunks like a whole document", async () => {
    const xml = item(7);
    async function* single() {
      for (const each of xml) yield each;
    }
    assertEquals(await Item.fromXml(single()), await Item.fromXml(xml));
  });
});

describe("the memory for streaming a document of 25 MB", () => {
  it("is less than 4 times its size", async () => {
    const { count, times } = await decodeLargeDocument("stream");
    assertEquals(count, LARGE_DOCUMENT_ROWS);
    assert(times < 4, `${times} times`);
  });
});
