/**
 * The choice between the two editions (docs: "Two registries, one source"). Deno takes the npm
 * edition where the condition below is set, and the JSR edition otherwise.
 */
import process from "node:process";
import { runChild } from "./child.ts";

/** Which packages stand beneath the ports `#log`, `#test` and their like on Deno. */
export type Edition = "jsr" | "npm";

/** An edition, and why it was taken. */
export interface EditionChoice {
  edition: Edition;
  reason: string;
}

const CONDITION = "npm-edition";

/** The edition that a value of DENO_CONDITIONS stands for; undefined where it says nothing. */
export function editionFromConditions(conditions: string | undefined): Edition | undefined {
  if (conditions === undefined) return undefined;
  return conditions.split(",").map((name) => name.trim()).includes(CONDITION) ? "npm" : "jsr";
}

/** Whether every module in the output of `deno info --json` could be loaded. */
export function modulesLoaded(infoJson: string): boolean {
  try {
    const { modules } = JSON.parse(infoJson) as { modules?: { error?: string }[] };
    return modules !== undefined && modules.length > 0 &&
      modules.every((module) => module.error === undefined);
  } catch {
    return false;
  }
}

/** Takes the edition that is asked for, or else the JSR edition where JSR can be reached. */
export async function chooseEdition(denoPath: string): Promise<EditionChoice> {
  const asked = editionFromConditions(process.env["DENO_CONDITIONS"]);
  if (asked !== undefined) return { edition: asked, reason: "DENO_CONDITIONS is set" };
  const info = await runChild(denoPath, ["info", "--json", "jsr:@std/assert@1"], { limit: 20 });
  return modulesLoaded(info.stdout)
    ? { edition: "jsr", reason: "JSR can be reached" }
    : { edition: "npm", reason: `JSR cannot be reached; DENO_CONDITIONS=${CONDITION} is set` };
}

/** What a Deno process has to have in its environment to take the edition. */
export function editionEnv(edition: Edition): Record<string, string> {
  const others = (process.env["DENO_CONDITIONS"] ?? "").split(",")
    .filter((name) => name !== "" && name !== CONDITION);
  const names = edition === "npm" ? [CONDITION, ...others] : others;
  return { DENO_CONDITIONS: names.join(",") };
}
