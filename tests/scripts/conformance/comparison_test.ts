import { assertEquals, describe, it } from "#test";
import type { ConformanceCase } from "../../../scripts/conformance/cases.ts";
import { compareReading, type Reading } from "../../../scripts/conformance/comparison.ts";

const accepted: Reading = { canonical: "<a></a>" };
const rejected: Reading = { error: "mistake" };
const document = new Uint8Array();

function caseOf(type: ConformanceCase["type"], needsExternals = false): ConformanceCase {
  return {
    id: "a",
    type,
    path: "a.xml",
    outputPath: undefined,
    needsExternals,
    isFifthEdition: true,
    allowsNamespaces: true,
  };
}

/** Returns the result of a comparison; of a difference only its kind. */
function kindOf(one: ConformanceCase, reading: Reading, output?: string): string {
  const comparison = compareReading(one, document, reading, output);
  return typeof comparison === "string" ? comparison : comparison.kind;
}

describe("a reading", () => {
  it("must accept valid and invalid documents, and reject malformed ones", () => {
    const rows = [
      [caseOf("valid"), "same", "rejected"],
      [caseOf("invalid"), "same", "rejected"],
      [caseOf("not-wf"), "accepted", "same"],
    ] as const;
    for (const [one, onAccepted, onRejected] of rows) {
      assertEquals([kindOf(one, accepted), kindOf(one, rejected)], [onAccepted, onRejected]);
    }
  });

  it("may accept or reject a document with an error", () => {
    assertEquals([kindOf(caseOf("error"), accepted), kindOf(caseOf("error"), rejected)], [
      "open",
      "open",
    ]);
  });

  it("may miss a mistake in an external entity, and must not reject a document for its entities", () => {
    assertEquals(kindOf(caseOf("not-wf", true), accepted), "open");
    assertEquals(kindOf(caseOf("not-wf", true), rejected), "same");
    assertEquals(kindOf(caseOf("valid", true), rejected), "rejected");
  });

  it("must have the content of the canonical form", () => {
    const outputs = [
      ["<a></a>", "same"],
      ["<?p x?><a></a><?q?>\n", "same"],
      ["<!DOCTYPE a [\n<!NOTATION n SYSTEM 'n'>\n]>\n<a></a>", "same"],
      ["<a>b</a>", "content"],
      ['<a b="c"></a>', "content"],
    ] as const;
    for (const [output, kind] of outputs) {
      assertEquals([output, kindOf(caseOf("valid"), accepted, output)], [output, kind]);
    }
  });
});
