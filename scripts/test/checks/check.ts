/** Defines the checks that `deno task test` runs before the tests. */
import type { ChildResult } from "../../shared/child.ts";

/** A check with a name for the report. */
export interface Check {
  name: string;
  run(): Promise<ChildResult>;
}

/** Returns a check that passes if the function returns no lines. Each line is a fault and its place. */
export function faultCheck(name: string, find: () => Promise<readonly string[]>): Check {
  return {
    name,
    async run() {
      const began = performance.now();
      const lines = await find();
      return {
        code: lines.length === 0 ? 0 : 1,
        stdout: "",
        output: lines.join("\n"),
        seconds: (performance.now() - began) / 1000,
        trouble: undefined,
      };
    },
  };
}
