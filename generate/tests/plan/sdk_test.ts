import { readFile } from "node:fs/promises";
import { assertEquals, describe, it } from "#test";
import { noFramingHeaders } from "../../../src/http/headers.ts";
import type { PlanOptions } from "../../src/plan/options.ts";
import { type Method, planSdk } from "../../src/plan/mod.ts";
import type { SdkModel, Type } from "../../src/model/mod.ts";
import { readSource } from "../../src/read/read.ts";

/** The parts of a document that a test is about. */
interface Parts {
  readonly paths?: unknown;
  readonly components?: unknown;
  readonly servers?: unknown;
  readonly security?: unknown;
  readonly webhooks?: unknown;
}

async function planOf(
  parts: Parts,
  options: Partial<PlanOptions> = {},
): Promise<{ plan: SdkModel; problems: readonly string[] }> {
  const document = { openapi: "3.2.0", info: { title: "A plan", version: "1" }, ...parts };
  const source = await readSource(JSON.stringify(document));
  const plan = planSdk(source, { pins: new Map(), ...options });
  return { plan, problems: source.problems().map((each) => `${each.kind}: ${each.message}`) };
}

async function methodOf(operation: object, parts: Parts = {}): Promise<Method> {
  const { plan } = await planOf({ paths: { "/a": { post: operation } }, ...parts });
  return plan.groups[0]!.methods[0]!;
}

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: object) => ({ content: { "application/json": { schema } } });
const components = {
  schemas: { Pet: { type: "object", properties: { name: { type: "string" } } } },
};

