import { assertEquals, assertRejects, assertStrictEquals, describe, it } from "#test";
import { APIError, BadGatewayError, type ErrorFunction, NotFoundError } from "../../mod.ts";
import { defaultErrorFunction, type ErrorFunctionDetails } from "../../src/errors/mod.ts";
import { FakeClock } from "../support/fake_clock.ts";
import { describeGenerations } from "../support/generations.ts";
import { scripted } from "../support/scripted.ts";

describe("the default error function", () => {
  const request = { method: "GET", url: "https://api.example.com/x" };
  const details: ErrorFunctionDetails = {
    retries: 0,
    request,
    body: "secret",
    data: undefined,
  };
  const cases: readonly (readonly [number, string, Partial<ErrorFunctionDetails>, string])[] = [
    [404, "Not Found", {}, `404 Not Found: GET ${request.url}`],
    [404, "", {}, `404: GET ${request.url}`],
    [503, "", { retries: 1 }, `503: GET ${request.url} (after 1 retry)`],
    [503, "", { retries: 3 }, `503: GET ${request.url} (after 3 retries)`],
    [503, "Down", { request: undefined }, "503 Down"],
  ];
  for (const [status, statusText, changed, message] of cases) {
    // contract: attr-23
    it(`returns ${message}`, () => {
      const response = new Response("secret", { status, statusText });
      assertEquals(defaultErrorFunction(response, { ...details, ...changed }), message);
    });
  }
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

  it("ends the call with its own error if it throws, and the call is not retried", async () => {
    const mistake = new TypeError("data has no message");
    const adapter = scripted(502);
    const errorFunc = () => {
      throw mistake;
    };
    const session = new Session({ url, adapter, errorFunc, clock: new FakeClock() });
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
