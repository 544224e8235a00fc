/** Types of the document beside this file, as the generator prints them. */
// deno-fmt-ignore-file

import {
  attr,
  dateOnly,
  type Document,
  document,
  element,
  elements,
  type Fields,
  looseObject,
  Model,
  nullable,
  number,
  object,
  oneOf,
  record,
  string,
} from "../../../../src/models/mod.ts";

/** A pet. */
export class Pet extends Model {
  declare id: number;
  /** Its name. */
  declare name: string;
  declare nick?: string | null | undefined;
  declare owner?: Person | undefined;
  declare photoUrls: string[];
  declare visits: Date[];
  declare aliases: string[];
  declare friends: Pet[];
  declare status?: "here" | "gone" | undefined;
  declare size?: { width?: number | undefined } | undefined;
  declare labels?: Record<string, string> | undefined;
  declare toJSON_?: string | undefined;
  static override readonly tag: string = "pet";
  static override readonly namespace: string = "https://example.com/pets";
  static override readonly prefixes: Readonly<Record<string, string>> = {
    p: "https://example.com/pets",
    n: "https://example.com/nick",
  };
  static override readonly fields: Fields<Pet> = {
    id: attr(number),
    name: element(string, { namespace: "" }),
    nick: element(nullable(string), {
      tag: "nick-name",
      namespace: "https://example.com/nick",
      optional: true,
    }),
    owner: element(() => Person, { tag: "owner", namespace: "", optional: true }),
    photoUrls: elements(string, { tag: "photoUrl", within: "{}photoUrl", namespace: "" }),
    visits: elements(dateOnly, { tag: "visit", within: "{}visits", namespace: "" }),
    aliases: elements(string, { tag: "alias", namespace: "" }),
    friends: elements(() => Pet, { tag: "friends", namespace: "" }),
    status: element(oneOf("here", "gone"), { namespace: "", optional: true }),
    size: element(object({
      width: attr(number, { optional: true }),
    }), {
      namespace: "",
      optional: true,
    }),
    labels: element(record(string), { namespace: "", optional: true }),
    toJSON_: element(string, { json: "toJSON", tag: "toJSON", namespace: "", optional: true }),
  };
}

export class Person extends Model {
  declare name?: string | undefined;
  static override readonly tag: string = "person";
  static override readonly fields: Fields<Person> = {
    name: element(string, { optional: true }),
  };
}

export interface Plain {
  pet?: Pet | undefined;
}
export const Plain: Document<Plain> = /* @__PURE__ */ document(
  /* @__PURE__ */ looseObject(() => ({ pet: Pet })),
);
