import { assertEquals, assertRejects, describe, it } from "#test";
import { diff, type DiffOptions, NamesError, OverridesError } from "../../mod.ts";
import { OptionError } from "../../src/base/errors.ts";
import { changeLine } from "../../src/diff/changes.ts";

/** The parts of a document. */
interface Parts {
  readonly title?: string;
  readonly path?: string;
  readonly operation?: Readonly<Record<string, unknown>>;
  readonly others?: Readonly<Record<string, unknown>>;
  readonly pet?: unknown;
  readonly schemas?: Readonly<Record<string, unknown>>;
  readonly root?: Readonly<Record<string, unknown>>;
}

const json = (schema: unknown) => ({ "application/json": { schema } });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const object = (properties: object, required: readonly string[] = []) => ({
  type: "object",
  properties,
  required,
});
const returns = (schema: unknown) => ({ 200: { description: "", content: json(schema) } });
const takes = (schema: unknown, required = true) => ({
  requestBody: { required, content: json(schema) },
});
const parameter = (name: string, more: object = {}) => ({
  name,
  in: "query",
  schema: { type: "string" },
  ...more,
});
const inPath = (...names: readonly string[]) =>
  names.map((name) => parameter(name, { in: "path", required: true }));

/** Makes a document with one operation, which is `pets.get` unless the parts say otherwise. */
function documentOf(
  { title = "Zoo", path = "/pets", operation = {}, others = {}, pet, schemas = {}, root }: Parts,
): string {
  const whole = {
    tags: ["pets"],
    operationId: "getPet",
    responses: pet === undefined ? { 204: { description: "" } } : returns(ref("Pet")),
    ...operation,
  };
  return JSON.stringify({
    openapi: "3.1.0",
    info: { title, version: "1" },
    servers: [{ url: "https://api.example.com" }],
    paths: { [path]: { post: whole }, ...others },
    components: { schemas: { ...(pet === undefined ? {} : { Pet: pet }), ...schemas } },
    ...root,
  });
}

/** Returns the lines of a comparison. */
async function linesOf(old: Parts, now: Parts, options?: DiffOptions): Promise<string[]> {
  const { changes } = await diff(documentOf(old), documentOf(now), options);
  return changes.map(changeLine);
}

/** Returns both directions of a schema: as the body and as the result of `pets.get`. */
const both = (schema: unknown): Parts => ({
  operation: { ...takes(ref("Pet")), responses: returns(ref("Pet")) },
  pet: schema,
});
const inResponse = (schema: unknown): Parts => ({ pet: schema });
const inRequest = (schema: unknown): Parts => ({
  operation: takes(ref("Pet")),
  schemas: { Pet: schema },
});

const name = { type: "string" };
const integer = { type: "integer" };
const text = {};

/** A response with server-sent events, alone or beside JSON. */
const streamed = (media: object | undefined, hasOther = false) => ({
  200: {
    description: "",
    content: {
      ...hasOther ? json(object({})) : {},
      ...media && { "text/event-stream": media },
    },
  },
});
const events = (data: Readonly<Record<string, object>>) => ({
  itemSchema: {
    oneOf: Object.entries(data).map(([event, contentSchema]) =>
      object({
        event: { const: event },
        data: { contentMediaType: "application/json", contentSchema },
      })
    ),
  },
});
const tame = object({ name, owner: { type: "string" } }, ["name"]);
const wild = object({ name, forest: { type: "string" } }, ["name", "forest"]);
const named = object({ name }, ["name"]);
const choosing = object({ stream: { type: "boolean" } });
const states = (...values: readonly unknown[]) => object({ state: { enum: values } }, ["state"]);
const cat = object({ kind: { const: "cat" }, lives: { type: "integer" } }, ["kind", "lives"]);
const dog = object({ kind: { const: "dog" }, tricks: { type: "integer" } }, ["kind", "tricks"]);

