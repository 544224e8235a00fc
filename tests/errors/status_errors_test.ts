import { readFileSync } from "node:fs";
import { assert, assertEquals, assertInstanceOf, assertRejects, describe, it } from "#test";
import {
  APIError,
  APISession,
  NotFoundError,
  RestwrightError,
  TooManyRequestsError,
  UnexpectedValueError,
} from "../../mod.ts";
import { BadGatewayError, baseErrorMap } from "../../src/entries/errors.ts";
import type { APIErrorClass } from "../../src/errors/mod.ts";
import * as errors from "../../src/errors/mod.ts";
import { sourceRoot, statusRows } from "../support/contract_page.ts";
import { describeGenerations } from "../support/generations.ts";
import { scripted } from "../support/scripted.ts";

const read = (path: string) => readFileSync(new URL(path, sourceRoot()), "utf8");

/** The contract's table of error statuses. */
const table = statusRows(read("docs/project/contract.md"));

/** Returns the error class with the given name. */
function exported(name: string): APIErrorClass {
  const found = Object.entries(errors).find(([each]) => each === name)?.[1];
  assert(typeof found === "function", `${name} is exported`);
  return found as unknown as APIErrorClass;
}

function errorFor(status: number): Promise<APIError> {
  const session = new APISession({
    url: "https://api.example.com",
    adapter: scripted(status),
    retries: 0,
    finalWait: false,
  });
  return assertRejects(() => session.get("x"), APIError);
}

describe("the base status-to-error mapping", () => {
  for (const { status, name, isRetried } of table) {
    // contract: status-*, auth-rule-5, decision-1
    it(`has ${name} for ${status}, which is ${isRetried ? "" : "not "}retryable`, async () => {
      const errorClass = exported(name);
      assert(baseErrorMap[status] === errorClass, "the map has the exported class");
      const error = await errorFor(status);
      assert(error.constructor === errorClass, `threw ${error.constructor.name}`);
      assertEquals(error.name, name);
      assertEquals(error.status, status);
      assertEquals(error.retryable, isRetried);
      assertEquals(errorClass.retryable, isRetried);
      assert(error instanceof RestwrightError && error instanceof Error);
    });
  }

  // contract: status-*, attr-21
  it("has exactly the statuses of the contract", () => {
    assertEquals(Object.keys(baseErrorMap).map(Number), table.map(({ status }) => status));
  });

  it("uses each exported error class of a status, and no others", () => {
    const named = Object.entries(errors)
      .filter(([, value]) =>
        typeof value === "function" && value !== APIError &&
        Object.prototype.isPrototypeOf.call(APIError, value)
      )
      .map(([name]) => name).sort();
    assertEquals(named, [...new Set(table.map(({ name }) => name))].sort());
  });

  it("has classes whose comments begin with their statuses and say if they are retried", () => {
    const comments = [
      ...read("src/errors/status_errors.ts").matchAll(
        /\/\*\*\n \* ([\d and]+):([^/]*)\*\/\nexport class (\w+) /g,
      ),
    ];
    const described = comments.flatMap(([, statuses, text, name]) =>
      statuses!.split(" and ").map((status) => ({
        status: Number(status),
        name: name!,
        isRetried: text!.includes("; retried"),
      }))
    );
    assertEquals(described.sort((one, other) => one.status - other.status), table);
  });

  for (const status of [299, 300, 302, 304, 402, 419, 499, 505, 599, 600, 999]) {
    it(`does not have ${status}, which throws the generic APIError that is not retryable`, async () => {
      const error = await errorFor(status);
      assert(error.constructor === APIError, `threw ${error.constructor.name}`);
      assertEquals([error.name, error.status, error.retryable], ["APIError", status, false]);
    });
  }

  it("has classes whose errors are instances of their own class but not of a sibling", () => {
    const error = new NotFoundError(new Response(null, { status: 404 }));
    assertInstanceOf(error, NotFoundError);
    assertInstanceOf(error, APIError);
    assert(!(error instanceof BadGatewayError));
    assert(!(error instanceof TooManyRequestsError));
  });

  it("has classes whose errors keep their name if a bundler shortens the class name", () => {
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
    let thrown: unknown;
    try {
      new Bare();
    } catch (error) {
      thrown = error;
    }
    assertInstanceOf(thrown, UnexpectedValueError);
  });
});
