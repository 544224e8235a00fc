/** Runs a user's program in Chromium: with each bundler, in a page and in a module worker. */
import process from "node:process";
import { fileURLToPath } from "node:url";
import { runChild } from "../../shared/child.ts";
import type { Runtime } from "../../shared/runtimes.ts";
import { isCi } from "../../shared/ci.ts";
import { browserScenes } from "../consumer/web/scenes.ts";
import { faultsOfRun, type Judge } from "../../shared/package/judge.ts";
import type { Project } from "../../shared/package/project.ts";
import { toolPath } from "../tools.ts";
import { type Bundler, bundlers } from "./bundles.ts";
import { findChromium } from "./chromium.ts";
import type { DriverJob, OpenedPage } from "./drive.ts";
import { type Front, startFront } from "./front.ts";
import { faultsOfPage, faultsOfRequests } from "./page_faults.ts";
import { servePages } from "./pages.ts";
import { startUploadServers, type UploadServers } from "./upload_servers.ts";

/** The places where the program runs. Each has its own instance of the API. */
const PLACES: readonly string[] = ["page", "worker"];

/**
 * Returns a judge for each bundler.
 *
 * @param root The root of the repository
 * @param project The project with the package and the program
 * @param runtimes The installed runtimes. Node 24, which drives the browser, must be one of them.
 */
export function browserJudges(
  root: string,
  project: Project,
  runtimes: readonly Runtime[],
): Judge[] {
  const chromium = findChromium(process.env["PATH"] ?? "");
  const node = runtimes.find(({ name }) => name === "node24")?.path;
  return bundlers(root, project).map((bundler): Judge => {
    const name = `in Chromium, by ${bundler.name}`;
    if (chromium !== undefined) {
      return {
        name,
        async judge() {
          if (node === undefined) return ["Node 24, which controls the browser, is not installed"];
          return await faultsIn({ root, folder: project.folder, chromium, node, bundler });
        },
      };
    }
    const trouble = "Chromium is not installed: run apt-get install chromium";
    // In CI, a missing Chromium is a failure, so that a partial run does not look like a full one.
    if (isCi(process.env["CI"])) return { name, judge: () => Promise.resolve([trouble]) };
    return { name, leftOut: trouble, judge: () => Promise.resolve([]) };
  });
}

interface BrowserSetting {
  readonly root: string;
  /** The folder of the project. */
  readonly folder: string;
  readonly chromium: string;
  readonly node: string;
  readonly bundler: Bundler;
}

async function faultsIn(
  { root, folder, chromium, node, bundler }: BrowserSetting,
): Promise<string[]> {
  const pages = await servePages(await bundler.bundle());
  const fronts: Front[] = [];
  let uploads: UploadServers | undefined;
  try {
    for (const _ of PLACES) fronts.push(await startFront(pages.url));
    const { http2, http1 } = uploads = await startUploadServers(pages.url);
    const job: DriverJob = {
      playwright: `${root}/${toolPath("playwright-core/index.mjs")}`,
      chromium,
      pages: PLACES.map((place, index) => {
        const query = new URLSearchParams({ in: place, url: fronts[index]!.url, http2, http1 });
        return `${pages.url}/index.html?${query}`;
      }),
    };
    const driver = fileURLToPath(new URL("./drive.ts", import.meta.url));
    const result = await runChild(node, [driver, JSON.stringify(job)], {
      cwd: root,
      // The browser's profile is in the project, so that it is deleted even if the driver crashes.
      env: { TMPDIR: folder },
      limit: 180,
    });
    const broken = faultsOfRun("the driver", result);
    if (broken.length > 0) return broken;
    const opened = JSON.parse(result.stdout) as OpenedPage[];
    return PLACES.flatMap((place, index) => {
      const faults = [
        ...faultsOfPage(opened[index]!, Object.keys(browserScenes)),
        ...faultsOfRequests(fronts[index]!.requests),
      ];
      return faults.map((fault) => `in a ${place}: ${fault}`);
    });
  } finally {
    await Promise.all([pages, ...fronts, uploads].map((each) => each?.stop()));
  }
}