/** Changes that break callers: the name, both documents, and the lines. */
const breaking: readonly (readonly [string, Parts, Parts, readonly string[]])[] = [
  ["a renamed method", {}, { operation: { operationId: "findPet" } }, [
    "pets.get: the method was renamed: pets.find",
  ]],
  [
    "a method that is gone",
    {
      others: { "/pets/{id}": { delete: { tags: ["pets"], operationId: "deletePet" } } },
    },
    {},
    ["pets.delete: the method was removed: DELETE /pets/{id}"],
  ],
  [
    "two methods that swapped their names",
    { others: { "/a": { get: { tags: ["pets"], operationId: "findPet" } } } },
    {
      operation: { operationId: "findPet" },
      others: { "/a": { get: { tags: ["pets"], operationId: "getPet" } } },
    },
    [
      "pets.get: the method was renamed: pets.find; `pets.get` is GET /a now",
      "pets.find: the method was renamed: pets.get; `pets.find` is POST /pets now",
    ],
  ],
  ["a renamed client", {}, { title: "Farm" }, ["Zoo: the client was renamed: Farm"]],
  ["a new required parameter", { operation: { parameters: [parameter("a")] } }, {
    operation: { parameters: [parameter("a"), parameter("b", { required: true })] },
  }, ["pets.get params.b: is new, and required"]],
  ["an optional parameter that is required", { operation: { parameters: [parameter("a")] } }, {
    operation: { parameters: [parameter("a", { required: true })] },
  }, ["pets.get params.a: was optional, is required"]],
  [
    "a parameter that is gone, and one of another type",
    {
      operation: { parameters: [parameter("a"), parameter("b-c")] },
    },
    { operation: { parameters: [parameter("b-c", { schema: { type: "integer" } })] } },
    [
      "pets.get params.a: the parameter was removed",
      'pets.get params["b-c"]: was string, is number',
    ],
  ],
  [
    "path parameters in another order",
    { path: "/{a}/{b}", operation: { parameters: inPath("a", "b") } },
    { path: "/{b}/{a}", operation: { parameters: inPath("a", "b") } },
    ["pets.get: the arguments were (a, b, options?), and are (b, a, options?)"],
  ],
  [
    "a body before the parameters",
    { operation: { parameters: [parameter("a")] } },
    { operation: { parameters: [parameter("a")], ...takes(name, false) } },
    ["pets.get: the arguments were (params?, options?), and are (body?, params?, options?)"],
  ],
  [
    "parameters before the options",
    {},
    { operation: { parameters: [parameter("a")] } },
    ["pets.get: the arguments were (options?), and are (params?, options?)"],
  ],
  [
    "another number of path parameters",
    { path: "/orgs/{org}/pets/{pet}", operation: { parameters: inPath("org", "pet") } },
    { path: "/pets/{pet}", operation: { parameters: inPath("pet") } },
    ["pets.get: the arguments were (org, pet, options?), and are (pet, options?)"],
  ],
  ["a body that is required", { operation: takes(name, false) }, { operation: takes(name) }, [
    "pets.get body: was optional, is required",
  ]],
  ["a body of another type", { operation: takes({ type: "string" }) }, {
    operation: takes({ type: "array", items: name }),
  }, ["pets.get body: was string, is string[]"]],
  [
    "a required property in a request",
    inRequest(object({ name, id: name }, ["id"])),
    inRequest(object({ name, id: name, age: name }, ["name", "id", "age"])),
    [
      "Pet.name: was optional, is required (in requests; used by pets.get)",
      "Pet.age: is new, and required (in requests; used by pets.get)",
    ],
  ],
  [
    "an optional property in a response",
    inResponse(object({ name }, ["name"])),
    inResponse(
      object({ name }),
    ),
    ["Pet.name: was always there, is optional (in responses; used by pets.get)"],
  ],
  [
    "a removed property, in both directions",
    both(object({ name, age: name })),
    both(
      object({ age: name }),
    ),
    ["Pet.name: the property was removed (in requests and responses; used by pets.get)"],
  ],
  [
    "a property of another type",
    both(object({ name })),
    both(
      object({ name: { type: "integer" } }),
    ),
    ["Pet.name: was string, is number (in requests and responses; used by pets.get)"],
  ],
  [
    "a response that can be null",
    inResponse(object({ name })),
    inResponse(
      object({ name: { type: ["string", "null"] } }),
    ),
    ["Pet.name: can be null now (in responses; used by pets.get)"],
  ],
  [
    "a request that cannot be null",
    inRequest(object({ name: { type: ["string", "null"] } })),
    inRequest(object({ name })),
    ["Pet.name: must not be null any more (in requests; used by pets.get)"],
  ],
  ["a removed value in a request", inRequest(states("new", "sold")), inRequest(states("new")), [
    'Pet.state: the value "sold" was removed (in requests; used by pets.get)',
  ]],
  ["a removed value in a response", inResponse(states("new", "sold")), inResponse(states("new")), [
    'Pet.state: the value "sold" was removed (in responses; used by pets.get)',
  ]],
  ["a new value in a response", inResponse(states("new")), inResponse(states("new", "sold")), [
    'Pet.state: can have the new value "sold" (in responses; used by pets.get)',
  ]],
  [
    "any string in place of values",
    inResponse(states("new")),
    inResponse(
      object({ state: name }, ["state"]),
    ),
    ['Pet.state: was "new", is string (in responses; used by pets.get)'],
  ],
  [
    "a type in an array of a union",
    inResponse({ type: "array", items: { anyOf: [cat, dog] } }),
    inResponse({
      type: "array",
      items: { anyOf: [cat, { ...dog, required: ["kind"] }] },
    }),
    ["Pet[].tricks: was always there, is optional (in responses; used by pets.get)"],
  ],
  [
    "a new alternative in a response",
    inResponse({ anyOf: [cat] }),
    inResponse({
      anyOf: [cat, dog],
    }),
    ["Pet: was object, is object | object (in responses; used by pets.get)"],
  ],
  [
    "a new alternative in a response without a property that all others have",
    inResponse({ anyOf: [object({ name, age: name }), object({ name, id: name }, ["id"])] }),
    inResponse({
      anyOf: [
        object({ name, age: name }),
        object({ name, id: name }, ["id"]),
        object({ age: name }),
      ],
    }),
    ["Pet: was object | object, is object | object | object (in responses; used by pets.get)"],
  ],
  [
    "a property that an interface inherits",
    {
      ...inResponse({ allOf: [ref("Animal"), object({ age: name })] }),
      schemas: { Animal: object({ name }, ["name"]) },
    },
    {
      ...inResponse({ allOf: [ref("Animal"), object({ age: name })] }),
      schemas: { Animal: object({ name }) },
    },
    ["Pet.name: was always there, is optional (in responses; used by pets.get)"],
  ],
  [
    "a type that refers to itself",
    inResponse(object({ name, mother: ref("Pet") })),
    inResponse(
      object({ name: { type: "integer" }, mother: ref("Pet") }),
    ),
    ["Pet.name: was string, is number (in responses; used by pets.get)"],
  ],
  [
    "a type that lost its name",
    inResponse(object({ name })),
    { operation: { responses: returns(ref("Animal")) }, schemas: { Animal: object({ name }) } },
    ["Pet: is not exported any more"],
  ],
  [
    "no JSON any more",
    inResponse(object({ name })),
    { schemas: { Pet: object({ name }) } },
    ["pets.get result: was Pet, is undefined"],
  ],
  [
    "the class of an error",
    { operation: { responses: { 404: { description: "", content: json(ref("Gone")) } } } },
    { operation: { responses: { 404: { description: "" } } } },
    [
      "errors of status 404: was ZooNotFoundError, is NotFoundError (used by pets.get)",
      "ZooNotFoundError: is not exported any more",
    ],
  ],
  [
    "the data of an error, but not its class, if another operation states other data",
    { operation: { responses: { 404: { description: "", content: json(ref("Gone")) } } } },
    {
      operation: { responses: { 404: { description: "", content: json(ref("Gone")) } } },
      others: {
        "/toys": {
          post: {
            ...{ tags: ["toys"], operationId: "getToy" },
            responses: { 404: { description: "", content: json(ref("Lost")) } },
          },
        },
      },
      schemas: { Lost: object({ at: name }) },
    },
    ["ZooNotFoundError.data: was Gone, is Gone | Lost (in responses)"],
  ],
  [
    "the data of an error",
    { operation: { responses: { 404: { description: "", content: json(ref("Gone")) } } } },
    {
      operation: { responses: { 404: { description: "", content: json(ref("Gone")) } } },
      schemas: { Gone: object({ why: { type: "integer" } }) },
    },
    ["Gone.why: was string, is number (in responses)"],
  ],
  [
    "credentials that were not required",
    { root: { security: [] }, operation: { security: [] } },
    { operation: { security: [{ key: [] }, { token: [], key: [] }] } },
    ["pets.get: required credentials: was none, is key, or token and key"],
  ],
  [
    "a server variable that is gone, and values of another",
    {
      root: {
        servers: [{
          url: "https://{region}.example.com/{base}",
          variables: { region: { default: "eu", enum: ["eu", "us"] }, base: { default: "v1" } },
        }],
      },
    },
    {
      root: {
        servers: [{
          url: "https://{region}.example.com",
          variables: { region: { default: "eu", enum: ["eu"] } },
        }],
      },
    },
    [
      'Zoo option region: the value "us" was removed',
      "Zoo option base: the option was removed",
    ],
  ],
  [
    "a stream that cannot be chosen any more",
    { operation: { ...takes(choosing), responses: streamed(text, true) } },
    { operation: { ...takes(choosing), responses: streamed(undefined, true) } },
    ["pets.get result: could be a stream of events, and cannot be a stream any more"],
  ],
  [
    "lines in place of events",
    { operation: { responses: streamed(text) } },
    {
      operation: { responses: { 200: { description: "", content: { "application/jsonl": {} } } } },
    },
    ["pets.get result: was a stream of events, is a stream of lines"],
  ],
  [
    "the data of an event, an event that is gone, and a new one",
    { operation: { responses: streamed(events({ step: object({ name }), end: object({}) })) } },
    {
      operation: {
        responses: streamed(events({ step: object({ id: name }), start: object({}) })),
      },
    },
    [
      'pets.get event: can have the new value "start"',
      'pets.get event: the value "end" was removed',
      "PetsGetStepEvent.name: the property was removed (in responses; used by pets.get)",
    ],
  ],
  [
    "the items of a stream",
    { operation: { responses: streamed({ schema: object({ name }) }) } },
    { operation: { responses: streamed({ schema: object({ name: { type: "integer" } }) }) } },
    ["PetsGetEvent.name: was string, is number (in responses; used by pets.get)"],
  ],
  [
    "a list that comes in pages",
    { operation: { responses: returns({ type: "array", items: name }) } },
    {
      operation: {
        ...takes(object({ page: { type: "integer" } }), false),
        responses: returns(object({ items: { type: "array", items: name }, total: integer })),
      },
    },
    [
      "pets.get: the arguments were (options?), and are (body?, options?)",
      "pets.get result: was a single result, is a list in pages",
    ],
  ],
  [
    "an alternative among many",
    inResponse({ anyOf: [cat, dog, name, { type: "array", items: name }, { type: "null" }] }),
    inResponse({ anyOf: [cat, dog, name, { type: "array", items: name }, integer] }),
    ["Pet: is not null any more, can be number now (in responses; used by pets.get)"],
  ],
  ["no server any more", {}, { root: { servers: [] } }, [
    "Zoo option baseUrl: is required: the document names no server with a host any more",
  ]],
];

