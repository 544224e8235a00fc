/** The check of plain English: words that comments, messages and names must not have. */
import { readFile } from "node:fs/promises";
import type { Check } from "./checks.ts";
import { filesBelow, SOURCE_FOLDERS } from "./source_files.ts";

/** The folders with modules and pages that people read. */
const FOLDERS: readonly string[] = [...SOURCE_FOLDERS, "docs", "site"];

/** The files of the root that people read. */
const ROOT_FILES: readonly string[] = [
  ...["mod.ts", "README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"],
];

/** The list itself, and its test, whose inputs have faults. */
const ownFiles = ["scripts/prose.ts", "tests/scripts/prose_test.ts"];

/** The folder whose names follow the table of names. */
const NAMES = "src/";

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
    "whoever",
    "by that[.,;)]",
    "belongs into",
    "who does not",
    "who has",
    "leaves the word",
    "as good as none",
    "of a call's own",
    "is no trade",
    "makes one of",
    "told\\b",
    "tells\\b",
    "says\\b",
    "gives\\b",
    "lies\\b",
    "verbs?\\b",
    "sees to",
    "goes on\\b",
    "(?:is|are|was|were) to be\\b",
    "has no business",
    "of one's own",
    "where there (?:is|are)\\b",
    '(?:has|have) not(?=[.,;"`])',
    '(?<=[\\w`"}] )(?<!\\bthere )(?:is|are) no (?!longer\\b|more\\b)',
  ].join("|") + ")",
  "i",
);

/** Beginnings of messages: a value of the type string is called a string. */
const texts = /["'`]((?:an? |a list of )(?:\w+ )?texts?)\b/;

/** Words that no name has. */
const nameWords: ReadonlySet<string> = new Set([
  ...["face", "faces", "life", "verdict", "arrival", "hop", "hops", "overlay", "beneath"],
  ...["patience", "told"],
]);

/** Words that no name begins with. */
const nameBeginnings: ReadonlySet<string> = new Set([
  ...["give", "giving", "go", "lay", "laying", "lays", "let"],
]);

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

/** Finds names that are not the field's own. Comments and strings are not looked at. */
export function nameFaults(source: string): ProseFault[] {
  const code = source.replace(
    /\/\*[^]*?\*\/|\/\/.*|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g,
    (skipped) => skipped.replace(/[^\n]/g, " "),
  );
  return code.split("\n").flatMap((line, index) =>
    [...line.matchAll(/[A-Za-z_$][\w$]*/g)].flatMap(([name]) => {
      const words = wordsOf(name);
      const isFault = words.some((word) => nameWords.has(word)) ||
        words.length > 1 && nameBeginnings.has(words[0]!);
      return isFault ? [{ line: index + 1, found: name }] : [];
    })
  );
}

/** Splits `camelCase`, `PascalCase` and `UPPER_CASE` into words in lower case. */
function wordsOf(name: string): string[] {
  return name.replace(/([a-z\d])([A-Z])/g, "$1_$2").toLowerCase().split("_").filter(Boolean);
}

/** Returns the check of everything that people read. */
export function proseCheck(root: string): Check {
  return {
    name: "plain English",
    async run() {
      const began = performance.now();
      const lines: string[] = [];
      const note = (path: string, faults: readonly ProseFault[]) => {
        lines.push(...faults.map(({ line, found }) => `${path}:${line}: ${found}`));
      };
      for (const path of [...ROOT_FILES, ...await filesBelow(root, FOLDERS)]) {
        if (!/\.(?:m?ts|md|vue)$/.test(path) || ownFiles.includes(path)) continue;
        const text = await readFile(`${root}/${path}`, "utf8");
        note(path, proseFaults(text));
        if (path.startsWith(NAMES)) note(path, nameFaults(text));
      }
      return {
        code: lines.length === 0 ? 0 : 1,
        stdout: "",
        output: lines.join("\n"),
        seconds: (performance.now() - began) / 1000,
        trouble: undefined,
      };
    },
  };
}
