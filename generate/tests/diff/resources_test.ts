import { assertEquals, assertRejects, describe, it } from "#test";
import { diff, type DiffOptions, ShapeError } from "../../mod.ts";
import { OptionError } from "../../src/base/errors.ts";
import { changeLine } from "../../src/diff/changes.ts";
import { zooDocument } from "../support/zoo.ts";

/** A part of a document or of a configuration. */
// deno-lint-ignore no-explicit-any
type Part = any;

const animals = "/animals";
const photo = "/animals/{animal_id}/photos/{photo_id}";

/** A configuration for the zoo. */
const config = {
  client_settings: {
    opts: {
      api_key: { type: "string", nullable: true, auth: { security_scheme: "Token" } },
      keeper: { type: "string", nullable: true, send_in_header: "X-Keeper-Name" },
    },
  },
  environments: { production: "https://zoo.example.com", sandbox: "https://box.example.com" },
  pagination: [{
    name: "cursor_page",
    type: "cursor_id",
    request: { after: { type: "string" } },
    response: { data: { type: "array", items: { type: "object" } }, has_more: { type: "boolean" } },
  }],
  resources: {
    $client: { methods: { ping: "get /ping" } },
    animals: {
      models: { animal: "AnimalDto" },
      methods: {
        list: { endpoint: `get ${animals}`, paginated: "cursor_page" },
        create: `post ${animals}`,
        retrieve: `get ${animals}/{animal_id}`,
      },
      subresources: {
        photos: { models: { photo: "Photo" }, methods: { retrieve: `get ${photo}` } },
      },
    },
    chat: { methods: { send: "post /chat" } },
    tags: { methods: { replace: { endpoint: "put /tags", body_param_name: "tags" } } },
  },
};

/** Returns a changed copy. */
function changed<T>(value: T, change: (copy: Part) => void): T {
  const copy = structuredClone(value);
  change(copy);
  return copy;
}

const text = (value: unknown) => JSON.stringify(value);

async function linesOf(
  old: Part,
  now: Part,
  options: DiffOptions = { stainless: text(config) },
): Promise<string[]> {
  const { changes } = await diff(text(old), text(now), options);
  return changes.map(changeLine);
}

/** Returns the lines of a comparison of two documents with one configuration. */
const ofDocument = (change: (document: Part) => void) =>
  linesOf(zooDocument, changed(zooDocument, change));

/** Returns the lines of a comparison of two configurations with one document. */
const ofConfig = (change: (config: Part) => void) =>
  linesOf(zooDocument, zooDocument, {
    stainless: text(changed(config, change)),
    oldStainless: text(config),
  });

const integer = { type: "integer" };
const schemaOf = (media: Part) => media.content["application/json"].schema;

