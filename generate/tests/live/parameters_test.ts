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

/** Parameters whose values have characters that their places reserve. */
const special = (place: string, more: readonly (readonly [string, object])[]) =>
  more.map(([name, parameter]) => ({ name, in: place, ...parameter }));

const document = {
  paths: {
    ...ofExamples,
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
});
