import { assert, assertEquals, assertRejects, assertThrows, describe, it } from "#test";
import { ShapeError } from "../../src/base/errors.ts";
import { generate } from "../../src/generate.ts";
import { readSource } from "../../src/read/read.ts";
import { readApiMd } from "../../src/sdk/api_md.ts";
import { readStainless } from "../../src/sdk/config.ts";

const DOCUMENT = `openapi: 3.1.0
info: {title: Harbour, version: "1"}
servers: [{url: https://harbour.example}]
paths: {/boats: {get: {operationId: listBoats, responses: {204: {description: None}}}}}
`;

/** Texts that would leave a literal, a comment or a folder, or control a terminal. */
const HOSTILE: readonly string[] = [
  "../../boats",
  "/etc/boats",
  'boats";process.exit();"',
  "boats`${process.exit()}`",
  "boats*/process.exit()/*",
  "boats\nprocess.exit()",
  "boats\u2028process.exit()",
  "boats\u001b[31m",
  "boats\u202e",
  "boats()",
  "",
];

describe("a hostile stainless.yml", () => {
  it("cannot name anything by a text that cannot be a name", () => {
    const places: readonly ((text: string) => unknown)[] = [
      (text) => ({ resources: { [text]: {} } }),
      (text) => ({ resources: { a: { subresources: { [text]: {} } } } }),
      (text) => ({ resources: { a: { methods: { [text]: "get /boats" } } } }),
      (text) => ({ resources: { a: { models: { [text]: "Boat" } } } }),
      (text) => ({ client_settings: { opts: { [text]: {} } } }),
      (text) => ({ client_settings: { opts: { a: { read_env: text } } } }),
      (text) => ({ client_settings: { opts: { a: { send_in_header: text } } } }),
      (text) => ({ client_settings: { default_headers: { [text]: "a" } } }),
      (text) => ({ client_settings: { idempotency: { header: text } } }),
      (text) => ({ environments: { [text]: "https://harbour.example" } }),
      (text) => ({ environments: { a: `javascript:${text}` } }),
      (text) => ({ custom_casings: { a: { camel: text } } }),
    ];
    for (const place of places) {
      for (const text of HOSTILE) {
        const config = JSON.stringify(place(text));
        assertThrows(() => readStainless(config), ShapeError, undefined, config);
      }
    }
    const client = { default_client_name: "boats*/process.exit()/*" };
    const { className } = readStainless(JSON.stringify({ client_settings: client })).shape;
    assertEquals(className, "BoatsProcessExit");
  });

  it("cannot write control characters into wire names, headers and paths", () => {
    const control = "a\r\nb\u001b";
    const configs: readonly unknown[] = [
      { client_settings: { default_headers: { a: control } } },
      { resources: { a: { methods: { b: `get /${control}` } } } },
      { resources: { a: { methods: { b: { endpoint: "get /", positional_params: [control] } } } } },
      { resources: { a: { methods: { b: { endpoint: "get /", paginated: control } } } } },
      { settings: { unwrap_response_fields: [control] } },
      { client_settings: { opts: { a: { auth: { security_scheme: control } } } } },
      { pagination: { type: "cursor", request: { [control]: {} }, response: {} } },
    ];
    for (const config of configs) {
      const text = JSON.stringify(config);
      assertThrows(() => readStainless(text), ShapeError, undefined, text);
    }
  });

  it("has keys such as __proto__ that are just keys", async () => {
    const json = `{
      "openapi": {"transforms": [
        {"command": "merge", "args": {"target": "$.info", "value": {"__proto__": {"polluted": 1}}}},
        {"command": "copy", "args": {"from": "$.info.title", "to": "$.__proto__.polluted"}},
        {"command": "update", "args": {"target": "$.constructor.prototype", "value": {"polluted": 1}}}
      ]},
      "client_settings": {"default_headers": {"__proto__": "a"}},
      "security_schemes": {"__proto__": {"type": "http", "scheme": "bearer"}}
    }`;
    for (const text of [json, json.replace("{", "# YAML\n{")]) {
      const { changes, problems } = readStainless(text);
      for (const document of [DOCUMENT, '{"openapi":"3.1.0","info":{"title":"a"},"paths":{}}']) {
        const source = await readSource(document, { changes });
        const { info } = source.root.value as { readonly info: object };
        assert(Object.hasOwn(info, "__proto__"));
      }
      assertEquals(({} as { readonly polluted?: unknown }).polluted, undefined);
      assertEquals(problems().length, 4);
    }
  });

  it("cannot block or crash the program", async () => {
    const aliases = Array.from(
      { length: 40 },
      (_, index) =>
        `x${index + 1}: &x${index + 1} {methods: {}, subresources: {a: *x${index}, b: *x${index}}}`,
    );
    const bomb = ["x0: &x0 {methods: {}}", ...aliases, "resources: {a: *x40}"].join("\n");
    assertThrows(() => readStainless(bomb), ShapeError, "has more than 100000 settings");

    const deep = `resources: ${"{a: ".repeat(500)}1${"}".repeat(500)}`;
    assertThrows(() => readStainless(deep), ShapeError);

    const many = { [Array(2000).fill("$..*").join("")]: 1 };
    const target = Object.keys(many)[0]!;
    const transforms = [{ command: "remove", args: { target } }];
    const config = readStainless(JSON.stringify({ openapi: { transforms } }));
    await readSource(DOCUMENT, { changes: config.changes });
    assertEquals(config.problems().length, 1);
  });

  it("without an object of settings is refused with its place", () => {
    const cases: readonly (readonly [text: string, message: RegExp])[] = [
      ["", /^stainless\.yml:1:1: stainless\.yml must be an object, not null$/],
      ["[]", /^stainless\.yml:1:1: stainless\.yml must be an object, not \[\]$/],
      ["a: {b", /^stainless\.yml:1:\d+: is not JSON or YAML: /],
      ['{"a": ', /^stainless\.yml:1:\d+: is not JSON: /],
    ];
    for (const [text, message] of cases) {
      const error = assertThrows(() => readStainless(text), ShapeError);
      assert(message.test(error.message), error.message);
    }
  });

  it("reports keys that occur twice", async () => {
    const { report } = await generate(DOCUMENT, {
      stainless: "settings: {}\nsettings: {}\nresources: {a: {}}\n",
    });
    assertEquals(report.problems.map(({ file, line, message }) => `${file}:${line} ${message}`), [
      'stainless.yml:2 the key "settings" occurs twice',
    ]);
  });

  it("and api.md are not read together", async () => {
    await assertRejects(
      () => generate(DOCUMENT, { stainless: "{}", apiMd: "" }),
      TypeError,
      "stainless and apiMd state the same: pass one of them",
    );
  });
});

describe("a hostile api.md", () => {
  it("has no names but those of letters, digits and underscores", () => {
    const line = (access: string, name: string, title = "get /boats") =>
      `- <code title="${title}">client.${access}<a href="x">${name}</a>() -> Boat</code>\n`;
    const good = line("boats.", "list");
    for (const text of HOSTILE) {
      for (
        const bad of [line(`${text}.`, "a"), line("a.", text), line("a.", "b", `get ${text}\u001b`)]
      ) {
        const { shape } = readApiMd(good + bad);
        assertEquals(shape.resources.map(({ name }) => name), ["boats"], bad);
      }
    }
  });

  it("is read in linear time", () => {
    const line = `- <code title="get /a">client.${"a.".repeat(900)}<a>b</a>(${
      ") -> ".repeat(300)
    }\n`;
    const { shape } = readApiMd(
      line.repeat(200) + '- <code title="get /a">client.a.<a href="x">b</a>() -> A</code>\n',
    );
    assertEquals(shape.resources.length, 1);
  });
});