/** Changes of the document, and the lines to expect. */
const ofDocuments: readonly (readonly [string, (document: Part) => void, readonly string[]])[] = [
  ["nothing in a document with a new operation", ({ paths }) => {
    paths["/cats"] = { get: { responses: { 204: { description: "" } } } };
  }, []],
  ["nothing in a parameter with a new optional sibling", ({ paths }) => {
    paths[animals].get.parameters.push({ name: "color", in: "query", schema: { type: "string" } });
  }, []],
  ["nothing in a path parameter with another name, because it is an argument", (document) => {
    document.paths["/animals/{id}"] = JSON.parse(
      text(document.paths["/animals/{animal_id}"]).replaceAll("animal_id", "id"),
    );
    delete document.paths["/animals/{animal_id}"];
  }, []],
  ["an operation that was removed", ({ paths }) => delete paths["/ping"], [
    "ping: the method was removed: GET /ping",
  ]],
  ["a parameter that was removed", ({ paths }) => paths[animals].get.parameters.splice(1, 1), [
    "animals.list params.limit: the property was removed",
  ]],
  ["a parameter that is required now", ({ paths }) => {
    paths[animals].post.parameters[0].required = true;
  }, ["animals.create params.dry_run: was optional, is required"]],
  ["a property of the body that is required now", ({ components }) => {
    components.schemas.NewAnimal.required.push("id");
  }, ["animals.create params.id: was optional, is required"]],
  ["a path parameter of the object with another type", ({ paths }) => {
    paths[photo].get.parameters[0].schema = integer;
  }, ["animals.photos.retrieve params.animal_id: was string, is number"]],
  ["a path parameter that is an argument with another type", ({ paths }) => {
    paths["/animals/{animal_id}"].get.parameters[0].schema = integer;
  }, ["animals.retrieve animalId: was string, is number"]],
  ["a body in a property with another type", ({ paths }) => {
    schemaOf(paths["/tags"].put.requestBody).items = integer;
  }, ["tags.replace params.tags[]: was string, is number"]],
  ["an object of parameters that is new", ({ paths }) => {
    const parameters = [{ name: "deep", in: "query", schema: { type: "boolean" } }];
    paths["/animals/{animal_id}"].get.parameters.push(...parameters);
  }, [
    "animals.retrieve: the arguments were (animalId, options?), and are (animalId, params?, options?)",
  ]],
  ["a property of a result that can be missing", ({ components }) => {
    components.schemas.Photo.required = [];
  }, ["Photo.url: was always there, is optional (in responses; used by animals.photos.retrieve)"]],
  ["a field of the pages", ({ paths }) => {
    const schema = schemaOf(paths[animals].get.responses[200]);
    schema.required = ["data"];
  }, ["CursorPage.has_more: was always there, is optional (in responses; used by animals.list)"]],
  ["an item of the pages", ({ components }) => {
    components.schemas.AnimalDto.properties.name = integer;
  }, [
    "Animal.name: was string, is number (in responses; used by animals.list, animals.create, animals.retrieve)",
  ]],
  ["a stream that was removed", ({ paths }) => {
    delete paths["/chat"].post.responses[200].content["text/event-stream"];
  }, [
    "chat.send result: could be a stream of events, and cannot be a stream any more",
    "ChatSendEvent: is not exported any more",
    "ChatSendParamsNonStreaming: is not exported any more",
    "ChatSendParamsStreaming: is not exported any more",
  ]],
];

/** Changes of the configuration, and the lines to expect. */
const ofConfigs: readonly (readonly [string, (config: Part) => void, readonly string[]])[] = [
  ["a method with another name", ({ resources }) => {
    resources.animals.methods = { ...resources.animals.methods, get: `get ${animals}/{animal_id}` };
    delete resources.animals.methods.retrieve;
  }, ["animals.retrieve: the method was renamed: animals.get"]],
  ["a resource in another place", ({ resources }) => {
    resources.photos = resources.animals.subresources.photos;
    resources.animals.subresources = {};
  }, ["animals.photos.retrieve: the method was renamed: photos.retrieve"]],
  ["a type with another name", ({ resources }) => {
    resources.animals.models = { beast: "AnimalDto" };
  }, ["Animal: is not exported any more", "AnimalsCursorPage: is not exported any more"]],
  ["a type of another namespace", ({ resources }) => {
    resources.chat.models = resources.animals.subresources.photos.models;
    resources.animals.subresources.photos.models = {};
  }, ["Zoo.Animals.Photos.Photo: is not exported any more"]],
  ["other positional arguments", ({ resources }) => {
    const retrieve = { endpoint: `get ${photo}`, positional_params: ["animal_id", "photo_id"] };
    resources.animals.subresources.photos.methods.retrieve = retrieve;
  }, [
    "animals.photos.retrieve: the arguments were (photoId, params, options?), and are (animalId, photoId, params?, options?)",
    "animals.photos.retrieve params.animal_id: the property was removed",
  ]],
  ["a list without pages", ({ resources }) => {
    resources.animals.methods.list = { endpoint: `get ${animals}`, paginated: false };
  }, [
    "animals.list result: was a list in pages, is a single result",
    "CursorPage: is not exported any more",
    "AnimalsCursorPage: is not exported any more",
  ]],
  ["a class of pages with another name", ({ resources, pagination }) => {
    pagination[0].name = "id_page";
    resources.animals.methods.list.paginated = "id_page";
  }, [
    "animals.list result: was pages of CursorPage, is pages of IdPage",
    "CursorPage: is not exported any more",
    "AnimalsCursorPage: is not exported any more",
  ]],
  ["an option of the client that was removed", ({ client_settings }) => {
    delete client_settings.opts.keeper;
  }, ["Zoo option keeper: the option was removed"]],
  ["an option of the client that null cannot be passed to", ({ client_settings }) => {
    client_settings.opts.keeper.nullable = false;
  }, ["Zoo option keeper: was string | null, is string"]],
  ["an environment that was removed", ({ environments }) => {
    delete environments.sandbox;
    environments.staging = "https://staging.example.com";
  }, ['Zoo option environment: the value "sandbox" was removed']],
  ["an option and a type of values that are new", ({ client_settings, resources }) => {
    client_settings.opts.region = { type: "string", nullable: true };
    client_settings.opts.api_key.nullable = true;
    resources.animals.models.new_animal = "NewAnimal";
  }, []],
];

