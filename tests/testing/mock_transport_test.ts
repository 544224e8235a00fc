import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertThrows,
  describe,
  it,
} from "#test";
import {
  APISession,
  type SessionOptions,
  TransportError,
  UnexpectedValueError,
} from "../../mod.ts";
import {
  fakeClock,
  type MockCall,
  MockError,
  type MockTransport,
  mockTransport,
  replies,
  silentLogger,
} from "../../src/testing/mod.ts";

/** Creates a session whose requests all go to a mock, and whose retries do not wait. */
function sessionOn(fetch: MockTransport, options: SessionOptions = {}): APISession {
  const clock = fakeClock({ autoAdvance: true });
  const url = "https://api.example.com";
  return new APISession({ url, fetch, clock, logger: silentLogger, ...options });
}

describe("the replies of a mock transport", () => {
  it("are a fresh copy of a response for each request", async () => {
    const headers = { "x-request-id": "r-7" };
    const mock = mockTransport({ "GET /a": new Response("text", { status: 203, headers }) });
    const session = sessionOn(mock);
    for (let round = 0; round < 3; round++) {
      const response = await session.get("a");
      assertEquals(response.status, 203);
      assertEquals(response.headers.get("x-request-id"), "r-7");
      assertEquals(await response.text(), "text");
    }
  });

  it("are JSON for an object or an array, and a status for a number", async () => {
    const session = sessionOn(mockTransport({
      "GET /object": { id: 7 },
      "GET /array": [1, 2],
      "DELETE /object": 204,
    }));
    const object = await session.get("object");
    assertMatch(object.headers.get("content-type") ?? "", /^application\/json/);
    assertEquals(await object.json(), { id: 7 });
    assertEquals(await session.get("array", { convJson: true }), [1, 2]);
    const deleted = await session.delete("object");
    assertEquals([deleted.status, await deleted.text()], [204, ""]);
  });

  it("are built by a function from the request", async () => {
    const session = sessionOn(mockTransport({
      "GET /books/:id": ({ pathParams, params }) => Promise.resolve({ ...pathParams, ...params }),
      "POST /books": ({ json }) => Response.json(json, { status: 201 }),
      "PUT /books/:id": () => 409,
    }));
    const params = { page: 2, tag: ["a", "b"] };
    const read = await session.get("books/a%20b", { params, convJson: true });
    assertEquals(read, { id: "a b", page: "2", tag: ["a", "b"] });
    const created = await session.post("books", { json: { title: "Indigo" } });
    assertEquals([created.status, await created.json()], [201, { title: "Indigo" }]);
    await assertRejects(() => session.put("books/7"), Error, "409");
  });

  it("follow one another if they are scripted, with lost connections among them", async () => {
    const lost = new TransportError("cut", { kind: "reset" });
    const mock = mockTransport({
      "GET /jobs/1": replies(503, lost, new TypeError("fetch failed"), ({ path }) => ({ path })),
    });
    const clock = fakeClock({ autoAdvance: true });
    const job = await sessionOn(mock, { clock }).get("jobs/1", { convJson: true });
    assertEquals(job, { path: "/jobs/1" });
    assertEquals(clock.waits, [1, 1, 1]);
    assertEquals(mock.calls.length, 4);
  });

  it("are counted for each transport, although several share the scripted ones", async () => {
    const once = replies(200);
    for (const mock of [mockTransport({ "GET /a": once }), mockTransport({ "GET /a": once })]) {
      assertEquals((await sessionOn(mock).get("a")).status, 200);
      mock.assertDone();
    }
  });

  it("fail at once when all scripted ones are used", async () => {
    const mock = mockTransport({ "GET /a": replies(503, 503) });
    const error = await assertRejects(() => sessionOn(mock).get("a"), MockError);
    assertEquals(
      error.message,
      "all replies to GET /a are used (2): add one for GET https://api.example.com/a",
    );
    assertEquals(mock.calls.length, 3);
  });

  it("are checked, with the route in the message", async () => {
    for (const reply of ["text", null, 99, 600, Promise.resolve(1), new Map(), undefined]) {
      try {
        mockTransport({ "GET /a": reply as unknown as object });
      } catch (error) {
        assert(error instanceof UnexpectedValueError, String(error));
        assertEquals(error.option, "the reply to GET /a");
        continue;
      }
      throw new Error(`${reply} was accepted`);
    }
    const mock = mockTransport({ "GET /a": (() => {}) as unknown as () => number });
    const error = await assertRejects(() => sessionOn(mock).get("a"), UnexpectedValueError);
    assertEquals(error.option, "the result of the function for GET /a");
    assertEquals(mock.calls.length, 1);
  });

  it("end with the signal of a request while a function has not returned", async () => {
    const mock = mockTransport({ "GET /slow": () => new Promise<Response>(() => {}) });
    const controller = new AbortController();
    const init = { method: "GET", headers: {}, redirect: "manual" } as const;
    const pending = mock("https://api.example.com/slow", { ...init, signal: controller.signal });
    const reason = new Error("changed my mind");
    controller.abort(reason);
    assert(await assertRejects(() => pending) === reason);

    const { signal } = controller;
    const late = await assertRejects(() =>
      mock("https://api.example.com/slow", { ...init, signal })
    );
    assert(late === reason);
    assertEquals(mock.calls.length, 1);
  });
});

