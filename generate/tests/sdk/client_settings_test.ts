import { assert, assertEquals, assertThrows, describe, it } from "#test";
import { ShapeError } from "../../src/base/errors.ts";
import type { ClientOptionShape, SdkShape } from "../../src/sdk/shape.ts";
import { readSource } from "../../src/read/read.ts";
import { readStainless } from "../../src/sdk/config.ts";

function shapeOf(text: string): SdkShape {
  return readStainless(text).shape;
}

/** Returns the settings of an option that are stated. */
function optionOf(settings: string): Partial<ClientOptionShape> {
  const { options } = shapeOf(`client_settings: {opts: {dock_id: ${settings}}}`);
  return Object.fromEntries(Object.entries(options[0]!).filter(([, value]) => value !== undefined));
}

describe("the client in stainless.yml", () => {
  it("has options", () => {
    const given = { name: "dockID", type: "string", isNullable: false, isRequired: false };
    const plain = { ...given, isRequired: true };
    const cases: readonly (readonly [settings: string, option: unknown])[] = [
      ["{}", plain],
      ["{type: string}", plain],
      ["{type: number}", { ...plain, type: "number" }],
      ["{type: integer}", { ...plain, type: "number" }],
      ["{type: boolean}", { ...plain, type: "boolean" }],
      ["{nullable: true}", { ...given, isNullable: true }],
      ["{description: The dock.}", { ...plain, description: "The dock." }],
      ["{default: a, example: b}", { ...given, default: "a" }],
      ["{default: 7}", { ...given, default: "7" }],
      ["{default: 7, type: integer}", { ...given, type: "number", default: 7 }],
      ["{default: true, type: boolean}", { ...given, type: "boolean", default: true }],
      ["{read_env: HARBOUR_DOCK}", { ...plain, env: "HARBOUR_DOCK" }],
      ["{send_in_header: X-Dock}", { ...plain, header: "X-Dock" }],
      ["{send_as_query_param: dock}", { ...plain, query: "dock" }],
      ["{server_variable: dock}", { ...plain, serverVariable: "dock" }],
    ];
    for (const [settings, option] of cases) assertEquals(optionOf(settings), option, settings);
  });

  it("has options with the values of security schemes", () => {
    const cases: readonly (readonly [auth: string, expected: ClientOptionShape["auth"]])[] = [
      ["{security_scheme: token}", { scheme: "token", role: undefined }],
      ...(["value", "username", "password", "client_id", "client_secret"] as const).map((role) =>
        [`{security_scheme: basicAuth, role: ${role}}`, { scheme: "basicAuth", role }] as const
      ),
    ];
    for (const [auth, expected] of cases) {
      assertEquals(optionOf(`{auth: ${auth}}`).auth, expected, auth);
    }
  });

  it("has defaults", () => {
    const { className, ...shape } = shapeOf(`
organization: {name: harbour-master, docs: https://docs.harbour.example}
client_settings:
  default_headers: {X-Version: "2026"}
  default_retries: {max_retries: 4, initial_delay_seconds: 0.5, max_delay_seconds: 8}
  default_timeout: 90000
  idempotency: {header: Idempotency-Key}
settings: {unwrap_response_fields: [data, result]}
query_settings: {array_format: brackets, nested_format: dots}
streaming:
  on_event:
    - {kind: data, data_starts_with: "[DONE]", handle: done}
    - {kind: event, event_type: failure, handle: error}
    - {kind: fallthrough, handle: yield}
`);
    assertEquals(className, "HarbourMaster");
    assertEquals(shape, {
      options: [],
      headers: new Map([["X-Version", "2026"]]),
      idempotencyHeader: "Idempotency-Key",
      maxRetries: 4,
      backoff: 0.5,
      maxBackoff: 8,
      timeout: 90_000,
      resources: [],
      pages: new Map(),
      environments: new Map(),
      unwrap: ["data", "result"],
      query: { lists: "brackets", objects: "dots" },
      errorEvent: "failure",
    });
  });

  it("has a name: that of the client, or else that of the organization", () => {
    const cases: readonly (readonly [text: string, name: string | undefined])[] = [
      ["client_settings: {default_client_name: HarbourAPI}", "HarbourAPI"],
      [
        "{organization: {name: a}, client_settings: {default_client_name: harbour_api}}",
        "HarbourAPI",
      ],
      ["organization: {name: harbour}", "Harbour"],
      ["organization: {name: Harbour Master}", "HarbourMaster"],
      [
        "{organization: {name: openharbour}, custom_casings: {openharbour: {pascal: OpenHarbour}}}",
        "OpenHarbour",
      ],
      ["organization: {name: 漁港}", undefined],
      ["organization: {docs: https://docs.harbour.example}", undefined],
    ];
    for (const [text, name] of cases) assertEquals(shapeOf(text).className, name, text);
  });

  it("has timeouts in milliseconds or as durations", () => {
    const cases: readonly (readonly [text: string, milliseconds: number])[] = [
      ["60000", 60_000],
      ["PT30S", 30_000],
      ["PT1M", 60_000],
      ["PT1H2M3.5S", 3_723_500],
      ["0", 0],
    ];
    for (const [text, milliseconds] of cases) {
      const { timeout } = shapeOf(`client_settings: {default_timeout: ${text}}`);
      assertEquals(timeout, milliseconds, text);
    }
  });

  it("has environments, the default one first", () => {
    const { environments } = shapeOf(`
environments:
  production: https://{region}.harbour.example/v1/
  sandbox: http://localhost:8080
`);
    assertEquals([...environments], [
      ["production", "https://{region}.harbour.example/v1"],
      ["sandbox", "http://localhost:8080"],
    ]);
  });

  it("has no environments whose URLs have no host", () => {
    const config = readStainless("environments: {local: /api/v1, test: https://harbour.example}");
    assertEquals([...config.shape.environments.keys()], ["test"]);
    assertEquals(config.problems().map(({ message }) => message), [
      "the URL of an environment has no host",
    ]);
  });

  it("has queries with commas and brackets, unless they are set", () => {
    assertEquals(shapeOf("{}").query, { lists: "comma", objects: "brackets" });
    for (const lists of ["comma", "repeat", "brackets", "indices"]) {
      const { query } = shapeOf(`query_settings: {array_format: ${lists}}`);
      assertEquals(query, { lists, objects: "brackets" });
    }
  });

  it("writes its security into the document", async () => {
    const config = `
security: [{token: []}, {basic: [], dock: [read]}]
security_schemes:
  token: {type: http, scheme: bearer, x-stainless-auth: {scheme_keyword: Token}}
  dock: {type: apiKey, in: header, name: X-Dock}
`;
    const document = {
      ...{ info: { title: "T", version: "1" }, paths: {}, security: [{ old: [] }] },
      components: { securitySchemes: { old: { type: "http", scheme: "basic" }, token: {} } },
    };
    const { changes, ignored } = readStainless(config);
    const { root } = await readSource(JSON.stringify({ openapi: "3.1.0", ...document }), {
      changes,
    });
    const { security, components } = JSON.parse(JSON.stringify(root.value));
    assertEquals(security, [{ token: [] }, { basic: [], dock: ["read"] }]);
    assertEquals(components.securitySchemes, {
      old: { type: "http", scheme: "basic" },
      token: { type: "http", scheme: "bearer" },
      dock: { type: "apiKey", in: "header", name: "X-Dock" },
    });
    assertEquals(ignored.map(({ key, lost }) => [key, lost]), [
      ["security_schemes.*.* (x-stainless-auth)", "client"],
    ]);

    const older = { swagger: "2.0", info: { title: "T", version: "1" }, paths: {} };
    const converted = await readSource(JSON.stringify(older), { changes });
    const value = JSON.parse(JSON.stringify(converted.root.value));
    assertEquals(value.components.securitySchemes.dock.name, "X-Dock");
    assertEquals(value.security, security);
  });

  it("is refused with its place if a setting has a wrong form", () => {
    const opts = (settings: string) => `client_settings: {opts: {dock: ${settings}}}`;
    const cases: readonly (readonly [text: string, message: string])[] = [
      [opts("7"), "client_settings.opts.dock must be an object, not 7"],
      [opts("{type: list}"), "must be one of string, number, integer, boolean"],
      [opts("{default: [a]}"), 'must be a string, not ["a"]'],
      [opts("{default: a, type: number}"), 'must be a number, not "a"'],
      [opts("{nullable: maybe}"), "must be true or false"],
      [opts("{auth: {role: value}}"), "must be an object with `security_scheme`"],
      [opts("{auth: {security_scheme: a, role: owner}}"), "must be one of value, username"],
      [opts("{read_env: 'A B'}"), "must be the name of an environment variable"],
      [opts("{send_in_header: 'A: b'}"), "must be the name of a header"],
      ["client_settings: {default_client_name: '7 seas'}", "must be the name of a class"],
      ["client_settings: {default_timeout: P1D}", "a duration such as PT1M30S"],
      ["client_settings: {default_timeout: -1}", "must be a number of at least 0"],
      ["client_settings: {default_retries: {max_retries: many}}", "must be a number of at least 0"],
      ["client_settings: {default_headers: {'A b': c}}", "must be below the name of a header"],
      ["client_settings: {default_headers: {A: 7}}", "without line breaks, not 7"],
      ["environments: {production: harbour.example}", "must be a URL with http: or https:"],
      ["environments: {production: 'ftp://harbour.example'}", "must be a URL with http: or https:"],
      ["environments: {production: 'https://a:b@harbour.example'}", "without credentials"],
      ["environments: {production: 'https://harbour.example?a'}", "query and fragment"],
      ["environments: [https://harbour.example]", "environments must be an object"],
      ["query_settings: {array_format: pipes}", "must be one of comma, repeat, brackets, indices"],
      ["settings: {unwrap_response_fields: data}", "must be a list"],
      ["security: {token: []}", "security must be a list"],
      ["security: [{token: read}]", "must be a list"],
      ["custom_casings: {url: {camel: 'u r l'}}", "must be a part of a name in TypeScript"],
    ];
    for (const [text, message] of cases) {
      const error = assertThrows(() => readStainless(text), ShapeError, undefined, text);
      assert(error.message.includes(message), error.message);
      assertEquals(error.line, 1);
    }
  });
});
