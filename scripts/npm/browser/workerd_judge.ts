/** Runs a user's program in workerd, the runtime of Cloudflare Workers. */
import { fileURLToPath } from "node:url";
import { runChild } from "../../shared/child.ts";
import type { Runtime } from "../../shared/runtimes.ts";
import { workerScenes } from "../consumer/web/scenes.ts";
import { faultsOfRun, type Judge } from "../../shared/package/judge.ts";
import type { Project } from "../../shared/package/project.ts";
import { toolPath } from "../tools.ts";
import { bundleWorker } from "./bundles.ts";
import type { OpenedPage } from "./drive.ts";
import type { WorkerdJob } from "./drive_workerd.ts";
import { startFront } from "./front.ts";
import { faultsOfPage } from "./page_faults.ts";

/**
 * The configuration of workerd: one worker, on a port that the system picks. With this recent
 * compatibility date, workers have a `process` like Node's.
 */
const CONFIG = `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "program", worker = .program),
    (name = "internet", network = (allow = ["private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "program")],
);

const program :Workerd.Worker = (
  modules = [(name = "cloud.js", esModule = embed "cloud.js")],
  compatibilityDate = "2026-10-01",
);
`;

/**
 * Returns the judge that plays the scenes in workerd.
 *
 * @param root The root of the repository
 * @param project The project with the package and the program
 * @param runtimes The installed runtimes. Node 24, which starts workerd, must be one of them.
 */
export function workerdJudge(root: string, project: Project, runtimes: readonly Runtime[]): Judge {
  return {
    name: "in workerd, with esbuild",
    async judge() {
      const node = runtimes.find(({ name }) => name === "node24")?.path;
      if (node === undefined) return ["Node 24, which starts workerd, is not installed"];
      const folder = await bundleWorker(root, project);
      await project.write("by_esbuild_cloud/workerd.capnp", CONFIG);
      const front = await startFront("null");
      try {
        const job: WorkerdJob = {
          workerd: `${root}/${toolPath("workerd/lib/main.js")}`,
          config: `${folder}/workerd.capnp`,
          query: `api=${front.url}`,
        };
        const driver = fileURLToPath(new URL("./drive_workerd.ts", import.meta.url));
        const args = [driver, JSON.stringify(job)];
        const result = await runChild(node, args, { cwd: project.folder, limit: 120 });
        const broken = faultsOfRun("the driver", result);
        if (broken.length > 0) return broken;
        const outcome = JSON.parse(result.stdout) as OpenedPage;
        return faultsOfPage(outcome, Object.keys(workerScenes));
      } finally {
        await front.stop();
      }
    },
  };
}
