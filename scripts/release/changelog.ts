/** Reads and checks CHANGELOG.md, which has a section for each version, the newest first. */

/** The section of one version. */
export interface ChangelogSection {
  version: string;
  /** The text after the version: a date such as 2026-03-01, or `not released yet`. */
  when: string;
  /** The text of the section, without blank lines at its start and end. */
  changes: string;
}

/** The text that replaces the date of a version that is not released. */
export const UNRELEASED = "not released yet";

const DATE = /^\d{4}-\d\d-\d\d$/;

const HEADING = /^## (\S+), (.+)$/;

/**
 * Parses the sections of a changelog.
 *
 * @throws {Error} If a heading is not a version and a date
 */
export function changelogSections(text: string): ChangelogSection[] {
  const parts = text.split(/^(?=## )/m).filter((part) => part.startsWith("## "));
  return parts.map((part) => {
    const [first = "", ...rest] = part.split("\n");
    const [, version, when] = HEADING.exec(first) ?? [];
    if (version === undefined || when === undefined) {
      throw new Error(
        `CHANGELOG.md: "${first}" must have a version and a date, as in "## 1.2.3, 2026-03-01"`,
      );
    }
    return { version, when, changes: rest.join("\n").trim() };
  });
}

/**
 * Returns the changelog with this version and date as the heading of its first section.
 *
 * @throws {Error} If there is no section, or the first one has a date and another version
 */
export function datedChangelog(text: string, version: string, date: string): string {
  const [first] = changelogSections(text);
  if (first === undefined || (first.when !== UNRELEASED && first.version !== version)) {
    const heading = `"## ${version}, ${UNRELEASED}"`;
    throw new Error(
      `CHANGELOG.md must begin with a section ${heading}: add it, and describe the changes`,
    );
  }
  return text.replace(/^## .*$/m, `## ${version}, ${date}`);
}

/**
 * Checks that the newest section is ready for a release.
 *
 * @param version The version that is released
 * @param today The date that the section must have. With undefined, any date is accepted.
 * @returns A message for each problem; empty if there is none
 */
export function changelogTroubles(text: string, version: string, today?: string): string[] {
  const [first] = changelogSections(text);
  if (first === undefined) return ["CHANGELOG.md has no section"];
  if (first.version !== version) {
    return [`CHANGELOG.md begins with ${first.version}, but the version is ${version}`];
  }
  const troubles = first.changes === ""
    ? [`CHANGELOG.md does not describe the changes of ${version}`]
    : [];
  if (!DATE.test(first.when)) {
    troubles.push(
      `CHANGELOG.md has "${first.when}" for ${version}, which is not a date such as 2026-03-01`,
    );
  } else if (today !== undefined && first.when !== today) {
    troubles.push(`CHANGELOG.md has the date ${first.when} for ${version}, but today is ${today}`);
  }
  return troubles;
}
