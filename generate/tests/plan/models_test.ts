import { assert, assertEquals, assertThrows, describe, it } from "#test";
import { ModelError } from "../../../src/errors/model_error.ts";
import { toXml } from "../../../src/models/mod.ts";
import { planSdk } from "../../src/plan/mod.ts";
import { printSdk } from "../../src/outputs/sdk.ts";
import { readSource } from "../../src/read/read.ts";
import { textOf } from "../support/corner_cases.ts";
import {
  Allowed,
  Animal,
  Apart,
  Cat,
  type Left,
  MapModel,
  Mixed,
  Scalars,
  Shared,
  Tree,
  type Unclear,
} from "./schemas/conversions.ts";
import { Pet, Plain } from "./schemas/xml_models.ts";

/** Returns the lines of a method about its bodies. */
async function requestsOf(document: string): Promise<string[]> {
  const options = { models: "xml", dates: true, pins: new Map() } as const;
  const files = printSdk(planSdk(await readSource(document), options));
  const text = [...files].find(([path]) => path.startsWith("endpoints/"))![1];
  return text.split("\n").map((line) => line.trim()).filter((line) => /^(?:xml|resp)/.test(line));
}

const at = "2026-11-20T10:00:00.000Z";

describe("conversions of dates and bigints", () => {
  it("give values of the types, and write them back", () => {
    const json = {
      owner: { since: at, x: 1 },
      children: { left: { owner: { since: null } } },
      pair: [at, 5],
      either: at,
    };
    const tree = Tree.fromJson(json);
    assertEquals(tree.owner.since?.getTime(), Date.parse(at));
    assertEquals(tree.children?.left?.owner.since, null);
    assertEquals(tree.pair?.[0].getTime(), Date.parse(at));
    assertEquals(Tree.toJsonValue(tree), json);
    assertThrows(() => Tree.fromJson({ owner: { since: "soon" } }), ModelError, "owner.since");
  });

  it("tell the members of a union apart", () => {
    const json = [
      { kind: "cat", at: "2026-11-20", friends: [{ kind: "fish", n: 5 }], created: at },
      { kind: "dog", at: "2026-11-20" },
    ];
    const [cat, dog] = json.map((each) => Animal.fromJson(each));
    assert(cat?.kind === "cat" && cat.at instanceof Date);
    const [fish] = cat.friends ?? [];
    assert(fish?.kind === "fish" && fish.n === 5n);
    assert(dog?.kind === "dog" && dog.at === "2026-11-20");
    assertEquals([cat, dog].map((each) => Animal.toJsonValue(each)), json);
  });

  it("tell objects without a tag apart by what they require, in both directions", () => {
    const json = [{ a: "x", at }, { b: "x", at }, { c: 1, at }];
    const [named, texted, other] = json.map((each) => Apart.fromJson(each));
    assert(named !== undefined && "a" in named && named.at instanceof Date);
    assertEquals<unknown>(texted, { b: "x", at });
    assertEquals<unknown>(other, { c: 1, at });
    assertEquals([named, texted!].map((each) => Apart.toJsonValue(each)), json.slice(0, 2));
  });

  it("convert what all objects without a tag have alike, and nothing that is not clear", () => {
    const both = { at, on: "2026-11-20" };
    const shared = Shared.fromJson(both);
    assertEquals<unknown>(shared, { at: new Date(at), on: new Date("2026-11-20") });
    assertEquals(Shared.toJsonValue(shared), both);
  });

  it("tell objects apart by what one requires and another does not allow", () => {
    const json = [{ a: "x", at }, { at }, { at, note: "x" }];
    const [named, ...closed] = json.map((each) => Allowed.fromJson(each));
    assert(named !== undefined && "a" in named && named.at instanceof Date);
    assertEquals<unknown>(closed, json.slice(1));
    assertEquals([named, ...closed].map((each) => Allowed.toJsonValue(each)), json);
  });

  it("have the types of JSON where they leave a value as it is", () => {
    const unclear: Unclear = { at };
    const left: Left = { stamps: [at], maps: { a: 1 }, owners: { by: { at } } };
    assertEquals([typeof unclear.at, typeof left.stamps?.[0]], ["string", "string"]);
    // @ts-expect-error A Date is not a string.
    const wrong: Unclear = { at: new Date(at) };
    assert(wrong !== unclear);
  });

  it("leave a text beside a string and a number beside a number, and convert each place", () => {
    const json = { digits: "0123", count: 5, when: "now", list: [at, "2026-11-20", 7] };
    const { list, ...others } = Scalars.fromJson(json);
    assertEquals(others, { digits: "0123", count: 5, when: "now" });
    assertEquals(list, [at, new Date("2026-11-20"), 7n]);
    assertEquals(Scalars.toJsonValue({ ...others, list }), json);

    const converted = Scalars.fromJson({ digits: 5, when: at });
    assertEquals(converted, { digits: 5n, when: new Date(at) });
    assertEquals(Scalars.toJsonValue({ digits: 5n, count: 6 }), { digits: 5, count: 6 });
  });

  it("include what an interface extends, and members of any name", () => {
    assertEquals(
      Cat.fromJson({ kind: "cat", at: "2026-11-20", created: at }).created,
      new Date(at),
    );
    assertEquals(MapModel.fromJson({ a: at }).a, new Date(at));
    assertEquals(Mixed.fromJson({ a: at, b: at }), { a: new Date(at), b: new Date(at) });
  });
});

