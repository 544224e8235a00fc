import { readFile } from "node:fs/promises";
import { parse } from "yaml";
import { assert, assertEquals, describe, it } from "#test";
import { DocumentError, generate } from "../mod.ts";
import { placesIn } from "./support/mutations.ts";

const SWAGGER = `swagger: "2.0"
info: { title: Pets, version: "1" }
host: api.example.com
schemes: [https]
consumes: [application/json]
parameters: { limit: { name: limit, in: query, type: integer } }
responses: { Gone: { description: Gone, schema: { type: string } } }
securityDefinitions: { login: { type: oauth2, flow: accessCode, tokenUrl: a, scopes: { b: c } } }
paths:
  /pets/{id}:
    parameters: [{ name: id, in: path, required: true, type: string }]
    get:
      parameters:
        - $ref: "#/parameters/limit"
        - { name: tags, in: query, type: array, items: { type: string }, collectionFormat: multi }
      responses: { 404: { $ref: "#/responses/Gone" }, 200: { schema: { type: file } } }
    put:
      parameters: [{ name: pet, in: body, schema: { $ref: "#/definitions/Pet" } }]
      responses: { 200: { headers: { A: { type: integer } }, examples: { a: 1 }, schema: {} } }
    post:
      consumes: [multipart/form-data]
      parameters: [{ name: photo, in: formData, type: file, required: true }]
      responses: {}
definitions:
  Pet: { required: [name], discriminator: name, properties: { name: { type: string } } }
`;

/** Values of other types, and parts of documents at places that they do not belong to. */
const WRONG: readonly unknown[] = [null, "text", [{}], { a: {} }, { type: ["object", {}] }];

const documents: Readonly<Record<string, string>> = {
  "OpenAPI": await readFile(new URL("support/shop.yaml", import.meta.url), "utf8"),
  "Swagger 2.0": SWAGGER,
};

describe("a document with a wrong value", () => {
  for (const [version, text] of Object.entries(documents)) {
    for (const [turn, wrong] of WRONG.entries()) {
      it(`has output wherever it is: ${JSON.stringify(wrong)} in ${version}`, async () => {
        const document: unknown = parse(text);
        const places = placesIn(document);
        assert(places.length > 80, `${places.length} places`);
        for (const [at, { parent, key }] of places.entries()) {
          // Each place gets two of the values. The fuzz run of `deno task corpora` tries others.
          if ((at + turn) % WRONG.length > 1) continue;
          const right = parent[key];
          parent[key] = wrong;
          const refused = await generate(JSON.stringify(document), { models: "xml" })
            .then(() => undefined, (error: unknown) => error);
          // Only the statement of the version is needed.
          const isVersion = key === "openapi" || key === "swagger";
          if (refused !== undefined) assert(isVersion && refused instanceof DocumentError, key);
          parent[key] = right;
        }
        assertEquals(document, parse(text));
      });
    }
  }
});
