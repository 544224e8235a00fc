import { readFileSync } from "node:fs";
import { assertEquals, assertStringIncludes, describe, it } from "#test";
import {
  GENERATOR_OPTIONS,
  generatorOptionsModule,
} from "../../../scripts/options/generator_options.ts";
import { generate } from "../../mod.ts";
import { planSdk } from "../../src/plan/mod.ts";
import { readSource } from "../../src/read/read.ts";
import { readStainless } from "../../src/sdk/config.ts";

/** Returns the options that a document with these variables and schemes adds to its client. */
async function optionsOf(names: readonly string[]): Promise<string[]> {
  const scheme = { type: "apiKey", in: "header", name: "X-Key" };
  const variable = { default: "a" };
  const source = await readSource(JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Options", version: "1" },
    servers: [{
      url: `https://api.example.com/${names.map((name) => `{${name}}`).join("/")}`,
      variables: Object.fromEntries(names.map((name) => [name, variable])),
    }],
    components: { securitySchemes: Object.fromEntries(names.map((name) => [name, scheme])) },
    paths: {},
  }));
  const { client } = planSdk(source, { pins: new Map() });
  const variables = client.options.filter(({ isInUrl }) => isInUrl === true);
  return [...variables.map(({ name }) => name), ...client.schemes.map(({ option }) => option)];
}

describe("the options that a document adds to its client", () => {
  it("take no name that the toolkit has for an option", async () => {
    const names = ["sslVerify", "errorFrom", "errorsInSuccess", "retries"];

    assertEquals(await optionsOf(names), [
      ...["serverSslVerify", "serverErrorFrom", "serverErrorsInSuccess", "serverRetries"],
      ...["sslVerifyAuth", "errorFromAuth", "errorsInSuccessAuth", "retriesAuth"],
    ]);
  });

  it("say what they are if they cannot have their own names, and the report has them", async () => {
    const scheme = { type: "apiKey", in: "header", name: "X-Key" };
    const { files, report } = await generate(JSON.stringify({
      openapi: "3.1.0",
      info: { title: "Options", version: "1" },
      servers: [{
        url: "https://{product}.example.com/{region}",
        variables: { product: { default: "a" }, region: { default: "b" } },
      }],
      components: {
        securitySchemes: { session: scheme, auth: scheme, private: scheme, "plain-key": scheme },
      },
      paths: {},
    }));
    const client = files.get("client.ts")!;
    const names = [
      "serverProduct",
      "region",
      "sessionAuth",
      "authScheme",
      "privateAuth",
      "plainKey",
    ];
    for (const name of names) assertStringIncludes(client, `  readonly ${name}?: string`);
    assertEquals(
      report.problems.map(({ kind, pointer, message, action }) => [kind, pointer, message, action])
        .sort(),
      [
        [
          ...["name", "#/components/securitySchemes/auth"],
          ...['the client has another option "auth"', "the option is called authScheme"],
        ],
        [
          ...["name", "#/components/securitySchemes/private"],
          ...['the client has another option "private"', "the option is called privateAuth"],
        ],
        [
          ...["name", "#/components/securitySchemes/session"],
          ...['the client has another option "session"', "the option is called sessionAuth"],
        ],
        [
          ...["name", "#/servers/0"],
          ...['the client has another option "product"', "the option is called serverProduct"],
        ],
      ],
    );
  });

  it("leave each other the names that are free", async () => {
    assertEquals(await optionsOf(["session", "serverSession"]), [
      ...["serverServerSession", "serverSession", "sessionAuth", "serverSessionAuth"],
    ]);
    const scheme = { type: "http", scheme: "bearer" };
    const source = await readSource(JSON.stringify({
      openapi: "3.1.0",
      info: { title: "Options", version: "1" },
      components: { securitySchemes: { session: scheme, sessionAuth: scheme } },
      paths: {},
    }));
    const { client } = planSdk(source, { pins: new Map() });
    assertEquals(client.schemes.map(({ key, option }) => [key, option]), [
      ["session", "sessionAuthScheme"],
      ["sessionAuth", "sessionAuth"],
    ]);
  });

  it("are two for two variables of a URL whose names differ in case alone", async () => {
    assertEquals((await optionsOf(["api-host", "api_host", "api-host"])).slice(0, 2), [
      "apiHost",
      "serverApiHost",
    ]);
  });

  it("take no name that a client with resources has for an option or a member", async () => {
    const source = await readSource(JSON.stringify({
      openapi: "3.1.0",
      info: { title: "Options", version: "1" },
      paths: { "/pets": { get: { responses: {} } } },
    }));
    const { shape } = readStainless(`
client_settings: {opts: {ssl_verify: {}, max_retries: {}, pets: {}, region: {}}}
resources: {pets: {methods: {list: get /pets}}}
`);
    const { client } = planSdk(source, { pins: new Map(), shape });

    assertEquals(client.options.map(({ name }) => name), [
      ...["sslVerify_", "maxRetries_", "pets_", "region"],
    ]);
    assertEquals(source.problems().map(({ message }) => message), [
      'the option "sslVerify" belongs to the client itself',
      'the option "maxRetries" belongs to the client itself',
      'the option "pets" belongs to the client itself',
    ]);
  });

  it("are compared with the toolkit's table of options, which deno task options copies", () => {
    const module = new URL(`../../../${GENERATOR_OPTIONS}`, import.meta.url);

    assertEquals(readFileSync(module, "utf8"), generatorOptionsModule());
  });
});
