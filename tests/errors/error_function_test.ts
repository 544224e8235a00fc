import { errorsBy } from "../../src/entries/errors.ts";
import { assert, assertEquals, assertRejects, assertStrictEquals, describe, it } from "#test";
import { APIError, APISession, NotFoundError, type SessionOptions } from "../../mod.ts";
import { BadGatewayError, type ErrorFunction } from "../../src/entries/errors.ts";
import { defaultErrorFunction, type ErrorFunctionDetails } from "../../src/errors/mod.ts";
import { fakeClock } from "../../src/testing/fake_clock.ts";
import { describeGenerations } from "../support/generations.ts";
import { recordingLogger } from "../../src/testing/recording_logger.ts";
import { type Answer, scripted } from "../support/scripted.ts";

const problemType = "application/problem+json";

/** Creates a response with problem details (RFC 9457). */
function problem(
  body: unknown,
  { status = 403, type = problemType, statusText = "Forbidden" } = {},
): Response {
  const headers = { "content-type": type };
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return new Response(text, { status, statusText, headers });
}

/** Returns the error of a call. */
function failure(answer: Answer, options: Partial<SessionOptions> = {}): Promise<APIError> {
  const session = new APISession({
    url: "https://a.example",
    adapter: scripted(answer),
    retries: 0,
    logger: recordingLogger(),
    ...options,
  });
  return assertRejects(() => session.get("x"), APIError);
}

describe("the default error function", () => {
  const request = { method: "GET", url: "https://api.example.com/x" };
  const details: ErrorFunctionDetails = {
    retries: 0,
    request,
    body: "secret",
    data: undefined,
    redact: (text) => text,
  };
  const cases: readonly (readonly [number, string, Partial<ErrorFunctionDetails>, string])[] = [
    [404, "Not Found", {}, `404 Not Found: GET ${request.url}`],
    [404, "", {}, `404: GET ${request.url}`],
    [503, "", { retries: 1 }, `503: GET ${request.url} (after 1 retry)`],
    [503, "", { retries: 3 }, `503: GET ${request.url} (after 3 retries)`],
    [503, "Down", { request: undefined }, "503 Down"],
    [503, "Down", { redact: () => "hidden" }, `503 hidden: GET ${request.url}`],
  ];
  for (const [status, statusText, changed, message] of cases) {
    // contract: attr-23
    it(`returns ${message}`, () => {
      const response = new Response("secret", { status, statusText });
      assertEquals(defaultErrorFunction(response, { ...details, ...changed }), message);
    });
  }
});

describe("the title of problem details (RFC 9457)", () => {
  const start = "403 Forbidden: GET https://a.example/x";
  const credit = { title: "You do not have enough credit.", detail: "d3tail", type: "t1pe" };
  const cases: readonly (readonly [string, Response, string])[] = [
    ["a title", problem(credit), `${start}: You do not have enough credit.`],
    [
      "a charset",
      problem(credit, { type: `${problemType}; charset=utf-8` }),
      `${start}: You do not`,
    ],
    ["upper case", problem(credit, { type: "Application/Problem+JSON" }), `${start}: You do not`],
    ["a title that repeats the reason phrase", problem({ title: "Forbidden" }), start],
    ["no title", problem({ detail: "d3tail" }), start],
    ["a title that is not a string", problem({ title: { a: 1 } }), start],
    ["an empty title", problem({ title: "" }), start],
    ["a body that is not JSON", problem("<html>"), start],
    ["an empty body", problem(""), start],
    ["null", problem(null), start],
    ["a list", problem([credit]), start],
    ["another content type", problem(credit, { type: "application/json" }), start],
    [
      "a content type that only begins alike",
      problem(credit, { type: `${problemType}-seq` }),
      start,
    ],
    [
      "no reason phrase",
      problem({ title: "Forbidden" }, { statusText: "" }),
      "403: GET https://a.example/x: Forbidden",
    ],
  ];
  for (const [condition, response, message] of cases) {
    it(`is in the message without configuration, if there is one: ${condition}`, async () => {
      const error = await failure(response);
      if (message === `${start}: You do not`) assert(error.message.startsWith(message));
      else assertEquals(error.message, message);
      assert(!/d3tail|t1pe/.test(error.message));
    });
  }

  it("is in the message if a model decodes the body, too", async () => {
    const model = {
      "~standard": { version: 1, vendor: "test", validate: () => ({ value: "decoded" }) },
    } as const;
    const error = await failure(problem(credit), { errorFrom: errorsBy({ model }) });
    assertEquals(error.message, `${start}: You do not have enough credit.`);
    assertEquals(error.data, "decoded");
  });

  it("follows the number of retries", async () => {
    const answer = problem(credit, { status: 503, statusText: "" });
    const error = await failure(answer, { retries: 1, clock: fakeClock({ autoAdvance: true }) });
    assertEquals(
      error.message,
      "503: GET https://a.example/x (after 1 retry): You do not have enough credit.",
    );
  });

  it("is shortened and escaped", async () => {
    const error = await failure(problem({ title: `\x1b[31m\n\u202e${"t".repeat(300)}` }));
    assertEquals(error.message, `${start}: \\u001b[31m\\u000a\\u202e${"t".repeat(193)}…`);
  });
});