describe("diff of SDKs with resources", () => {
  for (const [change, edit, expected] of ofDocuments) {
    it(`of two documents finds ${change}`, async () => {
      assertEquals(await ofDocument(edit), expected);
    });
  }

  for (const [change, edit, expected] of ofConfigs) {
    it(`of two configurations finds ${change}`, async () => {
      assertEquals(await ofConfig(edit), expected);
    });
  }

  it("has the call sites of api.md, and those of another one for the old document", async () => {
    const line = (name: string) =>
      `- <code title="get /ping">client.checks.<a href="./src/checks.ts">${name}</a>() -> unknown</code>\n`;
    const options = { apiMd: line("ping") };
    assertEquals(await linesOf(zooDocument, zooDocument, options), []);
    assertEquals(await linesOf(zooDocument, zooDocument, { ...options, oldApiMd: line("pong") }), [
      "checks.pong: the method was renamed: checks.ping",
    ]);
    const old = { resources: { checks: { methods: { ping: "get /ping" } } } };
    const stated = { ...options, oldStainless: text(old) };
    assertEquals(await linesOf(zooDocument, zooDocument, stated), []);
  });

  it("changes both documents by the transforms of the configuration", async () => {
    const transforms = [{
      command: "remove",
      args: { target: `$.paths["${animals}"].get.parameters[1]` },
    }];
    const now = changed(zooDocument, ({ paths }) => paths[animals].get.parameters.splice(1, 1));
    const stainless = text({ ...config, openapi: { transforms } });
    assertEquals(await linesOf(zooDocument, now, { stainless: text(config) }), [
      "animals.list params.limit: the property was removed",
    ]);
    assertEquals(await linesOf(zooDocument, zooDocument, { stainless }), []);
  });

  it("refuses two files for one document, an old file alone, and broken files", async () => {
    const document = text(zooDocument);
    const wrong = (options: DiffOptions) => () => diff(document, document, options);
    const stainless = text(config);
    await assertRejects(wrong({ stainless, apiMd: "" }), OptionError, "pass one of them");
    await assertRejects(
      wrong({ stainless, oldStainless: stainless, oldApiMd: "" }),
      OptionError,
      "pass one of them",
    );
    await assertRejects(wrong({ oldStainless: stainless }), OptionError, "need stainless");
    await assertRejects(wrong({ stainless: "resources: {}" }), ShapeError, "has no resources");
    await assertRejects(wrong({ apiMd: "" }), ShapeError, "must have lines");
  });
});
