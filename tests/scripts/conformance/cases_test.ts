import { assertEquals, assertThrows, describe, it } from "#test";
import { readCases } from "../../../scripts/conformance/cases.ts";

describe("the list of conformance cases", () => {
  it("is read with paths relative to the suite's folder", () => {
    const list = `<?xml version="1.0"?>
      <!DOCTYPE TESTSUITE SYSTEM "testcases.dtd" []>
      <TESTSUITE>
        <TESTCASES xml:base="one/">
          <TESTCASES xml:base="two/">
            <TEST ID="a" TYPE="valid" URI="a.xml" OUTPUT="out/a.xml" ENTITIES="none">Text</TEST>
          </TESTCASES>
          <TEST ID="b" TYPE="not-wf" URI="b.xml" ENTITIES="both" EDITION="1 2 3 4" NAMESPACE="no"/>
        </TESTCASES>
        <TEST ID="c" TYPE="error" URI="c.xml" EDITION="5" NAMESPACE="yes"/>
      </TESTSUITE>`;

    assertEquals(readCases(list), [
      {
        id: "a",
        type: "valid",
        path: "one/two/a.xml",
        outputPath: "one/two/out/a.xml",
        needsExternals: false,
        isFifthEdition: true,
        allowsNamespaces: true,
      },
      {
        id: "b",
        type: "not-wf",
        path: "one/b.xml",
        outputPath: undefined,
        needsExternals: true,
        isFifthEdition: false,
        allowsNamespaces: false,
      },
      {
        id: "c",
        type: "error",
        path: "c.xml",
        outputPath: undefined,
        needsExternals: false,
        isFifthEdition: true,
        allowsNamespaces: true,
      },
    ]);
  });

  it("is rejected if a case has no path or an unknown type", () => {
    const read = (attributes: string) => () => readCases(`<T><TEST ID="a" ${attributes}/></T>`);
    assertThrows(read('TYPE="valid"'), Error, "the case a has no attribute URI");
    assertThrows(read('TYPE="wf" URI="a.xml"'), Error, "the case a has the unknown type wf");
  });
});
