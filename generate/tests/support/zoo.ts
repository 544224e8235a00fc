/** A small API, and the shape of an SDK for it. */
import type { SdkShape } from "../../src/sdk/shape.ts";

const text = { type: "string" };
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: object) => ({ content: { "application/json": { schema } } });
const inPath = (name: string) => ({ name, in: "path", required: true, schema: text });
const inQuery = (name: string, schema: object = text) => ({ name, in: "query", schema });
const found = (schema: object) => ({ 200: { description: "OK", ...json(schema) } });

/** The document. */
export const zooDocument: object = {
  openapi: "3.1.0",
  info: { title: "Zoo", version: "1.2.3" },
  servers: [{ url: "https://zoo.example.com/v1" }],
  security: [{ Token: [] }],
  paths: {
    "/ping": { get: { operationId: "ping", responses: found({ type: "object" }) } },
    "/animals": {
      get: {
        operationId: "listAnimals",
        parameters: [inQuery("after"), inQuery("limit", { type: "integer" }), {
          name: "kinds[]",
          in: "query",
          schema: { type: "array", items: text },
        }],
        responses: found({
          type: "object",
          required: ["data", "has_more"],
          properties: {
            data: { type: "array", items: ref("AnimalDto") },
            has_more: { type: "boolean" },
          },
        }),
      },
      post: {
        operationId: "createAnimal",
        parameters: [inQuery("dry_run", { type: "boolean" }), {
          name: "X-Keeper",
          in: "header",
          schema: text,
        }],
        requestBody: { required: true, ...json(ref("NewAnimal")) },
        responses: found({
          type: "object",
          required: ["result"],
          properties: { result: ref("AnimalDto"), ok: { type: "boolean" } },
        }),
      },
    },
    "/animals/{animal_id}": {
      get: {
        operationId: "a",
        parameters: [inPath("animal_id")],
        responses: found(ref("AnimalDto")),
      },
      delete: {
        operationId: "b",
        parameters: [inPath("animal_id")],
        responses: { 204: { description: "Gone" } },
      },
    },
    "/animals/{animal_id}/photos/{photo_id}": {
      get: {
        operationId: "c",
        parameters: [inPath("animal_id"), inPath("photo_id"), inQuery("size")],
        responses: found(ref("Photo")),
      },
    },
    "/animals/{animal_id}/photos": {
      post: {
        operationId: "d",
        parameters: [inPath("animal_id")],
        requestBody: {
          content: {
            "multipart/form-data": {
              schema: {
                type: "object",
                required: ["file"],
                properties: {
                  file: { type: "string", format: "binary" },
                  tags: { type: "array", items: text },
                },
              },
            },
          },
        },
        responses: found(ref("Photo")),
      },
    },
    "/chat": {
      post: {
        operationId: "chat",
        requestBody: {
          required: true,
          ...json({
            type: "object",
            required: ["say"],
            properties: { say: text, stream: { type: "boolean" } },
          }),
        },
        responses: {
          200: {
            description: "OK",
            content: {
              "application/json": { schema: { type: "object", properties: { text } } },
              "text/event-stream": {
                schema: { type: "object", required: ["delta"], properties: { delta: text } },
              },
            },
          },
        },
      },
    },
    "/tags": {
      put: {
        operationId: "tags",
        requestBody: { required: true, ...json({ type: "array", items: text }) },
        responses: found({ type: "array", items: text }),
      },
    },
    "/tags/{tag}/animals/{animal_id}": {
      get: {
        operationId: "e",
        parameters: [
          { ...inPath("tag"), schema: { ...text, "x-stainless-param": "tag_name" } },
          inPath("animal_id"),
          inQuery("q", ref("Search")),
          {
            name: "zoo-beta",
            in: "header",
            schema: { type: "array", items: text, "x-stainless-param": "betas" },
          },
        ],
        responses: found(ref("AnimalDto")),
      },
    },
    "/internal": { get: { operationId: "internal", responses: found({ type: "object" }) } },
  },
  components: {
    securitySchemes: { Token: { type: "http", scheme: "bearer" } },
    schemas: {
      AnimalDto: { type: "object", required: ["id"], properties: { id: text, name: text } },
      NewAnimal: { type: "object", required: ["name"], properties: { name: text, id: text } },
      Search: { ...text, "x-stainless-param": "search" },
      Photo: { type: "object", required: ["url"], properties: { url: text } },
    },
  },
};

const method = (name: string, operation: string, more: object = {}) => ({
  name,
  operation,
  ...more,
});

/** The shape. */
export const zooShape: SdkShape = {
  className: "Zoo",
  resources: [
    { name: "$client", methods: [method("ping", "GET /ping")], resources: [], models: new Map() },
    {
      name: "animals",
      methods: [
        method("list", "GET /animals", { page: "cursor_page" }),
        method("create", "POST /animals", { resultType: "Animal" }),
        method("retrieve", "GET /animals/{id}", { resultType: "Animal" }),
        method("delete", "DELETE /animals/{id}", { deprecated: "Use release." }),
        method("feed", "POST /animals/{id}/food"),
      ],
      resources: [
        {
          name: "photos",
          methods: [
            method("retrieve", "GET /animals/{animal_id}/photos/{photo_id}"),
            method("upload", "POST /animals/{animal_id}/photos"),
          ],
          resources: [],
          models: new Map([["Photo", "#/components/schemas/Photo"]]),
        },
      ],
      models: new Map([["Animal", "#/components/schemas/AnimalDto"]]),
    },
    {
      name: "chat",
      methods: [method("send", "POST /chat", { streamParameter: "stream" })],
      resources: [],
      models: new Map(),
    },
    {
      name: "tags",
      methods: [
        method("replace", "PUT /tags", { bodyParameter: "tags" }),
        method("animal", "GET /tags/{tag}/animals/{animal_id}"),
      ],
      resources: [],
      models: new Map(),
    },
  ],
  pages: new Map([["cursor_page", {
    name: "cursor_page",
    rule: {
      kind: "cursor",
      param: "after",
      field: { lastItem: "id" },
      hasMore: "has_more",
    },
    items: "data",
    in: "query",
    parameters: ["after"],
    fields: ["data", "has_more"],
  }]]),
  options: [
    {
      name: "apiKey",
      type: "string",
      isNullable: false,
      isRequired: true,
      env: "ZOO_API_KEY",
      auth: { scheme: "Token" },
    },
    { name: "keeper", type: "string", isNullable: true, header: "X-Keeper-Name" },
    { name: "retriesHint", type: "number", isNullable: true, default: 3, env: "ZOO_HINT" },
  ],
  environments: new Map([
    ["production", "https://zoo.example.com/v1"],
    ["sandbox", "https://sandbox.example.com/v1"],
  ]),
  unwrap: ["result"],
  maxRetries: 4,
  timeout: 30_000,
  idempotencyHeader: "Idempotency-Key",
  headers: new Map([["X-Client", "zoo"]]),
  query: { lists: "brackets", objects: "brackets" },
};
