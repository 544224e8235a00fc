import { after, assertEquals, before, describe, it } from "#test";
import { silentLogger } from "../../../src/testing/mod.ts";
import { type StyleExample, styleExamples } from "../../../tests/support/style_examples.ts";
import { type LiveClient, type LiveSdk, startLiveSdk } from "../support/live_sdk.ts";

const responses = { 200: { content: { "application/json": { schema: { type: "object" } } } } };
const text = { type: "string" };
const texts = { type: "array", items: text };
const numbers = { type: "object", properties: { R: { type: "integer" } }, required: ["R"] };
const colors = {
  type: "object",
  properties: { R: { type: "integer" }, G: { type: "integer" }, B: { type: "integer" } },
};

/** Returns the parameter of an example as a document states it. */
function parameterOf({ style, explode, place, plain }: StyleExample): object {
  const schema = typeof plain === "string" ? text : Array.isArray(plain) ? texts : colors;
  const written = style === "json"
    ? { content: { "application/json": { schema } } }
    : { style, explode, schema };
  return { name: "color", in: place, required: true, ...written };
}

const ofExamples = Object.fromEntries(
  styleExamples.map((example, index) => [
    example.place === "path" ? `/example${index}/at{color}` : `/example${index}`,
    {
      get: {
        tags: ["examples"],
        operationId: `call${index}`,
        parameters: [parameterOf(example)],
        responses,
      },
    },
  ]),
);

/** Parameters in a place. */
const special = (place: string, more: readonly (readonly [string, object])[]) =>
  more.map(([name, parameter]) => ({ name, in: place, ...parameter }));

/** Parameters without a style, or with one that does not have their values. */
const defaults = [
  { name: "path", in: "path", required: true, schema: texts },
  ...special("query", [
    ["list", { schema: texts }],
    ["map", { schema: colors }],
    ["spaces", { schema: texts, style: "spaceDelimited", explode: true }],
    ["pipes", { schema: texts, style: "pipeDelimited", explode: true }],
    ["pipe", { schema: text, style: "pipeDelimited" }],
    ["deep", { schema: colors, style: "deepObject", explode: false }],
    ["deepList", { schema: texts, style: "deepObject" }],
    ["either", { schema: { oneOf: [text, texts] }, explode: false }],
  ]),
  ...special("header", [["X-List", { schema: texts }], ["X-Map", { schema: colors }]]),
  { name: "seen", in: "cookie", schema: texts },
];

const document = {
  paths: {
    ...ofExamples,
    "/v1/{+name}/{id}": {
      get: {
        tags: ["expanded"],
        operationId: "read",
        parameters: ["name", "id"].map((name) => (
          { name, in: "path", required: true, schema: text }
        )),
        responses,
      },
    },
    "/v2/{name=projects/*}:stop": {
      post: {
        tags: ["expanded"],
        operationId: "stop",
        parameters: [{ name: "name", in: "path", required: true, schema: text }],
        responses,
      },
    },
    "/defaults/{path}": {
      get: { tags: ["defaults"], operationId: "read", parameters: defaults, responses },
    },
    "/mixed/{id}": {
      get: {
        tags: ["mixed"],
        operationId: "read",
        parameters: [
          { name: "id", in: "path", required: true, schema: text },
          { name: "id", in: "query", schema: { type: "integer" } },
          { name: "id", in: "header", schema: { type: "boolean" } },
          { name: "id", in: "cookie", schema: text },
          ...special("query", [
            ["plain", { schema: text }],
            ["reserved", { schema: text, allowReserved: true }],
            ["filter", { style: "deepObject", schema: numbers }],
            ["on", { schema: { type: "boolean" } }],
            ["days", { schema: texts, explode: false }],
            ["a.b[]", { schema: texts }],
          ]),
          ...special("header", [
            ["X-Range", { schema: colors, explode: true }],
            ["X-Where", { content: { "application/json": { schema: colors } } }],
          ]),
          ...special("cookie", [
            ["seen", { schema: text }],
            ["prefs", { schema: colors, explode: false }],
            ["flags", { schema: texts }],
          ]),
        ],
        responses,
      },
    },
  },
};

