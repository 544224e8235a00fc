import { readFileSync } from "node:fs";
import { assertEquals, describe, it } from "#test";
import {
  GENERATOR_OPTIONS,
  generatorOptionsModule,
} from "../../../scripts/options/generator_options.ts";
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
      ...["sslVerify_", "errorFrom_", "errorsInSuccess_", "retries_"],
      ...["sslVerify__", "errorFrom__", "errorsInSuccess__", "retries__"],
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
