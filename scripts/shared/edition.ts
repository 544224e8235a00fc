/**
 * Chooses between the two editions (docs: "Two registries, one source"). Deno uses the npm edition
 * if DENO_CONDITIONS contains `npm-edition`, and the JSR edition otherwise.
 */
import process from "node:process";
import { runChild } from "./child.ts";

/** The registry whose packages implement the ports, such as `#log` and `#test`, on Deno. */
export type Edition = "jsr" | "npm";

/** An edition, and the reason why it was chosen. */
export interface EditionChoice {
  edition: Edition;
  reason: string;
}

const CONDITION = "npm-edition";

/** Returns the edition that a value of DENO_CONDITIONS selects; undefined if it is not set. */
export function editionFromConditions(conditions: string | undefined): Edition | undefined {
  if (conditions === undefined) return undefined;
  return conditions.split(",").map((name) => name.trim()).includes(CONDITION) ? "npm" : "jsr";
}

/** Checks that every module in the output of `deno info --json` could be loaded. */
export function modulesLoaded(infoJson: string): boolean {
  try {
    const { modules } = JSON.parse(infoJson) as { modules?: { error?: string }[] };
    return modules !== undefined && modules.length > 0 &&
      modules.every((module) => module.error === undefined);
  } catch {
    return false;
  }
}

/**
 * Returns the edition that DENO_CONDITIONS selects. If it is not set, returns the JSR edition if
 * JSR can be reached, and the npm edition otherwise.
 */
export async function chooseEdition(denoPath: string): Promise<EditionChoice> {
  const asked = editionFromConditions(process.env["DENO_CONDITIONS"]);
  if (asked !== undefined) return { edition: asked, reason: "DENO_CONDITIONS is set" };
  const info = await runChild(denoPath, ["info", "--json", "jsr:@std/assert@1"], { limit: 20 });
  return modulesLoaded(info.stdout)
    ? { edition: "jsr", reason: "JSR can be reached" }
    : { edition: "npm", reason: `JSR cannot be reached; DENO_CONDITIONS=${CONDITION} is set` };
}

/** Returns the environment variables that make a Deno process use the edition. */
export function editionEnv(edition: Edition): Record<string, string> {
  const others = (process.env["DENO_CONDITIONS"] ?? "").split(",")
    .filter((name) => name !== "" && name !== CONDITION);
  const names = edition === "npm" ? [CONDITION, ...others] : others;
  return { DENO_CONDITIONS: names.join(",") };
}
