import { assert, assertRejects, it } from "#test";
import { describeGenerations } from "../support/generations.ts";

/** An adapter with a bug that shows after it has waited for something. */
async function faultyAdapter(): Promise<Response> {
  await Promise.resolve();
  throw new RangeError("a bug in the adapter");
}

describeGenerations("the stack trace of an error from an adapter", ({ Session }) => {
  const session = new Session({ url: "https://api.example.com", adapter: faultyAdapter });

  for (
    const [name, options] of [
      ["without options", {}],
      ["with a timeout", { timeout: 30 }],
      ["with a deadline", { deadline: 60 }],
      ["with a signal", { signal: new AbortController().signal }],
      ["with all of them", {
        timeout: 30,
        deadline: 60,
        signal: new AbortController().signal,
      }],
    ] as const
  ) {
    it(`reaches the line of the caller: ${name}`, async () => {
      async function lineOfTheCaller(): Promise<unknown> {
        return await session.get("users/7", { ...options, convJson: true });
      }

      const { stack = "" } = await assertRejects(lineOfTheCaller, RangeError);

      assert(stack.includes("faultyAdapter"), stack);
      assert(stack.includes("lineOfTheCaller"), stack);
    });
  }
});
