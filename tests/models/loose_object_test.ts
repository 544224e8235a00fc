import { assertEquals, assertThrows, describe, it } from "#test";
import { ModelError } from "../../src/errors/model_error.ts";
import {
  anyOf,
  bigint,
  date,
  dateOnly,
  type Document,
  document,
  element,
  list,
  literal,
  looseObject,
  model,
  nullable,
  string,
  toXml,
} from "../../src/models/mod.ts";

interface Visit {
  at: Date;
  by?: string;
}
interface Pet {
  id: number;
  born?: Date | null;
  visits: Visit[];
  parent?: Pet;
}
const Pets: Document<Pet> = document(looseObject<Pet>(() => ({
  born: nullable(dateOnly),
  visits: list(looseObject({ at: date })),
  parent: Pets,
})));
const json = {
  id: 1,
  born: "2026-11-20",
  visits: [{ at: "2026-11-21T10:00:00.000Z", by: "Ada" }],
  parent: { id: "not a number", born: null, visits: [] },
  unknown: [{ deep: null }],
};

describe("an object of which some members are converted", () => {
  it("converts these, and leaves the others as they are", () => {
    const pet = Pets.fromJson(json);
    assertEquals(pet.born?.getTime(), Date.UTC(2026, 10, 20));
    assertEquals(pet.visits[0]?.at.getUTCHours(), 10);
    assertEquals<unknown>(pet.parent, { id: "not a number", born: null, visits: [] });
    assertEquals<unknown>(Reflect.get(pet, "unknown"), [{ deep: null }]);
    assertEquals(Pets.toJsonValue(pet), json);
  });

  it("lets members be missing or undefined", () => {
    const Loose = document(looseObject<{ at?: Date | undefined }>({ at: date }));
    assertEquals(Loose.fromJson({}), {});
    assertEquals(Loose.toJsonString({ at: undefined }), "{}");
  });

  it("reports converted members that do not match, with their paths", () => {
    const error = assertThrows(
      () => Pets.fromJson({ ...json, visits: [{ at: "soon" }], parent: 5 }),
      ModelError,
    );
    assertEquals(error.issues.map(({ where }) => where), ["visits[0].at", "parent"]);
    assertThrows(() => Pets.fromJson(null), ModelError);
    assertThrows(() => Pets.fromJson([]), ModelError);
  });

  it("can convert all members that are not named", () => {
    type Times = { name: string; [key: string]: string | Date };
    const Times = document(looseObject<Times>({ name: string }, date));
    const times = Times.fromJson({ name: "2026-11-20", start: "2026-11-20" });
    assertEquals(times.name, "2026-11-20");
    assertEquals(times.start, new Date("2026-11-20"));

    interface Tree {
      [key: string]: Tree | Date;
    }
    const Trees: Document<Tree> = document(looseObject<Tree>({ at: date }, () => Trees));
    const tree = Trees.fromJson({ left: { at: "2026-11-20" } });
    assertEquals(tree, { left: { at: new Date("2026-11-20") } });
  });

  it("takes __proto__ as a name like any other", () => {
    const read = Pets.fromJson('{"id":1,"visits":[],"__proto__":{"id":2}}');
    assertEquals(Object.getPrototypeOf(read), Object.prototype);
    assertEquals(Object.hasOwn(read, "__proto__"), true);
  });

  it("is one of several types by the members that are converted", () => {
    interface Cat {
      kind: "cat";
      at: Date;
    }
    interface Dog {
      kind: "dog";
      at: string;
    }
    interface Fish {
      size: bigint;
    }
    const Animal = document(anyOf(
      looseObject<Cat>({ kind: literal("cat"), at: date }),
      looseObject<Dog>({ kind: literal("dog") }),
      looseObject<Fish>({ size: bigint }),
      string,
    ));
    const at = "2026-11-20T00:00:00.000Z";
    for (
      const [given, read] of [
        [{ kind: "cat", at }, { kind: "cat", at: new Date(at) }],
        [{ kind: "dog", at }, { kind: "dog", at }],
        [{ size: 5 }, { size: 5n }],
        ["none", "none"],
      ] as const
    ) {
      const value = Animal.fromJson(JSON.stringify(given));
      assertEquals<unknown>(value, read);
      assertEquals<unknown>(Animal.toJsonValue(value), given);
    }
  });

  it("can have members with the names of those that all objects inherit", () => {
    interface Odd {
      at: Date;
      constructor?: string;
      hasOwnProperty?: string;
      isPrototypeOf?: string;
      propertyIsEnumerable?: string;
      toLocaleString?: string;
      toString?: Date;
      valueOf?: string;
    }
    const at = "2026-11-20T00:00:00.000Z";
    const given = { at, constructor: "c", toString: at, valueOf: "v" };
    const plain = document(looseObject<Odd>({ at: date }));
    const converted = document(looseObject<Odd>({ at: date, toString: date }));
    for (const type of [plain, converted]) {
      const read = type.fromJson(JSON.stringify(given));
      assertEquals(read.at, new Date(at));
      assertEquals<unknown>(type.toJsonValue(read), given);
    }
    assertEquals(converted.fromJson(JSON.stringify(given)).toString, new Date(at));
  });

  it("has no form in XML", () => {
    class Log extends model("log", { entry: element(looseObject<Visit>({ at: date })) }) {}
    const log = Log.fromJson({ entry: { at: "2026-11-20" } });
    assertThrows(() => toXml(log), Error, "a type that XML has a form for");
  });
});