/** Changes that break nobody. */
const harmless: readonly (readonly [string, Parts, Parts])[] = [
  ["a new method", {}, { others: { "/a": { get: { tags: ["pets"], operationId: "list" } } } }],
  ["another path for the same method", { path: "/pets" }, { path: "/animals" }],
  ["a renamed path parameter", {
    path: "/pets/{id}",
    operation: { parameters: inPath("id") },
  }, { path: "/pets/{pet}", operation: { parameters: inPath("pet") } }],
  ["a new optional parameter", { operation: { parameters: [parameter("a")] } }, {
    operation: { parameters: [parameter("b"), parameter("a")] },
  }],
  ["a parameter that is optional now", {
    operation: { parameters: [parameter("a", { required: true })] },
  }, { operation: { parameters: [parameter("a")] } }],
  [
    "a new property in a response",
    inResponse(object({ name })),
    inResponse(
      object({ name, age: name }, ["age"]),
    ),
  ],
  [
    "a property that is always there now",
    inResponse(object({ name })),
    inResponse(
      object({ name }, ["name"]),
    ),
  ],
  [
    "a new optional property in a request",
    inRequest(object({ name }, ["name"])),
    inRequest(
      object({ name, age: name }),
    ),
  ],
  ["a new value in a request", inRequest(states("new")), inRequest(states("new", "sold"))],
  [
    "a request that can be null",
    inRequest(object({ name })),
    inRequest(
      object({ name: { type: ["string", "null"] } }),
    ),
  ],
  [
    "a response that is never null",
    inResponse(object({ name: { type: ["string", "null"] } })),
    inResponse(
      object({ name }),
    ),
  ],
  ["a new alternative in a request", inRequest({ anyOf: [cat] }), inRequest({ anyOf: [cat, dog] })],
  [
    "a new alternative in a response that is like another one, without an optional property",
    inResponse({ anyOf: [tame, wild] }),
    inResponse({ anyOf: [tame, wild, named] }),
  ],
  ["fewer credentials", { operation: { security: [{ key: [], token: [] }] } }, {
    operation: { security: [{ key: [] }] },
  }],
  ["a result in place of none", {}, { operation: { responses: returns(name) } }],
];

