import { assert, assertEquals, describe, it } from "#test";
import { type Box, type BoxValue, isBox, toBox, unbox } from "../../src/box/mod.ts";
import type { CamelCase, SnakeCase } from "../../src/box/names.ts";

type Same<A, B> = (<X>() => X extends A ? 1 : 2) extends (<X>() => X extends B ? 1 : 2) ? true
  : false;

/** Compiles only if the value has exactly the type. */
function typed<Expected>(): <Actual>(value: Actual, same: Same<Actual, Expected>) => void {
  return () => {};
}

interface User {
  id: number;
  first_name: string;
  nick?: string;
  kind: "person" | "robot";
  address: { zip_code: string } | null;
  links: { href: string; rel_types: string[] }[];
  readonly created_at: string;
  extra: unknown;
  parent?: User;
  pair: [number, { a_b: boolean }];
}

const user: User = {
  id: 1,
  first_name: "Ada",
  kind: "person",
  address: { zip_code: "N1" },
  links: [{ href: "/a", rel_types: [] }],
  created_at: "now",
  extra: { a: 1 },
  pair: [1, { a_b: true }],
};

describe("the type of a box", () => {
  it("has the fields of the original type, nested and in lists", () => {
    const box = toBox(user);
    typed<number>()(box.id, true);
    typed<"person" | "robot">()(box.kind, true);
    typed<string | undefined>()(box.nick, true);
    typed<string | undefined>()(box.address?.zip_code, true);
    typed<string | undefined>()(box.links[0]?.href, true);
    typed<string | undefined>()(box.parent?.parent?.first_name, true);
    typed<boolean>()(box.pair[1].a_b, true);
    typed<number[]>()(box.links.map((link) => link.rel_types.length), true);
    // @ts-expect-error: no such field
    box.firstname;
    // @ts-expect-error: the attribute camelCase is not set
    box.firstName;
    // @ts-expect-error: the attribute dots is not set
    box["address.zip_code"];
    // @ts-expect-error: it may be null
    box.address?.zip_code.length satisfies number;
    // @ts-expect-error: id is a number
    box.id = "1";
    // @ts-expect-error: read only in the type
    box.created_at = "later";
    // @ts-expect-error: a box has no methods
    box.toDict;
    box.id = 1;
    box.address = { zip_code: "N1" };
    assertEquals(box.id, 1);
  });

  it("is assignable to the plain type, and the plain type to a box", () => {
    const takesUser = (value: User): number => value.id;
    const takesBox = (value: Box<User>): number => value.id;
    assertEquals(takesUser(toBox({ ...user, extra: 1 } as User) as unknown as User), 1);
    assertEquals(takesBox(toBox(user)), 1);
    const plain: { id: number; tags: { name: string }[] } = toBox({ id: 1, tags: [{ name: "a" }] });
    assertEquals(plain.tags[0]?.name, "a");
  });

  it("is the scalar or null for a scalar or null", () => {
    typed<number>()(toBox(1 as number), true);
    typed<null>()(toBox(null), true);
    typed<string | null>()(toBox("a" as string | null), true);
    const maybe: Box<User | null> = toBox<User | null>(null);
    // @ts-expect-error: it may be null
    (() => maybe.id);
    assertEquals(maybe, null);
  });

  it("is a mapping to values that must be narrowed for unknown", () => {
    const box = toBox(
      JSON.parse('{"user":{"name":"Ada","tags":["a"]}}') as Record<string, unknown>,
    );
    const any = toBox(JSON.parse('{"user":1}'));
    const unknown: Box<unknown> = any;
    typed<BoxValue | undefined>()(unknown.user, true);
    // @ts-expect-error: it may be a scalar
    (() => any.user.name);
    const value = box.user;
    assert(isBox(value));
    const name = value.name;
    if (typeof name === "string") typed<string>()(name, true);
    const tags = value.tags;
    if (Array.isArray(tags)) typed<BoxValue[]>()(tags, true);
    typed<BoxValue>()(toBox(JSON.parse("1") as unknown), true);
    typed<BoxValue>()(toBox(user).extra, true);
    unknown.more = 1;
    unknown.list = [{ a: 1 }, null];
    assertEquals(name, "Ada");
  });

  it("is a list of values that must be narrowed for unknown elements", () => {
    const box = toBox([1, { a: 2 }] as unknown[]);
    typed<BoxValue[]>()(box, true);
    const [, second] = box;
    assert(isBox(second));
    assertEquals(second.a, 2);
  });
});

