/** The output of the SDK itself. */

import { TOOLKIT } from "./output.ts";
import type { SdkModel } from "../model/mod.ts";
import { classes } from "./classes/mod.ts";
import { resources } from "./resources/mod.ts";

/**
 * Prints an SDK in the form that its model states.
 *
 * @returns The texts of the files by their paths
 */
export function printSdk(
  model: SdkModel,
  { toolkit = TOOLKIT }: { readonly toolkit?: string | undefined } = {},
): ReadonlyMap<string, string> {
  const output = [classes, resources].find(({ name }) => name === model.form)!;
  return output.files(model, { toolkit });
}
