import { assert, assertEquals, assertMatch, describe, it } from "#test";
import { SECRET } from "../../examples/demo/redacted_log.ts";
import { allScenes, runDemo } from "../../examples/demo/run_demo.ts";
import { playDemo, testFailingScene, testStage } from "../support/played_demo.ts";

/** Returns the lines of the scene whose title contains `title`. */
function sceneOf(lines: readonly string[], title: string): string {
  const start = lines.findIndex((line) => /^\d+ {2}/.test(line) && line.includes(title));
  assert(start >= 0, `a scene about ${title}`);
  return lines.slice(start, lines.indexOf("", start)).join("\n");
}

describe("the demo with --verbose", () => {
  it("plays its scenes in order, and fits a terminal", async () => {
    const { lines } = await playDemo(runDemo);

    const titles = lines.filter((line) => /^\d+ {2}/.test(line));
    assertEquals(titles, [
      "1  An endpoint class has a method for each operation",
      "2  An iterator reads a list page by page",
      "3  A request is retried when a busy API asks for it",
      "4  Every error status has an error class",
      "5  The log shows every request, but no secrets",
      "6  A session logs in when it opens, and logs out when it closes",
      "7  A client of generation 2 returns models and validates responses",
      "8  A call can return the data together with the response",
      "9  An error has typed data and the id of the request",
      "10  A loop reads a list, with an iterator or a generator",
      "11  A copy of a client can have other options",
      "12  One model class reads and writes both JSON and XML",
      "13  A validation error lists all problems, with line and column",
      "14  An SDK can be generated from an OpenAPI document",
    ]);
    assertEquals(titles.length, allScenes.length);
    assert(lines.length <= 15 * titles.length, `${lines.length} lines`);
    assertEquals(lines.filter((line) => line.length > 80), []);
  });

  it("logs in, sends a token and logs out, and shows neither password nor token", async () => {
    const scene = sceneOf((await playDemo(runDemo)).lines, "logs in");

    assertMatch(scene, /▸ Library\.open.*\n.*POST [^]*✓ logged in/);
    assertMatch(scene, /▸ library\.members\.me.*\n.*GET [^]*✓ the API knows the user: ada\n/);
    assertMatch(scene, /▸ library\.close.*\n.*DELETE [^]*✓ logged out/);
    assertEquals(scene.includes("countess"), false);
  });

  it("reads and writes through an endpoint class", async () => {
    const scene = sceneOf((await playDemo(runDemo)).lines, "endpoint class");

    assertMatch(scene, /▸ library\.books\.list.*\n.*│.*GET [^]*✓ 25 books/);
    assertMatch(scene, /▸ library\.books\.add.*\n.*│.*POST [^]*✓ added as #251\n/);
    assertMatch(scene, /▸ library\.books\.update.*\n.*│.*PATCH [^]*✓ On Fetch.*on loan/);
    assertMatch(scene, /▸ library\.books\.remove.*\n.*│.*DELETE [^]*✓ removed/);
  });

  it("reads 250 books with an iterator that prefetches", async () => {
    const scene = sceneOf((await playDemo(runDemo)).lines, "iterator");

    assertMatch(scene, /▸ for await [^]*all\(\{ prefetch: 1 \}\)/);
    assertEquals(scene.match(/GET /g)?.length, 3);
    assertMatch(scene, /✓ 250 books by 10 authors/);
    assertMatch(scene, /pages +3, each fetched while/);
  });

  it("shows a 429 that is retried after the time in Retry-After", async () => {
    const { lines, clock } = await playDemo(runDemo);

    const scene = sceneOf(lines, "busy API");
    assertMatch(
      scene,
      /0\.00 s {2}warn {3}attempt 1 of 4: 429 TooManyRequestsError, next in 0\.3 s/,
    );
    assertMatch(
      scene,
      /0\.30 s {2}warn {3}attempt 2 of 4: 429 TooManyRequestsError, next in 0\.3 s/,
    );
    assertMatch(scene, /0\.60 s {2}debug {2}GET /);
    assertMatch(scene, /attempts +3\n +waited +0\.6 s/);
    // The waits of the requests. A session also checks its login after some seconds.
    assertEquals(clock.waits.filter((seconds) => seconds < 1).slice(0, 2), [0.3, 0.3]);
  });

  it("shows a 404 as its class with its properties, and an error class of the client", async () => {
    const scene = sceneOf((await playDemo(runDemo)).lines, "error status");

    assertMatch(scene, /✗ NotFoundError: 404 Not Found: GET http/);
    assertMatch(scene, /\.status +404\n/);
    assertMatch(scene, /\.body +\{"error":"there is no book 999"\}\n/);
    assertMatch(scene, /\.retries +0, because \.retryable is false\n/);
    assertMatch(scene, /✗ RejectedError[^]*\.problems +title must be/);
  });

  it("shows the log with a redacted field, and never the secret", async () => {
    const { lines } = await playDemo(runDemo);

    const scene = sceneOf(lines, "no secrets");
    assertMatch(scene, /│ +body \{"username":"grace","password":"REDACTED"\}/);
    assertMatch(scene, /✗ RequestConflictError: 409 Conflict/);
    assert(!lines.join("\n").includes(SECRET));
  });

  it("shows models of generation 2, and refuses an invalid one", async () => {
    const scene = sceneOf((await playDemo(runDemo)).lines, "returns models");

    assertMatch(scene, /✓ a Book, instanceof Book: true/);
    assertMatch(scene, /\.summary\(\) +The Distant Almanac, by Dario Stone \(2011\), on loan\n/);
    assertMatch(
      scene,
      /✗ ValidationError[^]* id +expected a whole number, [^\n]*\n +author +expected a string/,
    );
  });

  it("shows the response of a call, with its request id", async () => {
    const scene = sceneOf((await playDemo(runDemo)).lines, "together with the response");

    assertMatch(scene, /▸ .*\.withResponse\(\)\n.*POST [^]*✓ On Fetch/);
    assertMatch(scene, /status +201\n +location +\/books\/252\n +x-request-id +r-\d+\n/);
  });

  it("shows the typed data of an error, and the id of its request", async () => {
    const scene = sceneOf((await playDemo(runDemo)).lines, "error has typed data");

    assertMatch(scene, /✗ MissingError: 404\n +\.data\.error +there is no book 999\n/);
    assertMatch(scene, /\.requestId +r-\d+\n/);
    assertMatch(
      scene,
      /✗ RejectedError: 422\n +\.data\.problems\[0\] +title: a non-empty string[^]*year: /,
    );
  });

  it("reads pages with an iterator and with a generator", async () => {
    const scene = sceneOf((await playDemo(runDemo)).lines, "loop reads a list");

    assertMatch(scene, /✓ 25 books on 2 pages, 7 of them on loan/);
    assertEquals(scene.match(/GET /g)?.length, 3);
    assertMatch(scene, /✓ The Distant Almanac.*: no more requests/);
  });

  it("shows a client with other options, which fails when the original waits", async () => {
    const { lines, clock } = await playDemo(runDemo);

    const scene = sceneOf(lines, "can have other options");
    assertMatch(scene, /✓ shares the HTTP session and the login: true/);
    assertMatch(scene, /✗ TooManyRequestsError, after 0 retries/);
    assertMatch(scene, /warn {3}attempt 1 of 4: 429 [^]*✓ The Amber Almanac, after 0\.3 s/);
    assertEquals(clock.waits.filter((seconds) => seconds < 1), [0.3, 0.3, 0.3]);
  });

  it("reads a book from JSON and from XML into one class, and sends it back as XML", async () => {
    const scene = sceneOf((await playDemo(runDemo)).lines, "One model class");

    const summary = "instanceof Book: true\n +\\.summary\\(\\) +The Distant Almanac, .*, on loan\n";
    assertMatch(scene, new RegExp(`✓ a Book from application/json, ${summary}`));
    assertMatch(scene, new RegExp(`✓ a Book from application/xml, ${summary}`));
    assertMatch(
      scene,
      /▸ .*"xml"\)\n.*PUT [^]*✓ stored, and no longer on loan; it was sent as this XML:/,
    );
    assertMatch(
      scene,
      /<book id="4">\n +<title>The Distant[^]*<onLoan>false<\/onLoan>\n +<\/book>/,
    );
  });

  it("shows the path, line and column of each problem in XML, and what was expected", async () => {
    const scene = sceneOf((await playDemo(runDemo)).lines, "lists all problems");

    assertMatch(scene, /✓ The Salt Road \(1871\), bought in 1931/);
    assertMatch(scene, /✗ ValidationError: 2 problems\n +request +GET http.*\/cards\/2\n/);
    assertMatch(scene, /\/card\/year, line 4, column 3:\n +expected a whole number, but it is/);
    assertMatch(scene, /\/card\/copies\/copy\[2\], line 7, column 5:\n +expected a date such as/);
    const [source, caret] = scene.split("\n").slice(-2);
    assertEquals(source?.indexOf("<copy"), caret?.indexOf("^"));
  });

  it("shows calls of a generated SDK, with the typed data of an error", async () => {
    const scene = sceneOf((await playDemo(runDemo)).lines, "generated from an OpenAPI document");

    assertMatch(scene, /▸ generated\.books\.list.*\n.*GET [^]*✓ 2 of 25 books, the first is The /);
    assertMatch(scene, /✗ LibraryNotFoundError: 404\n +\.data\.error +there is no book 999$/);
  });

  testStage(runDemo, allScenes.length);

  testFailingScene((play) =>
    runDemo({ print: () => {}, colours: false }, [{ title: "a scene that fails", play }])
  );
});
