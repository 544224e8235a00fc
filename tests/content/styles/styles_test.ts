import { assert, assertEquals, assertRejects, assertThrows, describe, it } from "#test";
import { APISession, mergeHeaders, path, UnexpectedValueError } from "../../../mod.ts";
import {
  asJson,
  cookie,
  deepObject,
  form,
  label,
  matrix,
  type ParameterPlace,
  pipeDelimited,
  reserved,
  simple,
  spaceDelimited,
  type StyledValue,
} from "../../../src/content/styles/mod.ts";
import { mockTransport } from "../../../src/testing/mock_transport.ts";
import { styleExamples } from "../../support/style_examples.ts";

/** Returns a session whose requests are recorded. */
function recording() {
  const fetch = mockTransport({ "GET /*": () => new Response(), "POST /*": () => new Response() });
  return { fetch, session: new APISession({ url: "https://a.example", fetch }) };
}

/** Sends a parameter named `color`, and returns its text as it is sent. */
async function sent<P extends ParameterPlace>(
  { place, value: given }: { readonly place: P; readonly value: StyledValue<P> },
) {
  const value = given as StyledValue<never> as StyledValue;
  const { fetch, session } = recording();
  await session.get(place === "path" ? path`at${value}` : "at", {
    params: place === "query" ? { color: value } : undefined,
    headers: place === "header" ? { color: value } : undefined,
    cookies: place === "cookie" ? { color: value } : undefined,
  });
  const { url, headers } = fetch.calls[0]!;
  const rest = url.slice("https://a.example/at".length);
  if (place === "query") return rest.replace(/^\?/, "");
  return place === "path" ? rest : headers[place === "cookie" ? "cookie" : "color"];
}

/** Returns the query of a value. */
const query = (value: unknown) => sent({ place: "query", value: value as StyledValue });