describe("model classes for XML", () => {
  const start = '<p:pet xmlns:p="https://example.com/pets" xmlns:n="https://example.com/nick" ' +
    'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" id="7">';
  const xml = start +
    "<name>Rex</name><n:nick-name>R</n:nick-name><owner><name>Ada</name></owner>" +
    "<photoUrl><photoUrl>a</photoUrl><photoUrl>b</photoUrl></photoUrl>" +
    "<visits><visit>2026-11-20</visit></visits><alias>x</alias><alias>y</alias>" +
    '<friends id="8"><name>Tom</name></friends><status>here</status>' +
    '<size width="3"/><labels><color>red</color></labels><toJSON>z</toJSON></p:pet>';

  it("give a prefix to the first of two namespaces, which is a problem", async () => {
    const text = (namespace: string) => ({ type: "string", xml: { prefix: "p", namespace } });
    const properties = { a: text("urn:a"), b: text("urn:b"), c: text("urn:a") };
    const schema = { $ref: "#/components/schemas/Root" };
    const content = { "application/xml": { schema } };
    const source = await readSource(JSON.stringify({
      openapi: "3.1.0",
      info: { title: "Prefixes", version: "1" },
      paths: { "/a": { get: { responses: { 200: { content } } } } },
      components: { schemas: { Root: { type: "object", xml: { name: "root" }, properties } } },
    }));
    const { models } = planSdk(source, { models: "xml", pins: new Map() });

    assertEquals(models[0]!.model!.prefixes, [["p", "urn:a"]]);
    assertEquals(models[0]!.model!.fields.map(({ namespace }) => namespace), [
      ...["urn:a", "urn:b", "urn:a"],
    ]);
    assertEquals(source.problems().map(({ message }) => message), [
      'the prefix "p" stands for two namespaces in one element',
    ]);
  });

  it("name elements by the property, and namespaces stand for one element", async () => {
    const pet = await Pet.fromXml(xml);
    assertEquals(JSON.parse(pet.toJsonString()), {
      id: 7,
      name: "Rex",
      nick: "R",
      owner: { name: "Ada" },
      photoUrls: ["a", "b"],
      visits: ["2026-11-20"],
      aliases: ["x", "y"],
      friends: [{
        id: 8,
        name: "Tom",
        photoUrls: [],
        visits: [],
        aliases: [],
        friends: [],
      }],
      status: "here",
      size: { width: 3 },
      labels: { color: "red" },
      toJSON: "z",
    });
    assert(pet.visits[0] instanceof Date);
    assertEquals(await Pet.fromXml(toXml(pet)), pet);
    assertEquals(toXml(pet, { declaration: false }), xml);
  });

  it("read JSON, too, and take a plain object", async () => {
    const pet = Pet.fromJson({ id: 7, name: "Rex", visits: ["2026-11-20"] });
    assertEquals(
      toXml(pet, { declaration: false }),
      `${start}<name>Rex</name>` +
        "<visits><visit>2026-11-20</visit></visits></p:pet>",
    );
    assertEquals(await requestsOf(textOf("xml_models.yaml")), [
      "xml: body && Pet.fromJson(PetInput.toJsonValue(body)),",
      "responseModel: Pet,",
    ]);
    assert(Plain.fromJson({ pet: { id: 7, name: "Rex" } }).pet instanceof Pet);
  });

  it("have no prefix without a namespace, which is a problem of the document", async () => {
    const xml = (name: string, more: object = {}) => ({ xml: { name, prefix: "p", ...more } });
    const text = { type: "string" };
    const properties = {
      id: { ...text, xml: { prefix: "p", attribute: true } },
      name: { ...text, ...xml("title", { namespace: "https://example.com/names" }) },
      labels: { type: "array", items: { ...text, ...xml("label") }, ...xml("labels") },
    };
    const body = {
      content: { "application/xml": { schema: { $ref: "#/components/schemas/Pet" } } },
    };
    const document = JSON.stringify({
      openapi: "3.1.0",
      info: { title: "Prefixes", version: "1" },
      paths: { "/pets": { put: { requestBody: body, responses: { 200: body } } } },
      components: { schemas: { Pet: { type: "object", properties, ...xml("pet") } } },
    });
    const source = await readSource(document);
    const { models } = planSdk(source, { models: "xml", pins: new Map() });
    const { prefixes, tag, fields } = models[0]!.model!;
    assertEquals([tag, prefixes], ["pet", [["p", "https://example.com/names"]]]);
    assertEquals(fields.map((field) => [field.tag, field.namespace]), [
      ["id", undefined],
      ["title", "https://example.com/names"],
      ["label", undefined],
    ]);
    assertEquals(
      source.problems().map(({ kind, pointer, message, action }) =>
        `${kind} ${pointer.replace("#/components/schemas/", "")}: ${message} (${action})`
      ),
      [
        "Pet/properties/id/xml/prefix",
        "Pet/properties/labels/items/xml/prefix",
        "Pet/properties/labels/xml/prefix",
        "Pet/xml/prefix",
      ].map((place) =>
        `schema ${place}: the prefix "p" has no namespace (written without the prefix)`
      ),
    );
  });
});
