/** Prints a plan as the files of an SDK. */

import { FIRST_LINE, FIRST_LINE_OF_TESTS } from "../first_line.ts";
import { type GenerateOptions, TOOLKIT } from "../options.ts";
import type { EndpointPlan, Plan } from "../model/mod.ts";
import { printClient } from "../outputs/classes/client.ts";
import { printComment } from "./comments.ts";
import { printEndpoint } from "../outputs/classes/endpoints.ts";
import { printErrors } from "../outputs/classes/errors.ts";
import { printModels } from "./models.ts";
import { printPageClasses, printResourceClient } from "../outputs/resources/client.ts";
import { printResource } from "../outputs/resources/resources.ts";
import { printTests, type TestModules } from "../outputs/tests/tests.ts";

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
  if (plan.client.resources === undefined) {
    texts.set("client.ts", printClient(plan, toolkit));
    for (const endpoint of plan.endpoints) {
      texts.set(`endpoints/${endpoint.file}.ts`, printEndpoint(endpoint, plan, toolkit));
    }
  } else {
    texts.set("client.ts", printResourceClient(plan, toolkit));
    for (const resource of plan.endpoints) {
      if (resource.file === "") continue;
      texts.set(`resources/${resource.file}.ts`, printResource(resource, plan, toolkit));
    }
    const { pageClasses = [] } = plan;
    if (pageClasses.length > 0) texts.set("pagination.ts", printPageClasses(pageClasses, toolkit));
  }
  if (plan.errors.length > 0) texts.set("errors.ts", printErrors(plan, toolkit));
  if (plan.models.length > 0) texts.set("models.ts", printModels(plan.models, toolkit));
  texts.set("mod.ts", printMod(plan, [...texts.keys()], toolkit));
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
    [testFileOf(endpoint), printTests(endpoint, plan, modules)] as const
  );
  return new Map(
    texts.filter(([, text]) => text !== undefined).map(([file, text]) => [
      file,
      `${FIRST_LINE_OF_TESTS}\n// deno-fmt-ignore-file\n\n${text}`,
    ]),
  );
}

/** Returns the file of an endpoint's tests. All of them are in one folder. */
function testFileOf({ file, resource }: EndpointPlan): string {
  // No file of a resource has an underscore.
  const name = resource === undefined ? file : file.replaceAll("/", "_") || "the_client";
  return `${name}_test.ts`;
}

function printMod({ client }: Plan, files: readonly string[], toolkit: string): string {
  const comment = { ...client.comment, tags: [...client.comment.tags, ["module", ""] as const] };
  const exports = files.map((path) => `export * from "./${path}";\n`);
  const own = client.resources === undefined ? "" : printResourceExports(client.className, toolkit);
  return `${printComment(comment, 0)}\n${exports.join("")}${own}`;
}

/** Returns the exports that callers expect beside those of the output: errors, pages and uploads. */
function printResourceExports(className: string, toolkit: string): string {
  const names = [
    ..."APIConnectionError APIConnectionTimeoutError APIError".split(" "),
    "type APIPromise",
    ..."APIUserAbortError AuthenticationError BadRequestError ConflictError".split(" "),
    ..."InternalServerError NotFoundError PagePromise PermissionDeniedError RateLimitError".split(
      " ",
    ),
    ..."Stream toFile UnprocessableEntityError".split(" "),
    "type Uploadable",
  ];
  const list = names.map((name) => `  ${name},\n`).join("");
  return `export { ${className} as default } from "./client.ts";\n` +
    `export {\n${list}} from "${toolkit}/resources";\n`;
}
