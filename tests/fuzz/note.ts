import { assert } from "#test";
import { ModelError } from "../../src/errors/model_error.ts";
import { XmlError } from "../../src/errors/xml_error.ts";
import {
  attr,
  bigint,
  boolean,
  date,
  element,
  elements,
  type Fields,
  integer,
  list,
  Model,
  number,
  oneOf,
  record,
  string,
  text,
} from "../../src/models/mod.ts";

/** A model with a field of each kind. */
export class Note extends Model {
  declare readonly id?: number;
  declare readonly kind?: "a" | "b";
  declare readonly label?: string;
  declare readonly title?: string;
  declare readonly price?: number;
  declare readonly size?: bigint;
  declare readonly isNew?: boolean;
  declare readonly at?: Date;
  declare readonly marks?: readonly number[];
  declare readonly extra?: Readonly<Record<string, string>>;
  declare readonly tags: readonly string[];
  declare readonly notes: readonly Note[];
  declare readonly body?: Body;
  static override readonly tag: string = "note";
  static override readonly fields: Fields<Note> = {
    id: attr(integer, { optional: true }),
    kind: attr(oneOf("a", "b"), { optional: true }),
    label: attr(string, { optional: true }),
    title: element(string, { optional: true }),
    price: element(number, { optional: true }),
    size: element(bigint, { optional: true }),
    isNew: element(boolean, { optional: true }),
    at: element(date, { optional: true }),
    marks: element(list(integer), { optional: true }),
    extra: element(record(string), { optional: true }),
    tags: elements(string, { tag: "tag", within: "tags" }),
    notes: elements(() => Note),
    body: element(() => Body, { optional: true }),
  };
}

class Body extends Model {
  declare readonly lang?: string;
  declare readonly content: string;
  static override readonly tag: string = "body";
  static override readonly fields: Fields<Body> = {
    lang: attr(string, { optional: true }),
    content: text(string),
  };
}

/** The same model, which keeps members that it does not have. */
export class OpenNote extends Note {
  static override readonly unknown = "keep";
}

/** The result of reading: the instance as JSON, or the error. */
export interface Outcome {
  readonly note?: Note;
  readonly shown: string;
}

/** Returns an error as text. The parser may report several faults, and the chunks decide on the first. */
export function shownError(error: unknown): string {
  assert(error instanceof ModelError || error instanceof XmlError, String(error));
  assert(error.message.length < 10_100, "the message is too long");
  return error instanceof XmlError ? error.name : String(error);
}

/** Reads an instance. */
export async function outcomeOf(read: () => Note | Promise<Note>): Promise<Outcome> {
  try {
    const note = await read();
    return { note, shown: note.toJsonString() };
  } catch (error) {
    return { shown: shownError(error) };
  }
}
