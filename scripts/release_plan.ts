/** What a release consists of, and what keeps it from being made. Nothing is run here. */
import { changelogTroubles } from "./changelog.ts";
import type { Edition } from "./edition.ts";
import { isPreview, isVersion, tagOf, versionInModule } from "./version_text.ts";

/** `tag` is made by a person, `publish` by the workflow that the tag starts. */
export type Stage = "tag" | "publish";

/** What the repository says of itself. */
export interface ReleaseState {
  /** The version in deno.json. */
  version: string;
  /** The text of src/version.ts. */
  versionModule: string;
  changelog: string;
  /** Today's date, as 2026-03-01. */
  today: string;
  /** What `git status --porcelain` prints. */
  changes: string;
  branch: string;
  /** Every tag. */
  tags: readonly string[];
  /** The tags of the commit that is checked out. */
  tagsHere: readonly string[];
  /** Whether the package.json for npm names its repository, which its provenance is checked by. */
  namesRepository: boolean;
  /** The edition that Deno takes here. */
  edition: Edition;
}

/** One step: what it is for, and the command. */
export interface ReleaseStep {
  title: string;
  command: readonly string[];
  /** The folder it runs in, from the root; the root itself where there is none. */
  folder?: string;
}

/** The branch that is released. */
const BRANCH = "main";

/** What keeps the stage from being run; empty where nothing does. */
export function releaseTroubles(stage: Stage, state: ReleaseState): string[] {
  const { version, tags, tagsHere, changes, branch, edition } = state;
  const tag = tagOf(version);
  const troubles: string[] = [];
  if (!isVersion(version)) troubles.push(`deno.json: ${version} is no version such as 1.2.3`);
  const inModule = versionInModule(state.versionModule);
  if (inModule !== version) {
    troubles.push(`src/version.ts says ${inModule ?? "nothing"}, and deno.json ${version}`);
  }
  if (changes.trim() !== "") {
    troubles.push(`what is not committed would not be released:\n${indented(changes.trimEnd())}`);
  }
  if (stage === "tag") {
    if (branch !== BRANCH) troubles.push(`the branch is ${branch || "none"}, not ${BRANCH}`);
    if (tags.includes(tag)) troubles.push(`the tag ${tag} is there already`);
    troubles.push(...changelogTroubles(state.changelog, version, state.today));
  } else {
    if (!tagsHere.includes(tag)) troubles.push(`this commit does not have the tag ${tag}`);
    // It may be published on the day after, or again where a registry was down.
    troubles.push(...changelogTroubles(state.changelog, version));
  }
  if (!state.namesRepository) {
    troubles.push(`the npm package names no "repository", without which npm refuses provenance`);
  }
  if (edition !== "jsr") {
    troubles.push("Deno takes the npm edition here, and JSR has to get its own");
  }
  return troubles;
}

/** The steps of a stage, in order. */
export function releaseSteps(stage: Stage, version: string): ReleaseStep[] {
  const tag = tagOf(version);
  const build: ReleaseStep = {
    title: "build, pack and judge the npm package",
    command: ["deno", "task", "npm"],
  };
  if (stage === "tag") {
    return [
      { title: "checks and tests", command: ["deno", "task", "ok"] },
      build,
      { title: "tag", command: ["git", "tag", "--annotate", tag, "--message", tag] },
    ];
  }
  // npm wants a name for what is not to be its latest.
  const channel = isPreview(version) ? ["--tag", "next"] : [];
  return [
    build,
    // With provenance by default, where it runs on GitHub Actions.
    { title: "JSR", command: ["deno", "publish"] },
    {
      title: "npm",
      command: ["npm", "publish", "--provenance", "--access", "public", ...channel],
      folder: "npm",
    },
  ];
}

/** The one thing that is left to a person, since nobody can take it back. */
export function lastWord(version: string): string {
  return `git push origin ${BRANCH} ${tagOf(version)}`;
}

/** A step as a line to read. */
export function stepLine({ title, command, folder }: ReleaseStep, number: number): string {
  const place = folder === undefined ? "" : `cd ${folder} && `;
  return `  ${number}. ${title.padEnd(38)} ${place}${command.join(" ")}`;
}

function indented(text: string): string {
  return text.replace(/^/gm, "      ");
}