describe("the plan of operations", () => {
  it("has the methods of 3.2, and reports what has no counterpart", async () => {
    const { plan, problems } = await planOf({
      paths: {
        "/a": {
          get: { callbacks: { done: {} }, responses: { 200: { links: { next: {} } } } },
          trace: {},
          query: {},
          additionalOperations: { COPY: {}, CONNECT: {}, "no token": {} },
        },
      },
      webhooks: { added: {} },
    });
    const verbs = plan.groups.flatMap(({ methods }) => methods.map(({ verb }) => verb));
    assertEquals(verbs, ["GET", "QUERY", "COPY"]);
    assertEquals(problems, [
      "unsupported: a callback states no JSON that it sends",
      "unsupported: a link has no counterpart in a client",
      "unsupported: fetch forbids the method TRACE",
      "unsupported: fetch forbids the method CONNECT",
      "operation: an HTTP method must be a token",
      "unsupported: a webhook states no JSON that it sends",
    ]);
  });

  it("has the media types of the document with their parameters, except charsets it cannot have", async () => {
    const typesOf = async (key: string) => {
      const content = { [key]: { schema: { type: "string" } } };
      const operation = { requestBody: { content }, responses: { 200: { content } } };
      const { plan, problems } = await planOf({ paths: { "/a": { post: operation } } });
      const { body, result } = plan.groups[0]!.methods[0]!;
      return [body?.contentType, result.accept, ...problems];
    };
    const rows: Readonly<Record<string, string | undefined>> = {
      "application/vnd.demo+json; version=2": "application/vnd.demo+json; version=2",
      "application/json;odata.metadata=minimal": "application/json;odata.metadata=minimal",
      'application/vnd.api+json;ext="https://a.example/b;c,d"':
        'application/vnd.api+json;ext="https://a.example/b;c,d"',
      "application/json": undefined,
      "application/json; charset=utf-8": undefined,
      "application/json;": undefined,
      "application/*+json": undefined,
      "text/csv; header=present; charset=iso-8859-1": "text/csv; header=present",
      "Text/Plain ;charset=UTF-8": "text/plain;charset=UTF-8",
      "text/*": "text/*",
    };
    for (const [key, expected] of Object.entries(rows)) {
      assertEquals(await typesOf(key), [expected, expected], key);
    }
    for (const key of ["application/json, x-version=1.0.0", "application/json; version"]) {
      const message = `operation: "${key}" is not a media type`;
      assertEquals(await typesOf(key), [undefined, undefined, message, message]);
    }
  });

  it("has the bytes of a file, also if the document says that it is JSON", async () => {
    const schema = { type: "string", format: "binary" };
    const resultOf = async (...types: readonly string[]) => {
      const content = Object.fromEntries(types.map((type) => [type, { schema }]));
      const { result } = await methodOf({ responses: { 200: { content } } });
      return [result.kind, result.accept];
    };

    assertEquals(await resultOf("application/json"), ["bytes", "application/json"]);
    assertEquals(await resultOf("application/json", "application/pdf"), [
      "bytes",
      "application/pdf",
    ]);
    assertEquals(await resultOf("*/*"), ["bytes", undefined]);
  });

  it("asks for one of several versions, whose type the result has with each status", async () => {
    const schema = { type: "object", properties: { id: { type: "string" } } };
    const schemas = { A: schema, B: schema, C: schema, D: schema };
    const versions = (...names: readonly (readonly [version: number, name: string])[]) => ({
      content: Object.fromEntries(names.map(([version, name]) => [
        `application/vnd.demo+json; version=${version}`,
        { schema: ref(name) },
      ])),
    });
    const { result } = await methodOf({
      responses: { 200: versions([1, "A"], [2, "B"]), 201: versions([2, "D"], [1, "C"]) },
    }, { components: { schemas } });

    assertEquals(result.accept, "application/vnd.demo+json; version=1");
    assertEquals<unknown>(result.type, {
      kind: "union",
      members: [{ kind: "reference", name: "A" }, { kind: "reference", name: "C" }],
    });
  });

  it("has no header that the toolkit refuses, because the runtime sets it", async () => {
    const names = Object.keys(noFramingHeaders);
    const header = { required: true, schema: { type: "string" } };
    const headers = Object.fromEntries([...names, "X-Part"].map((name) => [name, header]));
    const schema = { type: "object", properties: { file: { type: "string", format: "binary" } } };
    const { plan, problems } = await planOf({
      paths: {
        "/a": {
          post: {
            parameters: [...names, "X-Own"].map((name) => ({
              ...header,
              name: name.toUpperCase(),
              in: "header",
            })),
            requestBody: {
              content: { "multipart/form-data": { schema, encoding: { file: { headers } } } },
            },
          },
        },
      },
    });
    const [method] = plan.groups[0]!.methods;

    assertEquals(method!.parameters.map(({ wireName }) => wireName), ["X-OWN", "X-Part"]);
    assertEquals(problems.toSorted(), [
      ...names.map((name) => `parameter: a part cannot have a header "${name}"`),
      ...names.map((name) =>
        `parameter: the runtime sets the header "${name.toUpperCase()}" itself`
      ),
    ]);
  });

  it("has the parameters of the path item, which an operation replaces by name and place", async () => {
    const { plan, problems } = await planOf({
      paths: {
        "/a/{x}/{y-z}?on=1#part": {
          parameters: [
            { name: "x", in: "path", required: true, schema: { type: "integer" } },
            { name: "q", in: "query", schema: { type: "integer" } },
            { name: "Q", in: "header", schema: { type: "string" } },
          ],
          get: {
            parameters: [
              { name: "q", in: "query", required: true, schema: { type: "string" } },
              { name: "q", in: "cookie", schema: { type: "string" } },
              { name: "Accept", in: "header", schema: { type: "string" } },
            ],
          },
        },
      },
    });
    const [method] = plan.groups[0]!.methods;
    assertEquals(method!.path, ["/a/", { argument: "x" }, "/", { argument: "yZ" }]);
    assertEquals(method!.fixedQuery, [["on", "1"]]);
    assertEquals(method!.pathParameters.map(({ name, type }) => [name, type.kind]), [
      ["x", "number"],
      ["yZ", "string"],
    ]);
    assertEquals(
      method!.parameters.map(({ name, place, required }) => [name, place, required]),
      [["q", "query", true], ["Q", "header", false], ["q_cookie", "cookie", false]],
    );
    assertEquals(problems, [
      "operation: a path has a fragment, which is not sent",
      'parameter: the path parameter "y-z" is not declared',
    ]);
  });
});

