import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
  describe,
  it,
} from "#test";
import { docs, type DocsOptions, generate, type GenerateOptions, OptionError } from "../../mod.ts";
import { APIError } from "../../../src/errors/api_error.ts";
import { baseErrorMap } from "../../../src/errors/status_errors.ts";
import { isRetried } from "../../../src/resources/errors.ts";
import { guideContext } from "../../src/guide/context.ts";
import { authentication } from "../../src/guide/connection.ts";
import { RETRIED } from "../../src/guide/errors.ts";
import { planSdk } from "../../src/plan/mod.ts";
import { readSource } from "../../src/read/read.ts";
import { compareFolder } from "../../src/write/folder.ts";
import { apiMdOf } from "../support/api_md.ts";
import { zooDocument, zooShape } from "../support/zoo.ts";

const library = new URL("../../../examples/generated/library.yaml", import.meta.url);
const payments = new URL("../support/pages/payments.yaml", import.meta.url);
const media = new URL("../support/pages/media.yaml", import.meta.url);

/** Generates the pages of a document. */
async function pagesOf(
  document: string | URL,
  options: GenerateOptions = {},
  own: Partial<DocsOptions> = {},
): Promise<Map<string, string>> {
  const text = typeof document === "string" ? document : await readFile(document, "utf8");
  const { outputs } = await generate(text, {
    ...options,
    outputs: [docs.with({ sdk: "../mod.ts", folder: "docs", readme: "README.md", ...own })],
  });
  return new Map(outputs.get("docs"));
}

