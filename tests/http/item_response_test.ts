/** Tests of the response for an item of a stream. */
import { assert, assertEquals, assertInstanceOf, assertRejects, describe, it } from "#test";
import { itemResponse } from "../../src/http/item_response.ts";

function start(): { readonly original: Response; readonly item: Response } {
  const original = new Response("all items", {
    status: 201,
    statusText: "Made",
    headers: { "content-type": "application/json" },
  });
  return { original, item: itemResponse(original, '{"id":"é"}') };
}

describe("the response for an item", () => {
  it("is a response like that of the stream", () => {
    const { item, original } = start();
    assertInstanceOf(item, Response);
    for (const name of ["status", "statusText", "ok", "url", "redirected", "type"] as const) {
      assertEquals(item[name], original[name], name);
    }
    assertEquals(item.headers.get("content-type"), "application/json");
  });

  it("has the text of the item as its body, for each method that reads it", async () => {
    const bytes = new TextEncoder().encode('{"id":"é"}');
    assertEquals(await start().item.text(), '{"id":"é"}');
    assertEquals(await start().item.json(), { id: "é" });
    assertEquals(new Uint8Array(await start().item.arrayBuffer()), bytes);
    assertEquals(await (await start().item.blob()).text(), '{"id":"é"}');
    assertEquals(await new Response(start().item.body).text(), '{"id":"é"}');
  });

  it("is read once, and does not read the response of the stream", async () => {
    const { item, original } = start();
    assertEquals(item.bodyUsed, false);
    await item.text();
    assertEquals([item.bodyUsed, original.bodyUsed], [true, false]);
    await assertRejects(() => item.text(), TypeError);
    assertEquals(await original.text(), "all items");
  });

  it("can be cloned until it has been read", async () => {
    const { item } = start();
    const early = item.clone();
    assert(item.body !== null);
    const late = item.clone();
    await item.text();
    assertEquals([await early.text(), await late.text()], Array(2).fill('{"id":"é"}'));
    let thrown: unknown;
    try {
      item.clone();
    } catch (error) {
      thrown = error;
    }
    assertInstanceOf(thrown, TypeError);
  });

  it("has every member that responses have in this runtime", () => {
    const { item } = start();
    for (const name of Object.getOwnPropertyNames(Response.prototype)) {
      if (name === "constructor") continue;
      assertEquals(
        typeof Reflect.get(item, name),
        typeof Reflect.get(new Response("x"), name),
        name,
      );
    }
  });
});
