import { assertEquals, describe, it } from "#test";
import { readSource } from "../../src/read/read.ts";
import type { LoadedSource } from "../../src/read/loaded_source.ts";
import type { Node } from "../../src/read/source.ts";

const DOCUMENT = `swagger: "2.0"
info: {title: Pets, version: "1"}
host: api.example.com
basePath: /v1
schemes: [http, https]
consumes: [application/json]
produces: [application/json]
parameters:
  limit: {name: limit, in: query, type: integer, format: int32, default: 10}
  pet: {name: pet, in: body, required: true, description: The pet, schema: {$ref: "#/definitions/Pet"}}
responses:
  NotFound: {description: Gone, schema: {$ref: "#/definitions/Error"}}
securityDefinitions:
  basic: {type: basic}
  key: {type: apiKey, in: header, name: X-Key}
  login: {type: oauth2, flow: accessCode, authorizationUrl: a, tokenUrl: b, scopes: {read: Reads}}
security: [{basic: []}]
paths:
  /pets/{id}:
    parameters:
      - {name: id, in: path, required: true, type: string}
      - {name: tags, in: query, type: array, items: {type: string}, collectionFormat: multi}
    get:
      produces: [application/json, text/csv]
      parameters:
        - $ref: "#/parameters/limit"
        - {name: tags, in: query, type: array, items: {type: string}, collectionFormat: pipes}
        - {name: X-Ids, in: header, type: array, items: {type: string}, collectionFormat: tsv}
      responses:
        200:
          description: OK
          headers: {X-Rate: {type: integer, description: Left}}
          examples: {application/json: {a: 1}}
          schema: {$ref: "#/definitions/Pet"}
        204: {description: Nothing}
        404: {$ref: "#/responses/NotFound"}
    put:
      schemes: [https]
      parameters: [{$ref: "#/parameters/pet"}]
      responses: {default: {description: File, schema: {type: file}}}
    post:
      consumes: [application/x-www-form-urlencoded, multipart/form-data]
      parameters:
        - {name: name, in: formData, type: string, required: true, description: Name}
        - {name: ids, in: formData, type: array, items: {type: integer}, collectionFormat: multi}
      responses: {}
    patch:
      parameters:
        - {name: photo, in: formData, type: file}
        - $ref: "#/parameters/none"
      responses: {}
definitions:
  Pet:
    type: object
    discriminator: kind
    required: [kind]
    properties: {kind: {type: string}, name: {type: string, x-nullable: true}, discriminator: {type: string}}
  Error: {type: object, properties: {message: {type: string}}}
`;

function at(source: LoadedSource, ...keys: readonly string[]): Node {
  return keys.reduce<Node>((node, key) => source.child(source.resolve(node)!, key)!, source.root);
}

const plain = (node: Node): unknown => JSON.parse(JSON.stringify(node.value));

