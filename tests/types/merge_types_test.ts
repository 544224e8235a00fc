/** The errors that the compiler prints for a spread of params and headers, which would lose them. */
import { assertEquals, before, describe, it } from "#test";
import { typeErrors } from "../support/type_errors.ts";

const program = `
import {
  APIClient, type CallOptions, type ClientOptions, mergeHeaders, mergeParams, type RequestOptions,
  type RetryOptions,
} from "../../mod.ts";

class Wrong extends APIClient {
  constructor(options: ClientOptions) {
    super({ ...options, headers: { "X-Key": "k", ...options.headers } });
  }
  params(options: CallOptions): Promise<Response> {
    return this._get("/a", { ...options, params: { ...options.params, page: 1 } });
  }
  headers(options: CallOptions = {}): Promise<Response> {
    return this._get("/a", { ...options, headers: { ...options.headers, accept: "text/csv" } });
  }
  data(options?: RequestOptions): Promise<unknown> {
    return this._post("/a", { ...options, data: { ...options?.data, page: 1 } });
  }
}

interface Query {
  readonly page: number;
  readonly tags?: readonly string[];
}
class Right extends APIClient {
  constructor(options: ClientOptions) {
    super({ ...options, headers: mergeHeaders({ "X-Key": "k" }, options.headers) });
  }
  list(options: CallOptions = {}): Promise<Response> {
    const { params, headers } = options;
    const same = { params, headers };
    void this._get("/a", { ...options, ...same });
    return this._get("/a", {
      ...options,
      params: mergeParams(options.params, { page: 1 }),
      headers: mergeHeaders(options.headers, { accept: "text/csv" }),
    });
  }
  query(params: Query, headers: Record<string, string>): Promise<Response> {
    const merged = { ...mergeParams(params), page: 2 };
    return this._get("/a", { params: { ...params, ...merged }, headers: { ...headers, a: "b" } });
  }
  protected override _retryRequest(_: Response, retries: number, options: RetryOptions) {
    return { ...options, headers: { ...options.headers, "X-Attempt": String(retries) } };
  }
}
void [Wrong, Right];
`;

describe("the compiler", () => {
  let errors: readonly (string | undefined)[];
  before(() => {
    errors = typeErrors(program);
  });

  it("refuses a spread of params, headers and data of any form", () => {
    assertEquals(
      errors,
      Array(4).fill("TS2698: Spread types may only be created from object types."),
    );
  });
});
