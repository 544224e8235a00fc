/** Checks to which servers the calls of a generated client go. */
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { after, assert, assertEquals, assertRejects, before, describe, it } from "#test";
import { UnexpectedValueError } from "../../../mod.ts";
import { silentLogger } from "../../../src/testing/mod.ts";
import { scripted } from "../../../tests/support/scripted.ts";
import { generate, type GenerateOptions } from "../../mod.ts";
import { writeWithSources } from "../support/written.ts";

const schema = { $ref: "#/components/schemas/Lamp" };
const ok = { 200: { description: "", content: { "application/json": { schema } } } };
const lamps = (operationId: string, url?: string) => ({
  tags: ["lamps"],
  operationId,
  parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
  responses: ok,
  ...url === undefined ? {} : { servers: [{ url }] },
});
const paths = {
  "/lamps/{id}": {
    get: lamps("read"),
    delete: lamps("remove", "https://api.lamps.example/v2"),
    post: lamps("upload", "https://uploads.lamps.example/up/"),
  },
};
const document = {
  openapi: "3.1.0",
  info: { title: "Lamps", version: "1" },
  servers: [
    { url: "https://api.lamps.example/v1", description: "production" },
    { url: "https://sandbox.lamps.example/v1", description: "sandbox" },
  ],
  security: [{ key: [] }],
  components: {
    securitySchemes: { key: { type: "http", scheme: "bearer" } },
    schemas: { Lamp: { type: "object", properties: { id: { type: "string" } } } },
  },
  paths,
};
const [one] = document.servers;

type Method = (id: string) => Promise<unknown>;
interface Client {
  readonly lamps: Readonly<Record<"read" | "remove" | "upload", Method>>;
  withOptions(changes: object): Client;
}
type Sdk = Readonly<Record<"Lamps", new (options: object) => Client>>;

/** Returns the configuration of an SDK with resources. */
function settings(environments?: object): string {
  return JSON.stringify({
    organization: { name: "Lamps" },
    ...environments === undefined ? {} : { environments },
    client_settings: { opts: { key: { type: "string", auth: { security_scheme: "key" } } } },
    resources: {
      lamps: {
        methods: {
          read: "get /lamps/{id}",
          remove: "delete /lamps/{id}",
          upload: "post /lamps/{id}",
        },
      },
    },
  });
}

/** Makes calls with options, and returns the requests with their credentials. */
async function requestsOf(
  { Lamps }: Sdk,
  options: object,
  methods: readonly (keyof Client["lamps"])[] = ["read", "remove", "upload"],
): Promise<string[]> {
  const fetch = scripted(() => Response.json({}));
  const client = new Lamps({ fetch, logger: silentLogger, ...options });
  for (const method of methods) await client.lamps[method]("7");
  return fetch.calls.map(({ url, init }) => `${url} ${init.headers["authorization"] ?? "open"}`);
}

