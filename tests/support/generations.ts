import process from "node:process";
import { describe } from "#test";
import { APIClient, APISession, type ClientOptions, type SessionOptions } from "../../mod.ts";
import { registerFirstTest } from "./runner_rules.ts";

/** The session class, as the suites that both generations share use it. */
export type SessionClass = typeof APISession;

/** One of the two generations of clients. */
export interface TestedGeneration {
  /** The class. That of generation 2 has public request methods, and its base URL is `url`. */
  readonly Session: SessionClass;
  /** A suffix for the titles of its groups, which makes each full name unique. */
  readonly mark: string;
}

/** A client with a session's API for tests: public request methods, and a base URL named `url`. */
class OpenClient extends APIClient {
  static readonly url: string = "";

  static {
    this.defineMethods("", ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"]);
  }

  // The base path is left out, because generation 2 has none.
  constructor({ url, basePath: _, ...options }: SessionOptions & ClientOptions = {}) {
    super({ ...options, baseUrl: url ?? options.baseUrl ?? new.target.url });
  }
}

/** The two generations. The groups of generation 1 have no suffix in their titles. */
export const testedGenerations: readonly [TestedGeneration, TestedGeneration] = [
  { Session: APISession, mark: "" },
  { Session: OpenClient as unknown as SessionClass, mark: " (APIClient)" },
];

/** True if all tests run for both generations: `deno task test --generations both`. */
const runsBoth = process.env["TEST_GENERATIONS"] === "both";

/**
 * Runs a group of tests for generation 1, and its first test for generation 2, too. They share all
 * code but for the table in src/options/generation.ts, which tests/options/generation_test.ts tests.
 */
export function describeGenerations(
  title: string,
  body: (generation: TestedGeneration) => void,
): void {
  const [first, second] = testedGenerations;
  describe(title, () => body(first));
  describe(`${title}${second.mark}`, () => {
    if (runsBoth) body(second);
    else registerFirstTest(() => body(second));
  });
}
