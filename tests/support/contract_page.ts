import { existsSync, readFileSync } from "node:fs";

/** A row of a table on the contract page. */
export interface RuleRow {
  /** The id, such as `attempts-3`. */
  readonly id: string;
  /** The cells between the id and the status. */
  readonly cells: readonly string[];
  /** The text of the last cell. */
  readonly status: string;
}

/** An item of a list after a table: the code that implements some rules, and the tests of it. */
export interface Proof {
  /** The ids of its rules. An id that ends in `*` stands for all ids with that prefix. */
  readonly ids: readonly string[];
  /** The linked files with code. */
  readonly code: readonly string[];
  /** The linked files with tests, each with the full names of tests that follow the link. */
  readonly tests: readonly { readonly file: string; readonly names: readonly string[] }[];
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

/** Returns the items of the page's lists that begin with ids. */
export function proofs(page: string): Proof[] {
  const items = page.matchAll(/^- ((?:`[\w*-]+`(?:, |:\s))+)((?:.*\n)(?: {2}.*\n)*)/gm);
  return [...items].map(([, ids, text]) => {
    const code: string[] = [];
    const tests: { file: string; names: string[] }[] = [];
    for (const [, target, name] of text!.matchAll(/\[[^\]]*\]\(([^)]*)\)|`([^`]*)`/g)) {
      if (name !== undefined) tests.at(-1)?.names.push(name.replace(/\s+/g, " "));
      else if (/_test\.ts$/.test(target!)) tests.push({ file: target!, names: [] });
      else code.push(target!);
    }
    return { ids: [...ids!.matchAll(/`([^`]*)`/g)].map(([, id]) => id!), code, tests };
  });
}

/** Returns the files that the page links to. Web addresses and headings are left out. */
export function linkedFiles(page: string): string[] {
  const targets = [...page.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, target]) => target!);
  return [...new Set(targets)].filter((target) => !target.includes("://"));
}

/** Reports if a source has a test with a full name, `group > test`. */
export function hasTest(source: string, fullName: string): boolean {
  const groups: { readonly indent: number; readonly name: string }[] = [];
  const call =
    /^( *)(describe|it|test)(?:Generations)?\(\s*(?:"((?:[^"\\]|\\.)*)"|`([^`]*)`|(\w+),)/gm;
  // A name in a variable, as in `it(what, …)`, comes from a table. It is searched outside of calls.
  const rows = source.replace(call, "");
  for (const [, indent, kind, plain, pattern, variable] of source.matchAll(call)) {
    while (groups.length > 0 && groups.at(-1)!.indent >= indent!.length) groups.pop();
    const name = plain ?? pattern;
    const group = groups.map((each) => `${each.name} > `).join("");
    if (kind === "describe") groups.push({ indent: indent!.length, name: name ?? "" });
    else if (name !== undefined && `${group}${name}` === fullName) return true;
    else if (variable !== undefined && fullName.startsWith(group)) {
      if (rows.includes(JSON.stringify(fullName.slice(group.length)))) return true;
    }
  }
  return false;
}

/** A function that reads a file that the page links to; undefined if it does not exist. */
export type ReadLinked = (target: string) => string | undefined;

/** Creates a function that reads the files that a page in `docs/` links to. */
export function readFrom(root: URL): ReadLinked {
  return (target) => {
    const file = new URL(target, new URL("docs/", root));
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

/** Returns the named tests that their linked file does not contain. */
export function missingTests(page: string, read: ReadLinked): string[] {
  return proofs(page).flatMap(({ ids, tests }) =>
    tests.flatMap(({ file, names }) =>
      names.filter((name) => !hasTest(read(file) ?? "", name))
        .map((name) => `${ids.join(", ")}: ${file} has no test named ${name}`)
    )
  );
}

/** Describes rows whose status does not fit their proof, and proofs without a row or a test. */
export function unprovenRows(page: string): string[] {
  const rows = ruleRows(page);
  const items = proofs(page);
  const isFor = (pattern: string, id: string) =>
    pattern.endsWith("*") ? id.startsWith(pattern.slice(0, -1)) : id === pattern;
  const troubles = rows.flatMap(({ id, status }) => {
    const own = items.filter(({ ids }) => ids.some((pattern) => isFor(pattern, id)));
    const isTested = own.some(({ tests }) => tests.some(({ names }) => names.length > 0));
    const hasCode = own.some(({ code }) => code.length > 0);
    if (status === "open") return own.length === 0 ? [] : [`${id} is open and has a proof`];
    if (status !== "done") return [`${id} is neither done nor open`];
    return [
      ...(hasCode ? [] : [`${id} is done without code`]),
      ...(isTested ? [] : [`${id} is done without a test`]),
    ];
  });
  const orphans = items.flatMap(({ ids }) =>
    ids.filter((pattern) => !rows.some(({ id }) => isFor(pattern, id)))
  );
  const nameless = items.flatMap(({ ids, tests }) =>
    tests.filter(({ names }) => names.length === 0)
      .map(({ file }) => `${ids.join(", ")}: ${file} is linked without a test's name`)
  );
  return [...troubles, ...orphans.map((id) => `${id} has a proof and no row`), ...nameless];
}