describe("the calls of a mock transport", () => {
  it("contain the whole request", async () => {
    const mock = mockTransport({ "PATCH /v1/books/:id": 200 });
    const session = sessionOn(mock, { basePath: "v1" });
    const options = {
      params: { a: "x y" },
      json: { title: "Ü" },
      headers: { "X-Tenant": "north" },
    };
    await session.patch("books/7", options);
    const [{ headers, ...call }] = mock.calls as [MockCall];
    assertEquals(call, {
      method: "PATCH",
      url: "https://api.example.com/v1/books/7?a=x+y",
      path: "/v1/books/7",
      pathParams: { id: "7" },
      params: { a: "x y" },
      text: '{"title":"Ü"}',
      json: { title: "Ü" },
    });
    assertEquals([headers["x-tenant"], headers["content-type"]], ["north", "application/json"]);
  });

  it("contain the text of forms and streams, with the content type", async () => {
    const mock = mockTransport({ "POST /a": 200 });
    const session = sessionOn(mock);
    await session.post("a", { data: { name: "Ada" } });
    await session.post("a", { content: () => new Blob(["line\n"]).stream() });
    await session.post("a", { files: { note: new File(["hello"], "note.txt") } });
    await session.post("a");
    const texts = mock.calls.map(({ text }) => text);
    assertEquals([texts[0], texts[1], texts[3]], ["name=Ada", "line\n", ""]);
    assert(texts[2]?.includes("hello"));
    assertEquals(mock.calls.map(({ json }) => json), [undefined, undefined, undefined, undefined]);
    const types = mock.calls.map(({ headers }) => headers["content-type"]?.split(/[;]/)[0]);
    assertEquals(types.slice(0, 3), [
      "application/x-www-form-urlencoded",
      undefined,
      "multipart/form-data",
    ]);
  });
});

