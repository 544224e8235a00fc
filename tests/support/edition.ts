import process from "node:process";
import { editionFromConditions } from "../../scripts/shared/edition.ts";

/** True in the JSR edition, which uses `@std/log` and `@std/xml`. */
export const isJsrEdition: boolean = "Deno" in globalThis &&
  editionFromConditions(process.env["DENO_CONDITIONS"]) !== "npm";
