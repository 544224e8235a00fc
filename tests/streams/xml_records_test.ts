/** Tests of the records of an XML document, read one by one. */
import { assert, assertEquals, assertInstanceOf, assertThrows, describe, it } from "#test";
import { TransportError, UnexpectedValueError, ValidationError } from "../../mod.ts";
import { DecodeError } from "../../src/entries/errors.ts";
import { ItemTooLargeError } from "../../src/errors/mod.ts";
import { attr, element, integer, Model, model, string } from "../../src/models/mod.ts";
import { xmlRecords } from "../../src/streams/mod.ts";
import {
  byBytes,
  bytesOf,
  countedBody,
  itemsOf,
  readAll,
  responseOf,
  sessionOf,
} from "../support/streamed.ts";

class Item extends model("item", { id: attr(integer), title: element(string) }) {}

const item = (id: number | string) => `<item id="${id}"><title>€ ${id}</title></item>`;
const feed = (...items: string[]) =>
  `<rss><channel><title>Feed</title>${items.join("")}</channel></rss>`;
const type = "application/xml";

describe("the records of an XML document", () => {
  it("are instances, from any split of the chunks", async () => {
    const text = feed(item(1), "<other/>", item(2));
    for (const chunks of [[text], byBytes(text)]) {
      const { items, error } = await itemsOf(
        xmlRecords(Item, { at: "rss/channel/item" }),
        chunks,
        type,
      );
      assertEquals(error, undefined);
      assert(items.every((each) => each instanceof Item));
      assertEquals(items.map(({ title }) => title), ["€ 1", "€ 2"]);
    }
  });

  it("are found by the model's name, wherever they are, without at", async () => {
    const { items } = await itemsOf(xmlRecords(Item), [feed(item(1))], type);
    assertEquals(items.map(({ id }) => id), [1]);
  });

  it("are decoded by the charset of the content type", async () => {
    const bytes = bytesOf("<rss><item id='1'><title>?</title></item></rss>");
    bytes[bytes.indexOf(63)] = 0xe4;
    const { items } = await itemsOf(xmlRecords(Item), [bytes], "text/xml; charset=iso-8859-1");
    assertEquals(items[0]?.title, "ä");
  });

  it("end with a ValidationError at one that does not match, after those before it", async () => {
    const text = feed(item(1), item("secret"), item(3));
    for (const chunks of [[text], byBytes(text)]) {
      const { items, error } = await itemsOf(xmlRecords(Item), chunks, type);
      assertEquals(items.length, 1);
      assertInstanceOf(error, ValidationError);
      assertEquals([error.issues[0]?.where, error.issues[0]?.line], [
        "/rss/channel/item[2]/@id",
        1,
      ]);
      assert(error.message.startsWith("item 2 of the response to GET"), error.message);
      assert(error.body.includes('<item id="secret">'));
      assertEquals(error.message.includes("secret"), false);
    }
  });

  it("end with a DecodeError where it is not XML, or is cut short, after those before it", async () => {
    const text = feed(item(1), "</nope>");
    for (const cut of [text, feed(item(1)).slice(0, -10), "<rss>" + item(1) + "\u0000"]) {
      for (const chunks of [[cut], byBytes(cut)]) {
        const { items, error } = await itemsOf(xmlRecords(Item), chunks, type);
        assertEquals(items.map(({ id }) => id), [1]);
        assertInstanceOf(error, DecodeError);
        assertEquals((error.cause as Error).name, "XmlError");
      }
    }
    const invalid = Uint8Array.of(...bytesOf(`<rss>${item(1)}`), 0xff, ...bytesOf("</rss>"));
    assertInstanceOf((await itemsOf(xmlRecords(Item), byBytes(invalid), type)).error, DecodeError);
  });

  it("have a limit, which also holds for what is skipped", async () => {
    for (const more of [`<item id="2"><title>${"x".repeat(200)}`, `<a>${"x".repeat(200)}`]) {
      const chunks = byBytes(`<rss>${item(1)}${more}`);
      const { items, error } = await itemsOf(
        xmlRecords(Item, { maxItemLength: 100 }),
        chunks,
        type,
      );
      assertEquals(items.length, 1);
      assertInstanceOf(error, ItemTooLargeError);
      assertEquals([error.limit, error.index], [100, 1]);
    }
    const many = feed(...Array.from({ length: 100 }, (_, id) => item(id)));
    const { items } = await itemsOf(xmlRecords(Item, { maxItemLength: 100 }), byBytes(many), type);
    assertEquals(items.length, 100);
  });

  it("end with a TransportError if the connection breaks", async () => {
    const lost = new TypeError("terminated");
    const session = sessionOf(() => responseOf([`<rss>${item(1)}`], type, lost));
    const { items, error } = await readAll(await session.get("x", { format: xmlRecords(Item) }));
    assertEquals(items.length, 1);
    assertInstanceOf(error, TransportError);
  });

  it("are cancelled by break", async () => {
    const { body, seen } = countedBody([`<rss>${item(1)}`, item(2), item(3)], "stay");
    const session = sessionOf(() => new Response(body));
    for await (const { id } of await session.get("x", { format: xmlRecords(Item) })) {
      if (id === 2) break;
    }
    assertEquals(seen, { pulls: 2, isCancelled: true });
  });

  it("need a model class", () => {
    assertThrows(() => xmlRecords({} as never), UnexpectedValueError);
    assertThrows(() => xmlRecords(Item, { maxItemLength: -1 }), UnexpectedValueError);
    assertEquals(typeof xmlRecords(Model).stream, "function");
  });
});
