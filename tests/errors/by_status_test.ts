import { assert, assertEquals, assertInstanceOf, assertRejects, describe, it } from "#test";
import {
  APIError,
  APISession,
  BadGatewayError,
  baseErrorMap,
  NotFoundError,
  RestwrightError,
  TooManyRequestsError,
  UnexpectedValueError,
} from "../../mod.ts";
import type { APIErrorClass } from "../../src/errors/mod.ts";
import * as errors from "../../src/errors/mod.ts";
import { describeGenerations } from "../support/generations.ts";
import { scripted } from "../support/scripted.ts";

/** The contract's table "Base status-to-error mapping". */
const table: readonly (readonly [number, string, "at once" | "retried"])[] = [
  [400, "BadRequestError", "at once"],
  [401, "UnauthorizedError", "at once"],
  [403, "ForbiddenError", "at once"],
  [404, "NotFoundError", "at once"],
  [405, "InvalidMethodError", "at once"],
  [406, "NotAcceptableError", "at once"],
  [407, "ProxyAuthenticationError", "at once"],
  [408, "RequestTimeoutError", "at once"],
  [409, "RequestConflictError", "at once"],
  [410, "NoLongerExistsError", "at once"],
  [411, "LengthRequiredError", "at once"],
  [412, "PreconditionFailedError", "at once"],
  [413, "PayloadTooLargeError", "at once"],
  [414, "URITooLongError", "at once"],
  [415, "UnsupportedMediaTypeError", "at once"],
  [416, "RangeNotSatisfiableError", "at once"],
  [417, "ExpectationFailedError", "at once"],
  [418, "TeapotResponseError", "at once"],
  [420, "TooManyRequestsError", "retried"],
  [421, "MisdirectRequestError", "at once"],
  [422, "InvalidContentError", "at once"],
  [425, "TooEarlyError", "at once"],
  [426, "UpgradeRequiredError", "at once"],
  [428, "PreconditionRequiredError", "at once"],
  [429, "TooManyRequestsError", "retried"],
  [431, "RequestHeaderFieldsTooLargeError", "at once"],
  [451, "UnavailableForLegalReasonsError", "at once"],
  [500, "ServerError", "at once"],
  [501, "MethodNotImplementedError", "retried"],
  [502, "BadGatewayError", "retried"],
  [503, "ServiceUnavailableError", "retried"],
  [504, "GatewayTimeoutError", "retried"],
  [510, "NotExtendedError", "at once"],
  [511, "NetworkAuthenticationRequiredError", "at once"],
];

/** Returns the class that the toolkit exports under a name. */
function exported(name: string): APIErrorClass {
  const found = Object.entries(errors).find(([each]) => each === name)?.[1];
  assert(typeof found === "function", `${name} is exported`);
  return found as unknown as APIErrorClass;
}

function raisedBy(status: number): Promise<APIError> {
  const session = new APISession({
    url: "https://api.example.com",
    adapter: scripted(status),
    retries: 0,
    finalWait: false,
  });
  return assertRejects(() => session.get("x"), APIError);
}

describe("the base status-to-error mapping", () => {
  for (const [status, name, retry] of table) {
    // contract: status-*, auth-rule-5, decision-1
    it(`${status} raises ${name}, ${retry}`, async () => {
      const errorClass = exported(name);
      assert(baseErrorMap[status] === errorClass, "the map has the exported class");
      const error = await raisedBy(status);
      assert(error.constructor === errorClass, `raised ${error.constructor.name}`);
      assertEquals(error.name, name);
      assertEquals(error.status, status);
      assertEquals(error.retryable, retry === "retried");
      assertEquals(errorClass.retryable, retry === "retried");
      assert(error instanceof RestwrightError && error instanceof Error);
    });
  }

  // contract: status-*, attr-21
  it("has exactly the statuses of the contract", () => {
    assertEquals(Object.keys(baseErrorMap).map(Number), table.map(([status]) => status));
  });

  it("every class of the table is exported, and no other class of a status", () => {
    const named = Object.entries(errors)
      .filter(([, value]) =>
        typeof value === "function" && value !== APIError &&
        Object.prototype.isPrototypeOf.call(APIError, value)
      )
      .map(([name]) => name).sort();
    assertEquals(named, [...new Set(table.map(([, name]) => name))].sort());
  });

  for (const status of [299, 300, 302, 304, 402, 419, 499, 505, 599, 600, 999]) {
    it(`${status} is not in the map and raises the generic APIError, at once`, async () => {
      const error = await raisedBy(status);
      assert(error.constructor === APIError, `raised ${error.constructor.name}`);
      assertEquals([error.name, error.status, error.retryable], ["APIError", status, false]);
    });
  }

  it("is an instance of its own class and of no sibling", () => {
    const error = new NotFoundError(new Response(null, { status: 404 }));
    assertInstanceOf(error, NotFoundError);
    assertInstanceOf(error, APIError);
    assert(!(error instanceof BadGatewayError));
    assert(!(error instanceof TooManyRequestsError));
  });

  it("a class keeps its name if a bundler has shortened it", () => {
    const name = Object.getOwnPropertyDescriptor(NotFoundError, "name")!;
    Object.defineProperty(NotFoundError, "name", { value: "a", configurable: true });
    try {
      assertEquals(new NotFoundError(new Response()).name, "NotFoundError");
    } finally {
      Object.defineProperty(NotFoundError, "name", name);
    }
  });
});

describeGenerations("the error map of a class", ({ Session }) => {
  it("must not be null", () => {
    class Bare extends Session {
      static override readonly url: string = "https://a.example";
      static override readonly errorMap = null as never;
    }
    let raised: unknown;
    try {
      new Bare();
    } catch (error) {
      raised = error;
    }
    assertInstanceOf(raised, UnexpectedValueError);
  });
});
