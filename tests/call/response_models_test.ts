import {
  DecodeError,
  errorsBy,
  isErrorWith,
  ModelError,
  XmlError,
} from "../../src/entries/errors.ts";
import { inspect } from "node:util";
import { assert, assertEquals, assertMatch, assertRejects, describe, it } from "#test";
import {
  APIClient,
  APIEndpoint,
  type APIError,
  APISession,
  jsonFormat,
  NotFoundError,
  type RequestOptions,
  type ResultFormat,
  UnexpectedValueError,
  ValidationError,
  xmlFormat,
} from "../../mod.ts";
import { attr, element, elements, integer, model, string } from "../../src/models/mod.ts";
import { type Answer, scripted } from "../support/scripted.ts";

class Item extends model("item", { name: element(string), count: element(integer) }) {
  isMany(): boolean {
    return this.count > 1;
  }
}

class Order extends model("order", {
  id: attr(integer),
  items: elements(Item, { tag: "item" }),
  note: element(string, { default: "none" }),
}) {}

class Problem extends model("problem", { code: element(string) }) {}

class Orders extends APIEndpoint<APISession | APIClient> {
  protected override readonly _path: string = "/orders";

  get(id: number): Promise<Order> {
    return this._get(id, { responseModel: Order });
  }
  list(): Promise<Order[]> {
    return this._get("", { responseModel: [Order] });
  }
  listAs(format: ResultFormat<Order[]>): Promise<Order[]> {
    return this._get("", { format });
  }
  add(order: Order, format: "json" | "xml"): Promise<Order> {
    return this._post("", { [format]: order, responseModel: Order });
  }
  raw(): Promise<Response> {
    return this._get("1");
  }
  missing(): Promise<Order> {
    return this._get(999, { responseModel: Order, errorFrom: errorsBy({ model: Problem }) });
  }
}

const json = '{"id":7,"items":[{"name":"pen","count":2}]}';
const xml =
  '<?xml version="1.0"?><order id="7"><item><name>pen</name><count>2</count></item></order>';

function answer(body: string | Uint8Array<ArrayBuffer> | null, type: string, status = 200): Answer {
  return () => new Response(body, { status, headers: { "content-type": type } });
}

const generations = {
  "generation 1": (...answers: readonly Answer[]) => {
    const adapter = scripted(...answers);
    class Shop extends APISession {
      static override readonly url: string = "https://shop.example/v1";
      readonly orders: Orders = new Orders(this);
    }
    return { adapter, shop: new Shop({ adapter, retries: 0 }) };
  },
  "generation 2": (...answers: readonly Answer[]) => {
    const adapter = scripted(...answers);
    class Shop extends APIClient {
      static override readonly baseUrl: string = "https://shop.example/v1";
      readonly orders: Orders = new Orders(this);
    }
    return { adapter, shop: new Shop({ fetch: adapter, retries: 0 }) };
  },
};

