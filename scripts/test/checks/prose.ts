/** The check of plain English: a few phrases that have confused readers. */
import { readFile } from "node:fs/promises";
import { type Check, faultCheck } from "./check.ts";
import { filesBelow, SOURCE_FOLDERS } from "../../shared/source_files.ts";

/** The folders with modules and pages that people read. */
const FOLDERS: readonly string[] = [...SOURCE_FOLDERS, "docs", "site"];

/** The files of the root that people read. */
const ROOT_FILES: readonly string[] = [
  ...["mod.ts", "README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"],
];

/** The list itself, and its test, whose inputs have faults. */
const ownFiles = ["scripts/test/checks/prose.ts", "tests/scripts/test/checks/prose_test.ts"];

const QUESTION = "(?:What|Whether|Where|Who|Whose)\\b";

/** Beginnings of comments. */
const beginnings: readonly RegExp[] = [
  new RegExp(`^\\s*(?://|/\\*\\*|\\*)\\s*(${QUESTION})`),
  new RegExp(`@(?:returns|param \\w+|throws \\{\\w+\\}) (${QUESTION})`),
];

/** Phrases that readers stumble over, wherever they stand. */
const phrases: RegExp = new RegExp(
  "\\b(" + [
    "lies beneath",
    "what lies",
    "laid over",
    "lays over",
    "tells of",
    "is told of",
    "by that[.,;)]",
    "belongs into",
    "leaves the word",
    "as good as none",
    "of a call's own",
    "is no trade",
    "makes one of",
    "sees to",
    "(?:is|are|was|were) to be\\b",
    "has no business",
    "of one's own",
    '(?:has|have) not(?=[.,;"`])',
    '(?<=[\\w`"}] )(?<!\\bthere )(?:is|are) no (?!longer\\b|more\\b)',
  ].join("|") + ")",
  "i",
);

/** Beginnings of messages: a value of the type string is called a string. */
const texts = /["'`]((?:an? |a list of )(?:\w+ )?texts?)\b/;

/** A place that breaks the rules. */
export interface ProseFault {
  /** The number of the line, from 1. */
  readonly line: number;
  /** The word or phrase. */
  readonly found: string;
}

/** Finds the beginnings and phrases that plain English does without. */
export function proseFaults(text: string): ProseFault[] {
  return text.split("\n").flatMap((line, index) => {
    const found = [...beginnings, phrases, texts].map((pattern) => pattern.exec(line)?.[1]);
    return found.filter((each) => each !== undefined).map((each) => ({
      line: index + 1,
      found: each,
    }));
  });
}

/** Returns the check of everything that people read. */
export function proseCheck(root: string): Check {
  return faultCheck("plain English", async () => {
    const lines: string[] = [];
    for (const path of [...ROOT_FILES, ...await filesBelow(root, FOLDERS)]) {
      if (!/\.(?:m?ts|md|vue)$/.test(path) || ownFiles.includes(path)) continue;
      const faults = proseFaults(await readFile(`${root}/${path}`, "utf8"));
      lines.push(...faults.map(({ line, found }) => `${path}:${line}: ${found}`));
    }
    return lines;
  });
}
