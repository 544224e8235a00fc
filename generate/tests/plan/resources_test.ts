/** Checks the plan of a client with resources: names, arguments, pages, types and options as data. */
import { assert, assertEquals, describe, it } from "#test";
import { groupsIn, nameOf } from "../../src/algebra/groups.ts";
import { planSdk } from "../../src/plan/mod.ts";
import type { Method, SdkModel } from "../../src/model/mod.ts";
import type { SdkShape } from "../../src/sdk/shape.ts";
import { readSource } from "../../src/read/read.ts";
import { zooDocument, zooShape } from "../support/zoo.ts";

async function planned(shape: SdkShape = zooShape, document: object = zooDocument) {
  const source = await readSource(JSON.stringify(document), {});
  const plan = planSdk(source, { pins: new Map(), shape });
  return { plan, problems: source.problems() };
}

function methodOf({ groups }: SdkModel, name: string): Method {
  const found =
    groups.flatMap((group) => group.methods.filter((method) => nameOf(group, method) === name))[0];
  assert(found !== undefined, `there is no ${name}`);
  return found;
}

/** Returns the names of the path parameters that are arguments of their own. */
function positionsOf({ signature }: Method): string[] {
  return signature.arguments.filter(({ role }) => role === "path").map(({ name }) => name);
}