for (const [generation, start] of Object.entries(generations)) {
  describe(`typed responses, ${generation}`, () => {
    // contract: service-8, endpoint-9, model-1
    it("rule 1: the JSON body is unmarshalled into an instance of the model class", async () => {
      const { shop } = start(answer(json, "application/json"));
      const order = await shop.orders.get(7);
      assert(order instanceof Order);
      assert(order.items[0] instanceof Item);
      assertEquals([order.id, order.note, order.items[0]!.isMany()], [7, "none", true]);
    });

    // contract: model-2
    it("rule 2: a list of a model class unmarshals a JSON array into a list of instances", async () => {
      const { shop } = start(answer(`[${json},{"id":8,"items":[]}]`, "application/json"));
      const orders = await shop.orders.list();
      assertEquals(orders.map(({ id }) => id), [7, 8]);
      assert(orders.every((order) => order instanceof Order));
    });

    // contract: model-3
    it("rule 3: XML bodies are handled the same way", async () => {
      for (const type of ["application/xml", "text/xml; charset=utf-8", "application/atom+xml"]) {
        const { shop } = start(answer(xml, type));
        const order = await shop.orders.get(7);
        assertEquals([order.id, order.note, order.items[0]!.isMany()], [7, "none", true]);
      }
    });

    // contract: model-3
    it("rule 3: child elements can repeat as lists with defaults", async () => {
      const { shop } = start(answer('<order id="1"/>', "text/xml"));
      const { items, note } = await shop.orders.get(1);
      assertEquals([items, note], [[], "none"]);
    });

    it("rule 3: a list of models is read from the children of the root", async () => {
      const { shop } = start(
        answer(`<orders>${xml.slice(21)}<order id="8"/></orders>`, "text/xml"),
      );
      assertEquals((await shop.orders.list()).map(({ id }) => id), [7, 8]);
    });

    // contract: model-4
    it("rule 4: when responseModel is not set, the raw response is returned", async () => {
      const { shop } = start(answer(json, "application/json"));
      assertEquals(await (await shop.orders.raw()).text(), json);
    });

    it("are decoded for every success status", async () => {
      for (const status of [200, 201, 202, 298]) {
        const { shop } = start(answer(json, "application/json", status));
        assertEquals((await shop.orders.get(7)).id, 7);
      }
    });

    it("are decoded as jsonFormat or xmlFormat says if the content type is wrong", async () => {
      const { shop } = start(answer("<orders/>", "text/plain"), answer("[]", "text/html"));
      assertEquals(await shop.orders.listAs(xmlFormat([Order])), []);
      assertEquals(await shop.orders.listAs(jsonFormat([Order])), []);
      const error = await assertRejects(() => shop.orders.list(), ValidationError, "content type");
      assert(
        error.message.includes("pass format: jsonFormat(…) or format: xmlFormat(…)"),
        error.message,
      );
    });

    it("are decoded from XML in the encoding of its byte order mark and its declaration", async () => {
      const text =
        '<?xml version="1.0" encoding="UTF-16"?><order id="7"><note>Grüße</note></order>';
      const bytes = new Uint8Array(2 + text.length * 2);
      const view = new DataView(bytes.buffer);
      [0xfeff, ...Array.from(text, (char) => char.charCodeAt(0))]
        .forEach((unit, index) => view.setUint16(index * 2, unit, true));
      const { shop } = start(answer(bytes, "application/xml"));
      assertEquals((await shop.orders.get(7)).note, "Grüße");
    });

    it("can be sent back as json or xml, with the matching content type", async () => {
      const { shop, adapter } = start(answer(json, "application/json"));
      const order = await shop.orders.get(7);
      await shop.orders.add(order, "json");
      await shop.orders.add(order, "xml");
      const sent = adapter.calls.slice(1).map(({ init }) => [
        new Headers(init.headers).get("content-type"),
        init.body,
      ]);
      assertEquals(sent[0]![0], "application/json");
      assertEquals(JSON.parse(String(sent[0]![1])), { ...JSON.parse(json), note: "none" });
      assertEquals(sent[1]![0], "application/xml");
      assertMatch(String(sent[1]![1]), /<order id="7"><item><name>pen<\/name>[^]*<\/order>/);
    });

    it("include error.data as a typed instance of the model in errorFrom", async () => {
      for (
        const [body, type] of [
          ['{"code":"gone"}', "application/json"],
          ["<problem><code>gone</code></problem>", "application/xml"],
        ] as const
      ) {
        const { shop } = start(answer(body, type, 404));
        const error = await assertRejects(() => shop.orders.missing(), NotFoundError);
        assert(isErrorWith(error, Problem));
        assert(error.data instanceof Problem);
        assertEquals(error.data.code, "gone");
      }
      const { shop } = start(answer("<html>", "text/html", 404));
      const error: APIError = await assertRejects(() => shop.orders.missing(), NotFoundError);
      assertEquals(error.data, undefined);
    });

    it("reject with one error that lists every problem with its path, and in XML with its line", async () => {
      const body =
        '<order id="x7">\n  <item><name>pen</name><count>hunter2</count></item>\n</order>';
      const { shop } = start(answer(body, "application/xml"));
      const error = await assertRejects(() => shop.orders.get(7), ValidationError);
      assertEquals(error.issues.map(({ where, line }) => [where, line]), [
        ["/order/@id", 1],
        ["/order/item[1]/count", 2],
      ]);
      assertEquals([error.body, error.excerpt, await error.response.text()], [body, body, body]);
      assertMatch(
        error.message,
        /GET https:\/\/shop\.example\/v1\/orders\/7 does not match the model/,
      );
      const shown = [inspect(error), JSON.stringify(error)].join();
      assert(!shown.includes("hunter2"), shown);
      assertMatch(
        shown,
        /\/order\/item\[1\]\/count \(line 2, column \d+\): expected a whole number/,
      );
    });

    it("reject with the paths of the problems in code if the body is JSON", async () => {
      const { shop } = start(answer('[{"id":"7","items":[{"name":1}]}]', "application/json"));
      const error = await assertRejects(() => shop.orders.list(), ValidationError);
      assertEquals(error.issues.map(({ path }) => path), [
        [0, "id"],
        [0, "items", 0, "name"],
        [0, "items", 0, "count"],
      ]);
    });

    it("reject with a DecodeError if the body cannot be parsed, with the line if it is XML", async () => {
      const { shop } = start(
        answer('{"id":', "application/json"),
        answer("<order>\n<item></order>", "application/xml"),
        answer('<!DOCTYPE order [<!ENTITY a "b">]><order id="1"/>', "application/xml"),
      );
      const broken = await assertRejects(() => shop.orders.get(7), DecodeError, "is not JSON");
      assert(!(broken instanceof ValidationError));
      const open = await assertRejects(() => shop.orders.get(7), DecodeError, "line 2");
      assert(open.cause instanceof XmlError);
      await assertRejects(() => shop.orders.get(7), DecodeError, "document type");
    });

    it("include error.data from XML in the encoding that it declares", async () => {
      const text =
        '<?xml version="1.0" encoding="ISO-8859-1"?><problem><code>gr\u00fcn</code></problem>';
      const bytes = Uint8Array.from(text, (char) => char.charCodeAt(0));
      const { shop } = start(answer(bytes, "application/xml", 404));
      const error = await assertRejects(() => shop.orders.missing(), NotFoundError);
      assert(isErrorWith(error, Problem));
      assertEquals(error.data.code, "grün");
    });

    it("reject with a DecodeError that has the body if the encoding of XML is unknown", async () => {
      const { shop } = start(answer(xml, "application/xml; charset=nonsense"));
      const error = await assertRejects(() => shop.orders.get(7), DecodeError);
      assertEquals([error.body, error.status], [xml, 200]);
    });

    it("reject an invalid instance of a model before it is sent", async () => {
      const { shop, adapter } = start(answer(json, "application/json"));
      const order = await shop.orders.get(7);
      Object.assign(order, { id: 1.5 });
      for (const format of ["json", "xml"] as const) {
        await assertRejects(() => shop.orders.add(order, format), ModelError, "id");
      }
      assertEquals(adapter.calls.length, 1);
    });

    it("reject an empty body", async () => {
      const { shop } = start(() => new Response(null, { status: 204 }));
      const error = await assertRejects(() => shop.orders.get(7), ValidationError);
      assertMatch(error.message, / does not match the model \(the body is empty\): expected Order/);
    });
  });
}

describe("options of models", () => {
  it("bad input: an invalid model or xml body is refused", async () => {
    const { shop, adapter } = generations["generation 1"](200);
    const cases: readonly (readonly [RequestOptions, string])[] = [
      [{ responseModel: class {} as never }, "responseModel"],
      [{ responseModel: [Order, Order] as never }, "responseModel"],
      [{ xml: { a: 1 } as never }, "xml"],
      [{ xml: "<a/>", json: 1 }, "json, xml"],
    ];
    for (const [options, option] of cases) {
      const error = await assertRejects(() => shop.post("x", options), UnexpectedValueError);
      assertEquals(error.option, option);
    }
    assertEquals(adapter.calls.length, 0);
  });

  it("xml can be a handwritten string", async () => {
    const { shop, adapter } = generations["generation 1"](204);
    await shop.put("x", { xml: "<a/>" });
    assertEquals(adapter.calls[0]!.init.body, "<a/>");
  });
});
