import { assertEquals, assertRejects, assertThrows, describe, it } from "#test";
import { ModelError } from "../../src/errors/model_error.ts";
import { UnexpectedValueError } from "../../src/errors/unexpected_value_error.ts";
import {
  attr,
  date,
  element,
  elements,
  type Fields,
  integer,
  Model,
  model,
  record,
  type RenameRule,
  string,
  text,
  toXml,
} from "../../src/models/mod.ts";
import { renamer } from "../../src/models/rename.ts";

const none = { declaration: false } as const;

describe("the names of fields", () => {
  class Person extends model("person", {
    firstName: element(string, { tag: "first-name", json: "first_name" }),
    born: attr(date, { tag: "birth-date", json: "birth_date", optional: true }),
  }) {}

  it("can differ between JSON, XML and the property", async () => {
    const person = Person.fromJson({ first_name: "Ada", birth_date: "1815-12-10" });
    assertEquals(
      toXml(person, none),
      '<person birth-date="1815-12-10T00:00:00.000Z"><first-name>Ada</first-name></person>',
    );
    assertEquals(await Person.fromXml(toXml(person)), person);
    assertEquals(Object.keys(person.toJSON()), ["first_name", "birth_date"]);
  });

  it("are left out if the field is optional and missing", () => {
    const person = Person.of({ firstName: "Ada" });
    assertEquals(person.toJsonString(), '{"first_name":"Ada"}');
    assertEquals(toXml(person, none), "<person><first-name>Ada</first-name></person>");
  });

  it("are those of the model for an element, unless the field has a tag", async () => {
    class Pair
      extends model("pair", { left: element(Person, { tag: "left" }), right: element(Person) }) {}
    const person = Person.of({ firstName: "Ada" });
    const pair = Pair.of({ left: person, right: person });
    const inner = "<first-name>Ada</first-name>";
    assertEquals(toXml(pair, none), `<pair><left>${inner}</left><person>${inner}</person></pair>`);
    assertEquals(await Pair.fromXml(toXml(pair)), pair);
  });

  const odd = ["__proto__", "constructor", "toString", "hasOwnProperty", "a.b", "", "then"];
  for (const name of odd) {
    it(`can be unusual in JSON: ${name === "" ? "an empty name" : name}`, () => {
      class Odd extends model("odd", {
        value: attr(string, { json: name, default: "none" }),
        values: element(record(string), { json: "values", default: () => ({}) }),
      }) {}
      const json = `{${JSON.stringify(name)}:"x","values":{${JSON.stringify(name)}:"y"}}`;
      const value = Odd.fromJson(json);
      assertEquals(value.value, "x");
      assertEquals(Object.getOwnPropertyDescriptor(value.values, name)?.value, "y");
      assertEquals(Object.getPrototypeOf(value.values), Object.prototype);
      assertEquals(value.toJsonString(), json);
      assertEquals(Odd.fromJson({}).value, "none");
    });
  }

  for (const name of ["__proto__", "constructor", "toString"]) {
    it(`can be unusual in XML: ${name}`, async () => {
      class Odd extends model("odd", {
        value: element(string, { tag: name, default: "none" }),
        values: element(record(string), { default: () => ({}) }),
      }, { unknown: "refuse" }) {}
      const xml = `<odd><${name}>x</${name}><values><${name}>y</${name}></values></odd>`;
      const value = await Odd.fromXml(xml);
      assertEquals(value.value, "x");
      assertEquals(Object.getOwnPropertyDescriptor(value.values, name)?.value, "y");
      assertEquals(toXml(value, none), xml);
      assertEquals((await Odd.fromXml("<odd/>")).value, "none");
    });
  }

  it("do not change any prototype if a document has __proto__", () => {
    Person.fromJson(
      '{"first_name":"x","__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
    );
    assertEquals(Reflect.get({}, "polluted"), undefined);
    class Keeping extends model("keeping", {}, { unknown: "keep" }) {}
    const json = '{"__proto__":{"polluted":true}}';
    assertEquals(Keeping.fromJson(json).toJsonString(), json);
    assertEquals(Reflect.get({}, "polluted"), undefined);
  });
});

