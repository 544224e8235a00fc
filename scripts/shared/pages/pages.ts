/** The order of the pages of docs/ on the site. */

/** A group of pages in the sidebar. */
export interface PageGroup {
  readonly title: string;
  /** The paths of the files in docs/, without `.md`. */
  readonly pages: readonly string[];
}

/** A page of docs/. */
export interface SitePage {
  /** The path of the file in docs/, without `.md`. */
  readonly name: string;
  readonly title: string;
  readonly text: string;
}

/** The groups of the sidebar, in their order. */
export const PAGE_GROUPS: readonly PageGroup[] = [
  { title: "Start here", pages: ["first_sdk", "generate", "cookbook"] },
  {
    title: "Sessions and clients",
    pages: ["clients", "sessions", "endpoints", "options", "time", "polling"],
  },
  { title: "Lists", pages: ["paging", "iterators"] },
  { title: "Failures", pages: ["errors", "retries"] },
  {
    title: "Authentication",
    pages: ["authentication", "oauth", "cookies", "stores", "many_processes"],
  },
  { title: "Bodies", pages: ["schemas", "models", "models_xml", "files", "streams", "box"] },
  {
    title: "Requests on the wire",
    pages: ["params", "middleware", "ready_middleware", "redirects", "transports"],
  },
  { title: "Requests to you", pages: ["webhooks"] },
  { title: "Logs and traces", pages: ["logging", "telemetry"] },
  { title: "Your SDK", pages: ["testing", "publishing", "runtimes", "permissions"] },
  {
    title: "Move to Restwright",
    pages: ["migration_restfly", "migration_axios", "migration_stainless", "try_sdk"],
  },
  {
    title: "Evaluate and maintain",
    pages: [
      "project/comparison",
      "project/generate_comparison",
      "project/models_comparison",
      "project/performance",
      "project/reliability",
      "project/dependencies",
      "project/architecture",
      "project/api_review",
      "project/contract",
    ],
  },
];

/**
 * Returns the name of a page from the path of its file: `project/contract` for
 * `docs/project/contract.md`. Returns undefined for other files.
 */
export function pageName(path: string): string | undefined {
  return /^docs\/(.+)\.md$/.exec(path)?.[1];
}

/** Returns the title of a page: its first heading. */
export function titleOf(text: string): string {
  const title = /^# +(.+)$/m.exec(text)?.[1];
  if (title === undefined) throw new Error("The page has no heading of the first level.");
  return title.replaceAll("`", "");
}

/** Returns the first paragraph of a page below its title, on one line. */
export function introductionOf(text: string): string {
  const paragraph = text.replace(/^# .+$/m, "").trim().split(/\n\s*\n/, 1)[0] ?? "";
  return paragraph.replace(/\s+/g, " ").replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/:$/, ".");
}

/** Returns the names of pages that no group has. */
export function pagesWithoutGroup(
  names: readonly string[],
  groups: readonly PageGroup[] = PAGE_GROUPS,
): string[] {
  const grouped = new Set(groups.flatMap(({ pages }) => pages));
  return names.filter((name) => !grouped.has(name));
}

/**
 * Returns the pages of each group.
 *
 * @param texts The texts of the pages by name
 * @throws {Error} If a group has a page that does not exist, or if a page is in no group
 */
export function groupPages(
  texts: ReadonlyMap<string, string>,
  groups: readonly PageGroup[] = PAGE_GROUPS,
): { title: string; pages: SitePage[] }[] {
  const missing = groups.flatMap(({ pages }) => pages).filter((name) => !texts.has(name));
  const without = pagesWithoutGroup([...texts.keys()], groups);
  const problems = [
    ...missing.map((name) => `docs/${name}.md does not exist`),
    ...without.map((name) => `docs/${name}.md is in no group`),
  ];
  if (problems.length > 0) {
    throw new Error(`${problems.join("\n")}\nThe groups are in scripts/shared/pages/pages.ts.`);
  }
  return groups.map(({ title, pages }) => ({
    title,
    pages: pages.map((name) => {
      const text = texts.get(name)!;
      return { name, title: titleOf(text), text };
    }),
  }));
}
