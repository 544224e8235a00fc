/** Types of the document beside this file, as the generator prints them. */
// deno-fmt-ignore-file

export type Vehicle = (Car & { kind: "car" }) | Bike | OtherVehicle;

export interface Car {
  kind?: string | undefined;
  doors?: number | undefined;
}

export interface Bike {
  kind: "bike";
}

export interface OtherVehicle {
  kind?: string | undefined;
}

export interface Folder {
  parent?: Folder | undefined;
  entries?: Entry[] | undefined;
}

export interface Entry {
  name?: string | undefined;
}

export type Inner = number;

export type Defined = DefinedText;

/** @format byte */
export type DefinedText = string;
