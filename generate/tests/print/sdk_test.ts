import { assert, assertEquals, describe, it } from "#test";
import { assertReadsWithin } from "../../../tests/support/linear_time.ts";
import { generate } from "../../mod.ts";

/** Returns the only endpoint of a document with one operation. */
async function endpointOf(operation: object, path = "/a", verb = "get"): Promise<string> {
  const document = {
    openapi: "3.1.0",
    info: { title: "The Print API", version: "1" },
    servers: [{ url: "https://api.example.com" }],
    paths: { [path]: { [verb]: operation } },
  };
  const { files } = await generate(JSON.stringify(document));
  const [, text] = [...files].find(([name]) => name.startsWith("endpoints/"))!;
  return text;
}

const id = { name: "id", in: "path", required: true, schema: { type: "string" } };

describe("the text of a method", () => {
  it("is short if there is nothing to decide", async () => {
    const text = await endpointOf({
      operationId: "get",
      summary: "Returns an a",
      parameters: [id],
      responses: { 200: { content: { "application/json": { schema: { type: "string" } } } } },
    }, "/a/{id}");
    assert(text.endsWith(`
  /**
   * Returns an a.
   *
   * @example
   * \`\`\`ts
   * const result = await client.a.get("sample");
   * \`\`\`
   */
  get(id: string, options?: CallOptions): APIPromise<string> {
    return this._get<string>(path\`/a/\${id}\`, options);
  }
}
`));
  });

  it("sends an empty body without the properties that each object inherits", async () => {
    const properties = { toString: { type: "string" } };
    const content = { "application/json": { schema: { type: "object", properties } } };
    const operation = { operationId: "send", requestBody: { required: true, content } };
    const text = await endpointOf(operation, "/a", "post");
    assert(/\bbody: \w+ = Object\.create\(null\)/.test(text), text);
  });

  it("has literals that are nothing but themselves", async () => {
    const text = await endpointOf({ operationId: "get", parameters: [id] }, "/`\\$ ${/{id}");
    assert(text.includes("path`/\\`\\\\$ \\${/${id}`"), text);
  });

  it("is at most 100 columns wide", async () => {
    const parameters = Array.from({ length: 20 }, (_, index) => ({
      name: `X-A-Long-Name-Of-A-Header-${index}`,
      in: index % 2 === 0 ? "header" : "query",
      schema: { type: "array", items: { type: "boolean" } },
      explode: false,
    }));
    const text = await endpointOf({ parameters });
    assertEquals(text.split("\n").filter((line) => line.length > 100), []);
  });

  it("is the same for each run", async () => {
    const operation = { operationId: "get", parameters: [id] };
    assertEquals(await endpointOf(operation, "/{id}"), await endpointOf(operation, "/{id}"));
  });
});

describe("the text of a client", () => {
  it("names the flows of OAuth 2 with what gets their tokens", async () => {
    const tokenUrl = "https://login.example.com/token";
    const scopes = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`s${index}`, ""]));
    const document = {
      openapi: "3.1.0",
      info: { title: "The Print API", version: "1" },
      paths: {},
      components: {
        securitySchemes: {
          login: {
            type: "oauth2",
            flows: {
              clientCredentials: { tokenUrl, scopes: { read: "" } },
              authorizationCode: { authorizationUrl: tokenUrl, tokenUrl, scopes },
              implicit: { authorizationUrl: tokenUrl, scopes: {} },
            },
          },
        },
      },
    };
    const { files } = await generate(JSON.stringify(document));
    const text = files.get("client.ts")!;
    const [comment] = /\/\*\*(?:(?!\*\/)[^])*\*\/\s*readonly login\?/.exec(text)!;
    assertEquals(comment.replace(/[\s*]+/g, " ").split(" - ").slice(1), [
      "clientCredentials: `ClientCredentialsAuth`; token URL https://login.example.com/token; scopes `read`",
      "authorizationCode: `RefreshTokenAuth`; token URL https://login.example.com/token; scopes `s0`, " +
      "`s1`, `s2`, `s3`, `s4`, `s5`, `s6`, `s7`, `s8`, `s9` and 2 more",
      "implicit: pass the token / readonly login?",
    ]);
  });
});

describe("the client of a document with 1,000 operations", () => {
  it("takes no time that grows faster than the document", async () => {
    const documentOf = (count: number) => {
      const paths = Object.fromEntries(
        Array.from({ length: count }, (_, index) => [`/p${index}/{id}`, {
          get: {
            tags: ["all"],
            operationId: `getPart${index}`,
            parameters: [id],
            responses: { 200: { content: { "application/json": { schema: { type: "object" } } } } },
          },
        }]),
      );
      return JSON.stringify({ openapi: "3.1.0", info: { title: "A", version: "1" }, paths });
    };
    const [small, large] = [documentOf(500), documentOf(4_000)];
    assertEquals((await generate(large)).report.operations, 4_000);
    // It would be 64 times as long if each operation looked at all others.
    await assertReadsWithin(32, () => generate(small), () => generate(large));
  });
});
