import { assert, assertEquals, describe, it } from "#test";
import { type BodyFailure, withBodyError } from "../../src/http/response.ts";

const why = new Error("why");

/** Creates a response whose stream fails with a vague error, as in browsers. */
function failing(): Response {
  const failure: BodyFailure = {};
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      failure.reason = { error: why };
      controller.error(new TypeError("Failed to fetch"));
    },
  });
  return withBodyError(new Response(body), failure);
}

function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(() => undefined, (error: unknown) => error);
}

describe("a response that replaces the error of its body", () => {
  for (const name of ["arrayBuffer", "blob", "json", "text"] as const) {
    it(`rejects with the real error in ${name}(), and so does its clone`, async () => {
      assert(await rejection(failing()[name]()) === why);
      assert(await rejection(failing().clone()[name]()) === why);
      assert(await rejection(failing().clone().clone()[name]()) === why);
    });
  }

  it("is read like any other if its stream does not fail", async () => {
    const intact = (text: string): Response => withBodyError(new Response(text), {});
    assertEquals(await intact("[1]").json(), [1]);
    assertEquals(await intact("a").clone().text(), "a");
    assert(await rejection(intact("{").json()) instanceof SyntaxError);
  });
});