describe("the option name of a field", () => {
  class Order extends model("order", {
    id: attr(string, { name: "Order-Id" }),
    note: element(string, { name: "Note", tag: "Remark", optional: true }),
    tags: elements(string, { name: "Tag", json: "tags" }),
    total: text(integer, { name: "Total" }),
  }) {}

  it("is its name in both formats, unless tag or json is another", async () => {
    const order = Order.of({ id: "1", note: "n", tags: ["a"], total: 5 });
    assertEquals(
      toXml(order, none),
      '<order Order-Id="1">5<Remark>n</Remark><Tag>a</Tag></order>',
    );
    assertEquals(order.toJsonString(), '{"Order-Id":"1","Note":"n","tags":["a"],"Total":5}');
    assertEquals(await Order.fromXml(toXml(order)), order);
    assertEquals(Order.fromJson(order.toJsonString()), order);
  });

  it("is the name of the element of a model, too", async () => {
    class Person extends model("person", { name: attr(string) }) {}
    class Book
      extends model("book", { by: element(Person, { name: "author" }), of: element(Person) }) {}
    const book = Book.of({ by: Person.of({ name: "Ada" }), of: Person.of({ name: "Eve" }) });
    assertEquals(toXml(book, none), '<book><author name="Ada"/><person name="Eve"/></book>');
    assertEquals(book.toJsonString(), '{"author":{"name":"Ada"},"of":{"name":"Eve"}}');
    assertEquals(await Book.fromXml(toXml(book)), book);
  });

  it("is the name in issues", () => {
    const error = assertThrows(() => Order.fromJson({ tags: [7], Total: 1 }), ModelError);
    assertEquals(error.issues.map(({ path }) => path), [["Order-Id"], ["tags", 0]]);
  });
});

