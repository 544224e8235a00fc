import { assert, assertEquals, describe, it } from "#test";
import { type BodyFailure, withBodyError } from "../../src/http/response.ts";

const why = new Error("why");

/** A response whose stream fails with less than it could say, as browsers have it. */
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

describe("a response whose body fails", () => {
  for (const name of ["arrayBuffer", "blob", "json", "text"] as const) {
    it(`says why by ${name}, and so does its clone`, async () => {
      assert(await rejection(failing()[name]()) === why);
      assert(await rejection(failing().clone()[name]()) === why);
      assert(await rejection(failing().clone().clone()[name]()) === why);
    });
  }

  it("is read as any other where its stream is well", async () => {
    const told = (text: string): Response => withBodyError(new Response(text), {});
    assertEquals(await told("[1]").json(), [1]);
    assertEquals(await told("a").clone().text(), "a");
    assert(await rejection(told("{").json()) instanceof SyntaxError);
  });
});
