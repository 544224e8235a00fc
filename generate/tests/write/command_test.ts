import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  afterEach,
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
  beforeEach,
  describe,
  it,
} from "#test";
import { generate } from "../../mod.ts";
import { runCommand } from "../../src/write/command.ts";
import process from "node:process";

const OPERATION = "get: {tags: [pets], operationId: getPet, responses: {204: {description: OK}}}";
const DOCUMENT = `openapi: 3.1.0
info: {title: Pet Store, version: "1"}
servers: [{url: https://api.example.com}]
paths:
  /pets: {${OPERATION}}
`;
const MISTAKEN = `${DOCUMENT}  /cats/{id}:
    ${OPERATION.replace("getPet", "getCat")}
webhooks:
  made: {}
`;

describe("the command", () => {
  let folder: string;
  let out: string;
  let document: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "restwright-command-"));
    out = join(folder, "out");
    document = join(folder, "api.yaml");
    await writeFile(document, DOCUMENT);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** Runs the command, and returns what it printed. */
  async function run(args: readonly string[], input = "") {
    const printed: string[] = [];
    const errors: string[] = [];
    const code = await runCommand(args, {
      readInput: () => Promise.resolve(input),
      print: (line) => printed.push(line),
      printError: (line) => errors.push(line),
    });
    return { code, printed, errors };
  }

  /** Returns the paths of all files below the folder. */
  async function files(): Promise<string[]> {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => !entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
      .map((path) => path.replaceAll("\\", "/")).sort();
  }

  it("ends with 2 and one line with the place if the generator itself fails", async () => {
    const { normalize } = String.prototype;
    await writeFile(document, DOCUMENT);
    // Names are made with this method. No document is known that makes the generator fail.
    const broken = run([document, "--out", out, "--quiet"]);
    String.prototype.normalize = () => {
      throw new RangeError("no such form\nmore");
    };
    try {
      const { code, errors, printed } = await broken;
      assertEquals([code, printed], [2, []]);
      assertEquals(errors.length, 1);
      assertMatch(errors[0]!, /^generate: internal error at #\/\S+: no such form; this is a bug/);
    } finally {
      String.prototype.normalize = normalize;
    }
    const failing = await runCommand(["-", "--out", out], {
      readInput: () => Promise.reject(new TypeError("closed")),
      print: () => {},
      printError: (line) => assertMatch(line, /^generate: internal error: closed; this is a bug/),
    });
    assertEquals(failing, 2);
    assertEquals(existsSync(out), false);
  });

  it("writes an SDK, and prints a summary", async () => {
    const { code, printed, errors } = await run([document, "--out", out]);
    assertEquals([code, errors], [0, []]);
    assertMatch(
      printed[0]!,
      /^1 operation, \d+ types?, \d files \(\d written\), no problems$/,
    );
    const made = await files();
    for (const path of ["api.yaml", "out/client.ts", "out/endpoints/pets.ts", "out/mod.ts"]) {
      assert(made.includes(path), path);
    }
    assertStringIncludes(await readFile(join(out, "client.ts"), "utf8"), "class PetStore ");
  });

  it("has the output of the library for the same options, which names no path", async () => {
    const flags = ["--models", "xml", "--dates", "--bigint", "--open-enums", "--toolkit", "tool"];
    const safety = ["--timeout", "1.5", "--idempotency-header", "Request-Key"];
    await run([document, "--out", out, "--name", "Zoo", ...flags, ...safety]);
    const options = { dates: true, bigint: true, openEnums: true, toolkit: "tool", name: "Zoo" };
    const { files: expected } = await generate(DOCUMENT, {
      ...{ ...options, models: "xml", timeout: 1.5, idempotencyHeader: "Request-Key" },
    });
    assertEquals(
      (await files()).filter((path) => path !== "api.yaml"),
      [...expected.keys()].map((path) => `out/${path}`).sort(),
    );
    for (const [path, text] of expected) {
      assertEquals(await readFile(join(out, path), "utf8"), text);
      assertEquals(text.includes("api.yaml") || text.includes(folder), false);
    }
  });

  it("reads the standard input", async () => {
    const { code } = await run(["-", "--out", out, "--name", "Animals"], DOCUMENT);
    assertEquals(code, 0);
    assertStringIncludes(await readFile(join(out, "client.ts"), "utf8"), "class Animals ");
  });

  it("writes nothing that is not new", async () => {
    await run([document, "--out", out]);
    const { printed } = await run([document, "--out", out]);
    assertMatch(printed[0]!, /\d files \(\d unchanged\)/);
  });

  it("prints a line for each mistake, and ends with 1 if it is strict", async () => {
    await writeFile(document, MISTAKEN);
    const { code, errors, printed } = await run([document, "--out", out]);
    assertEquals(code, 0);
    assertEquals(errors.length, 2);
    assert(errors[0]!.startsWith(`${document}:7:5 #/paths/~1cats~1{id}/get: `), errors[0]);
    assert(errors[1]!.startsWith(`${document}:9:3 #/webhooks/made: `), errors[1]);
    for (const error of errors) assert(/ \([^()]+\)$/.test(error), error);
    assertMatch(printed[0]!, /, 2 problems \(1 \w+, 1 \w+\)$/);

    const strict = await run([document, "--out", out, "--strict"]);
    assertEquals(strict.code, 1);
    const quiet = await run([document, "--out", out, "--quiet"]);
    assertEquals(quiet, { code: 0, printed: [], errors: [] });
  });

  it("writes the report as JSON", async () => {
    await writeFile(document, MISTAKEN);
    const path = join(folder, "reports/api.json");
    await run([document, "--out", out, "--report", path, "--quiet"]);
    const report = JSON.parse(await readFile(path, "utf8"));
    assertEquals([report.version, report.operations, report.problems.length], ["3.1.0", 2, 2]);
    const [first] = report.problems;
    assertEquals([first.file, first.line, first.column, first.pointer], [
      ...[document, 7, 5, "#/paths/~1cats~1{id}/get"],
    ]);
    assertEquals(
      Object.values<number>(report.problemsByKind).reduce((sum, count) => sum + count),
      2,
    );
  });

  it("writes a report over an earlier one, and over no other file", async () => {
    for (const path of [document, join(document, "report.json")]) {
      const { code, errors } = await run([document, "--out", out, "--report", path]);
      assertEquals([code, errors.length], [2, 1]);
      assertEquals(await files(), ["api.yaml"]);
      assertEquals(await readFile(document, "utf8"), DOCUMENT);
    }
    const path = join(folder, "report.json");
    for (const operations of [1, 2]) {
      await run([document, "--out", out, "--report", path, "--quiet"]);
      assertEquals(JSON.parse(await readFile(path, "utf8")).operations, operations);
      await writeFile(document, MISTAKEN);
    }
  });

  it("lists what would change and writes nothing, with --check and --dry-run", async () => {
    const names = join(folder, "names.json");
    const missing = await run([document, "--out", out, "--names", names, "--check"]);
    assertEquals(missing.code, 1);
    assert(missing.printed.includes("new: endpoints/pets.ts"), missing.printed.join("\n"));
    const dry = await run([document, "--out", out, "--names", names, "--dry-run"]);
    assertEquals(dry.code, 0);
    assertEquals(dry.printed, missing.printed);
    assertEquals(await files(), ["api.yaml"]);

    await run([document, "--out", out, "--names", names]);
    assertEquals((await run([document, "--out", out, "--names", names, "--check"])).code, 0);
    const before = await files();
    await writeFile(document, DOCUMENT.replaceAll("pets", "cats"));
    const changed = await run([document, "--out", out, "--names", names, "--check", "--quiet"]);
    assertEquals(changed.code, 1);
    assertEquals(changed.printed, [
      ...["new: endpoints/cats.ts", "changed: client.ts", "changed: mod.ts"],
      ...["deleted: endpoints/pets.ts", `changed: ${names}`],
    ]);
    assertEquals(await files(), before);
  });

  it("keeps the names of a names file, whose bytes stay if nothing is new", async () => {
    const names = join(folder, "names.json");
    await run([document, "--out", out, "--names", names]);
    assertEquals(await readFile(names, "utf8"), '{\n  "GET /pets": "pets.get"\n}\n');
    const text = '{ "GET /pets": "animals.fetch" }';
    await writeFile(names, text);
    const { code } = await run([document, "--out", out, "--names", names]);
    assertEquals(code, 0);
    assertEquals(await readFile(names, "utf8"), text);
    assertStringIncludes(await readFile(join(out, "endpoints/animals.ts"), "utf8"), "  fetch(");
    assertEquals(existsSync(join(out, "endpoints/pets.ts")), false);
  });

  it("changes the document by overlays in their order, and prints their problems", async () => {
    const overlay = (title: string, target: string) =>
      `overlay: 1.0.0
info: { title: Fixes, version: 1.0.0 }
actions:
  - target: ${target}
    update: { title: ${title} }
`;
    const [first, second] = [join(folder, "first.yaml"), join(folder, "second.yaml")];
    await writeFile(first, overlay("First", "$.info"));
    await writeFile(second, overlay("Second", "$.info[?@.title == 'First']"));
    const args = [document, "--out", out, "--overlay", first, "--overlay", second];
    const { code, errors } = await run([...args, "--strict"]);
    assertEquals(code, 1);
    const problem = `${second}:4:5 #/actions/0/target: ` +
      `"$.info[?@.title == 'First']" leads to nothing (left out)`;
    assertEquals(errors, [problem]);
    assertStringIncludes(await readFile(join(out, "client.ts"), "utf8"), "class First ");

    await writeFile(second, overlay("Second", "$.info[?@.title == 'First'"));
    const broken = await run(args);
    assertEquals(broken.code, 2);
    assertStringIncludes(
      broken.errors.join(),
      `${second}:4:5: actions.0.target must be a JSONPath`,
    );
    const missing = await run([document, "--out", out, "--overlay", join(folder, "none.yaml")]);
    assertEquals(missing.code, 2);
  });

  it("lists all lists in the report, and takes overrides of their pages", async () => {
    const responses =
      "200: {description: OK, content: {application/json: {schema: {type: array}}}}";
    const parameters = "parameters: [{name: page, in: query, schema: {type: integer}}]";
    const lists = DOCUMENT.replace(
      "responses: {204: {description: OK}}",
      `responses: {${responses}}, ${parameters}`,
    );
    await writeFile(document, lists);
    const [report, overrides] = [join(folder, "report.json"), join(folder, "overrides.json")];
    const listsOf = async (...more: readonly string[]) => {
      const { code } = await run([document, "--out", out, "--report", report, ...more]);
      return [code, JSON.parse(await readFile(report, "utf8")).lists];
    };
    const found = {
      operation: "GET /pets",
      method: "pets.list",
      pages: { next: "pageNumber", items: "", param: "page" },
      reason: "the parameter `page`",
    };
    assertEquals(await listsOf(), [0, [found]]);
    const pages = { next: "linkHeader", items: "" };
    await writeFile(overrides, JSON.stringify({ "GET /pets": { pages } }));
    const reason = "the file of overrides";
    assertEquals(await listsOf("--overrides", overrides), [0, [{ ...found, pages, reason }]]);
    await writeFile(overrides, '{"GET /pets": {"pages": false}}');
    assertEquals(await listsOf("--overrides", overrides), [0, []]);
    await writeFile(overrides, '{"GET /cats": {"pages": false}}');
    for (const path of [overrides, join(folder, "none.json")]) {
      const { code, errors } = await run([document, "--out", out, "--overrides", path]);
      assertEquals([code, errors.length], [2, 1]);
    }
  });

  it("says that nothing keeps the names without a names file", async () => {
    const line =
      "no names file: pass --names FILE so that a new version of the document renames no " +
      "method";
    const lines = async (...more: readonly string[]) =>
      (await run([document, "--out", out, ...more])).printed.slice(1);
    assertEquals(await lines(), [line]);
    assertEquals(await lines("--names", join(folder, "names.json")), []);
    assertEquals(await lines("--quiet"), []);
  });

  it("reads files beside the document", async () => {
    await mkdir(join(folder, "specs/parts"), { recursive: true });
    const main = join(folder, "specs/api.yaml");
    await writeFile(main, DOCUMENT.replace(/{get.*/, "{$ref: 'parts/pets.json'}"));
    const pets = { get: { operationId: "getPet", tags: ["pets"], responses: {} } };
    await writeFile(join(folder, "specs/parts/pets.json"), JSON.stringify(pets));
    const { code, printed, errors } = await run([main, "--out", out, "--strict"]);
    assertEquals([code, errors], [0, []]);
    assertMatch(printed[0]!, /^1 operation/);
  });

  describe("of a document that refers to files outside of its folder", () => {
    let main: string;
    beforeEach(async () => {
      await mkdir(join(folder, "specs", "sub"), { recursive: true });
      main = join(folder, "specs", "main.yaml");
      for (const name of ["secret.json", "specs/sub/near.json"]) {
        await writeFile(join(folder, name), `{${OPERATION.replace("204", "200")}}`);
      }
      await symlink(join(folder, "secret.json"), join(folder, "specs", "link.json"));
      await symlink(folder, join(folder, "specs", "up"));
    });

    const refer = (path: string) =>
      writeFile(main, DOCUMENT.replace(/{get.*/, `{$ref: '${path}'}`));

    const outside = [
      "../secret.json",
      "%2e%2e/secret.json",
      "%2E./secret.json",
      "sub/../../secret.json",
      "./sub/../../specs/../secret.json",
      "link.json",
      "up/secret.json",
      "../none.json",
    ];
    for (const path of outside) {
      it(`does not read ${path}`, async () => {
        await refer(path);
        const { code, errors } = await run([main, "--out", out]);
        assertEquals(code, 0);
        assertStringIncludes(
          errors[0]!,
          "it is outside of the folder of the document; --root FOLDER allows all files in FOLDER",
        );
        assert(!existsSync(join(out, "endpoints", "pets.ts")));
      });
    }

    it("reads files in the folder that --root names", async () => {
      for (const path of [...outside.slice(0, -1), "sub/near.json"]) {
        await refer(path);
        const { code, errors } = await run([main, "--out", out, "--root", folder]);
        assertEquals([code, errors], [0, []], path);
        assert(existsSync(join(out, "endpoints", "pets.ts")));
      }
    });

    it("reads only files in that folder, which must hold the document", async () => {
      await refer("link.json");
      const root = join(folder, "specs");
      const { errors } = await run([main, "--out", out, "--root", root]);
      assertStringIncludes(errors[0]!, `it is outside of the folder ${root}, which --root allows`);
      for (const wrong of [join(root, "sub"), join(folder, "none")]) {
        const { code, errors: [error = ""] } = await run([main, "--out", out, "--root", wrong]);
        assertEquals(code, 2);
        assertMatch(error, /must be in the folder|does not exist/);
      }
    });

    it("compares it with another one by --root and --old-root", async () => {
      await refer("../secret.json");
      await mkdir(join(folder, "old"));
      const old = join(folder, "old", "main.yaml");
      await writeFile(old, await readFile(main, "utf8"));
      const both = await run(["diff", old, main, "--root", folder]);
      assertEquals([both.code, both.printed], [0, ["no breaking changes"]]);
      const own = ["--root", join(folder, "specs"), "--old-root", folder];
      assertEquals((await run(["diff", old, main, ...own])).code, 1);
    });

    it("does not copy it into a repository", async () => {
      await refer("../secret.json");
      const { code, errors } = await run(["init", main, join(folder, "repository")]);
      assertEquals(code, 2);
      assertStringIncludes(errors[0]!, "../secret.json, which cannot be copied");
    });
  });

  it("ends with 2 and one line if it cannot write anything", async () => {
    const names = join(folder, "broken.json");
    await writeFile(names, "[]");
    await writeFile(join(folder, "words.txt"), "just words");
    await writeFile(join(folder, "broken.yaml"), "a: b: c");
    const cases: readonly (readonly [args: readonly string[], message: string])[] = [
      [[join(folder, "none.yaml"), "--out", out], "none.yaml does not exist"],
      [[folder, "--out", out], "is not a file"],
      [[join(folder, "words.txt"), "--out", out], "is not an OpenAPI document"],
      [[join(folder, "broken.yaml"), "--out", out], "broken.yaml:1:"],
      [[document], "--out FOLDER is missing; --help shows the options"],
      [[document, "--out", out, "--nme", "A"], "--nme"],
      [[document, "--out", out, "--name", "my api"], "name must be the name of a class"],
      [[document, "--out", out, "--names", names], "the names file must be an object"],
      [[document, "--out", document], "is not a folder"],
      [[], "the document is missing"],
    ];
    for (const [args, message] of cases) {
      const { code, printed, errors } = await run(args);
      assertEquals([code, printed, errors.length], [2, [], 1]);
      assert(errors[0]!.startsWith("generate: "), errors[0]);
      assertStringIncludes(errors[0]!, message);
    }
    assertEquals(existsSync(out), false);
  });

  it("never overwrites a file of somebody else, also with --check", async () => {
    await mkdir(join(out, "endpoints"), { recursive: true });
    await writeFile(join(out, "endpoints/pets.ts"), "export const mine = 1;\n");
    for (const more of [[], ["--check"], ["--dry-run"]]) {
      const { code, errors } = await run([document, "--out", out, ...more]);
      assertEquals(code, 2);
      assertStringIncludes(errors.at(-1)!, "endpoints/pets.ts exists");
    }
    assertEquals(await files(), ["api.yaml", "out/endpoints/pets.ts"]);
  });

  it("follows no link out of the folder", async () => {
    await mkdir(join(folder, "elsewhere"));
    await mkdir(out);
    await symlink(join(folder, "elsewhere"), join(out, "endpoints"));
    const { code, errors } = await run([document, "--out", out]);
    assertEquals(code, 2);
    assertStringIncludes(errors[0]!, "leads out of the folder");
    assertEquals(await readdir(join(folder, "elsewhere")), []);
    assertEquals(existsSync(join(out, "mod.ts")), false);
  }, { ignore: process.platform === "win32" ? "links need a privilege on Windows" : undefined });

  it("refuses references to URLs, and names the option that allows them", async () => {
    await writeFile(document, `${DOCUMENT}  /x: {$ref: 'http://127.0.0.1:9/x.yaml'}\n`);
    const { code, errors } = await run([document, "--out", out]);
    assertEquals(code, 0);
    assertStringIncludes(errors.join("\n"), "--allow-net");
  });

  it("prints nothing of a document that would control a terminal", async () => {
    await writeFile(document, `${DOCUMENT}  "/\\u001b[31m{\\u202eid}": {${OPERATION}}\n`);
    const { errors } = await run([document, "--out", out]);
    assert(errors.length > 0);
    for (const error of errors) assertEquals(/[\p{Cc}\p{Cf}]/u.test(error), false);
  });

  it("prints the steps of a long document", async () => {
    await writeFile(document, `${DOCUMENT}x-long: "${"a".repeat(1_500_000)}"\n`);
    const { errors } = await run([document, "--out", out]);
    assertEquals(errors, [
      `reading ${document} (2 million characters)`,
      `planning ${document}`,
      `printing ${document}`,
    ]);
  });

  it("prints its help", async () => {
    const { code, printed } = await run(["--help"]);
    assertEquals(code, 0);
    const help = printed.join("\n");
    const options = [
      ...["--out", "--name", "--toolkit", "--models", "--dates", "--bigint", "--open-enums"],
      ...["--timeout", "--idempotency-header"],
      ...[
        "--names",
        "--overrides",
        "--check",
        "--dry-run",
        "--strict",
        "--report",
        "--quiet",
        "--allow-net",
      ],
    ];
    for (const option of options) assertStringIncludes(help, `\n  ${option} `);
    for (const line of help.split("\n")) assert(line.length <= 100, line);
  });

  describe("diff", () => {
    const changed = DOCUMENT.replace("getPet", "findPet");
    let newDocument: string;
    beforeEach(async () => {
      newDocument = join(folder, "new.yaml");
      await writeFile(newDocument, changed);
    });

    it("prints what breaks callers, and ends with 1", async () => {
      assertEquals(await run(["diff", document, newDocument]), {
        code: 1,
        printed: ["pets.get: the method was renamed: pets.find", "1 breaking change"],
        errors: [],
      });
      assertEquals(await run(["diff", "-", document], DOCUMENT), {
        code: 0,
        printed: ["no breaking changes"],
        errors: [],
      });
    });

    it("takes names from a names file", async () => {
      const names = join(folder, "names.json");
      await writeFile(names, "{}");
      const { code } = await run(["diff", document, newDocument, "--names", names]);
      assertEquals(code, 0);
      assertEquals(await readFile(names, "utf8"), "{}");
      const other = join(folder, "other.json");
      await writeFile(other, '{"GET /pets": "pets.take"}');
      const { printed } = await run([
        ...["diff", document, newDocument, "--names", names, "--old-names", other],
      ]);
      assertEquals(printed[0], "no breaking changes");
    });

    it("takes overrides from files", async () => {
      const overrides = join(folder, "overrides.json");
      await writeFile(overrides, '{"GET /cats": {"pages": false}}');
      for (const option of ["--overrides", "--old-overrides"]) {
        const { code, errors } = await run(["diff", document, newDocument, option, overrides]);
        assertEquals([code, errors.length], [2, 1]);
        assertStringIncludes(errors[0]!, "which the document does not have");
      }
    });

    it("takes call sites from stainless.yml and api.md", async () => {
      const configs = ["get", "take"].map((name) =>
        `resources: {pets: {methods: {${name}: get /pets}}}\n`
      );
      const [stainless, other, apiMd] = ["stainless.yml", "other.yml", "api.md"]
        .map((name) => join(folder, name)) as [string, string, string];
      await writeFile(stainless, configs[0]!);
      await writeFile(other, configs[1]!);
      await writeFile(
        apiMd,
        '- <code title="get /pets">client.pets.<a href="./src/pets.ts">take</a>() -> void</code>\n',
      );
      // The names of methods are not those of the document.
      const args = ["diff", document, newDocument];
      assertEquals((await run([...args, "--stainless", stainless])).code, 0);
      for (const old of [["--old-stainless", other], ["--old-api-md", apiMd]]) {
        const { code, printed } = await run([...args, "--stainless", stainless, ...old]);
        assertEquals(code, 1);
        assertEquals(printed[0], "pets.take: the method was renamed: pets.get");
      }
      const wrong: readonly (readonly [args: readonly string[], reason: string])[] = [
        [["--stainless", stainless, "--api-md", apiMd], "--stainless and --api-md state the same"],
        [
          ["--old-stainless", stainless, "--old-api-md", apiMd],
          "--old-stainless and --old-api-md state the same",
        ],
        [["--old-api-md", apiMd], "need --stainless, --sdk or --api-md"],
        [["--stainless", join(folder, "none.yml")], "none.yml does not exist"],
        [["--stainless", apiMd], "stainless.yml:"],
      ];
      for (const [others, reason] of wrong) {
        const { code, errors } = await run([...args, ...others]);
        assertEquals(code, 2, reason);
        assertStringIncludes(errors.join("\n"), reason);
      }
    });

    it("prints JSON that controls no terminal", async () => {
      const hostile = DOCUMENT.replace("getPet", "takePet").replace(
        "/pets",
        '"/pets\\u202e\\u001b"',
      );
      await writeFile(document, hostile);
      const { code, printed } = await run(["diff", document, newDocument, "--json"]);
      assertEquals(code, 1);
      assertEquals(JSON.parse(printed.join("\n")).changes[0].kind, "method-removed");
      assertMatch(printed.join("\n"), /^[\n -~]+$/);
    });

    it("prints what is new, as lines, as JSON and as an entry of a changelog", async () => {
      const added = "  /toys:\n    get: {tags: [pets], operationId: listToys}\n";
      await writeFile(newDocument, DOCUMENT.replace("paths:\n", `paths:\n${added}`));
      const line = "pets.listToys: the method is new: GET /toys";
      assertEquals(await run(["diff", document, newDocument]), {
        code: 0,
        printed: [`added: ${line}`, "no breaking changes, 1 addition"],
        errors: [],
      });
      const json = await run(["diff", document, newDocument, "--json"]);
      const { changes, added: [first], changed } = JSON.parse(json.printed.join("\n"));
      assertEquals([changes, first.kind, changed], [[], "method-added", []]);
      const entry = await run(["diff", document, newDocument, "--changelog"]);
      assertEquals(entry.printed.join("\n").split("\n\n"), [
        "## [Unreleased]",
        "### Added",
        `- ${line.replace("pets.listToys", "`pets.listToys`")}`,
      ]);
    });

    it("refuses options that print different things", async () => {
      for (const args of [["--json", "--quiet"], ["--json", "--changelog"]]) {
        const { code, printed, errors } = await run(["diff", document, newDocument, ...args]);
        assertEquals([code, printed], [2, []]);
        assertStringIncludes(errors.join(), "print different things: pass one of them");
      }
    });

    it("prints nothing with --quiet, and ends with the same code", async () => {
      for (const [path, expected] of [[newDocument, 1], [document, 0]] as const) {
        const result = await run(["diff", document, path, "--quiet"]);
        assertEquals(result, { code: expected, printed: [], errors: [] });
      }
      const missing = await run(["diff", document, join(folder, "none.yaml"), "--quiet"]);
      assertEquals([missing.code, missing.errors.length], [2, 1]);
    });

    it("ends with 2 if there is nothing to compare", async () => {
      for (
        const [args, reason] of [
          [[document], "there must be two documents, not 1"],
          [["-", "-"], "only one document"],
          [[document, join(folder, "none.yaml")], "does not exist"],
          [[document, newDocument, "--names", join(folder, "none.json")], "does not exist"],
          [[document, newDocument, "--out", "x"], "Unknown option '--out'"],
        ] as const
      ) {
        const { code, printed, errors } = await run(["diff", ...args]);
        assertEquals([code, printed], [2, []]);
        assertStringIncludes(errors.join("\n"), reason);
      }
      assertEquals((await run(["diff", "--help"])).code, 0);
    });
  });
});