describe("the plan of a result", () => {
  const cases: readonly (readonly [title: string, responses: object, result: object])[] = [
    ["JSON", { 200: json(ref("Pet")) }, {
      kind: "json",
      type: { kind: "reference", name: "Pet" },
    }],
    ["JSON, or nothing", { 200: json(ref("Pet")), 204: {} }, {
      kind: "json",
      type: { kind: "union", members: [{ kind: "reference", name: "Pet" }, { kind: "null" }] },
    }],
    ["JSON of a version", { 200: { content: { "application/vnd.a+json": {} } } }, {
      kind: "json",
      type: { kind: "unknown" },
      accept: "application/vnd.a+json",
    }],
    ["nothing", { 204: {} }, { kind: "void" }],
    ["text", { 200: { content: { "text/csv": {} } } }, { kind: "text", accept: "text/csv" }],
    ["bytes", { 200: { content: { "image/*": {} } } }, { kind: "bytes", accept: undefined }],
    ["a redirect", { 302: {} }, { kind: "redirect" }],
    ["the default", { default: json(ref("Pet")) }, { kind: "json" }],
  ];
  for (const [title, responses, result] of cases) {
    it(`of ${title}`, async () => {
      const planned = (await methodOf({ responses }, { components })).result;
      const keys = Object.keys(result) as (keyof typeof planned)[];
      assertEquals(Object.fromEntries(keys.map((key) => [key, planned[key]])), result);
    });
  }
});

describe("the plan of a body", () => {
  it("has a problem for each value that no style can send", async () => {
    const text = { type: "string" };
    const object = { type: "object", properties: { by: text } };
    const list = { type: "array", items: object };
    const parameter = (name: string, schema: object, more: object = {}) => ({
      ...{ name, in: "query", schema },
      ...more,
    });
    const { problems } = await planOf({
      paths: {
        "/a": {
          get: {
            parameters: [
              parameter("objects", list),
              parameter("lists", { type: "array", items: { type: "array", items: text } }),
              parameter("nested", { type: "object", properties: { sort: object } }),
              parameter("flat", { type: "object", properties: { a: text, sort: list } }, {
                explode: false,
              }),
              parameter("deep", { type: "object", properties: { sort: list } }, {
                style: "deepObject",
              }),
              parameter("X-Lists", list, { in: "header" }),
              // These can be sent.
              parameter("sort", {
                type: "object",
                properties: { sort: { type: "array", items: text } },
              }),
              parameter("deepest", { type: "object", properties: { a: object } }, {
                style: "deepObject",
              }),
              parameter("either", { oneOf: [text, list] }),
              { name: "json", in: "query", content: { "application/json": { schema: list } } },
            ],
          },
        },
      },
    });

    assertEquals(problems, [
      "parameter: no style of OpenAPI sends the items of objects",
      "parameter: no style of OpenAPI sends the items of lists",
      "parameter: no style of OpenAPI sends nested.sort",
      "parameter: no style of OpenAPI sends flat.sort",
      "parameter: no style of OpenAPI sends the items of deep.sort",
      "parameter: no style of OpenAPI sends the items of X-Lists",
    ]);
  });

  it("has a conversion for each field of a form with dates", async () => {
    const when = { type: "string", format: "date-time" };
    const file = { type: "string", format: "binary" };
    const schemas = {
      Form: { type: "object", properties: { at: when, days: { type: "array", items: when } } },
      Upload: { allOf: [ref("Form"), { type: "object", properties: { file } }] },
    };
    const form = { "application/x-www-form-urlencoded": { schema: ref("Form") } };
    const upload = { "multipart/form-data": { schema: ref("Upload") } };
    const paths = {
      "/a": { post: { requestBody: { content: form } }, put: { requestBody: { content: upload } } },
    };
    const { plan } = await planOf({ paths, components: { schemas } }, { dates: true });
    const bodies = plan.groups[0]!.methods.map(({ body }) =>
      body!.fields.map(({ name, conversion }) => [name, conversion?.kind])
    );
    const dates = [["at", "date"], ["days", "list"]];
    assertEquals(bodies.sort((a, b) => a.length - b.length), [dates, [...dates, [
      "file",
      undefined,
    ]]]);
  });

  it("names a conversion only of a schema that has one", async () => {
    const when = { type: "string", format: "date-time" };
    const dated = { type: "object", required: ["at"], properties: { at: when } };
    const schemas = {
      Anything: {},
      Open: { allOf: [ref("Anything"), dated] },
      // Nothing is a text and an object, so its date stays as it is.
      Odd: { allOf: [{ type: "string" }, dated] },
      Odds: { type: "object", properties: { odds: { type: "array", items: ref("Odd") } } },
    };
    const answer = (name: string) => ({
      get: { responses: { 200: { description: "", ...json(ref(name)) } } },
    });
    const paths = { "/a": answer("Open"), "/b": answer("Odd"), "/c": answer("Odds") };
    const { plan } = await planOf({ paths, components: { schemas } }, { dates: true });
    const declared = plan.models.map(({ name, conversion }) => [name, conversion?.kind]);
    assertEquals(declared.sort(), [
      ["Anything", undefined],
      ["Odd", undefined],
      ["Odds", undefined],
      ["Open", "object"],
    ]);
    const results = plan.groups.flatMap(({ methods }) =>
      methods.map(({ operation, result }) => [operation, result.conversion?.kind])
    );
    assertEquals(results.sort(), [
      ["GET /a", "reference"],
      ["GET /b", undefined],
      ["GET /c", undefined],
    ]);
    const odd = plan.models.find(({ name }) => name === "Odd")!;
    assertEquals(JSON.stringify(odd.type).includes('"date"'), false);
  });

  it("is a form of any fields if its schema is not an object", async () => {
    const text = await readFile(new URL("schemas/form_bodies.yaml", import.meta.url), "utf8");
    const source = await readSource(text);
    const { groups } = planSdk(source, { pins: new Map() });
    const bodies = groups.flatMap(({ methods }) =>
      methods.map(({ name, body }) => [
        ...[name, body!.kind, body!.isUnchecked],
        body!.fields.filter(({ style }) => style === "json").map((field) => field.name).join(" "),
      ])
    );
    assertEquals(bodies, [
      ["send", "form", true, ""],
      ["send", "form", true, ""],
      ["send", "form", true, ""],
      ["send", "multipart", false, ""],
      ["send", "form", true, "objects lists object mixed"],
      ["send", "form", false, ""],
    ]);
    assertEquals(source.problems().map(({ message, action }) => [message, action]), [
      ["a form must be an object", "taken as any fields"],
    ]);
  });

  const multipart = { type: "object", properties: { file: { type: "string", format: "binary" } } };
  const cases: readonly (readonly [title: string, body: object, plan: object])[] = [
    ["optional", json(ref("Pet")), { kind: "json", required: false, isSentEmpty: false }],
    ["required without required fields", { required: true, ...json(ref("Pet")) }, {
      ...{ kind: "json", required: false, isSentEmpty: true },
    }],
    ["required", { required: true, ...json({ type: "string" }) }, { required: true }],
    [
      "with a file, beside JSON",
      { content: { ...json(ref("Pet")).content, "multipart/form-data": { schema: multipart } } },
      { kind: "multipart" },
    ],
    [
      "without a file, beside JSON",
      { content: { "multipart/form-data": { schema: ref("Pet") }, ...json(ref("Pet")).content } },
      { kind: "json" },
    ],
    ["of any type", { content: { "application/octet-stream": {} } }, {
      ...{ kind: "bytes", contentType: "application/octet-stream" },
    }],
  ];
  for (const [title, requestBody, plan] of cases) {
    it(title, async () => {
      const planned = (await methodOf({ requestBody }, { components })).body!;
      const keys = Object.keys(plan) as (keyof typeof planned)[];
      assertEquals(Object.fromEntries(keys.map((key) => [key, planned[key]])), plan);
    });
  }
});