describeGenerations("the error function of a class", ({ Session }) => {
  const url = "https://api.example.com/v1";

  // contract: reading-15
  it("can be a static property, which the option overrides", async () => {
    class Terse extends Session {
      static override readonly errorFunc: ErrorFunction = ({ status }) => `status ${status}`;
    }
    const adapter = scripted(404);
    const error = await assertRejects(() => new Terse({ url, adapter }).get("x"), APIError);
    assertEquals(error.message, "status 404");
    const wordy = new Terse({ url, adapter, errorFunc: () => "nothing is there" });
    await assertRejects(() => wordy.get("x"), APIError, "nothing is there");
  });

  // contract: reading-15
  it("returns undefined for the default message", async () => {
    const errorFunc: ErrorFunction = (_response, { data }) => {
      const { reason } = Object(data);
      return typeof reason === "string" ? reason : undefined;
    };
    const adapter = scripted(Response.json({ reason: "no copies" }, { status: 404 }), 404);
    const session = new Session({ url, adapter, errorFunc });
    await assertRejects(() => session.get("x"), NotFoundError, "no copies");
    const error = await assertRejects(() => session.get("x"), NotFoundError);
    assertEquals(error.message, `404: GET ${url}/x`);
  });

  it("gets the data that the error has, parsed only once", async () => {
    let data: unknown;
    const errorFunc: ErrorFunction = (_response, details) => {
      data = details.data;
      return undefined;
    };
    const adapter = scripted(Response.json({ code: 7 }, { status: 404 }));
    const session = new Session({ url, adapter, errorFunc });
    const error = await assertRejects(() => session.get("x"), NotFoundError);
    assertEquals(data, { code: 7 });
    assertStrictEquals(error.data, data);
  });

  it("can redact what the server repeats", async () => {
    const adapter = scripted(() => new Response("unknown key k-1234", { status: 404 }));
    const errorFunc: ErrorFunction = (_response, { body, redact }) => redact(body);
    const session = new Session({ url, adapter, errorFunc });
    session.httpSession.headers.set("X-API-Key", "k-1234");
    const error = await assertRejects(() => session.get("x"), NotFoundError);
    assertEquals(error.message, "unknown key REDACTED");
  });

  it("ends the call with its own error if it throws, and the call is not retried", async () => {
    const mistake = new TypeError("data has no message");
    const adapter = scripted(502);
    const errorFunc = () => {
      throw mistake;
    };
    const session = new Session({
      url,
      adapter,
      errorFunc,
      clock: fakeClock({ autoAdvance: true }),
    });
    const error = await assertRejects(() => session.get("x"), TypeError);
    assertStrictEquals(error, mistake);
    assertEquals(adapter.calls.length, 1);
  });

  it("is called by JavaScript that returns other values, which become text", async () => {
    const answers: readonly (readonly [unknown, string])[] = [
      [null, `502: GET ${url}/x`],
      [7, "7"],
      ["", ""],
    ];
    for (const [returned, message] of answers) {
      const errorFunc = (() => returned) as ErrorFunction;
      const session = new Session({ url, adapter: scripted(502), errorFunc, retries: 0 });
      const error = await assertRejects(() => session.get("x"), BadGatewayError);
      assertEquals(error.message, message);
    }
  });
});