/** Returns the titles of the sections of a README. */
function titlesOf(readme: string): string[] {
  return [...readme.matchAll(/^## (.+)$/gm)].map(([, title]) => title!);
}

/** Returns a section of a README. */
function sectionOf(readme: string, title: string): string {
  const found = readme.split(/^(?=## )/m).find((each) => each.startsWith(`## ${title}\n`));
  assert(found !== undefined, `no section ${title}`);
  return found;
}

/** Returns the anchors of a page, as GitHub makes them. */
function anchorsOf(page: string): Set<string> {
  const counts = new Map<string, number>();
  const text = page.replace(/^```[^]*?^```$/gm, "");
  return new Set([...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) => {
    const anchor = heading!.toLowerCase().replace(/[^\w\s-]/g, "").replace(/\s/g, "-");
    const count = counts.get(anchor) ?? 0;
    counts.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  }));
}

/** Returns the links of pages that lead nowhere. Paths begin at the folder of the reference. */
function deadLinks(pages: ReadonlyMap<string, string>): string[] {
  return [...pages].flatMap(([path, text]) =>
    [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = ""]) => {
      if (/^https?:/.test(link)) return [];
      const [file = "", anchor] = link.split("#");
      const url = new URL(file === "" ? path : file, new URL(path, "file:///root/docs/"));
      const target = [...pages.keys()].find((each) =>
        new URL(each, "file:///root/docs/").href ===
          (file === "" ? new URL(path, "file:///root/docs/") : url).href
      );
      if (target === undefined) return [`${path}: ${link}`];
      const isThere = anchor === undefined || anchorsOf(pages.get(target)!).has(anchor);
      return isThere ? [] : [`${path}: ${link}`];
    })
  );
}

describe("the pages for the users of an SDK", () => {
  it("have a section of the README for what the document has, and for nothing else", async () => {
    const always = ["Install", "First call", "Methods"];
    const end = ["Logging", "Responses", "Calls that have no method", "Tests", "Runtimes"];
    const rows = [
      [library, { webhooks: "standard" }, [
        ...[...always, "Authentication", "Errors", "Retries", "Idempotency keys", "Timeouts"],
        ...["Pages", "Webhooks", ...end],
      ]],
      [payments, { webhooks: "standard" }, [
        ...[...always, "Authentication", "Servers", "Errors", "Retries", "Idempotency keys"],
        ...["Timeouts", "Pages", "Webhooks", ...end],
      ]],
      [media, {}, [
        ...[...always, "Authentication", "Servers", "Errors", "Retries", "Timeouts"],
        ...["Uploads", "Downloads", "Streams", ...end],
      ]],
    ] as const;
    for (const [document, options, titles] of rows) {
      const pages = await pagesOf(document, options);
      assertEquals(titlesOf(pages.get("../README.md")!), titles);
    }
  });

  it("show the operation first that the tag with the most operations lists", async () => {
    const readme = (await pagesOf(payments)).get("../README.md")!;
    assertStringIncludes(
      sectionOf(readme, "First call"),
      `import { Payments } from "@example/payments";

const client = new Payments({ oauth: process.env.PAYMENTS_OAUTH_TOKEN });

for await (const payment of client.payments.list()) {
  console.log(payment.id);
}`,
    );
  });

  it("show another operation first if an option or the document chooses it", async () => {
    const text = await readFile(payments, "utf8");
    const hint = text.replace(
      "operationId: getCustomer\n",
      "operationId: getCustomer\n      x-restwright-first-call: true\n",
    );
    const chosen = await pagesOf(payments, {}, { firstCall: "GET /customers/{id}" });
    for (const pages of [await pagesOf(hint), chosen]) {
      const section = sectionOf(pages.get("../README.md")!, "First call");
      assertStringIncludes(section, "await client.customers.get(");
    }
    const posted = await pagesOf(library, {}, { firstCall: "POST /books" });
    const section = sectionOf(posted.get("../README.md")!, "First call");
    assertStringIncludes(section, "await client.books.create(");
    await assertRejects(
      () => pagesOf(library, {}, { firstCall: "GET /nope" }),
      OptionError,
      'firstCall must be an operation of the document that a program can call, such as "GET /books"',
    );
  });

  it("say of a stream of events that they have the data", async () => {
    const media = new URL("../support/pages/media.yaml", import.meta.url);
    const reference = (await pagesOf(media)).get("reference.md")!;
    assertStringIncludes(reference, " of events, whose `data` is ");
  });

  it("say how the toolkit is installed that their programs import", async () => {
    const readme = (await pagesOf(library)).get("../README.md")!;
    assertStringIncludes(sectionOf(readme, "Install"), "\ndeno add jsr:@restwright/restwright\n");
  });

  it("have the names of the packages", async () => {
    const own = { npm: "acme-library", jsr: "@acme/library" };
    const readme = (await pagesOf(library, {}, own)).get("../README.md")!;
    assertStringIncludes(readme, "npm install acme-library ");
    assertStringIncludes(readme, "deno add jsr:@acme/library ");
    assertStringIncludes(readme, 'from "acme-library";');
    assertThrows(
      () => docs.with({ sdk: "", npm: "x; rm -rf" }),
      OptionError,
      "npm must be the name",
    );
  });

  it("link to each other, and each link leads to a heading", async () => {
    for (const [document, options] of [[library, {}], [payments, {}], [media, {}]] as const) {
      const pages = await pagesOf(document, { webhooks: "standard", ...options });
      assertEquals(deadLinks(pages), []);
      assertStringIncludes(pages.get("../README.md")!, "(docs/reference.md#client");
      assertStringIncludes(pages.get("reference.md")!, "(../README.md)");
    }
  });

  it("have each method with its signature, parameters, result, errors and a program", async () => {
    const reference = (await pagesOf(library)).get("reference.md")!;
    const section = reference.split(/^(?=### )/m).find((each) =>
      each.startsWith("### client.books.list\n")
    )!;
    assertStringIncludes(
      section,
      "client.books.list(params?: BooksListParams, options?: ListOptions): PagePromise<Book, BookPage>",
    );
    assertStringIncludes(
      section,
      "- `params.page` (`number`, optional, default `0`): The page, from 0.",
    );
    assertStringIncludes(section, "**Returns** [pages](../README.md#pages) of [`Book`](#book).");
    assertStringIncludes(
      section,
      "- 422: `LibraryInvalidContentError` with [`InvalidFields`](#invalidfields) as `data`. Something",
    );
    assertStringIncludes(section, "for await (const item of client.books.list()) {");
    const type = reference.split(/^(?=### )/m).find((each) => each.startsWith("### Book\n"))!;
    assertStringIncludes(type, "- `year` (`number`): The year in which it was published.");
  });

  it("are a file for each tag if there are many methods", async () => {
    const operation = (id: string, tag: string) => ({
      get: {
        ...{ tags: [tag], operationId: id, summary: `Reads ${id}` },
        responses: {
          200: {
            description: "",
            content: {
              "application/json": { schema: { $ref: `#/components/schemas/${tag}` } },
            },
          },
        },
      },
    });
    const tags = Array.from({ length: 8 }, (_, index) => `Tag${index}`);
    const shared = { $ref: "#/components/schemas/Shared" };
    const schema = { type: "object", properties: { shared } };
    const pages = await pagesOf(JSON.stringify({
      openapi: "3.1.0",
      info: { title: "Many", version: "1" },
      servers: [{ url: "https://many.example.com" }],
      paths: Object.fromEntries(
        tags.flatMap((tag) =>
          Array.from(
            { length: 10 },
            (_, index) => [`/${tag}/${index}`, operation(`find${tag}Of${index}`, tag)],
          )
        ),
      ),
      components: {
        schemas: {
          Shared: { type: "object", properties: { name: { type: "string" } } },
          ...Object.fromEntries(tags.map((tag) => [tag, schema])),
        },
      },
    }));
    assertEquals([...pages.keys()].toSorted(), [
      "../README.md",
      "reference.md",
      ...tags.map((_, index) => `reference/tag${index}.md`),
      "reference/the_types.md",
    ]);
    assertStringIncludes(
      pages.get("reference.md")!,
      "## [client.tag0](reference/tag0.md#clienttag0)",
    );
    assertEquals(deadLinks(pages), []);
    assertStringIncludes(pages.get("reference/tag0.md")!, "### Tag0\n");
    assertStringIncludes(pages.get("reference/the_types.md")!, "### Shared\n");
  });

  it("show texts of the document, which cannot change what is around them", async () => {
    const text = "# Title\n\n## <script>Tags\n\nUnder\n===\n\n" +
      "<script>alert(1)</script> <!-- x\n\n``a<b`` `` ` a<c `` \\` a<d `\n\n```\nopen";
    const pages = await pagesOf(JSON.stringify({
      openapi: "3.1.0",
      info: { title: "Odd", version: "1", description: text },
      tags: [{ name: "things", description: text }],
      paths: {
        "/things": {
          get: {
            ...{ tags: ["things"], operationId: "listThings", description: text },
            parameters: [{
              name: "a`b|c",
              in: "query",
              description: text,
              schema: { type: "string" },
            }],
            responses: { 200: { description: text } },
          },
        },
      },
    }));
    assertEquals(deadLinks(pages), []);
    for (const page of pages.values()) {
      assert(!page.includes("<script>"), page);
      assert(!/<!-- x/.test(page), page);
      assert(!/a(?:&lt;[bc]|<d)/.test(page), page);
      assert(!/^#* ?Title$/m.test(page), page);
      assertEquals(page.match(/^\s*```/gm)!.length % 2, 0, page);
    }
  });

  it("say which limits and waits a client with resources has", async () => {
    const apiMd = await apiMdOf(await readFile(library, "utf8"), {});
    const readme = (await pagesOf(library, { apiMd, webhooks: "standard" })).get("../README.md")!;
    const limits = sectionOf(readme, "Timeouts").replace(/\s+/g, " ");
    assert(!limits.includes("null sets none"), limits);
    assertStringIncludes(limits, "`deadline`, in seconds, is an option of the client only");
    const waits = sectionOf(readme, "Retries").replace(/\s+/g, " ");
    assertStringIncludes(waits, "about 0.5 seconds, doubled each time, up to 8 seconds");
  });

  it("name the error of a constructor that misses a credential", async () => {
    const source = await readSource(JSON.stringify(zooDocument));
    const plan = planSdk(source, { pins: new Map(), shape: zooShape });
    const section = authentication(guideContext(plan, "@restwright/restwright", {}));
    assertStringIncludes(
      section!.blocks.join("\n"),
      "Without `apiKey`, the constructor throws `ZooError`.",
    );
  });

  it("name the statuses that the toolkit tries again", () => {
    const statuses = Array.from({ length: 105 }, (_, index) => 400 + index);
    assertEquals(
      statuses.filter((status) => (baseErrorMap[status] ?? APIError).retryable),
      RETRIED.classes,
    );
    assertEquals(
      statuses.filter((status) => isRetried(new Response(null, { status }))),
      RETRIED.resources,
    );
  });

  it("have variables and environment variables with names that code can have", async () => {
    for (const name of ["For", "If", "Let", "Null", "Extends"]) {
      const pages = await pagesOf(
        JSON.stringify({
          openapi: "3.1.0",
          info: { title: "Pet Store", version: "1" },
          servers: [{ url: "https://api.example.com" }],
          paths: {
            "/x": {
              get: {
                ...{ tags: ["x"], operationId: "getX", security: [{ login: [] }] },
                responses: {
                  200: {
                    description: "OK",
                    content: {
                      "application/json": { schema: { $ref: `#/components/schemas/${name}` } },
                    },
                  },
                },
              },
            },
          },
          components: {
            schemas: { [name]: { type: "object", properties: { size: { type: "integer" } } } },
            securitySchemes: {
              login: {
                type: "oauth2",
                flows: {
                  clientCredentials: { tokenUrl: "https://api.example.com/token", scopes: {} },
                },
              },
            },
          },
          webhooks: {
            changed: {
              post: {
                requestBody: { content: { "application/json": { schema: { type: "object" } } } },
                responses: { 200: { description: "OK" } },
              },
            },
          },
        }),
        { webhooks: "standard" },
      );
      const readme = pages.get("../README.md")!;
      assertStringIncludes(readme, `const ${name.toLowerCase()}_ = await client.x`);
      for (const variable of ["CLIENT_ID", "CLIENT_SECRET", "WEBHOOK_SECRET"]) {
        assertStringIncludes(readme, `PET_STORE_${variable}`);
      }
    }
  });

  it("of the example in examples/generated are what the generator makes", async () => {
    const folder = new URL("./", library);
    const names = await readFile(new URL("library_names.json", folder), "utf8");
    const pages = await pagesOf(library, { names, webhooks: "standard" });
    const place = fileURLToPath(new URL("docs", folder));
    const { added, changed, stale } = await compareFolder(place, pages, docs);
    assertEquals([added, changed, stale], [[], [], []]);
  });
});