describe("the servers of calls", () => {
  let folder: string;
  before(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), "restwright-servers-")));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  /** Generates an SDK, and returns its exports. */
  async function sdkOf(
    name: string,
    changes: object = {},
    options: GenerateOptions = {},
  ): Promise<Sdk> {
    const text = JSON.stringify({ ...document, ...changes });
    const { files, report } = await generate(text, options);
    assertEquals(report.problems, []);
    await writeWithSources(join(folder, name), files);
    return await import(pathToFileURL(join(folder, name, "mod.ts")).href);
  }

  describe("a generated client whose operations have servers of their own", () => {
    let sdk: Sdk;
    before(async () => {
      sdk = await sdkOf("several", { servers: [one] });
    });

    it("calls the servers of the document by default", async () => {
      assertEquals(await requestsOf(sdk, { key: "a" }), [
        "https://api.lamps.example/v1/lamps/7 Bearer a",
        "https://api.lamps.example/v2/lamps/7 Bearer a",
        "https://uploads.lamps.example/up/lamps/7 Bearer a",
      ]);
    });

    const moved = [
      ["http://127.0.0.1:4010", "http://127.0.0.1:4010", "http://127.0.0.1:4010/v2"],
      ["http://127.0.0.1:4010/v1", "http://127.0.0.1:4010/v1", "http://127.0.0.1:4010/v2"],
      ["https://gate.example/l/v1/", "https://gate.example/l/v1", "https://gate.example/l/v2"],
    ] as const;
    for (const [baseUrl, read, remove] of moved) {
      it(`moves those of the default origin with the base URL ${baseUrl}`, async () => {
        assertEquals(await requestsOf(sdk, { key: "a", baseUrl }, ["read", "remove"]), [
          `${read}/lamps/7 Bearer a`,
          `${remove}/lamps/7 Bearer a`,
        ]);
      });
    }

    it("sends nothing to another origin if the base URL is not the default", async () => {
      const fetch = scripted(() => Response.json({}));
      const client = new sdk.Lamps({
        fetch,
        logger: silentLogger,
        baseUrl: "http://127.0.0.1:4010",
      });
      const error = await assertRejects(async () => {
        await client.lamps.upload("7");
      }, UnexpectedValueError);
      assertEquals((error as UnexpectedValueError).option, "servers.uploads");
      assertEquals(fetch.calls, []);
    });

    it("calls another origin by the URL that the caller sets, with the credentials", async () => {
      const options = {
        key: "a",
        baseUrl: "http://127.0.0.1:4010",
        servers: { uploads: "http://127.0.0.1:4011" },
      };
      assertEquals(await requestsOf(sdk, options), [
        "http://127.0.0.1:4010/lamps/7 Bearer a",
        "http://127.0.0.1:4010/v2/lamps/7 Bearer a",
        "http://127.0.0.1:4011/lamps/7 Bearer a",
      ]);
    });

    it("calls the servers of a copy by its base URL", async () => {
      const fetch = scripted(() => Response.json({}));
      const client = new sdk.Lamps({ fetch, logger: silentLogger, key: "a" });
      await client.lamps.upload("7");
      const copy = client.withOptions({ baseUrl: "http://127.0.0.1:4010", key: "b" });
      await copy.lamps.remove("7");
      await assertRejects(async () => {
        await copy.lamps.upload("7");
      }, UnexpectedValueError);
      assertEquals(fetch.calls.map(({ url }) => url), [
        "https://uploads.lamps.example/up/lamps/7",
        "http://127.0.0.1:4010/v2/lamps/7",
      ]);
    });

    it("needs the URLs if the document has no base URL", async () => {
      const none = await sdkOf("none", { servers: undefined });
      const baseUrl = "http://127.0.0.1:4010";
      assertEquals(await requestsOf(none, { key: "a", baseUrl }, ["read"]), [
        `${baseUrl}/lamps/7 Bearer a`,
      ]);
      for (const method of ["remove", "upload"] as const) {
        await assertRejects(() => requestsOf(none, { key: "a", baseUrl }, [method]));
      }
      const servers = { api: `${baseUrl}/a`, lamps: `${baseUrl}/a`, uploads: `${baseUrl}/b` };
      const { api: _, ...named } = servers;
      assertEquals(await requestsOf(none, { key: "a", baseUrl, servers: named }), [
        `${baseUrl}/lamps/7 Bearer a`,
        `${baseUrl}/a/lamps/7 Bearer a`,
        `${baseUrl}/b/lamps/7 Bearer a`,
      ]);
    });
  });

  describe("a generated client with a choice of servers", () => {
    let sdk: Sdk;
    before(async () => {
      sdk = await sdkOf("choice");
    });

    it("moves the servers of operations to the one that is chosen", async () => {
      assertEquals(await requestsOf(sdk, { key: "a", server: "sandbox" }, ["read", "remove"]), [
        "https://sandbox.lamps.example/v1/lamps/7 Bearer a",
        "https://sandbox.lamps.example/v2/lamps/7 Bearer a",
      ]);
      await assertRejects(() => requestsOf(sdk, { key: "a", server: "sandbox" }, ["upload"]));
    });

    it("has copies with another server", async () => {
      const fetch = scripted(() => Response.json({}));
      const client = new sdk.Lamps({ fetch, logger: silentLogger, key: "a" });
      await client.withOptions({ server: "sandbox", key: "b" }).lamps.read("7");
      assertEquals(fetch.calls.map(({ url }) => url), ["https://sandbox.lamps.example/v1/lamps/7"]);
    });

    it("refuses a server that the document does not have", async () => {
      await assertRejects(
        () => requestsOf(sdk, { key: "a", server: "sandbocks" }, ["read"]),
        UnexpectedValueError,
      );
    });
  });

  describe("a generated client with resources whose operations have servers of their own", () => {
    it("sends all calls to a base URL that is not the default", async () => {
      const sdk = await sdkOf("resources", { servers: [one] }, { stainless: settings() });
      const baseURL = "http://127.0.0.1:4010/mock";
      const key = { key: "a" };
      const normal = [
        "https://api.lamps.example/v1/lamps/7 Bearer a",
        "https://api.lamps.example/v2/lamps/7 Bearer a",
        "https://uploads.lamps.example/up/lamps/7 Bearer a",
      ];
      assertEquals(await requestsOf(sdk, key), normal);
      assertEquals(await requestsOf(sdk, { ...key, baseURL: `${one!.url}/` }), normal);
      const own = Array.from({ length: 3 }, () => `${baseURL}/lamps/7 Bearer a`);
      assertEquals(await requestsOf(sdk, { ...key, baseURL }), own);
      class Mocked extends sdk.Lamps {
        static readonly baseUrl: string = baseURL;
      }
      assertEquals(await requestsOf({ Lamps: Mocked }, key), own);
    });

    it("keeps them in each environment, unless the caller sets the base URL", async () => {
      const stainless = settings({
        production: one!.url,
        sandbox: "https://sandbox.lamps.example/v1",
      });
      const sdk = await sdkOf("environments", { servers: [one] }, { stainless });
      const sandbox = { key: "a", environment: "sandbox" };
      assertEquals(await requestsOf(sdk, sandbox, ["read", "remove"]), [
        "https://sandbox.lamps.example/v1/lamps/7 Bearer a",
        "https://api.lamps.example/v2/lamps/7 Bearer a",
      ]);
      const baseURL = "https://sandbox.lamps.example/v1";
      const requests = await requestsOf(sdk, { key: "a", baseURL }, ["remove", "upload"]);
      assert(requests.every((each) => each === `${baseURL}/lamps/7 Bearer a`), requests.join());
    });
  });
});
