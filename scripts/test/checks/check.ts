/** Defines the checks that `deno task test` runs before the tests. */
import type { ChildResult } from "../../shared/child.ts";

/** A check with a name for the report. */
export interface Check {
  name: string;
  run(): Promise<ChildResult>;
}
