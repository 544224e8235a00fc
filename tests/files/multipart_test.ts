import { assertEquals, assertThrows, describe, it } from "#test";
import { APISession, UnexpectedValueError } from "../../mod.ts";
import { multipart, type MultipartOptions } from "../../src/files/mod.ts";
import { attr, model, string } from "../../src/models/mod.ts";
import { asJson, deepObject, form, pipeDelimited } from "../../src/content/styles/mod.ts";
import { mockTransport, replies } from "../../src/testing/mod.ts";

/** A part of a form as it is sent: its headers in lower case, and its text. */
interface Part {
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Splits a form into its parts, without the parser of any runtime. */
async function partsOf(fields: object, options?: MultipartOptions): Promise<Part[]> {
  const content = multipart(fields, options);
  const boundary = content.type.replace(/^.*boundary=/, "");
  const [first, ...rest] = `\r\n${await content.toBlob().text()}`.split(`\r\n--${boundary}`);
  assertEquals([first, rest.at(-1)], ["", "--\r\n"]);
  return rest.slice(0, -1).map((part) => {
    const [head, ...texts] = part.replace(/^\r\n/, "").split("\r\n\r\n");
    const lines = head!.split("\r\n").map((line) => line.split(": ", 2) as [string, string]);
    const headers = Object.fromEntries(lines.map(([name, value]) => [name.toLowerCase(), value]));
    return { headers, text: texts.join("\r\n\r\n") };
  });
}

/** Returns the name, content type and text of each part. */
async function shown(fields: object, options?: MultipartOptions): Promise<unknown[]> {
  const parts = await partsOf(fields, options);
  return parts.map(({ headers, text }) => {
    const name = /^form-data; name="([^"]*)"/.exec(headers["content-disposition"]!)![1];
    const type = headers["content-type"];
    return type === undefined ? [name, text] : [name, type, text];
  });
}

const png = () => new File(["png"], "a.png", { type: "image/png" });

describe("a form that is an object", () => {
  it("has a part for each scalar, without a content type", async () => {
    const fields = { a: "x\ny", b: 1, c: true, d: 2n, e: "", none: null, nothing: undefined };
    assertEquals(await shown(fields), [
      ["a", "x\r\ny"],
      ["b", "1"],
      ["c", "true"],
      ["d", "2"],
      ["e", ""],
    ]);
  });

  it("has a part for each element of an array", async () => {
    const fields = {
      tags: ["a", null, "b"],
      none: [],
      photos: [png(), new Uint8Array([104, 105])],
    };
    const photos = (name: string, ...names: readonly string[]) => [
      [names[0] ?? name, "image/png", "png"],
      [names[1] ?? name, "application/octet-stream", "hi"],
    ];
    assertEquals(await shown(fields), [["tags", "a"], ["tags", "b"], ...photos("photos")]);
    assertEquals(await shown(fields, { arrays: "brackets" }), [
      ["tags[]", "a"],
      ["tags[]", "b"],
      ...photos("photos[]"),
    ]);
    assertEquals(await shown(fields, { arrays: "indices" }), [
      ["tags[0]", "a"],
      ["tags[2]", "b"],
      ...photos("", "photos[0]", "photos[1]"),
    ]);
  });

  it("has a part with JSON for each object, as in OpenAPI", async () => {
    class Pet extends model("pet", { name: attr(string) }) {}
    const fields = {
      address: { city: "Nice", none: undefined },
      list: [{ a: 1 }, ["x", 2]],
      empty: {},
      pet: new Pet({ name: "Tom" }),
    };
    const type = "application/json";
    assertEquals(await shown(fields), [
      ["address", type, '{"city":"Nice"}'],
      ["list", type, '{"a":1}'],
      ["list", type, '["x",2]'],
      ["empty", type, "{}"],
      ["pet", type, '{"name":"Tom"}'],
    ]);
  });

  it("has a part for each field of nested objects if they are written with brackets", async () => {
    const user = { name: "Ada", tags: ["a", "b"], photo: png(), address: { city: null, zip: 1 } };
    assertEquals(await shown({ user }, { objects: "brackets" }), [
      ["user[name]", "Ada"],
      ["user[tags]", "a"],
      ["user[tags]", "b"],
      ["user[photo]", "image/png", "png"],
      ["user[address][zip]", "1"],
    ]);
    const users = [{ name: "Ada" }, { name: "Moss", tags: ["a"] }];
    assertEquals(await shown({ users }, { objects: "brackets", arrays: "indices" }), [
      ["users[0][name]", "Ada"],
      ["users[1][name]", "Moss"],
      ["users[1][tags][0]", "a"],
    ]);
  });

  it("has the parts of a style, without percent-encoding", async () => {
    const fields = {
      a: deepObject({ "x y": "1 2+3", b: { c: "é" } }),
      b: pipeDelimited(["1|", "&2"]),
      c: form(["1", "2"]),
      d: form(["1", "2"], { explode: false }),
      e: form({ x: 1, y: 2 }),
      f: asJson([1, { g: 2 }]),
      g: form([]),
    };
    const options = { parts: { f: { type: "application/json" } } };
    assertEquals(await shown(fields, options), [
      ["a[x y]", "1 2+3"],
      ["a[b][c]", "é"],
      ["b", "1||&2"],
      ["c", "1"],
      ["c", "2"],
      ["d", "1,2"],
      ["x", "1"],
      ["y", "2"],
      ["f", "application/json", '[1,{"g":2}]'],
    ]);
  });

  it("has a file of a source that is a plain object", async () => {
    const stream = () => new Blob(["hi"]).stream();
    const content = multipart({
      a: { size: 2, stream, name: "/tmp/b.txt" },
      b: [{ size: 2, stream }],
    });
    const body = await new Response(content() as ReadableStream, {
      headers: { "content-type": content.type },
    }).formData();
    const files = [...body].map(([name, file]) => [name, (file as File).name, (file as File).size]);
    assertEquals(files, [["a", "b.txt", 2], ["b", "file", 2]]);
  });
});

