/** Tests of the JUnit reader, with one suite in the format of each runner. */
import { assertEquals, assertThrows, describe, it } from "#test";
import { type JunitReport, readJunit, reasonInName } from "../../../scripts/test/junit.ts";

const EXPECTED: [name: string, outcome: string, detail: string][] = [
  ['group "a" <b> & c > inner > passes', "passed", ""],
  ['group "a" <b> & c > inner > fails', "failed", "1 is not 2"],
  ['group "a" <b> & c > waits [left out: no server]', "skipped", "no server"],
  ["alone", "passed", ""],
];

const DENO = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="deno test" tests="6" failures="3" errors="0" time="0.1">
  <testsuite name="./tests/a_test.ts" tests="2" failures="1">
    <testcase name="group &quot;a&quot; &lt;b&gt; &amp; c" classname="./tests/a_test.ts">
      <failure message="1 test step failed">1 test step failed.</failure>
    </testcase>
    <testcase name="alone" classname="./tests/a_test.ts">
    </testcase>
  </testsuite>
  <testsuite name="ext:runner" tests="4" failures="2">
    <testcase name="group &quot;a&quot; &lt;b&gt; &amp; c &gt; inner">
      <failure message="1 test step failed">1 test step failed.</failure>
    </testcase>
    <testcase name="group &quot;a&quot; &lt;b&gt; &amp; c &gt; inner &gt; passes">
    </testcase>
    <testcase name="group &quot;a&quot; &lt;b&gt; &amp; c &gt; inner &gt; fails">
      <failure message="Uncaught">1 is not 2</failure>
    </testcase>
    <testcase name="group &quot;a&quot; &lt;b&gt; &amp; c &gt; waits [left out: no server]">
      <skipped/>
    </testcase>
  </testsuite>
</testsuites>`;

const NODE = `<?xml version="1.0" encoding="utf-8"?>
<testsuites>
  <testsuite name="group QUOTEaQUOTE &lt;b> &amp; c" tests="2" failures="1" skipped="1">
    <testsuite name="inner" tests="2" failures="1" skipped="0">
      <testcase name="passes" classname="test"/>
      <testcase name="fails" classname="test" failure="1 is not 2">
        <failure type="testCodeFailure" message="1 is not 2">
1 is not 2
        </failure>
      </testcase>
    </testsuite>
    <testcase name="waits [left out: no server]" classname="test">
      <skipped type="skipped" message="true"/>
    </testcase>
  </testsuite>
  <testcase name="alone" classname="test"/>
  <!-- tests 4 -->
</testsuites>`;

const BUN = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="bun test" tests="4" failures="1" skipped="1">
  <testsuite name="tests/a_test.ts" file="tests/a_test.ts" tests="4">
    <testsuite name="group &quot;a&quot; &lt;b&gt; &amp; c" file="tests/a_test.ts" line="3">
      <testsuite name="inner" file="tests/a_test.ts" line="5">
        <testcase name="passes" file="tests/a_test.ts" assertions="0" />
        <testcase name="fails" file="tests/a_test.ts" assertions="0">
          <failure type="AssertionError" message="1 is not 2">1 is not 2</failure>
        </testcase>
      </testsuite>
      <testcase name="waits [left out: no server]" file="tests/a_test.ts" assertions="0">
        <skipped />
      </testcase>
    </testsuite>
    <testcase name="alone" classname="" file="tests/a_test.ts" assertions="0" />
  </testsuite>
</testsuites>`;

function sorted(rows: readonly (readonly string[])[]): string[] {
  return rows.map((row) => JSON.stringify(row)).sort();
}

function rowsOf({ tests }: JunitReport): string[] {
  return sorted(tests.map(({ name, outcome, detail }) => [name, outcome, detail]));
}

function inSuites(...lines: string[]): string {
  return `<testsuites>${lines.join("")}</testsuites>`;
}

describe("readJunit", () => {
  const files: [name: string, xml: string, kind: "deno" | "node" | "bun"][] = [
    ["Deno", DENO, "deno"],
    ["Node 22 and 24, which escape a quote twice", NODE.replaceAll("QUOTE", "&amp;quot;"), "node"],
    ["Node 26", NODE.replaceAll("QUOTE", "&quot;"), "node"],
    ["Bun", BUN, "bun"],
  ];
  for (const [name, xml, kind] of files) {
    it(`returns the same tests for ${name}`, () => {
      const report = readJunit(xml, kind);
      assertEquals(rowsOf(report), sorted(EXPECTED));
      assertEquals(report.troubles, []);
    });
  }

  it("reports a hook that failed before or after the steps on Deno", () => {
    const xml = inSuites(
      '<testsuite name="f"><testcase name="g"><failure message="m">Error: after</failure></testcase>',
      '<testcase name="g &gt; t"></testcase></testsuite>',
    );
    const report = readJunit(xml, "deno");
    assertEquals(report.tests.map(({ name, outcome }) => [name, outcome]), [["g > t", "passed"]]);
    assertEquals(report.troubles, [{ text: "g: Error: after" }]);
  });

  it("reads the failures besides tests from a comment that our reporter for Node writes", () => {
    const json = '{"troubles":[{"text":"a hook \\u002d failed"}],"isSuccess":false}';
    const xml = inSuites('<testcase name="t"/>') + `<!-- besides tests: ${json} -->`;
    const { troubles, isSuccess } = readJunit(xml, "node");
    assertEquals([troubles, isSuccess], [[{ text: "a hook - failed" }], false]);
  });

  it("throws for a file that is cut off", () => {
    assertThrows(() => readJunit(BUN.slice(0, 300), "bun"), Error, "not well-formed");
  });
});

describe("reasonInName", () => {
  it("finds the reason that the #test port writes", () => {
    assertEquals(reasonInName("a > b [left out: no (real) server]"), "no (real) server");
    assertEquals(reasonInName("a > left out"), undefined);
    assertEquals(reasonInName("a [left out: ]"), undefined);
  });
});
