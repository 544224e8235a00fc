/** Finds the links and the headings in pages of Markdown, and the links that lead nowhere. */
import { posix } from "node:path";

/** The text of pages by their paths, relative to the root of the repository. */
export type Pages = ReadonlyMap<string, string>;

/**
 * Returns the anchor of a heading, as GitHub makes it: lower case, hyphens for spaces, without
 * punctuation. The site uses the same anchors.
 */
export function headingAnchor(heading: string): string {
  return heading.trim().toLowerCase().replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, "")
    .replaceAll(" ", "-");
}

/** Returns the anchors of all headings of a page. Repeated headings get a number. */
export function anchorsOf(page: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading] of withoutFences(page).matchAll(/^#{1,6} +(.*)$/gm)) {
    const text = heading!.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/ +#+ *$/, "");
    const anchor = headingAnchor(text);
    let unique = anchor;
    for (let count = 1; anchors.has(unique); count++) unique = `${anchor}-${count}`;
    anchors.add(unique);
  }
  return anchors;
}

/** Returns the targets of a page's links in the order of the page, without those in code. */
export function linksOf(page: string): string[] {
  const text = withoutFences(page).replace(/(?<!`)(`+)(?!`)(?:(?!\n\n)[^])*?(?<!`)\1(?!`)/g, "");
  const inline = /\]\(\s*<?([^\s)>]+)>?(?:\s+"[^"]*")?\s*\)/g;
  const definition = /^ {0,3}\[[^\]]+\]:\s*(\S+)/gm;
  return [inline, definition].flatMap((link) => [...text.matchAll(link)].map(([, to]) => to!));
}

/** Returns true if a target is a web address. */
export function isWebAddress(target: string): boolean {
  return /^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(target);
}

/** Returns the path of a link's file, relative to the root, and the anchor; "" if it has none. */
export function resolveLink(from: string, target: string): { path: string; anchor: string } {
  const [file = "", anchor = ""] = target.split("#", 2);
  const path = file === "" ? from : posix.join(posix.dirname(from), decodeURIComponent(file));
  return { path, anchor: decodeURIComponent(anchor) };
}

/**
 * Describes each link that leads to no file, or to no heading of a page. Web addresses are not
 * looked up.
 *
 * @param pages The pages to check; anchors are only looked up in these pages
 * @param exists Returns true if the repository has a file or folder with this path
 */
export function brokenLinks(pages: Pages, exists: (path: string) => boolean): string[] {
  const anchors = new Map([...pages].map(([path, text]) => [path, anchorsOf(text)]));
  return [...pages].flatMap(([from, text]) =>
    linksOf(text).filter((target) => !isWebAddress(target)).flatMap((target) => {
      const { path, anchor } = resolveLink(from, target);
      if (path.startsWith("..") || path.startsWith("/") || !exists(path)) {
        return [`${from}: there is no file ${path}`];
      }
      const known = anchors.get(path);
      if (anchor === "" || known === undefined || known.has(anchor)) return [];
      return [`${from}: ${path} has no heading #${anchor}`];
    })
  );
}

/** Removes blocks of code, and keeps the other lines. */
function withoutFences(page: string): string {
  return page.replace(/^( *)(`{3,}|~{3,})[^]*?^ *\2`* *$/gm, "");
}
