import { assertEquals, describe, it } from "#test";
import { generate } from "../../mod.ts";
import { planSdk } from "../../src/plan/mod.ts";
import { readSource } from "../../src/read/read.ts";

/** An operation: method, path, tag, operationId and the schema of its result. Undefined for none. */
type Row = readonly [verb: string, path: string, tag?: string, id?: string, result?: object];

const list = { type: "array", items: { type: "string" } };
const object = { type: "object", properties: { name: { type: "string" } } };

function documentOf(rows: readonly Row[]): string {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [verb, path, tag, operationId, schema] of rows) {
    const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => (
      { name, in: "path", required: true, schema: { type: "string" } }
    ));
    (paths[path] ??= {})[verb.toLowerCase()] = {
      ...(tag !== undefined && { tags: [tag] }),
      ...(operationId !== undefined && { operationId }),
      parameters,
      responses: schema === undefined
        ? {}
        : { 200: { description: "", content: { "application/json": { schema } } } },
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
  [["GET", "/pets/{id}", "pets", "getPetById"], "pets.get"],
  [["GET", "/boxes", "boxes", "findBox"], "boxes.find"],
  [["GET", "/stories", "story", "readStories"], "story.read"],
  [["GET", "/alerts", "code-scanning", "code-scanning/list-alerts"], "codeScanning.listAlerts"],
  [["GET", "/pets", "pets", "pets"], "pets.pets"],
  [["GET", "/pets/{id}"], "pets.get"],
  [["GET", "/pets/{id}", "pets"], "pets.get"],
  [["GET", "/"], "api.get"],
  [["DELETE", "/pets", "pets", "deletePets"], "pets.delete"],
  [["GET", "/pets", "pets", "constructor"], "pets.constructor_"],
  [["GET", "/pets", "pets", "then"], "pets.then_"],
  [["GET", "/pets", "pets", "toJSON"], "pets.toJSON_"],
  [["GET", "/pets", "pets", "2fa"], "pets._2fa"],
  [["GET", "/pets", "ready", "listPets"], "ready_.listPets"],
  [["GET", "/pets", "new", "listPets"], "new.listPets"],
  [["GET", "/pets", "🐱", "🐱"], "pets.getPets"],
  [["GET", "/pets", "pets", "getPetsByURL"], "pets.getByURL"],
  [["GET", "/pets", "pets", "APIKeys"], "pets.apiKeys"],
  // The usual names, if the method, the path and the result leave no doubt.
  [["GET", "/pets", "pets", "getPets", list], "pets.list"],
  [["GET", "/pets", "pets", "GetPetsList", list], "pets.list"],
  [["GET", "/pets", "pets", "findAllPets", list], "pets.list"],
  [["GET", "/pets", "pets", "searchPets", list], "pets.search"],
  [["GET", "/pets", "pets", "getPets", object], "pets.get"],
  [["GET", "/pets", "pets", "getPetsByOwner", list], "pets.getByOwner"],
  [["GET", "/pets/{petId}", "pets", "getPetByPetId"], "pets.get"],
  [["GET", "/pets/{id}", "pets", "getPetPhoto"], "pets.getPhoto"],
  [["POST", "/pets", "pets", "addPet"], "pets.create"],
  [["POST", "/pets", "pets", "importPets"], "pets.import"],
  [["PUT", "/pets/{id}", "pets", "putPet"], "pets.update"],
  [["PUT", "/pets/{id}", "pets", "replacePet"], "pets.replace"],
  [["PATCH", "/pets/{id}", "pets", "patchPet"], "pets.update"],
  [["DELETE", "/pets/{id}", "pets", "removePet"], "pets.delete"],
  [["GET", "/pets", "pets", "find", list], "pets.find"],
  [["POST", "/pets", "pets", "pets/add"], "pets.add"],
  [["GET", "/pets/{id}", "pets", "PetsController_one"], "pets.one"],
  [["GET", "/pets", "pets", "Pets_Get", list], "pets.list"],
  [["GET", "/search", "search", "search", object], "search.search"],
  [["GET", "/v1/teams/{id}/users", "users", "listTeamUsers", list], "users.list"],
  // Names that tools make of the method and the path.
  [["GET", "/v3/moorings", "moorings", "getV3Moorings", list], "moorings.list"],
  [["GET", "/v3/moorings/{id}", "moorings", "getV3MooringsId"], "moorings.get"],
  [
    ["GET", "/v3/moorings/{id}/crews", "moorings", "getV3MooringsIdCrews", list],
    "moorings.listCrews",
  ],
  [["DELETE", "/v3/moorings/{id}/crews/{crew}", "moorings"], "moorings.deleteCrew"],
  [["POST", "/v3/moorings/{id}/lock", "moorings"], "moorings.postLock"],
  // Versions, and the way to the tag.
  [["GET", "/v2/x", "pets", "getV2PetNames"], "pets.getNames"],
  [["GET", "/v1/piers", "projects", "harbour.projects.piers.list"], "projects.piersList"],
  [["GET", "/x", "pets v2", "listPets"], "pets.list"],
  [["GET", "/api/v1/pets"], "pets.getPets"],
  // The noun of the tag, wherever it is.
  [["POST", "/x", "webhooks", "rotateWebhookSecret"], "webhooks.rotateSecret"],
  [["GET", "/x", "invoices", "downloadInvoicePdf"], "invoices.downloadPdf"],
  [["POST", "/x", "contacts", "bulkDeleteContacts"], "contacts.bulkDelete"],
  [["GET", "/x", "index operations", "list_indexes"], "indexOperations.list"],
  [["POST", "/teams", "users", "listTeamUsers"], "users.listTeamUsers"],
  [["GET", "/x", "order", "getBuyOrderOfWorkgroup"], "order.getBuyOrderOfWorkgroup"],
  [["POST", "/x", "collection", "addToCollection"], "collection.addToCollection"],
  [["DELETE", "/x", "delete", "x"], "delete.x"],
  [["POST", "/x/{accountId}", "pets", "getByAccountIdv3"], "pets.getByAccountId"],
];