describe("the parts of a form", () => {
  it("have content types and headers of their own, by the field or by the name", async () => {
    const fields = { meta: { a: 1 }, tags: ["x", "y"], photo: png(), other: "1" };
    const parts = {
      meta: { type: "application/vnd.api+json" },
      "tags[0]": { headers: { "X-First": "yes" } },
      tags: { type: "text/csv" },
      photo: { type: "image/x-png", headers: [["X-Size", "3"], ["x-size", "4"]] },
      missing: { type: "text/plain" },
      other: undefined,
    } as const;
    assertEquals(await partsOf(fields, { arrays: "indices", parts }), [
      {
        headers: {
          "content-disposition": 'form-data; name="meta"',
          "content-type": "application/vnd.api+json",
        },
        text: '{"a":1}',
      },
      {
        headers: { "content-disposition": 'form-data; name="tags[0]"', "x-first": "yes" },
        text: "x",
      },
      {
        headers: { "content-disposition": 'form-data; name="tags[1]"', "content-type": "text/csv" },
        text: "y",
      },
      {
        headers: {
          "content-disposition": 'form-data; name="photo"; filename="a.png"',
          "content-type": "image/x-png",
          "x-size": "3, 4",
        },
        text: "png",
      },
      { headers: { "content-disposition": 'form-data; name="other"' }, text: "1" },
    ]);
  });

  it("have them in FormData and pairs, too", async () => {
    const data = new FormData();
    data.append("meta", "{}");
    for (const fields of [data, [["meta", "{}"]]]) {
      const parts = { meta: { type: "application/json", headers: { "X-A": 1 } } };
      assertEquals(await shown(fields, { parts }), [["meta", "application/json", "{}"]]);
    }
  });

  it("are the bytes that the form defines, with canonical names of headers", async () => {
    const parts = { a: { type: "text/csv", headers: { "x-rate-limit": 7, "X-None": null } } };
    const content = multipart({ a: "1,2", photo: png() }, { parts });
    const boundary = content.type.replace("multipart/form-data; boundary=", "--");
    const expected = [
      boundary,
      'Content-Disposition: form-data; name="a"',
      "Content-Type: text/csv",
      "X-Rate-Limit: 7",
      "",
      "1,2",
      boundary,
      'Content-Disposition: form-data; name="photo"; filename="a.png"',
      "Content-Type: image/png",
      "",
      "png",
      `${boundary}--`,
      "",
    ].join("\r\n");
    assertEquals(await content.toBlob().text(), expected);
    assertEquals(await new Response(content() as ReadableStream).text(), expected);
    assertEquals([content.size, content.toBlob().size], [expected.length, expected.length]);
  });

  it("cannot begin another part or header", async () => {
    const name = 'a"\r\nX-Evil: 1\r\n\r\n';
    const [part] = await partsOf({ [name]: "1" });
    assertEquals(Object.keys(part!.headers), ["content-disposition"]);
  });
});

