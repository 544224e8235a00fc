import { assert, assertEquals, describe, it } from "#test";
import { SessionTokenAuth } from "../../src/auth/mod.ts";
import { CarefulSession } from "../../examples/careful_session.ts";
import { fakeClock, mockTransport } from "../../src/testing/mod.ts";
import { turn } from "../support/until.ts";

const url = "https://library.example.com";

describe("the example of a careful session", () => {
  it("sends identical requests once, and revalidates books", async () => {
    const fetch = mockTransport({
      "GET /books/:id": ({ pathParams: { id }, headers }) =>
        headers["if-none-match"] === `"${id}"`
          ? new Response(null, { status: 304 })
          : Response.json({ id: Number(id) }, { headers: { etag: `"${id}"` } }),
    });
    const session = new CarefulSession({ url, fetch });
    for (let round = 1; round <= 2; round++) {
      const books = await session.books([1, 2, 1, 3]);
      assertEquals(books.map(({ id }) => id), [1, 2, 1, 3]);
      assertEquals(fetch.calls.length, round * 3);
    }
    assert(fetch.calls.slice(3).every(({ headers }) => headers["if-none-match"] !== undefined));
  });

  it("logs in while its limit of requests at a time is reached", async () => {
    let valid = 0;
    const clock = fakeClock({ autoAdvance: true });
    const fetch = mockTransport({
      "POST /session": () => ({ token: `t-${++valid}` }),
      "GET /books/:id": ({ pathParams: { id }, headers }) =>
        headers["x-session-token"] === `t-${valid}`
          ? Response.json({ id: Number(id) })
          : Response.json({ error: "expired" }, { status: 401 }),
    });
    const session = new CarefulSession({ url, fetch, clock });
    session.httpSession.auth = new SessionTokenAuth(session, {
      async login(api) {
        return (await api.post<{ token: string }>("session", { convJson: true })).token;
      },
    });
    const ids = Array.from({ length: 12 }, (_, index) => index);
    for (let logins = 1; logins <= 2; logins++) {
      assertEquals((await session.books(ids)).length, 12);
      fetch.assertCalled("POST /session", { times: logins });
      valid++; // the token has expired
    }
  });

  it("obeys its limits, and those of the API", async () => {
    let running = 0;
    let most = 0;
    let remaining = 30;
    let busy = 0;
    const clock = fakeClock({ autoAdvance: true });
    const fetch = mockTransport({
      "GET /books/:id": async ({ pathParams: { id } }) => {
        most = Math.max(most, ++running);
        await turn();
        running--;
        if (remaining === 0 && clock.now() >= clockStart + 60_000) remaining = 30;
        if (remaining === 0) busy++;
        else remaining--;
        const headers = { "x-ratelimit-remaining": `${remaining}`, "x-ratelimit-reset": "60" };
        return Response.json({ id: Number(id) }, { headers });
      },
    });
    const clockStart = clock.now();
    const session = new CarefulSession({ url, fetch, clock });
    const ids = Array.from({ length: 40 }, (_, index) => index);
    assertEquals((await session.books(ids)).length, 40);
    assertEquals([most, busy], [4, 0]);
    assert(clock.now() - clockStart >= 60_000);
  });
});
