/** The output of the SDK itself. */

import { type Output, TOOLKIT } from "./output.ts";
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
  return sdkOutput(model.form).files(model, { toolkit });
}

/** Returns the output that prints SDKs of a form. */
export function sdkOutput(form: SdkModel["form"]): Output {
  return [classes, resources].find(({ name }) => name === form)!;
}
