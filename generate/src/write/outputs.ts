/** The outputs beside the SDK on the command line: their folders, their options and their rows of `--help`. */

import { type HelpRow, helpRow } from "./help.ts";
import type { Output, OutputKind } from "../outputs/output.ts";
import { flagOf, STANDARD } from "../options/table.ts";
import { join, relative, resolve, sep } from "node:path";
import * as outputs from "../outputs/mod.ts";

/** The outputs that a user can choose beside the SDK. */
export const outputKinds: readonly OutputKind[] = [outputs.tests, outputs.docs];

/** An output that the user asks for. */
export interface RequestedOutput {
  readonly kind: OutputKind;
  readonly folder: string;
  readonly output: Output;
}

/** Returns the outputs that the arguments name, or that have a folder by default. */
export function requestedOutputs(
  values: Values,
  out: string,
  defaults: Values = {},
): RequestedOutput[] {
  return outputKinds.flatMap((kind) => {
    const folder = values[kind.name] ?? defaults[kind.name];
    if (typeof folder !== "string") {
      const unused = Object.keys(kind.options).map((name) => `${kind.name}-${flagOf(name)}`)
        .find((flag) => values[flag] !== undefined);
      if (unused === undefined) return [];
      throw new UsageError(`--${unused} needs --${kind.name} with a folder`);
    }
    if (folder === "") throw new UsageError(`--${kind.name} must be a folder`);
    const own = Object.entries(kind.options).map(([name, { argument, values: allowed }]) => {
      const flag = `${kind.name}-${flagOf(name)}`;
      const value = values[flag] ?? defaults[flag];
      if (argument === "FILE" && typeof value === "string") {
        return [name, wholePath(value)] as const;
      }
      if (allowed !== undefined && value !== undefined && !allowed.includes(String(value))) {
        throw new UsageError(`--${flag} must be ${allowed.join(" or ")}, not ${value}`);
      }
      return [name, value] as const;
    });
    const options = {
      ...Object.fromEntries(own),
      ...{ sdk: specifierOf(join(out, "mod.ts"), folder), folder: wholePath(folder) },
    };
    return [{ kind, folder, output: kind.with(options) }];
  });
}

/** Returns the options of a repository that `init` makes: the folders of outputs, and their own options. */
export function repositoryOptions(): Values {
  return Object.fromEntries(
    outputKinds.flatMap(({ name, repositoryFolder, repositoryOptions = {} }) => [
      ...repositoryFolder === undefined ? [] : [[name, repositoryFolder]],
      ...Object.entries(repositoryOptions).map((
        [option, value],
      ) => [`${name}-${flagOf(option)}`, value]),
    ]),
  );
}

/** Returns a whole path with slashes. */
function wholePath(path: string): string {
  return resolve(path).split(sep).join("/");
}

/** Returns the specifier by which files in a folder import another file. */
function specifierOf(file: string, folder: string): string {
  const path = relative(resolve(folder), resolve(file)).split(sep).join("/");
  const whole = path.startsWith(".") ? path : `./${path}`;
  // The path is a part of a URL.
  return whole.replace(/[%?#]/g, encodeURIComponent);
}

/**
 * Returns the specifier by which files in a folder import a module.
 *
 * @param path The path of the module, or `standard`, which stays as it is
 */
export function moduleSpecifier(path: Values[string], folder: string): string | undefined {
  if (typeof path !== "string") return undefined;
  if (path === STANDARD) return path;
  return specifierOf(path, folder);
}

/** Returns the rows of the outputs and their options. */
export function outputRows(): HelpRow[] {
  return outputKinds.flatMap(({ name, help, options }) => [
    helpRow(name, { argument: "FOLDER", help }),
    ...Object.entries(options).map(([option, each]) => helpRow(`${name}-${flagOf(option)}`, each)),
  ]);
}

/** Arguments that are wrong. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Arguments by their names, without the hyphens. */
export type Values = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/** Returns the path of the file or folder that states the call sites; empty if there is none. */
export function shapeNameOf(values: Values, old: "" | "old-" = ""): string {
  const [path] = ["stainless", "sdk", "api-md"].flatMap((flag) => values[`${old}${flag}`] ?? []);
  return typeof path === "string" ? path : "";
}