describe("a parameter of a generated client", () => {
  let sdk: LiveSdk;
  let client: LiveClient;
  before(async () => {
    sdk = await startLiveSdk(document);
    client = sdk.client({ logger: silentLogger });
  });
  after(async () => {
    await sdk?.stop();
  });

  for (const [index, { name, place, plain, text }] of styleExamples.entries()) {
    it(`has the bytes of the specification: ${name}`, async () => {
      const argument = place === "path" ? plain : { color: plain };
      await client["examples"]![`call${index}`]!(argument);
      const { url, headers } = sdk.requests.at(-1)!;
      const received = {
        path: url.replace(`/example${index}/at`, ""),
        query: url.replace(`/example${index}?`, ""),
        header: headers["color"],
        cookie: headers["cookie"],
      };
      assertEquals(received[place], text);
    });
  }

  it("has its own value in each place, and is left out if it has none", async () => {
    await client["mixed"]!["read"]!("a/b", {
      id: 7,
      id_header: true,
      id_cookie: "c;d",
      plain: "a&b/c d",
      reserved: "a/b?c d&e",
      filter: { R: 1 },
      on: false,
      days: ["a,b", "c"],
      "a.b[]": ["x", "y"],
      "X-Range": { R: 1, G: 2 },
      "X-Where": { B: 3 },
      seen: 'a b;c"é',
      prefs: { R: 1 },
      flags: ["x", "y"],
    });
    const all = sdk.requests.at(-1)!;
    assertEquals(
      all.url,
      "/mixed/a%2Fb?id=7&plain=a%26b%2Fc+d&reserved=a/b?c%20d%26e&filter%5BR%5D=1&on=false&" +
        "days=a%2Cb,c&a.b%5B%5D=x&a.b%5B%5D=y",
    );
    assertEquals(
      [all.headers["id"], all.headers["x-range"], all.headers["x-where"], all.headers["cookie"]],
      [
        "true",
        "R=1,G=2",
        '{"B":3}',
        "id=c%3Bd; seen=a%20b%3Bc%22%C3%A9; prefs=R,1; flags=x; flags=y",
      ],
    );

    await client["mixed"]!["read"]!("a", { seen: undefined, filter: undefined });
    const none = sdk.requests.at(-1)!;
    assertEquals([none.url, none.headers["cookie"], none.headers["x-range"]], [
      ...["/mixed/a", undefined, undefined],
    ]);
  });

  it("has the style of its place if it states none, and the nearest one for a value that has none", async () => {
    const defaults = client["defaults"]!;
    await defaults["read"]!(["a", "b"], {
      list: ["a", "b"],
      map: { R: 1, G: 2 },
      "X-List": ["a", "b"],
    });
    const { url, headers } = sdk.requests.at(-1)!;
    assertEquals([url, headers["x-list"]], ["/defaults/a,b?list=a&list=b&R=1&G=2", "a,b"]);
    await defaults["read"]!(["a"], {
      "X-Map": { R: 1, G: 2 },
      seen: ["a", "b"],
      spaces: ["a", "b"],
      pipes: ["a", "b"],
      pipe: "a|b",
      deep: { R: 1 },
      deepList: ["a", "b"],
      either: ["a", "b"],
    });
    const last = sdk.requests.at(-1)!;
    assertEquals(
      [last.url, last.headers["x-map"], last.headers["cookie"]],
      [
        "/defaults/a?spaces=a&spaces=b&pipes=a&pipes=b&pipe=a%7Cb&deep%5BR%5D=1&" +
        "deepList=a&deepList=b&either=a,b",
        "R,1,G,2",
        "seen=a; seen=b",
      ],
    );
    await defaults["read"]!(["a"], { either: "a,b" });
    assertEquals(sdk.requests.at(-1)!.url, "/defaults/a?either=a%2Cb");
  });

  it("can have slashes in a path with a reserved expansion, and leads nowhere else", async () => {
    const rows: Readonly<Record<string, string>> = {
      "projects/a/ducks/7": "projects/a/ducks/7",
      "a b/é": "a%20b/%C3%A9",
      "100%/%41%2Fb": "100%25/%41%2Fb",
      "a?b#c": "a%3Fb%23c",
      ":@!$&'()*+,;=[]": ":@!$&'()*+,;=[]",
    };
    for (const [name, text] of Object.entries(rows)) {
      await client["expanded"]!["read"]!(name, "a/b");
      assertEquals(sdk.requests.at(-1)!.url, `/v1/${text}/a%2Fb`);
    }
    await client["expanded"]!["stop"]!("projects/7");
    assertEquals(sdk.requests.at(-1)!.url, "/v2/projects/7:stop");

    for (const name of ["", ".", "a/../b", "a/%2e%2E", "%2E/a", "https://a.example", "//a"]) {
      const failed = await Promise.resolve().then(() => client["expanded"]!["read"]!(name, "a"))
        .then(() => undefined, (error: unknown) => error);
      assertEquals((failed as Error | undefined)?.name, "UnexpectedValueError", name);
    }
  });
});

