/** Changes of the Markdown that the site shows. */
import type { MarkdownRenderer } from "vitepress";
import { fileAddress, repositoryFile } from "../../scripts/shared/pages/repository_links.ts";

/**
 * Leads links to files outside of docs/ to the repository. Without an address of the repository,
 * only the texts of these links remain.
 */
export function linksToRepository(
  md: MarkdownRenderer,
  repository: string | undefined,
): void {
  md.core.ruler.push("links_to_repository", ({ tokens, env }) => {
    for (const { children } of tokens) {
      let removed = false;
      for (const token of children ?? []) {
        if (token.type === "link_open") {
          const path = repositoryFile(env.relativePath, token.attrGet("href") ?? "#");
          removed = path !== undefined && repository === undefined;
          if (path !== undefined && !removed) {
            token.attrSet("href", fileAddress(repository!, path));
          }
        }
        if (
          removed && (token.type === "link_open" || token.type === "link_close")
        ) {
          token.hidden = true;
          token.type = "text";
          token.content = "";
        }
      }
    }
  });
}

/** Puts the first example of the README into blocks of the language `readme`. */
export function readmeExample(md: MarkdownRenderer, readme: string): void {
  const example = /^```ts\n([^]*?)^```$/m.exec(readme)?.[1];
  if (example === undefined) {
    throw new Error("README.md has no block of TypeScript.");
  }
  md.core.ruler.push("readme_example", ({ tokens }) => {
    for (const token of tokens) {
      if (token.type !== "fence" || token.info !== "readme") continue;
      token.info = "ts";
      token.content = example;
    }
  });
}
