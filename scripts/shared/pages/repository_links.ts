/** The addresses of the repository's files on the web. */
import { posix } from "node:path";
import type { NpmManifest } from "../manifest.ts";
import { isWebAddress, resolveLink } from "./markdown_links.ts";

/**
 * Returns the address of the repository on the web, without a slash at its end; undefined if
 * package.json has no `repository`.
 */
export function repositoryAddress(
  { repository }: Pick<NpmManifest, "repository">,
): string | undefined {
  return repository?.url.replace(/^git\+/, "").replace(/\/?(?:\.git)?\/?$/, "");
}

/** Returns the address of a file on the branch `main`. */
export function fileAddress(repository: string, path: string): string {
  return `${repository}/blob/main/${path}`;
}

/**
 * Returns the path of the repository's file that a link in a page leads to, with the anchor. Returns
 * undefined for links to pages of docs/ and to web addresses.
 *
 * @param from The path of the page
 * @param target The target of the link
 */
export function repositoryFile(from: string, target: string): string | undefined {
  if (/^[#/]/.test(target) || isWebAddress(target)) return undefined;
  const path = posix.join(posix.dirname(from), target);
  return /^docs\/.+\.md(?:#|$)/.test(path) ? undefined : path;
}

/**
 * Returns the text of a page in which links to files that are only in the repository lead there on the
 * web. Without a repository, only the texts of these links remain.
 *
 * @param from The path of the page
 * @param page The text
 * @param isKept Reports if the file of a link is published beside the page
 * @param repository The address of the repository on the web
 */
export function withRepositoryLinks(
  from: string,
  page: string,
  isKept: (path: string) => boolean,
  repository: string | undefined,
): string {
  return page.replace(/\[([^\]]*)\]\(([^)\s]+)\)/g, (link, text: string, target: string) => {
    if (isWebAddress(target)) return link;
    const { path, anchor } = resolveLink(from, target);
    if (path === from || isKept(path)) return link;
    if (repository === undefined) return text;
    return `[${text}](${fileAddress(repository, path)}${anchor && `#${anchor}`})`;
  });
}
