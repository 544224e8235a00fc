import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  afterEach,
  assert,
  assertEquals,
  assertStringIncludes,
  beforeEach,
  describe,
  it,
} from "#test";
import {
  CONFIGURATION_SCHEMA,
  configurationSchemaText,
} from "../../../scripts/options/configuration_schema.ts";
import { optionRows } from "../../src/options/table.ts";
import { CONFIGURATION_ROWS } from "../../src/write/arguments.ts";
import { runCommand } from "../../src/write/command.ts";

const documentOf = (title: string): string =>
  `openapi: 3.1.0
info: { title: ${title}, version: "1" }
servers: [{ url: https://api.example.com }]
paths:
  /pets:
    get:
      tags: [pets]
      operationId: listPets
      responses:
        200:
          description: OK
          content:
            application/json:
              schema: { type: object, properties: { born: { type: string, format: date } } }
`;

describe("restwright.json", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "restwright-configuration-"));
    await write("package.json", "{}");
    await write("api/pets.yaml", documentOf("Pets"));
    await write("api/cats.yaml", documentOf("Cats"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const at = (path: string): string => join(folder, path);
  const read = (path: string): Promise<string> => readFile(at(path), "utf8");

  async function write(path: string, text: string): Promise<void> {
    await mkdir(dirname(at(path)), { recursive: true });
    await writeFile(at(path), text);
  }

  /** Runs the command in a folder, and returns what it printed. */
  async function run(
    args: readonly string[],
    inFolder = folder,
    print: (line: string) => void = () => {},
  ) {
    const printed: string[] = [];
    const errors: string[] = [];
    const code = await runCommand(args, {
      folder: inFolder,
      readInput: () => Promise.resolve(""),
      print(line) {
        print(line);
        printed.push(line);
      },
      printError: (line) => errors.push(line),
    });
    return { code, printed, errors };
  }

  const configure = (content: unknown, path = "restwright.json"): Promise<void> =>
    write(path, JSON.stringify(content, null, 2));

  it("has all that a run needs, with paths from its own folder", async () => {
    await write("fixes.yaml", overlayWith("Fixed"));
    await configure({
      $schema: "./node_modules/@restwright/generate/restwright.schema.json",
      ...{ document: "api/pets.yaml", out: "src/api", tests: "tests", names: "names.json" },
      ...{ overlays: ["./fixes.yaml"], dates: true, report: "report.json", toolkit: "tool" },
    });
    const { code, errors } = await run([]);
    assertEquals([code, errors], [0, []]);
    assertStringIncludes(await read("src/api/client.ts"), "class Fixed ");
    assertStringIncludes(await read("src/api/client.ts"), '"tool"');
    assertStringIncludes(await read("src/api/endpoints/pets.ts"), "born?: Date");
    assertEquals(await readdir(at("tests")), ["pets_test.ts"]);
    assertEquals(JSON.parse(await read("names.json")), { "GET /pets": "pets.list" });
    assertEquals(JSON.parse(await read("report.json")).operations, 1);
    assertEquals((await run(["--check"])).code, 0);
    await write("fixes.yaml", overlayWith("Changed"));
    const { code: changed, printed } = await run(["--check", "--quiet"]);
    assertEquals(changed, 1);
    assert(printed.includes("changed: client.ts"), printed.join("\n"));
  });

  it("has the time limit and the header for idempotency keys", async () => {
    for (const [timeout, line] of [[30, "= 30;"], ["none", "= null;"]] as const) {
      await configure({
        ...{ document: "api/pets.yaml", out: "src/api", timeout },
        idempotencyHeader: "Request-Key",
      });
      assertEquals((await run([])).code, 0);
      const client = await read("src/api/client.ts");
      assertStringIncludes(client, `timeout: number | null ${line}`);
      assertStringIncludes(client, 'idempotencyHeader: string | null = "Request-Key";');
      assertEquals((await run(["--check", "--timeout", String(timeout)])).code, 0);
      assertEquals((await run(["--check", "--timeout=2.5"])).code, 1);
    }
    await configure({ document: "api/pets.yaml", out: "src/api", timeout: "30" });
    const { code, errors } = await run([]);
    assertEquals(code, 2);
    assertStringIncludes(
      errors.join(),
      'timeout must be a number of seconds, such as 30, or "none", not "30"',
    );
    const wrong = await run(["api/pets.yaml", "--timeout", "soon"]);
    assertStringIncludes(wrong.errors.join(), "--timeout must be a number of seconds");
  });

  it("names the scheme of webhooks, or a module relative to its folder", async () => {
    const seen = "webhooks: {seen: {post: {requestBody: {content: {application/json: " +
      "{schema: {type: object}}}}, responses: {204: {description: OK}}}}}\n";
    await write("api/pets.yaml", documentOf("Pets") + seen);
    for (
      const [webhooks, line] of [
        ["standard", "verifyWebhook({ headers, body }, secret, options)"],
        ["src/my scheme.ts", 'import { webhookScheme } from "../my scheme.ts";'],
      ] as const
    ) {
      await configure({ document: "api/pets.yaml", out: "src/api", webhooks });
      assertEquals(await run([]).then(({ code, errors }) => [code, errors]), [0, []]);
      assertStringIncludes(await read("src/api/webhooks.ts"), line);
      const path = webhooks === "standard" ? webhooks : at(webhooks);
      assertEquals((await run(["--check", "--webhooks", path])).code, 0);
    }
  });

  it("is found in the folder of the command and above it, up to the package", async () => {
    await configure({ document: "api/pets.yaml", out: "out" });
    await mkdir(at("src/deep"), { recursive: true });
    assertEquals((await run([], at("src/deep"))).code, 0);
    assert(existsSync(at("out/client.ts")));
    await write("other/deno.json", "{}");
    const { code, errors } = await run([], at("other"));
    assertEquals(code, 2);
    assertStringIncludes(errors.join(), "the document is missing");
  });

  it("has another name if --config names it", async () => {
    await configure({ document: "pets.yaml", out: "../out", name: "Zoo" }, "api/sdk.json");
    assertEquals((await run(["--config", at("api/sdk.json")])).code, 0);
    assertStringIncludes(await read("out/client.ts"), "class Zoo ");
    const missing = await run(["--config", at("none.json")]);
    assertEquals([missing.code, missing.errors], [2, [
      `generate: ${at("none.json")} does not exist`,
    ]]);
    const other = await run([at("api/cats.yaml"), "--config", at("api/sdk.json")]);
    assertEquals(other.code, 2);
    assertStringIncludes(other.errors.join(), `sdk.json has no document ${at("api/cats.yaml")}`);
  });

  it("gives way to arguments, which can also turn its options off", async () => {
    await configure({
      ...{ document: "api/pets.yaml", out: "out", dates: true, name: "Zoo" },
      overlays: ["missing.yaml"],
    });
    await write("fixes.yaml", overlayWith("Fixed"));
    const { code, errors } = await run(
      ["--no-dates", "--name", "Farm", "--overlay", at("fixes.yaml"), "--out", at("other")],
    );
    assertEquals([code, errors], [0, []]);
    assertStringIncludes(await read("other/client.ts"), "class Farm ");
    assertStringIncludes(await read("other/endpoints/pets.ts"), "born?: string");
    assert(!existsSync(at("out")));
  });

  it("is used for its documents only", async () => {
    await configure({ document: "api/pets.yaml", out: "out", name: "Zoo" });
    assertEquals((await run([at("api/pets.yaml"), "--out", at("named")])).code, 0);
    assertStringIncludes(await read("named/client.ts"), "class Zoo ");
    assertEquals((await run([at("api/cats.yaml"), "--out", at("named")])).code, 0);
    assertStringIncludes(await read("named/client.ts"), "class Cats ");
  });

  it("describes several SDKs, of which one that fails does not stop the others", async () => {
    await configure({
      dates: true,
      sdks: [
        { document: "api/none.yaml", out: "src/none" },
        { document: "api/pets.yaml", out: "src/pets" },
        { document: "api/cats.yaml", out: "src/cats", dates: false, name: "Zoo" },
      ],
    });
    const { code, printed, errors } = await run([]);
    assertEquals([code, errors], [2, [`generate: ${at("api/none.yaml")} does not exist`]]);
    const places = printed.map((line) => line.split(":")[0]);
    assertEquals([...new Set(places)], [at("src/pets"), at("src/cats")]);
    assertStringIncludes(await read("src/pets/endpoints/pets.ts"), "born?: Date");
    assertStringIncludes(await read("src/cats/endpoints/pets.ts"), "born?: string");
    await rm(at("src/pets/mod.ts"));
    await rm(at("src/cats/mod.ts"));
    assertEquals(
      (await run(["--check", "--quiet"])).printed,
      [`new: ${at("src/pets/mod.ts")}`, `new: ${at("src/cats/mod.ts")}`],
    );

    assertEquals((await run([at("api/cats.yaml"), "--out", at("one")])).code, 0);
    assertStringIncludes(await read("one/client.ts"), "class Zoo ");
    assertEquals(await readdir(at("src/pets")).then((names) => names.includes("mod.ts")), false);
    for (const args of [["--out", at("one")], ["--names", at("names.json")], ["--name", "Zoo"]]) {
      const refused = await run(args);
      assertEquals(refused.code, 2);
      assertStringIncludes(
        refused.errors.join(),
        `${args[0]} is of one SDK, and there are several`,
      );
    }
  });

  it("describes several SDKs, all of which are written if one meets a bug", async () => {
    await configure({
      sdks: [{ document: "api/pets.yaml", out: "a" }, { document: "api/cats.yaml", out: "b" }],
    });
    const { code, errors } = await run([], folder, (line) => {
      if (line.startsWith(`${at("a")}:`)) throw new RangeError("no such line");
    });
    assertEquals([code, errors.length], [2, 1]);
    assertStringIncludes(errors[0]!, "generate: internal error: no such line; this is a bug");
    assert(existsSync(at("b/client.ts")));
  });

  it("lets no two SDKs write to one folder, however their paths are written", async () => {
    const document = "api/pets.yaml";
    for (
      const [first, second, key] of [
        [{ out: "o" }, { out: "o/" }, "out"],
        [{ out: "o" }, { out: at("o") }, "out"],
        [{ out: "o" }, { out: "./p/../o" }, "out"],
        [{ out: "o" }, { out: "o/endpoints" }, "out"],
        [{ out: "o/resources" }, { out: "o" }, "out"],
        [{ out: "o", tests: "t" }, { out: "p", tests: "./t/" }, "tests"],
        [{ out: "o", names: "n.json" }, { out: "p", names: at("n.json") }, "names"],
      ] as const
    ) {
      await configure({ sdks: [{ document, ...first }, { document, ...second }] });
      const { code, errors } = await run([]);
      assertEquals(code, 2, JSON.stringify(second));
      assertStringIncludes(errors.join(), `sdks.1 must have another \`${key}\` than sdks.0: both `);
    }
    assert(!existsSync(at("o")));
    await configure({ sdks: [{ document, out: "o" }, { document, out: "o/other" }] });
    assertEquals((await run([])).code, 0);
    assert(existsSync(at("o/other/mod.ts")));
  });

  it("gives way to an argument or an SDK that states the same by another option", async () => {
    const line = (name: string): string =>
      `- <code title="get /pets">client.pets.<a href="./src/pets.ts">${name}</a>() -> void</code>\n`;
    await write("s.yml", "resources: {pets: {methods: {get: get /pets}}}\n");
    await write("api.md", line("take"));
    const sdk = { document: "api/pets.yaml", out: "out" };
    const pets = (path: string): Promise<string> => read(`${path}/resources/pets.ts`);
    await configure({ ...sdk, stainless: "s.yml" });
    const byList = await run(["--api-md", at("api.md")]);
    assertEquals([byList.code, byList.errors.length], [0, 1]);
    assertStringIncludes(byList.errors[0]!, "api.md: does not say how lists are written");
    assertStringIncludes(await pets("out"), "  take(");
    const diffed = await run(["diff", at("api/pets.yaml"), "--api-md", at("api.md")]);
    assertEquals(diffed.code, 0);

    await configure({ ...sdk, apiMd: "api.md" });
    assertEquals((await run(["--stainless", at("s.yml")])).code, 0);
    assertStringIncludes(await pets("out"), "  get(");

    await configure({ ...sdk, apiMd: "api.md" }, "old.json");
    const old = ["--old-config", at("old.json"), "--old-stainless", at("s.yml")];
    const compared = await run(["diff", at("api/pets.yaml"), at("api/pets.yaml"), ...old]);
    assertEquals([compared.code, compared.printed[0]], [
      1,
      "pets.get: the method was renamed: pets.take",
    ]);

    await configure({
      ...{ document: "api/pets.yaml", stainless: "s.yml" },
      sdks: [{ out: "a" }, { out: "b", apiMd: "api.md" }],
    });
    const both = await run([]);
    assertEquals([both.code, both.errors.length], [0, 1]);
    assertStringIncludes(await pets("a"), "  get(");
    assertStringIncludes(await pets("b"), "  take(");
  });

  it("that is broken is an error with its place", async () => {
    const sdk = { document: "api/pets.yaml", out: "out" };
    for (
      const [content, place, message] of [
        [[], "1:1", "must be an object"],
        [{ ...sdk, date: true }, "4:3", 'must have no "date", but $schema, document, out'],
        [{ ...sdk, dates: "yes" }, "4:3", 'dates must be true or false, not "yes"'],
        [{ ...sdk, models: "json" }, "4:3", 'models must be one of xml, not "json"'],
        [{ ...sdk, overlays: "a.yaml" }, "4:3", "overlays must be a list"],
        [
          { ...sdk, overlays: ["a.yaml", 1] },
          "6:5",
          "overlays.1 must be the path of a file, not 1",
        ],
        [{ ...sdk, name: "pets" }, "4:3", "name must be the name of a class, such as PetStore"],
        [{ ...sdk, out: "" }, "3:3", 'out must be the path of a folder, not ""'],
        [{ document: "-", out: "out" }, "2:3", 'document must be the path of a file, not "-"'],
        [{ sdks: [] }, "2:3", "sdks must be a list with at least one SDK"],
        [{ sdks: [{ ...sdk, sdks: [] }] }, "6:7", 'sdks.0 must have no "sdks"'],
        [{ sdks: [sdk, sdk] }, "7:5", "sdks.1 must have another `out` than sdks.0: both would"],
      ] as const
    ) {
      await configure(content);
      const { code, errors } = await run([]);
      assertEquals(code, 2);
      assertStringIncludes(errors.join(), `${at("restwright.json")}:${place}: `);
      assertStringIncludes(errors.join(), message);
    }
    await write("restwright.json", '{ "document": ');
    assertStringIncludes((await run([])).errors.join(), "restwright.json:1:15: is not JSON");
    await configure({ document: "api/pets.yaml" });
    assertStringIncludes((await run([])).errors.join(), "--out FOLDER is missing");
    await configure({ out: "out" });
    assertStringIncludes((await run([])).errors.join(), "the document is missing");
  });

  it("has the new document of diff and its options", async () => {
    await write("api/old.yaml", documentOf("Old"));
    await configure({ document: "api/pets.yaml", out: "out", name: "Zoo", strict: true });
    for (const args of [[at("api/old.yaml")], [at("api/old.yaml"), at("api/pets.yaml")]]) {
      const { code, printed, errors } = await run(["diff", ...args]);
      assertEquals([code, printed, errors], [0, ["no breaking changes"], []]);
    }
    const renamed = ["diff", at("api/old.yaml"), at("api/cats.yaml")];
    assertEquals((await run(renamed)).code, 1);
    assertEquals((await run(["diff", at("api/old.yaml"), "--name", "Farm"])).code, 0);
    assertEquals((await run([...renamed, "--config", at("restwright.json")])).code, 2);
    await configure({
      sdks: [
        { document: "api/pets.yaml", out: "out" },
        { document: "api/pets.yaml", out: "other", dates: true },
      ],
    });
    for (
      const args of [["diff", at("api/old.yaml")], [
        "diff",
        at("api/old.yaml"),
        at("api/pets.yaml"),
      ]]
    ) {
      const { code, errors } = await run(args);
      assertEquals(code, 2);
      assertStringIncludes(errors.join(), "there are 2 SDKs");
    }
  });

  it("of the old document says what diff compares with", async () => {
    await configure(
      { document: "../api/pets.yaml", out: "out", names: "names.json" },
      "old/a.json",
    );
    await write("old/names.json", '{"GET /pets": "pets.all"}');
    await configure(
      { document: "../api/pets.yaml", out: "out", overlays: ["fixes.yaml"] },
      "new/a.json",
    );
    await write("new/fixes.yaml", overlayWith("Renamed"));
    const both = ["--config", at("new/a.json"), "--old-config", at("old/a.json")];
    const { code, printed } = await run(["diff", ...both]);
    assertEquals(code, 1);
    assertEquals(printed, [
      "Pets: the client was renamed: Renamed",
      "pets.all: the method was renamed: pets.list",
      "2 breaking changes",
    ]);
    // Without it, both documents have the overlay, and only new names count.
    const same = await run(["diff", at("api/pets.yaml"), "--config", at("new/a.json")]);
    assertEquals([same.code, same.printed], [0, ["no breaking changes"]]);
    const named = await run(["diff", at("api/cats.yaml"), ...both]);
    assertEquals(named.code, 2);
    assertStringIncludes(named.errors.join(), `has no document ${at("api/cats.yaml")}`);
  });

  it("has a JSON Schema for editors, which deno task options writes from the tables", () => {
    const schema = new URL(`../../../${CONFIGURATION_SCHEMA}`, import.meta.url);
    assertEquals(readFileSync(schema, "utf8"), configurationSchemaText());
    const { properties } = JSON.parse(configurationSchemaText());
    for (const [name, { line }] of optionRows) {
      assertEquals(name in properties, line !== undefined, name);
    }
    assertEquals(Object.keys(properties).length, CONFIGURATION_ROWS.length + 2);
  });
});

/** Returns an overlay that changes the title of a document. */
function overlayWith(title: string): string {
  return `overlay: 1.0.0
info: { title: Fixes, version: 1.0.0 }
actions: [{ target: $.info, update: { title: ${title} } }]
`;
}
