import { assertEquals, assertRejects, beforeEach, describe, it } from "#test";
import { GitHub, type Issue } from "../../examples/github_client.ts";
import { NotFoundError } from "../../mod.ts";
import { ForbiddenError, PagingError } from "../../src/entries/errors.ts";
import { type FakeClock, fakeClock } from "../../src/testing/fake_clock.ts";
import { mockTransport, recordingLogger, replies } from "../../src/testing/mod.ts";

const issue = (number: number): Issue => ({
  number,
  title: `#${number}`,
  body: null,
  state: "open",
});
const root = "/repos/ada/engine/issues";
const NOW = Date.UTC(2026, 10, 22, 12);

describe("the GitHub client of the examples", () => {
  let clock: FakeClock;
  beforeEach(() => {
    clock = fakeClock({ autoAdvance: true, start: NOW });
  });

  function start(routes: Parameters<typeof mockTransport>[0]) {
    const fetch = mockTransport(routes);
    const logger = recordingLogger();
    const github = new GitHub({ token: "t-1234", fetch, clock, logger });
    return { issues: github.issues("ada", "engine"), fetch, logger };
  }

  it("gets, creates, updates and comments on an issue, with its token", async () => {
    const { issues, fetch, logger } = start({
      [`GET ${root}/:number`]: ({ pathParams }) => issue(Number(pathParams["number"])),
      [`POST ${root}`]: Response.json(issue(8), { status: 201 }),
      [`PATCH ${root}/7`]: { ...issue(7), state: "closed" },
      [`POST ${root}/7/comments`]: Response.json({ id: 1, body: "Done." }, { status: 201 }),
    });
    assertEquals((await issues.get(7, { timeout: 5 })).title, "#7");
    assertEquals((await issues.create({ title: "#8" })).number, 8);
    assertEquals((await issues.update(7, { state: "closed" })).state, "closed");
    assertEquals((await issues.comment(7, "Done.")).id, 1);
    const headers = { authorization: "Bearer t-1234", accept: "application/vnd.github+json" };
    fetch.assertCalled(`POST ${root}`, { json: { title: "#8" }, headers });
    fetch.assertCalled(`PATCH ${root}/7`, { json: { state: "closed" } });
    fetch.assertCalled(`POST ${root}/7/comments`, { json: { body: "Done." } });
    assertEquals(logger.messages().join("\n").includes("t-1234"), false);
  });

  it("lists all issues by the Link header", async () => {
    const pages: Readonly<Record<string, Response>> = {
      "1": Response.json([issue(1), issue(2)], {
        headers: {
          link: `<https://api.github.com${root}?state=all&page=2>; rel="next", ` +
            `<https://api.github.com${root}?state=all&page=2>; rel="last"`,
        },
      }),
      "2": Response.json([issue(3)], {
        headers: { link: `<https://api.github.com${root}?page=1>; rel="first"` },
      }),
    };
    const { issues, fetch } = start({
      [`GET ${root}`]: ({ params }) => pages[params["page"]?.toString() ?? "1"]!.clone(),
    });
    const numbers: number[] = [];
    for await (const { number } of issues.list({ state: "all" })) numbers.push(number);
    assertEquals(numbers, [1, 2, 3]);
    assertEquals(fetch.calls.map(({ params }) => params), [{ state: "all" }, {
      state: "all",
      page: "2",
    }]);
  });

  it("does not follow a link to another host", async () => {
    const headers = { link: '<https://evil.example/>; rel="next"' };
    const { issues, fetch } = start({ [`GET ${root}`]: Response.json([], { headers }) });
    await assertRejects(() => issues.list().collect(), PagingError);
    assertEquals(fetch.calls.length, 1);
  });

  it("waits for the reset of a rate limit, which is a 403", async () => {
    const limited = new Response(null, {
      status: 403,
      headers: {
        "x-ratelimit-remaining": "0",
        "x-ratelimit-reset": String(NOW / 1000 + 42),
      },
    });
    const { issues } = start({ [`GET ${root}/7`]: replies(limited, issue(7)) });
    assertEquals((await issues.get(7)).number, 7);
    assertEquals((clock.now() - NOW) / 1000, 42);
  });

  it("throws any other 403 at once", async () => {
    const { issues, fetch } = start({ [`GET ${root}/7`]: 403 });
    await assertRejects(() => issues.get(7), ForbiddenError);
    assertEquals(fetch.calls.length, 1);
  });

  it("revalidates what it has received, and shows the current state", async () => {
    const tagged = (one: Issue, etag: string) => Response.json(one, { headers: { etag } });
    const unchanged = new Response(null, { status: 304 });
    const { issues, fetch } = start({
      [`GET ${root}/7`]: replies(
        tagged(issue(7), '"a"'),
        unchanged,
        tagged({ ...issue(7), state: "closed" }, '"b"'),
        unchanged,
      ),
    });
    const states: string[] = [];
    for (let times = 0; times < 4; times++) states.push((await issues.get(7)).state);
    assertEquals(states, ["open", "open", "closed", "closed"]);
    assertEquals(fetch.calls.map(({ headers }) => headers["if-none-match"]), [
      undefined,
      '"a"',
      '"a"',
      '"b"',
    ]);
  });

  it("throws errors by status", async () => {
    const { issues } = start({ [`GET ${root}/7`]: 404 });
    await assertRejects(() => issues.get(7), NotFoundError);
  });
});