describe("the name of an operation", () => {
  for (const [row, name] of cases) {
    const [verb, path, ...texts] = row;
    const stated = texts.filter((each) => typeof each === "string").join(" · ");
    const result = texts.length < 3 ? "" : texts[2] === list ? ", a list," : ", an object,";
    it(`${verb} ${path} ${stated}${result} is ${name}`, async () => {
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

  it("is the short one for the operation with the best right to it", async () => {
    const rows: Row[] = [
      ["GET", "/pets", "pets", "getPets", list],
      ["POST", "/pets/query", "pets", "listPets", list],
      ["PUT", "/pets/{id}", "pets", "putPet"],
      ["PATCH", "/pets/{id}", "pets", "updatePet"],
    ];
    assertEquals(await namesOf(rows), {
      "GET /pets": "pets.list",
      "POST /pets/query": "pets.listPets",
      "PUT /pets/{}": "pets.replace",
      "PATCH /pets/{}": "pets.update",
    });
  });

  it("keeps a version that tells two apart", async () => {
    const rows: Row[] = [
      ["GET", "/v1/x", "pets", "getV1PetNames"],
      ["GET", "/v2/x", "pets", "getV2PetNames"],
      ["GET", "/v1/y", "toys v1", "findToys"],
      ["GET", "/v2/y", "toys v2", "findToys"],
    ];
    assertEquals(Object.values(await namesOf(rows)), [
      "pets.getV1Names",
      "pets.getV2Names",
      "toysV1.find",
      "toysV2.find",
    ]);
  });

  it("is without the words with which all names of the document or of a class begin", async () => {
    const rows: Row[] = [
      ["GET", "/a", "admin", "harbour.admin.projects.piers.list"],
      ["POST", "/a", "admin", "harbour.admin.projects.piers.create"],
      ["GET", "/b", "admin", "harbour.admin.projects.cranes.list"],
      ["GET", "/c", "ships", "harbourRepairHull"],
      ["GET", "/d", "ships", "harbourPaintHull"],
    ];
    assertEquals(Object.values(await namesOf(rows)), [
      "admin.piersList",
      "admin.piersCreate",
      "admin.cranesList",
      "ships.repairHull",
      "ships.paintHull",
    ]);
  });

  it("has one class for tags that differ only in case, or in how words are joined", async () => {
    const tags = ["petshop", "petShop", "Pet Shop", "PETSHOP"];
    const rows = tags.map((tag, index): Row => ["GET", `/${index}`, tag, `call${index}`]);
    const names = Object.values(await namesOf(rows));
    assertEquals(names, tags.map((_, index) => `petShop.call${index}`));
  });

  it("is not cut inside of a word", async () => {
    const long = "describeTheVeryLongAndDetailedHistoryOfAllShipsThatMooredHere";
    const [name] = Object.values(await namesOf([["GET", "/x", "pets", `${long}Yesterday`]]));
    assertEquals(
      name,
      "pets.describeTheVeryLongAndDetailedHistoryOfAllShipsThatMooredHere".slice(0, -4),
    );
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

  it("is kept for a path without a slash at its beginning", async () => {
    const { names, report } = await generate(documentOf([["GET", "pets", "pets", "listPets"]]));
    assertEquals(JSON.parse(names), { "GET /pets": "pets.list" });
    assertEquals(report.problems.map(({ action }) => action), ["one was added"]);
    const named = await generate(documentOf([["GET", "pets", "cats", "list"]]), { names });
    assertEquals(named.names, names);
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
