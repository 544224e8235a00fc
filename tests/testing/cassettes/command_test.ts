import { writeFile } from "node:fs/promises";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { after, assert, assertEquals, before, describe, it } from "#test";
import { runCommand } from "../../../src/testing/cassettes/command.ts";
import { runChild } from "../../../scripts/shared/child.ts";
import { type CassetteFolder, cassetteFolder } from "../../support/cassette_folder.ts";

const url = "https://api.example.com";

function cassetteText(path: string): string {
  const interaction = {
    request: { method: "GET", url: url + path, headers: { range: "bytes=0-1", accept: "*/*" } },
    response: { status: 200, headers: {}, json: { id: 7 } },
  };
  return JSON.stringify({ version: 1, interactions: [interaction] });
}

describe("the command redact-cassette", () => {
  let folder: CassetteFolder;
  before(async () => {
    folder = await cassetteFolder();
  });
  after(() => folder.remove());

  /** Runs the command, and returns its exit code and its lines. */
  async function run(args: readonly string[], env: Record<string, string> = {}) {
    const lines: string[] = [];
    const print = (line: string) => void lines.push(line);
    const code = await runCommand(args, { env, print, printError: print });
    return { code, lines };
  }

  async function write(name: string, text: string): Promise<string> {
    await writeFile(folder.file(name), text);
    return folder.file(name);
  }

  async function urlIn(name: string): Promise<string> {
    return JSON.parse((await folder.texts())[name]!).interactions[0].request.url;
  }

  it("replaces the secrets in files", async () => {
    const files = [
      await write("one.json", cassetteText("/a?token=t-4711")),
      await write("other.json", cassetteText("/a?page=1")),
    ];
    const { code, lines } = await run(["redact-cassette", ...files]);

    assertEquals(code, 0);
    assertEquals(lines, [`${files[0]}: redacted`, `${files[1]}: has no secrets`]);
    assertEquals(await urlIn("one.json"), `${url}/a?token=REDACTED-1`);
    assertEquals((await folder.texts())["other.json"], cassetteText("/a?page=1"));
  });

  it("knows the names, the paths and the values that it is passed", async () => {
    const file = await write("named.json", cassetteText("/reset/abc/k-4711?pin=1234&id=ada-1815"));
    const args = ["--field", "pin", "--path", "/reset/:token", "--secret", "ADA"];
    const { code } = await run(["redact-cassette", file, ...args], { ADA: "ada-1815" });

    assertEquals(code, 0);
    assertEquals(
      await urlIn("named.json"),
      `${url}/reset/REDACTED-1/k-4711?pin=REDACTED-2&id=REDACTED-ADA`,
    );
  });

  it("prints errors only with --quiet", async () => {
    const file = await write("quiet.json", cassetteText("/a?token=t-4711"));
    const quiet = ["redact-cassette", "--quiet"];

    assertEquals(await run([...quiet, "--check", file]), { code: 1, lines: [] });
    assertEquals(await run([...quiet, file]), { code: 0, lines: [] });
    assertEquals(await urlIn("quiet.json"), `${url}/a?token=REDACTED-1`);
    const { code, lines } = await run([...quiet, folder.file("none.json")]);
    assertEquals([code, lines.length], [2, 1]);
  });

  it("writes nothing with --check, and exits with 1 if there are secrets", async () => {
    const text = cassetteText("/a?token=t-4711");
    const file = await write("checked.json", text);
    const clean = await write("clean.json", cassetteText("/a"));

    assertEquals(await run(["redact-cassette", "--check", clean, file]), {
      code: 1,
      lines: [`${clean}: has no secrets`, `${file}: has secrets`],
    });
    assertEquals((await run(["redact-cassette", "--check", clean])).code, 0);
    assertEquals((await folder.texts())["checked.json"], text);
  });

  it("turns a HAR file into a cassette", async () => {
    const entry = {
      request: { method: "GET", url: `${url}/a?api_key=k-4711`, headers: [] },
      response: { status: 204, headers: [] },
    };
    const har = await write("a.har", JSON.stringify({ log: { entries: [entry] } }));

    const refused = await run(["redact-cassette", har]);
    const { code } = await run(["redact-cassette", har, "--output", folder.file("har.json")]);

    assertEquals(refused, {
      code: 2,
      lines: [`${har} is a HAR file: pass --output FILE for the cassette`],
    });
    assertEquals(code, 0);
    assertEquals(await urlIn("har.json"), `${url}/a?api_key=REDACTED-1`);
  });

  const wrong: readonly (readonly [readonly string[], string])[] = [
    [[], "Usage: restwright redact-cassette"],
    [["redact-cassette"], "Usage: "],
    [["redact", "a.json"], "Usage: "],
    [["redact-cassette", "--unknown", "a.json"], "--unknown"],
    [["redact-cassette", "no-such-file.json"], "there is no file no-such-file.json"],
    [["redact-cassette", "package.json"], "package.json is not a cassette: version must be 1"],
    [["redact-cassette", "a", "b", "--output", "c"], "--output is for one FILE only"],
    [["redact-cassette", "a", "--secret", "NO_SUCH"], "--secret NO_SUCH: the environment has no"],
    [["redact-cassette", "a", "--path", "reset"], '"redactPaths[0]" must be a path'],
  ];
  for (const [args, message] of wrong) {
    it(`exits with 2 and shows the reason: ${args.join(" ")}`, async () => {
      const { code, lines } = await run(args);
      assertEquals(code, 2);
      assert(lines.join("\n").includes(message), lines.join("\n"));
    });
  }

  it("runs as a program", async () => {
    const program = fileURLToPath(new URL("../../../src/entries/cli.ts", import.meta.url));
    const isDeno = "Deno" in globalThis;
    const before = isDeno ? ["run", "-RWE", "--no-check", "--quiet"] : [];
    const file = await write("program.json", cassetteText("/a?token=t-4711"));
    const check = ["redact-cassette", "--check", file];
    const run = (args: readonly string[]) =>
      runChild(process.execPath, [...before, program, ...args], { cwd: process.cwd() });

    const help = await run(["--help"]);
    const found = await run(check);
    const redacted = await run(["redact-cassette", file]);
    const checked = await run(check);

    assertEquals([help.code, found.code, redacted.code, checked.code], [0, 1, 0, 0]);
    assert(help.stdout.startsWith("Usage: restwright redact-cassette"), help.output);
    assertEquals(await urlIn("program.json"), `${url}/a?token=REDACTED-1`);
  });
});
