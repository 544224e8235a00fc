import { after, assert, assertEquals, before, describe, it } from "#test";
import type { APIError } from "../../../mod.ts";
import { silentLogger } from "../../../src/testing/mod.ts";
import { type LiveClient, type LiveSdk, startLiveSdk } from "../support/live_sdk.ts";

const text = { type: "string" };
const texts = { type: "array", items: text };
const pets = "https://example.com/pets";
const prices = "https://example.com/prices";
const xml = { "application/xml": { schema: { $ref: "#/components/schemas/Order" } } };

const document = {
  paths: {
    "/orders": {
      post: {
        tags: ["orders"],
        operationId: "add",
        requestBody: { required: true, content: xml },
        responses: { 200: { content: xml } },
      },
      get: {
        tags: ["orders"],
        operationId: "get",
        responses: {
          200: {
            content: { "application/json": xml["application/xml"], ...xml },
          },
          409: { content: { "application/json": xml["application/xml"], ...xml } },
        },
      },
    },
    "/list": {
      get: {
        tags: ["orders"],
        operationId: "first",
        responses: { 200: { content: { "text/xml": xml["application/xml"] } } },
      },
    },
  },
  components: {
    schemas: {
      Order: {
        type: "object",
        required: ["id"],
        xml: { name: "order", namespace: pets, prefix: "p" },
        properties: {
          id: { type: "integer", xml: { attribute: true } },
          at: { type: "string", format: "date-time" },
          // An element is named by the property, and not by the schema.
          customer: { $ref: "#/components/schemas/Person" },
          payer: { allOf: [{ $ref: "#/components/schemas/Person" }], xml: { name: "paid-by" } },
          price: {
            type: "object",
            xml: { namespace: prices, prefix: "m" },
            properties: { currency: { ...text, xml: { attribute: true } }, value: text },
          },
          // Wrapped, without a name of the items: both tags are the array's name.
          codes: { ...texts, xml: { name: "code", wrapped: true } },
          labels: {
            type: "array",
            items: { ...text, xml: { name: "label" } },
            xml: { wrapped: true },
          },
          notes: { ...texts, xml: { name: "note" } },
          lines: { type: "array", items: { $ref: "#/components/schemas/Line" } },
        },
      },
      Person: {
        type: "object",
        xml: { name: "human" },
        properties: { name: text },
      },
      Line: {
        type: "object",
        required: ["pet"],
        xml: { name: "line", namespace: pets },
        properties: {
          pet: { ...text, xml: { namespace: pets } },
          amount: { type: "integer", xml: { attribute: true } },
        },
      },
    },
  },
};

/** An order as JSON, and as a plain object that is sent as XML. */
const order = {
  id: 7,
  at: "2026-11-20T10:00:00.000Z",
  customer: { name: "Ada <& Co>" },
  payer: { name: "Bob" },
  price: { currency: "EUR", value: "9.50" },
  codes: ["a", "b"],
  labels: ["x", "y"],
  notes: ["n"],
  lines: [{ pet: "Rex", amount: 2 }, { pet: "Tom" }],
};

const expected = `<p:order xmlns:p="${pets}" xmlns:m="${prices}" id="7">` +
  "<at>2026-11-20T10:00:00.000Z</at>" +
  "<customer><name>Ada &lt;&amp; Co&gt;</name></customer>" +
  "<paid-by><name>Bob</name></paid-by>" +
  '<m:price currency="EUR"><value>9.50</value></m:price>' +
  "<code><code>a</code><code>b</code></code>" +
  "<labels><label>x</label><label>y</label></labels>" +
  "<note>n</note>" +
  '<lines amount="2"><p:pet>Rex</p:pet></lines><lines><p:pet>Tom</p:pet></lines></p:order>';

describe("XML of a generated client", () => {
  let sdk: LiveSdk;
  let client: LiveClient;
  let answer: { type: string; text: string; status?: number } = { type: "", text: "" };
  before(async () => {
    sdk = await startLiveSdk(document, { models: "xml", dates: true }, ({ text }, response) => {
      const type = answer.type || "application/xml";
      response.writeHead(answer.status ?? 200, { "content-type": type }).end(answer.text || text);
    });
    client = sdk.client({ logger: silentLogger });
  });
  after(async () => {
    await sdk?.stop();
  });

  it("is a plain object's, with attributes, wrapped lists, namespaces and prefixes", async () => {
    answer = { type: "", text: "" };
    const added = await client["orders"]!["add"]!({ ...order, at: new Date(order.at) });
    const { text, headers } = sdk.requests.at(-1)!;
    assertEquals(headers["content-type"]!.split(";")[0], "application/xml");
    assertEquals(text.replace(/^<\?xml[^>]*>\s*/, ""), expected);
    assert(added instanceof (sdk.module["Order"] as new () => object));
    assertEquals(JSON.parse(JSON.stringify(added)), order);
  });

  it("has an own prefix for a namespace in an answer, and elements in any order", async () => {
    answer = {
      type: "text/xml; charset=utf-8",
      text: `<order xmlns="${pets}" xmlns:q="${prices}" id="8"><lines xmlns="" ` +
        `xmlns:z="${pets}"><z:pet>Rex</z:pet></lines><q:price currency="USD"/>` +
        '<code xmlns=""><code>a</code></code><customer xmlns=""><name>Eve</name></customer></order>',
    };
    const first = await client["orders"]!["first"]!() as typeof order;
    assertEquals(sdk.requests.at(-1)!.headers["accept"], "text/xml");
    assertEquals(
      [first.id, first.lines.map(({ pet }) => pet), first.price.currency, first.codes],
      [8, ["Rex"], "USD", ["a"]],
    );
    assertEquals(first.customer.name, "Eve");
  });

  it("gives the same model as JSON", async () => {
    answer = { type: "application/json", text: JSON.stringify(order) };
    const fromJson = await client["orders"]!["get"]!();
    answer = { type: "application/xml", text: expected };
    const fromXml = await client["orders"]!["get"]!();
    assertEquals(fromXml, fromJson);
    assertEquals((fromXml as { readonly at: Date }).at.getTime(), Date.parse(order.at));
  });

  it("is the data of an error, too, as is its JSON", async () => {
    const Order = sdk.module["Order"] as new () => { readonly at: Date };
    const LiveRequestConflictError = sdk.module["LiveRequestConflictError"] as typeof APIError;
    for (
      const [type, text] of [
        ["application/json", JSON.stringify(order)],
        ["application/xml", expected],
      ] as const
    ) {
      answer = { type, text, status: 409 };
      const error = await client["orders"]!["get"]!().catch((error: unknown) => error);
      assert(error instanceof LiveRequestConflictError && error.data instanceof Order);
      assertEquals(error.data.at.getTime(), Date.parse(order.at));
    }
  });
});
