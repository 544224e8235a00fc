import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, assertEquals, beforeEach, describe, it } from "#test";
import { runCommand } from "../../src/write/command.ts";
import { newSdk } from "../support/frozen_sdk.ts";

const DOCUMENT = `openapi: 3.1.0
info: { title: Lamps, version: "1" }
servers: [{ url: https://api.lamps.example/v1 }]
paths:
  /lamps/{id}:
    get:
      operationId: getLamp
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses: { 204: { description: None } }
`;

describe("the command with the folder of a frozen SDK", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "restwright-sdk-"));
    for (const { file, text } of newSdk) await write(`old/${file}`, text);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function write(path: string, text: string): Promise<void> {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }

  /** Writes the script of a mock server that carries the document. */
  async function writeMock(): Promise<void> {
    const packed = new Blob([DOCUMENT]).stream().pipeThrough(new CompressionStream("gzip"));
    const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
    const encoded = btoa(Array.from(bytes, (each) => String.fromCharCode(each)).join(""));
    await write("old/scripts/mock", `#!/usr/bin/env bash\n  EMBEDDED_SPEC="${encoded}"\n`);
  }

  async function run(...args: readonly string[]) {
    const lines: string[] = [];
    const print = (line: string) => lines.push(line.replaceAll(folder, "").replaceAll("\\", "/"));
    const code = await runCommand(args, {
      ...{ folder, readInput: () => Promise.resolve(""), print, printError: print },
    });
    return { code, lines };
  }

  it("reads the document that the SDK carries", async () => {
    await writeMock();
    const out = join(folder, "out");
    const { code, lines } = await run("--sdk", join(folder, "old"), "--out", out);
    assertEquals([code, lines.at(-1)!.split(",")[0]], [0, "9 operations"]);
    const client = await readFile(join(out, "client.ts"), "utf8");
    assertEquals(client.includes("class Lamps extends ResourceClient"), true);
  });

  it("prints the URL of a document that it must not load", async () => {
    const args = ["--sdk", join(folder, "old"), "--out", join(folder, "out")];
    assertEquals((await run(...args)).lines, [
      "generate: the SDK has no document in scripts/mock: pass DOCUMENT",
    ]);
    await write("old/.stats.yml", "openapi_spec_url: https://specs.example/lamps.yml\n");
    assertEquals((await run(...args)).lines, [
      "generate: the SDK has no document in scripts/mock: pass DOCUMENT; its .stats.yml names " +
      "https://specs.example/lamps.yml, which you can fetch",
    ]);
  });

  it("is refused beside a list of methods", async () => {
    const { code, lines } = await run("a.yaml", "--sdk", "old", "--api-md", "x", "--out", "out");
    assertEquals([code, lines], [2, [
      "generate: --sdk and --api-md state the same: pass one of them; --help shows the options",
    ]]);
  });

  it("makes a repository that needs the folder no more", async () => {
    await writeMock();
    const repository = join(folder, "new");
    const { code } = await run("init", repository, "--sdk", join(folder, "old"), "--quiet");
    assertEquals(code, 0);
    const files = await readdir(repository);
    assertEquals(["sdk.json", "names.json"].map((each) => files.includes(each)), [true, false]);
    const configuration = JSON.parse(await readFile(join(repository, "restwright.json"), "utf8"));
    assertEquals([configuration.sdk, configuration.document], ["sdk.json", "openapi/openapi.yaml"]);
    await rm(join(folder, "old"), { recursive: true });
    const check = await run("--config", join(repository, "restwright.json"), "--check", "--quiet");
    assertEquals(check, { code: 0, lines: [] });
  });

  it("compares two documents by the SDK", async () => {
    await write("old.yaml", DOCUMENT);
    const sdk = ["--sdk", join(folder, "old")];
    const same = await run("diff", join(folder, "old.yaml"), join(folder, "old.yaml"), ...sdk);
    assertEquals(same, { code: 0, lines: ["no breaking changes"] });
  });
});
