/** Types of the document beside this file, as the generator prints them. */
// deno-fmt-ignore-file

import {
  anyOf,
  bigint,
  date,
  dateOnly,
  type Document,
  document,
  json,
  list,
  literal,
  looseObject,
  nullable,
  string,
  tuple,
} from "../../../../src/models/mod.ts";

export interface Base {
  kind: string;
  /** @format date-time */
  created?: Date | undefined;
}
export const Base: Document<Base> = /* @__PURE__ */ document(
  /* @__PURE__ */ looseObject({ created: date }),
);

export interface Cat extends Base {
  /** @format date */
  at: Date;
  friends?: Animal[] | undefined;
}
export const Cat: Document<Cat> = /* @__PURE__ */ document(
  /* @__PURE__ */ looseObject(() => ({
    created: date,
    at: dateOnly,
    friends: list(Animal),
  })),
);

export interface Dog {
  kind: "dog";
  at: string;
}

export interface Fish {
  kind: "fish";
  n?: bigint | undefined;
}
export const Fish: Document<Fish> = /* @__PURE__ */ document(
  /* @__PURE__ */ looseObject({ kind: literal("fish"), n: bigint }),
);

export interface Tree {
  owner: {
    /** @format date-time */
    since: Date | null;
    x?: number | undefined;
  };
  children?: { [key: string]: Tree } | undefined;
  pair?: [Date, number] | undefined;
  either?: string | null | undefined;
}
export const Tree: Document<Tree> = /* @__PURE__ */ document(
  /* @__PURE__ */ looseObject({
    owner: looseObject({ since: nullable(date) }),
    children: looseObject({}, () => Tree),
    pair: tuple<[Date, number]>([date, json]),
  }),
);

export interface Mixed {
  /** @format date-time */
  a?: Date | undefined;
  [key: string]: Stamp | Date | undefined;
}
export const Mixed: Document<Mixed> = /* @__PURE__ */ document(
  /* @__PURE__ */ looseObject({ a: date }, () => anyOf(date, Stamp)),
);

export type MapModel = { [key: string]: Stamp };
export const MapModel: Document<MapModel> = /* @__PURE__ */ document(
  /* @__PURE__ */ looseObject({}, () => Stamp),
);

export type State = "open" | "done" | (string & Record<never, never>);

export type Level = 1 | 2 | (number & Record<never, never>);

export type Only = "list";

export interface Named {
  a: string;
  /** @format date-time */
  at: Date;
}
export const Named: Document<Named> = /* @__PURE__ */ document(
  /* @__PURE__ */ looseObject({ at: date }),
);

export interface Texted {
  b: string;
  at: string;
}

export interface First {
  /** @format date-time */
  at?: Date | undefined;
}
export const First: Document<First> = /* @__PURE__ */ document(
  /* @__PURE__ */ looseObject({ at: date }),
);

export interface Second {
  /** @format date */
  on?: Date | undefined;
  /** @format date-time */
  at?: Date | undefined;
}
export const Second: Document<Second> = /* @__PURE__ */ document(
  /* @__PURE__ */ looseObject({ on: dateOnly, at: date }),
);

export type Shared = First | Second;
export const Shared: Document<Shared> = /* @__PURE__ */ document(
  /* @__PURE__ */ looseObject<First & Second>({ at: date, on: dateOnly }),
);

export interface Unclear {
  at?: string | undefined;
}

export interface Closed {
  at: string;
  note?: string | undefined;
}

export interface Left {
  stamps?: string[] | undefined;
  maps?: Record<string, number> | undefined;
  owners?: { by?: unknown } | undefined;
}

export interface Extended extends Left {
  /** @format date */
  since?: Date | undefined;
}
export const Extended: Document<Extended> = /* @__PURE__ */ document(
  /* @__PURE__ */ looseObject({ since: dateOnly }),
);

export interface HasLeft {
  left?: Left | undefined;
}

export interface Scalars {
  digits?: bigint | string | undefined;
  count?: number | undefined;
  when?: Date | "now" | undefined;
  list?: [string, Date, bigint] | undefined;
}
export const Scalars: Document<Scalars> = /* @__PURE__ */ document(
  /* @__PURE__ */ looseObject({
    digits: anyOf(string, bigint),
    when: anyOf(literal("now"), date),
    list: tuple<[string, Date, bigint]>([json, dateOnly, bigint]),
  }),
);

export type Animal = (Cat & { kind: "cat" }) | Dog | Fish;
export const Animal: Document<Animal> = /* @__PURE__ */ document(
  /* @__PURE__ */ anyOf(
    /* @__PURE__ */ looseObject<Cat & { kind: "cat" }>(() => ({
      kind: literal("cat"),
      created: date,
      at: dateOnly,
      friends: list(Animal),
    })),
    /* @__PURE__ */ looseObject<Dog>({ kind: literal("dog") }),
    Fish,
  ),
);

export type Many = Tree[];
export const Many: Document<Many> = /* @__PURE__ */ document(/* @__PURE__ */ list(Tree));

/** @format date-time */
export type Stamp = Date;
export const Stamp: Document<Stamp> = /* @__PURE__ */ document(date);

export type Apart = Named | Texted;
export const Apart: Document<Apart> = /* @__PURE__ */ document(
  /* @__PURE__ */ anyOf(
    /* @__PURE__ */ looseObject<Named>({ at: date }, undefined, ["a"]),
    /* @__PURE__ */ looseObject<Texted>({}, undefined, ["b"]),
    /* @__PURE__ */ looseObject<Named & Texted>({}),
  ),
);

export type Allowed = Closed | Named;
export const Allowed: Document<Allowed> = /* @__PURE__ */ document(
  /* @__PURE__ */ anyOf(
    /* @__PURE__ */ looseObject<Named>({ at: date }, undefined, ["a"]),
    /* @__PURE__ */ looseObject<Closed>({}, undefined, []),
    /* @__PURE__ */ looseObject<Closed & Named>({}),
  ),
);
