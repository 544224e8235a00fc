import { existsSync, readdirSync, readFileSync } from "node:fs";

/** A row of a table on the contract page. */
export interface RuleRow {
  /** The id, such as `attempts-3`. */
  readonly id: string;
  /** The cells between the id and the status. */
  readonly cells: readonly string[];
  /** The text of the last cell. */
  readonly status: string;
}

/** A comment that names the rules which the test or group below it shows. */
export interface RuleComment {
  /** The file and line, such as `tests/client/session_test.ts:12`. */
  readonly place: string;
  /** The ids of the rules. An id that ends in `*` stands for all ids with that prefix. */
  readonly ids: readonly string[];
  /** True if a test or a group of tests begins on the next line. */
  readonly isAboveTest: boolean;
}

/** A row of the table of error statuses. */
export interface StatusRow {
  readonly status: number;
  /** The name of the error class. */
  readonly name: string;
  readonly isRetried: boolean;
}

/** Returns the root of the repository, with a trailing slash. */
export function sourceRoot(): URL {
  return new URL("../../", import.meta.url);
}

/** Returns the rows of the page's tables that begin with an id. */
export function ruleRows(page: string): RuleRow[] {
  return [...page.matchAll(/^\| `([\w-]+)` +\|(.*)\|$/gm)].map(([, id, rest]) => {
    const cells = rest!.split("|").map((cell) => cell.trim());
    return { id: id!, cells: cells.slice(0, -1), status: cells.at(-1)! };
  });
}

/** Returns the rows of the table of error statuses. */
export function statusRows(page: string): StatusRow[] {
  return ruleRows(page).filter(({ id }) => id.startsWith("status-")).map(({ id, cells }) => ({
    status: Number(id.slice("status-".length)),
    name: cells[0]!.slice(1, -1),
    isRetried: cells[1] === "yes",
  }));
}

/** Returns the comments of a test file that name rules. Comments in adjacent lines are one. */
export function ruleComments(file: string, source: string): RuleComment[] {
  const comments: RuleComment[] = [];
  let block: { line: number; ids: string[] } | undefined;
  for (const [index, line] of source.split("\n").entries()) {
    const [, before, text] = /^(.*?)\/\/\s*contract:(.*)$/.exec(line) ?? [];
    if (before?.trim() === "") {
      block ??= { line: index + 1, ids: [] };
      block.ids.push(...text!.split(",").map((id) => id.trim()));
      continue;
    }
    if (block !== undefined) {
      const isAboveTest = /^\s*(?:describe|it|test)\w*\(/.test(line);
      comments.push({ place: `${file}:${block.line}`, ids: block.ids, isAboveTest });
      block = undefined;
    }
    if (before !== undefined) {
      comments.push({ place: `${file}:${index + 1}`, ids: [], isAboveTest: false });
    }
  }
  return comments;
}

/** Returns the comments that name rules in all test files. */
export function allRuleComments(root: URL): RuleComment[] {
  const files = readdirSync(new URL("tests/", root), { recursive: true, encoding: "utf8" })
    .map((path) => `tests/${path.replaceAll("\\", "/")}`)
    .filter((path) => path.endsWith(".ts"))
    .sort();
  return files.flatMap((file) => ruleComments(file, readFileSync(new URL(file, root), "utf8")));
}

/** Returns the files that the page links to. Web addresses and headings are left out. */
export function linkedFiles(page: string): string[] {
  const targets = [...page.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, target]) => target!);
  return [...new Set(targets)].filter((target) => !target.includes("://"));
}

/** A function that reads a file that the page links to; undefined if it does not exist. */
export type ReadLinked = (target: string) => string | undefined;

/** Creates a function that reads the files that the page of the contract links to. */
export function readFrom(root: URL): ReadLinked {
  return (target) => {
    const file = new URL(target, new URL("docs/project/", root));
    return existsSync(file) ? readFileSync(file, "utf8") : undefined;
  };
}

/** Returns the ids that occur in several rows. */
export function repeatedIds(page: string): string[] {
  const ids = ruleRows(page).map(({ id }) => id);
  return ids.filter((id, index) => ids.indexOf(id) !== index);
}

/** Returns the linked files that do not exist. */
export function missingFiles(page: string, read: ReadLinked): string[] {
  return linkedFiles(page).filter((target) => read(target) === undefined);
}

/** Describes rows whose status does not fit the comments that name them. */
export function rowTroubles(page: string, comments: readonly RuleComment[]): string[] {
  return ruleRows(page).flatMap(({ id, status }) => {
    const own = comments.filter(({ ids }) => ids.some((pattern) => isFor(pattern, id)));
    if (status === "open") return own.map(({ place }) => `${id} is open, and ${place} names it`);
    if (status !== "done") return [`${id} is neither done nor open`];
    return own.length > 0 ? [] : [`${id} is done, and no test names it`];
  });
}

/** Describes comments that name unknown rules, one rule twice, or no test. */
export function commentTroubles(page: string, comments: readonly RuleComment[]): string[] {
  const rows = ruleRows(page);
  return comments.flatMap(({ place, ids, isAboveTest }) => {
    const unknown = ids.filter((pattern) => !rows.some(({ id }) => isFor(pattern, id)));
    const repeated = ids.filter((id, index) => ids.indexOf(id) !== index);
    return [
      ...(isAboveTest ? [] : [`${place} is not directly above a test or a group`]),
      ...unknown.map((id) => `${place} names ${id}, which the page does not have`),
      ...repeated.map((id) => `${place} names ${id} twice`),
    ];
  });
}

function isFor(pattern: string, id: string): boolean {
  return pattern.endsWith("*") ? id.startsWith(pattern.slice(0, -1)) : id === pattern;
}
