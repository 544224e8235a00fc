/** The site: the pages of docs/ as they are, a landing page and the reference. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { type DefaultTheme, defineConfig } from "vitepress";
import { headingAnchor } from "../../scripts/shared/pages/markdown_links.ts";
import { PUBLIC_FOLDER, SITE_OUTPUT } from "../../scripts/shared/pages/folders.ts";
import { entryPoints, llmsFull, llmsList } from "../../scripts/shared/pages/llms.ts";
import { groupPages, pageName } from "../../scripts/shared/pages/pages.ts";
import {
  repositoryAddress,
  withRepositoryLinks,
} from "../../scripts/shared/pages/repository_links.ts";
import { boostOfName, searchedOverview } from "../../scripts/site/search.ts";
import { ROOT } from "../../scripts/shared/source_files.ts";
import { linksToRepository, readmeExample } from "./markdown.ts";

const NAME = "Restwright";
const SUMMARY =
  "A TypeScript toolkit for building API client libraries on fetch, for Deno, Node, Bun and browsers.";

const read = (path: string) => readFileSync(`${ROOT}/${path}`, "utf8");
const repository = repositoryAddress(JSON.parse(read("package.json")));
const texts = new Map(
  readdirSync(`${ROOT}/docs`, { recursive: true, encoding: "utf8" })
    .map((file) => `docs/${file.replaceAll("\\", "/")}`)
    .flatMap((path) => {
      const name = pageName(path);
      return name === undefined ? [] : [[name, read(path)]];
    }),
);
const groups = groupPages(texts);
const otherFolders = readdirSync(ROOT).filter((name) => name !== "docs" && name !== "site");

const sidebar: DefaultTheme.SidebarItem[] = [
  ...groups.map(({ title, pages }) => ({
    text: title,
    collapsed: false,
    items: pages.map((page) => ({ text: page.title, link: `/${page.name}` })),
  })),
  { text: "Reference", items: [{ text: "All exports", link: "/reference" }] },
];

export default defineConfig({
  title: NAME,
  description: SUMMARY,
  lang: "en",
  // A host may serve the site from a folder: GitHub Pages uses the repository's name.
  base: `${(process.env["SITE_BASE"] ?? "").replace(/\/$/, "")}/`,
  srcDir: "..",
  outDir: `../${SITE_OUTPUT}`,
  srcExclude: ["*.md", ...otherFolders.map((folder) => `${folder}/**`)],
  rewrites: { "docs/:page": ":page", "docs/project/:page": "project/:page", "site/:page": ":page" },
  vite: {
    publicDir: `${ROOT}/${PUBLIC_FOLDER}`,
    plugins: [{
      name: "packages-of-the-site",
      enforce: "pre",
      // The pages of docs/ are not in this folder, and would not find its packages.
      resolveId(id, _importer, options) {
        if (!/^vue(?:\/|$)/.test(id)) return;
        return this.resolve(id, `${ROOT}/site/index.md`, {
          ...options,
          skipSelf: true,
        });
      },
    }],
  },
  markdown: {
    theme: {
      light: "github-light-high-contrast",
      dark: "github-dark-high-contrast",
    },
    anchor: { slugify: headingAnchor },
    config(md) {
      linksToRepository(md, repository);
      readmeExample(md, read("README.md"));
    },
  },
  head: [["link", {
    rel: "icon",
    href:
      "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><rect width='32' height='32' rx='7' fill='%230f5c6e'/><path d='M9 24V8h8a5 5 0 0 1 0 10H9m8 0 6 6' fill='none' stroke='white' stroke-width='3.4'/></svg>",
  }]],
  themeConfig: {
    nav: [
      { text: "Guide", link: "/first_sdk" },
      { text: "Comparison", link: "/project/comparison" },
      { text: "Reference", link: "/reference" },
      ...(repository === undefined ? [] : [{ text: "Source", link: repository }]),
    ],
    sidebar,
    outline: { level: [2, 3] },
    search: {
      provider: "local",
      options: {
        miniSearch: { searchOptions: { boostDocument: boostOfName } },
        _render(source, env, md) {
          const html = md.render(source, env);
          return env.relativePath === "site/reference.md" ? searchedOverview(html) : html;
        },
      },
    },
  },
  buildEnd({ outDir }) {
    mkdirSync(outDir, { recursive: true });
    const { name, exports } = JSON.parse(read("deno.json"));
    const entries = entryPoints(name, exports, read);
    writeFileSync(`${outDir}/llms.txt`, llmsList(NAME, SUMMARY, entries, groups));
    writeFileSync(`${outDir}/llms-full.txt`, llmsFull(NAME, SUMMARY, groups));
    mkdirSync(`${outDir}/project`, { recursive: true });
    for (const [name, text] of texts) {
      writeFileSync(
        `${outDir}/${name}.md`,
        withRepositoryLinks(
          `docs/${name}.md`,
          text,
          (path) => path.startsWith("docs/"),
          repository,
        ),
      );
    }
  },
});
