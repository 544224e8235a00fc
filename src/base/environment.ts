/** Reads environment variables on every runtime, without a prompt for permissions. */
import { type Check, check } from "./checks.ts";

/** The globals with environment variables. Each exists in some runtimes only. */
interface EnvironmentGlobals {
  readonly Deno?: {
    readonly permissions?: {
      readonly querySync?: (
        permission: { readonly name: "env"; readonly variable: string },
      ) => { readonly state: string };
    };
  };
  readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
}

const checkedVariable: Check<string> = check(
  "the name of an environment variable, such as LIBRARY_API_KEY",
  (name) => typeof name === "string" && /^[^=\0]+$/.test(name),
);

/**
 * Reads an environment variable. Browsers have none.
 *
 * On Deno, it asks for no permission: without `--allow-env` for this variable, it returns undefined.
 *
 * @param name The name of the variable
 * @returns The value without white space at its ends; undefined if the variable is not set or empty
 * @throws {UnexpectedValueError} If the name is not a string, is empty, or contains `=`
 *
 * @example
 * ```ts
 * import { readEnv } from "@restwright/restwright";
 *
 * console.log(readEnv("LIBRARY_BASE_URL") ?? "https://library.example.com");
 * ```
 *
 * @category Sessions and clients
 */
export function readEnv(name: string): string | undefined {
  const variable = checkedVariable("name", name);
  const { Deno, process } = globalThis as EnvironmentGlobals;
  // Without the permission, reading the variable would prompt, or throw an error.
  const permission = Deno?.permissions?.querySync?.({ name: "env", variable });
  if (permission !== undefined && permission.state !== "granted") return undefined;
  return process?.env?.[variable]?.trim() || undefined;
}
