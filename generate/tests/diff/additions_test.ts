import { assertEquals, describe, it } from "#test";
import { diff, type DiffOptions } from "../../mod.ts";
import { changeLine } from "../../src/diff/changes.ts";
import { changelogEntry } from "../../src/diff/changelog.ts";

const text = { type: "string" };
const json = (schema: object) => ({ content: { "application/json": { schema } } });
const object = (properties: object, required: readonly string[] = []) => ({
  ...{ type: "object", properties, required },
});
const parameter = (name: string, more: object = {}) => ({
  name,
  in: "query",
  schema: text,
  ...more,
});
const pet = { $ref: "#/components/schemas/Pet" };

/** The parts of a document that differ. */
interface Parts {
  readonly operation?: object;
  readonly pet?: object;
  readonly paths?: object;
  readonly root?: object;
}

/** Returns a document with the method `pets.create`, which takes and returns a pet. */
function documentOf(
  { operation = {}, pet: schema = object({ id: text }), paths = {}, root }: Parts,
): string {
  const create = {
    ...{ tags: ["pets"], operationId: "createPet" },
    parameters: [parameter("dry")],
    requestBody: { required: true, ...json(pet) },
    responses: { 200: { description: "", ...json(pet) } },
    ...operation,
  };
  return JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Zoo", version: "1" },
    servers: [{ url: "https://zoo.example.com" }],
    paths: { "/pets": { post: create }, ...paths },
    components: { schemas: { Pet: schema } },
    ...root,
  });
}

/** Returns the lines of what is new, and of what else is different. */
async function linesOf(old: Parts, now: Parts, options: DiffOptions = {}) {
  const { changes, added, changed } = await diff(documentOf(old), documentOf(now), options);
  return [changes, added, changed].map((list) => list.map(changeLine));
}

const search = { "/search": { get: { tags: ["pets"], operationId: "searchPets" } } };
const event = (type: string) => ({
  post: { requestBody: json(object({ type: { const: type } }, ["type"])) },
});

const cases: readonly (readonly [
  name: string,
  old: Parts,
  now: Parts,
  added: readonly string[],
  changed: readonly string[],
])[] = [
  ["a method", {}, { paths: search }, ["pets.search: the method is new: GET /search"], []],
  [
    "an optional parameter",
    {},
    { operation: { parameters: [parameter("dry"), parameter("lang")] } },
    ["pets.create params.lang: the parameter is new"],
    [],
  ],
  [
    "a property of requests and responses",
    {},
    { pet: object({ id: text, name: text }) },
    ["Pet.name: the property is new (in requests and responses; used by pets.create)"],
    [],
  ],
  [
    "a parameter that is optional now",
    { operation: { parameters: [parameter("dry"), parameter("lang", { required: true })] } },
    { operation: { parameters: [parameter("dry"), parameter("lang")] } },
    [],
    ["pets.create params.lang: was required, is optional"],
  ],
  [
    "a deprecated method, with what to use instead",
    {},
    { operation: { deprecated: true, description: "Use `adoptPet` instead." } },
    [],
    ["pets.create: is deprecated: Use `adoptPet` instead."],
  ],
  [
    "an event of a webhook",
    { root: { webhooks: { born: event("born") } } },
    { root: { webhooks: { born: event("born"), sold: event("sold") } } },
    ["webhook sold: the event is new"],
    [],
  ],
  [
    "another class of errors",
    {},
    {
      operation: {
        responses: {
          200: { description: "", ...json(pet) },
          409: { description: "", ...json(object({ why: text })) },
        },
      },
    },
    [],
    ["errors of status 409: was RequestConflictError, is ZooRequestConflictError (used by pets.create)"],
  ],
  ["nothing", {}, {}, [], []],
];

describe("a comparison of what breaks nobody", () => {
  for (const [name, old, now, added, changed] of cases) {
    it(`finds ${name}`, async () => {
      assertEquals(await linesOf(old, now), [[], added, changed]);
    });
  }

  it("finds a new value of requests, which breaks callers in responses", async () => {
    const states = (...values: readonly string[]) => object({ state: { enum: values } });
    const responses = { 204: { description: "" } };
    const sent = (pet: object): Parts => ({ operation: { responses }, pet });
    const [old, now] = [states("calm", "wild"), states("calm", "wild", "shy")];
    assertEquals(await linesOf(sent(old), sent(now)), [
      [],
      ['Pet.state: the value "shy" is new (in requests; used by pets.create)'],
      [],
    ]);
    const [breaking, added] = await linesOf({ pet: old }, { pet: now });
    assertEquals(breaking!.map((line) => line.split(" (")[0]), [
      'Pet.state: can have the new value "shy"',
    ]);
    assertEquals(added, []);
  });

  it("leaves out what breaks callers, also if it is new", async () => {
    const now = object({ id: text, name: text }, ["name"]);
    const [breaking, added, changed] = await linesOf({}, { pet: now });
    assertEquals(breaking!.map((line) => line.split(" (")[0]), [
      "pets.create body: was optional, is required",
      "Pet.name: is new, and required",
    ]);
    assertEquals([added, changed], [[], []]);
  });

  it("finds events that are gone without the option webhooks", async () => {
    const old = { root: { webhooks: { born: event("born"), sold: event("sold") } } };
    const now = { root: { webhooks: { born: event("born") } } };
    for (const options of [{}, { webhooks: "standard" }]) {
      const [breaking] = await linesOf(old, now, options);
      assertEquals(breaking![0], "webhook sold: the event was removed");
    }
  });

  it("finds what is new of a client with resources", async () => {
    const apiMd = '- <code title="post /pets">client.pets.<a href="x">create</a>() -> Pet</code>\n';
    const [breaking, added] = await linesOf({}, {
      operation: { parameters: [parameter("dry"), parameter("lang")] },
    }, { apiMd });
    assertEquals([breaking, added?.map((line) => line.split(" (")[0])], [
      [],
      ["pets.create params.lang: the property is new"],
    ]);
  });
});

describe("an entry of a changelog", () => {
  it("has a section for each kind of changes", async () => {
    const result = await diff(
      documentOf({ paths: search }),
      documentOf({
        operation: { deprecated: true },
        pet: object({ id: text, "a*b": text }),
        root: { webhooks: { born: event("born") } },
      }),
    );
    assertEquals(
      changelogEntry(result, (line) => line),
      [
        "## [Unreleased]",
        "### Breaking",
        "- `pets.search`: the method was removed: GET /search",
        "### Added",
        '- `Pet["a*b"]`: the property is new (in requests and responses; used by pets.create)\n' +
        "- `webhook born`: the event is new",
        "### Deprecated",
        "- `pets.create`: is deprecated",
      ].join("\n\n"),
    );
  });

  it("says so if nothing changes for callers", async () => {
    const result = await diff(documentOf({}), documentOf({}));
    assertEquals(
      changelogEntry(result, (line) => line),
      "## [Unreleased]\n\nNothing changes for callers.",
    );
  });
});