describe("the plan of errors", () => {
  it("has a class for each status, and a subclass for each type if there are several", async () => {
    const problem = { type: "object", properties: { code: { type: "string" } } };
    const responses = { 404: json(ref("Problem")), "5XX": json(ref("Pet")) };
    const { plan } = await planOf({
      paths: {
        "/a": { get: { responses }, put: { responses: { 404: json(ref("Problem")) } } },
        "/b": { get: { responses: { 404: json(ref("Pet")), 402: json(ref("Pet")) } } },
      },
      components: { schemas: { ...components.schemas, Problem: problem } },
    });
    assertEquals(plan.client.errors, [
      { status: 404, className: "APlanNotFoundError" },
      { status: 500, className: "APlanServerError" },
      { status: 502, className: "APlanBadGatewayError" },
      { status: 503, className: "APlanServiceUnavailableError" },
      { status: 504, className: "APlanGatewayTimeoutError" },
    ]);
    const [, b] = plan.groups;
    assertEquals(b!.methods[0]!.errors, [
      { status: 402, className: "APlanPaymentRequiredError" },
      { status: 404, className: "PetNotFoundError" },
    ]);
    const bases = Object.fromEntries(plan.errors.map(({ className, base }) => [className, base]));
    assertEquals(bases["APlanServiceUnavailableError"], "ServiceUnavailableError");
    assertEquals(bases["APlanPaymentRequiredError"], "APIError");
    assertEquals(bases["ProblemNotFoundError"], "APlanNotFoundError");
    assertEquals(bases["PetNotFoundError"], "APlanNotFoundError");
    assertEquals(bases["APlanNotFoundError"], "NotFoundError");
  });
});

