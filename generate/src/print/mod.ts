/** Prints a plan as the files of an SDK. */

import { FIRST_LINE, FIRST_LINE_OF_TESTS } from "../first_line.ts";
import { type GenerateOptions, TOOLKIT } from "../options.ts";
import type { Plan } from "../plan/plan.ts";
import { printClient } from "./client.ts";
import { printComment } from "./comments.ts";
import { printEndpoint } from "./endpoints.ts";
import { printErrors } from "./errors.ts";
import { printModels } from "./models.ts";
import { printTests, type TestModules } from "./sdk_tests.ts";

/**
 * Prints an SDK.
 *
 * @param plan The plan
 * @param options The specifier of the toolkit
 * @returns The texts of the files by their paths
 */
export function printSdk(
  plan: Plan,
  { toolkit = TOOLKIT }: Pick<GenerateOptions, "toolkit"> = {},
): Map<string, string> {
  const texts = new Map<string, string>();
  texts.set("client.ts", printClient(plan, toolkit));
  for (const endpoint of plan.endpoints) {
    texts.set(`endpoints/${endpoint.file}.ts`, printEndpoint(endpoint, plan, toolkit));
  }
  if (plan.errors.length > 0) texts.set("errors.ts", printErrors(plan, toolkit));
  if (plan.models.length > 0) texts.set("models.ts", printModels(plan.models, toolkit));
  texts.set("mod.ts", printMod(plan, [...texts.keys()]));
  return new Map(
    [...texts].map(([path, text]) => [path, `${FIRST_LINE}\n// deno-fmt-ignore-file\n\n${text}`]),
  );
}

/**
 * Prints the tests of an SDK, if there are any in the plan.
 *
 * @returns The texts of the files by their paths
 */
export function printSdkTests(plan: Plan, modules: TestModules): Map<string, string> {
  const texts = plan.endpoints.map((endpoint) =>
    [endpoint.file, printTests(endpoint, plan, modules)] as const
  );
  return new Map(
    texts.filter(([, text]) => text !== undefined).map(([file, text]) => [
      `${file}_test.ts`,
      `${FIRST_LINE_OF_TESTS}\n// deno-fmt-ignore-file\n\n${text}`,
    ]),
  );
}

function printMod({ client }: Plan, files: readonly string[]): string {
  const comment = { ...client.comment, tags: [...client.comment.tags, ["module", ""] as const] };
  const exports = files.map((path) => `export * from "./${path}";\n`);
  return `${printComment(comment, 0)}\n${exports.join("")}`;
}