describe("a date or bigint in a parameter of a generated client", () => {
  const date = { type: "string", format: "date-time" };
  const big = { type: "integer", format: "int64" };
  const range = { $ref: "#/components/schemas/Range" };
  const parameters = [
    { name: "since", in: "path", required: true, schema: date },
    { name: "id", in: "query", schema: big },
    { name: "day", in: "query", schema: { type: "string", format: "date" } },
    {
      ...{ name: "days", in: "query" },
      schema: { type: "array", items: { type: "string", format: "date" } },
    },
    { name: "Date", in: "header", schema: date },
    { name: "deep", in: "query", style: "deepObject", schema: range },
    { name: "flat", in: "query", explode: false, schema: range },
    { name: "where", in: "query", content: { "application/json": { schema: range } } },
    { name: "X-Range", in: "header", schema: range },
    { name: "seen", in: "cookie", explode: false, schema: range },
  ];
  const ranges = {
    paths: {
      "/events/{since}": { get: { tags: ["e"], operationId: "get", parameters, responses } },
    },
    components: {
      schemas: {
        Range: {
          type: "object",
          required: ["from"],
          properties: { from: date, until: { type: "string", format: "date" }, id: big },
        },
      },
    },
  };
  let sdk: LiveSdk;
  before(async () => {
    sdk = await startLiveSdk(ranges, { dates: true, bigint: true });
  });
  after(async () => {
    await sdk?.stop();
  });

  it("is converted in each style, as in JSON", async () => {
    const range = {
      from: new Date("2026-11-20T10:00:00Z"),
      until: new Date("2026-11-21"),
      id: 9007199254740993n,
    };
    const from = "2026-11-20T10:00:00.000Z";
    await sdk.client({ logger: silentLogger })["e"]!["get"]!(range.from, {
      id: range.id,
      day: range.until,
      days: [range.until, range.until],
      deep: range,
      flat: range,
      where: range,
      "X-Range": range,
      Date: range.from,
      seen: range,
    });
    const { url, headers } = sdk.requests.at(-1)!;
    const { pathname, searchParams } = new URL(url, sdk.url);
    assertEquals(decodeURIComponent(pathname), `/events/${from}`);
    assertEquals([...searchParams].map((pair) => pair.join("=")).sort(), [
      "day=2026-11-21",
      "days=2026-11-21",
      "days=2026-11-21",
      `deep[from]=${from}`,
      "deep[id]=9007199254740993",
      "deep[until]=2026-11-21",
      `flat=from,${from},until,2026-11-21,id,9007199254740993`,
      "id=9007199254740993",
      `where={"from":"${from}","until":"2026-11-21","id":"9007199254740993"}`,
    ]);
    assertEquals(headers["x-range"], `from,${from},until,2026-11-21,id,9007199254740993`);
    assertEquals(
      decodeURIComponent(headers["cookie"]!),
      `seen=from,${from},until,2026-11-21,id,9007199254740993`,
    );
  });

  it("is left out if it is not set, and throws before the call if it has another type", async () => {
    const events = sdk.client({ logger: silentLogger })["e"]!;
    await events["get"]!(new Date("2026-11-20"), { day: undefined, flat: undefined });
    assertEquals(sdk.requests.at(-1)!.url, "/events/2026-11-20T00%3A00%3A00.000Z");
    const count = sdk.requests.length;
    const failed = await Promise.resolve().then(() => events["get"]!("now"))
      .catch((error: unknown) => error);
    assertEquals((failed as Error).name, "ModelError");
    assertEquals(sdk.requests.length, count);
  });

  it("is not taken from the prototype of the object of parameters", async () => {
    const names = [["toString", "query"], ["constructor", "header"], ["valueOf", "cookie"]];
    const parameters = [
      { name: "limit", in: "query", schema: { type: "integer" } },
      ...names.map(([name, place]) => ({ name, in: place, schema: date })),
    ];
    const paths = { "/a": { get: { tags: ["odd"], operationId: "get", parameters, responses } } };
    const stainless = "resources: {odd: {methods: {get: get /a}}}\n";
    for (const options of [{ dates: true }, { dates: true, stainless }]) {
      const odd = await startLiveSdk({ paths }, options);
      try {
        const calls = odd.client({ logger: silentLogger })["odd"]!;
        const at = new Date("2026-11-20T10:00:00.000Z");
        await calls["get"]!({ limit: 1 });
        await calls["get"]!();
        await calls["get"]!({ toString: at, constructor: at, valueOf: at });
        const sent = odd.requests.map(({ url, headers }) => [
          url,
          Object.hasOwn(headers, "constructor") ? headers["constructor"] : undefined,
          headers["cookie"],
        ]);
        assertEquals(sent, [
          ["/a?limit=1", undefined, undefined],
          ["/a", undefined, undefined],
          [`/a?toString=${encodeURIComponent(at.toJSON())}`, at.toJSON(), sent[2]![2]],
        ]);
        assertEquals(sent[2]![2]!.startsWith("valueOf="), true);
      } finally {
        await odd.stop();
      }
    }
  });
});
