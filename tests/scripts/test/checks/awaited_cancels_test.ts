import { assertEquals, describe, it } from "#test";
import { awaitedCancels, codeOfExamples } from "../../../../scripts/test/checks/awaited_cancels.ts";

describe("an awaited cancel() of a body", () => {
  const rows: [code: string, isFound: boolean][] = [
    ["await response.body?.cancel();", true],
    ["await (response.body!).cancel(reason);", true],
    ["await reader.cancel().catch(() => {});", true],
    ["await this.#reader.cancel();", true],
    ["const end = async () => { await stream.cancel(); };", true],
    ["const source = { async pull() { await reader.cancel(); } };", true],
    ["const source = { async cancel(reason) { await reader.cancel(reason); } };", false],
    ["const source = { cancel: async () => { await reader.cancel(); } };", false],
    ["response.body?.cancel().catch(() => {});", false],
    ["await api.exports.cancel(uuid);", false],
    ['log("await response.body.cancel()"); // await response.body.cancel()', false],
  ];
  for (const [code, isFound] of rows) {
    it(`is ${isFound ? "found" : "not found"} in: ${label(code)}`, () => {
      assertEquals(awaitedCancels(code).length, isFound ? 1 : 0);
    });
  }

  it("is reported with its line and code", () => {
    assertEquals(awaitedCancels("const a = 1;\nawait a.body.cancel();\n"), [
      { line: 2, code: "await a.body.cancel()" },
    ]);
  });

  it("is found in the examples of pages and doc comments, on their lines", () => {
    const page = "Text\n\n```ts\nawait body.cancel();\n```\n\n```sh\nawait body.cancel();\n```\n";
    const comment = "/**\n * ```ts\n * await body.cancel();\n * ```\n */\nawait body.cancel();\n";
    const linesOf = (text: string) => awaitedCancels(codeOfExamples(text)).map(({ line }) => line);
    assertEquals([linesOf(page), linesOf(comment)], [[4], [3]]);
  });
});

/** Returns code without the characters that the name of a test must not have. */
function label(code: string): string {
  return code.replaceAll("=>", "to").replaceAll('"', "'");
}
