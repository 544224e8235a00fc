import { assertEquals, assertRejects, describe, it } from "#test";
import { ShapeError } from "../../mod.ts";
import { documentIn, hasDocument } from "../../src/frozen/mod.ts";

/** Returns a script that carries a text, as the generator wrote it. */
async function scriptOf(text: string): Promise<string> {
  const packed = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  const encoded = btoa(Array.from(bytes, (each) => String.fromCharCode(each)).join(""));
  return `#!/usr/bin/env bash\n\nset -e\nelse\n  EMBEDDED_SPEC="${encoded}"\n  SPEC_TMPFILE="$(mktemp)"\nfi\n`;
}

describe("the document in the script of a mock server", () => {
  it("is unpacked", async () => {
    const script = await scriptOf("openapi: 3.1.0 # ü\n");
    assertEquals(hasDocument(script), true);
    assertEquals(await documentIn(script, "scripts/mock"), "openapi: 3.1.0 # ü\n");
    assertEquals(hasDocument('#!/usr/bin/env bash\nURL="$1"\n'), false);
  });

  it("has a limit of size", async () => {
    const script = await scriptOf("x".repeat(100_000));
    const error = await assertRejects(() => documentIn(script, "scripts/mock", 1_000), ShapeError);
    assertEquals(error.message, "scripts/mock: has a document of more than 1000 bytes");
  });

  it("must be gzip as base64", async () => {
    for (const text of ["AAAA", "A", "=="]) {
      const script = `#!/bin/sh\n  EMBEDDED_SPEC="${text}"\n`;
      const error = await assertRejects(() => documentIn(script, "mock"), ShapeError);
      assertEquals(
        error.message,
        "mock: has a document that cannot be unpacked: it must be gzip as base64",
      );
    }
  });
});
