import { assertEquals, describe, it } from "#test";
import type { Method, ModelPart, NamedType, SdkModel } from "../../src/model/mod.ts";
import { planSdk } from "../../src/plan/mod.ts";
import { readSource } from "../../src/read/read.ts";
import { readApiMd } from "../../src/sdk/api_md.ts";

const DOCUMENT = JSON.stringify({
  openapi: "3.1.0",
  info: { title: "Pets", version: "1" },
  servers: [{ url: "https://api.example.com" }],
  paths: {
    "/pets/{id}": {
      put: {
        operationId: "updatePet",
        tags: ["pets"],
        parameters: [
          { name: "id", in: "path", required: true, example: "p1", schema: { type: "string" } },
          { name: "dry", in: "query", schema: { type: "boolean" } },
        ],
        requestBody: {
          required: true,
          content: { "application/json": { schema: { $ref: "#/components/schemas/Pet" } } },
        },
        callbacks: {
          changed: { $ref: "#/components/callbacks/Changed" },
          "x-internal": {},
        },
        responses: {
          200: {
            description: "The pet",
            content: { "application/json": { schema: { $ref: "#/components/schemas/Pet" } } },
          },
        },
      },
    },
  },
  webhooks: {
    petAdded: {
      post: {
        summary: "A pet was added",
        requestBody: {
          content: { "application/json": { schema: { $ref: "#/components/schemas/Pet" } } },
        },
      },
    },
  },
  components: {
    callbacks: {
      Changed: {
        "{$request.body#/callbackUrl}": {
          post: {
            description: "A pet was changed",
            requestBody: {
              content: { "application/json": { schema: { $ref: "#/components/schemas/Pet" } } },
            },
          },
        },
      },
    },
    schemas: {
      Pet: {
        type: "object",
        required: ["name"],
        properties: {
          name: { type: "string", example: "Rex" },
          friends: { type: "array", items: { $ref: "#/components/schemas/Pet" } },
        },
      },
    },
  },
});

const API_MD = '- <code title="put /pets/{id}">client.pets.<a href="./src/x.ts">update</a>' +
  "(id, { ...params }) -> unknown</code>\n";

async function modelWith(parts: readonly ModelPart[], apiMd?: string): Promise<SdkModel> {
  const source = await readSource(DOCUMENT);
  const shape = apiMd === undefined ? undefined : readApiMd(apiMd).shape;
  return planSdk(source, { pins: new Map(), parts: new Set(parts), shape });
}

async function methodWith(parts: readonly ModelPart[], apiMd?: string): Promise<Method> {
  const { groups } = await modelWith(parts, apiMd);
  return groups.flatMap(({ methods }) => methods)[0]!;
}

describe("the model of an SDK", () => {
  it("has the signatures of methods, of endpoints and of resources", async () => {
    const reference = (name: string) => ({ kind: "reference", name }) as const;
    const options = { name: "options", role: "options", or: [], isRequired: false } as const;
    const id = {
      name: "id",
      role: "path",
      type: { kind: "string" },
      or: [],
      isRequired: true,
    } as const;
    const promise = (name: string, from: string): NamedType => ({
      ...{ kind: "named", name, from, arguments: [reference("Pet")] },
    });

    const ofEndpoint = (await methodWith([])).signature;
    assertEquals(ofEndpoint.returns, promise("APIPromise", "toolkit"));
    assertEquals(ofEndpoint.arguments.map(({ role, isRequired }) => [role, isRequired]), [
      ...[["path", true], ["body", true], ["params", false], ["options", false]],
    ]);
    const ofResource = (await methodWith([], API_MD)).signature;
    assertEquals(ofResource.returns, promise("ResourcePromise", "toolkit/resources"));
    const params = { name: "params", role: "params", or: [], isRequired: true } as const;
    assertEquals(ofResource.arguments, [
      id,
      { ...params, type: reference("PetUpdateParams") },
      {
        ...options,
        type: {
          kind: "named",
          name: "ResourceRequestOptions",
          from: "toolkit/resources",
          arguments: [],
        },
      },
    ]);
  });

  it("has JSON Schemas with references resolved and examples, if an output needs them", async () => {
    const { schemas, groups } = await modelWith(["schemas"]);
    const pet = { mediaType: "application/json", schema: { $ref: "#/$defs/Pet" }, examples: [] };

    assertEquals(groups[0]!.methods[0]!.schemas, {
      parameters: [
        {
          ...{ name: "id", place: "path", required: true },
          ...{ schema: { type: "string" }, examples: ["p1"] },
        },
        {
          ...{ name: "dry", place: "query", required: false },
          ...{ schema: { type: "boolean" }, examples: [] },
        },
      ],
      bodies: [pet],
      responses: [{ status: "200", description: "The pet", ...pet }],
    });
    assertEquals([...schemas!], [["Pet", {
      type: "object",
      required: ["name"],
      properties: {
        name: { type: "string", examples: ["Rex"] },
        friends: { type: "array", items: { $ref: "#/$defs/Pet" } },
      },
    }]]);
  });

  it("has samples of calls, if an output needs them", async () => {
    const { sample, tests } = await methodWith(["samples"]);
    const pet = { kind: "object", members: [["name", "Rex"]] } as const;

    assertEquals([sample?.path, sample?.params], [["p1"], {
      ...{ kind: "object", members: [["dry", true]] },
    }]);
    assertEquals((sample?.body as typeof pet).members[0], ["name", "Rex"]);
    assertEquals((sample?.result as typeof pet).members[0], ["name", "Rex"]);
    assertEquals(tests, undefined);
  });

  it("has the webhooks of the document", async () => {
    const { webhooks } = await modelWith(["schemas"]);

    assertEquals(webhooks, [{
      ...{ name: "petAdded", verb: "POST", text: "A pet was added" },
      bodies: [{
        ...{ mediaType: "application/json", schema: { $ref: "#/$defs/Pet" }, examples: [] },
      }],
    }]);
    assertEquals((await modelWith([])).webhooks?.map(({ name, bodies }) => [name, bodies]), [
      ["petAdded", undefined],
    ]);
  });

  it("has the callbacks of operations", async () => {
    const callback = {
      ...{ name: "changed", verb: "POST", text: "A pet was changed" },
      ...{ operation: "PUT /pets/{}", url: "{$request.body#/callbackUrl}" },
    };

    assertEquals((await modelWith([])).callbacks, [{ ...callback, bodies: undefined }]);
    assertEquals((await modelWith(["schemas"])).callbacks, [{
      ...callback,
      bodies: [{
        ...{ mediaType: "application/json", schema: { $ref: "#/$defs/Pet" }, examples: [] },
      }],
    }]);
  });

  it("has no parts that no output needs", async () => {
    const { schemas, groups } = await modelWith([]);
    const { sample, tests, schemas: ofMethod } = groups[0]!.methods[0]!;

    assertEquals([schemas, sample, tests, ofMethod], [undefined, undefined, undefined, undefined]);
  });

  it("is plain data, which structuredClone can copy", async () => {
    const model = await modelWith(["samples", "schemas", "tests"]);

    assertEquals(structuredClone(model), model);
  });
});
