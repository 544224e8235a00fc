/** Types of the document beside this file, as the generator prints them. */
// deno-fmt-ignore-file

import {
  anyOf,
  bigint,
  date,
  dateOnly,
  type Document,
  document,
  list,
  literal,
  looseObject,
  nullable,
  number,
  string,
  type ValueType,
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
  either?: Date | string | null | undefined;
}
export const Tree: Document<Tree> = /* @__PURE__ */ document(
  /* @__PURE__ */ looseObject({
    owner: looseObject({ since: nullable(date) }),
    children: looseObject({}, () => Tree),
    pair: list(anyOf(date, number)) as ValueType<[Date, number]>,
    either: nullable(anyOf(date, string)),
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
