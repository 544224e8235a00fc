import { readFileSync } from "node:fs";
import { assert, assertEquals, assertMatch, assertRejects, describe, it } from "#test";
import { ADA, PASSWORD, runShortDemo } from "../../examples/demo/short_demo.ts";
import { shortScenes } from "../../examples/demo/short_scenes.ts";
import { bodyOf, lineWith } from "../../examples/demo/source_code.ts";
import { sourceRoot } from "../support/contract_page.ts";
import { playDemo, testFailingScene, testStage } from "../support/played_demo.ts";

/** Plays the short demo, and returns the lines of the scene with this number. */
async function playScene(number: number): Promise<string> {
  const { lines } = await playDemo(runShortDemo);
  const start = lines.findIndex((line) => line.startsWith(`${number}  `));
  return lines.slice(start, lines.indexOf("", start)).join("\n");
}

function fileText(path: string): string {
  return readFileSync(new URL(`examples/${path}`, sourceRoot()), "utf8");
}

describe("the short demo", () => {
  it("plays seven scenes in order, on two screens of a terminal", async () => {
    const { lines } = await playDemo(runShortDemo);

    assertEquals(lines.filter((line) => /^\d+ {2}/.test(line)), [
      "1  A session logs in, and sends its token with each request",
      "2  A loop reads all pages of a list, and the items are typed",
      "3  A request that fails is sent again",
      "4  An error has a class of its own, with typed data",
      "5  XML becomes a model, and is checked",
      "6  The log shows requests, but no secrets",
      "7  An OpenAPI document becomes an SDK in one command",
    ]);
    assert(lines.length <= 60, `${lines.length} lines`);
    assertEquals(lines.filter((line) => line.length > 80), []);
  });

  it("shows the code of each scene as it is in the file", async () => {
    const { lines } = await playDemo(runShortDemo);

    const source = fileText("demo/short_scenes.ts").split("\n").map((line) => line.trim());
    const code = lines.flatMap((line, index) => {
      if (!line.startsWith("  ▸ ") || index < 2) return [];
      const end = lines.findIndex((later, at) => at > index && later.startsWith("    in "));
      return [lines.slice(index, end).map((each) => each.slice(4).trim())];
    });
    assertEquals(code.length, shortScenes.length);
    for (const block of code) {
      const start = source.indexOf(block[0]!);
      assertEquals(source.slice(start, start + block.length), block);
      assertMatch(source[start + block.length]!, /^return /);
    }
  });

  it("shows the line of the SDK, with its place in the file", async () => {
    const { lines } = await playDemo(runShortDemo);

    const text = lines.join("\n");
    const places = [...text.matchAll(/^ {4}in ([\w/]+\.(?:ts|yaml)):(\d+):\s+(.+)$/gm)];
    const documents = shortScenes.filter(({ document }) => document !== undefined);
    assertEquals(places.length, shortScenes.length + documents.length);
    for (const [, path, line, shown] of places) {
      assertEquals(fileText(path!).split("\n")[Number(line) - 1]?.trim(), shown);
    }
  });

  it("logs in, calls the API and logs out", async () => {
    assertMatch(await playScene(1), /▸ .*Library\.open\([^]*✓ .* The API knew the caller: ada\./);
  });

  it("reads all pages of a list", async () => {
    assertMatch(await playScene(2), /for await \([^]*✓ 250 books by 10 authors, from 3 pages\./);
  });

  it("shows the log of the attempts that failed, and the result", async () => {
    const scene = await playScene(3);

    assertMatch(
      scene,
      /│ 0\.00 s {2}warn {3}attempt 1 of 4: 429 TooManyRequestsError, next in 0\.3/,
    );
    assertMatch(
      scene,
      /│ 0\.30 s {2}warn {3}attempt 2 of 4: 429 TooManyRequestsError, next in 0\.3/,
    );
    assertMatch(scene, /✓ The Amber Almanac, in attempt 3, after 0\.6 s\.$/);
    assertEquals(scene.match(/│/g)?.length, 2);
  });

  it("shows an error as its class, with the data that the SDK reads from it", async () => {
    assertMatch(await playScene(4), /✗ RejectedError 422: title must be a non-empty string\.$/);
  });

  it("reads XML into a model with numbers and dates", async () => {
    assertMatch(await playScene(5), /✓ The Salt Road \(1871\), bought in 1931: /);
  });

  it("logs a request with a redacted field, and never shows a secret", async () => {
    const { lines } = await playDemo(runShortDemo);

    assertMatch(await playScene(6), /│ +body \{"username":"grace","password":"REDACTED"\}/);
    for (const secret of [ADA.password, PASSWORD]) assert(!lines.join("\n").includes(secret));
  });

  it("shows an operation of a document, its generated method, and the result of a call", async () => {
    const scene = await playScene(7);

    assertMatch(scene, /in generated\/library\.yaml:\d+: operationId: getBook\n/);
    assertMatch(scene, /in generated\/library\/endpoints\/books\.ts:\d+:\n +get\(bookId: number/);
    assertMatch(scene, /✓ The Distant Almanac \(2011\)\. /);
  });

  testStage(runShortDemo, shortScenes.length);

  testFailingScene((play) => {
    // The source of the scene is read by this name.
    const named = Object.defineProperty(play, "name", { value: "logIn" });
    const silent = { print: () => {}, colours: false };
    return runShortDemo(silent, [{ ...shortScenes[0]!, play: named }]);
  });
});

describe("the source code that the demo shows", () => {
  it("must have the function, or exactly one line with the text", async () => {
    const path = "demo/short_scenes.ts";

    await assertRejects(
      () => bodyOf(path, "dance"),
      Error,
      `examples/${path} has no function dance`,
    );
    await assertRejects(
      () => lineWith(path, "tango"),
      Error,
      "0 lines of examples/demo/short_scenes",
    );
    await assertRejects(() => lineWith(path, "await"), Error, 'contain "await"');
  });
});
