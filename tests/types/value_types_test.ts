/** The types of values in models: unions of scalars, open enumerations, constraints. */
import { assertEquals, describe, it } from "#test";
import {
  anyOf,
  attr,
  bigint,
  boolean,
  constrain,
  date,
  dateOnly,
  element,
  elements,
  type Fields,
  integer,
  json,
  type JsonValue,
  lenientDate,
  list,
  Model,
  model,
  nullable,
  number,
  object,
  oneOf,
  openEnum,
  record,
  refine,
  rest,
  string,
  unixMilliseconds,
  unixSeconds,
  type ValueType,
} from "../../src/models/mod.ts";
import { completionsIn } from "../support/completions.ts";

/** `true` if two types are identical. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true
  : false;
function same<A, B>(_: Same<A, B>): void {}

class Place extends model("place", { name: attr(string) }) {}

const isShort = (text: string): text is `${string}!` => text.length < 3;

class Row extends model("row", {
  state: attr(openEnum("open", "closed")),
  id: attr(anyOf(string, integer)),
  size: attr(nullable(anyOf(oneOf("auto"), number, boolean))),
  days: element(list(dateOnly)),
  times: element(record(lenientDate)),
  seconds: element(unixSeconds),
  milliseconds: element(unixMilliseconds),
  name: element(constrain(string, { minLength: 1, pattern: /^\w/ })),
  grade: element(constrain(oneOf("a", "b"), { maxLength: 1 })),
  pages: element(constrain(integer, { minimum: 1, maximum: 9 })),
  views: element(constrain(bigint, { minimum: 0n })),
  due: element(constrain(date, { minimum: new Date(0) })),
  tags: element(constrain(list(string), { maxItems: 5 })),
  even: element(refine(integer, (value) => value % 2 === 0, "an even number")),
  loud: element(refine(string, isShort, "a short string")),
  place: element(refine(Place, ({ name }) => name !== "", "a place with a name")),
  later: element(refine(() => Place, ({ name }) => name !== "", "a place with a name")),
}, {}) {}

describe("the types of values", () => {
  it("are inferred", () => {
    same<Row["state"], "open" | "closed" | (string & Record<never, never>)>(true);
    same<Row["state"], string>(false);
    same<Row["id"], string | number>(true);
    same<Row["size"], "auto" | number | boolean | null>(true);
    same<Row["days"], Date[]>(true);
    same<Row["times"], Record<string, Date>>(true);
    same<Row["seconds"], Date>(true);
    same<Row["milliseconds"], Date>(true);
    same<Row["name"], string>(true);
    same<Row["grade"], "a" | "b">(true);
    same<Row["pages"], number>(true);
    same<Row["views"], bigint>(true);
    same<Row["due"], Date>(true);
    same<Row["tags"], string[]>(true);
    same<Row["even"], number>(true);
    same<Row["loud"], `${string}!`>(true);
    same<Row["place"], Place>(true);
    same<Row["later"], Place>(true);
    assertEquals(typeof Row, "function");
  });

  it("let an open enumeration have any string", () => {
    const state: Row["state"] = `${"re"}opened`;
    const text: string = state;
    assertEquals(text, "reopened");
  });

  it("make editors suggest the known values of an open enumeration", () => {
    const suggested = completionsIn(`
import { attr, model, openEnum } from "../../src/models/mod.ts";
class Issue extends model("issue", { state: attr(openEnum("open", "closed")) }) {}
Issue.of({ state: "/*here*/" });
`);
    assertEquals(suggested.toSorted(), ["closed", "open"]);
  });
});

class Customer extends model("customer", {
  id: attr(string),
  address: element(object({
    street: element(string),
    floor: element(integer, { optional: true }),
    note: element(nullable(string), { optional: true }),
    tags: elements(string),
    kind: element(oneOf("home", "work"), { default: "home" }),
    geo: element(object({ lat: attr(number) }), { optional: true }),
  })),
  data: element(json),
  more: element(json, { optional: true }),
  place: element(anyOf(string, Place)),
  later: element(nullable(anyOf(integer, () => Place, list(string)))),
  nick: elements(nullable(string)),
  ages: element(record(nullable(integer))),
  counts: rest(integer),
}) {}

class Order extends Model {
  declare readonly id: string;
  declare readonly customer: string | Customer;
  declare readonly address: { street: string; floor?: number };
  declare readonly data: JsonValue;
  declare readonly more?: JsonValue;
  declare readonly others: Record<string, string | null>;
  static override readonly tag: string = "order";
  static override readonly fields: Fields<Order> = {
    id: element(string),
    customer: element(anyOf(string, Customer)),
    address: element(object({ street: element(string), floor: element(integer) })),
    data: element(json),
    more: element(json, { optional: true }),
    others: rest(nullable(string)),
  };
}

describe("the types of objects, JSON values and other members", () => {
  it("are inferred", () => {
    same<Customer["address"], {
      readonly street: string;
      readonly tags: string[];
      readonly kind: "home" | "work";
      readonly floor?: number | undefined;
      readonly note?: string | null | undefined;
      readonly geo?: { readonly lat: number } | undefined;
    }>(true);
    same<Customer["data"], JsonValue>(true);
    same<Customer["more"], JsonValue | undefined>(true);
    same<Customer["place"], string | Place>(true);
    same<Customer["later"], number | Place | string[] | null>(true);
    same<Customer["nick"], (string | null)[]>(true);
    same<Customer["ages"], Record<string, number | null>>(true);
    same<Customer["counts"], Record<string, number>>(true);
    const size = object({ width: element(integer) });
    same<typeof size, ValueType<{ readonly width: number }>>(true);
    assertEquals(typeof Order, "function");
  });

  it("are required of the values of an instance", () => {
    const given = {
      id: "a",
      place: "",
      later: null,
      nick: [null],
      ages: {},
      data: [null, { a: 1 }],
    };
    const address = { street: "", tags: [] as string[], kind: "home" as const };
    Customer.of({ ...given, address });
    Customer.of({ ...given, address: { ...address, floor: 1, note: null }, counts: { a: 1 } });
    const wrong = [
      // @ts-expect-error the street is missing
      () => Customer.of({ ...given, address: { tags: [], kind: "home" } }),
      // @ts-expect-error no such member
      () => Customer.of({ ...given, address: { ...address, colour: "red" } }),
      // @ts-expect-error a date is not a JSON value
      () => Customer.of({ ...given, address, data: new Date() }),
      // @ts-expect-error a number is neither a string nor a place
      () => Customer.of({ ...given, address, place: 5 }),
      // @ts-expect-error the counts are numbers
      () => Customer.of({ ...given, address, counts: { a: "1" } }),
      // @ts-expect-error members cannot be written
      (customer: Customer) => void (customer.address.street = ""),
      // @ts-expect-error the data is missing
      () => Order.of({ id: "", customer: "", address: { street: "", floor: 1 }, others: {} }),
      // @ts-expect-error the members of an object are fields
      () => object({ street: string }),
      // @ts-expect-error an object has no root
      () => object({ street: element(string) }, { doctype: "skip" }),
      // @ts-expect-error the check gets the object
      () => object({ a: element(string) }, { check: ({ b }) => b }),
      // @ts-expect-error the values have a type
      () => rest("string"),
    ];
    assertEquals(wrong.length, 11);
  });

  it("narrow by instanceof and typeof", () => {
    const nameOf = ({ place, later }: Customer): string => {
      // @ts-expect-error a string has no name
      void place.name;
      if (later instanceof Place) return later.name;
      return typeof place === "string" ? place : place.name;
    };
    assertEquals(typeof nameOf, "function");
  });
});

describe("the compiler", () => {
  it("refuses constraints that do not apply to a type", () => {
    const wrong = [
      // @ts-expect-error a bound of a string
      () => constrain(string, { minimum: 1 }),
      // @ts-expect-error a length of a number
      () => constrain(integer, { minLength: 1 }),
      // @ts-expect-error a number as the bound of a bigint
      () => constrain(bigint, { minimum: 1 }),
      // @ts-expect-error a string as the bound of a date
      () => constrain(date, { minimum: "2026-11-20" }),
      // @ts-expect-error a length of a list
      () => constrain(list(string), { minLength: 1 }),
      // @ts-expect-error a boolean has no constraints
      () => constrain(boolean, { minimum: 1 }),
      // @ts-expect-error constrain the type within nullable
      () => constrain(nullable(string), { minLength: 1 }),
      // @ts-expect-error constrain the types of a union
      () => constrain(anyOf(string, integer), { minLength: 1 }),
      // @ts-expect-error a misspelled constraint
      () => constrain(string, { minlength: 1 }),
    ];
    assertEquals(wrong.length, 9);
  });

  it("refuses checks of another type, and asynchronous ones", () => {
    const wrong = [
      // @ts-expect-error the value is a number
      () => refine(integer, (value: string) => value !== "", "a string"),
      // @ts-expect-error a promise is not a boolean
      () => refine(integer, (value) => Promise.resolve(value > 0), "positive"),
      // @ts-expect-error the description is missing
      () => refine(integer, (value) => value > 0),
    ];
    assertEquals(wrong.length, 3);
  });

  it("refuses unions and enumerations without enough types or values", () => {
    const wrong = [
      // @ts-expect-error one type is not a union
      () => anyOf(string),
      // @ts-expect-error a string is not a type
      () => anyOf(string, "Place"),
      // @ts-expect-error a class is not a type
      () => anyOf(string, class {}),
      // @ts-expect-error no known value
      () => openEnum(),
      // @ts-expect-error the values are strings
      () => openEnum("a", 1),
    ];
    assertEquals(wrong.length, 5);
  });
});
