import { assert, assertEquals, assertRejects, assertThrows, describe, it } from "#test";
import { APISession, UnexpectedValueError } from "../../mod.ts";
import { fakeClock, MockError, mockTransport } from "../../src/testing/mod.ts";
import { matchRoute, parseRoute } from "../../src/testing/mock_route.ts";

const origin = "https://api.example.com";

describe("the routes of a mock transport", () => {
  const matching: readonly [string, string, Record<string, string>][] = [
    ["GET /books", `GET ${origin}/books?page=2`, {}],
    ["get /books", `GET ${origin}/books`, {}],
    ["GET /books/:id", `GET ${origin}/books/a%2Fb`, { id: "a/b" }],
    ["GET /books/:id", `GET ${origin}/books/100%`, { id: "100%" }],
    ["GET /:a/x/:b_2", `GET ${origin}/1/x/2`, { a: "1", b_2: "2" }],
    ["GET /books/:id.json", `GET ${origin}/books/7.json`, { id: "7" }],
    ["POST /books:import", `POST ${origin}/books:import`, {}],
    ["GET /files/*", `GET ${origin}/files/a/b`, {}],
    ["GET /*/info", `GET ${origin}/a/b/info`, {}],
    ["GET /straße", `GET ${origin}/stra%C3%9Fe`, {}],
    ["GET /a+(b)", `GET ${origin}/a+(b)`, {}],
    [`GET ${origin}/:id`, `GET ${origin}/7`, { id: "7" }],
    ["GET http://localhost:8080/a", "GET http://localhost:8080/a", {}],
    ["PURGE /a", `PURGE ${origin}/a`, {}],
  ];
  for (const [route, request, params] of matching) {
    it(`match: ${route} with ${request}`, () => {
      const [method, url] = request.split(" ") as [string, string];
      assertEquals(matchRoute(parseRoute(route), method, new URL(url)), params);
    });
  }

  const others: readonly [string, string][] = [
    ["GET /books", `POST ${origin}/books`],
    ["GET /books", `GET ${origin}/books/`],
    ["GET /books", `GET ${origin}/v1/books`],
    ["GET /books/:id", `GET ${origin}/books/7/copies`],
    ["GET /books/:id", `GET ${origin}/books/`],
    ["GET /a.b", `GET ${origin}/aXb`],
    [`GET ${origin}/a`, "GET https://other.example.com/a"],
    [`GET ${origin}/a`, "GET http://api.example.com/a"],
  ];
  for (const [route, request] of others) {
    it(`do not match: ${route} with ${request}`, () => {
      const [method, url] = request.split(" ") as [string, string];
      assertEquals(matchRoute(parseRoute(route), method, new URL(url)), undefined);
    });
  }

  for (const route of ["", "/books", "GET", "GET books", "GET /a?b=1", "GET  /a", "GET http://"]) {
    it(`are a method and a path or URL, and not: ${route || "an empty string"}`, () => {
      const error = assertThrows(() => mockTransport({ [route]: 200 }), UnexpectedValueError);
      assertEquals(
        error.message,
        '"route" must be a method and a path without a query, as in "GET /books/:id", ' +
          `or a method and a full URL, but is ${JSON.stringify(route)}`,
      );
    });
  }

  it("are tried in order", async () => {
    const fetch = mockTransport({ "GET /a/*": ["first"], "GET /a/b": ["second"] });
    const session = new APISession({ url: origin, fetch });
    assertEquals(await session.get("a/b", { convJson: true }), ["first"]);
  });

  it("are listed, closest first, if none matches, and the request is not sent again", async () => {
    const clock = fakeClock({ autoAdvance: true });
    const fetch = mockTransport({
      "POST /invoices": 201,
      "GET /members/:id": {},
      [`GET ${origin}/books/:id/copies`]: [],
      "PUT /books/:id": 200,
      "GET /books/:id": {},
    });
    const session = new APISession({ url: origin, fetch, clock });
    const call = session.get("bokks/1234567", { params: { page: 2 } });
    const error = await assertRejects(() => call, MockError);
    assertEquals(
      error.message,
      `no route matches GET ${origin}/bokks/1234567?page=2; the routes, closest first:
  GET /books/:id
  PUT /books/:id
  GET /members/:id
  GET ${origin}/books/:id/copies
  POST /invoices`,
    );
    assertEquals([fetch.calls.length, clock.waits], [1, []]);
    assert(!(error instanceof TypeError));
  });

  it("may be none", async () => {
    const fetch = mockTransport({});
    const session = new APISession({ url: origin, fetch });
    await assertRejects(() => session.get("a"), MockError, "the routes, closest first: none");
  });
});