describe("a parameter in a style of OpenAPI", () => {
  for (const example of styleExamples) {
    it(`is sent as in the specification: ${example.name}`, async () => {
      assertEquals(await sent(example), example.text);
    });
  }

  it("repeats the key of an array in an exploded object with names", async () => {
    const value = { page: 0, sort: ["name,asc", "id"], none: [], some: [null, 1n] };
    const plain = { page: 0, sort: ["name", "id"] };

    assertEquals(await query(form(value)), "page=0&sort=name%2Casc&sort=id&some=1");
    assertEquals(form(value).toJSON?.(), {
      page: 0,
      sort: value.sort,
      none: [],
      some: [null, "1"],
    });
    assertEquals(path`/a${matrix("x", plain, { explode: true })}`, "/a;page=0;sort=name;sort=id");
    for (const wrong of [{ sort: [{}] }, { sort: [["a"]] }, { sort: { a: 1 } }]) {
      assertThrows(() => form(wrong), UnexpectedValueError, "form value.sort");
    }
    for (const style of [form, simple]) {
      assertThrows(() => style(plain, { explode: false }), UnexpectedValueError, "value.sort");
    }
  });

  it("is a reserved expansion that cannot lead out of its path", () => {
    const rows: readonly (readonly [value: string | number | bigint, text: string])[] = [
      ["projects/a b/é", "projects/a%20b/%C3%A9"],
      ["%41%zz%", "%41%25zz%25"],
      [":/[]@!$&'()*+,;=", ":/[]@!$&'()*+,;="],
      ["a?b#c\\", "a%3Fb%23c%5C"],
      ["...%2e", "...%2e"],
      ["\ud800", "%EF%BF%BD"],
      [7, "7"],
      [8n, "8"],
    ];
    for (const [value, text] of rows) assertEquals(path`/v1/${reserved(value)}`, `/v1/${text}`);

    const refused = [
      ".",
      "a/..",
      "%2E%2e/a",
      "a/.%2E/b",
      "a%2f..",
      "..\\a",
      "https://a.example/x",
      "//a.example",
      NaN,
    ];
    for (const value of refused) {
      assertThrows(() => reserved(value), UnexpectedValueError, "reserved");
    }
    assertThrows(() => path`/v1/${reserved("")}`, UnexpectedValueError, "not empty");
    for (const [start, rest] of [["https:/", "a.example"], ["https:", "/a.example/x"]] as const) {
      const make = () => path`${reserved(start)}/${reserved(rest)}`;
      assertThrows(make, UnexpectedValueError, "no URL made of its values");
    }
    assertEquals(path`https://a.example/${reserved("b/c")}`, "https://a.example/b/c");
  });

  it("keeps its place among the other parameters", async () => {
    const { fetch, session } = recording();
    const words = spaceDelimited(["math", "is", "fun"]);
    await session.get("x?z=0", { params: { a: 1, words, b: "x y", ids: form([]), c: [2, 3] } });
    assertEquals(
      fetch.calls[0]!.url,
      "https://a.example/x?z=0&a=1&words=math%20is%20fun&b=x+y&c=2&c=3",
    );
  });

  it("is left out with null and undefined, and with an empty array or object", async () => {
    for (const empty of [null, undefined]) {
      const inQuery = [form(empty), spaceDelimited(empty), pipeDelimited(empty), deepObject(empty)];
      const values = [...inQuery, simple(empty), label(empty), matrix("a", empty), cookie(empty)];
      assertEquals(values, values.map(() => empty));
    }
    assertEquals(asJson(undefined), undefined);
    for (const empty of [[], {}, [null, undefined], { a: null }]) {
      for (const value of [form(empty), spaceDelimited(empty), pipeDelimited(empty)]) {
        assertEquals(await query(value), "");
      }
      assertEquals(await sent({ place: "header", value: simple(empty) }), undefined);
      assertEquals(await sent({ place: "cookie", value: cookie(empty) }), undefined);
    }
    assertEquals([await query(deepObject({})), await query(asJson(null))], ["", "color=null"]);
  });

  it("leaves null and undefined in arrays and objects out", async () => {
    assertEquals(await query(form(["a", null, "", undefined])), "color=a&color=");
    assertEquals(
      await query(pipeDelimited({ a: null, b: 0, c: undefined, d: false })),
      "color=b%7C0%7Cd%7Cfalse",
    );
    assertEquals(
      await query(deepObject({ a: null, b: { c: undefined, d: 1n } })),
      "color%5Bb%5D%5Bd%5D=1",
    );
  });

  it("encodes all but the unreserved characters (RFC 6570)", async () => {
    const all = " !\"#$%&'()*+,/:;<=>?@[\\]^`{|}é𝄞";
    const encoded =
      "%20%21%22%23%24%25%26%27%28%29%2A%2B%2C%2F%3A%3B%3C%3D%3E%3F%40%5B%5C%5D%5E%60%7B%7C%7D%C3%A9%F0%9D%84%9E";
    assertEquals(await query(form(`-._~aZ9${all}`)), `color=-._~aZ9${encoded}`);
    assertEquals(path`${simple([all, "a,b"])}`, `${encoded},a%2Cb`);
    assertEquals(path`x${matrix("a b", { "k;": "v=" })}`, "xa%20b=k%3B,v%3D".replace("x", "x;"));
    assertEquals(await query(deepObject({ "k[": all })), `color%5Bk%5B%5D=${encoded}`);
    const named = recording();
    await named.session.get("x", { params: { "ä[]": form([1, 2]) } });
    assertEquals(new URL(named.fetch.calls[0]!.url).search, "?%C3%A4%5B%5D=1&%C3%A4%5B%5D=2");
  });

  // RFC 6570 §3.2.2 to §3.2.8, with its values.
  const keys = { semi: ";", dot: ".", comma: "," };
  const list = ["red", "green", "blue"];
  const rfc: readonly (readonly [string, string])[] = [
    [path`${simple(keys)}`, "semi,%3B,dot,.,comma,%2C"],
    [path`${simple(keys, { explode: true })}`, "semi=%3B,dot=.,comma=%2C"],
    [path`X${label(keys)}`, "X.semi,%3B,dot,.,comma,%2C"],
    [path`X${label(list, { explode: true })}`, "X.red.green.blue"],
    [path`${matrix("keys", keys)}`, ";keys=semi,%3B,dot,.,comma,%2C"],
    [path`${matrix("keys", keys, { explode: true })}`, ";semi=%3B;dot=.;comma=%2C"],
    [path`${matrix("list", list, { explode: true })}`, ";list=red;list=green;list=blue"],
    [path`${matrix("x", "1024")}${matrix("empty", "")}`, ";x=1024;empty"],
  ];
  for (const [written, expected] of rfc) {
    it(`is expanded as by RFC 6570: ${expected}`, () => assertEquals(written, expected));
  }

  it("sends reserved characters with allowReserved, except those that end the value", async () => {
    const options = { allowReserved: true };
    const reserved = ":/?#[]@!$&'()*+,;=";
    assertEquals(await query(form(reserved, options)), "color=:/?%23%5B%5D@!$%26%27()*%2B,;%3D");
    assertEquals(path`${simple(reserved, options)}`, ":%2F%3F%23%5B%5D@!$&'()*+,;=");
    assertEquals(path`x${matrix("a", reserved, options)}`, "x;a=:%2F%3F%23%5B%5D@!$&'()*+,%3B=");
    assertEquals(
      await sent({ place: "cookie", value: form(reserved, options) }),
      "color=:/?#[]@!$&'()*+%2C%3B=",
    );
    assertEquals(
      await query(form(["a,b", "c:d"], { ...options, explode: false })),
      "color=a%2Cb,c:d",
    );
    assertEquals(await query(pipeDelimited(["a|b", "c:d"], options)), "color=a%7Cb%7Cc:d");
    assertEquals(await query(deepObject({ "k:": "a:b" }, options)), "color%5Bk%3A%5D=a:b");
    assertEquals(await query(form({ "k:": "a:b" }, options)), "k%3A=a:b");
  });

  it("does not encode twice with allowReserved, and keeps other percent signs", async () => {
    assertEquals(
      await query(form("a%2Fb%c3%A9 50%", { allowReserved: true })),
      "color=a%2Fb%c3%A9%2050%25",
    );
    assertEquals(await query(form("a%2Fb")), "color=a%252Fb");
  });

  // OpenAPI 3.2.0, appendix C.
  it("is written as the specification shows for reserved characters", async () => {
    const { fetch, session } = recording();
    const formulas = { a: "x+y", b: "x/y", c: "x^y" };
    await session.get("x", {
      params: {
        formulas: form(formulas, { allowReserved: true }),
        words: spaceDelimited(["math", "is", "fun"]),
      },
    });
    assertEquals(
      new URL(fetch.calls[0]!.url).search,
      "?a=x%2By&b=x/y&c=x%5Ey&words=math%20is%20fun",
    );
    assertEquals(
      [await query(form({ page: 4, pageSize: 50 })), await query(asJson({ lat: 10, long: 60 }))],
      ["page=4&pageSize=50", "color=%7B%22lat%22%3A10%2C%22long%22%3A60%7D"],
    );
    assertEquals(path`${simple("diṅnāga")}`, "di%E1%B9%85n%C4%81ga");
    assertEquals(
      [
        await sent({ place: "header", value: simple([12345678, 90099]) }),
        await sent({ place: "cookie", value: cookie({ greeting: "Hello%2C world!", code: 42 }) }),
        await sent({ place: "cookie", value: form("Hello, world!") }),
      ],
      ["12345678,90099", "greeting=Hello%2C world!; code=42", "color=Hello%2C%20world%21"],
    );
  });

  it("writes nested objects and arrays of deepObject", async () => {
    const decoded = async (value: unknown) => decodeURIComponent((await query(value))!);
    const value = { a: { b: [1, 2] }, c: true };
    assertEquals(await decoded(deepObject(value)), "color[a][b]=1&color[a][b]=2&color[c]=true");
    assertEquals(
      await decoded(deepObject(value, { arrays: "brackets" })),
      "color[a][b][]=1&color[a][b][]=2&color[c]=true",
    );
    const list = { a: [{ b: 1 }, { b: [2] }] };
    assertEquals(
      await decoded(deepObject(list, { arrays: "indices" })),
      "color[a][0][b]=1&color[a][1][b][0]=2",
    );
  });

  it("escapes characters beyond ASCII in the JSON of a header", async () => {
    assertEquals(
      await sent({ place: "header", value: asJson({ a: "é𝄞" }) }),
      '{"a":"\\u00e9\\ud834\\udd1e"}',
    );
  });

  it("does not change after it was made", async () => {
    const [array, object] = [[1], { a: { b: 1 } }];
    const values = [form(array), deepObject(object), asJson(object)];
    array.push(2);
    object.a.b = 2;
    assertEquals(await Promise.all(values.map(query)), [
      "color=1",
      "color%5Ba%5D%5Bb%5D=1",
      "color=%7B%22a%22%3A%7B%22b%22%3A1%7D%7D",
    ]);
  });

  it("can be a field of a form", async () => {
    const { fetch, session } = recording();
    await session.post("x", {
      data: { filter: deepObject({ a: "1 2" }), b: "1 2", ids: asJson([1]) },
    });
    assertEquals(fetch.calls[0]!.text, "filter%5Ba%5D=1%202&b=1+2&ids=%5B1%5D");
  });

  it("can be a field of a form with files", async () => {
    const { fetch, session } = recording();
    const data = { filter: deepObject({ a: "1 2+3" }), owner: asJson({ b: 1 }) };
    await session.post("x", { data, files: { photo: new File(["png"], "a.png") } });
    const fields = fetch.calls[0]!.text.split("\r\n").filter((line) =>
      /filter|owner|^[{1]/.test(line)
    );
    assertEquals(fields, [
      'Content-Disposition: form-data; name="filter[a]"',
      "1 2+3",
      'Content-Disposition: form-data; name="owner"',
      '{"b":1}',
    ]);
  });

  it("can be a header that mergeHeaders merges", () => {
    assertEquals(mergeHeaders({ "X-Ids": "0" }, { "x-ids": simple([1, 2]), a: simple([]) }), {
      "x-ids": "1,2",
    });
  });
});

describe("a session with parameters in a style", () => {
  it("sends them, unless the call or a link to the next page has them", async () => {
    const { fetch } = recording();
    const params = { filter: deepObject({ a: 1 }), range: form({ from: 1, to: 2 }), v: 1 };
    const session = new APISession({ url: "https://a.example", fetch, params });
    await session.get("x");
    await session.get("x", { params: { filter: pipeDelimited([2]) } });
    await session.get("https://a.example/x?filter%5Ba%5D=3&from=5&page=2");
    assertEquals(fetch.calls.map(({ url }) => decodeURIComponent(new URL(url).search)), [
      "?filter[a]=1&from=1&to=2&v=1",
      "?filter=2&from=1&to=2&v=1",
      "?filter[a]=3&from=5&page=2&v=1",
    ]);
  });

  it("leaves cookies of null and undefined out", async () => {
    const { fetch, session } = recording();
    await session.get("x", { cookies: { a: undefined, b: cookie(null), c: "1" } });
    assertEquals(fetch.calls[0]!.headers["cookie"], "c=1");
  });

  it("merges their cookies over its own by name", async () => {
    const { fetch } = recording();
    const own = { a: "0", b: "0" };
    const session = new APISession({ url: "https://a.example", fetch, cookies: own });
    await session.get("x", { cookies: { a: cookie([1, 2]), c: cookie({ d: 3 }) } });
    assertEquals(fetch.calls[0]!.headers["cookie"], "a=1; a=2; b=0; d=3");
  });

  it("writes them beside a function as paramsStyle and beside comma lists", async () => {
    const { fetch, session } = recording();
    const params = { a: [1, 2], ids: pipeDelimited([3, 4]) };
    await session.get("x", {
      params,
      paramsStyle: ({ a, ...others }) => `q=${a};${Object.keys(others)}`,
    });
    await session.get("x", { params: { ids: params.ids }, paramsStyle: () => "" });
    await session.get("x", { params: { a: 1 }, paramsStyle: () => "q" });
    await session.get("x", { params, paramsStyle: { arrays: "comma" } });
    assertEquals(fetch.calls.map(({ url }) => new URL(url).search), [
      "?q=1,2;&ids=3%7C4",
      "?ids=3%7C4",
      "?q",
      "?a=1,2&ids=3%7C4",
    ]);
  });
});

describe("a style", () => {
  const cyclic: Record<string, unknown> = {};
  cyclic["a"] = cyclic;
  const refused: readonly (readonly [string, () => unknown, string])[] = [
    ["a Date", () => form(new Date(0)), "form value"],
    ["a nested array", () => form([1, [2]] as never), "form value[1]"],
    ["a nested object", () => simple({ a: {} }), "simple value.a"],
    ["a number that is not finite", () => pipeDelimited([NaN]), "pipeDelimited value[0]"],
    ["a Map", () => spaceDelimited(new Map()), "spaceDelimited value"],
    ["an array for deepObject", () => deepObject([1]), "deepObject value"],
    ["a Date in deepObject", () => deepObject({ a: new Date(0) }), "deepObject value.a"],
    ["a cycle", () => deepObject(cyclic), "deepObject value.a"],
    ["an object in an array", () => deepObject({ a: [{}] }), "deepObject value.a[0]"],
    ["a bigint in JSON", () => asJson({ a: 1n }), "json.a"],
    ["a function as JSON", () => asJson(() => 1), "json"],
    ["explode as a text", () => form([], { explode: "true" as never }), "explode"],
    ["a wrong name of arrays", () => deepObject({}, { arrays: "comma" as never }), "arrays"],
    ["an unknown option", () => pipeDelimited([], { explode: true } as never), "explode"],
    [
      "allowReserved of a cookie",
      () => cookie("", { allowReserved: true } as never),
      "allowReserved",
    ],
    ["a number as the name of matrix", () => matrix(1 as never, []), "name"],
  ];
  for (const [name, make, option] of refused) {
    it(`refuses ${name}`, () => {
      assertEquals(assertThrows(make, UnexpectedValueError).option, option);
    });
  }

  it("refuses a place that cannot have it", async () => {
    const { fetch, session } = recording();
    const wrong: readonly (readonly [unknown, string])[] = [
      [label([1]), "label, which is for a path"],
      [simple([1]), "simple, which is for a path or header"],
      [cookie([1]), "cookie, which is for a cookie"],
    ];
    for (const [ids, shown] of wrong) {
      const call = () => session.get("x", { params: { ids } });
      const error = await assertRejects(call, UnexpectedValueError);
      assertEquals(
        error.message,
        `"ids" must be a value in a style for a query, but is in the style ${shown}`,
      );
    }
    const inHeader = () => session.get("x", { headers: { ids: form([1]) as never } });
    await assertRejects(inHeader, UnexpectedValueError);
    assertThrows(() => path`x/${pipeDelimited([1]) as never}`, UnexpectedValueError);
    assertEquals(fetch.calls.length, 0);
  });

  it("cannot lead to another path", () => {
    const values = [simple([]), label([]), matrix("a", {}), label(""), label("."), simple("..")];
    const encoded = ["%2e", "%2E.", ".%2e"].map((dot) => simple(dot, { allowReserved: true }));
    for (const value of [...values, ...encoded]) {
      const error = assertThrows(() => path`users/${value}/x`, UnexpectedValueError);
      assert(error.message.includes("not empty, `.` or `..`"), error.message);
    }
    assertEquals(path`users/${simple(["..", "x"])}`, "users/..,x");
  });

  it("refuses a cookie that would begin another one or cannot be sent", async () => {
    const { session } = recording();
    for (const text of ["a;b", "a,b", 'a"b', "a\\b", "a\r\nb", " a", "a ", "é"]) {
      for (const value of [cookie(text), cookie([text]), cookie({ a: text })]) {
        const call = () => session.get("x", { cookies: { ids: value } });
        assertEquals((await assertRejects(call, UnexpectedValueError)).option, "cookies.ids");
      }
    }
    const call = () => session.get("x", { cookies: { ids: cookie({ "a=b": 1 }) } });
    await assertRejects(call, UnexpectedValueError);
  });

  it("is refused inside of an object, whose style writes the whole object", async () => {
    const { session } = recording();
    const nested = { f: { ids: form(["x"]) } };
    const options = { params: nested, paramsStyle: { objects: "brackets" } } as const;
    const error = await assertRejects(() => session.get("x", options), UnexpectedValueError);
    assertEquals(error.option, "params.f.ids");
  });

  it("refuses a header that cannot be sent", async () => {
    const { session } = recording();
    const call = () => session.get("x", { headers: { ids: simple(["a\nb"]) } });
    assertEquals((await assertRejects(call, UnexpectedValueError)).option, "headers.ids");
  });
});