describe("the type of a box with attributes", () => {
  it("is read only at every level with frozen", () => {
    const box = toBox(user, { frozen: true });
    const tries = [
      // @ts-expect-error: read only
      () => box.id = 2,
      // @ts-expect-error: read only, nested
      () => box.address!.zip_code = "",
      // @ts-expect-error: the list is read only
      () => box.links.push({ href: "", rel_types: [] }),
      // @ts-expect-error: the element is read only
      () => box.links[0]!.href = "",
      // @ts-expect-error: unknown values are read only, too
      () => (toBox(JSON.parse("{}"), { frozen: true }).a = 1),
      // @ts-expect-error: a read only list is not assignable to a mutable one
      (): string[] => box.links[0]!.rel_types,
    ];
    assertEquals(tries.length, 6);
    assertEquals(box.links[0]?.href, "/a");
  });

  it("has both names with camelCase", () => {
    const box = toBox(user, { camelCase: true });
    typed<string>()(box.firstName, true);
    typed<string>()(box.first_name, true);
    typed<string | undefined>()(box.address?.zipCode, true);
    typed<string[] | undefined>()(box.links[0]?.relTypes, true);
    typed<boolean>()(box.pair[1].aB, true);
    // @ts-expect-error: no such field
    box.lastName;
    // @ts-expect-error: read only in the type
    box.createdAt = "later";
    const both = toBox({ a_b: 1, aB: "x" } as { a_b: number; aB: string }, { camelCase: true });
    typed<string>()(both.aB, true);
    assertEquals(box.firstName, "Ada");
  });

  it("has both names with snakeCase", () => {
    interface Repository {
      fullName: string;
      readonly HTMLUrl: string;
      owner: { siteAdmin: boolean };
      tags: { shortName: string }[];
    }
    const repository: Repository = {
      fullName: "a/b",
      HTMLUrl: "/a/b",
      owner: { siteAdmin: true },
      tags: [{ shortName: "c" }],
    };
    const box = toBox(repository, { snakeCase: true });
    typed<string>()(box.full_name, true);
    typed<string>()(box.fullName, true);
    typed<string>()(box.html_url, true);
    typed<boolean>()(box.owner.site_admin, true);
    typed<string | undefined>()(box.tags[0]?.short_name, true);
    // @ts-expect-error: no such field
    box.last_name;
    // @ts-expect-error: read only in the type
    (() => box.html_url = "/c");
    const both = toBox({ aB: 1, a_b: "x" } as { aB: number; a_b: string }, { snakeCase: true });
    typed<string>()(both.a_b, true);
    const mixed = toBox({ first_name: "Ada", lastName: 1 }, { camelCase: true, snakeCase: true });
    typed<string>()(mixed.firstName, true);
    typed<number>()(mixed.last_name, true);
    const open = toBox({ aB: 1 } as Record<string, number>, { snakeCase: true });
    typed<number | undefined>()(open.a_b, true);
    assertEquals([box.full_name, mixed.firstName, mixed.last_name], ["a/b", "Ada", 1]);
  });

  it("includes the type of default for fields that may be missing", () => {
    const none = toBox(user, { default: null });
    typed<string | null>()(none.nick, true);
    typed<number>()(none.id, true);
    typed<string | "?">()(toBox(user, { default: "?" }).nick, true);
    const chained = toBox(user, { default: {} });
    // @ts-expect-error: the field may be the default, an object
    chained.nick satisfies string;
    assertEquals(typeof chained.parent.parent.parent, "object");
    // @ts-expect-error: a default adds no fields
    none.lastName;
    const unknown = toBox(JSON.parse("{}"), { default: 0 });
    // @ts-expect-error: it is never undefined
    (() => unknown.a satisfies undefined);
    assertEquals(none.nick, null);
  });

  it("has paths with values of unknown types with dots", () => {
    const box = toBox(user, { dots: true });
    typed<BoxValue<{ readonly dots: true }> | undefined>()(box["address.zip_code"], true);
    typed<BoxValue<{ readonly dots: true }> | undefined>()(box["links[0]"], true);
    // @ts-expect-error: neither a field nor a path
    box["zip_code"];
    assertEquals(box["links[0].href"], "/a");
  });

  it("allows only valid attributes", () => {
    const tries = [
      // @ts-expect-error: no such attribute
      () => toBox(user, { frozn: true }),
      // @ts-expect-error: not a boolean
      () => toBox(user, { dots: "yes" }),
    ];
    assertEquals(tries.length, 2);
  });
});

describe("the type of an unboxed value", () => {
  it("is the type that was boxed", () => {
    typed<User>()(unbox(toBox(user)), true);
    typed<User>()(unbox(toBox(user, { camelCase: true, frozen: true, dots: true })), true);
    typed<User[]>()(unbox(toBox([user])), true);
    typed<User | null>()(unbox(toBox<User | null>(user)), true);
    typed<number>()(unbox(1 as number), true);
    assertEquals(unbox(toBox(user)), user);
  });
});

describe("the type of a name in camelCase", () => {
  it("is the name that the box accepts", () => {
    const names: [
      CamelCase<"first_name">,
      CamelCase<"a_b_c">,
      CamelCase<"address_1">,
      CamelCase<"_private_key">,
      CamelCase<"__typename_x">,
      CamelCase<"a__b_c">,
      CamelCase<"class_">,
      CamelCase<"_">,
    ] = ["firstName", "aBC", "address1", "_privateKey", "__typenameX", "a__bC", "class_", "_"];
    assertEquals(names.length, 8);
  });
});

describe("the type of a name in snake_case", () => {
  it("is the name that the box accepts", () => {
    const names: [
      SnakeCase<"firstName">,
      SnakeCase<"HTTPServer">,
      SnakeCase<"userID">,
      SnakeCase<"Terrible321KeyA">,
      SnakeCase<"_privateKey">,
      SnakeCase<"__typeName">,
      SnakeCase<"a__b">,
      SnakeCase<"a_Bc">,
      SnakeCase<"First Name">,
      SnakeCase<"@Type">,
      SnakeCase<"class_">,
      SnakeCase<"ÄBc">,
      SnakeCase<"">,
    ] = [
      "first_name",
      "http_server",
      "user_id",
      "terrible321_key_a",
      "_private_key",
      "_type_name",
      "a_b",
      "a_bc",
      "first_name",
      "@_type",
      "class_",
      "ä_bc",
      "",
    ];
    const pattern: SnakeCase<`x-${string}`> = "x-anyThing";
    assertEquals([names.length, pattern.length], [13, 10]);
  });

  it("is inferred for names of any usual length", () => {
    type Long =
      "aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0uVaB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0uVaB1cD2eF3gH4iJ5kL6mN";
    const name: SnakeCase<Long> extends `a_b1c_d2e_f3${string}` ? true : false = true;
    assert(name);
  });
});