describe("a form as a Blob", () => {
  it("can be sent again", async () => {
    const fetch = mockTransport({ "POST /forms": replies(503, 201) });
    const session = new APISession({ url: "https://a.example", fetch, backoff: 0, logger: null });
    await session.post("forms", { content: multipart({ a: "1", photo: png() }).toBlob() });
    assertEquals(fetch.calls.length, 2);
    for (const { text } of fetch.calls) {
      assertEquals(text.split("\r\n").filter((line) => line.startsWith("Content-Disp")).length, 2);
    }
  });

  it("needs files that are Blobs", () => {
    const stream = () => new Blob().stream();
    const content = multipart({ ok: png(), a: [{ size: 0, stream }] });
    const error = assertThrows(() => content.toBlob(), UnexpectedValueError);
    assertEquals(error.option, "form.a[0]");
  });
});

describe("the check of a form", () => {
  const cyclic: Record<string, unknown> = {};
  cyclic["a"] = cyclic;
  const endless: unknown[] = [];
  endless.push(endless);
  const refused: readonly (readonly [string, unknown, MultipartOptions, string])[] = [
    ["a Date", { a: new Date(0) }, {}, "form.a"],
    ["a function", { a: () => 1 }, {}, "form.a"],
    ["a number that is not finite", { a: [NaN] }, {}, "form.a[0]"],
    ["a stream", { a: new ReadableStream() }, {}, "form.a"],
    ["a bigint in JSON", { a: { b: 1n } }, {}, "form.a.b"],
    ["a cycle in JSON", { a: cyclic }, {}, "form.a.a"],
    ["an array in itself", { a: endless }, {}, "form.a[0]"],
    ["a cycle in brackets", { a: cyclic }, { objects: "brackets" }, "form.a.a"],
    ["an object in an array", { a: [{}] }, { objects: "brackets" }, "form.a[0]"],
    ["an object as text", { a: {} }, { parts: { a: { type: "text/plain" } } }, "form.a"],
    ["an instance of a class", new (class Form {})(), {}, "form"],
    ["an unknown option", {}, { array: "repeat" } as never, "array"],
    ["a wrong name of arrays", {}, { arrays: "comma" as never }, "arrays"],
    ["a wrong form of objects", {}, { objects: "form" as never }, "objects"],
    ["parts that are a list", {}, { parts: [] as never }, "parts"],
    ["an unknown option of a part", {}, { parts: { a: { name: "x" } as never } }, "parts.a.name"],
    ["a line break in a type", {}, { parts: { a: { type: "a\nb" } } }, "parts.a.type"],
    [
      "a line break in a header",
      {},
      { parts: { a: { headers: { b: "c\nd" } } } },
      "parts.a.headers.b",
    ],
    [
      "a content type as a header",
      {},
      { parts: { a: { headers: { "Content-Type": "a/b" } } } },
      "parts.a.headers.content-type",
    ],
  ];
  for (const [name, fields, options, option] of refused) {
    it(`refuses ${name}`, () => {
      const make = () => multipart(fields as object, options);
      assertEquals(assertThrows(make, UnexpectedValueError).option, option);
    });
  }
});