describe("the plan of a client with resources", () => {
  it("has the resources and methods of the shape, nested", async () => {
    const { plan } = await planned();
    assertEquals(
      plan.groups.map(({ path, className, file, methods }) => [
        path.join("."),
        className,
        file,
        methods.map(({ name }) => name).join(),
      ]),
      [
        ["", "Zoo", "", "ping"],
        ["animals", "Animals", "animals", "list,create,retrieve,delete"],
        ["animals.photos", "Photos", "animals/photos", "retrieve,upload"],
        ["chat", "Chat", "chat", "send"],
        ["tags", "Tags", "tags", "replace,animal"],
      ],
    );
    assertEquals(groupsIn(plan, []).map(({ path }) => path.join(".")), ["animals", "chat", "tags"]);
    assertEquals(groupsIn(plan, ["animals"]).map(({ path }) => path.at(-1)), ["photos"]);
  });

  it("reports a method whose operation the document lacks, and lists the operations without one", async () => {
    const { plan, problems } = await planned();
    assertEquals(problems.map(({ message }) => message), [
      "the document has no POST /animals/{id}/food, which animals.feed calls",
    ]);
    assertEquals(plan.leftOut, ["GET /internal"]);
  });

  it("has the last path parameter as an argument, and the others in the object", async () => {
    const { plan } = await planned();
    const method = methodOf(plan, "animals.photos.retrieve");
    const params = method.params!;
    assertEquals(positionsOf(method), ["photoId"]);
    assertEquals(
      params.fields.map(({ property, parameter }) => [property, parameter.place]),
      [["animal_id", "path"], ["size", "query"]],
    );
    assertEquals([params.isRequired, params.body], [true, undefined]);
  });

  it("has the arguments that the shape states, under the names of the document", async () => {
    const [client, animals, ...others] = zooShape.resources;
    const [photos] = animals!.resources;
    const operation = "GET /animals/{a}/photos/{b}";
    const methods = [{ name: "retrieve", operation, positional: ["a", "b"] }];
    const changed = { ...animals!, resources: [{ ...photos!, methods }] };
    const { plan } = await planned({ ...zooShape, resources: [client!, changed, ...others] });
    assertEquals(positionsOf(methodOf(plan, "animals.photos.retrieve")), [
      "animalId",
      "photoId",
    ]);
  });

  it("puts the query, headers and the fields of the body into one object", async () => {
    const { plan } = await planned();
    const { params } = methodOf(plan, "animals.create");
    assertEquals(params!.body, "rest");
    assertEquals(params!.fields.map(({ property }) => property), ["dry_run", "X-Keeper"]);
    const { plan: other } = await planned();
    const list = methodOf(other, "animals.list").params!;
    assertEquals(list.fields.map(({ property, parameter }) => [property, parameter.wireName]), [
      ["after", "after"],
      ["limit", "limit"],
      ["kinds", "kinds[]"],
    ]);
  });

  it("has the names that the schemas of parameters state for callers", async () => {
    const { plan } = await planned();
    const method = methodOf(plan, "tags.animal");
    assertEquals(positionsOf(method), ["animalId"]);
    assertEquals(
      method.params!.fields.map(({ property, parameter: { place, wireName, comment } }) => [
        ...[property, place, wireName, comment.text],
      ]),
      [
        ["tag_name", "path", "tag", ""],
        ["search", "query", "q", "The query `q`."],
        ["betas", "header", "zoo-beta", "The header `zoo-beta`."],
      ],
    );
    const operation = "GET /tags/{tag}/animals/{animal_id}";
    const methods = [{ name: "animal", operation, positional: ["tag", "animal_id"] }];
    const resources = [{ name: "tags", methods, resources: [], models: new Map() }];
    const { plan: other } = await planned({ ...zooShape, resources });
    assertEquals(positionsOf(methodOf(other, "tags.animal")), ["tagName", "animalId"]);
  });

  it("reads the names of parameters in their schemas only, and reports a name that is not a text", async () => {
    const stated = (name: unknown) => ({ "x-stainless-param": name });
    const parameters = [
      { name: "a", in: "query", schema: { type: "string", ...stated(7) } },
      { name: "b", in: "header", schema: { type: "string", ...stated("") } },
      // The generator of Stainless did not read it there.
      { name: "c", in: "query", schema: { type: "string" }, ...stated("d") },
      { name: "e", in: "query", content: { "application/json": { schema: stated("f") } } },
      { name: "X-F", in: "header", schema: { type: "string", ...stated("f") } },
    ];
    const document = { ...zooDocument, paths: { "/ping": { get: { parameters } } } };
    const resources = zooShape.resources.slice(0, 1);
    const { plan, problems } = await planned({ ...zooShape, resources }, document);
    assertEquals(
      methodOf(plan, "ping").params!.fields.map(({ property }) => property),
      ["a", "c", "f", "b", "f_header"],
    );
    const place = "#/paths/~1ping/get/parameters";
    const [action, key] = ["the parameter keeps its own name", "x-stainless-param"];
    assertEquals(problems.map((each) => [each.kind, each.message, each.action, each.pointer]), [
      ["parameter", `${key} must be a name, not 7`, action, `${place}/0/schema/${key}`],
      ["parameter", `${key} must be a name, not ""`, action, `${place}/1/schema/${key}`],
    ]);
  });

  it("has no argument for a parameter that callers do not pass, and sends its header", async () => {
    const hidden = { "x-stainless-param": false };
    const schema = (value: object) => ({ type: "string", ...value });
    const header = (name: string, value: object) =>
      ({ name, in: "header", required: true, schema: schema(value), ...hidden }) as const;
    const parameters = [
      header("X-Version", { default: "2020-09-17" }),
      header("X-Mode", { enum: ["fast"] }),
      header("X-Client", { const: "of the document" }),
      header("Content-Type", { default: "application/json" }),
      { name: "X-Own", in: "header", required: true, schema: schema(hidden) },
      { name: "q", in: "query", schema: schema({ default: "a" }), ...hidden },
    ];
    const document = { ...zooDocument, paths: { "/ping": { get: { parameters } } } };
    const resources = zooShape.resources.slice(0, 1);
    const { plan, problems } = await planned({ ...zooShape, resources }, document);
    assertEquals([methodOf(plan, "ping").params, problems], [undefined, []]);
    assertEquals(plan.client.settings.headers, [
      ...[["X-Client", "zoo"], ["X-Version", "2020-09-17"], ["X-Mode", "fast"]] as const,
    ]);
  });

  it("has the type of the success with the lowest status, so that a list stays a page", async () => {
    const json = (properties: object) => ({
      content: { "application/json": { schema: { type: "object", properties } } },
    });
    const list = {
      data: { type: "array", items: { type: "string" } },
      has_more: { type: "boolean" },
    };
    const responses = {
      202: { description: "Later.", ...json({ code: { type: "number" } }) },
      200: { description: "A page.", ...json(list) },
      204: { description: "None." },
    };
    const parameters = [{ name: "after", in: "query", schema: { type: "string" } }];
    const document = { ...zooDocument, paths: { "/animals": { get: { parameters, responses } } } };
    const [, animals] = zooShape.resources;
    const methods = [{ name: "list", operation: "GET /animals", page: "auto" }];
    const resources = [{ ...animals!, methods, resources: [] }];
    for (const pages of [zooShape.pages, new Map()]) {
      const method = { ...methods[0]!, resultType: pages.size === 0 ? "AnimalsPage" : undefined };
      const shape = { ...zooShape, pages, resources: [{ ...resources[0]!, methods: [method] }] };
      const { plan } = await planned(shape, document);
      const { pages: found } = methodOf(plan, "animals.list");
      assertEquals(found?.items.map(({ name }) => name), ["data"]);
    }
    const whole = [{ name: "list", operation: "GET /animals" }];
    const { plan } = await planned({
      ...zooShape,
      unwrap: [],
      resources: [{ ...resources[0]!, methods: whole }],
    }, document);
    const { type } = methodOf(plan, "animals.list").result;
    assert(!JSON.stringify([type, plan.models]).includes('"code"'));
  });

  it("has one of two values for a path with a choice, and no argument for the path", async () => {
    const path = "/{keepers_or_teams}/{keeper_or_team_id}/rules/{rule_id}";
    const parameters = ["keepers_or_teams", "keeper_or_team_id", "rule_id"].map((name) => ({
      ...{ name, in: "path", required: true, schema: { type: "string" } },
    }));
    const document = { ...zooDocument, paths: { [path]: { get: { parameters } } } };
    const [client] = zooShape.resources;
    for (const positional of [undefined, ["rule_id"]]) {
      const methods = [{ name: "rule", operation: `GET ${path}`, positional }];
      const shape = { ...zooShape, resources: [{ ...client!, methods }] };
      const { plan, problems } = await planned(shape, document);
      const method = methodOf(plan, "rule");
      assertEquals([positionsOf(method), problems], [["ruleId"], []]);
      assertEquals(
        method.params!.fields.map(({ property, parameter: { segment } }) => [property, segment]),
        [["keeper_id", "keepers"], ["team_id", "teams"]],
      );
      assertEquals(method.params!.isRequired, false);
    }
  });

  it("can have options in place of parameters, unless they share a name", async () => {
    const { plan } = await planned({ ...zooShape, readsOptionsAsParams: true });
    assertEquals(methodOf(plan, "animals.list").params!.alsoOptions, []);
    assertEquals(methodOf(plan, "animals.create").params!.alsoOptions, undefined);
    const parameters = [{ name: "timeout", in: "query", schema: { type: "integer" } }];
    const document = { ...zooDocument, paths: { "/ping": { get: { parameters } } } };
    const resources = zooShape.resources.slice(0, 1);
    const shape = { ...zooShape, resources, readsOptionsAsParams: true };
    const { plan: other } = await planned(shape, document);
    assertEquals(methodOf(other, "ping").params!.alsoOptions, ["timeout"]);
    assertEquals(methodOf((await planned()).plan, "animals.list").params!.alsoOptions, undefined);
  });

  it("has a body other than an object in the property that the shape names", async () => {
    const { plan } = await planned();
    assertEquals(methodOf(plan, "tags.replace").params!.body, { property: "tags" });
  });

  it("takes the result out of the field that the shape unwraps", async () => {
    const { plan } = await planned();
    const { result } = methodOf(plan, "animals.create");
    assertEquals([result.unwrap, result.type], ["result", { kind: "reference", name: "Animal" }]);
  });

  it("has one class for the pages of the shape", async () => {
    const { plan } = await planned();
    assertEquals(plan.pageClasses, [{
      className: "CursorPage",
      rule: { kind: "cursor", param: "after", field: { lastItem: "id" }, hasMore: "has_more" },
      items: [{ name: "data", isOptional: false }],
      fields: [
        {
          name: "data",
          type: { kind: "array", items: { kind: "reference", name: "Item" } },
          optional: false,
          comment: { text: "", tags: [] },
        },
        {
          name: "has_more",
          type: { kind: "boolean" },
          optional: false,
          comment: { text: "", tags: [] },
        },
      ],
    }]);
    const { className, item, alias } = methodOf(plan, "animals.list").pages!;
    assertEquals([className, item, alias], [
      "CursorPage",
      { kind: "reference", name: "Animal" },
      "AnimalsCursorPage",
    ]);
  });

  it("finds the rule of pages in the document if the shape has none", async () => {
    const [client, animals, ...others] = zooShape.resources;
    const methods = animals!.methods.map((each) =>
      each.page === undefined ? each : { ...each, page: "auto", resultType: "AnimalsPage" }
    );
    const { plan } = await planned({
      ...zooShape,
      pages: new Map(),
      resources: [client!, { ...animals!, methods }, ...others],
    });
    assertEquals(plan.pageClasses.map(({ className, rule }) => [className, rule?.kind]), [
      ["CursorPage", "cursor"],
    ]);
    assertEquals(methodOf(plan, "animals.list").pages!.alias, "AnimalsPage");
  });

  it("has no pages if a configuration states no class of them", async () => {
    const [client, animals, ...others] = zooShape.resources;
    const methods = animals!.methods.map((each) => ({
      ...each,
      page: "auto",
      resultType: undefined,
    }));
    const { plan } = await planned({
      ...zooShape,
      pages: new Map(),
      resources: [client!, { ...animals!, methods }, ...others],
    });
    assertEquals(plan.pageClasses, []);
  });

  it("names the types as the shape does, and the others after their methods", async () => {
    const { plan } = await planned();
    const names = plan.models.map(({ name }) => name);
    assertEquals(names.filter((name) => !name.endsWith("Form")), [
      "Animal",
      "NewAnimal",
      "Search",
      "Photo",
    ]);
    const types = plan.groups.map(({ namespace }) => namespace.map(([name]) => name));
    assertEquals(types, [
      [],
      ["Animal", "AnimalListParams", "AnimalCreateParams"],
      ["Photo", "PhotoRetrieveParams", "PhotoUploadParams"],
      ["ChatSendParams", "ChatSendResponse", "ChatSendEvent"],
      ["TagReplaceParams", "TagAnimalParams"],
    ]);
  });

  it("finds the schemas of types that have only names, and lists the others", async () => {
    const [client, animals, ...others] = zooShape.resources;
    // By the result of a method, by the words of a component, and not at all.
    const models = new Map([["Animal", undefined], ["AnimalParamNew", undefined], [
      "Cage",
      undefined,
    ]]);
    const resources = [client!, { ...animals!, models }, ...others];
    const schemas = {
      ...Reflect.get(Reflect.get(zooDocument, "components"), "schemas"),
      NewAnimalRequest: { type: "object", properties: { size: { type: "string" } } },
    };
    delete schemas.NewAnimal;
    const document = JSON.parse(
      JSON.stringify({
        ...zooDocument,
        components: { ...Reflect.get(zooDocument, "components"), schemas },
      }).replaceAll('schemas/NewAnimal"', 'schemas/NewAnimalRequest"'),
    );
    const { plan } = await planned({ ...zooShape, resources }, document);
    assertEquals(plan.models.map(({ name }) => name).toSorted(), [
      "Animal",
      "AnimalParamNew",
      "Photo",
      "Search",
    ]);
    assertEquals(plan.missingTypes, ["Cage"]);
  });

  it("marks methods as deprecated", async () => {
    const { plan } = await planned();
    assertEquals(methodOf(plan, "animals.delete").comment.tags, [["deprecated", "Use release."]]);
  });

  it("has the options, environments and settings of the client", async () => {
    const { plan } = await planned();
    const { options, credentials, servers, settings } = plan.client;
    const { baseUrlEnv, maxRetries, timeout } = settings;
    assertEquals(options.map(({ name, env, role }) => [name, env, role]), [
      ["apiKey", "ZOO_API_KEY", "credential"],
      ["keeper", undefined, "value"],
      ["retriesHint", "ZOO_HINT", "value"],
      ["environment", undefined, "server"],
    ]);
    assertEquals(credentials, [{ scheme: "token", options: ["apiKey"] }]);
    assertEquals([servers.length, baseUrlEnv, maxRetries, timeout], [
      2,
      "ZOO_BASE_URL",
      4,
      30_000,
    ]);
  });

  it("makes options of the security schemes if the shape states none", async () => {
    const { plan } = await planned({ ...zooShape, options: [] });
    assertEquals(plan.client.options.map(({ name }) => name), ["token", "environment"]);
  });

  it("reports an option whose scheme the document lacks", async () => {
    const options = [{ ...zooShape.options[0]!, auth: { scheme: "Other" } }];
    const { problems } = await planned({ ...zooShape, options });
    assert(problems.some(({ message }) => message.includes('no security scheme "Other"')));
  });

  it("has each scheme of the document, also without an option for it", async () => {
    const { plan } = await planned({ ...zooShape, options: [zooShape.options[1]!] });
    assertEquals(plan.client.credentials, [{ scheme: "token", options: [] }]);
  });

  it("gives other names to members that the class itself has", async () => {
    const resources = zooShape.resources.map((each) =>
      each.name === "tags" ? { ...each, name: "post" } : each
    );
    const { plan, problems } = await planned({ ...zooShape, resources });
    assertEquals(plan.groups.at(-1)!.path, ["post_"]);
    assert(problems.some(({ kind }) => kind === "name"));
  });

  it("reports a page class whose list the result lacks", async () => {
    const [client, animals, ...others] = zooShape.resources;
    const methods = animals!.methods.map((each) =>
      each.name === "retrieve" ? { ...each, page: "cursor_page" } : each
    );
    const { problems } = await planned({
      ...zooShape,
      resources: [client!, { ...animals!, methods }, ...others],
    });
    assert(problems.some(({ message }) => message.includes("no list for the pages `cursor_page`")));
  });
});
