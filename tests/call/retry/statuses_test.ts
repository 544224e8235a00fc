import { assertEquals, describe, it } from "#test";
import { classifyStatus } from "../../../src/call/retry/statuses.ts";
import { APIError, type APIErrorClass } from "../../../src/errors/api_error.ts";
import {
  baseErrorMap as errorMap,
  NotFoundError,
  ServerError,
  ServiceUnavailableError,
} from "../../../src/errors/status_errors.ts";

class Odd extends APIError {
  static override readonly retryable: boolean = true;
}

const succeeded = undefined;

/** A failed status, as the rows expect it: its class, and if its requests are retried. */
interface Expected {
  readonly errorClass: APIErrorClass;
  readonly retry: boolean;
}

function failed(errorClass: typeof APIError, retry: boolean): Expected {
  return { errorClass, retry };
}

/** Classifies a status. An error of the class is retried if the class is retryable, or by `retryOn`. */
function classify(...parameters: Parameters<typeof classifyStatus>): Expected | undefined {
  const status = classifyStatus(...parameters);
  return status && {
    errorClass: status.errorClass,
    retry: status.isRetriedByOption || status.errorClass.retryable,
  };
}

describe("classifying a response by its status", () => {
  for (const status of [200, 201, 202, 203, 204, 205, 206, 207, 226, 250, 298]) {
    it(`status between 200 and 298 inclusive: ${status} succeeded`, () => {
      assertEquals(classify(status, { errorMap }), succeeded);
    });
  }

  for (
    const status of [100, 101, 199, 299, 300, 301, 302, 304, 307, 308, 399, 402, 499, 599, 600]
  ) {
    // contract: errors-4
    it(`status not in error map and outside 200 to 298: ${status} failed with APIError`, () => {
      assertEquals(classify(status, { errorMap }), failed(APIError, false));
    });
  }

  // contract: errors-2
  it("status in error map and class retryable: retried", () => {
    assertEquals(classify(503, { errorMap }), failed(ServiceUnavailableError, true));
  });

  // contract: errors-2
  it("status in error map and not retryable: thrown", () => {
    assertEquals(classify(404, { errorMap }), failed(NotFoundError, false));
    assertEquals(classify(500, { errorMap, retryOn: [404] }), failed(ServerError, false));
  });

  // contract: errors-2
  it("status in error map and in retry_on: retried", () => {
    assertEquals(
      classify(404, { errorMap, retryOn: [409, 404] }),
      failed(NotFoundError, true),
    );
    assertEquals(
      classify(503, { errorMap, retryOn: [503] }),
      failed(ServiceUnavailableError, true),
    );
  });

  it("status in retry_on and not in the error map: not retried", () => {
    assertEquals(classify(302, { errorMap, retryOn: [302] }), failed(APIError, false));
    assertEquals(classify(404, { errorMap: {}, retryOn: [404] }), failed(APIError, false));
    assertEquals(classify(200, { errorMap, retryOn: [200] }), succeeded);
  });

  it("the error map is checked first: a success status that is mapped is an error", () => {
    assertEquals(classify(202, { errorMap: { 202: Odd } }), failed(Odd, true));
  });

  it("status in okStatuses: succeeded, in the error map or not", () => {
    const okStatuses = [304, 404, 503];
    const rows = okStatuses.map((status) => classify(status, { errorMap, okStatuses }));
    assertEquals(rows, [succeeded, succeeded, succeeded]);
    assertEquals(classify(500, { errorMap, okStatuses }), failed(ServerError, false));
  });

  it("without a map, every failed status has the class APIError", () => {
    assertEquals(classify(503, { errorMap: {} }), failed(APIError, false));
  });
});
