import { assertEquals, assertRejects, describe, it } from "#test";
import { responseLike } from "../../src/http/response.ts";
import { scripted } from "../support/scripted.ts";
import { APIError, APISession, type SessionOptions } from "../../mod.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { describeGenerations } from "../support/generations.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";

/** Creates a response with a status that the constructor may refuse. */
function withStatus(status: number, init: ResponseInit = {}): Response {
  const response = new Response(null, init);
  Object.defineProperty(response, "status", { value: status });
  return response;
}

describe("a copy of a response with another body", () => {
  it("has the original's status, reason phrase and headers, and the new body", async () => {
    const original = new Response("old", {
      status: 201,
      statusText: "Made",
      headers: [["x-id", "7"], ["content-type", "text/x"], ["set-cookie", "a=1"], [
        "set-cookie",
        "b=2",
      ]],
    });
    const copy = responseLike(original, "new");
    assertEquals([copy.status, copy.statusText, copy.ok], [201, "Made", true]);
    assertEquals(copy.headers.get("x-id"), "7");
    assertEquals(copy.headers.get("content-type"), "text/x");
    assertEquals(copy.headers.getSetCookie(), ["a=1", "b=2"]);
    assertEquals(await copy.text(), "new");
    assertEquals(original.bodyUsed, false);
  });

  it("keeps url, redirected and type, which the Response constructor does not accept", () => {
    const original = new Response("old");
    const properties = { url: "https://a.example/x", redirected: true, type: "cors" };
    for (const [name, value] of Object.entries(properties)) {
      Object.defineProperty(original, name, { value });
    }
    const { url, redirected, type } = responseLike(original, "new");
    assertEquals<unknown>({ url, redirected, type }, properties);
  });

  it("leaves out a header whose name the Response constructor refuses", async () => {
    const original = new Response("old", { status: 201 });
    // The headers of Node 22 if a server sends "X-Name : value".
    const headers = new Map([["x-name ", "value"], ["x-id", "7"]]);
    Object.defineProperty(original, "headers", { value: headers });
    const copy = responseLike(original, new Blob(["new"]).stream());
    assertEquals([copy.status, [...copy.headers]], [201, [["x-id", "7"]]]);
    assertEquals(await copy.text(), "new");
  });

  for (const status of [204, 205, 304]) {
    it(`has no body if the status is ${status}, even if one is passed`, async () => {
      const copy = responseLike(new Response(null, { status }), "a body that cannot be");
      assertEquals([copy.status, copy.body, await copy.text()], [status, null, ""]);
    });
  }

  for (const status of [100, 101, 103, 199, 600, 799, 999]) {
    it(`keeps the status ${status}, which the Response constructor refuses, and is not ok`, () => {
      const copy = responseLike(withStatus(status), "hello");
      assertEquals([copy.status, copy.ok], [status, false]);
    });
  }

  for (const status of [200, 298, 299, 300, 404, 599]) {
    it(`keeps the status ${status}, and its body can be read`, async () => {
      const copy = responseLike(new Response("old", { status }), "new");
      assertEquals([copy.status, copy.ok, await copy.text()], [status, status < 300, "new"]);
    });
  }

  for (
    const [what, body] of [
      ["text", "hello"],
      ["bytes", new TextEncoder().encode("hello")],
      ["a buffer", new TextEncoder().encode("hello").buffer],
      ["a stream", new Response("hello").body],
    ] as const
  ) {
    it(`accepts ${what} as the body`, async () => {
      assertEquals(await responseLike(new Response(), body).text(), "hello");
    });
  }

  it("keeps a status outside 200 to 599 and the body as the response of an error", async () => {
    const answer = new Response("odd");
    Object.defineProperty(answer, "status", { value: 600 });
    const session = new APISession({
      url: "https://a.example",
      adapter: scripted(() => answer),
      finalWait: false,
    });
    const error = await session.get("x").then(() => undefined, (error) => error);
    assertEquals(error instanceof APIError, true);
    assertEquals([error.status, error.response.status, error.response.ok], [600, 600, false]);
    assertEquals([error.body, await error.response.text()], ["odd", "odd"]);
  });
});

describeGenerations("a response with a status that the constructor refuses", ({ Session }) => {
  function start(options: SessionOptions = {}) {
    const log = recordingLogger();
    const defaults = {
      url: "https://a.example",
      logger: log,
      clock: fakeClock({ autoAdvance: true }),
      retries: 1,
    };
    return { session: new Session({ ...defaults, ...options }), log };
  }

  it("keeps its status in a clone", async () => {
    const answer = new Response("odd");
    Object.defineProperty(answer, "status", { value: 600 });
    const { session } = start({ adapter: scripted(() => answer) });
    const error = await assertRejects(() => session.get("x"), APIError);
    assertEquals(error.response.clone().status, 600);
  });
});