describe("assertCalled", () => {
  async function calledMock(): Promise<MockTransport> {
    const mock = mockTransport({ "POST /books": 201, "GET /books/:id": {} });
    const session = sessionOn(mock);
    const headers = { "X-Tenant": "north" };
    await session.post("books", { json: { title: "Indigo", tags: ["a"] }, headers });
    await session.post("books", { json: { title: "Amber" } });
    await session.get("books/7", { params: { page: 2, tag: ["a", "b"] } });
    return mock;
  }

  const messageOf = (run: () => void): string => {
    try {
      run();
    } catch (error) {
      assert(error instanceof MockError, String(error));
      return error.message;
    }
    throw new Error("the assertion held");
  };

  it("accepts a request by its route, and by the parts that are compared", async () => {
    const mock = await calledMock();
    mock.assertCalled("POST /books");
    mock.assertCalled("POST /books", { times: 2 });
    mock.assertCalled("POST /books", { json: { tags: ["a"], title: "Indigo" }, times: 1 });
    mock.assertCalled("post /books", { headers: { "x-TENANT": "north" } });
    mock.assertCalled("POST /books", { headers: { "X-Tenant": null }, json: { title: "Amber" } });
    mock.assertCalled("POST /books", { text: '{"title":"Amber"}' });
    mock.assertCalled("GET https://api.example.com/books/:id");
    mock.assertCalled("GET /books/7", { params: { tag: ["a", "b"], page: 2 } });
    mock.assertCalled("DELETE /books/7", { times: 0 });
  });

  it("shows the difference to the closest request", async () => {
    const mock = await calledMock();
    const expected = { json: { title: "Indigo", tags: ["b"] }, headers: { "X-Tenant": "north" } };
    assertEquals(
      messageOf(() => mock.assertCalled("POST /books", expected)),
      `POST /books must be requested at least once, but 0 of 3 requests match. \
The closest is POST https://api.example.com/books (- expected, + sent):
json:
  {
    "tags": [
-     "b"
+     "a"
    ],
    "title": "Indigo"
  }`,
    );
  });

  it("shows parameters and headers that are missing, and a body that is not JSON", async () => {
    const mock = mockTransport({ "PUT /a": 200 });
    await sessionOn(mock).put("a", { content: "text" });
    const expected = { params: { page: 1 }, headers: { "x-key": "k" }, json: { a: 1 } };
    assertEquals(
      messageOf(() => mock.assertCalled("PUT /a", expected)).split("\n").slice(1),
      [
        "params:",
        "- {",
        '-   "page": "1"',
        "- }",
        "+ {}",
        "headers:",
        "  {",
        '-   "x-key": "k"',
        '+   "x-key": null',
        "  }",
        "json:",
        "- {",
        '-   "a": 1',
        "- }",
        '+ "text"',
      ],
    );
  });

  it("lists the requests if none is to the route, or if their number is another", async () => {
    const mock = await calledMock();
    const list = `
  POST https://api.example.com/books
  POST https://api.example.com/books
  GET https://api.example.com/books/7?page=2&tag=a&tag=b`;
    assertEquals(
      messageOf(() => mock.assertCalled("DELETE /books/7", { json: {} })),
      `DELETE /books/7 must be requested at least once, but 0 of 3 requests match:${list}`,
    );
    assertEquals(
      messageOf(() => mock.assertCalled("POST /books", { times: 1 })),
      `POST /books must be requested once, but 2 of 3 requests match:${list}`,
    );
    assertEquals(
      messageOf(() => mockTransport({}).assertCalled("GET /a")),
      "GET /a must be requested at least once, but 0 of 0 requests match: none",
    );
  });

  it("rejects parts that it does not compare", () => {
    const mock = mockTransport({});
    for (const expected of [{ body: "x" }, { times: 0.5 }, { times: -1 }]) {
      try {
        mock.assertCalled("GET /a", expected);
      } catch (error) {
        assert(error instanceof UnexpectedValueError, String(error));
        continue;
      }
      throw new Error(`${JSON.stringify(expected)} was accepted`);
    }
  });
});

