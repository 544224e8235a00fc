/** Parses the options of `deno task release`. */
import { parseArgs } from "node:util";
import type { Stage } from "./plan.ts";

/** The options of one run. */
export interface ReleaseOptions {
  /** The version to write. If it is set, no release is made. */
  set: string | undefined;
  stage: Stage;
  /** True if the steps are printed but not run. */
  isDry: boolean;
}

/** The usage text. */
export const RELEASE_USAGE: string = [
  "deno task release --set 1.2.3     writes the version, and today's date into CHANGELOG.md",
  "deno task release [--dry-run]     checks, tests, builds and tags the version",
  "deno task release --publish [--dry-run]  publishes the tag and npm/; only for the workflow",
].join("\n");

/** Parses the command line. Returns an error message if it is wrong. */
export function readReleaseOptions(args: readonly string[]): ReleaseOptions | string {
  try {
    const { values: { set, publish = false, "dry-run": isDry = false } } = parseArgs({
      args: [...args],
      options: {
        set: { type: "string" },
        publish: { type: "boolean" },
        "dry-run": { type: "boolean" },
      },
    });
    if (set !== undefined && (publish || isDry)) {
      return "--set cannot be combined with another option";
    }
    return { set, stage: publish ? "publish" : "tag", isDry };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
