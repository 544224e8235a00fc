/** The sections of CHANGELOG.md, one a version, the newest first. */

/** One section. */
export interface ChangelogSection {
  version: string;
  /** What stands behind the version: a date as 2026-03-01, or `not released yet`. */
  when: string;
  /** What has changed, without blank lines around it. */
  changes: string;
}

/** What stands behind a version that is being worked on. */
export const UNRELEASED = "not released yet";

const DATE = /^\d{4}-\d\d-\d\d$/;

const HEADING = /^## (\S+), (.+)$/;

/** The sections of a changelog; a heading that is no version's is refused. */
export function changelogSections(text: string): ChangelogSection[] {
  const parts = text.split(/^(?=## )/m).filter((part) => part.startsWith("## "));
  return parts.map((part) => {
    const [first = "", ...rest] = part.split("\n");
    const [, version, when] = HEADING.exec(first) ?? [];
    if (version === undefined || when === undefined) {
      throw new Error(`CHANGELOG.md: "${first}" is no heading such as "## 1.2.3, 2026-03-01"`);
    }
    return { version, when, changes: rest.join("\n").trim() };
  });
}

/** The changelog with a version and a date over its first section, which nobody has released. */
export function datedChangelog(text: string, version: string, date: string): string {
  const [first] = changelogSections(text);
  if (first === undefined || (first.when !== UNRELEASED && first.version !== version)) {
    const heading = `"## ${version}, ${UNRELEASED}"`;
    throw new Error(`CHANGELOG.md begins with no section ${heading}: write what has changed`);
  }
  return text.replace(/^## .*$/m, `## ${version}, ${date}`);
}

/**
 * What keeps the newest section from being that of a release; empty where nothing does.
 *
 * @param today The date that it has to have; undefined takes any date
 */
export function changelogTroubles(text: string, version: string, today?: string): string[] {
  const [first] = changelogSections(text);
  if (first === undefined) return ["CHANGELOG.md has no section"];
  if (first.version !== version) {
    return [`CHANGELOG.md begins with ${first.version}, and the version is ${version}`];
  }
  const troubles = first.changes === ""
    ? [`CHANGELOG.md says nothing of what ${version} changes`]
    : [];
  if (!DATE.test(first.when)) {
    troubles.push(`CHANGELOG.md says "${first.when}" of ${version}, which is no date`);
  } else if (today !== undefined && first.when !== today) {
    troubles.push(`CHANGELOG.md says ${first.when} of ${version}, and today is ${today}`);
  }
  return troubles;
}
