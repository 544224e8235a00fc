import { assertEquals, describe, it } from "#test";
import { type Method, planSdk, type Type } from "../../src/plan/mod.ts";
import { readSource } from "../../src/read/read.ts";

const chunk = { type: "object", required: ["delta"], properties: { delta: { type: "string" } } };
const step = { type: "object", properties: { steps: { type: "integer" } } };
const json = { "application/json": { schema: chunk } };

/** Returns the method of an operation, with the types of its endpoint, and the problems. */
async function planned(operation: object, dates = false) {
  const source = await readSource(JSON.stringify({
    openapi: "3.2.0",
    info: { title: "Streams", version: "1" },
    paths: { "/a": { post: operation } },
    components: { schemas: { Chunk: chunk, Step: step } },
  }));
  const plan = planSdk(source, { pins: new Map(), dates });
  const [endpoint] = plan.groups;
  const [method] = endpoint!.methods as [Method];
  const problems = source.problems().map(({ message }) => message);
  return { method, types: endpoint!.types, problems };
}

/** Returns the plan of a response with content. */
async function streamOf(content: object, dates = false) {
  const { method, problems } = await planned({ responses: { 200: { content } } }, dates);
  return { stream: method.stream, result: method.result, problems };
}

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const inJson = (schema: object) => ({
  contentMediaType: "application/json",
  contentSchema: schema,
});
const event = (name: string, data?: object) => ({
  type: "object",
  properties: { event: { const: name }, ...data && { data } },
});
const events = (schema: object) => ({ "text/event-stream": { itemSchema: schema } });

const text: Type = { kind: "string" };
const named = (name: string): Type => ({ kind: "reference", name });

describe("the plan of server-sent events", () => {
  it("has events with a text, if the document says nothing of them", async () => {
    const { stream, result } = await streamOf({ "text/event-stream": {} });
    assertEquals([stream!.format, stream!.item, stream!.isText], ["events", text, true]);
    assertEquals([stream!.events, stream!.choice, result.kind], [undefined, undefined, "stream"]);
  });

  it("has the data of its schema, of an item, or of the elements of an array", async () => {
    for (
      const media of [
        { schema: ref("Chunk") },
        { schema: { type: "array", items: ref("Chunk") } },
        { itemSchema: { type: "object", properties: { data: inJson(ref("Chunk")) } } },
      ]
    ) {
      const { stream } = await streamOf({ "text/event-stream": media });
      assertEquals([stream!.item, stream!.isText], [named("Chunk"), false]);
    }
  });

  it("has a type for each event, without `[DONE]`, and throws the error among them", async () => {
    const { stream } = await streamOf(events({
      oneOf: [
        event("chunk", inJson(ref("Chunk"))),
        event("step", ref("Step")),
        event("end", { const: "[DONE]" }),
        event("error", inJson({})),
      ],
    }));
    assertEquals(stream!.events!.map(({ name, data }) => [name, data]), [
      ["chunk", named("Chunk")],
      ["step", named("Step")],
    ]);
    assertEquals([stream!.errorEvent, stream!.eventsType], ["error", "ACreateEvents"]);
  });

  it("has a text for each event, if one of them has one", async () => {
    const { stream } = await streamOf(events({
      anyOf: [event("log", { type: "string" }), event("step", ref("Step"))],
    }));
    assertEquals(stream!.events!.map(({ name, data }) => [name, data]), [
      ["log", text],
      ["step", text],
    ]);
    assertEquals(stream!.isText, true);
  });

  it("converts dates", async () => {
    const at = { type: "string", format: "date-time" };
    const dated = { type: "object", properties: { at } };
    const { stream } = await streamOf({ "text/event-stream": { schema: dated } }, true);
    assertEquals(stream!.conversion?.kind, "object");
    const both = await streamOf(
      events({ oneOf: [event("at", inJson(dated)), event("step", inJson(ref("Step")))] }),
      true,
    );
    assertEquals(both.stream!.events!.every(({ conversion }) => conversion !== undefined), true);
  });

  it("takes the place of lines of JSON, if there are both", async () => {
    const content = { "application/jsonl": {}, "text/event-stream": {} };
    assertEquals((await streamOf(content)).stream!.format, "events");
  });
});

describe("the plan of lines of JSON", () => {
  const types = {
    "application/x-ndjson": undefined,
    "application/ndjson": "application/ndjson",
    "application/jsonl": "application/jsonl",
    "application/x-jsonlines": "application/x-jsonlines",
    "application/vnd.api+ndjson": "application/vnd.api+ndjson",
  };
  for (const [type, accept] of Object.entries(types)) {
    it(`is that of ${type}`, async () => {
      for (
        const media of [
          { itemSchema: ref("Chunk") },
          { schema: ref("Chunk") },
          { schema: { type: "array", items: ref("Chunk") } },
        ]
      ) {
        const { stream, problems } = await streamOf({ [type]: media });
        assertEquals(
          [stream!.format, stream!.item, stream!.accept, problems],
          ["lines", named("Chunk"), accept, []],
        );
      }
    });
  }

  it("is not that of JSON sequences, whose response is returned, with a problem", async () => {
    const { stream, result, problems } = await streamOf({ "application/json-seq": {} });
    assertEquals([stream, result.kind], [undefined, "response"]);
    assertEquals(problems, ["application/json-seq is not read yet"]);
  });
});

describe("the choice between a stream and another result", () => {
  const responses = { 200: { content: { ...json, "text/event-stream": {} } } };
  const flag = { type: "boolean" };
  const bodyOf = (schema: object) => ({
    requestBody: { content: { "application/json": { schema } } },
  });
  const withStream = (stream: object) => ({ type: "object", properties: { stream } });
  const streamParameter = (more: object) => ({
    parameters: [{ name: "stream", in: "query", ...more }],
  });

  const cases: readonly (readonly [string, object, string, string])[] = [
    ["the property of the body", bodyOf(withStream(flag)), "body", "stream"],
    [
      "a property that can be null",
      bodyOf(withStream({ type: ["boolean", "null"] })),
      "body",
      "stream",
    ],
    [
      "the property of each alternative",
      bodyOf({ oneOf: [withStream({ const: true }), withStream({ const: false })] }),
      "body",
      "stream",
    ],
    [
      "a parameter of its own, if an alternative has no such property",
      bodyOf({ oneOf: [withStream(flag), step] }),
      "params",
      "stream",
    ],
    ["a parameter of the query", streamParameter({ schema: flag }), "params", "stream"],
    ["a parameter of its own, if there is nothing", {}, "params", "stream"],
    [
      "a parameter with another name, if that is for something else",
      streamParameter({ schema: { type: "string" } }),
      "params",
      "stream_",
    ],
  ];
  for (const [name, operation, place, property] of cases) {
    it(`is ${name}`, async () => {
      const { method } = await planned({ ...operation, responses });
      assertEquals(method.stream!.choice, { place, name: property });
      const own = method.parameters.filter((each) => each.place === "choice");
      assertEquals(own.length, name.includes("parameter") && !name.includes("query") ? 1 : 0);
      assertEquals(method.result.kind, "json");
    });
  }

  it("has the result of the statuses without a stream", async () => {
    const { method } = await planned({
      responses: {
        200: { content: { "text/event-stream": {} } },
        202: { content: { "application/json": { schema: ref("Step") } } },
        204: {},
      },
    });
    assertEquals(method.result.type, {
      kind: "union",
      members: [named("Step"), { kind: "null" }],
    });
  });
});
