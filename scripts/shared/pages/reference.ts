/** The API reference: corrections of the pages that `deno doc --html` writes, and an overview. */
import { fileAddress } from "./repository_links.ts";

/** An entry point of the package. */
export interface ReferenceEntry {
  /** The name in `exports`: "." or "./auth". */
  readonly entry: string;
  /** The first paragraph of the module's doc comment. */
  readonly summary: string;
  /** The categories of the exported names. */
  readonly names: ReadonlyMap<string, string | undefined>;
}

/** The values that a page of the reference depends on. */
export interface ReferencePlace {
  /** The `file:` URL of the repository, with a slash at its end. */
  readonly root: string;
  /** The address of the repository on the web, if it is known. */
  readonly repository: string | undefined;
  /** The name of the package. */
  readonly packageName: string;
  /** The address of the site's overview, relative to the folder of the reference, if it has one. */
  readonly overview?: string | undefined;
  /** The names in `exports`. */
  readonly entries: readonly string[];
}

/**
 * Corrects a page of `deno doc --html`. The page links to the sources on this machine: links them
 * in the repository, or removes the links if its address is not known. The page imports from "auth"
 * or ".": puts the package's name before it.
 */
export function correctPage(page: string, place: ReferencePlace): string {
  const { root, repository, packageName, overview, entries } = place;
  const imports = new Map(
    entries.map((entry) => [entry.replace("./", ""), packageName + entry.slice(1)]),
  );
  return page
    .replace(
      /<a\s+class="sourceButton"\s+href="([^"]*)">[^]*?<\/a>/g,
      (button: string, href: string) => {
        const url = href.replaceAll("&#x2F;", "/");
        if (!url.startsWith(root)) return button;
        if (repository === undefined) return "";
        return button.replace(href, fileAddress(repository, url.slice(root.length)));
      },
    )
    .replace(
      /(import (?:[^;"&]|&(?!quot;))* from &quot;)([\w./]+)(&quot;;)/g,
      (statement: string, before: string, name: string, after: string) =>
        imports.has(name) ? before + imports.get(name) + after : statement,
    )
    .replace(
      '<button id="theme-toggle"',
      (button) => overview === undefined ? button : `${siteLink(page, overview)}${button}`,
    );
}

/** Second names of classes, for which `deno doc` writes no page, and the first names. */
const ALIASES: Readonly<Record<string, string>> = { AsyncAPIIterator: "APIIterator" };

/** Returns a link to the site. The page's first breadcrumb leads to the folder of the reference. */
function siteLink(page: string, overview: string): string {
  const folder = /<a href="([^"]*)" class="contextLink">/.exec(page)?.[1] ?? "";
  return `<a href="${folder}${overview}" class="link">All exports</a>`;
}

/**
 * Rules for the pages of `deno doc`, whose header lets the text below it shine through. They do not
 * fit narrow screens.
 */
export const REFERENCE_STYLE = `
.dark { color-scheme: dark; }
#topnav { background-color: #fff; }
#topnav:is(.dark *) { background-color: #121417; }
.ddoc > div, #content > main { min-width: 0; }
.ddoc { box-sizing: border-box; max-width: 100vw; }
.ddoc > div { max-width: 100%; box-sizing: border-box; }
#topnav > div { gap: 1rem; }
#topnav > div > :first-child, .breadcrumbs { min-width: 0; }
#topnav > div > :last-child { flex-shrink: 0; }
#topnav .link { white-space: nowrap; }
@media (max-width: 639px) {
  .breadcrumbs > :not(:first-child) { display: none; }
  .breadcrumbs .contextLink { font-size: 1rem !important; }
  #searchbar { min-width: 0; width: 5rem; }
}
`;

/** Returns the path of an exported name's page, relative to the folder of the reference. */
export function namePath(entry: string, name: string): string {
  return `${folderOf(entry)}~/${ALIASES[name] ?? name}.html`;
}

/** Returns the path of an entry point's page, relative to the folder of the reference. */
export function entryPath(entry: string): string {
  return `${folderOf(entry)}index.html`;
}

function folderOf(entry: string): string {
  return entry === "." ? "" : `${entry.slice(2)}/`;
}

/** Returns the first paragraph of a module's doc comment, without its tags. */
export function moduleSummary(source: string): string {
  const comment = /^(?:#!.*\n)?\s*\/\*\*([^]*?)\*\//.exec(source)?.[1] ?? "";
  const text = comment.replace(/^ *\* ?/gm, "").trim();
  return text.split(/\n\s*\n|\n@/, 1)[0]!.replace(/\s+/g, " ")
    .replace(/\{@link(?:code)? (\w+)\}/g, "`$1`").replace(/:$/, ".");
}

/**
 * Returns a list of every entry point and its names by category, in Markdown. The links are HTML
 * with the target `_self`, because the site's router does not know the pages of the reference. The
 * first link of each name has the id `name-<name>`.
 *
 * @param folder The address of the reference, relative to the page, with a slash at its end
 */
export function referenceOverview(
  packageName: string,
  entries: readonly ReferenceEntry[],
  folder: string,
): string {
  const link = (path: string, text: string, id = "") =>
    `<a${id} href="${folder}${path}" target="_self">${text}</a>`;
  const seen = new Set<string>();
  const idOf = (name: string) => {
    if (seen.has(name)) return "";
    seen.add(name);
    return ` id="name-${name}"`;
  };
  const parts = entries.map(({ entry, summary, names }) => {
    const rows = byCategory(names).map(([category, members]) => {
      const links = members.map((name) =>
        link(namePath(entry, name), `<code>${name}</code>`, idOf(name))
      );
      return `| ${category} | ${links.join(" ")} |\n`;
    });
    const table = rows.length > 0 ? `\n| category | names |\n| --- | --- |\n${rows.join("")}` : "";
    const page = link(entryPath(entry), "the page of the entry point");
    const from = `From \`${packageName}${entry.slice(1)}\`: ${page}.`;
    return `## ${
      entry === "." ? "The root entry point" : entry.slice(2)
    }\n\n${summary}\n\n${from}\n${table}`;
  });
  return parts.join("\n");
}

/** Groups names by category. The categories and names are sorted. */
function byCategory(
  names: ReadonlyMap<string, string | undefined>,
): [category: string, members: string[]][] {
  const groups = new Map<string, string[]>();
  for (const [name, category = "Others"] of names) {
    groups.set(category, [...groups.get(category) ?? [], name]);
  }
  return [...groups].sort(([one], [other]) => one < other ? -1 : 1)
    .map(([category, members]) => [category, members.sort()]);
}
