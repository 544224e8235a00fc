import { createHmac } from "node:crypto";
import { assert, assertEquals, assertRejects, assertStringIncludes, describe, it } from "#test";
import { Library } from "../../examples/generated/library/mod.ts";
import { WebhookSignatureError, WebhookTimestampError } from "../../src/webhooks/mod.ts";
import { generate, type GenerateOptions } from "../mod.ts";
import { type LiveSdk, type Method, startLiveSdk } from "./support/live_sdk.ts";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const now = 1_700_000_000;
const clock = { now: () => now * 1000 };

/** Signs a body as Standard Webhooks says. Returns the arguments of `unwrap`. */
function signed(body: string) {
  const key = Uint8Array.from(atob(secret.slice("whsec_".length)), (each) => each.charCodeAt(0));
  const signature = createHmac("sha256", key).update(`msg_1.${now}.${body}`).digest("base64");
  const headers = {
    "webhook-id": "msg_1",
    "webhook-timestamp": String(now),
    "webhook-signature": `v1,${signature}`,
  };
  return [body, { headers, secret, clock }] as const;
}

const json = (schema: object) => ({
  requestBody: { content: { "application/json": { schema } } },
  responses: { 204: { description: "" } },
});
const event = (type: string, properties: object = {}) => ({
  type: "object",
  required: ["type"],
  properties: { type: { const: type }, ...properties },
});
const at = { type: "string", format: "date-time" };

/** Generates an SDK, runs a function with its webhooks, and deletes it. */
async function withSdk(
  document: Readonly<Record<string, unknown>>,
  options: GenerateOptions,
  run: (
    client: Readonly<Record<string, Readonly<Record<string, Method>>>>,
    sdk: LiveSdk,
  ) => unknown,
): Promise<void> {
  const sdk = await startLiveSdk({ paths: {}, ...document }, options);
  try {
    await run(sdk.client(), sdk);
  } finally {
    await sdk.stop();
  }
}