const components = {
  securitySchemes: {
    key: { type: "apiKey", in: "header", name: "X-Key" },
    token: { type: "http", scheme: "bearer" },
  },
};

/** Adds what many documents refer to. */
function complete(parts: Parts): Parts {
  const { pet } = parts;
  const schemas = {
    Gone: object({ why: name }),
    ...(pet === undefined ? {} : { Pet: pet }),
    ...parts.schemas,
  };
  return { ...parts, root: { ...parts.root, components: { ...components, schemas } } };
}

describe("diff", () => {
  for (const [change, old, now, expected] of breaking) {
    it(`finds ${change}`, async () => {
      assertEquals(await linesOf(complete(old), complete(now)), expected);
    });
  }

  for (const [change, old, now] of harmless) {
    it(`does not mind ${change}`, async () => {
      assertEquals(await linesOf(complete(old), complete(now)), []);
    });
  }

  it("takes a new value in a response for harmless if enums are open", async () => {
    const [old, now] = [inResponse(states("new", "sold")), inResponse(states("new", "lost"))];
    assertEquals(await linesOf(old, now, { openEnums: true }), []);
  });

  it("names the methods that a change affects, each once", async () => {
    const others = {
      "/pets/{id}": {
        parameters: inPath("id"),
        get: { tags: ["pets"], operationId: "one", responses: returns(ref("Pet")) },
      },
    };
    const { changes } = await diff(
      documentOf({ ...inResponse(object({ name, age: name })), others }),
      documentOf({ ...inResponse(object({ age: name })), others }),
    );
    assertEquals(changes, [{
      kind: "property-removed",
      place: "Pet.name",
      message: "the property was removed",
      directions: ["response"],
      methods: ["pets.get", "pets.one"],
    }]);
  });

  it("keeps the names of a names file, and those that the old document would have added", async () => {
    const renamed = { operation: { operationId: "findPet" } };
    assertEquals(await linesOf({}, renamed, { names: '{"POST /pets": "animals.get"}' }), []);
    assertEquals(await linesOf({}, renamed, { names: "{}" }), []);
  });

  it("finds a name that was changed in the names file", async () => {
    const [oldNames, names] = ["pets.get", "pets.take"].map((each) =>
      JSON.stringify({ "POST /pets": each })
    );
    assertEquals(await linesOf({}, {}, { names, oldNames }), [
      "pets.get: the method was renamed: pets.take",
    ]);
  });

  it("compares lists as the files of overrides have them", async () => {
    const list: Parts = {
      operation: {
        ...takes(object({ page: integer }), false),
        responses: returns(object({ items: { type: "array", items: name }, total: integer })),
      },
    };
    const overrides = '{"POST /pets": {"pages": false}}';
    assertEquals(await linesOf(list, list), []);
    assertEquals(await linesOf(list, list, { overrides }), []);
    assertEquals(await linesOf(list, list, { overrides, oldOverrides: "{}" }), [
      "pets.get result: was a list in pages, is a single result",
    ]);
    assertEquals(await linesOf(list, list, { oldOverrides: overrides }), [
      "pets.get result: was a single result, is a list in pages",
    ]);
  });

  it("refuses options that it does not have, and a broken names file", async () => {
    const [old, now] = [documentOf({}), documentOf({})];
    await assertRejects(() => diff(old, now, { toolkit: "x" } as DiffOptions), OptionError);
    await assertRejects(() => diff(old, now, { old: { out: "x" } } as DiffOptions), OptionError);
    await assertRejects(() => diff(old, now, { names: "[]" }), NamesError);
    await assertRejects(() => diff(old, now, { overrides: "[]" }), OverridesError);
  });
});

