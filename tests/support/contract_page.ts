import { existsSync, readFileSync } from "node:fs";

/** One row of a table of the page. */
export interface RuleRow {
  /** The id, as in `attempts-3`. */
  readonly id: string;
  /** The cells between the id and the status. */
  readonly cells: readonly string[];
  /** What stands in the last cell. */
  readonly status: string;
}

/** One item of a list below a table: what keeps a rule, and what tests it. */
export interface Proof {
  /** The ids that it is for; one that ends in `*` is for all that begin so. */
  readonly ids: readonly string[];
  /** Files with the code, as linked. */
  readonly code: readonly string[];
  /** Files with tests, as linked, each with the full names that follow the link. */
  readonly tests: readonly { readonly file: string; readonly names: readonly string[] }[];
}

/** The root of the repository, with a slash at its end. */
export function sourceRoot(): URL {
  return new URL("../../", import.meta.url);
}

/** The rows of the page's tables that begin with an id. */
export function ruleRows(page: string): RuleRow[] {
  return [...page.matchAll(/^\| `([\w-]+)` +\|(.*)\|$/gm)].map(([, id, rest]) => {
    const cells = rest!.split("|").map((cell) => cell.trim());
    return { id: id!, cells: cells.slice(0, -1), status: cells.at(-1)! };
  });
}

/** The items of the page's lists that begin with ids. */
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

/** The files that the page links to, as linked; addresses and headings are none. */
export function linkedFiles(page: string): string[] {
  const targets = [...page.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, target]) => target!);
  return [...new Set(targets)].filter((target) => !target.includes("://"));
}

/** Tells whether a source has a test of this full name, `group > test`. */
export function hasTest(source: string, fullName: string): boolean {
  const groups: { readonly indent: number; readonly name: string }[] = [];
  const call = /^( *)(describe|it|test)(?:Faces)?\(\s*(?:"((?:[^"\\]|\\.)*)"|`([^`]*)`|(\w+),)/gm;
  // A name that is no text, as in `it(what, …)`, stands in a row of a table: anywhere but in a call.
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

/** Reads a file that the page links to; undefined where there is none. */
export type ReadLinked = (target: string) => string | undefined;

/** Reads the files that a page in `docs/` links to. */
export function readFrom(root: URL): ReadLinked {
  return (target) => {
    const file = new URL(target, new URL("docs/", root));
    return existsSync(file) ? readFileSync(file, "utf8") : undefined;
  };
}

/** Ids that more than one row has. */
export function repeatedIds(page: string): string[] {
  const ids = ruleRows(page).map(({ id }) => id);
  return ids.filter((id, index) => ids.indexOf(id) !== index);
}

/** Files that are linked and not there. */
export function missingFiles(page: string, read: ReadLinked): string[] {
  return linkedFiles(page).filter((target) => read(target) === undefined);
}

/** Tests that are named and not in the file that is linked. */
export function missingTests(page: string, read: ReadLinked): string[] {
  return proofs(page).flatMap(({ ids, tests }) =>
    tests.flatMap(({ file, names }) =>
      names.filter((name) => !hasTest(read(file) ?? "", name))
        .map((name) => `${ids.join(", ")}: ${file} has no test named ${name}`)
    )
  );
}

/** Rows whose status and proof do not go together, and proofs of rows that are not there. */
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
