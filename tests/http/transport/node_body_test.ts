import { assert, assertEquals, assertRejects, describe, it } from "#test";
import { UnexpectedValueError } from "../../../src/errors/unexpected_value_error.ts";
import { outgoingBody } from "../../../src/http/transport/node_body.ts";

/** A subclass of Blob whose stream can have more or fewer bytes than its size. */
class Sized extends Blob {
  readonly #text: string;
  readonly #size: number;

  constructor(text: string, size: number) {
    super([text]);
    this.#text = text;
    this.#size = size;
  }

  override get size(): number {
    return this.#size;
  }

  override stream(): ReturnType<Blob["stream"]> {
    return new Response(this.#text).body!;
  }
}

async function textOf(body: Parameters<typeof outgoingBody>[0]): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of (await outgoingBody(body))?.chunks ?? []) {
    text += decoder.decode(chunk, { stream: true });
  }
  return text;
}

describe("the body of a request for node:http", () => {
  const chunked = { "transfer-encoding": "chunked" };
  const lengthOf = (length: number) => ({ "content-length": `${length}` });
  const rows: readonly (readonly [string, () => BodyInit, object, string])[] = [
    ["a string", () => "\u00e9", lengthOf(2), "\u00e9"],
    ["an empty string", () => "", lengthOf(0), ""],
    ["bytes", () => new Uint8Array([97, 98]), lengthOf(2), "ab"],
    ["a Blob", () => new Blob(["abc"]), lengthOf(3), "abc"],
    ["an empty Blob", () => new Blob([]), lengthOf(0), ""],
    ["a File", () => new File(["abcd"], "a.txt"), lengthOf(4), "abcd"],
    ["a subclass of Blob", () => new Sized("12345678", 8), lengthOf(8), "12345678"],
    ["a stream", () => new Blob(["abc"]).stream(), chunked, "abc"],
  ];
  for (const [what, body, framing, text] of rows) {
    it(`is framed with ${Object.keys(framing).join()}: ${what}`, async () => {
      assertEquals<unknown>((await outgoingBody(body()))?.framing, framing);
      assertEquals(await textOf(body()), text);
    });
  }

  it("is undefined if there is no body", async () => {
    assertEquals([await outgoingBody(null), await outgoingBody(undefined)], [undefined, undefined]);
  });

  for (const [what, size] of [["more", 4], ["fewer", 12]] as const) {
    // contract: http-20
    it(`is refused if it is a Blob whose stream has ${what} bytes than its size`, async () => {
      const error = await assertRejects(
        () => textOf(new Sized("12345678", size)),
        UnexpectedValueError,
      );
      assertEquals(error.option, "content");
      assert(error.message.includes(`which is ${size}`), error.message);
    });
  }
});
