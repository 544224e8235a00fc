/** The steps of a release, and the problems that prevent one. This module runs nothing. */
import { changelogTroubles } from "./changelog.ts";
import type { Edition } from "../shared/edition.ts";
import { GENERATOR_TARBALL } from "../shared/package/generator_package.ts";
import { TARBALL } from "../shared/package/package_description.ts";
import { GENERATOR } from "../shared/source_files.ts";
import { isPreview, isVersion, tagOf, versionInModule } from "./version_text.ts";

/** A stage of a release. A person runs `tag`; the workflow that the tag starts runs `publish`. */
export type Stage = "tag" | "publish";

/** The state of the repository that a release depends on. */
export interface ReleaseState {
  /** The version in deno.json. */
  version: string;
  /** The version in the generator's deno.json. Both packages have one version and one tag. */
  generatorVersion: string;
  /** The text of src/base/version.ts. */
  versionModule: string;
  changelog: string;
  /** Today's date, such as 2026-03-01. */
  today: string;
  /** The output of `git status --porcelain`. */
  changes: string;
  branch: string;
  /** All tags of the repository. */
  tags: readonly string[];
  /** The tags of the commit that is checked out. */
  tagsHere: readonly string[];
  /** True if the package.json for npm has a "repository", which npm requires for provenance. */
  namesRepository: boolean;
  /** The versions of the packed npm packages by their paths; undefined if one is not packed. */
  builtVersions: Readonly<Record<string, string | undefined>>;
  /** The edition that Deno uses on this machine. */
  edition: Edition;
}

/** A step of a release: a title and a command. */
export interface ReleaseStep {
  title: string;
  command: readonly string[];
  /** The folder in which the command runs, relative to the root; the root by default. */
  folder?: string;
}

/** The branch that releases are made from. */
const BRANCH = "main";

/** Returns a message for each problem that prevents the stage; empty if there is none. */
export function releaseTroubles(stage: Stage, state: ReleaseState): string[] {
  const { version, generatorVersion, builtVersions, tags, tagsHere, changes, branch, edition } =
    state;
  const tag = tagOf(version);
  const troubles: string[] = [];
  if (!isVersion(version)) troubles.push(`deno.json: ${version} is not a version such as 1.2.3`);
  const inModule = versionInModule(state.versionModule);
  if (inModule !== version) {
    troubles.push(
      `src/base/version.ts has the version ${inModule ?? "(none)"}, but deno.json has ${version}`,
    );
  }
  if (generatorVersion !== version) {
    troubles.push(
      `${GENERATOR}/deno.json has the version ${generatorVersion}, but deno.json has ${version}`,
    );
  }
  if (changes.trim() !== "") {
    troubles.push(`uncommitted changes would not be released:\n${indented(changes.trimEnd())}`);
  }
  if (stage === "tag") {
    if (branch !== BRANCH) troubles.push(`the branch is ${branch || "none"}, not ${BRANCH}`);
    if (tags.includes(tag)) troubles.push(`the tag ${tag} exists already`);
    troubles.push(...changelogTroubles(state.changelog, version, state.today));
  } else {
    if (!tagsHere.includes(tag)) troubles.push(`this commit does not have the tag ${tag}`);
    // Any date is accepted: publishing may happen a day later, or again after a registry failed.
    troubles.push(...changelogTroubles(state.changelog, version));
    for (const tarball of [TARBALL, GENERATOR_TARBALL]) {
      const built = builtVersions[tarball];
      if (built === version) continue;
      const fault = built === undefined ? "is missing" : `has version ${built}`;
      troubles.push(`${tarball} ${fault}: put the package there that was tested`);
    }
  }
  if (!state.namesRepository) {
    troubles.push(`the npm package has no "repository", which npm requires for provenance`);
  }
  if (edition !== "jsr") {
    troubles.push("Deno uses the npm edition here, but JSR must get the JSR edition");
  }
  return troubles;
}

/**
 * Returns the steps of a stage, in order. The stage `publish` publishes the package that the workflow
 * has tested: the job that can publish builds nothing.
 */
export function releaseSteps(stage: Stage, version: string): ReleaseStep[] {
  const tag = tagOf(version);
  if (stage === "tag") {
    return [
      {
        title: "checks, tests, packages, large corpora",
        command: ["bash", ".ci/run", "--release"],
      },
      { title: "tag", command: ["git", "tag", "--annotate", tag, "--message", tag] },
    ];
  }
  // A preview needs a tag of its own, so that it does not become npm's `latest` version.
  const channel = isPreview(version) ? ["--tag", "next"] : [];
  // The files that the judges have tested.
  const publish = (tarball: string): readonly string[] => {
    return ["npm", "publish", tarball, "--provenance", "--access", "public", ...channel];
  };
  return [
    // On GitHub Actions, `deno publish` adds provenance by default.
    { title: "JSR", command: ["deno", "publish"] },
    { title: "JSR, the generator", command: ["deno", "publish"], folder: GENERATOR },
    { title: "npm", command: publish(TARBALL) },
    { title: "npm, the generator", command: publish(GENERATOR_TARBALL) },
  ];
}

/** Returns the command that a person runs to finish the `tag` stage, as it cannot be undone. */
export function lastCommand(version: string): string {
  return `git push origin ${BRANCH} ${tagOf(version)}`;
}

/** Formats a step as a line. */
export function stepLine({ title, command, folder }: ReleaseStep, number: number): string {
  const place = folder === undefined ? "" : ` (in ${folder}/)`;
  return `  ${number}. ${title.padEnd(38)} ${command.join(" ")}${place}`;
}

function indented(text: string): string {
  return text.replace(/^/gm, "      ");
}