/** Returns the type of an option that takes one of these values. */
function literals(...values: readonly string[]): Type[] {
  return [{ kind: "union", members: values.map((value) => ({ kind: "literal", value })) }];
}

describe("the plan of servers and security", () => {
  it("has servers with names, and their variables as options", async () => {
    const region = { default: "eu", enum: ["eu", "us"] };
    const { plan, problems } = await planOf({
      servers: [
        { url: "https://api.example.com/", description: "Production server" },
        { url: "https://{region}.example.com/v1", name: "regional", variables: { region } },
        { url: "/v1" },
        { url: "javascript:alert(1)" },
      ],
      paths: { "/a": { get: { servers: [{ url: "https://up.example.com" }] } } },
    });
    assertEquals(plan.client.servers.map(({ name, url }) => [name, url]), [
      ["production", "https://api.example.com"],
      ["regional", "https://eu.example.com/v1"],
    ]);
    assertEquals(plan.client.options.map(({ name, role, types }) => [name, role, types]), [
      ["server", "server", literals("production", "regional")],
      ["region", "value", literals("eu", "us")],
      ["servers", "ownServers", plan.client.options.at(-1)!.types],
    ]);
    assertEquals(plan.groups[0]!.methods[0]!.server, "https://up.example.com");
    assertEquals(plan.client.ownServers, [{ name: "up", url: "https://up.example.com" }]);
    assertEquals(problems.map((each) => each.split(" ")[0]), ["server:", "server:"]);
  });

  it("names servers of operations after their host, or their path on the host of the base URL", async () => {
    const urls = {
      "http://uploads.example.com": "uploads",
      "http://uploads.example.com:8080": "uploads2",
      "https://api.example.com": "root",
      "https://api.example.com/v2": "v2",
      "https://api.example.net/files": "example",
      "https://example.org/v3": "exampleV3",
      "https://uploads.example.com": "uploads3",
      "https://www.example.org/v2": "exampleV2",
    };
    const { plan } = await planOf({
      servers: [{ url: "https://api.example.com/v1" }],
      paths: Object.fromEntries(
        Object.entries(urls).map(([url, name]) => [`/${name}`, { get: { servers: [{ url }] } }]),
      ),
    });
    assertEquals(
      Object.fromEntries(plan.client.ownServers.map(({ name, url }) => [url, name])),
      urls,
    );
  });

  it("has a name of its own for each server, also if their URLs are the same by default", async () => {
    const { plan } = await planOf({
      servers: [
        { url: "https://{region}.example.com", variables: { region: { default: "eu" } } },
        { url: "https://eu.example.com" },
        { url: "https://{place}.example.com", variables: { place: { default: "eu", enum: [{}] } } },
      ],
    });
    assertEquals(plan.client.servers.map(({ name }) => name), [
      "https://eu.example.com",
      "https://eu.example.com 2",
      "https://{place}.example.com",
    ]);
  });

  it("has the alternatives of each operation, the one without credentials last", async () => {
    const securitySchemes = {
      "api-key": { type: "apiKey", in: "header", name: "X-Key" },
      baseUrl: { type: "http", scheme: "bearer" },
      cert: { type: "mutualTLS" },
    };
    const { plan, problems } = await planOf({
      components: { securitySchemes },
      security: [{ "api-key": [] }],
      paths: {
        "/same": { get: { security: [{ "api-key": [], cert: [] }] } },
        "/other": { get: { security: [{}, { baseUrl: [], "api-key": [] }] } },
        "/none": { get: { security: [] } },
        "/unknown": { get: { security: [{ lost: [] }] } },
      },
    });
    assertEquals(plan.client.schemes.map(({ option }) => option), ["apiKey", "baseUrlAuth"]);
    assertEquals(plan.client.security, [["apiKey"]]);
    const methods = plan.groups.flatMap(({ methods }) => methods);
    assertEquals(methods.map(({ security }) => security), [
      undefined,
      [["baseUrlAuth", "apiKey"], []],
      [],
      [],
    ]);
    assertEquals(problems, [
      'name: the client has another option "baseUrl"',
      'security: there is no usable security scheme "lost"',
    ]);
  });
});