describe("a comparison of webhooks", () => {
  const event = (type: string | undefined, more: object = {}) => ({
    post: {
      requestBody: {
        content: json({
          type: "object",
          required: ["type", ...Object.keys(more)],
          properties: { type: type === undefined ? { type: "string" } : { const: type }, ...more },
        }),
      },
    },
  });
  const withEvents = (webhooks: object): Parts => ({ root: { webhooks } });
  const options = { webhooks: "standard" };

  it("finds properties of events that are gone or have another type", async () => {
    const old = withEvents({ paid: event("paid", { by: name, sum: integer }) });
    const now = withEvents({ paid: event("paid", { sum: name }) });
    assertEquals(await linesOf(old, now, options), [
      "PaidEvent.by: the property was removed (in responses)",
      "PaidEvent.sum: was number, is string (in responses)",
    ]);
    assertEquals(await linesOf(old, old, options), []);
  });

  it("finds methods that are gone, because nothing tells the events apart any more", async () => {
    const old = withEvents({ paid: event("paid"), sent: event("sent") });
    const now = withEvents({ paid: event("paid"), sent: event(undefined) });
    const lines = await linesOf(old, now, options);
    assertEquals(lines.filter((line) => line.startsWith("webhooks.")), [
      "webhooks.unwrap: the method was removed",
    ]);
  });
});
