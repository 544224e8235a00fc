/** Writes the pages for language models: llms.txt, as llmstxt.org describes it. */
import { introductionOf, type SitePage } from "./pages.ts";

/** The groups of pages, as `groupPages` returns them. */
export type GroupedPages = readonly {
  readonly title: string;
  readonly pages: readonly SitePage[];
}[];

/** An entry point of the package. */
export interface EntryPoint {
  /** The specifier that programs import, such as `@restwright/restwright/models`. */
  readonly specifier: string;
  /** The first sentence of its documentation. */
  readonly sentence: string;
}

/**
 * Returns the entry points of the package that programs import.
 *
 * @param name The name of the package
 * @param exports The paths of the entry points, as deno.json has them
 * @param read Returns the text of a file
 */
export function entryPoints(
  name: string,
  exports: Readonly<Record<string, string>>,
  read: (path: string) => string,
): EntryPoint[] {
  // Nothing can be imported from the command line.
  const importable = Object.entries(exports).filter(([entry]) => entry !== "./cli");
  return importable.map(([entry, path]) => {
    const [, comment = ""] = /\/\*\*([^]*?)\*\//.exec(read(path.replace("./", ""))) ?? [];
    const text = comment.replace(/^ \* ?/gm, "").replace(/\s+/g, " ").trim();
    const [sentence = ""] = /^.*?\.(?= |$)/.exec(text) ?? [];
    if (sentence === "") throw new Error(`${path} has no documentation.`);
    return { specifier: name + entry.slice(1), sentence };
  });
}

/**
 * Returns the list of the entry points and of all pages, with links to their Markdown files.
 *
 * @param name The name of the toolkit
 * @param summary Its description, in one sentence
 * @param entries The entry points
 * @param groups The pages
 * @param folder The folder of the pages, with a slash at its end. Default: that of the list
 */
export function llmsList(
  name: string,
  summary: string,
  entries: readonly EntryPoint[],
  groups: GroupedPages,
  folder: string = "",
): string {
  const lists = groups.map(({ title, pages }) => {
    const items = pages.map((page) =>
      `- [${page.title}](${folder}${page.name}.md): ${introductionOf(page.text)}`
    );
    return `## ${title}\n\n${items.join("\n")}\n`;
  });
  const imports = entries.map(({ specifier, sentence }) => `- \`${specifier}\`: ${sentence}\n`);
  return [
    `# ${name}\n`,
    `> ${summary}\n`,
    "The programs on these pages run as they are. A few need a package that they import, such as zod.\n" +
    "These are the entry points to import from:\n",
    imports.join(""),
    ...lists,
  ].join("\n");
}

/** Returns the texts of all pages in one document. */
export function llmsFull(name: string, summary: string, groups: GroupedPages): string {
  const texts = groups.flatMap(({ pages }) =>
    pages.map((page) => `---\nsource: ${page.name}.md\n---\n\n${page.text.trim()}\n`)
  );
  return [`# ${name}\n`, `> ${summary}\n`, ...texts].join("\n");
}
