/** Types of the document beside this file, as the generator prints them. */
// deno-fmt-ignore-file

export type _404 = string;

export type Anything = unknown;

export type Nothing = never;

export type Empty = unknown;

export type NotAnything = never;

export interface Guessed {
  a?: string[] | undefined;
}

/** A text, a number or nothing. */
export type Several = string | number | null;

export type Null = null;

export interface Constant {
  version: 1;
  tags: ["a", null];
}

export type Flag = boolean | null;

export type Mixed = 1 | "1" | 1.5 | -0 | "*/" | "\u2028" | "\"" | "${x}" | "`" | null;

export type OpenText = "small" | "large" | (string & Record<never, never>);

export type Extensible = "open" | "done" | (string & Record<never, never>);

export type Same = string | null;

export type Anythings = unknown[];

export type Matrix = (number | null)[][];

export type Pair = [string, number];

export type Rows = [string, ...(number | string)[]];

export type FreeForm = Record<string, unknown>;

export type Closed = Record<string, never>;

export type Counts = Record<string, number>;

export type Patterns = Record<string, string>;

export interface Labels {
  owner: string;
  size?: number | undefined;
  [key: string]: string | number | undefined;
}

export interface OddNames {
  "1"?: string | undefined;
  constructor: string;
  __proto__?: string | undefined;
  "with space": string;
  "it's \"quoted\"\u2028"?: string | undefined;
  new?: string | undefined;
  readonly?: boolean | undefined;
  "ünïcode"?: string | undefined;
  undeclared: unknown;
}

export interface Tree {
  children?: { [key: string]: Tree } | undefined;
  parent?: Tree | null | undefined;
}

export type JsonModel =
  | string
  | number
  | boolean
  | JsonModel[]
  | { [key: string]: JsonModel }
  | null;

/** An animal. */
export interface Animal {
  /** Its name. */
  name: string;
  /**
   * @default 3
   * @example 7
   */
  age?: number | undefined;
  kind?: string | undefined;
}

export interface Cat extends Animal {
  kind?: "cat" | undefined;
  /** @deprecated */
  lives?: number | undefined;
  age: number;
}

export interface Narrowed extends Animal {
  name: "Tom" | "Ada";
}

export type Changed = Animal & { name: string | number };

export type Both = Animal & Labels;

export interface Merged {
  a: "x" | "y";
  b: string;
}

/** Not another type. */
export type Described = Animal;

export interface Beside extends Animal {
  extra?: string | undefined;
}

export type Shape = (Circle & { kind: "round" }) | Square | (Star & { kind: "Star" });

export interface Circle {
  kind?: string | undefined;
  radius?: number | undefined;
}

export interface Square {
  kind: "box" | "cube";
}

export interface Star {
  kind: string;
}

export interface AnyOfRequired {
  email?: string | undefined;
  phone?: string | undefined;
}

export type Wrapped = ({ a: string } | { b: string }) & { id: string };

export type Event = (Start & { type: "start" }) | Stop;

export interface Start {
  type: string;
  /** @format date-time */
  at?: string | undefined;
}

export interface Stop {
  type: "Stop";
  reason?: string | undefined;
}

export interface Itself {
  a?: string | undefined;
}

export type Ping = unknown;

export type Pong = unknown;

export type Loop = unknown;

export interface Dangling {
  a?: unknown;
}

export interface Account {
  id: number;
  /** @format date-time */
  created?: string | undefined;
  profile: Profile;
}

export interface AccountInput {
  password: string;
  profile: ProfileInput;
}

export interface Profile {
  seen?: Seen | undefined;
  /** @format byte */
  avatar?: string | undefined;
}

export interface ProfileInput {
  /** @format byte */
  avatar?: string | undefined;
}

/** @format date */
export type Seen = string;

export interface Upload {
  file: string;
  images?: string[] | undefined;
  meta?: string | undefined;
  account?: Account | undefined;
}

export interface UploadForm {
  file: Blob;
  images?: Blob[] | undefined;
  meta?: string | undefined;
  account?: AccountInput | undefined;
}

export type AccountState3 = string;

export type AccountState = string;

export type AccountState2 = string;

export interface ErrorModel {
  message?: string | undefined;
}

export type PromiseModel = string;

export type Alert1 = string;

export type Schema = string;

export type V1_2 = string;

export type V1 = string;

export type WrongType = unknown;

export type WrongEnum = string;

export type WrongProperties = Record<string, unknown>;

export type WrongSchema = unknown[];

export type WrongUnion = unknown;

export interface Conditional {
  a?: string | undefined;
}
