import { assert, assertEquals, describe, it } from "#test";
import { decodeLargeDocument, LARGE_DOCUMENT_ROWS } from "../support/decode_large_document.ts";

describe("the memory for decoding a document of 25 MB", () => {
  for (const format of ["xml", "json"] as const) {
    it(`is less than 8 times its size: ${format}`, async () => {
      const { count, times } = await decodeLargeDocument(format);
      assertEquals(count, LARGE_DOCUMENT_ROWS);
      assert(times < 8, `${times} times`);
    });
  }
});