describe("the rule rename of a model", () => {
  const rules = [
    "camelCase",
    "PascalCase",
    "snake_case",
    "SCREAMING_SNAKE_CASE",
    "kebab-case",
  ] as const;
  const names: readonly (readonly [string, ...string[]])[] = [
    ["keyCount", "keyCount", "KeyCount", "key_count", "KEY_COUNT", "key-count"],
    ["id", "id", "Id", "id", "ID", "id"],
    ["userID", "userID", "UserID", "user_id", "USER_ID", "user-id"],
    ["ID", "id", "ID", "id", "ID", "id"],
    [
      "parseHTMLText",
      "parseHTMLText",
      "ParseHTMLText",
      "parse_html_text",
      "PARSE_HTML_TEXT",
      "parse-html-text",
    ],
    ["URLName", "urlName", "URLName", "url_name", "URL_NAME", "url-name"],
    ["htmlURL2", "htmlURL2", "HtmlURL2", "html_url2", "HTML_URL2", "html-url2"],
    ["aB", "aB", "AB", "a_b", "A_B", "a-b"],
    ["list_type", "listType", "ListType", "list_type", "LIST_TYPE", "list-type"],
    ["user-name", "userName", "UserName", "user_name", "USER_NAME", "user-name"],
    ["sha256Sum", "sha256Sum", "Sha256Sum", "sha256_sum", "SHA256_SUM", "sha256-sum"],
    ["i18nKey", "i18nKey", "I18nKey", "i18n_key", "I18N_KEY", "i18n-key"],
    ["x2y", "x2y", "X2y", "x2y", "X2Y", "x2y"],
    ["_id", "_id", "_Id", "_id", "_ID", "_id"],
    ["$ref", "$ref", "$Ref", "$ref", "$REF", "$ref"],
    [
      "éclairÀLaCarte",
      "éclairÀLaCarte",
      "ÉclairÀLaCarte",
      "éclair_à_la_carte",
      "ÉCLAIR_À_LA_CARTE",
      "éclair-à-la-carte",
    ],
    [
      "cafe\u0301Name",
      "cafe\u0301Name",
      "Cafe\u0301Name",
      "cafe\u0301_name",
      "CAFE\u0301_NAME",
      "cafe\u0301-name",
    ],
    ["straßeTyp", "straßeTyp", "StraßeTyp", "straße_typ", "STRASSE_TYP", "straße-typ"],
    ["ΑθήναPort", "αθήναPort", "ΑθήναPort", "αθήνα_port", "ΑΘΉΝΑ_PORT", "αθήνα-port"],
    ["日本語Name", "日本語Name", "日本語Name", "日本語_name", "日本語_NAME", "日本語-name"],
    ["\u{10428}x", "\u{10428}x", "\u{10400}x", "\u{10428}x", "\u{10400}X", "\u{10428}x"],
  ];
  for (const [name, ...expected] of names) {
    it(`derives the names of a property: ${name}`, () => {
      assertEquals(rules.map((rule) => renamer("rename", rule)(name)), expected);
    });
  }

  it("is used in both formats for fields of every kind, but not for tags of models", async () => {
    class Owner
      extends model("Owner", { displayName: element(string) }, { rename: "PascalCase" }) {}
    class Listing extends model("ListBucketResult", {
      versionId: attr(string),
      keyCount: element(integer),
      nextMarker: element(string, { optional: true, within: "paging" }),
      prefixes: elements(string, { name: "CommonPrefix" }),
      theOwner: element(Owner),
      theTags: element(record(string), { json: "tags" }),
    }, { rename: "PascalCase" }) {}
    const listing = Listing.of({
      versionId: "1",
      keyCount: 2,
      nextMarker: "m",
      prefixes: ["a"],
      theOwner: Owner.of({ displayName: "Ada" }),
      theTags: { someTag: "x" },
    });
    assertEquals(
      toXml(listing, none),
      '<ListBucketResult VersionId="1"><KeyCount>2</KeyCount><paging><NextMarker>m</NextMarker></paging>' +
        "<CommonPrefix>a</CommonPrefix><Owner><DisplayName>Ada</DisplayName></Owner>" +
        "<TheTags><someTag>x</someTag></TheTags></ListBucketResult>",
    );
    assertEquals(
      listing.toJsonString(),
      '{"VersionId":"1","KeyCount":2,"NextMarker":"m","CommonPrefix":["a"],' +
        '"TheOwner":{"DisplayName":"Ada"},"tags":{"someTag":"x"}}',
    );
    assertEquals(await Listing.fromXml(toXml(listing)), listing);
    assertEquals(Listing.fromJson(listing.toJsonString()), listing);
  });

  it("can be a function, and a static member", async () => {
    class Short
      extends model("short", { keyCount: attr(integer) }, { rename: (name) => name.slice(0, 3) }) {}
    assertEquals(Short.fromJson({ key: 1 }), await Short.fromXml('<short key="1"/>'));
    class Long extends Model {
      declare readonly keyCount: number;
      static override readonly tag: string = "long";
      static override readonly rename: RenameRule = "kebab-case";
      static override readonly fields: Fields<Long> = { keyCount: attr(integer) };
    }
    assertEquals(toXml(Long.of({ keyCount: 1 }), none), '<long key-count="1"/>');
  });

  const invalid: readonly (readonly [string, RenameRule, string])[] = [
    ["an unknown rule", "Pascal" as RenameRule, 'one of "camelCase", "PascalCase"'],
    ["the name of a member of every object", "constructor" as RenameRule, 'one of "camelCase"'],
    [
      "a function without a result",
      (() => undefined) as never,
      "a function that returns a name for keyCount",
    ],
    ["an empty name", () => "", "a function that returns a name for keyCount"],
  ];
  for (const [name, rename, message] of invalid) {
    it(`is refused if it is invalid: ${name}`, () => {
      const Renamed = model("renamed", { keyCount: attr(integer) }, { rename });
      const error = assertThrows(() => Renamed.fromJson({}), UnexpectedValueError, message);
      assertEquals(error.option, "renamed.rename");
    });
  }

  it("is refused if two properties get one name", async () => {
    const Twice = model("twice", { keyCount: attr(integer), key_count: attr(integer) }, {
      rename: "snake_case",
    });
    assertThrows(
      () => Twice.fromJson({}),
      UnexpectedValueError,
      '"twice.fields.key_count.json" must be a name that no other field has',
    );
    const Tags = model("tags", {
      keyCount: attr(integer),
      other: attr(integer, { tag: "key_count" }),
    }, { rename: "snake_case" });
    assertEquals(Tags.fromJson({ key_count: 1, other: 2 }).other, 2);
    await assertRejects(() => Tags.fromXml("<tags/>"), UnexpectedValueError, '"tags.fields.other"');
  });
});