describe("the webhooks of a generated client", () => {
  it("are verified, and narrowed by the property that tells them apart", async () => {
    const { webhooks } = new Library();
    const body = JSON.stringify({ type: "book.overdue", bookId: 7, days: 3 });
    const found = await webhooks.unwrap(...signed(body));
    assertEquals(found.type === "book.overdue" ? found.days : undefined, 3);

    const [, options] = signed(body);
    await assertRejects(() => webhooks.unwrap(`${body} `, options), WebhookSignatureError);
    const late = { ...options, clock: { now: () => (now + 301) * 1000 } };
    await assertRejects(() => webhooks.unwrap(body, late), WebhookTimestampError);
    assertEquals(await webhooks.unwrap(body, { ...late, tolerance: null }), found);
  });

  it("come through if the document does not list them", async () => {
    const { webhooks } = new Library();
    for (const body of ['{"type":"book.burnt","bookId":7}', "{}", "null", "[1]"]) {
      assertEquals<unknown>(await webhooks.unwrap(...signed(body)), JSON.parse(body));
    }
  });

  it("have dates, if the SDK has them", async () => {
    const webhooks = {
      due: { post: json(event("due", { at })) },
      paid: { post: json({ $ref: "#/components/schemas/Paid" }) },
      seen: { post: json(event("seen")) },
    };
    const components = { schemas: { Paid: event("paid", { at }) } };
    const options = { webhooks: "standard", dates: true } as const;
    await withSdk({ webhooks, components }, options, async ({ webhooks }) => {
      for (const type of ["due", "paid"]) {
        const text = "2026-11-20T10:00:00.000Z";
        const found = await webhooks!["unwrap"]!(...signed(JSON.stringify({ type, at: text })));
        assertEquals((found as { readonly at: Date }).at.toISOString(), text);
      }
      for (const body of ['{"type":"seen","at":"now"}', '{"type":"lost","at":"now"}', "null"]) {
        assertEquals(await webhooks!["unwrap"]!(...signed(body)), JSON.parse(body));
      }
    });
  });

  it("can be told apart by a property whose name needs quotes", async () => {
    const typed = (type: string) => ({
      ...{ type: "object", required: ["@type", "at"] },
      properties: { "@type": { const: type }, at },
    });
    const webhooks = { a: { post: json(typed("a")) }, b: { post: json(typed("b")) } };
    const options = { webhooks: "standard", dates: true } as const;
    await withSdk({ webhooks }, options, async ({ webhooks }) => {
      const body = '{"@type":"b","at":"2026-11-20T10:00:00.000Z"}';
      const found = await webhooks!["unwrap"]!(...signed(body));
      assertEquals((found as { readonly at: Date }).at.getTime(), Date.UTC(2026, 10, 20, 10));
    });
  });

  it("have a method each if nothing tells them apart", async () => {
    const webhooks = {
      "invoice.paid": { post: json({ type: "object", properties: { at } }) },
      "invoice.sent": { post: json(event("x")) },
    };
    const options = { webhooks: "standard", dates: true } as const;
    await withSdk({ webhooks }, options, async ({ webhooks }) => {
      const body = '{"at":"2026-11-20T10:00:00.000Z"}';
      const paid = await webhooks!["unwrapInvoicePaid"]!(...signed(body));
      assertEquals((paid as { readonly at: Date }).at.getTime(), Date.UTC(2026, 10, 20, 10));
      assertEquals(await webhooks!["unwrapInvoiceSent"]!(...signed("{}")), {});
      assertEquals(webhooks!["unwrap"], undefined);
    });
  });

  it("can be one webhook with all events, and an extension of OpenAPI 3.0", async () => {
    const one = { oneOf: [event("a"), { $ref: "#/components/schemas/B" }] };
    const { files, report } = await generate(
      JSON.stringify({
        openapi: "3.0.3",
        info: { title: "Old", version: "1" },
        servers: [{ url: "https://api.example.com" }],
        paths: {},
        "x-webhooks": {
          events: {
            post: json({
              oneOf: [
                { ...event("a"), properties: { type: { type: "string", enum: ["a", "a.2"] } } },
                one.oneOf[1],
              ],
            }),
          },
        },
        components: {
          schemas: { B: { ...event("b"), properties: { type: { type: "string", enum: ["b"] } } } },
        },
      }),
      { webhooks: "standard" },
    );
    assertEquals(report.problems, []);
    const models = files.get("models.ts")!;
    assertStringIncludes(models, "export type OldWebhookEvent = AEvent | B;");
    assertStringIncludes(files.get("webhooks.ts")!, "async unwrap(");
  });

  it("are one each, however often the document lists them or their bodies", async () => {
    const shared = { oneOf: [event("a"), event("b")] };
    const webhooks = { one: { post: json(shared) }, two: { post: json(shared) } };
    const listed = { seen: { post: json(event("seen")) } };
    for (const document of [{ webhooks }, { webhooks: listed, "x-webhooks": listed }]) {
      await withSdk(document, { webhooks: "standard" }, ({ webhooks }) => {
        const names = Object.getOwnPropertyNames(Object.getPrototypeOf(webhooks));
        assertEquals(names, ["constructor", "unwrap"]);
      });
    }
  });

  it("have methods with numbers if their names have no Latin letters", async () => {
    const body = json({ type: "object", properties: { at } });
    const webhooks = { "予約": { post: body }, "返却": { post: json({ type: "object" }) } };
    await withSdk({ webhooks }, { webhooks: "standard" }, ({ webhooks }) => {
      const names = Object.getOwnPropertyNames(Object.getPrototypeOf(webhooks));
      assertEquals(names, ["constructor", "unwrapEvent", "unwrapEvent2"]);
    });
  });

  it("can have the names of types that the client imports", async () => {
    const schemas = {
      WebhookMessage: { type: "object", properties: { text: { type: "string" } } },
    };
    const { files } = await generate(
      JSON.stringify({
        openapi: "3.1.0",
        info: { title: "Names", version: "1" },
        servers: [{ url: "https://api.example.com" }],
        paths: {},
        webhooks: { seen: { post: json({ $ref: "#/components/schemas/WebhookMessage" }) } },
        components: { schemas },
      }),
      { webhooks: "standard" },
    );
    const text = files.get("webhooks.ts")!;
    assertStringIncludes(text, "Promise<WebhookMessageModel>");
    assertStringIncludes(text, 'import type { WebhookMessageModel } from "./models.ts";');
  });

  it("are signed by a scheme of the project's own", async () => {
    const scheme = new URL("support/webhook_scheme.ts", import.meta.url).href;
    const webhooks = { seen: { post: json(event("seen")) } };
    await withSdk({ webhooks }, { webhooks: scheme }, async ({ webhooks }) => {
      const body = '{"type":"seen"}';
      const headers = { "X-Sum": createHmac("sha256", "key").update(body).digest("hex") };
      assertEquals(await webhooks!["unwrap"]!(body, { headers, secret: "key" }), { type: "seen" });
      const wrong = () => webhooks!["unwrap"]!(body, { headers, secret: "another" });
      await assertRejects(wrong, WebhookSignatureError);
    });
  });

  it("do not take the place of operations with the tag webhooks", async () => {
    const paths = {
      "/hooks": {
        get: {
          tags: ["webhooks"],
          operationId: "listHooks",
          responses: { 204: { description: "" } },
        },
      },
    };
    const webhooks = { seen: { post: json(event("seen")) } };
    await withSdk({ paths, webhooks }, { webhooks: "standard" }, async (client, sdk) => {
      assertEquals(
        await client["webhookEvents"]!["unwrap"]!(...signed('{"type":"seen"}')),
        { type: "seen" },
      );
      assertEquals(Object.keys(client["webhooks"]!).includes("unwrap"), false);
      assert(sdk.module["Webhooks"] !== undefined);
    });
    const events = {
      get: {
        tags: ["webhookEvents"],
        operationId: "listEvents",
        responses: { 204: { description: "" } },
      },
    };
    const both = { paths: { ...paths, "/events": events }, webhooks };
    await withSdk(both, { webhooks: "standard" }, async (client) => {
      assertEquals(Object.keys(client["webhookEvents"]!).includes("unwrap"), false);
      assertEquals(
        await client["webhookEvents_"]!["unwrap"]!(...signed('{"type":"seen"}')),
        { type: "seen" },
      );
    });
  });

  it("are those of a client with resources, too", async () => {
    const apiMd = "# Pets\n\nMethods:\n\n" +
      '- <code title="get /pets">client.pets.<a href="./src/resources/pets.ts">list</a>() -> ' +
      "void</code>\n";
    const document = {
      paths: { "/pets": { get: { operationId: "list", responses: { 204: { description: "" } } } } },
      webhooks: { seen: { post: json(event("seen")) } },
    };
    await withSdk(document, { webhooks: "standard", apiMd, name: "Live" }, async (client) => {
      assertEquals(
        await client["webhooks"]!["unwrap"]!(...signed('{"type":"seen"}')),
        { type: "seen" },
      );
    });
  });

  it("have types without a scheme, and so have callbacks", async () => {
    const callbacks = {
      done: { "{$request.body#/url}": { post: json({ type: "object", properties: { at } }) } },
      none: {},
    };
    const operation = { operationId: "start", responses: { 204: { description: "" } } };
    const { files, report } = await generate(JSON.stringify({
      openapi: "3.1.0",
      info: { title: "Jobs", version: "1" },
      servers: [{ url: "https://api.example.com" }],
      paths: { "/jobs": { post: { ...operation, callbacks } } },
      webhooks: { seen: { post: json(event("seen")) }, empty: {} },
    }));
    assertEquals(files.has("webhooks.ts"), false);
    const models = files.get("models.ts")!;
    assertStringIncludes(models, "export interface SeenEvent {");
    assertStringIncludes(models, "export type JobsWebhookEvent = SeenEvent;");
    assertStringIncludes(models, "export interface StartDoneCallback {");
    assertEquals(report.problems.map(({ pointer, message }) => [pointer, message]), [
      ["#/paths/~1jobs/post/callbacks/none", "a callback states no JSON that it sends"],
      ["#/webhooks/empty", "a webhook states no JSON that it sends"],
    ]);
  });
});
