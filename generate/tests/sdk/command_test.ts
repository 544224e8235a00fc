import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, assertEquals, assertStringIncludes, beforeEach, describe, it } from "#test";
import { runCommand } from "../../src/write/command.ts";

const DOCUMENT = `openapi: 3.1.0
info: {title: Harbour, version: "1"}
servers: [{url: https://harbour.example}]
paths:
  /boats: {get: {tags: [boats], operationId: listBoats, responses: {204: {description: None}}}}
  /docks: {get: {tags: [docks], operationId: listDocks, responses: {204: {description: None}}}}
`;
const CONFIG = `resources:
  boats: {methods: {list: get /boats, talk: {type: websocket, path: /talk}}}
  docks: {methods: {list: get /docks}}
openapi:
  transforms:
    - {command: remove, args: {target: $.paths./planes}}
readme: {}
"\\e[31m": {}
`;
const method = (name: string): string =>
  `- <code title="get /${name}">client.${name}.<a href="./src/${name}.ts">list</a>() -> void</code>\n`;

describe("the command with a shape", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "restwright-shape-"));
    await writeFile(join(folder, "api.yaml"), DOCUMENT);
    await writeFile(join(folder, "stainless.yml"), CONFIG);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** Runs the command for the document, and returns what it printed, without the folder's name. */
  async function run(...args: readonly string[]) {
    const lines: string[] = [];
    const print = (line: string) =>
      lines.push(line.replaceAll(`${folder}/`, "").replaceAll(`${folder}\\`, ""));
    const all = [join(folder, "api.yaml"), "--out", join(folder, "out"), ...args];
    const code = await runCommand(all, {
      readInput: () => Promise.resolve(""),
      print,
      printError: print,
    });
    return { code, lines };
  }

  it("lists the settings of stainless.yml that have no effect, and its problems", async () => {
    const report = join(folder, "report.json");
    const { code, lines } = await run(
      "--stainless",
      join(folder, "stainless.yml"),
      "--report",
      report,
    );
    assertEquals(code, 0);
    assertEquals(lines.slice(0, -1), [
      'stainless.yml:6:32 #/openapi/transforms/0/args/target: "$.paths./planes" leads to nothing in ' +
      "the document (left out)",
      "stainless.yml: the client does not have: resources.*.methods.* (websocket)",
      "stainless.yml: settings that concern other things: readme, \\u001b[31m",
    ]);
    const { ignored } = JSON.parse(await readFile(report, "utf8"));
    assertEquals(ignored[0], {
      ...{ key: "resources.*.methods.* (websocket)", count: 1, line: 2, lost: "client" },
    });
    const quiet = await run("--stainless", join(folder, "stainless.yml"), "--quiet");
    assertEquals(quiet, { code: 0, lines: [] });
  });

  it("reads api.md with the lists in other files that it links to", async () => {
    await mkdir(join(folder, "src"));
    await writeFile(join(folder, "api.md"), `${method("boats")}\n# [Docks](src/api.md)\n`);
    await writeFile(join(folder, "src", "api.md"), `# Docks\n\n${method("docks")}`);
    const { code, lines } = await run("--api-md", join(folder, "api.md"));
    assertEquals([code, lines.length], [0, 2]);
    assertStringIncludes(lines[0]!, "api.md: does not say how lists are written in queries");
    await rm(join(folder, "src", "api.md"));
    const { lines: missing } = await run("--api-md", join(folder, "api.md"));
    assertEquals(missing[0], "api.md: the client does not have: src/api.md (another file)");
  });

  it("ends with 2 if the file is missing or broken, or both are given", async () => {
    const stainless = join(folder, "stainless.yml");
    const cases: readonly (readonly [args: readonly string[], message: string])[] = [
      [["--stainless", join(folder, "none.yml")], "generate: none.yml does not exist"],
      [["--api-md", join(folder, "none.md")], "generate: none.md does not exist"],
      [["--api-md", stainless], "generate: api.md: must have lines such as"],
      [["--stainless", join(folder, "api.yaml")], 'openapi must be an object, not "3.1.0"'],
      [["--stainless", join(folder, "no.yml")], "generate: stainless.yml: has no resources"],
      [
        ["--stainless", stainless, "--api-md", stainless],
        "generate: --stainless and --api-md state the same: pass one of them",
      ],
    ];
    await writeFile(join(folder, "no.yml"), "settings: {license: MIT}\n");
    for (const [args, message] of cases) {
      const { code, lines } = await run(...args);
      assertEquals(code, 2, message);
      assertStringIncludes(lines.join("\n"), message);
    }
  });
});
