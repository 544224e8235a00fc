import { assertEquals, describe, it } from "#test";
import { planSdk } from "../../src/plan/mod.ts";
import { readSource } from "../../src/read/read.ts";

/** An operation: method, path, tag and operationId. Undefined for none. */
type Row = readonly [verb: string, path: string, tag?: string, id?: string];

function documentOf(rows: readonly Row[]): string {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [verb, path, tag, operationId] of rows) {
    const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => (
      { name, in: "path", required: true, schema: { type: "string" } }
    ));
    (paths[path] ??= {})[verb.toLowerCase()] = {
      ...(tag !== undefined && { tags: [tag] }),
      ...(operationId !== undefined && { operationId }),
      parameters,
      responses: {},
    };
  }
  return JSON.stringify({ openapi: "3.1.0", info: { title: "Names", version: "1" }, paths });
}

async function namesOf(
  rows: readonly Row[],
  pins: ReadonlyMap<string, string> = new Map(),
): Promise<Record<string, string>> {
  const plan = planSdk(await readSource(documentOf(rows)), { pins });
  return Object.fromEntries(
    plan.groups.flatMap(({ path: [field], methods }) =>
      methods.map(({ name, verb, path }) => {
        const text = path.map((part) => typeof part === "string" ? part : "{}").join("");
        return [`${verb} ${text}`, `${field}.${name}`];
      })
    ),
  );
}

const cases: readonly (readonly [row: Row, name: string])[] = [
  [["GET", "/pets", "pets", "listPets"], "pets.list"],
  [["GET", "/pets", "pets", "pets/list"], "pets.list"],
  [["GET", "/pets", "pets", "pet_list"], "pets.list"],
  [["GET", "/pets", "pets", "PetsController_list"], "pets.list"],
  [["GET", "/pets", "Pets", "LIST_PETS"], "pets.list"],
  [["GET", "/pets/{id}", "pets", "getPetById"], "pets.getPetById"],
  [["GET", "/boxes", "boxes", "findBox"], "boxes.find"],
  [["GET", "/stories", "story", "readStories"], "story.read"],
  [["GET", "/alerts", "code-scanning", "code-scanning/list-alerts"], "codeScanning.listAlerts"],
  [["GET", "/pets", "pets", "pets"], "pets.pets"],
  [["GET", "/pets/{id}"], "pets.getPetsById"],
  [["GET", "/pets/{id}", "pets"], "pets.getPetsById"],
  [["GET", "/"], "api.get"],
  [["DELETE", "/pets", "pets", "deletePets"], "pets.delete_"],
  [["GET", "/pets", "pets", "constructor"], "pets.constructor_"],
  [["GET", "/pets", "pets", "then"], "pets.then_"],
  [["GET", "/pets", "pets", "toJSON"], "pets.toJSON_"],
  [["GET", "/pets", "pets", "2fa"], "pets._2fa"],
  [["GET", "/pets", "ready", "listPets"], "ready_.listPets"],
  [["GET", "/pets", "new", "listPets"], "new_.listPets"],
  [["GET", "/pets", "🐱", "🐱"], "pets.getPets"],
  [["GET", "/pets", "pets", "getPetsByURL"], "pets.getPetsByURL"],
  [["GET", "/pets", "pets", "APIKeys"], "pets.apiKeys"],
];

describe("the name of an operation", () => {
  for (const [row, name] of cases) {
    it(`${row.slice(2).join(" · ") || row.join(" ")} is ${name}`, async () => {
      assertEquals(Object.values(await namesOf([row])), [name]);
    });
  }

  const clashing: readonly Row[] = [
    ["GET", "/pets", "pets", "listPets"],
    ["GET", "/pets/all", "pets", "pets_list"],
    ["GET", "/toys", "pets", "toys"],
    ["POST", "/toys", "pets", "toys"],
  ];

  it("is longer if it clashes, for each that clashes", async () => {
    assertEquals(await namesOf(clashing), {
      "GET /pets": "pets.listPets",
      "GET /pets/all": "pets.petsList",
      "GET /toys": "pets.getToys",
      "POST /toys": "pets.postToys",
    });
  });

  it("does not depend on the order of the document", async () => {
    const rows = [
      ...clashing,
      ...cases.map(([[verb, , ...more]], index) => [verb, `/n${index}`, ...more] as Row),
    ];
    const names = await namesOf(rows);
    const reversed = await namesOf(rows.toReversed());
    assertEquals(Object.entries(reversed).sort(), Object.entries(names).sort());
  });

  it("is that of the names file, whatever the document says", async () => {
    const pins = new Map([["GET /pets/{}", "animals.fetch"], ["GET /gone", "pets.gone"]]);
    const rows: Row[] = [
      ["GET", "/pets/{petId}", "pets", "getPet"],
      ["GET", "/animals", "animals", "fetchAnimals"],
    ];
    assertEquals(await namesOf(rows, pins), {
      "GET /pets/{}": "animals.fetch",
      "GET /animals": "animals.fetchAnimals",
    });
    const plan = planSdk(await readSource(documentOf(rows)), { pins });
    assertEquals([...plan.pins], [...pins, ["GET /animals", "animals.fetchAnimals"]]);
  });

  it("is its own, and a problem, if the names file has one that a class cannot have", async () => {
    for (const pin of ["pets.constructor", "close.get", "pets", "a.b.c", "pets.get it"]) {
      const source = await readSource(documentOf([["GET", "/pets", "pets", "getPet"]]));
      const plan = planSdk(source, { pins: new Map([["GET /pets", pin]]) });
      assertEquals([...plan.pins], [["GET /pets", "pets.get"]]);
      assertEquals(source.problems().map(({ kind }) => kind), ["name"]);
    }
  });
});
