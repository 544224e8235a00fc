import { readFileSync } from "node:fs";
import { assert, assertEquals, assertStringIncludes, assertThrows, describe, it } from "#test";
import {
  changelogSections,
  changelogTroubles,
  datedChangelog,
  UNRELEASED,
} from "../../../scripts/release/changelog.ts";
import { sourceRoot } from "../../support/contract_page.ts";

const older = "\n\n## 0.1.0, 2026-01-31\n\n- The first.\n";
const text = `# Changelog\n\nAbout it.\n\n## 0.2.0, ${UNRELEASED}\n\n- One.\n- Two.${older}`;

describe("a changelog", () => {
  it("has a section for each version, the newest first", () => {
    assertEquals(changelogSections(text), [
      { version: "0.2.0", when: UNRELEASED, changes: "- One.\n- Two." },
      { version: "0.1.0", when: "2026-01-31", changes: "- The first." },
    ]);
    assertEquals(changelogSections("# Changelog\n"), []);
  });

  it("is rejected if a heading has no version", () => {
    const error = assertThrows(() => changelogSections("## Unreleased\n"), Error);
    assertStringIncludes(error.message, "## Unreleased");
  });

  it("gets the version and the date only in its newest section", () => {
    const dated = text.replace(UNRELEASED, "2026-03-01");
    assertEquals(datedChangelog(text, "0.2.0", "2026-03-01"), dated);
    assertEquals(
      datedChangelog(text, "0.3.0", "2026-03-01"),
      dated.replace("0.2.0,", "0.3.0,"),
    );
    assertEquals(
      datedChangelog(dated, "0.2.0", "2026-03-02"),
      dated.replace("03-01", "03-02"),
    );
  });

  it("is rejected if nothing was written since the last release", () => {
    for (const none of [older, "# Changelog\n"]) {
      assertThrows(
        () => datedChangelog(none, "0.2.0", "2026-03-01"),
        Error,
        "describe the changes",
      );
    }
  });

  it("can be read if it is the one of this repository", () => {
    const current = readFileSync(new URL("CHANGELOG.md", sourceRoot()), "utf8");
    assert(changelogSections(current)[0]!.changes !== "");
  });
});

describe("the changelog section of a release", () => {
  const today = "2026-03-01";
  const of = (section: string) => changelogTroubles(section, "0.2.0", today);

  it("must have the version, today's date and changes", () => {
    assertEquals(of(`## 0.2.0, ${today}\n\n- One.\n`), []);
  });

  it("may have another date when it is published", () => {
    assertEquals(changelogTroubles("## 0.2.0, 2026-02-28\n- One.", "0.2.0"), []);
    assertEquals(changelogTroubles(text, "0.2.0").length, 1);
  });

  const cases: readonly (readonly [string, string, string])[] = [
    ["is missing", "# Changelog\n", "no section"],
    ["is another version's", `## 0.1.0, ${today}\n- One.`, "begins with 0.1.0"],
    [
      "is empty",
      `## 0.2.0, ${today}\n\n## 0.1.0, 2026-01-31\n- One.`,
      "does not describe the changes",
    ],
    ["has no date", `## 0.2.0, ${UNRELEASED}\n- One.`, "is not a date"],
    ["has another date", "## 0.2.0, 2026-02-28\n- One.", "today is 2026-03-01"],
  ];
  for (const [fault, section, expected] of cases) {
    it(`is rejected if it ${fault}`, () => {
      const troubles = of(section);
      assertEquals(troubles.length, 1);
      assertStringIncludes(troubles[0]!, expected);
    });
  }
});