describe("an object that describes a response, as a reply of mockTransport", () => {
  const expected =
    '"the reply to POST /u" must be a Response, a status from 200 to 599, an object or array for ' +
    "JSON, an error, but is an object with only ";
  const rows: readonly (readonly [reply: object, end: string])[] = [
    [
      { status: 201, body: { id: 7 } },
      "status and body. Pass Response.json(body, { status: 201 }). If it is itself the JSON body, " +
      "pass Response.json({ status, body })",
    ],
    [
      { status: 404, headers: {}, json: {} },
      "status and headers and json. Pass Response.json(body, { status: 404 }). If it is itself the " +
      "JSON body, pass Response.json({ status, headers, json })",
    ],
    [
      { status: 204 },
      "status. Pass 204 for a response without a body. If it is itself the JSON body, pass " +
      "Response.json({ status })",
    ],
  ];
  for (const [reply, end] of rows) {
    it(`is rejected with the right form: ${Object.keys(reply)}`, async () => {
      const error = assertThrows(() => mockTransport({ "POST /u": reply }), UnexpectedValueError);
      assertEquals(error.message, expected + end);

      const mock = mockTransport({ "POST /u": () => reply });
      const posting = () => sessionOn(mock).post("u");
      const late = await assertRejects(posting, UnexpectedValueError);
      assert(late.message.endsWith(end), late.message);
    });
  }

  it("is not JSON that has a status among other names, or another kind of status", async () => {
    const replies = [
      { status: 200, data: [] },
      { status: 404, title: "Not Found" },
      { status: "open", body: "text" },
      { status: 7 },
      { status: 1000, body: {} },
      { body: {}, headers: {} },
      [{ status: 201, body: {} }],
    ];
    for (const reply of replies) {
      const mock = mockTransport({ "POST /u": reply });
      assertEquals<unknown>(await sessionOn(mock).post("u", { convJson: true }), reply);
    }
    const mock = mockTransport({ "POST /u": Response.json({ status: 201, body: {} }) });
    const posted: unknown = await sessionOn(mock).post("u", { convJson: true });
    assertEquals(posted, { status: 201, body: {} });
  });
});

describe("assertDone", () => {
  it("forgets the requests and begins the scripted replies again with reset", async () => {
    const mock = mockTransport({
      "GET /a": replies(201, 202),
      "GET /b": replies(204),
      "PUT /c": 200,
    });
    const session = sessionOn(mock);
    for (let round = 0; round < 2; round++) {
      const { calls } = mock;
      const answers = [await session.get("a"), await session.get("a"), await session.put("c")];
      assertEquals(answers.map(({ status }) => status), [201, 202, 200]);
      await assertRejects(() => session.get("none"), MockError);
      assertEquals(mock.calls.length, 4);
      assertThrows(() => mock.assertDone(), MockError, "GET /b: 0 of 1 replies are used");

      mock.reset();
      assertEquals([calls.length, mock.calls.length], [4, 0]);
      assertThrows(() => mock.assertCalled("PUT /c"), MockError);
      mock.assertCalled("PUT /c", { times: 0 });
    }
    for (const path of ["a", "a", "b"]) await session.get(path);
    mock.assertDone();
  });

  it("keeps a request that is in progress out of the time after reset", async () => {
    const mock = mockTransport({ "POST /a": replies(201, 202) });
    const session = sessionOn(mock);
    const [read, written] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    async function* content() {
      read.resolve();
      await written.promise;
      yield new TextEncoder().encode("late");
    }
    const late = session.post("a", { content: content() });
    await read.promise;
    mock.reset();
    written.resolve();
    assertEquals([(await late).status, mock.calls.length], [201, 0]);
    assertEquals((await session.post("a")).status, 201);
  });

  it("requires that all scripted replies are used, and that each request matched", async () => {
    const mock = mockTransport({ "GET /a": replies(200, 200), "GET /b": 200 });
    const session = sessionOn(mock);
    await session.get("a");
    await session.get("c").catch(() => {});
    let message = "";
    try {
      mock.assertDone();
    } catch (error) {
      message = String(error);
    }
    assertEquals(
      message,
      `MockError: the mock is not done:
  GET /a: 1 of 2 replies are used
  GET https://api.example.com/c: no route matches`,
    );
  });
});
