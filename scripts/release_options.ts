/** The options of `deno task release`. */
import { parseArgs } from "node:util";
import type { Stage } from "./release_plan.ts";

/** What is asked for. */
export interface ReleaseOptions {
  /** The version to write, in place of a release. */
  set: string | undefined;
  stage: Stage;
  /** Whether the steps are only shown. */
  isDry: boolean;
}

/** How to call it. */
export const RELEASE_USAGE: string = [
  "deno task release --set 1.2.3     writes the version, and today's date into CHANGELOG.md",
  "deno task release [--dry-run]     checks, tests, builds and tags it",
  "deno task release --publish [--dry-run]  publishes what is tagged: for the workflow",
].join("\n");

/** Reads the command line; gives a text that says what is wrong with it. */
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
    if (set !== undefined && (publish || isDry)) return "--set goes with no other option";
    return { set, stage: publish ? "publish" : "tag", isDry };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
