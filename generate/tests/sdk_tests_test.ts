import { mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { after, assert, assertEquals, before, describe, it } from "#test";
import { docs, generate, type GenerateOptions, tests as testsOutput } from "../mod.ts";
import { TOOLKIT } from "../src/outputs/output.ts";
import { planSdk } from "../src/plan/mod.ts";
import { printSdk } from "../src/outputs/sdk.ts";
import type { SdkShape } from "../src/sdk/shape.ts";
import { readSource } from "../src/read/read.ts";
import { compareFolder } from "../src/write/folder.ts";
import { cornerCases, textOf } from "./support/corner_cases.ts";
import { oddNamesDocument, plainHostileDocument } from "./support/hostile_document.ts";
import { passedTests, runTests } from "./support/own_runner.ts";
import { zooDocument, zooShape } from "./support/zoo.ts";
import { apiMdOf } from "./support/api_md.ts";
import { writeWithSources } from "./support/written.ts";

const example = new URL("../../examples/generated/", import.meta.url);
const support = (name: string) => readFile(new URL(`support/${name}`, import.meta.url), "utf8");

/** Generates an SDK with its tests. */
async function withTests(document: string, options: GenerateOptions = {}, sdk = "./mod.ts") {
  const outputs = [testsOutput.with({ sdk })];
  const result = await generate(document, { ...options, outputs });
  return { ...result, tests: result.outputs.get("tests")! };
}

describe("generated tests", () => {
  let folder: string;
  before(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), "restwright-sdk-tests-")));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  /** Writes an SDK with its tests into a folder, and returns the paths of the tests. */
  async function write(
    name: string,
    document: string,
    options: GenerateOptions = {},
    change: (path: string, text: string) => string = (_, text) => text,
  ): Promise<{ readonly paths: readonly string[]; readonly tests: number }> {
    const { files, tests, report } = await withTests(document, options);
    const changed = new Map([...files].map(([path, text]) => [path, change(path, text)]));
    await writeWithSources(join(folder, name), changed);
    await writeWithSources(join(folder, name), tests);
    return { paths: Array.from(tests.keys(), (path) => `${name}/${path}`), tests: report.tests };
  }

  /** Writes the SDK of the zoo, whose shape has all that one can have, with its tests. */
  async function writeZoo(
    name: string,
    change: (text: string) => string = (text) => text,
    shape: SdkShape = zooShape,
  ) {
    const document = structuredClone(zooDocument) as {
      readonly paths: Readonly<
        Record<string, Readonly<Record<string, { responses: object; parameters: object[] }>>>
      >;
    };
    Object.assign(document.paths["/ping"]!.get!.responses, {
      404: { description: "", content: {} },
    });
    const number = { type: "integer" };
    document.paths["/animals"]!.get!.parameters.push(
      {
        name: "age",
        in: "query",
        schema: { type: "object", required: ["min"], properties: { min: number } },
      },
      { name: "ids", in: "query", schema: { type: "array", example: [1, 2], items: number } },
    );
    const source = await readSource(JSON.stringify(document), {});
    const plan = planSdk(source, { pins: new Map(), shape, parts: new Set(["tests"]) });
    const files = [...printSdk(plan)].map(([path, text]) => [path, change(text)] as const);
    const tests = testsOutput.with({ sdk: "./mod.ts" }).files(plan, { toolkit: TOOLKIT });
    await writeWithSources(join(folder, name), new Map(files));
    await writeWithSources(join(folder, name), tests);
    return {
      paths: Array.from(tests.keys(), (path) => `${name}/${path}`),
      texts: [...tests.values()],
      tests: [...tests.values()].join("").match(/^test\(/gm)!.length,
    };
  }

  it("pass for documents with all kinds of bodies, results, pages, streams and schemes", async () => {
    const written = [
      await write("shop", await support("shop.yaml"), { models: "xml" }),
      await write("feed", await support("feed.yaml"), { dates: true, bigint: true }),
      await write("loans", await support("loans.yaml"), { dates: true, bigint: true }),
      await write("hostile", plainHostileDocument()),
      await write("odd_names", oddNamesDocument()),
    ];
    for (const [name, options] of cornerCases) {
      written.push(await write(name, textOf(`${name}.yaml`), options));
    }
    const result = await runTests(folder, written.flatMap(({ paths }) => paths));
    assertEquals(result.code, 0, result.output.slice(-4000));
    const count = written.reduce((sum, { tests }) => sum + tests, 0);
    assert(count > 150, `${count} tests`);
    assertEquals(passedTests(result), count);
  });

  it("pass for the same documents with resources", async () => {
    const documents: readonly (readonly [string, string, GenerateOptions])[] = [
      ["shop", await support("shop.yaml"), { models: "xml" }],
      ["feed", await support("feed.yaml"), { dates: true, bigint: true }],
      ["hostile", plainHostileDocument(), {}],
      ["odd_names", oddNamesDocument(), {}],
      ["library", await readFile(new URL("library.yaml", example), "utf8"), {}],
    ];
    const written = [];
    for (const [name, document, options] of documents) {
      const apiMd = await apiMdOf(document, options);
      written.push(await write(`resources_${name}`, document, { ...options, apiMd }));
    }
    written.push(await writeZoo("zoo"));
    const result = await runTests(folder, written.flatMap(({ paths }) => paths));
    assertEquals(result.code, 0, result.output.slice(-4000));
    const count = written.reduce((sum, { tests }) => sum + tests, 0);
    assert(count > 150, `${count} tests`);
    assertEquals(passedTests(result), count);
  });

  it("have the call sites of resources", async () => {
    const { texts } = await writeZoo("zoo_calls");
    const all = texts.join("\n").replace(/\s+/g, " ").replace(/, ([})])/g, " $1");
    const calls = [
      "await client.ping()",
      'client.animals.list({ limit: 1, kinds: ["sample"], age: { min: 1 }, ids: [1, 2] })',
      'await client.animals.retrieve("sample")',
      'await client.animals.photos.retrieve("sample", { animal_id: "sample", size: "sample" })',
      'await client.animals.photos.upload("sample", { file: new File(["sample"], "sample.txt")',
      'await client.chat.send({ say: "sample", stream: true })',
      'await client.tags.replace({ tags: ["sample"] })',
      "assert.ok(error instanceof NotFoundError);",
    ];
    for (const call of calls) assert(all.includes(call), `${call} is not in ${all}`);
  });

  it("pass for each form of lists and objects in queries, and for a list with one page", async () => {
    const written = [];
    for (const lists of ["comma", "repeat", "brackets", "indices"] as const) {
      for (const objects of ["brackets", "dots"] as const) {
        const shape = { ...zooShape, query: { lists, objects } };
        written.push(await writeZoo(`query_${lists}_${objects}`, undefined, shape));
      }
    }
    const text = written.flatMap(({ texts }) => texts).join("\n");
    for (const sent of ['ids: "1,2"', '"ids[]": ["1", "2"]', '"ids[1]": "2"', '"age.min": "1"']) {
      assert(text.includes(sent), `${sent} is missing`);
    }
    const page = { ...zooShape.pages.get("cursor_page")!, rule: undefined };
    const pages = new Map([["cursor_page", page]]);
    const single = await writeZoo("zoo_page", undefined, { ...zooShape, pages });
    assert(single.texts.join("\n").includes("animals.list reads its page"));
    const result = await runTests(folder, [...written, single].flatMap(({ paths }) => paths));
    assertEquals(result.code, 0, result.output.slice(-4000));
  });

  it("fail if an SDK with resources sends another request, or reads another result", async () => {
    const changes: readonly (readonly [from: string, to: string])[] = [
      ['"GET", "/ping"', '"POST", "/ping"'],
      ["path`/animals/${animalId}`", "path`/animal/${animalId}`"],
      ['unwrap: "result"', 'unwrap: "ok"'],
      ['"kinds[]": kinds', "kind: kinds"],
      ["json: body", "json: {}"],
      ["json: params", "json: {}"],
      ['"zoo-beta": ', '"zoo-alpha": '],
    ];
    const { paths } = await writeZoo(
      "zoo_changed",
      (text) => changes.reduce((changed, [from, to]) => changed.replaceAll(from, to), text),
    );
    const result = await runTests(folder, paths);
    assert(result.code !== 0, result.output);
    // Only the photos are as they were.
    assertEquals(passedTests(result), 2, result.output.slice(-3000));
  });

  it("leave out a method whose credentials no option of the client has", async () => {
    const { report, tests } = await withTests(JSON.stringify(zooDocument), {
      stainless: JSON.stringify({
        client_settings: { opts: { keeper: { type: "string" } } },
        resources: { tags: { methods: { replace: "put /tags" } } },
      }),
    });
    assertEquals([report.tests, tests.size], [0, 0]);
    assertEquals(report.problems.map(({ message, action }) => `${message}: ${action}`), [
      "no options of the client have its credentials: its method has no test",
    ]);
  });

  it("fail if an SDK sends another request, or reads another result", async () => {
    const document = await readFile(new URL("library.yaml", example), "utf8");
    const changes: readonly (readonly [from: string, to: string])[] = [
      ["this._post<Book>(", "this._put<Book>("],
      ["path`/books/${bookId}`, options", "path`/book/${bookId}`, options"],
      ["mergeParams(params, options?.params)", "mergeParams(options?.params)"],
      ["json: body }", "json: {} }"],
      ["422: LibraryInvalidContentError", "423: LibraryInvalidContentError"],
      [', { header: "X-Session-Token" }', ""],
      ["first: 0", "first: 1"],
      ["format: voidFormat", "format: textFormat"],
      ["  voidFormat,", "  voidFormat, textFormat,"],
    ];
    const { paths, tests } = await write(
      "library",
      document,
      {},
      (_, text) => changes.reduce((changed, [from, to]) => changed.replaceAll(from, to), text),
    );
    const result = await runTests(folder, paths);
    assert(result.code !== 0, result.output);
    // Only the text, the tip, the errors of others and the login are as they were.
    assert(passedTests(result) <= tests - 8, result.output.slice(-3000));
  });

  it("have the same bytes in each run", async () => {
    const text = await support("shop.yaml");
    const options = { models: "xml" } as const;
    const first = await withTests(text, options);
    const again = await withTests(text, options);
    assertEquals([...again.tests], [...first.tests]);
  });

  it("are one of each operation, and one of each class of errors", async () => {
    const document = await readFile(new URL("library.yaml", example), "utf8");
    const { tests, files } = await withTests(document, {}, "../src/mod.ts");
    const titles = [...tests.values()].flatMap((text) =>
      [...text.matchAll(/^test\("([^"]+)"/gm)].map(([, title]) => title!)
    );
    const classes = [...files.get("errors.ts")!.matchAll(/^export class (\w+)/gm)]
      .map(([, name]) => name!);
    const thrown = titles.flatMap((title) => / throws (\w+)$/.exec(title)?.[1] ?? []);
    assertEquals(thrown.toSorted(), classes.toSorted());
    assertEquals(titles.filter((title) => !title.includes(" throws ")).toSorted(), [
      "books.create sends its request and reads the response",
      "books.delete sends its request",
      "books.get sends its request and reads the response",
      "books.list reads two pages",
      "books.update sends its request and reads the response",
      "librarian.getCard sends its request and reads the response",
      "librarian.getTip sends its request and reads the response",
      "members.create sends its request and reads the response",
      "members.logIn sends its request and reads the response",
      "members.logOut sends its request",
      "members.whoAmI sends its request and reads the response",
    ]);
  });

  it("of the example in examples/generated are what the generator makes, and pass", async () => {
    const names = await readFile(new URL("library_names.json", example), "utf8");
    const document = await readFile(new URL("library.yaml", example), "utf8");
    // Its pages have programs, which have tests, too.
    const outputs = [
      testsOutput.with({ sdk: "../library/mod.ts" }),
      docs.with({ sdk: "../library/mod.ts" }),
    ];
    const options = { names, webhooks: "standard" };
    const { files, report, outputs: written } = await generate(document, { ...options, outputs });
    const tests = written.get("tests")!;
    const place = fileURLToPath(new URL("tests", example));
    const { added, changed, stale } = await compareFolder(place, tests, { ending: "_test.ts" });
    assertEquals([added, changed, stale], [[], [], []]);

    await writeWithSources(join(folder, "example/library"), files);
    await writeWithSources(join(folder, "example/tests"), tests);
    const paths = Array.from(tests.keys(), (path) => `example/tests/${path}`);
    const result = await runTests(folder, paths);
    assertEquals([result.code, passedTests(result)], [0, report.tests], result.output);
  });

  it("sign the webhooks of each form, and refuse one that was changed or is not signed", async () => {
    const at = { type: "string", format: "date-time" };
    const event = (properties: object, type?: string) => ({
      post: {
        requestBody: {
          content: {
            "application/json": {
              schema: {
                type: "object",
                required: type === undefined ? [] : ["type"],
                properties: {
                  ...type === undefined ? {} : { type: { const: type } },
                  ...properties,
                },
              },
            },
          },
        },
      },
    });
    const documentWith = (webhooks: object, paths = {}) =>
      JSON.stringify({
        ...{ openapi: "3.1.0", info: { title: "Hooks", version: "1" } },
        servers: [{ url: "https://hooks.example.com" }],
        webhooks,
        paths,
      });
    const untyped = documentWith({ "invoice.due": event({ at }), "invoice.paid": event({}, "x") });
    const standard = { webhooks: "standard", dates: true };
    const scheme = new URL("support/webhook_scheme.ts", import.meta.url).href;
    const apiMd = '- <code title="get /pets">client.pets.<a href="x">list</a>() -> void</code>\n';
    const pets = { "/pets": { get: { responses: { 204: { description: "" } } } } };
    const events = { due: event({ at }, "due"), paid: event({}, "paid") };
    const typed = documentWith(events);
    const written = [
      await write("hooks_typed", typed, standard),
      await write("hooks_untyped", untyped, standard),
      await write("hooks_resources", documentWith(events, pets), {
        ...standard,
        apiMd,
        name: "Hooks",
      }),
      await write("hooks_own", typed, { webhooks: scheme }),
    ];
    assertEquals(written.map(({ tests }) => tests), [3, 3, 4, 1]);
    const result = await runTests(folder, written.flatMap(({ paths }) => paths));
    assertEquals([result.code, passedTests(result)], [0, 11], result.output.slice(-4000));

    // Without its check, the tests fail.
    const broken = await write(
      "hooks_broken",
      typed,
      standard,
      (path, text) =>
        path === "webhooks.ts"
          ? text.replaceAll(
            "await verifyWebhook({ headers, body }, secret, options)",
            "{ json: <T>() => JSON.parse(String(body)) as T }",
          )
          : text,
    );
    const failed = await runTests(folder, broken.paths);
    assertEquals(passedTests(failed), 2, failed.output.slice(-3000));
  });

  it("pass no parameter that a credential sets", async () => {
    const scheme = { type: "apiKey", in: "query", name: "key" };
    const operation = (operationId: string, security: readonly object[]) => ({
      get: {
        ...{ tags: ["keys"], operationId, security },
        parameters: [{ name: "key", in: "query", required: true, schema: { type: "string" } }],
        responses: { 204: { description: "" } },
      },
    });
    const document = JSON.stringify({
      openapi: "3.1.0",
      info: { title: "Keys", version: "1" },
      servers: [{ url: "https://keys.example.com" }],
      components: { securitySchemes: { k: scheme, other: { ...scheme, name: "other" } } },
      paths: {
        "/all": operation("all", [{ k: [] }]),
        "/some": operation("some", [{ k: [] }, { other: [] }]),
        "/none": operation("none", [{ other: [] }]),
      },
    });
    const { files, report } = await withTests(document);
    const text = files.get("endpoints/keys.ts")!;
    assert(text.includes("  all(options?: CallOptions): APIPromise<void>"), text);
    assert(text.includes("  some(params?: KeysSomeParams"), text);
    assert(text.includes("  none(params: KeysNoneParams"), text);
    assertEquals(report.tests, 3);
    assertEquals(report.problems.map(({ pointer, message }) => [pointer, message]), [[
      "#/paths/~1all/get/parameters/0",
      'the parameter "key" is a credential',
    ]]);
    const { paths, tests } = await write("keys", document);
    assertEquals(passedTests(await runTests(folder, paths)), tests);
  });

  it("state the type of an empty list, which the compiler cannot find", async () => {
    const { tests } = await withTests(JSON.stringify({
      openapi: "3.1.0",
      info: { title: "Empty", version: "1" },
      servers: [{ url: "https://empty.example.com" }],
      paths: {
        "/lists": {
          get: {
            tags: ["lists"],
            operationId: "find",
            responses: {
              200: {
                description: "",
                content: { "application/json": { example: [], schema: {} } },
              },
            },
          },
        },
      },
    }));
    const [text = ""] = tests.values();
    assert(text.includes("  const expected: unknown[] = [];\n"), text);
  });

  it("leave out a method that no sample can call, which is a problem", async () => {
    const { report, tests } = await withTests(
      `openapi: 3.1.0
info: { title: Odd, version: "1" }
servers: [{ url: https://odd.example.com }]
paths:
  /nodes/{id}:
    get:
      operationId: getNode
      parameters:
        - { name: id, in: path, required: true, schema: { $ref: "#/components/schemas/Endless" } }
      responses: { 204: { description: OK } }
components:
  schemas:
    Endless: { type: object, required: [next], properties: { next: { $ref: "#/components/schemas/Endless" } } }
`,
    );
    assertEquals([report.tests, tests.size], [0, 0]);
    const ofTests = report.problems.filter(({ kind }) => kind === "unsupported");
    assertEquals(ofTests.map(({ message, action }) => `${message}: ${action}`), [
      'no sample can be sent as the path parameter "id": its method has no test',
    ]);
  });
});
