/** Writes the site's pages for language models: llms.txt, as llmstxt.org describes it. */
import { introductionOf, type SitePage } from "./pages.ts";

/** The groups of pages, as `groupPages` returns them. */
export type GroupedPages = readonly {
  readonly title: string;
  readonly pages: readonly SitePage[];
}[];

/**
 * Returns the list of all pages, with links to their Markdown files.
 *
 * @param name The name of the toolkit
 * @param summary Its description, in one sentence
 * @param groups The pages
 * @param folder The folder of the pages, with a slash at its end. Default: that of the list
 */
export function llmsList(
  name: string,
  summary: string,
  groups: GroupedPages,
  folder: string = "",
): string {
  const lists = groups.map(({ title, pages }) => {
    const items = pages.map((page) =>
      `- [${page.title}](${folder}${page.name}.md): ${introductionOf(page.text)}`
    );
    return `## ${title}\n\n${items.join("\n")}\n`;
  });
  return [`# ${name}\n`, `> ${summary}\n`, ...lists].join("\n");
}

/** Returns the texts of all pages in one document. */
export function llmsFull(name: string, summary: string, groups: GroupedPages): string {
  const texts = groups.flatMap(({ pages }) =>
    pages.map((page) => `---\nsource: ${page.name}.md\n---\n\n${page.text.trim()}\n`)
  );
  return [`# ${name}\n`, `> ${summary}\n`, ...texts].join("\n");
}