describe("a document of Swagger 2.0", () => {
  it("gets servers, of which the encrypted ones are first", async () => {
    const source = await readSource(DOCUMENT);
    assertEquals(source.version, "2.0");
    assertEquals(plain(at(source, "servers")), [
      ...[{ url: "https://api.example.com/v1" }, { url: "http://api.example.com/v1" }],
    ]);
    assertEquals(plain(at(source, "paths", "/pets/{id}", "put", "servers")), [
      { url: "https://api.example.com/v1" },
    ]);
    const relative = await readSource("swagger: '2.0'\nbasePath: /v2\nschemes: [https]");
    assertEquals(plain(at(relative, "servers")), [{ url: "/v2" }]);
  });

  it("gets parameters with schemas and styles, of which those of the operation win", async () => {
    const source = await readSource(DOCUMENT);
    assertEquals(plain(at(source, "paths", "/pets/{id}", "get", "parameters")), [
      { name: "id", in: "path", required: true, schema: { type: "string" } },
      {
        ...{ name: "limit", in: "query" },
        schema: { type: "integer", format: "int32", default: 10 },
      },
      {
        ...{ name: "tags", in: "query", style: "pipeDelimited", explode: false },
        schema: { type: "array", items: { type: "string" } },
      },
      {
        ...{ name: "X-Ids", in: "header", style: "simple", explode: false },
        schema: { type: "array", items: { type: "string" } },
      },
    ]);
  });

  it("gets media types for files that are not JSON, if there are any", async () => {
    const typesOf = async (produces: string, schema = "{type: file}") => {
      const source = await readSource(`swagger: "2.0"
definitions: {File: {type: file}}
paths: {/a: {get: {${produces}responses: {200: {schema: ${schema}}}}}}`);
      const content = at(source, "paths", "/a", "get", "responses", "200", "content");
      return Object.keys(content.value as object);
    };

    assertEquals(await typesOf(""), ["*/*"]);
    assertEquals(await typesOf("", '{$ref: "#/definitions/File"}'), ["*/*"]);
    assertEquals(await typesOf("produces: [application/json, text/csv], "), ["text/csv"]);
    assertEquals(await typesOf("produces: [application/json], "), ["application/json"]);
    assertEquals(await typesOf("", "{type: string}"), ["application/json"]);
  });

  it("gets bodies of JSON, forms and multipart", async () => {
    const source = await readSource(DOCUMENT);
    const body = (method: string): unknown =>
      plain(at(source, "paths", "/pets/{id}", method, "requestBody"));
    assertEquals(body("put"), {
      description: "The pet",
      required: true,
      content: { "application/json": { schema: { $ref: "#/definitions/Pet" } } },
    });
    const form = {
      schema: {
        type: "object",
        properties: {
          name: { type: "string", description: "Name" },
          ids: { type: "array", items: { type: "integer" } },
        },
        required: ["name"],
      },
      encoding: { ids: { style: "form", explode: true } },
    };
    assertEquals(body("post"), {
      required: true,
      content: { "application/x-www-form-urlencoded": form, "multipart/form-data": form },
    });
    const photo = { type: "string", format: "binary" };
    assertEquals(body("patch"), {
      required: false,
      content: {
        "multipart/form-data": {
          schema: { type: "object", properties: { photo }, required: [] },
          encoding: {},
        },
      },
    });
  });

  it("gets responses with content, and keeps references to shared ones", async () => {
    const source = await readSource(DOCUMENT);
    const responses = at(source, "paths", "/pets/{id}", "get", "responses");
    const schema = { $ref: "#/definitions/Pet" };
    assertEquals(plain(responses), {
      200: {
        description: "OK",
        headers: { "X-Rate": { description: "Left", schema: { type: "integer" } } },
        content: { "application/json": { schema, example: { a: 1 } }, "text/csv": { schema } },
      },
      204: { description: "Nothing" },
      404: { $ref: "#/responses/NotFound" },
    });
    assertEquals(plain(at(source, "paths", "/pets/{id}", "get", "responses", "404", "content")), {
      "application/json": { schema: { $ref: "#/definitions/Error" } },
    });
  });

  it("gets schemas with nullable types and discriminators", async () => {
    const source = await readSource(DOCUMENT);
    const found = source.target(source.root, "#/definitions/Pet")!;
    assertEquals(found.pointer, "#/components/schemas/Pet");
    assertEquals(plain(found), {
      type: "object",
      discriminator: { propertyName: "kind" },
      required: ["kind"],
      properties: {
        kind: { type: "string" },
        name: { type: ["string", "null"], "x-nullable": true },
        discriminator: { type: "string" },
      },
    });
  });

  it("gets security schemes and flows", async () => {
    const source = await readSource(DOCUMENT);
    assertEquals(plain(at(source, "components", "securitySchemes")), {
      basic: { type: "http", scheme: "basic" },
      key: { type: "apiKey", in: "header", name: "X-Key" },
      login: {
        type: "oauth2",
        flows: {
          authorizationCode: { authorizationUrl: "a", tokenUrl: "b", scopes: { read: "Reads" } },
        },
      },
    });
    assertEquals(plain(at(source, "security")), [{ basic: [] }]);
  });

  it("has problems at the places of the document", async () => {
    const source = await readSource(DOCUMENT, { file: "pets.yaml" });
    const operation = ["paths", "/pets/{id}", "put"];
    const places: readonly (readonly [keys: readonly string[], pointer: string, line: number])[] = [
      [
        ["components", "schemas", "Pet", "properties", "name"],
        "#/definitions/Pet/properties/name",
        57,
      ],
      [
        [...operation, "requestBody", "content", "application/json", "schema"],
        "#/parameters/pet/schema",
        10,
      ],
      [[...operation, "requestBody", "content"], "#/parameters/pet", 10],
      [
        [...operation, "responses", "default", "content"],
        "#/paths/~1pets~1{id}/put/responses/default",
        40,
      ],
      [["servers"], "#/host", 3],
    ];
    const known = source.problems().map(({ message, action }) => `${message}: ${action}`);
    assertEquals(known, [
      'the collection format "tsv" is not supported here: sent with commas',
      '"#/parameters/none" does not exist: left out',
    ]);
    for (const [keys] of places) {
      const node = keys.reduce<Node>((each, key) => source.child(each, key)!, source.root);
      source.problem(node, "schema", "here", "a");
    }
    const found = source.problems().filter(({ message }) => message === "here");
    assertEquals(
      found.map(({ pointer, line }) => [pointer, line]).sort(),
      places.map(([, pointer, line]) => [pointer, line]).sort(),
    );
  });

  it("may have parameters and path items in other files", async () => {
    const files: Readonly<Record<string, string>> = {
      "parts/pets.yaml": `
get:
  parameters:
    - {$ref: 'common.yaml#/limit'}
    - {name: b, in: body, schema: {$ref: '#/own'}}
  responses: {200: {description: OK, schema: {$ref: 'common.yaml#/Pet'}}}
own: {title: Own}
`,
      "parts/common.yaml": "limit: {name: limit, in: query, type: string}\nPet: {title: Pet}\n",
    };
    const source = await readSource("swagger: '2.0'\npaths: {/pets: {$ref: parts/pets.yaml}}", {
      read: (path) => files[path],
    });
    const get = at(source, "paths", "/pets", "get");
    assertEquals(plain(source.child(get, "parameters")!), [
      { name: "limit", in: "query", schema: { type: "string" } },
    ]);
    const body = at(source, "paths", "/pets", "get", "requestBody", "content", "application/json");
    assertEquals(plain(source.resolve(source.child(body, "schema")!)!), { title: "Own" });
    const ok = at(
      source,
      "paths",
      "/pets",
      "get",
      "responses",
      "200",
      "content",
      "application/json",
    );
    assertEquals(plain(source.resolve(source.child(ok, "schema")!)!), { title: "Pet" });
    assertEquals(source.problems(), []);
  });

  it("may have operations in other files", async () => {
    const files: Readonly<Record<string, string>> = {
      "parts/add.yaml": `
parameters: [{name: b, in: body, schema: {$ref: '#/own/Pet'}}]
responses: {200: {description: OK, schema: {$ref: '#/own/Pet'}}}
own: {Pet: {title: Own}}
`,
    };
    const source = await readSource(
      "swagger: '2.0'\npaths: {/pets: {post: {$ref: parts/add.yaml}}}",
      { read: (path) => files[path] },
    );
    const post = ["paths", "/pets", "post"];
    for (const place of [["requestBody"], ["responses", "200"]]) {
      const media = at(source, ...post, ...place, "content", "application/json");
      const schema = source.child(media, "schema")!;
      assertEquals(plain(schema), { $ref: "parts/add.yaml#/own/Pet" });
      assertEquals(plain(source.resolve(schema)!), { title: "Own" });
    }
    assertEquals(source.problems(), []);
  });

  it("has a problem for a field of a form without a name", async () => {
    const source = await readSource(`swagger: "2.0"
paths: {/pets: {post: {parameters: [{in: formData, type: string}], responses: {}}}}`);
    assertEquals(source.child(at(source, "paths", "/pets", "post"), "requestBody"), undefined);
    assertEquals(source.problems().map(({ pointer, message }) => [pointer, message]), [
      ["#/paths/~1pets/post/parameters/0", "a field of a form must have a name"],
    ]);
  });
});
